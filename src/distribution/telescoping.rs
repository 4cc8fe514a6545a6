//! Waits that telescope ([`Jitter::Telescoping`]): `wait k = h(t_k) - h(t_(k-1))`, `t_k` uniform on `[k - 1, k]`.
//!
//! Without a cap their sum is `h(t_n)` alone, so its law is that of one uniform draw. A cap acts on each wait and not
//! on `h`, and only the extremes stay easy.

use super::Distribution;
use super::chain::Step;
use super::quadrature::{applied, gauss};
use crate::policy::{Backoff, CapOrder, Jitter, Policy, Wait};

/// The most waits that a cap is looked for in.
const MOST: u64 = 10_000;

/// A policy of telescoping waits and nothing else but a cap on the draw and a fixed first wait.
pub(crate) struct Telescope<'a> {
    wait: &'a Wait,
    cap_ms: f64,
    /// A fixed wait before retry 1.
    first_ms: Option<f64>,
    retries: u64,
}

impl<'a> Telescope<'a> {
    /// `None` for other policies, for curves that fall, and where the sum is beyond all bounds.
    pub fn of(policy: &'a Policy, retries: u64) -> Option<Self> {
        let wait = &policy.wait;
        let rises = matches!(wait.backoff, Backoff::Exponential { factor, base_ms } if factor >= 1.0 && base_ms > 0.0);
        let plain = wait.jitter == Jitter::Telescoping
            && wait.rounding.is_none()
            && wait.floor_ms.is_none_or(|floor| floor <= 0.0)
            && wait.cap_order != CapOrder::Redraw
            && wait.skip == 0;
        let alone = policy.plus.is_empty() && policy.phases.is_empty();
        let cap_ms = match wait.cap_order {
            CapOrder::AfterJitter | CapOrder::Both => wait.cap_ms.unwrap_or(f64::INFINITY),
            _ => f64::INFINITY,
        };
        let telescope = Telescope { wait, cap_ms, first_ms: policy.first_wait_ms, retries };
        let followed = retries >= telescope.start() && (retries <= MOST || cap_ms == f64::INFINITY);
        (rises && plain && alone && followed && telescope.h(retries as f64).is_finite()).then_some(telescope)
    }

    /// The first retry whose wait is drawn.
    fn start(&self) -> u64 {
        if self.first_ms.is_some() { 2 } else { 1 }
    }

    fn h(&self, t: f64) -> f64 {
        self.wait.telescope_ms(t)
    }

    /// The smallest and the largest total that can happen.
    pub fn attainable(&self) -> (f64, f64) {
        let first = self.first_ms.unwrap_or(0.0);
        let (low, high) = (self.least(), self.most());
        (first + low, first + high)
    }

    /// Walking back from the largest `h`, the one before is best a cap below: nearer, it loses what it adds; farther,
    /// the cap takes it.
    fn most(&self) -> f64 {
        let (mut at, mut sum) = (self.h(self.retries as f64), 0.0);
        for k in (self.start()..self.retries).rev() {
            let before = (at - self.cap_ms).max(self.h(k as f64 - 1.0)).min(self.h(k as f64));
            sum += (at - before).min(self.cap_ms);
            at = before;
        }
        sum + at.min(self.cap_ms)
    }

    /// The sum is concave in the values of `h`, so it is least where each is at an end of its interval.
    fn least(&self) -> f64 {
        let ends = |k: u64| [self.h(k as f64 - 1.0), self.h(k as f64)];
        let mut least = ends(self.start()).map(|end| end.min(self.cap_ms));
        for k in self.start() + 1..=self.retries {
            let before = ends(k - 1);
            least = ends(k).map(|end| {
                let from = |i: usize| least[i] + (end - before[i]).min(self.cap_ms);
                from(0).min(from(1))
            });
        }
        least[0].min(least[1])
    }

    /// Mean and share on the cap of the wait before retry `k`.
    pub fn step(&self, k: u64) -> Step {
        if k < self.start() {
            return Step { mean_ms: self.first_ms.unwrap_or(0.0), at_cap: 0.0 };
        }
        let rule = gauss(16);
        if k == self.start() {
            return self.after(&rule, k, 0.0);
        }
        // Over s = v^2 the root in h is smooth.
        let (from, to) = ((k as f64 - 2.0).sqrt(), (k as f64 - 1.0).sqrt());
        let mut step = Step { mean_ms: 0.0, at_cap: 0.0 };
        for part in 0..4 {
            let edge = |i: i32| from + (to - from) * f64::from(i) / 4.0;
            let (low, high) = (edge(part), edge(part + 1));
            for (x, weight) in &rule {
                let v = low + (high - low) * (x + 1.0) / 2.0;
                let share = weight * v * (high - low);
                let inner = self.after(&rule, k, self.h(v * v));
                step.mean_ms += share * inner.mean_ms;
                step.at_cap += share * inner.at_cap;
            }
        }
        step
    }

    /// The wait before retry `k` given `h` before it.
    fn after(&self, rule: &[(f64, f64)], k: u64, before_ms: f64) -> Step {
        let (low, high) = (k as f64 - 1.0, k as f64);
        let capped = self.time_of(before_ms + self.cap_ms, low, high);
        let mut wait = |v: f64| (self.h(v * v) - before_ms) * 2.0 * v;
        let mean = applied(rule, low.sqrt(), capped.sqrt(), &mut wait);
        let at_cap = high - capped;
        Step { mean_ms: mean + if at_cap > 0.0 { at_cap * self.cap_ms } else { 0.0 }, at_cap }
    }

    /// Where between two times `h` reaches a value.
    fn time_of(&self, value: f64, mut low: f64, mut high: f64) -> f64 {
        if value >= self.h(high) {
            return high;
        }
        if value <= self.h(low) {
            return low;
        }
        while high - low > 2.0 * f64::EPSILON * high && high > f64::MIN_POSITIVE {
            let middle = low + (high - low) / 2.0;
            (low, high) = if self.h(middle) < value { (middle, high) } else { (low, middle) };
        }
        high
    }

    /// Whether some wait can be cut by the cap.
    fn is_cut(&self) -> bool {
        if self.cap_ms == f64::INFINITY {
            return false;
        }
        (self.start()..=self.retries).any(|k| {
            let before = if k == self.start() { 0.0 } else { self.h(k as f64 - 2.0) };
            self.h(k as f64) - before > self.cap_ms
        })
    }

    /// The law of the total, where no wait is cut.
    pub(super) fn law(self) -> Option<Telescoped<'a>> {
        (!self.is_cut()).then_some(Telescoped { telescope: self })
    }
}

/// The law of a total that telescopes to `h(t_n)`.
pub(super) struct Telescoped<'a> {
    telescope: Telescope<'a>,
}

impl Telescoped<'_> {
    /// The smallest and the largest total.
    pub fn range(&self) -> (f64, f64) {
        let (first, n) = (self.telescope.first_ms.unwrap_or(0.0), self.telescope.retries as f64);
        (first + self.telescope.h(n - 1.0), first + self.telescope.h(n))
    }

    /// Mean and standard deviation.
    pub fn moments(&self) -> (f64, f64) {
        let (rule, n) = (gauss(32), self.telescope.retries as f64);
        let (from, to) = ((n - 1.0).sqrt(), n.sqrt());
        let mean = applied(&rule, from, to, &mut |v| self.telescope.h(v * v) * 2.0 * v);
        let square = applied(&rule, from, to, &mut |v| (self.telescope.h(v * v) - mean).powi(2) * 2.0 * v);
        (self.telescope.first_ms.unwrap_or(0.0) + mean, square.sqrt())
    }

    fn time(&self, ms: f64) -> f64 {
        let n = self.telescope.retries as f64;
        self.telescope.time_of(ms - self.telescope.first_ms.unwrap_or(0.0), n - 1.0, n)
    }
}

impl Distribution for Telescoped<'_> {
    fn cdf(&self, ms: f64) -> f64 {
        self.time(ms) - (self.telescope.retries as f64 - 1.0)
    }

    fn density(&self, ms: f64) -> f64 {
        let (min, max) = self.range();
        let h = 1e-6 * (max - min);
        let (low, high) = ((ms - h).max(min), (ms + h).min(max));
        if low < high { (self.cdf(high) - self.cdf(low)) / (high - low) } else { 0.0 }
    }

    fn quantile(&self, p: f64, _: (f64, f64), _: f64) -> f64 {
        let telescope = &self.telescope;
        telescope.first_ms.unwrap_or(0.0) + telescope.h(telescope.retries as f64 - 1.0 + p)
    }
}
