//! Lines of pairs: `key = value`, sections, and settings behind one another.

use super::choose::Line;
use super::split::balance;
use crate::find;

/// `[name]` or `[[name]]` alone on a line.
pub(super) fn section(line: &str) -> bool {
    if !line.trim_start().starts_with('[') {
        return false;
    }
    let line = line.split([';', '#']).next().unwrap_or(line).trim();
    let Some(inner) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) else { return false };
    let inner = inner.strip_prefix('[').and_then(|l| l.strip_suffix(']')).unwrap_or(inner).trim();
    let starts = inner.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '"'));
    starts && !inner.contains(['(', ')', '{', '[', ',', '=']) && !inner.ends_with('"') | inner.contains(['.', ' '])
}

/// `base=1s factor=2 cap=8s`: nothing but pairs, at least two of them.
pub(super) fn pairs_of(line: &str) -> bool {
    let words: Vec<&str> = line.trim_start_matches('#').split([' ', '&', '\t']).filter(|w| !w.is_empty()).collect();
    let pair = |word: &&str| {
        word.split_once('=').is_some_and(|(key, value)| {
            !value.is_empty()
                && key.starts_with(|c: char| c.is_ascii_alphabetic())
                && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
                && !value.contains(['(', '=', '{', ';', '"'])
                && !value.ends_with(',')
        })
    };
    words.len() >= 2 && words.iter().all(pair)
}

/// A link that carries settings behind its `#`.
pub(super) fn link(line: &str) -> bool {
    let line = line.trim();
    let address = line.split_once('#').filter(|(before, _)| before.is_empty() || before.contains("://"));
    !line.contains(' ') && address.is_some_and(|(_, settings)| settings.contains('&') && pairs_of(settings))
}

/// What kind of pair `key = value` is. A key may stand in quotes, or have a part in quotes: `a."b.c".d`.
pub(super) fn pair(line: &str) -> Option<Line> {
    let line = ["export ", "set ", "ENV "].iter().find_map(|word| line.strip_prefix(word)).unwrap_or(line);
    let (key, value) = match line.split_once('=') {
        Some(pair) => pair,
        None => {
            return line
                .split_once(" : ")
                .filter(|(key, _)| key.contains('.') && !key.contains(' '))
                .map(|_| Line::Pair);
        }
    };
    if key.ends_with([':', '!', '<', '>', '+', '-', '*', '/', '|', '?']) || value.starts_with(['=', '>', '~']) {
        return None;
    }
    let spaced = key.ends_with([' ', '\t']) || value.starts_with([' ', '\t']);
    let (key, value) = (key.trim(), value.trim());
    let quoted = key.starts_with('"') && key.ends_with('"') && key.len() > 1
        || !spaced && key.contains(".\"") && key.contains("\".") && !key.contains(['(', ' ', ':', '{']);
    let name = |c: char| c.is_ascii_alphanumeric() || "_.-[]/@$%".contains(c);
    if key.is_empty() || !quoted && !key.chars().all(name) || key.starts_with('$') {
        return None;
    }
    let upper = !key.bytes().any(|b| b.is_ascii_lowercase());
    let dotted = key.contains(['.', '-']) && !spaced;
    let ends = value.ends_with([';', '{', '(']) || value.ends_with(',') && balance(value) == 0;
    let calls =
        value.find('(').is_some_and(|at| value[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_'));
    let computes = find::first(value, &[" * ", " + ", " - ", " / ", " ** ", "=>", "^"]).is_some();
    let made = value.starts_with("new ") || value.starts_with("await ") || value.starts_with('&');
    let template = value.starts_with("{{");
    if ends || made || !template && (calls || computes && !value.starts_with('"')) && !(dotted || upper && !spaced) {
        return Some(Line::Code);
    }
    Some(if spaced && !key.contains('-') { Line::Assignment } else { Line::Pair })
}
