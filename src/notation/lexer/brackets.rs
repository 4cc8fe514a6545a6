//! Brackets find their partners, and `<` and `>` around types.

use super::{Lexer, Tag, pack};
use crate::finding::Finding;
use crate::span::Span;

impl Lexer<'_> {
    pub(super) fn open(&mut self, c: u8) {
        self.opens.push(self.out.tokens.len() as u32);
        self.counts[kind(c)] += 1;
        self.push(Tag::Open, self.at, self.at + 1);
    }

    pub(super) fn close(&mut self, c: u8) {
        let here = self.out.tokens.len() as u32;
        self.push(Tag::Close, self.at, self.at + 1);
        if self.counts[kind(c)] == 0 {
            return;
        }
        while let Some(open) = self.opens.pop() {
            let opened = self.bytes[self.out.tokens[open as usize].start as usize];
            self.counts[kind(opened)] -= 1;
            self.out.tokens[open as usize].mate = here;
            if kind(opened) == kind(c) {
                self.out.tokens[here as usize].mate = open;
                return;
            }
            self.unclosed_bracket(open, 1);
        }
    }

    pub(super) fn unclosed_bracket(&mut self, open: u32, count: usize) {
        if self.out.findings.len() < 8 {
            let at = self.out.tokens[open as usize].start as usize;
            let message = match count {
                1 => "This bracket is not closed; it was read as if it ended where its surroundings do.".to_string(),
                n => {
                    format!("{n} brackets from here on are not closed; they were read as if they ended with the text.")
                }
            };
            self.out.findings.push(Finding::note("unclosed", Span::new(at, at + 1), message));
        }
    }

    pub(super) fn angle_open(&mut self) {
        let adjacent = !self.space
            && self
                .last()
                .is_some_and(|t| t.tag == Tag::Name || t.word == const { pack("::") } || t.word == const { pack(".") });
        let here = self.out.tokens.len() as u32;
        self.push(Tag::Op, self.at, self.at + 1);
        if adjacent && !self.byte(self.at).is_ascii_whitespace() {
            self.angles.push(here);
        }
    }

    pub(super) fn angle_close(&mut self) {
        let here = self.out.tokens.len() as u32;
        self.push(Tag::Op, self.at, self.at + 1);
        if let Some(open) = self.angles.pop() {
            self.out.tokens[open as usize].mate = here;
            self.out.tokens[here as usize].mate = open;
        }
    }

    pub(super) fn finish(&mut self) {
        let all = self.out.tokens.len() as u32;
        for &open in &self.opens {
            self.out.tokens[open as usize].mate = all;
        }
        if let Some(&open) = self.opens.first() {
            self.unclosed_bracket(open, self.opens.len());
        }
    }
}

pub(super) fn kind(bracket: u8) -> usize {
    match bracket {
        b'(' | b')' => 0,
        b'[' | b']' => 1,
        _ => 2,
    }
}
