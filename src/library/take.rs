//! Taking values out of a block: every value taken leaves its origin, every default too.

use super::{Block, Library, Origin, Scan};
use crate::duration::{TimeProblem, Unit};
use crate::finding::Finding;
use crate::notation::{Kind, Value};
use crate::span::Span;

/// What a library's `read` works with: the block, the choices made, and the record of what was taken.
pub struct Take<'t> {
    /// The library that reads.
    pub library: &'static Library,
    /// The whole text.
    pub scan: &'t Scan<'t>,
    /// The block.
    pub block: Block<'t>,
    /// The chosen release; the library's current one unless another was asked for. Empty where it has none.
    pub release: &'static str,
    /// The chosen class of errors; the library's usual one unless another was asked for. Empty where it has none.
    pub error_class: &'static str,
    /// Whether the reader chose the release, and the class of errors.
    pub chosen: (bool, bool),
    /// Where each of the policy's fields came from.
    pub origins: Vec<Origin>,
    /// What is worth saying.
    pub findings: Vec<Finding>,
    /// The fields that the text sets to something that it does not define.
    pub unknown: Vec<&'static str>,
}

impl<'t> Take<'t> {
    /// Notes that a field of the policy came from a place of the text.
    pub fn origin(&mut self, field: &'static str, span: Span) {
        if !field.is_empty() {
            self.origins.retain(|o| o.field != field);
            self.origins.push(Origin { field, span: Some(span), default: None, source: "" });
        }
    }

    /// Notes that a field of the policy is the library's default.
    pub fn default(&mut self, field: &'static str, what: impl Into<String>) {
        if !field.is_empty() && !self.origins.iter().any(|o| o.field == field) {
            let source = self.library.version;
            self.origins.push(Origin { field, span: None, default: Some(what.into()), source });
        }
    }

    /// Takes another release's rules because the text shows that it is written for it, unless the reader chose one.
    pub fn assume_release(&mut self, release: &'static str) {
        if !self.chosen.0 {
            self.release = release;
        }
    }

    /// Takes another class of errors because the text speaks of it, unless the reader chose one.
    pub fn assume_error_class(&mut self, class: &'static str) {
        if !self.chosen.1 {
            self.error_class = class;
        }
    }

    /// An error: the library refuses what is written, or it does not do what it says.
    pub fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> &mut Finding {
        self.say(Finding::error(code, span, message))
    }

    /// An error: a name that the library does not have, with the one that was meant, where one comes near.
    pub fn unknown_key(&mut self, span: Span, message: impl Into<String>, near: Option<&str>) {
        let help = near.map_or(String::new(), |near| format!("Did you mean `{near}`?"));
        self.error("unknown-key", span, message).help = help;
    }

    /// A warning: works as written and will hurt.
    pub fn warning(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> &mut Finding {
        self.say(Finding::warning(code, span, message))
    }

    /// A note: worth knowing.
    pub fn note(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> &mut Finding {
        self.say(Finding::note(code, span, message))
    }

    fn say(&mut self, finding: Finding) -> &mut Finding {
        self.findings.push(finding);
        self.findings.last_mut().expect("just pushed")
    }

    /// A time, in ms. `None` with a finding if the value is none: no time, negative, not a number, in a unit or of a
    /// type that the library refuses; `None` with a note if the text does not define it.
    pub fn time(&mut self, name: &str, field: &'static str, value: &Value, unit: Option<Unit>) -> Option<f64> {
        if let Some(problem) = self.given_but_unknown(name, field, value) {
            return problem;
        }
        match value.duration_ms(unit) {
            Ok(time) if time.ms.is_nan() => self.refuse(name, value, "is not a number"),
            Ok(time) if time.ms < 0.0 => self.refuse(name, value, "is negative"),
            Ok(time) => {
                self.placeholder(name, value);
                self.origin(field, value.span);
                Some(time.ms)
            }
            Err(problem) => self.refuse(name, value, &why(&problem, value)),
        }
    }

    /// A number. `None` with a finding as for [`Take::time`]; negative numbers are the caller's business.
    pub fn number(&mut self, name: &str, field: &'static str, value: &Value) -> Option<f64> {
        if let Some(problem) = self.given_but_unknown(name, field, value) {
            return problem;
        }
        match value.number() {
            Some(number) if number.is_nan() => self.refuse(name, value, "is not a number"),
            Some(number) => {
                self.placeholder(name, value);
                self.origin(field, value.span);
                Some(number)
            }
            None => self.refuse(name, value, &format!("must be a number, not {}", value.describe())),
        }
    }

    /// Yes or no, with a finding if it is neither.
    pub fn flag(&mut self, name: &str, field: &'static str, value: &Value) -> Option<bool> {
        if let Some(problem) = self.given_but_unknown(name, field, value) {
            return problem.map(|n| n != 0.0);
        }
        match value.flag() {
            Some(flag) => {
                self.origin(field, value.span);
                Some(flag)
            }
            None => {
                self.refuse(name, value, &format!("must be true or false, not {}", value.describe()));
                None
            }
        }
    }

    /// An error about one setting's value: "`name` is negative".
    pub fn refuse(&mut self, name: &str, value: &Value, what: &str) -> Option<f64> {
        self.error("bad-value", value.span, format!("`{name}` {what}."));
        None
    }

    /// A value that the text only names is given but unknown: neither its number nor the default is true.
    fn given_but_unknown(&mut self, name: &str, field: &'static str, value: &Value) -> Option<Option<f64>> {
        if !value.is_undefined() {
            return None;
        }
        self.unknown_value(name, field, value);
        Some(None)
    }

    /// A note: a value stands here that is not known.
    pub fn unknown_value(&mut self, name: &str, field: &'static str, value: &Value) {
        let written = value.span.of(self.scan.doc.text).to_string();
        self.unknown.push(field);
        self.origin(field, value.span);
        self.note("unknown-value", value.span, format!("`{name}` is `{written}`, which this text does not define."))
            .help = "The numbers below use the library's default in its place; write the value to see its own.".into();
    }

    /// The entries of a list; of what is none, that it is not known.
    pub fn list<'v>(&mut self, name: &str, field: &'static str, value: &'v Value) -> Option<&'v [Value]> {
        if value.list().is_none() && !value.is_null() {
            self.unknown_value(name, field, value);
        }
        value.list()
    }

    fn placeholder(&mut self, name: &str, value: &Value) {
        if value.is_placeholder() {
            let written = value.span.of(self.scan.doc.text).to_string();
            let message = format!("`{name}` is filled in from outside; the default inside `{written}` is used.");
            self.note("placeholder", value.span, message);
        }
    }
}

/// Why a value is no time, as the end of a sentence that begins with the setting.
fn why(problem: &TimeProblem, value: &Value) -> String {
    match problem {
        TimeProblem::NoUnit(number) => format!("needs a unit: {number} of what?"),
        TimeProblem::UnknownUnit { value, unit } => format!("has the unit `{unit}`, which is none: {value}{unit}"),
        TimeProblem::Unknown | TimeProblem::NotATime => format!("must be a time, not {}", value.describe()),
    }
}

/// The text of a value for messages: what kind of thing it is.
impl Value {
    /// What kind of thing it is, with an article: "a text", "a list".
    pub fn describe(&self) -> &'static str {
        match &self.kind {
            Kind::Number { suffix, .. } if !suffix.is_empty() => "a number with a unit",
            Kind::Number { .. } => "a number",
            Kind::Text { .. } => "a text",
            Kind::Word(word) if matches!(word.as_str(), "true" | "false" | "True" | "False") => "true or false",
            Kind::Word(_) => "a name",
            Kind::List(_) => "a list",
            Kind::Item(item) if item.head.text.is_empty() => "a map",
            Kind::Item(_) => "a call",
            Kind::Op(..) => "an expression",
            Kind::Fun(_) => "a function",
            Kind::Unread => "something unread",
        }
    }
}
