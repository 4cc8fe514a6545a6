//! Calls without parentheses, and several names bound at once.

use super::cursor::Cursor;
use super::gather::{args_of, into_item, item_value};
use crate::notation::item::{Arg, Kind, Name, Statement, Value};
use crate::notation::lexer::Tag;

impl<'t> Cursor<'t> {
    /// Whether arguments without parentheses follow the name that was just read.
    pub fn takes_bare_arguments(&self, start: usize) -> bool {
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
    pub fn bare_call(&mut self, head: Value) -> Value {
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
    pub fn several_targets(&self) -> bool {
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

    pub fn several(&mut self, out: &mut Vec<Statement>) {
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
