//! Jitter that eats the delay.

use super::percent;
use super::{Facts, Hit, Rule};
use crate::finding::Severity;
use crate::policy::Policy;

/// BJ011.
pub(super) static RULE: Rule = Rule {
    code: "BJ011",
    name: "zero-waits",
    severity: Severity::Warning,
    what: "A large share of the waits is exactly 0.",
    why: "A jitter that takes off more than the delay leaves nothing to wait; those callers come back at once, all together.",
    help: "Keep the jitter below the delay.",
    check,
    fires: &["backoff=constant&base=0s&retries=3&jitter=+-200ms..200ms"],
    silent: &["backoff=constant&base=1s&retries=3&jitter=+-200ms..200ms"],
};

/// From this share on it is worth a warning.
const SHARE: f64 = 0.05;

fn check(_: &Policy, facts: &Facts) -> Option<Hit> {
    let zero = facts.waits.iter().filter(|w| w.min_ms == 0.0 && w.at_min >= SHARE);
    let (retry, share) = zero.map(|w| (w.retry, w.at_min)).reduce(|a, b| if b.1 > a.1 { b } else { a })?;
    let message = format!(
        "{} of the waits before retry {retry} are 0: the jitter takes off more than the delay.",
        percent(share)
    );
    Some(Hit::new("jitter", message))
}
