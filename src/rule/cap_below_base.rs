//! A cap under the base, which makes every delay the cap.

use super::Rule;
use crate::finding::Finding;
use crate::format::short;
use crate::policy::{CapOrder, Jitter};

/// `BJ003`.
pub static RULE: Rule = Rule {
    code: "BJ003",
    name: "cap under the base",
    check: |policy| {
        let wait = &policy.wait;
        let (cap, base) = (wait.cap_ms?, wait.backoff.delay_ms(1));
        let acts = matches!(wait.cap_order, CapOrder::BeforeJitter | CapOrder::Both);
        if !acts || cap >= base || policy.retries == Some(0) || wait.backoff.delay_ms(2) < base {
            return None;
        }
        let (cap, base) = (short(cap).text, short(base).text);
        let effect = match wait.jitter {
            Jitter::Decorrelated => "every wait is the cap, without any chance in it",
            _ => "every delay is the cap, and nothing grows",
        };
        let message = format!("The cap of {cap} is below the base of {base}: {effect}.");
        Some(Finding::warning("BJ003", None, message).help("Swap them, if that is what was meant."))
    },
    fires: "base=10s&factor=2&cap=1s&retries=3",
    silent: "base=1s&factor=2&cap=1s&retries=3",
};
