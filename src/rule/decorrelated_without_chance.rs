//! Decorrelated waits that are all the cap.

use super::time;
use super::{Facts, Hit, Rule};
use crate::finding::Severity;
use crate::policy::Jitter;
use crate::policy::Policy;

/// BJ012.
pub(super) static RULE: Rule = Rule {
    code: "BJ012",
    name: "decorrelated-without-chance",
    severity: Severity::Warning,
    what: "Decorrelated jitter under a cap that is not above its base draws nothing.",
    why: "Every draw lies above the cap and is cut to it: the callers wait exactly alike.",
    help: "Raise the cap well above the base.",
    check,
    fires: &["base=8s&factor=2&cap=8s&retries=5&jitter=decorrelated"],
    silent: &["base=1s&factor=2&cap=8s&retries=5&jitter=decorrelated"],
};

fn check(policy: &Policy, facts: &Facts) -> Option<Hit> {
    let cap = policy.wait.cap_ms?;
    let base = policy.wait.backoff.delay_ms(1);
    let chained = policy.wait.jitter == Jitter::Decorrelated && !facts.waits.is_empty();
    (chained && cap <= base).then(|| {
        let message =
            format!("The cap of {} is not above the base: every wait is exactly the cap, without chance.", time(cap));
        Hit::new("capMs", message)
    })
}
