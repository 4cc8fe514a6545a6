//! Literals, names, lists and maps, and what follows them: calls, members, blocks. A chain of calls is one item.

use super::cursor::Cursor;
use super::statement::args_of;
use crate::notation::item::{Arg, Form, Item, Kind, Name, Step, Value};
use crate::notation::lexer::Tag;
use crate::span::Span;

/// Units that follow a number as a word or as a method: `5 seconds`, `5.seconds`.
const UNITS: [&str; 22] = [
    "milliseconds",
    "millisecond",
    "millis",
    "ms",
    "seconds",
    "second",
    "secs",
    "sec",
    "minutes",
    "minute",
    "min",
    "mins",
    "hours",
    "hour",
    "days",
    "day",
    "weeks",
    "week",
    "microseconds",
    "nanoseconds",
    "micros",
    "nanos",
];

impl<'t> Cursor<'t> {
    /// A literal, a name or a bracket with everything that is called on it.
    pub fn postfixed(&mut self) -> Option<Value> {
        let value = self.atom()?;
        Some(self.chain(value))
    }

    fn atom(&mut self) -> Option<Value> {
        let token = self.peek(0)?;
        match token.tag {
            Tag::Number => Some(self.number()),
            Tag::Bare => {
                self.at += 1;
                let text = self.text_of(token).to_string();
                Some(Value::new(Kind::Text { text, quoted: false, inner: Vec::new() }, self.span_of(token)))
            }
            Tag::Text => Some(self.text()),
            Tag::Name => self.name().map(|name| Value::new(Kind::Word(name.text), name.span)),
            Tag::Open => match self.text_of(token) {
                "(" => Some(self.group()),
                "[" => Some(self.list()),
                _ => Some(self.braces()),
            },
            Tag::Close | Tag::Op => None,
        }
    }

    fn number(&mut self) -> Value {
        let token = &self.tokens[self.at];
        let text = self.text_of(token);
        let mut span = self.span_of(token);
        self.at += 1;
        let (value, suffix) = parse_number(text);
        let mut suffix = suffix.to_string();
        let dot = usize::from(self.is("."));
        let unit = self
            .peek(dot)
            .filter(|t| t.tag == Tag::Name && (dot == 1 || t.space && !t.newline))
            .map(|t| self.text_of(t));
        if let Some(unit) = unit.filter(|u| suffix.is_empty() && UNITS.contains(&u.to_ascii_lowercase().as_str())) {
            suffix = unit.to_string();
            self.at += dot + 1;
            if self.is("(") && self.mate(0) == self.at + 1 {
                self.skip_brackets();
            }
            span = self.since(span.start);
        }
        Value::new(Kind::Number { value, suffix }, span)
    }

    fn text(&mut self) -> Value {
        let token = &self.tokens[self.at];
        self.at += 1;
        let value = super::text::text_value(self.text, self.span_of(token));
        // In Python texts side by side are one.
        if self.python && self.tag_at(0, Tag::Text) && !self.line_ends() {
            let next = self.text();
            return super::expression::op("+", vec![value, next]);
        }
        value
    }

    /// `(x)` is x; `(x, y)` and `(x,)` are lists.
    fn group(&mut self) -> Value {
        let start = self.here();
        let cast = self.mate(0) == self.at + 2
            && self.peek(1).is_some_and(|t| is_primitive(self.text_of(t)))
            && self
                .tokens
                .get(self.at + 3)
                .is_some_and(|t| matches!(t.tag, Tag::Number | Tag::Name) || t.tag == Tag::Open && !t.newline);
        if cast {
            self.skip_brackets();
            return self.postfixed().unwrap_or(Value::new(Kind::Unread, self.since(start)));
        }
        let comma =
            self.mate(0).checked_sub(1).and_then(|at| self.tokens.get(at)).is_some_and(|t| self.text_of(t) == ",");
        let args = self.arguments();
        let span = self.since(start);
        match <[Arg; 1]>::try_from(args) {
            Ok([Arg { name: None, value }]) if !comma => match value.kind {
                // A name keeps its own place, so that a chain goes on from it.
                Kind::Word(_) => value,
                kind => Value::new(kind, span),
            },
            Ok(args) => gathered(args.into(), span),
            Err(args) => gathered(args, span),
        }
    }

    fn list(&mut self) -> Value {
        let start = self.here();
        if let Some(value) = self.typed_list(start) {
            return value;
        }
        let mut args = self.arguments();
        let span = self.since(start);
        if let [Arg { name: None, value: Value { kind: Kind::Op(op, _), .. } }] = args.as_slice()
            && op == "for"
        {
            return Value::new(args.remove(0).value.kind, span);
        }
        gathered(args, span)
    }

    /// Go's `[]T{…}` and `[3]T{…}`.
    fn typed_list(&mut self, start: usize) -> Option<Value> {
        let close = self.mate(0);
        let short = close == self.at + 1 || close == self.at + 2;
        let after = self.tokens.get(close + 1).filter(|t| close + 1 < self.end && !t.space)?;
        if !short || !(after.tag == Tag::Name || self.text_of(after) == "*" || self.text_of(after) == "[") {
            return None;
        }
        let back = self.at;
        self.at = close + 1;
        self.skip_type();
        if self.is("{") {
            let args = self.brace_args();
            return Some(list_of(args, self.since(start)));
        }
        if self.is("(") {
            let head = Name { text: self.since(start).of(self.text).to_string(), span: self.since(start) };
            let args = self.arguments();
            return Some(item_value(Item { head, args, span: self.since(start), ..Item::default() }));
        }
        self.at = back;
        None
    }

    /// Steps over a type: `*pkg.T[K]`, `Option<T>`, `string | undefined`, `int[]`.
    pub fn skip_type(&mut self) {
        let mut joined = true;
        while let Some(token) = self.peek(0) {
            let text = self.text_of(token);
            match token.tag {
                _ if self.line_ends() && !joined => break,
                Tag::Name if joined => {
                    joined = matches!(
                        text,
                        "map" | "typeof" | "keyof" | "readonly" | "dyn" | "impl" | "mut" | "const" | "chan"
                    )
                }
                Tag::Text | Tag::Number if joined => joined = false,
                Tag::Op if matches!(text, "." | "::" | "|" | "&" | "*" | "->" | "&&" | "+") => joined = true,
                Tag::Op if text == "?" || text == "!" => {}
                Tag::Op if text == "<" && (self.skip_generics() || self.skip_angles()) => {
                    joined = false;
                    continue;
                }
                Tag::Open if text == "[" => {
                    let empty =
                        joined || self.tokens.get(self.mate(0) + 1).is_some_and(|t| !t.space && t.tag == Tag::Name);
                    self.skip_brackets();
                    joined = empty;
                    continue;
                }
                Tag::Open if text == "(" && joined => {
                    self.skip_brackets();
                    joined = false;
                    continue;
                }
                Tag::Open if text == "{" && joined && self.mate(0) == self.at + 1 => {
                    self.skip_brackets();
                    joined = false;
                    continue;
                }
                _ => break,
            }
            self.at += 1;
        }
    }

    /// Steps over `<…>` where a type is certain but holds what the lexer does not take for types: `<(), Box<dyn E>>`.
    fn skip_angles(&mut self) -> bool {
        let mut open = 0;
        let mut at = self.at;
        while at < self.end.min(self.at + 48) {
            let token = &self.tokens[at];
            match self.text_of(token) {
                "<" => open += 1,
                ">" => open -= 1,
                "(" | "[" => at = (token.mate as usize).min(self.end),
                "{" | ";" | "=" => return false,
                _ => {}
            }
            at += 1;
            if open == 0 {
                self.at = at;
                return true;
            }
        }
        false
    }

    /// `{…}` where a value stands: a map, a set, or a function.
    fn braces(&mut self) -> Value {
        let start = self.here();
        if let Some(fun) = self.brace_lambda() {
            return fun;
        }
        let args = self.brace_args();
        let span = self.since(start);
        match args.as_slice() {
            [Arg { name: None, value: Value { kind: Kind::Op(op, _), .. } }] if op == "for" => {
                args.into_iter().next().expect("one").value
            }
            _ => {
                let args = shorthand(args);
                let set = !args.is_empty()
                    && args.iter().all(|a| {
                        a.name.is_none()
                            && !is_spread(&a.value)
                            && a.value.item().is_none_or(|i| i.form != Form::Function)
                    });
                if set { list_of(args, span) } else { map_of(args, span) }
            }
        }
    }

    /// What stands between braces, as arguments; `name(…) {…}` in it is a method.
    fn brace_args(&mut self) -> Vec<Arg> {
        let methods = std::mem::replace(&mut self.methods, true);
        let args = self.inside(true, |c| args_of(c.statements()));
        self.methods = methods;
        args
    }

    /// What stands between parentheses or square brackets, as arguments.
    pub fn arguments(&mut self) -> Vec<Arg> {
        let methods = std::mem::replace(&mut self.methods, false);
        let args = self.inside(false, |c| args_of(c.statements()));
        self.methods = methods;
        args
    }

    /// `new T(…) {…}`, `new() {…}`, `new[] {…}`; the braces may begin the next line.
    pub fn constructed(&mut self, start: usize) -> Option<Value> {
        let mut item = Item::default();
        if self.is_name() {
            item.head = self.path();
        }
        self.skip_generics();
        if self.is("[") {
            let sized = self.arguments();
            if self.is("{") {
                let args = self.brace_args();
                return Some(list_of(args, self.since(start)));
            }
            item.args = sized;
        } else if self.is("(") {
            item.args = self.arguments();
        }
        if self.is("{") && !self.header {
            item.args.extend(self.brace_args());
        }
        if item.head.text.is_empty() {
            item.form = Form::Map;
        }
        item.span = self.since(start);
        Some(self.chain(item_value(item)))
    }

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
        path.push_str(if matches!(separator, "?." | "&.") { "." } else { separator });
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
            "." | "?." | "::" | "&." | "->" | "\\" if self.member_follows(&value) => self.member(value),
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
            "->" => match &value.kind {
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
            || self.peek(2).is_some_and(|t| t.word == const { crate::notation::lexer::pack(".") })
                && close == self.at + 4;
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

    /// `a |> f(b)` is the step `f(b)` of a.
    fn pipe(&mut self, value: Value) -> Value {
        let start = value.span.start;
        self.at += 1;
        let name = self.path();
        let mut item = into_item(value);
        let args = if self.is("(") { self.arguments() } else { Vec::new() };
        let span = self.since(name.span.start);
        item.steps.push(Step::Call { name, args, span });
        item.span = self.since(start);
        item_value(item)
    }
}

/// A value as an item: a name is a head; anything else that is called stands as the only argument of an empty head.
pub(super) fn into_item(value: Value) -> Item {
    match value.kind {
        Kind::Item(item) => *item,
        Kind::Word(text) => Item { head: Name { text, span: value.span }, span: value.span, ..Item::default() },
        _ => Item { span: value.span, args: vec![Arg { name: None, value }], ..Item::default() },
    }
}

pub(super) fn item_value(item: Item) -> Value {
    let span = item.span;
    Value::new(Kind::Item(Box::new(item)), span)
}

fn map_of(args: Vec<Arg>, span: Span) -> Value {
    item_value(Item { args, form: Form::Map, span, ..Item::default() })
}

fn list_of(args: Vec<Arg>, span: Span) -> Value {
    Value::new(Kind::List(args.into_iter().map(|a| a.value).collect()), span)
}

/// A list, or a map where something in it has a name.
fn gathered(args: Vec<Arg>, span: Span) -> Value {
    if args.iter().any(|a| a.name.is_some()) { map_of(args, span) } else { list_of(args, span) }
}

fn is_spread(value: &Value) -> bool {
    matches!(&value.kind, Kind::Op(op, operands) if op == ".." && operands.len() == 1)
}

/// Whether a path names a type: its last part begins with a capital.
fn is_type(path: &str) -> bool {
    path.rsplit(['.', ':']).next().is_some_and(|last| last.starts_with(|c: char| c.is_uppercase()))
}

/// `{a, b: 1}` is `{a: a, b: 1}`; so is `{a, b}`, but not a set of anything else.
fn shorthand(mut args: Vec<Arg>) -> Vec<Arg> {
    let simple = |text: &str| {
        text.starts_with(|c: char| c.is_lowercase()) && text.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let word = |a: &Arg| matches!(&a.value.kind, Kind::Word(w) if simple(w) && !matches!(w.as_str(), "true" | "false" | "null" | "nil" | "undefined"));
    let all = args.iter().all(|a| a.name.is_some() || word(a) || is_spread(&a.value));
    if all {
        for arg in args.iter_mut().filter(|a| a.name.is_none()) {
            if let Kind::Word(text) = &arg.value.kind {
                arg.name = Some(Name { text: text.clone(), span: arg.value.span });
            }
        }
    }
    args
}

pub(super) fn is_primitive(word: &str) -> bool {
    matches!(
        word,
        "int"
            | "auto"
            | "boolean"
            | "long"
            | "double"
            | "float"
            | "short"
            | "byte"
            | "uint"
            | "ulong"
            | "decimal"
            | "string"
            | "bool"
            | "object"
            | "array"
            | "char"
            | "float64"
            | "int64"
    )
}

/// A number literal: its value and the letters after it.
fn parse_number(text: &str) -> (f64, &str) {
    let radix = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => 16,
        [b'0', b'b' | b'B', ..] => 2,
        [b'0', b'o' | b'O', ..] => 8,
        _ => 10,
    };
    if radix != 10 {
        let digits = text[2..].chars().filter(|c| *c != '_');
        let value = digits.map_while(|c| c.to_digit(radix)).fold(0.0, |v, d| v * f64::from(radix) + f64::from(d));
        return (value, "");
    }
    let bytes = text.as_bytes();
    let mut end = 0;
    while end < bytes.len() {
        let exponent = matches!(bytes[end], b'e' | b'E')
            && bytes.get(end + 1).is_some_and(|c| {
                c.is_ascii_digit() || matches!(c, b'+' | b'-') && bytes.get(end + 2).is_some_and(u8::is_ascii_digit)
            });
        match bytes[end] {
            b'0'..=b'9' | b'.' | b'_' => end += 1,
            _ if exponent => end += 2,
            _ => break,
        }
    }
    let digits: String = text[..end].chars().filter(|c| *c != '_').collect();
    (digits.parse().unwrap_or(f64::NAN), &text[end..])
}

#[cfg(test)]
mod tests {
    use super::parse_number;

    #[test]
    fn numbers_keep_their_letters_apart() {
        for (text, value, suffix) in [
            ("1_000L", 1000.0, "L"),
            (".5", 0.5, ""),
            ("5e3", 5000.0, ""),
            ("30s", 30.0, "s"),
            ("5.", 5.0, ""),
            ("0x1F", 31.0, ""),
            ("1e-2d", 0.01, "d"),
            ("1.5f64", 1.5, "f64"),
        ] {
            assert_eq!(parse_number(text), (value, suffix), "{text}");
        }
    }
}
