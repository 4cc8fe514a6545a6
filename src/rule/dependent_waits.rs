//! Waits whose maxima exclude each other.

use super::time;
use super::{Facts, Hit, Rule};
use crate::finding::Severity;
use crate::policy::Policy;

/// BJ017.
pub(super) static RULE: Rule = Rule {
    code: "BJ017",
    name: "dependent-waits",
    severity: Severity::Note,
    what: "The waits depend on each other.",
    why: "A long wait is followed by a short one, so the sum of the longest waits cannot happen; the attainable total is smaller.",
    help: "Use the attainable total, which the answer shows.",
    check,
    fires: &["base=1s&factor=2&retries=5&jitter=telescoping"],
    silent: &["base=1s&factor=2&cap=8s&retries=5&jitter=full"],
};

fn check(policy: &Policy, facts: &Facts) -> Option<Hit> {
    let attainable = facts.total.attainable_max_ms?;
    let sum = facts.total.max_ms?;
    (policy.is_dependent() && attainable < sum).then(|| {
        let message = format!(
            "The waits depend on each other: the sum of their maxima, {}, cannot happen; at most {} can.",
            time(sum),
            time(attainable)
        );
        Hit::new("jitter", message)
    })
}
