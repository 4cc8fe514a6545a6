//! What follows a value and belongs to it: members, calls, indices, blocks. A chain of calls is one item.

use super::cursor::Cursor;
use super::gather::{args_of, into_item, item_value, map_of, shorthand};
use super::types::is_type;
use crate::notation::item::{Arg, Form, Item, Kind, Name, Step, Value};
use crate::notation::lexer::{Tag, pack};
use crate::span::Span;

impl<'t> Cursor<'t> {
    /// A dotted name, as far as it goes.
    pub fn path(&mut self) -> Name {
        let mut name = self.name().unwrap_or_default();
        while self.is_any(&[".", "::", "\\"]) && self.tag_at(1, Tag::Name) && !self.line_ends_at(1) {
            self.extend(&mut name.text);
            name.span.end = self.before();
        }
        name
    }

    /// Adds the separator and name that are next to a path.
    fn extend(&mut self, path: &mut String) {
        let separator = self.text_of(&self.tokens[self.at]);
        path.push_str(if matches!(separator, "?." | "&.") { "." } else { separator.trim_start_matches('?') });
        path.push_str(self.text_of(&self.tokens[self.at + 1]));
        self.at += 2;
    }

    /// `.name(…)` without what it is called on.
    pub fn receiverless(&mut self) -> Option<Value> {
        if !self.tag_at(1, Tag::Name) {
            return None;
        }
        let start = self.here();
        let item = Item { span: Span::new(start, start), ..Item::default() };
        Some(self.chain(item_value(item)))
    }

    /// Everything that follows a value and belongs to it.
    pub fn chain(&mut self, mut value: Value) -> Value {
        loop {
            let before = self.at;
            value = self.link(value);
            if self.at == before {
                return value;
            }
        }
    }

    /// One link of a chain, if one is next.
    fn link(&mut self, value: Value) -> Value {
        let Some(token) = self.peek(0) else { return value };
        let fresh = self.line_ends();
        let word = matches!(value.kind, Kind::Word(_));
        let callable = matches!(value.kind, Kind::Word(_) | Kind::Item(_) | Kind::Fun(_) | Kind::Op(..));
        match self.text_of(token) {
            "." | "?." | "::" | "&." | "->" | "?->" | "\\" if self.member_follows(&value) => self.member(value),
            "." | "::" if self.is_at(1, "<") && self.peek(1).is_some_and(|t| (t.mate as usize) < self.end) => {
                self.at += 1;
                self.skip_generics();
                self.after_generics(value)
            }
            "?." if self.tag_at(1, Tag::Open) => {
                self.at += 1;
                value
            }
            "<" if word && !token.space && self.skip_generics() => value,
            "(" if !fresh && callable => self.call(value),
            "[" if !fresh && !token.space => self.index(value),
            "{" if !fresh && !self.header && (word || value.item().is_some_and(|i| i.form == Form::Call)) => {
                self.braced(value)
            }
            "switch" | "match" if !fresh && token.space && self.is_at(1, "{") => self.branched_after(value),
            "do" if !fresh && !self.header && callable && self.ends => self.do_block(value),
            "|>" => self.pipe(value),
            "as" | "satisfies" if !fresh && !self.header && self.tag_at(1, Tag::Name) => {
                self.at += 1;
                self.skip_type();
                value
            }
            "!" | "!!"
                if !fresh
                    && !token.space
                    && callable
                    && self
                        .peek(1)
                        .is_none_or(|t| matches!(self.text_of(t), "." | ")" | "," | ";" | "[" | "]" | "}")) =>
            {
                self.at += 1;
                value
            }
            "?" if !fresh && !token.space && self.rust_question() => {
                self.at += 1;
                value
            }
            "++" | "--" if !fresh && !token.space => {
                self.at += 1;
                value
            }
            _ if word && token.tag == Tag::Text && !token.space && self.text_of(token).starts_with('`') => {
                let text = self.text();
                let Value { kind: Kind::Word(head), span } = value else { return value };
                let args = vec![Arg { name: None, value: text }];
                item_value(Item {
                    head: Name { text: head, span },
                    args,
                    span: self.since(span.start),
                    ..Item::default()
                })
            }
            _ => value,
        }
    }

    /// Whether a `?` only passes an error on.
    fn rust_question(&self) -> bool {
        self.peek(1)
            .is_none_or(|t| t.newline || t.tag == Tag::Close || matches!(self.text_of(t), "." | ";" | "," | "?" | "::"))
    }

    /// Whether the separator that is next leads to a member of this value.
    fn member_follows(&self, value: &Value) -> bool {
        let (Some(separator), Some(name)) = (self.peek(0), self.peek(1)) else { return false };
        if name.tag != Tag::Name || name.newline {
            return false;
        }
        match self.text_of(separator) {
            "->" | "?->" => match &value.kind {
                Kind::Word(path) => path.starts_with('$') || path == "this",
                Kind::Item(_) => true,
                _ => false,
            },
            "\\" => matches!(value.kind, Kind::Word(_)) && !separator.space,
            // With space on both sides it joins texts.
            "." => !(separator.space && name.space && !separator.newline),
            _ => true,
        }
    }

    fn member(&mut self, mut value: Value) -> Value {
        match &mut value.kind {
            Kind::Word(path) => {
                self.extend(path);
                value.span.end = self.before();
                value
            }
            _ => {
                self.at += 1;
                self.step(value)
            }
        }
    }

    /// `name` of `T.<R>name`; in `T::<R>::name` a separator follows as usual.
    fn after_generics(&mut self, mut value: Value) -> Value {
        if !self.is_name() {
            return value;
        }
        let Kind::Word(path) = &mut value.kind else { return self.step(value) };
        path.push('.');
        path.push_str(self.text_of(&self.tokens[self.at]));
        self.at += 1;
        value.span.end = self.before();
        value
    }

    /// `name`, `name(…)` or `name {…}` after a separator, as a step of what the value is.
    fn step(&mut self, value: Value) -> Value {
        let span = value.span;
        let Some(name) = self.name() else { return value };
        if name.text == "await" {
            return value;
        }
        let mut item = into_item(value);
        self.skip_generics();
        let args = match () {
            () if self.is("(") && !self.line_ends() => self.arguments(),
            () if self.is("{") && !self.line_ends() && !self.header => self.trailing(),
            () => Vec::new(),
        };
        let step = self.since(name.span.start);
        item.steps.push(Step::Call { name, args, span: step });
        item.span = self.since(span.start);
        item_value(item)
    }

    /// `value(…)`.
    fn call(&mut self, value: Value) -> Value {
        let start = value.span.start;
        match value.kind {
            Kind::Word(text) if text != "vec!" => {
                let head = Name { text, span: value.span };
                let args = self.arguments();
                let item = Item { head, args, span: self.since(start), ..Item::default() };
                item_value(self.of_parameter(item))
            }
            _ => {
                let at = self.here();
                let mut item = into_item(value);
                let args = self.arguments();
                let name = Name { text: String::new(), span: Span::new(at, at) };
                item.steps.push(Step::Call { name, args, span: self.since(at) });
                item.span = self.since(start);
                item_value(item)
            }
        }
    }

    /// A call on a parameter of a function around is a step of that parameter: `r => r.Interval(5)`.
    pub fn of_parameter(&self, item: Item) -> Item {
        let split =
            item.head.text.split_once('.').filter(|(root, _)| self.params.iter().rev().take(16).any(|p| p == root));
        let Some((root, method)) = split else { return item };
        let span = item.head.span;
        let target = Some(Name { text: root.to_string(), span: Span::new(span.start, span.start + root.len()) });
        let name = Name { text: method.to_string(), span: Span::new(span.end - method.len(), span.end) };
        let step = Step::Call { span: Span::new(name.span.start, item.span.end), name, args: item.args };
        Item { steps: vec![step], target, span: item.span, ..Item::default() }
    }

    fn index(&mut self, value: Value) -> Value {
        let start = value.span.start;
        let close = self.mate(0);
        let after = self.tokens.get(close + 1).filter(|t| close + 1 < self.end && !t.space && !t.newline);
        let list_type = matches!(&value.kind, Kind::Word(word) if word == "map")
            && after.is_some_and(|t| t.tag == Tag::Name || matches!(self.text_of(t), "*" | "["));
        if list_type {
            self.at = close + 1;
            self.skip_type();
            let args = if self.is("{") { self.brace_args() } else { Vec::new() };
            return map_of(args, self.since(start));
        }
        // `T[]` marks a type; `f[T](…)` names one.
        let types = close == self.at + 1
            || close == self.at + 2
            || self.peek(2).is_some_and(|t| t.word == const { pack(".") }) && close == self.at + 4;
        let generic = types && self.tag_at(1, Tag::Name) && after.is_some_and(|t| self.text_of(t) == "(");
        if matches!(value.kind, Kind::Word(_)) && (close == self.at + 1 || generic) {
            self.skip_brackets();
            return value;
        }
        let mut parts = vec![value];
        parts.extend(self.arguments().into_iter().map(|a| a.value));
        if let [Value { kind: Kind::Word(word), .. }, ..] = parts.as_slice()
            && word == "vec!"
        {
            parts.remove(0);
            return Value::new(Kind::List(parts), self.since(start));
        }
        let span = self.since(start);
        Value::new(Kind::Op("[]".into(), parts), span)
    }

    /// `T {…}` and `f(x) {…}`.
    fn braced(&mut self, value: Value) -> Value {
        let start = value.span.start;
        let mut item = into_item(value);
        let mut args = self.trailing();
        if item.args.is_empty() && item.steps.is_empty() && is_type(&item.head.text) {
            args = shorthand(args);
        }
        item.span = self.since(start);
        match item.steps.last_mut() {
            Some(Step::Call { args: of_step, span, .. }) => {
                of_step.extend(args);
                span.end = item.span.end;
            }
            _ => item.args.extend(args),
        }
        item_value(item)
    }

    /// A block after a call: a function if it has parameters, else what stands in it as arguments.
    pub fn trailing(&mut self) -> Vec<Arg> {
        match self.brace_lambda() {
            Some(value) => vec![Arg { name: None, value }],
            None => {
                let methods = std::mem::replace(&mut self.methods, false);
                let args = self.inside(true, |c| args_of(c.statements()));
                self.methods = methods;
                args
            }
        }
    }

    /// `a |> f(b)` is the step `f(b)` of a; of a sum the call `f(a, b)`.
    fn pipe(&mut self, value: Value) -> Value {
        let start = value.span.start;
        self.at += 1;
        let name = self.path();
        let mut args = if self.is("(") { self.arguments() } else { Vec::new() };
        const SUMS: &[&str] = &["pow", "trunc", "round", "min", "max", "ceil", "floor", "div"];
        if SUMS.contains(&name.text.rsplit('.').next().unwrap_or_default()) {
            args.insert(0, Arg { name: None, value });
            let span = self.since(start);
            return item_value(Item { head: name, args, form: Form::Call, span, ..Item::default() });
        }
        let mut item = into_item(value);
        let span = self.since(name.span.start);
        item.steps.push(Step::Call { name, args, span });
        item.span = self.since(start);
        item_value(item)
    }

    /// `f(x) do |n| … end`: the block is the last argument.
    pub fn do_block(&mut self, value: Value) -> Value {
        let start = value.span.start;
        let mut item = into_item(value);
        let block = Arg { name: None, value: self.do_lambda() };
        item.span = self.since(start);
        match item.steps.last_mut() {
            Some(Step::Call { args, .. }) => args.push(block),
            _ => item.args.push(block),
        }
        item_value(item)
    }
}
