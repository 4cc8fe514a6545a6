//! Imports, classes, functions, declarations and annotations.

use super::cursor::Cursor;
use super::primary::{is_primitive, item_value};
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

    /// `const x: T = v`, `let (a, b) = v`, `var x T = v`, `val x = v`.
    pub fn declaration(&mut self, out: &mut Vec<Statement>) -> bool {
        let declares = self.is_any(&["const", "let", "var", "val", "my", "def"])
            && self.peek(1).is_some_and(|t| t.space && matches!(t.tag, Tag::Name | Tag::Open))
            && !self.line_ends_at(1);
        if !declares {
            return false;
        }
        let word = self.text_of(&self.tokens[self.at]);
        self.at += 1;
        if self.is("(")
            && matches!(word, "const" | "var")
            && self.tokens.get(self.mate(0) + 1).is_none_or(|t| t.newline)
        {
            // Go's `const ( … )`
            let mut group = self.inside(true, |c| c.statements());
            out.append(&mut group);
            return true;
        }
        while self.is_any(&["mut", "ref", "static", "lazy"]) && self.tag_at(1, Tag::Name) {
            self.at += 1;
        }
        let (names, renames) = self.declared_names();
        let taken_apart =
            !self.tag_at(0, Tag::Name) && self.tokens.get(self.at - 1).is_some_and(|t| t.tag == Tag::Close);
        self.eat("?");
        self.eat("!");
        if self.eat(":") || !self.is_any(&["=", ":=", ";", ",", "by"]) && !self.line_ends() {
            self.skip_type();
        }
        if !self.is_any(&["=", ":=", "by"]) {
            return true;
        }
        self.at += 1;
        let Some(value) = self.value() else { return true };
        let mut values = vec![value];
        while names.len() > values.len() && !taken_apart && self.eat(",") {
            values.extend(self.value());
        }
        if taken_apart && self.required_names(&names, &renames, &values, out) {
            return true;
        }
        match (taken_apart, values.first().map(|v| &v.kind)) {
            // `const { a, b } = c` is `a = c.a`, `b = c.b`.
            (true, Some(Kind::Word(path))) => out.extend(names.into_iter().map(|key| {
                let member = Value::new(Kind::Word(format!("{path}.{}", key.text)), values[0].span);
                Statement::Bind(renamed(&renames, &key), member)
            })),
            _ => self.pairwise(names, values, out),
        }
        // `let a = 1, b = 2`
        while self.is(",") && self.tag_at(1, Tag::Name) && self.lines {
            self.at += 1;
            self.statement(out);
        }
        true
    }

    /// One name, several with commas, or those inside a pattern.
    fn declared_names(&mut self) -> (Vec<Name>, Vec<Statement>) {
        if self.tag_at(0, Tag::Open) {
            let open = self.at;
            let mut found = self.parameters(open, self.mate(0) + 1, false);
            if self.is("(") {
                found = self.parameters(open + 1, self.mate(0), false);
            }
            self.skip_brackets();
            return found;
        }
        if self.tag_at(1, Tag::Name) && is_primitive(self.text_of(&self.tokens[self.at])) && self.is_at(2, "=") {
            // `const int x = …`
            self.at += 1;
        }
        let mut names = vec![self.path()];
        if self.is("(") {
            // `let Some(x) = …`
            self.skip_brackets();
        }
        while self.is(",") && self.tag_at(1, Tag::Name) {
            self.at += 1;
            names.extend(self.name());
        }
        (names, Vec::new())
    }

    /// `const { a: b } = require('m')`.
    fn required_names(
        &self,
        names: &[Name],
        renames: &[Statement],
        values: &[Value],
        out: &mut Vec<Statement>,
    ) -> bool {
        let Some(item) = values.first().and_then(Value::item).filter(|i| i.is("require") && i.steps.is_empty()) else {
            return false;
        };
        let names = names.iter().map(|n| (renamed(renames, n), Some(n.text.clone()))).collect();
        out.push(required(item, names));
        true
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
        let params = if self.is("(") { self.parameter_list(first) } else { (Vec::new(), Vec::new()) };
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
            () if self.is("do") || self.ends && self.line_ends() => {
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

    /// `class Name(bases):`, `class Name extends Base {`, `impl Trait for Name {`.
    fn class(&mut self, word: &str, from: usize, out: &mut Vec<Statement>) -> bool {
        let start = self.here();
        let column = self.tokens[from].column;
        self.at += 1;
        if word == "impl" && self.is("<") {
            self.at = self.mate(0).max(self.at) + 1;
        }
        if self.is("class") {
            self.at += 1;
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
        let outer = (std::mem::replace(&mut self.methods, true), std::mem::replace(&mut self.in_class, true));
        let mut body = Vec::new();
        if self.is("{") {
            body = self.inside(true, |c| c.statements());
        } else if self.is(":") {
            self.at += 1;
            while self.peek(0).is_some_and(|t| !t.newline || t.column > column) {
                self.statement(&mut body);
            }
            super::statement::aim(&mut body);
        } else if self.is("do") || self.ends && self.line_ends() {
            self.eat("do");
            while self.at < self.end && !self.is("end") {
                self.statement(&mut body);
            }
            self.eat("end");
            super::statement::aim(&mut body);
        }
        (self.methods, self.in_class) = outer;
        super::statement::args_of(body)
    }

    /// `@name(…)` before something, or Elixir's and Ruby's `@name value`.
    pub fn annotated(&mut self, out: &mut Vec<Statement>) {
        let start = self.here();
        let literal = |t: &crate::notation::lexer::Token| {
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
        if self.is_at(2, "=") || self.is_at(2, "||=") || self.peek(2).is_some_and(literal) && end {
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
        if let Some(value) = self.annotation_value() {
            out.push(Statement::Expr(value));
        }
    }

    /// `@name(…)` as a value; a lower-case one without arguments inside a value is a variable.
    pub fn annotation_value(&mut self) -> Option<Value> {
        let start = self.here();
        self.at += 1;
        let mut head = self.path();
        head.span.start = start;
        if !self.is("(") && head.text.starts_with(|c: char| c.is_lowercase()) && !self.lines {
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
            let mut item = super::primary::into_item(arg.value);
            item.form = Form::Annotation;
            out.push(Statement::Expr(item_value(item)));
        }
    }
}

/// The local name of a key that was taken out of an object.
fn renamed(renames: &[Statement], key: &Name) -> Name {
    let local = renames.iter().find_map(|statement| match statement {
        Statement::Bind(local, Value { kind: Kind::Word(of), .. }) if *of == key.text => Some(local),
        _ => None,
    });
    local.unwrap_or(key).clone()
}

/// `const x = require('m')` as an import: of the module itself, or of names in it.
pub(super) fn required(item: &Item, names: Vec<(Name, Option<String>)>) -> Statement {
    let module = item.at(0).and_then(Value::text).unwrap_or_default().to_string();
    let span = item.at(0).map_or(item.span, |v| v.span);
    let args = names.into_iter().map(|(local, member)| {
        let path = member.map_or(module.clone(), |m| format!("{module}.{m}"));
        Arg { value: Value::new(Kind::Word(path), local.span), name: Some(local) }
    });
    let import = Item {
        args: args.collect(),
        head: Name { text: module.clone(), span },
        form: Form::Import,
        span: item.span,
        ..Item::default()
    };
    Statement::Expr(item_value(import))
}
