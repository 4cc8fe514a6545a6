//! Lines of `key = value`: environment files, properties, INI, TOML, systemd units, sections of fluentd, fluent-bit.
//!
//! | text | items |
//! |---|---|
//! | `a.b.c=1`, `a.b.d=2` | a map `{a: {b: {c: 1, d: 2}}}`: a dotted key is a path; `x[0].y` a list |
//! | `[sinks.out]` `k = 1` | section `sinks.out`, arg `k = 1` |
//! | `<buffer tag, time>` `k v` `</buffer>` | section `buffer`, args `tag`, `time`, `k = v` |
//! | `base=1s factor=2` | a map of two |

use super::lines_tree::Tree;
use super::pairs;
use super::split::balance;
use super::yaml::comment;
use super::{Arg, Form, Item, Kind, Name, Read, Value, code, scalar};
use crate::finding::Finding;
use crate::span::Span;

/// How many lines a bracketed value may go over.
const VALUE_LINES: usize = 400;

/// Reads a range of the text.
pub(super) fn read(text: &str, range: Span) -> Read {
    let mut reader =
        Reader { text, range, at: range.start, read: Read::default(), root: Tree::default(), open: Vec::new() };
    while let Some(line) = reader.next_line() {
        reader.line(line);
    }
    while !reader.open.is_empty() {
        reader.close();
    }
    let root = std::mem::take(&mut reader.root).into_args();
    if let (Some(first), Some(last)) = (root.first(), root.last()) {
        let span = first.name.as_ref().map_or(first.value.span, |name| name.span).to(last.value.span);
        reader.read.items.push(Item { args: root, form: Form::Map, span, ..Item::default() });
    }
    reader.read
}

struct Reader<'t> {
    text: &'t str,
    range: Span,
    at: usize,
    read: Read,
    /// What stands before the first section.
    root: Tree,
    /// The sections that are open; only those in pointed brackets stand in each other.
    open: Vec<Section>,
}

struct Section {
    head: Name,
    args: Vec<Arg>,
    tree: Tree,
    nests: bool,
    span: Span,
}

impl Reader<'_> {
    /// The next line without the spaces around it, those included that a backslash at its end adds.
    fn next_line(&mut self) -> Option<Span> {
        if self.at >= self.range.end {
            return None;
        }
        let start = self.at;
        loop {
            let rest = &self.text[self.at..self.range.end];
            let length = rest.find('\n').unwrap_or(rest.len());
            self.at += length + 1;
            let goes_on = rest[..length].trim_end().ends_with('\\') && self.at < self.range.end;
            if !goes_on {
                return Some(trim(self.text, Span::new(start, (self.at - 1).min(self.range.end))));
            }
        }
    }

    fn line(&mut self, line: Span) {
        let words = line.of(self.text);
        if words.is_empty() {
        } else if words.starts_with(['#', ';']) && !words.contains('&') || words.starts_with("//") {
            self.read.items.push(comment(self.text, line));
        } else if pairs::section(words) {
            self.section(line);
        } else if words.starts_with("</") {
            self.close();
        } else if words.starts_with('<') && words.ends_with('>') {
            self.pointed(line);
        } else if let Some(at) = words.find('#').filter(|_| words.contains('&') && !words.contains(' ')) {
            self.pairs(Span::new(line.start + at + 1, line.end));
        } else if words.matches('=').count() > 1 && several(words.strip_prefix("export ").unwrap_or(words)) {
            self.pairs(line);
        } else {
            self.pair(line);
        }
    }

    /// `[name]`: ends every section before it.
    fn section(&mut self, line: Span) {
        while !self.open.is_empty() {
            self.close();
        }
        let words = line.of(self.text);
        let end = words.rfind(']').unwrap_or(words.len());
        let inner = trim(self.text, Span::new(line.start + 1, line.start + end));
        let inner = if inner.of(self.text).starts_with('[') {
            let close = inner.of(self.text).find(']').unwrap_or(inner.end - inner.start);
            trim(self.text, Span::new(inner.start + 1, inner.start + close))
        } else {
            inner
        };
        let head = Name { text: inner.of(self.text).replace(['"', '\''], ""), span: inner };
        let span = Span::new(line.start, line.start + end + 1);
        self.open.push(Section { head, args: Vec::new(), tree: Tree::default(), nests: false, span });
    }

    /// `<name words>`: stands inside the one that is open.
    fn pointed(&mut self, line: Span) {
        let inner = Span::new(line.start + 1, line.end - 1);
        let mut words = inner.of(self.text).split([' ', ',', '\t']).filter(|w| !w.is_empty());
        let place = |word: &str| {
            let start = word.as_ptr() as usize - self.text.as_ptr() as usize;
            Span::new(start, start + word.len())
        };
        let Some(head) = words.next().map(|word| Name { text: word.to_string(), span: place(word) }) else { return };
        let args = words.map(|word| Arg { name: None, value: scalar::bare(word, place(word)) }).collect();
        self.open.push(Section { head, args, tree: Tree::default(), nests: true, span: line });
    }

    /// Ends the innermost section.
    fn close(&mut self) {
        let Some(section) = self.open.pop() else { return };
        let mut args = section.args;
        args.extend(section.tree.into_args());
        let end = args.iter().map(|arg| arg.value.span.end).max().unwrap_or(0).max(section.span.end);
        let span = Span::new(section.span.start, end);
        let item = Item { head: section.head, args, form: Form::Section, span, ..Item::default() };
        match self.open.last_mut() {
            Some(outer) if section.nests => {
                outer.args.push(Arg { name: None, value: Value::new(Kind::Item(Box::new(item)), span) });
            }
            _ => self.read.items.push(item),
        }
    }

    /// `a=1 b=2`, `a=1&b=2`.
    fn pairs(&mut self, line: Span) {
        let mut at = line.start;
        for word in line.of(self.text).split([' ', '&', '\t']) {
            if let Some((key, value)) = word.split_once('=') {
                let name = Span::new(at, at + key.len());
                let place = Span::new(name.end + 1, at + word.len());
                self.put(name, scalar::bare(value, place));
            }
            at += word.len() + 1;
        }
    }

    /// `key = value`, `key: value`, `key value`, or a key alone.
    fn pair(&mut self, line: Span) {
        let words = line.of(self.text);
        let skipped =
            ["export ", "set ", "ENV ", "Environment=", "setx "].iter().find(|word| words.starts_with(**word));
        let start = line.start + skipped.map_or(0, |word| word.len());
        let words = &self.text[start..line.end];
        // `ENV A=1 B=2`
        let several = skipped.is_some() && words.split_ascii_whitespace().nth(1).is_some();
        if several && words.split_ascii_whitespace().all(|word| word.contains('=')) {
            return self.pairs(Span::new(start, line.end));
        }
        let spaced = words.find([' ', '\t']);
        let colon = words.find(": ").filter(|at| words.find('=').is_none_or(|equals| *at < equals));
        let separator = if words.starts_with(['"', '\'']) { None } else { colon }.or_else(|| equals(words)).or(spaced);
        let Some(at) = separator else {
            let name = Span::new(start, line.end);
            return self.put(name, Value::new(Kind::Word("true".into()), name));
        };
        let name = trim(self.text, Span::new(start, start + at));
        let mut from = trim(self.text, Span::new(start + at, line.end));
        if words[at..].starts_with(['=', ':']) || from.of(self.text).starts_with('=') {
            from = trim(self.text, Span::new(from.start + 1, line.end));
        }
        let mut value = self.value(from);
        // Where no blank may stand around the `=`, quotes are the shell's and not the value's.
        let shell = self.text[name.end..].starts_with('=') && from.start == name.end + 1;
        if let Kind::Text { text, quoted: true, .. } = &value.kind
            && shell
            && super::resolve::plain_number(text).is_some()
        {
            value = scalar::bare(text, value.span);
        }
        self.put(name, value);
    }

    fn value(&mut self, span: Span) -> Value {
        let words = span.of(self.text);
        match words.chars().next() {
            Some('[' | '{') if !words.starts_with("{{") => {
                let end = self.bracketed_end(span);
                code::value(self.text, Span::new(span.start, end))
            }
            Some(quote @ ('"' | '\'')) => self.quoted(span, quote),
            _ => self.bare(span),
        }
    }

    /// The end of a value in brackets, which may go over several lines.
    fn bracketed_end(&mut self, span: Span) -> usize {
        let mut depth = balance(span.of(self.text));
        let (mut end, back) = (span.end, self.at);
        for _ in 0..VALUE_LINES {
            if depth <= 0 {
                return end;
            }
            let Some(line) = self.next_line() else { break };
            depth += balance(line.of(self.text));
            end = line.end;
        }
        self.at = back;
        span.end
    }

    fn quoted(&mut self, span: Span, quote: char) -> Value {
        let body = &self.text[span.start + 1..span.end];
        let mut text = String::new();
        let mut chars = body.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                c if c == quote => {
                    let rest = body[at + 1..].trim_start();
                    let place = Span::new(span.start, span.start + at + 2);
                    let alone = rest.is_empty() || rest.starts_with(['#', ';', ',']);
                    return if alone { scalar::quoted(text, place) } else { self.bare(span) };
                }
                '\\' if quote == '"' => match chars.next().map(|(_, c)| c) {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some(c) => text.push(c),
                    None => {}
                },
                c => text.push(c),
            }
        }
        let message =
            format!("The text that starts here with {quote} is never closed; it is read to the end of the line.");
        self.read.findings.push(Finding::error("unclosed", span, message));
        scalar::quoted(text, span)
    }

    /// A value without quotes, up to a comment.
    fn bare(&mut self, span: Span) -> Value {
        let words = span.of(self.text);
        let comment_at = [" #", " ;", "\t#", "\t;", " //"].iter().filter_map(|mark| words.find(mark)).min();
        let place = trim(self.text, Span::new(span.start, span.start + comment_at.unwrap_or(words.len())));
        if let Some(at) = comment_at {
            let said = trim(self.text, Span::new(span.start + at, span.end));
            self.read.items.push(comment(self.text, said));
        }
        let words = place.of(self.text);
        if words.contains("\\\n") {
            let joined: String = words.split("\\\n").map(str::trim).collect();
            return scalar::bare(&joined, place);
        }
        scalar::bare(words, place)
    }

    fn put(&mut self, name: Span, value: Value) {
        let tree = self.open.last_mut().map_or(&mut self.root, |section| &mut section.tree);
        tree.put(self.text, name, value);
    }
}

/// The `=` between key and value; in `x["a=b"]` the one behind the bracket.
fn equals(words: &str) -> Option<usize> {
    let mut inside = false;
    let mut quote = None;
    words.bytes().position(|byte| {
        match (quote, byte) {
            (Some(open), _) => quote = Some(open).filter(|open| *open != byte),
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'[') => inside = true,
            (None, b']') => inside = false,
            (None, b'=') => return !inside,
            _ => {}
        }
        false
    })
}

/// Whether a line is made of pairs only.
fn several(words: &str) -> bool {
    let words: Vec<&str> = words.split([' ', '&', '\t']).filter(|w| !w.is_empty()).collect();
    words.len() > 1 && words.iter().all(|word| word.find('=').is_some_and(|at| at > 0 && !word[..at].contains('"')))
}

fn trim(text: &str, span: Span) -> Span {
    let words = span.of(text);
    let start = span.start + (words.len() - words.trim_start().len());
    Span::new(start, start + words.trim().len())
}
