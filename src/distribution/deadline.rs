//! The total under a deadline, for waits that are independent of each other.
//!
//! With `S_k` the sum of the first `k` waits and `B_k` what the deadline leaves for them (the limit less the calls that
//! its clock has counted before wait `k`; it falls with `k`), wait `k` is slept
//!
//! * refusing: if `S_k <= B_k`;
//! * allowing or shortening: if `S_(k-1) < B_k`; shortening then cuts it to end at `B_k`, and it is the last.
//!
//! Each condition implies those before it, so the laws of the prefixes `S_k` are all that is needed.

use super::sum::Sum;
use super::waits::Waits;
use super::{CallsShare, Distribution, Options};
use crate::policy::{Clock, Law, Overrun, Policy, Shape};

/// The most waits followed one by one.
const MOST: usize = 200;
/// A wait less likely than this is left out.
const NEGLIGIBLE: f64 = 1e-15;

/// A deadline together with the time of a call.
#[derive(Clone, Copy)]
pub(super) struct Rule {
    pub limit_ms: f64,
    pub overrun: Overrun,
    pub clock: Clock,
    pub call_ms: f64,
}

/// What becomes of a wait.
pub(super) enum Slept {
    Whole,
    /// Cut to this, ms; it is the last.
    Cut(f64),
    Not,
}

/// The time of a call: what was assumed, but no more than the policy lets one take.
pub(super) fn call_ms(policy: &Policy, options: &Options) -> f64 {
    policy.attempt_timeout_ms.map_or(options.call_ms, |limit| options.call_ms.min(limit))
}

impl Rule {
    /// The rule of a policy that has a deadline.
    pub fn of(policy: &Policy, options: &Options) -> Option<Rule> {
        let deadline = policy.deadline?;
        let call_ms = call_ms(policy, options);
        Some(Rule { limit_ms: deadline.limit_ms, overrun: deadline.overrun, clock: deadline.clock, call_ms })
    }

    /// What the deadline leaves for the waits up to that before retry `k`, ms.
    pub fn budget_ms(&self, k: usize) -> f64 {
        let calls = match self.clock {
            Clock::Elapsed => k as f64,
            Clock::FirstFailure => k as f64 - 1.0,
            Clock::Waits => 0.0,
        };
        self.limit_ms - if self.call_ms > 0.0 { calls * self.call_ms } else { 0.0 }
    }

    /// What becomes of the wait before retry `k` after `slept_ms` of waits.
    pub fn slept(&self, k: usize, slept_ms: f64, wait_ms: f64) -> Slept {
        let left = self.budget_ms(k) - slept_ms;
        match self.overrun {
            Overrun::Refuse if wait_ms <= left => Slept::Whole,
            Overrun::Refuse => Slept::Not,
            _ if left <= 0.0 => Slept::Not,
            Overrun::Shorten if wait_ms > left => Slept::Cut(left),
            _ => Slept::Whole,
        }
    }
}

/// What the sum of the first waits can be, and when the next one can be refused.
pub(super) struct Stage {
    pub min_ms: f64,
    pub max_ms: f64,
    /// Whether no wait follows.
    pub last: bool,
    /// The smallest sum after which the next wait can be longer than the deadline leaves.
    pub refused_ms: Option<f64>,
}

impl Rule {
    /// The smallest and the largest total that can happen, from the stages after 0, 1, 2, … waits.
    pub fn range(&self, stages: impl Iterator<Item = Stage>) -> (f64, f64) {
        let (mut low, mut high) = (f64::INFINITY, 0.0f64);
        let mut before: Option<Stage> = None;
        for (k, stage) in stages.enumerate() {
            let (budget, next) = (self.budget_ms(k), self.budget_ms(k + 1));
            let top = match (&before, self.overrun) {
                (None, _) => 0.0,
                (Some(_), Overrun::Refuse) if stage.min_ms > budget => break,
                (Some(before), Overrun::Allow | Overrun::Shorten) if before.min_ms >= budget => break,
                (Some(before), Overrun::Allow) if before.max_ms > budget => budget + stage.max_ms - before.max_ms,
                (Some(_), Overrun::Allow) => stage.max_ms,
                (Some(_), _) => stage.max_ms.min(budget),
            };
            high = high.max(top);
            let least = match self.overrun {
                _ if stage.last => Some(stage.min_ms.min(top)),
                Overrun::Refuse => stage.refused_ms.filter(|&ms| ms <= top),
                _ => (top >= next).then(|| next.max(stage.min_ms).min(top)),
            };
            low = least.map_or(low, |ms| low.min(ms.max(0.0)));
            before = Some(stage);
        }
        (low.min(high), high)
    }
}

/// The law of the total of a policy under its deadline.
pub(super) struct Stopped<'a> {
    rule: Rule,
    /// The law of each wait in turn.
    waits: Vec<&'a Law>,
    /// The law of the first `k` waits, `k` from 0.
    prefixes: Vec<Sum>,
    /// The probability that wait `k` happens, `k` from 0.
    happens: Vec<f64>,
    /// Whether the last prefix holds all waits of the policy.
    complete: bool,
}

impl<'a> Stopped<'a> {
    /// `None` where some wait is a sum or no law that is `taken`, or there are too many. The law of the total takes plain
    /// ones; the number of calls needs only the laws of the sums.
    pub fn new(waits: &'a Waits, rule: Rule, taken: fn(&Law) -> bool) -> Option<Stopped<'a>> {
        let (mut laws, mut prefixes, mut happens) = (Vec::new(), vec![Sum::new(&[])?], vec![1.0]);
        let complete = loop {
            let k = laws.len() + 1;
            if waits.count.is_some_and(|n| k as u64 > n) {
                break true;
            }
            let [law] = waits.laws.get(k - 1).or(waits.laws.last())?.as_slice() else { return None };
            let budget = rule.budget_ms(k);
            let before = prefixes[k - 1].below(budget);
            if !taken(law) || k > MOST {
                return None;
            }
            laws.push(law);
            let counted: Vec<_> = laws.iter().map(|&law| (law, 1.0)).collect();
            let prefix = Sum::new(&counted)?;
            let likely = if rule.overrun == Overrun::Refuse { prefix.cdf(budget) } else { before };
            if likely < NEGLIGIBLE {
                // The wait is kept for the probability of passing the deadline, its prefix is not needed.
                break false;
            }
            prefixes.push(prefix);
            happens.push(likely);
        };
        Some(Stopped { rule, waits: laws, prefixes, happens, complete })
    }

    /// The most by which a wait in steps is displaced, ms.
    pub fn blur_ms(&self) -> f64 {
        self.prefixes.iter().fold(0.0, |most, prefix| most.max(prefix.blur_ms))
    }

    /// The number of waits that can happen.
    pub fn most(&self) -> usize {
        self.prefixes.len() - 1
    }

    /// Whether the total can end after wait `k` only because no wait is left.
    fn is_last(&self, k: usize) -> bool {
        self.complete && k == self.most()
    }

    /// The probability that exactly `k` waits happen and add up to at most `ms`.
    fn ended(&self, k: usize, ms: f64) -> f64 {
        if ms < 0.0 {
            return 0.0;
        }
        let (prefix, budget) = (&self.prefixes[k], if k == 0 { f64::INFINITY } else { self.rule.budget_ms(k) });
        let next = self.rule.budget_ms(k + 1);
        match self.rule.overrun {
            Overrun::Refuse => {
                let upto = ms.min(budget);
                let goes_on = if self.is_last(k) { 0.0 } else { followed(prefix, self.waits[k], upto, next) };
                prefix.cdf(upto) - goes_on
            }
            Overrun::Allow => {
                let slept = match k {
                    0 => 1.0,
                    _ => followed_below(&self.prefixes[k - 1], self.waits[k - 1], budget, ms),
                };
                slept - self.still_early(k, ms, next)
            }
            Overrun::Shorten => {
                let whole = prefix.cdf(ms.min(budget)) - self.still_early(k, ms.min(budget), next);
                let cut = if k > 0 && ms >= budget { self.happens[k] - prefix.cdf(budget) } else { 0.0 };
                whole.max(0.0) + cut.max(0.0)
            }
        }
    }

    /// The probability that `k` waits add up to at most `ms` and to less than `next`, so that another follows.
    fn still_early(&self, k: usize, ms: f64, next: f64) -> f64 {
        match () {
            () if self.is_last(k) => 0.0,
            () if ms < next => self.prefixes[k].cdf(ms),
            () => self.prefixes[k].below(next),
        }
    }

    /// The density of the spread part of what [`Stopped::ended`] gives.
    fn ended_density(&self, k: usize, ms: f64) -> f64 {
        if ms < 0.0 {
            return 0.0;
        }
        let (prefix, budget) = (&self.prefixes[k], if k == 0 { f64::INFINITY } else { self.rule.budget_ms(k) });
        let next = self.rule.budget_ms(k + 1);
        let early = |ms: f64| if !self.is_last(k) && ms < next { prefix.density(ms) } else { 0.0 };
        match self.rule.overrun {
            _ if k == 0 => 0.0,
            Overrun::Refuse if ms > budget => 0.0,
            Overrun::Refuse if self.is_last(k) => prefix.density(ms),
            Overrun::Refuse => prefix.density(ms) * (1.0 - share_upto(self.waits[k], next - ms)),
            Overrun::Allow => followed_density(&self.prefixes[k - 1], self.waits[k - 1], budget, ms) - early(ms),
            Overrun::Shorten if ms > budget => 0.0,
            Overrun::Shorten => prefix.density(ms) - early(ms),
        }
    }

    /// How many calls there are after `k` waits.
    fn calls(&self, policy: &Policy, k: usize) -> u64 {
        if policy.ends_with_wait && policy.retries == Some(k as u64) { (k as u64).max(1) } else { k as u64 + 1 }
    }

    /// The distribution of the number of calls.
    pub fn shares(&self, policy: &Policy) -> Vec<CallsShare> {
        let next = |k: usize| self.happens.get(k + 1).copied().unwrap_or(0.0);
        let share = |k: usize| CallsShare { calls: self.calls(policy, k), p: self.happens[k] - next(k) };
        (0..=self.most()).map(share).filter(|s| s.p > NEGLIGIBLE).collect()
    }

    /// Single totals and their probabilities.
    pub fn atoms(&self) -> Vec<(f64, f64)> {
        let mut atoms = Vec::new();
        for k in 0..=self.most() {
            let mut places: Vec<f64> = self.prefixes[k].atoms().iter().map(|a| a.0).collect();
            if k > 0 && self.rule.overrun == Overrun::Shorten {
                places.push(self.rule.budget_ms(k));
            }
            for ms in places {
                let hair = 1e-11 * (1.0 + ms);
                let p = self.ended(k, ms + hair / 2.0) - self.ended(k, ms - hair);
                // What the spread part can have in so small a place is no single value.
                if p > 1e-9 + 2.0 * hair * self.ended_density(k, ms) {
                    atoms.push((ms, p));
                }
            }
        }
        crate::sort::by(&mut atoms, |a, b| a.0.total_cmp(&b.0));
        atoms.dedup_by(|later, first| {
            let same = (later.0 - first.0).abs() <= 1e-11 * (1.0 + first.0);
            first.1 += if same { later.1 } else { 0.0 };
            same
        });
        atoms
    }

    /// A bound on the error of the distribution function.
    pub fn error(&self) -> f64 {
        self.prefixes.iter().map(|prefix| 2.0 * prefix.error).sum()
    }

    /// The smallest and the largest total that can happen.
    pub fn range(&self) -> (f64, f64) {
        let stage = |k: usize| {
            let prefix = &self.prefixes[k];
            let next = (!self.is_last(k)).then(|| self.waits[k].max_ms());
            let refused = |longest: f64| {
                let left = self.rule.budget_ms(k + 1) - longest;
                (left < prefix.max_ms).then(|| left.max(prefix.min_ms))
            };
            Stage {
                min_ms: prefix.min_ms,
                max_ms: prefix.max_ms,
                last: next.is_none(),
                refused_ms: next.and_then(refused),
            }
        };
        self.rule.range((0..=self.most()).map(stage))
    }

    /// Where the distribution function bends.
    pub fn bends(&self) -> Vec<f64> {
        let mut bends = Vec::new();
        for k in 0..=self.most() {
            let (here, next) = (self.rule.budget_ms(k), self.rule.budget_ms(k + 1));
            bends.extend([here, next, self.prefixes[k].min_ms, self.prefixes[k].max_ms]);
            if let Some(law) = self.waits.get(k) {
                for piece in &law.pieces {
                    bends.extend([piece.min_ms, piece.max_ms].iter().flat_map(|ms| [next - ms, next + ms]));
                }
            }
        }
        bends
    }

    /// The law of waits and calls together.
    pub fn elapsed(&'a self, policy: &'a Policy) -> StoppedElapsed<'a> {
        StoppedElapsed { stopped: self, policy }
    }
}

impl Distribution for Stopped<'_> {
    fn cdf(&self, ms: f64) -> f64 {
        (0..=self.most()).map(|k| self.ended(k, ms)).sum::<f64>().clamp(0.0, 1.0)
    }

    fn density(&self, ms: f64) -> f64 {
        (0..=self.most()).map(|k| self.ended_density(k, ms)).sum::<f64>().max(0.0)
    }
}

/// The law of waits and calls together under a deadline.
pub(super) struct StoppedElapsed<'a> {
    stopped: &'a Stopped<'a>,
    policy: &'a Policy,
}

impl StoppedElapsed<'_> {
    fn waited(&self, k: usize, ms: f64) -> f64 {
        ms - self.stopped.calls(self.policy, k) as f64 * self.stopped.rule.call_ms
    }
}

impl Distribution for StoppedElapsed<'_> {
    fn cdf(&self, ms: f64) -> f64 {
        (0..=self.stopped.most()).map(|k| self.stopped.ended(k, self.waited(k, ms))).sum::<f64>().clamp(0.0, 1.0)
    }

    fn density(&self, ms: f64) -> f64 {
        let stages = 0..=self.stopped.most();
        stages.map(|k| self.stopped.ended_density(k, self.waited(k, ms))).sum::<f64>().max(0.0)
    }
}

/// Whether a law is a mixture of uniform pieces and single values.
pub(super) fn is_plain(law: &Law) -> bool {
    law.pieces.iter().all(|p| p.is_atom() || p.shape == Shape::Uniform)
}

/// The probability that a wait is at most `ms`.
fn share_upto(law: &Law, ms: f64) -> f64 {
    let share = |low: f64, high: f64| {
        if low == high { f64::from(ms >= low) } else { ((ms - low) / (high - low)).clamp(0.0, 1.0) }
    };
    law.pieces.iter().map(|p| p.weight * share(p.min_ms, p.max_ms)).sum()
}

/// `P(S <= upto, S + wait <= both)`: integration by parts of `P(wait <= both - s) dF(s)`.
fn followed(sum: &Sum, wait: &Law, upto: f64, both: f64) -> f64 {
    let of = |low: f64, high: f64| {
        let (last, first) = (both - low, both - high);
        let end = upto.min(last);
        if low == high || end <= first {
            return sum.cdf(end);
        }
        ((last - end) * sum.cdf(end) + sum.integral(end) - sum.integral(first)) / (high - low)
    };
    wait.pieces.iter().map(|p| p.weight * of(p.min_ms, p.max_ms)).sum()
}

/// The same with `S < below`.
fn followed_below(sum: &Sum, wait: &Law, below: f64, both: f64) -> f64 {
    let here = |a: &&(f64, f64)| (a.0 - below).abs() <= 1e-12 * (1.0 + below.abs());
    let on: f64 = sum.atoms().iter().filter(here).map(|a| a.1).sum();
    followed(sum, wait, below, both) - on * share_upto(wait, both - below)
}

/// The density of `S + wait` where `S < below`.
fn followed_density(sum: &Sum, wait: &Law, below: f64, ms: f64) -> f64 {
    let of = |low: f64, high: f64| match () {
        () if low < high => (sum.cdf(below.min(ms - low)) - sum.cdf(below.min(ms - high))) / (high - low),
        () if ms - low < below => sum.density(ms - low),
        () => 0.0,
    };
    wait.pieces.iter().map(|p| p.weight * of(p.min_ms, p.max_ms)).sum()
}
