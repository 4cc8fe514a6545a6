//! Classes and what is like them, annotations and attributes.

use super::cursor::Cursor;
use super::gather::{aim, args_of, into_item, item_value};
use crate::notation::item::{Arg, Form, Item, Kind, Statement, Value};
use crate::notation::lexer::{Tag, Token};

impl<'t> Cursor<'t> {
    /// `class Name(bases):`, `class Name extends Base {`, `impl Trait for Name {`.
    pub fn class(&mut self, word: &str, from: usize, out: &mut Vec<Statement>) -> bool {
        let start = self.here();
        let column = self.tokens[from].column;
        self.at += 1;
        if word == "impl" && self.is("<") {
            self.at = self.mate(0).max(self.at) + 1;
        }
        if self.is("class") {
            self.at += 1;
        }
        if word == "object" && self.is("{") {
            // What an object of a class holds stands beside what the class holds.
            let members = self.inside(true, |c| c.statements());
            out.extend(members);
            return true;
        }
        if !self.is_name() {
            self.at -= 1;
            return false;
        }
        let mut head = self.path();
        self.skip_generics();
        if word == "type" {
            return self.type_definition();
        }
        let mut args = Vec::new();
        loop {
            match self.peek(0).map(|t| self.text_of(t)) {
                Some("(") if !self.line_ends() => args.extend(self.arguments()),
                Some("for") if word == "impl" => {
                    self.at += 1;
                    head = self.path();
                    self.skip_generics();
                }
                Some("extends" | "implements" | "with" | "<" | "," | "permits") => self.at += 1,
                Some(":") if !self.peek(1).is_none_or(|t| t.newline) && !self.python => self.at += 1,
                Some("where") => self.skip_to_body(),
                Some(_) if self.is_name() && !self.line_ends() && !self.is("do") => {
                    let base = self.path();
                    self.skip_generics();
                    args.push(Arg { name: None, value: Value::new(Kind::Word(base.text), base.span) });
                }
                _ => break,
            }
        }
        if matches!(word, "struct" | "enum" | "interface" | "trait" | "record") && self.is("{") {
            self.skip_brackets();
        } else {
            args.extend(self.class_body(column));
        }
        let span = self.since(start);
        out.push(Statement::Expr(item_value(Item { head, args, form: Form::Class, span, ..Item::default() })));
        true
    }

    /// `type X struct {…}`, `type X = …;`: nothing here configures.
    fn type_definition(&mut self) -> bool {
        while !self.line_ends() && !self.is(";") {
            match self.tag_at(0, Tag::Open) {
                true => self.skip_brackets(),
                false => self.at += 1,
            }
        }
        true
    }

    fn class_body(&mut self, column: u32) -> Vec<Arg> {
        let outer = (std::mem::replace(&mut self.methods, !self.ends), std::mem::replace(&mut self.in_class, true));
        let mut body = Vec::new();
        if self.is("{") {
            body = self.inside(true, |c| c.statements());
        } else if self.is(":") {
            self.at += 1;
            while self.peek(0).is_some_and(|t| !t.newline || t.column > column) {
                self.statement(&mut body);
            }
            aim(&mut body);
        } else if self.is("do") || self.ends && (self.line_ends() || self.is(";")) {
            self.eat("do");
            while self.at < self.end && !self.is("end") {
                self.statement(&mut body);
            }
            self.eat("end");
            aim(&mut body);
        }
        (self.methods, self.in_class) = outer;
        args_of(body)
    }

    /// `@name(…)` before something, or Elixir's and Ruby's `@name value`.
    pub fn annotated(&mut self, out: &mut Vec<Statement>) {
        let start = self.here();
        let literal = |t: &Token| {
            !t.newline
                && (matches!(t.tag, Tag::Number | Tag::Text) || matches!(self.text_of(t), "true" | "false" | "nil"))
        };
        let end = self.peek(3).is_none_or(|t| t.newline);
        if self.is_at(1, "impl") && self.tag_at(2, Tag::Name) && self.peek(2).is_some_and(|t| !t.newline) {
            // Elixir's mark of a callback says nothing here.
            self.at += 2;
            self.path();
            return;
        }
        let list = self.is_at(2, "[") && self.peek(2).is_some_and(|t| t.space && !t.newline);
        if self.is_at(2, "=") || self.is_at(2, "||=") || self.peek(2).is_some_and(literal) && end || list {
            self.at += 1;
            let mut name = self.name().unwrap_or_default();
            name.text.insert(0, '@');
            name.span.start = start;
            if self.is("=") || self.is("||=") {
                return self.bound(name, out);
            }
            if let Some(value) = self.value() {
                out.push(Statement::Bind(name, value));
            }
            return;
        }
        // Elixir's attributes in a sum.
        if self.peek(2).is_some_and(|t| !t.newline && matches!(self.text_of(t), "*" | "+" | "-" | "/" | "|>")) {
            return self.expression(out);
        }
        if let Some(value) = self.annotation_value() {
            out.push(Statement::Expr(value));
        }
    }

    /// `@name(…)` as a value; a lower-case one without arguments inside a value is a variable.
    pub fn annotation_value(&mut self) -> Option<Value> {
        let start = self.here();
        let operator = |t: Option<&Token>| t.is_some_and(|t| t.tag == Tag::Op && !t.newline);
        let operand = operator(self.at.checked_sub(1).and_then(|at| self.tokens.get(at)))
            && self.peek(0).is_some_and(|t| !t.newline);
        self.at += 1;
        let mut head = self.path();
        head.span.start = start;
        let variable = !self.lines || operand || operator(self.peek(0));
        if !self.is("(") && head.text.starts_with(|c: char| c.is_lowercase()) && variable {
            return Some(Value::new(Kind::Word(format!("@{}", head.text)), head.span));
        }
        let args = if self.is("(") && !self.line_ends() { self.arguments() } else { Vec::new() };
        let span = self.since(start);
        Some(item_value(Item { head, args, form: Form::Annotation, span, ..Item::default() }))
    }

    /// `#[name(…)]`.
    pub fn attribute(&mut self, out: &mut Vec<Statement>) {
        self.at += 1;
        self.eat("!");
        if self.is("[") {
            self.attribute_list(out);
        }
    }

    /// `[Name(…)]` before something, or alone.
    pub fn is_attribute_list(&self) -> bool {
        let close = self.mate(0);
        let capital =
            self.peek(1).is_some_and(|t| t.tag == Tag::Name && self.text_of(t).starts_with(|c: char| c.is_uppercase()));
        let shaped = self.is("[")
            && capital
            && close > self.at + 1
            && self.peek(2).is_none_or(|t| matches!(self.text_of(t), "(" | "]" | "," | "." | "::"));
        let after = self.tokens.get(close + 1).filter(|_| close + 1 < self.end);
        shaped && after.is_none_or(|t| t.newline || self.text_of(t) == "[" || t.tag == Tag::Name)
    }

    pub fn attribute_list(&mut self, out: &mut Vec<Statement>) {
        for arg in self.arguments() {
            let mut item = into_item(arg.value);
            item.form = Form::Annotation;
            out.push(Statement::Expr(item_value(item)));
        }
    }
}
