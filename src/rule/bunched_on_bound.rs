//! A cap that undoes the jitter.

use super::{Facts, Hit, Rule};
use super::{percent, time};
use crate::finding::Severity;
use crate::policy::CapOrder;
use crate::policy::Policy;

/// BJ007.
pub(super) static RULE: Rule = Rule {
    code: "BJ007",
    name: "bunched-on-bound",
    severity: Severity::Warning,
    what: "Many draws are exactly the cap.",
    why: "A cap that acts after the jitter gathers every draw above it on one value: those callers come back in step again.",
    help: "Cap the delay before the draw.",
    check,
    fires: &["base=1s&factor=2&cap=8s&cap-order=after&retries=5&jitter=±50%"],
    silent: &["base=1s&factor=2&cap=8s&retries=5&jitter=±50%"],
};

/// From this share on it is worth a warning.
const SHARE: f64 = 0.05;

fn check(policy: &Policy, facts: &Facts) -> Option<Hit> {
    let cap = policy.wait.cap_ms?;
    let bunched = |w: &&crate::schedule::ScheduledWait| w.at_max >= SHARE && w.max_ms == Some(cap);
    let first = facts.waits.iter().find(bunched)?;
    let most = facts.waits.iter().filter(bunched).map(|w| w.at_max).fold(0.0, f64::max);
    let mut fix = policy.clone();
    fix.wait.cap_order = CapOrder::BeforeJitter;
    let message = format!(
        "Up to {} of the waits from retry {} on are exactly {}: the cap acts after the jitter and undoes it there.",
        percent(most),
        first.retry,
        time(cap)
    );
    Some(Hit::new("capMs", message).fix(fix))
}
