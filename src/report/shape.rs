//! What made a wait what it is, with its own numbers: "1 s × 2³ = 8 s, at the cap".

use super::words::{Look, Words};
use crate::format::{Column, count, number, ordinal, percent, superscript};
use crate::policy::{Backoff, CapOrder, Jitter, Policy, Rounded, RoundingMode, Wait};
use crate::schedule::ScheduledWait;

/// The words for one row; times in the unit of `column`.
pub fn shaped(policy: &Policy, row: &ScheduledWait, previous: Option<&ScheduledWait>, column: Column) -> Words {
    let time = |ms: f64| column.exact(ms).text;
    if let Some(first) = policy.first_wait_ms.filter(|_| row.retry == 1) {
        return Words::default().plain(format!("the first wait is {}, whatever the curve", time(first)));
    }
    let mut words = Words::default();
    for (n, wait) in policy.rules(row.retry).enumerate() {
        words = if n == 0 { words } else { words.plain("; plus ") };
        words = words.then(Rule { wait, row, previous, column }.words());
    }
    if row.at_max > 0.0 {
        words = words.look(Look::Limit, format!("; {} are exactly {}", percent(row.at_max), end(row, column)));
    }
    if row.at_min > 0.0 {
        words = words.look(Look::Limit, format!("; {} are exactly {}", percent(row.at_min), time(row.min_ms)));
    }
    words
}

fn end(row: &ScheduledWait, column: Column) -> String {
    row.max_ms.map_or("no bound".into(), |ms| column.exact(ms).text)
}

/// One rule of a row.
struct Rule<'a> {
    wait: &'a Wait,
    row: &'a ScheduledWait,
    previous: Option<&'a ScheduledWait>,
    column: Column,
}

impl Rule<'_> {
    fn time(&self, ms: f64) -> String {
        let column = if ms < 1e3 { self.column } else { Column::Seconds };
        if ms.is_finite() { column.exact(ms).text } else { "more than any number".into() }
    }

    /// The retry as the curve counts it.
    fn k(&self) -> u64 {
        self.row.retry.saturating_sub(self.wait.skip).max(1)
    }

    fn words(&self) -> Words {
        match self.wait.jitter {
            Jitter::Decorrelated => return self.decorrelated(),
            Jitter::Telescoping => return Words::default().plain("grows from the draw before"),
            _ if matches!(self.wait.backoff, Backoff::Table { .. }) => {
                return self.bounds(Words::default().plain("as the configuration lists it"), None);
            }
            _ => {}
        }
        let carried = self.wait.carry && self.previous.is_some();
        let previous = self.previous.and_then(|p| p.max_ms);
        let delay = self.wait.delay_ms(self.row.retry, previous.filter(|_| carried));
        let (formula, is_result) = if carried { self.carried() } else { self.formula() };
        let result = self.time(delay);
        // What is cut away need not be spelled out to the second.
        let cut = self.wait.cap_ms.is_some_and(|cap| delay > cap) && result.len() > 10;
        let formula = if is_result || cut { formula } else { format!("{formula} = {result}") };
        self.bounds(Words::default().plain(formula), Some(delay))
    }

    /// The curve with its numbers, and whether that is already the delay.
    fn formula(&self) -> (String, bool) {
        let k = self.k();
        let n = (k - 1) as i64;
        match &self.wait.backoff {
            Backoff::Exponential { base_ms, factor } => {
                (format!("{} × {}{}", self.time(*base_ms), number(*factor), superscript(n)), false)
            }
            Backoff::Constant { delay_ms } => (format!("always {}", self.time(*delay_ms)), true),
            Backoff::Linear { base_ms, increment_ms } => {
                let sign = if *increment_ms < 0.0 { '−' } else { '+' };
                let step = self.time(increment_ms.abs());
                (format!("{} {sign} {} × {step}", self.time(*base_ms), count(k - 1)), false)
            }
            Backoff::Polynomial { base_ms, power } if power.fract() == 0.0 && power.abs() < 1e3 => {
                (format!("{} × {}{}", self.time(*base_ms), count(k), superscript(*power as i64)), false)
            }
            Backoff::Polynomial { base_ms, power } => {
                (format!("{} × {}^{}", self.time(*base_ms), count(k), number(*power)), false)
            }
            Backoff::Fibonacci { base_ms } => {
                let times = self.wait.backoff.delay_ms(k) / base_ms;
                let times =
                    if times.is_finite() { number(times) } else { format!("the {} Fibonacci number", ordinal(k)) };
                (format!("{} × {times}", self.time(*base_ms)), *base_ms == 0.0)
            }
            Backoff::List { delays_ms, .. } if k > delays_ms.len() as u64 => {
                (format!("the last of the list again, {}", self.time(self.wait.backoff.delay_ms(k))), true)
            }
            Backoff::List { .. } => {
                (format!("{} of the list, {}", ordinal(k), self.time(self.wait.backoff.delay_ms(k))), true)
            }
            Backoff::Table { .. } => ("as the configuration lists it".into(), true),
        }
    }

    /// A delay that grows from the wait before.
    fn carried(&self) -> (String, bool) {
        match self.wait.backoff {
            Backoff::Exponential { factor, .. } => (format!("{} × the wait before, at most", number(factor)), false),
            Backoff::Linear { increment_ms, .. } => {
                (format!("the wait before + {}, at most", self.time(increment_ms)), false)
            }
            _ => self.formula(),
        }
    }

    fn decorrelated(&self) -> Words {
        let base = self.wait.backoff.delay_ms(1);
        let before = self.previous.and_then(|p| p.max_ms).unwrap_or(base);
        let words = Words::default().plain(format!("from {} to 3 × {}", self.time(base), self.time(before)));
        match self.wait.cap_ms {
            Some(cap) if 3.0 * before > cap => {
                words.plain(", ").look(Look::Limit, format!("cut to {}", self.time(cap)))
            }
            _ => words.plain(format!(" = {}", self.time(3.0 * before))),
        }
    }

    /// What cap, rounding and floor did to a delay; `None`: the law is its own.
    fn bounds(&self, mut words: Words, delay_ms: Option<f64>) -> Words {
        if let (Some(cap), Some(delay)) = (self.wait.cap_ms, delay_ms) {
            let before = matches!(self.wait.cap_order, CapOrder::BeforeJitter | CapOrder::Both);
            let most = if before { delay } else { self.top(delay) };
            words = match self.wait.cap_order {
                _ if before && delay == cap => words.plain(", at the cap"),
                _ if before && delay > cap => words.plain(", ").look(Look::Limit, format!("cut to {}", self.time(cap))),
                CapOrder::AfterJitter if most > cap => {
                    words.plain(", ").look(Look::Limit, format!("cut to {} after the draw", self.time(cap)))
                }
                CapOrder::Redraw if most > cap => {
                    words.plain(", ").look(Look::Limit, format!("drawn again above {}", self.time(cap)))
                }
                _ => words,
            };
        }
        if let Some(r) = self.wait.rounding.filter(|r| r.of != Rounded::Delay && r.unit_ms > 1.0) {
            let how = match r.mode {
                RoundingMode::Floor => "rounded down to",
                RoundingMode::Ceil => "rounded up to",
                RoundingMode::Nearest => "rounded to",
                RoundingMode::Draw => "drawn in",
            };
            let unit = if r.unit_ms == 1e3 {
                "whole seconds".into()
            } else {
                format!("multiples of {}", self.time(r.unit_ms))
            };
            words = words.plain(format!(", {how} {unit}"));
        }
        match self.wait.floor_ms {
            Some(floor) if floor > 0.0 && self.row.min_ms == floor && self.row.max_ms == Some(floor) => {
                words.plain(", ").look(Look::Limit, format!("raised to {}", self.time(floor)))
            }
            Some(floor) if floor > 0.0 && self.row.min_ms == floor => {
                words.plain(format!(", never under {}", self.time(floor)))
            }
            _ => words,
        }
    }

    /// The most that jitter can make of a delay.
    fn top(&self, delay: f64) -> f64 {
        match self.wait.jitter {
            Jitter::Proportional { above, .. } | Jitter::Poisson { above, .. } | Jitter::Unknown { above, .. } => {
                delay * (1.0 + above)
            }
            Jitter::Additive { max_ms, .. } => delay + max_ms,
            _ => delay,
        }
    }
}
