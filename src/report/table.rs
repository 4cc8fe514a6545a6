//! The schedule as rows: formatted cells, and the picture of each wait in percent of the row's width.

use super::shape::shaped;
use super::words::Words;
use crate::format::{Column, Quantity, count, grid_step, number, short};
use crate::policy::Policy;
use crate::schedule::{Schedule, ScheduledWait, last_waits};
use serde::Serialize;

/// Schedules up to this long are listed in full.
const FULL: u64 = 100;

/// Of a longer one so many rows at each end.
const ENDS: u64 = 50;

/// Of one that never stops, and the most that are listed on request.
const ENDLESS: usize = 20;

/// The most rows that are listed on request.
pub const MOST: u64 = 2_000;

/// The schedule of one policy.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Table {
    /// How to read it, with this policy's numbers.
    pub note: Words,
    /// The scale of the pictures.
    pub axis: Axis,
    /// The rows before the fold, or all of them.
    pub rows: Vec<Row>,
    /// What stands in the place of rows left out.
    pub fold: Option<Fold>,
    /// The rows after the fold.
    pub last: Vec<Row>,
    /// What they add up to.
    pub total: TotalRow,
}

/// The scale of the row pictures. Places are percent of the width.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Axis {
    /// Grid lines with their labels.
    pub ticks: Vec<Tick>,
    /// The line of the cap, if it is in sight.
    pub cap: Option<Tick>,
}

/// A place on the scale.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Tick {
    /// Percent of the width.
    pub at: f64,
    /// What it says; may be empty.
    pub label: String,
}

/// One wait.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Row {
    /// Its number.
    pub attempt: String,
    /// The shortest it can be.
    pub min: Quantity,
    /// The longest.
    pub max: Quantity,
    /// Its mean.
    pub mean: Quantity,
    /// The longest all waits up to it can be together.
    pub so_far: Quantity,
    /// Where the shortest lies, percent.
    pub from: f64,
    /// Where the longest lies, percent.
    pub to: f64,
    /// Where the mean lies, percent; absent where it is not known.
    pub middle: Option<f64>,
    /// Whether draws pile up on the longest.
    pub stop: bool,
    /// What made it so.
    pub shaped: Words,
}

/// Rows left out.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Fold {
    /// What is left out.
    pub text: String,
    /// The words of the button that lists them; absent where that is too many.
    pub show: Option<String>,
}

/// The last row.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TotalRow {
    /// The sum of the minima.
    pub min: Quantity,
    /// The plain sum of the maxima.
    pub max: Quantity,
    /// The mean of the total.
    pub mean: Quantity,
    /// Whether all three are one, and too long to be said four times.
    pub always: bool,
    /// What bounds the total beside the sum; may be empty.
    pub remark: Words,
}

/// The table of a schedule; `all`: as many rows as may be listed.
pub fn table(policy: &Policy, schedule: &Schedule, all: bool) -> Table {
    let retries = schedule.retries;
    let (rows, last, fold) = match retries {
        None => (&schedule.waits[..schedule.waits.len().min(ENDLESS)], Vec::new(), Some(endless())),
        Some(n) if n <= FULL || (all && n <= MOST) => (&schedule.waits[..], Vec::new(), None),
        Some(n) => {
            let last = last_waits(policy, ENDS);
            let fold = fold(n, last.len() as u64);
            (&schedule.waits[..ENDS as usize], last, Some(fold))
        }
    };
    let shown = || rows.iter().chain(&last);
    let bounds = shown().flat_map(|w| [Some(w.min_ms), w.max_ms]).flatten();
    let column = Column::of(bounds.chain(policy.wait.cap_ms.filter(|c| *c >= 1e3)));
    let sums = Column::of(shown().filter_map(|w| w.worst_so_far_ms));
    let axis = Scale::of(policy, shown());
    let cells = |rows: &[ScheduledWait]| -> Vec<Row> {
        let pairs = rows.iter().enumerate().map(|(n, w)| (w, n.checked_sub(1).map(|before| &rows[before])));
        pairs.map(|(w, before)| row(policy, w, before, column, sums, &axis)).collect()
    };
    Table {
        note: note(schedule),
        rows: cells(rows),
        fold,
        last: cells(&last),
        total: total(schedule, sums),
        axis: axis.axis(),
    }
}

fn endless() -> Fold {
    Fold { text: "And so on, for as long as calls fail.".into(), show: None }
}

fn fold(n: u64, last: u64) -> Fold {
    let text = match last {
        0 => format!("Attempts {} to {} are left out; the totals count them.", ENDS + 1, count(n)),
        _ => format!("Attempts {} to {} are folded; the totals count them.", ENDS + 1, count(n - last)),
    };
    Fold { text, show: (n <= MOST).then(|| format!("Show all {}", count(n))) }
}

fn note(schedule: &Schedule) -> Words {
    let rows = match (schedule.calls, schedule.retries) {
        (Some(calls), Some(retries)) if calls == retries => {
            format!("{} rows, and no call after the last wait.", count(retries))
        }
        (Some(calls), Some(1)) => format!("{} calls, one row.", count(calls)),
        (Some(calls), Some(retries)) => format!("{} calls, {} rows.", count(calls), count(retries)),
        _ => "there is no last row.".into(),
    };
    Words::default().plain(format!("Attempt n is the wait before call n + 1: {rows} Bar: the range; tick: the mean."))
}

fn row(
    policy: &Policy,
    wait: &ScheduledWait,
    before: Option<&ScheduledWait>,
    column: Column,
    sums: Column,
    scale: &Scale,
) -> Row {
    let unknown = || Quantity::words("not known");
    let beyond = || Quantity::words("no bound");
    Row {
        attempt: count(wait.retry),
        min: column.exact(wait.min_ms),
        max: wait.max_ms.map_or_else(beyond, |ms| column.exact(ms)),
        mean: wait.mean_ms.map_or_else(unknown, |ms| column.exact(ms)),
        so_far: wait.worst_so_far_ms.map_or_else(beyond, |ms| sums.exact(ms)),
        from: scale.at(wait.min_ms),
        to: scale.at(wait.max_ms.unwrap_or(f64::MAX)),
        middle: wait.mean_ms.map(|ms| scale.at(ms)),
        stop: wait.at_max > 0.0,
        shaped: shaped(policy, wait, before, column),
    }
}

fn total(schedule: &Schedule, sums: Column) -> TotalRow {
    let total = &schedule.total;
    let or = |ms: Option<f64>, words: &str| ms.map_or_else(|| Quantity::words(words), |ms| sums.exact(ms));
    let mean = if total.max_ms.is_some() { "not known" } else { "no bound" };
    let bound = total.bound_ms.filter(|_| total.bound_ms != total.max_ms);
    let remark = match (total.attainable_max_ms, schedule.deadline_ms, bound) {
        (Some(_), _, Some(bound)) => {
            Words::of(&format!("the most that can happen is _{}_: the waits depend on each other", short(bound).text))
        }
        (_, Some(_), Some(bound)) => Words::of(&format!("the deadline leaves at most _{}_", short(bound).text)),
        _ => Words::default(),
    };
    TotalRow {
        min: or(total.min_ms, "no bound"),
        max: or(total.max_ms, "no bound"),
        mean: or(total.mean_ms, mean),
        always: total.min_ms == total.max_ms && total.max_ms.is_some_and(|ms| sums.exact(ms).parts.len() > 2),
        remark,
    }
}

/// From times to percent.
pub struct Scale {
    /// The time at the right end, ms.
    end_ms: f64,
    cap_ms: Option<f64>,
}

impl Scale {
    /// A scale up to a time, with some room after it.
    pub fn up_to(longest_ms: f64) -> Scale {
        Scale { end_ms: 1.09 * longest_ms, cap_ms: None }
    }

    fn of<'w>(policy: &Policy, waits: impl Iterator<Item = &'w ScheduledWait>) -> Scale {
        let longest = waits.filter_map(|w| w.max_ms).fold(0.0, f64::max);
        // A cap far beyond every wait would squeeze the bars to nothing.
        let cap_ms = policy.wait.cap_ms.filter(|cap| *cap > 0.0 && *cap <= 10.0 * longest);
        Scale { end_ms: 1.09 * longest.max(cap_ms.unwrap_or(0.0)), cap_ms }
    }

    /// Where a time lies, percent.
    pub fn at(&self, ms: f64) -> f64 {
        let percent = if self.end_ms > 0.0 { (ms / self.end_ms * 100.0).min(100.0) } else { 0.0 };
        (percent * 100.0).round() / 100.0
    }

    /// Grid lines at 1, 2 or 5 times a power of ten of a unit, at most five with 0.
    pub fn axis(&self) -> Axis {
        const UNITS: [(f64, &str); 5] = [(864e5, "d"), (36e5, "h"), (6e4, "min"), (1e3, "s"), (1.0, "ms")];
        let end = self.end_ms / 1.09;
        let (size, unit) = UNITS
            .into_iter()
            .find(|(size, _)| end >= 2.0 * size || (*size == 1e3 && end >= 1e3))
            .unwrap_or((1.0, "ms"));
        let cap =
            self.cap_ms.map(|ms| Tick { at: self.at(ms), label: format!("cap {}", Column::of([ms]).exact(ms).text) });
        let mut ticks = vec![Tick { at: 0.0, label: "0".into() }];
        if let Some(step) = grid_step(end, size, 5.0).filter(|_| end.is_finite()) {
            let values = (1..=5).map(|n| n as f64 * step).take_while(|ms| *ms <= end * 1.0001);
            ticks.extend(values.map(|ms| Tick { at: self.at(ms), label: number(ms / size) }));
        }
        if let Some(cap) = &cap {
            ticks.retain(|tick| tick.at == 0.0 || (tick.at - cap.at).abs() > 9.0);
        } else if let [_, .., last] = ticks.as_mut_slice() {
            last.label = format!("{} {unit}", last.label);
        }
        Axis { ticks, cap }
    }
}
