//! What a library makes of a hint, and what becomes of a fleet that is given the same one.

use crate::policy::{After, Backoff, Jitter, Law, Piece, Policy, Shape, Wait, Walk};
use serde::{Deserialize, Serialize};

/// The most waits that are rewritten one by one.
const MOST: u64 = 1_000;

/// What a library does with `Retry-After`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum RetryAfter {
    /// It is waited instead of the policy's own wait.
    Replaces {
        /// A longer one is cut to this, ms; absent: it is waited however long.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit_ms: Option<f64>,
    },
    /// It is waited instead of the policy's own wait, but a longer one than this ends the retrying.
    ReplacesOrStops {
        /// The longest that is waited, ms.
        limit_ms: f64,
    },
    /// The longer of it and the policy's own wait is waited.
    Floors,
    /// It lengthens the policy's own wait, by so much at most.
    Raises {
        /// The most it adds, ms.
        by_ms: f64,
    },
    /// It is not looked at.
    Ignored,
    /// An answer that carries one is not retried.
    Stops,
}

/// The policy that is left when every answer carries the same hint; `None` where it cannot be said as one.
pub fn heeded(policy: &Policy, treatment: RetryAfter, hint_ms: f64) -> Option<Policy> {
    match treatment {
        RetryAfter::Ignored => Some(policy.clone()),
        RetryAfter::Stops => Some(Policy { retries: Some(0), ..policy.clone() }),
        RetryAfter::Replaces { limit_ms } => Some(always(policy, limit_ms.map_or(hint_ms, |ms| hint_ms.min(ms)))),
        RetryAfter::ReplacesOrStops { limit_ms } if hint_ms > limit_ms => heeded(policy, RetryAfter::Stops, hint_ms),
        RetryAfter::ReplacesOrStops { .. } => Some(always(policy, hint_ms)),
        RetryAfter::Floors => each(policy, |law| Some(law.clone().floored(hint_ms))),
        RetryAfter::Raises { by_ms } => each(policy, |law| raised(law, hint_ms, by_ms)),
    }
}

/// The policy with a further wait of up to `ms` added to each of its own, drawn evenly: what takes callers apart who
/// were given the same hint.
pub fn spread_out(policy: &Policy, ms: f64) -> Policy {
    let added = Wait::new(Backoff::Constant { delay_ms: 0.0 }).jitter(Jitter::Additive { min_ms: 0.0, max_ms: ms });
    let mut spread = policy.clone();
    spread.plus.push(added);
    spread
}

/// The policy with another rule for all waits.
fn ruled(policy: &Policy, wait: Wait) -> Policy {
    Policy { wait, plus: Vec::new(), phases: Vec::new(), first_wait_ms: None, ..policy.clone() }
}

fn always(policy: &Policy, delay_ms: f64) -> Policy {
    ruled(policy, Wait::new(Backoff::Constant { delay_ms }))
}

/// The policy with the law of each wait changed; `None` where a wait has no single law of its own.
fn each(policy: &Policy, change: impl Fn(&Law) -> Option<Law>) -> Option<Policy> {
    let walked = Walk::new(policy).take(MOST as usize);
    let waits: Option<Vec<Law>> = walked
        .map(|range| match range.laws.as_slice() {
            [law] => change(law),
            _ => None,
        })
        .collect();
    let after = if policy.retries.is_some_and(|n| n <= MOST) { After::Stop } else { After::RepeatLast };
    Some(ruled(policy, Wait::new(Backoff::Table { waits: waits?, after })))
}

/// The law of `max(wait, min(hint, wait + by))`; `None` for a piece that is not even.
fn raised(law: &Law, hint_ms: f64, by_ms: f64) -> Option<Law> {
    let mut pieces = Vec::new();
    for piece in &law.pieces {
        if !(piece.is_atom() || piece.shape == Shape::Uniform) {
            return None;
        }
        // Under `low` all of `by` is added, from there up to the hint what is missing, and beyond it nothing.
        let low_ms = hint_ms - by_ms;
        let width = piece.max_ms - piece.min_ms;
        let even = |from_ms: f64, to_ms: f64, add_ms: f64, to_hint: bool| {
            let (from, to) = (piece.min_ms.max(from_ms), piece.max_ms.min(to_ms));
            let atom = width == 0.0 && from == to && from < to_ms;
            let share = if atom { 1.0 } else { (to - from).max(0.0) / width.max(f64::MIN_POSITIVE) };
            let (min_ms, max_ms) = if to_hint { (hint_ms, hint_ms) } else { (from + add_ms, to + add_ms) };
            (share > 0.0).then_some(Piece { weight: piece.weight * share, min_ms, max_ms, shape: Shape::Uniform })
        };
        pieces.extend(even(f64::NEG_INFINITY, low_ms, by_ms, false));
        pieces.extend(even(low_ms, hint_ms, 0.0, true));
        pieces.extend(even(hint_ms, f64::INFINITY, 0.0, false));
    }
    Some(Law { pieces })
}
