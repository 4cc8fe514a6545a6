//! Spring for Apache Kafka: error handlers with a BackOff, and `@RetryableTopic`.

use super::spring_framework_retry::{BackOff, back_off, wait};
use super::spring_retry;
use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Kind, Value};
use crate::policy::{Backoff, Clock, Deadline, Jitter, Overrun, Policy, Wait};

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
        "RetryTopicConfigurationBuilder",
        "DefaultAfterRollbackProcessor",
    ],
    settings: &[
        Setting::count("attempts", "retries", "3").of("RetryableTopic"),
        Setting::other("backOff|backoff|retryTopicSuffix|autoCreateTopics|concurrency").of("RetryableTopic"),
        Setting::time("delay|value|delayExpression|delayString", "baseMs", Unit::Millisecond, "1000")
            .of("BackOff")
            .at(0),
        Setting::time("maxDelay|maxDelayExpression|maxDelayString", "capMs", Unit::Millisecond, "").of("BackOff"),
        Setting::number("multiplier|multiplierExpression|multiplierString", "factor", "0").of("BackOff").quoted(),
        Setting::time("jitter|jitterString", "jitter", Unit::Millisecond, "0").of("BackOff"),
        Setting::flag("random|randomExpression", "jitter", "false").of("BackOff"),
        Setting::time("timeout", "deadline", Unit::Millisecond, "").of("RetryableTopic"),
        Setting::time("timeoutAfter", "deadline", Unit::Millisecond, "").of("builder"),
        Setting::count("maxAttempts", "retries", "3").of("builder"),
        Setting::time("fixedBackOff", "baseMs", Unit::Millisecond, "1000").of("builder"),
    ],
    notes: &[
        "A DefaultErrorHandler without a back-off retries 9 times without a wait: 10 deliveries.",
        "FixedBackOff(interval, n) counts retries, @RetryableTopic(attempts) counts deliveries.",
        "Without maxDelay the growth of @BackOff has no bound; Spring Retry's @Backoff, which release 3 takes, stops at 30 s.",
    ],
    releases: &[FOUR, THREE],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
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

const FOUR: &str = "Spring Kafka 4";
const THREE: &str = "Spring Kafka 3";

/// What retries with the same default: nine times without a wait.
const HANDLERS: &[&str] = &["DefaultErrorHandler", "SeekToCurrentErrorHandler", "DefaultAfterRollbackProcessor"];
const BACK_OFFS: &[&str] = &["FixedBackOff", "ExponentialBackOffWithMaxRetries", "ExponentialBackOff"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let topics = scan.heads(&["RetryableTopic"]).filter(|i| i.form == Form::Annotation);
    let mut blocks: Vec<Block<'d>> =
        topics.map(|item| Block::new(item, Certainty::Certain).variant("RetryableTopic")).collect();
    let builders = scan.heads(&["RetryTopicConfigurationBuilder.newInstance"]);
    blocks.extend(builders.map(|item| Block::new(item, Certainty::Certain).variant("builder")));
    let makers =
        scan.items.iter().copied().filter(|i| i.form == Form::Call && (i.is_any(HANDLERS) || i.is_any(BACK_OFFS)));
    // Spring Framework's own policies take the same back-offs.
    let policies: Vec<&Item> = scan.heads(&["RetryPolicy.builder"]).collect();
    let makers = scan.outermost(makers.filter(|i| !policies.iter().any(|policy| policy.span.holds(i.span))));
    // A back-off alone may be for any part of Spring.
    let certainty = |i: &Item| if i.is("ExponentialBackOff") { Certainty::Likely } else { Certainty::Certain };
    blocks.extend(makers.into_iter().map(|item| Block::new(item, certainty(item))));
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    match take.block.variant {
        "RetryableTopic" => return topic(take, item),
        "builder" => return builder(take, item),
        _ => {}
    }
    let inside = item.args.iter().filter_map(|a| a.value.item()).find(|i| i.is_any(BACK_OFFS));
    match if item.is_any(BACK_OFFS) { Some(item) } else { inside } {
        Some(inner) => {
            let BackOff { wait, retries, elapsed_ms } = back_off(take, inner);
            let mut policy = Policy::new(wait, retries);
            let limit = |limit_ms| Deadline { limit_ms, overrun: Overrun::Allow, clock: Clock::Waits };
            policy.deadline = elapsed_ms.map(limit);
            policy
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

/// `RetryTopicConfigurationBuilder`: three deliveries, 1 s apart, unless it is told otherwise.
fn builder<'t>(take: &mut Take<'t>, item: &'t Item) -> Policy {
    let mut args = take.of(item, "builder");
    let calls = args.count("maxAttempts").unwrap_or(3);
    if let Some(value) = args.value("maxAttempts").filter(|_| calls == 0) {
        args.take.refuse("maxAttempts", value, "must be at least 1");
    }
    let growing = item.call("exponentialBackoff").or_else(|| item.call("exponentialBackOff"));
    let wait = match (growing, item.call("uniformRandomBackoff").or_else(|| item.call("uniformRandomBackOff"))) {
        (Some(written), _) => spring_retry::builder_exponential(args.take, written),
        (None, Some(written)) => {
            let unit = Some(Unit::Millisecond);
            let mut time = |at: usize, field| args.take.time("interval", field, &written.get(at)?.value, unit);
            let (low, high) = (time(0, "baseMs").unwrap_or(0.0), time(1, "jitter").unwrap_or(0.0));
            let jitter = Jitter::Additive { min_ms: 0.0, max_ms: (high - low).max(0.0) };
            Wait::new(Backoff::Constant { delay_ms: low }).jitter(jitter)
        }
        _ => {
            let none = item.call("noBackoff").or_else(|| item.call("noBackOff")).is_some();
            let delay_ms = if none { 0.0 } else { args.time("fixedBackOff").unwrap_or(1_000.0) };
            Wait::new(Backoff::Constant { delay_ms })
        }
    };
    if let Some(custom) =
        item.call("customBackoff").or_else(|| item.call("customBackOff")).and_then(|args| args.first())
    {
        let message = "This back-off is the text's own; its waits are not known.";
        args.take.note("unread-backoff", custom.value.span, message);
        args.take.unknown.push("backoff");
    }
    let limit_ms = args.time("timeoutAfter").filter(|ms| *ms > 0.0);
    limited(Policy::new(wait, calls.saturating_sub(1)), limit_ms)
}

/// Past the time-out a message goes to the dead-letter topic; it is asked before the next delivery is planned.
fn limited(mut policy: Policy, limit_ms: Option<f64>) -> Policy {
    policy.deadline = limit_ms.map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Allow, clock: Clock::Elapsed });
    policy
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
    if let Some(value) = attempts.filter(|v| matches!(v.kind, Kind::Number { .. })) {
        let what = "is a text in this annotation: a number without quotes does not compile";
        take.refuse("attempts", value, what);
    }
    take.of(item, "RetryableTopic").unknown_retry_names("an attribute of @RetryableTopic", "it does not compile");
    if item.args.is_empty() {
        take.note("defaults", item.head.span, "Nothing is written: 3 deliveries, 1 s apart, is the default.");
    }
    let retries = calls.saturating_sub(1);
    let inner = item.get("backOff").or(item.get("backoff")).and_then(Value::item);
    // Spring Retry's annotation has another case than Spring Kafka's own, which came with release 4.
    if inner.is_some_and(|inner| inner.head.text.ends_with("Backoff")) {
        take.assume_release(THREE);
    }
    let wait = match inner {
        Some(inner) if take.release == THREE => spring_retry::backoff(take.of(inner, "BackOff")),
        Some(inner) => own_back_off(take.of(inner, "BackOff"), retries),
        None => {
            take.default("baseMs", "1000 ms");
            Wait::new(Backoff::Constant { delay_ms: 1_000.0 })
        }
    };
    let value = take.of(item, "RetryableTopic").value("timeout");
    let limit_ms = match value.and_then(|v| Some((v, v.text_number()?))) {
        Some((value, ms)) => {
            take.origin("deadline", value.span);
            Some(ms)
        }
        None => take.of(item, "RetryableTopic").time("timeout"),
    };
    limited(Policy::new(wait, retries), limit_ms.filter(|ms| *ms > 0.0))
}

fn own_back_off(mut args: Args, retries: u64) -> Wait {
    let delay_ms = args.time("delay").unwrap_or(1_000.0);
    let factor = args.number("multiplier").filter(|m| *m > 0.0).unwrap_or(1.0);
    let cap_ms = args.time("maxDelay").filter(|ms| *ms > 0.0);
    let jitter_ms = args.time("jitter").unwrap_or(0.0);
    args.unknown_names("an attribute of @BackOff", "it does not compile");
    wait(delay_ms, factor, cap_ms, jitter_ms, retries)
}
