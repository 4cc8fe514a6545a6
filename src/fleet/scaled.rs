//! The same policy on another clock.

use crate::policy::{Backoff, Jitter, Law, Piece, Policy, Shape, Wait};

/// The policy with all its times multiplied: the waits keep their laws on a clock that runs slower or faster. With the
/// ratio of two means it compares jitters at an equal mean wait.
pub fn scaled(policy: &Policy, factor: f64) -> Policy {
    let mut scaled = policy.clone();
    let times = [&mut scaled.first_wait_ms, &mut scaled.initial_delay_ms, &mut scaled.attempt_timeout_ms];
    times.into_iter().flatten().for_each(|ms| *ms *= factor);
    if let Some(deadline) = &mut scaled.deadline {
        deadline.limit_ms *= factor;
    }
    let phases = scaled.phases.iter_mut().map(|phase| &mut phase.wait);
    for wait in phases.chain([&mut scaled.wait]).chain(&mut scaled.plus) {
        scale(wait, factor);
    }
    scaled
}

fn scale(wait: &mut Wait, factor: f64) {
    match &mut wait.backoff {
        Backoff::Exponential { base_ms: ms, .. }
        | Backoff::Constant { delay_ms: ms }
        | Backoff::Polynomial { base_ms: ms, .. }
        | Backoff::Fibonacci { base_ms: ms } => *ms *= factor,
        Backoff::Linear { base_ms, increment_ms } => {
            *base_ms *= factor;
            *increment_ms *= factor;
        }
        Backoff::List { delays_ms, .. } => delays_ms.iter_mut().for_each(|ms| *ms *= factor),
        Backoff::Table { waits, .. } => waits.iter_mut().for_each(|law| *law = scaled_law(law, factor)),
    }
    match &mut wait.jitter {
        Jitter::Additive { min_ms, max_ms } => {
            *min_ms *= factor;
            *max_ms *= factor;
        }
        Jitter::From { min_ms } => *min_ms *= factor,
        _ => {}
    }
    [&mut wait.floor_ms, &mut wait.cap_ms].into_iter().flatten().for_each(|ms| *ms *= factor);
    if let Some(rounding) = &mut wait.rounding {
        rounding.unit_ms *= factor;
    }
}

fn scaled_law(law: &Law, factor: f64) -> Law {
    let piece = |piece: &Piece| Piece {
        weight: piece.weight,
        min_ms: piece.min_ms * factor,
        max_ms: piece.max_ms * factor,
        shape: match piece.shape {
            Shape::Steps { step_ms } => Shape::Steps { step_ms: step_ms * factor },
            Shape::Exponential { rate } => Shape::Exponential { rate: rate / factor },
            other => other,
        },
    };
    Law { pieces: law.pieces.iter().map(piece).collect() }
}
