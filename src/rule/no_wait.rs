//! Retries that follow each other at once.

use super::Rule;
use crate::finding::Finding;
use crate::schedule::schedule;

/// `BJ002`.
pub static RULE: Rule = Rule {
    code: "BJ002",
    name: "no wait",
    check: |policy| {
        let retries = policy.retries != Some(0);
        let none = schedule(policy, 100).waits.iter().all(|wait| wait.max_ms == Some(0.0));
        let message = "Every wait is 0: the retries follow each other at once, while whatever failed is still failing.";
        (retries && none).then(|| Finding::warning("BJ002", None, message).help("A base above 0 gives it time."))
    },
    fires: "base=0s&factor=2&retries=5",
    silent: "base=0s&factor=2&retries=0",
};
