//! Any text to [`Item`]s: peel the wrapping, split into fragments, read each with the reader that fits it, resolve
//! imports and names. Reading never fails; what is not understood is left out and, where that matters, said.

mod choose;
mod code;
mod command;
mod dump;
mod entries;
pub mod formula;
mod inner;
pub mod item;
mod lexer;
mod lines;
mod lines_tree;
pub mod names;
mod pairs;
mod peel;
mod place;
mod placeholder;
mod prose;
mod quantity;
mod resolve;
mod scalar;
mod shell;
mod spans;
mod split;
mod tags;
mod yaml;
mod yaml_mask;
mod yaml_tree;

pub(crate) use item::last_segment;
pub use item::{Arg, Crumb, Form, Fun, Item, Kind, Name, Statement, Step, Value};
pub use resolve::Count;

use crate::finding::Finding;
use crate::span::Span;
use choose::Reader;

/// A text that was read.
#[derive(Clone, Debug, Default)]
pub struct Document<'t> {
    /// The text as it was given.
    pub text: &'t str,
    /// The outermost items in the order of the text; comments are among them, as items of form `Comment`.
    pub items: Vec<Item>,
    /// What is wrong with the text itself.
    pub findings: Vec<Finding>,
}

impl<'t> Document<'t> {
    /// Every item at any depth, in the order of the text, comments left out.
    pub fn all(&self) -> Vec<&Item> {
        let mut all = Vec::new();
        for item in self.items.iter().filter(|i| i.form != Form::Comment) {
            item.walk(&mut |i| all.push(i));
        }
        all
    }
}

/// What a reader makes of a fragment.
#[derive(Debug, Default)]
struct Read {
    items: Vec<Item>,
    findings: Vec<Finding>,
}

/// How many bytes are read; a configuration is never longer.
const LIMIT: usize = 4 << 20;
/// How many findings about the text itself are kept.
const SAID: usize = 20;

/// Reads any text. Never fails: what is broken costs its own place only and is said.
pub fn read(text: &str) -> Document<'_> {
    let mut document = Document { text, ..Document::default() };
    if let Some(at) = binary(text) {
        let message = "This is binary data, not text; nothing in it is read.";
        document.findings.push(Finding::error("binary", spans::whole(Span::new(at, at + 1), text), message));
        return document;
    }
    let mut end = text.len().min(LIMIT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    if end < text.len() {
        let rest = Span::new(end, text.len());
        let message = format!("Only the first {} MB are read; what follows from here is left out.", LIMIT >> 20);
        document.findings.push(Finding::error("too-large", rest, message));
    }
    let peeled = peel::peel(&text[..end]);
    let mut code = Vec::new();
    for fragment in split::fragments(&peeled) {
        let mut read = read_with(fragment.reader, &peeled.text, fragment.range);
        let kept = if fragment.reader == Reader::Code { &mut code } else { &mut document.items };
        kept.append(&mut read.items);
        document.findings.append(&mut read.findings);
    }
    inner::fill(&mut document.items, &peeled.text, 0);
    inner::fill(&mut code, &peeled.text, 0);
    names::resolve(&mut code);
    document.items.append(&mut code);
    if ["curl", "wget"].iter().any(|program| text.contains(program)) {
        command::listed(&mut document.items);
    }
    place::fill(&mut document.items);
    if !text.is_ascii() {
        spans::to_characters(&mut document.items, text);
        for span in document.findings.iter_mut().filter_map(|finding| finding.span.as_mut()) {
            *span = spans::whole(*span, text);
        }
    }
    crate::sort::by_key(&mut document.items, |item| item.span.start);
    document.findings.truncate(SAID);
    document
}

fn read_with(reader: Reader, text: &str, range: Span) -> Read {
    match reader {
        Reader::Code => code::read(text, range),
        Reader::Yaml => yaml::read(text, range),
        Reader::Lines => lines::read(text, range),
        Reader::Command => command::read(text, range),
        Reader::Tags => tags::read(text, range),
        Reader::Prose => prose::read(text, range),
    }
}

/// Where the text stops being text: at a NUL, or where signs that no text has are many.
fn binary(text: &str) -> Option<usize> {
    if text.bytes().all(peel::is_plain) {
        return None;
    }
    let strange = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{c}' | '\u{1b}') || c == '\u{fffd}';
    let count = text.chars().take(4096).filter(|c| strange(*c)).count();
    let length = text.chars().take(4096).count();
    let many = count >= 8 && count * 10 > length;
    many.then(|| text.find(strange)).flatten().or_else(|| text.find('\0'))
}
