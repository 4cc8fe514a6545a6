//! Waits that grow without a bound.

use super::time;
use super::{Facts, Hit, Rule};
use crate::finding::Severity;
use crate::policy::Backoff;
use crate::policy::Policy;

/// BJ005.
pub(super) static RULE: Rule = Rule {
    code: "BJ005",
    name: "no-cap",
    severity: Severity::Warning,
    what: "Nothing bounds a growing wait.",
    why: "Doubling passes any patience soon: after ten doublings a second is seventeen minutes. A service that came back is not noticed for as long again as it was away.",
    help: "Give the delay a cap.",
    check,
    fires: &["base=1s&factor=2&retries=12&jitter=full"],
    silent: &["base=1s&factor=2&retries=5&jitter=full", "base=1s&factor=2&cap=60s&retries=12&jitter=full"],
};

/// A wait that nobody meant to write.
const LONG_MS: f64 = 600_000.0;

/// What is proposed, unless the delays begin near it.
const CAP_MS: f64 = 60_000.0;

fn check(policy: &Policy, facts: &Facts) -> Option<Hit> {
    let grows = matches!(policy.wait.backoff, Backoff::Exponential { factor, .. } if factor > 1.0)
        || matches!(policy.wait.backoff, Backoff::Polynomial { .. } | Backoff::Fibonacci { .. });
    if policy.wait.cap_ms.is_some() || !grows {
        return None;
    }
    let long = facts.waits.iter().find(|w| w.max_ms.is_none_or(|max| max > LONG_MS))?;
    let mut fix = policy.clone();
    // No less than what lets a long first delay grow.
    let first_ms = facts.waits.iter().find_map(|w| w.delay_ms).unwrap_or(0.0);
    fix.wait.cap_ms = Some(CAP_MS.max(4.0 * first_ms));
    let length = long.max_ms.map_or("longer than any clock".to_string(), time);
    let message = format!("No cap: the waits grow without a bound, and wait {} is {length}.", long.retry);
    Some(Hit::new("capMs", message).fix(fix))
}
