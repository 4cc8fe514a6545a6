//! Hints of a service: their reading, and what they make of a policy and of a fleet.

use backoff::fleet::{FleetSpec, fleet};
use backoff::policy::{Backoff, Jitter, Policy, Wait};
use backoff::retry_after::{Hint, RetryAfter, heeded, parse, spread_out};
use backoff::schedule::schedule;

/// 2026-01-01 00:00 UTC.
const NOW: f64 = 1_767_225_600_000.0;

fn wait(text: &str) -> f64 {
    parse(text, NOW).unwrap_or_else(|problem| panic!("{text}: {problem}")).wait_ms(NOW)
}

#[test]
fn seconds_and_durations() {
    assert_eq!(wait("120"), 120_000.0);
    assert_eq!(wait("  Retry-After:  120 "), 120_000.0);
    assert_eq!(wait("retry-after: 0"), 0.0);
    assert_eq!(wait("2m59.56s"), 179_560.0);
    assert_eq!(wait("1h0m0s"), 3_600_000.0);
    assert_eq!(wait("1.5"), 1500.0);
    assert_eq!(wait("500ms"), 500.0);
}

#[test]
fn the_three_forms_of_a_date() {
    // The examples of RFC 9110: 784111777 s since 1970 (`date -u -d '1994-11-06 08:49:37' +%s`).
    let at = Hint::At { unix_ms: 784_111_777_000.0 };
    assert_eq!(parse("Sun, 06 Nov 1994 08:49:37 GMT", NOW), Ok(at));
    assert_eq!(parse("Sunday, 06-Nov-94 08:49:37 GMT", NOW), Ok(at));
    assert_eq!(parse("Sun Nov  6 08:49:37 1994", NOW), Ok(at));
    assert_eq!(parse("Retry-After: Sun, 06 Nov 1994 08:49:37 GMT", NOW), Ok(at));
    assert_eq!(at.wait_ms(NOW), 0.0, "it has passed");
    assert_eq!(wait("Thu, 01 Jan 2026 00:01:30 GMT"), 90_000.0);
    // A leap day, and a year of two digits that is not long ago but soon.
    assert_eq!(wait("Tue, 29 Feb 2028 00:00:00 GMT"), (365.0 + 365.0 + 59.0) * 86_400_000.0);
    assert_eq!(wait("Friday, 01-Jan-27 00:00:00 GMT"), 365.0 * 86_400_000.0);
}

#[test]
fn what_is_no_hint_is_refused_with_a_word() {
    let none = [
        "",
        "soon",
        "-5",
        "12 parsecs",
        "Retry-After:",
        "Sun, 31 Feb 2026 08:49:37 GMT",
        "Sun, 06 Nov 1994 25:00:00 GMT",
        "Sun, 06 Nov 1994 08:49:37 CET",
        "NaN",
        "inf",
        "Sun, 06 Nov 99999999999999999999 08:49:37 GMT",
        "é, 1 é 1 1 GMT",
        "Infinity",
        "Sun Nov 6 08:49:37 -1994",
        "1e400",
    ];
    for text in none {
        assert!(parse(text, NOW).is_err_and(|message| message.ends_with('.')), "{text}");
    }
    assert!(parse("12 parsecs", NOW).unwrap_err().contains("parsecs"));
}

/// Full jitter of 1 s, 2 s and 4 s.
fn policy() -> Policy {
    Policy::new(Wait::new(Backoff::Exponential { base_ms: 1000.0, factor: 2.0 }).jitter(Jitter::Full), 3)
}

fn ranges(treatment: RetryAfter, hint_ms: f64) -> Vec<(f64, f64)> {
    let heeded = heeded(&policy(), treatment, hint_ms).unwrap();
    schedule(&heeded, 10).waits.iter().map(|wait| (wait.min_ms, wait.max_ms.unwrap())).collect()
}

#[test]
fn what_a_hint_makes_of_the_waits() {
    let own = [(0.0, 1000.0), (0.0, 2000.0), (0.0, 4000.0)];
    assert_eq!(ranges(RetryAfter::Ignored, 3000.0), own);
    assert_eq!(ranges(RetryAfter::Replaces { limit_ms: None }, 3000.0), [(3000.0, 3000.0); 3]);
    assert_eq!(ranges(RetryAfter::Replaces { limit_ms: Some(500.0) }, 3000.0), [(500.0, 500.0); 3]);
    assert_eq!(ranges(RetryAfter::ReplacesOrStops { limit_ms: 5000.0 }, 3000.0), [(3000.0, 3000.0); 3]);
    assert_eq!(ranges(RetryAfter::ReplacesOrStops { limit_ms: 500.0 }, 3000.0), []);
    assert_eq!(ranges(RetryAfter::Stops, 3000.0), []);
    assert_eq!(ranges(RetryAfter::Floors, 3000.0), [(3000.0, 3000.0), (3000.0, 3000.0), (3000.0, 4000.0)]);
    // By at most 1.5 s: of U[0, 4 s] the part under 1.5 s moves up to 3 s, the next 1.5 s become 3 s, the rest stays.
    assert_eq!(
        ranges(RetryAfter::Raises { by_ms: 1500.0 }, 3000.0),
        [(1500.0, 2500.0), (1500.0, 3000.0), (1500.0, 4000.0)]
    );
    let raised = heeded(&policy(), RetryAfter::Raises { by_ms: 1500.0 }, 3000.0).unwrap();
    let third = &schedule(&raised, 10).waits[2];
    // (1.5 s * 2.25 s + 1.5 s * 3 s + 1 s * 3.5 s) / 4 s
    assert!((third.mean_ms.unwrap() - 2843.75).abs() < 1e-9);
    let fixed = Policy::new(Wait::new(Backoff::Constant { delay_ms: 1000.0 }), 1);
    for (hint_ms, wait_ms) in [(500.0, 1000.0), (1000.0, 1000.0), (2000.0, 2000.0), (2500.0, 2500.0), (9000.0, 2500.0)]
    {
        let raised = heeded(&fixed, RetryAfter::Raises { by_ms: 1500.0 }, hint_ms).unwrap();
        assert_eq!(schedule(&raised, 1).waits[0].max_ms, Some(wait_ms), "{hint_ms}");
    }
}

#[test]
fn the_same_hint_brings_all_back_at_once_and_jitter_parts_them() {
    let spec = FleetSpec::new(400, 4000.0, 60_000.0);
    let together = heeded(&policy(), RetryAfter::Replaces { limit_ms: None }, 30_000.0).unwrap();
    let rates = |policy: &Policy| fleet(policy, &spec).unwrap().rounds[0].rate_per_s.unwrap();
    // 400 callers in 50 ms, whatever the jitter of the policy was; in 10 s when as much is added.
    assert_eq!(rates(&policy()), 400.0);
    assert_eq!(rates(&together), 8000.0);
    let apart = fleet(&spread_out(&together, 10_000.0), &spec).unwrap();
    assert_eq!(
        (apart.rounds[0].rate_per_s, apart.rounds[0].fits, apart.rounds[0].same_wait),
        (Some(40.0), true, Some(0.0))
    );
    assert_eq!(apart.arrivals.iter().find(|bin| bin.per_s > 0.0).map(|bin| bin.at_ms), Some(30_000.0));
}
