//! Function literals of every language: arrows, closures, blocks with parameters, `lambda`, `fn … end`.

use super::cursor::Cursor;
use super::parameters::Parameters;
use crate::notation::item::{Fun, Kind, Name, Statement, Value};
use crate::notation::lexer::Tag;
use crate::span::Span;

/// How far a `|` looks for the one that closes the parameters, and an arrow for its own.
const REACH: usize = 24;

impl<'t> Cursor<'t> {
    /// A function literal, if one begins here.
    pub fn lambda(&mut self) -> Option<Value> {
        let token = self.peek(0)?;
        let start = token.start as usize;
        let skip = usize::from(self.is_any(&["async", "static", "move"]) && !self.line_ends_at(1));
        let token = self.peek(skip)?;
        let found = match token.tag {
            Tag::Name => self.lambda_word(skip),
            Tag::Open if self.text_of(token) == "(" => self.arrow_after(skip),
            Tag::Op if matches!(self.text_of(token), "|" | "||") => self.closure(skip),
            Tag::Op if self.text_of(token) == "->" && self.peek(skip + 1).is_some_and(|t| t.tag == Tag::Open) => {
                self.stabby(skip)
            }
            _ => None,
        };
        let (fun, mut span) = found?;
        span.start = start;
        Some(Value::new(Kind::Fun(Box::new(fun)), span))
    }

    /// `n => …`, `function (…) {…}`, `lambda n: …`, `fn n -> … end`.
    fn lambda_word(&mut self, skip: usize) -> Option<(Fun, Span)> {
        let token = self.peek(skip)?;
        let text = self.text_of(token);
        let arrow =
            self.is_at(skip + 1, "=>") || self.is_at(skip + 1, "->") && !text.starts_with('$') && text != "this";
        if arrow && !text.starts_with(':') {
            let params = (vec![Name { text: text.to_string(), span: self.span_of(token) }], Vec::new());
            self.at += skip + 2;
            return Some(self.function(params, false));
        }
        if !token.keyword {
            return None;
        }
        let called =
            self.peek(skip + 1).is_some_and(|t| t.tag == Tag::Open || t.tag == Tag::Name || self.text_of(t) == "*");
        match text {
            "function" | "func" | "fun" | "delegate" if called && !self.python && self.body_follows(skip + 1) => {
                self.at += skip + 1;
                self.eat("*");
                self.name();
                if !self.is("(") {
                    let params = (Vec::new(), Vec::new());
                    return Some(self.function(params, false));
                }
                let params = self.parameter_list(text == "func");
                if text == "function" && self.ends && !self.is_any(&["{", ":", "use"]) {
                    self.at -= 1;
                    return Some(self.function_to_end(params));
                }
                self.skip_to_body();
                Some(self.function(params, false))
            }
            "fn" if self.is_at(skip + 1, "(") && !self.ends && self.arrow_follows(skip + 1) => {
                self.at += skip + 1;
                let params = self.parameter_list(false);
                self.skip_to_body();
                self.eat("=>");
                Some(self.function(params, false))
            }
            "fn" if self.ends => self.arrow_to_end(skip),
            "lambda" | "proc" if self.is_at(skip + 1, "{") || self.is_at(skip + 1, "do") => {
                self.at += skip + 1;
                let block = if self.is("do") { Some(self.do_lambda()) } else { self.brace_lambda() };
                match block {
                    Some(Value { kind: Kind::Fun(fun), span }) => Some((*fun, span)),
                    _ => Some(self.function((Vec::new(), Vec::new()), true)),
                }
            }
            "lambda" => {
                let from = self.at + skip + 1;
                let colon = (from..self.end.min(from + 4 * REACH)).find(|&i| self.text_of(&self.tokens[i]) == ":")?;
                let params = self.parameters(from, colon, false);
                self.at = colon + 1;
                Some(self.function(params, false))
            }
            _ => None,
        }
    }

    /// Whether `=>` follows the parentheses `ahead` places on, perhaps after a type.
    fn arrow_follows(&self, ahead: usize) -> bool {
        let close = self.mate(ahead);
        (close + 1..self.end.min(close + 8)).any(|at| self.text_of(&self.tokens[at]) == "=>")
    }

    /// Whether a body in braces, or one that ends in `end`, follows within reach.
    fn body_follows(&self, ahead: usize) -> bool {
        let mut at = self.at + ahead;
        for _ in 0..REACH {
            match self.tokens.get(at).filter(|_| at < self.end) {
                Some(token) if self.text_of(token) == "{" => return true,
                Some(token) if token.tag == Tag::Open => at = (token.mate as usize).min(self.end) + 1,
                Some(token) if token.tag == Tag::Close => return false,
                Some(_) => at += 1,
                None => break,
            }
        }
        self.ends
    }

    /// `(…) => …`, `(…): T => …`, `(…) -> …`.
    fn arrow_after(&mut self, skip: usize) -> Option<(Fun, Span)> {
        let close = self.mate(skip);
        let mut arrow = close + 1;
        let word = |at: usize| if at < self.end { self.text_of(&self.tokens[at]) } else { "" };
        if word(arrow) == ":" {
            arrow = (arrow..arrow + 12).find(|&at| matches!(word(at), "=>" | "," | ";" | "?" | "")).unwrap_or(arrow);
        }
        if !matches!(word(arrow), "=>" | "->") {
            return None;
        }
        self.at += skip;
        let params = self.parameter_list(false);
        self.at = arrow + 1;
        Some(self.function(params, false))
    }

    /// `|n| …`, `|| …`.
    fn closure(&mut self, skip: usize) -> Option<(Fun, Span)> {
        let from = self.at + skip + 1;
        let (params, after) = if self.is_at(skip, "||") {
            ((Vec::new(), Vec::new()), from)
        } else {
            let close = self.pipe_close(from)?;
            (self.parameters(from, close, false), close + 1)
        };
        self.at = after;
        if self.eat("->") {
            self.skip_type();
        }
        Some(self.function(params, true))
    }

    fn pipe_close(&self, from: usize) -> Option<usize> {
        (from..self.end.min(from + REACH)).find(|&i| self.text_of(&self.tokens[i]) == "|")
    }

    /// `->(n) {…}`.
    fn stabby(&mut self, skip: usize) -> Option<(Fun, Span)> {
        self.at += skip + 1;
        let params = if self.is("(") { self.parameter_list(false) } else { (Vec::new(), Vec::new()) };
        Some(if self.is("do") { self.function_to_end(params) } else { self.function(params, true) })
    }

    /// `fn n -> … end`.
    fn arrow_to_end(&mut self, skip: usize) -> Option<(Fun, Span)> {
        let from = self.at + skip + 1;
        let arrow = (from..self.end.min(from + REACH)).find(|&i| self.text_of(&self.tokens[i]) == "->")?;
        let params = self.parameters(from, arrow, false);
        self.at = arrow;
        Some(self.function_to_end(params))
    }

    /// From the word that opens a block (`do`, `->`) to its `end`.
    fn function_to_end(&mut self, params: Parameters) -> (Fun, Span) {
        let start = self.here();
        self.at += 1;
        let mut fun = self.with_parameters(params, |c| c.until_end());
        returning(&mut fun.body);
        (fun, self.since(start))
    }

    /// `do |n| … end` as a value.
    pub fn do_lambda(&mut self) -> Value {
        let start = self.here();
        let mut params = (Vec::new(), Vec::new());
        if self.is_at(1, "|")
            && let Some(close) = self.pipe_close(self.at + 2)
        {
            params = self.parameters(self.at + 2, close, false);
            self.at = close;
        }
        let (fun, mut span) = self.function_to_end(params);
        span.start = start;
        Value::new(Kind::Fun(Box::new(fun)), span)
    }

    /// `{ |n| … }` and `{ n -> … }`, if that is what the brace holds.
    pub fn brace_lambda(&mut self) -> Option<Value> {
        let start = self.here();
        let from = self.at + 1;
        let word = |at: usize| if at < self.mate(0) { self.text_of(&self.tokens[at]) } else { "" };
        let (first, close) = if word(from) == "|" {
            (from + 1, self.pipe_close(from + 1)?)
        } else {
            let simple = |at: usize| {
                at < self.mate(0) && self.tokens[at].tag == Tag::Name || matches!(word(at), "," | ":" | ".")
            };
            let arrow = (from..from + 12).find(|&at| !simple(at)).filter(|&at| word(at) == "->" && at > from)?;
            (from, arrow)
        };
        let params = self.parameters(first, close, false);
        let mut fun = self.with_parameters(params, |c| {
            c.inside(true, |c| {
                c.at = close + 1;
                c.body_statements()
            })
        });
        returning(&mut fun.body);
        Some(Value::new(Kind::Fun(Box::new(fun)), self.since(start)))
    }

    /// The rest of a function after its arrow or parameters: a block or one value. `last` where a block's last value is
    /// what it returns.
    pub fn function(&mut self, params: Parameters, last: bool) -> (Fun, Span) {
        let start = self.here();
        let block = self.is("{");
        let mut fun = self.with_parameters(params, |c| match block {
            true => c.inside(true, Self::body_statements),
            false => c.expression_body(),
        });
        if last && block {
            returning(&mut fun.body);
        }
        (fun, self.since(start))
    }

    /// One value, or one assignment to a field: `o => o.Max = 3`.
    fn expression_body(&mut self) -> Vec<Statement> {
        let Some(value) = self.value() else { return Vec::new() };
        match value.kind {
            Kind::Word(text) if self.is("=") && text.contains('.') => {
                let mut out = Vec::new();
                self.bound(Name { text, span: value.span }, &mut out);
                super::gather::stepped(out)
            }
            kind => vec![Statement::Return(Value::new(kind, value.span))],
        }
    }

    /// A body, read where these are the parameters.
    pub fn with_parameters(
        &mut self,
        (params, mut body): Parameters,
        read: impl FnOnce(&mut Self) -> Vec<Statement>,
    ) -> Fun {
        let outer = self.params.len();
        self.params.extend(params.iter().map(|p| p.span.of(self.text)));
        let methods = std::mem::replace(&mut self.methods, false);
        body.extend(self.deeper(read).unwrap_or_default());
        self.methods = methods;
        self.params.truncate(outer);
        Fun { params, body }
    }
}

/// Where the last value of a block is what it returns.
pub(super) fn returning(body: &mut Vec<Statement>) {
    match body.pop() {
        Some(Statement::Expr(value)) => body.push(Statement::Return(value)),
        Some(Statement::If(condition, mut then, mut otherwise)) => {
            returning(&mut then);
            returning(&mut otherwise);
            body.push(Statement::If(condition, then, otherwise));
        }
        Some(other) => body.push(other),
        None => {}
    }
}
