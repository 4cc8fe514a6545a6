//! YAML: maps, lists and scalars with their places, anchors, tags, several documents.
//!
//! A parser gives events; [`Tree`] makes items of them. Where the parser refuses the text, everything before the error
//! stands and reading goes on with the next line, inside whatever is still open at that line's column.

use super::yaml_mask::mask;
use super::yaml_tree::Tree;
use super::{Form, Item, Name, Read};
use crate::finding::Finding;
use crate::span::Span;
use saphyr_parser::{Event, Parser, ScanError};

/// How often a text may be scanned in all, when errors make the parser start again.
const PASSES: usize = 4;
/// How many errors of one text are said.
const SAID: usize = 3;

/// Reads a range of the text.
pub(super) fn read(text: &str, range: Span) -> Read {
    let masked = mask(text, range);
    let mut reader = Reader {
        text,
        masked: &masked,
        range,
        offsets: Offsets::new(range.of(text)),
        tree: Tree::new(text, &masked, range),
        findings: Vec::new(),
        budget: PASSES * (range.end - range.start) + 4096,
    };
    let mut line = range.start;
    while line < range.end {
        match reader.parse_from(line) {
            None => break,
            Some(next) => line = next,
        }
    }
    let (mut read, texts) = reader.tree.finish();
    read.findings.append(&mut reader.findings);
    read.items.extend(comments(text, range, &texts));
    read
}

struct Reader<'t> {
    text: &'t str,
    masked: &'t str,
    range: Span,
    offsets: Offsets,
    tree: Tree<'t>,
    findings: Vec<Finding>,
    budget: usize,
}

impl Reader<'_> {
    /// Reads from the start of a line to the end or the first error; gives the line to go on with.
    fn parse_from(&mut self, line: usize) -> Option<usize> {
        let piece = &self.masked[line - self.range.start..];
        let column = piece.len() - piece.trim_start_matches([' ', '\n']).len();
        let skipped = piece[..column].rfind('\n').map_or(0, |at| at + 1);
        self.tree.resume(column - skipped, piece[column..].starts_with("- "));
        let first = self.offsets.char_at(line - self.range.start);
        let place = |index: usize, offsets: &Offsets| self.range.start + offsets.byte(first + index);
        let mut parser = Parser::new_from_str(piece);
        let mut good = line;
        let problem = loop {
            match parser.next_event() {
                None | Some(Ok((Event::StreamEnd, _))) => return None,
                Some(Err(problem)) => break problem,
                Some(Ok((event, span))) => {
                    let span =
                        Span::new(place(span.start.index(), &self.offsets), place(span.end.index(), &self.offsets));
                    if matches!(event, Event::Scalar(..) | Event::Alias(_)) && span.end > span.start {
                        good = span.end;
                    }
                    self.tree.event(event, span);
                }
            }
        };
        let at = place(problem.marker().index(), &self.offsets).min(self.range.end);
        let good = self.tree.cut_last().unwrap_or(good);
        self.go_on(line, good, at, &problem)
    }

    /// What to do after an error at `at`, when everything up to `good` was read since `line`.
    fn go_on(&mut self, line: usize, good: usize, at: usize, problem: &ScanError) -> Option<usize> {
        let next = self.line_after(good);
        let far = problem.info().contains("end of stream") || problem.info().contains("quoted scalar");
        let cost = if far { self.range.end - line } else { at.saturating_sub(line) };
        // A line that only stands further out than the lines before it is read on its own, and nothing is wrong.
        if good == line || self.line_after(at) <= next || far || self.tree.bracket().is_some() {
            self.say(at, problem.info());
        }
        self.budget = self.budget.saturating_sub(cost + 256);
        if self.budget == 0 {
            let rest = Span::new(next, self.range.end);
            self.findings.push(Finding::error(
                "too-broken",
                rest,
                "From here on this is not read: too much is broken.",
            ));
            return None;
        }
        Some(next)
    }

    fn line_after(&self, at: usize) -> usize {
        self.text[at..self.range.end].find('\n').map_or(self.range.end, |found| at + found + 1)
    }

    /// Says what is wrong at a place, in words for somebody who does not know the parser's.
    fn say(&mut self, at: usize, info: &str) {
        if self.findings.len() >= SAID {
            return;
        }
        let line_end = |at: usize| self.text[at..self.range.end].find('\n').map_or(self.range.end, |found| at + found);
        let sign = |at: usize| self.text[at..self.range.end].chars().next();
        if let Some(quote) = sign(at).filter(|sign| matches!(sign, '"' | '\'') && info.contains("quoted scalar")) {
            let message = format!("The text that starts here with {quote} is never closed; this line is not read.");
            return self.findings.push(Finding::error("unclosed", Span::new(at, line_end(at)), message));
        }
        if let Some((start, bracket)) = self.tree.bracket().and_then(|start| Some((start, sign(start)?))) {
            let message = format!("This {bracket} is never closed, or something in it is broken; the rest is read.");
            return self.findings.push(Finding::error("unclosed", Span::new(start, start + 1), message));
        }
        let message = match info {
            info if info.contains("mapping values") || info.contains("':'") => {
                "A key stands here where a value is expected; the value needs quotes or the key a line of its own."
            }
            info if info.contains("unknown anchor") => "This alias names an anchor that the text does not have.",
            info if info.contains("recursion") => "This is nested too deep and is not read.",
            _ => "This is not YAML as it stands here, and is left out; the rest is read.",
        };
        let code = if info.contains("recursion") { "too-deep" } else { "bad-yaml" };
        self.findings.push(Finding::error(code, Span::new(at, line_end(at)), message));
    }
}

/// Character offsets of the parser as byte offsets.
enum Offsets {
    Same(usize),
    /// The byte offset of each character, and the length at the end.
    Table(Vec<usize>),
}

impl Offsets {
    fn new(text: &str) -> Self {
        if text.is_ascii() {
            return Offsets::Same(text.len());
        }
        Offsets::Table(text.char_indices().map(|(at, _)| at).chain([text.len()]).collect())
    }

    fn byte(&self, index: usize) -> usize {
        match self {
            Offsets::Same(length) => index.min(*length),
            Offsets::Table(table) => table[index.min(table.len() - 1)],
        }
    }

    fn char_at(&self, byte: usize) -> usize {
        match self {
            Offsets::Same(_) => byte,
            Offsets::Table(table) => table.partition_point(|at| *at < byte),
        }
    }
}

/// The comments between the texts, which are in order.
fn comments(text: &str, range: Span, texts: &[Span]) -> Vec<Item> {
    let mut comments = Vec::new();
    let mut texts = texts.iter().peekable();
    let mut at = range.start;
    while let Some(found) = text[at..range.end].find('#') {
        let start = at + found;
        while texts.next_if(|span| span.end <= start).is_some() {}
        if let Some(inside) = texts.peek().filter(|span| span.start <= start) {
            at = inside.end;
            continue;
        }
        let end = text[start..range.end].find('\n').map_or(range.end, |found| start + found);
        let begins = start == range.start || text[..start].ends_with([' ', '\n', '\t']);
        if begins {
            comments.push(comment(text, Span::new(start, end)));
        }
        at = if begins { end } else { start + 1 };
    }
    comments
}

/// A comment as an item: its text without the marks is the head.
pub(super) fn comment(text: &str, span: Span) -> Item {
    let words = span.of(text).trim_start_matches(['#', ';', '/', '-', '!']).trim();
    Item { head: Name { text: words.to_string(), span }, form: Form::Comment, span, ..Item::default() }
}
