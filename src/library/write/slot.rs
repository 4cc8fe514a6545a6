//! What a policy says under the names that templates use.

use crate::library::neutral;
use crate::policy::{Backoff, Jitter, Overrun, Policy, Walk};

/// The longest list that is written.
const LONGEST: usize = 100;

/// What a policy says under a name.
pub(super) enum Said {
    /// Words as they are.
    Text(String),
    /// Numbers, of which times are in ms; one unless it is a list.
    Numbers(Vec<f64>),
}

/// What the policy says under a name, or under names and numbers joined by `*`, `/`, `+` and `-`, which are worked out
/// from left to right; `None` where it says nothing of the kind.
pub(super) fn value(name: &str, policy: &Policy) -> Option<Said> {
    let flag = |is: bool| is.then(|| Said::Text(String::new()));
    let wait = &policy.wait;
    match name {
        "notation" => Some(Said::Text(neutral::notation(policy))),
        "delays" => delays(policy).map(Said::Numbers),
        "list" => match &wait.backoff {
            Backoff::List { delays_ms, .. } if delays_ms.len() <= LONGEST => Some(Said::Numbers(delays_ms.clone())),
            _ => None,
        },
        "full" => flag(wait.jitter == Jitter::Full),
        "equal" => flag(wait.jitter == Jitter::Equal),
        "decorrelated" => flag(wait.jitter == Jitter::Decorrelated),
        "random" => flag(!wait.is_fixed()),
        "unlimited" => flag(policy.retries.is_none()),
        "single" => flag(policy.retries == Some(0)),
        _ => computed(name, policy).map(|number| Said::Numbers(vec![number])),
    }
}

fn computed(name: &str, policy: &Policy) -> Option<f64> {
    let Some(at) = name.rfind(['*', '/', '+', '-']) else {
        return name.parse().ok().or_else(|| number(name, policy));
    };
    let (left, right) = (computed(&name[..at], policy)?, computed(&name[at + 1..], policy)?);
    let result = match name.as_bytes()[at] {
        b'*' => left * right,
        b'/' => left / right,
        b'+' => left + right,
        _ => left - right,
    };
    result.is_finite().then_some(result)
}

fn number(name: &str, policy: &Policy) -> Option<f64> {
    let wait = &policy.wait;
    let (below, above) = match wait.jitter {
        Jitter::Proportional { below, above } => (Some(below), Some(above)),
        Jitter::None => (Some(0.0), Some(0.0)),
        Jitter::Full => (Some(1.0), Some(0.0)),
        Jitter::Equal => (Some(0.5), Some(0.0)),
        _ => (None, None),
    };
    let added = match wait.jitter {
        Jitter::Additive { min_ms, max_ms } => Some((min_ms, max_ms)),
        Jitter::None => Some((0.0, 0.0)),
        _ => None,
    };
    let deadline = |overrun| policy.deadline.filter(|d| d.overrun == overrun).map(|d| d.limit_ms);
    let backoff = &wait.backoff;
    match name {
        "base" => match *backoff {
            Backoff::Exponential { base_ms, .. } | Backoff::Linear { base_ms, .. } => Some(base_ms),
            Backoff::Polynomial { base_ms, .. } | Backoff::Fibonacci { base_ms } => Some(base_ms),
            _ => constant(policy),
        },
        "delay" => constant(policy),
        "factor" => match *backoff {
            Backoff::Exponential { factor, .. } => Some(factor),
            _ => constant(policy).map(|_| 1.0),
        },
        "increment" => match *backoff {
            Backoff::Linear { increment_ms, .. } => Some(increment_ms),
            _ => constant(policy).map(|_| 0.0),
        },
        "power" => match *backoff {
            Backoff::Polynomial { power, .. } => Some(power),
            _ => constant(policy).map(|_| 0.0),
        },
        "fibonacci" => match *backoff {
            Backoff::Fibonacci { base_ms } => Some(base_ms),
            _ => None,
        },
        "cap" => wait.cap_ms,
        "floor" => wait.floor_ms,
        "below" => below,
        "above" => above,
        "least" => added.map(|a| a.0),
        "most" => added.map(|a| a.1),
        "from" => match wait.jitter {
            Jitter::From { min_ms } => Some(min_ms),
            _ => None,
        },
        "poisson" => match wait.jitter {
            Jitter::Poisson { above, .. } => Some(above),
            Jitter::None => Some(0.0),
            _ => None,
        },
        "start" => (!matches!(backoff, Backoff::Table { .. })).then(|| backoff.delay_ms(1)),
        "first" => policy.first_wait_ms,
        "initial" => policy.initial_delay_ms,
        "retries" => policy.retries.map(|n| n as f64),
        "calls" => policy.calls().map(|n| n as f64),
        "timeout" => policy.attempt_timeout_ms,
        "deadline" => policy.deadline.map(|d| d.limit_ms),
        "refuse" => deadline(Overrun::Refuse),
        "allow" => deadline(Overrun::Allow),
        "shorten" => deadline(Overrun::Shorten),
        _ => None,
    }
}

/// The delay of a curve that does not grow, ms.
fn constant(policy: &Policy) -> Option<f64> {
    match policy.wait.backoff {
        Backoff::Constant { delay_ms } => Some(delay_ms),
        Backoff::Exponential { base_ms, factor } if factor == 1.0 || base_ms == 0.0 => Some(base_ms),
        Backoff::Linear { base_ms, increment_ms: 0.0 } => Some(base_ms),
        Backoff::Table { .. } => None,
        // With no or one wait nothing grows.
        ref backoff => (policy.retries.is_some_and(|n| n < 2)).then(|| backoff.delay_ms(1)),
    }
}

/// Every wait, ms, where chance plays no part and they are few.
fn delays(policy: &Policy) -> Option<Vec<f64>> {
    let count = policy.retries.filter(|n| (1..=LONGEST as u64).contains(n))?;
    let waits: Vec<f64> = Walk::new(policy).take_while(|w| w.min_ms == w.max_ms).map(|w| w.max_ms).collect();
    (waits.len() as u64 == count).then_some(waits)
}
