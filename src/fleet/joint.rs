//! Waits that depend on the wait before: the joint law of the last wait and of the time so far, on a grid.

use super::mass::{Mass, cut, shift_into, simple};
use crate::policy::{Jitter, Law, Overrun, Policy, Wait};

/// The most single values that the last wait can have.
const MOST_VALUES: usize = 64;

/// The time so far, in cells, for each last wait.
pub(super) struct Joint<'a> {
    policy: &'a Policy,
    cell_ms: f64,
    /// The mean of what the last wait is in each row, ms; `None` before the first wait.
    rows: Vec<(Option<f64>, Vec<f64>)>,
    /// How many cells of last waits there are.
    waits: usize,
    /// Whether the time so far can be a single value only, which lies at the start of its cell.
    instant: bool,
}

impl<'a> Joint<'a> {
    /// Before the first wait; cells for times and for waits.
    pub fn new(policy: &'a Policy, cell_ms: f64, times: usize, waits: usize) -> Self {
        let mut now = vec![0.0; times];
        if let Some(first) = now.first_mut() {
            *first = 1.0;
        }
        Joint { policy, cell_ms, rows: vec![(None, now)], waits, instant: true }
    }

    /// The time of retry `k`, after the wait before it; `limit_ms` is when the deadline ends the waiting. `None` where
    /// the law takes too many single values, several waits are added up, or more than the last wait matters.
    pub fn next(&mut self, k: u64, limit_ms: Option<f64>) -> Option<Mass> {
        let rule = self.rule(k)?;
        let overrun = self.policy.deadline.map(|d| d.overrun);
        let limit = limit_ms.map(|ms| ms / self.cell_ms);
        if let Some(limit) = limit.filter(|_| overrun != Some(Overrun::Refuse)) {
            self.rows.iter_mut().for_each(|(_, cells)| cut(cells, limit));
        }
        self.rows = self.moved(rule, k)?;
        self.instant &= self.rows.iter().filter(|(_, cells)| cells.iter().any(|&p| p > 0.0)).count() == 1;
        let mut mass = Mass::none(self.cell_ms, self.times());
        if let Some(limit) = limit.filter(|_| overrun == Some(Overrun::Refuse)) {
            self.rows.iter_mut().for_each(|(_, cells)| cut(cells, limit));
        }
        for (_, cells) in &self.rows {
            mass.cells.iter_mut().zip(cells).for_each(|(sum, p)| *sum += p);
        }
        Some(mass)
    }

    fn times(&self) -> usize {
        self.rows.first().map_or(0, |(_, cells)| cells.len())
    }

    /// The only rule of the wait before retry `k`.
    fn rule(&self, k: u64) -> Option<Rule<'a>> {
        if let Some(first) = self.policy.first_wait_ms.filter(|_| k == 1) {
            return Some(Rule::First(first));
        }
        let mut rules = self.policy.rules(k);
        let rule = rules.next().filter(|wait| wait.jitter != Jitter::Telescoping)?;
        rules.next().is_none().then_some(Rule::Wait(rule))
    }

    fn moved(&self, rule: Rule, k: u64) -> Option<Vec<(Option<f64>, Vec<f64>)>> {
        let times = self.times();
        // What changes from one cell of waits to the next: an even stretch of waits is two changes and its ends.
        let mut changes = vec![vec![0.0; times]; self.waits + 2];
        let mut values: Vec<(f64, Vec<f64>)> = Vec::new();
        for (previous, cells) in self.rows.iter().filter(|(_, cells)| cells.iter().any(|&p| p > 0.0)) {
            for piece in rule.law(k, *previous).pieces.iter().flat_map(simple) {
                if piece.max_ms - piece.min_ms >= self.cell_ms * 1e-3 {
                    self.stretch(cells, piece.min_ms, piece.max_ms, piece.weight, &mut changes);
                } else {
                    let known = values.iter().position(|(ms, _)| *ms == piece.min_ms);
                    let at = known.unwrap_or(values.len());
                    if at == values.len() {
                        values.push((piece.min_ms, vec![0.0; times]));
                    }
                    if at == MOST_VALUES {
                        return None;
                    }
                    shift_into(cells, piece.min_ms / self.cell_ms, piece.weight, &mut values[at].1);
                }
            }
        }
        let mut rows: Vec<_> = values.into_iter().map(|(ms, cells)| (Some(ms), cells)).collect();
        let mut running = vec![0.0; times];
        for (i, change) in changes.iter().take(self.waits + 1).enumerate() {
            running.iter_mut().zip(change).for_each(|(sum, c)| *sum += c);
            // A time that is even in its cell and a wait that is even in its own: half falls into either of two cells.
            let by = if self.instant { i as f64 } else { i as f64 + 0.5 };
            let mut row = vec![0.0; times];
            shift_into(&running, by, 1.0, &mut row);
            rows.push((Some((i as f64 + 0.5) * self.cell_ms), row));
        }
        Some(rows)
    }

    /// Adds waits spread evenly from one time to another.
    fn stretch(&self, cells: &[f64], from_ms: f64, to_ms: f64, weight: f64, changes: &mut [Vec<f64>]) {
        let (from, to) = (from_ms / self.cell_ms, to_ms / self.cell_ms);
        let last = changes.len() - 2;
        let share = |i: usize| ((i as f64 + 1.0).min(to) - (i as f64).max(from)).max(0.0) * weight / (to - from);
        let (first, end) = ((from as usize).min(last), (to as usize).min(last));
        let (mut before, mut done) = (0.0, None);
        // The share changes at the first and the last two cells only.
        for i in [first, first + 1, end, end + 1] {
            if done.replace(i).is_some_and(|done| i <= done) {
                continue;
            }
            let now = if i > end { 0.0 } else { share(i) };
            if now != before {
                changes[i].iter_mut().zip(cells).for_each(|(sum, p)| *sum += (now - before) * p);
            }
            before = now;
        }
    }
}

/// Where a wait comes from.
enum Rule<'a> {
    First(f64),
    Wait(&'a Wait),
}

impl Rule<'_> {
    fn law(&self, k: u64, previous_ms: Option<f64>) -> Law {
        match self {
            Rule::First(ms) => Law::fixed(*ms),
            Rule::Wait(wait) => wait.law(k, previous_ms),
        }
    }
}
