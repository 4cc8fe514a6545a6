//! The one sentence on a fleet, and what mean rates hide.

use crate::fleet::{Fleet, FleetSpec, LimiterKind};
use crate::format::{count, number, percent, short, significant};
use crate::policy::{Jitter, Policy};
use crate::report::words::Words;

/// "400 callers share 66.7 calls a second. Round 4 is the first whose mean rate fits. …"
pub fn lead(policy: &Policy, spec: &FleetSpec, rates: &Fleet) -> Words {
    let callers = if spec.callers == 1 { "1 caller".into() } else { format!("{} callers", count(spec.callers)) };
    if policy.retries == Some(0) {
        return Words::of("Nothing is retried, so nobody comes back: whoever was refused stays refused.");
    }
    if spec.allowance == 0.0 {
        return Words::of("Nothing is admitted, so **nobody gets through**, whatever the schedule.");
    }
    if spec.limiter == LimiterKind::TokenBucket && spec.burst < 1.0 {
        return Words::of("A bucket that never holds a whole token admits nothing: **nobody gets through**.");
    }
    let share = if spec.callers == 1 { "has" } else { "share" };
    let said = format!("{callers} {share} _{}_ calls a second. ", rate(rates.allowance_per_s));
    if admits_all(spec) {
        let all = if spec.callers == 1 { "It passes".into() } else { format!("All {} pass", count(spec.callers)) };
        let window = if spec.window_ms == 6e4 { "minute" } else { "second" };
        let due = count(spec.due(1.0).min(1e18) as u64);
        return Words::of(&format!(
            "{said}**{all} on the first retry**, with any jitter or none: one {window} admits {due}."
        ));
    }
    Words::of(&format!("{said}{}", fits(policy, spec, rates)))
}

/// Whether one window admits the whole fleet, so that no schedule matters.
fn admits_all(spec: &FleetSpec) -> bool {
    spec.limiter == LimiterKind::FixedWindow && spec.callers as f64 <= spec.due(1.0)
}

fn fits(policy: &Policy, spec: &FleetSpec, rates: &Fleet) -> String {
    let first = match rates.first_round_that_fits {
        Some(1) => return "**The first round fits**, in the mean.".into(),
        Some(n) => format!("**Round {} is the first that fits**, in the mean.", count(n)),
        None => "**No round fits.**".into(),
    };
    let (n, a) = (count(spec.callers), rate(rates.allowance_per_s));
    let base = match (rates.needed_own_base_ms, rates.round_base_ms) {
        (Some(own), Some(round)) if policy.wait.jitter == Jitter::Full => {
            format!(
                "the base must be at least _{}_: {n} ÷ {a}; the next round value is _{}_.",
                short(own).text,
                short(round).text
            )
        }
        (Some(own), _) => {
            let window = short(rates.needed_base_ms.unwrap_or(own)).text;
            format!(
                "its window must be _{window}_ wide, {n} ÷ {a}; with this jitter that takes a base of _{}_.",
                short(own).text
            )
        }
        (None, _) if rates.rounds.first().is_some_and(|r| r.window_ms == Some(spec.spread_ms)) && is_fixed(policy) => {
            return format!(
                "{first} Without jitter all {n} come back within the same _{}_, every time, and no base changes that.",
                short(spec.spread_ms).text
            );
        }
        (None, _) => {
            let window = rates.needed_base_ms.map_or(String::new(), |ms| format!(" of _{}_", short(ms).text));
            return format!("{first} Round 1 would need a window{window}: {n} ÷ {a}.");
        }
    };
    format!("{first} To fit in round 1 {base}")
}

fn is_fixed(policy: &Policy) -> bool {
    crate::policy::Walk::new(policy).take(100).all(|range| range.min_ms == range.max_ms)
}

/// What the mean rates hide: survivors, chance, and the small test.
pub fn remarks(policy: &Policy, spec: &FleetSpec, rates: &Fleet) -> Vec<Words> {
    if spec.allowance == 0.0 || admits_all(spec) {
        return Vec::new();
    }
    [survivors(spec, rates), chance(rates), small_test(policy, spec, rates)]
        .into_iter()
        .flatten()
        .map(|text| Words::of(&text))
        .collect()
}

fn survivors(spec: &FleetSpec, rates: &Fleet) -> Option<String> {
    let drained = rates.drained_in_round?;
    let round = rates.rounds.iter().find(|round| round.retry == drained)?;
    let per_s = round.left_per_s?;
    (round.left < spec.callers as f64).then(|| {
        format!(
            "Those let through leave. If every round let through what the allowance gives in its window, {} callers \
             would be left for round {}: _{}_ a second, which fits. Rounds overlap, so the picture below differs.",
            number(significant(round.left, 3)),
            count(drained),
            rate(per_s),
        )
    })
}

/// A mean rate inside the allowance is no promise.
fn chance(rates: &Fleet) -> Option<String> {
    let sure = rates.sure_base_ms?;
    Some(format!(
        "Fitting in the mean is not fitting always. Where a bucket starts empty, all pass in the first round with \
         probability 1 − callers ÷ (allowance × window): {} here; 90 % takes a first window of _{}_.",
        percent(rates.clean_first_round),
        short(sure).text,
    ))
}

/// What a test with few callers shows of this.
fn small_test(policy: &Policy, spec: &FleetSpec, rates: &Fleet) -> Option<String> {
    let most = rates.looks_clean_up_to;
    let over = rates.rounds.first()?.rate_per_s? / rates.allowance_per_s;
    if is_fixed(policy) || most < 1.0 || most >= spec.callers as f64 {
        return None;
    }
    Some(format!(
        "A test with up to {} callers fits the first round as it is and looks clean; {} do not, {} times over.",
        count(most as u64),
        count(spec.callers),
        number(significant(over, 2)),
    ))
}

/// What the same allowance does when each minute is counted whole.
pub fn minute(spec: &FleetSpec) -> Words {
    let per_minute = FleetSpec { window_ms: 6e4, limiter: LimiterKind::FixedWindow, ..spec.clone() };
    let (callers, due) = (count(spec.callers), per_minute.due(1.0));
    let admits = count(due.min(1e18) as u64);
    Words::of(&if due < 1.0 {
        "A minute admits nobody.".into()
    } else if spec.callers as f64 <= due {
        format!(
            "All {callers} pass on their first retry, with any jitter or none: {callers} is no more than the {admits} of \
             one minute. Ask which it is before tuning anything."
        )
    } else {
        format!(
            "The first {admits} calls of each minute pass and all others of that minute are refused, however they are \
             spread in it. Only waits that reach into the next minutes help: {callers} callers need {} of them.",
            count((spec.callers as f64 / due).ceil() as u64),
        )
    })
}

/// Calls per second: "66.7", "400".
pub fn rate(per_s: f64) -> String {
    number(significant(per_s, 3))
}
