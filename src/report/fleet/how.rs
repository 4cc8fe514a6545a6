//! The figures of the explanation that are about many callers.

use super::inputs::Inputs;
use super::lead::rate;
use crate::fleet::{Fleet, FleetSpec, sustained};
use crate::format::{Column, count, number, percent, short, significant};
use crate::policy::{Jitter, Policy};
use crate::report::jitters::with;
use crate::report::words::list;
use crate::schedule::{longest_wait, schedule};

/// How many rounds are named.
const NAMED: usize = 6;

/// Each place of the page that has a figure on fleets, with its sentence.
pub fn lines(policy: &Policy, spec: &FleetSpec, rates: &Fleet, inputs: &Inputs) -> Vec<(&'static str, Option<String>)> {
    vec![
        ("lockstep", lockstep(policy, spec)),
        ("base", base(policy, spec, rates)),
        ("backlog", backlog(spec)),
        ("demand", demand(spec, inputs)),
        ("hint", hint(policy, inputs)),
    ]
}

/// "Without jitter 400 callers refused together are back together after 1 s, 3 s, 7 s, 15 s and 23 s."
fn lockstep(policy: &Policy, spec: &FleetSpec) -> Option<String> {
    let waits = schedule(&with(policy, Jitter::None), NAMED).waits;
    let times: Option<Vec<f64>> =
        waits.iter().map(|wait| wait.worst_so_far_ms.filter(|_| wait.max_ms == Some(wait.min_ms))).collect();
    let times = times.filter(|times| !times.is_empty() && spec.callers > 1)?;
    let column = Column::of(times.iter().copied());
    let said: Vec<String> = times.iter().map(|ms| format!("_{}_", column.exact(*ms).text)).collect();
    Some(format!(
        "Without jitter {} callers refused together are back together after {}.",
        count(spec.callers),
        list(&said)
    ))
}

/// "400 callers ÷ 66.7 a second = 6 s; the first window of this policy is 1 s wide."
fn base(policy: &Policy, spec: &FleetSpec, rates: &Fleet) -> Option<String> {
    let needed = rates.needed_base_ms?;
    let own = rates.rounds.first()?.window_ms.filter(|_| policy.retries != Some(0))?;
    Some(format!(
        "{} callers ÷ {} a second = _{}_. The first window of this policy is _{}_ wide.",
        count(spec.callers),
        rate(rates.allowance_per_s),
        short(needed).text,
        short(own).text,
    ))
}

/// "With live calls at half of the allowance, 400 waiting ones take 400 ÷ (66.7 − 33.3) = 12 s; at nine tenths, 1 min."
fn backlog(spec: &FleetSpec) -> Option<String> {
    let per_s = spec.per_s();
    let drained = |live: f64| short(spec.callers as f64 / (per_s * (1.0 - live)) * 1e3).text;
    (per_s > 0.0).then(|| {
        format!(
            "With live calls at half of the allowance, {n} waiting ones take {n} ÷ ({} − {}) = _{}_ at the least; at nine \
             tenths of it, _{}_.",
            rate(per_s),
            rate(per_s / 2.0),
            drained(0.5),
            drained(0.9),
            n = count(spec.callers),
        )
    })
}

/// "8000 wanted a minute and 4000 admitted: 4000 a minute are left undone, 50 % of them, under any schedule."
fn demand(spec: &FleetSpec, inputs: &Inputs) -> Option<String> {
    let demand = inputs.demand.filter(|demand| *demand > spec.allowance)?;
    let outcome = sustained(demand, spec.allowance, None);
    let amount = |n: f64| number(significant(n, 6));
    Some(format!(
        "{} wanted {per} and {} admitted: {} {per} are left undone, {} of them, under any schedule.",
        amount(demand),
        amount(spec.allowance),
        amount(outcome.undone),
        percent(1.0 - outcome.served_share),
        per = inputs.per(),
    ))
}

/// "A hint of 30 s is longer than any wait here, which are 8 s at most."
fn hint(policy: &Policy, inputs: &Inputs) -> Option<String> {
    let asked = inputs.hint.as_ref()?.wait_ms(inputs.now_unix_ms);
    let longest = longest_wait(policy);
    let (hint, most) = (short(asked).text, short(longest).text);
    (policy.retries != Some(0) && longest.is_finite()).then(|| {
        if asked > longest {
            format!("A hint of _{hint}_ is longer than any wait here, which is _{most}_ at most: retries that do not heed it come too early.")
        } else {
            format!("A hint of _{hint}_ lies within the waits here, which are _{most}_ at most.")
        }
    })
}
