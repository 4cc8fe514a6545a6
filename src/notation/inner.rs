//! Texts that hold a notation themselves: JSON, YAML or `key=value` inside a string. Their items get places in the outer
//! text, through escapes and indentation.

use super::choose::{Choice, Reader, choose};
use super::entries;
use super::shell::is_command;
use super::spans::each_span;
use super::{Arg, Item, Kind, Statement, Step, Value, read_with};
use crate::span::Span;

/// How deep texts may hold texts.
const DEPTH: usize = 3;

/// Reads what stands in the texts of these items.
pub(super) fn fill(items: &mut [Item], source: &str, depth: usize) {
    if depth < DEPTH {
        for item in items {
            entries::environment(item);
            each_value(item, &mut |value| fill_value(value, source, depth));
        }
    }
}

fn fill_value(value: &mut Value, source: &str, depth: usize) {
    let span = value.span;
    if let Kind::Item(item) = &mut value.kind {
        entries::environment(item);
    }
    let Kind::Text { text, inner, .. } = &mut value.kind else { return };
    if !inner.is_empty() {
        return;
    }
    let Some(reader) = reader(text) else { return };
    let mut items = read_with(reader, text, Span::new(0, text.len())).items;
    fill(&mut items, text, depth + 1);
    let places = places(text, source, span);
    let moved = |span: &mut Span| {
        let at = |offset: usize| places[offset.min(places.len() - 1)];
        *span = Span::new(at(span.start), at(span.end).max(at(span.start)));
    };
    for item in &mut items {
        each_span(item, &mut |span| moved(span));
    }
    *inner = items;
}

/// Who reads what stands in a text, if anyone.
fn reader(text: &str) -> Option<Reader> {
    let trimmed = text.trim();
    let bracketed = |open: char, close: char| trimmed.starts_with(open) && trimmed.ends_with(close);
    if bracketed('{', '}') || bracketed('[', ']') {
        return (trimmed.contains(':') && !trimmed.starts_with("{{")).then_some(Reader::Code);
    }
    if trimmed.contains('\n') {
        return match choose(text) {
            Choice::Sure(reader @ (Reader::Yaml | Reader::Lines | Reader::Command)) => Some(reader),
            Choice::Weak(reader @ (Reader::Yaml | Reader::Lines)) => Some(reader),
            _ => None,
        };
    }
    if is_command(trimmed) {
        return Some(Reader::Command);
    }
    // One line of YAML that holds a map or a list: `key: {a: 1}`.
    let flow =
        trimmed.split_once(": ").filter(|(_, value)| value.starts_with(['{', '[']) && value.ends_with(['}', ']']));
    if flow.is_some_and(|(key, _)| key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))) {
        return Some(Reader::Yaml);
    }
    let key = trimmed.split_once('=').map(|(key, _)| key)?;
    let named = key.trim_start_matches('-').starts_with(|c: char| c.is_ascii_alphabetic());
    let plain = named && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'));
    (plain && !trimmed.contains(['(', ';', '{'])).then_some(Reader::Lines)
}

/// For each byte of the decoded text, and for its end, where it stands in the source.
fn places(decoded: &str, source: &str, span: Span) -> Vec<usize> {
    let mut places = Vec::with_capacity(decoded.len() + 1);
    let mut at = span.start;
    for c in decoded.chars() {
        let from = next(c, source, at, span.end);
        places.extend(std::iter::repeat_n(from.0, c.len_utf8()));
        at = from.1;
    }
    places.push(at.min(span.end));
    places
}

/// Where a decoded sign stands at or behind `at`, and where the next may begin.
fn next(c: char, source: &str, at: usize, end: usize) -> (usize, usize) {
    let mut at = at;
    while at < end {
        let rest = &source[at..end];
        let Some(here) = rest.chars().next() else { break };
        let after = at + here.len_utf8();
        if here == '\\' && (c != '\\' || rest[1..].starts_with('\\')) {
            let escape = escape_length(rest);
            return (at, (at + escape).min(end));
        }
        if here == c || c == ' ' && here == '\n' {
            return (at, after);
        }
        // A quote, an indentation, a folded line end: what decoding drops.
        at = after;
    }
    (end, end)
}

/// How long an escape is: `\n`, `\x41`, `\u0041`, `\u{1f600}`, a pair of surrogates.
fn escape_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let length = match bytes.get(1) {
        Some(b'x') => 4,
        Some(b'u') if bytes.get(2) == Some(&b'{') => rest.find('}').map_or(2, |at| at + 1),
        Some(b'u') if rest[..6.min(rest.len())].to_ascii_lowercase().starts_with("\\ud8") => 12,
        Some(b'u') => 6,
        Some(b'U') => 10,
        Some(_) => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        None => 1,
    };
    let mut length = length.min(rest.len());
    while !rest.is_char_boundary(length) {
        length -= 1;
    }
    length
}

/// Every value of an item at any depth, those inside texts left out.
pub(super) fn each_value(item: &mut Item, visit: &mut dyn FnMut(&mut Value)) {
    let mut args = |args: &mut [Arg]| args.iter_mut().for_each(|arg| value_and_below(&mut arg.value, visit));
    args(&mut item.args);
    for step in &mut item.steps {
        match step {
            Step::Call { args: given, .. } => args(given),
            Step::Set { value, .. } => args_of(value, &mut args),
        }
    }
}

fn args_of(value: &mut Value, args: &mut dyn FnMut(&mut [Arg])) {
    let mut arg = [Arg { name: None, value: std::mem::replace(value, Value::new(Kind::Unread, value.span)) }];
    args(&mut arg);
    let [arg] = arg;
    *value = arg.value;
}

fn value_and_below(value: &mut Value, visit: &mut dyn FnMut(&mut Value)) {
    visit(value);
    match &mut value.kind {
        Kind::Item(item) => each_value(item, visit),
        Kind::List(values) | Kind::Op(_, values) => values.iter_mut().for_each(|value| value_and_below(value, visit)),
        Kind::Fun(fun) => statement_values(&mut fun.body, visit),
        _ => {}
    }
}

fn statement_values(body: &mut [Statement], visit: &mut dyn FnMut(&mut Value)) {
    for statement in body {
        match statement {
            Statement::Bind(_, value) | Statement::Return(value) | Statement::Expr(value) => {
                value_and_below(value, visit)
            }
            Statement::If(condition, then, otherwise) => {
                value_and_below(condition, visit);
                statement_values(then, visit);
                statement_values(otherwise, visit);
            }
        }
    }
}
