//! The golden cases: what real libraries do with a text. One file a library under `tests/cases`.

use backoff::library::{Choice, Reading, read};
use backoff::schedule::{Schedule, schedule};
use serde_json::Value;

mod files;

pub use files::files;

/// Libraries whose case files hold the same texts: any of a group may be the one that is read, the others are candidates.
const SHARED: &[&[&str]] =
    &[&["botocore", "aws-sdk", "aws-sdk-js"], &["gax", "google-api-core"], &["spring-retry", "spring-framework-retry"]];

/// The readings of a text as one library: what is read unasked must be that library (or one that shares its texts).
pub fn readings(library: &str, text: &str) -> Result<Vec<Reading>, String> {
    let unasked = read(text, &Choice::default());
    let first = unasked.first().ok_or("nothing about retries was found")?;
    if first.library.id == library {
        return Ok(unasked);
    }
    let shares = SHARED.iter().any(|group| group.contains(&library) && group.contains(&first.library.id));
    let offered = first.candidates.iter().any(|c| c.library == library);
    if !(shares && offered) {
        return Err(format!("read as {} (candidates {:?})", first.library.id, first.candidates));
    }
    let readings = read(text, &Choice { library: Some(library.to_string()), ..Choice::default() });
    match readings.first() {
        Some(first) if first.library.id == library => Ok(readings),
        _ => Err("not read as its own when asked".to_string()),
    }
}

/// What differs between a reading and what is expected of it; empty when all is right.
pub fn differences(reading: &Reading, expect: &Value) -> Vec<String> {
    let got = schedule(&reading.policy, 10_000);
    let mut out = Vec::new();
    for key in ["retries", "calls"] {
        let have = if key == "calls" { got.calls } else { got.retries };
        if expect.get(key).is_some() && expect[key].as_u64() != have {
            out.push(format!("{key}: {have:?}, expected {}", expect[key]));
        }
    }
    out.extend(waits(&got, expect));
    let tolerance = tolerance(expect) * got.retries.unwrap_or(1).max(1) as f64;
    let totals = [
        ("worst_case_wait_s", got.total.max_ms),
        ("best_case_wait_s", got.total.min_ms),
        ("joint_worst_case_wait_s", got.total.attainable_max_ms),
        ("joint_best_case_wait_s", got.total.attainable_min_ms),
        ("mean_total_s", got.total.mean_ms),
    ];
    for (key, have) in totals {
        let Some(wanted) = expect.get(key) else { continue };
        if wanted.is_null() && got.retries.is_some() {
            continue; // a count too large for the recorded case to add up
        }
        if !same(have, wanted.as_f64(), tolerance) {
            out.push(format!("{key}: {:?}, expected {wanted}", have.map(|ms| ms / 1e3)));
        }
    }
    for (key, have) in [("deadline_s", got.deadline_ms), ("attempt_timeout_s", got.attempt_timeout_ms)] {
        if expect.get(key).is_some() && !same(have, expect[key].as_f64(), 0.0) {
            out.push(format!("{key}: {:?}, expected {}", have.map(|ms| ms / 1e3), expect[key]));
        }
    }
    let initial = reading.policy.initial_delay_ms;
    if expect.get("initial_delay_s").is_some() && !same(initial, expect["initial_delay_s"].as_f64(), 0.0) {
        out.push(format!("initial_delay_s: {initial:?}, expected {}", expect["initial_delay_s"]));
    }
    out
}

fn waits(got: &Schedule, expect: &Value) -> Vec<String> {
    let Some(wanted) = expect["waits"].as_array() else { return Vec::new() };
    let mut out = Vec::new();
    if got.waits.len() < wanted.len() {
        out.push(format!("{} waits, expected at least {}", got.waits.len(), wanted.len()));
    }
    for (have, want) in got.waits.iter().zip(wanted) {
        for (key, ms) in [("min_s", Some(have.min_ms)), ("max_s", have.max_ms)] {
            if !same(ms, want[key].as_f64(), tolerance(expect)) {
                out.push(format!("wait {} {key}: {:?}, expected {}", have.retry, ms.map(|ms| ms / 1e3), want[key]));
            }
        }
    }
    out
}

fn tolerance(expect: &Value) -> f64 {
    expect["tolerance_s"].as_f64().unwrap_or(0.0)
}

/// Whether a time in ms is the expected one in s: within the tolerance, else 1e-9 relative.
fn same(have_ms: Option<f64>, wanted_s: Option<f64>, tolerance_s: f64) -> bool {
    match (have_ms, wanted_s) {
        (Some(have), Some(wanted)) => {
            (have / 1e3 - wanted).abs() <= (wanted.abs() * 1e-9).max(tolerance_s * (1.0 + 1e-9)).max(1e-12)
        }
        (None, None) => true,
        _ => false,
    }
}
