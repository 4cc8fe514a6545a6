//! The schedule of a policy: each wait's range, the totals, the bound.

use crate::distribution::chain::Step;
use crate::distribution::dependent;
use crate::distribution::telescoping::Telescope;
use crate::policy::{Backoff, Clock, Jitter, Overrun, Policy, Range, Walk};
use serde::Serialize;

/// How many waits are walked one by one; a tail after them is added up in closed form.
const WALKED: u64 = 10_000;

/// The same of a policy that never stops, as long as its waits do not depend on each other: what they come to is decided
/// by those at the end.
const WALKED_OF_ENDLESS: u64 = 100;

/// Sums below this, ms, are of numbers too small for a computer to add up.
const NOTHING: f64 = 1e-280;

/// Each wait's range and what they add up to. Absent values mean "no bound" or, for means, "not known".
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Schedule {
    /// Calls in all, the first included; absent: no bound.
    pub calls: Option<u64>,
    /// How many waits there can be; absent: no bound.
    pub retries: Option<u64>,
    /// The first waits, as many as were asked for.
    pub waits: Vec<ScheduledWait>,
    /// What all of them add up to.
    pub total: Total,
    /// The policy's bound on the whole, ms.
    pub deadline_ms: Option<f64>,
    /// The policy's bound on one call, ms.
    pub attempt_timeout_ms: Option<f64>,
}

/// One row.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ScheduledWait {
    /// The number of the retry it precedes, from 1.
    pub retry: u64,
    /// The delay before cap and jitter, ms; absent where there is no single one, or it is beyond all bounds.
    pub delay_ms: Option<f64>,
    /// The smallest wait, ms.
    pub min_ms: f64,
    /// The mean wait, ms; absent where it is not known.
    pub mean_ms: Option<f64>,
    /// The upper end of the wait's range, ms; absent where it is beyond all bounds.
    pub max_ms: Option<f64>,
    /// The sum of the maxima up to here, ms; absent where it is beyond all bounds.
    pub worst_so_far_ms: Option<f64>,
    /// The probability that the wait is exactly `max_ms`, where that is not the only value: draws bunched on a bound.
    pub at_max: f64,
    /// The probability that the wait is exactly `min_ms`, where that is not the only value.
    pub at_min: f64,
}

/// Sums over all waits, ms.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Total {
    /// The sum of the minima; absent: no bound. A policy that never stops and can wait for ever has no least total
    /// either, even where each of its waits can be 0.
    pub min_ms: Option<f64>,
    /// The mean of the total; absent: not known or no bound.
    pub mean_ms: Option<f64>,
    /// The plain sum of the maxima, the deadline not applied; absent: no bound.
    pub max_ms: Option<f64>,
    /// The smallest total that can happen, where waits depend on each other and the plain sum cannot.
    pub attainable_min_ms: Option<f64>,
    /// The largest total that can happen, where waits depend on each other and the plain sum cannot.
    pub attainable_max_ms: Option<f64>,
    /// The longest a caller can wait in all, the deadline's rule applied; absent: no bound.
    pub bound_ms: Option<f64>,
}

/// The schedule of a policy with at most `limit` waits listed; the totals cover all of them.
pub fn schedule(policy: &Policy, limit: usize) -> Schedule {
    let steps = if policy.is_dependent() { dependent::steps(policy, limit as u64) } else { Vec::new() };
    let mut so_far = 0.0;
    let waits = Walk::new(policy).take(limit).enumerate().map(|(index, range)| {
        so_far += range.max_ms;
        row(&range, so_far, steps.get(index))
    });
    let waits = waits.collect();
    let mut total = totals(policy);
    if policy.is_dependent() {
        total.mean_ms = total.mean_ms.or_else(|| dependent::mean_total(policy, &steps)).and_then(finite);
    }
    Schedule {
        calls: policy.calls(),
        retries: policy.retries,
        waits,
        total,
        deadline_ms: policy.deadline.map(|d| d.limit_ms),
        attempt_timeout_ms: policy.attempt_timeout_ms,
    }
}

/// The last `count` waits, for a schedule too long to list; empty where it has no end, or where its end depends on more
/// waits than are walked.
pub fn last_waits(policy: &Policy, count: u64) -> Vec<ScheduledWait> {
    let Some(n) = policy.retries else { return Vec::new() };
    let from = n.saturating_sub(count) + 1;
    let ranges: Vec<Range> = if n <= WALKED {
        Walk::new(policy).skip(from as usize - 1).collect()
    } else if !policy.is_dependent() {
        (from..=n).map(|k| policy.independent_range(k)).collect()
    } else {
        let settled = Walk::new(policy).nth(WALKED as usize - 1).filter(|range| policy.is_settled(range.retry));
        settled.iter().flat_map(|range| (from..=n).map(|k| Range { retry: k, ..range.clone() })).collect()
    };
    let known = policy.is_dependent() && n <= dependent::MOST;
    let steps = if known { dependent::steps(policy, n) } else { Vec::new() };
    let rest: f64 = ranges.iter().map(|range| range.max_ms).sum();
    let mut so_far = Sums::of(policy).max - rest;
    let add = |range: &Range| {
        so_far += range.max_ms;
        row(range, so_far, steps.get(range.retry as usize - 1))
    };
    ranges.iter().map(add).collect()
}

/// The sums over all waits, without the mean where waits depend on each other, which takes longer to find.
pub fn totals(policy: &Policy) -> Total {
    Sums::of(policy).total(policy)
}

/// The longest a caller can wait in all, ms: the sum of all maxima, or the attainable maximum where waits depend on each
/// other, and no more than the deadline's rule allows; `None`: no bound.
pub fn worst_case_total(policy: &Policy) -> Option<f64> {
    totals(policy).bound_ms
}

/// The longest that calls of `call_ms` and waits can take together, ms, no call longer than the policy's own bound on it
/// and a running call never cut; `None`: no bound.
pub fn worst_elapsed(policy: &Policy, call_ms: f64) -> Option<f64> {
    let total = totals(policy);
    let call_ms = policy.attempt_timeout_ms.map_or(call_ms, |most| call_ms.min(most));
    // Many calls of no time are no time, however many.
    let calling = |calls: Option<u64>| if call_ms == 0.0 { Some(0.0) } else { Some(calls? as f64 * call_ms) };
    let most =
        total.attainable_max_ms.or(total.max_ms).zip(calling(policy.calls())).map(|(waits, calls)| waits + calls);
    let Some(deadline) = policy.deadline else { return most };
    let late = match deadline.overrun {
        // Without calls the total is at most the limit and the longest wait that can start before it.
        Overrun::Allow => (total.bound_ms? - deadline.limit_ms).max(0.0),
        Overrun::Refuse | Overrun::Shorten => 0.0,
    };
    let after = match deadline.clock {
        Clock::Elapsed => calling(Some(1)),
        Clock::FirstFailure => calling(Some(2)),
        Clock::Waits => calling(policy.calls()),
    };
    let bound = after.map(|calls| deadline.limit_ms + late + calls);
    most.into_iter().chain(bound).reduce(f64::min)
}

/// The longest single wait there can be, ms; infinite where waits grow without bound.
pub fn longest_wait(policy: &Policy) -> f64 {
    Sums::of(policy).longest
}

fn finite(ms: f64) -> Option<f64> {
    ms.is_finite().then_some(ms)
}

fn row(range: &Range, so_far: f64, step: Option<&Step>) -> ScheduledWait {
    let share = |ms: f64| match (range.laws.as_slice(), step) {
        _ if range.min_ms == range.max_ms => 0.0,
        // A sum of nothing is −0, which a document would show.
        ([law], _) => law.share_at(ms) + 0.0,
        ([], Some(step)) if ms == range.max_ms => step.at_cap,
        _ => 0.0,
    };
    ScheduledWait {
        retry: range.retry,
        delay_ms: range.delay_ms.and_then(finite),
        min_ms: range.min_ms,
        mean_ms: range.mean_ms().or(step.map(|step| step.mean_ms)).and_then(finite),
        max_ms: finite(range.max_ms),
        worst_so_far_ms: finite(so_far),
        at_max: share(range.max_ms),
        at_min: share(range.min_ms),
    }
}

/// Sums of minima, means and maxima over all waits.
struct Sums {
    min: f64,
    mean: Option<f64>,
    max: f64,
    /// The longest single wait.
    longest: f64,
}

impl Sums {
    fn of(policy: &Policy) -> Sums {
        let mut sums = Sums { min: 0.0, mean: Some(0.0), max: 0.0, longest: 0.0 };
        let mut last: Option<Range> = None;
        let walked = if policy.retries.is_none() && !policy.is_dependent() { WALKED_OF_ENDLESS } else { WALKED };
        for range in Walk::new(policy).take(walked as usize) {
            let steady = last.as_ref().is_some_and(|l| l.min_ms == range.min_ms && l.max_ms == range.max_ms);
            if steady && policy.is_settled(range.retry) {
                let rest = policy.retries.map_or(f64::INFINITY, |n| (n - range.retry + 1) as f64);
                sums.add(&range, rest);
                return sums;
            }
            sums.add(&range, 1.0);
            last = Some(range);
        }
        match policy.retries {
            Some(n) if n > walked => sums.add_tail(policy, walked + 1, n),
            Some(_) => {}
            None => sums.add_endless(policy, walked + 1),
        }
        sums
    }

    fn add(&mut self, range: &Range, times: f64) {
        let times_of = |ms: f64| if ms == 0.0 { 0.0 } else { ms * times };
        self.min += times_of(range.min_ms);
        self.max += times_of(range.max_ms);
        self.mean = self.mean.zip(range.mean_ms()).map(|(sum, mean)| sum + times_of(mean));
        self.longest = self.longest.max(range.max_ms);
    }

    /// Waits `from` to `to` of a policy that is still changing after those that were walked.
    fn add_tail(&mut self, policy: &Policy, from: u64, to: u64) {
        let at = |k: u64| policy.independent_range(k);
        let last = at(to);
        self.longest = self.longest.max(last.max_ms);
        self.min += sum_between(&|k| at(k).min_ms, from, to);
        self.max += sum_between(&|k| at(k).max_ms, from, to);
        let mean = || sum_between(&|k| at(k).mean_ms().unwrap_or(f64::NAN), from, to);
        self.mean = self.mean.map(|sum| sum + mean()).filter(|m| !m.is_nan());
    }

    /// All waits from `from` on of a policy that never stops: what does not fall adds up to no end.
    fn add_endless(&mut self, policy: &Policy, from: u64) {
        let to = u64::MAX;
        let (first, last) = (policy.independent_range(from), policy.independent_range(to));
        self.add_tail(policy, from, to);
        let endless = |first: f64, last: f64| last > 0.0 && last >= first;
        if endless(first.min_ms, last.min_ms) {
            self.min = f64::INFINITY;
        }
        if endless(first.max_ms, last.max_ms) {
            self.max = f64::INFINITY;
            self.mean = None;
        }
    }

    fn total(&self, policy: &Policy) -> Total {
        let (attainable_min_ms, attainable_max_ms) = attainable(policy).unzip();
        let max = attainable_max_ms.unwrap_or(self.max);
        let bound = match policy.deadline {
            None => max,
            Some(d) if d.overrun == Overrun::Allow => max.min(d.limit_ms + self.longest_started(policy, d.limit_ms)),
            Some(d) => max.min(d.limit_ms),
        };
        Total {
            min_ms: finite(self.min).filter(|_| policy.retries.is_some() || self.max.is_finite()),
            mean_ms: self.mean.and_then(finite),
            max_ms: finite(self.max),
            attainable_min_ms,
            attainable_max_ms,
            bound_ms: finite(bound),
        }
    }

    /// The longest wait that can start before `limit_ms`.
    fn longest_started(&self, policy: &Policy, limit_ms: f64) -> f64 {
        let mut start = 0.0;
        let mut longest: f64 = 0.0;
        for range in Walk::new(policy).take(WALKED as usize) {
            if start >= limit_ms {
                return longest;
            }
            start += range.min_ms;
            longest = longest.max(range.max_ms);
        }
        self.longest
    }
}

impl Policy {
    /// Whether, from retry `k` on, no wait's law changes any more but through the wait before it.
    pub(crate) fn is_settled(&self, k: u64) -> bool {
        let phases = self.phases.iter().map(|p| p.retries).fold(0, u64::saturating_add);
        k > phases
            && k > 1
            && self.rules(k).all(|wait| {
                let n = k.saturating_sub(wait.skip).max(1);
                let now = wait.law(k, None);
                match &wait.backoff {
                    _ if matches!(wait.jitter, Jitter::Telescoping) => now == wait.law(k + 1, None) && n > 64,
                    _ if wait.carry || matches!(wait.jitter, Jitter::Decorrelated) => true,
                    Backoff::Constant { .. } => true,
                    Backoff::List { delays_ms, .. } => n >= delays_ms.len() as u64,
                    Backoff::Table { waits, .. } => n >= waits.len() as u64,
                    Backoff::Exponential { factor, .. } if *factor == 1.0 => true,
                    curve => {
                        let (delay, next) = (curve.delay_ms(n), curve.delay_ms(n + 1));
                        let capped = wait.cap_ms.is_some_and(|cap| next >= delay && delay >= cap);
                        delay == next || (capped && now == wait.law(k + 1, None))
                    }
                }
            })
    }

    /// The range of a wait by its number alone; for policies whose waits do not depend on each other.
    fn independent_range(&self, k: u64) -> Range {
        let laws: Vec<_> = self.rules(k).map(|wait| wait.law(k, None)).collect();
        let sum = |f: fn(&crate::policy::Law) -> f64| laws.iter().map(f).sum();
        let (min_ms, max_ms) = (sum(|l| l.min_ms()), sum(|l| l.max_ms()));
        Range { retry: k, delay_ms: None, min_ms, max_ms, laws }
    }
}

/// The smallest and largest total that can happen, where waits depend on each other so that the plain sums cannot.
fn attainable(policy: &Policy) -> Option<(f64, f64)> {
    let retries = policy.retries.filter(|&n| n > 1 && n <= WALKED)?;
    Some(Telescope::of(policy, retries)?.attainable())
}

/// `f(from) + … + f(to)` for a function that is smooth but for a few kinks: a block is summed through the parabola of
/// three of its values, and halved until the halves agree with it. The longer that takes, the less exactly they have to:
/// a function of steps has as many kinks as values.
fn sum_between(f: &impl Fn(u64) -> f64, from: u64, to: u64) -> f64 {
    let block = |a: u64, b: u64| {
        let (len, mid) = ((b - a) as f64, a + (b - a) / 2);
        let curvature = (f(a) + f(b) - 2.0 * f(mid)) / (len * len / 2.0);
        (len + 1.0) * (f(mid) + curvature * len * (len + 2.0) / 12.0)
    };
    fn halves(
        f: &impl Fn(u64) -> f64,
        block: &impl Fn(u64, u64) -> f64,
        (a, b): (u64, u64),
        whole: f64,
        done: &mut f64,
    ) -> f64 {
        if b - a < 16 {
            return (a..=b).map(f).sum();
        }
        *done += 1.0;
        let mid = a + (b - a) / 4 * 2;
        let end = b - (b - mid - 1) % 2;
        let (left, right) = (block(a, mid), block(mid + 1, end));
        let odd = if end < b { f(b) } else { 0.0 };
        let sum = left + right + odd;
        let close = 1e-13 * (1.0 + (*done / 300.0).powi(4));
        if !sum.is_finite() || sum.abs() < NOTHING || (sum - whole).abs() <= close * sum.abs() {
            return sum;
        }
        halves(f, block, (a, mid), left, done) + halves(f, block, (mid + 1, end), right, done) + odd
    }
    halves(f, &block, (from, to), f64::NAN, &mut 0.0)
}
