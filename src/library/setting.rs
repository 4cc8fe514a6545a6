//! A row of a library's settings table.

use crate::duration::Unit;

/// One setting of a library, as its documentation would list it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// The call, section or map it belongs to, where the library has several: `wait_exponential`; empty otherwise.
    pub of: &'static str,
    /// Its names as written in a configuration, the usual one first, separated by `|`.
    pub name: &'static str,
    /// Its position among the arguments without a name, where it can be given by position.
    pub position: Option<usize>,
    /// What kind of value it takes.
    pub kind: SettingKind,
    /// The policy's field that it sets, as in JSON (`baseMs`); empty where it sets none alone.
    pub field: &'static str,
    /// The value taken when it is not written, in the setting's own unit; empty where there is none.
    pub default: &'static str,
    /// How a time may be written.
    pub spelling: Spelling,
}

/// How a time or a number may be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spelling {
    /// In any way that the project can read.
    #[default]
    Any,
    /// As a number or as a time of the language; a text is refused.
    Typed,
    /// As a number alone.
    Plain,
    /// As a time of the language alone: a number and a text do not compile.
    Object,
    /// Also as a number in quotes.
    Quoted,
    /// As a text with these unit words and no spaces: Go's `1m30s`, protobuf's `0.5s`.
    Units(&'static [&'static str]),
}

/// The unit words of Go's durations.
pub const GO: &[&str] = &["ns", "us", "µs", "μs", "ms", "s", "m", "h"];

/// What kind of value a setting takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingKind {
    /// A time; a bare number has this unit. `None`: a bare number is no time here.
    Time(Option<Unit>),
    /// Any number.
    Number,
    /// A whole number of calls, retries or the like.
    Count,
    /// Yes or no.
    Flag,
    /// Anything else: a word, a list, a nested block; known so that it is not called unknown.
    Other,
}

impl Setting {
    const fn new(kind: SettingKind, name: &'static str, field: &'static str, default: &'static str) -> Self {
        Setting { of: "", name, position: None, kind, field, default, spelling: Spelling::Any }
    }

    /// A time whose bare numbers have `unit`.
    pub const fn time(name: &'static str, field: &'static str, unit: Unit, default: &'static str) -> Self {
        Setting::new(SettingKind::Time(Some(unit)), name, field, default)
    }

    /// A time that must have its unit written; the default is a text with one.
    pub const fn duration(name: &'static str, field: &'static str, default: &'static str) -> Self {
        Setting::new(SettingKind::Time(None), name, field, default)
    }

    /// A number.
    pub const fn number(name: &'static str, field: &'static str, default: &'static str) -> Self {
        Setting::new(SettingKind::Number, name, field, default)
    }

    /// A count.
    pub const fn count(name: &'static str, field: &'static str, default: &'static str) -> Self {
        Setting::new(SettingKind::Count, name, field, default)
    }

    /// A flag.
    pub const fn flag(name: &'static str, field: &'static str, default: &'static str) -> Self {
        Setting::new(SettingKind::Flag, name, field, default)
    }

    /// A setting that is known but read by hand or has no bearing on waits.
    pub const fn other(name: &'static str) -> Self {
        Setting::new(SettingKind::Other, name, "", "")
    }

    /// The same, belonging to one call or section.
    pub const fn of(mut self, of: &'static str) -> Self {
        self.of = of;
        self
    }

    /// The same, also given by position, from 0.
    pub const fn at(mut self, position: usize) -> Self {
        self.position = Some(position);
        self
    }

    /// The same, written as a time of the language alone: `Duration::from_secs(5)`, never `5` or `"5s"`.
    pub const fn object(mut self) -> Self {
        self.spelling = Spelling::Object;
        self
    }

    /// The same, written as a number or as a time of the language: `5`, `timedelta(seconds=5)`, never `"5s"`.
    pub const fn typed(mut self) -> Self {
        self.spelling = Spelling::Typed;
        self
    }

    /// The same, written as a number alone: the library calculates with it as it is.
    pub const fn plain(mut self) -> Self {
        self.spelling = Spelling::Plain;
        self
    }

    /// The same, a number that may stand in quotes: the notation has texts only, or the library parses them.
    pub const fn quoted(mut self) -> Self {
        self.spelling = Spelling::Quoted;
        self
    }

    /// The same, as a text with these unit words alone.
    pub const fn units(mut self, units: &'static [&'static str]) -> Self {
        self.spelling = Spelling::Units(units);
        self
    }

    /// Its names, the usual one first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.name.split('|')
    }
}
