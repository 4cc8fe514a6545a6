//! What the libraries did against what was expected of them.

use crate::cases::Case;
use crate::outcome::Outcome;
use serde_json::Value;

/// Rounding of the libraries' own arithmetic and of our texts, ms.
const ROUNDING: f64 = 0.01;

/// Libraries that draw all waits first and sort them: where the ranges overlap, the first wait is the least of several
/// draws. The ranges and the law of the total are those of the unsorted draws.
const SORTED: &[&str] = &["node-retry", "async-retry", "promise-retry"];

/// One outcome for each library, in the order of the cases.
pub fn all(cases: &[Case], done: &[Value]) -> Vec<Outcome> {
    let mut outcomes: Vec<Outcome> = Vec::new();
    for (case, done) in cases.iter().zip(done) {
        if outcomes.last().is_none_or(|outcome| outcome.library != case.library) {
            outcomes.push(Outcome::new(case.library, done["version"].as_str().unwrap_or("?")));
        }
        let Some(outcome) = outcomes.last_mut() else { continue };
        if done["skipped"] == true {
            continue;
        }
        outcome.texts += 1;
        match done["error"].as_str() {
            Some(error) => outcome.problems.push(format!("{error}\n{}", case.text)),
            None if done["checked"] == true => {}
            None => compare(case, &runs(&done["runs"]), outcome),
        }
    }
    outcomes
}

fn runs(value: &Value) -> Vec<Vec<f64>> {
    let run = |run: &Value| run.as_array().into_iter().flatten().filter_map(Value::as_f64).map(|s| s * 1e3).collect();
    value.as_array().into_iter().flatten().map(run).collect()
}

fn compare(case: &Case, runs: &[Vec<f64>], outcome: &mut Outcome) {
    let mut problem = |what: String| outcome.problems.push(format!("{what}\n{}", case.text));
    for run in runs {
        if case.count.is_some_and(|count| count != run.len()) {
            return problem(format!("{} waits ({run:?}), expected {:?} of {:?}", run.len(), case.count, case.waits));
        }
        if run.is_empty() && case.waits.is_empty() {
            outcome.waits += 1;
        }
    }
    for (k, &(min, max)) in case.waits.iter().enumerate() {
        let seen: Vec<f64> = runs.iter().filter_map(|run| run.get(k).copied()).collect();
        if let Some(wait) = seen.iter().find(|w| **w < min - slack(min) || **w > max + slack(max)) {
            return problem(format!("wait {} is {wait} ms, expected {min} to {max}", k + 1));
        }
        outcome.waits += seen.len();
        // Sixty even draws all miss an outer quarter once in thirty million times.
        let (low, high) = (seen.iter().copied().fold(f64::MAX, f64::min), seen.iter().copied().fold(0.0, f64::max));
        let quarter = (max - min) / 4.0;
        let narrow = low > min + quarter + 1.0 || high < max - quarter - 1.0;
        let sorted = SORTED.contains(&case.library) && case.waits.windows(2).any(|w| w[0].1 > w[1].0);
        if narrow && !sorted && case.policy.deadline.is_none() && !case.policy.is_dependent() && !seen.is_empty() {
            return problem(format!(
                "wait {} was {low} to {high} ms in {} runs, expected {min} to {max}",
                k + 1,
                seen.len()
            ));
        }
    }
}

fn slack(ms: f64) -> f64 {
    ROUNDING + ms * 1e-9
}
