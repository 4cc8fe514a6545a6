//! Waits beyond 2^31 - 1 ms.

use super::{Facts, Hit, Rule};
use crate::finding::Severity;
use crate::policy::Policy;

/// BJ014.
pub(super) static RULE: Rule = Rule {
    code: "BJ014",
    name: "timer-overflow",
    severity: Severity::Warning,
    what: "A wait is longer than some timers can hold.",
    why: "A timer of JavaScript above 2147483647 ms, 24.8 days, fires after 1 ms instead; other languages have limits of their own. The longest wait then becomes none.",
    help: "Cap the wait.",
    check,
    fires: &["base=1s&factor=10&retries=9&jitter=full"],
    silent: &["base=1s&factor=2&cap=60s&retries=9&jitter=full"],
};

/// 2^31 - 1 ms.
const MOST_MS: f64 = 2_147_483_647.0;

fn check(policy: &Policy, facts: &Facts) -> Option<Hit> {
    let long = facts.waits.iter().find(|w| w.max_ms.is_none_or(|max| max > MOST_MS))?;
    let mut fix = policy.clone();
    fix.wait.cap_ms = Some(60_000.0);
    let message = format!(
        "From retry {} on a wait can pass 2147483647 ms (24.8 d): a JavaScript timer fires after 1 ms then.",
        long.retry
    );
    Some(Hit::new("capMs", message).fix(fix))
}
