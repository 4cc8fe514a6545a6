//! A policy without an end.

use super::{Facts, Hit, Rule};
use crate::finding::Severity;
use crate::policy::Policy;

/// BJ001.
pub(super) static RULE: Rule = Rule {
    code: "BJ001",
    name: "never-stops",
    severity: Severity::Warning,
    what: "Nothing limits the attempts or the time.",
    why: "A caller that never gives up holds its work, its memory and its place in a queue for as long as the service is away, and hides the outage from whoever waits.",
    help: "Limit the attempts, or give the whole a deadline.",
    check,
    fires: &["base=1s&factor=2&cap=8s&retries=unlimited&jitter=full"],
    silent: &[
        "base=1s&factor=2&cap=8s&retries=5&jitter=full",
        "base=1s&factor=2&cap=8s&retries=unlimited&jitter=full&deadline=1min",
    ],
};

fn check(policy: &Policy, _: &Facts) -> Option<Hit> {
    let endless = policy.retries.is_none() && policy.deadline.is_none();
    endless.then(|| Hit::new("retries", "It never gives up: nothing limits the attempts or the time."))
}
