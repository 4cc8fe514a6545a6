//! The experiment of 2015 in words: calls for each strategy, and where which one makes the fewest.

use super::words::Words;
use crate::aws_experiment::{Cell, Experiment, Fewest, Strategy, fewest_calls, published_clients};
use crate::format::{Quantity, count, short};
use crate::simulate::Progress;
use serde::Serialize;

/// Runs of each cell, as published.
const RUNS: u32 = 100;

/// Under so many standard errors two strategies are not told apart.
const APART: f64 = 3.0;

/// The experiment under way.
pub struct AwsPlay {
    experiment: Experiment,
    seed: u64,
}

/// What it comes to.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct AwsResult {
    /// What is to be learnt.
    pub said: Words,
    /// The heads of the columns, the strategies.
    pub strategies: Vec<&'static str>,
    /// One row a number of clients.
    pub rows: Vec<AwsRow>,
    /// Runs and seed.
    pub note: Words,
}

/// One number of clients.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct AwsRow {
    /// How many.
    pub clients: String,
    /// What each strategy needs.
    pub cells: Vec<AwsCell>,
}

/// One strategy.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct AwsCell {
    /// Mean calls with their standard error: "1234 ± 5".
    pub calls: String,
    /// When the last client was done, on average.
    pub time: Quantity,
    /// Whether no other strategy makes as few calls, beyond what chance does.
    pub fewest: bool,
}

impl AwsPlay {
    /// As published: 10 to 190 clients, five strategies, 100 runs each.
    pub fn new(seed: u64) -> AwsPlay {
        AwsPlay { experiment: Experiment::new(&published_clients(), RUNS, seed), seed }
    }

    /// Plays up to this many runs.
    pub fn step(&mut self, runs: u32) -> Progress {
        self.experiment.step(runs)
    }

    /// What the cells come to.
    pub fn finish(self) -> AwsResult {
        let cells = self.experiment.finish();
        let fewest = fewest_calls(&cells);
        let alone = |cell: &Cell| {
            fewest.iter().any(|f| f.clients == cell.clients && f.strategy == cell.strategy && f.errors_apart > APART)
        };
        let cell = |cell: &Cell| AwsCell {
            calls: format!("{} ± {}", count(cell.calls.round() as u64), count(cell.calls_se.ceil() as u64)),
            time: short(cell.time_ms),
            fewest: alone(cell),
        };
        let rows = cells
            .chunk_by(|a, b| a.clients == b.clients)
            .map(|group| AwsRow { clients: count(group[0].clients.into()), cells: group.iter().map(cell).collect() });
        AwsResult {
            said: said(&fewest),
            strategies: Strategy::ALL.map(name).into(),
            rows: rows.collect(),
            note: Words::of(&format!("Means of {RUNS} runs with their standard errors, seed {}.", self.seed)),
        }
    }
}

/// Where full jitter makes the fewest calls by a clear margin, and who does at the ends.
fn said(fewest: &[Fewest]) -> Words {
    let clear = || fewest.iter().filter(|few| few.errors_apart > APART);
    let full = || clear().filter(|few| few.strategy == Strategy::Full);
    let middle = match (full().next(), full().next_back()) {
        (Some(first), Some(last)) => {
            format!("Full jitter clearly makes the fewest calls from {} to {} clients. ", first.clients, last.clients)
        }
        _ => String::new(),
    };
    let ends = fewest.iter().take(1).chain(fewest.last());
    let ends = ends.filter(|few| few.errors_apart > APART && few.strategy != Strategy::Full);
    let ends: String =
        ends.map(|few| format!("With {} clients {} jitter makes fewer. ", few.clients, name(few.strategy))).collect();
    Words::of(&format!(
        "{middle}{ends}The model charges nothing for load, so its time ranks no strategy: not to wait at all is the \
         fastest, at more calls."
    ))
}

fn name(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::None => "no backoff",
        Strategy::Exponential => "no jitter",
        Strategy::Full => "full",
        Strategy::Equal => "equal",
        Strategy::Decorrelated => "decorrelated",
    }
}
