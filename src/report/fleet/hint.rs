//! A `Retry-After` given to the whole fleet: who waits what, and that the same hint brings all back together.

use super::inputs::Inputs;
use super::lead::rate;
use crate::fleet::FleetSpec;
use crate::format::{count, short};
use crate::library::Library;
use crate::policy::{Policy, Walk};
use crate::report::words::Words;
use crate::retry_after::{RetryAfter, heeded};

/// The sentences; none while the field cannot be used.
pub fn hint(policy: &Policy, library: Option<&Library>, spec: &FleetSpec, inputs: &Inputs) -> Vec<Words> {
    let Some(hint) = inputs.hint else { return Vec::new() };
    let hint_ms = hint.wait_ms(inputs.now_unix_ms);
    let mut said = Vec::new();
    let known = library.and_then(|library| library.retry_after);
    if let Some(library) = library {
        said.push(match known {
            Some((treatment, source)) => {
                Words::of(&format!("**{}** {}", library.title, does(treatment))).plain(format!(" ({source})."))
            }
            None => Words::of(&format!("How {} treats a hint is **not known** here.", library.title)),
        });
    }
    said.push(Words::of(&stampede(policy, known.map(|(treatment, _)| treatment), spec, hint_ms)));
    said
}

/// What a library does with a hint, as the rest of a sentence that names it.
fn does(treatment: RetryAfter) -> String {
    let time = |ms: f64| short(ms).text;
    match treatment {
        RetryAfter::Replaces { limit_ms: None } => "waits the hint instead of its own wait, however long".into(),
        RetryAfter::Replaces { limit_ms: Some(ms) } => {
            format!("waits the hint instead of its own wait, _{}_ at most", time(ms))
        }
        RetryAfter::ReplacesOrStops { limit_ms } => {
            format!("waits the hint instead of its own wait, and gives up if it is longer than _{}_", time(limit_ms))
        }
        RetryAfter::Floors => "waits the longer of the hint and its own wait".into(),
        RetryAfter::Raises { by_ms } => format!("lets the hint add up to _{}_ to its own wait", time(by_ms)),
        RetryAfter::Ignored => "does not look at hints".into(),
        RetryAfter::Stops => "does not retry an answer that carries one".into(),
    }
}

/// The same hint for all callers makes their waits the same, unless something is added to it.
fn stampede(policy: &Policy, treatment: Option<RetryAfter>, spec: &FleetSpec, hint_ms: f64) -> String {
    let (callers, hint) = (count(spec.callers), short(hint_ms).text);
    let remedy = match spec.callers as f64 * 1e3 / spec.per_s() {
        ms if ms.is_finite() && ms > 0.0 => format!(
            " Up to _{}_ added at random, {callers} ÷ {}, spreads them over what is admitted.",
            short(ms).text,
            rate(spec.per_s())
        ),
        _ => String::new(),
    };
    let Some(treatment) = treatment else {
        return format!(
            "Whoever waits just the _{hint}_ comes back with everybody else who was told so: all {callers} at once, \
             jitter or not.{remedy}"
        );
    };
    let heeded = heeded(policy, treatment, hint_ms);
    let first = heeded.as_ref().filter(|p| p.retries != Some(0)).and_then(|policy| Walk::new(policy).next());
    match (heeded, first) {
        (Some(_), None) => format!("With a hint of _{hint}_ there is no retry."),
        (_, Some(first)) if first.min_ms == first.max_ms => format!(
            "All {callers} given _{hint}_ come back together _{}_ later: the hint takes the jitter away.{remedy}",
            short(first.min_ms).text
        ),
        (_, Some(first)) => {
            let together = match treatment {
                RetryAfter::Floors => ", those together whose own wait is shorter than the hint",
                _ => "",
            };
            let (from, to) = (short(first.min_ms).text, short(first.max_ms).text);
            format!("Given _{hint}_, they come back between _{from}_ and _{to}_ later{together}.")
        }
        (None, _) => "What becomes of these waits is not known.".into(),
    }
}
