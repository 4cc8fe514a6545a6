//! The references of `reference/total_wait.json`, computed elsewhere (seconds).

use backoff::distribution::Options;
use backoff::policy::{Backoff, Clock, Deadline, Jitter, Overrun, Policy, Wait};
use serde_json::Value;

/// All of them.
pub fn sets() -> Vec<Value> {
    let file: Value = serde_json::from_str(include_str!("../reference/total_wait.json")).unwrap();
    file["sets"].as_array().unwrap().clone()
}

/// A number of a reference.
pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// The policy of a set, one of its seconds being one second.
pub fn policy(params: &Value) -> Policy {
    let ms = |name: &str| number(&params[name]) * 1000.0;
    let backoff = Backoff::Exponential { base_ms: ms("base"), factor: number(&params["factor"]) };
    let jitter = match params["kind"].as_str().unwrap() {
        "none" => Jitter::None,
        "full" => Jitter::Full,
        "equal" => Jitter::Equal,
        "decorrelated" => Jitter::Decorrelated,
        "proportional" => Jitter::Proportional { below: number(&params["r"]), above: number(&params["r"]) },
        "additive" => Jitter::Additive { min_ms: 0.0, max_ms: ms("j") },
        other => panic!("{other}"),
    };
    let mut policy = Policy::new(Wait::new(backoff).jitter(jitter).cap(ms("cap")), params["attempts"].as_u64());
    policy.deadline = params.get("deadline").map(|_| Deadline {
        limit_ms: ms("deadline"),
        overrun: Overrun::Refuse,
        clock: Clock::FirstFailure,
    });
    policy
}

/// Its time per call.
pub fn options(params: &Value) -> Options {
    Options { call_ms: params.get("call").map_or(0.0, |c| number(c) * 1000.0), within_ms: Vec::new() }
}
