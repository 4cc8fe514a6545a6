//! AWS Step Functions: the `Retry` field of a state in Amazon States Language.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::policy::{Backoff, Jitter, Policy, Wait};

/// The states language as of 2026.
pub static LIBRARY: Library = Library {
    id: "aws-step-functions",
    title: "AWS Step Functions",
    ecosystem: "AWS",
    version: "Amazon States Language, 2026",
    source: "the service's documentation of Retry; LocalStack's implementation of the language",
    counts: "retries (MaxAttempts); 0 means never",
    formula: "min(MaxDelaySeconds, IntervalSeconds * BackoffRate^(k-1))",
    words: &["ErrorEquals", "BackoffRate", "IntervalSeconds", "JitterStrategy", "MaxDelaySeconds"],
    settings: &[
        Setting::other("ErrorEquals"),
        Setting::other("Comment"),
        Setting::time("IntervalSeconds", "baseMs", Unit::Second, "1"),
        Setting::count("MaxAttempts", "retries", "3"),
        Setting::number("BackoffRate", "factor", "2"),
        Setting::time("MaxDelaySeconds", "capMs", Unit::Second, ""),
        Setting::other("JitterStrategy"),
    ],
    notes: &[
        "MaxAttempts counts retries, not calls.",
        "Several retriers of one state keep a count each.",
        "JitterStrategy FULL draws between 0 and the delay.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    find,
    read,
    write: &[
        "{\n  \"Call\": {\n    \"Type\": \"Task\",\n    \"Resource\": \"arn:aws:states:::lambda:invoke\",‹\n    \"TimeoutSeconds\": «timeout:S»,›\n    \"Retry\": [\n      {\n        \"ErrorEquals\": [\"States.ALL\"],\n        \"IntervalSeconds\": «base:S»,\n        \"MaxAttempts\": «retries|99999999»,\n        \"BackoffRate\": «factor»,‹\n        \"MaxDelaySeconds\": «cap:S»,›\n        \"JitterStrategy\": \"«full?FULL:NONE»\"\n      }\n    ],\n    \"End\": true\n  }\n}\n",
    ],
    examples: &[
        Example {
            text: "{\n  \"Charge\": {\n    \"Type\": \"Task\",\n    \"Retry\": [\n      {\n        \"ErrorEquals\": [\"States.TaskFailed\"],\n        \"IntervalSeconds\": 2,\n        \"MaxAttempts\": 4,\n        \"BackoffRate\": 2,\n        \"MaxDelaySeconds\": 10,\n        \"JitterStrategy\": \"FULL\"\n      }\n    ]\n  }\n}\n",
            waits: &[(0.0, 2.0), (0.0, 4.0), (0.0, 8.0), (0.0, 10.0)],
        },
        Example {
            text: "\"Retry\": [{ \"ErrorEquals\": [\"States.ALL\"] }]",
            waits: &[(1.0, 1.0), (2.0, 2.0), (4.0, 4.0)],
        },
    ],
};

/// The service's own limits.
const MAX_DELAY_S: f64 = 31_622_400.0;

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let retriers = scan.with_keys(&["ErrorEquals"]).filter(|item| item.get("Next").is_none());
    retriers.map(|item| Block::new(item, Certainty::Certain)).collect()
}

fn read(take: &mut Take) -> Policy {
    let mut args = take.main();
    let base_ms = args.time("IntervalSeconds").unwrap_or(1_000.0);
    let factor = args.number("BackoffRate").unwrap_or(2.0);
    let retries = args.count("MaxAttempts").unwrap_or(3);
    let cap_ms = args.time("MaxDelaySeconds");
    let jitter = match args.value("JitterStrategy").map(|v| (v, v.text().unwrap_or_default())) {
        None => {
            args.take.default("jitter", "NONE");
            Jitter::None
        }
        Some((value, "NONE" | "FULL")) => {
            args.take.origin("jitter", value.span);
            if value.text() == Some("FULL") { Jitter::Full } else { Jitter::None }
        }
        Some((value, _)) => {
            args.take.refuse("JitterStrategy", value, "must be FULL or NONE");
            Jitter::None
        }
    };
    if let Some(value) = args.value("BackoffRate").filter(|_| factor < 1.0) {
        args.take.refuse("BackoffRate", value, "must be at least 1");
    }
    if let Some(value) = args.value("IntervalSeconds").filter(|_| base_ms < 1_000.0) {
        args.take.refuse("IntervalSeconds", value, "must be at least 1");
    }
    if let (Some(value), Some(cap)) = (args.value("MaxDelaySeconds"), cap_ms) {
        if cap >= MAX_DELAY_S * 1_000.0 {
            args.take.refuse("MaxDelaySeconds", value, "must be less than 31622400");
        } else if cap <= base_ms {
            args.take.refuse("MaxDelaySeconds", value, "must be greater than IntervalSeconds");
        }
    }
    args.unknown_names("a field of a retrier", "the service refuses the definition");
    Policy::new(Wait::new(Backoff::Exponential { base_ms, factor }).cap(cap_ms).jitter(jitter), retries)
}
