//! Vector: the request settings of a sink.

use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Value};
use crate::policy::{After, Backoff, Law, Policy, Wait};

/// Vector 0.58.
pub static LIBRARY: Library = Library {
    id: "vector",
    title: "Vector",
    ecosystem: "collectors",
    version: "0.58.0 (c3445d42d2, 2026-08)",
    source: "src/sinks/util/retries.rs, service.rs",
    counts: "retries (retry_attempts); no bound unless written",
    formula: "a Fibonacci sequence i, 2i, 3i, 5i up to retry_max_duration_secs, drawn from 1 ms to it",
    words: &[
        "retry_attempts",
        "retry_initial_backoff_secs",
        "retry_max_duration_secs",
        "retry_jitter_mode",
        "sinks",
        "inputs",
    ],
    settings: &[
        Setting::count("retry_attempts", "retries", ""),
        Setting::time("retry_initial_backoff_secs", "baseMs", Unit::Second, "1").plain(),
        Setting::time("retry_max_duration_secs", "capMs", Unit::Second, "30").plain(),
        Setting::other("retry_jitter_mode"),
        Setting::time("timeout_secs", "attemptTimeoutMs", Unit::Second, "60").plain(),
        Setting::other("concurrency"),
        Setting::other("rate_limit_num"),
        Setting::other("rate_limit_duration_secs"),
        Setting::other("adaptive_concurrency"),
        Setting::other("headers"),
    ],
    notes: &[
        "The delays grow as a Fibonacci sequence, not by doubling.",
        "Full jitter is on unless retry_jitter_mode is None.",
        "Without retry_attempts a sink never gives up.",
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
            text: "[sinks.archive]\ntype = \"aws_s3\"\ninputs = [\"logs\"]\n\n[sinks.archive.request]\nretry_attempts = 4\nretry_initial_backoff_secs = 2\nretry_max_duration_secs = 8\nretry_jitter_mode = \"None\"\n",
            waits: &[(2.0, 2.0), (4.0, 4.0), (6.0, 6.0), (8.0, 8.0)],
        },
        Example {
            text: "request:\n  retry_attempts: 2\n  retry_initial_backoff_secs: 1\n",
            waits: &[(0.001, 1.0), (0.001, 2.0)],
        },
    ],
};

const OWN: &[&str] = &["retry_attempts", "retry_initial_backoff_secs", "retry_max_duration_secs", "retry_jitter_mode"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    // The settings are data, never the arguments of a call.
    let data = |item: &&Item| !matches!(item.form, Form::Call | Form::Class) || item.head.text.is_empty();
    let own = scan.with_any_key(OWN).filter(data);
    let mut blocks: Vec<Block<'d>> = own.map(|item| Block::new(item, Certainty::Certain)).collect();
    // A sink without request settings retries by default.
    let sinks = scan.items.iter().copied().filter_map(|i| i.get("sinks").and_then(Value::item));
    let sections = scan.items.iter().copied().filter(|i| i.head.text.starts_with("sinks.") && is_sink(i));
    let inner = sinks.flat_map(|sinks| sinks.args.iter().filter_map(|a| a.value.item())).filter(|i| is_sink(i));
    for sink in inner.chain(sections) {
        let (mut written, name) = (false, format!("{}.request", sink.head.text));
        sink.walk(&mut |item| written |= OWN.iter().any(|key| item.get(key).is_some()));
        written |= scan.items.iter().any(|item| item.head.text == name);
        let request = sink.get("request").and_then(Value::item);
        match request.filter(|request| !request.args.is_empty()) {
            _ if written => {}
            Some(request) => blocks.push(Block::new(request, Certainty::Certain)),
            None => blocks.push(Block::new(sink, Certainty::Certain).variant("default")),
        }
    }
    blocks
}

fn is_sink(item: &Item) -> bool {
    item.get("type").is_some() && item.get("inputs").is_some()
}

fn read(take: &mut Take) -> Policy {
    let item: &Item = take.block.item;
    if take.block.variant == "default" {
        let message = "No request settings are written: for ever from 1 s, up to 30 s, is the default.";
        take.note("defaults", item.head.span.to(item.span), message);
        return request(take.of_call(&[], item.span, ""));
    }
    let mut args = take.main();
    args.unknown_retry_names("a request setting", "Vector does not start");
    request(args)
}

fn request(mut args: Args) -> Policy {
    let retries = args.count("retry_attempts");
    let base_ms = args.time("retry_initial_backoff_secs").unwrap_or(1_000.0);
    let cap_ms = args.time("retry_max_duration_secs").unwrap_or(30_000.0);
    for name in ["retry_initial_backoff_secs", "retry_max_duration_secs"] {
        if let Some(value) = args.value(name).filter(|v| v.number().is_some_and(|n| n < 1.0 || n.fract() != 0.0)) {
            args.take.refuse(name, value, "must be a whole number of seconds, at least 1: Vector does not start");
        }
    }
    let timeout_ms = args.time("timeout_secs");
    let full = match args.value("retry_jitter_mode").map(|v| (v, v.text().unwrap_or_default())) {
        None => {
            args.take.default("jitter", "Full");
            true
        }
        Some((value, mode @ ("Full" | "None"))) => {
            args.take.origin("jitter", value.span);
            mode == "Full"
        }
        Some((value, _)) => {
            args.take.refuse("retry_jitter_mode", value, "must be Full or None");
            true
        }
    };
    let delays = delays(base_ms, cap_ms);
    let wait = match full {
        true => Wait::table(
            delays.into_iter().map(|ms| Law::steps(1.0_f64.min(ms), ms.max(1.0_f64.min(ms)), 1.0)).collect(),
        ),
        false => Wait::new(Backoff::List { delays_ms: delays, after: After::RepeatLast }),
    };
    let mut policy = Policy::new(wait, retries);
    policy.attempt_timeout_ms = timeout_ms;
    policy
}

/// Each delay is the sum of the two before it, cut before it feeds the next.
fn delays(base_ms: f64, cap_ms: f64) -> Vec<f64> {
    let (mut before, mut delay) = (base_ms, base_ms.min(cap_ms));
    let mut delays = vec![delay];
    while delay < cap_ms && delay > 0.0 && delays.len() < 100 {
        (before, delay) = (delay, (before + delay).min(cap_ms));
        delays.push(delay);
    }
    delays
}
