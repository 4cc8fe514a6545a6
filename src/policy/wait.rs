//! Where a wait is computed: its range, its law, one draw of it. Nothing else in the project does.

use super::{Backoff, CapOrder, Jitter, Law, Policy, Rounded, RoundingMode, Shape, Wait, backoff::entry};

/// What one wait can be.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// The number of the retry it precedes, from 1.
    pub retry: u64,
    /// The delay the curve gives, before cap and jitter, ms; `None` where there is no single one: for dependent waits
    /// and tables.
    pub delay_ms: Option<f64>,
    /// The smallest wait, ms.
    pub min_ms: f64,
    /// The upper end of the range, ms, even where a draw excludes it.
    pub max_ms: f64,
    /// The laws whose sum it is; empty where it depends on the waits before.
    pub laws: Vec<Law>,
}

impl Range {
    /// The mean, ms; `None` where the wait depends on others or its law is not known.
    pub fn mean_ms(&self) -> Option<f64> {
        if self.laws.is_empty() { None } else { self.laws.iter().map(Law::mean_ms).sum() }
    }
}

impl Wait {
    /// Whether its waits depend on the waits before them.
    pub fn is_dependent(&self) -> bool {
        matches!(self.jitter, Jitter::Decorrelated | Jitter::Telescoping) || (self.carry && !self.is_fixed())
    }

    /// Whether chance plays no part.
    pub fn is_fixed(&self) -> bool {
        self.jitter.is_none() && !matches!(self.backoff, Backoff::Table { .. })
    }

    /// The delay at retry `k` before cap and jitter, ms, with the wait before it where that matters.
    pub fn delay_ms(&self, k: u64, previous_ms: Option<f64>) -> f64 {
        let previous_ms = self.own(k, previous_ms);
        let k = k.saturating_sub(self.skip).max(1);
        match (&self.backoff, previous_ms) {
            (Backoff::Exponential { factor, .. }, Some(previous)) if self.carry => previous * factor,
            (Backoff::Linear { increment_ms, .. }, Some(previous)) if self.carry => (previous + increment_ms).max(0.0),
            _ => match self.rounding {
                Some(r) if r.of == Rounded::Delay => self.stepped_ms(k, r.unit_ms, r.mode),
                _ => self.backoff.delay_ms(k),
            },
        }
    }

    /// The wait before retry `k - 1`, unless it is one of those that pass before this rule starts to count.
    fn own(&self, k: u64, previous_ms: Option<f64>) -> Option<f64> {
        previous_ms.filter(|_| self.skip == 0 || k > self.skip + 1)
    }

    /// The delay at retry `k` of a curve that rounds at every step.
    fn stepped_ms(&self, k: u64, unit_ms: f64, mode: RoundingMode) -> f64 {
        let round = |ms: f64| match mode {
            RoundingMode::Floor | RoundingMode::Draw => (ms / unit_ms + 1e-9).floor() * unit_ms,
            RoundingMode::Ceil => (ms / unit_ms - 1e-9).ceil() * unit_ms,
            RoundingMode::Nearest => (ms / unit_ms + 0.5).floor() * unit_ms,
        };
        let Backoff::Exponential { base_ms, factor } = self.backoff else {
            return round(self.backoff.delay_ms(k));
        };
        let limit = self.cap_ms.unwrap_or(f64::MAX);
        let mut delay = round(base_ms);
        for _ in 1..k {
            let next = round(delay * factor);
            if next == delay || delay > limit || delay.is_nan() {
                break;
            }
            delay = next;
        }
        delay
    }

    fn caps_before(&self) -> Option<f64> {
        self.cap_ms.filter(|_| matches!(self.cap_order, CapOrder::BeforeJitter | CapOrder::Both))
    }

    fn caps_after(&self) -> Option<f64> {
        self.cap_ms.filter(|_| matches!(self.cap_order, CapOrder::AfterJitter | CapOrder::Both))
    }

    /// The law of the wait before retry `k`, given the wait before it where that matters.
    pub fn law(&self, k: u64, previous_ms: Option<f64>) -> Law {
        if let Backoff::Table { waits, .. } = &self.backoff {
            let law = entry(waits, k.saturating_sub(self.skip)).cloned().unwrap_or_else(|| Law::fixed(0.0));
            return self.finished(law);
        }
        let delay = self.delay_ms(k, previous_ms);
        let delay = self.caps_before().map_or(delay, |cap| delay.min(cap));
        self.finished(match self.jitter {
            Jitter::None | Jitter::Telescoping => Law::fixed(delay),
            Jitter::Full => Law::uniform(0.0, delay),
            Jitter::Equal => Law::uniform(delay / 2.0, delay),
            Jitter::Decorrelated => {
                let base = self.backoff.delay_ms(1);
                let end = (3.0 * self.own(k, previous_ms).unwrap_or(base)).max(base);
                let end = match (self.cap_ms, self.cap_order) {
                    (Some(cap), CapOrder::Ceiling) => end.min(cap).max(base),
                    _ => end,
                };
                let law = Law::uniform(base, end);
                self.cap_ms.map_or(law.clone(), |cap| law.capped(cap))
            }
            Jitter::Proportional { below, above } => {
                Law::uniform(delay * (1.0 - below), delay * (1.0 + above)).floored(0.0)
            }
            Jitter::Additive { min_ms, max_ms } => Law::uniform(delay + min_ms, delay + max_ms).floored(0.0),
            Jitter::From { min_ms } => Law::uniform(min_ms, delay.max(min_ms)),
            Jitter::Poisson { below, above } => {
                let shape = Shape::Exponential { rate: 1.0 / delay };
                Law::one(delay * (1.0 - below), delay * (1.0 + above), shape).floored(0.0)
            }
            Jitter::Unknown { below, above } => {
                Law::one((delay * (1.0 - below)).max(0.0), delay * (1.0 + above), Shape::Unknown)
            }
        })
    }

    /// Rounding, a cap after the jitter, the floor.
    fn finished(&self, mut law: Law) -> Law {
        if let Some(r) = self.rounding.filter(|r| r.of == Rounded::Wait) {
            law = law.rounded(r);
        }
        if let Some(cap) = self.caps_after() {
            law = law.capped(cap);
        } else if let (Some(cap), CapOrder::Redraw) = (self.cap_ms, self.cap_order) {
            law = law.redrawn(cap);
        }
        if let Some(r) = self.rounding.filter(|r| r.of == Rounded::Capped) {
            law = law.rounded(r);
        }
        if let Some(floor) = self.floor_ms {
            law = law.floored(floor);
        }
        law
    }

    /// `h(t)` of [`Jitter::Telescoping`], in ms: the wait before retry `k` is the growth of this between two draws.
    pub fn telescope_ms(&self, t: f64) -> f64 {
        let (base, factor) = match self.backoff {
            Backoff::Exponential { base_ms, factor } => (base_ms, factor),
            ref other => (other.delay_ms(1), 1.0),
        };
        libm::pow(factor, t) * libm::tanh((4.0 * t.max(0.0)).sqrt()) * base / 1.4
    }

    /// The range of a telescoping wait before retry `k`, after another one or as the first.
    fn telescoping_law(&self, k: u64, first: bool) -> Law {
        let n = k.saturating_sub(self.skip).max(1) as f64;
        let (low, high) = self.telescope_range_ms(n);
        let before = if first || n < 2.0 { (0.0, 0.0) } else { self.telescope_range_ms(n - 1.0) };
        self.finished(Law::one((low - before.1).max(0.0), (high - before.0).max(0.0), Shape::Unknown))
    }

    /// The smallest and the largest `h(t)` for `t` in `[n - 1, n]`. It rises and, if the factor is below 1, then falls.
    fn telescope_range_ms(&self, n: f64) -> (f64, f64) {
        let (start, end) = (self.telescope_ms(n - 1.0), self.telescope_ms(n));
        let mut top = start.max(end);
        if matches!(self.backoff, Backoff::Exponential { factor, .. } if factor < 1.0) {
            let (mut low, mut high) = (n - 1.0, n);
            while high - low > 1e-9 * n {
                let third = (high - low) / 3.0;
                let (left, right) = (self.telescope_ms(low + third), self.telescope_ms(high - third));
                (low, high) = if left < right { (low + third, high) } else { (low, high - third) };
                top = top.max(left).max(right);
            }
        }
        (start.min(end), top)
    }
}

/// The waits of a policy in order, each as a [`Range`]; as many as the policy has, for ever where it never stops.
pub struct Walk<'a> {
    policy: &'a Policy,
    retry: u64,
    /// The smallest and the largest the wait before can be.
    previous: Option<(f64, f64)>,
}

impl<'a> Walk<'a> {
    /// From the first wait.
    pub fn new(policy: &'a Policy) -> Self {
        Walk { policy, retry: 0, previous: None }
    }
}

impl Iterator for Walk<'_> {
    type Item = Range;

    fn next(&mut self) -> Option<Range> {
        let retry = self.retry + 1;
        if self.policy.retries.is_some_and(|n| retry > n) {
            return None;
        }
        self.retry = retry;
        let range = self.policy.range(retry, self.previous);
        self.previous = Some((range.min_ms, range.max_ms));
        Some(range)
    }
}

impl Policy {
    /// The rules that make the wait before retry `k`: their waits add up.
    pub fn rules(&self, k: u64) -> impl Iterator<Item = &Wait> {
        let mut upto = 0u64;
        let phase = self.phases.iter().find(|phase| {
            upto = upto.saturating_add(phase.retries);
            k <= upto
        });
        std::iter::once(phase.map_or(&self.wait, |phase| &phase.wait)).chain(&self.plus)
    }

    /// Whether some wait depends on the waits before it.
    pub fn is_dependent(&self) -> bool {
        self.wait.is_dependent() || self.plus.iter().chain(self.phases.iter().map(|p| &p.wait)).any(Wait::is_dependent)
    }

    /// Whether a caller's next wait cannot be drawn without its last one.
    pub fn remembers(&self) -> bool {
        let phases = self.phases.iter().map(|phase| &phase.wait);
        phases.chain([&self.wait]).chain(&self.plus).any(|wait| wait.carry || wait.is_dependent())
    }

    /// How many of its waits fit into a limit on their sum, ms, where chance plays no part and the limit is reached
    /// within a million waits; `None` otherwise.
    pub fn fixed_waits_within(&self, limit_ms: f64) -> Option<u64> {
        let mut sum = 0.0;
        for range in Walk::new(self).take(1_000_000) {
            if range.min_ms != range.max_ms {
                return None;
            }
            sum += range.max_ms;
            if sum > limit_ms {
                return Some(range.retry - 1);
            }
            if range.max_ms == 0.0 && self.is_settled(range.retry) {
                return None;
            }
        }
        None
    }

    /// Whether nobody published the law of some of its waits.
    pub fn has_unknown_law(&self) -> bool {
        let rules = std::iter::once(&self.wait).chain(&self.plus).chain(self.phases.iter().map(|p| &p.wait));
        let tabled = |law: &Law| law.pieces.iter().any(|p| p.shape == Shape::Unknown);
        rules.into_iter().any(|wait| match &wait.backoff {
            Backoff::Table { waits, .. } => waits.iter().any(tabled),
            _ => matches!(wait.jitter, Jitter::Unknown { .. }),
        })
    }

    /// The range of the wait before retry `k`, given the bounds of the wait before it.
    fn range(&self, k: u64, previous: Option<(f64, f64)>) -> Range {
        if let Some(first) = self.first_wait_ms.filter(|_| k == 1) {
            let laws = vec![Law::fixed(first)];
            return Range { retry: k, delay_ms: Some(first), min_ms: first, max_ms: first, laws };
        }
        let mut range = Range { retry: k, delay_ms: None, min_ms: 0.0, max_ms: 0.0, laws: Vec::new() };
        // Whether the delay is no single one, and whether the law is not known.
        let (mut dependent, mut open) = (false, false);
        let varied = previous.is_some_and(|(low, high)| low < high);
        for wait in self.rules(k) {
            if matches!(wait.jitter, Jitter::Telescoping) {
                let first = k == 1
                    || (k == 2 && self.first_wait_ms.is_some())
                    || !self.rules(k - 1).any(|wait| wait.jitter == Jitter::Telescoping);
                let law = wait.telescoping_law(k, first);
                (range.min_ms, range.max_ms) = (range.min_ms + law.min_ms(), range.max_ms + law.max_ms());
                (dependent, open) = (true, true);
                continue;
            }
            let low = wait.law(k, previous.map(|p| p.0));
            let high = if wait.is_dependent() { wait.law(k, previous.map(|p| p.1)) } else { low.clone() };
            dependent |= wait.is_dependent() && (previous.is_some() || !wait.carry);
            open |= wait.is_dependent() && varied;
            range.min_ms += low.min_ms();
            range.max_ms += high.max_ms();
            range.laws.push(low);
        }
        let single = self.plus.is_empty() && !dependent && !matches!(self.wait.backoff, Backoff::Table { .. });
        range.delay_ms = self.rules(k).next().filter(|_| single).map(|w| w.delay_ms(k, previous.map(|p| p.1)));
        if open {
            range.laws.clear();
        }
        range
    }

    /// One run of waits, ms, in order: `uniform` gives numbers in [0, 1). As many as the policy has, for ever where it
    /// never stops; the deadline is not applied.
    pub fn draws<'a>(&'a self, mut uniform: impl FnMut() -> f64 + 'a) -> impl Iterator<Item = f64> + 'a {
        let mut previous = None;
        let mut telescope = 0.0;
        let last = self.retries.unwrap_or(u64::MAX);
        (1..=last).map(move |k| {
            let drawn = match self.first_wait_ms.filter(|_| k == 1) {
                Some(first) => first,
                None => self.rules(k).map(|w| w.draw(k, previous, &mut telescope, &mut uniform)).sum(),
            };
            previous = Some(drawn);
            drawn
        })
    }
}

impl Wait {
    pub(super) fn draw(
        &self,
        k: u64,
        previous: Option<f64>,
        telescope: &mut f64,
        uniform: &mut impl FnMut() -> f64,
    ) -> f64 {
        if self.jitter != Jitter::Telescoping {
            return self.law(k, previous).at(uniform());
        }
        let n = k.saturating_sub(self.skip).max(1) as f64;
        let now = self.telescope_ms(n - 1.0 + uniform());
        let before = if n < 2.0 { 0.0 } else { *telescope };
        *telescope = now;
        self.finished(Law::fixed((now - before).max(0.0))).min_ms()
    }
}
