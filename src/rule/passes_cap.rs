//! Jitter that comes after the cap.

use super::time;
use super::{Facts, Hit, Rule};
use crate::finding::Severity;
use crate::policy::Policy;

/// BJ008.
pub(super) static RULE: Rule = Rule {
    code: "BJ008",
    name: "passes-cap",
    severity: Severity::Note,
    what: "A wait can be longer than the cap.",
    why: "The cap limits the delay before the jitter, not the wait that is slept; whoever sized a limit by it is off by the jitter.",
    help: "Lower the cap by the jitter's share, or cap after the jitter.",
    check,
    fires: &["base=1s&factor=2&cap=4s&retries=5&jitter=±20%"],
    silent: &["base=1s&factor=2&cap=4s&retries=5&jitter=full"],
};

fn check(policy: &Policy, facts: &Facts) -> Option<Hit> {
    let cap = policy.wait.cap_ms?;
    let longest = facts.longest_ms()?;
    let alone =
        policy.plus.is_empty() && policy.phases.is_empty() && policy.wait.floor_ms.is_none_or(|floor| floor <= cap);
    (alone && longest > cap * (1.0 + 1e-9) && !policy.wait.jitter.is_none()).then(|| {
        let most = time(cap * cap / longest);
        let message =
            format!("The jitter comes after the cap: waits reach {}, above the cap of {}.", time(longest), time(cap));
        Hit::new("capMs", message).help(format!("For no wait above {}, write a cap of {most}.", time(cap)))
    })
}
