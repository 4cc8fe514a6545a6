//! Delays that get shorter.

use super::Rule;
use crate::finding::Finding;
use crate::format::number;
use crate::policy::Backoff;

/// `BJ004`.
pub static RULE: Rule = Rule {
    code: "BJ004",
    name: "delays get shorter",
    check: |policy| {
        let how = match policy.wait.backoff {
            Backoff::Exponential { base_ms, factor } if factor < 1.0 && base_ms > 0.0 => {
                format!("A factor of {} makes each delay shorter than the one before", number(factor))
            }
            Backoff::Linear { base_ms, increment_ms } if increment_ms < 0.0 && base_ms > 0.0 => {
                "A negative increment makes each delay shorter than the one before".into()
            }
            Backoff::Polynomial { base_ms, power } if power < 0.0 && base_ms > 0.0 => {
                "A negative power makes each delay shorter than the one before".into()
            }
            _ => return None,
        };
        let message = format!("{how}: it retries faster the longer the trouble lasts.");
        (policy.retries != Some(1) && policy.retries != Some(0)).then(|| Finding::warning("BJ004", None, message))
    },
    fires: "base=1s&factor=0.5&retries=5",
    silent: "base=1s&factor=1&retries=5",
};
