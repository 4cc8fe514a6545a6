//! Makes text that only looks like YAML after a template engine ran acceptable to a YAML parser, byte for byte in place.

use crate::span::Span;

/// A copy of the range with the same length in which templates and placeholders are plain letters, lines that only
/// steer a template are blank, tabs are spaces, and signs that YAML reserves stand for letters.
pub(super) fn mask(text: &str, range: Span) -> String {
    let mut bytes = range.of(text).as_bytes().to_vec();
    let mut start = 0;
    while start < bytes.len() {
        let end = bytes[start..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |at| start + at);
        mask_line(&mut bytes[start..end]);
        start = end + 1;
    }
    // Whole characters were replaced by ASCII, so this is UTF-8 still.
    String::from_utf8(bytes).unwrap_or_else(|_| range.of(text).to_string())
}

fn mask_line(line: &mut [u8]) {
    if blank_steering(line) {
        return;
    }
    let mut quote = None;
    let mut value_starts = true;
    let mut at = 0;
    while at < line.len() {
        let byte = line[at];
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (Some(open), b'{') => {
                let length = template(&line[at..]).unwrap_or(1);
                line[at..at + length].iter_mut().filter(|b| **b == open).for_each(|b| *b = b'x');
                at += length - 1;
            }
            (Some(b'"'), b'\\') => at += 1,
            (Some(_), _) => {}
            (None, b'"' | b'\'') if value_starts => quote = Some(byte),
            (None, b'\t') => line[at] = b' ',
            (None, b'#') if (at == 0 || line[at - 1] == b' ') && line.get(at + 1) != Some(&b'{') => return,
            (None, b'{' | b'$' | b'#') => {
                if let Some(length) = template(&line[at..]) {
                    line[at..at + length].fill(b'x');
                    at += length - 1;
                }
            }
            (None, b'@' | b'`' | b'%') if value_starts => line[at] = b'x',
            (None, b'*') if value_starts && !line.get(at + 1).is_some_and(u8::is_ascii_alphanumeric) => line[at] = b'x',
            _ => {}
        }
        let separates = matches!(byte, b':' | b'-' | b',' | b'[' | b'{' | b' ' | b'\t');
        value_starts = separates && (value_starts || !matches!(byte, b' ' | b'\t'));
        at += 1;
    }
}

/// Blanks a line that holds nothing but template statements: `{{- if .Values.x }}`, `{% for %}`.
fn blank_steering(line: &mut [u8]) -> bool {
    if line.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
        return false;
    }
    let Ok(text) = std::str::from_utf8(line) else { return false };
    let trimmed = text.trim();
    let whole = trimmed.strip_prefix("{{").and_then(|t| t.strip_suffix("}}")).map(|t| t.trim_matches(['-', ' ']));
    let steers = whole.is_some_and(|inner| {
        let word = inner.split([' ', '(']).next().unwrap_or("");
        matches!(
            word,
            "if" | "else" | "end" | "range" | "with" | "include" | "template" | "toYaml" | "define" | "block"
        ) || inner.starts_with("/*")
            || inner.contains(":=")
            || inner.contains("nindent")
    });
    let steers = steers || trimmed.starts_with("{%") && trimmed.ends_with("%}");
    if steers {
        line.fill(b' ');
    }
    steers
}

/// The length of a placeholder that starts here: `{{ .. }}`, `${..}`, `#{..}`.
fn template(rest: &[u8]) -> Option<usize> {
    let close: &[u8] = match rest {
        [b'{', b'{', ..] | [b'$', b'{', b'{', ..] => b"}}",
        [b'$' | b'#', b'{', ..] => b"}",
        _ => return None,
    };
    let found = rest.windows(close.len()).position(|window| window == close)?;
    Some(found + close.len())
}
