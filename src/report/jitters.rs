//! The same policy under each of the four usual jitters.

use super::answer::Typical;
use crate::format::{Quantity, short};
use crate::policy::{Backoff, Jitter, Policy};
use crate::schedule::totals;
use serde::Serialize;

/// One jitter with what it makes of the policy.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct JitterRow {
    /// Its name, as the form's field takes it.
    pub name: &'static str,
    /// The least that can be waited in all.
    pub best: Quantity,
    /// The median of the total.
    pub typical: Quantity,
    /// The most.
    pub worst: Quantity,
    /// Whether the policy has it.
    pub own: bool,
}

/// The four usual jitters by the names that the form's field takes.
pub const FOUR: [(&str, Jitter); 4] =
    [("none", Jitter::None), ("full", Jitter::Full), ("equal", Jitter::Equal), ("decorrelated", Jitter::Decorrelated)];

/// The policy with another jitter.
pub fn with(policy: &Policy, jitter: Jitter) -> Policy {
    let mut other = policy.clone();
    other.wait.jitter = jitter;
    other.phases.iter_mut().for_each(|phase| phase.wait.jitter = jitter);
    other
}

/// The four rows; none where a jitter has nothing to act on. Medians that take long are left out unless `patient`.
pub fn jitters(policy: &Policy, patient: bool) -> Vec<JitterRow> {
    if policy.retries == Some(0) || matches!(policy.wait.backoff, Backoff::Table { .. }) {
        return Vec::new();
    }
    let row = |(name, jitter): (&'static str, Jitter)| {
        let other = with(policy, jitter);
        let total = totals(&other);
        let no_bound = || Quantity::words("no bound");
        let typical = match Typical::of(&other, patient) {
            Typical::Is(ms) => short(ms),
            Typical::Unknown if total.bound_ms.is_none() => no_bound(),
            Typical::Unknown => Quantity::words("not known"),
            Typical::Later => Quantity::words("…"),
        };
        JitterRow {
            name,
            best: total.min_ms.map_or_else(no_bound, short),
            typical,
            worst: total.bound_ms.map_or_else(no_bound, short),
            own: policy.wait.jitter == jitter,
        }
    };
    FOUR.into_iter().map(row).collect()
}
