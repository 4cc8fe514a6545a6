//! The questions the other way round: which setting gives a wanted total.

use crate::distribution::{Options, total_wait};
use crate::policy::{Backoff, Overrun, Policy};
use crate::schedule::{longest_wait, schedule, worst_case_total};
use serde::Serialize;

/// The most retries that are looked at.
const MOST_RETRIES: u64 = 1_000_000_000;

/// How many retries it takes until the last call begins only after an outage; absent: no number of them does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Outlasting {
    /// So that it can: the largest total is long enough.
    pub possible: Option<u64>,
    /// So that it does in half of all cases.
    pub typical: Option<u64>,
    /// So that it always does: the smallest total is long enough.
    pub sure: Option<u64>,
}

/// The largest value of a setting that keeps a bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Largest {
    /// Any value keeps it.
    Any,
    /// This one and those below it do.
    Value {
        /// The setting, ms.
        ms: f64,
    },
    /// None above 0 does, or there is no such setting.
    None,
}

/// The smallest numbers of retries that outlast `outage_ms`, counted from the start of the first call.
pub fn retries_to_outlast(policy: &Policy, outage_ms: f64, options: &Options) -> Outlasting {
    let ends = policy.deadline.filter(|d| d.overrun != Overrun::Allow).is_some_and(|d| d.limit_ms < outage_ms);
    let most = policy.wait.backoff.stops_after().map_or(MOST_RETRIES, |n| n.min(MOST_RETRIES));
    let with = |retries: u64| Policy { retries: Some(retries), deadline: None, ..policy.clone() };
    let smallest = |waited_ms: &dyn Fn(&Policy) -> Option<f64>| {
        let lasts = |n: u64| waited_ms(&with(n)).is_none_or(|ms| ms + options.call_ms * n as f64 >= outage_ms);
        if ends { None } else { first(most, &lasts) }
    };
    let total = |retries: &Policy| schedule(retries, 0).total;
    Outlasting {
        possible: smallest(&|policy| {
            let total = total(policy);
            total.attainable_max_ms.or(total.max_ms)
        }),
        typical: smallest(&|policy| {
            let median = total_wait(policy, &Options::default()).percentiles.first().map(|half| half.ms);
            // Without a law the smallest total is the safe side.
            median.or_else(|| total(policy).min_ms)
        }),
        sure: smallest(&|policy| {
            let total = total(policy);
            total.attainable_min_ms.or(total.min_ms)
        }),
    }
}

/// The largest cap with which the worst-case total is within `limit_ms`.
pub fn largest_cap(policy: &Policy, limit_ms: f64) -> Largest {
    let with = |cap_ms: Option<f64>| {
        let mut policy = policy.clone();
        policy.wait.cap_ms = cap_ms;
        worst_case_total(&policy).is_some_and(|ms| ms <= limit_ms)
    };
    largest(with(None), limit_ms, &|cap| with(Some(cap)))
}

/// The largest base (of a constant curve: delay) with which the worst-case total is within `limit_ms`.
pub fn largest_base(policy: &Policy, limit_ms: f64) -> Largest {
    let with = |base: f64| {
        let mut policy = policy.clone();
        match &mut policy.wait.backoff {
            Backoff::Exponential { base_ms, .. }
            | Backoff::Linear { base_ms, .. }
            | Backoff::Polynomial { base_ms, .. }
            | Backoff::Fibonacci { base_ms }
            | Backoff::Constant { delay_ms: base_ms } => *base_ms = base,
            Backoff::List { .. } | Backoff::Table { .. } => return false,
        }
        worst_case_total(&policy).is_some_and(|ms| ms <= limit_ms)
    };
    let listed = matches!(policy.wait.backoff, Backoff::List { .. } | Backoff::Table { .. });
    largest(!listed && with(f64::MAX), limit_ms, &with)
}

/// The largest cap to write so that no single wait is longer than `limit_ms`: less than that where jitter comes after the
/// cap.
pub fn cap_to_write(policy: &Policy, limit_ms: f64) -> Largest {
    let with = |cap_ms: Option<f64>| {
        let mut policy = policy.clone();
        policy.wait.cap_ms = cap_ms;
        longest_wait(&policy) <= limit_ms
    };
    largest(with(None), limit_ms, &|cap| with(Some(cap)))
}

/// The smallest number from 0 to `most` that holds, for what holds from some number on.
fn first(most: u64, holds: &dyn Fn(u64) -> bool) -> Option<u64> {
    let mut high = 1;
    if holds(0) {
        return Some(0);
    }
    while !holds(high) {
        if high == most {
            return None;
        }
        high = (high * 2).min(most);
    }
    let mut low = high / 2;
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        (low, high) = if holds(middle) { (low, middle) } else { (middle, high) };
    }
    Some(high)
}

/// The largest value that keeps, for what keeps up to some value; rounded to twelve digits where that keeps too.
fn largest(any: bool, start: f64, keeps: &dyn Fn(f64) -> bool) -> Largest {
    if any {
        return Largest::Any;
    }
    let (mut low, mut high) = (0.0, start.max(1.0));
    if !keeps(low) {
        return Largest::None;
    }
    while keeps(high) {
        (low, high) = (high, high * 2.0);
        if !high.is_finite() {
            return Largest::Any;
        }
    }
    for _ in 0..200 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        (low, high) = if keeps(middle) { (middle, high) } else { (low, middle) };
    }
    if low == 0.0 {
        return Largest::None;
    }
    let rounded = format!("{low:.11e}").parse().unwrap_or(low);
    Largest::Value { ms: if keeps(rounded) { rounded } else { low } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{CapOrder, Deadline, Jitter, Wait};

    /// 1 s, doubling up to 8 s, 5 waits: 1 + 2 + 4 + 8 + 8 = 23 s.
    fn doubling(jitter: Jitter) -> Policy {
        let backoff = Backoff::Exponential { base_ms: 1000.0, factor: 2.0 };
        Policy::new(Wait::new(backoff).cap(8000.0).jitter(jitter), 5)
    }

    #[test]
    fn retries_that_outlast() {
        let options = Options::default();
        // 23 s after 5 waits, 8 s more each: 63 s after 10.
        let plain = retries_to_outlast(&doubling(Jitter::None), 60_000.0, &options);
        assert_eq!(plain, Outlasting { possible: Some(10), typical: Some(10), sure: Some(10) });
        // The median of full jitter is half of that: 2 s more for each pair of waits until 60 s are passed.
        let full = retries_to_outlast(&doubling(Jitter::Full), 60_000.0, &options);
        assert_eq!(full, Outlasting { possible: Some(10), typical: Some(18), sure: None });
        // Equal jitter waits at least half: 120 s of delays, 7 + 8 (n - 3) >= 120 from n = 18 on.
        assert_eq!(retries_to_outlast(&doubling(Jitter::Equal), 60_000.0, &options).sure, Some(18));
        // Calls of 10 s: 23 + 50 s after 5 waits, 15 + 40 s after 4.
        let slow = Options { call_ms: 10_000.0, ..Options::default() };
        assert_eq!(retries_to_outlast(&doubling(Jitter::None), 60_000.0, &slow).sure, Some(5));
        let deadline = Some(Deadline { limit_ms: 30_000.0, overrun: Overrun::Refuse, clock: Default::default() });
        let refused = retries_to_outlast(&Policy { deadline, ..doubling(Jitter::None) }, 60_000.0, &options);
        assert_eq!(refused.possible, None);
        assert_eq!(retries_to_outlast(&doubling(Jitter::Full), 0.0, &options).sure, Some(0));
    }

    #[test]
    fn settings_that_keep_a_total() {
        let policy = doubling(Jitter::Full);
        // 1 + 2 + 4 + 4 + 4 = 15.
        assert_eq!(largest_cap(&policy, 15_000.0), Largest::Value { ms: 4000.0 });
        assert_eq!(largest_cap(&policy, 31_000.0), Largest::Any);
        // b (1 + 2 + 4 + 8) + 8 = 20 s, the fifth delay alone on the cap.
        assert_eq!(largest_base(&policy, 20_000.0), Largest::Value { ms: 800.0 });
        assert_eq!(largest_base(&policy, 40_000.0), Largest::Any);
        assert_eq!(largest_cap(&Policy { retries: None, ..policy }, 15_000.0), Largest::None);
    }

    #[test]
    fn a_cap_before_jitter_leaves_room_for_it() {
        let mut policy = doubling(Jitter::Proportional { below: 0.25, above: 0.25 });
        assert_eq!(cap_to_write(&policy, 5000.0), Largest::Value { ms: 4000.0 });
        policy.wait.cap_order = CapOrder::AfterJitter;
        assert_eq!(cap_to_write(&policy, 5000.0), Largest::Value { ms: 5000.0 });
        policy.wait.floor_ms = Some(6000.0);
        assert_eq!(cap_to_write(&policy, 5000.0), Largest::None);
    }
}
