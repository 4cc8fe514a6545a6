//! What a text means differently from the policy that it was written for.

use crate::format::{count, number, percent, short};
use crate::policy::Backoff::Exponential;
use crate::policy::{CapOrder, Clock, Deadline, Jitter, Law, Overrun, Piece, Policy, Range, Shape, Walk};

/// How many waits are compared.
const COMPARED: usize = 256;
/// How many runs of waits that depend on each other are compared.
const RUNS: u32 = 4;

/// Every difference in words, and how much they weigh together: 0 where both mean the same.
pub(super) fn losses(policy: &Policy, written: &Policy) -> (u32, Vec<String>) {
    let mut out = Vec::new();
    let mut weight = 0;
    let mut say = |heavy: u32, what: &str, asked: String, written: String| {
        weight += heavy;
        out.push(format!("{what}: {asked} in the policy, {written} in this text."));
    };
    if (policy.retries, policy.calls()) != (written.retries, written.calls()) {
        let counted = |p: &Policy| {
            let end = if p.calls() == p.retries && p.retries != Some(0) { ", the last wait before none" } else { "" };
            p.calls().map_or("no end".to_string(), |n| count(n) + end)
        };
        say(30, "Calls", counted(policy), counted(written));
    }
    if let Some((k, range, other)) = difference(policy, written) {
        let aspects = aspects(policy, written);
        let found = !aspects.is_empty();
        for (what, asked, written) in aspects {
            say(10, what, asked, written);
        }
        if !found || !between(policy, written) {
            let what = format!("Wait {k}");
            let (asked, written) = (ranged(&range), ranged(&other));
            let spread = |text: &str| format!("{text}, spread differently");
            let written = if asked == written { spread(&written) } else { written };
            say(40, &what, asked, written);
        }
    }
    let times = |limit: Option<f64>| limit.map_or("none".to_string(), |ms| short(ms).text);
    for (what, asked, written) in [
        ("Time-out of a call", policy.attempt_timeout_ms, written.attempt_timeout_ms),
        ("Wait before the first call", policy.initial_delay_ms, written.initial_delay_ms),
    ] {
        if !both(asked, written) {
            say(5, what, times(asked), times(written));
        }
    }
    let same = match (policy.deadline, written.deadline) {
        (Some(a), Some(b)) => close(a.limit_ms, b.limit_ms) && (a.overrun, a.clock) == (b.overrun, b.clock),
        (a, b) => a.is_none() && b.is_none(),
    };
    if !same {
        say(5, "Deadline", limit(policy.deadline), limit(written.deadline));
    }
    (weight, out)
}

/// The first wait that is not the same in both, with its two ranges.
fn difference(a: &Policy, b: &Policy) -> Option<(u64, Range, Range)> {
    let count = [a.retries, b.retries].into_iter().flatten().min().map_or(COMPARED, |n| n.min(256) as usize);
    for (x, y) in Walk::new(a).zip(Walk::new(b)).take(count) {
        let ends = close(x.min_ms, y.min_ms) && close(x.max_ms, y.max_ms);
        let laws = x.laws.len() == y.laws.len() && x.laws.iter().zip(&y.laws).all(|(x, y)| same_law(x, y));
        if !(ends && laws) {
            return Some((x.retry, x, y));
        }
    }
    if !(a.is_dependent() || b.is_dependent()) {
        return None;
    }
    // Waits that depend on each other are the same if the same chances make the same waits.
    (1..=RUNS).find_map(|run| {
        let (chances, more) = (stream(run), stream(run));
        let other = a.draws(chances).zip(b.draws(more)).take(count).position(|(x, y)| !close(x, y))?;
        Some((other as u64 + 1, Walk::new(a).nth(other)?, Walk::new(b).nth(other)?))
    })
}

/// Numbers in [0, 1), the same for the same run.
fn stream(run: u32) -> impl FnMut() -> f64 {
    let mut state = run.wrapping_mul(2_654_435_769);
    move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state) / 4_294_967_296.0
    }
}

/// The parts of the policy's rule that the text has otherwise, where that alone changes a wait.
fn aspects(policy: &Policy, written: &Policy) -> Vec<(&'static str, String, String)> {
    let (asked, other) = (&policy.wait, &written.wait);
    let mut out = Vec::new();
    let mut consider = |what, change: &dyn Fn(&mut Policy), asked: String, other: String| {
        let mut changed = policy.clone();
        change(&mut changed);
        if asked != other && difference(policy, &changed).is_some() {
            out.push((what, asked, other));
        }
    };
    let time = |ms: Option<f64>| ms.map_or("none".to_string(), |ms| short(ms).text);
    if let (Exponential { base_ms: b, factor: f }, &Exponential { base_ms, factor }) = (&asked.backoff, &other.backoff)
    {
        let set = |base_ms, factor| move |p: &mut Policy| p.wait.backoff = Exponential { base_ms, factor };
        consider("First delay", &set(base_ms, *f), short(*b).text, short(base_ms).text);
        consider("Factor", &set(*b, factor), number(*f), number(factor));
    }
    consider("Jitter", &|p| p.wait.jitter = other.jitter, jitter(asked.jitter), jitter(other.jitter));
    let cap = |p: &Policy| time(p.wait.cap_ms) + order(p);
    let set_cap = |p: &mut Policy| (p.wait.cap_ms, p.wait.cap_order) = (other.cap_ms, other.cap_order);
    consider("Cap", &set_cap, cap(policy), cap(written));
    consider("Floor", &|p| p.wait.floor_ms = other.floor_ms, time(asked.floor_ms), time(other.floor_ms));
    let first = |p: &Policy| p.first_wait_ms.map_or("as the curve says".to_string(), |ms| short(ms).text);
    consider("First wait", &|p| p.first_wait_ms = written.first_wait_ms, first(policy), first(written));
    let unit = |p: &Policy| p.wait.rounding.map_or("none".to_string(), |r| format!("to {}", short(r.unit_ms).text));
    consider("Rounding", &|p| p.wait.rounding = other.rounding, unit(policy), unit(written));
    out
}

/// Whether the aspects alone make the difference: the policy with the text's is the text's.
fn between(policy: &Policy, written: &Policy) -> bool {
    let mut changed = policy.clone();
    let other = &written.wait;
    changed.wait.jitter = other.jitter;
    if let (Exponential { .. }, Exponential { .. }) = (&policy.wait.backoff, &other.backoff) {
        changed.wait.backoff = other.backoff.clone();
    }
    (changed.wait.cap_ms, changed.wait.cap_order) = (other.cap_ms, other.cap_order);
    (changed.wait.floor_ms, changed.wait.rounding) = (other.floor_ms, other.rounding);
    changed.first_wait_ms = written.first_wait_ms;
    difference(&changed, written).is_none()
}

fn order(policy: &Policy) -> &'static str {
    match policy.wait.cap_order {
        _ if policy.wait.cap_ms.is_none() || policy.wait.jitter.is_none() => "",
        CapOrder::BeforeJitter => " before the jitter",
        CapOrder::AfterJitter => " after the jitter",
        CapOrder::Both => " before and after the jitter",
        CapOrder::Redraw => " by a fresh draw",
        CapOrder::Ceiling => " on the range that is drawn from",
    }
}

fn jitter(jitter: Jitter) -> String {
    let shares = |below: f64, above: f64| match (below, above) {
        (below, above) if below == above => format!("±{}", percent(above)),
        (0.0, above) => format!("up to {} more", percent(above)),
        (below, 0.0) => format!("up to {} less", percent(below)),
        (below, above) => format!("−{} to +{}", percent(below), percent(above)),
    };
    match jitter {
        Jitter::None => "none".into(),
        Jitter::Full => "full".into(),
        Jitter::Equal => "equal".into(),
        Jitter::Decorrelated => "decorrelated".into(),
        Jitter::Telescoping => "Polly's decorrelated".into(),
        Jitter::Proportional { below, above } => shares(below, above),
        Jitter::Additive { min_ms, max_ms } => format!("{} to {} added", short(min_ms).text, short(max_ms).text),
        Jitter::From { min_ms } => format!("from {} to the delay", short(min_ms).text),
        Jitter::Poisson { below, above } => format!("that of a Poisson process, {}", shares(below, above)),
        Jitter::Unknown { below, above } => format!("of an unpublished law, {}", shares(below, above)),
    }
}

fn limit(deadline: Option<Deadline>) -> String {
    let Some(Deadline { limit_ms, overrun, clock }) = deadline else { return "none".into() };
    let then = match overrun {
        Overrun::Refuse => "no wait that would end after it",
        Overrun::Allow => "the wait that ends after it is slept whole",
        Overrun::Shorten => "the wait that would end after it is cut",
    };
    let counted = match clock {
        Clock::Elapsed => "",
        Clock::FirstFailure => ", counted from the first failure",
        Clock::Waits => ", waits alone counted",
    };
    format!("{} ({then}{counted})", short(limit_ms).text)
}

fn ranged(range: &Range) -> String {
    let (min, max) = (short(range.min_ms).text, short(range.max_ms).text);
    if min == max { min } else { format!("{min} to {max}") }
}

/// Whether two laws are one, however they are cut into pieces: as much lies above each end of a piece and its middle.
fn same_law(a: &Law, b: &Law) -> bool {
    let unknown = |law: &Law| law.pieces.iter().any(|piece| piece.shape == Shape::Unknown);
    let above = |law: &Law, ms: f64| law.clone().capped(ms).share_at(ms);
    let as_much = |ms: f64| {
        // Beside the end, not at it, where what is on it could count or not.
        let beside = 1e-7 * (1.0 + ms.abs());
        [ms - beside, ms + beside].into_iter().all(|ms| close(above(a, ms), above(b, ms)))
    };
    let places = |p: &Piece| [p.min_ms, p.min_ms + (p.max_ms - p.min_ms) / 2.0, p.max_ms].into_iter().all(as_much);
    a == b || unknown(a) == unknown(b) && a.pieces.iter().chain(&b.pieces).filter(|p| p.weight > 1e-12).all(places)
}

fn both(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => close(a, b),
        (a, b) => a.is_none() && b.is_none(),
    }
}

/// Equal but for the rounding of the arithmetic.
fn close(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()))
}
