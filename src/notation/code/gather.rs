//! What is read to what it makes: values to items, statements to arguments, annotations to what they stand on,
//! assignments to steps.

use crate::notation::item::{Arg, Form, Item, Kind, Name, Statement, Step, Value};
use crate::span::Span;

/// A value as an item: a name is a head; anything else that is called stands as the only argument of an empty head.
pub(super) fn into_item(value: Value) -> Item {
    match value.kind {
        Kind::Item(item) => *item,
        Kind::Word(text) => Item { head: Name { text, span: value.span }, span: value.span, ..Item::default() },
        _ => Item { span: value.span, args: vec![Arg { name: None, value }], ..Item::default() },
    }
}

pub(super) fn item_value(item: Item) -> Value {
    let span = item.span;
    Value::new(Kind::Item(Box::new(item)), span)
}

pub(super) fn map_of(args: Vec<Arg>, span: Span) -> Value {
    item_value(Item { args, form: Form::Map, span, ..Item::default() })
}

pub(super) fn list_of(args: Vec<Arg>, span: Span) -> Value {
    Value::new(Kind::List(args.into_iter().map(|a| a.value).collect()), span)
}

/// A list, or a map where something in it has a name.
pub(super) fn gathered(args: Vec<Arg>, span: Span) -> Value {
    if args.iter().any(|a| a.name.is_some()) { map_of(args, span) } else { list_of(args, span) }
}

pub(super) fn is_spread(value: &Value) -> bool {
    matches!(&value.kind, Kind::Op(op, operands) if op == ".." && operands.len() == 1)
}

/// `{a, b: 1}` is `{a: a, b: 1}`; so is `{a, b}`, but not a set of anything else.
pub(super) fn shorthand(mut args: Vec<Arg>) -> Vec<Arg> {
    let simple = |text: &str| {
        text.starts_with(|c: char| c.is_lowercase()) && text.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let word = |a: &Arg| matches!(&a.value.kind, Kind::Word(w) if simple(w) && !matches!(w.as_str(), "true" | "false" | "null" | "nil" | "undefined"));
    let all = args.iter().all(|a| a.name.is_some() || word(a) || is_spread(&a.value));
    if all {
        for arg in args.iter_mut().filter(|a| a.name.is_none()) {
            if let Kind::Word(text) = &arg.value.kind {
                arg.name = Some(Name { text: text.clone(), span: arg.value.span });
            }
        }
    }
    args
}

/// Statements as arguments: bindings by name, values without one.
pub(super) fn args_of(statements: Vec<Statement>) -> Vec<Arg> {
    let mut args = Vec::with_capacity(statements.len());
    for statement in statements {
        match statement {
            Statement::Bind(name, value) => args.push(Arg { name: Some(name), value }),
            Statement::Return(value) | Statement::Expr(value) => args.push(Arg { name: None, value }),
            Statement::If(condition, then, otherwise) => {
                args.push(Arg { name: None, value: condition });
                args.extend(args_of(then));
                args.extend(args_of(otherwise));
            }
        }
    }
    args
}

/// Gives annotations the name of what stands after them; those after which nothing stands share a place.
pub(super) fn aim(statements: &mut [Statement]) {
    let mut aimed: Option<Name> = None;
    for statement in statements.iter_mut().rev() {
        match statement {
            Statement::Expr(Value { kind: Kind::Item(item), .. }) if item.form == Form::Annotation => {
                let nothing = || Name { text: String::new(), span: Span::new(item.span.end, item.span.end) };
                item.target = Some(aimed.get_or_insert_with(nothing).clone());
            }
            Statement::Expr(Value { kind: Kind::Item(item), .. }) => {
                aimed = item.target.clone().or_else(|| Some(item.head.clone()));
            }
            Statement::Bind(name, _) => aimed = Some(name.clone()),
            _ => aimed = None,
        }
    }
}

/// Turns `b.A = 1` into an item without a head whose target is `b` and whose step sets `A`; several in a row are one.
pub(super) fn stepped(statements: Vec<Statement>) -> Vec<Statement> {
    let mut out: Vec<Statement> = Vec::with_capacity(statements.len());
    for statement in statements {
        let mut item = match statement {
            Statement::Bind(name, value) => match split_target(&name) {
                Some((target, path)) => {
                    let span = name.span.to(value.span);
                    Item { target: Some(target), steps: vec![Step::Set { path, value }], span, ..Item::default() }
                }
                None => {
                    out.push(Statement::Bind(name, value));
                    continue;
                }
            },
            Statement::Expr(Value { kind: Kind::Item(item), .. }) if is_steps(&item) => *item,
            other => {
                out.push(other);
                continue;
            }
        };
        match out.last_mut() {
            Some(Statement::Expr(Value { kind: Kind::Item(last), span }))
                if is_steps(last) && last.target.as_ref().map(|n| &n.text) == item.target.as_ref().map(|n| &n.text) =>
            {
                last.steps.append(&mut item.steps);
                last.span = last.span.to(item.span);
                *span = last.span;
            }
            _ => out.push(Statement::Expr(item_value(item))),
        }
    }
    out
}

/// Whether an item is only steps on a name.
pub(in crate::notation) fn is_steps(item: &Item) -> bool {
    item.head.text.is_empty()
        && item.args.is_empty()
        && item.target.is_some()
        && item.form == Form::Call
        && !item.steps.is_empty()
}

/// `b.A.B`, `b["A"]`, `b[:A]` as what is changed and the path in it.
fn split_target(name: &Name) -> Option<(Name, Name)> {
    if let Some((target, key)) = name.text.strip_suffix(']').and_then(|text| text.split_once('['))
        && target.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$'))
        && let Some(key) = key.strip_prefix(':').or(key.strip_prefix(['"', '\'']).map(|k| &k[..k.len().max(1) - 1]))
    {
        let end = name.span.start + target.len();
        let path = Name { text: key.to_string(), span: Span::new(end, name.span.end) };
        return Some((Name { text: target.to_string(), span: Span::new(name.span.start, end) }, path));
    }
    // The object itself is part of the target, unless nothing else is.
    let own = ["this.", "self.", "$this->"].iter().find(|p| name.text.starts_with(**p)).map_or(0, |p| p.len());
    let inner = name.text[own..].find(['.', '>']).map(|at| at + own);
    let at = inner.or(own.checked_sub(1))?;
    let target = name.text[..at].trim_end_matches('-').to_string();
    let end = name.span.start + target.len();
    let path = Name {
        text: name.text[at + 1..].to_string(),
        span: Span::new(name.span.end - (name.text.len() - at - 1).min(name.span.end), name.span.end),
    };
    Some((Name { text: target, span: Span::new(name.span.start, end) }, path))
}
