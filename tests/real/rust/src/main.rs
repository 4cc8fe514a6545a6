//! Runs texts in the crates they are written for: one line of JSON, for each case its runs, each the waits in seconds.

use ::backoff::backoff::Backoff;
use retry_policies::{RetryDecision, RetryPolicy};
use std::time::{Duration, SystemTime};

mod cases {
    include!(concat!(env!("OUT_DIR"), "/cases.rs"));
}

/// The waits of the crate `backoff`; where nothing ends them, 12.
fn backoff(mut backoff: ::backoff::ExponentialBackoff) -> Vec<Duration> {
    let slept = || {
        let wait = backoff.next_backoff()?;
        // No time passes here: the start moves instead.
        backoff.start_time -= wait;
        Some(wait)
    };
    std::iter::from_fn(slept).take(13).collect()
}

/// The waits of a policy of the crate `retry-policies`.
fn policy(policy: impl RetryPolicy) -> Vec<Duration> {
    let start = SystemTime::now();
    let mut now = start;
    let mut waits = Vec::new();
    for retries in 0..13 {
        // The policy measures its wait from the clock at the moment it is asked.
        let before = SystemTime::now();
        match policy.should_retry(start - now.duration_since(start).unwrap_or_default(), retries) {
            RetryDecision::Retry { execute_after } => {
                let wait = execute_after.duration_since(before).unwrap_or_default();
                let wait = Duration::from_millis((wait.as_secs_f64() * 1e3).round() as u64);
                now += wait;
                waits.push(wait);
            }
            RetryDecision::DoNotRetry => break,
        }
    }
    waits
}

fn main() {
    let mut out = Vec::new();
    for (version, times, run) in cases::CASES {
        let runs: Vec<String> = (0..*times)
            .map(|_| {
                let waits: Vec<String> = run().iter().take(12).map(|wait| wait.as_secs_f64().to_string()).collect();
                format!("[{}]", waits.join(","))
            })
            .collect();
        out.push(format!("{{\"version\":\"{version}\",\"runs\":[{}]}}", runs.join(",")));
    }
    println!("[{}]", out.join(","));
}
