//! Time-outs that add up past a limit.

use super::time;
use super::{Facts, Hit, Rule};
use crate::finding::Severity;
use crate::format::count;
use crate::policy::Policy;
use crate::schedule::worst_elapsed;

/// BJ024.
pub(super) static RULE: Rule = Rule {
    code: "BJ024",
    name: "timeouts-over-limit",
    severity: Severity::Warning,
    what: "Calls that run into their time-outs do not fit a limit.",
    why: "The calls fit while they fail fast; when the service hangs, each takes its whole time-out.",
    help: "Shorten the time-out of a call, retry less often, or ask for more time.",
    check,
    fires: &["base=1s&factor=2&cap=2s&retries=5&jitter=full&call-timeout=10s&limit-own=29s"],
    silent: &["base=1s&factor=2&cap=2s&retries=5&jitter=full&call-timeout=2s&limit-own=29s"],
};

fn check(policy: &Policy, facts: &Facts) -> Option<Hit> {
    let (timeout, calls) = (policy.attempt_timeout_ms?, policy.calls()?);
    let worst = worst_elapsed(policy, timeout)?;
    let fits = |ms: f64| worst_elapsed(policy, facts.beside.call_ms).is_some_and(|worst| worst <= ms);
    let limit = facts.beside.limits.iter().find(|limit| worst > limit.ms && fits(limit.ms))?;
    let message = format!(
        "When each of the {} calls takes its {}, calls and waits take up to {}; {} is {}.",
        count(calls),
        time(timeout),
        time(worst),
        limit.name,
        time(limit.ms)
    );
    Some(Hit::at("attemptTimeoutMs", limit.span, message))
}
