//! Parameters of functions, taken apart or not, with the values they have where a caller gives none.

use super::cursor::Cursor;
use super::gather::item_value;
use crate::notation::item::{Item, Kind, Name, Statement, Step, Value};
use crate::notation::lexer::Tag;
use std::ops::Range;

/// Names of parameters, and what must be bound first: where a parameter has a default (`n = 3` binds `n` to the operator
/// `=` on `n` and 3), or is taken apart under another name.
pub(super) type Parameters = (Vec<Name>, Vec<Statement>);

impl<'t> Cursor<'t> {
    /// The parameters in the parentheses that are next. `first`: a name stands before its type.
    pub fn parameter_list(&mut self, first: bool) -> Parameters {
        let params = self.parameters(self.at + 1, self.mate(0), first);
        self.skip_brackets();
        params
    }

    /// The parameters in a range of tokens.
    pub fn parameters(&mut self, from: usize, to: usize, first: bool) -> Parameters {
        let mut params = (Vec::new(), Vec::new());
        let to = to.min(self.tokens.len());
        let mut at = from;
        while at <= to {
            let end = self.comma(at, to);
            self.parameter(at..end, first, &mut params);
            at = end + 1;
        }
        params
    }

    /// The next comma outside of brackets, or the end.
    fn comma(&self, mut at: usize, to: usize) -> usize {
        while at < to && self.text_of(&self.tokens[at]) != "," {
            at = self.behind(at, to);
        }
        at.min(to)
    }

    /// The place after a token, or after the pair of brackets that it opens.
    fn behind(&self, at: usize, to: usize) -> usize {
        let mate = self.tokens[at].mate as usize;
        let skips = self.tokens[at].tag == Tag::Open || self.text_of(&self.tokens[at]) == "<";
        if skips && mate < to { mate + 1 } else { at + 1 }
    }

    /// One parameter.
    fn parameter(&mut self, range: Range<usize>, first: bool, (params, body): &mut Parameters) {
        // Brackets by their opening.
        let mut all = Vec::new();
        let mut at = range.start;
        while at < range.end {
            all.push(at);
            at = self.behind(at, range.end);
        }
        let text = |at: &usize| self.text_of(&self.tokens[*at]);
        // `@A(x) final T t`
        let mut group = all.as_slice();
        while let [sign, name, rest @ ..] = group
            && text(sign) == "@"
            && self.tokens[*name].tag == Tag::Name
        {
            group = if rest.first().is_some_and(|at| text(at) == "(") { &rest[1..] } else { rest };
        }
        let assigned = group.iter().position(|at| matches!(text(at), "=" | "\\\\"));
        let mut default = assigned.and_then(|at| group.get(at + 1).copied());
        let group = &group[..assigned.unwrap_or(group.len())];
        let named = |at: &usize| Name { text: text(at).to_string(), span: self.span_of(&self.tokens[*at]) };
        let names: Vec<usize> =
            group.iter().copied().filter(|at| self.tokens[*at].tag == Tag::Name && !is_modifier(text(at))).collect();
        let of_object = group.iter().any(|at| matches!(text(at), "private" | "public" | "protected" | "readonly"));
        let taken_apart = group.iter().find(|at| matches!(text(at), "{" | "["));
        let name = if let Some(open) = taken_apart.filter(|at| text(at) == "{" || names.is_empty()) {
            return self.taken_apart(*open, params, body);
        } else if let Some(colon) = group.iter().position(|at| text(at) == ":") {
            if self.ends && assigned.is_none() {
                default = group.get(colon + 1).copied();
            }
            names.iter().find(|at| group[..colon].contains(at)).map(named)
        } else {
            if first { names.first() } else { names.last() }.map(named)
        };
        let Some(name) = name else { return };
        params.push(name.clone());
        body.extend(default.and_then(|from| self.defaulted(&name, &name, from..range.end)));
        body.extend(of_object.then(|| member(name)));
    }

    /// A parameter's local name bound to what is given under its key, else to the value in a range.
    fn defaulted(&mut self, local: &Name, key: &Name, range: Range<usize>) -> Option<Statement> {
        let outer = (self.at, self.end, self.lines, self.header);
        (self.at, self.end, self.lines, self.header) = (range.start, range.end, false, false);
        let value = self.value();
        (self.at, self.end, self.lines, self.header) = outer;
        let given = Value::new(Kind::Word(key.text.clone()), key.span);
        let Some(default) = value.filter(|v| !v.is_null()) else {
            return (local != key).then(|| Statement::Bind(local.clone(), given));
        };
        let span = key.span.to(default.span);
        Some(Statement::Bind(local.clone(), Value::new(Kind::Op("=".into(), vec![given, default]), span)))
    }

    /// The names inside `{a, b: c, d = 1}`, `%{a: c}` and `[a, b]`: each by its key, bound to its local name.
    fn taken_apart(&mut self, open: usize, params: &mut Vec<Name>, body: &mut Vec<Statement>) {
        let close = (self.tokens[open].mate as usize).min(self.tokens.len());
        let mut at = open + 1;
        while at < close {
            let name = |at: usize| Name {
                text: self.text_of(&self.tokens[at]).to_string(),
                span: self.span_of(&self.tokens[at]),
            };
            let next = |n: usize| if at + n < close { self.text_of(&self.tokens[at + n]) } else { "" };
            if self.tokens[at].tag != Tag::Name {
                at += 1;
                continue;
            }
            let renamed = next(1) == ":" && at + 2 < close && self.tokens[at + 2].tag == Tag::Name;
            if next(1) == ":" && at + 2 < close && self.tokens[at + 2].tag == Tag::Number {
                // Elixir's `%Job{attempt: 1}`: this is the function for that number alone.
                let key = name(at);
                let number = super::super::scalar::bare(next(2), self.span_of(&self.tokens[at + 2]));
                let given = Value::new(Kind::Word(key.text.clone()), key.span);
                body.push(no_match(super::expression::op("!=", vec![given, number])));
                params.push(key);
                at += 3;
                continue;
            }
            if next(1) == ":" && !renamed {
                at += 1;
                continue;
            }
            let (key, local) = (name(at), name(if renamed { at + 2 } else { at }));
            let sign = if renamed { 3 } else { 1 };
            let default = (next(sign) == "=").then_some(at + sign + 1);
            at += sign;
            if let Some(from) = default {
                let end = self.comma(from, close);
                body.extend(self.defaulted(&local, &key, from..end));
                at = end;
            } else if local.text != key.text {
                body.push(Statement::Bind(local, Value::new(Kind::Word(key.text.clone()), key.span)));
            }
            params.push(key);
        }
    }
}

/// What a function does that is not for these arguments: nothing.
pub(super) fn no_match(condition: Value) -> Statement {
    let nothing = Value::new(Kind::Word("nil".into()), condition.span);
    Statement::If(condition, vec![Statement::Return(nothing)], Vec::new())
}

/// `this.name = name`, which a parameter of a constructor with a modifier stands for.
fn member(name: Name) -> Statement {
    let span = name.span;
    let value = Value::new(Kind::Word(name.text.clone()), span);
    let target = Some(Name { text: "this".into(), span });
    Statement::Expr(item_value(Item { target, steps: vec![Step::Set { path: name, value }], span, ..Item::default() }))
}

fn is_modifier(word: &str) -> bool {
    matches!(
        word,
        "final"
            | "mut"
            | "ref"
            | "out"
            | "const"
            | "readonly"
            | "private"
            | "public"
            | "protected"
            | "val"
            | "var"
            | "params"
            | "this"
    )
}
