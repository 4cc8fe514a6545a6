//! Every place that an item names, for moving them all.

use super::{Arg, Item, Kind, Name, Statement, Step, Value};
use crate::span::Span;

/// Moves every span to whole characters of the text: a curly quote was read as a straight one inside its three bytes.
pub(super) fn to_characters(items: &mut [Item], text: &str) {
    for item in items {
        each_span(item, &mut |span| *span = whole(*span, text));
    }
}

/// The smallest span of whole characters around this one.
pub(super) fn whole(span: Span, text: &str) -> Span {
    let (mut start, mut end) = (span.start.min(text.len()), span.end.min(text.len()));
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    Span::new(start, end)
}

/// Every span of an item.
pub(super) fn each_span(item: &mut Item, visit: &mut dyn FnMut(&mut Span)) {
    visit(&mut item.span);
    visit(&mut item.head.span);
    if let Some(target) = &mut item.target {
        visit(&mut target.span);
    }
    args_spans(&mut item.args, visit);
    for step in &mut item.steps {
        match step {
            Step::Call { name, args, span } => {
                visit(&mut name.span);
                visit(span);
                args_spans(args, visit);
            }
            Step::Set { path, value } => {
                visit(&mut path.span);
                value_spans(value, visit);
            }
        }
    }
}

fn args_spans(args: &mut [Arg], visit: &mut dyn FnMut(&mut Span)) {
    for arg in args {
        if let Some(Name { span, .. }) = &mut arg.name {
            visit(span);
        }
        value_spans(&mut arg.value, visit);
    }
}

fn value_spans(value: &mut Value, visit: &mut dyn FnMut(&mut Span)) {
    visit(&mut value.span);
    match &mut value.kind {
        Kind::Item(item) => each_span(item, visit),
        Kind::List(values) | Kind::Op(_, values) => values.iter_mut().for_each(|value| value_spans(value, visit)),
        Kind::Text { inner, .. } => inner.iter_mut().for_each(|item| each_span(item, visit)),
        Kind::Fun(fun) => {
            fun.params.iter_mut().for_each(|name| visit(&mut name.span));
            statement_spans(&mut fun.body, visit);
        }
        _ => {}
    }
}

fn statement_spans(body: &mut [Statement], visit: &mut dyn FnMut(&mut Span)) {
    for statement in body {
        match statement {
            Statement::Bind(name, value) => {
                visit(&mut name.span);
                value_spans(value, visit);
            }
            Statement::Return(value) | Statement::Expr(value) => value_spans(value, visit),
            Statement::If(condition, then, otherwise) => {
                value_spans(condition, visit);
                statement_spans(then, visit);
                statement_spans(otherwise, visit);
            }
        }
    }
}
