//! What a deadline leaves of the waits of one caller.

use crate::policy::{Clock, Deadline, Overrun};

impl Deadline {
    /// The most that may have been slept, ms, when retry `k` comes: the limit less the calls that its clock counts.
    pub fn slept_limit_ms(&self, k: u64, call_ms: f64) -> f64 {
        let calls = match self.clock {
            Clock::Elapsed => k,
            Clock::FirstFailure => k.saturating_sub(1),
            Clock::Waits => 0,
        };
        self.limit_ms - calls as f64 * call_ms
    }

    /// The wait before retry `k` that is really slept, ms, after `slept_ms` of waits; `None`: the caller gives up.
    pub fn grants(&self, k: u64, call_ms: f64, slept_ms: f64, wait_ms: f64) -> Option<f64> {
        let limit_ms = self.slept_limit_ms(k, call_ms);
        match self.overrun {
            Overrun::Refuse => (slept_ms + wait_ms <= limit_ms).then_some(wait_ms),
            Overrun::Allow => (slept_ms < limit_ms).then_some(wait_ms),
            Overrun::Shorten => (slept_ms < limit_ms).then_some(wait_ms.min(limit_ms - slept_ms)),
        }
    }
}
