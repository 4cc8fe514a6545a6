//! A cap that no delay comes up to.

use super::time;
use super::{Facts, Hit, Rule};
use crate::finding::Severity;
use crate::policy::Policy;

/// BJ010.
pub(super) static RULE: Rule = Rule {
    code: "BJ010",
    name: "cap-never-reached",
    severity: Severity::Note,
    what: "The cap is larger than every delay.",
    why: "A setting that does nothing misleads the next reader, and the longest wait is shorter than it suggests.",
    help: "Leave the cap out, or allow as many retries as it takes to reach it.",
    check,
    fires: &["base=1s&factor=2&cap=60s&retries=3&jitter=full"],
    silent: &["base=1s&factor=2&cap=4s&retries=3&jitter=full", "base=1s&factor=2&retries=3&jitter=full"],
};

const DAY_MS: f64 = 86_400_000.0;

fn check(policy: &Policy, facts: &Facts) -> Option<Hit> {
    // A default is there for other policies; nobody counts on it here. Nor on a day, which says that there is no cap
    // where a library must be given one.
    let cap = policy.wait.cap_ms.filter(|cap| facts.beside.wrote("capMs") && *cap < DAY_MS)?;
    let listed = facts.waits.len() as u64;
    policy.retries.filter(|n| (1..=listed).contains(n))?;
    let reached =
        facts.waits.iter().any(|w| w.max_ms.is_none_or(|max| max >= cap) || w.delay_ms.is_none_or(|d| d >= cap));
    if reached {
        return None;
    }
    let longest = facts.longest_ms()?;
    let mut fix = policy.clone();
    fix.wait.cap_ms = None;
    let message = format!("The cap of {} is never reached: the longest wait is {}.", time(cap), time(longest));
    Some(Hit::new("capMs", message).fix(fix))
}
