//! Imports, classes, functions, declarations and annotations.

use super::cursor::Cursor;
use super::gather::item_value;
use crate::notation::item::{Arg, Form, Item, Kind, Name, Statement, Value};
use crate::notation::lexer::Tag;

const MODIFIERS: [&str; 34] = [
    "public",
    "private",
    "protected",
    "internal",
    "static",
    "final",
    "readonly",
    "abstract",
    "override",
    "async",
    "export",
    "default",
    "pub",
    "lateinit",
    "open",
    "sealed",
    "virtual",
    "volatile",
    "extern",
    "unsafe",
    "inline",
    "suspend",
    "lazy",
    "implicit",
    "declare",
    "global",
    "local",
    "partial",
    "data",
    "case",
    "native",
    "transient",
    "required",
    "companion",
];

impl<'t> Cursor<'t> {
    /// An import, class or function, with its modifiers; if one begins here.
    pub fn definition(&mut self, out: &mut Vec<Statement>) -> bool {
        let start = self.at;
        if self.is("export") && (self.is_at(1, "{") || self.is_at(1, "*")) {
            return self.exported(out);
        }
        let modified = self.skip_modifiers();
        let used_as_name = self.peek(1).is_none_or(|t| {
            t.tag == Tag::Close
                || t.tag == Tag::Op && !matches!(self.text_of(t), "*" | "@" | "<" | "{" | "[" | "%" | "\\" | "&" | "::")
        });
        let word = self.peek(0).filter(|t| t.tag == Tag::Name).map_or("", |t| self.text_of(t));
        let done = match word {
            _ if used_as_name || self.line_ends_at(1) && word != "def" => false,
            "import" | "from" | "use" | "using" | "require" | "require_relative" | "alias" | "include" | "extend"
            | "package" | "namespace" => self.import(word, out),
            "class" | "interface" | "trait" | "struct" | "impl" | "module" | "defmodule" | "object" | "enum"
            | "record" | "type" => self.class(word, start, out),
            "def" | "defp" | "function" | "func" | "fn" | "fun" | "sub" => self.named_function(word, out),
            _ => false,
        };
        if !done && modified && !self.declaration(out) {
            // What the modifiers stood before: a field, a method, or anything else.
            if !(self.is_name() && self.is_at(1, "(") && self.constructor(out)) {
                self.statement(out);
            }
        }
        done || modified
    }

    /// `Name(…) {…}` after a modifier.
    fn constructor(&mut self, out: &mut Vec<Statement>) -> bool {
        let close = self.mate(1);
        if self.tokens.get(close + 1).filter(|_| close + 1 < self.end).is_none_or(|t| self.text_of(t) != "{") {
            return false;
        }
        let start = self.here();
        let name = self.name().unwrap_or_default();
        let function = self.function_rest(name, start, false);
        out.push(Statement::Expr(item_value(function)));
        true
    }

    /// Steps over `public static` and their like where something follows that they can stand before.
    fn skip_modifiers(&mut self) -> bool {
        let start = self.at;
        while self.lines
            && self.peek(0).is_some_and(|t| t.tag == Tag::Name && MODIFIERS.contains(&self.text_of(t)))
            && !self.line_ends_at(1)
            && self.peek(1).is_some_and(|t| {
                t.tag == Tag::Name && t.space && !self.is_at(1, "if")
                    || self.is("pub") && self.is_at(1, "(")
                    || self.is("default") && t.space && t.tag == Tag::Open
                    || self.is("export") && self.is_at(1, "{")
            })
            && !(self.is("case") && !self.is_at(1, "class") && !self.is_at(1, "object"))
            && !(self.is("async") && self.is_at(2, "=>"))
        {
            self.at += 1;
            if self.is("(") && self.tokens[self.at - 1].end - self.tokens[self.at - 1].start == 3 {
                self.skip_brackets();
            }
        }
        self.at > start
    }

    /// `def name(…)`, `function name(…)`, `func (r T) name(…)`.
    fn named_function(&mut self, word: &str, out: &mut Vec<Statement>) -> bool {
        let start = self.here();
        let from = self.at;
        self.at += 1;
        self.eat("*");
        if word == "func"
            && self.is("(")
            && self.tokens.get(self.mate(0) + 1).is_some_and(|t| t.tag == Tag::Name)
            && self.tokens.get(self.mate(0) + 2).is_some_and(|t| self.text_of(t) == "(")
        {
            self.skip_brackets();
        }
        if !self.is_name() || word == "fn" && self.is_at(1, "->") || word == "def" && self.is_at(1, "=") && !self.ends {
            self.at = from;
            return false;
        }
        let name = self.path();
        self.skip_generics();
        let function = self.function_rest(name, start, matches!(word, "func"));
        out.push(Statement::Expr(item_value(function)));
        true
    }

    /// Parameters, result and body of a function whose name was just read.
    pub fn function_rest(&mut self, head: Name, start: usize, first: bool) -> Item {
        let column = self.tokens[self.at - 1].column;
        let mut params = if self.is("(") { self.parameter_list(first) } else { (Vec::new(), Vec::new()) };
        if self.is("when") && !self.line_ends() {
            self.at += 1;
            let guard = self.binary(0).map(|guard| super::expression::op("!", vec![guard]));
            params.1.extend(guard.map(super::parameters::no_match));
        }
        let mut rust = false;
        if self.is("->") {
            self.at += 1;
            rust = true;
            self.skip_type();
        } else if self.is(":") && !self.python && !self.peek(1).is_none_or(|t| t.newline) {
            self.at += 1;
            self.skip_type();
        }
        self.skip_to_body();
        let methods = std::mem::replace(&mut self.methods, false);
        let in_class = std::mem::replace(&mut self.in_class, false);
        let fun = match () {
            () if self.is("{") => self.function(params, rust || self.ends).0,
            () if self.is("=>") || self.is("=") => {
                self.at += 1;
                self.function(params, true).0
            }
            () if self.is(",") && self.is_at(1, "do") => {
                self.at += 2;
                self.eat(":");
                self.function(params, true).0
            }
            () if self.eat(":") => self.with_parameters(params, |c| {
                let mut body = Vec::new();
                c.by_column(column, &mut body);
                body
            }),
            () if self.is("do") || self.ends && (self.line_ends() || self.is(";")) => {
                self.eat("do");
                let mut fun = self.with_parameters(params, |c| c.until_end());
                super::lambda::returning(&mut fun.body);
                fun
            }
            () => self.with_parameters(params, |_| Vec::new()),
        };
        self.methods = methods;
        self.in_class = in_class;
        let span = self.since(start);
        let value = Value::new(Kind::Fun(Box::new(fun)), span);
        Item { head, form: Form::Function, args: vec![Arg { name: None, value }], span, ..Item::default() }
    }

    /// Steps over a result type, exceptions and constraints, up to where a body begins.
    pub fn skip_to_body(&mut self) {
        let mut thrown = false;
        for _ in 0..32 {
            let Some(token) = self.peek(0) else { return };
            let word = self.text_of(token);
            thrown |= matches!(word, "throws" | "where");
            let begins = matches!(word, "{" | "=>" | "=" | ":" | ";" | "do" | "}" | ")") || word == "," && !thrown;
            if word == ":" && !self.python && self.peek(1).is_some_and(|t| !t.newline) {
                self.at += 1;
                self.skip_type();
                continue;
            }
            if begins || self.lines && token.newline && !matches!(word, "throws" | "where") {
                return;
            }
            match token.tag {
                Tag::Open => self.skip_brackets(),
                _ => self.at += 1,
            }
        }
    }
}
