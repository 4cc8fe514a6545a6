//! The means of waits that depend on the waits before them.

use super::chain::{Step, steps as decorrelated_steps};
use super::telescoping::Telescope;
use crate::policy::{Jitter, Policy, Walk};

/// The most waits whose means are followed to the end.
pub(crate) const MOST: u64 = 1_000;
/// Paths that stand for all where a mean has no formula.
const PATHS: usize = 1_024;
/// How far a mean may be from a straight line and still count as one.
const STRAIGHT: f64 = 1e-12;

/// Mean and share on the cap of each of the first `count` waits; fewer where they are not known.
pub(crate) fn steps(policy: &Policy, count: u64) -> Vec<Step> {
    let count = policy.retries.map_or(count, |n| n.min(count));
    // The squares of smaller times are nothing.
    let ample = policy.wait.backoff.delay_ms(1) > 1e-100;
    if let Some(steps) = decorrelated_steps(policy, count).filter(|_| ample) {
        return steps;
    }
    if let Some(telescope) = Telescope::of(policy, count) {
        return (1..=count).map(|k| telescope.step(k)).collect();
    }
    let telescopes = (1..=count).any(|k| policy.rules(k).any(|wait| wait.jitter == Jitter::Telescoping));
    if telescopes || policy.has_unknown_law() { Vec::new() } else { chained(policy, count) }
}

/// The mean of the total, given as many of its steps as are known already.
pub(crate) fn mean_total(policy: &Policy, known: &[Step]) -> Option<f64> {
    let retries = policy.retries?;
    if known.len() as u64 == retries {
        return Some(known.iter().map(|step| step.mean_ms).sum());
    }
    if retries > MOST {
        return None;
    }
    let steps = steps(policy, retries);
    (steps.len() as u64 == retries).then(|| steps.iter().map(|step| step.mean_ms).sum())
}

/// The mean of the wait before retry `k` after a wait of `previous_ms`.
fn mean_after(policy: &Policy, k: u64, previous_ms: f64) -> f64 {
    policy.rules(k).filter_map(|wait| wait.law(k, Some(previous_ms)).mean_ms()).sum()
}

/// Waits that look back one step. While the mean is a straight line in the wait before, the mean of the mean is the mean
/// at the mean; once it is not, paths are followed whose draws are spread evenly over all cases: sorted, and each given
/// a number of a sequence that fills [0, 1) evenly.
fn chained(policy: &Policy, count: u64) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut bounds: Option<(f64, f64)> = None;
    let mut paths: Option<Vec<f64>> = None;
    for range in Walk::new(policy).take(count as usize) {
        let mean_ms = match (range.mean_ms(), bounds, steps.last()) {
            (Some(known), ..) if paths.is_none() => Some(known),
            (_, Some((low, high)), Some(last)) if paths.is_none() => straight(policy, range.retry, low, high, last),
            _ => None,
        };
        match mean_ms {
            Some(mean_ms) => steps.push(Step { mean_ms, at_cap: 0.0 }),
            None => {
                let followed = paths.take().unwrap_or_else(|| spread(policy, range.retry - 1));
                let next = advanced(policy, range.retry, followed);
                let on_top = next.iter().filter(|&&ms| ms == range.max_ms).count();
                let at_cap = if range.min_ms < range.max_ms { on_top as f64 / PATHS as f64 } else { 0.0 };
                steps.push(Step { mean_ms: next.iter().sum::<f64>() / PATHS as f64, at_cap });
                paths = Some(next);
            }
        }
        bounds = Some((range.min_ms, range.max_ms));
    }
    steps
}

/// The mean where it is a straight line between the bounds of the wait before.
fn straight(policy: &Policy, k: u64, low: f64, high: f64, last: &Step) -> Option<f64> {
    let mean = |previous: f64| mean_after(policy, k, previous);
    let (ends, middle) = ((mean(low) + mean(high)) / 2.0, mean(low + (high - low) / 2.0));
    ((ends - middle).abs() <= STRAIGHT * ends.abs()).then(|| mean(last.mean_ms))
}

/// Paths up to the wait before retry `k + 1`.
fn spread(policy: &Policy, k: u64) -> Vec<f64> {
    (1..=k).fold(vec![f64::NAN; PATHS], |paths, k| advanced(policy, k, paths))
}

/// Each path one wait further; `NAN` stands for no wait before.
fn advanced(policy: &Policy, k: u64, mut paths: Vec<f64>) -> Vec<f64> {
    if let Some(first) = policy.first_wait_ms.filter(|_| k == 1) {
        return vec![first; PATHS];
    }
    paths.sort_by(f64::total_cmp);
    let number = |index: usize, rule: usize| {
        // Multiples of irrational numbers, another one for each further rule.
        let turn = [0.618_033_988_749_894_9, 0.414_213_562_373_095_1, 0.732_050_807_568_877_2][rule % 3];
        ((index as f64 + 0.5) * turn + k as f64 * 0.236_067_977_499_789_7).fract()
    };
    let next = paths.iter().enumerate().map(|(index, &previous)| {
        let previous = Some(previous).filter(|ms| !ms.is_nan());
        policy.rules(k).enumerate().map(|(rule, wait)| wait.law(k, previous).at(number(index, rule))).sum()
    });
    next.collect()
}
