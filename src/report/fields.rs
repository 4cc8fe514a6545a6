//! The form as the report of what was read: every field with its value and where that came from.

use super::form::{KEYS, Problem, Settings, field_text};
use super::place::Lines;
use super::words::Words;
use crate::format::{count, counted};
use crate::library::{Origin, Reading};
use crate::policy::Policy;
use crate::span::Span;
use serde::Serialize;
use std::collections::BTreeMap;

/// One field.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Field {
    /// Its key in the link.
    pub key: &'static str,
    /// What it holds.
    pub value: String,
    /// Where that came from, or what is wrong with it.
    pub source: Words,
    /// Whether the reader typed it.
    pub own: bool,
    /// Whether what it holds is in the answer.
    pub good: bool,
    /// For a number without a unit: the texts to choose from.
    pub choices: Vec<String>,
    /// Whether what it holds cannot be used.
    pub wrong: bool,
    /// Its place in the text.
    pub span: Option<Span>,
}

impl Field {
    /// Says at the field what is wrong with its text.
    pub(super) fn refuse(&mut self, problem: &Problem) {
        self.good = false;
        match problem {
            Problem::Unit(number) => {
                self.choices = ["ms", "s"].map(|unit| format!("{number} {unit}")).into();
                self.source = strong(number).plain(" of what?");
            }
            Problem::Bad(message) => {
                self.wrong = true;
                self.source = Words::message(message);
            }
        }
    }
}

/// What the fields are made from.
pub struct Source<'a> {
    /// What the policy was before the reader typed; `None`: nothing.
    pub base: Option<&'a Policy>,
    /// The policy of the answer.
    pub policy: Option<&'a Policy>,
    /// What was read in the text, where the policy comes from it.
    pub reading: Option<&'a Reading>,
    /// Whether the policy comes from a link.
    pub linked: bool,
    /// What the reader typed, by key.
    pub edits: &'a BTreeMap<String, String>,
    /// What is wrong with it, by key.
    pub problems: &'a BTreeMap<String, Problem>,
    /// The lines of the text.
    pub lines: &'a Lines<'a>,
}

impl Source<'_> {
    /// All fields; the amount of the jitter is one of its own.
    pub fn fields(&self) -> Vec<Field> {
        let amount = self.policy.map_or(String::new(), |p| field_text(p, "jitter-amount"));
        let amount =
            self.edits.get("jitter").filter(|_| self.problems.contains_key("jitter")).cloned().unwrap_or(amount);
        let amount = Field { key: "jitter-amount", value: amount, good: true, ..Field::default() };
        KEYS.iter().map(|key| self.field(key)).chain([amount]).collect()
    }

    fn field(&self, key: &'static str) -> Field {
        let value = self.policy.map_or(String::new(), |p| field_text(p, key));
        let mut field = Field { key, value, good: true, ..Field::default() };
        let origin = self.origin(key);
        field.span = origin.and_then(|o| o.span).map(|span| self.lines.named(span));
        if let Some(typed) = self.edits.get(key) {
            field.own = true;
            let named = ["jitter", "backoff", "cap-order", "overrun"].contains(&key);
            field.value = match (named, key, self.policy) {
                (true, _, Some(_)) => field.value,
                (true, "jitter", None) if typed.contains('%') => "proportional".into(),
                (true, "jitter", None) if typed.contains("..") => "additive".into(),
                _ => typed.clone(),
            };
            match self.problems.get(key) {
                Some(problem) => field.refuse(problem),
                None => field.source = self.own(key, field.span),
            }
        } else {
            field.source = self.given(key, origin, field.span);
        }
        if key == "retries" && !field.wrong {
            field.source = field.source.then(self.attempts());
        }
        field
    }

    /// "waits after the first call: 5 attempts make 6 calls", always in sight.
    fn attempts(&self) -> Words {
        let hint = match self.policy.map(|p| (p.retries, p.calls())) {
            Some((Some(retries), Some(calls))) if retries == calls => {
                "waits, each after a call: no call follows the last".to_string()
            }
            Some((Some(retries), Some(calls))) => {
                let (attempts, makes) =
                    (counted(retries, "attempt", "attempts"), if retries == 1 { "makes" } else { "make" });
                format!("waits after the first call: {attempts} {makes} {}", counted(calls, "call", "calls"))
            }
            Some(_) => "waits after the first call, without end".into(),
            None => "waits after the first call: 5 attempts make 6 calls".into(),
        };
        Words::default().plain(hint)
    }

    fn own(&self, key: &str, span: Option<Span>) -> Words {
        let words = Words::default().plain("yours");
        let before = self.base.filter(|_| self.reading.is_some()).map(|p| field_text(p, key)).unwrap_or_default();
        let words = match span {
            Some(span) => {
                let words = words.plain("; the paste says ").link(self.lines.quote(span), span);
                if before.is_empty() { words } else { words.plain(format!(", that is {before}")) }
            }
            None if before.is_empty() => words,
            None => words.plain(format!("; it was {before}")),
        };
        if key == "retries" { words.plain("; ") } else { words }
    }

    fn given(&self, key: &str, origin: Option<&Origin>, span: Option<Span>) -> Words {
        let words = match (origin, span, self.reading) {
            (_, Some(span), _) => {
                let line = count(self.lines.line(span.start) as u64);
                Words::default().link(self.lines.quote(span), span).plain(format!(", line {line}"))
            }
            (Some(Origin { default: Some(default), .. }), None, Some(reading)) => {
                let field = origin.map_or("", |o| o.field);
                Words::message(&format!("not written; {}", default_text(reading, field, default)))
            }
            _ if self.linked && self.says(key) => Words::default().plain("from the link"),
            _ => self.absent(key),
        };
        if key == "retries" && !words.runs.is_empty() { words.plain("; ") } else { words }
    }

    /// Whether the policy says anything about a key beyond what every policy does.
    fn says(&self, key: &str) -> bool {
        self.base.is_some_and(|p| Settings::of(p).get(key).is_some())
    }

    fn absent(&self, key: &str) -> Words {
        let Some(policy) = self.policy else { return Words::default() };
        let unused = field_text(policy, key).is_empty();
        Words::of(match key {
            "cap" if unused => "no cap: nothing cuts a delay",
            "factor" if unused => "not used by this curve; a number makes it exponential",
            "base" if unused => "not used: the delays are listed",
            "floor" if unused => "no floor",
            "first-wait" if unused => "as the curve says",
            "call-timeout" if unused => "no bound on a call",
            "deadline" if unused => "no bound on the whole",
            "jitter" if policy.wait.jitter.is_none() => "no chance in it",
            _ => "",
        })
    }

    fn origin(&self, key: &str) -> Option<&Origin> {
        let fields: &[&str] = match key {
            "base" => &["baseMs", "delayMs"],
            "factor" => &["factor"],
            "cap" => &["capMs"],
            "retries" => &["retries"],
            "jitter" => &["jitter"],
            "backoff" => &["backoff"],
            "increment" => &["incrementMs"],
            "power" => &["power"],
            "delays" => &["delaysMs"],
            "floor" => &["floorMs"],
            "cap-order" => &["capOrder"],
            "first-wait" => &["firstWaitMs"],
            "call-timeout" => &["attemptTimeoutMs"],
            "deadline" => &["deadline"],
            "overrun" => &["overrun"],
            _ => &[],
        };
        self.reading?.origins.iter().find(|o| fields.contains(&o.field))
    }
}

/// "`exp_base` is 2 in Tenacity 9.2.1".
pub(super) fn default_text(reading: &Reading, field: &str, default: &str) -> String {
    let library = reading.library;
    let setting = library
        .settings
        .iter()
        .filter(|s| s.field == field)
        .find(|s| s.default.split(' ').next() == default.split(' ').next());
    let name = setting.or_else(|| library.settings.iter().find(|s| s.field == field)).and_then(|s| s.names().next());
    let whose = super::reader::title(library, reading.release);
    match name {
        Some(name) => format!("`{name}` is {default} in {whose}"),
        None => format!("{default} in {whose}"),
    }
}

fn strong(text: &str) -> Words {
    let mut words = Words::default().plain(text);
    words.runs.iter_mut().for_each(|run| run.strong = true);
    words
}
