//! Spring for Apache Kafka: error handlers with a BackOff, and `@RetryableTopic`.

use super::spring_framework_retry::wait;
use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Value};
use crate::policy::{Backoff, Policy, Wait};

/// Spring Kafka 4.
pub static LIBRARY: Library = Library {
    id: "spring-kafka",
    title: "Spring Kafka",
    ecosystem: "Java",
    version: "4.2.0-SNAPSHOT (2026)",
    source: "SeekUtils.java, DefaultErrorHandler.java, ExponentialBackOffWithMaxRetries.java, annotation/RetryableTopic.java",
    counts: "FixedBackOff and ExponentialBackOffWithMaxRetries: retries; @RetryableTopic attempts: calls, the first included",
    formula: "interval, or min(maxInterval, initialInterval * multiplier^(k-1))",
    words: &[
        "DefaultErrorHandler",
        "FixedBackOff",
        "@RetryableTopic",
        "RetryableTopic",
        "ExponentialBackOffWithMaxRetries",
        "org.springframework.kafka",
        "ExponentialBackOff",
    ],
    settings: &[
        Setting::time("interval|setInterval", "baseMs", Unit::Millisecond, "5000").of("FixedBackOff").at(0),
        Setting::number("maxAttempts|setMaxAttempts", "retries", "").of("FixedBackOff").at(1),
        Setting::count("maxRetries|setMaxRetries", "retries", "").of("exponential").at(0),
        Setting::time("initialInterval|setInitialInterval", "baseMs", Unit::Millisecond, "2000").of("exponential"),
        Setting::number("multiplier|setMultiplier", "factor", "1.5").of("exponential"),
        Setting::time("maxInterval|setMaxInterval", "capMs", Unit::Millisecond, "30000").of("exponential"),
        Setting::count("attempts", "retries", "3").of("RetryableTopic"),
        Setting::time("delay|value", "baseMs", Unit::Millisecond, "1000").of("BackOff").at(0),
        Setting::time("maxDelay", "capMs", Unit::Millisecond, "").of("BackOff"),
        Setting::number("multiplier", "factor", "1").of("BackOff"),
        Setting::time("jitter", "jitter", Unit::Millisecond, "0").of("BackOff"),
        Setting::flag("random", "jitter", "false").of("BackOff"),
    ],
    notes: &[
        "A DefaultErrorHandler without a back-off retries 9 times without a wait: 10 deliveries.",
        "FixedBackOff(interval, n) counts retries, @RetryableTopic(attempts) counts deliveries.",
        "Without maxDelay the growth of @BackOff has no bound; Spring Retry's @Backoff stops at 30 s.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "var handler = new DefaultErrorHandler(recoverer, new FixedBackOff(500L, 3L));\n",
            waits: &[(0.5, 0.5), (0.5, 0.5), (0.5, 0.5)],
        },
        Example {
            text: "@RetryableTopic(attempts = \"3\", backOff = @BackOff(delay = 1000, multiplier = 4))\n@KafkaListener(topics = \"payments\")\npublic void listen(String in) {\n",
            waits: &[(1.0, 1.0), (4.0, 4.0)],
        },
    ],
};

const BACK_OFFS: &[&str] = &["FixedBackOff", "ExponentialBackOffWithMaxRetries"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let topics = scan.heads(&["RetryableTopic"]).filter(|i| i.form == Form::Annotation);
    let mut blocks: Vec<Block<'d>> =
        topics.map(|item| Block::new(item, Certainty::Certain).variant("RetryableTopic")).collect();
    let makers = scan.items.iter().copied().filter(|i| {
        i.form == Form::Call && (i.is_any(&["DefaultErrorHandler", "SeekToCurrentErrorHandler"]) || i.is_any(BACK_OFFS))
    });
    let makers = scan.outermost(makers);
    blocks.extend(makers.into_iter().map(|item| Block::new(item, Certainty::Certain)));
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if take.block.variant == "RetryableTopic" {
        return topic(take, item);
    }
    let inside = item.args.iter().filter_map(|a| a.value.item()).find(|i| i.head.text.contains("BackOff"));
    let inner = if item.head.text.contains("BackOff") { Some(item) } else { inside };
    match inner {
        Some(inner) if inner.is("FixedBackOff") => {
            let mut args = take.of(inner, "FixedBackOff");
            let delay_ms = args.time("interval").unwrap_or(5_000.0);
            // Long.MAX_VALUE and UNLIMITED_ATTEMPTS mean without bound, which is also the default.
            let unlimited = args.value("maxAttempts").and_then(Value::text).is_some_and(|t| t.contains("UNLIMITED"));
            let retries = if unlimited { None } else { args.number("maxAttempts").filter(|n| *n < 9e18) };
            Policy::new(Wait::new(Backoff::Constant { delay_ms }), retries.map(|n| n.max(0.0) as u64))
        }
        Some(inner) => {
            let mut args = take.of(inner, "exponential");
            let retries = args.count("maxRetries");
            let base_ms = args.time("initialInterval").unwrap_or(2_000.0);
            let factor = args.number("multiplier").unwrap_or(1.5);
            let cap_ms = args.time("maxInterval");
            Policy::new(wait(base_ms, factor, cap_ms, 0.0, retries.unwrap_or(0)), retries)
        }
        None => {
            let message = "No back-off is written: 9 retries without a wait, 10 deliveries, is the default.";
            take.note("defaults", item.head.span, message);
            take.default("retries", "9");
            take.default("baseMs", "0 ms");
            Policy::new(Wait::new(Backoff::Constant { delay_ms: 0.0 }), 9)
        }
    }
}

fn topic<'t>(take: &mut Take<'t>, item: &'t Item) -> Policy {
    let attempts = item.get("attempts");
    let calls = match attempts.and_then(|v| Some((v, v.text_number()?))) {
        Some((value, number)) => {
            take.origin("retries", value.span);
            number.max(1.0) as u64
        }
        None => take.of(item, "RetryableTopic").count("attempts").unwrap_or(3),
    };
    if item.args.is_empty() {
        take.note("defaults", item.head.span, "Nothing is written: 3 deliveries, 1 s apart, is the default.");
    }
    let retries = calls.saturating_sub(1);
    let inner = item.get("backOff").or(item.get("backoff")).and_then(Value::item);
    let wait = match inner {
        Some(inner) => back_off(take.of(inner, "BackOff"), retries),
        None => {
            take.default("baseMs", "1000 ms");
            Wait::new(Backoff::Constant { delay_ms: 1_000.0 })
        }
    };
    Policy::new(wait, retries)
}

fn back_off(mut args: Args, retries: u64) -> Wait {
    let delay_ms = args.time("delay").unwrap_or(1_000.0);
    let factor = args.number("multiplier").filter(|m| *m > 0.0).unwrap_or(1.0);
    let cap_ms = args.time("maxDelay").filter(|ms| *ms > 0.0);
    let jitter_ms = args.time("jitter").unwrap_or(0.0);
    args.unknown_names("an attribute of @BackOff", "it does not compile");
    wait(delay_ms, factor, cap_ms, jitter_ms, retries)
}
