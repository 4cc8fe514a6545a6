//! The steps of time that arrivals are counted in; the expected and the simulated ones share them.

use super::FleetSpec;
use super::arrivals::PICTURED;
use crate::policy::{Overrun, Policy, Walk};

/// The width that is used wherever the horizon allows it, ms.
const FINEST_MS: f64 = 100.0;

/// The most bins a picture gets; a longer horizon has wider ones.
const MOST: f64 = 10_000.0;

/// The longest horizon of a picture, ms; some ten years.
const LONGEST_MS: f64 = 3e11;

/// Equal bins from time 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bins {
    /// The width of one, ms.
    pub width_ms: f64,
    /// How many there are.
    pub count: usize,
}

impl Bins {
    /// Bins over all that callers with this policy can do: of 100 ms, or of the next 1, 2 or 5 times a power of ten
    /// where that would take more than 10 000.
    pub fn of(policy: &Policy, spec: &FleetSpec) -> Self {
        let horizon_ms = horizon_ms(policy, spec);
        let mut width_ms = FINEST_MS;
        for step in [2.0, 2.5, 2.0].into_iter().cycle() {
            if horizon_ms / width_ms < MOST {
                break;
            }
            width_ms *= step;
        }
        Bins { width_ms, count: (horizon_ms / width_ms).floor() as usize + 1 }
    }

    /// Which bin a time falls into, if any.
    pub fn at(&self, ms: f64) -> Option<usize> {
        let bin = (ms / self.width_ms) as usize;
        (bin < self.count).then_some(bin)
    }

    /// The start of a bin, ms.
    pub fn start_ms(&self, bin: usize) -> f64 {
        bin as f64 * self.width_ms
    }
}

/// By when the last of the pictured retries has come, ms.
fn horizon_ms(policy: &Policy, spec: &FleetSpec) -> f64 {
    let longest = Walk::new(policy).take(PICTURED as usize).map(|range| range.max_ms + spec.call_ms);
    let mut horizon_ms: f64 = longest.sum();
    if let Some(deadline) = policy.deadline.filter(|d| d.overrun != Overrun::Allow) {
        let calls = policy.retries.map_or(PICTURED as f64, |n| n.min(PICTURED) as f64);
        horizon_ms = horizon_ms.min(deadline.limit_ms + calls * spec.call_ms);
    }
    (horizon_ms + spread_ms(policy, spec)).min(LONGEST_MS)
}

/// The spread of callers whose waits have no jitter, ms; 0 where they have one.
pub fn spread_ms(policy: &Policy, spec: &FleetSpec) -> f64 {
    if policy.is_fixed() { spec.spread_ms } else { 0.0 }
}

impl Policy {
    /// Whether no wait has jitter.
    fn is_fixed(&self) -> bool {
        let phases = self.phases.iter().map(|phase| &phase.wait);
        phases.chain([&self.wait]).chain(&self.plus).all(|wait| match &wait.backoff {
            crate::policy::Backoff::Table { waits, .. } => waits.iter().all(|law| law.min_ms() == law.max_ms()),
            _ => wait.jitter.is_none(),
        })
    }
}
