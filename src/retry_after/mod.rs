//! What a service asks for in `Retry-After`: reading one such hint, and what a policy becomes by it.
//!
//! | text | hint |
//! |---|---|
//! | `120`, `Retry-After: 120` | 120 s |
//! | `2m59.56s`, `1 min 30 s` | 179.56 s, 90 s |
//! | `Wed, 21 Oct 2015 07:28:00 GMT` | at that time |
//! | `Wednesday, 21-Oct-15 07:28:00 GMT`, `Wed Oct 21 07:28:00 2015` | the same, in the two older forms |

mod date;
mod treatment;

pub use treatment::{RetryAfter, heeded, spread_out};

use crate::duration::{self, TimeProblem, Unit};
use serde::Serialize;

/// A hint that was read.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Hint {
    /// To wait this long.
    Wait {
        /// How long, ms.
        ms: f64,
    },
    /// To wait until then.
    At {
        /// The time, ms since 1970-01-01 00:00 UTC.
        unix_ms: f64,
    },
}

impl Hint {
    /// How long it asks to wait, ms, at a time given in ms since 1970; 0 where that has passed.
    pub fn wait_ms(self, now_unix_ms: f64) -> f64 {
        match self {
            Hint::Wait { ms } => ms,
            Hint::At { unix_ms } => (unix_ms - now_unix_ms).max(0.0),
        }
    }
}

/// Reads a hint: seconds, a duration with units, or one of the three forms of an HTTP date, with or without the name of
/// the header before it. A message says what was expected. A year of two digits is the one within 50 years of the time
/// given in ms since 1970.
pub fn parse(text: &str, now_unix_ms: f64) -> Result<Hint, String> {
    let text = text.trim();
    let value = match text.split_once(':') {
        Some((name, value)) if name.trim().eq_ignore_ascii_case("retry-after") => value.trim(),
        _ => text,
    };
    if let Some(unix_ms) = date::unix_ms(value, now_unix_ms) {
        return Ok(Hint::At { unix_ms });
    }
    match duration::parse(value, Some(Unit::Second)) {
        Ok(time) if time.ms.is_finite() && time.ms >= 0.0 => Ok(Hint::Wait { ms: time.ms }),
        Ok(time) if time.ms < 0.0 => Err("A negative time: a hint is 0 or more.".into()),
        Err(TimeProblem::UnknownUnit { unit, .. }) => {
            Err(format!("`{unit}` is no unit of time: seconds are expected, or 2m59s, or an HTTP date."))
        }
        _ => Err("Not a hint: seconds are expected, or 2m59s, or Wed, 21 Oct 2015 07:28:00 GMT.".into()),
    }
}
