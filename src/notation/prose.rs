//! Sentences: their words and quantities in order.

use super::{Arg, Form, Item, Kind, Read, Value};
use crate::duration::{Unit, leading_number};
use crate::span::Span;

/// Reads a range as one item of form `Prose`.
pub(super) fn read(text: &str, range: Span) -> Read {
    let mut item = Item { form: Form::Prose, span: range, ..Item::default() };
    let mut at = range.start;
    while let Some(word) = next_word(text, &mut at, range.end) {
        let value = quantity(text, word, &mut at, range.end);
        let value = value.unwrap_or_else(|| Value::new(Kind::Word(word.of(text).to_string()), word));
        item.args.push(Arg { name: None, value });
    }
    Read { items: vec![item], findings: Vec::new() }
}

/// The next run of signs without spaces, without the punctuation around it.
fn next_word(text: &str, at: &mut usize, end: usize) -> Option<Span> {
    let outer = |c: char| matches!(c, '(' | ')' | ',' | ';' | ':' | '"' | '\'' | '!' | '?' | '[' | ']' | '`' | '*');
    let rest = &text[*at..end];
    let start = *at + rest.find(|c: char| !c.is_whitespace() && !outer(c))?;
    let length = text[start..end].find(|c: char| c.is_whitespace() || c == '(' || c == ')').unwrap_or(end - start);
    *at = start + length;
    let word = text[start..*at].trim_end_matches(|c: char| outer(c) || c == '.');
    Some(Span::new(start, start + word.len()))
}

/// A number with its unit, which may be the next word.
fn quantity(text: &str, word: Span, at: &mut usize, end: usize) -> Option<Value> {
    let (value, suffix) = leading_number(word.of(text))?;
    let number = |suffix: &str, span| Value::new(Kind::Number { value, suffix: suffix.to_string() }, span);
    if !suffix.is_empty() {
        let unit = suffix == "%" || Unit::named(suffix).is_some() || suffix.contains("b/s");
        return unit.then(|| number(suffix, word));
    }
    let mut after = *at;
    match next_word(text, &mut after, end) {
        Some(unit) if text[word.end..unit.start].trim().is_empty() && is_unit(unit.of(text)) => {
            *at = after;
            Some(number(unit.of(text), word.to(unit)))
        }
        _ => Some(number("", word)),
    }
}

fn is_unit(word: &str) -> bool {
    Unit::named(word).is_some() || matches!(word, "percent" | "%" | "bit" | "bits") || word.ends_with("b/s")
}
