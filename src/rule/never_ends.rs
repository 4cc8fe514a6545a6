//! Nothing ends the retrying.

use super::Rule;
use crate::finding::Finding;

/// `BJ001`.
pub static RULE: Rule = Rule {
    code: "BJ001",
    name: "never gives up",
    check: |policy| {
        let endless = policy.retries.is_none() && policy.deadline.is_none();
        let message = "It never gives up: nothing limits the attempts or the time.";
        let help = "A number of attempts or a deadline would end it.";
        endless.then(|| Finding::warning("BJ001", None, message).help(help))
    },
    fires: "base=1s&factor=2&cap=8s&retries=unlimited&jitter=full",
    silent: "base=1s&factor=2&cap=8s&retries=unlimited&jitter=full&deadline=5min",
};
