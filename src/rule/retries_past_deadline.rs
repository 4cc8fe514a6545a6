//! Retries that the deadline makes impossible.

use super::time;
use super::{Facts, Hit, Rule};
use crate::finding::Severity;
use crate::policy::Overrun;
use crate::policy::Policy;

/// BJ013.
pub(super) static RULE: Rule = Rule {
    code: "BJ013",
    name: "retries-past-deadline",
    severity: Severity::Warning,
    what: "The deadline comes before the last retries.",
    why: "Retries that can never happen are counted on by whoever reads the configuration.",
    help: "Allow as many retries as the deadline leaves room for, or move the deadline.",
    check,
    fires: &["base=1s&factor=2&cap=8s&retries=5&jitter=equal&deadline=10s&overrun=refuse"],
    silent: &["base=1s&factor=2&cap=8s&retries=5&jitter=equal&deadline=30s&overrun=refuse"],
};

fn check(policy: &Policy, facts: &Facts) -> Option<Hit> {
    let deadline = policy.deadline?;
    let retries = policy.retries?;
    let mut least = 0.0;
    for wait in &facts.waits {
        let before = least;
        least += wait.min_ms;
        let over = match deadline.overrun {
            Overrun::Refuse => least > deadline.limit_ms,
            Overrun::Allow | Overrun::Shorten => before > deadline.limit_ms,
        };
        if over {
            let which = if wait.retry == retries {
                format!("Retry {retries} never happens")
            } else {
                format!("Retries {} to {retries} never happen", wait.retry)
            };
            let message = format!("{which}: the deadline of {} comes before.", time(deadline.limit_ms));
            return Some(Hit::new("deadline", message));
        }
    }
    None
}
