//! The waits of both policies in one table, and in one picture: two bars a row on one scale.

use crate::format::{Column, count};
use crate::policy::Policy;
use crate::report::table::{Axis, Scale};
use crate::schedule::{ScheduledWait, schedule};
use serde::Serialize;

/// The most rows that are listed.
const MOST: usize = 20;

/// Both schedules.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Pairs {
    /// The scale of the pictures.
    pub axis: Axis,
    /// One row for each wait that either has.
    pub rows: Vec<PairRow>,
    /// What is left out; may be empty.
    pub rest: String,
}

/// The same wait of both.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct PairRow {
    /// Its number.
    pub attempt: String,
    /// This policy's; absent where it has no such wait.
    pub first: Option<Range>,
    /// The second one's.
    pub second: Option<Range>,
}

/// The range of one wait. Places are percent of the width.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Range {
    /// "0 s to 4 s".
    pub text: String,
    /// Where the shortest lies.
    pub from: f64,
    /// Where the longest lies.
    pub to: f64,
}

pub fn pairs(first: &Policy, second: &Policy) -> Pairs {
    let both = [first, second].map(|policy| schedule(policy, MOST));
    let shown = || both.iter().flat_map(|schedule| &schedule.waits);
    let times = shown().flat_map(|wait| [Some(wait.min_ms), wait.max_ms]).flatten();
    let column = Column::of(times);
    let scale = Scale::up_to(shown().filter_map(|wait| wait.max_ms).fold(0.0, f64::max));
    let range = |wait: &ScheduledWait| {
        let min = column.exact(wait.min_ms).text;
        let text = match wait.max_ms {
            Some(max) if max == wait.min_ms => min,
            Some(max) => format!("{min} to {}", column.exact(max).text),
            None => format!("{min} to no bound"),
        };
        Range { text, from: scale.at(wait.min_ms), to: scale.at(wait.max_ms.unwrap_or(f64::MAX)) }
    };
    let rows = both[0].waits.len().max(both[1].waits.len());
    let row = |n: usize| {
        let [first, second] = [0, 1].map(|which: usize| both[which].waits.get(n).map(range));
        PairRow { attempt: count(n as u64 + 1), first, second }
    };
    let longest = both.iter().map(|schedule| schedule.retries.unwrap_or(u64::MAX)).max().unwrap_or(0);
    let rest = match longest {
        n if n <= MOST as u64 => String::new(),
        u64::MAX => "And so on; the numbers above cover all.".into(),
        n => format!("Attempts {} to {} are left out; the numbers above cover all.", MOST + 1, count(n)),
    };
    Pairs { axis: scale.axis(), rows: (0..rows).map(row).collect(), rest }
}
