//! Names in a block that are one slip away from a setting of its library: the library does not know them.

use super::Take;
use super::near::{same, slip};
use crate::notation::{Item, Kind, Name, Statement, Step, Value};
use crate::span::Span;

/// How many names of a block are looked at.
const MOST: usize = 400;

/// Says of every such name what was meant, unless the library has said something about it or has the setting besides.
pub(super) fn say(take: &mut Take) {
    if take.library.id == super::neutral::LIBRARY.id {
        return;
    }
    let known: Vec<&'static str> = take.library.settings.iter().flat_map(|s| s.names()).collect();
    let mut names = Vec::new();
    let others: Vec<&Item> =
        take.block.others.iter().copied().filter(|o| !o.span.holds(take.block.item.span)).collect();
    for item in [take.block.item].into_iter().chain(others) {
        of_item(item, "", &mut names);
    }
    let written = |known: &str| names.iter().any(|(name, _)| same(name, known) && !shifted(name, known));
    let free: Vec<&'static str> = known.iter().copied().filter(|k| !written(k)).collect();
    for (name, span) in &names {
        let leads = |k: &str, end: &str| k.strip_prefix(end).is_some_and(|rest| rest.starts_with('.'));
        let is = |k: &str, end: &str| same(k, end) && !shifted(k, end) || leads(k, end);
        let own = ends(name).any(|end| known.iter().any(|k| is(k, end)));
        let near = free.iter().find(|k| ends(name).any(|end| slip(end, k) || shifted(end, k)));
        let span = near.map_or(*span, |near| whole(take.scan.doc.text, *span, near));
        let said = take.findings.iter().any(|f| f.code.ends_with("-key") && f.span.is_some_and(|s| s.overlaps(span)));
        if let Some(near) = near.filter(|_| !own && !said) {
            let (name, title) = (span.of(take.scan.doc.text), take.library.title);
            let message = format!("`{name}` is no setting of {title}: it is refused, or has no effect.");
            take.unknown_key(span, message, Some(near));
        }
    }
}

/// The place of a name with what leads to it by dots, where the setting has dots too.
fn whole(text: &str, span: Span, near: &str) -> Span {
    let before = &text[..span.start];
    let start = match before.ends_with('.') && near.contains('.') {
        true => before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || "._-".contains(c)).len(),
        false => span.start,
    };
    Span::new(start, span.end)
}

/// The whole name and what stands after each of its dots.
fn ends(name: &str) -> impl Iterator<Item = &str> {
    let after = name.match_indices(['.', ':']).map(|(at, _)| &name[at + 1..]);
    [name].into_iter().chain(after).map(|end| end.trim_matches(['[', ']']))
}

/// Whether two names differ in where their joiners stand, and nothing else: `retrytotal` for `retry_total`.
fn shifted(a: &str, b: &str) -> bool {
    let plain = |name: &str| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    a != b && same(a, b) && plain(a) && plain(b)
}

type Names = Vec<(String, Span)>;

fn of_item(item: &Item, path: &str, out: &mut Names) {
    for arg in &item.args {
        let inner = arg.name.as_ref().map_or(String::new(), |name| put(name, path, out));
        // A functional option is named by its call.
        if let (None, Some(option)) = (&arg.name, arg.value.item().filter(|i| !i.head.text.is_empty())) {
            put(&option.head, "", out);
        }
        of_value(&arg.value, &inner, out);
    }
    for step in &item.steps {
        match step {
            Step::Set { path: name, value } => {
                let inner = put(name, path, out);
                of_value(value, &inner, out);
            }
            Step::Call { name, args, .. } => {
                put(name, "", out);
                for arg in args {
                    let inner = arg.name.as_ref().map_or(String::new(), |name| put(name, "", out));
                    of_value(&arg.value, &inner, out);
                }
            }
        }
    }
}

fn of_value(value: &Value, path: &str, out: &mut Names) {
    if out.len() >= MOST {
        return;
    }
    match &value.kind {
        Kind::Item(item) => of_item(item, path, out),
        Kind::List(values) => values.iter().for_each(|value| of_value(value, path, out)),
        Kind::Text { inner, .. } => inner.iter().for_each(|item| of_item(item, "", out)),
        Kind::Fun(fun) => fun.body.iter().for_each(|statement| {
            if let Statement::Expr(value) | Statement::Return(value) = statement {
                of_value(value, "", out);
            }
        }),
        Kind::Op(..) | Kind::Number { .. } | Kind::Word(_) | Kind::Unread => {}
    }
}

/// Notes a name with the path that leads to it.
fn put(name: &Name, path: &str, out: &mut Names) -> String {
    let whole = if path.is_empty() { name.text.clone() } else { format!("{path}.{}", name.text) };
    out.push((whole.clone(), name.span));
    whole
}
