//! A worst case beyond a limit.

use super::time;
use super::{Facts, Hit, Rule};
use crate::finding::Severity;
use crate::inverse::{Largest, largest_cap};
use crate::policy::Policy;
use crate::schedule::worst_elapsed;

/// BJ023.
pub(super) static RULE: Rule = Rule {
    code: "BJ023",
    name: "over-limit",
    severity: Severity::Warning,
    what: "The worst case does not fit a limit.",
    why: "Whatever keeps the limit ends the work in the middle of the retrying, and the last calls are never made or never heard.",
    help: "Cap the waits, retry less often, or ask for more time.",
    check,
    fires: &["base=1s&factor=2&cap=8s&retries=5&jitter=full&limit-own=10s"],
    silent: &[
        "base=1s&factor=2&cap=8s&retries=5&jitter=full&limit-own=30s",
        "base=1s&factor=2&cap=8s&retries=5&jitter=full",
    ],
};

fn check(policy: &Policy, facts: &Facts) -> Option<Hit> {
    let call_ms = facts.beside.call_ms;
    let worst = worst_elapsed(policy, call_ms);
    let limit = facts.beside.limits.iter().find(|limit| worst.is_none_or(|ms| ms > limit.ms))?;
    let what = if call_ms > 0.0 { "Calls and waits" } else { "The waits" };
    let takes = worst.map_or("have no bound".into(), |ms| format!("take up to {}", time(ms)));
    let message = format!("{what} {takes}; {} is {}.", limit.name, time(limit.ms));
    let hit = Hit::at("retries", limit.span, message);
    let calls = policy.calls().map_or(f64::INFINITY, |n| n as f64 * call_ms);
    let Largest::Value { ms } = largest_cap(policy, limit.ms - calls) else { return Some(hit) };
    let mut fix = policy.clone();
    // To three digits, never up.
    let unit = libm::pow(10.0, libm::log10(ms).floor() - 2.0);
    fix.wait.cap_ms = Some((ms / unit).floor() * unit);
    Some(if ms >= 1.0 && worst_elapsed(&fix, call_ms).is_some_and(|ms| ms <= limit.ms) { hit.fix(fix) } else { hit })
}
