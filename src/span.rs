//! A piece of the reader's text.

use serde::Serialize;

/// A half-open range of a text. Inside the core the offsets count bytes of the UTF-8 text; [`Utf16`] converts them
/// once, at the boundary, into the offsets that a text area selects by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Span {
    /// The first offset inside.
    pub start: usize,
    /// The first offset after it.
    pub end: usize,
}

impl Span {
    /// The range from `start` up to, not including, `end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// The smallest range that holds both.
    pub fn to(self, other: Span) -> Span {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// Whether `other` lies wholly inside.
    pub fn holds(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the two share at least one offset.
    pub fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The piece of `text` it names; empty if it lies outside or cuts a character.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or("")
    }
}

/// Converts byte offsets of one text into UTF-16 offsets, in one pass over the text for any number of spans.
pub struct Utf16 {
    /// `(byte offset, UTF-16 offset)` after each character that is longer in UTF-8 than in UTF-16.
    steps: Vec<(usize, usize)>,
}

impl Utf16 {
    /// Prepares the conversion for `text`.
    pub fn new(text: &str) -> Self {
        let mut steps = Vec::new();
        if text.is_ascii() {
            return Utf16 { steps };
        }
        let mut units = 0;
        for (at, c) in text.char_indices() {
            units += c.len_utf16();
            if c.len_utf8() != c.len_utf16() {
                steps.push((at + c.len_utf8(), units));
            }
        }
        Utf16 { steps }
    }

    /// The UTF-16 offset of a byte offset.
    pub fn offset(&self, byte: usize) -> usize {
        match self.steps.partition_point(|&(at, _)| at <= byte) {
            0 => byte,
            n => {
                let (at, units) = self.steps[n - 1];
                units + (byte - at)
            }
        }
    }

    /// The same span in UTF-16 offsets.
    pub fn span(&self, span: Span) -> Span {
        Span::new(self.offset(span.start), self.offset(span.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf16_offsets_count_surrogates() {
        let text = "aä😀b";
        let map = Utf16::new(text);
        let at = |needle: &str| map.offset(text.find(needle).unwrap());
        assert_eq!((at("a"), at("ä"), at("😀"), at("b")), (0, 1, 2, 4));
        assert_eq!(map.offset(text.len()), 5);
    }
}
