//! Spring Cloud Stream: consumer properties of a binding.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Crumb, Item};
use crate::policy::{Backoff, Policy, Wait};

/// Spring Cloud Stream 5.
pub static LIBRARY: Library = Library {
    id: "spring-cloud-stream",
    title: "Spring Cloud Stream",
    ecosystem: "Java",
    version: "5.0.4-SNAPSHOT (472a0faec, 2026-08)",
    source: "ConsumerProperties.java, AbstractBinder.buildRetryTemplate",
    counts: "calls, the first included (maxAttempts)",
    formula: "min(backOffMaxInterval, backOffInitialInterval * backOffMultiplier^(k-1))",
    words: &[
        "spring.cloud.stream",
        "backOffInitialInterval",
        "backOffMultiplier",
        "back-off-initial-interval",
        "back-off-multiplier",
        "backOffMaxInterval",
        "back-off-max-interval",
        "bindings",
    ],
    settings: &[
        Setting::count("maxAttempts", "retries", "3"),
        Setting::time("backOffInitialInterval", "baseMs", Unit::Millisecond, "1000"),
        Setting::number("backOffMultiplier", "factor", "2"),
        Setting::time("backOffMaxInterval", "capMs", Unit::Millisecond, "10000"),
        Setting::other("defaultRetryable|retryableExceptions|retryTemplateName"),
    ],
    notes: &["maxAttempts counts the first try; 1 switches retries off.", "The cap is 10 s unless it is written."],
    releases: &[],
    error_classes: &[],
    relaxed_names: true,
    retry_after: None,
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "spring:\n  cloud:\n    stream:\n      bindings:\n        audit-in-0:\n          consumer:\n            max-attempts: 4\n            back-off-initial-interval: 2000\n            back-off-max-interval: 5000\n",
            waits: &[(2.0, 2.0), (4.0, 4.0), (5.0, 5.0)],
        },
        Example {
            text: "spring.cloud.stream.bindings.orders.consumer.maxAttempts=2\nspring.cloud.stream.bindings.orders.consumer.backOffInitialInterval=300\n",
            waits: &[(0.3, 0.3)],
        },
    ],
};

/// The keys around an item, dots split.
fn path(item: &Item) -> Vec<&str> {
    let keys = item.place.iter().filter_map(|crumb| match crumb {
        Crumb::Key(key) => Some(key.as_str()),
        Crumb::Index(_) => None,
    });
    keys.flat_map(|key| key.split('.')).collect()
}

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks: Vec<Block<'d>> = Vec::new();
    for item in scan.items.iter().copied() {
        let path = path(item);
        let binding = path.windows(3).position(|w| matches!(w, ["cloud", "stream", "bindings"]));
        if let Some(at) = binding
            && let [name, "consumer"] = path[at + 3..]
        {
            blocks.push(Block::new(item, Certainty::Certain).label(name));
        }
    }
    if blocks.is_empty() {
        let alone = scan.with_any_key(&["backOffInitialInterval", "back-off-initial-interval", "backOffMaxInterval"]);
        blocks.extend(alone.map(|item| Block::new(item, Certainty::Likely)));
    }
    blocks
}

fn read(take: &mut Take) -> Policy {
    let mut args = take.main();
    let set = ["maxAttempts", "backOffInitialInterval", "backOffMultiplier", "backOffMaxInterval"];
    if !set.iter().any(|name| args.has(name)) {
        let span = args.span;
        args.take.note("defaults", span, "No retry setting is written: 3 calls from 1 s, doubling, is the default.");
    }
    args.unknown_retry_names("a key of a binding's consumer", "it is ignored");
    let calls = args.count("maxAttempts").unwrap_or(3);
    if let Some(value) = args.value("maxAttempts").filter(|_| calls == 0) {
        args.take.refuse("maxAttempts", value, "must be at least 1");
    }
    let base_ms = args.time("backOffInitialInterval").unwrap_or(1_000.0);
    let factor = args.number("backOffMultiplier").unwrap_or(2.0);
    let cap_ms = args.time("backOffMaxInterval");
    if let Some(value) = args.value("maxAttempts").filter(|_| calls > 1) {
        let message = format!("maxAttempts counts the first try: {} waits.", calls - 1);
        args.take.note("counts-calls", value.span, message);
    }
    Policy::new(Wait::new(Backoff::Exponential { base_ms, factor }).cap(cap_ms), calls.saturating_sub(1))
}
