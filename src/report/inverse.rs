//! The questions the other way round: which setting meets a time.

use super::words::Words;
use crate::distribution::Options;
use crate::format::{Column, count, counted, short, significant};
use crate::inverse::{Largest, cap_to_write, largest_base, largest_cap, retries_to_outlast};
use crate::policy::Policy;

/// One sentence for each question.
pub fn answers(policy: &Policy, time_ms: f64, call_ms: f64) -> Vec<Words> {
    let time = short(time_ms).text;
    let said = [outlast(policy, time_ms, call_ms), within(policy, time_ms), no_longer(policy, time_ms)];
    said.into_iter().map(|answer| Words::of(&answer.replace("{}", &format!("_{time}_")))).collect()
}

/// "To outlast 60 s: 10 retries at the longest waits, 18 typically, and no number for certain."
fn outlast(policy: &Policy, time_ms: f64, call_ms: f64) -> String {
    let options = Options { call_ms, ..Options::default() };
    let found = retries_to_outlast(policy, time_ms, &options);
    let number = |n: Option<u64>| n.map_or("no number".into(), count);
    let retries = |n: Option<u64>| n.map_or("no number of retries".into(), |n| counted(n, "retry", "retries"));
    if found.possible == found.sure {
        return format!("To outlast {{}}: **{}**.", retries(found.sure));
    }
    format!(
        "To outlast {{}}: **{} typically**, {} if every wait is as long as it can be, {} for certain.",
        retries(found.typical),
        number(found.possible),
        number(found.sure)
    )
}

/// "To be over within 15 s at worst: a cap of at most 4 s, or a base of at most 642 ms."
fn within(policy: &Policy, time_ms: f64) -> String {
    let (cap, base) = (largest_cap(policy, time_ms), largest_base(policy, time_ms));
    let cap = match cap {
        Largest::Any => return "All waits are over within {} at worst, whatever the cap.".into(),
        Largest::Value { ms } => Some(format!("a cap of at most {}", down(ms))),
        Largest::None => None,
    };
    let base = match base {
        // Nobody writes a millionth of a second.
        Largest::Value { ms } if ms < 0.001 => None,
        Largest::Value { ms } => Some(format!("a base of at most {}", down(ms))),
        Largest::Any => Some("any base".into()),
        Largest::None => None,
    };
    match (cap, base) {
        (Some(cap), Some(base)) => format!("For all waits to be over within {{}} at worst: **{cap}**, or {base}."),
        (Some(one), None) | (None, Some(one)) => format!("For all waits to be over within {{}} at worst: **{one}**."),
        (None, None) => "No cap and no base alone gets all waits over within {} at worst.".into(),
    }
}

/// "For no wait over 5 s: a cap of at most 4 s."
fn no_longer(policy: &Policy, time_ms: f64) -> String {
    match cap_to_write(policy, time_ms) {
        Largest::Any => "No wait is longer than {}, whatever the cap.".into(),
        Largest::Value { ms } => format!("For no wait over {{}}: **write a cap of at most {}**.", down(ms)),
        Largest::None => "No cap keeps every wait under {}.".into(),
    }
}

/// A time to three digits, never rounded up: what is written has to keep the bound.
fn down(ms: f64) -> String {
    let near = significant(ms, 3);
    let unit = libm::pow(10f64, libm::log10(ms).floor() - 2.0);
    let below = if near > ms { significant(near - unit, 3) } else { near };
    format!("_{}_", Column::of([below]).exact(below).text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Backoff, Jitter, Wait};

    #[test]
    fn settings_that_meet_a_time() {
        let wait = Wait::new(Backoff::Exponential { base_ms: 1000.0, factor: 2.0 }).cap(8000.0).jitter(Jitter::Full);
        let said: Vec<String> = answers(&Policy::new(wait, 5), 15_000.0, 0.0).iter().map(Words::text).collect();
        // 1 + 2 + 4 + 8 = 15; half of 1 + 2 + 4 + 8 + 8 + 8 = 31 is more than 15. 1 + 2 + 4 + 4 + 4 = 15.
        // 15 b + 8 passes 15 at b > 7 / 15, but then 16 b is under the cap: 31 b = 15.
        assert_eq!(
            said,
            [
                "To outlast 15 s: 6 retries typically, 4 if every wait is as long as it can be, no number for certain.",
                "For all waits to be over within 15 s at worst: a cap of at most 4 s, or a base of at most 483 ms.",
                "For no wait over 15 s: write a cap of at most 15 s."
            ]
        );
    }

    #[test]
    fn a_time_to_write_is_never_rounded_up() {
        assert_eq!(
            (down(483.87), down(4000.0), down(142_990.0)),
            ("_483 ms_".into(), "_4 s_".into(), "_2 min 22 s_".into())
        );
    }
}
