//! A floor that wins over the cap.

use super::time;
use super::{Facts, Hit, Rule};
use crate::finding::Severity;
use crate::policy::Policy;

/// BJ016.
pub(super) static RULE: Rule = Rule {
    code: "BJ016",
    name: "floor-over-cap",
    severity: Severity::Warning,
    what: "The floor is above the cap.",
    why: "The floor acts last and wins: every wait is the floor, and the cap has no effect.",
    help: "Lower the floor below the cap.",
    check,
    fires: &["base=1s&factor=2&cap=8s&retries=5&jitter=full&floor=10s"],
    silent: &["base=1s&factor=2&cap=8s&retries=5&jitter=full&floor=1s"],
};

fn check(policy: &Policy, facts: &Facts) -> Option<Hit> {
    let (floor, cap) = (policy.wait.floor_ms?, policy.wait.cap_ms?);
    (floor > cap && !facts.waits.is_empty()).then(|| {
        let message =
            format!("The floor of {} is above the cap of {}: every wait is the floor.", time(floor), time(cap));
        Hit::new("floorMs", message)
    })
}
