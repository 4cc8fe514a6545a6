//! Numbers and texts at which a fuzzer found something wrong, one of each kind.

mod sound;

use backoff::distribution::{Options, total_wait};
use backoff::library::{Choice, read, write};
use backoff::notation;
use backoff::policy::{Policy, check};
use backoff::schedule::schedule;
use sound::sound;

fn policy(json: &str) -> Policy {
    check::from_json(json).unwrap_or_else(|problems| panic!("{json}: {problems:?}"))
}

/// All of them end, and give numbers that agree with each other.
#[test]
fn extreme_policies_have_sound_schedules() {
    for json in [
        // Falls for ever, to numbers that have no more digits.
        r#"{ "backoff": { "kind": "exponential", "baseMs": 0.999999999, "factor": 0.999999999 } }"#,
        // As many kinks as values.
        r#"{ "backoff": { "kind": "exponential", "baseMs": 1, "factor": 1.000000001 }, "retries": 4294967296,
             "rounding": { "unitMs": 0.1, "mode": "floor", "of": "wait" } }"#,
        // Without an upper end.
        r#"{ "backoff": { "kind": "exponential", "baseMs": 1e300, "factor": 1e300 }, "retries": 9, "floorMs": 1,
             "jitter": "full" }"#,
        r#"{ "backoff": { "kind": "exponential", "baseMs": 0.1, "factor": 1 }, "floorMs": 0.1, "carry": true,
             "jitter": { "kind": "unknown", "below": 112, "above": 1e15 }, "retries": 50 }"#,
        // Below no time at all.
        r#"{ "backoff": { "kind": "fibonacci", "baseMs": 1000 }, "jitter": { "kind": "poisson", "below": 99.5, "above": 0 },
             "retries": 10 }"#,
        // Falls below no time.
        r#"{ "backoff": { "kind": "linear", "baseMs": 1.5, "incrementMs": -1e15 }, "carry": true, "jitter": "full",
             "retries": 6 }"#,
        // Grows beyond all units, and is of no size at all.
        r#"{ "backoff": { "kind": "exponential", "baseMs": 1e300, "factor": 10 }, "jitter": "full", "retries": 30,
             "rounding": { "unitMs": 1, "mode": "floor" } }"#,
        r#"{ "backoff": { "kind": "constant", "delayMs": 5e-324 }, "jitter": "decorrelated", "retries": 4 }"#,
        r#"{ "backoff": { "kind": "constant", "delayMs": 1e-300 }, "jitter": "decorrelated", "retries": 4 }"#,
        // Nothing is left of its growth.
        r#"{ "backoff": { "kind": "exponential", "baseMs": 3, "factor": 0 }, "jitter": "telescoping",
             "deadline": { "limitMs": 0, "overrun": "refuse" } }"#,
    ] {
        let policy = policy(json);
        sound(&policy, &schedule(&policy, 50));
        total_wait(&policy, &Options::default());
    }
}

/// What a text gives can be handed back, whatever its numbers and lists.
#[test]
fn extreme_texts_give_policies_that_are_accepted() {
    for text in [
        "class Job < ApplicationJob\n  retry_on StandardError, attempts: 18446744073709551615, wait: 5.seconds\nend\n",
        "class Job < ApplicationJob\n  retry_on StandardError, attempts: 10, wait: :polynomially_longer, jitter: 1e308\nend\n",
        "apiVersion: batch/v1\nkind: Job\nspec:\n  backoffLimit: 18446744073709551615\n",
        "from rq import Retry\npolicy = Retry(max=2, interval=[])\n",
        "ExponentialBackoffMaker::new(Duration::from_secs(20_000), Duration::MAX, 0.99, HasherRng::default())?",
        "FixedInterval::from_millis(1e320).map(jitter).take(3)\n",
        "retry.WithMaxRetries(6, retry.WithJitterPercent(5, retry.NewFibonacci(0 * time.Millisecond)))\n",
        "class Job implements ShouldQueue {\n  public $backoff = 30;\n  public function retryUntil(): DateTime {\n    return now()->addMinutes(-10);\n  }\n}\n",
        "let backoff = Backoff::new(2000, Duration::from_secs(1), None);\nfor pause in backoff {\n",
        "let backoff = Backoff::new(8, Duration::from_millis(inf), Duration::from_secs(9));\nfor pause in backoff {\n",
    ] {
        let readings = read(text, &Choice::default());
        assert!(!readings.is_empty(), "{text}");
        for policy in readings.iter().map(|reading| &reading.policy) {
            let json = serde_json::to_string(policy).unwrap();
            assert_eq!(check::from_json(&json).as_ref(), Ok(policy), "{text}");
            sound(policy, &schedule(policy, 50));
        }
    }
}

/// 20 000 s and as many whole seconds more as U × 0.99 × 20 000 has: 0 to 19 799 of them, each as likely.
#[test]
fn tower_draws_from_many_whole_seconds() {
    let text = "ExponentialBackoffMaker::new(Duration::from_secs(20_000), Duration::MAX, 0.99, HasherRng::default())?";
    let wait = &schedule(&read(text, &Choice::default())[0].policy, 1).waits[0];
    assert_eq!((wait.min_ms, wait.max_ms), (20_000e3, Some(39_799e3)));
    assert!((wait.mean_ms.unwrap() - (20_000e3 + 9_899.5e3)).abs() < 1e-3, "{wait:?}");
}

/// What is cut at 10 s and then rounded is what is rounded and then cut: nothing of it is lost in node-retry.
#[test]
fn one_law_in_other_pieces_is_no_loss() {
    let policy = policy(
        r#"{ "backoff": { "kind": "exponential", "baseMs": 1000, "factor": 2 }, "retries": 7, "capMs": 10000,
             "jitter": { "kind": "proportional", "below": 0, "above": 1 }, "capOrder": "after-jitter",
             "rounding": { "unitMs": 1, "mode": "nearest", "of": "capped" } }"#,
    );
    assert_eq!(write(&policy, "node-retry").losses.len(), 0);
}

/// Names of names of names … are copied as often as a text of this size can need, and no more.
#[test]
fn names_that_double_stay_small() {
    let line = "b = f(500*time.Millisecond, b)\n";
    let text =
        format!("b = f(4, \")b = g(5*time.Second, b)\n{}b = f(4,\n \")b = g(5*time.Second, b)\n", line.repeat(14));
    assert!(notation::read(&text).all().len() < 6_000);
    // Each of these was resolved twice wherever it stood.
    let text = format!("retries: [{}retries{}]\n", "i for i in range(".repeat(24), ")".repeat(24));
    assert!(notation::read(&text).all().len() < 6_000);
}
