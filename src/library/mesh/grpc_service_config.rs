//! gRPC: the retry and hedging policies of a service config.

use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take, same};
use crate::notation::{Crumb, Item, Step, Value};
use crate::policy::{Backoff, Clock, Deadline, Jitter, Overrun, Policy, Wait};

/// gRFC A6 as of June 2026.
pub static LIBRARY: Library = Library {
    id: "grpc-service-config",
    title: "gRPC service config",
    ecosystem: "gRPC",
    version: "gRFC A6 (2026-06), grpc-go 1.85.0-dev, grpc-js 1.14.7",
    source: "A6-client-retries.md; grpc-go stream.go, service_config.go; grpc-js retrying-call.js",
    counts: "calls, the first included (maxAttempts); more than 5 count as 5",
    formula: "min(maxBackoff, initialBackoff * backoffMultiplier^(n-1)) * U[0.8, 1.2]",
    words: &[
        "methodConfig",
        "initialBackoff",
        "backoffMultiplier",
        "retryableStatusCodes",
        "WithDefaultServiceConfig",
        "hedgingPolicy",
        "InitialBackoff",
        "BackoffMultiplier",
        "RetryableStatusCodes",
        "hedgingDelay",
    ],
    settings: &[
        Setting::count("maxAttempts", "retries", ""),
        Setting::duration("initialBackoff", "baseMs", "").units(SECONDS),
        Setting::duration("maxBackoff", "capMs", "").units(SECONDS),
        Setting::number("backoffMultiplier", "factor", ""),
        Setting::other("retryableStatusCodes"),
        Setting::other("perAttemptRecvTimeout"),
        Setting::count("maxAttempts", "retries", "").of("hedging"),
        Setting::duration("hedgingDelay", "baseMs", "0s").of("hedging").units(SECONDS),
        Setting::other("nonFatalStatusCodes").of("hedging"),
        Setting::duration("timeout", "deadline", "").of("method").units(SECONDS),
    ],
    notes: &[
        "maxAttempts counts the first call, and the client allows no more than 5.",
        "The jitter comes after the cap: a wait reaches 1.2 times maxBackoff.",
        "Clients from before 2024 drew between 0 and the delay.",
        "Hedging sends the next request without waiting for a failure.",
    ],
    releases: &["jitter ±20 % (A6 since 2024)", "full jitter (before)"],
    error_classes: &[],
    relaxed_names: true,
    retry_after: None,
    find,
    read,
    write: &[
        "{\n  \"methodConfig\": [\n    {\n      \"name\": [{}],‹\n      \"timeout\": \"«refuse:pb»\",›\n      \"retryPolicy\": {\n        \"maxAttempts\": «calls|5»,\n        \"initialBackoff\": \"«base:pb»\",\n        \"maxBackoff\": \"«cap:pb|86400s»\",\n        \"backoffMultiplier\": «factor»,\n        \"retryableStatusCodes\": [\"UNAVAILABLE\"]\n      }\n    }\n  ]\n}\n",
    ],
    examples: &[
        Example {
            text: "{\n  \"methodConfig\": [{\n    \"name\": [{\"service\": \"shop.Orders\"}],\n    \"timeout\": \"3s\",\n    \"retryPolicy\": {\n      \"maxAttempts\": 3,\n      \"initialBackoff\": \"0.5s\",\n      \"maxBackoff\": \"2s\",\n      \"backoffMultiplier\": 2,\n      \"retryableStatusCodes\": [\"UNAVAILABLE\"]\n    }\n  }]\n}\n",
            waits: &[(0.4, 0.6), (0.8, 1.2)],
        },
        Example {
            text: "\"retryPolicy\": {\"maxAttempts\": 2, \"initialBackoff\": \"1s\", \"maxBackoff\": \"1s\", \"backoffMultiplier\": 1, \"retryableStatusCodes\": [\"UNAVAILABLE\"]}\n",
            waits: &[(0.8, 1.2)],
        },
    ],
};

/// The unit of a protobuf duration in JSON.
const SECONDS: &[&str] = &["s"];
/// What a client allows at most.
const CALLS: u64 = 5;

/// The value under a name in any of protobuf's spellings.
fn get<'d>(item: &'d Item, name: &str) -> Option<&'d Value> {
    let named = item.args.iter().filter_map(|a| Some((a.name.as_ref()?, &a.value)));
    let set = item.steps.iter().filter_map(|step| match step {
        Step::Set { path, value } => Some((path, value)),
        Step::Call { .. } => None,
    });
    named.chain(set).rfind(|(n, _)| same(&n.text, name)).map(|(_, value)| value)
}

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks = Vec::new();
    for holder in scan.items.iter().copied() {
        for (key, variant) in [("retryPolicy", "retry"), ("hedgingPolicy", "hedging")] {
            let Some(inner) = get(holder, key).and_then(Value::item) else { continue };
            let own = ["initialBackoff", "backoffMultiplier", "retryableStatusCodes", "hedgingDelay", "maxBackoff"];
            let listed = holder.place.iter().any(|c| matches!(c, Crumb::Key(key) if same(key, "methodConfig")));
            let keys = own.iter().any(|name| get(inner, name).is_some());
            if listed || (keys && get(inner, "retryOn").is_none()) {
                blocks.push(Block::new(inner, Certainty::Certain).variant(variant).with(holder));
            }
        }
    }
    if blocks.is_empty() {
        let bare = scan.items.iter().copied().filter(|i| {
            // Gax for .NET has arguments of these names, and many a plain object that counts retries has such keys.
            !i.head.text.starts_with("RetrySettings.")
                && !["maxRetries", "retries"].iter().any(|count| get(i, count).is_some())
                && get(i, "initialBackoff").is_some()
                && (get(i, "backoffMultiplier").is_some() || get(i, "maxBackoff").is_some())
        });
        blocks.extend(bare.map(|item| Block::new(item, Certainty::Certain).variant("retry")));
    }
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let mut policy = match take.block.variant {
        "hedging" => hedging(take.of(item, "hedging")),
        _ => retry(take.of(item, "")),
    };
    if let Some(method) = take.block.others.first().copied() {
        let both = get(method, "retryPolicy").is_some() && get(method, "hedgingPolicy").is_some();
        if both {
            take.error(
                "both-policies",
                item.span,
                "retryPolicy and hedgingPolicy exclude each other; the config is refused.",
            );
        }
        let limit_ms = take.of(method, "method").time("timeout");
        policy.deadline =
            limit_ms.map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Refuse, clock: Clock::Elapsed });
    }
    policy
}

/// The retries that the attempts leave: at least two attempts, no more than five.
fn retries(args: &mut Args) -> u64 {
    let Some(calls) = args.count("maxAttempts") else {
        missing(args, "maxAttempts");
        return 0;
    };
    if let Some(value) = args.value("maxAttempts") {
        if calls < 2 {
            args.take.refuse("maxAttempts", value, "must be at least 2; the config is refused");
        } else if calls > CALLS {
            let message = format!("maxAttempts is {calls}, but a client allows no more than {CALLS}.");
            args.take.warning("clamped", value.span, message);
        }
    }
    calls.clamp(1, CALLS) - 1
}

fn missing(args: &mut Args, name: &str) {
    if !args.has(name) {
        let span = args.span;
        args.take.error("missing", span, format!("`{name}` is required; the config is refused without it."));
    }
}

fn retry(mut args: Args) -> Policy {
    let retries = retries(&mut args);
    let base_ms = args.time("initialBackoff").unwrap_or(0.0);
    let cap_ms = args.time("maxBackoff");
    let factor = args.number("backoffMultiplier").unwrap_or(1.0);
    for name in ["initialBackoff", "maxBackoff", "backoffMultiplier", "retryableStatusCodes"] {
        missing(&mut args, name);
    }
    for name in ["initialBackoff", "maxBackoff", "backoffMultiplier"] {
        let zero = |v: &Value| v.number() == Some(0.0) || v.duration_ms(None).is_ok_and(|t| t.ms == 0.0);
        let negative = |v: &Value| v.number().is_some_and(|n| n < 0.0);
        if let Some(value) = args.value(name).filter(|v| zero(v) || negative(v)) {
            args.take.refuse(name, value, "must be greater than 0; the config is refused");
        }
    }
    let empty = args.value("retryableStatusCodes").filter(|v| v.list().is_some_and(<[Value]>::is_empty));
    if let Some(value) = empty {
        args.take.refuse("retryableStatusCodes", value, "must not be empty; the config is refused");
    }
    args.unknown_names("a field of retryPolicy", "it is ignored");
    let jitter = match args.take.release {
        "full jitter (before)" => Jitter::Full,
        _ => Jitter::Proportional { below: 0.2, above: 0.2 },
    };
    Policy::new(Wait::new(Backoff::Exponential { base_ms, factor }).cap(cap_ms).jitter(jitter), retries)
}

fn hedging(mut args: Args) -> Policy {
    let retries = retries(&mut args);
    let delay_ms = args.time("hedgingDelay").unwrap_or(0.0);
    args.unknown_names("a field of hedgingPolicy", "it is ignored");
    let span = args.span;
    let message = "Hedging sends each request a fixed time after the one before, without waiting for it to fail.";
    args.take.note("hedging", span, message);
    Policy::new(Wait::new(Backoff::Constant { delay_ms }), retries)
}
