//! Google Cloud Tasks: the retry configuration of a queue.

use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Crumb, Form, Item};
use crate::policy::{After, Backoff, Policy, Wait};

/// The v2 API.
pub static LIBRARY: Library = Library {
    id: "gcp-cloud-tasks",
    title: "Google Cloud Tasks",
    ecosystem: "Google Cloud",
    version: "v2 API, 2026",
    source: "the reference of RetryConfig, with its worked example",
    counts: "calls, the first included (maxAttempts); -1 without bound",
    formula: "minBackoff doubled maxDoublings times, then growing by 2^maxDoublings * minBackoff, up to maxBackoff",
    words: &[
        "max-doublings",
        "maxDoublings",
        "max_doublings",
        "minBackoff",
        "maxBackoff",
        "google_cloud_tasks_queue",
        "min-backoff",
        "retryConfig",
        "task_retry_limit",
        "maxRetryDuration",
        "taskspb.RetryConfig",
        "cloudtaskspb.RetryConfig",
    ],
    settings: &[
        Setting::number("maxAttempts|max_attempts|MaxAttempts", "retries", "100"),
        Setting::duration("minBackoff|min_backoff|MinBackoff", "baseMs", "0.1s").units(SECONDS),
        Setting::duration("maxBackoff|max_backoff|MaxBackoff", "capMs", "3600s").units(SECONDS),
        Setting::count("maxDoublings|max_doublings|MaxDoublings", "factor", "16"),
        Setting::duration("maxRetryDuration|max_retry_duration|MaxRetryDuration", "", "0s").units(SECONDS),
        Setting::number("maxAttempts|--max-attempts", "retries", "100").of("gcloud"),
        Setting::duration("minBackoff|--min-backoff", "baseMs", "0.1s").of("gcloud"),
        Setting::duration("maxBackoff|--max-backoff", "capMs", "3600s").of("gcloud"),
        Setting::count("maxDoublings|--max-doublings", "factor", "16").of("gcloud"),
        Setting::duration("maxRetryDuration|--max-retry-duration", "", "0s").of("gcloud"),
        Setting::number("maxAttempts", "retries", "100").of("firebase"),
        Setting::time("minBackoffSeconds", "baseMs", Unit::Second, "0.1").of("firebase"),
        Setting::time("maxBackoffSeconds", "capMs", Unit::Second, "3600").of("firebase"),
        Setting::count("maxDoublings", "factor", "16").of("firebase"),
        Setting::time("maxRetrySeconds", "", Unit::Second, "0").of("firebase"),
        Setting::number("task_retry_limit", "retries", "").of("queue.yaml"),
        Setting::time("min_backoff_seconds", "baseMs", Unit::Second, "0.1").of("queue.yaml"),
        Setting::time("max_backoff_seconds", "capMs", Unit::Second, "3600").of("queue.yaml"),
        Setting::count("max_doublings", "factor", "16").of("queue.yaml"),
        Setting::other("task_age_limit").of("queue.yaml"),
    ],
    notes: &[
        "maxAttempts counts calls.",
        "After the doublings the waits grow by the same amount each time.",
        "Retries stop only when maxAttempts and maxRetryDuration are both used up, so the latter is no deadline.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "{\n  \"retryConfig\": {\n    \"maxAttempts\": «calls|-1»,\n    \"minBackoff\": \"«start:pb»\",\n    \"maxBackoff\": \"«cap:pb|86400s»\",\n    \"maxDoublings\": 16\n  }\n}\n",
        "{\n  \"retryConfig\": {\n    \"maxAttempts\": «calls|-1»,\n    \"minBackoff\": \"«start:pb»\",\n    \"maxBackoff\": \"«cap:pb|86400s»\",\n    \"maxDoublings\": 0\n  }\n}\n",
        "{\n  \"retryConfig\": {\n    \"maxAttempts\": «calls|-1»,\n    \"minBackoff\": \"«start:pb»\",\n    \"maxBackoff\": \"«cap:pb|86400s»\",\n    \"maxDoublings\": 1\n  }\n}\n",
        "{\n  \"retryConfig\": {\n    \"maxAttempts\": «calls|-1»,\n    \"minBackoff\": \"«start:pb»\",\n    \"maxBackoff\": \"«cap:pb|86400s»\",\n    \"maxDoublings\": 2\n  }\n}\n",
        "{\n  \"retryConfig\": {\n    \"maxAttempts\": «calls|-1»,\n    \"minBackoff\": \"«start:pb»\",\n    \"maxBackoff\": \"«cap:pb|86400s»\",\n    \"maxDoublings\": 3\n  }\n}\n",
        "{\n  \"retryConfig\": {\n    \"maxAttempts\": «calls|-1»,\n    \"minBackoff\": \"«start:pb»\",\n    \"maxBackoff\": \"«cap:pb|86400s»\",\n    \"maxDoublings\": 4\n  }\n}\n",
        "{\n  \"retryConfig\": {\n    \"maxAttempts\": «calls|-1»,\n    \"minBackoff\": \"«start:pb»\",\n    \"maxBackoff\": \"«cap:pb|86400s»\",\n    \"maxDoublings\": 5\n  }\n}\n",
        "{\n  \"retryConfig\": {\n    \"maxAttempts\": «calls|-1»,\n    \"minBackoff\": \"«start:pb»\",\n    \"maxBackoff\": \"«cap:pb|86400s»\",\n    \"maxDoublings\": 6\n  }\n}\n",
        "{\n  \"retryConfig\": {\n    \"maxAttempts\": «calls|-1»,\n    \"minBackoff\": \"«start:pb»\",\n    \"maxBackoff\": \"«cap:pb|86400s»\",\n    \"maxDoublings\": 7\n  }\n}\n",
    ],
    examples: &[
        Example {
            text: "{ \"retryConfig\": { \"maxAttempts\": 5, \"minBackoff\": \"2s\", \"maxBackoff\": \"10s\", \"maxDoublings\": 1 } }\n",
            waits: &[(2.0, 2.0), (4.0, 4.0), (8.0, 8.0), (10.0, 10.0)],
        },
        Example {
            text: "gcloud tasks queues create mail --max-attempts=3 --min-backoff=5s --max-backoff=60s --max-doublings=2\n",
            waits: &[(5.0, 5.0), (10.0, 10.0)],
        },
    ],
};

const SECONDS: &[&str] = &["s"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let own = [
        "maxDoublings",
        "minBackoff",
        "max_doublings",
        "min_backoff",
        "--max-doublings",
        "--min-backoff",
        "maxBackoff",
    ];
    let named = scan.says("google_cloud_tasks_queue") || scan.says("tasks queues") || scan.says("retryConfig");
    let mut blocks: Vec<Block<'d>> = Vec::new();
    for item in scan.items.iter().copied() {
        let keys = own.iter().filter(|key| item.get(key).is_some()).count();
        let scheduler = item.get("retryCount").is_some() || item.get("minBackoffDuration").is_some();
        let scheduler = scheduler || item.head.text.starts_with("gcloud scheduler");
        let prometheus = item.place.iter().any(|c| matches!(c, Crumb::Key(key) if key == "remoteWrite"));
        let yaml = item.get("task_retry_limit").is_some() || item.get("min_backoff_seconds").is_some();
        let firebase = ["minBackoffSeconds", "maxBackoffSeconds"].iter().any(|key| item.get(key).is_some());
        let count = named && keys == 0 && scan.says("retryConfig") && item.get("maxAttempts").is_some();
        // The Go client's `RetryConfig` is recognised by its package alone: gRPC and others have the same fields.
        if item.is_any(&["taskspb.RetryConfig", "cloudtaskspb.RetryConfig"]) {
            blocks.push(Block::new(item, Certainty::Certain));
        } else if firebase && !scheduler && named {
            blocks.push(Block::new(item, Certainty::Certain).variant("firebase"));
        } else if yaml {
            blocks.push(Block::new(item, Certainty::Certain).variant("queue.yaml"));
        } else if !scheduler && !prometheus && (keys >= 2 || (named && keys > 0) || count) {
            blocks.push(Block::new(item, if named { Certainty::Certain } else { Certainty::Likely }));
        }
    }
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item: &Item = take.block.item;
    let yaml = take.block.variant == "queue.yaml";
    let firebase = take.block.variant == "firebase";
    let group = match (yaml, item.form) {
        (true, _) => "queue.yaml",
        _ if firebase => "firebase",
        // The command takes minutes and hours too, the API seconds alone.
        (false, Form::Command) => "gcloud",
        (false, _) => "",
    };
    let mut args = take.of(item, group);
    let (count, base, cap, doublings) = match yaml {
        true => ("task_retry_limit", "min_backoff_seconds", "max_backoff_seconds", "max_doublings"),
        false if firebase => ("maxAttempts", "minBackoffSeconds", "maxBackoffSeconds", "maxDoublings"),
        false => ("maxAttempts", "minBackoff", "maxBackoff", "maxDoublings"),
    };
    if matches!(item.form, Form::Map | Form::Section) && group.is_empty() {
        args.unknown_names("a field of retryConfig", "the API refuses it");
    }
    let number = args.number(count);
    if let Some(value) = args.value(count).filter(|_| number.is_some_and(|n| n < -1.0 || n == 0.0 && !yaml)) {
        args.take.refuse(count, value, "must be at least 1, or -1 without bound");
    }
    // App Engine's task_retry_limit counts retries.
    let retries = number.filter(|n| *n >= 0.0).map(|n| if yaml { n as u64 } else { (n as u64).saturating_sub(1) });
    let base_ms = args.time(base).unwrap_or(100.0);
    let cap_ms = args.time(cap);
    let doublings = args.count(doublings).unwrap_or(16);
    note_both(&mut args, yaml || firebase);
    Policy::new(Wait::new(doubling_then_linear(base_ms, doublings)).cap(cap_ms), retries)
}

fn note_both(args: &mut Args, apart: bool) {
    if !apart && let Some(value) = args.value("maxRetryDuration") {
        let message = "Retries go on until maxAttempts and maxRetryDuration are both used up; neither alone ends them.";
        args.take.note("both-limits", value.span, message);
    }
}

/// `base * 2^(k-1)` for the doublings, then steps of `2^doublings * base`; listed as far as any cap reaches.
pub(super) fn doubling_then_linear(base_ms: f64, doublings: u64) -> Backoff {
    let top = base_ms * libm::pow(2f64, doublings.min(60) as f64);
    if doublings == 0 {
        return Backoff::Linear { base_ms, increment_ms: base_ms };
    }
    let delay = |k: u64| match k <= doublings + 1 {
        true => base_ms * libm::pow(2f64, (k - 1) as f64),
        false => top * (k - doublings) as f64,
    };
    let delays_ms = (1..=doublings.min(60) + 2_000).map(delay).collect();
    Backoff::List { delays_ms, after: After::RepeatLast }
}
