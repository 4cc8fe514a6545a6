//! A factor below 1.

use super::{Facts, Hit, Rule};
use crate::finding::Severity;
use crate::policy::Backoff;
use crate::policy::Policy;

/// BJ004.
pub(super) static RULE: Rule = Rule {
    code: "BJ004",
    name: "waits-shrink",
    severity: Severity::Warning,
    what: "The delays get shorter with each retry.",
    why: "A factor below 1 presses harder the longer the service is away.",
    help: "Take a factor of 1 or more.",
    check,
    fires: &["base=8s&factor=0.5&retries=4&jitter=full"],
    silent: &["base=1s&factor=2&cap=8s&retries=5&jitter=full"],
};

fn check(policy: &Policy, facts: &Facts) -> Option<Hit> {
    let how = match policy.wait.backoff {
        Backoff::Exponential { base_ms, factor } if factor < 1.0 && base_ms > 0.0 => format!("A factor of {factor}"),
        Backoff::Linear { base_ms, increment_ms } if increment_ms < 0.0 && base_ms > 0.0 => {
            "A negative increment".into()
        }
        Backoff::Polynomial { base_ms, power } if power < 0.0 && base_ms > 0.0 => "A negative power".into(),
        _ => return None,
    };
    (facts.waits.len() > 1).then(|| {
        let effect = "makes each delay shorter than the one before: it presses harder the longer the trouble lasts";
        Hit::new("factor", format!("{how} {effect}."))
    })
}
