//! Whether waits and calls fit into a limit.

use super::begun;
use super::fields::Field;
use super::total::Laws;
use super::words::Words;
use crate::distribution::{Method, Options, calls_made};
use crate::format::{count, percent, short};
use crate::limits::Limit;
use crate::policy::{Clock, Deadline, Overrun, Policy};
use serde::Serialize;

/// Up to so many waits are followed one by one while one types.
pub const FEW: u64 = 10;

/// One limit and what it makes of the policy.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct LimitRow {
    /// What it is the limit of.
    pub name: &'static str,
    /// The most it allows.
    pub field: Field,
    /// Where it is written.
    pub source: &'static str,
    /// When that was; may be empty.
    pub dated: &'static str,
    /// Whether it fits; absent where there is no limit or the numbers are left for later.
    pub verdict: Option<Verdict>,
}

/// Whether something fits.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Verdict {
    /// How.
    pub fits: Fits,
    /// The same in words.
    pub words: Words,
    /// Which calls still begin; may be empty.
    pub calls: Words,
}

/// How something fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Fits {
    /// In every run.
    Always,
    /// In some runs.
    Sometimes,
    /// In none.
    Never,
}

/// The row of a limit.
pub fn row(limit: Limit, field: Field, verdict: Option<Verdict>) -> LimitRow {
    // A number of the reader's own is of no other source.
    let (source, dated) = if field.own { ("yours", "") } else { (limit.source, limit.dated) };
    LimitRow { name: limit.name, field, source, dated, verdict }
}

/// What a limit of `limit_ms` makes of a policy; which calls still begin is asked of many waits only if `patient`.
pub fn verdict(laws: &Laws, limit_ms: Option<f64>, patient: bool) -> Option<Verdict> {
    let limit_ms = limit_ms?;
    let (least, worst) = (laws.least_ms(), laws.worst_ms());
    let p = laws.real.within.iter().find(|within| within.ms == limit_ms).map(|within| within.elapsed_p);
    let (fits, words) = match (least, worst, p) {
        (_, Some(worst), _) if worst <= limit_ms => {
            let spare = limit_ms - worst;
            let words =
                if spare > 0.0 { format!("fits, _{}_ to spare", short(spare).text) } else { "just fits".into() };
            (Fits::Always, words)
        }
        (None, ..) if laws.policy.retries.is_none() && laws.policy.deadline.is_none() => {
            (Fits::Never, "does not fit: it never stops".into())
        }
        (None, ..) => (Fits::Never, "does not fit: the waits grow beyond any number".into()),
        (Some(least), ..) if least > limit_ms => {
            (Fits::Never, format!("does not fit: {}", too_long(laws, least, limit_ms)))
        }
        (_, _, Some(1.0)) if laws.real.method == Method::Exact => (Fits::Always, "fits".into()),
        (_, _, Some(p)) => {
            (Fits::Sometimes, format!("fits sometimes: _{}_ of runs", percent(p.clamp(1e-9, 1.0 - 1e-9))))
        }
        (_, _, None) => (Fits::Sometimes, "fits sometimes; how often is not known".into()),
    };
    let asked = fits != Fits::Always && (patient || laws.policy.retries.is_some_and(|n| n <= FEW));
    let calls = if asked { still_begun(laws, limit_ms) } else { None };
    Some(Verdict { fits, words: Words::of(&words), calls: Words::of(&calls.unwrap_or_default()) })
}

/// "6 calls alone take 12 s", "at least 90 s".
fn too_long(laws: &Laws, least: f64, limit_ms: f64) -> String {
    match (laws.policy.calls(), laws.calling_ms()) {
        (Some(calls), Some(calling)) if calling > limit_ms && laws.policy.deadline.is_none() => {
            format!("{} calls alone take _{}_", count(calls), short(calling).text)
        }
        _ => format!("it takes at least _{}_", short(least).text),
    }
}

/// Which retries begin before the limit: those that a deadline of it would not refuse. Said where no deadline of the
/// policy's own would come before.
fn still_begun(laws: &Laws, limit_ms: f64) -> Option<String> {
    let policy = laws.policy;
    if policy.deadline.is_some_and(|deadline| deadline.limit_ms < limit_ms) {
        return None;
    }
    let deadline = Some(Deadline { limit_ms, overrun: Overrun::Refuse, clock: Clock::Elapsed });
    let cut = Policy { deadline, ..policy.clone() };
    let calls = calls_made(&cut, &Options { call_ms: laws.call_ms, ..Options::default() });
    Some(match policy.retries {
        Some(_) if calls.is_empty() => return None,
        Some(retries) => format!("Before it {}.", begun::retries(&calls, retries, "begins", "begin")),
        None => format!("Before it {} begin.", begun::calls(&calls)),
    })
}
