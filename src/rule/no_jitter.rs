//! A fleet that comes back in step.

use super::time;
use super::{Facts, Hit, Rule};
use crate::finding::Severity;
use crate::format::count;
use crate::policy::{Backoff, CapOrder, Jitter, Policy, Walk};

/// BJ006.
pub(super) static RULE: Rule = Rule {
    code: "BJ006",
    name: "no-jitter",
    severity: Severity::Warning,
    what: "The waits hold no chance.",
    why: "Callers that fail together come back together, and do so every time: the wave that knocked the service over is repeated on a timer.",
    help: "Add jitter; full jitter spreads the callers most.",
    check,
    fires: &["base=1s&factor=2&cap=8s&retries=5&jitter=none"],
    silent: &[
        "base=1s&factor=2&cap=8s&retries=5&jitter=full",
        "base=1s&factor=2&cap=8s&retries=0&jitter=none",
        "base=1s&factor=2&cap=8s&retries=5&jitter=none&callers=3",
    ],
};

/// So many callers that come together are no wave.
const FEW: u64 = 3;

fn check(policy: &Policy, facts: &Facts) -> Option<Hit> {
    let first = facts.waits.iter().find(|w| w.min_ms > 0.0)?;
    let callers = facts.beside.fleet.as_ref().map(|fleet| fleet.callers);
    // A jitter that has no effect is another rule's to explain.
    let own = policy.wait.jitter.is_none() && facts.beside.drawn_once.is_none();
    if !facts.is_fixed() || !own || callers.is_some_and(|n| n <= FEW) {
        return None;
    }
    let simple = policy.phases.is_empty() && policy.plus.is_empty() && policy.wait.jitter.is_none();
    let who = callers.map_or("callers".into(), |n| format!("{} callers", count(n)));
    let message = format!(
        "No jitter: {who} that fail together come back together, {} later and every time after.",
        time(first.min_ms)
    );
    let hit = Hit::new("jitter", message);
    if !simple || matches!(policy.wait.backoff, Backoff::Table { .. }) {
        return Some(hit);
    }
    // A floor above every delay leaves a jitter nothing to draw.
    let draws = |fix: &Policy| Walk::new(fix).take(facts.waits.len()).any(|wait| wait.min_ms != wait.max_ms);
    Some(jittered(policy).filter(draws).fold(hit, Hit::fix))
}

/// The policy with each jitter that libraries have, the widest first.
fn jittered(policy: &Policy) -> impl Iterator<Item = Policy> {
    let first_ms = policy.wait.backoff.delay_ms(1);
    let with = |jitter, cap_order| {
        let mut policy = policy.clone();
        (policy.wait.jitter, policy.wait.cap_order) = (jitter, cap_order);
        policy
    };
    let own = policy.wait.cap_order;
    [
        with(Jitter::Full, CapOrder::BeforeJitter),
        with(Jitter::Proportional { below: 0.5, above: 0.5 }, own),
        with(Jitter::Proportional { below: 0.0, above: 1.0 }, own),
        with(Jitter::Additive { min_ms: 0.0, max_ms: first_ms }, own),
    ]
    .into_iter()
}
