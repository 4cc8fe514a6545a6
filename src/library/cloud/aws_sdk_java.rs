//! AWS SDK for Java, both releases: the backoff strategies and retry policies that code builds.

use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Statement, Value};
use crate::policy::{Backoff, Jitter, Policy, Wait};

/// The SDK for Java 2, with the predefined strategies of release 1.
pub static LIBRARY: Library = Library {
    id: "aws-sdk-java",
    title: "AWS SDK for Java",
    ecosystem: "AWS",
    version: "2.x (2026), 1.12",
    source: "core/retries DefaultRetryStrategy.java, core/retry/backoff/*JitterBackoffStrategy.java, retries-spi BackoffStrategy.java; PredefinedBackoffStrategies.java",
    counts: "retries (numRetries); a retry strategy's maxAttempts counts calls",
    formula: "min(maxBackoffTime, baseDelay * 2^(k-1)), jitter by the strategy",
    words: &[
        "FullJitterBackoffStrategy",
        "EqualJitterBackoffStrategy",
        "PredefinedBackoffStrategies",
        "SDKDefaultBackoffStrategy",
        "FixedDelayBackoffStrategy",
        "BackoffStrategy.exponentialDelay",
        "BackoffStrategy.exponentialDelayHalfJitter",
        "BackoffStrategy.exponentialDelayWithoutJitter",
        "BackoffStrategy.fixedDelay",
        "BackoffStrategy.fixedDelayWithoutJitter",
        "numRetries",
        "maxBackoffTime",
        "StandardRetryStrategy",
        "LegacyRetryStrategy",
        "AdaptiveRetryStrategy",
        "retryStrategy",
        "overrideConfiguration",
    ],
    settings: &[
        Setting::count("numRetries", "retries", "3"),
        Setting::count("maxAttempts", "retries", "3"),
        Setting::time("baseDelay", "baseMs", Unit::Millisecond, "100").of("strategy").at(0),
        Setting::time("maxBackoffTime|maxDelay|maxBackoff", "capMs", Unit::Millisecond, "20000").of("strategy").at(1),
    ],
    notes: &[
        "numRetries counts retries, maxAttempts of a retry strategy calls.",
        "Throttling errors have a strategy of their own, throttlingBackoffStrategy.",
        "Early releases of the SDK for Java 1 computed the delay in 32 bits, which overflows at long bases.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "RetryPolicy policy = RetryPolicy.builder()\n    .numRetries(3)\n    .backoffStrategy(FullJitterBackoffStrategy.builder()\n        .baseDelay(Duration.ofMillis(200))\n        .maxBackoffTime(Duration.ofMillis(500))\n        .build())\n    .build();\n",
            waits: &[(0.0, 0.2), (0.0, 0.4), (0.0, 0.5)],
        },
        Example {
            text: "StandardRetryStrategy.builder()\n    .maxAttempts(3)\n    .backoffStrategy(BackoffStrategy.exponentialDelayHalfJitter(Duration.ofSeconds(1), Duration.ofSeconds(20)))\n    .build();\n",
            waits: &[(0.5, 1.0), (1.0, 2.0)],
        },
    ],
};

const POLICIES: &[&str] = &[
    "RetryPolicy.builder",
    "StandardRetryStrategy.builder",
    "LegacyRetryStrategy.builder",
    "AdaptiveRetryStrategy.builder",
    "DefaultRetryStrategy.standardStrategyBuilder",
    "DefaultRetryStrategy.legacyStrategyBuilder",
    "DefaultRetryStrategy.adaptiveStrategyBuilder",
];

/// Whether an item makes a backoff strategy.
fn is_strategy(item: &Item) -> bool {
    let head = item.head.text.strip_suffix(".builder").unwrap_or(&item.head.text);
    let class = head.rsplit('.').next().unwrap_or(head);
    item.form == Form::Call
        && (class.ends_with("BackoffStrategy") && class.len() > 15 || item.head.text.starts_with("BackoffStrategy."))
}

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let policies = |item: &Item| {
        let own = ["numRetries", "backoffStrategy", "throttlingBackoffStrategy"].iter().any(|m| item.call(m).is_some());
        item.is_any(POLICIES) && (own || !item.is("RetryPolicy.builder"))
    };
    let given = |item: &Item| {
        let own = scan.says("awssdk") || scan.says("overrideConfiguration");
        own && item.call("retryStrategy").is_some_and(|args| args.first().is_some_and(|arg| is_given(&arg.value)))
    };
    let found = scan.items.iter().copied().filter(|i| policies(i) || is_strategy(i));
    let mut blocks: Vec<Block<'d>> =
        scan.outermost(found).into_iter().map(|item| Block::new(item, Certainty::Certain)).collect();
    let clients = scan
        .items
        .iter()
        .copied()
        .filter(|i| given(i))
        .filter(|i| !blocks.iter().any(|b| b.item.span.overlaps(i.span)));
    let clients: Vec<&Item> = clients.collect();
    // The lambda that sets it, not the client around it.
    let inner = clients.iter().copied().filter(|c| !clients.iter().any(|o| o.span != c.span && c.span.holds(o.span)));
    blocks.extend(inner.map(|item| Block::new(item, Certainty::Certain).variant("given")));
    blocks
}

/// A mode, or a function of a strategy's builder.
fn is_given(value: &Value) -> bool {
    value.text().is_some_and(|text| text.contains("RetryMode.")) || value.fun().is_some()
}

/// `retryStrategy(RetryMode.STANDARD)`, `retryStrategy(b -> b.maxAttempts(5))`.
fn given(take: &mut Take) -> Policy {
    let value = take.block.item.call("retryStrategy").and_then(|args| args.first()).map(|arg| &arg.value);
    let set = value.and_then(Value::fun).and_then(|fun| fun.body.first()).and_then(|statement| match statement {
        Statement::Return(value) | Statement::Expr(value) => value.item(),
        _ => None,
    });
    if let Some(set) = set {
        let calls = take.of(set, "").count("maxAttempts").unwrap_or(3);
        let inner = set.call("backoffStrategy").and_then(|args| args.first()).and_then(|arg| arg.value.item());
        let wait = strategy(take, inner);
        return Policy::new(wait, calls.saturating_sub(1));
    }
    let legacy = value.and_then(Value::text).is_some_and(|mode| mode.ends_with("LEGACY"));
    let calls = if legacy { 4 } else { 3 };
    take.default("retries", format!("{calls} calls"));
    let wait = strategy(take, None);
    Policy::new(wait, calls - 1)
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if take.block.variant == "given" {
        return given(take);
    }
    if is_strategy(item) {
        let message = "A strategy alone says no count: the SDK's 3 retries are taken.";
        take.note("missing-count", item.head.span, message);
        take.default("retries", "3");
        let wait = strategy(take, Some(item));
        return Policy::new(wait, 3);
    }
    let mut args = take.main();
    let retries = match args.has("maxAttempts") {
        true => args.count("maxAttempts").unwrap_or(3).saturating_sub(1),
        false if item.is("RetryPolicy.builder") => args.count("numRetries").unwrap_or(3),
        false => {
            let calls = if item.head.text.to_ascii_lowercase().contains("legacy") { 4 } else { 3 };
            args.take.default("retries", format!("{calls} calls"));
            calls - 1
        }
    };
    let given = item.call("backoffStrategy").and_then(|args| args.first()).map(|arg| &arg.value);
    let wait = strategy(take, given.and_then(Value::item));
    Policy::new(wait, retries)
}

/// The wait of a strategy; without one, full jitter from 100 ms up to 20 s.
fn strategy<'t>(take: &mut Take<'t>, item: Option<&'t Item>) -> Wait {
    let Some(item) = item else {
        take.default("baseMs", "100 ms");
        take.default("capMs", "20 s");
        return Wait::new(Backoff::Exponential { base_ms: 100.0, factor: 2.0 }).cap(20_000.0).jitter(Jitter::Full);
    };
    let name = item.head.text.as_str();
    let mut args = take.of(item, "strategy");
    let base_ms = args.time("baseDelay").unwrap_or(100.0);
    if name.contains("retryImmediately") {
        return Wait::new(Backoff::Constant { delay_ms: 0.0 });
    }
    let jitter = match (name.contains("Equal") || name.contains("Half"), name.contains("Full")) {
        (true, true) => {
            let message =
                "This name says equal or full jitter: full is taken; with equal each wait is at least half as long.";
            args.take.note("either-jitter", item.head.span, message);
            Jitter::Full
        }
        (true, false) => Jitter::Equal,
        (false, true) => Jitter::Full,
        (false, false) if name.contains("WithoutJitter") || name.contains("ExponentialBackoffStrategy") => Jitter::None,
        (false, false) if name.contains("FixedDelayBackoff") => Jitter::None,
        (false, false) => Jitter::Full,
    };
    if name.to_ascii_lowercase().contains("fixeddelay") {
        return Wait::new(Backoff::Constant { delay_ms: base_ms }).jitter(jitter);
    }
    let cap_ms = args.time("maxBackoffTime");
    overflow(&mut args, base_ms);
    Wait::new(Backoff::Exponential { base_ms, factor: 2.0 }).cap(cap_ms).jitter(jitter)
}

/// The retry at which a product of 32 bits turns negative.
fn overflow(args: &mut Args, base_ms: f64) {
    let old = args.take.scan.says("PredefinedBackoffStrategies");
    if let Some(value) = args.value("baseDelay").filter(|_| old && base_ms >= 1.0) {
        let index = (0..31).find(|n| base_ms * 2f64.powi(*n) > f64::from(i32::MAX)).unwrap_or(31);
        let message = format!(
            "{base_ms} * 2^{index} does not fit into 32 bits: early releases of the SDK for Java 1 compute a negative wait at \
             retry index {index}."
        );
        args.take.note("overflow", value.span, message);
    }
}
