//! Going through statements in order: uses are replaced, bindings remembered, steps moved to what they are done to.

use super::super::code::is_steps;
use super::super::item::{Arg, Form, Item, Kind, Name, Statement, Step, Value};
use super::extend::{extend, head_call, owner};
use super::lists::{joined, plain};
use super::scope::{Scope, bound_name, bound_value, default_of, root};
use crate::duration::Unit;
use std::collections::HashMap;

/// Where in a row of statements a name was bound last.
type Home = HashMap<String, usize>;

impl Scope {
    /// The outermost items.
    pub fn outermost(&mut self, items: &mut Vec<Item>) {
        let mut home = Home::new();
        let mut at = 0;
        for index in 0..items.len() {
            let mut item = std::mem::take(&mut items[index]);
            if let Some((at, steps)) = self.moved(&mut item, &home) {
                extend(&mut items[at], steps);
                continue;
            }
            self.item(&mut item);
            let called = matches!(item.form, Form::Call | Form::Annotation) && item.target.is_some();
            if called && self.function(&item.head.text).is_some() {
                let mut value = Value::new(Kind::Item(Box::new(item.clone())), item.span);
                self.answer(&mut value);
                if let Kind::Item(answered) = value.kind {
                    item = *answered;
                }
            }
            if let Some(name) = self.remember(&item) {
                home.insert(name, at);
            }
            items[at] = item;
            at += 1;
        }
        items.truncate(at);
    }

    /// The statements of a body.
    fn body(&mut self, body: &mut Vec<Statement>) {
        let mut home = Home::new();
        let mut kept: Vec<Statement> = Vec::with_capacity(body.len());
        for mut statement in body.drain(..) {
            if let Statement::Expr(Value { kind: Kind::Item(item), .. }) = &mut statement
                && let Some((at, steps)) = self.moved(item, &home)
                && let Some(owner) = owner(&mut kept[at])
            {
                extend(owner, steps);
                continue;
            }
            self.statement(&mut statement);
            if let Statement::Bind(name, Value { kind: Kind::Item(item), .. }) = &statement
                && matches!(item.form, Form::Call | Form::Map)
            {
                home.insert(name.text.clone(), kept.len());
            }
            kept.push(statement);
        }
        *body = kept;
    }

    fn statement(&mut self, statement: &mut Statement) {
        match statement {
            Statement::Bind(name, value) => {
                self.begin(&name.text);
                self.value(value);
                plain(value);
                self.bind(&name.text, value);
            }
            Statement::Return(value) => self.value(value),
            Statement::Expr(value) => {
                match &mut value.kind {
                    Kind::Item(item) => self.item(item),
                    _ => self.value(value),
                }
                if value.item().is_some_and(|item| item.form == Form::Annotation) {
                    self.answer(value);
                }
                if let Kind::Item(item) = &value.kind {
                    self.remember(item);
                    self.remember_own(item);
                }
            }
            Statement::If(condition, then, otherwise) => {
                self.value(condition);
                let mut changed = Vec::new();
                [&*then, &*otherwise].into_iter().for_each(|branch| rebound(branch, &mut changed));
                changed.retain(|name| self.knows(name));
                self.body(then);
                self.body(otherwise);
                // Which branch was taken is for the function's run to say.
                changed.iter().for_each(|name| self.forget(name));
            }
        }
    }

    /// Remembers what an item that is a statement binds; its name, if further steps can be done to it.
    fn remember(&mut self, item: &Item) -> Option<String> {
        // A class without attributes is only a type.
        if item.form == Form::Class && !item.args.iter().any(|a| a.name.is_some()) {
            return None;
        }
        let name = bound_name(item)?.to_string();
        let mut value = bound_value(item);
        plain(&mut value);
        let value = self.made_of_list(&value).unwrap_or(value);
        self.bind(&name, &value);
        matches!(item.form, Form::Call | Form::Map).then_some(name)
    }

    /// Remembers what the object around is given: `self.x = 1`.
    fn remember_own(&mut self, item: &Item) {
        let own = item.target.as_ref().is_some_and(|t| matches!(t.text.as_str(), "self" | "this" | "$this"));
        for step in item.steps.iter().filter(|_| own && is_steps(item)) {
            if let Step::Set { path, value } = step
                && !(matches!(value.kind, Kind::Word(_)) && value.is_undefined())
            {
                self.bind_own(&path.text, value);
            }
        }
    }

    /// The steps that a statement does to a name bound in the same row, resolved, and the place in the row; also done to
    /// the copy that uses will get.
    fn moved(&mut self, item: &mut Item, home: &Home) -> Option<(usize, Vec<Step>)> {
        let name = match &item.target {
            Some(target) if is_steps(item) => target.text.clone(),
            None if item.form == Form::Call => {
                let root = root(&item.head.text);
                let member = item.head.text.len() > root.len();
                member.then(|| root.to_string())?
            }
            _ => return None,
        };
        let at = *home.get(&name)?;
        let map = self.bound_item(&name)?.form == Form::Map;
        let entry = |step: &Step| matches!(step, Step::Set { path, .. } if !path.text.contains(['.', '[']));
        let entries = item.head.text.is_empty() && item.steps.iter().all(entry);
        if map
            && !entries
            && !(item.steps.is_empty() && ["update", "merge!"].contains(&&item.head.text[name.len() + 1..]))
        {
            return None;
        }
        self.inside(item);
        let mut steps = std::mem::take(&mut item.steps);
        if !item.head.text.is_empty() {
            steps.insert(0, head_call(&item.head, std::mem::take(&mut item.args), item.span, name.len()));
        }
        let kept = self.bound_item(&name)?;
        extend(kept, steps.clone());
        Some((at, steps))
    }

    fn item(&mut self, item: &mut Item) {
        self.inside(item);
        let root = root(&item.head.text);
        // An object that is given nothing is what its class says.
        let made = item.form == Form::Call && !item.args.is_empty();
        if let Some(full) = self.canonical(&item.head.text) {
            item.head.text = full;
        } else if let Some(base) = self.derived.get(&item.head.text).filter(|_| made) {
            item.head.text = base.clone();
        } else if item.form == Form::Call
            && item.head.text.len() > root.len()
            && let Some(mut owner) = self.copy_item(root)
        {
            let call = head_call(&item.head, std::mem::take(&mut item.args), item.span, root.len());
            owner.steps.push(call);
            owner.steps.append(&mut item.steps);
            owner.target = item.target.take();
            owner.place = std::mem::take(&mut item.place);
            owner.span = item.span;
            *item = owner;
        }
        prepared(item);
    }

    /// Everything inside an item.
    fn inside(&mut self, item: &mut Item) {
        match item.form {
            Form::Import => {
                // Elixir's `use Worker, attempts: @attempts`.
                let given = |v: &&mut Value| matches!(&v.kind, Kind::Word(word) if word.starts_with('@'));
                item.args.iter_mut().map(|arg| &mut arg.value).filter(given).for_each(|value| self.value(value));
                return self.import(item);
            }
            Form::Comment => return,
            _ => {}
        }
        match item.form {
            Form::Class => {
                self.own.clear();
                self.classes.push(item.head.text.clone());
                self.members(&mut item.args);
                self.classes.pop();
                self.derives(item);
            }
            _ => self.args(&mut item.args),
        }
        for step in &mut item.steps {
            match step {
                Step::Call { args, .. } => self.args(args),
                Step::Set { value, .. } => self.value(value),
            }
        }
    }

    /// Remembers what a class extends, if nothing in it says how it is made.
    fn derives(&mut self, class: &Item) {
        let makes = |i: &Item| ["__init__", "constructor", "initialize", "__construct"].contains(&i.head.text.as_str());
        let mut bases = class.args.iter().filter(|a| a.name.is_none()).map(|a| &a.value.kind);
        if let (Some(Kind::Word(base)), None) = (bases.next(), bases.find(|k| matches!(k, Kind::Word(_))))
            && !class.values().any(|v| v.item().is_some_and(makes))
        {
            self.derived.insert(class.head.text.clone(), base.clone());
        }
    }

    /// What stands in a class is known to what follows it there.
    fn members(&mut self, args: &mut [Arg]) {
        for arg in args {
            if let Some(name) = &arg.name {
                self.begin(&name.text);
            }
            self.value(&mut arg.value);
            if let Some(name) = &arg.name {
                plain(&mut arg.value);
                self.bind(&name.text, &arg.value);
            }
        }
    }

    fn args(&mut self, args: &mut Vec<Arg>) {
        let mut spread = false;
        for arg in args.iter_mut() {
            self.value(&mut arg.value);
            spread |= matches!(&arg.value.kind, Kind::Op(op, operands) if op == ".." && operands.len() == 1);
        }
        if spread {
            *args = std::mem::take(args).into_iter().flat_map(unfolded).collect();
        }
    }

    pub(super) fn value(&mut self, value: &mut Value) {
        if self.comprehension(value) {
            return;
        }
        match &mut value.kind {
            Kind::Word(word) => {
                if let Some((copy, later)) = self.copy(word) {
                    *value = copy;
                    if later {
                        self.ahead += 1;
                        self.value(value);
                        self.ahead -= 1;
                    }
                } else if let Some(full) = self.canonical(word) {
                    *word = full;
                }
            }
            Kind::Item(item) => {
                self.item(item);
                if let Some(made) = self.made_of_list(value) {
                    *value = made;
                }
                self.answer(value);
            }
            Kind::List(values) => {
                values.iter_mut().for_each(|v| self.value(v));
                if values.iter().any(|v| spread_list(v).is_some()) {
                    *values = std::mem::take(values)
                        .into_iter()
                        .flat_map(|v| spread_list(&v).map_or_else(|| vec![v.clone()], <[Value]>::to_vec))
                        .collect();
                }
            }
            Kind::Op(op, values) => {
                values.iter_mut().for_each(|v| self.value(v));
                if let Some(list) = joined(op, values) {
                    value.kind = list;
                } else if let Some(entry) = entry(op, values) {
                    *value = entry;
                } else if let Some((_, made)) = default_of(value).filter(|(_, made)| is_made(made)) {
                    *value = made.clone();
                }
            }
            Kind::Fun(fun) => {
                let outer = self.parameters.len();
                self.parameters.extend(fun.params.iter().map(|p| p.text.clone()));
                let hidden = self.hide(&fun.params);
                self.body(&mut fun.body);
                self.show(hidden);
                self.parameters.truncate(outer);
            }
            Kind::Number { .. } | Kind::Text { .. } | Kind::Unread => {}
        }
    }
}

/// The names that a branch gives another number or time.
fn rebound(branch: &[Statement], out: &mut Vec<String>) {
    const MAKERS: &[&str] = &["Math", "math", "TimeSpan", "Duration", "time", "timedelta", "Random", "random", "rand"];
    for statement in branch {
        match statement {
            Statement::Bind(name, value) => {
                let number = match &value.kind {
                    Kind::Number { .. } | Kind::Op(..) => true,
                    Kind::Word(word) => root(word) != "self" && root(word) != "this",
                    Kind::Item(item) => {
                        MAKERS.contains(&root(&item.head.text)) || matches!(item.head.text.as_str(), "min" | "max")
                    }
                    _ => false,
                };
                if number {
                    out.push(name.text.clone());
                }
            }
            Statement::If(_, then, otherwise) => [then, otherwise].into_iter().for_each(|inner| rebound(inner, out)),
            Statement::Return(_) | Statement::Expr(_) => {}
        }
    }
}

/// Python's `partial(f, a)` as the call that it prepares.
fn prepared(item: &mut Item) {
    if !matches!(item.head.text.as_str(), "partial" | "functools.partial") {
        return;
    }
    if let [Arg { name: None, value: Value { kind: Kind::Word(path), span } }, ..] = item.args.as_slice() {
        item.head = Name { text: path.clone(), span: *span };
        item.args.remove(0);
    }
}

/// A spread map as its entries; anything else as it is.
fn unfolded(arg: Arg) -> Vec<Arg> {
    if let Kind::Op(_, operands) = &arg.value.kind
        && let [Value { kind: Kind::Item(item), .. }] = operands.as_slice()
        && item.steps.is_empty()
        && !item.args.is_empty()
        && item.args.iter().all(|a| a.name.is_some())
        && matches!(&arg.value.kind, Kind::Op(op, _) if op == "..")
    {
        return item.args.clone();
    }
    match spread_list(&arg.value) {
        Some(values) => values.iter().map(|v| Arg { name: None, value: v.clone() }).collect(),
        None => vec![arg],
    }
}

/// What an index takes out of a map that is written out: `CONFIG["retry"]`.
fn entry(op: &str, values: &[Value]) -> Option<Value> {
    match values {
        [map, Value { kind: Kind::Text { text, .. }, .. }] if op == "[]" => {
            map.item().filter(|map| map.form == Form::Map)?.get(text).cloned()
        }
        _ => None,
    }
}

/// Whether a value is a thing that is made, and neither a number nor a time.
fn is_made(value: &Value) -> bool {
    let call = value.item().is_some_and(|item| item.form == Form::Call && !item.head.text.is_empty());
    call && !value.is_placeholder() && value.duration_ms(Some(Unit::Second)).is_err()
}

fn spread_list(value: &Value) -> Option<&[Value]> {
    match &value.kind {
        Kind::Op(op, operands) if op == ".." && operands.len() == 1 => operands[0].list(),
        _ => None,
    }
}
