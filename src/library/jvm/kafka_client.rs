//! Apache Kafka's Java clients: producer retries and reconnects, by property keys.

use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::Item;
use crate::policy::{Backoff, CapOrder, Clock, Deadline, Jitter, Overrun, Policy, Rounded, RoundingMode, Wait};

/// Kafka clients 4.
pub static LIBRARY: Library = Library {
    id: "kafka-client",
    title: "Apache Kafka client",
    ecosystem: "Java",
    version: "4.0.0-SNAPSHOT (1eb7644, 2024-10)",
    source: "ExponentialBackoff.java, CommonClientConfigs.java, ProducerConfig.java, ClusterConnectionStates.java",
    counts: "retries (retries); delivery.timeout.ms is the bound that acts",
    formula: "min(retry.backoff.max.ms, retry.backoff.ms * 2^(k-1) * U[0.8, 1.2])",
    words: &[
        "retry.backoff.ms",
        "reconnect.backoff.ms",
        "delivery.timeout.ms",
        "retry.backoff.max.ms",
        "reconnect.backoff.max.ms",
        "bootstrap.servers",
        "metadata.broker.list",
        "message.timeout.ms",
        "message.send.max.retries",
        "bootstrap-servers",
        "BOOTSTRAP_SERVERS_CONFIG",
        "BootstrapServers",
        "RETRY_BACKOFF_MS_CONFIG",
        "request.timeout.ms",
        "RETRIES_CONFIG",
        "DELIVERY_TIMEOUT_MS_CONFIG",
        "RECONNECT_BACKOFF_MS_CONFIG",
    ],
    settings: &[
        Setting::count(
            "retries|RETRIES_CONFIG|message.send.max.retries|MessageSendMaxRetries",
            "retries",
            "2147483647",
        )
        .quoted(),
        Setting::time(
            "retry.backoff.ms|[retry.backoff.ms]|RETRY_BACKOFF_MS_CONFIG|RetryBackoffMs",
            "baseMs",
            Unit::Millisecond,
            "100",
        ),
        Setting::time(
            "retry.backoff.max.ms|[retry.backoff.max.ms]|RETRY_BACKOFF_MAX_MS_CONFIG|RetryBackoffMaxMs",
            "capMs",
            Unit::Millisecond,
            "1000",
        ),
        Setting::time(
            "delivery.timeout.ms|[delivery.timeout.ms]|DELIVERY_TIMEOUT_MS_CONFIG|message.timeout.ms|MessageTimeoutMs",
            "deadline",
            Unit::Millisecond,
            "120000",
        ),
        Setting::time(
            "request.timeout.ms|[request.timeout.ms]|REQUEST_TIMEOUT_MS_CONFIG|RequestTimeoutMs",
            "attemptTimeoutMs",
            Unit::Millisecond,
            "30000",
        ),
        Setting::time("linger.ms|[linger.ms]|LINGER_MS_CONFIG", "", Unit::Millisecond, "5"),
        Setting::time(
            "reconnect.backoff.ms|[reconnect.backoff.ms]|RECONNECT_BACKOFF_MS_CONFIG",
            "baseMs",
            Unit::Millisecond,
            "50",
        )
        .of("reconnect"),
        Setting::time(
            "reconnect.backoff.max.ms|[reconnect.backoff.max.ms]|RECONNECT_BACKOFF_MAX_MS_CONFIG",
            "capMs",
            Unit::Millisecond,
            "1000",
        )
        .of("reconnect"),
    ],
    notes: &[
        "retries is 2147483647 unless written; delivery.timeout.ms, two minutes, is the bound that acts.",
        "At the cap a wait lies between 0.8 of retry.backoff.max.ms and all of it.",
        "A retry.backoff.ms that is not below its maximum gives the maximum, constant and without jitter.",
        "Setting only reconnect.backoff.ms makes the cap equal to it.",
    ],
    releases: &["Kafka 3.7 and later", "Kafka before 3.7"],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "bootstrap.servers=kafka:9092\nretries=3\nretry.backoff.ms=200\nretry.backoff.max.ms=200\n",
            waits: &[(0.2, 0.2), (0.2, 0.2), (0.2, 0.2)],
        },
        Example { text: "reconnect.backoff.ms=250\n", waits: &[(0.25, 0.25), (0.25, 0.25), (0.25, 0.25)] },
    ],
};

const PRODUCER: &[&str] = &["retry.backoff.ms", "retry.backoff.max.ms", "delivery.timeout.ms"];
const RECONNECT: &[&str] = &["reconnect.backoff.ms", "reconnect.backoff.max.ms"];

/// Whether one of the keys has a value, however the notation nests its dots, under its constant, or as C# calls it.
fn has(item: &Item, keys: &[&str]) -> bool {
    keys.iter().any(|key| {
        let constant = format!("{}_CONFIG", key.replace('.', "_").to_ascii_uppercase());
        let names = [key.to_string(), format!("[{key}]"), constant, pascal(key)];
        names.iter().any(|name| item.get(name).is_some())
    })
}

/// librdkafka's own names.
const OLD: &[&str] = &["message.send.max.retries", "message.timeout.ms"];

/// `retry.backoff.ms` as a property of C#'s: `RetryBackoffMs`.
fn pascal(key: &str) -> String {
    let mut name = String::new();
    let mut first = true;
    for c in key.chars() {
        match (c, first) {
            ('.', _) => {}
            (_, true) => name.push(c.to_ascii_uppercase()),
            (_, false) => name.push(c),
        }
        first = c == '.';
    }
    name
}

/// What names the clients that are made of librdkafka.
const NATIVE: &[&str] = &["confluent_kafka", "confluent-kafka", "rdkafka", "RdKafka", "Producer({"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let items = || scan.items.iter().copied();
    // Spring has a key of its own for the retries, beside the properties.
    let spring = items().filter(|i| {
        let inner = i.get("properties").and_then(|v| v.item());
        below_producer(i) && (i.get("retries").is_some() || inner.is_some_and(|inner| has(inner, PRODUCER)))
    });
    let mut blocks: Vec<Block<'d>> =
        scan.outermost(spring).into_iter().map(|i| Block::new(i, Certainty::Certain)).collect();
    let whole = |item: &&Item| {
        has(item, PRODUCER)
            || has(item, RECONNECT)
            || has(item, &["bootstrap.servers", "metadata.broker.list"])
            || has(item, OLD)
            || item.get("RETRIES_CONFIG").is_some()
    };
    for item in scan.outermost(items().filter(whole)) {
        let counted = has(item, &["retries", "acks"]) || has(item, OLD) || item.is("ProducerConfig");
        let reconnects = has(item, RECONNECT) && !has(item, PRODUCER) && !has(item, &["retries"]);
        let native = has(item, OLD)
            || item.is("kafka.ConfigMap")
            || ["bootstrap.servers", "retry.backoff.ms"].iter().any(|key| item.get(&pascal(key)).is_some())
            || NATIVE.iter().any(|word| scan.says(word));
        let block = Block::new(item, Certainty::Certain).variant(if native { "librdkafka" } else { "" });
        if blocks.iter().any(|b| b.item.span.overlaps(item.span)) {
            continue;
        } else if reconnects {
            blocks.push(block.variant("reconnect"));
        } else if has(item, PRODUCER) || counted {
            blocks.push(block);
        }
    }
    blocks
}

/// Whether an item is a producer's section below `spring.kafka`.
fn below_producer(item: &Item) -> bool {
    use crate::notation::Crumb;
    let keys: Vec<&str> = item
        .place
        .iter()
        .filter_map(|c| match c {
            Crumb::Key(key) => Some(key.as_str()),
            Crumb::Index(_) => None,
        })
        .flat_map(|key| key.split('.'))
        .collect();
    matches!(keys.as_slice(), [.., "kafka", "producer"] | [.., "kafka", "producer", "properties"])
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if take.block.variant == "reconnect" {
        let mut args = take.of(item, "reconnect");
        let base_ms = args.time("reconnect.backoff.ms").unwrap_or(50.0);
        let alone = args.has("reconnect.backoff.ms") && !args.has("reconnect.backoff.max.ms");
        let cap_ms = if alone { base_ms } else { args.time("reconnect.backoff.max.ms").unwrap_or(1_000.0) };
        return Policy::new(wait(base_ms, cap_ms), None);
    }
    let inner = item.get("properties").and_then(|v| v.item());
    let mut args = take.main();
    let retries = args.count("retries");
    let mut policy = match inner {
        Some(inner) => producer(take.of(inner, "")),
        None => producer(take.main()),
    };
    if !has(item, PRODUCER) && inner.is_none() && !has(item, &["retries"]) {
        take.note(
            "defaults",
            item.span,
            "Nothing about retries is written: the producer retries from 100 ms until its delivery timeout.",
        );
    }
    policy.retries = retries;
    // A consumer has neither of the producer's limits.
    let produces = has(item, &["retries", "delivery.timeout.ms", "acks", "linger.ms"]);
    if has(item, &["group.id"]) && !produces && inner.is_none() {
        policy.retries = None;
        policy.deadline = None;
        take.origins.retain(|o| !matches!(o.field, "retries" | "deadline"));
        take.note("consumer", item.span, "This is a consumer: it goes on asking, and no delivery timeout ends it.");
    }
    policy
}

fn producer(mut args: Args) -> Policy {
    let base_ms = args.time("retry.backoff.ms").unwrap_or(100.0);
    let old = args.take.release == "Kafka before 3.7";
    let cap_ms = if old { base_ms } else { args.time("retry.backoff.max.ms").unwrap_or(1_000.0) };
    // message.timeout.ms in librdkafka's CONFIGURATION.md.
    let limit_ms = if args.take.block.variant == "librdkafka" && args.value("delivery.timeout.ms").is_none() {
        args.take.default("deadline", "300000");
        300_000.0
    } else {
        args.time("delivery.timeout.ms").unwrap_or(120_000.0)
    };
    let request_ms = args.time("request.timeout.ms").unwrap_or(30_000.0);
    let linger_ms = args.time("linger.ms").unwrap_or(5.0);
    let short = limit_ms < linger_ms + request_ms && args.take.block.variant != "librdkafka";
    if let Some(value) = args.value("delivery.timeout.ms").filter(|_| short) {
        let what = "must be at least linger.ms + request.timeout.ms; the producer does not start";
        args.take.refuse("delivery.timeout.ms", value, what);
    }
    let wait = if args.take.block.variant == "librdkafka" { native(base_ms, cap_ms) } else { wait(base_ms, cap_ms) };
    let mut policy = Policy::new(wait, None);
    policy.deadline = Some(Deadline { limit_ms, overrun: Overrun::Refuse, clock: Clock::Elapsed });
    policy.attempt_timeout_ms = Some(request_ms);
    policy
}

/// `rd_kafka_retry_msgq`: doubled, then 80 to 120 % of that, then cut.
fn native(base_ms: f64, cap_ms: f64) -> Wait {
    Wait::new(Backoff::Exponential { base_ms, factor: 2.0 })
        .cap(cap_ms)
        .cap_order(CapOrder::AfterJitter)
        .jitter(Jitter::Proportional { below: 0.2, above: 0.2 })
}

fn wait(base_ms: f64, cap_ms: f64) -> Wait {
    if base_ms >= cap_ms {
        return Wait::new(Backoff::Constant { delay_ms: cap_ms });
    }
    Wait::new(Backoff::Exponential { base_ms, factor: 2.0 })
        .cap(cap_ms)
        .cap_order(CapOrder::Both)
        .jitter(Jitter::Proportional { below: 0.2, above: 0.2 })
        .rounding(RoundingMode::Floor, 1.0, Rounded::Wait)
}
