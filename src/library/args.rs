//! The settings of one item or call, looked up in the library's table by name or position.

use super::near::same;
use super::{Setting, SettingKind, Spelling, Take};
use crate::duration::{TimeForm, Unit};
use crate::notation::{Arg, Fun, Item, Kind, Name, Statement, Step, Value};
use crate::span::Span;

impl<'t> Take<'t> {
    /// The settings of one item; `of` names their group in the library's table.
    pub fn of<'a>(&'a mut self, item: &'t Item, of: &'static str) -> Args<'a, 't> {
        Args { take: self, given: Given::of(item), of, span: item.span, head: item.head.span, bare: None }
    }

    /// The settings of the first of several items that has `name`, else those of the last: a call before the task that
    /// it calls, an operator before its defaults. Each item stands with its group in the table.
    pub fn holding<'a>(&'a mut self, items: &[(&'t Item, &'static str)], name: &str) -> Args<'a, 't> {
        let found = items.iter().copied().find(|&(item, of)| self.of(item, of).has(name));
        let (item, of) = found.or(items.last().copied()).unwrap_or((self.block.item, ""));
        self.of(item, of)
    }

    /// The settings given to a method call of a chain.
    pub fn of_call<'a>(&'a mut self, args: &'t [Arg], span: Span, of: &'static str) -> Args<'a, 't> {
        Args { take: self, given: Given::of_args(args), of, span, head: span, bare: None }
    }

    /// The settings given by the calls of a part of a chain: `.maxRetries(3).delay(1000)`.
    pub fn of_steps<'a>(&'a mut self, steps: &'t [Step], span: Span, of: &'static str) -> Args<'a, 't> {
        let mut given = Given::of_args(&[]);
        given.done(steps);
        Args { take: self, given, of, span, head: span, bare: None }
    }

    /// The settings of the block's own item, of the table's unnamed group.
    pub fn main<'a>(&'a mut self) -> Args<'a, 't> {
        let item = self.block.item;
        self.of(item, "")
    }
}

/// Values under names and positions, as an item or a method call has them.
pub(super) struct Given<'t> {
    pub(super) named: Vec<(&'t Name, &'t Value)>,
    /// Methods of a chain with one argument: `.with_max_times(6)` gives `with_max_times` the value 6.
    called: Vec<(&'t Name, &'t Value)>,
    /// Calls among the arguments: a functional option `retry.Attempts(5)` gives `Attempts` the value 5.
    pub(super) options: Vec<&'t Value>,
    pub(super) positional: Vec<&'t Value>,
    pub(super) item: Option<&'t Item>,
}

impl<'t> Given<'t> {
    fn of(item: &'t Item) -> Self {
        let mut given = Given::of_args(&item.args);
        given.item = Some(item);
        given.done(&item.steps);
        given
    }

    fn done(&mut self, steps: &'t [Step]) {
        for step in steps {
            match step {
                Step::Set { path, value } => self.named.push((path, value)),
                Step::Call { name, args, .. } => {
                    if let [Arg { name: None, value }] = args.as_slice() {
                        self.called.push((name, value));
                    }
                }
            }
        }
    }

    fn of_args(args: &'t [Arg]) -> Self {
        let mut given =
            Given { named: Vec::new(), called: Vec::new(), options: Vec::new(), positional: Vec::new(), item: None };
        for arg in args {
            match &arg.name {
                Some(name) => given.named.push((name, &arg.value)),
                None => given.positional.push(&arg.value),
            }
            if arg.name.is_none() && arg.value.item().is_some() {
                given.options.push(&arg.value);
            }
        }
        given
    }
}

/// The settings of one item or call, by the library's table.
pub struct Args<'a, 't> {
    /// Where origins and findings go.
    pub take: &'a mut Take<'t>,
    /// The whole item or call.
    pub span: Span,
    pub(super) given: Given<'t>,
    pub(in crate::library) of: &'static str,
    head: Span,
    bare: Option<Unit>,
}

impl<'t> Args<'_, 't> {
    /// The same with bare numbers of times in another unit than the table's: where the text says the unit elsewhere.
    pub fn bare(mut self, unit: Unit) -> Self {
        self.bare = Some(unit);
        self
    }

    /// The same with the settings of a map that stands under `key` among them.
    pub fn with_nested(mut self, key: &str, nested: &'t Item) -> Self {
        self.given.named.retain(|(name, _)| name.text != key);
        self.given.named.extend(Given::of(nested).named);
        self
    }

    /// The same where a setting may be a function without parameters that gives the value when it is needed.
    pub fn called(mut self) -> Self {
        for (_, value) in &mut self.given.named {
            if let Some(Fun { params, body }) = value.fun()
                && let ([], [Statement::Return(given)]) = (params.as_slice(), body.as_slice())
            {
                *value = given;
            }
        }
        self
    }

    /// The unit of bare numbers, where it is not the table's.
    pub fn unit(&self) -> Option<Unit> {
        self.bare
    }

    /// The rows of the table that belong to what is read.
    pub(super) fn rows(&self) -> impl Iterator<Item = &'static Setting> + use<> {
        let of = self.of;
        self.take.library.settings.iter().filter(move |s| s.of == of)
    }

    fn setting(&self, name: &str) -> &'static Setting {
        self.rows()
            .find(|s| s.names().any(|n| n == name))
            .unwrap_or_else(|| panic!("{} has no setting `{name}` of `{}`", self.take.library.id, self.of))
    }

    /// What is written for a setting, by any of its names or its position, with the name as written.
    pub fn written(&self, name: &str) -> Option<(String, &'t Value)> {
        let setting = self.setting(name);
        let same = |written: &str| setting.names().any(|n| self.same(n, written));
        let either = self.given.named.iter().rev().chain(self.given.called.iter().rev());
        let named = either.map(|(n, v)| (n.text.clone(), *v)).find(|(n, _)| same(n));
        named
            .or_else(|| {
                let mut options = self.given.options.iter().rev().filter_map(|v| Some((*v, v.item()?)));
                let (whole, option) = options.find(|(_, o)| setting.names().any(|n| o.is(n)))?;
                // The text form of protobuf: `num_retries { value: 3 }`, `base_interval { seconds: 1 }`
                let message = || option.get("value").or((!option.args.is_empty()).then_some(whole));
                Some((option.head.text.clone(), option.at(0).or_else(message)?))
            })
            .or_else(|| {
                let item = self.given.item?;
                setting.names().filter(|n| n.contains('.')).find_map(|n| Some((n.to_string(), item.get(n)?)))
            })
            .or_else(|| {
                let value = self.given.positional.get(setting.position?)?;
                let own = setting.names().next().unwrap_or(name);
                // What has no name in the text is called by the call around it: `wait_fixed(wait)`.
                let shown = if self.of.is_empty() { own.to_string() } else { format!("{}({own})", self.of) };
                Some((shown, *value))
            })
    }

    /// The value of a setting as it is written.
    pub fn value(&self, name: &str) -> Option<&'t Value> {
        self.written(name).map(|(_, value)| value)
    }

    /// Whether two names are the same to the library.
    pub(super) fn same(&self, a: &str, b: &str) -> bool {
        let neutral = super::neutral::LIBRARY.id;
        a == b
            || self.take.library.relaxed_names
                && (same(a, b) || self.take.library.id == neutral && same(a, super::neutral::own(b)))
    }

    /// A time in ms, or the table's default. `None` where neither says anything, or null is written.
    pub fn time(&mut self, name: &str) -> Option<f64> {
        let setting = self.setting(name);
        let SettingKind::Time(unit) = setting.kind else { panic!("`{name}` is no time in the table") };
        let unit = self.bare.or(unit);
        if let Some((written, value)) = self.written(name) {
            if value.is_null() {
                self.take.origin(setting.field, value.span);
                return None;
            }
            if let Some(own) = self.own_default(value) {
                return self.default_time(own, unit);
            }
            let text = value.span.of(self.take.scan.doc.text).trim_matches(['"', '\'']);
            if let Some(wanted) = refused(setting.spelling, value, text, unit) {
                self.take.refuse(&written, value, &wanted);
            } else if let Some(ms) = self.take.time(&written, setting.field, value, unit) {
                self.nanoseconds(value, ms, unit);
                return Some(ms);
            }
        }
        self.default_time(setting, unit)
    }

    /// The setting whose default a name stands for: `backoff.DefaultMultiplier`, `RetryConfig.DEFAULT_MAX_ATTEMPTS`.
    fn own_default(&self, value: &Value) -> Option<&'static Setting> {
        let squash = |s: &str| s.replace('_', "").to_ascii_lowercase();
        let last = squash(value.text().filter(|_| value.is_undefined())?.rsplit(['.', ':']).next()?);
        let name = last.strip_prefix("default")?;
        let mut rows = self.take.library.settings.iter().filter(|s| !matches!(s.default, "" | "0"));
        rows.find(|s| s.names().any(|n| squash(n) == name))
    }

    /// In Go a bare number is nanoseconds, and hardly ever meant so.
    fn nanoseconds(&mut self, value: &Value, ms: f64, unit: Option<Unit>) {
        let bare = || value.duration_ms(unit).is_ok_and(|time| time.form == TimeForm::Bare);
        if unit == Some(Unit::Nanosecond) && ms > 0.0 && (ms < 0.001 || ms < 1.0 && bare()) {
            let message = "A bare number is nanoseconds in Go; this is next to nothing.";
            self.take.warning("nanoseconds", value.span, message).help = "Multiply by time.Millisecond.".into();
        }
    }

    fn default_time(&mut self, setting: &'static Setting, unit: Option<Unit>) -> Option<f64> {
        let ms = match (setting.default.parse::<f64>(), unit) {
            _ if setting.default.is_empty() => return None,
            (Ok(number), Some(unit)) => unit.times(number),
            _ => crate::duration::parse(setting.default, None).ok()?.ms,
        };
        let shown = unit.filter(|_| setting.default.parse::<f64>().is_ok());
        let shown = shown.map_or(setting.default.to_string(), |unit| format!("{} {}", setting.default, unit.symbol()));
        self.take.default(setting.field, shown);
        Some(ms)
    }

    /// The same with bare numbers in another unit.
    pub fn time_in(&mut self, name: &str, unit: Unit) -> Option<f64> {
        let before = self.bare.replace(unit);
        let ms = self.time(name);
        self.bare = before;
        ms
    }

    /// A number, or the table's default.
    pub fn number(&mut self, name: &str) -> Option<f64> {
        let setting = self.setting(name);
        if let Some((written, value)) = self.written(name) {
            if value.is_null() {
                self.take.origin(setting.field, value.span);
                return None;
            }
            if let Some(own) = self.own_default(value) {
                self.take.default(setting.field, own.default);
                return own.default.parse().ok();
            }
            match self.plain(setting, &written, value) {
                // Every other wait would be.
                Some(number) if number < 0.0 && setting.field == "factor" => {
                    self.take.refuse(&written, value, "is negative");
                }
                Some(number) => return Some(number),
                None => {}
            }
        }
        let number = setting.default.parse().ok()?;
        self.take.default(setting.field, setting.default);
        Some(number)
    }

    /// The number that is written, which may stand in quotes where the table says so.
    fn plain(&mut self, setting: &'static Setting, written: &str, value: &Value) -> Option<f64> {
        match value.text_number().filter(|n| setting.spelling == Spelling::Quoted && !n.is_nan()) {
            Some(number) if value.number().is_none() => {
                self.take.origin(setting.field, value.span);
                Some(number)
            }
            _ => self.take.number(written, setting.field, value),
        }
    }

    /// A whole number that is not negative, or the table's default. Infinity and null give `None`; so does a default
    /// of nothing. A fraction or a negative number is an error, and the default is taken.
    pub fn count(&mut self, name: &str) -> Option<u64> {
        let setting = self.setting(name);
        if let Some((written, value)) = self.written(name) {
            if value.is_null() {
                self.take.origin(setting.field, value.span);
                return None;
            }
            if let Some(own) = self.own_default(value) {
                self.take.default(setting.field, own.default);
                return own.default.parse().ok();
            }
            match self.plain(setting, &written, value) {
                Some(n) if n < 0.0 => self.take.refuse(&written, value, "is negative"),
                Some(n) if n.is_infinite() => return None,
                Some(n) if n.fract() != 0.0 => self.take.refuse(&written, value, "must be a whole number"),
                Some(n) => return Some(n as u64),
                None => None,
            };
        }
        let count = setting.default.parse().ok()?;
        self.take.default(setting.field, setting.default);
        Some(count)
    }

    /// Yes or no, or the table's default; no default is no.
    pub fn flag(&mut self, name: &str) -> bool {
        let setting = self.setting(name);
        let written = self.written(name).filter(|(_, value)| !value.is_null());
        written.and_then(|(name, value)| self.take.flag(&name, setting.field, value)).unwrap_or_else(|| {
            self.take.default(setting.field, setting.default);
            setting.default == "true"
        })
    }

    /// Whether anything is written for a setting.
    pub fn has(&self, name: &str) -> bool {
        self.written(name).is_some()
    }

    /// The name of the item or call, for findings that concern the whole.
    pub fn head(&self) -> Span {
        self.head
    }
}

/// Why a time is refused that is not written as the library wants it, as the end of a sentence.
fn refused(spelling: Spelling, value: &Value, text: &str, unit: Option<Unit>) -> Option<String> {
    let known = !value.is_undefined() && !value.is_placeholder();
    let (refused, wanted) = match spelling {
        Spelling::Any | Spelling::Quoted => return None,
        Spelling::Typed => (matches!(value.kind, Kind::Text { .. }), " or a time object"),
        Spelling::Plain => (value.number().is_none(), ""),
        Spelling::Object => {
            let bare = value.duration_ms(unit).is_ok_and(|time| time.form == TimeForm::Bare);
            let refused = known && (bare || matches!(value.kind, Kind::Text { .. }));
            return refused.then(|| format!("must be a Duration, not {}: it does not compile", value.describe()));
        }
        Spelling::Units(units) => return other_units(units, value, text, unit).filter(|_| known),
    };
    let unit = match unit {
        Some(Unit::Second) => "seconds",
        Some(Unit::Millisecond) => "milliseconds",
        other => other.map_or("", Unit::symbol),
    };
    (known && refused).then(|| format!("must be a number of {unit}{wanted}, not {}", value.describe()))
}

/// Why a time with other units than these, or with spaces, is refused.
fn other_units(units: &[&str], value: &Value, text: &str, unit: Option<Unit>) -> Option<String> {
    let time = value.duration_ms(unit).ok()?;
    let spaced = value.text().is_some_and(|text| text.contains(char::is_whitespace));
    let refused = match time.form {
        TimeForm::Bare | TimeForm::Language => false,
        TimeForm::Units => spaced || !time.only(units),
        TimeForm::Iso | TimeForm::Clock => true,
    };
    refused.then(|| format!("is `{text}`; it must be a number with one of the units {}", units.join(", ")))
}
