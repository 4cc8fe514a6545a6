//! Control flow, and bodies by braces, by column, by `end`. Conditions are values like any other (a whole
//! configuration may stand in one); loops and cases are read for what stands in them, not run.

use super::cursor::Cursor;
use super::gather::stepped;
use crate::notation::item::{Kind, Name, Statement, Value};
use crate::notation::lexer::Tag;

impl<'t> Cursor<'t> {
    /// A statement that begins with a word of control flow, if one does.
    pub fn control(&mut self, out: &mut Vec<Statement>) -> bool {
        let Some(token) = self.peek(0) else { return false };
        let word = self.text_of(token);
        let used_as_name = self.peek(1).is_some_and(|t| match t.tag {
            Tag::Op => {
                !matches!(
                    self.text_of(t),
                    "!" | "-" | "&" | "*" | ":" | ";" | "[" | "@" | "..." | "|" | "||" | "->" | "<-"
                ) || self.is_at(1, ":") && !t.newline && !self.python
            }
            Tag::Close => !matches!(word, "return" | "end" | "break" | "continue" | "pass"),
            _ => false,
        });
        if used_as_name || !self.lines {
            return false;
        }
        let column = self.column();
        match word {
            "if" | "unless" | "elif" | "elsif" => self.branch(column, out),
            "else" | "try" | "finally" | "ensure" | "begin" | "unsafe" | "defer" | "init" | "loop"
                if self.peek(1).is_none_or(|t| t.newline || matches!(self.text_of(t), "{" | ":" | "(")) =>
            {
                self.at += 1;
                if self.is("(") {
                    self.header(true, out);
                }
                self.body(column, out);
            }
            "match" | "when" | "case" if self.branches() && !self.is_at(2, ":") => return false,
            "match" if self.python && self.is_at(2, ":") => {
                self.at += 2;
                self.body(column, out);
            }
            "switch" | "case" if self.peek(1).is_some_and(|t| t.space || t.tag == Tag::Open) => self.switch(word, out),
            "rescue" | "except" | "catch" | "when"
                if self.peek(1).is_some_and(|t| t.space || t.tag == Tag::Open || self.is_at(1, ":")) =>
            {
                self.at += 1;
                self.header(true, &mut Vec::new());
                self.looped(word, column, out);
            }
            "while" | "until" | "for" | "foreach" | "with" | "select" | "lock"
                if self.peek(1).is_some_and(|t| t.space || t.tag == Tag::Open) =>
            {
                self.at += 1;
                self.header(true, out);
                self.looped(word, column, out);
            }
            "using" if self.is_at(1, "(") => {
                self.at += 1;
                self.header(true, out);
                self.body(column, out);
            }
            "return" => self.returned(out),
            "throw" => {
                self.at += 1;
                out.extend(self.value().map(Statement::Expr));
                out.push(Statement::Return(self.undefined()));
            }
            "end" | "then" | "pass" | "break" | "continue" | "do"
                if self.line_ends_at(1) || self.is_at(1, ";") || word == "do" && self.is_at(1, "{") =>
            {
                self.at += 1;
                if word == "do" && self.is("{") {
                    self.body(column, out);
                }
            }
            "echo" | "print" | "puts" => return false,
            _ => return false,
        }
        true
    }

    /// What a function gives that ends without a value.
    fn undefined(&self) -> Value {
        Value::new(Kind::Word("undefined".into()), self.since(self.before()))
    }

    fn returned(&mut self, out: &mut Vec<Statement>) {
        self.at += 1;
        if self.line_ends() || self.is(";") {
            return out.push(Statement::Return(self.undefined()));
        }
        let condition = if self.is_any(&["if", "unless"]) { None } else { self.value() };
        let Some(value) = condition else { return };
        let mut values = vec![value];
        while self.is(",") && self.lines {
            self.at += 1;
            values.extend(self.value());
        }
        for value in values {
            match value.kind {
                Kind::Op(op, mut parts) if op == "if" && parts.len() == 2 => {
                    let condition = parts.remove(1);
                    out.push(Statement::If(condition, vec![Statement::Return(parts.remove(0))], Vec::new()));
                }
                kind => out.push(Statement::Return(Value::new(kind, value.span))),
            }
        }
    }

    /// `if c …`, with what follows it.
    fn branch(&mut self, column: u32, out: &mut Vec<Statement>) {
        let negated = self.is("unless");
        self.at += 1;
        let mut conditions = Vec::new();
        self.header(false, &mut conditions);
        let condition = match conditions.pop() {
            Some(Statement::Expr(value)) => value,
            Some(other) => {
                conditions.push(other);
                Value::new(Kind::Unread, self.since(self.before()))
            }
            None => Value::new(Kind::Unread, self.since(self.before())),
        };
        let condition = if negated { super::expression::op("!", vec![condition]) } else { condition };
        out.append(&mut conditions);
        let to_end = self.ends && !self.is("{") && !self.is(":");
        let mut then = Vec::new();
        if to_end && (self.line_ends() || self.is_any(&["then", "do", ","])) {
            self.at += usize::from(self.is_any(&["then", "do"]) && !self.line_ends());
            then = if self.is(",") { self.inline_do() } else { self.until(&["else", "elsif", "end"]) };
        } else {
            self.body(column, &mut then);
        }
        let mut otherwise = Vec::new();
        if self.is(";") && self.is_at(1, "else") {
            self.at += 1;
        }
        if self.is_any(&["else", "elif", "elsif"]) && self.same_block(column) {
            let chained = !self.eat("else");
            if chained || self.is("if") {
                self.deeper(|c| c.branch(column, &mut otherwise));
                return out.push(Statement::If(condition, then, otherwise));
            }
            if to_end {
                otherwise = self.until(&["end"]);
            } else {
                self.body(column, &mut otherwise);
            }
        }
        if to_end {
            self.eat("end");
        }
        out.push(Statement::If(condition, then, otherwise));
    }

    /// Whether the next line still belongs to a branch that began at this column.
    fn same_block(&self, column: u32) -> bool {
        !self.python || self.peek(0).is_some_and(|t| !t.newline || t.column == column)
    }

    /// Elixir's `, do: a, else: b`.
    fn inline_do(&mut self) -> Vec<Statement> {
        let mut out = Vec::new();
        while self.eat(",") && self.is_name() {
            self.at += 1;
            self.eat(":");
            out.extend(self.value().map(Statement::Return));
        }
        out.truncate(1);
        out
    }

    /// What stands between a word of control flow and its body: `x in f()`, `(a; b; c)`, `let Some(x) = y`.
    pub fn header(&mut self, loops: bool, out: &mut Vec<Statement>) {
        let outer = std::mem::replace(&mut self.header, true);
        if self.is("(") && self.group_is_header() {
            let args = self.arguments();
            out.extend(args.into_iter().map(|a| match a.name {
                Some(name) => Statement::Bind(name, a.value),
                None => Statement::Expr(a.value),
            }));
            self.header = outer;
            return;
        }
        let mut first = true;
        while !self.is_any(&["{", ":", "do", "then"]) && self.at < self.end && (first || !self.line_ends()) {
            first = false;
            let before = self.at;
            if self.is_any(&["let", "var", "const", "val", "await", "in", "of", ";", ",", "->", "=>", "=", ":="]) {
                self.at += 1;
                continue;
            }
            match self.value() {
                Some(_) if self.is_any(&["=", ":="]) && self.is_at(1, "range") => self.at += 2,
                Some(value) if self.is_any(&["=", ":="]) && matches!(value.kind, Kind::Word(_)) => {
                    let name = Name { text: value.text().unwrap_or_default().to_string(), span: value.span };
                    self.bound(name, out);
                }
                // What a loop counts with, or runs over by name.
                Some(Value { kind: Kind::Word(_), .. }) if loops => {}
                Some(value) => {
                    let target = if self.eat("as") { self.name() } else { None };
                    self.headed(value, target, out);
                }
                None => {}
            }
            if self.at == before {
                break;
            }
        }
        self.header = outer;
    }

    fn headed(&mut self, mut value: Value, target: Option<Name>, out: &mut Vec<Statement>) {
        if let (Kind::Item(item), Some(_)) = (&mut value.kind, &target) {
            item.target = target;
        }
        out.push(Statement::Expr(value));
    }

    /// Whether the parentheses that are next hold the whole header.
    fn group_is_header(&self) -> bool {
        let close = self.mate(0);
        self.tokens.get(close + 1).filter(|_| close + 1 < self.end).is_none_or(|t| {
            let word = self.text_of(t);
            t.newline
                || t.tag != Tag::Op && !matches!(word, "and" | "or" | "in" | "is" | "not" | "[" | "as" | "instanceof")
                || matches!(word, "-" | "!" | ":" | ";" | "@")
        })
    }

    /// A `switch` or `case` and its cases; or one of them alone, whose label says nothing then.
    fn switch(&mut self, word: &str, out: &mut Vec<Statement>) {
        self.at += 1;
        self.header(false, out);
        let label = self.eat(":") || self.eat("->") || self.eat("=>");
        let subject = match out.pop() {
            Some(Statement::Expr(subject)) => Some(subject),
            Some(other) => {
                out.push(other);
                None
            }
            None => None,
        };
        if !label
            && self.depth < super::cursor::DEPTH
            && (self.is("{") || word == "case" && self.ends && self.line_ends())
        {
            self.cases(subject.as_ref(), out);
        }
        // What is switched on may hold a call; a name or number alone says nothing.
        out.extend(subject.filter(|s| matches!(s.kind, Kind::Item(_))).map(Statement::Expr));
    }

    /// The body of a loop or case.
    fn looped(&mut self, word: &str, column: u32, out: &mut Vec<Statement>) {
        let case = matches!(word, "when" | "rescue" | "except");
        if case && (self.eat("->") || self.eat("=>")) {
            return;
        }
        if self.is("do") && self.ends {
            self.at += 1;
            return out.append(&mut self.until_end());
        }
        if matches!(word, "rescue" | "when") && !self.is("{") {
            self.at += usize::from(self.is_any(&[":", "then"]));
            return;
        }
        if self.line_ends() && self.ends && !self.is("{") && matches!(word, "while" | "until" | "for") {
            return out.append(&mut self.until_end());
        }
        self.body(column, out);
    }

    /// A body in whatever way it is marked, or one statement.
    pub fn body(&mut self, column: u32, out: &mut Vec<Statement>) {
        if self.depth >= super::cursor::DEPTH {
            let value = self.too_deep();
            return out.push(Statement::Expr(value));
        }
        self.depth += 1;
        let methods = std::mem::replace(&mut self.methods, false);
        if self.is("{") {
            let statements = self.inside(true, Self::body_statements);
            out.extend(statements);
        } else if self.eat(":") {
            self.by_column(column, out);
        } else if self.is_any(&["do", "then"]) {
            self.at += 1;
            out.append(&mut self.until_end());
        } else if !self.line_ends() || !self.python {
            let mut one = Vec::new();
            if self.at < self.end {
                self.statement(&mut one);
            }
            out.append(&mut stepped(one));
        }
        self.methods = methods;
        self.depth -= 1;
    }

    /// Python's body: the rest of the line, or every line that begins further right than `column`.
    pub fn by_column(&mut self, column: u32, out: &mut Vec<Statement>) {
        let mut statements = Vec::new();
        while let Some(token) = self.peek(0) {
            if token.newline && token.column <= column {
                break;
            }
            self.statement(&mut statements);
        }
        super::gather::aim(&mut statements);
        out.append(&mut stepped(statements));
    }

    /// A body up to its `end`, which is stepped over.
    pub fn until_end(&mut self) -> Vec<Statement> {
        let body = self.until(&["end"]);
        self.eat("end");
        body
    }

    fn until(&mut self, words: &[&str]) -> Vec<Statement> {
        let mut out = Vec::new();
        let lines = std::mem::replace(&mut self.lines, true);
        let header = std::mem::replace(&mut self.header, false);
        while self.at < self.end && !self.is_any(words) {
            self.statement(&mut out);
        }
        (self.lines, self.header) = (lines, header);
        super::gather::aim(&mut out);
        stepped(out)
    }

    /// `if c {a} else {b}` as a value.
    pub fn if_value(&mut self) -> Option<Value> {
        let start = self.here();
        let mut out = Vec::new();
        let column = self.column();
        self.deeper(|c| c.branch(column, &mut out));
        let value = conditional(out)?;
        Some(Value::new(value.kind, self.since(start)))
    }
}

/// A branch as a conditional value, where each side is one value.
pub(super) fn conditional(mut statements: Vec<Statement>) -> Option<Value> {
    let last = |mut body: Vec<Statement>| match body.pop() {
        Some(Statement::Expr(value) | Statement::Return(value) | Statement::Bind(_, value)) => Some(value),
        Some(branch) => conditional(vec![branch]),
        None => None,
    };
    match statements.pop()? {
        Statement::If(condition, then, otherwise) => {
            let missing = Value::new(Kind::Word("undefined".into()), condition.span);
            let then = last(then).unwrap_or_else(|| missing.clone());
            let otherwise = last(otherwise).unwrap_or(missing);
            Some(super::expression::op("?:", vec![condition, then, otherwise]))
        }
        Statement::Expr(value) | Statement::Return(value) | Statement::Bind(_, value) => Some(value),
    }
}

impl<'t> Cursor<'t> {}
