//! Where the reader is in the tokens, and how deep.

use crate::finding::Finding;
use crate::notation::item::{Kind, Name, Value};
use crate::notation::lexer::{Lexed, Tag, Token, pack};
use crate::span::Span;

/// How deep values may nest; what is deeper becomes [`Kind::Unread`]. Deep enough for any configuration, shallow enough
/// for the stack of a browser.
pub(super) const DEPTH: usize = 64;

/// The reader's place and surroundings.
pub(super) struct Cursor<'t> {
    pub text: &'t str,
    pub tokens: &'t [Token],
    /// The next token.
    pub at: usize,
    /// Where the surrounding bracket closes, or the tokens end.
    pub end: usize,
    /// How many values we are inside of.
    pub depth: usize,
    /// Whether a line's end ends a value here.
    pub lines: bool,
    /// Whether a `{` here opens a body, not a literal: in `if x {`.
    pub header: bool,
    /// Whether `name(…) {` here defines a method: in a class, in an object.
    pub methods: bool,
    /// Whether that method belongs to a class.
    pub in_class: bool,
    /// Whether the statement just read was `name: value`.
    pub pair: bool,
    pub python: bool,
    pub ends: bool,
    /// Whether `name => value` is a named argument.
    pub sql: bool,
    /// The parameters of the functions around, innermost last.
    pub params: Vec<&'t str>,
    pub findings: Vec<Finding>,
}

impl<'t> Cursor<'t> {
    pub fn new(text: &'t str, lexed: &'t Lexed) -> Self {
        Cursor {
            text,
            tokens: &lexed.tokens,
            at: 0,
            end: lexed.tokens.len(),
            depth: 0,
            lines: true,
            header: false,
            methods: false,
            in_class: false,
            pair: false,
            python: lexed.python,
            ends: lexed.ends,
            sql: lexed.tokens.first().is_some_and(|t| {
                let word = &text[t.start as usize..t.end as usize];
                ["select", "call", "exec", "insert"].iter().any(|w| w.eq_ignore_ascii_case(word))
            }),
            params: Vec::new(),
            findings: Vec::new(),
        }
    }

    /// The token `ahead` places on, if it lies inside the surrounding bracket.
    pub fn peek(&self, ahead: usize) -> Option<&'t Token> {
        let at = self.at + ahead;
        if at < self.end { self.tokens.get(at) } else { None }
    }

    /// Whether the token `ahead` places on is this word or operator.
    #[inline]
    pub fn is_at(&self, ahead: usize, word: &str) -> bool {
        self.peek(ahead).is_some_and(|t| t.word == pack(word))
    }

    /// Whether the next token is this word or operator.
    #[inline]
    pub fn is(&self, word: &str) -> bool {
        self.is_at(0, word)
    }

    /// Whether the next token is one of these.
    pub fn is_any(&self, words: &[&str]) -> bool {
        self.peek(0).is_some_and(|t| words.iter().any(|w| t.word == pack(w)))
    }

    /// Steps over this word or operator, if it is next.
    pub fn eat(&mut self, word: &str) -> bool {
        let is = self.is(word);
        self.at += usize::from(is);
        is
    }

    /// Whether the token `ahead` places on is of this kind.
    pub fn tag_at(&self, ahead: usize, tag: Tag) -> bool {
        self.peek(ahead).is_some_and(|t| t.tag == tag)
    }

    /// Whether the next token is a name, keywords included.
    pub fn is_name(&self) -> bool {
        self.tag_at(0, Tag::Name)
    }

    /// Whether a line ends here that ends a value.
    pub fn line_ends(&self) -> bool {
        self.line_ends_at(0)
    }

    /// Whether a line that ends a value ends before the token `ahead` places on.
    pub fn line_ends_at(&self, ahead: usize) -> bool {
        self.peek(ahead).is_none_or(|t| self.lines && t.newline)
    }

    pub fn span_of(&self, token: &Token) -> Span {
        Span::new(token.start as usize, token.end as usize)
    }

    pub fn text_of(&self, token: &Token) -> &'t str {
        self.span_of(token).of(self.text)
    }

    /// Where the next token begins, or the last one ended.
    pub fn here(&self) -> usize {
        self.peek(0).map_or(self.before(), |t| t.start as usize)
    }

    /// Where the token before ended.
    pub fn before(&self) -> usize {
        let last = self.at.min(self.tokens.len()).checked_sub(1);
        last.map_or(0, |at| self.tokens[at].end as usize)
    }

    /// From a place to the end of the token before.
    pub fn since(&self, start: usize) -> Span {
        Span::new(start, self.before().max(start))
    }

    /// How far the line of the next token is indented.
    pub fn column(&self) -> u32 {
        self.tokens.get(self.at).map_or(0, |t| t.column)
    }

    /// The next token as a name, stepped over.
    pub fn name(&mut self) -> Option<Name> {
        let token = self.peek(0).filter(|t| t.tag == Tag::Name)?;
        self.at += 1;
        Some(Name { text: self.text_of(token).to_string(), span: self.span_of(token) })
    }

    /// The partner of the bracket `ahead` places on; never beyond the surrounding bracket.
    pub fn mate(&self, ahead: usize) -> usize {
        self.peek(ahead).map_or(self.end, |t| (t.mate as usize).min(self.end))
    }

    /// Steps over a pair of brackets, if one is next.
    pub fn skip_brackets(&mut self) {
        if self.tag_at(0, Tag::Open) {
            self.at = (self.mate(0) + 1).min(self.end.max(self.at + 1));
        }
    }

    /// Reads what stands between the bracket that is next and its partner, and steps over both.
    pub fn inside<T>(&mut self, lines: bool, read: impl FnOnce(&mut Self) -> T) -> T {
        let close = self.mate(0).max(self.at + 1);
        let outer = (self.end, self.lines, self.header, self.pair);
        (self.end, self.lines, self.header) = (close, lines, false);
        self.at += 1;
        let out = read(self);
        (self.end, self.lines, self.header, self.pair) = outer;
        self.at = (close + 1).min(self.end);
        out
    }

    /// Reads one level deeper; `None` where that is too deep.
    pub fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= DEPTH {
            return None;
        }
        self.depth += 1;
        let out = read(self);
        self.depth -= 1;
        Some(out)
    }

    /// A value that is too deep: steps over it whole and says so once.
    pub fn too_deep(&mut self) -> Value {
        let start = self.here();
        match self.tag_at(0, Tag::Open) {
            true => self.skip_brackets(),
            false => self.at += usize::from(self.at < self.end),
        }
        let span = self.since(start);
        if !self.findings.iter().any(|f| f.code == "too-deep") {
            let message = format!("Brackets nest deeper than {DEPTH} here; what is further inside was not read.");
            self.findings.push(Finding::warning("too-deep", span, message));
        }
        Value::new(Kind::Unread, span)
    }
}
