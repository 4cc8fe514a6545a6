//! What is counted in one run, and what several runs come to.

use super::queue::Arrival;
use super::window::Window;
use crate::fleet::Bins;

/// The shares of the callers whose passing is timed.
pub(super) const SHARES: [f64; 3] = [0.5, 0.9, 0.99];

/// The counts of one run.
pub(super) struct Tally {
    pub bins: Bins,
    pub callers: u64,
    /// Arrivals of retry 1, 2, ….
    pub arrivals: Vec<u64>,
    /// How many of them were admitted.
    pub admitted: Vec<u64>,
    /// The bin that the last arrival was in.
    bin: Window,
    /// Arrivals in each bin.
    pub binned: Vec<u32>,
    /// Callers that were through or had given up, in the bin where that happened.
    pub gone: Vec<u32>,
    pub second: Peak,
    pub tenth: Peak,
    pub admissions: u64,
    pub gave_up: u64,
    pub gave_up_by_deadline: u64,
    pub unfinished: u64,
    pub last_admitted_ms: f64,
    pub drained_ms: f64,
    /// When each of [`SHARES`] was through, ms.
    pub shares_ms: [Option<f64>; 3],
}

/// The fullest of the aligned bins of one width.
pub(super) struct Peak {
    bin: Window,
    count: u64,
    pub most: u64,
}

impl Peak {
    fn of(width_ms: f64) -> Self {
        Peak { bin: Window::first(width_ms), count: 0, most: 0 }
    }

    fn add(&mut self, at_ms: f64) {
        if self.bin.enter(at_ms) {
            self.count = 0;
        }
        self.count += 1;
        self.most = self.most.max(self.count);
    }
}

impl Tally {
    pub fn new(callers: u64, bins: Bins) -> Self {
        Tally {
            bins,
            callers,
            arrivals: Vec::new(),
            admitted: Vec::new(),
            bin: Window::first(bins.width_ms),
            binned: vec![0; bins.count],
            gone: vec![0; bins.count],
            second: Peak::of(1_000.0),
            tenth: Peak::of(100.0),
            admissions: 0,
            gave_up: 0,
            gave_up_by_deadline: 0,
            unfinished: 0,
            last_admitted_ms: 0.0,
            drained_ms: 0.0,
            shares_ms: [None; 3],
        }
    }

    /// A call arrives; they come in order of time.
    pub fn arrival(&mut self, arrival: &Arrival, admitted: bool) {
        let at_ms = arrival.at_ms;
        let row = arrival.retry as usize - 1;
        if row >= self.arrivals.len() {
            self.arrivals.resize(row + 1, 0);
            self.admitted.resize(row + 1, 0);
        }
        self.arrivals[row] += 1;
        self.second.add(at_ms);
        self.tenth.add(at_ms);
        self.bin.enter(at_ms);
        if let Some(arrivals) = self.binned.get_mut(self.bin.number as usize) {
            *arrivals += 1;
        }
        if !admitted {
            return;
        }
        self.admitted[row] += 1;
        self.admissions += 1;
        self.last_admitted_ms = at_ms;
        for (share, ms) in SHARES.iter().zip(&mut self.shares_ms) {
            if self.admissions == (share * self.callers as f64).ceil() as u64 {
                *ms = Some(at_ms);
            }
        }
        self.left(at_ms);
    }

    pub fn gave_up(&mut self, at_ms: f64, by_deadline: bool) {
        self.gave_up += 1;
        self.gave_up_by_deadline += u64::from(by_deadline);
        self.left(at_ms);
    }

    pub fn unfinished(&mut self, at_ms: f64) {
        self.unfinished += 1;
        self.left(at_ms);
    }

    /// The share of the callers that are through or have given up.
    pub fn gone_share(&self) -> f64 {
        (self.admissions + self.gave_up + self.unfinished) as f64 / self.callers.max(1) as f64
    }

    fn left(&mut self, at_ms: f64) {
        self.drained_ms = self.drained_ms.max(at_ms);
        if let Some(bin) = self.bins.at(at_ms) {
            self.gone[bin] += 1;
        }
    }
}

/// Mean and spread of a number over runs, added up so that equal numbers have no spread at all.
#[derive(Clone, Copy, Default)]
pub(crate) struct Moments {
    pub runs: u32,
    pub mean: f64,
    squares: f64,
}

impl Moments {
    /// As many runs of 0.
    pub fn zeros(runs: u32) -> Self {
        Moments { runs, ..Moments::default() }
    }

    pub fn add(&mut self, value: f64) {
        self.runs += 1;
        let off = value - self.mean;
        self.mean += off / f64::from(self.runs);
        self.squares += off * (value - self.mean);
    }

    /// The standard deviation of one run; 0 where a single run shows none.
    pub fn sd(&self) -> f64 {
        if self.runs < 2 { 0.0 } else { (self.squares / f64::from(self.runs - 1)).sqrt() }
    }

    /// The standard error of the mean; 0 where a single run shows none.
    pub fn se(&self) -> f64 {
        self.sd() / f64::from(self.runs.max(1)).sqrt()
    }

    /// The mean, where there was a run.
    pub fn measured(&self) -> Option<f64> {
        (self.runs > 0).then_some(self.mean)
    }
}
