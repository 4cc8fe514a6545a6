//! The picture of a distribution: what is drawn where, in the time of the axis, with every label worded.

use super::total::Laws;
use super::words::Words;
use crate::distribution::{DensityPoint, TotalWait};
use crate::format::{grid_step, number, percent, short, significant};
use serde::Serialize;

/// The most ticks between the ends of an axis.
const TICKS: f64 = 6.0;

/// A distribution to be drawn.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TotalPicture {
    /// What it shows.
    pub title: &'static str,
    /// What can be seen in it.
    pub desc: String,
    /// What its height means and how it was found.
    pub note: Words,
    /// The left end of the axis, ms.
    pub from_ms: f64,
    /// The right end, ms.
    pub to_ms: f64,
    /// The curve; empty where only single values happen.
    pub curve: Vec<DensityPoint>,
    /// Single values with a share of their own.
    pub stems: Vec<Stem>,
    /// Percentiles; none where there is one value.
    pub flags: Vec<Flag>,
    /// The deadline, where it is in the picture.
    pub deadline: Option<DeadlineLine>,
    /// The rows of numbers under the axis: waiting and, with a time per call, elapsed.
    pub rows: Vec<AxisRow>,
}

/// A single value.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Stem {
    /// Where, ms.
    pub ms: f64,
    /// How many of the runs, 0 to 1.
    pub p: f64,
    /// In words.
    pub label: String,
}

/// A percentile.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Flag {
    /// Where, ms.
    pub ms: f64,
    /// `p50`.
    pub name: &'static str,
    /// Its time.
    pub label: String,
    /// Whether it is left out where there is little room.
    pub wide: bool,
}

/// A limit in the picture.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct DeadlineLine {
    /// Where, ms.
    pub ms: f64,
    /// What it is.
    pub label: String,
    /// What is left of it, and the same in fewer words.
    pub before: [String; 2],
    /// What is right of it, and the same in fewer words.
    pub after: [String; 2],
    /// Its number in each row of the axis.
    pub ticks: Vec<String>,
}

/// A row of numbers under the axis.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct AxisRow {
    /// What the numbers are: `waiting`.
    pub name: String,
    /// The numbers, the ends first and last.
    pub ticks: Vec<AxisTick>,
}

/// One number under the axis.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct AxisTick {
    /// Where, ms.
    pub ms: f64,
    /// The number.
    pub label: String,
}

/// The picture of the schedule, or of what its deadline leaves where nothing else ends it; `None`: nothing to draw.
pub fn picture(laws: &Laws) -> Option<TotalPicture> {
    let law = laws.free.as_ref().unwrap_or(&laws.real);
    let (min, max) = (law.min_ms?, law.max_ms?);
    if law.percentiles.is_empty() || !max.is_finite() {
        return None;
    }
    let single = min == max;
    let (from, to) = ends(law, min, max);
    let deadline_ms = match laws.free {
        Some(_) => laws.deadline_ms(),
        None => laws.policy.deadline.map(|deadline| deadline.limit_ms).filter(|_| laws.call_ms == 0.0),
    };
    // A line far outside would leave no room for what it is compared with.
    let reach = if single { to - from } else { 0.6 * (max - min) };
    let deadline_ms = deadline_ms.filter(|ms| (from.min(min - reach).max(0.0)..=to.max(max + reach)).contains(ms));
    let (from, to) = deadline_ms.map_or((from, to), |ms| (from.min(ms), to.max(ms)));
    let calling = laws.calling_ms().filter(|ms| *ms > 0.0 && laws.free.is_some());
    let scale = Scale::new(from, to);
    Some(TotalPicture {
        title: "Distribution of the total wait",
        desc: desc(law, deadline_ms, laws),
        note: note(laws, law),
        from_ms: from,
        to_ms: to,
        curve: law.density.clone(),
        stems: stems(law, single),
        flags: if single { Vec::new() } else { flags(law) },
        deadline: deadline_ms.and_then(|ms| line(laws, ms, calling, scale)),
        rows: rows(laws, scale, calling),
    })
}

/// The ends of the axis: all that is drawn.
fn ends(law: &TotalWait, min: f64, max: f64) -> (f64, f64) {
    if min == max {
        return (0.0, if max > 0.0 { 1.25 * max } else { 1000.0 });
    }
    let drawn = law.density.iter().map(|point| point.ms).chain(law.atoms.iter().map(|atom| atom.ms));
    let far = law.percentiles.last().map(|percentile| percentile.ms);
    let (from, to) = drawn.chain(far).fold((max, min), |(from, to), ms| (ms.min(from), ms.max(to)));
    // A distribution that begins near 0 is drawn from there.
    (if from < 0.25 * to { 0.0 } else { from }, to)
}

fn stems(law: &TotalWait, single: bool) -> Vec<Stem> {
    let all = law.atoms.iter().filter(|atom| atom.p >= 0.001);
    let named = |p: f64| if single { String::new() } else { format!(": {}", percent(p)) };
    let stem = |ms: f64, p: f64| Stem { ms, p, label: format!("{}{}", short(ms).text, named(p)) };
    match law.min_ms {
        Some(ms) if single => vec![Stem { label: format!("{}, always", short(ms).text), ..stem(ms, 1.0) }],
        _ => all.map(|atom| stem(atom.ms, atom.p)).collect(),
    }
}

fn flags(law: &TotalWait) -> Vec<Flag> {
    const NAMES: [(&str, bool); 5] = [("p50", false), ("p90", true), ("p95", false), ("p99", false), ("p99.9", true)];
    let flag = |((name, wide), q): ((&'static str, bool), &crate::distribution::Percentile)| Flag {
        ms: q.ms,
        name,
        label: short(q.ms).text,
        wide,
    };
    NAMES.into_iter().zip(&law.percentiles).map(flag).collect()
}

fn line(laws: &Laws, ms: f64, calling: Option<f64>, scale: Scale) -> Option<DeadlineLine> {
    let limit = laws.policy.deadline?.limit_ms;
    // So that the two add up as they are written.
    let rest = |p: f64| match significant(p * 100.0, 3) {
        shown if shown < 99.9 && p > 0.001 => format!("{} %", number(significant(100.0 - shown, 3))),
        _ => percent(1.0 - p),
    };
    let (before, after) = match laws.in_time() {
        Some(p) if p > 0.0 && p < 1.0 => (
            [format!("{} of runs are done by then", percent(p)), format!("{} done", percent(p))],
            [format!("{} are not", rest(p)), format!("{} not", rest(p))],
        ),
        Some(p) if p >= 1.0 => (["every run is done by then".into(), "all done".into()], Default::default()),
        Some(_) => (Default::default(), ["no run is done by then".into(), "none done".into()]),
        None => Default::default(),
    };
    let ticks = [0.0].into_iter().chain(calling).map(|more| number(significant((ms + more) / scale.unit_ms, 3)));
    Some(DeadlineLine { ms, label: format!("{} deadline", short(limit).text), before, after, ticks: ticks.collect() })
}

/// What the picture says, for those who do not see it.
fn desc(law: &TotalWait, deadline_ms: Option<f64>, laws: &Laws) -> String {
    let time = |ms: Option<f64>| ms.map_or("no bound".into(), |ms| short(ms).text);
    let mut said = if law.min_ms == law.max_ms {
        format!("One line at {}: every run waits that long.", time(law.max_ms))
    } else {
        let top = law.density.iter().max_by(|a, b| a.per_ms.total_cmp(&b.per_ms));
        let top = top.map_or(String::new(), |point| format!(", highest at {}", short(point.ms).text));
        format!("From {} to {}{top}.", time(law.min_ms), time(law.max_ms))
    };
    if let (Some(ms), Some(p)) = (deadline_ms, laws.in_time()) {
        said += &format!(" {} of runs lie left of the deadline, at {} of waiting.", percent(p), short(ms).text);
    }
    said + " The same numbers are in the table below."
}

fn note(laws: &Laws, law: &TotalWait) -> Words {
    let mut said = match (law.density.is_empty(), law.atoms.is_empty()) {
        _ if law.min_ms == law.max_ms => String::new(),
        (true, _) => "A stem: the share of runs that end exactly there. ".into(),
        (false, true) => "Height: how many runs end near that time. ".into(),
        (false, false) => {
            "Height: how many runs end near that time; a stem: the share of runs that end exactly there. ".into()
        }
    };
    said += &laws.method(law);
    if laws.real.method != law.method {
        said += &format!(" Under the deadline: {}", laws.method(&laws.real));
    }
    Words::of(&said)
}

/// An axis with the unit of its numbers.
#[derive(Clone, Copy)]
struct Scale {
    from_ms: f64,
    to_ms: f64,
    unit_ms: f64,
}

impl Scale {
    fn new(from_ms: f64, to_ms: f64) -> Scale {
        const UNITS: [f64; 4] = [864e5, 36e5, 6e4, 1e3];
        let unit_ms = UNITS.into_iter().find(|unit| to_ms >= 2.0 * unit || (*unit == 1e3 && to_ms >= 1e3));
        Scale { from_ms, to_ms, unit_ms: unit_ms.unwrap_or(1.0) }
    }

    /// Where the numbers between the ends stand: multiples of 1, 2 or 5 times a power of ten of the unit.
    fn steps(&self) -> Vec<f64> {
        let length = self.to_ms - self.from_ms;
        let Some(step) = grid_step(length, self.unit_ms, TICKS) else { return Vec::new() };
        let first = (self.from_ms / step).floor() + 1.0;
        let steps = (0..=TICKS as u32).map(|n| (first + f64::from(n)) * step);
        steps.take_while(|ms| *ms < self.to_ms - 1e-9 * length).collect()
    }
}

fn rows(laws: &Laws, scale: Scale, calling: Option<f64>) -> Vec<AxisRow> {
    let row = |name: String, more: f64| {
        let end = |ms: f64| AxisTick { ms, label: short(ms + more).text };
        let step = |ms: f64| AxisTick { ms, label: number(significant((ms + more) / scale.unit_ms, 6)) };
        let ticks = [end(scale.from_ms)].into_iter().chain(scale.steps().into_iter().map(step));
        AxisRow { name, ticks: ticks.chain([end(scale.to_ms)]).collect() }
    };
    let calls = laws.policy.calls().map_or(String::new(), crate::format::count);
    let elapsed = calling.map(|ms| row(format!("with {calls} calls of {}", short(laws.call_ms).text), ms));
    [row("waiting".into(), 0.0)].into_iter().chain(elapsed).collect()
}
