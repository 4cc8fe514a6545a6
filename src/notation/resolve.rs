//! What a value says when a library asks for a number, a time, a count, a yes or no.
//!
//! | value | asked | answer |
//! |---|---|---|
//! | `5`, `1_0 - 7`, `60 * 1000`, `float('inf')`, `Some(3)` | `number()` | 5, 3, 60000, ∞, 3 |
//! | `"5"` | `number()`, `text_number()` | `None`, 5: the quotes may be the mistake |
//! | `2 * time.Second`, `Duration::from_secs(2)`, `"2s"`, `{seconds: 2}` | `duration_ms(None)` | 2000 |
//! | `2` | `duration_ms(None)`, `duration_ms(Some(Unit::Second))` | `NoUnit(2)`, 2000 |
//! | `-1`, `Infinity`, `unlimited` | `count()` | `N(-1)`, `Unlimited`, `Unlimited` |
//! | `true`, `'yes'`, `Off` | `flag()` | yes, yes, no |
//! | `None`, `null`, `nil`, `undefined`, `~`, an empty YAML value | `is_null()` | true |
//! | `${RETRIES:5}`, `os.getenv("X", 5)`, `env.X ?? 5` | `number()`, `is_placeholder()` | 5, true |
//! | `${RETRIES}`, `max_tries`, `config.get("x")` | `number()`, `is_undefined()` | `None`, true: given, but unknown |

use super::placeholder;
use super::quantity::{self, Quantity};
use super::{Form, Item, Kind, Value};
use crate::duration::{self, Time, TimeForm, TimeProblem, Unit};

/// A number of retries or calls as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Count {
    /// A number, negative and fractional ones included: what they mean is the library's.
    N(f64),
    /// Infinity, or a word for it.
    Unlimited,
}

impl Value {
    /// The number it is: a literal, constants combined by `+ - * / // % **`, a constant of a language. Infinite and
    /// NaN where that is written; a placeholder gives its default. `None` for a number in quotes.
    pub fn number(&self) -> Option<f64> {
        match &self.kind {
            Kind::Number { value, suffix } => is_type_suffix(suffix).then_some(*value),
            Kind::Text { quoted: true, .. } if !self.is_placeholder() => None,
            _ => self.text_number(),
        }
    }

    /// The number it is, in quotes or not.
    pub fn text_number(&self) -> Option<f64> {
        match (&self.kind, placeholder::of(self)) {
            (_, Some(placeholder)) => placeholder.default?.text_number(),
            (Kind::Number { value, suffix }, _) => is_type_suffix(suffix).then_some(*value),
            (Kind::Text { text, .. }, _) => plain_number(text),
            _ => match quantity::of(self) {
                Ok(Quantity::Number(number)) => Some(number),
                _ => None,
            },
        }
    }

    /// The time it is: a text with units, what a language makes times with, a sum or multiple of these. A number
    /// without a unit takes `default`; without one it is a problem, never a guess. A placeholder gives its default.
    pub fn duration_ms(&self, default: Option<Unit>) -> Result<Time, TimeProblem> {
        if let Some(placeholder) = placeholder::of(self) {
            return placeholder.default.ok_or(TimeProblem::Unknown)?.duration_ms(default);
        }
        match &self.kind {
            Kind::Text { text, .. } => match plain_number(text).filter(|n| !n.is_finite()) {
                Some(ms) => Ok(Time { ms, form: TimeForm::Language, units: Vec::new() }),
                None => duration::parse(text, default),
            },
            Kind::Number { value, suffix } => match (Unit::named(suffix.trim_start_matches('.')), default) {
                (Some(unit), _) => {
                    Ok(Time { ms: unit.times(*value), form: TimeForm::Units, units: vec![suffix.clone()] })
                }
                (None, Some(unit)) if is_type_suffix(suffix) => Ok(bare(*value, unit)),
                (None, None) if is_type_suffix(suffix) => Err(TimeProblem::NoUnit(*value)),
                _ => Err(TimeProblem::UnknownUnit { value: *value, unit: suffix.clone() }),
            },
            _ => match (quantity::of(self)?, default) {
                (Quantity::Time(ms), _) => Ok(Time { ms, form: TimeForm::Language, units: Vec::new() }),
                (Quantity::GoNanos(n), _) => {
                    let ms = Unit::Nanosecond.times(n);
                    Ok(Time { ms, form: TimeForm::Language, units: Vec::new() })
                }
                (Quantity::Number(ms), None) if ms.is_infinite() => {
                    Ok(Time { ms, form: TimeForm::Language, units: Vec::new() })
                }
                (Quantity::Number(number), Some(unit)) => Ok(bare(number, unit)),
                (Quantity::Number(number), None) => Err(TimeProblem::NoUnit(number)),
            },
        }
    }

    /// How many, in quotes or not; see [`Count`].
    pub fn count(&self) -> Option<Count> {
        match self.text_number() {
            Some(f64::INFINITY) => Some(Count::Unlimited),
            Some(number) => Some(Count::N(number)),
            None => {
                let word = last_segment(self.text()?).to_ascii_lowercase();
                let unlimited = ["unlimited", "infinite", "infinitely", "forever", "no_limits", "no_limit", "nolimit"];
                unlimited.contains(&word.as_str()).then_some(Count::Unlimited)
            }
        }
    }

    /// Yes or no: `true`, `yes`, `on` and their opposites in any case, in quotes or not. A placeholder gives its
    /// default.
    pub fn flag(&self) -> Option<bool> {
        if let Some(placeholder) = placeholder::of(self) {
            return placeholder.default?.flag();
        }
        if let Kind::Op(op, parts) = &self.kind {
            return if matches!(op.as_str(), "!" | "not") { parts.first()?.flag().map(|f| !f) } else { None };
        }
        match self.text()?.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" => Some(true),
            "false" | "no" | "off" => Some(false),
            _ => None,
        }
    }

    /// The entries of an array, as a list or as what makes one: `new[] { 1, 2 }`, `[]time.Duration{1, 2}`.
    pub fn entries(&self) -> Option<Vec<&Value>> {
        match (self.list(), self.item()) {
            (Some(values), _) => Some(values.iter().collect()),
            (None, Some(item)) if item.args.iter().all(|arg| arg.value.fun().is_none()) => {
                Some(item.args.iter().map(|arg| &arg.value).collect())
            }
            _ => None,
        }
    }

    /// Whether it is nothing: `None`, `null`, `nil`, `undefined`, `~`, an empty YAML value. What nothing means, no
    /// limit or an error, is the library's.
    pub fn is_null(&self) -> bool {
        match &self.kind {
            Kind::Word(word) => is_null_word(word),
            _ => false,
        }
    }

    /// Whether it is given, but what it is cannot be known from the text: a variable, a placeholder without a default,
    /// a call that nobody here can run. Such a setting is never absent: its default does not apply.
    pub fn is_undefined(&self) -> bool {
        match &self.kind {
            Kind::Word(word) => !word.starts_with(':') && !is_known_word(self, word),
            // JSONata's `{% … %}`; Spring's `@bean.property` in an expression.
            Kind::Text { text, .. } if text.starts_with("{%") && text.ends_with("%}") => true,
            Kind::Text { text, .. } if text.starts_with('@') => {
                text[1..].bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.')
            }
            Kind::Text { .. } => placeholder::of(self).is_some_and(|p| p.default.is_none()),
            Kind::Item(item) => match placeholder::of(self) {
                Some(placeholder) => placeholder.default.is_none(),
                None => item.form == Form::Call && !item.head.text.is_empty() && is_unknown(self),
            },
            Kind::Op(..) => match placeholder::of(self) {
                Some(placeholder) => placeholder.default.is_none_or(|d| d.is_undefined()),
                None => is_unknown(self) && self.flag().is_none(),
            },
            Kind::Unread => true,
            Kind::Number { .. } | Kind::List(_) | Kind::Fun(_) => false,
        }
    }

    /// Whether it is filled in from outside the text: `${X:5}`, `os.getenv("X", 5)`, `{{ .Values.x | default 4 }}`.
    pub fn is_placeholder(&self) -> bool {
        placeholder::of(self).is_some()
    }
}

fn bare(value: f64, unit: Unit) -> Time {
    Time { ms: unit.times(value), form: TimeForm::Bare, units: Vec::new() }
}

fn is_unknown(value: &Value) -> bool {
    quantity::of(value) == Err(TimeProblem::Unknown)
}

fn is_known_word(value: &Value, word: &str) -> bool {
    is_null_word(word) || value.flag().is_some() || quantity::of(value).is_ok()
}

fn is_null_word(word: &str) -> bool {
    let last = last_segment(word).to_ascii_lowercase();
    matches!(last.as_str(), "none" | "null" | "nil" | "undefined" | "~" | "nullopt" | "")
}

/// The part of a path after its last separator; of `.inf` it is `inf`.
pub(super) fn last_segment(path: &str) -> &str {
    path.rsplit(['.', ':', '/', '\\', '>']).next().unwrap_or(path)
}

/// Whether letters after a number say its type, not its unit: `1_000L`, `2.0f`, `3u32`, `5n`.
fn is_type_suffix(suffix: &str) -> bool {
    let suffix = suffix.trim_start_matches('_');
    let lower = suffix.to_ascii_lowercase();
    matches!(lower.as_str(), "" | "l" | "ul" | "lu" | "ll" | "u" | "f" | "n")
        || matches!(suffix, "d" | "D" | "M")
        || matches!(lower.as_str(), "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "f32" | "f64")
        || matches!(lower.as_str(), "u8" | "u16" | "u32" | "u64" | "u128" | "usize")
}

/// The number that a text is, and nothing else: `5`, `-1`, `1e3`, `inf`.
pub(super) fn plain_number(text: &str) -> Option<f64> {
    let text = text.trim();
    let (sign, body) = match text.strip_prefix('-') {
        Some(body) => (-1.0, body),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    match body.to_ascii_lowercase().trim_start_matches('.') {
        "inf" | "infinity" => return Some(sign * f64::INFINITY),
        "nan" => return Some(f64::NAN),
        _ => {}
    }
    let (value, rest) = duration::leading_number(body)?;
    rest.is_empty().then_some(sign * value)
}

impl Item {
    /// Where it stands as one dotted path, its own head last: `spring.kafka.producer`, `sinks.out.request`. Keys that
    /// hold dots themselves read the same, so `a.b: {c: {}}` and `a: {b: {c: {}}}` agree.
    pub fn path(&self) -> String {
        let mut path = String::new();
        let keys = self.place.iter().filter_map(|crumb| match crumb {
            super::Crumb::Key(key) => Some(key.as_str()),
            super::Crumb::Index(_) => None,
        });
        for key in keys.chain(Some(self.head.text.as_str())).filter(|key| !key.is_empty()) {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(key);
        }
        path
    }
}
