//! One statement or entry: `name = value`, `name: value`, a declaration with its type, a call without parentheses, an
//! annotation, or just a value.

use super::cursor::Cursor;
use super::gather::{aim, is_steps, item_value, stepped};
use crate::notation::item::{Item, Kind, Name, Statement, Value};
use crate::notation::lexer::Tag;
use crate::span::Span;

impl<'t> Cursor<'t> {
    /// Everything up to the surrounding bracket.
    pub fn statements(&mut self) -> Vec<Statement> {
        let mut out = Vec::new();
        while self.at < self.end {
            self.statement(&mut out);
        }
        aim(&mut out);
        out
    }

    /// The statements of a body: assignments to a field are steps of what has the field.
    pub fn body_statements(&mut self) -> Vec<Statement> {
        let statements = self.statements();
        stepped(statements)
    }

    /// Everything, each with whether it was a loose `name: value`.
    pub fn file(&mut self) -> Vec<(Statement, bool)> {
        let mut all = Vec::new();
        let mut pairs = Vec::new();
        while self.at < self.tokens.len() {
            self.statement(&mut all);
            pairs.resize(all.len(), self.pair);
        }
        aim(&mut all);
        all.into_iter().zip(pairs).collect()
    }

    /// Reads one statement or steps over one token; always makes progress.
    pub fn statement(&mut self, out: &mut Vec<Statement>) {
        let start = self.at;
        self.pair = false;
        if self.depth >= super::cursor::DEPTH {
            let value = self.too_deep();
            return out.push(Statement::Expr(value));
        }
        self.depth += 1;
        self.read_statement(out);
        self.depth -= 1;
        if self.at == start {
            self.at += 1;
        }
    }

    fn read_statement(&mut self, out: &mut Vec<Statement>) {
        let Some(token) = self.peek(0) else { return };
        match token.tag {
            Tag::Close => return,
            Tag::Op if matches!(self.text_of(token), ";" | ",") => return,
            Tag::Op if self.text_of(token) == "@" && self.tag_at(1, Tag::Name) => return self.annotated(out),
            Tag::Op if self.text_of(token) == "#" => return self.attribute(out),
            Tag::Open if self.lines && self.is_attribute_list() => return self.attribute_list(out),
            _ => {}
        }
        if let Some(name) = self.simple_name() {
            return self.bound(name, out);
        }
        if token.keyword && (self.control(out) || self.definition(out) || self.declaration(out)) {
            return;
        }
        if self.lines && self.several_targets() {
            return self.several(out);
        }
        self.expression(out);
    }

    /// A name, text or number with a separator after it.
    pub fn simple_name(&mut self) -> Option<Name> {
        let token = self.peek(0)?;
        if token.tag == Tag::Text && self.is_at(1, "to") && !self.lines {
            // Kotlin's pair
            self.at += 1;
            return Some(named(self.text_of(token), self.span_of(token), token.tag));
        }
        let separator = self.peek(1).filter(|t| t.tag == Tag::Op)?;
        let word = self.text_of(token);
        let separates = match (self.text_of(separator), token.tag) {
            (_, Tag::Open | Tag::Close | Tag::Op) => false,
            (":" | "=" | ":=", _) => !(self.lines && self.opens_block(word)),
            ("+=" | "-=" | "*=" | "/=" | "||=" | "??=" | "<<=", Tag::Name) => true,
            ("=>", Tag::Name) if self.sql => true,
            ("=>", Tag::Name) => {
                word.starts_with(':') || word.starts_with(|c: char| c.is_uppercase()) && word.len() > 1
            }
            ("=>" | "->", Tag::Text | Tag::Number | Tag::Bare) => true,
            ("?", Tag::Name) => !separator.space && self.is_at(2, ":") && self.peek(2).is_some_and(|t| !t.space),
            _ => false,
        };
        if !separates {
            return None;
        }
        self.at += 1;
        let span = self.span_of(token);
        Some(named(word, span, token.tag))
    }

    /// `else:` and their like at a line's end open a block.
    fn opens_block(&self, word: &str) -> bool {
        matches!(word, "else" | "try" | "finally" | "except" | "default")
            && self.is_at(1, ":")
            && self.peek(2).is_none_or(|t| t.newline)
            && self.python
    }

    /// The value of a name that was just read; the separator is next.
    pub fn bound(&mut self, name: Name, out: &mut Vec<Statement>) {
        self.eat("?");
        let separator = self.peek(0).map_or("", |t| self.text_of(t));
        self.at += 1;
        self.pair = matches!(separator, ":" | "=>" | "->" | "to");
        let pair = self.pair;
        let mut value = self.value();
        let typed = pair && self.is("=");
        if typed {
            // `name: Type = value`
            self.at += 1;
            value = self.value();
        } else if pair && value.is_none() && !self.line_ends() && !self.is(",") && !self.is(";") {
            self.skip_type();
        }
        self.pair = pair && !typed;
        let mut value = value.unwrap_or_else(|| Value::new(Kind::Unread, Span::new(self.before(), self.before())));
        if let Some(operator) = separator.strip_suffix('=').filter(|op| !op.is_empty() && *op != ":") {
            let before = Value::new(Kind::Word(name.text.clone()), name.span);
            value = super::expression::op(operator, vec![before, value]);
        }
        self.bind(name, value, typed || separator == "=" || separator == ":=", out);
    }

    /// Keeps a binding; one to a statement's call gives the call its name.
    pub fn bind(&self, name: Name, mut value: Value, assigned: bool, out: &mut Vec<Statement>) {
        if let Kind::Item(item) = &mut value.kind
            && assigned
            && self.lines
            && (self.in_class || !self.methods)
        {
            if item.is("require")
                && item.steps.is_empty()
                && matches!(item.at(0).map(|v| &v.kind), Some(Kind::Text { .. }))
            {
                return out.push(super::declaration::required(item, vec![(name, None)]));
            }
            // A call on a parameter says by its target whom it is made on.
            if !name.text.contains('.') && !is_steps(item) {
                item.target = Some(name.clone());
            }
        }
        out.push(Statement::Bind(name, value));
    }

    /// A value, or what turns out to have one as its name, its type or its method.
    pub fn expression(&mut self, out: &mut Vec<Statement>) {
        let start = self.at;
        if self.methods && self.method(false, out) {
            return;
        }
        let Some(value) = self.value() else { return };
        if self.is_any(&[":", "=", ":=", "=>"]) && !(self.line_ends() && self.is(":")) {
            let name = self.name_of(&value);
            return self.bound(name, out);
        }
        if self.lines && !self.line_ends() && matches!(value.kind, Kind::Word(_)) {
            if self.typed(out) {
                return;
            }
            if self.takes_bare_arguments(start) {
                let call = self.bare_call(value);
                return self.finish(call, out);
            }
        }
        self.finish(value, out);
    }

    /// A value as a statement; `v if c` becomes a condition.
    fn finish(&mut self, value: Value, out: &mut Vec<Statement>) {
        if self.is_any(&["if", "unless"]) && !self.line_ends() && self.lines {
            let negated = self.is("unless");
            self.at += 1;
            if let Some(condition) = self.value() {
                let condition = if negated { super::expression::op("!", vec![condition]) } else { condition };
                return out.push(Statement::If(condition, vec![Statement::Expr(value)], Vec::new()));
            }
        }
        match value.kind {
            Kind::Op(op, mut parts) if op == "if" && parts.len() == 2 => {
                let condition = parts.remove(1);
                out.push(Statement::If(condition, vec![Statement::Expr(parts.remove(0))], Vec::new()));
            }
            Kind::Word(word) if word == "..." => {}
            kind => out.push(Statement::Expr(Value::new(kind, value.span))),
        }
    }

    pub fn name_of(&self, value: &Value) -> Name {
        match &value.kind {
            Kind::Word(text) => Name { text: text.clone(), span: value.span },
            Kind::Text { text, .. } => Name { text: text.clone(), span: value.span },
            Kind::Item(item) if item.steps.is_empty() && !item.head.text.is_empty() => item.head.clone(),
            _ => Name { text: value.span.of(self.text).to_string(), span: value.span },
        }
    }

    /// `Type name …`: the value just read was a type, and the next name is what is declared.
    fn typed(&mut self, out: &mut Vec<Statement>) -> bool {
        if !self.is_name()
            || self
                .is_any(&["in", "is", "as", "if", "unless", "do", "and", "or", "then", "while", "rescue", "not", "of"])
        {
            return false;
        }
        let typed = self.is_type_like(self.at - 1);
        match self.peek(1).filter(|_| !self.line_ends_at(1)).map(|t| self.text_of(t)) {
            Some("=") => self.statement(out),
            Some(";" | ",") if typed => self.at += 1,
            Some("(") if self.is_definition(typed) => return self.method(true, out),
            Some("{") if self.is_at(2, "get") || self.is_at(2, "set") => {
                let name = self.name().unwrap_or_default();
                self.skip_brackets();
                if self.is("=") {
                    self.bound(name, out);
                }
            }
            None if typed && !self.is_type_like(self.at) => self.at += 1,
            _ => return false,
        }
        true
    }

    /// Whether `name(…)` defines: a body or a list of exceptions follows.
    pub fn is_definition(&self, typed: bool) -> bool {
        let close = self.mate(1);
        let after = self.tokens.get(close + 1).filter(|_| close + 1 < self.end).map(|t| self.text_of(t));
        matches!(after, Some("{" | "throws" | "=>" | "where"))
            || typed && matches!(after, None | Some(";" | "=") | Some("}"))
    }

    /// `name(…) {…}` as a method. `sure` where a type stood before it.
    pub fn method(&mut self, sure: bool, out: &mut Vec<Statement>) -> bool {
        let generic = self.is_at(1, "<") && self.mate(1) < self.end;
        let open = if generic { self.mate(1) + 1 - self.at } else { 1 };
        let named = self.is_name() && self.is_at(open, "(");
        let close = self.mate(open);
        let after = self.tokens.get(close + 1).filter(|_| close + 1 < self.end).map_or("", |t| self.text_of(t));
        let body = after == "{" || after == ":" && !self.python;
        if !named || !(sure || body) {
            return false;
        }
        let start = self.here();
        let name = self.name().unwrap_or_default();
        self.skip_generics();
        let function = self.function_rest(name, start, false);
        match self.methods && !sure && !self.in_class {
            true => {
                let Item { head, mut args, .. } = function;
                out.push(Statement::Bind(head, args.remove(0).value));
            }
            false => out.push(Statement::Expr(item_value(function))),
        }
        true
    }
}

/// A key as a name: without quotes.
fn named(written: &str, span: Span, tag: Tag) -> Name {
    let text = match tag {
        Tag::Text => match super::text::plain(written) {
            (text, Some(inside)) => {
                return Name { text, span: Span::new(span.start + inside.start, span.start + inside.end) };
            }
            (text, None) => text,
        },
        _ => written.trim_start_matches(':').to_string(),
    };
    Name { text, span }
}
