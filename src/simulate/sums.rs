//! What several runs come to.

use super::tally::{Moments, SHARES, Tally};
use crate::fleet::{Bins, FleetSpec};
use serde::Serialize;

/// Means over the runs of a simulated fleet, with their standard errors (`…Se`). Arrivals are retries; the first calls,
/// all refused at time 0, are counted in `calls` alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Simulation {
    /// The seed, as a decimal number.
    pub seed: String,
    /// How many runs were played.
    pub runs: u32,
    /// Calls of all callers in one run, the first included.
    pub calls: f64,
    /// Its standard error.
    pub calls_se: f64,
    /// The share of the callers that gave up, 0 to 1.
    pub gave_up_share: f64,
    /// Its standard error.
    pub gave_up_share_se: f64,
    /// The share that the policy's deadline stopped; part of those that gave up.
    pub gave_up_by_deadline_share: f64,
    /// Its standard error.
    pub gave_up_by_deadline_share_se: f64,
    /// The share that had neither come through nor given up after 1000 retries, or faced a wait without end.
    pub unfinished_share: f64,
    /// When the last caller came through, ms; absent where nobody did.
    pub last_admitted_ms: Option<f64>,
    /// Its standard error.
    pub last_admitted_se_ms: f64,
    /// When the last caller was through or had given up, ms.
    pub drained_ms: f64,
    /// Its standard error.
    pub drained_se_ms: f64,
    /// The most arrivals in a whole second counted from 0.
    pub peak1s_per_s: f64,
    /// Its standard error.
    pub peak1s_per_s_se: f64,
    /// The most arrivals in a tenth of a second counted from 0, as a rate per second.
    pub peak100ms_per_s: f64,
    /// Its standard error.
    pub peak100ms_per_s_se: f64,
    /// When half, 90 % and 99 % of the callers were through.
    pub through: Vec<Through>,
    /// What the retries met, by their number.
    pub rounds: Vec<SimulatedRound>,
    /// The width of each of `arrivals`, ms.
    pub bin_ms: f64,
    /// Arrivals over time, up to the last of them.
    pub arrivals: Vec<SimulatedBin>,
}

/// When a share of the callers was through.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Through {
    /// The share, 0 to 1.
    pub share: f64,
    /// When, ms, over the runs in which it came to that; absent where none did.
    pub ms: Option<f64>,
    /// Its standard error.
    pub se_ms: f64,
    /// In how many runs it came to that.
    pub runs: u32,
}

/// One retry number over all callers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct SimulatedRound {
    /// The number of the retry, from 1.
    pub retry: u64,
    /// How many callers made it.
    pub arrivals: f64,
    /// Its standard error.
    pub arrivals_se: f64,
    /// How many of them were admitted.
    pub admitted: f64,
    /// Its standard error.
    pub admitted_se: f64,
}

/// One bin of time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct SimulatedBin {
    /// Its start, ms.
    pub at_ms: f64,
    /// Arrivals in it, as a rate per second.
    pub per_s: f64,
    /// The standard deviation of that rate from run to run: the noise of a single run.
    pub sd_per_s: f64,
    /// Callers neither through nor given up at its end.
    pub waiting: f64,
}

/// The moments of all that is counted.
#[derive(Default)]
pub(super) struct Sums {
    calls: Moments,
    gave_up: Moments,
    by_deadline: Moments,
    unfinished: Moments,
    last_admitted: Moments,
    drained: Moments,
    second: Moments,
    tenth: Moments,
    shares: [Moments; 3],
    arrivals: Vec<Moments>,
    admitted: Vec<Moments>,
    binned: Vec<Moments>,
    gone: Vec<f64>,
}

impl Sums {
    pub fn runs(&self) -> u32 {
        self.calls.runs
    }

    pub fn add(&mut self, tally: &Tally) {
        let share = |count: u64| count as f64 / tally.callers.max(1) as f64;
        let earlier = self.runs();
        self.calls.add((tally.callers + tally.arrivals.iter().sum::<u64>()) as f64);
        self.gave_up.add(share(tally.gave_up));
        self.by_deadline.add(share(tally.gave_up_by_deadline));
        self.unfinished.add(share(tally.unfinished));
        if tally.admissions > 0 {
            self.last_admitted.add(tally.last_admitted_ms);
        }
        self.drained.add(tally.drained_ms);
        self.second.add(tally.second.most as f64);
        self.tenth.add(tally.tenth.most as f64 * 10.0);
        for (moments, ms) in self.shares.iter_mut().zip(tally.shares_ms) {
            if let Some(ms) = ms {
                moments.add(ms);
            }
        }
        add_row(&mut self.arrivals, tally.arrivals.iter().map(|&n| n as f64), earlier);
        add_row(&mut self.admitted, tally.admitted.iter().map(|&n| n as f64), earlier);
        add_row(&mut self.binned, tally.binned.iter().map(|&n| f64::from(n)), earlier);
        self.gone.resize(tally.gone.len(), 0.0);
        for (sum, &n) in self.gone.iter_mut().zip(&tally.gone) {
            *sum += f64::from(n);
        }
    }

    pub fn simulation(self, spec: &FleetSpec, bins: Bins, seed: u64) -> Simulation {
        let through = SHARES.iter().zip(&self.shares);
        let rounds = (1..).zip(self.arrivals.iter().zip(&self.admitted));
        Simulation {
            seed: seed.to_string(),
            runs: self.runs(),
            calls: self.calls.mean,
            calls_se: self.calls.se(),
            gave_up_share: self.gave_up.mean,
            gave_up_share_se: self.gave_up.se(),
            gave_up_by_deadline_share: self.by_deadline.mean,
            gave_up_by_deadline_share_se: self.by_deadline.se(),
            unfinished_share: self.unfinished.mean,
            last_admitted_ms: self.last_admitted.measured(),
            last_admitted_se_ms: self.last_admitted.se(),
            drained_ms: self.drained.mean,
            drained_se_ms: self.drained.se(),
            peak1s_per_s: self.second.mean,
            peak1s_per_s_se: self.second.se(),
            peak100ms_per_s: self.tenth.mean,
            peak100ms_per_s_se: self.tenth.se(),
            through: through
                .map(|(&share, m)| Through { share, ms: m.measured(), se_ms: m.se(), runs: m.runs })
                .collect(),
            rounds: rounds
                .map(|(retry, (arrivals, admitted))| SimulatedRound {
                    retry,
                    arrivals: arrivals.mean,
                    arrivals_se: arrivals.se(),
                    admitted: admitted.mean,
                    admitted_se: admitted.se(),
                })
                .collect(),
            bin_ms: bins.width_ms,
            arrivals: self.bins(spec, bins),
        }
    }

    fn bins(&self, spec: &FleetSpec, bins: Bins) -> Vec<SimulatedBin> {
        let last = self.binned.iter().rposition(|m| m.mean > 0.0).map_or(0, |last| last + 1);
        let per_s = 1_000.0 / bins.width_ms;
        let mut waiting = spec.callers as f64;
        let bin = |(i, (m, gone)): (usize, (&Moments, &f64))| {
            waiting -= gone / f64::from(self.runs());
            SimulatedBin { at_ms: bins.start_ms(i), per_s: m.mean * per_s, sd_per_s: m.sd() * per_s, waiting }
        };
        self.binned.iter().zip(&self.gone).take(last).enumerate().map(bin).collect()
    }
}

/// Adds one run's row of counts; a place that the runs before did not reach had none in them.
fn add_row(sums: &mut Vec<Moments>, row: impl ExactSizeIterator<Item = f64>, earlier: u32) {
    if row.len() > sums.len() {
        sums.resize(row.len(), Moments::zeros(earlier));
    }
    let rest = sums.split_at_mut(row.len()).1;
    rest.iter_mut().for_each(|m| m.add(0.0));
    for (m, n) in sums.iter_mut().zip(row) {
        m.add(n);
    }
}
