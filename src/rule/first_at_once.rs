//! A first wait of nothing.

use super::{Facts, Hit, Rule};
use crate::finding::Severity;
use crate::policy::Policy;

/// BJ009.
pub(super) static RULE: Rule = Rule {
    code: "BJ009",
    name: "first-at-once",
    severity: Severity::Note,
    what: "The first retry comes without a wait.",
    why: "A service that is overloaded gets the whole load a second time at once.",
    help: "If the library allows it, start with a wait.",
    check,
    fires: &["base=1s&factor=2&cap=8s&retries=5&jitter=full&first-wait=0s"],
    silent: &["base=1s&factor=2&cap=8s&retries=5&jitter=full"],
};

fn check(_: &Policy, facts: &Facts) -> Option<Hit> {
    let (first, rest) = facts.waits.split_first()?;
    let later = rest.iter().any(|w| w.max_ms.is_none_or(|max| max > 0.0));
    let at_once = first.max_ms == Some(0.0);
    (at_once && later).then(|| Hit::new("firstWaitMs", "The first retry comes at once: nothing is waited before it."))
}
