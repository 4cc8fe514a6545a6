//! What must hold of a policy that is written for a library, for tests of any policy.

use backoff::finding::Severity;
use backoff::library::{Certainty, Choice, Library, Written, read, write};
use backoff::policy::Policy;
use backoff::schedule::schedule;

/// What does not hold of one writing; empty when all does.
pub fn problems(policy: &Policy, library: &Library) -> Vec<String> {
    let Written { text, losses } = write(policy, library.id);
    if text.is_empty() {
        return if losses.is_empty() { vec!["nothing is written and nothing is said".into()] } else { Vec::new() };
    }
    let mut out = Vec::new();
    let readings = read(&text, &Choice::default());
    let [reading] = readings.as_slice() else { return vec![format!("{} blocks are read in\n{text}", readings.len())] };
    if reading.library.id != library.id || reading.certainty != Certainty::Certain {
        out.push(format!("read as {}, {:?}\n{text}", reading.library.id, reading.certainty));
    }
    if let Some(error) = reading.findings.iter().find(|f| f.severity == Severity::Error) {
        out.push(format!("{}\n{text}", error.message));
    }
    let difference = difference(policy, &reading.policy);
    match (&difference, losses.is_empty()) {
        (Some(what), true) => out.push(format!("{what} is lost and not said\n{text}")),
        (None, false) => out.push(format!("nothing is lost, but said: {losses:?}\n{text}")),
        _ => {}
    }
    out
}

/// Even steps through [0, 1), out of order, from a start of their own.
pub fn stream(run: u32) -> impl FnMut() -> f64 {
    let mut at = f64::from(run) * 0.271;
    move || {
        at = (at + 0.618_033_988_749_895).fract();
        at
    }
}

/// What two policies do differently.
fn difference(a: &Policy, b: &Policy) -> Option<String> {
    let (x, y) = (schedule(a, 40), schedule(b, 40));
    let close = |x: f64, y: f64| x == y || (x - y).abs() <= 1e-8 * (1.0 + x.abs().max(y.abs()));
    let same = |x: Option<f64>, y: Option<f64>| match (x, y) {
        (Some(x), Some(y)) => close(x, y),
        (x, y) => x.is_none() && y.is_none(),
    };
    if (x.calls, x.retries) != (y.calls, y.retries) {
        return Some(format!("the count {:?}", x.calls));
    }
    for (x, y) in x.waits.iter().zip(&y.waits) {
        if !close(x.min_ms, y.min_ms) || !same(x.max_ms, y.max_ms) || !same(x.mean_ms, y.mean_ms) {
            return Some(format!("wait {} ({x:?}, {y:?})", x.retry));
        }
    }
    if !same(x.total.attainable_max_ms, y.total.attainable_max_ms) || !same(x.total.mean_ms, y.total.mean_ms) {
        return Some("the total".into());
    }
    if let Some(k) =
        (1..=3).find_map(|run| a.draws(stream(run)).zip(b.draws(stream(run))).take(40).position(|(x, y)| !close(x, y)))
    {
        return Some(format!("what chance makes of wait {}", k + 1));
    }
    if !same(x.attempt_timeout_ms, y.attempt_timeout_ms) || !same(a.initial_delay_ms, b.initial_delay_ms) {
        return Some("a time-out or the wait at first".into());
    }
    (a.deadline != b.deadline).then(|| format!("the deadline ({:?}, {:?})", a.deadline, b.deadline))
}
