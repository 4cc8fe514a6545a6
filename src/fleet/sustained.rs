//! Demand that stays above the allowance: a subtraction, whatever the schedule.

use serde::Serialize;

/// What becomes of a steady demand against an allowance, both for the same time. Refusals cost the service nothing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Sustained {
    /// What is left undone in each such time. No schedule is a source of throughput.
    pub undone: f64,
    /// The share of the demand that is served, 0 to 1, however often it is tried.
    pub served_share: f64,
    /// The probability that a call is refused, where each is, independently.
    pub refused_share: f64,
    /// Calls for each thing wanted; absent: their number grows for ever.
    pub calls_each: Option<f64>,
    /// The calls that reach the service in that time; absent: their number grows for ever.
    pub offered: Option<f64>,
}

/// A steady demand against an allowance with `calls` for each thing wanted, the first included; `None`: without end,
/// where nothing but success stops the calls and their number grows for ever if the demand is above the allowance.
pub fn sustained(demand: f64, allowance: f64, calls: Option<u64>) -> Sustained {
    if demand <= allowance || demand <= 0.0 {
        let (calls_each, offered) = (Some(1.0), Some(demand));
        return Sustained { undone: 0.0, served_share: 1.0, refused_share: 0.0, calls_each, offered };
    }
    let calls = calls.map_or(f64::INFINITY, |n| n.max(1) as f64);
    // All `m` calls fail with x^m = 1 - A/L.
    let each = libm::log1p(-allowance / demand) / calls;
    let refused_share = if allowance <= 0.0 { 1.0 } else { libm::exp(each) };
    let calls_each = if allowance <= 0.0 { calls } else { (allowance / demand) / -libm::expm1(each) };
    Sustained {
        undone: demand - allowance,
        served_share: allowance / demand,
        refused_share,
        calls_each: Some(calls_each).filter(|n| n.is_finite()),
        offered: Some(demand * calls_each).filter(|n| n.is_finite()),
    }
}

/// Calls for each thing wanted, and the probability that all fail, when each of up to `calls` fails with probability
/// `x`: `(1 - x^m) / (1 - x)` and `x^m`.
pub fn calls_and_failure(x: f64, calls: u64) -> (f64, f64) {
    let failure = libm::pow(x, calls as f64);
    (if x == 1.0 { calls as f64 } else { (1.0 - failure) / (1.0 - x) }, failure)
}
