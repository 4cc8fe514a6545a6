//! Places of the reader's text: lines and columns, and how much of the text around a value names it.

use crate::span::Span;

/// The lines of a text, for asking many times where an offset is.
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    /// Prepares a text.
    pub fn new(text: &'t str) -> Lines<'t> {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Lines { text, starts }
    }

    /// The line of an offset, from 1.
    pub fn line(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at)
    }

    /// The column of an offset in characters, from 1.
    pub fn column(&self, at: usize) -> usize {
        let start = self.starts[self.line(at) - 1];
        self.text.get(start..at).map_or(1, |before| before.chars().count() + 1)
    }

    /// The value at `span` with the name that it is given under: `max=8`, `"MaxAttempts": 4`, `stop_after_attempt(6)`.
    pub fn named(&self, span: Span) -> Span {
        let (before, after) = (self.text.get(..span.start).unwrap_or(""), self.text.get(span.end..).unwrap_or(""));
        if after.starts_with('(') {
            return span;
        }
        let name_before = |before: &str| {
            let bare = before.trim_end_matches(['"', '\'']);
            let name = bare.trim_end_matches(|c: char| c.is_alphanumeric() || "_-.$".contains(c));
            let open = name.trim_end_matches(['"', '\'']);
            let quoted = bare.len() < before.len();
            let start = if quoted { open.len() } else { name.len() };
            (name.len() < bare.len()).then_some(start)
        };
        let line = before.trim_end_matches([' ', '\t']);
        let assigned = line.strip_suffix(":=").or_else(|| line.strip_suffix(['=', ':']));
        if let Some(name) = assigned.filter(|name| !name.ends_with(['=', ':', '!', '<', '>'])) {
            return name_before(name.trim_end_matches([' ', '\t'])).map_or(span, |start| Span::new(start, span.end));
        }
        match before.strip_suffix('(') {
            Some(name) if after.starts_with(')') => {
                name_before(name).map_or(span, |start| Span::new(start, span.end + 1))
            }
            _ => span,
        }
    }

    /// Where a block begins for people: at its name, if that stands just before it (`inventory:` on the line above).
    pub fn heading(&self, block: Span, label: &str) -> usize {
        let name = label.rsplit(['.', '/']).next().unwrap_or(label);
        let before = self.text.get(..block.start).unwrap_or("").trim_end();
        let before = before.trim_end_matches([':', '=', '{', '[', '"', '\'', ' ', '\n', '\r', '\t']);
        if !name.is_empty() && before.ends_with(name) { before.len() - name.len() } else { block.start }
    }

    /// The text of a span on one line, shortened in the middle where it is long.
    pub fn quote(&self, span: Span) -> String {
        let words: Vec<&str> = span.of(self.text).split_whitespace().collect();
        let text = words.join(" ");
        let count = text.chars().count();
        if count <= 36 {
            return text;
        }
        let head: String = text.chars().take(22).collect();
        let tail: String = text.chars().skip(count - 12).collect();
        format!("{head}…{tail}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_shown_with_its_name() {
        let cases = [
            ("retry(wait=f(max=8))", "8", "max=8"),
            ("stop=stop_after_attempt(6),", "6", "stop_after_attempt(6)"),
            ("{\"MaxAttempts\": 4}", "4", "\"MaxAttempts\": 4"),
            ("  waitDuration: 500ms\n", "500ms", "waitDuration: 500ms"),
            ("wait_random(0, 2)", "2", "2"),
            ("if a == 7:", "7", "7"),
            ("n := 3", "3", "n := 3"),
            ("wait=wait_none()", "wait_none", "wait_none"),
        ];
        for (text, value, named) in cases {
            let start = text.rfind(value).unwrap();
            let span = Lines::new(text).named(Span::new(start, start + value.len()));
            assert_eq!(span.of(text), named);
        }
    }

    #[test]
    fn lines_and_columns_count_from_one() {
        let text = "a\nbä c\r\n";
        let lines = Lines::new(text);
        assert_eq!((lines.line(0), lines.line(2), lines.line(text.len())), (1, 2, 3));
        assert_eq!(lines.column(text.find('c').unwrap()), 4);
    }
}
