//! The total of all waits as a distribution: mean, percentiles, density, the number of calls under a deadline.
//!
//! [`total_wait`] picks the way: independent waits have an exact law (`sum`: closed forms and a Fourier series), so have
//! whole-unit waits of a small range (`lattice`), decorrelated ones (`decorrelated`) and those that telescope; what is
//! left is drawn (`simulated`). Each way says how far its percentiles can be off.

pub(crate) mod chain;
mod closed;
mod complex;
mod deadline;
mod decorrelated;
pub(crate) mod dependent;
mod mesh;
mod part;
mod quadrature;
mod series;
mod simulated;
mod sum;
mod summary;
pub(crate) mod telescoping;
mod waits;

use crate::policy::Policy;
use crate::schedule;
use deadline::{Rule, Stopped, is_plain};
use decorrelated::Chain;
use serde::{Deserialize, Serialize};
use sum::Sum;
use summary::Summary;
use telescoping::{Telescope, Telescoped};
use waits::Waits;

/// A law whose percentiles can be off by more is drawn as well, and the closer answer given.
const CLOSE: f64 = 1e-3;

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
    /// The smallest time in a range that a share `p` stays within, looked for from `start` on.
    fn quantile(&self, p: f64, range: (f64, f64), start: f64) -> f64 {
        summary::quantile(self, p, range, start)
    }
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
    if policy.retries.is_none() && policy.deadline.is_none() {
        return bounds(policy, Method::Endless);
    }
    if policy.has_unknown_law() {
        return bounds(policy, Method::Unknown);
    }
    let telescoped = policy.retries.filter(|_| policy.deadline.is_none()).and_then(|n| Telescope::of(policy, n)?.law());
    let exact = match (telescoped, Chain::of(policy)) {
        (Some(law), _) => telescoping(policy, &law, options),
        (None, Some(chain)) => decorrelated(policy, &chain, options),
        (None, None) => Waits::of(policy).and_then(|waits| match Rule::of(policy, options) {
            Some(rule) => stopped(policy, &waits, rule, options),
            None => independent(policy, &waits, options),
        }),
    };
    match exact {
        Some(total) if total.error <= CLOSE => total,
        distant => {
            let unending = if policy.retries.is_none() { Method::Endless } else { Method::Unknown };
            let drawn = simulated::total(policy, options);
            let best = distant.into_iter().chain(drawn).min_by(|a, b| a.error.total_cmp(&b.error));
            best.unwrap_or_else(|| bounds(policy, unending))
        }
    }
}

/// Whether the law of the total is computed from independent waits and not drawn: soon enough for every key that is
/// pressed, if the waits are not too many. What has no law is there as soon.
pub fn is_computed(policy: &Policy) -> bool {
    if policy.is_dependent() {
        return false;
    }
    policy.has_unknown_law()
        || Waits::of(policy).is_some_and(|waits| policy.deadline.is_none() || waits.laws.iter().flatten().all(is_plain))
}

/// The distribution of the number of calls; empty where it is not known.
pub fn calls_made(policy: &Policy, options: &Options) -> Vec<CallsShare> {
    // The law of the number alone is there much sooner than that of the total.
    let waits = if policy.has_unknown_law() || Chain::of(policy).is_some() { None } else { Waits::of(policy) };
    let law =
        waits.as_ref().zip(Rule::of(policy, options)).and_then(|(waits, rule)| Stopped::new(waits, rule, |_| true));
    match law.filter(|law| law.error() <= CLOSE && law.blur_ms() == 0.0) {
        Some(law) => law.shares(policy),
        None => total_wait(policy, options).calls,
    }
}

/// The total of independent waits that all happen.
fn independent(policy: &Policy, waits: &Waits, options: &Options) -> Option<TotalWait> {
    let sum = Sum::new(&waits.counted())?;
    let call_ms = deadline::call_ms(policy, options);
    let summary = Summary {
        law: &sum,
        elapsed: None,
        mean_ms: sum.mean_ms,
        sd_ms: sum.variance.max(0.0).sqrt(),
        range: (sum.min_ms, sum.max_ms),
        elapsed_range: (sum.min_ms, sum.max_ms),
        step_ms: sum.step_ms,
        atoms: sum.atoms(),
        calls: vec![CallsShare { calls: policy.calls()?, p: 1.0 }],
        call_ms,
        error: sum.error,
        blur_ms: sum.blur_ms,
    };
    Some(summary.total(options))
}

/// The total of telescoping waits that no cap cuts.
fn telescoping(policy: &Policy, law: &Telescoped, options: &Options) -> Option<TotalWait> {
    let (mean_ms, sd_ms) = law.moments();
    let summary = Summary {
        law,
        elapsed: None,
        mean_ms,
        sd_ms,
        range: law.range(),
        elapsed_range: law.range(),
        step_ms: None,
        atoms: Vec::new(),
        calls: vec![CallsShare { calls: policy.calls()?, p: 1.0 }],
        call_ms: deadline::call_ms(policy, options),
        error: 1e-15,
        blur_ms: 0.0,
    };
    Some(summary.total(options))
}

/// The total of decorrelated waits; drawn where the series would need more terms than it is worth.
fn decorrelated(policy: &Policy, chain: &Chain, options: &Options) -> Option<TotalWait> {
    let law = chain.law()?;
    let summary = Summary {
        law: &law,
        elapsed: None,
        mean_ms: law.mean_ms,
        sd_ms: law.sd_ms,
        range: law.range,
        elapsed_range: law.range,
        step_ms: None,
        atoms: if law.at_max > 0.0 { vec![(law.range.1, law.at_max)] } else { Vec::new() },
        calls: vec![CallsShare { calls: policy.calls()?, p: 1.0 }],
        call_ms: deadline::call_ms(policy, options),
        error: law.error,
        blur_ms: 0.0,
    };
    Some(summary.total(options))
}

/// The total of independent waits under a deadline.
fn stopped(policy: &Policy, waits: &Waits, rule: Rule, options: &Options) -> Option<TotalWait> {
    let law = Stopped::new(waits, rule, is_plain)?;
    let (min, max) = law.range();
    let tail = |ms: f64| {
        let p = law.cdf(ms);
        (p, (ms - min) * p)
    };
    let (area, first) = quadrature::adaptive((min, max), &law.bends(), law.error(), &tail);
    let mean = max - min - area;
    let variance = (max - min) * (max - min) - 2.0 * first - mean * mean;
    let elapsed = law.elapsed(policy);
    let summary = Summary {
        law: &law,
        elapsed: Some(&elapsed),
        mean_ms: min + mean,
        sd_ms: variance.max(0.0).sqrt(),
        range: (min, max),
        elapsed_range: (min, max + (law.most() + 1) as f64 * rule.call_ms),
        step_ms: None,
        atoms: law.atoms(),
        calls: law.shares(policy),
        call_ms: rule.call_ms,
        error: law.error(),
        blur_ms: 0.0,
    };
    Some(summary.total(options))
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
