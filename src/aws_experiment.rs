//! The simulation with which AWS introduced jitter to many in 2015 ("Exponential Backoff And Jitter", AWS Architecture
//! Blog), written anew from a description of its model: clients that each want one write to a shared version, over a
//! network that delays every message.
//!
//! A client reads the version, writes with the version it read, and after a refusal waits and reads again. The server
//! answers at once; a write succeeds when nobody else's succeeded since its read. Calls are the writes that reach the
//! server; the time is when the last client hears of its success. The model charges nothing for load, so that time
//! alone ranks no strategy: no backoff at all is the fastest, at a multiple of the calls.

use crate::policy::{Backoff, Jitter, Memory, Policy, Sampler, Wait};
use crate::random::Random;
use crate::simulate::{Moments, Progress};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Mean delay of a message, ms.
const NETWORK_MEAN_MS: f64 = 10.0;

/// Standard deviation of the delay of a message, ms; a negative delay counts without its sign.
const NETWORK_SD_MS: f64 = 2.0;

/// How the clients of the experiment wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Strategy {
    /// Not at all.
    None,
    /// Exponential without jitter.
    Exponential,
    /// Exponential with full jitter.
    Full,
    /// Exponential with equal jitter.
    Equal,
    /// Decorrelated jitter.
    Decorrelated,
}

impl Strategy {
    /// All five.
    pub const ALL: [Strategy; 5] =
        [Strategy::None, Strategy::Exponential, Strategy::Full, Strategy::Equal, Strategy::Decorrelated];

    /// Its policy. The base is 5 ms; the published exponent starts at 1, so that the first delay is 10 ms, but for
    /// decorrelated jitter, which starts from the base.
    pub fn policy(self) -> Policy {
        let exponential = |base_ms| Wait::new(Backoff::Exponential { base_ms, factor: 2.0 }).cap(2_000.0);
        let wait = match self {
            Strategy::None => Wait::new(Backoff::Constant { delay_ms: 0.0 }),
            Strategy::Exponential => exponential(10.0),
            Strategy::Full => exponential(10.0).jitter(Jitter::Full),
            Strategy::Equal => exponential(10.0).jitter(Jitter::Equal),
            Strategy::Decorrelated => exponential(5.0).jitter(Jitter::Decorrelated),
        };
        Policy::new(wait, None)
    }
}

/// The published counts of clients: 10, 20, …, 190.
pub fn published_clients() -> Vec<u32> {
    (1..=19).map(|i| 10 * i).collect()
}

/// What one strategy with one count of clients came to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Cell {
    /// How the clients waited.
    pub strategy: Strategy,
    /// How many there were.
    pub clients: u32,
    /// How many runs were played.
    pub runs: u32,
    /// Mean writes in a run, those refused included; reads are not counted.
    pub calls: f64,
    /// Its standard error.
    pub calls_se: f64,
    /// Mean time until the last client knew of its success, ms.
    pub time_ms: f64,
    /// Its standard error.
    pub time_se_ms: f64,
}

/// The experiment under way, to be driven in steps.
pub struct Experiment {
    /// Strategy and clients of each cell, in the order in which they are played.
    plan: Vec<(Strategy, u32)>,
    runs: u32,
    cells: Vec<Cell>,
    calls: Moments,
    time_ms: Moments,
    random: Random,
    /// How the clients of the cell under way wait, and its own stream of random numbers.
    now: Option<(Sampler, Random)>,
}

impl Experiment {
    /// Each strategy with each count of clients, `runs` times; 100 in the original. No runs count as one.
    pub fn new(clients: &[u32], runs: u32, seed: u64) -> Self {
        let plan = clients.iter().flat_map(|&n| Strategy::ALL.map(|strategy| (strategy, n)));
        let (calls, time_ms) = Default::default();
        let random = Random::new(seed);
        Experiment { plan: plan.collect(), runs: runs.max(1), cells: Vec::new(), calls, time_ms, random, now: None }
    }

    /// Plays up to this many runs of one cell.
    pub fn step(&mut self, runs: u32) -> Progress {
        if let Some(&(strategy, clients)) = self.plan.get(self.cells.len()) {
            let start = || (Sampler::new(&strategy.policy()), self.random.split());
            let (sampler, random) = self.now.get_or_insert_with(start);
            for _ in 0..runs.min(self.runs - self.calls.runs) {
                let (calls, time_ms) = Contest::new(sampler, clients, random).play();
                self.calls.add(calls as f64);
                self.time_ms.add(time_ms);
            }
            if self.calls.runs == self.runs {
                self.now = None;
                let (calls, time) = (std::mem::take(&mut self.calls), std::mem::take(&mut self.time_ms));
                self.cells.push(Cell {
                    strategy,
                    clients,
                    runs: self.runs,
                    calls: calls.mean,
                    calls_se: calls.se(),
                    time_ms: time.mean,
                    time_se_ms: time.se(),
                });
            }
        }
        if self.cells.len() == self.plan.len() {
            return Progress { share: 1.0, done: true };
        }
        let partly = f64::from(self.calls.runs) / f64::from(self.runs);
        Progress { share: (self.cells.len() as f64 + partly) / self.plan.len() as f64, done: false }
    }

    /// The cells that are done, those of one count of clients together.
    pub fn finish(self) -> Vec<Cell> {
        self.cells
    }
}

/// Which strategy made the fewest calls among one count of clients.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Fewest {
    /// How many clients there were.
    pub clients: u32,
    /// The strategy with the fewest calls.
    pub strategy: Strategy,
    /// The next one.
    pub next: Strategy,
    /// The difference to the next one, in its own standard errors; under about 3 the runs do not tell the two apart.
    pub errors_apart: f64,
}

/// The strategy with the fewest calls for each count of clients, in the order of the cells.
pub fn fewest_calls(cells: &[Cell]) -> Vec<Fewest> {
    let groups = cells.chunk_by(|a, b| a.clients == b.clients);
    let fewest = groups.filter_map(|group| {
        let mut sorted = group.to_vec();
        crate::sort::by(&mut sorted, |a, b| a.calls.total_cmp(&b.calls));
        let [first, next, ..] = sorted.as_slice() else { return None };
        let se = (first.calls_se * first.calls_se + next.calls_se * next.calls_se).sqrt();
        let apart = next.calls - first.calls;
        let errors_apart = if apart == 0.0 { 0.0 } else { apart / se };
        Some(Fewest { clients: first.clients, strategy: first.strategy, next: next.strategy, errors_apart })
    });
    fewest.collect()
}

/// A message on its way to the server. What the server answers on receipt decides when the client's next one gets
/// there, so that answers need no events of their own.
struct Client {
    /// The version a write carries; `None`: the message is a read.
    writes: Option<u64>,
    failures: u64,
    memory: Memory,
}

/// One run.
struct Contest<'a> {
    sampler: &'a Sampler,
    random: &'a mut Random,
    /// The second of a pair of normal numbers.
    spare: Option<f64>,
    clients: Vec<Client>,
    /// When whose message reaches the server: the bits of the time, which are ordered as it is, and the client.
    events: BinaryHeap<Reverse<(u64, u32)>>,
}

impl<'a> Contest<'a> {
    fn new(sampler: &'a Sampler, clients: u32, random: &'a mut Random) -> Self {
        let client = || Client { writes: None, failures: 0, memory: Memory::default() };
        let list = (0..clients).map(|_| client()).collect();
        let mut contest = Contest { sampler, random, spare: None, clients: list, events: BinaryHeap::new() };
        for client in 0..clients {
            let at_ms = contest.network_ms();
            contest.events.push(Reverse((at_ms.to_bits(), client)));
        }
        contest
    }

    /// Writes that reached the server, and when the last client heard of its success, ms.
    fn play(mut self) -> (u64, f64) {
        let (mut version, mut calls, mut last_ms) = (0, 0, 0.0f64);
        while let Some(Reverse((bits, id))) = self.events.pop() {
            let answered_ms = f64::from_bits(bits) + self.network_ms();
            let mut sent_ms = answered_ms;
            let client = &mut self.clients[id as usize];
            match client.writes {
                None => client.writes = Some(version),
                Some(read) => {
                    calls += 1;
                    if read == version {
                        version += 1;
                        last_ms = last_ms.max(answered_ms);
                        continue;
                    }
                    client.writes = None;
                    client.failures += 1;
                    sent_ms += self.sampler.draw(client.failures, &mut client.memory, &mut || self.random.uniform());
                }
            }
            let at_ms = sent_ms + self.network_ms();
            self.events.push(Reverse((at_ms.to_bits(), id)));
        }
        (calls, last_ms)
    }

    /// The delay of one message, ms.
    fn network_ms(&mut self) -> f64 {
        (NETWORK_MEAN_MS + NETWORK_SD_MS * self.normal()).abs()
    }

    /// A normal number of mean 0 and standard deviation 1, by Marsaglia's polar method.
    fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        loop {
            let (u, v) = (2.0 * self.random.uniform() - 1.0, 2.0 * self.random.uniform() - 1.0);
            let s = u * u + v * v;
            if s < 1.0 && s > 0.0 {
                let scale = (-2.0 * libm::log(s) / s).sqrt();
                self.spare = Some(v * scale);
                return u * scale;
            }
        }
    }
}
