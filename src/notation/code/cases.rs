//! `switch`, `match`, `when`, `case`: as a value a chain of conditionals, as a statement a chain of branches. A pattern
//! that is more than a value makes a condition that nobody can know.

use super::cursor::Cursor;
use super::expression::op;
use super::gather::stepped;
use crate::notation::item::{Arg, Item, Kind, Name, Statement, Value};
use crate::notation::lexer::Tag;

/// More branches than this are read for what stands in them only.
const MOST: usize = 32;

impl<'t> Cursor<'t> {
    /// Whether `match`, `when` or `case` here begins branches: a body follows its subject on this line.
    pub fn branches(&self) -> bool {
        (1..16).map_while(|n| self.peek(n).filter(|t| !t.newline)).any(|t| matches!(self.text_of(t), "{" | "do"))
    }

    /// `match x {…}`, `when (x) {…}`, `case x do … end` as a value.
    pub fn branched(&mut self) -> Option<Value> {
        let start = self.here();
        let branched = self.deeper(|c| {
            let head = c.name().unwrap_or_default();
            let mut subjects = Vec::new();
            c.header(false, &mut subjects);
            let mut subjects = super::gather::args_of(subjects);
            let subject = match subjects.len() {
                0 => None,
                1 => Some(subjects.remove(0).value),
                _ => {
                    let list = subjects.into_iter().map(|a| a.value).collect();
                    Some(Value::new(Kind::List(list), c.since(start)))
                }
            };
            c.chosen(head, subject, start)
        });
        Some(branched.unwrap_or_else(|| self.too_deep()))
    }

    /// `x switch {…}`, `x match {…}`; the word is next.
    pub fn branched_after(&mut self, subject: Value) -> Value {
        let start = subject.span.start;
        if self.depth >= super::cursor::DEPTH {
            self.at += 1;
            self.skip_brackets();
            return subject;
        }
        self.depth += 1;
        let head = self.name().unwrap_or_default();
        let chosen = self.chosen(head, Some(subject), start);
        self.depth -= 1;
        chosen
    }

    fn chosen(&mut self, head: Name, subject: Option<Value>, start: usize) -> Value {
        let methods = std::mem::replace(&mut self.methods, false);
        let arms = match () {
            () if self.is("{") => self.inside(true, |c| c.arms(subject.as_ref())),
            () if self.eat("do") => {
                let outer = (std::mem::replace(&mut self.lines, true), std::mem::replace(&mut self.header, false));
                let arms = self.arms(subject.as_ref());
                (self.lines, self.header) = outer;
                self.eat("end");
                arms
            }
            () => Vec::new(),
        };
        self.methods = methods;
        let span = self.since(start);
        // What holds more than a name must be kept, and what has very many arms is no formula.
        if arms.len() > MOST || subject.as_ref().is_some_and(|s| !simple(s)) {
            let values = subject.into_iter().chain(arms.into_iter().map(|(_, value)| value));
            let args = values.map(|value| Arg { name: None, value }).collect();
            return super::gather::item_value(Item { head, args, span, ..Item::default() });
        }
        let nothing = Value::new(Kind::Word("undefined".into()), span);
        let chain = arms.into_iter().rev().fold(nothing, |otherwise, (condition, value)| match condition {
            Some(condition) => op("?:", vec![condition, value, otherwise]),
            None => value,
        });
        Value::new(chain.kind, span)
    }

    /// Each arm's condition (none for the last resort) and value, up to the surrounding bracket or `end`.
    fn arms(&mut self, subject: Option<&Value>) -> Vec<(Option<Value>, Value)> {
        let mut arms = Vec::new();
        while self.at < self.end && !self.is("end") {
            let before = self.at;
            if self.is_any(&[",", ";", "case"]) {
                self.at += 1;
                continue;
            }
            let condition = self.pattern(subject);
            if self.eat("->") || self.eat("=>") {
                self.at += usize::from(self.is_any(&["return", "throw", "break"]));
                let value = if self.is("{") { self.block_value() } else { self.value() };
                let value = value.unwrap_or_else(|| Value::new(Kind::Unread, self.since(self.before())));
                arms.push((condition, value));
            }
            self.at += usize::from(self.at == before);
        }
        arms
    }

    /// A block as the value of its last statement.
    fn block_value(&mut self) -> Option<Value> {
        let start = self.here();
        let statements = self.inside(true, Self::body_statements);
        let value = super::block::conditional(statements)?;
        Some(Value::new(value.kind, self.since(start)))
    }

    /// What must hold for an arm: one of several patterns, and its guard; none for `_`, `else` and `default`.
    fn pattern(&mut self, subject: Option<&Value>) -> Option<Value> {
        let any = self.is_any(&["_", "else", "default"]);
        self.at += usize::from(any);
        let mut condition: Option<Value> = None;
        while !any && self.at < self.end && !self.is_any(&["->", "=>", ":", "if", "when", "end", "then"]) {
            let before = self.at;
            if self.is_any(&[",", "|", "or"]) {
                self.at += 1;
                continue;
            }
            let one = self.one_pattern(subject);
            if let Some(one) = one {
                condition = Some(match condition.take() {
                    Some(other) => op("||", vec![other, one]),
                    None => one,
                });
            }
            if self.at == before || self.line_ends() && !self.is("|") {
                break;
            }
        }
        if self.is_any(&["if", "when"]) && !self.line_ends() {
            self.at += 1;
            let guard = self.binary(0);
            return match (guard, condition) {
                (Some(guard), Some(condition)) => Some(op("&&", vec![condition, guard])),
                (guard, condition) => guard.or(condition),
            };
        }
        condition
    }

    fn one_pattern(&mut self, subject: Option<&Value>) -> Option<Value> {
        let start = self.here();
        let relation = self
            .peek(0)
            .map(|t| self.text_of(t))
            .filter(|t| matches!(*t, "<" | "<=" | ">" | ">=" | "in" | "is" | "not"));
        self.at += usize::from(relation.is_some());
        let Some(subject) = subject.filter(|s| !matches!(&s.kind, Kind::Word(w) if w == "true")) else {
            // What is written is the condition itself.
            return self.binary(0);
        };
        let value = self.binary(6)?;
        if self.is_any(&["..", "..=", "..<"]) {
            return self.range_pattern(Some(subject), value);
        }
        let unknown = || Some(Value::new(Kind::Unread, self.since(start)));
        let literal = matches!(value.kind, Kind::Number { .. } | Kind::Text { .. } | Kind::Word(_));
        match relation {
            _ if !simple(subject) || !literal => unknown(),
            Some(relation @ ("<" | "<=" | ">" | ">=")) => Some(op(relation, vec![subject.clone(), value])),
            Some(_) => unknown(),
            // A name that begins small is a new one, which anything matches.
            None if matches!(&value.kind, Kind::Word(w) if w.starts_with(|c: char| c.is_lowercase()) && w != "true" && w != "false") => {
                unknown()
            }
            None => Some(op("==", vec![subject.clone(), value])),
        }
    }

    /// `1..5`, which takes its end in where `->` follows and not where `=>` does; `1..=5` and `1..<5` say it.
    fn range_pattern(&mut self, subject: Option<&Value>, from: Value) -> Option<Value> {
        let sign = self.text_of(self.peek(0)?);
        self.at += 1;
        let to = self.binary(6)?;
        let Some(subject) = subject.filter(|s| simple(s)) else {
            return Some(Value::new(Kind::Unread, from.span.to(to.span)));
        };
        let below = if sign == "..=" || sign == ".." && self.is("->") { "<=" } else { "<" };
        Some(op("&&", vec![op(">=", vec![subject.clone(), from]), op(below, vec![subject.clone(), to])]))
    }

    /// The cases of a `switch` or `case` statement whose subject was just read.
    pub fn cases(&mut self, subject: Option<&Value>, out: &mut Vec<Statement>) {
        let read = |c: &mut Self| c.labelled(subject);
        let cases = if self.is("{") {
            let methods = std::mem::replace(&mut self.methods, false);
            let cases = self.inside(true, read);
            self.methods = methods;
            cases
        } else {
            let cases = read(self);
            self.eat("end");
            cases
        };
        if cases.len() > MOST {
            return out.extend(cases.into_iter().flat_map(|(_, body)| body));
        }
        let chain = cases.into_iter().rev().fold(Vec::new(), |otherwise, (condition, body)| match condition {
            Some(condition) => vec![Statement::If(condition, body, otherwise)],
            None => body,
        });
        out.extend(chain);
    }

    fn labelled(&mut self, subject: Option<&Value>) -> Vec<(Option<Value>, Vec<Statement>)> {
        let mut cases = Vec::new();
        while self.at < self.end && !self.is("end") {
            let before = self.at;
            let labels = self.is_any(&["case", "when", "default", "else"]);
            if labels {
                self.at += usize::from(self.is_any(&["case", "when"]));
                let condition = self.pattern(subject);
                self.at += usize::from(self.is_any(&[":", "->", "=>", "then"]));
                let mut body = Vec::new();
                while self.at < self.end && !self.next_case() {
                    self.statement(&mut body);
                }
                cases.push((condition, stepped(body)));
            }
            self.at += usize::from(self.at == before);
        }
        cases
    }

    fn next_case(&self) -> bool {
        self.is_any(&["case", "when", "end"])
            || self.is_any(&["default", "else"])
                && (self.is_at(1, ":")
                    || self.is_at(1, "->")
                    || self.is_at(1, "=>")
                    || self.ends && !self.tag_at(1, Tag::Op))
    }
}

/// Whether a value can be repeated in every condition: a name, a number, an operator on them.
fn simple(value: &Value) -> bool {
    let plain = |v: &Value| matches!(v.kind, Kind::Word(_) | Kind::Number { .. });
    match &value.kind {
        Kind::Op(_, parts) => parts.iter().all(plain),
        _ => plain(value),
    }
}
