//! A cap below the base.

use super::time;
use super::{Facts, Hit, Rule};
use crate::finding::Severity;
use crate::policy::Policy;
use crate::policy::{Backoff, Jitter};

/// BJ003.
pub(super) static RULE: Rule = Rule {
    code: "BJ003",
    name: "capped-at-once",
    severity: Severity::Warning,
    what: "The cap is not above the first delay.",
    why: "Nothing grows: base and factor have no effect, and every delay is the cap.",
    help: "Raise the cap above the base, or say that the wait is constant.",
    check,
    fires: &["base=10s&factor=2&cap=5s&retries=4&jitter=full"],
    silent: &["base=1s&factor=2&cap=8s&retries=5&jitter=full"],
};

fn check(policy: &Policy, facts: &Facts) -> Option<Hit> {
    let cap = policy.wait.cap_ms?;
    let growing = match policy.wait.backoff {
        Backoff::Exponential { base_ms, factor } => factor > 1.0 && base_ms > 0.0,
        Backoff::Linear { increment_ms, .. } => increment_ms > 0.0,
        Backoff::Polynomial { .. } | Backoff::Fibonacci { .. } => true,
        Backoff::Constant { .. } | Backoff::List { .. } | Backoff::Table { .. } => false,
    };
    let chained = policy.wait.jitter == Jitter::Decorrelated;
    let first = policy.wait.backoff.delay_ms(1);
    (growing && !chained && cap <= first && facts.waits.len() > 1).then(|| {
        let message =
            format!("The cap of {} is reached at once: every delay is the cap, and nothing grows.", time(cap));
        Hit::new("capMs", message)
    })
}
