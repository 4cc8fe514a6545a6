//! Draws of the waits of many callers who share one policy: what does not change between them is prepared once.

use super::{CapOrder, Jitter, Law, Piece, Policy, Shape, Wait};

/// How many retries have their laws prepared; what lies beyond is made for each draw.
const PREPARED: u64 = 1_000;

/// Draws single waits of a policy. The numbers are those of [`Policy::draws`], up to the rounding of the last bit.
pub struct Sampler {
    policy: Policy,
    /// How the waits before retries 1, 2, … are drawn.
    plans: Vec<Plan>,
}

/// What one caller carries from a wait to the next.
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    /// The wait before, ms.
    previous_ms: Option<f64>,
    /// Where a telescoping sum stands, ms.
    telescope_ms: f64,
}

/// How one wait is drawn.
enum Plan {
    /// Always this, without a draw.
    Always(f64),
    /// Evenly from `min` on over `width`.
    Between { min_ms: f64, width_ms: f64 },
    /// The sum of one draw from each.
    Sum(Vec<Law>),
    /// `min(cap, U[base, 3 * previous])`.
    Decorrelated { base_ms: f64, cap_ms: f64 },
    /// By the rules, with the wait before.
    Rules,
}

impl Sampler {
    /// Prepares the laws of a policy.
    pub fn new(policy: &Policy) -> Self {
        let prepared = policy.retries.map_or(PREPARED, |n| n.min(PREPARED));
        Sampler { policy: policy.clone(), plans: (1..=prepared).map(|k| policy.plan(k)).collect() }
    }

    /// A draw of the wait before retry `k` (from 1), ms. `uniform` gives numbers in [0, 1).
    #[inline]
    pub fn draw(&self, k: u64, memory: &mut Memory, uniform: &mut impl FnMut() -> f64) -> f64 {
        let rules = Plan::Rules;
        let plan = self.plans.get(k.saturating_sub(1) as usize).unwrap_or(&rules);
        let drawn = match plan {
            Plan::Always(ms) => *ms,
            Plan::Between { min_ms, width_ms } => min_ms + uniform() * width_ms,
            Plan::Sum(laws) => laws.iter().map(|law| law.at(uniform())).sum(),
            Plan::Decorrelated { base_ms, cap_ms } => {
                let top_ms = (3.0 * memory.previous_ms.unwrap_or(*base_ms)).max(*base_ms);
                (base_ms + uniform() * (top_ms - base_ms)).min(*cap_ms)
            }
            Plan::Rules => {
                let Memory { previous_ms, telescope_ms } = memory;
                self.policy.rules(k).map(|wait| wait.draw(k, *previous_ms, telescope_ms, uniform)).sum()
            }
        };
        memory.previous_ms = Some(drawn);
        drawn
    }
}

impl Policy {
    fn plan(&self, k: u64) -> Plan {
        if let Some(first) = self.first_wait_ms.filter(|_| k == 1) {
            return Plan::Always(first);
        }
        let mut rules = self.rules(k);
        if !self.rules(k).any(|wait| wait.carry || wait.is_dependent()) {
            let laws: Vec<Law> = rules.map(|wait| wait.law(k, None)).collect();
            return match laws.as_slice() {
                [law] => law.between().unwrap_or(Plan::Sum(laws)),
                _ => Plan::Sum(laws),
            };
        }
        match (rules.next(), rules.next()) {
            (Some(wait), None) if wait.jitter == Jitter::Decorrelated && wait.is_plain() => {
                Plan::Decorrelated { base_ms: wait.backoff.delay_ms(1), cap_ms: wait.cap_ms.unwrap_or(f64::INFINITY) }
            }
            _ => Plan::Rules,
        }
    }
}

impl Wait {
    /// Whether nothing follows the draw but the cap.
    fn is_plain(&self) -> bool {
        self.rounding.is_none()
            && self.floor_ms.is_none()
            && !matches!(self.cap_order, CapOrder::Redraw | CapOrder::Ceiling)
    }
}

impl Law {
    fn between(&self) -> Option<Plan> {
        match self.pieces.as_slice() {
            [Piece { min_ms, max_ms, shape: Shape::Uniform | Shape::Unknown, .. }] => {
                // Two ends beyond all bounds have no difference.
                let width_ms = if min_ms == max_ms { 0.0 } else { max_ms - min_ms };
                Some(Plan::Between { min_ms: *min_ms, width_ms })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Backoff, Phase, Rounded, RoundingMode};

    fn agrees(policy: &Policy) {
        let numbers = |i: &mut u64| {
            *i += 1;
            (*i as f64 * 0.618_033_988_749_894_9).fract()
        };
        let (mut i, mut j) = (0, 0);
        let listed: Vec<f64> = policy.draws(|| numbers(&mut i)).take(12).collect();
        let sampler = Sampler::new(policy);
        let mut memory = Memory::default();
        for (k, expected) in (1..).zip(&listed) {
            let drawn = sampler.draw(k, &mut memory, &mut || numbers(&mut j));
            assert!((drawn - expected).abs() <= 1e-9 * expected.abs(), "retry {k}: {drawn} for {expected}");
        }
        assert_eq!(i, j, "as many numbers taken");
    }

    #[test]
    fn draws_what_the_policy_draws() {
        let curve = Wait::new(Backoff::Exponential { base_ms: 1000.0, factor: 2.0 }).cap(8000.0);
        let jitters = [
            Jitter::None,
            Jitter::Full,
            Jitter::Equal,
            Jitter::Decorrelated,
            Jitter::Proportional { below: 0.2, above: 0.3 },
            Jitter::Additive { min_ms: 0.0, max_ms: 1000.0 },
            Jitter::Telescoping,
            Jitter::Poisson { below: 0.5, above: 0.5 },
        ];
        for jitter in jitters {
            let wait = curve.clone().jitter(jitter);
            agrees(&Policy::new(wait.clone(), 6));
            agrees(&Policy::new(wait.clone().floor(1500.0).cap_order(CapOrder::AfterJitter), None));
            agrees(&Policy::new(wait.clone().rounding(RoundingMode::Ceil, 1000.0, Rounded::Wait), 6));
            agrees(&Policy { first_wait_ms: Some(0.0), ..Policy::new(wait.clone(), 6) });
            agrees(&Policy { plus: vec![curve.clone().jitter(Jitter::Full)], ..Policy::new(wait.clone(), 6) });
            let phases = vec![Phase { retries: 2, wait: Wait::new(Backoff::Constant { delay_ms: 50.0 }) }];
            agrees(&Policy { phases, ..Policy::new(Wait { carry: true, ..wait }, 6) });
        }
    }
}
