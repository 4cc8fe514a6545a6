//! The fleet a reader describes: how many callers, and what the service admits.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// A fleet and the allowance it shares. All callers are refused at time 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct FleetSpec {
    /// How many callers there are.
    pub callers: u64,
    /// How many calls are admitted in each `perMs`.
    pub allowance: f64,
    /// The time the allowance is for, ms: 1000 for a second, 60 000 for a minute.
    pub per_ms: f64,
    /// How the allowance is enforced.
    #[serde(default)]
    pub limiter: LimiterKind,
    /// The length of a window, ms, for the kinds that have one. 60 000 counts each minute whole.
    #[serde(default = "second")]
    pub window_ms: f64,
    /// The refused first calls have used up the first fixed window.
    #[serde(default)]
    pub first_window_used: bool,
    /// How many tokens the bucket can hold. Under 1 it never holds a whole one, and nobody is admitted.
    #[serde(default = "one")]
    pub burst: f64,
    /// What separates callers whose waits are all the same, ms: each starts at an offset of its own, evenly in this
    /// spread, and keeps it.
    #[serde(default = "spread")]
    pub spread_ms: f64,
    /// How long a call takes until it is refused, ms.
    #[serde(default)]
    pub call_ms: f64,
    /// How many runs to simulate.
    #[serde(default = "runs")]
    pub runs: u32,
}

/// How an allowance is enforced. A refused call uses up nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum LimiterKind {
    /// Windows `[jW, (j+1)W)` from time 0, each with what is due by its end and not by its start; fractions are carried.
    #[default]
    FixedWindow,
    /// Tokens at the allowance's rate into a bucket, empty at time 0; each call admitted takes one.
    TokenBucket,
    /// As many in any window that ends now as the allowance gives in one, rounded down.
    SlidingLog,
}

/// A value of a [`FleetSpec`] that cannot be computed with.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct SpecError {
    /// The field, as it is written in JSON.
    pub field: &'static str,
    /// What was expected.
    pub message: String,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

impl std::error::Error for SpecError {}

/// Whether JSON's number is one that counts.
fn whole(number: &Value) -> bool {
    number.is_u64()
}

fn second() -> f64 {
    1_000.0
}

fn one() -> f64 {
    1.0
}

fn spread() -> f64 {
    50.0
}

fn runs() -> u32 {
    100
}

impl FleetSpec {
    /// Callers against an allowance for `per_ms`, enforced each second in fixed windows; 50 ms between callers without
    /// jitter, calls that take no time, 100 runs.
    pub fn new(callers: u64, allowance: f64, per_ms: f64) -> Self {
        FleetSpec {
            callers,
            allowance,
            per_ms,
            limiter: LimiterKind::FixedWindow,
            window_ms: second(),
            first_window_used: false,
            burst: one(),
            spread_ms: spread(),
            call_ms: 0.0,
            runs: runs(),
        }
    }

    /// The allowance in calls per second.
    pub fn per_s(&self) -> f64 {
        self.allowance * 1_000.0 / self.per_ms
    }

    /// How many whole calls are due in this many windows.
    pub fn due(&self, windows: f64) -> f64 {
        // A sum that should be whole, and misses by a rounding, counts as whole.
        (self.allowance * self.window_ms * windows / self.per_ms + 1e-9).floor()
    }

    /// How many calls fixed window `j`, from 0, admits: what is due by its end and not by its start.
    pub fn quota(&self, j: f64) -> f64 {
        match self.due(1.0) {
            _ if self.first_window_used && j == 0.0 => 0.0,
            // From here on two neighbours can no longer be told apart, and no fleet is as large.
            many if many > 1e15 => many,
            _ => self.due(j + 1.0) - self.due(j),
        }
    }

    /// Reads a spec and says at which field one cannot be read.
    pub fn from_json(json: &str) -> Result<Self, SpecError> {
        let at = |field| move |message: String| SpecError { field, message };
        let value: Value = serde_json::from_str(json).map_err(|error| at("fleet")(format!("is no JSON: {error}")))?;
        let required = ["callers", "allowance", "perMs"];
        for field in [&required[..], &["windowMs", "burst", "spreadMs", "callMs", "runs"]].concat() {
            match value.get(field) {
                None if required.contains(&field) => return Err(at(field)("is missing".into())),
                Some(given) if !given.is_number() => return Err(at(field)(format!("{given} is no number"))),
                Some(given) if ["callers", "runs"].contains(&field) && !whole(given) => {
                    return Err(at(field)(format!("{given} is not a whole number that can be counted to")));
                }
                _ => {}
            }
        }
        let spec: FleetSpec = serde_json::from_value(value).map_err(|error| at("fleet")(error.to_string()))?;
        spec.check().map(|()| spec)
    }

    /// Whether every number can be computed with.
    pub fn check(&self) -> Result<(), SpecError> {
        let finite = [
            ("allowance", self.allowance),
            ("burst", self.burst),
            ("spreadMs", self.spread_ms),
            ("callMs", self.call_ms),
        ];
        for (field, value) in finite {
            if !(value.is_finite() && value >= 0.0) {
                return Err(SpecError { field, message: format!("{value} is not a number of 0 or more") });
            }
        }
        for (field, value) in [("perMs", self.per_ms), ("windowMs", self.window_ms)] {
            if !(value.is_finite() && value > 0.0) {
                return Err(SpecError { field, message: format!("{value} is not a time above 0") });
            }
        }
        if self.runs == 0 {
            return Err(SpecError { field: "runs", message: "0 runs simulate nothing; at least 1".into() });
        }
        Ok(())
    }
}
