//! The curve of the delays, before cap and jitter.

use super::law::Law;
use super::settle;
use serde::Serialize;

/// How the delay grows with the retry number `k`, from 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Backoff {
    /// `base * factor^(k-1)`.
    Exponential {
        /// The first delay, ms.
        base_ms: f64,
        /// Growth per retry.
        factor: f64,
    },
    /// `delay`.
    Constant {
        /// Every delay, ms.
        delay_ms: f64,
    },
    /// `base + increment * (k-1)`, never below 0.
    Linear {
        /// The first delay, ms.
        base_ms: f64,
        /// Added per retry, ms; may be negative.
        increment_ms: f64,
    },
    /// `base * k^power`.
    Polynomial {
        /// The first delay, ms.
        base_ms: f64,
        /// The exponent of the retry number.
        power: f64,
    },
    /// `base * (1, 1, 2, 3, 5, …)`.
    Fibonacci {
        /// The first and second delay, ms.
        base_ms: f64,
    },
    /// Delays one by one.
    List {
        /// The delays, ms, in order.
        delays_ms: Vec<f64>,
        /// What follows the last one.
        after: After,
    },
    /// Waits one by one, each with a law of its own; for rules that no curve with a jitter can say.
    Table {
        /// The waits in order.
        waits: Vec<Law>,
        /// What follows the last one.
        after: After,
    },
}

/// What follows the last entry of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum After {
    /// The last entry again, for ever.
    RepeatLast,
    /// No further retry.
    Stop,
}

impl Backoff {
    /// Makes its numbers finite and its lists not empty.
    pub(super) fn settle(&mut self) {
        match self {
            Backoff::Exponential { base_ms: a, factor: b }
            | Backoff::Linear { base_ms: a, increment_ms: b }
            | Backoff::Polynomial { base_ms: a, power: b } => [a, b].into_iter().for_each(settle),
            Backoff::Constant { delay_ms: ms } | Backoff::Fibonacci { base_ms: ms } => settle(ms),
            Backoff::List { delays_ms, .. } if delays_ms.is_empty() => delays_ms.push(0.0),
            Backoff::List { delays_ms, .. } => delays_ms.iter_mut().for_each(settle),
            Backoff::Table { waits, .. } if waits.is_empty() => waits.push(Law::fixed(0.0)),
            Backoff::Table { waits, .. } => waits.iter_mut().for_each(Law::settle),
        }
    }

    /// The delay at retry `k` (from 1), ms. Grows to infinity rather than overflowing; a [`Backoff::Table`] gives the
    /// mean of its law, an empty list 0.
    pub fn delay_ms(&self, k: u64) -> f64 {
        let n = (k.max(1) - 1) as f64;
        match self {
            Backoff::Exponential { base_ms, factor } => {
                if *base_ms == 0.0 {
                    0.0
                } else {
                    base_ms * libm::pow(*factor, n)
                }
            }
            Backoff::Constant { delay_ms } => *delay_ms,
            Backoff::Linear { base_ms, increment_ms } => (base_ms + increment_ms * n).max(0.0),
            Backoff::Polynomial { base_ms, power } => {
                if *base_ms == 0.0 {
                    0.0
                } else {
                    base_ms * libm::pow(n + 1.0, *power)
                }
            }
            Backoff::Fibonacci { base_ms } => base_ms * fibonacci(k),
            Backoff::List { delays_ms, .. } => entry(delays_ms, k).copied().unwrap_or(0.0),
            Backoff::Table { waits, .. } => entry(waits, k).and_then(Law::mean_ms).unwrap_or(0.0),
        }
    }

    /// How many retries the curve itself allows: a list that stops, its length.
    pub fn stops_after(&self) -> Option<u64> {
        match self {
            Backoff::List { delays_ms, after: After::Stop } => Some(delays_ms.len() as u64),
            Backoff::Table { waits, after: After::Stop } => Some(waits.len() as u64),
            _ => None,
        }
    }
}

/// Entry `k` (from 1) of a list whose last entry repeats.
pub(super) fn entry<T>(list: &[T], k: u64) -> Option<&T> {
    list.get((k.max(1) - 1).min(list.len().saturating_sub(1) as u64) as usize)
}

/// 1, 1, 2, 3, 5, … as a float; infinite from 1477 on.
fn fibonacci(k: u64) -> f64 {
    let (mut a, mut b) = (1.0, 1.0);
    for _ in 1..k.min(1_500) {
        (a, b) = (b, a + b);
    }
    a
}
