//! Code of any language to tokens, with brackets paired once, so that every question of the reader ("arrow or tuple?",
//! "generics or less than?", "how far does this go?") is one look. Comments are set aside. Knows no grammar.

mod brackets;
mod dialect;
mod number;
mod quoted;

pub(super) use number::parse_number;

use crate::finding::Finding;
use crate::span::Span;
use dialect::{KEYWORDS, looks_like_python};

/// No partner.
pub(super) const NONE: u32 = u32::MAX;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    /// An identifier or keyword; `$x`, `'a`, `:symbol`, `vec!` are one.
    Name,
    /// A number with the letters that follow it.
    Number,
    /// Letters and digits that are neither: `1m30s`, `1.2.3`.
    Bare,
    /// A quoted text, its prefix and quotes included; also a here-document and a regular expression.
    Text,
    /// `(`, `[` or `{`.
    Open,
    /// `)`, `]` or `}`.
    Close,
    /// Anything else.
    Op,
}

/// One token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub tag: Tag,
    /// Whether a line ended between the token before and this one.
    pub newline: bool,
    /// Whether anything at all stood between.
    pub space: bool,
    /// Whether it is a name that means something in some language.
    pub keyword: bool,
    /// How far its line is indented.
    pub column: u32,
    /// For a bracket, and a `<` or `>` around types: the index of its partner; the end of all tokens for an unclosed one.
    pub mate: u32,
    pub start: u32,
    pub end: u32,
    /// [`pack`] of its text, so that comparing is one instruction.
    pub word: u64,
}

/// A short text as a number; longer ones by a hash that no short one can equal.
pub(super) const fn pack(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let mut word: u64 = 0;
    let mut i = 0;
    if bytes.len() <= 8 {
        while i < bytes.len() {
            word = word << 8 | bytes[i] as u64;
            i += 1;
        }
        return word & !(1 << 63);
    }
    word = 0xcbf2_9ce4_8422_2325;
    while i < bytes.len() {
        word = (word ^ bytes[i] as u64).wrapping_mul(0x100_0000_01b3);
        i += 1;
    }
    word | 1 << 63
}

/// A text in tokens.
pub(super) struct Lexed {
    pub tokens: Vec<Token>,
    pub comments: Vec<Span>,
    pub findings: Vec<Finding>,
    /// Whether it looks like Python: `//` divides and a leading `*` spreads.
    pub python: bool,
    /// Whether the word `end` closes blocks somewhere.
    pub ends: bool,
}

/// Splits a piece of a text.
pub(super) fn lex(text: &str, range: Span) -> Lexed {
    let end = floor(text, range.end.min(text.len()).min(NONE as usize - 1));
    let start = floor(text, range.start.min(end));
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        at: start,
        end,
        line: text[..start].rfind('\n').map_or(0, |n| n + 1),
        indent: 0,
        newline: true,
        space: true,
        opens: Vec::new(),
        counts: [0; 3],
        angles: Vec::new(),
        hopeless: Vec::new(),
        strings: 0,
        out: Lexed {
            tokens: Vec::with_capacity((end - start) / 4),
            comments: Vec::new(),
            findings: Vec::new(),
            python: looks_like_python(&text[start..end]),
            ends: false,
        },
    };
    lexer.run();
    lexer.out
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    end: usize,
    line: usize,
    indent: u32,
    newline: bool,
    space: bool,
    opens: Vec<u32>,
    counts: [u32; 3],
    angles: Vec<u32>,
    /// Closing texts that do not occur any more, so that they are searched for once.
    hopeless: Vec<&'static str>,
    strings: usize,
    out: Lexed,
}

const OPERATORS: [&str; 36] = [
    "<<=", "?->", "===", "!==", "**=", "...", "<=>", "??=", "||=", "&&=", "..=", "..<", "=>", "->", "==", "!=", "<=",
    ">=", "&&", "||", "??", "?.", "::", ":=", "**", "..", "+=", "-=", "*=", "/=", "|=", "++", "--", "|>", "<-", "&.",
];

impl Lexer<'_> {
    fn byte(&self, at: usize) -> u8 {
        if at < self.end { self.bytes[at] } else { 0 }
    }

    fn last(&self) -> Option<&Token> {
        self.out.tokens.last()
    }

    fn run(&mut self) {
        while self.at < self.end {
            let c = self.bytes[self.at];
            match c {
                b'\n' => {
                    self.at += 1;
                    self.line = self.at;
                    (self.newline, self.space) = (true, true);
                }
                b' ' | b'\t' | b'\r' => self.skip(1),
                b'\\' if matches!(self.byte(self.at + 1), b'\n' | b'\r') => {
                    self.skip(2);
                    self.line = self.at;
                }
                b'#' | b'/' | b'-' if self.comment() => {}
                b'<' if self.text[self.at..self.end].starts_with("<?") => {
                    self.skip(if self.text[self.at..self.end].starts_with("<?php") { 5 } else { 2 })
                }
                b'<' if self.here_document() => {}
                b'"' | b'\'' | b'`' => self.quoted(self.at),
                b'@' | b'$' if matches!(self.byte(self.at + 1), b'"') => self.quoted(self.at + 1),
                b'$' if self.text[self.at..self.end].starts_with("$@\"") => self.quoted(self.at + 2),
                b'/' if self.regex() => {}
                b'0'..=b'9' => self.number(),
                b'.' if self.byte(self.at + 1).is_ascii_digit() && !self.follows_value() => self.number(),
                b':' if self.symbol() => {}
                b'(' | b'[' | b'{' => self.open(c),
                b')' | b']' | b'}' => self.close(c),
                _ => self.word_or_operator(),
            }
        }
        self.finish();
    }

    fn skip(&mut self, n: usize) {
        self.at = floor(self.text, (self.at + n).min(self.end));
        self.space = true;
    }

    fn push(&mut self, tag: Tag, start: usize, end: usize) {
        let word = match tag {
            Tag::Text | Tag::Number | Tag::Bare => 0,
            _ => pack(&self.text[start..end]),
        };
        if self.newline {
            self.indent = (start - self.line) as u32;
        }
        self.out.ends |= tag == Tag::Name && word == const { pack("end") } && self.closes_block(end);
        if !(matches!(tag, Tag::Name)
            || tag == Tag::Op
                && matches!(&self.text[start..end], "." | "::" | "," | "?" | "<" | ">" | "&" | "|" | "*" | ":"))
        {
            self.angles.clear();
        }
        self.out.tokens.push(Token {
            tag,
            newline: self.newline,
            space: self.space,
            keyword: tag == Tag::Name && KEYWORDS.binary_search(&word).is_ok(),
            column: self.indent,
            mate: NONE,
            start: start as u32,
            end: end as u32,
            word,
        });
        (self.newline, self.space) = (false, false);
        self.at = end;
    }

    /// Whether the word `end` that stops at `end` closes a block: it begins a statement and is nothing but itself.
    fn closes_block(&self, end: usize) -> bool {
        let begins = self.newline || self.last().is_some_and(|t| t.word == const { pack(";") });
        let next = self.text[end..self.end].trim_start_matches([' ', '\t']).bytes().next();
        begins && matches!(next, None | Some(b'\n' | b'\r' | b')' | b']' | b'}' | b',' | b'.' | b';' | b'#' | b'|'))
    }

    /// Whether the text so far ends in something that an operator could follow.
    fn follows_value(&self) -> bool {
        self.last().is_some_and(|t| match t.tag {
            Tag::Name => !self.newline && !self.is_prefix_word(t),
            Tag::Number | Tag::Bare | Tag::Text | Tag::Close => !self.newline,
            Tag::Open | Tag::Op => false,
        })
    }

    fn is_prefix_word(&self, t: &Token) -> bool {
        matches!(
            &self.text[t.start as usize..t.end as usize],
            "return" | "in" | "of" | "case" | "and" | "or" | "not" | "if" | "do" | "await" | "yield"
        )
    }

    /// `:name` where a value may begin.
    fn symbol(&mut self) -> bool {
        let before = if self.at > 0 { self.bytes[self.at - 1] } else { b' ' };
        let first = self.byte(self.at + 1);
        if !(first.is_ascii_alphabetic() || first == b'_')
            || !(before.is_ascii_whitespace() || matches!(before, b'(' | b'[' | b'{' | b',' | b'|'))
        {
            return false;
        }
        let end = self.name_end(self.at + 1);
        self.push(Tag::Name, self.at, end);
        true
    }

    fn name_end(&self, from: usize) -> usize {
        let mut at = from;
        loop {
            while is_word(self.byte(at)) || self.byte(at) == b'$' {
                at += 1;
            }
            match self.text[at..self.end].chars().next() {
                Some(c) if !c.is_ascii() && c.is_alphanumeric() => at += c.len_utf8(),
                _ => return at,
            }
        }
    }

    fn word_or_operator(&mut self) {
        let start = self.at;
        let c = self.text[start..self.end].chars().next().unwrap_or(' ');
        if c.is_whitespace() {
            return self.skip(c.len_utf8());
        }
        let private = c == '#' && matches!(self.byte(start + 1), b'a'..=b'z' | b'A'..=b'Z' | b'_');
        if c.is_alphabetic() || c == '_' || c == '$' || private {
            let mut end = self.name_end(start + usize::from(private)).max(start + c.len_utf8());
            if matches!(self.byte(end), b'"' | b'\'' | b'#') && self.prefixed(start, end) {
                return;
            }
            if self.byte(end) == b'!' && self.exclaims(start, end) {
                end += 1;
            }
            return self.push(Tag::Name, start, end);
        }
        let rest = &self.text[start..self.end];
        if self.out.python && rest.starts_with("//") {
            return self.push(Tag::Op, start, start + 2);
        }
        let longer =
            matches!(self.byte(start + 1), b'=' | b'>' | b'.' | b'&' | b'|' | b'?' | b':' | b'*' | b'+' | b'-' | b'<');
        let length = match longer {
            true => OPERATORS.iter().find(|op| rest.starts_with(**op)).map_or(c.len_utf8(), |op| op.len()),
            false => c.len_utf8(),
        };
        match c {
            '<' if length == 1 => self.angle_open(),
            '>' if length == 1 => self.angle_close(),
            _ => self.push(Tag::Op, start, start + length),
        }
    }

    /// Whether the `!` after a name belongs to it: a macro, or a method that is called so.
    fn exclaims(&self, start: usize, end: usize) -> bool {
        match self.byte(end + 1) {
            b'(' | b'{' => true,
            b'[' => &self.text[start..end] == "vec",
            b' ' => !matches!(self.byte(end + 2), b'=' | b'i'),
            next => matches!(next, 0 | b'\n' | b'\r'),
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
