//! The total of all waits as a distribution: mean, percentiles, density, the number of calls under a deadline.
//!
//! [`total_wait`] picks the way: independent waits have an exact law (`sum`: closed forms and a Fourier series), so have
//! whole-unit waits of a small range (`lattice`), decorrelated ones (`decorrelated`) and those that telescope; what is
//! left is drawn (`simulated`). Each way says how far its percentiles can be off.

mod closed;
mod complex;
mod part;
mod series;
mod sum;
mod summary;
mod waits;

use crate::policy::Policy;
use crate::schedule;
use serde::{Deserialize, Serialize};
use sum::Sum;
use summary::Summary;
use waits::Waits;

/// What to assume beside the policy.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Options {
    /// How long each call takes, ms; it counts in the deadline's clock and in the time elapsed.
    pub call_ms: f64,
    /// Times, ms, to give the probability of being within.
    pub within_ms: Vec<f64>,
}

/// The distribution of the total of all waits, calls not counted unless said.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TotalWait {
    /// The mean, ms; absent: not known or beyond all bounds.
    pub mean_ms: Option<f64>,
    /// The standard deviation, ms; absent: not known or beyond all bounds.
    pub sd_ms: Option<f64>,
    /// The smallest total, ms; absent: beyond all bounds.
    pub min_ms: Option<f64>,
    /// The upper end of the range, ms; absent: beyond all bounds.
    pub max_ms: Option<f64>,
    /// p50, p90, p95, p99, p99.9, ascending; empty where the law is not known.
    pub percentiles: Vec<Percentile>,
    /// The curve of the spread part; empty where there is none.
    pub density: Vec<DensityPoint>,
    /// Single totals that happen with a probability of their own, ascending.
    pub atoms: Vec<Atom>,
    /// How many calls are made, the first included.
    pub calls: Vec<CallsShare>,
    /// The times that were asked for.
    pub within: Vec<Within>,
    /// The same percentiles of waits and calls together.
    pub elapsed: Vec<Percentile>,
    /// The largest relative error of a percentile.
    pub error: f64,
    /// How it was found.
    pub method: Method,
    /// How many runs were drawn, where they were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draws: Option<u32>,
}

/// A value that a share of the totals does not pass.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Percentile {
    /// The share, 0 to 1.
    pub p: f64,
    /// The smallest time that as large a share stays within, ms.
    pub ms: f64,
}

/// A point of the density.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct DensityPoint {
    /// The total, ms.
    pub ms: f64,
    /// Probability per ms.
    pub per_ms: f64,
}

/// A single total with a probability of its own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Atom {
    /// The total, ms.
    pub ms: f64,
    /// Its probability.
    pub p: f64,
}

/// The probability of a number of calls.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CallsShare {
    /// Calls, the first included.
    pub calls: u64,
    /// The probability of exactly so many.
    pub p: f64,
}

/// The probability of being within a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Within {
    /// The time, ms.
    pub ms: f64,
    /// The probability that the waits alone are.
    pub p: f64,
    /// The probability that waits and calls together are.
    pub elapsed_p: f64,
}

/// How a distribution was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Method {
    /// Computed from the law.
    Exact,
    /// Drawn with a fixed seed.
    Simulated,
    /// The law of some wait is not known: only the range is given.
    Unknown,
    /// The policy never stops, so there is no total.
    Endless,
}

/// A law of totals, as far as a summary needs one.
trait Distribution {
    /// The probability of at most this total.
    fn cdf(&self, ms: f64) -> f64;
    /// The density of the spread part.
    fn density(&self, ms: f64) -> f64;
}

impl Distribution for Sum {
    fn cdf(&self, ms: f64) -> f64 {
        Sum::cdf(self, ms)
    }

    fn density(&self, ms: f64) -> f64 {
        Sum::density(self, ms)
    }
}

/// The distribution of the total wait of a policy.
pub fn total_wait(policy: &Policy, options: &Options) -> TotalWait {
    match Waits::of(policy) {
        Some(Waits { count: None, .. }) => bounds(policy, Method::Endless),
        Some(waits) => independent(policy, &waits, options),
        None => bounds(policy, Method::Unknown),
    }
}

fn independent(policy: &Policy, waits: &Waits, options: &Options) -> TotalWait {
    let Some(sum) = Sum::new(&waits.counted()) else {
        return bounds(policy, Method::Unknown);
    };
    let calls = policy.calls().unwrap_or(u64::MAX);
    let summary = Summary {
        law: &sum,
        mean_ms: sum.mean_ms,
        sd_ms: sum.variance.max(0.0).sqrt(),
        range: (sum.min_ms, sum.max_ms),
        step_ms: sum.step_ms,
        atoms: sum.atoms(),
        calls: vec![CallsShare { calls, p: 1.0 }],
        error: sum.error,
        blur_ms: sum.blur_ms,
    };
    summary.total(options)
}

/// What is known where the law is not: the range.
fn bounds(policy: &Policy, method: Method) -> TotalWait {
    let total = schedule::schedule(policy, 0).total;
    TotalWait {
        mean_ms: total.mean_ms,
        sd_ms: None,
        min_ms: total.attainable_min_ms.or(total.min_ms),
        max_ms: total.bound_ms,
        percentiles: Vec::new(),
        density: Vec::new(),
        atoms: Vec::new(),
        calls: policy.calls().map(|calls| CallsShare { calls, p: 1.0 }).into_iter().collect(),
        within: Vec::new(),
        elapsed: Vec::new(),
        error: 1.0,
        method,
        draws: None,
    }
}
