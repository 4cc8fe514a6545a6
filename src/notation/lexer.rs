//! Code of any language to tokens, with brackets paired once, so that every question of the reader ("arrow or tuple?",
//! "generics or less than?", "how far does this go?") is one look. Comments are set aside. Knows no grammar.

use crate::finding::Finding;
use crate::span::Span;

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

/// Words that mean something in some language, packed and in order.
static KEYWORDS: [u64; 130] = sorted([
    "abstract",
    "alias",
    "and",
    "as",
    "async",
    "await",
    "begin",
    "break",
    "case",
    "catch",
    "checked",
    "class",
    "companion",
    "cond",
    "const",
    "continue",
    "data",
    "declare",
    "def",
    "default",
    "defer",
    "defmodule",
    "defp",
    "delegate",
    "delete",
    "div",
    "do",
    "dyn",
    "elif",
    "else",
    "elsif",
    "end",
    "ensure",
    "enum",
    "except",
    "export",
    "extend",
    "extern",
    "final",
    "finally",
    "fn",
    "for",
    "foreach",
    "from",
    "fun",
    "func",
    "function",
    "global",
    "go",
    "if",
    "impl",
    "implicit",
    "import",
    "in",
    "include",
    "init",
    "inline",
    "instanceof",
    "interface",
    "internal",
    "is",
    "lambda",
    "lateinit",
    "lazy",
    "let",
    "local",
    "lock",
    "loop",
    "match",
    "mod",
    "module",
    "move",
    "mut",
    "my",
    "namespace",
    "native",
    "new",
    "not",
    "object",
    "open",
    "or",
    "out",
    "override",
    "package",
    "partial",
    "pass",
    "private",
    "proc",
    "protected",
    "pub",
    "public",
    "raise",
    "readonly",
    "record",
    "ref",
    "rem",
    "require",
    "require_relative",
    "required",
    "rescue",
    "return",
    "satisfies",
    "sealed",
    "select",
    "static",
    "struct",
    "sub",
    "suspend",
    "switch",
    "synchronized",
    "then",
    "throw",
    "trait",
    "transient",
    "try",
    "type",
    "typeof",
    "unless",
    "unsafe",
    "until",
    "use",
    "using",
    "val",
    "var",
    "virtual",
    "volatile",
    "when",
    "while",
    "with",
    "yield",
]);

const fn sorted<const N: usize>(words: [&str; N]) -> [u64; N] {
    let mut packed = [0; N];
    let mut i = 0;
    while i < N {
        let word = pack(words[i]);
        let mut at = i;
        while at > 0 && packed[at - 1] > word {
            packed[at] = packed[at - 1];
            at -= 1;
        }
        packed[at] = word;
        i += 1;
    }
    packed
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

/// Whether lines that only Python writes outweigh those that only languages with braces write.
fn looks_like_python(text: &str) -> bool {
    let mut score = 0i32;
    for line in text.lines().take(400) {
        let line = line.trim();
        let starts = |words: &[&str]| words.iter().any(|w| line.starts_with(w));
        let quiet = !line.ends_with([';', '{']) && !line.contains(['\'', '"']);
        score += match () {
            () if line.starts_with('#') && !line.starts_with("#[") => 1,
            () if starts(&["def ", "class ", "async def ", "for ", "if ", "with ", "elif "]) && line.ends_with(':') => {
                3
            }
            () if starts(&["from "]) && line.contains(" import ") && quiet => 3,
            () if starts(&["import "]) && quiet && !line.contains('.') => 1,
            () if line.contains("True") || line.contains("False") || line.contains("None") => 1,
            () if starts(&[
                "//", "/*", "const ", "let ", "var ", "val ", "func ", "fn ", "public ", "new ", "}", "use ",
            ]) =>
            {
                -2
            }
            () if line.ends_with([';', '{']) || line.contains("=>") || line.contains("::") => -2,
            () if line.contains("// ") && !line.contains(" // ") => -1,
            () => 0,
        };
    }
    score > 0 || score == 0 && divides(text)
}

/// Whether `//` stands between two numbers and no `:` before them: `retries = 1_0 // 2`.
fn divides(text: &str) -> bool {
    text.lines().take(400).any(|line| {
        line.split_once("//").is_some_and(|(a, b)| {
            !a.contains(':')
                && a.trim_end().ends_with(|c: char| c.is_ascii_digit())
                && b.trim_start().starts_with(|c: char| c.is_ascii_digit())
        })
    })
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

const OPERATORS: [&str; 35] = [
    "<<=", "===", "!==", "**=", "...", "<=>", "??=", "||=", "&&=", "..=", "..<", "=>", "->", "==", "!=", "<=", ">=",
    "&&", "||", "??", "?.", "::", ":=", "**", "..", "+=", "-=", "*=", "/=", "|=", "++", "--", "|>", "<-", "&.",
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
        self.out.ends |= tag == Tag::Name && word == const { pack("end") };
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

    fn comment(&mut self) -> bool {
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
    fn private_name(&self) -> bool {
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
    fn find(&mut self, close: &'static str, from: usize) -> Option<usize> {
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

    fn unclosed_text(&mut self, at: usize) {
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
    fn here_document(&mut self) -> bool {
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
    fn quoted(&mut self, open: usize) {
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

    fn line_end(&self, from: usize) -> usize {
        let line = self.text[from..self.end].lines().next().unwrap_or("");
        from + line.len().max(1)
    }

    /// The end of a text that closes with the character it opened with.
    fn closing_quote(&mut self, open: usize, quote: u8) -> Option<usize> {
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
    fn is_no_quote(&mut self) -> bool {
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
    fn regex(&mut self) -> bool {
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

    fn number(&mut self) {
        let start = self.at;
        let mut at = start;
        let radix = self.byte(at) == b'0'
            && matches!(self.byte(at + 1) | 32, b'x' | b'b' | b'o')
            && self.byte(at + 2).is_ascii_hexdigit();
        let digits = |s: &Self, mut at: usize| {
            while s.byte(at).is_ascii_digit() || s.byte(at) == b'_' && s.byte(at + 1).is_ascii_digit() {
                at += 1;
            }
            at
        };
        if radix {
            at += 2;
            while self.byte(at).is_ascii_hexdigit() || self.byte(at) == b'_' {
                at += 1;
            }
            return self.push(Tag::Number, start, at);
        }
        at = digits(self, at);
        if self.byte(at) == b'.' && self.byte(at + 1).is_ascii_digit() {
            at = digits(self, at + 1);
        } else if self.byte(at) == b'.' && self.byte(at + 1) != b'.' && !is_word(self.byte(at + 1)) {
            at += 1;
        }
        if self.byte(at) | 32 == b'e' {
            let sign = usize::from(matches!(self.byte(at + 1), b'+' | b'-'));
            if self.byte(at + 1 + sign).is_ascii_digit() {
                at = digits(self, at + 1 + sign);
            }
        }
        let suffix = at;
        at = self.letters(at);
        let typed = matches!(&self.text[suffix..at], "u" | "i" | "f") && self.byte(at).is_ascii_digit();
        if typed {
            at = digits(self, at);
            return self.push(Tag::Number, start, at);
        }
        // `1m30s`, `1.2.3`, `5xx2`: more of the same is no number.
        let letters = at;
        loop {
            at = self.name_end(at);
            if self.byte(at) != b'.' || !self.byte(at + 1).is_ascii_digit() {
                break;
            }
            at += 1;
        }
        let bare = at > letters;
        self.push(if bare { Tag::Bare } else { Tag::Number }, start, at);
    }

    fn letters(&self, from: usize) -> usize {
        from + self.text[from..self.end].chars().take_while(|c| c.is_alphabetic()).map(char::len_utf8).sum::<usize>()
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

    /// `r"…"`, `f'…'`, `r#"…"#` and their like.
    fn prefixed(&mut self, start: usize, end: usize) -> bool {
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

    fn open(&mut self, c: u8) {
        self.opens.push(self.out.tokens.len() as u32);
        self.counts[kind(c)] += 1;
        self.push(Tag::Open, self.at, self.at + 1);
    }

    fn close(&mut self, c: u8) {
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

    fn unclosed_bracket(&mut self, open: u32, count: usize) {
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

    fn angle_open(&mut self) {
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

    fn angle_close(&mut self) {
        let here = self.out.tokens.len() as u32;
        self.push(Tag::Op, self.at, self.at + 1);
        if let Some(open) = self.angles.pop() {
            self.out.tokens[open as usize].mate = here;
            self.out.tokens[here as usize].mate = open;
        }
    }

    fn finish(&mut self) {
        let all = self.out.tokens.len() as u32;
        for &open in &self.opens {
            self.out.tokens[open as usize].mate = all;
        }
        if let Some(&open) = self.opens.first() {
            self.unclosed_bracket(open, self.opens.len());
        }
    }
}

fn kind(bracket: u8) -> usize {
    match bracket {
        b'(' | b')' => 0,
        b'[' | b']' => 1,
        _ => 2,
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
