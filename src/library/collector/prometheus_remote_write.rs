//! Prometheus: the queue of a remote write.

use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Item, Value};
use crate::policy::{Backoff, Phase, Policy, Wait};
use crate::retry_after::RetryAfter;

/// Prometheus 3.14.
pub static LIBRARY: Library = Library {
    id: "prometheus-remote-write",
    title: "Prometheus remote write",
    ecosystem: "collectors",
    version: "3.14.0 (d15adb9ad7, 2026-08)",
    source: "config/config.go DefaultQueueConfig, storage/remote/queue_manager.go sendWriteRequestWithBackoff",
    counts: "nothing: recoverable errors are retried for ever",
    formula: "min(max_backoff, min_backoff * 2^(k-1)), the first uncut",
    words: &["remote_write", "queue_config", "min_backoff", "max_backoff", "remoteWrite", "queueConfig"],
    settings: &[
        Setting::duration("min_backoff", "baseMs", "30ms").units(UNITS),
        Setting::duration("max_backoff", "capMs", "5s").units(UNITS),
        Setting::other("capacity"),
        Setting::other("max_shards"),
        Setting::other("min_shards"),
        Setting::other("max_samples_per_send"),
        Setting::other("batch_send_deadline"),
        Setting::other("retry_on_http_429"),
        Setting::other("sample_age_limit|retryOnRateLimit"),
        Setting::duration("remote_timeout", "attemptTimeoutMs", "30s").of("remote").units(UNITS),
    ],
    notes: &[
        "It never gives up on a recoverable error.",
        "The first wait is min_backoff even above max_backoff; since 3.12.0 that is refused.",
        "A Retry-After replaces a wait, and the next doubles from it.",
    ],
    releases: &["3.12 and later", "before 3.12"],
    error_classes: &[],
    relaxed_names: true,
    retry_after: Some((RetryAfter::Replaces { limit_ms: None }, "prometheus 3.14.0, storage/remote/queue_manager.go")),
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "remote_write:\n  - url: https://metrics.example.com/api/v1/push\n    queue_config:\n      min_backoff: 200ms\n      max_backoff: 500ms\n",
            waits: &[(0.2, 0.2), (0.4, 0.4), (0.5, 0.5)],
        },
        Example {
            text: "remote_write:\n  - url: http://a.example.com/push\n    remote_timeout: 5s\n",
            waits: &[(0.03, 0.03), (0.06, 0.06), (0.12, 0.12)],
        },
    ],
};

/// The units of Prometheus' durations.
const UNITS: &[&str] = &["ms", "s", "m", "h", "d", "w", "y"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks: Vec<Block<'d>> = Vec::new();
    for holder in scan.items.iter() {
        let Some(writes) = holder.get("remote_write").or(holder.get("remoteWrite")) else { continue };
        let entries = writes.list().map(|l| l.iter().collect()).unwrap_or_else(|| vec![writes]);
        for (at, entry) in entries.into_iter().enumerate() {
            let Some(write) = entry.item() else { continue };
            let queue = write.get("queue_config").or(write.get("queueConfig")).filter(|v| v.item().is_some());
            let block = match queue.and_then(|v| Some((v, v.item()?))) {
                Some((value, queue)) => Block::new(queue, Certainty::Certain).at(value.span),
                None => Block::new(write, Certainty::Certain).variant("default"),
            };
            blocks.push(block.with(write).label(format!("remote_write[{at}]")));
        }
    }
    if blocks.is_empty() {
        // Alone, or as a block in an endpoint of Alloy's.
        let backoffs = |i: &&Item| i.get("min_backoff").is_some() || i.get("max_backoff").is_some();
        let alone = scan.items.iter().filter_map(|i| i.get("queue_config")?.item());
        blocks.extend(alone.filter(backoffs).map(|item| Block::new(item, Certainty::Certain)));
        let endpoints: Vec<&Item> = scan.heads(&["endpoint"]).collect();
        for item in scan.heads(&["queue_config"]).filter(backoffs) {
            let block = Block::new(item, Certainty::Certain);
            let endpoint = endpoints.iter().find(|endpoint| endpoint.span.holds(item.span));
            blocks.push(endpoint.into_iter().fold(block, |block, endpoint| block.with(endpoint)));
        }
    }
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item: &Item = take.block.item;
    let wait = match take.block.variant {
        "default" => {
            take.note(
                "defaults",
                item.span,
                "No queue_config is written: for ever from 30 ms, doubling to 5 s, is the default.",
            );
            backoff(take.of_call(&[], item.span, ""))
        }
        _ => {
            let mut args = take.main();
            args.unknown_names("a key of queue_config", "Prometheus does not load the configuration");
            backoff(args)
        }
    };
    let mut policy = wait;
    if let Some(write) = take.block.others.first().copied() {
        policy.attempt_timeout_ms = take.of(write, "remote").time("remote_timeout");
    }
    policy
}

fn backoff(mut args: Args) -> Policy {
    let base_ms = args.time("min_backoff").unwrap_or(30.0);
    let cap_ms = args.time("max_backoff").unwrap_or(5_000.0);
    let old = args.take.release == "before 3.12";
    let place: Option<&Value> = args.value("max_backoff").or(args.value("min_backoff"));
    if let Some(value) = place.filter(|_| cap_ms < base_ms && !old) {
        args.take.refuse("max_backoff", value, "must not be less than min_backoff");
    }
    let wait = Wait::new(Backoff::Exponential { base_ms, factor: 2.0 });
    args.take.default("factor", "2");
    let mut policy = Policy::new(wait.clone().cap(cap_ms), None);
    if base_ms > cap_ms {
        policy.phases = vec![Phase { retries: 1, wait }];
    }
    policy
}
