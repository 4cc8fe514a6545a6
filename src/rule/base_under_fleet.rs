//! A first window too narrow for the fleet.

use super::{Facts, Hit, Rule};
use super::{per_s, time};
use crate::finding::Severity;
use crate::fleet::rates;
use crate::format::count;
use crate::policy::{Backoff, Policy};

/// BJ022.
pub(super) static RULE: Rule = Rule {
    code: "BJ022",
    name: "base-under-fleet",
    severity: Severity::Warning,
    what: "The first retries of the fleet come faster than they are admitted.",
    why: "Callers that failed together draw their first wait from one window; it has to be as wide as callers ÷ allowance, or most are refused again.",
    help: "Raise the base to callers ÷ allowance or more.",
    check,
    fires: &["base=1s&factor=2&cap=8s&retries=5&jitter=full&callers=400&allowance=4000"],
    silent: &[
        "base=8s&factor=2&cap=60s&retries=5&jitter=full&callers=400&allowance=4000",
        "base=1s&factor=2&cap=60s&retries=5&jitter=full",
    ],
};

fn check(policy: &Policy, facts: &Facts) -> Option<Hit> {
    let spec = facts.beside.fleet.as_ref()?;
    let rates = rates(policy, spec).ok()?;
    let first = rates.rounds.first()?;
    let (own, needed) = (rates.needed_own_base_ms?, rates.needed_base_ms?);
    if rates.first_round_that_fits == Some(1) || facts.is_fixed() {
        return None;
    }
    let message = format!(
        "The first retries of {} callers come at {} a second, {} are admitted: their window must be {} wide, not {}.",
        count(spec.callers),
        first.rate_per_s.map_or("no known rate".into(), per_s),
        per_s(spec.per_s()),
        time(needed),
        first.window_ms.map_or("what it is".into(), time),
    );
    let hit = Hit::new("baseMs", message).help(format!("With this jitter that takes a base of {}.", time(own)));
    let mut fix = policy.clone();
    let base = own.ceil();
    match &mut fix.wait.backoff {
        Backoff::Exponential { base_ms: ms, .. } | Backoff::Constant { delay_ms: ms } => *ms = base,
        _ => return Some(hit),
    }
    fix.wait.cap_ms = fix.wait.cap_ms.map(|cap| cap.max(base));
    Some(hit.fix(fix))
}
