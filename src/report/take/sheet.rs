//! CSV as RFC 4180 has it: one record a wait, for spreadsheets. Its cells are numbers or empty, so that nothing in it can
//! be taken for a formula.

use super::Source;
use crate::format::plain;
use crate::report::table;
use crate::schedule::schedule;
use std::fmt::Write;

/// How many waits are listed of a schedule without an end.
const ENDLESS: usize = 100;

pub fn csv(source: &Source) -> String {
    let policy = source.policy;
    let most = policy.retries.map_or(ENDLESS, |n| n.min(table::MOST) as usize);
    let cell = |ms: Option<f64>| ms.map_or(String::new(), plain);
    let mut out = String::from("attempt,min_ms,max_ms,mean_ms,worst_total_so_far_ms\r\n");
    for wait in schedule(policy, most).waits {
        let [max, mean, so_far] = [wait.max_ms, wait.mean_ms, wait.worst_so_far_ms].map(cell);
        let _ = write!(out, "{},{},{max},{mean},{so_far}\r\n", wait.retry, plain(wait.min_ms));
    }
    out
}
