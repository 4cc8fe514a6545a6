//! The law of the total wait against references computed elsewhere, in `reference/total_wait.json` (seconds).

mod references;

use backoff::distribution::{CallsShare, Method, Options, calls_made, total_wait};
use backoff::policy::check;
use references::{number, options, policy, sets};
use serde_json::Value;

const SHARES: [(&str, f64); 5] = [("p50", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99), ("p99.9", 0.999)];

/// What is wrong with a set: percentiles, mean, deviation and range, each beyond its tolerance.
fn faults(set: &Value, tolerance: f64) -> Vec<String> {
    let got = total_wait(&policy(&set["params"]), &options(&set["params"]));
    let reference = &set["reference"];
    let mut faults = Vec::new();
    let mut check = |name: &str, got: Option<f64>, tolerance: f64| {
        let (got, expected) = (got.unwrap_or(f64::NAN) / 1000.0, number(&reference[name]));
        let off = (got - expected).abs() / expected.abs().max(f64::MIN_POSITIVE);
        if !(off <= tolerance || got == expected) {
            faults.push(format!("{} {name}: {got} for {expected}, off by {off:.1e}", set["id"]));
        }
    };
    for (name, share) in SHARES {
        check(name, got.percentiles.iter().find(|q| q.p == share).map(|q| q.ms), tolerance);
    }
    check("min", got.min_ms, 1e-12);
    check("max", got.max_ms, 1e-12);
    check("mean", got.mean_ms, tolerance.max(1e-12));
    check("sd", got.sd_ms, tolerance.max(1e-12));
    faults
}

#[test]
fn independent_waits_meet_the_references() {
    let mut faults_found = Vec::new();
    let mut count = 0;
    for set in sets() {
        let params = &set["params"];
        if params["kind"] == "decorrelated" || params.get("deadline").is_some() {
            continue;
        }
        count += 1;
        let bound = number(&set["reference"]["error_bound_rel"]).max(1e-9);
        faults_found.extend(faults(&set, bound));
        let stated = total_wait(&policy(params), &options(params));
        assert_eq!(stated.method, Method::Exact);
        assert!(stated.error < 1e-8, "{}: says it is off by {}", set["id"], stated.error);
    }
    assert_eq!(count, 34);
    assert!(faults_found.is_empty(), "{}", faults_found.join("\n"));
}

#[test]
fn a_deadline_on_independent_waits_meets_the_references() {
    let mut faults_found = Vec::new();
    let mut count = 0;
    for set in sets().iter().filter(|set| set["params"].get("deadline").is_some()) {
        if set["params"]["kind"] == "decorrelated" {
            continue;
        }
        count += 1;
        faults_found.extend(faults(set, 1e-9));
        let got = total_wait(&policy(&set["params"]), &options(&set["params"]));
        for (index, p) in set["P_at_least_k_retries"].as_array().into_iter().flatten().enumerate() {
            let (k, expected) = (index as u64 + 1, number(p));
            let happens: f64 = got.calls.iter().filter(|c| c.calls > k).map(|c| c.p).sum();
            assert!((happens - expected).abs() < 1e-10, "{}: retry {k}: {happens} for {expected}", set["id"]);
        }
        let retries: f64 = got.calls.iter().map(|c| (c.calls - 1) as f64 * c.p).sum();
        assert!((retries - number(&set["mean_retries"])).abs() < 1e-9, "{}: {retries}", set["id"]);
    }
    assert_eq!(count, 6);
    assert!(faults_found.is_empty(), "{}", faults_found.join("\n"));
}

#[test]
fn decorrelated_waits_meet_the_references() {
    let mut faults_found = Vec::new();
    let mut count = 0;
    for set in sets().iter().filter(|set| set["params"]["kind"] == "decorrelated") {
        let got = total_wait(&policy(&set["params"]), &options(&set["params"]));
        let bound = number(&set["reference"]["error_bound_rel"]);
        let few = set["params"]["attempts"].as_u64().unwrap() < 20;
        let tolerance = match got.method {
            Method::Exact => bound.max(if few { 1e-5 } else { 1e-6 }),
            _ => bound + got.error,
        };
        count += 1;
        faults_found.extend(faults(set, tolerance));
    }
    assert_eq!(count, 19);
    assert!(faults_found.is_empty(), "{}", faults_found.join("\n"));
}

/// Waits in whole steps under a deadline: how many calls there are comes from the laws of the sums, the total is drawn.
#[test]
fn calls_under_a_deadline_are_those_that_are_drawn() {
    let curve = r#""backoff": { "kind": "exponential", "baseMs": 3000, "factor": 2 }, "capMs": 20000, "retries": 6"#;
    let rounded = [
        r#""jitter": "full", "rounding": { "unitMs": 1000, "mode": "draw", "of": "wait" }"#,
        r#""jitter": { "kind": "proportional", "below": 0, "above": 1 }, "capOrder": "after-jitter",
           "rounding": { "unitMs": 1, "mode": "nearest", "of": "wait" }"#,
        r#""jitter": { "kind": "proportional", "below": 0.5, "above": 0.5 },
           "rounding": { "unitMs": 1000, "mode": "ceil", "of": "wait" }"#,
    ];
    let (mut compared, options) = (0, Options { call_ms: 500.0, ..Options::default() });
    for (jitter, overrun) in rounded.iter().flat_map(|jitter| ["refuse", "allow", "shorten"].map(|o| (jitter, o))) {
        for limit_ms in [6_000, 21_000, 40_000] {
            let deadline = format!(r#""deadline": {{ "limitMs": {limit_ms}, "overrun": "{overrun}" }}"#);
            let policy = check::from_json(&format!("{{ {curve}, {jitter}, {deadline} }}")).expect("a policy");
            let (found, drawn) = (calls_made(&policy, &options), total_wait(&policy, &options));
            let draws = f64::from(drawn.draws.expect("the total of waits in steps is drawn"));
            for calls in 1..=7 {
                let share = |list: &[CallsShare]| list.iter().filter(|c| c.calls == calls).map(|c| c.p).sum::<f64>();
                let (p, drawn) = (share(&found), share(&drawn.calls));
                let off = 5.5 * (p * (1.0 - p) / draws).sqrt() + 1e-9;
                assert!((p - drawn).abs() <= off, "{jitter} {overrun} {limit_ms}: {calls} calls {p}, drawn {drawn}");
                compared += u32::from(p > 0.01 && p < 0.99);
            }
        }
    }
    assert!(compared > 30, "{compared}");
}
