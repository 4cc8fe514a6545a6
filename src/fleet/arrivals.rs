//! What arrives when, if nobody gets through: the most there can be. From the laws of the waits, without chance where
//! that is possible.

use super::joint::Joint;
use super::mass::Mass;
use super::{Bins, FleetSpec, spread_ms};
use crate::policy::{CapOrder, Jitter, Law, Memory, Overrun, Policy, Sampler, Walk};
use crate::random::Random;
use serde::Serialize;

/// How many retries are pictured where the policy has more.
pub(super) const PICTURED: u64 = 100;

/// About how many cells a law of independent waits gets.
const CELLS: usize = 1 << 15;

/// About how many cells of times and waits, over all retries, a joint law gets; and the fewest for one.
const JOINT_CELLS: f64 = (1u64 << 22) as f64;
const JOINT_LEAST: f64 = (1u64 << 16) as f64;

/// Points on the curve of a telescoping sum, for each retry.
const POINTS: u32 = 4096;

/// How many callers are drawn where no law is at hand, and from which seed.
const DRAWN: u32 = 20_000;
const SEED: u64 = 1;

/// How expected arrivals were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum ArrivalsMethod {
    /// By convolution of the laws of the waits, or in closed form: at any time within some 1e-5 of a caller.
    Exact,
    /// By the joint law of the last wait and the time so far on a grid: at any time within some 0.2 % of a
    /// caller.
    Grid,
    /// From 20 000 drawn callers, with a fixed seed.
    Simulated,
}

/// Expected arrivals of one caller in each bin.
pub(super) struct Expected {
    pub bins: Bins,
    pub arrivals: Vec<f64>,
    pub method: ArrivalsMethod,
}

/// Expected arrivals of one caller who never gets through.
pub(super) fn expected(policy: &Policy, spec: &FleetSpec) -> Expected {
    let bins = Bins::of(policy, spec);
    let calls = policy.calls().map_or(PICTURED, |calls| (calls - 1).min(PICTURED));
    let mut picture = Picture { policy, spec, bins, calls, arrivals: vec![0.0; bins.count] };
    let method = picture.fill();
    Expected { bins, arrivals: picture.arrivals, method }
}

struct Picture<'a> {
    policy: &'a Policy,
    spec: &'a FleetSpec,
    bins: Bins,
    /// How many retries come.
    calls: u64,
    arrivals: Vec<f64>,
}

impl Picture<'_> {
    fn fill(&mut self) -> ArrivalsMethod {
        if self.policy.telescopes() {
            self.telescoping();
            return ArrivalsMethod::Exact;
        }
        if Walk::new(self.policy).take(self.calls as usize).all(|range| !range.laws.is_empty()) {
            self.independent();
            return ArrivalsMethod::Exact;
        }
        if self.joint().is_some() {
            return ArrivalsMethod::Grid;
        }
        self.arrivals.fill(0.0);
        self.drawn();
        ArrivalsMethod::Simulated
    }

    /// From the first refusal until a retry comes, beside the waits before it, ms.
    fn calls_ms(&self, k: u64) -> f64 {
        (k - 1) as f64 * self.spec.call_ms
    }

    fn limit_ms(&self, k: u64) -> Option<f64> {
        self.policy.deadline.map(|d| d.slept_limit_ms(k, self.spec.call_ms))
    }

    fn independent(&mut self) {
        let fine = (CELLS / self.bins.count).clamp(4, 64).next_power_of_two();
        let mut slept = Mass::now(self.bins.width_ms / fine as f64, self.bins.count * fine);
        let spread_ms = spread_ms(self.policy, self.spec);
        for range in Walk::new(self.policy).take(self.calls as usize) {
            let limit = self.limit_ms(range.retry).zip(self.policy.deadline.map(|d| d.overrun));
            if let Some((limit_ms, Overrun::Allow | Overrun::Shorten)) = limit {
                slept.under(limit_ms);
            }
            let whole = slept.total();
            if whole == 0.0 {
                break;
            }
            slept = range.laws.iter().fold(slept, |slept, law| slept.after(law));
            match limit {
                Some((limit_ms, Overrun::Refuse)) => slept.up_to(limit_ms),
                Some((limit_ms, Overrun::Shorten)) => slept.no_later_than(limit_ms, whole),
                _ => {}
            }
            let later_ms = self.calls_ms(range.retry);
            if spread_ms > 0.0 {
                slept.after(&Law::uniform(0.0, spread_ms)).add_to(&mut self.arrivals, &self.bins, later_ms);
            } else {
                slept.add_to(&mut self.arrivals, &self.bins, later_ms);
            }
        }
    }

    fn joint(&mut self) -> Option<()> {
        if self.policy.deadline.is_some_and(|d| d.overrun == Overrun::Shorten) {
            return None;
        }
        let horizon_ms = self.bins.start_ms(self.bins.count);
        let longest = Walk::new(self.policy).take(self.calls as usize).map(|range| range.max_ms);
        let longest_ms = longest.fold(0.0, f64::max).min(horizon_ms);
        let cells = (JOINT_CELLS / self.calls.max(1) as f64).max(JOINT_LEAST);
        let coarse = (longest_ms * horizon_ms / cells).sqrt() / self.bins.width_ms;
        let cell_ms = if coarse < 1.0 {
            self.bins.width_ms / (1.0 / coarse.max(1.0 / 64.0)).floor()
        } else {
            self.bins.width_ms * coarse.ceil()
        };
        let count = |ms: f64| (ms / cell_ms).ceil() as usize + 1;
        let mut joint = Joint::new(self.policy, cell_ms, count(horizon_ms), count(longest_ms));
        for k in 1..=self.calls {
            let mass = joint.next(k, self.limit_ms(k))?;
            let later_ms = self.calls_ms(k);
            mass.add_to(&mut self.arrivals, &self.bins, later_ms);
        }
        Some(())
    }

    /// The sum of `k` telescoping waits is a rising function of the last draw alone.
    fn telescoping(&mut self) {
        let fine = (CELLS / self.bins.count).clamp(1, 64);
        for k in 1..=self.calls {
            let mut mass = Mass::none(self.bins.width_ms / fine as f64, self.bins.count * fine);
            let at_ms = |i: u32| {
                let t = (k - 1) as f64 + f64::from(i) / f64::from(POINTS);
                self.policy.wait.telescope_ms(t)
            };
            let mut from_ms = at_ms(0);
            for i in 1..=POINTS {
                let to_ms = at_ms(i);
                mass.add_even(from_ms, to_ms.max(from_ms + 1e-9), 1.0 / f64::from(POINTS));
                from_ms = to_ms;
            }
            let later_ms = self.calls_ms(k);
            mass.add_to(&mut self.arrivals, &self.bins, later_ms);
        }
    }

    fn drawn(&mut self) {
        let sampler = Sampler::new(self.policy);
        let mut random = Random::new(SEED);
        for _ in 0..DRAWN {
            let (mut memory, mut slept_ms) = (Memory::default(), 0.0);
            for k in 1..=self.calls {
                let wait_ms = sampler.draw(k, &mut memory, &mut || random.uniform());
                let granted = self
                    .policy
                    .deadline
                    .map_or(Some(wait_ms), |deadline| deadline.grants(k, self.spec.call_ms, slept_ms, wait_ms));
                let Some(wait_ms) = granted else { break };
                slept_ms += wait_ms;
                let Some(bin) = self.bins.at(slept_ms + self.calls_ms(k)) else { break };
                self.arrivals[bin] += 1.0 / f64::from(DRAWN);
            }
        }
    }
}

impl Policy {
    /// Whether its waits telescope without anything that would stop them from doing so.
    fn telescopes(&self) -> bool {
        let wait = &self.wait;
        let alone = self.plus.is_empty() && self.phases.is_empty() && self.first_wait_ms.is_none() && wait.skip == 0;
        let free = wait.cap_ms.is_none() || wait.cap_order == CapOrder::BeforeJitter;
        let plain = wait.rounding.is_none() && wait.floor_ms.is_none() && self.deadline.is_none();
        let rising = match wait.backoff {
            crate::policy::Backoff::Exponential { factor, .. } => factor >= 1.0,
            _ => true,
        };
        wait.jitter == Jitter::Telescoping && alone && free && plain && rising
    }
}
