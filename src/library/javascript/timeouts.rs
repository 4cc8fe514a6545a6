//! The waits of the npm package `retry`, for the libraries that hand their options to it.
//!
//! All waits are drawn up front, `min(round(r * minTimeout * factor^i), maxTimeout)` with `r` in [1, 2) where
//! `randomize` is set, and slept in ascending order.

use crate::library::Args;
use crate::policy::{Backoff, CapOrder, Clock, Deadline, Jitter, Overrun, Phase, Policy, Rounded, RoundingMode, Wait};

/// Delays below this many ms round to nothing, whatever the draw.
const NOTHING_MS: f64 = 0.25;

/// The policy of one map of options. `least_ms` is what a smaller `minTimeout` counts as.
pub(super) fn policy(args: &mut Args, least_ms: f64) -> Policy {
    let retries = retries(args);
    let written = args.value("factor");
    let factor = args.number("factor").unwrap_or(2.0);
    let factor = match written.filter(|_| factor < 0.0) {
        Some(value) => args.take.refuse("factor", value, "is negative").unwrap_or(2.0),
        None => factor,
    };
    let min_ms = args.time("minTimeout").unwrap_or(1_000.0);
    let cap_ms = args.time("maxTimeout").filter(|ms| ms.is_finite());
    min_above_max(args, min_ms, cap_ms);
    let jitter = if args.flag("randomize") { Jitter::Proportional { below: 0.0, above: 1.0 } } else { Jitter::None };
    let finish = |backoff: Backoff| {
        let wait = Wait::new(backoff).jitter(jitter).cap(cap_ms).cap_order(CapOrder::AfterJitter);
        wait.rounding(RoundingMode::Nearest, 1.0, Rounded::Wait)
    };
    let base_ms = min_ms.max(least_ms);
    let mut policy = match retries {
        Some(retries) if factor < 1.0 => ascending(base_ms, factor, retries, finish),
        _ => Policy::new(finish(Backoff::Exponential { base_ms, factor }), retries),
    };
    if let (true, Some(value)) = (jitter != Jitter::None && factor != 0.0 && overlaps(factor), args.value("factor")) {
        let message = format!(
            "With `randomize` and `factor` {factor} the ranges of neighbouring waits overlap: the waits are drawn \
             together and slept in ascending order, so the k-th is the k-th smallest draw. Ranges and total are as \
             shown; the mean of a single wait is that before sorting."
        );
        args.take.note("sorted-draws", value.span, message);
    }
    if args.flag("forever") {
        policy = forever(policy, finish);
    }
    policy.deadline = (args.time("maxRetryTime").filter(|ms| ms.is_finite())).map(|limit_ms| Deadline {
        limit_ms,
        overrun: Overrun::Allow,
        clock: Clock::Elapsed,
    });
    policy
}

/// Whether `[1, 2)` times one delay reaches the next.
fn overlaps(factor: f64) -> bool {
    factor > 0.5 && factor < 2.0
}

fn retries(args: &mut Args) -> Option<u64> {
    let endless = args.value("retries").filter(|v| v.number() == Some(f64::INFINITY));
    if let Some(value) = endless {
        let what = "is Infinity: the list of waits is built before the first call, and building it never ends";
        args.take.refuse("retries", value, what);
        if let Some(finding) = args.take.findings.last_mut() {
            finding.help = "Write `forever: true`, which repeats the last wait.".into();
        }
    }
    let retries = args.count("retries");
    if let (Some(n), Some(value)) = (retries.filter(|&n| n > 0), args.value("retries")) {
        let message = format!("`retries` does not count the first call: up to {} calls in all.", n.saturating_add(1));
        args.take.note("counted", value.span, message);
    }
    retries
}

fn min_above_max(args: &mut Args, min_ms: f64, cap_ms: Option<f64>) {
    let Some((value, cap_ms)) = args.value("maxTimeout").or(args.value("minTimeout")).zip(cap_ms) else { return };
    if min_ms > cap_ms {
        let min = if args.has("minTimeout") { format!("{min_ms}") } else { format!("{min_ms}, its default") };
        let message = format!(
            "`minTimeout` ({min}) is greater than `maxTimeout` ({cap_ms}): `retry` throws before the first call."
        );
        args.take.error("min-above-max", value.span, message).help = "Lower `minTimeout` as well.".into();
    }
}

/// The waits of a factor below 1: sorted, they grow. Those that round to nothing come first.
fn ascending(base_ms: f64, factor: f64, retries: u64, finish: impl Fn(Backoff) -> Wait) -> Policy {
    let felt = match factor {
        _ if base_ms < NOTHING_MS => 0.0,
        0.0 => 1.0,
        _ => (libm::log(NOTHING_MS / base_ms) / libm::log(factor)).floor() + 1.0,
    };
    let felt = felt.min(retries as f64).max(1.0);
    let zeros = retries - (felt as u64).min(retries);
    let growth = if factor == 0.0 { 1.0 } else { 1.0 / factor };
    let mut wait = finish(Backoff::Exponential { base_ms: base_ms * libm::pow(factor, felt - 1.0), factor: growth });
    wait.skip = zeros;
    let mut policy = Policy::new(wait, retries);
    if zeros > 0 {
        policy.phases = vec![Phase { retries: zeros, wait: finish(Backoff::Constant { delay_ms: 0.0 }) }];
    }
    policy
}

/// The list once, then its last wait for ever; an empty list gets one entry.
fn forever(mut policy: Policy, finish: impl Fn(Backoff) -> Wait) -> Policy {
    if let Some(retries) = policy.retries.take().map(|n| n.max(1)) {
        let delay_ms = policy.wait.delay_ms(retries, None);
        let skip = policy.wait.skip;
        let wait = std::mem::replace(&mut policy.wait, finish(Backoff::Constant { delay_ms }));
        policy.phases.push(Phase { retries: retries - skip, wait });
    }
    policy
}
