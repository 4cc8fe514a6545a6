//! What is done to an item after it was made: `b.N = 3`, `kw.update(a=1)`.

use super::super::item::{Arg, Form, Item, Kind, Name, Statement, Step, Value};
use crate::span::Span;

/// The call of a head's last part as a step of its root.
pub(super) fn head_call(head: &Name, args: Vec<Arg>, whole: Span, root: usize) -> Step {
    let text = head.text[root..].trim_start_matches(['.', ':', '-', '>']).to_string();
    let span = Span::new(head.span.end.saturating_sub(text.len()).max(head.span.start), head.span.end);
    Step::Call { name: Name { text, span }, args, span: Span::new(span.start, whole.end.max(span.end)) }
}

/// The item that a statement binds.
pub(super) fn owner(statement: &mut Statement) -> Option<&mut Item> {
    match statement {
        Statement::Bind(_, Value { kind: Kind::Item(item), .. }) if matches!(item.form, Form::Call | Form::Map) => {
            Some(item)
        }
        _ => None,
    }
}

/// Does further steps to an item: what is done to a field that it was made with, `c.client.N = 3`, is a step of that.
pub(super) fn extend(item: &mut Item, steps: Vec<Step>) {
    for mut step in steps {
        if item.form == Form::Map || item.head.text == "dict" {
            enter(item, step);
            continue;
        }
        let (Step::Set { path: name, .. } | Step::Call { name, .. }) = &mut step;
        let inner = name.text.split_once('.').and_then(|(field, rest)| {
            let own = |arg: &&mut Arg| arg.name.as_ref().is_some_and(|n| n.text == field);
            match item.args.iter_mut().find(own).map(|arg| &mut arg.value.kind) {
                Some(Kind::Item(inner)) if inner.form == Form::Call => Some((inner, rest.to_string())),
                _ => None,
            }
        });
        match inner {
            Some((inner, rest)) => {
                name.text = rest;
                inner.steps.push(step);
            }
            None => item.steps.push(step),
        }
    }
}

/// Sets entries of a map: `kw["a"] = 1`, `kw.update(a=1)`, `kw.update({"a": 1})`.
fn enter(map: &mut Item, step: Step) {
    let entries = match step {
        Step::Set { path, value } => vec![Arg { name: Some(path), value }],
        Step::Call { args, .. } => args.into_iter().flat_map(entries_of).collect(),
    };
    for entry in entries.into_iter().filter(|entry| entry.name.is_some()) {
        let text = |arg: &Arg| arg.name.as_ref().map(|n| n.text.clone());
        map.args.retain(|arg| text(arg) != text(&entry));
        map.args.push(entry);
    }
}

fn entries_of(arg: Arg) -> Vec<Arg> {
    match arg.value.kind {
        Kind::Item(map) if arg.name.is_none() => map.args,
        _ => vec![arg],
    }
}
