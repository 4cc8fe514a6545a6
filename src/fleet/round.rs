//! Rounds: the first retries of all callers, the second ones, and so on, as if they did not overlap.

use super::{FleetSpec, spread_ms};
use crate::policy::{Policy, Range, Walk};
use serde::Serialize;

/// How many rounds are listed.
const LISTED: usize = 100;

/// How many are looked at for one that fits.
const SEARCHED: usize = 10_000;

/// One retry number over all callers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Round {
    /// The number of the retry, from 1.
    pub retry: u64,
    /// The width of the range that its wait is drawn from, ms; without jitter what separates the callers. Absent: no
    /// bound.
    pub window_ms: Option<f64>,
    /// All callers divided by that width, per second; absent where it is 0: all at once.
    pub rate_per_s: Option<f64>,
    /// Whether that is within the allowance.
    pub fits: bool,
    /// How many callers are left if each round before let through what the allowance gives in its window.
    pub left: f64,
    /// Those divided by the width, per second; absent where it is 0.
    pub left_per_s: Option<f64>,
    /// The probability that two callers who come to it together draw exactly the same wait; absent where the wait
    /// depends on the ones before or its law is not known.
    pub same_wait: Option<f64>,
}

/// The rounds of a fleet.
pub(super) struct Rounds {
    pub list: Vec<Round>,
    pub first_that_fits: Option<u64>,
    pub drained_in: Option<u64>,
}

impl Rounds {
    pub fn of(policy: &Policy, spec: &FleetSpec) -> Self {
        let mut rounds = Rounds { list: Vec::new(), first_that_fits: None, drained_in: None };
        let spread_ms = spread_ms(policy, spec);
        let (callers, per_s) = (spec.callers as f64, spec.per_s());
        let last = policy.calls().map_or(u64::MAX, |calls| calls - 1);
        let mut left = callers;
        for range in Walk::new(policy).take(SEARCHED).take_while(|range| range.retry <= last) {
            let width_ms = (range.max_ms - range.min_ms).max(spread_ms);
            // A rate that misses the allowance by a rounding fits.
            let admitted = if per_s > 0.0 { per_s * width_ms / 1_000.0 * (1.0 + 1e-9) } else { 0.0 };
            let fits = callers <= admitted;
            if rounds.list.len() < LISTED {
                let rate = |n: f64| (width_ms > 0.0).then_some(n * 1_000.0 / width_ms);
                rounds.list.push(Round {
                    retry: range.retry,
                    window_ms: Some(width_ms).filter(|ms| ms.is_finite()),
                    rate_per_s: rate(callers),
                    fits,
                    left,
                    left_per_s: rate(left),
                    same_wait: same_wait(&range),
                });
            }
            if fits {
                rounds.first_that_fits.get_or_insert(range.retry);
            }
            if left <= admitted {
                rounds.drained_in.get_or_insert(range.retry);
            }
            left = (left - admitted / (1.0 + 1e-9)).max(0.0);
            if rounds.list.len() == LISTED && rounds.first_that_fits.is_some() && rounds.drained_in.is_some() {
                break;
            }
        }
        rounds
    }
}

fn same_wait(range: &Range) -> Option<f64> {
    range.mean_ms()?;
    match range.laws.as_slice() {
        [law] => Some(law.same()),
        laws if laws.iter().any(|law| law.same() == 0.0) => Some(0.0),
        laws => laws.iter().all(|law| law.same() == 1.0).then_some(1.0),
    }
}
