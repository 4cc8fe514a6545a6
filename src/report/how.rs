//! The figures of the explanation, for the policy on the page.

use super::words::Words;
use crate::format::{Column, number, ordinal, short};
use crate::policy::{Backoff, Policy};
use crate::schedule::schedule;
use serde::Serialize;

/// One sentence of the explanation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct HowLine {
    /// Its place in the page.
    pub id: &'static str,
    /// The sentence.
    pub words: Words,
}

/// The sentences that this policy has figures for.
pub fn lines(policy: &Policy) -> Vec<HowLine> {
    [("delay", delay(policy)), ("table", table(policy))]
        .into_iter()
        .filter_map(|(id, text)| Some(HowLine { id, words: Words::of(&text?) }))
        .collect()
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

/// "Here: at most 23 s, at least 0 s, 11.5 s on average."
fn table(policy: &Policy) -> Option<String> {
    let total = schedule(policy, 0).total;
    let (min, max) = (short(total.min_ms?).text, short(total.max_ms?).text);
    if total.min_ms == total.max_ms {
        return Some(format!("Added up here: _{max}_, always."));
    }
    let mean = total.mean_ms.map_or(String::new(), |ms| format!(" and _{}_ on average", short(ms).text));
    Some(format!("Added up here: from _{min}_ to _{max}_{mean}."))
}
