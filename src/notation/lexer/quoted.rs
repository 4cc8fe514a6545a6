//! Comments, and texts in every kind of quotes.

use super::{Lexer, Tag, floor, pack};
use crate::finding::Finding;
use crate::span::Span;

impl Lexer<'_> {
    pub(super) fn comment(&mut self) -> bool {
        let rest = &self.text[self.at..self.end];
        let before = if self.at > 0 { self.bytes[self.at - 1] } else { b'\n' };
        let to_line_end = match rest.as_bytes() {
            [b'#', b'[' | b'!', ..] if rest.starts_with("#[") || rest.starts_with("#![") => false,
            [b'#', ..] => before != b'.' && !self.private_name(),
            [b'/', b'/', ..] => !(self.out.python && self.follows_value()) && before != b':',
            [b'-', b'-', b' ', ..] => before.is_ascii_whitespace(),
            _ => false,
        };
        let length = if to_line_end {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            match self.find("*/", self.at + 2) {
                Some(end) => end + 2 - self.at,
                None => return false,
            }
        } else {
            return false;
        };
        let comment = &rest[..length];
        self.out.comments.push(Span::new(self.at, self.at + comment.trim_end().len()));
        if let Some(n) = comment.rfind('\n') {
            self.newline = true;
            self.line = self.at + n + 1;
        }
        self.skip(length);
        true
    }

    /// Whether the `#` that is next begins a private name of a class: nothing but code stands before it on its line, and
    /// a value or parameters follow.
    pub(super) fn private_name(&self) -> bool {
        let end = self.name_end(self.at + 1);
        let opens = !self.newline
            && self.last().is_some_and(|t| {
                matches!(&self.text[t.start as usize..t.end as usize], "{" | "}" | ";" | "static" | "readonly")
            });
        opens
            && !self.out.python
            && end > self.at + 1
            && matches!(self.text[end..self.end].trim_start().bytes().next(), Some(b'=' | b'(' | b';' | b':'))
    }

    /// Where `close` comes next. What was missed once is not searched again; says so the first time.
    pub(super) fn find(&mut self, close: &'static str, from: usize) -> Option<usize> {
        if self.hopeless.contains(&close) || from > self.end {
            return None;
        }
        let found = self.text[from..self.end].find(close);
        if found.is_none() {
            self.hopeless.push(close);
            self.unclosed_text(self.at);
        }
        found.map(|n| from + n)
    }

    pub(super) fn unclosed_text(&mut self, at: usize) {
        self.strings += 1;
        if self.strings == 1 {
            let to = floor(self.text, (at + 1).min(self.end)).max(at);
            self.out.findings.push(
                Finding::warning(
                    "unclosed",
                    Span::new(at, to),
                    "This text or comment has no end; what follows was read as if it did not begin here.",
                )
                .help("Close it where it ends."),
            );
        }
    }

    /// `<<EOF`, `<<~EOS`, `<<<EOT`: a text up to the line that holds its word alone.
    pub(super) fn here_document(&mut self) -> bool {
        let rest = &self.text[self.at..self.end];
        if !rest.starts_with("<<") || self.strings > 64 {
            return false;
        }
        let Some((head, body)) = rest.split_once('\n') else { return false };
        let mark = head.trim_start_matches(['<', '~', '-']).trim_end();
        let word: String = mark
            .trim_start_matches(['\'', '"'])
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
            .collect();
        if word.is_empty() || !word.starts_with(|c: char| c.is_ascii_uppercase()) || mark.len() > word.len() + 8 {
            return false;
        }
        let mut at = self.at + head.len() + 1;
        for line in body.split_inclusive('\n') {
            if line
                .trim_start()
                .strip_prefix(word.as_str())
                .is_some_and(|r| !r.starts_with(|c: char| c.is_alphanumeric()))
            {
                let end = at + line.find(word.as_str()).unwrap_or(0) + word.len();
                let start = self.at;
                self.push(Tag::Text, start, end);
                self.line = at;
                return true;
            }
            at += line.len();
        }
        self.unclosed_text(self.at);
        false
    }

    /// A text in quotes that begin at `open`; a prefix such as `r` or `@` stands between `self.at` and `open`.
    pub(super) fn quoted(&mut self, open: usize) {
        let (start, quote) = (self.at, self.bytes[open]);
        if quote == b'\'' && start == open && self.is_no_quote() {
            return;
        }
        let triple = match quote {
            b'"' if self.text[open..self.end].starts_with("\"\"\"") => Some("\"\"\""),
            b'\'' if self.text[open..self.end].starts_with("'''") => Some("'''"),
            _ => None,
        };
        let close = match triple {
            Some(close) => self.find(close, open + 3).map(|n| n + 3),
            None => self.closing_quote(open, quote),
        };
        match close {
            Some(end) => {
                self.push(Tag::Text, start, end);
                if let Some(n) = self.text[start..end].rfind('\n') {
                    self.line = start + n + 1;
                }
            }
            None => {
                // An apostrophe inside a word of prose is no beginning.
                if start == 0 || !self.bytes[start - 1].is_ascii_alphanumeric() {
                    self.unclosed_text(open);
                }
                let end = if quote == b'"' { self.line_end(open) } else { open + 1 };
                let tag = if quote == b'"' { Tag::Text } else { Tag::Op };
                self.push(tag, start, end);
            }
        }
    }

    pub(super) fn line_end(&self, from: usize) -> usize {
        let line = self.text[from..self.end].lines().next().unwrap_or("");
        from + line.len().max(1)
    }

    /// The end of a text that closes with the character it opened with.
    pub(super) fn closing_quote(&mut self, open: usize, quote: u8) -> Option<usize> {
        let raw = open > self.at && matches!(self.bytes[open - 1], b'@' | b'r' | b'R' | b'#');
        // A text may span lines where templates do, or where it plainly holds a document.
        let rest = &self.text[open + 1..self.end];
        let first = rest.trim_start_matches([' ', '\t', '\r']).bytes().next();
        let lines = quote == b'`' || raw || matches!(first, Some(b'\n' | b'{' | b'['));
        let close = match quote {
            b'`' => "`",
            b'"' => "\"",
            _ => "'",
        };
        if lines && self.hopeless.contains(&close) {
            return None;
        }
        let mut depth = 0;
        let mut at = open + 1;
        while at < self.end {
            match self.bytes[at] {
                b'\\' if !raw => at += 1,
                b'\n' if !lines => return None,
                b'$' if quote == b'`' && self.byte(at + 1) == b'{' => {
                    depth += 1;
                    at += 1;
                }
                b'}' if depth > 0 => depth -= 1,
                c if c == quote && depth == 0 => return Some(at + 1),
                _ => {}
            }
            at += 1;
        }
        if lines {
            self.hopeless.push(close);
        }
        None
    }

    /// A `'` that opens no text: a Rust lifetime, or an apostrophe inside a word.
    pub(super) fn is_no_quote(&mut self) -> bool {
        let before = if self.at > 0 { self.bytes[self.at - 1] } else { b' ' };
        let name = self.text[self.at + 1..self.end]
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .map(char::len_utf8)
            .sum::<usize>();
        let closed = self.byte(self.at + 1 + name) == b'\'';
        let lifetime = name > 0
            && !closed
            && (matches!(before, b'<' | b'&')
                || !self.angles.is_empty()
                || self.text[self.at..self.end].starts_with("'static"));
        if lifetime {
            self.push(Tag::Name, self.at, self.at + 1 + name);
        } else if before.is_ascii_alphanumeric() {
            self.push(Tag::Op, self.at, self.at + 1);
        } else {
            return false;
        }
        true
    }

    /// `/…/` where a value must begin.
    pub(super) fn regex(&mut self) -> bool {
        let closes_tag = !self.space && self.last().is_some_and(|t| t.word == const { pack("<") });
        if closes_tag || self.follows_value() || matches!(self.byte(self.at + 1), b' ' | b'=' | b'/' | b'*' | b'>') {
            return false;
        }
        let line = &self.bytes[self.at + 1..self.line_end(self.at)];
        let mut class = false;
        let mut skip = false;
        for (n, &c) in line.iter().enumerate().take(400) {
            match c {
                _ if skip => skip = false,
                b'\\' => skip = true,
                b'[' => class = true,
                b']' => class = false,
                b'/' if !class => {
                    let flags = line[n + 1..].iter().take_while(|c| c.is_ascii_alphabetic()).count();
                    self.push(Tag::Text, self.at, self.at + n + 2 + flags);
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    /// `r"…"`, `f'…'`, `r#"…"#` and their like.
    pub(super) fn prefixed(&mut self, start: usize, end: usize) -> bool {
        let prefix = &self.text[start..end];
        if prefix.len() > 2 || !prefix.bytes().all(|c| matches!(c | 32, b'r' | b'f' | b'b' | b'u' | b's' | b'l')) {
            return false;
        }
        if self.byte(end) == b'#' {
            for (open, close) in [("#\"", "\"#"), ("##\"", "\"##")] {
                if self.text[end..self.end].starts_with(open) {
                    let Some(close_at) = self.find(close, end + open.len()) else { return false };
                    self.push(Tag::Text, start, close_at + close.len());
                    return true;
                }
            }
            return false;
        }
        self.quoted(end);
        true
    }
}
