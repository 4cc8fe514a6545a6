//! What a bare scalar of YAML, of a properties file or of a command line is: a number, a word, or a text.

use super::{Kind, Value};
use crate::duration::{Unit, leading_number};
use crate::span::Span;

/// The value of a scalar without quotes. `10s` is a number with a suffix; `2m30s` and `5xx` are texts, which a time can
/// be read from all the same.
pub(super) fn bare(text: &str, span: Span) -> Value {
    let kind = if is_word(text) {
        Kind::Word(text.to_string())
    } else {
        number(text).unwrap_or_else(|| Kind::Text { text: text.to_string(), quoted: false, inner: Vec::new() })
    };
    Value::new(kind, span)
}

/// The value of a scalar in quotes, decoded.
pub(super) fn quoted(text: String, span: Span) -> Value {
    Value::new(Kind::Text { text, quoted: true, inner: Vec::new() }, span)
}

fn is_word(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "true",
        "false",
        "yes",
        "no",
        "on",
        "off",
        "null",
        "nil",
        "none",
        "~",
        "undefined",
        "infinity",
        "inf",
        ".inf",
        "-.inf",
        "-inf",
        "-infinity",
        "nan",
        ".nan",
        "",
    ];
    text.len() <= 9 && WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

fn number(text: &str) -> Option<Kind> {
    let (sign, body) = match text.strip_prefix('-') {
        Some(body) => (-1.0, body),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    if let Some(digits) = body.strip_prefix("0x").or_else(|| body.strip_prefix("0X")) {
        let value = u64::from_str_radix(digits, 16).ok()? as f64;
        return Some(Kind::Number { value: sign * value, suffix: String::new() });
    }
    let (value, suffix) = leading_number(body)?;
    let unit = suffix.is_empty() || suffix == "%" || Unit::named(suffix).is_some();
    unit.then(|| Kind::Number { value: sign * value, suffix: suffix.to_string() })
}
