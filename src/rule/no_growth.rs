//! A factor that grows nothing.

use super::{Facts, Hit, Rule};
use crate::finding::Severity;
use crate::policy::Backoff;
use crate::policy::Policy;

/// BJ015.
pub(super) static RULE: Rule = Rule {
    code: "BJ015",
    name: "no-growth",
    severity: Severity::Note,
    what: "An exponential backoff with a factor of 1 is constant.",
    why: "The waits do not grow, so a service that is away for long sees the same load as one that hiccups.",
    help: "Take a factor above 1, or say that the wait is constant.",
    check,
    fires: &["base=1s&factor=1&retries=5&jitter=full"],
    silent: &["base=1s&factor=2&cap=8s&retries=5&jitter=full", "backoff=constant&base=1s&retries=5&jitter=full"],
};

fn check(policy: &Policy, _: &Facts) -> Option<Hit> {
    let Backoff::Exponential { factor, .. } = policy.wait.backoff else { return None };
    let several = policy.retries.is_none_or(|n| n > 1) && !policy.wait.carry;
    (factor == 1.0 && several).then(|| Hit::new("factor", "The factor is 1: every delay is the same."))
}
