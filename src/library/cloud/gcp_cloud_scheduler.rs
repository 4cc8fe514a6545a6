//! Google Cloud Scheduler: the retry configuration of a job.

use super::gcp_cloud_tasks::doubling_then_linear;
use crate::duration::Unit;
use crate::library::near::slipped;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::Form;
use crate::policy::{Policy, Wait};

/// The v1 API.
pub static LIBRARY: Library = Library {
    id: "gcp-cloud-scheduler",
    title: "Google Cloud Scheduler",
    ecosystem: "Google Cloud",
    version: "v1 API, 2026",
    source: "the reference of RetryConfig",
    counts: "retries (retryCount), 0 to 5",
    formula: "minBackoffDuration doubled maxDoublings times, then growing by the same amount, up to maxBackoffDuration",
    words: &[
        "minBackoffDuration",
        "maxBackoffDuration",
        "retryCount",
        "min_backoff_duration",
        "retry_count",
        "retryConfig",
        "google_cloud_scheduler_job",
        "onSchedule",
        "max-retry-attempts",
    ],
    settings: &[
        Setting::count("retryCount|retry_count", "retries", "0"),
        Setting::duration("minBackoffDuration|min_backoff_duration", "baseMs", "5s").units(SECONDS),
        Setting::duration("maxBackoffDuration|max_backoff_duration", "capMs", "3600s").units(SECONDS),
        Setting::count("maxDoublings|max_doublings", "factor", "5"),
        Setting::duration("maxRetryDuration|max_retry_duration", "", "0s").units(SECONDS),
        Setting::count("retryCount|--max-retry-attempts", "retries", "0").of("gcloud"),
        Setting::duration("minBackoffDuration|--min-backoff", "baseMs", "5s").of("gcloud"),
        Setting::duration("maxBackoffDuration|--max-backoff", "capMs", "3600s").of("gcloud"),
        Setting::count("maxDoublings|--max-doublings", "factor", "5").of("gcloud"),
        Setting::duration("maxRetryDuration|--max-retry-duration", "", "0s").of("gcloud"),
        Setting::count("retryCount", "retries", "0").of("firebase"),
        Setting::time("minBackoffSeconds", "baseMs", Unit::Second, "5").of("firebase"),
        Setting::time("maxBackoffSeconds", "capMs", Unit::Second, "3600").of("firebase"),
        Setting::count("maxDoublings", "factor", "5").of("firebase"),
        Setting::time("maxRetrySeconds", "", Unit::Second, "0").of("firebase"),
        Setting::duration("attemptDeadline|--attempt-deadline", "attemptTimeoutMs", "").of("gcloud"),
        Setting::duration("attemptDeadline|attempt_deadline", "attemptTimeoutMs", "").of("job").units(SECONDS),
    ],
    notes: &[
        "retryCount is 0 unless written: a failed run waits for the next schedule.",
        "With both limits set, retries go on until both are reached.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "{‹\n  \"attemptDeadline\": \"«timeout:pb»\",›\n  \"retryConfig\": {\n    \"retryCount\": «retries»,\n    \"minBackoffDuration\": \"«start:pb»\",\n    \"maxBackoffDuration\": \"«cap:pb|86400s»\",\n    \"maxDoublings\": 16\n  }\n}\n",
        "{‹\n  \"attemptDeadline\": \"«timeout:pb»\",›\n  \"retryConfig\": {\n    \"retryCount\": «retries»,\n    \"minBackoffDuration\": \"«start:pb»\",\n    \"maxBackoffDuration\": \"«cap:pb|86400s»\",\n    \"maxDoublings\": 0\n  }\n}\n",
        "{‹\n  \"attemptDeadline\": \"«timeout:pb»\",›\n  \"retryConfig\": {\n    \"retryCount\": «retries»,\n    \"minBackoffDuration\": \"«start:pb»\",\n    \"maxBackoffDuration\": \"«cap:pb|86400s»\",\n    \"maxDoublings\": 1\n  }\n}\n",
        "{‹\n  \"attemptDeadline\": \"«timeout:pb»\",›\n  \"retryConfig\": {\n    \"retryCount\": «retries»,\n    \"minBackoffDuration\": \"«start:pb»\",\n    \"maxBackoffDuration\": \"«cap:pb|86400s»\",\n    \"maxDoublings\": 2\n  }\n}\n",
        "{‹\n  \"attemptDeadline\": \"«timeout:pb»\",›\n  \"retryConfig\": {\n    \"retryCount\": «retries»,\n    \"minBackoffDuration\": \"«start:pb»\",\n    \"maxBackoffDuration\": \"«cap:pb|86400s»\",\n    \"maxDoublings\": 3\n  }\n}\n",
        "{‹\n  \"attemptDeadline\": \"«timeout:pb»\",›\n  \"retryConfig\": {\n    \"retryCount\": «retries»,\n    \"minBackoffDuration\": \"«start:pb»\",\n    \"maxBackoffDuration\": \"«cap:pb|86400s»\",\n    \"maxDoublings\": 4\n  }\n}\n",
        "{‹\n  \"attemptDeadline\": \"«timeout:pb»\",›\n  \"retryConfig\": {\n    \"retryCount\": «retries»,\n    \"minBackoffDuration\": \"«start:pb»\",\n    \"maxBackoffDuration\": \"«cap:pb|86400s»\",\n    \"maxDoublings\": 5\n  }\n}\n",
        "{‹\n  \"attemptDeadline\": \"«timeout:pb»\",›\n  \"retryConfig\": {\n    \"retryCount\": «retries»,\n    \"minBackoffDuration\": \"«start:pb»\",\n    \"maxBackoffDuration\": \"«cap:pb|86400s»\",\n    \"maxDoublings\": 6\n  }\n}\n",
        "{‹\n  \"attemptDeadline\": \"«timeout:pb»\",›\n  \"retryConfig\": {\n    \"retryCount\": «retries»,\n    \"minBackoffDuration\": \"«start:pb»\",\n    \"maxBackoffDuration\": \"«cap:pb|86400s»\",\n    \"maxDoublings\": 7\n  }\n}\n",
    ],
    examples: &[
        Example {
            text: "{ \"schedule\": \"0 * * * *\", \"retryConfig\": { \"retryCount\": 3, \"minBackoffDuration\": \"4s\", \"maxDoublings\": 1 } }\n",
            waits: &[(4.0, 4.0), (8.0, 8.0), (16.0, 16.0)],
        },
        Example {
            text: "retryConfig:\n  retryCount: 2\n  maxBackoffDuration: 30s\n",
            waits: &[(5.0, 5.0), (10.0, 10.0)],
        },
    ],
};

const SECONDS: &[&str] = &["s"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let own = [
        "retryCount",
        "retry_count",
        "minBackoffDuration",
        "maxBackoffDuration",
        "min_backoff_duration",
        "max_backoff_duration",
    ];
    let mut blocks: Vec<Block<'d>> = Vec::new();
    for holder in scan.items.iter().copied() {
        let inner = holder.get("retryConfig").or(holder.get("retry_config")).and_then(|v| v.item());
        if let Some(inner) = inner.filter(|i| own.iter().any(|key| i.get(key).is_some())) {
            blocks.push(Block::new(inner, Certainty::Certain).with(holder));
        }
        // Firebase's `onSchedule({ schedule, retryCount, minBackoffSeconds })`
        if holder.get("schedule").is_some() && holder.get("retryCount").is_some() && scan.says("onSchedule") {
            blocks.push(Block::new(holder, Certainty::Certain).variant("firebase"));
        }
        const COUNT: &str = "--max-retry-attempts";
        if scan.says("scheduler jobs") && (holder.get(COUNT).is_some() || slipped(holder, &[COUNT])) {
            blocks.push(Block::new(holder, Certainty::Certain).with(holder));
        }
    }
    let section = scan.heads(&["retry_config"]).filter(|i| i.get("retry_count").is_some());
    blocks.extend(section.map(|item| Block::new(item, Certainty::Certain)));
    if blocks.is_empty() {
        let alone = scan.with_any_key(&own[2..]);
        blocks.extend(alone.map(|item| Block::new(item, Certainty::Certain)));
    }
    blocks
}

fn read(take: &mut Take) -> Policy {
    let command = take.block.item.form == Form::Command;
    // The command takes minutes and hours too, the API seconds alone.
    let item = take.block.item;
    let firebase = take.block.variant == "firebase";
    let mut args = take.of(item, if command { "gcloud" } else { take.block.variant });
    let retries = args.count("retryCount").unwrap_or(0);
    if let Some(value) = args.value("retryCount").filter(|_| retries > 5) {
        args.take.refuse("retryCount", value, "must be between 0 and 5");
    }
    let (base, cap) = match firebase {
        true => ("minBackoffSeconds", "maxBackoffSeconds"),
        false => ("minBackoffDuration", "maxBackoffDuration"),
    };
    let (base_ms, cap_ms) = (args.time(base).unwrap_or(5_000.0), args.time(cap));
    let doublings = args.count("maxDoublings").unwrap_or(5);
    if !command && !firebase {
        args.unknown_names("a field of retryConfig", "the API refuses it");
    }
    let mut policy = Policy::new(Wait::new(doubling_then_linear(base_ms, doublings)).cap(cap_ms), retries);
    if let Some(job) = take.block.others.first().copied() {
        policy.attempt_timeout_ms = take.of(job, if command { "gcloud" } else { "job" }).time("attemptDeadline");
    }
    policy
}
