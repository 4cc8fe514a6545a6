//! Declarations by keyword: `const x: T = v`, `let (a, b) = v`, `var x T = v`, `val x = v`.

use super::cursor::Cursor;
use super::gather::item_value;
use super::types::is_primitive;
use crate::notation::item::{Arg, Form, Item, Kind, Name, Statement, Value};
use crate::notation::lexer::Tag;

impl<'t> Cursor<'t> {
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
        if self.is_any(&["val", "let", "var"]) && self.tag_at(1, Tag::Name) {
            self.at += 1;
        }
        let braces = self.is("{");
        let (names, renames) = self.declared_names();
        let taken_apart =
            !self.tag_at(0, Tag::Name) && self.tokens.get(self.at - 1).is_some_and(|t| t.tag == Tag::Close);
        self.eat("?");
        self.eat("!");
        if word == "var" && names.len() == 1 && self.made_empty(&names[0], out) {
            return true;
        }
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
            // What was taken out of a call's answer is not the call.
            (true, Some(Kind::Item(_))) if braces => {
                out.push(Statement::Expr(values.remove(0)));
                out.extend(renames.into_iter().filter(is_default));
            }
            (true, Some(Kind::Word(path))) => out.extend(names.into_iter().map(|key| {
                let member = Value::new(Kind::Word(format!("{path}.{}", key.text)), values[0].span);
                match local_of(&renames, &key) {
                    Some(Statement::Bind(local, Value { kind: Kind::Op(op, parts), span })) => {
                        let parts = vec![member, parts[1].clone()];
                        Statement::Bind(local.clone(), Value::new(Kind::Op(op.clone(), parts), *span))
                    }
                    _ => Statement::Bind(renamed(&renames, &key), member),
                }
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

    /// Go's `var b backoff.Backoff`, which makes one with nothing set.
    fn made_empty(&mut self, name: &Name, out: &mut Vec<Statement>) -> bool {
        let start = self.at;
        let typed = self.lines && !self.line_ends() && self.is_name();
        let head = if typed { self.path() } else { Name::default() };
        if !head.text.contains('.') || !self.line_ends() {
            self.at = start;
            return false;
        }
        let span = head.span;
        self.bind(name.clone(), item_value(Item { head, span, ..Item::default() }), true, out);
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
}

/// The binding of a key that was taken out of an object under another name, or with a default.
fn local_of<'a>(renames: &'a [Statement], key: &Name) -> Option<&'a Statement> {
    renames.iter().find(|statement| match statement {
        Statement::Bind(_, Value { kind: Kind::Word(of), .. }) => *of == key.text,
        Statement::Bind(_, Value { kind: Kind::Op(_, parts), .. }) => {
            matches!(parts.as_slice(), [Value { kind: Kind::Word(of), .. }, _] if *of == key.text)
        }
        _ => false,
    })
}

/// The local name of a key that was taken out of an object.
fn renamed(renames: &[Statement], key: &Name) -> Name {
    match local_of(renames, key) {
        Some(Statement::Bind(local, _)) => local.clone(),
        _ => key.clone(),
    }
}

/// Whether a binding gives a default.
fn is_default(statement: &Statement) -> bool {
    matches!(statement, Statement::Bind(_, Value { kind: Kind::Op(op, _), .. }) if op == "=")
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
