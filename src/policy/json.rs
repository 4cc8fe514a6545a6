//! The types of this module out of JSON values. By hand: what serde makes of tagged and flattened shapes is several
//! times as much code as the rest of the policy, and the page carries every byte of it.
//!
//! `None` for a shape that is not theirs; `check.rs` says what is wrong with it.

use super::{
    After, Backoff, CapOrder, Clock, Deadline, Jitter, Law, Overrun, Phase, Piece, Policy, Rounded, Rounding,
    RoundingMode, Shape, Wait,
};
use serde_json::Value;

/// A policy.
pub fn policy(value: &Value) -> Option<Policy> {
    Some(Policy {
        wait: wait(value)?,
        plus: list(value, "plus", wait)?.unwrap_or_default(),
        phases: list(value, "phases", phase)?.unwrap_or_default(),
        first_wait_ms: maybe(value, "firstWaitMs"),
        initial_delay_ms: maybe(value, "initialDelayMs"),
        retries: count(value, "retries"),
        ends_with_wait: flag(value, "endsWithWait"),
        attempt_timeout_ms: maybe(value, "attemptTimeoutMs"),
        deadline: given(value, "deadline").and_then(deadline),
    })
}

/// One rule for waits.
pub fn wait(value: &Value) -> Option<Wait> {
    Some(Wait {
        backoff: backoff(value.get("backoff")?)?,
        jitter: given(value, "jitter").map_or(Some(Jitter::None), jitter)?,
        floor_ms: maybe(value, "floorMs"),
        cap_ms: maybe(value, "capMs"),
        cap_order: named(value, "capOrder", &CAP_ORDERS).unwrap_or_default(),
        rounding: given(value, "rounding").and_then(rounding),
        carry: flag(value, "carry"),
        skip: count(value, "skip").unwrap_or(0),
    })
}

/// Waits that come before the policy's own rule.
pub fn phase(value: &Value) -> Option<Phase> {
    Some(Phase { retries: count(value, "retries")?, wait: wait(value)? })
}

/// The law of one wait: a list of pieces.
pub fn law(value: &Value) -> Option<Law> {
    let pieces = value.as_array()?.iter().map(piece).collect::<Option<Vec<Piece>>>()?;
    (!pieces.is_empty()).then_some(Law { pieces })
}

/// A jitter: a name, or an object with a kind.
pub fn jitter(value: &Value) -> Option<Jitter> {
    let share = |name| number(value, name);
    let kind = value.get("kind").and_then(Value::as_str);
    Some(match value.as_str().or(kind)? {
        "none" => Jitter::None,
        "full" => Jitter::Full,
        "equal" => Jitter::Equal,
        "decorrelated" => Jitter::Decorrelated,
        "telescoping" => Jitter::Telescoping,
        "proportional" => Jitter::Proportional { below: share("below")?, above: share("above")? },
        "additive" => Jitter::Additive { min_ms: share("minMs")?, max_ms: share("maxMs")? },
        "from" => Jitter::From { min_ms: share("minMs")? },
        "poisson" => Jitter::Poisson { below: share("below")?, above: share("above")? },
        "unknown" => Jitter::Unknown { below: share("below")?, above: share("above")? },
        _ => return None,
    })
}

/// Whole units.
pub fn rounding(value: &Value) -> Option<Rounding> {
    const MODES: [(&str, RoundingMode); 4] = [
        ("floor", RoundingMode::Floor),
        ("ceil", RoundingMode::Ceil),
        ("nearest", RoundingMode::Nearest),
        ("draw", RoundingMode::Draw),
    ];
    const OF: [(&str, Rounded); 3] = [("wait", Rounded::Wait), ("capped", Rounded::Capped), ("delay", Rounded::Delay)];
    let of = named(value, "of", &OF).unwrap_or_default();
    Some(Rounding { unit_ms: number(value, "unitMs")?, mode: named(value, "mode", &MODES)?, of })
}

/// The entries of a list under a name; the outer `None` where one of them is not theirs.
pub fn list<T>(value: &Value, name: &str, entry: impl Fn(&Value) -> Option<T>) -> Option<Option<Vec<T>>> {
    match given(value, name) {
        None => Some(None),
        Some(entries) => entries.as_array()?.iter().map(entry).collect::<Option<Vec<T>>>().map(Some),
    }
}

/// Whether a name is true.
pub fn flag(value: &Value, name: &str) -> bool {
    value.get(name).and_then(Value::as_bool).unwrap_or(false)
}

/// The whole number under a name, exactly where it is written as one.
fn count(value: &Value, name: &str) -> Option<u64> {
    value.get(name).and_then(|value| value.as_u64().or_else(|| value.as_f64().map(|n| n as u64)))
}

/// The number under a name.
pub fn maybe(value: &Value, name: &str) -> Option<f64> {
    value.get(name).and_then(Value::as_f64)
}

const CAP_ORDERS: [(&str, CapOrder); 5] = [
    ("before-jitter", CapOrder::BeforeJitter),
    ("after-jitter", CapOrder::AfterJitter),
    ("both", CapOrder::Both),
    ("redraw", CapOrder::Redraw),
    ("ceiling", CapOrder::Ceiling),
];

fn given<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    value.get(name).filter(|value| !value.is_null())
}

fn number(value: &Value, name: &str) -> Option<f64> {
    maybe(value, name)
}

fn named<T: Copy>(value: &Value, name: &str, names: &[(&str, T)]) -> Option<T> {
    let said = value.get(name)?.as_str()?;
    names.iter().find(|(name, _)| *name == said).map(|(_, meaning)| *meaning)
}

fn backoff(value: &Value) -> Option<Backoff> {
    let ms = |name| number(value, name);
    let after = || named(value, "after", &[("repeat-last", After::RepeatLast), ("stop", After::Stop)]);
    Some(match value.get("kind")?.as_str()? {
        "exponential" => Backoff::Exponential { base_ms: ms("baseMs")?, factor: ms("factor")? },
        "constant" => Backoff::Constant { delay_ms: ms("delayMs")? },
        "linear" => Backoff::Linear { base_ms: ms("baseMs")?, increment_ms: ms("incrementMs")? },
        "polynomial" => Backoff::Polynomial { base_ms: ms("baseMs")?, power: ms("power")? },
        "fibonacci" => Backoff::Fibonacci { base_ms: ms("baseMs")? },
        "list" => Backoff::List { delays_ms: list(value, "delaysMs", Value::as_f64)??, after: after()? },
        "table" => Backoff::Table { waits: list(value, "waits", law)??, after: after()? },
        _ => return None,
    })
}

fn piece(value: &Value) -> Option<Piece> {
    let shape = match given(value, "shape") {
        None => Shape::Uniform,
        Some(shape) => match shape.get("kind")?.as_str()? {
            "uniform" => Shape::Uniform,
            "steps" => Shape::Steps { step_ms: number(shape, "stepMs")? },
            "exponential" => Shape::Exponential { rate: number(shape, "rate")? },
            "unknown" => Shape::Unknown,
            _ => return None,
        },
    };
    let weight = maybe(value, "weight").unwrap_or(1.0);
    Some(Piece { weight, min_ms: number(value, "minMs")?, max_ms: number(value, "maxMs")?, shape })
}

fn deadline(value: &Value) -> Option<Deadline> {
    const OVERRUNS: [(&str, Overrun); 3] =
        [("refuse", Overrun::Refuse), ("allow", Overrun::Allow), ("shorten", Overrun::Shorten)];
    const CLOCKS: [(&str, Clock); 3] =
        [("elapsed", Clock::Elapsed), ("first-failure", Clock::FirstFailure), ("waits", Clock::Waits)];
    let clock = named(value, "clock", &CLOCKS).unwrap_or_default();
    Some(Deadline { limit_ms: number(value, "limitMs")?, overrun: named(value, "overrun", &OVERRUNS)?, clock })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let wait = Wait::new(Backoff::Exponential { base_ms: 100.0, factor: 1.5 })
            .cap(5_000.0)
            .cap_order(CapOrder::Ceiling)
            .jitter(Jitter::Proportional { below: 0.25, above: 0.5 })
            .rounding(RoundingMode::Ceil, 2.0, Rounded::Capped);
        let mut whole = Policy::new(wait.clone(), 7);
        whole.plus = vec![Wait::new(Backoff::Table { waits: vec![Law::steps(1.0, 9.0, 2.0)], after: After::Stop })];
        whole.phases = vec![Phase { retries: 2, wait }];
        whole.deadline = Some(Deadline { limit_ms: 9e3, overrun: Overrun::Shorten, clock: Clock::Waits });
        whole.ends_with_wait = true;
        let value = serde_json::to_value(&whole).unwrap();
        assert_eq!(policy(&value), Some(whole));
        assert_eq!(jitter(&Value::from("equal")), Some(Jitter::Equal));
        assert_eq!(jitter(&Value::from("sideways")), None);
    }
}
