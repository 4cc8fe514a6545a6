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
    why: "A timer of JavaScript above 2147483647 ms, 24.8 days, fires after 1 ms instead; other languages have limits of their own, and the longest wait may become none.",
    help: "Cap the wait.",
    check,
    fires: &["backoff=constant&base=720h&retries=2&jitter=full"],
    silent: &["backoff=constant&base=480h&retries=2&jitter=full"],
};

/// The longest wait that a timer holds, ms, and what becomes of a longer one, by language. Where the language is not
/// known it may be JavaScript.
fn timer(ecosystem: &str) -> Option<(f64, &'static str)> {
    Some(match ecosystem {
        "" | "any" | "JavaScript" => {
            (2_147_483_647.0, "2147483647 ms (24.8 d): a JavaScript timer fires after 1 ms then")
        }
        ".NET" => (4_294_967_294.0, "4294967294 ms (49.7 d): a timer of .NET (Task.Delay) takes no more and throws"),
        "Rust" => (68_719_476_734.0, "68719476734 ms (2.2 years): a timer of Tokio holds no more"),
        "Go" => (9_223_372_036_854.0, "292 years: a time.Duration of Go holds no more"),
        "Python" => (9_223_372_036_854.0, "292 years: time.sleep of Python takes no more and raises OverflowError"),
        _ => return None,
    })
}

fn check(policy: &Policy, facts: &Facts) -> Option<Hit> {
    let (most, what) = timer(facts.beside.ecosystem)?;
    let long = facts.waits.iter().find(|w| w.max_ms.is_none_or(|max| max > most))?;
    let mut fix = policy.clone();
    fix.wait.cap_ms = Some(60_000.0);
    let message = format!("From retry {} on a wait can pass {what}.", long.retry);
    Some(Hit::new("capMs", message).fix(fix))
}
