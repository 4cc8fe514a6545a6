//! What a retry configuration means, whatever it was written in.
//!
//! A [`Policy`] says how many waits there can be and how long each can take. It holds no text, no library and no
//! place. [`Wait`] is one rule for waits: a curve ([`Backoff`]), a cap, a [`Jitter`], a floor and a rounding;
//! `wait.rs` alone turns it into ranges and laws.

mod backoff;
pub mod check;
mod jitter;
pub mod json;
mod law;
mod sampler;
mod wait;

pub use backoff::{After, Backoff};
pub use jitter::Jitter;
pub use law::{Law, Piece, Shape};
pub use sampler::{Memory, Sampler};
pub use wait::{Range, Walk};

use serde::Serialize;

/// Where the cap acts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum CapOrder {
    /// On the delay; jitter may then pass it.
    #[default]
    BeforeJitter,
    /// On the drawn wait; many draws may sit exactly on it.
    AfterJitter,
    /// On both.
    Both,
    /// A draw above the cap is replaced by a fresh one from the upper half `[cap/2, cap]`.
    Redraw,
    /// On the upper end of the range that a decorrelated wait is drawn from: no draw gathers on it.
    Ceiling,
}

/// To which whole unit a time is brought.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Rounding {
    /// The unit, ms; above 0.
    pub unit_ms: f64,
    /// How.
    pub mode: RoundingMode,
    /// What is rounded.
    pub of: Rounded,
}

/// How a time is brought to a whole unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum RoundingMode {
    /// Down. A draw from `[lo, hi)` then never reaches a whole `hi`.
    Floor,
    /// Up.
    Ceil,
    /// To the nearest, halves up.
    Nearest,
    /// The draw itself is of whole units: each one in the closed range is equally likely.
    Draw,
}

/// What a [`Rounding`] acts on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Rounded {
    /// The jittered wait, before a cap that acts after the jitter.
    #[default]
    Wait,
    /// The jittered wait, after the cap.
    Capped,
    /// Each delay of the curve, the next one growing from the rounded one.
    Delay,
}

/// One rule for waits. Wait `k` (the one before retry `k`, from 1) is made in this order: delay of the curve at
/// `k - skip` → cap (before) → jitter → rounding → cap (after) → floor.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Wait {
    /// The delay before jitter.
    pub backoff: Backoff,
    /// How a delay becomes a wait.
    #[serde(skip_serializing_if = "is_default")]
    pub jitter: Jitter,
    /// No wait is shorter, ms. It wins over the cap.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor_ms: Option<f64>,
    /// The longest delay or wait, ms; see `cap_order`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cap_ms: Option<f64>,
    /// Where the cap acts.
    #[serde(skip_serializing_if = "is_default")]
    pub cap_order: CapOrder,
    /// Whole units, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounding: Option<Rounding>,
    /// The next delay grows from the wait just slept, jitter included, instead of from the delay: chance accumulates.
    /// For exponential (times the factor) and linear (plus the increment) curves.
    #[serde(skip_serializing_if = "is_default")]
    pub carry: bool,
    /// How many retries pass before this rule starts to count: its first delay is that of retry `skip + 1`.
    #[serde(skip_serializing_if = "is_default")]
    pub skip: u64,
}

impl Wait {
    /// A curve with nothing else: no cap, no floor, no jitter.
    pub fn new(backoff: Backoff) -> Self {
        Wait {
            backoff,
            jitter: Jitter::None,
            floor_ms: None,
            cap_ms: None,
            cap_order: CapOrder::BeforeJitter,
            rounding: None,
            carry: false,
            skip: 0,
        }
    }

    /// A law of its own for each wait, the last one for all that follow.
    pub fn table(waits: Vec<Law>) -> Self {
        Wait::new(Backoff::Table { waits, after: After::RepeatLast })
    }

    /// The same with `law(k)` for wait k, up to that of wait `rows`.
    pub fn each(rows: u64, law: &dyn Fn(u64) -> Law) -> Self {
        Wait::table((1..=rows.max(1)).map(law).collect())
    }

    /// The same with a jitter.
    pub fn jitter(mut self, jitter: Jitter) -> Self {
        self.jitter = jitter;
        self
    }

    /// The same with a cap, ms, that acts on the delay; `None` leaves it without.
    pub fn cap(mut self, cap_ms: impl Into<Option<f64>>) -> Self {
        self.cap_ms = cap_ms.into();
        self
    }

    /// The same with its cap, if any, acting at another place.
    pub fn cap_order(mut self, order: CapOrder) -> Self {
        self.cap_order = order;
        self
    }

    /// The same with a floor, ms; `None` leaves it without.
    pub fn floor(mut self, floor_ms: impl Into<Option<f64>>) -> Self {
        self.floor_ms = floor_ms.into();
        self
    }

    /// The same with whole units.
    pub fn rounding(mut self, mode: RoundingMode, unit_ms: f64, of: Rounded) -> Self {
        self.rounding = Some(Rounding { unit_ms, mode, of });
        self
    }
}

/// Waits that come before the policy's own rule takes over.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Phase {
    /// How many waits it lasts.
    pub retries: u64,
    /// Its rule. Retries are counted from the start of the policy, not of the phase; `skip` shifts that.
    #[serde(flatten)]
    pub wait: Wait,
}

/// A bound on the whole.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Deadline {
    /// The bound, ms, counted from the start of the first call.
    pub limit_ms: f64,
    /// What happens to the wait that would cross it.
    pub overrun: Overrun,
    /// What it counts.
    #[serde(skip_serializing_if = "is_default")]
    pub clock: Clock,
}

/// What happens to the wait that would cross the deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Overrun {
    /// It is not slept: the retrying ends there.
    Refuse,
    /// It is slept whole: the deadline is looked at only before a wait.
    Allow,
    /// It is cut to what is left, and a last call follows.
    Shorten,
}

/// What a deadline counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Clock {
    /// Waits and calls since the first call began.
    #[default]
    Elapsed,
    /// Waits since the first call failed, calls after it included.
    FirstFailure,
    /// The waits alone.
    Waits,
}

/// What a retry configuration means.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Policy {
    /// The rule of the waits.
    #[serde(flatten)]
    pub wait: Wait,
    /// Further waits added to each of them, drawn independently.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub plus: Vec<Wait>,
    /// Rules that hold for the first waits, one after the other, before `wait` takes over.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<Phase>,
    /// The wait before retry 1, ms, whatever the curve says; the curve goes on with retry 2 as if it had made retry 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_wait_ms: Option<f64>,
    /// A wait before the first call, ms. It is no retry and in no total.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_delay_ms: Option<f64>,
    /// How many waits there can be; absent: no bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retries: Option<u64>,
    /// The last wait is followed by no call: as many calls as waits.
    #[serde(skip_serializing_if = "is_default")]
    pub ends_with_wait: bool,
    /// The bound on one call, ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt_timeout_ms: Option<f64>,
    /// The bound on the whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Deadline>,
}

impl Policy {
    /// A policy of one rule; `retries` of `None` never stops.
    pub fn new(wait: Wait, retries: impl Into<Option<u64>>) -> Self {
        Policy {
            wait,
            plus: Vec::new(),
            phases: Vec::new(),
            first_wait_ms: None,
            initial_delay_ms: None,
            retries: retries.into(),
            ends_with_wait: false,
            attempt_timeout_ms: None,
            deadline: None,
        }
    }

    /// One call and no retry.
    pub fn single_call() -> Self {
        Policy::new(Wait::new(Backoff::Constant { delay_ms: 0.0 }), 0)
    }

    /// The same in what can be handed on: times that are numbers, bounds that are some, lists that are not empty.
    pub(crate) fn settled(mut self) -> Self {
        let bound = |ms: &mut Option<f64>| *ms = ms.filter(|ms| ms.is_finite());
        let phases = self.phases.iter_mut().map(|phase| &mut phase.wait);
        for wait in phases.chain([&mut self.wait]).chain(&mut self.plus) {
            wait.backoff.settle();
            wait.jitter.settle();
            bound(&mut wait.cap_ms);
            wait.floor_ms.iter_mut().for_each(settle);
        }
        [&mut self.first_wait_ms, &mut self.initial_delay_ms].into_iter().flatten().for_each(settle);
        bound(&mut self.attempt_timeout_ms);
        self.deadline = self.deadline.filter(|deadline| deadline.limit_ms.is_finite());
        self.deadline.iter_mut().for_each(|deadline| deadline.limit_ms = deadline.limit_ms.max(0.0));
        self
    }

    /// How many calls there can be, the first included; `None`: no bound.
    pub fn calls(&self) -> Option<u64> {
        self.retries.map(|n| if self.ends_with_wait && n > 0 { n } else { n.saturating_add(1) })
    }
}

/// A time beyond all numbers becomes the largest of them.
fn settle(ms: &mut f64) {
    *ms = if ms.is_nan() { 0.0 } else { ms.clamp(f64::MIN, f64::MAX) };
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
