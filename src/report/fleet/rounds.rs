//! The rates of the rounds as rows, each with its picture.

use super::lead::rate;
use crate::fleet::{Fleet, FleetSpec, Round};
use crate::format::{Column, Quantity, count, grid_step, number, significant};
use crate::report::table::{Axis, Tick};
use crate::report::words::Words;
use serde::Serialize;

/// How many rounds are listed.
const LISTED: usize = 20;

/// The rounds.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Rounds {
    /// The head of the verdicts: "Against 66.7/s".
    pub against: String,
    /// The scale of the pictures; its line is the allowance.
    pub axis: Axis,
    /// The rows.
    pub rows: Vec<RoundRow>,
    /// What is left out; may be empty.
    pub rest: &'static str,
}

/// One round.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct RoundRow {
    /// Its number.
    pub round: String,
    /// The width of the window that its waits are drawn from.
    pub window: Quantity,
    /// All callers over that width.
    pub rate: Quantity,
    /// Where that lies, percent of the width of the picture.
    pub to: f64,
    /// Whether it is within the allowance.
    pub fits: bool,
    /// The same in words.
    pub verdict: String,
    /// How it comes about.
    pub how: Words,
}

pub fn rounds(spec: &FleetSpec, rates: &Fleet) -> Rounds {
    let shown = &rates.rounds[..rates.rounds.len().min(LISTED)];
    let per_s = rates.allowance_per_s;
    let highest = shown.iter().filter_map(|round| round.rate_per_s).fold(per_s, f64::max);
    let scale = Scale { end: 1.09 * highest };
    let column = Column::of(shown.iter().filter_map(|round| round.window_ms));
    let rest = if rates.rounds.len() > shown.len() { "Later rounds are left out." } else { "" };
    Rounds {
        against: format!("Against {}/s", rate(per_s)),
        axis: scale.axis(per_s),
        rows: shown.iter().map(|round| row(spec, per_s, round, column, &scale)).collect(),
        rest,
    }
}

fn row(spec: &FleetSpec, per_s: f64, round: &Round, column: Column, scale: &Scale) -> RoundRow {
    let window = round.window_ms.map_or_else(|| Quantity::words("no bound"), |ms| column.exact(ms));
    let over = round.rate_per_s.map(|rate| rate / per_s);
    let verdict = match over {
        _ if round.fits => "fits".into(),
        Some(over) if over.is_finite() => format!("{} times over", number(significant(over, 2))),
        Some(_) => "nothing is admitted".into(),
        None => "all in one instant".into(),
    };
    let how = match round.window_ms {
        Some(0.0) | None => String::new(),
        Some(_) => format!("{} ÷ _{}_", count(spec.callers), window.text),
    };
    RoundRow {
        round: count(round.retry),
        window,
        rate: Quantity::words(&round.rate_per_s.map_or("all at once".into(), |per_s| format!("{}/s", rate(per_s)))),
        to: round.rate_per_s.map_or(100.0, |rate| scale.at(rate)),
        fits: round.fits,
        verdict,
        how: Words::of(&how),
    }
}

/// From rates to percent.
pub struct Scale {
    /// The rate at the end.
    pub end: f64,
}

impl Scale {
    pub fn at(&self, per_s: f64) -> f64 {
        let percent = if self.end > 0.0 { (per_s / self.end * 100.0).min(100.0) } else { 0.0 };
        (percent * 100.0).round() / 100.0
    }

    /// Grid lines at 1, 2 or 5 times a power of ten, at most five beside 0.
    pub fn ticks(&self) -> Vec<Tick> {
        let mut ticks = vec![Tick { at: 0.0, label: "0".into() }];
        if let Some(step) = grid_step(self.end, 1.0, 5.0) {
            let values = (1..=5).map(|n| f64::from(n) * step).take_while(|value| *value <= self.end);
            ticks.extend(values.map(|value| Tick { at: self.at(value), label: number(value) }));
        }
        ticks
    }

    fn axis(&self, allowance: f64) -> Axis {
        let line = Tick { at: self.at(allowance), label: format!("{}/s", rate(allowance)) };
        let mut ticks = self.ticks();
        // The words of the line are wide, and 0 goes without saying.
        ticks.retain(|tick| (tick.at - line.at).abs() > if tick.at == 0.0 { 18.0 } else { 9.0 });
        Axis { ticks, cap: (allowance > 0.0).then_some(line) }
    }
}
