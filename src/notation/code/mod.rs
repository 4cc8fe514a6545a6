//! Code of any language, JSON, HCL and fragments of them, to items. One tolerant reader: between any two brackets
//! stands a list of `[name sep] value`; what fits nothing is passed over one token at a time, and reading goes on.
//!
//! | module | reads |
//! |---|---|
//! | `cursor` | nothing; where we are, what comes next, how deep |
//! | `expression` | operators by precedence, conditionals, comparisons |
//! | `primary` | literals, lists, maps, constructors |
//! | `chain` | what follows a value: members, calls, indices, blocks |
//! | `lambda`, `parameters` | function literals; their parameters with defaults |
//! | `statement` | entries and bindings, declarations by type |
//! | `declaration` | declarations by keyword |
//! | `bare` | calls without parentheses, several names at once |
//! | `block` | control flow, bodies by braces, by column and by `end` |
//! | `cases` | `switch`, `match`, `when`, `case` |
//! | `definition` | functions and methods |
//! | `class` | classes, annotations, attributes |
//! | `imports` | imports |
//! | `element` | JSX |
//! | `types` | types, to step over them |
//! | `text` | quoted texts |
//! | `gather` | nothing; what is read to items and arguments |
//!
//! Types and generics are skipped. Nothing is evaluated and no name is looked up here; see `names` and `formula`.

mod bare;
mod block;
mod cases;
mod chain;
mod class;
mod cursor;
mod declaration;
mod definition;
mod element;
mod expression;
mod gather;
mod imports;
mod lambda;
mod parameters;
mod primary;
mod statement;
#[cfg(test)]
mod tests;
mod text;
mod types;

use super::item::{Arg, Form, Item, Kind, Name, Statement, Value};
use super::{Read, lexer};
use crate::span::Span;
use cursor::Cursor;
pub(super) use gather::is_steps;

/// Reads a piece of `text` as code: what stands at its outermost level, in order, and every comment. Every span counts
/// from the start of `text`. Findings are `unclosed` and `too-deep`.
pub(super) fn read(text: &str, range: Span) -> Read {
    let lexed = lexer::lex(text, range);
    let mut cursor = Cursor::new(text, &lexed);
    let mut items = outermost(cursor.file());
    let mut findings = cursor.findings;
    items.extend(lexed.comments.iter().map(|&span| comment(text, span)));
    crate::sort::by_key(&mut items, |item| item.span.start);
    findings.splice(0..0, lexed.findings);
    Read { items, findings }
}

/// Reads a piece of `text` as one value: a literal, a map, an expression; [`Kind::Unread`] where none begins.
pub(super) fn value(text: &str, range: Span) -> Value {
    let lexed = lexer::lex(text, range);
    let mut cursor = Cursor::new(text, &lexed);
    cursor.lines = false;
    cursor.value().unwrap_or(Value::new(Kind::Unread, range))
}

fn comment(text: &str, span: Span) -> Item {
    let head = Name { text: span.of(text).to_string(), span };
    Item { head, form: Form::Comment, span, ..Item::default() }
}

/// The items of the outermost statements. Loose `name: value` pairs in a row stand in a map, the inside of an object
/// whose braces were not pasted; loose `name = value` in a class without a name, the body of a file or of a class whose
/// beginning was not pasted; any other value alone in a map.
fn outermost(statements: Vec<(Statement, bool)>) -> Vec<Item> {
    let pairs: Vec<bool> = statements.iter().map(|(_, pair)| *pair).collect();
    let mut items: Vec<Item> = Vec::new();
    let mut open = None;
    for (statement, pair) in statements.into_iter().zip(pairs).map(|((s, _), p)| (s, p)) {
        for one in if pair { vec![statement] } else { gather::stepped(vec![statement]) } {
            for arg in gather::args_of(vec![one]) {
                loose(&mut items, arg, pair, &mut open);
            }
        }
    }
    items
}

/// Whether a value without a name can hold anything: a call, a number, a text.
fn says(kind: &Kind) -> bool {
    match kind {
        Kind::Op(_, operands) => operands.iter().any(|v| says(&v.kind)),
        Kind::Word(_) | Kind::Unread => false,
        _ => true,
    }
}

/// Adds one outermost value. `open` is the form that gathers at the end of `items`, if one does.
fn loose(items: &mut Vec<Item>, arg: Arg, pair: bool, open: &mut Option<Form>) {
    let span = arg.name.as_ref().map_or(arg.value.span, |n| n.span.to(arg.value.span));
    let form = if pair { Form::Map } else { Form::Class };
    match (arg.name, arg.value.kind) {
        (None, Kind::Item(item)) if gather::is_steps(&item) => {
            *open = None;
            match items.last_mut() {
                Some(last)
                    if gather::is_steps(last)
                        && last.target.as_ref().map(|n| &n.text) == item.target.as_ref().map(|n| &n.text) =>
                {
                    last.span = last.span.to(item.span);
                    last.steps.extend(item.steps);
                }
                _ => items.push(*item),
            }
        }
        (None, Kind::Item(item)) => {
            *open = None;
            items.push(*item);
        }
        (Some(_), Kind::Item(item)) if !pair => {
            *open = None;
            items.push(*item);
        }
        (Some(name), kind @ Kind::Fun(_)) if !pair => {
            *open = None;
            let args = vec![Arg { name: None, value: Value::new(kind, arg.value.span) }];
            items.push(Item { head: name, args, form: Form::Function, span, ..Item::default() });
        }
        (None, kind) if !says(&kind) => {}
        (name, kind) => {
            let named = name.is_some();
            let arg = Arg { name, value: Value::new(kind, arg.value.span) };
            match items.last_mut() {
                Some(last) if named && *open == Some(form) => {
                    last.span = last.span.to(span);
                    last.args.push(arg);
                }
                _ => {
                    *open = named.then_some(form);
                    let form = if named { form } else { Form::Map };
                    items.push(Item { args: vec![arg], form, span, ..Item::default() });
                }
            }
        }
    }
}
