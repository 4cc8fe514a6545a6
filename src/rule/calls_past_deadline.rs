//! Time-outs that add up past the deadline.

use super::time;
use super::{Facts, Hit, Rule};
use crate::finding::Severity;
use crate::policy::Clock;
use crate::policy::Policy;

/// BJ019.
pub(super) static RULE: Rule = Rule {
    code: "BJ019",
    name: "calls-past-deadline",
    severity: Severity::Warning,
    what: "The calls alone can take longer than the deadline.",
    why: "When every call runs into its own time-out, the deadline ends the retrying before the calls are made.",
    help: "Shorten the time-out of a call, or move the deadline.",
    check,
    fires: &["base=1s&factor=2&cap=8s&retries=5&jitter=full&call-timeout=10s&deadline=30s&overrun=refuse"],
    silent: &["base=1s&factor=2&cap=8s&retries=5&jitter=full&call-timeout=1s&deadline=60s&overrun=refuse"],
};

fn check(policy: &Policy, _: &Facts) -> Option<Hit> {
    let (timeout, deadline, calls) = (policy.attempt_timeout_ms?, policy.deadline?, policy.calls()?);
    let all = timeout * calls as f64;
    (deadline.clock == Clock::Elapsed && calls > 1 && all > deadline.limit_ms).then(|| {
        let message = format!(
            "{calls} calls of up to {} take {}, more than the deadline of {}: when each times out, the last are never made.",
            time(timeout),
            time(all),
            time(deadline.limit_ms)
        );
        Hit::new("attemptTimeoutMs", message)
    })
}
