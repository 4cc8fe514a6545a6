//! Splits a text into fragments of one notation each.

use super::choose::{Choice, Reader, choose};
use super::peel::Peeled;
use crate::span::Span;

/// A part of the text and the reader for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fragment {
    /// Where.
    pub range: Span,
    /// Who reads it.
    pub reader: Reader,
}

/// The fragments of a text in order. What a fence encloses never joins what stands outside.
pub(super) fn fragments(peeled: &Peeled) -> Vec<Fragment> {
    let mut fragments = Vec::new();
    let mut at = peeled.start;
    for fence in &peeled.fences {
        region(&peeled.text, Span::new(at, fence.start), &mut fragments);
        region(&peeled.text, *fence, &mut fragments);
        at = fence.end;
    }
    region(&peeled.text, Span::new(at, peeled.text.len()), &mut fragments);
    fragments
}

/// Splits one region: paragraphs of different notations part, those of the same stay together.
fn region(text: &str, range: Span, fragments: &mut Vec<Fragment>) {
    let paragraphs = paragraphs(text, range);
    let choices: Vec<Choice> = paragraphs.iter().map(|span| choose(span.of(text))).collect();
    let code = choices.contains(&Choice::Sure(Reader::Code));
    let first = choices.iter().find_map(|choice| choice.reader()).unwrap_or(Reader::Code);
    let start = fragments.len();
    for (span, choice) in paragraphs.iter().zip(&choices) {
        let reader = match choice {
            Choice::Weak(Reader::Lines | Reader::Yaml | Reader::Code) if code => Reader::Code,
            Choice::Sure(reader) | Choice::Weak(reader) => *reader,
            Choice::Any => fragments[start..].last().map_or(first, |fragment| fragment.reader),
        };
        match fragments[start..].last_mut() {
            Some(last) if last.reader == reader => last.range.end = span.end,
            _ => fragments.push(Fragment { range: *span, reader }),
        }
    }
}

/// Blocks of lines with blank lines between them. An indented line, or one inside brackets, goes on with the block
/// before it.
fn paragraphs(text: &str, range: Span) -> Vec<Span> {
    let mut paragraphs: Vec<Span> = Vec::new();
    let mut at = range.start;
    let mut blank = true;
    let mut base = 0;
    let mut depth = 0i64;
    for line in range.of(text).split('\n') {
        let span = Span::new(at, at + line.len());
        at = span.end + 1;
        let trimmed = line.trim_start();
        if trimmed.is_empty() {
            blank = true;
            continue;
        }
        let indent = line.len() - trimmed.len();
        match paragraphs.last_mut() {
            Some(last) if !blank || indent > base || depth > 0 => last.end = span.end,
            _ => {
                paragraphs.push(span);
                base = indent;
                depth = 0;
            }
        }
        blank = false;
        depth = (depth + balance(trimmed)).max(0);
    }
    paragraphs
}

/// How many more brackets a line opens than it closes, those in quotes left out.
pub(super) fn balance(line: &str) -> i64 {
    let mut quote = None;
    let mut balance = 0;
    let mut bytes = line.bytes();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (Some(_), b'\\') => drop(bytes.next()),
            (Some(open), _) => quote = Some(open).filter(|open| *open != byte),
            (None, b'"' | b'\'' | b'`') => quote = Some(byte),
            (None, b'(' | b'[' | b'{') => balance += 1,
            (None, b')' | b']' | b'}') => balance -= 1,
            (None, b'#') => return balance,
            _ => {}
        }
    }
    balance
}
