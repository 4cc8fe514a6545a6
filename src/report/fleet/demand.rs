//! Demand that stays above the allowance, as a subtraction.

use super::inputs::Inputs;
use crate::fleet::{FleetSpec, sustained};
use crate::format::{count, number, percent, significant};
use crate::policy::Policy;
use crate::report::words::Words;

/// "8000 a minute wanted − 4000 admitted = 4000 a minute left undone …"; nothing while the field cannot be used.
pub fn demand(policy: &Policy, spec: &FleetSpec, inputs: &Inputs) -> Vec<Words> {
    let Some(demand) = inputs.demand else { return Vec::new() };
    let per = inputs.per();
    let amount = |n: f64| number(significant(n, 6));
    if demand <= spec.allowance {
        let text = format!("{} {per} wanted is no more than the {} admitted.", amount(demand), amount(spec.allowance));
        return vec![Words::of(&format!("{text} It comes down to how the calls are spread."))];
    }
    let outcome = sustained(demand, spec.allowance, policy.calls());
    let (undone, long) = match per {
        "a second" => (outcome.undone * 60.0, "after a minute"),
        _ => (outcome.undone * 10.0, "after ten minutes"),
    };
    let subtraction = format!(
        "{} {per} wanted − {} admitted = **{} {per} left undone**; {} {long}. No schedule changes that number: waiting is no \
         source of throughput.",
        amount(demand),
        amount(spec.allowance),
        amount(outcome.undone),
        amount(undone),
    );
    let round = |n: f64| number(significant(n, 3));
    let load = match (outcome.calls_each, outcome.offered, policy.calls()) {
        (Some(each), Some(offered), Some(calls)) => format!(
            "With up to {} calls each, a call is refused with probability {}, so that each request makes {} calls and {} {per} \
             reach the service.",
            count(calls),
            percent(outcome.refused_share),
            round(each),
            round(offered),
        ),
        _ => "Nothing but success stops the calls, so their number grows for as long as it lasts.".into(),
    };
    vec![Words::of(&subtraction), Words::of(&load)]
}
