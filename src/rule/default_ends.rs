//! An end that nobody wrote.

use super::time;
use super::{Facts, Hit, Rule};
use crate::finding::Severity;
use crate::format::counted;
use crate::policy::Policy;

/// BJ021.
pub(super) static RULE: Rule = Rule {
    code: "BJ021",
    name: "default-ends-it",
    severity: Severity::Note,
    what: "A default that nobody wrote decides when it gives up.",
    why: "It is in no file that is reviewed, and another release may have another one.",
    help: "Write it, so that the next reader sees it.",
    check,
    fires: &["class GeocodeJob < ApplicationJob\n  retry_on Net::ReadTimeout\nend\n"],
    silent: &["base=1s&factor=2&cap=8s&retries=3&jitter=full"],
};

fn check(policy: &Policy, facts: &Facts) -> Option<Hit> {
    if policy.retries == Some(0) {
        return None;
    }
    if let (Some(default), Some(deadline)) = (facts.beside.default_of("deadline"), policy.deadline)
        && facts.total.max_ms.is_none_or(|max| max > deadline.limit_ms)
    {
        let message = format!("It gives up after {}, which nobody wrote: {default}.", time(deadline.limit_ms));
        return Some(Hit::new("deadline", message));
    }
    let (default, calls) = (facts.beside.default_of("retries")?, policy.calls()?);
    Some(Hit::new("retries", format!("It makes {}, which nobody wrote: {default}.", counted(calls, "call", "calls"))))
}
