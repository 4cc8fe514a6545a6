//! The fields of the fleet: what was typed, and what it means.

use crate::fleet::{FleetSpec, LimiterKind};
use crate::format::plain;
use crate::report::form::{Problem, time};
use crate::retry_after::{self, Hint};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The fields' keys in the link. The reader's fleet stands there beside the policy.
pub const KEYS: [&str; 11] =
    ["callers", "allowance", "per", "enforced", "burst", "spread", "demand", "hint", "seed", "mean", "bins"];

/// The fleet as the reader gave it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct FleetRequest {
    /// Texts by key; a key that is absent has its first value.
    pub typed: BTreeMap<String, String>,
    /// Whether the working is looked at.
    pub open: bool,
    /// The time, ms since 1970, for hints that name a date.
    pub now_unix_ms: f64,
}

/// One field.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct FleetField {
    /// Its key.
    pub key: &'static str,
    /// What it holds.
    pub value: String,
    /// What is wrong with it; may be empty.
    pub problem: String,
    /// Whether it acts on anything now.
    pub used: bool,
}

/// What the fields mean.
pub struct Inputs {
    pub fields: Vec<FleetField>,
    callers: Option<u64>,
    allowance: Option<f64>,
    spread_ms: Option<f64>,
    burst: Option<f64>,
    pub per_ms: f64,
    enforced: String,
    /// Calls wanted in the time of the allowance.
    pub demand: Option<f64>,
    /// What the service asks for.
    pub hint: Option<Hint>,
    pub now_unix_ms: f64,
    pub seed: Option<u64>,
    /// Whether other jitters are compared at this policy's mean wait.
    pub equal_mean: bool,
    /// Whether arrivals are counted in the windows of the allowance.
    pub in_windows: bool,
}

impl Inputs {
    pub fn of(request: &FleetRequest) -> Inputs {
        let text = |key: &str, first: &str| request.typed.get(key).map_or(first, String::as_str).trim().to_string();
        let per = text("per", "minute");
        let per_ms = if per == "second" { 1e3 } else { 6e4 };
        let mut enforced = text("enforced", "second");
        if !["second", "minute", "bucket", "sliding"].contains(&enforced.as_str()) {
            enforced = "second".into();
        }
        let mut fields = Fields(Vec::new());
        let callers = fields.take("callers", text("callers", "400"), callers);
        let allowance = fields.take("allowance", text("allowance", "4000"), number);
        fields.take("per", if per == "second" { per } else { "minute".into() }, |_| Ok(()));
        fields.take("enforced", enforced.clone(), |_| Ok(()));
        let bucket = enforced == "bucket";
        let burst = fields.take("burst", if bucket { text("burst", "1") } else { "1".into() }, number);
        fields.0.iter_mut().filter(|f| f.key == "burst").for_each(|f| f.used = bucket);
        let spread_ms = fields.take("spread", text("spread", "50 ms"), spread);
        let twice = plain(2.0 * allowance.unwrap_or(0.0));
        let demand = fields.take("demand", text("demand", &twice), number);
        let now = request.now_unix_ms;
        let hint = fields.take("hint", text("hint", "30"), |text| retry_after::parse(text, now));
        let seed = fields.take("seed", text("seed", "1"), |text| {
            text.parse().map_err(|_| "A seed is a whole number of up to 64 bits.".into())
        });
        Inputs {
            fields: fields.0,
            callers,
            allowance,
            spread_ms,
            burst,
            per_ms,
            enforced,
            demand,
            hint,
            now_unix_ms: now,
            seed,
            equal_mean: text("mean", "") == "equal",
            in_windows: text("bins", "") == "windows",
        }
    }

    /// The fleet; `None` while a field that it needs cannot be used.
    pub fn spec(&self) -> Option<FleetSpec> {
        let spec = FleetSpec::new(self.callers?, self.allowance?, self.per_ms);
        let limiter = match self.enforced.as_str() {
            "bucket" => LimiterKind::TokenBucket,
            "sliding" => LimiterKind::SlidingLog,
            _ => LimiterKind::FixedWindow,
        };
        let window_ms = if self.enforced == "minute" { 6e4 } else { 1e3 };
        Some(FleetSpec { limiter, window_ms, burst: self.burst?, spread_ms: self.spread_ms?, ..spec })
    }

    /// "a minute", "a second".
    pub fn per(&self) -> &'static str {
        if self.per_ms == 1e3 { "a second" } else { "a minute" }
    }
}

struct Fields(Vec<FleetField>);

impl Fields {
    /// Adds a field and gives what its text means, if it means anything.
    fn take<T>(&mut self, key: &'static str, value: String, read: impl Fn(&str) -> Result<T, String>) -> Option<T> {
        let read = read(&value);
        let problem = read.as_ref().err().cloned().unwrap_or_default();
        self.0.push(FleetField { key, value, problem, used: true });
        read.ok()
    }
}

/// A number of 0 or more; digits may be grouped by spaces.
fn number(text: &str) -> Result<f64, String> {
    let digits: String = text.chars().filter(|c| !c.is_whitespace() && *c != '_').collect();
    match digits.replace('−', "-").parse::<f64>() {
        Ok(n) if n.is_finite() && n < 0.0 => Err("Less than nothing: a number of 0 or more is expected.".into()),
        Ok(n) if n > 1e300 => Err("More than can be computed with.".into()),
        Ok(n) if n.is_finite() => Ok(n),
        _ if digits.is_empty() => Err("Empty: a number is expected.".into()),
        _ => Err(format!("`{text}` is no number.")),
    }
}

fn callers(text: &str) -> Result<u64, String> {
    match number(text)? {
        n if n > 1e15 => Err("More than can be counted.".into()),
        n if n.fract() != 0.0 => Err("A whole number of callers is expected.".into()),
        n if n < 1.0 => Err("At least one caller is needed.".into()),
        n => Ok(n as u64),
    }
}

fn spread(text: &str) -> Result<f64, String> {
    time(text).map_err(|problem| match problem {
        Problem::Unit(number) => format!("{number} of what? {number} ms or {number} s."),
        Problem::Bad(message) => message,
    })
}
