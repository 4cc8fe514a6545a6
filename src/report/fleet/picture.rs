//! Arrivals over time as paths in a box of 100 by 100, whatever the width they are drawn at.

use super::lead::rate;
use super::rounds::Scale as Rates;
use crate::fleet::FleetSpec;
use crate::format::{count, number, short, significant};
use crate::report::table::{Scale as Times, Tick};
use crate::simulate::{SimulatedBin, Simulation};
use serde::Serialize;
use std::fmt::Write;

/// The most steps of one line.
const STEPS: usize = 1_200;

/// Labels of bars stand at least this far apart, percent.
const APART: f64 = 7.0;

/// The arrivals.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Picture {
    /// What it is.
    pub title: String,
    /// What is to be seen in it.
    pub description: String,
    /// What the height means.
    pub height: String,
    /// Times along.
    pub times: Vec<Tick>,
    /// Rates up, percent from the bottom.
    pub rates: Vec<Tick>,
    /// The line of the allowance.
    pub allowance: Tick,
    /// The lines.
    pub series: Vec<Series>,
}

/// The arrivals under one jitter.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Series {
    /// The jitter's name; `own`: one of the policy's own.
    pub id: &'static str,
    /// Whether it is the policy itself.
    pub own: bool,
    /// Whether its bars may leave the picture, and stand beside it as what is only compared.
    pub ghost: bool,
    /// The mean.
    pub line: String,
    /// From two standard deviations of one run under the mean to two above; may be empty.
    pub band: String,
    /// What it says.
    pub labels: Vec<Label>,
}

/// Words in the picture.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Label {
    /// Percent from the left.
    pub x: f64,
    /// Percent from the bottom.
    pub y: f64,
    /// The words.
    pub text: String,
}

/// One series before it is drawn.
pub struct Drawn<'a> {
    pub id: &'static str,
    pub name: &'a str,
    pub own: bool,
    pub simulation: &'a Simulation,
}

/// Arrivals in one step of a line.
struct Step {
    at_ms: f64,
    per_s: f64,
    sd_per_s: f64,
}

pub fn picture(drawn: &[Drawn], spec: &FleetSpec, in_windows: bool) -> Picture {
    let per_s = spec.per_s();
    let own = &drawn[0];
    let ghost = |drawn: &Drawn| drawn.id == "none" && !drawn.own;
    let compared = || drawn.iter().filter(|drawn| drawn.own || ghost(drawn));
    let end_ms = compared().map(|drawn| end_ms(drawn.simulation)).fold(0.0, f64::max);
    let width_ms = width_ms(common_ms(drawn), end_ms, if in_windows { spec.window_ms } else { 0.0 });
    let steps: Vec<Vec<Step>> = drawn.iter().map(|drawn| steps(drawn.simulation, width_ms, end_ms)).collect();
    let tops = drawn.iter().zip(&steps).filter(|(drawn, _)| !ghost(drawn));
    let top = |(drawn, step): (&Drawn, &Step)| step.per_s + if drawn.own { 2.0 * step.sd_per_s } else { 0.0 };
    let tops = tops.flat_map(|(drawn, steps)| steps.iter().map(move |step| top((drawn, step))));
    // An allowance far above all that comes would press it to the ground.
    let most = tops.fold(0.0, f64::max);
    let highest = if per_s <= 10.0 * most { most.max(per_s) } else { most };
    let space = Space { times: Times::up_to(end_ms), rates: Rates { end: 1.15 * highest }, width_ms };
    let series = drawn.iter().zip(&steps).map(|(drawn, steps)| Series {
        id: drawn.id,
        own: drawn.own,
        ghost: ghost(drawn),
        line: space.line(steps),
        band: if drawn.own { space.band(steps) } else { String::new() },
        labels: if ghost(drawn) { space.bars(drawn.simulation) } else { space.peak(drawn, steps) },
    });
    let bin = short(width_ms).text;
    Picture {
        title: "Arrivals against the allowance".into(),
        description: description(own, &steps[0], per_s),
        height: format!("calls a second, counted in steps of {bin}"),
        times: space.times.axis().ticks,
        rates: space.rates.ticks(),
        allowance: Tick { at: space.rates.at(per_s), label: allowance(per_s, highest) },
        series: series.collect(),
    }
}

/// "allowance 66.7 a second".
fn allowance(per_s: f64, highest: f64) -> String {
    let beyond = if per_s > highest { ", far above" } else { "" };
    format!("allowance {} a second{beyond}", rate(per_s))
}

/// When all but a few of the arrivals have come, ms.
fn end_ms(simulation: &Simulation) -> f64 {
    let all: f64 = simulation.arrivals.iter().map(|bin| bin.per_s).sum();
    let mut so_far = 0.0;
    let last = simulation.arrivals.iter().find(|bin| {
        so_far += bin.per_s;
        so_far >= all * 0.9995
    });
    last.map_or(0.0, |bin| bin.at_ms) + simulation.bin_ms
}

/// The narrowest width that the bins of all simulations fill whole, ms: those of a longer one are wider.
fn common_ms(drawn: &[Drawn]) -> f64 {
    let bins = || drawn.iter().map(|drawn| drawn.simulation.bin_ms);
    let widest_ms = bins().fold(0.0, f64::max);
    // They are 1, 2 or 5 times a power of ten, so that twice the widest is the most it takes.
    if bins().all(|ms| (widest_ms / ms).fract() == 0.0) { widest_ms } else { 2.0 * widest_ms }
}

/// The width of a step: the bins of the simulation, or as many together as were asked for or as keep the line short.
fn width_ms(bin_ms: f64, end_ms: f64, wanted_ms: f64) -> f64 {
    let few = (end_ms / bin_ms / STEPS as f64).ceil();
    bin_ms * (wanted_ms / bin_ms).round().max(few).max(1.0)
}

fn steps(simulation: &Simulation, width_ms: f64, end_ms: f64) -> Vec<Step> {
    let together = (width_ms / simulation.bin_ms).round() as usize;
    let step = |bins: &[SimulatedBin]| Step {
        at_ms: bins[0].at_ms,
        per_s: bins.iter().map(|bin| bin.per_s).sum::<f64>() / together as f64,
        // Neighbours depend on each other: what several bins vary by together is not known from each.
        sd_per_s: if together == 1 { bins[0].sd_per_s } else { 0.0 },
    };
    simulation.arrivals.chunks(together).map(step).take_while(|step| step.at_ms < end_ms).collect()
}

/// The coordinates of the picture.
struct Space {
    times: Times,
    rates: Rates,
    width_ms: f64,
}

impl Space {
    /// From the top of the box, as paths count.
    fn y(&self, per_s: f64) -> f64 {
        // A little beyond the box is beyond it for good.
        let percent = if self.rates.end > 0.0 { (per_s / self.rates.end * 100.0).min(104.0) } else { 0.0 };
        ((100.0 - percent) * 100.0).round() / 100.0
    }

    /// Steps from the left, down to the axis at the end.
    fn line(&self, steps: &[Step]) -> String {
        let mut path = String::from("M0 100");
        let mut before = 100.0;
        for step in steps {
            let y = self.y(step.per_s);
            if y != before {
                let _ = write!(path, "H{}V{y}", self.times.at(step.at_ms));
            }
            before = y;
        }
        let end_ms = steps.last().map_or(0.0, |step| step.at_ms + self.width_ms);
        let _ = write!(path, "H{}V100", self.times.at(end_ms));
        path
    }

    fn band(&self, steps: &[Step]) -> String {
        if steps.iter().all(|step| step.sd_per_s == 0.0) {
            return String::new();
        }
        let mut path = String::from("M0 100");
        for step in steps {
            let above = self.y(step.per_s + 2.0 * step.sd_per_s);
            let _ = write!(path, "V{above}H{}", self.times.at(step.at_ms + self.width_ms));
        }
        for step in steps.iter().rev() {
            let under = self.y((step.per_s - 2.0 * step.sd_per_s).max(0.0));
            let _ = write!(path, "V{under}H{}", self.times.at(step.at_ms));
        }
        path + "Z"
    }

    /// The fullest step of a line.
    fn peak(&self, drawn: &Drawn, steps: &[Step]) -> Vec<Label> {
        let Some(step) = steps.iter().max_by(|a, b| a.per_s.total_cmp(&b.per_s)) else { return Vec::new() };
        let name = drawn.name.split(',').next().unwrap_or_default();
        let who = if drawn.id == "own" { name.into() } else { format!("{name} jitter") };
        let who = if drawn.id == "none" { "no jitter".to_string() } else { who };
        let text = format!("{who}: {} a second at most", number(significant(step.per_s, 3)));
        vec![Label { x: self.times.at(step.at_ms + self.width_ms), y: 100.0 - self.y(step.per_s), text }]
    }

    /// What comes together in each bar, at the top of the picture.
    fn bars(&self, simulation: &Simulation) -> Vec<Label> {
        let mut labels: Vec<Label> = Vec::new();
        let per_bin = simulation.bin_ms / 1e3;
        for bar in simulation.arrivals.chunk_by(|a, b| (a.per_s > 0.0) == (b.per_s > 0.0)) {
            let calls: f64 = bar.iter().map(|bin| bin.per_s * per_bin).sum();
            let x = self.times.at(bar[0].at_ms);
            if calls < 0.5 || labels.last().is_some_and(|last| x - last.x < APART) {
                continue;
            }
            let calls = count(calls.round() as u64);
            let text = match labels.is_empty() {
                true => format!("no jitter: {calls} together after {}", short(bar[0].at_ms).text),
                false => calls,
            };
            labels.push(Label { x, y: 100.0, text });
        }
        labels
    }
}

/// The picture in a few sentences.
fn description(own: &Drawn, steps: &[Step], per_s: f64) -> String {
    let Some(most) = steps.iter().max_by(|a, b| a.per_s.total_cmp(&b.per_s)) else { return "Nothing arrives.".into() };
    let over = steps.iter().rfind(|step| step.per_s > per_s);
    let over = match over {
        Some(step) => {
            format!("They are above the allowance of {} a second until {}.", rate(per_s), short(step.at_ms).text)
        }
        None => format!("They stay under the allowance of {} a second.", rate(per_s)),
    };
    format!(
        "With {}, {} calls a second arrive at most, at {}. {over}",
        own.name,
        number(significant(most.per_s, 3)),
        short(most.at_ms).text
    )
}
