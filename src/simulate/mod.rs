//! A fleet played out: every caller draws its waits, a limiter admits or refuses, and what happens is counted over
//! several runs. The same seed gives the same numbers on every machine: one generator, one order of draws, no
//! function that a platform may round in its own way.

mod buckets;
mod limiter;
mod queue;
mod run;
mod sums;
mod tally;
mod window;

pub use run::FOLLOWED;
pub use sums::{SimulatedBin, SimulatedRound, Simulation, Through};
pub(crate) use tally::Moments;

use crate::fleet::{Bins, FleetSpec, SpecError};
use crate::policy::Policy;
use crate::random::Random;
use queue::Queue;
use run::{Run, Setup};
use serde::Serialize;
use sums::Sums;
use tally::Tally;

/// The most callers that are played out; the arithmetic of [`crate::fleet`] has no such limit.
pub const MOST_CALLERS: u64 = 1_000_000;

/// A simulation under way, to be driven in steps so that whoever drives it can report and stop.
pub struct Simulator {
    setup: Setup,
    bins: Bins,
    /// Where the next run's stream of random numbers starts.
    random: Random,
    seed: u64,
    now: Option<(Run, Tally)>,
    /// The queue of the run before, to be used again.
    queue: Option<Queue>,
    sums: Sums,
}

/// How far a simulation has come.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Progress {
    /// The share of the work that is done, 0 to 1.
    pub share: f64,
    /// Whether all runs are done.
    pub done: bool,
}

impl Simulator {
    /// Prepares a simulation. The spec is checked; more than [`MOST_CALLERS`] are refused.
    pub fn new(policy: &Policy, spec: &FleetSpec, seed: u64) -> Result<Self, SpecError> {
        spec.check()?;
        if spec.callers > MOST_CALLERS {
            let message = format!("{} callers are more than are simulated; at most 1 000 000", spec.callers);
            return Err(SpecError { field: "callers", message });
        }
        Ok(Simulator {
            setup: Setup::new(policy, spec),
            bins: Bins::of(policy, spec),
            random: Random::new(seed),
            seed,
            now: None,
            queue: Some(Queue::new(spec.callers as usize)),
            sums: Sums::default(),
        })
    }

    /// Plays on for about this many arrivals. Starting a run is one step whatever its size.
    pub fn step(&mut self, arrivals: usize) -> Progress {
        let runs = self.setup.spec.runs;
        if self.sums.runs() >= runs {
            return Progress { share: 1.0, done: true };
        }
        let (mut run, mut tally) = self.now.take().unwrap_or_else(|| self.start());
        let mut partly = 0.0;
        if run.step(&self.setup, arrivals, &mut tally) {
            partly = tally.gone_share();
            self.now = Some((run, tally));
        } else {
            self.sums.add(&tally);
            self.queue = Some(run.into_queue());
        }
        let done = self.sums.runs();
        Progress { share: (f64::from(done) + partly) / f64::from(runs), done: done >= runs }
    }

    /// What the finished runs come to; after a stop that is fewer than were asked for.
    pub fn finish(self) -> Simulation {
        self.sums.simulation(&self.setup.spec, self.bins, self.seed)
    }

    fn start(&mut self) -> (Run, Tally) {
        let callers = self.setup.spec.callers;
        let random = self.random.split();
        let queue = self.queue.take().unwrap_or_else(|| Queue::new(callers as usize));
        let mut tally = Tally::new(callers, self.bins);
        (Run::start(&self.setup, queue, random, &mut tally), tally)
    }
}

/// A simulation from start to end.
pub fn simulate(policy: &Policy, spec: &FleetSpec, seed: u64) -> Result<Simulation, SpecError> {
    let mut simulator = Simulator::new(policy, spec, seed)?;
    while !simulator.step(usize::MAX).done {}
    Ok(simulator.finish())
}
