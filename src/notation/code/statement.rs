//! One statement or entry: `name = value`, `name: value`, a declaration with its type, a call without parentheses, an
//! annotation, or just a value.

use super::cursor::Cursor;
use super::primary::{into_item, item_value};
use crate::notation::item::{Arg, Form, Item, Kind, Name, Statement, Step, Value};
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
    fn simple_name(&mut self) -> Option<Name> {
        let token = self.peek(0)?;
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
        self.pair = matches!(separator, ":" | "=>" | "->");
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
    fn bind(&self, name: Name, mut value: Value, assigned: bool, out: &mut Vec<Statement>) {
        if let Kind::Item(item) = &mut value.kind
            && assigned
            && self.lines
            && (self.in_class || !self.methods)
        {
            if item.is("require")
                && item.steps.is_empty()
                && matches!(item.at(0).map(|v| &v.kind), Some(Kind::Text { .. }))
            {
                return out.push(super::definition::required(item, vec![(name, None)]));
            }
            // A call on a parameter says by its target whom it is made on.
            if !name.text.contains('.') && !is_steps(item) {
                item.target = Some(name.clone());
            }
        }
        out.push(Statement::Bind(name, value));
    }

    /// A value, or what turns out to have one as its name, its type or its method.
    fn expression(&mut self, out: &mut Vec<Statement>) {
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

    fn name_of(&self, value: &Value) -> Name {
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

    /// Whether a token looks like the end of a type's name.
    fn is_type_like(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|t| {
            let text = self.text_of(t);
            text.starts_with(|c: char| c.is_uppercase())
                || matches!(
                    text,
                    "int"
                        | "long"
                        | "double"
                        | "float"
                        | "bool"
                        | "boolean"
                        | "string"
                        | "void"
                        | "short"
                        | "byte"
                        | "decimal"
                        | "]"
                        | ">"
                        | "?"
                )
        })
    }

    /// Whether `name(…)` defines: a body or a list of exceptions follows.
    fn is_definition(&self, typed: bool) -> bool {
        let close = self.mate(1);
        let after = self.tokens.get(close + 1).filter(|_| close + 1 < self.end).map(|t| self.text_of(t));
        matches!(after, Some("{" | "throws" | "=>" | "where"))
            || typed && matches!(after, None | Some(";" | "=") | Some("}"))
    }

    /// `name(…) {…}` as a method. `sure` where a type stood before it.
    fn method(&mut self, sure: bool, out: &mut Vec<Statement>) -> bool {
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

    /// Whether arguments without parentheses follow the name that was just read.
    fn takes_bare_arguments(&self, start: usize) -> bool {
        let Some(token) = self.peek(0).filter(|t| t.space) else { return false };
        let head = &self.tokens[start];
        let command = self.text_of(head).starts_with(|c: char| c.is_lowercase() || c == '_');
        match token.tag {
            Tag::Name => !self.is_any(&[
                "in",
                "is",
                "as",
                "if",
                "unless",
                "do",
                "and",
                "or",
                "then",
                "while",
                "until",
                "rescue",
                "not",
                "of",
                "else",
                "implements",
                "extends",
                "throws",
            ]),
            Tag::Text | Tag::Number | Tag::Bare => true,
            Tag::Open => command && self.text_of(token) == "[",
            Tag::Op => command && self.text_of(token) == "->",
            Tag::Close => false,
        }
    }

    /// `name a, b: c` and `name "label" {…}`.
    fn bare_call(&mut self, head: Value) -> Value {
        let start = head.span.start;
        let mut item = into_item(head);
        let header = std::mem::replace(&mut self.header, true);
        let mut statements = Vec::new();
        loop {
            let before = self.at;
            match self.simple_name() {
                Some(name) => self.bound(name, &mut statements),
                None => match self.value() {
                    Some(value) if self.is("=>") => {
                        let name = self.name_of(&value);
                        self.bound(name, &mut statements);
                    }
                    Some(value) => statements.push(Statement::Expr(value)),
                    None => {}
                },
            }
            let more = self.eat(",") || !self.line_ends() && self.takes_label();
            if self.at == before || !more {
                break;
            }
        }
        self.header = header;
        self.pair = false;
        item.args = args_of(statements);
        if self.is("{") && !self.line_ends() && !self.header {
            let args = self.trailing();
            item.args.extend(args);
        } else if self.is("do") && !self.line_ends() {
            let value = self.do_lambda();
            item.args.push(Arg { name: None, value });
        }
        item.span = self.since(start);
        item_value(self.of_parameter(item))
    }

    /// Whether a further label follows: `resource "t" "n" {`.
    fn takes_label(&self) -> bool {
        self.tag_at(0, Tag::Text)
            || self.tag_at(0, Tag::Name)
                && !self.is_any(&["do", "if", "unless", "end", "then", "while", "rescue", "and", "or"])
    }

    /// `a, b = x, y`, `c.A, c.B = x, y`, `a, err := f()`.
    fn several_targets(&self) -> bool {
        let mut comma = false;
        for ahead in 0..24 {
            let Some(token) = self.peek(ahead) else { return false };
            match token.tag {
                Tag::Name if ahead == 0 || self.tag_at(ahead - 1, Tag::Op) => {}
                Tag::Op if self.text_of(token) == "," => comma = true,
                Tag::Op if matches!(self.text_of(token), "." | "*") => {}
                Tag::Op if matches!(self.text_of(token), "=" | ":=") => return comma,
                _ => return false,
            }
            if ahead > 0 && token.newline && !comma {
                return false;
            }
        }
        false
    }

    fn several(&mut self, out: &mut Vec<Statement>) {
        let mut names = Vec::new();
        while !self.is_any(&["=", ":="]) && self.at < self.end {
            if self.is_name() {
                names.push(self.path());
            } else {
                self.at += 1;
            }
        }
        self.at += 1;
        let mut values = Vec::new();
        while let Some(value) = self.value() {
            values.push(value);
            if !self.eat(",") {
                break;
            }
        }
        self.pairwise(names, values, out);
    }

    /// Binds names to values one by one; a single list is taken apart; a single call has the first name.
    pub fn pairwise(&mut self, names: Vec<Name>, mut values: Vec<Value>, out: &mut Vec<Statement>) {
        if names.len() > 1
            && let [Value { kind: Kind::List(list), .. }] = values.as_mut_slice()
            && list.len() == names.len()
        {
            values = std::mem::take(list);
        }
        if names.len() > values.len() && values.len() == 1 {
            let call = matches!(values[0].kind, Kind::Item(_));
            let mut names = names.into_iter().filter(|n| !is_result(&n.text));
            // `a, err := f()`, but C's `int a, b, c = 1`.
            match if call { names.next() } else { names.next_back() } {
                Some(name) => self.bind(name, values.remove(0), true, out),
                None => out.push(Statement::Expr(values.remove(0))),
            }
            return;
        }
        for (name, value) in names.into_iter().zip(values) {
            self.bind(name, value, true, out);
        }
    }
}

/// Names that hold no configuration: what went wrong, and nothing.
fn is_result(name: &str) -> bool {
    matches!(name, "_" | "err" | "error")
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

/// Statements as arguments: bindings by name, values without one.
pub(super) fn args_of(statements: Vec<Statement>) -> Vec<Arg> {
    let mut args = Vec::with_capacity(statements.len());
    for statement in statements {
        match statement {
            Statement::Bind(name, value) => args.push(Arg { name: Some(name), value }),
            Statement::Return(value) | Statement::Expr(value) => args.push(Arg { name: None, value }),
            Statement::If(condition, then, otherwise) => {
                args.push(Arg { name: None, value: condition });
                args.extend(args_of(then));
                args.extend(args_of(otherwise));
            }
        }
    }
    args
}

/// Gives annotations the name of what stands after them; those after which nothing stands share a place.
pub(super) fn aim(statements: &mut [Statement]) {
    let mut aimed: Option<Name> = None;
    for statement in statements.iter_mut().rev() {
        match statement {
            Statement::Expr(Value { kind: Kind::Item(item), .. }) if item.form == Form::Annotation => {
                let nothing = || Name { text: String::new(), span: Span::new(item.span.end, item.span.end) };
                item.target = Some(aimed.get_or_insert_with(nothing).clone());
            }
            Statement::Expr(Value { kind: Kind::Item(item), .. }) => {
                aimed = item.target.clone().or_else(|| Some(item.head.clone()));
            }
            Statement::Bind(name, _) => aimed = Some(name.clone()),
            _ => aimed = None,
        }
    }
}

/// Turns `b.A = 1` into an item without a head whose target is `b` and whose step sets `A`; several in a row are one.
pub(super) fn stepped(statements: Vec<Statement>) -> Vec<Statement> {
    let mut out: Vec<Statement> = Vec::with_capacity(statements.len());
    for statement in statements {
        let mut item = match statement {
            Statement::Bind(name, value) => match split_target(&name) {
                Some((target, path)) => {
                    let span = name.span.to(value.span);
                    Item { target: Some(target), steps: vec![Step::Set { path, value }], span, ..Item::default() }
                }
                None => {
                    out.push(Statement::Bind(name, value));
                    continue;
                }
            },
            Statement::Expr(Value { kind: Kind::Item(item), .. }) if is_steps(&item) => *item,
            other => {
                out.push(other);
                continue;
            }
        };
        match out.last_mut() {
            Some(Statement::Expr(Value { kind: Kind::Item(last), span }))
                if is_steps(last) && last.target.as_ref().map(|n| &n.text) == item.target.as_ref().map(|n| &n.text) =>
            {
                last.steps.append(&mut item.steps);
                last.span = last.span.to(item.span);
                *span = last.span;
            }
            _ => out.push(Statement::Expr(item_value(item))),
        }
    }
    out
}

/// Whether an item is only steps on a name.
pub(in crate::notation) fn is_steps(item: &Item) -> bool {
    item.head.text.is_empty()
        && item.args.is_empty()
        && item.target.is_some()
        && item.form == Form::Call
        && !item.steps.is_empty()
}

/// `b.A.B` as what is changed and the path in it.
fn split_target(name: &Name) -> Option<(Name, Name)> {
    // The object itself is part of the target, unless nothing else is.
    let own = ["this.", "self.", "$this->"].iter().find(|p| name.text.starts_with(**p)).map_or(0, |p| p.len());
    let inner = name.text[own..].find(['.', '>']).map(|at| at + own);
    let at = inner.or(own.checked_sub(1))?;
    let target = name.text[..at].trim_end_matches('-').to_string();
    let end = name.span.start + target.len();
    let path = Name {
        text: name.text[at + 1..].to_string(),
        span: Span::new(name.span.end - (name.text.len() - at - 1).min(name.span.end), name.span.end),
    };
    Some((Name { text: target, span: Span::new(name.span.start, end) }, path))
}
