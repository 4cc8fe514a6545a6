//! One run: every caller from the first refusal until it is through or gives up.

use super::limiter::Limiter;
use super::queue::{Arrival, Queue};
use super::tally::Tally;
use crate::fleet::{FleetSpec, spread_ms};
use crate::policy::{Memory, Policy, Sampler};
use crate::random::Random;

/// How many retries of one caller are followed; only a policy that allows more can reach it.
pub const FOLLOWED: u32 = 1_000;

/// What is the same in all runs.
pub(super) struct Setup {
    pub policy: Policy,
    pub spec: FleetSpec,
    sampler: Sampler,
    /// The number of the last retry that is a call.
    last: u64,
    /// Whether a caller's past matters.
    remembers: bool,
}

impl Setup {
    pub fn new(policy: &Policy, spec: &FleetSpec) -> Self {
        Setup {
            policy: policy.clone(),
            spec: spec.clone(),
            sampler: Sampler::new(policy),
            last: policy.calls().map_or(u64::MAX, |calls| calls - 1),
            remembers: policy.remembers() || policy.deadline.is_some(),
        }
    }
}

/// What one caller has behind it.
#[derive(Clone, Copy, Default)]
struct Past {
    memory: Memory,
    slept_ms: f64,
}

/// The state of a run.
pub(super) struct Run {
    queue: Queue,
    limiter: Limiter,
    random: Random,
    /// One for each caller, where a wait or the deadline depends on the waits before; otherwise a single one that
    /// nothing reads.
    pasts: Vec<Past>,
}

impl Run {
    /// All callers have just been refused. `queue` is one that has been emptied.
    pub fn start(setup: &Setup, mut queue: Queue, random: Random, tally: &mut Tally) -> Self {
        queue.restart();
        let callers = setup.spec.callers as u32;
        let pasts = vec![Past::default(); if setup.remembers { callers as usize } else { 1 }];
        let mut run = Run { queue, limiter: Limiter::new(&setup.spec), random, pasts };
        let spread_ms = spread_ms(&setup.policy, &setup.spec);
        for caller in 0..callers {
            let at_ms = if spread_ms > 0.0 { spread_ms * run.random.uniform() } else { 0.0 };
            run.refused(setup, Arrival { at_ms, retry: 0, caller }, tally);
        }
        run
    }

    /// Follows up to this many arrivals; whether any are left.
    pub fn step(&mut self, setup: &Setup, arrivals: usize, tally: &mut Tally) -> bool {
        for _ in 0..arrivals {
            let Some(arrival) = self.queue.pop() else { return false };
            let admitted = self.limiter.admits(arrival.at_ms);
            tally.arrival(&arrival, admitted);
            if !admitted {
                self.refused(setup, arrival, tally);
            }
        }
        true
    }

    /// The emptied queue, for the next run.
    pub fn into_queue(self) -> Queue {
        self.queue
    }

    /// Sends a caller to its next wait, or home. The first call, retry 0, ends at its time, every
    /// other one takes its time from there.
    fn refused(&mut self, setup: &Setup, call: Arrival, tally: &mut Tally) {
        let retry = call.retry + 1;
        if u64::from(retry) > setup.last {
            return tally.gave_up(call.at_ms, false);
        }
        if retry > FOLLOWED {
            return tally.unfinished(call.at_ms);
        }
        let past = &mut self.pasts[if setup.remembers { call.caller as usize } else { 0 }];
        let random = &mut self.random;
        let drawn_ms = setup.sampler.draw(u64::from(retry), &mut past.memory, &mut || random.uniform());
        let mut wait_ms = if drawn_ms < 0.0 { 0.0 } else { drawn_ms };
        if let Some(deadline) = setup.policy.deadline {
            let granted = deadline.grants(u64::from(retry), setup.spec.call_ms, past.slept_ms, wait_ms);
            let Some(granted_ms) = granted else { return tally.gave_up(call.at_ms, true) };
            wait_ms = granted_ms;
        }
        past.slept_ms += wait_ms;
        let call_ms = if call.retry == 0 { 0.0 } else { setup.spec.call_ms };
        let next = Arrival { at_ms: call.at_ms + call_ms + wait_ms, retry, ..call };
        if next.at_ms.is_finite() {
            self.queue.push(next);
        } else {
            tally.unfinished(call.at_ms);
        }
    }
}
