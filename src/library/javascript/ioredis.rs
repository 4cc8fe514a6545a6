//! ioredis: the `retryStrategy` of `new Redis({ … })`.

use super::strategy::{self, Inputs};
use super::{NOTHING, calls, has_any, map, ms};
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Item, Value};
use crate::policy::{Backoff, Jitter, Policy, Rounded, RoundingMode, Wait};

/// ioredis 6, and 5 with another default.
pub static LIBRARY: Library = Library {
    id: "ioredis",
    title: "ioredis",
    ecosystem: "JavaScript",
    version: "6.0.0",
    source: "npm package ioredis: built/redis/RedisOptions.js, built/redis/event_handler.js",
    counts: "reconnections without end, until retryStrategy gives something else than a number",
    formula: "retryStrategy(k); where it is not written min(50 * 2^(k-1), 5000) plus 0 to 199 ms",
    words: &["ioredis", "Redis", "retryStrategy", "sentinelRetryStrategy", "clusterRetryStrategy"],
    settings: &[
        super::shaping("retryStrategy"),
        ms("connectTimeout", "attemptTimeoutMs", "10000"),
        Setting::other("maxRetriesPerRequest"),
        Setting::other("sentinelRetryStrategy"),
        Setting::other("clusterRetryStrategy"),
        Setting::other("autoResendUnfulfilledCommands"),
        Setting::other("reconnectOnError"),
        Setting::other("retryDelayOnFailover"),
        Setting::other("retryDelayOnClusterDown"),
        Setting::other("retryDelayOnTryAgain"),
        Setting::other("retryDelayOnMoved"),
        Setting::other("blockingTimeout"),
    ],
    notes: &[
        "retryStrategy sees 1 for the first reconnection since the last one that succeeded.",
        "Anything that is no number ends the reconnecting: null, undefined, and a retryStrategy that is no function.",
        "Release 5 waited min(50 * k, 2000) ms where nothing is written, without chance.",
        "maxRetriesPerRequest makes waiting commands fail; it does not end the reconnecting.",
    ],
    releases: &[CURRENT, BEFORE],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "import Redis from \"ioredis\";\n\nconst redis = new Redis({\n  connectTimeout: «timeout|10000»,\n  retryStrategy: (times) => «*»,\n});\n",
        "(times > «retries» ? null : «delay»)",
        "(times > «retries» ? null : Math.min(«base» * «factor» ** (times - 1), «cap»))",
        "(times > «retries» ? null : «base» * «factor» ** (times - 1))",
        "(times > «retries» ? null : «full»Math.random() * Math.min(«base» * «factor» ** (times - 1), «cap»))",
        "(times > «retries» ? null : «full»Math.random() * «base» * «factor» ** (times - 1))",
        "(times > «retries» ? null : Math.min(«base» + «increment» * (times - 1), «cap»))",
        "(times > «retries» ? null : «base» + «increment» * (times - 1))",
        "(times > «retries» ? null : [«delays»][times - 1])",
        "«unlimited»«delay»",
        "«unlimited»Math.min(«base» * «factor» ** (times - 1), «cap»)",
        "«unlimited»«base» * «factor» ** (times - 1)",
        "«unlimited»«full»Math.random() * Math.min(«base» * «factor» ** (times - 1), «cap»)",
        "«unlimited»«full»Math.random() * «base» * «factor» ** (times - 1)",
        "«unlimited»Math.min(«base» + «increment» * (times - 1), «cap»)",
        "«unlimited»«base» + «increment» * (times - 1)",
        "«unlimited»Math.min(«base» * «factor» ** (times - 1), «cap») + Math.floor(Math.random() * «most+1»)",
        "(times > «retries» ? null : Math.min(«base» * «factor» ** (times - 1), «cap») + Math.floor(Math.random() * «most+1»))",
    ],
    examples: &[
        Example {
            text: "import Redis from \"ioredis\";\n\nexport const redis = new Redis({\n  host: \"cache\",\n  retryStrategy(times) {\n    if (times > 4) return null;\n    return Math.min(times * 300, 1000);\n  },\n});\n",
            waits: &[(0.3, 0.3), (0.6, 0.6), (0.9, 0.9), (1.0, 1.0)],
        },
        Example {
            text: "const Redis = require(\"ioredis\");\n\nconst redis = new Redis(6379, \"cache\", { retryStrategy: (n) => (n <= 2 ? 250 : null) });\n",
            waits: &[(0.25, 0.25), (0.25, 0.25)],
        },
    ],
};

const CURRENT: &str = "ioredis 6";
const BEFORE: &str = "ioredis 5";
const PACKAGES: &[&str] = &["ioredis"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks = Vec::new();
    for (item, imported) in calls(scan, PACKAGES, &["Redis", "IORedis", "Cluster"]) {
        if item.is("createClient") {
            continue;
        }
        if item.is("Cluster") {
            let own = given(item).is_some_and(|given| has_any(given, &["clusterRetryStrategy"]));
            if imported || own {
                blocks.push(Block::new(item, Certainty::Certain).variant("cluster"));
            }
            continue;
        }
        if imported {
            blocks.push(Block::new(item, Certainty::Certain));
        } else if given(item).is_some_and(|given| has_any(given, &["retryStrategy"])) {
            blocks.push(Block::new(item, Certainty::Likely));
        }
    }
    let own = |item: &Item| item.get("retryStrategy").is_some_and(|value| value.fun().is_some());
    super::claim_alone(scan, &mut blocks, own, Certainty::Likely);
    blocks
}

/// The options: the last map, after a port and a host or an address.
fn given(item: &Item) -> Option<&Item> {
    item.args.iter().rev().filter(|arg| arg.name.is_none()).find_map(|arg| map(&arg.value))
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let given = if item.head.text.is_empty() { Some(item) } else { given(item) };
    let cluster = take.block.variant == "cluster";
    let name = if cluster { "clusterRetryStrategy" } else { "retryStrategy" };
    let written = given.and_then(|given| given.get(name));
    let mut args = take.of(given.unwrap_or(&NOTHING), "");
    args.unknown_retry_names("an option of ioredis", "it is ignored");
    let timeout_ms = args.time("connectTimeout");
    let mut policy = match written {
        None if cluster => {
            let message = "No `clusterRetryStrategy` is written: it reconnects without end, after 102 ms, each wait 2 ms longer, up to 2 s.";
            take.note("defaults", take.block.item.head.span, message);
            let curve = Backoff::Linear { base_ms: 102.0, increment_ms: 2.0 };
            Policy::new(Wait::new(curve).cap(2_000.0), None)
        }
        None => defaults(take),
        Some(value) => strategy(take, name, value),
    };
    policy.attempt_timeout_ms = timeout_ms;
    policy
}

fn strategy(take: &mut Take, name: &str, value: &Value) -> Policy {
    take.origin("backoff", value.span);
    take.origin("retries", value.span);
    match value.fun() {
        Some(fun) => {
            let inputs = Inputs::positional(|k| vec![k as f64]).nothing_stops();
            strategy::policy(take, name, fun, inputs, None)
        }
        None if value.is_null() || value.flag() == Some(false) => Policy::single_call(),
        None if value.is_undefined() => strategy::not_a_function(take, name, value, None),
        None => {
            let what = "must be a function of the attempt number: with anything else it never reconnects";
            take.refuse(name, value, &format!("is {}; it {what}", value.describe()));
            Policy::single_call()
        }
    }
}

/// What holds where no strategy is written.
fn defaults(take: &mut Take) -> Policy {
    let span = take.block.item.head.span;
    take.default("retries", "without end");
    if take.release == BEFORE {
        take.default("backoff", "min(50 * k, 2000) ms");
        take.note(
            "defaults",
            span,
            "No `retryStrategy` is written: it reconnects without end, every 50 ms later, up to 2 s.",
        );
        let curve = Backoff::Linear { base_ms: 50.0, increment_ms: 50.0 };
        return Policy::new(Wait::new(curve).cap(2_000.0), None);
    }
    take.default("backoff", "min(50 * 2^(k-1), 5000) + 0 to 199 ms");
    let message =
        "No `retryStrategy` is written: it reconnects without end, after 50 ms, doubled up to 5 s, plus up to 199 ms.";
    take.note("defaults", span, message);
    let wait = Wait::new(Backoff::Exponential { base_ms: 50.0, factor: 2.0 }).cap(5_000.0);
    let wait = wait.jitter(Jitter::Additive { min_ms: 0.0, max_ms: 199.0 });
    Policy::new(wait.rounding(RoundingMode::Draw, 1.0, Rounded::Wait), None)
}
