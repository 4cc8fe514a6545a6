//! Quoted texts: what they say.

use crate::notation::item::{Kind, Value};
use crate::span::Span;

/// A text as written, quotes and prefix included, to a value.
pub(super) fn text_value(source: &str, span: Span) -> Value {
    let written = span.of(source);
    let (text, _) = plain(written);
    let quoted = !written.starts_with('/');
    Value::new(Kind::Text { text, quoted, inner: Vec::new() }, span)
}

/// A quoted text, decoded, and where its content stands in it; no place where escapes moved it.
pub(super) fn plain(written: &str) -> (String, Option<Span>) {
    let (inside, raw) = content(written);
    let content = inside.of(written);
    if raw || !content.contains('\\') { (content.to_string(), Some(inside)) } else { (decode(content), None) }
}

/// Where the content of a quoted text stands in it, and whether a backslash means itself there.
fn content(written: &str) -> (Span, bool) {
    let prefix = written.find(['"', '\'', '`', '<', '/']).unwrap_or(0);
    let body = &written[prefix..];
    let raw = written[..prefix].contains(['r', 'R', '@']) || body.starts_with('`');
    if body.starts_with('<') {
        let start = body.find('\n').map_or(body.len(), |n| n + 1);
        let end = body.rfind('\n').map_or(start, |n| (n + 1).max(start));
        return (Span::new(prefix + start, prefix + end), true);
    }
    // `r#"…"#`: the quotes stand between signs.
    let signs = written[..prefix].chars().rev().take_while(|c| *c == '#').count();
    let open = if body.starts_with("\"\"\"") || body.starts_with("'''") { 3 } else { 1 };
    let last = &body[..body.len() - signs.min(body.len())];
    let quote = &body[..open.min(body.len())];
    let closed = last.len() >= 2 * open && last.ends_with(quote);
    let end = if closed { last.len() - open } else { body.trim_end_matches(char::is_alphabetic).len().max(open) };
    let end = if body.starts_with('/') { body.rfind('/').unwrap_or(end).max(open) } else { end };
    let end = if closed || body.starts_with('/') { end } else { body.len() };
    (Span::new(prefix + open.min(body.len()), prefix + end.max(open.min(body.len()))), raw || body.starts_with('/'))
}

/// Decodes escapes.
fn decode(written: &str) -> String {
    let mut text = String::with_capacity(written.len());
    let mut rest = written;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let escape = &rest[at..];
        let (decoded, length) = unescape(escape);
        match decoded {
            Some(c) => text.push(c),
            None => text.push_str(&escape[..length]),
        }
        rest = &escape[length..];
    }
    text.push_str(rest);
    text
}

/// The character that an escape stands for and the escape's length; no character where it stands for itself.
fn unescape(escape: &str) -> (Option<char>, usize) {
    let Some(c) = escape[1..].chars().next() else { return (None, escape.len()) };
    let length = 1 + c.len_utf8();
    let decoded = match c {
        'n' => Some('\n'),
        't' => Some('\t'),
        'r' => Some('\r'),
        '0' => Some('\0'),
        '"' | '\'' | '\\' | '/' | '`' | '$' => Some(c),
        'u' | 'x' => return hexadecimal(escape, c).map_or((None, length), |(c, n)| (Some(c), n)),
        _ => None,
    };
    (decoded, length)
}

/// `\u0041`, `\u{41}`, `\x41`, and two halves of a surrogate pair.
fn hexadecimal(escape: &str, kind: char) -> Option<(char, usize)> {
    let digits = |from: usize, n: usize| u32::from_str_radix(escape.get(from..from + n)?, 16).ok();
    if escape[2..].starts_with('{') {
        let close = escape.find('}')?;
        return Some((char::from_u32(u32::from_str_radix(escape.get(3..close)?, 16).ok()?)?, close + 1));
    }
    if kind == 'x' {
        return Some((char::from_u32(digits(2, 2)?)?, 4));
    }
    let high = digits(2, 4)?;
    if (0xd800..0xdc00).contains(&high) && escape[6..].starts_with("\\u") {
        let low = digits(8, 4).filter(|low| (0xdc00..0xe000).contains(low))?;
        return Some((char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00))?, 12));
    }
    Some((char::from_u32(high)?, 6))
}
