//! The figures of the explanation, for the policy and the fleet on the page.

use super::Request;
use super::answer::Typical;
use super::fleet;
use super::jitters::{FOUR, with};
use super::words::{Words, list};
use crate::distribution::{Options, total_wait};
use crate::format::{Column, count, counted, number, ordinal, percent, short};
use crate::policy::{Backoff, Jitter, Policy, Walk};
use crate::schedule::{schedule, totals};
use serde::Serialize;

/// The retry whose ranges are compared.
const COMPARED: usize = 4;

/// One sentence of the explanation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct HowLine {
    /// Its place in the page.
    pub id: &'static str,
    /// The sentence.
    pub words: Words,
}

/// The sentences that this policy and this fleet have figures for.
pub fn lines(policy: &Policy, request: &Request) -> Vec<HowLine> {
    let own = [
        ("delay", delay(policy)),
        ("jitters", jitters(policy)),
        ("ethernet", Some(ethernet())),
        ("cost", cost(policy, request.patient)),
        ("bounds", bounds(policy)),
        ("last", last(policy)),
        ("table", table(policy)),
    ];
    let all = own.into_iter().chain(fleet::how(policy, &request.fleet));
    all.filter_map(|(id, text)| Some(HowLine { id, words: Words::of(&text?) })).collect()
}

/// "With a base of 1 s, a factor of 2 and a cap of 8 s: 1 s, 2 s, 4 s, 8 s. Without the cap the 11th would be 17.1 min."
fn delay(policy: &Policy) -> Option<String> {
    let Backoff::Exponential { base_ms, factor } = policy.wait.backoff else { return None };
    let cap = policy.wait.cap_ms;
    let delay = |k: u64| policy.wait.backoff.delay_ms(k);
    let first: Vec<f64> = (1..=5).map(|k| delay(k).min(cap.unwrap_or(f64::MAX))).collect();
    let column = Column::of(first.iter().copied());
    let first: Vec<String> = first.into_iter().map(|ms| format!("_{}_", column.exact(ms).text)).collect();
    let start = format!("a base of _{}_ and a factor of {}", short(base_ms).text, number(factor));
    let (start, tail) = match cap {
        Some(cap) => {
            let start = start.replacen(" and a factor", ", a factor", 1);
            let tail = format!(" Without the cap the {} would be _{}_.", ordinal(11), short(delay(11)).text);
            (format!("{start} and a cap of _{}_", short(cap).text), tail)
        }
        None => (start, format!(" The {} would be _{}_.", ordinal(11), short(delay(11)).text)),
    };
    Some(format!("With {start}: {}.{tail}", first.join(", "))).filter(|_| delay(11).is_finite())
}

/// "Retry 4 here: none 8 s; full 0 s to 8 s; equal 4 s to 8 s; decorrelated 1 s to 8 s."
fn jitters(policy: &Policy) -> Option<String> {
    if matches!(policy.wait.backoff, Backoff::Table { .. }) {
        return None;
    }
    let wait = |jitter| Walk::new(&with(policy, jitter)).take(COMPARED).last();
    let retry = wait(Jitter::None)?.retry;
    let range = |(name, jitter): (&str, Jitter)| {
        let wait = wait(jitter).filter(|wait| wait.max_ms.is_finite())?;
        let (min, max) = (short(wait.min_ms).text, short(wait.max_ms).text);
        Some(if min == max { format!("{name} _{max}_") } else { format!("{name} _{min}_ to _{max}_") })
    };
    let ranges: Option<Vec<String>> = FOUR.into_iter().map(range).collect();
    Some(format!("Retry {} here: {}.", count(retry), ranges?.join("; ")))
}

/// "1/2 of the pairs part at the first draw, 3/4 of those left at the second, 7/8 at the third."
fn ethernet() -> String {
    // Of `slots` each takes one, evenly: they take the same in one of as many cases.
    let parted = |draw: u32| {
        let slots = 2u32.pow(draw);
        format!("{}/{slots}", slots - 1)
    };
    let together: f64 = (1..=3).map(|draw| 1.0 / f64::from(2u32.pow(draw))).product();
    format!(
        "{} of the pairs part at the first draw, {} of those left at the second, {} at the third; {} are still together then.",
        parted(1),
        parted(2),
        parted(3),
        percent(together)
    )
}

/// "Half of the callers wait 11.5 s or less, 95 % at most 17.3 s, the unluckiest 23 s. Without jitter all wait 23 s."
fn cost(policy: &Policy, patient: bool) -> Option<String> {
    if !(Typical::is_quick(policy) || patient) || policy.retries == Some(0) {
        return None;
    }
    let total = total_wait(policy, &Options::default());
    let [half, _, p95, ..] = total.percentiles.as_slice() else { return None };
    let max = short(total.max_ms?).text;
    let none = totals(&with(policy, Jitter::None));
    let fixed = none.bound_ms.filter(|_| none.min_ms == none.max_ms);
    if total.min_ms == total.max_ms {
        return Some(format!("This policy has none: all callers wait _{max}_."));
    }
    let fixed = fixed.map_or(String::new(), |ms| format!(" Without jitter all wait _{}_.", short(ms).text));
    let (half, p95) = (short(half.ms).text, short(p95.ms).text);
    Some(format!(
        "Half of the callers here wait _{half}_ or less, _95 %_ at most _{p95}_, the unluckiest _{max}_.{fixed}"
    ))
}

/// "Here: no wait is longer than 8 s, there are 5 of them, and no deadline ends it sooner."
fn bounds(policy: &Policy) -> Option<String> {
    let cap = match policy.wait.cap_ms {
        Some(cap) => format!("the cap is _{}_", short(cap).text),
        None => "there is no cap".into(),
    };
    let retries = match policy.retries {
        Some(retries) => format!("there are {}", counted(retries, "wait", "waits")),
        None => "nothing bounds the number of waits".into(),
    };
    let deadline = match policy.deadline {
        Some(deadline) => format!("the deadline is _{}_", short(deadline.limit_ms).text),
        None => "no deadline ends it sooner".into(),
    };
    Some(format!("Here {}.", list(&[cap, retries, deadline])))
}

/// "Here that is after 6 calls and at most 23 s of waiting."
fn last(policy: &Policy) -> Option<String> {
    let calls = counted(policy.calls()?, "call", "calls");
    let worst = crate::schedule::worst_case_total(policy)?;
    Some(format!("Here that is after {calls} and at most _{}_ of waiting.", short(worst).text))
}

/// "Here: at most 23 s, at least 0 s, 11.5 s on average."
fn table(policy: &Policy) -> Option<String> {
    let total = schedule(policy, 0).total;
    let (min, max) = (short(total.min_ms?).text, short(total.max_ms?).text);
    if total.min_ms == total.max_ms {
        return Some(format!("Added up here: _{max}_, always."));
    }
    let mean = total.mean_ms.map_or(String::new(), |ms| format!(", _{}_ on average", short(ms).text));
    Some(format!("Added up here: from _{min}_ to _{max}_{mean}."))
}
