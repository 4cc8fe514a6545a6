//! What a call of one of the text's own functions gives: `Retry(op, policy(5))` with `func policy(n int) …` elsewhere.

use super::super::item::{Arg, Form, Fun, Kind, Name, Statement, Step, Value};
use super::scope::{AHEAD, Scope, own};
use crate::span::Span;
use std::mem::take;

impl Scope {
    /// Replaces a call of a function of the text by what the function returns, with what it is given in the place of its
    /// parameters; a function that returns under a condition stays a call.
    pub(super) fn answer(&mut self, value: &mut Value) {
        let Kind::Item(call) = &mut value.kind else { return };
        if !matches!(call.form, Form::Call | Form::Annotation) {
            return;
        }
        let Some(mut given) = self.answer_of(&call.head.text) else { return };
        let args: Vec<&Arg> = call.args.iter().collect();
        let params: Vec<&Name> = given.0.iter().filter(|p| !is_own(&p.text)).collect();
        if args.len() > params.len() {
            return;
        }
        // One object with the parameters as its entries.
        let entries = match args.as_slice() {
            [Arg { name: None, value: Value { kind: Kind::Item(map), .. } }] if map.form == Form::Map => &map.args,
            _ => &Vec::new(),
        };
        let is_param = |name: &Option<Name>| name.as_ref().is_some_and(|n| params.iter().any(|p| p.text == n.text));
        let by_entry = !entries.is_empty() && entries.iter().all(|entry| is_param(&entry.name));
        let args = if by_entry { entries.iter().collect() } else { args };
        let found = |word: &str| {
            let named = args.iter().find(|a| a.name.as_ref().is_some_and(|n| n.text == word));
            let at = params.iter().position(|p| p.text == word)?;
            let placed = args.get(at).filter(|a| a.name.is_none());
            named.or(placed).map(|a| a.value.clone())
        };
        fill(&mut given.1, &found, Some(call.span));
        match &mut given.1.kind {
            Kind::Item(item) if matches!(item.form, Form::Call | Form::Map) => {
                if call.form == Form::Annotation && item.form == Form::Call {
                    item.form = call.form;
                }
                item.target = call.target.take().or(item.target.take());
                // With what it is given it is a block of its own, where it is called.
                let filled = !call.args.is_empty() && !item.head.text.is_empty();
                if filled || !call.steps.is_empty() {
                    item.steps.append(&mut take(&mut call.steps));
                    item.span = call.span;
                    given.1.span = call.span;
                }
                *value = given.1;
            }
            Kind::List(_) | Kind::Fun(_) if call.steps.is_empty() => *value = given.1,
            _ => {}
        }
    }

    /// The parameters of a function of the text and what it returns.
    fn answer_of(&mut self, name: &str) -> Option<(Vec<Name>, Value)> {
        let (fun, later) = self.function(name)?;
        let answered = (fun.params.clone(), returned(fun)?.clone());
        if !later {
            return self.spend(&answered.1).then_some(answered);
        }
        let mut whole = Value::new(Kind::Fun(Box::new(fun.clone())), answered.1.span);
        if !self.spend(&whole) {
            return None;
        }
        self.running.push(name.to_string());
        self.ahead += 1;
        self.value(&mut whole);
        self.ahead -= 1;
        self.running.pop();
        let Kind::Fun(fun) = whole.kind else { return None };
        let value = returned(&fun)?.clone();
        Some((fun.params, value))
    }

    /// The function of the text that a head calls, and whether names in it are still to be replaced.
    pub fn function(&self, head: &str) -> Option<(&Fun, bool)> {
        let name = Some(own(head)).filter(|own| !own.is_empty()).unwrap_or(head);
        if name.is_empty() || self.copies == 0 || self.ahead >= AHEAD || self.running.iter().any(|r| r == head) {
            return None;
        }
        let before = self.own.get(name).or_else(|| self.bound.get(name)).map(|value| (value, false));
        let (value, later) = before.or_else(|| self.later.get(name).map(|value| (value, true)))?;
        Some((value.fun()?, later))
    }

    /// Counts a copy of a value; false if it may not be made.
    pub fn spend(&mut self, value: &Value) -> bool {
        self.copies = self.copies.saturating_sub(1);
        self.fits(value)
    }
}

/// Whether a parameter is the object itself.
fn is_own(name: &str) -> bool {
    matches!(name, "self" | "this" | "cls")
}

/// What a function returns at its end, if it returns nowhere else and gives a thing that can be configured.
fn returned(fun: &Fun) -> Option<&Value> {
    let at = fun.body.iter().position(|s| matches!(s, Statement::Return(_)))?;
    let (before, after) = fun.body.split_at(at);
    // Go returns an error beside it.
    let alone = after.iter().all(|s| matches!(s, Statement::Return(_)));
    let plain = before.iter().all(|s| matches!(s, Statement::Bind(..) | Statement::Expr(_)));
    match &after[0] {
        Statement::Return(value)
            if alone && plain && matches!(value.kind, Kind::Item(_) | Kind::List(_) | Kind::Word(_) | Kind::Fun(_)) =>
        {
            Some(value)
        }
        _ => None,
    }
}

/// Puts values in the place of words; whether there were any. A call that holds one stands where it is asked for.
fn fill(value: &mut Value, found: &dyn Fn(&str) -> Option<Value>, place: Option<Span>) -> bool {
    match &mut value.kind {
        Kind::Word(word) => {
            let Some(given) = found(word) else { return false };
            *value = given;
            true
        }
        // A parameter's default, which a caller replaces.
        Kind::Op(op, parts) if op == "=" && parts.len() == 2 => {
            let filled = fill(&mut parts[0], found, place);
            if filled {
                *value = parts.swap_remove(0);
            }
            filled
        }
        Kind::List(values) | Kind::Op(_, values) => {
            values.iter_mut().fold(false, |filled, v| fill(v, found, place) | filled)
        }
        Kind::Item(item) => {
            let args = |args: &mut [Arg]| args.iter_mut().fold(false, |f, arg| fill(&mut arg.value, found, place) | f);
            let mut filled = args(&mut item.args);
            for step in &mut item.steps {
                filled |= match step {
                    Step::Call { args: given, .. } => args(given),
                    Step::Set { value, .. } => fill(value, found, place),
                };
            }
            if let Some(place) = place.filter(|_| filled && item.form == Form::Call && !item.head.text.is_empty()) {
                item.span = place;
            }
            filled
        }
        Kind::Fun(fun) => {
            let inner = std::mem::take(&mut fun.params);
            let own = |word: &str| found(word).filter(|_| !inner.iter().any(|p| p.text == word));
            let filled = fill_body(&mut fun.body, &own, place);
            fun.params = inner;
            filled
        }
        Kind::Number { .. } | Kind::Text { .. } | Kind::Unread => false,
    }
}

pub(super) fn fill_body(body: &mut [Statement], found: &dyn Fn(&str) -> Option<Value>, place: Option<Span>) -> bool {
    body.iter_mut().fold(false, |filled, statement| match statement {
        Statement::Bind(_, value) | Statement::Return(value) | Statement::Expr(value) => {
            fill(value, found, place) | filled
        }
        Statement::If(condition, then, otherwise) => {
            fill(condition, found, place) | fill_body(then, found, place) | fill_body(otherwise, found, place) | filled
        }
    })
}
