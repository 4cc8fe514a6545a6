//! Retries without a wait.

use super::{Facts, Hit, Rule};
use crate::finding::Severity;
use crate::policy::Policy;
use crate::policy::{Backoff, Jitter, Wait};

/// BJ002.
pub(super) static RULE: Rule = Rule {
    code: "BJ002",
    name: "no-wait",
    severity: Severity::Warning,
    what: "The retries come without any wait.",
    why: "Every failure is answered by the next call at once; an overloaded service gets several times its load.",
    help: "Wait between the calls, longer each time.",
    check,
    fires: &["backoff=constant&base=0s&retries=3&jitter=none"],
    silent: &["backoff=constant&base=1s&retries=3&jitter=full", "backoff=constant&base=0s&retries=0&jitter=none"],
};

fn check(policy: &Policy, facts: &Facts) -> Option<Hit> {
    let none = facts.beside.drawn_once.is_none()
        && !facts.waits.is_empty()
        && facts.waits.iter().all(|w| w.max_ms == Some(0.0));
    let mut fix = policy.clone();
    fix.wait = Wait::new(Backoff::Exponential { base_ms: 1_000.0, factor: 2.0 }).cap(60_000.0).jitter(Jitter::Full);
    fix.phases.clear();
    fix.plus.clear();
    fix.first_wait_ms = None;
    none.then(|| {
        Hit::new("baseMs", "Nothing is waited between the calls: a retry follows each failure at once.").fix(fix)
    })
}
