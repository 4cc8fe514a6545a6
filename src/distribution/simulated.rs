//! A total without a tractable law: drawn, with a fixed seed, and saying how far its percentiles can be off.

use super::deadline::{Rule, Slept, Stage, call_ms};
use super::decorrelated::refused_ms;
use super::summary::Summary;
use super::{Atom, CallsShare, Distribution, Method, Options, TotalWait};
use crate::policy::{Memory, Policy, Sampler, Walk};
use crate::schedule::schedule;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::collections::BTreeMap;

const SEED: u64 = 0x5eed_0fd1_ce00;
/// The most runs.
const MOST_RUNS: usize = 1 << 17;
/// The fewest.
const FEWEST_RUNS: usize = 1 << 12;
/// About how many waits are drawn in all.
const WAITS: usize = 4 << 20;
/// The longest run that is followed.
const LONGEST: u64 = 10_000;
/// A value that this share of the runs has is listed as a single value.
const BUNCHED: f64 = 1e-3;

/// Times drawn, ascending.
pub(super) struct Empirical {
    sorted: Vec<f64>,
    /// Half the width of the window that a density is counted in, ms.
    reach_ms: f64,
}

/// One run: its waits, their sum and what the calls add.
struct Run {
    waits: u64,
    total_ms: f64,
}

/// The distribution of the total by drawing; `None` where a run does not end.
pub(super) fn total(policy: &Policy, options: &Options) -> Option<TotalWait> {
    let rule = Rule::of(policy, options);
    let sampler = Sampler::new(policy);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut uniform = || random.random::<f64>();
    let (mut totals, mut elapsed, mut calls) = (Vec::new(), Vec::new(), BTreeMap::new());
    let (mut runs, mut drawn) = (0usize, 0usize);
    while runs < MOST_RUNS && (runs < FEWEST_RUNS || drawn < WAITS) {
        let run = run(policy, rule, &sampler, &mut uniform)?;
        let made =
            if policy.ends_with_wait && policy.retries == Some(run.waits) { run.waits.max(1) } else { run.waits + 1 };
        totals.push(run.total_ms);
        elapsed.push(run.total_ms + made as f64 * call_ms(policy, options));
        *calls.entry(made).or_insert(0usize) += 1;
        runs += 1;
        drawn += run.waits as usize + 1;
    }
    let totals = Empirical::new(totals);
    let elapsed = Empirical::new(elapsed);
    let share = |(&calls, &count): (&u64, &usize)| CallsShare { calls, p: count as f64 / runs as f64 };
    let (mean_ms, sd_ms) = totals.moments();
    let summary = Summary {
        law: &totals,
        elapsed: Some(&elapsed),
        mean_ms,
        sd_ms,
        range: range(policy, rule).unwrap_or(totals.range()),
        elapsed_range: elapsed.range(),
        step_ms: None,
        atoms: totals.bunched().into_iter().map(|a| (a.ms, a.p)).collect(),
        calls: calls.iter().map(share).collect(),
        call_ms: call_ms(policy, options),
        error: 0.0,
        blur_ms: 0.0,
    };
    let error = totals.error();
    Some(TotalWait { method: Method::Simulated, draws: Some(runs as u32), error, ..summary.total(options) })
}

fn run(policy: &Policy, rule: Option<Rule>, sampler: &Sampler, uniform: &mut impl FnMut() -> f64) -> Option<Run> {
    let mut memory = Memory::default();
    let mut run = Run { waits: 0, total_ms: 0.0 };
    while policy.retries.is_none_or(|n| run.waits < n) {
        if run.waits >= LONGEST {
            return None;
        }
        let k = run.waits + 1;
        let wait_ms = sampler.draw(k, &mut memory, uniform);
        match rule.map_or(Slept::Whole, |rule| rule.slept(k as usize, run.total_ms, wait_ms)) {
            Slept::Whole => run = Run { waits: k, total_ms: run.total_ms + wait_ms },
            Slept::Cut(ms) => return Some(Run { waits: k, total_ms: run.total_ms + ms }),
            Slept::Not => break,
        }
    }
    run.total_ms.is_finite().then_some(run)
}

/// The smallest and the largest total that can happen; `None`: beyond all bounds.
fn range(policy: &Policy, rule: Option<Rule>) -> Option<(f64, f64)> {
    let Some(rule) = rule else {
        let total = schedule(policy, 0).total;
        return total.attainable_min_ms.or(total.min_ms).zip(total.attainable_max_ms.or(total.max_ms));
    };
    let mut stages = Vec::new();
    let (mut min_ms, mut max_ms) = (0.0, 0.0);
    let mut walk = Walk::new(policy).take(LONGEST as usize);
    loop {
        let next = walk.next();
        let left = rule.budget_ms(stages.len() + 1);
        let refused = |longest: f64| match refused_ms(policy, stages.len() as u64, left) {
            Some(refused) => refused,
            None => (left - longest < max_ms).then(|| (left - longest).max(min_ms)),
        };
        let refused_ms = next.as_ref().and_then(|range| refused(range.max_ms));
        stages.push(Stage { min_ms, max_ms, last: next.is_none(), refused_ms });
        match next {
            Some(range) if min_ms <= rule.limit_ms => (min_ms, max_ms) = (min_ms + range.min_ms, max_ms + range.max_ms),
            _ => break,
        }
    }
    let (low, high) = rule.range(stages.into_iter());
    (low.is_finite() && high.is_finite()).then_some((low, high))
}

impl Empirical {
    fn new(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        let mut law = Empirical { sorted: times, reach_ms: 0.0 };
        law.reach_ms = 0.05 * law.moments().1;
        law
    }

    fn range(&self) -> (f64, f64) {
        (self.sorted[0], self.sorted[self.sorted.len() - 1])
    }

    fn moments(&self) -> (f64, f64) {
        let count = self.sorted.len() as f64;
        let mean = self.sorted.iter().sum::<f64>() / count;
        let square = self.sorted.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / count;
        (mean, square.sqrt())
    }

    fn upto(&self, ms: f64) -> usize {
        self.sorted.partition_point(|&x| x <= ms)
    }

    /// Values that many runs share.
    fn bunched(&self) -> Vec<Atom> {
        let count = self.sorted.len() as f64;
        let chunks = self.sorted.chunk_by(|a, b| b - a <= 1e-12 * b.abs());
        let shares = chunks.map(|c| Atom { ms: c[0], p: c.len() as f64 / count });
        shares.filter(|atom| atom.p >= BUNCHED).collect()
    }

    /// How far a percentile can be off: three standard deviations of the number of draws below it, both ways.
    fn error(&self) -> f64 {
        let count = self.sorted.len() as f64;
        let of = |p: f64| {
            let spread = 3.0 * (p * (1.0 - p) / count).sqrt();
            let (at, low, high) = (self.quantile_at(p), self.quantile_at(p - spread), self.quantile_at(p + spread));
            if at > 0.0 { (at - low).max(high - at) / at } else { 0.0 }
        };
        super::summary::SHARES.iter().map(|&p| of(p)).fold(0.0, f64::max)
    }

    fn quantile_at(&self, p: f64) -> f64 {
        let count = self.sorted.len();
        let rank = (p * count as f64).ceil().clamp(1.0, count as f64) as usize;
        self.sorted[rank - 1]
    }
}

impl Distribution for Empirical {
    fn cdf(&self, ms: f64) -> f64 {
        self.upto(ms) as f64 / self.sorted.len() as f64
    }

    fn density(&self, ms: f64) -> f64 {
        let inside = self.upto(ms + self.reach_ms) - self.upto(ms - self.reach_ms);
        let (low, high) = self.range();
        let window = (ms + self.reach_ms).min(high) - (ms - self.reach_ms).max(low);
        if window > 0.0 { inside as f64 / self.sorted.len() as f64 / window } else { 0.0 }
    }

    fn quantile(&self, p: f64, _: (f64, f64), _: f64) -> f64 {
        self.quantile_at(p)
    }
}
