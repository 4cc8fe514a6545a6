//! A sleep after the last failure.

use super::{Facts, Hit, Rule};
use crate::finding::Severity;
use crate::policy::Policy;

/// BJ018.
pub(super) static RULE: Rule = Rule {
    code: "BJ018",
    name: "wait-without-call",
    severity: Severity::Note,
    what: "The last wait is followed by no call.",
    why: "It delays the failure without another chance of success.",
    help: "Leave the last wait out where the library allows it.",
    check,
    fires: &["backoff=constant&base=1s&retries=3&jitter=full&rest={\"endsWithWait\":true}"],
    silent: &["backoff=constant&base=1s&retries=3&jitter=full"],
};

fn check(policy: &Policy, facts: &Facts) -> Option<Hit> {
    let slept = policy.ends_with_wait && !facts.waits.is_empty();
    slept.then(|| {
        Hit::new("retries", "The last wait comes after the last call: it delays the failure and nothing else.")
    })
}
