//! Literals, names, lists, maps and constructors.

use super::cursor::Cursor;
use super::gather::{args_of, gathered, is_spread, item_value, list_of, map_of, shorthand};
use super::types::is_primitive;
use crate::notation::item::{Arg, Form, Item, Kind, Name, Value};
use crate::notation::lexer::{Tag, parse_number};

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
        // The text form of protobuf says `seconds: 5 nanos: 500`.
        let unit = unit.filter(|u| suffix.is_empty() && UNITS.contains(&u.to_ascii_lowercase().as_str()));
        if let Some(unit) = unit.filter(|_| !self.is_at(dot + 1, ":")) {
            suffix = unit.to_string();
            self.at += dot + 1;
            if self.is("(") && self.mate(0) == self.at + 1 {
                self.skip_brackets();
            }
            span = self.since(span.start);
        }
        Value::new(Kind::Number { value, suffix }, span)
    }

    pub fn text(&mut self) -> Value {
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
    pub fn brace_args(&mut self) -> Vec<Arg> {
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
            // Go's `new(backoff.Backoff)`
            if let ("", [Arg { name: None, value: Value { kind: Kind::Word(path), span } }]) =
                (item.head.text.as_str(), item.args.as_slice())
                && path.contains('.')
            {
                item.head = Name { text: path.clone(), span: *span };
                item.args.clear();
            }
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
}
