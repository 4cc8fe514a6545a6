//! Where everything in a document stands, for tests that read any text.

use backoff::notation::{Arg, Document, Item, Kind, Statement, Step, Value};
use backoff::span::Span;

/// Every span of a document lies in its text and cuts no character.
pub fn check(document: &Document) {
    let text = document.text;
    let inside = |span: Span| {
        assert!(span.start <= span.end && span.end <= text.len(), "{span:?} of {} bytes: {text}", text.len());
        assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end), "{span:?} cuts: {text}");
    };
    document.findings.iter().filter_map(|f| f.span).for_each(inside);
    document.items.iter().for_each(|item| item_spans(item, &inside));
}

fn item_spans(item: &Item, inside: &dyn Fn(Span)) {
    inside(item.span);
    inside(item.head.span);
    item.args.iter().for_each(|arg| arg_spans(arg, inside));
    for step in &item.steps {
        match step {
            Step::Call { name, args, span } => {
                inside(name.span);
                inside(*span);
                args.iter().for_each(|arg| arg_spans(arg, inside));
            }
            Step::Set { path, value } => {
                inside(path.span);
                value_spans(value, inside);
            }
        }
    }
}

fn arg_spans(arg: &Arg, inside: &dyn Fn(Span)) {
    arg.name.iter().for_each(|name| inside(name.span));
    value_spans(&arg.value, inside);
}

fn value_spans(value: &Value, inside: &dyn Fn(Span)) {
    inside(value.span);
    match &value.kind {
        Kind::Item(item) => item_spans(item, inside),
        Kind::List(values) | Kind::Op(_, values) => values.iter().for_each(|value| value_spans(value, inside)),
        Kind::Text { inner, .. } => inner.iter().for_each(|item| item_spans(item, inside)),
        Kind::Fun(fun) => fun.body.iter().for_each(|statement| match statement {
            Statement::Bind(name, value) => {
                inside(name.span);
                value_spans(value, inside);
            }
            Statement::Return(value) | Statement::Expr(value) | Statement::If(value, ..) => value_spans(value, inside),
        }),
        Kind::Number { .. } | Kind::Word(_) | Kind::Unread => {}
    }
    // What a library may ask of any value.
    let _ = (value.number(), value.text_number(), value.flag(), value.count(), value.duration_ms(None));
    let _ = (value.is_null(), value.is_undefined(), value.is_placeholder());
}
