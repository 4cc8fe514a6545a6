//! Envoy: the retry policy of a route or virtual host.

use crate::library::{Args, Block, Certainty, Example, GO, Library, Scan, Setting, Take, same};
use crate::notation::{Arg, Form, Item, Value};
use crate::policy::{Backoff, Clock, Deadline, Jitter, Overrun, Policy, Rounded, RoundingMode, Wait};

/// Envoy's v3 API.
pub static LIBRARY: Library = Library {
    id: "envoy",
    title: "Envoy",
    ecosystem: "mesh",
    version: "v3 API, 2026",
    source: "source/common/common/backoff_strategy.cc; config.core.v3.BackoffStrategy; the router filter",
    counts: "retries (num_retries); 1 unless written",
    formula: "U[0, min(max_interval, base_interval * 2^(k-1))), whole ms",
    words: &[
        "retry_policy",
        "retry_back_off",
        "num_retries",
        "retryBackOff",
        "numRetries",
        "retry_on",
        "retryOn",
        "retryPolicy",
        "perRetry",
    ],
    settings: &[
        Setting::count("num_retries", "retries", "1").quoted(),
        Setting::other("retry_on"),
        Setting::duration("per_try_timeout", "attemptTimeoutMs", "").units(SECONDS),
        Setting::other("per_try_idle_timeout"),
        Setting::other("retry_back_off"),
        Setting::other("rate_limited_retry_back_off"),
        Setting::other("retry_priority"),
        Setting::other("retry_host_predicate"),
        Setting::other("retry_options_predicates"),
        Setting::other("host_selection_retry_max_attempts"),
        Setting::other("retriable_status_codes"),
        Setting::other("retriable_headers"),
        Setting::other("retriable_request_headers"),
        Setting::duration("base_interval", "baseMs", "0.025s").of("back_off").units(SECONDS),
        Setting::duration("max_interval", "capMs", "").of("back_off").units(SECONDS),
        Setting::duration("timeout", "deadline", "").of("route").units(SECONDS),
        Setting::count("numRetries", "retries", "2").of("gateway"),
        Setting::other("retryOn|perRetry|backOff").of("gateway"),
        Setting::duration("baseInterval", "baseMs", "").of("gateway").units(GO),
        Setting::duration("maxInterval", "capMs", "").of("gateway").units(GO),
        Setting::duration("timeout", "attemptTimeoutMs", "").of("gateway").units(GO),
        Setting::count("count", "retries", "1").of("contour"),
        Setting::duration("perTryTimeout", "attemptTimeoutMs", "").of("contour").units(GO),
        Setting::other("retryOn|retriableStatusCodes").of("contour"),
    ],
    notes: &[
        "A retry_policy without num_retries retries once.",
        "The documentation gives (2^N - 1) * base as the upper end of a wait; the code draws below 2^(N-1) * base.",
        "Without max_interval the cap is ten times the base.",
        "The route's timeout bounds everything, 15 s unless it is written.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: true,
    retry_after: None,
    find,
    read,
    write: &[
        "retry_policy:\n  retry_on: 5xx\n  num_retries: «retries»‹\n  per_try_timeout: «timeout:pb»›\n  retry_back_off:\n    base_interval: «base:pb»\n    max_interval: «cap:pb|86400s»«factor:-»\n",
        "route:\n  cluster: service\n  timeout: «refuse:pb|0s»\n  retry_policy:\n    retry_on: 5xx\n    num_retries: «retries»‹\n    per_try_timeout: «timeout:pb»›\n    retry_back_off:\n      base_interval: «base:pb»\n      max_interval: «cap:pb|86400s»«factor:-»\n",
    ],
    examples: &[
        Example {
            text: "retry_policy:\n  retry_on: connect-failure\n  num_retries: 3\n  retry_back_off:\n    base_interval: 0.201s\n    max_interval: 0.501s\n",
            waits: &[(0.0, 0.2), (0.0, 0.401), (0.0, 0.5)],
        },
        Example {
            text: "{\"retryPolicy\": {\"retryOn\": \"5xx\", \"numRetries\": 2}}\n",
            waits: &[(0.0, 0.024), (0.0, 0.049)],
        },
    ],
};

/// The unit of a protobuf duration in JSON and YAML.
const SECONDS: &[&str] = &["s"];

fn get<'d>(item: &'d Item, name: &str) -> Option<&'d Value> {
    let named = |a: &&Arg| a.name.as_ref().is_some_and(|n| same(&n.text, name));
    // In protobuf's text form a message stands behind its name without a colon.
    let message = |a: &&Arg| a.name.is_none() && a.value.item().is_some_and(|i| same(&i.head.text, name));
    item.args.iter().rev().find(|a| named(a) || message(a)).map(|a| &a.value)
}

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks: Vec<Block<'d>> = Vec::new();
    let routes: Vec<&Item> =
        scan.items.iter().copied().filter(|i| get(i, "route").and_then(Value::item).is_some()).collect();
    for holder in scan.items.iter().copied() {
        let Some(value) = get(holder, "retry_policy") else { continue };
        let Some(inner) = value.item() else { continue };
        let own = ["retry_on", "num_retries", "retry_back_off", "per_try_timeout", "retriable_status_codes"];
        if own.iter().any(|name| get(inner, name).is_some()) {
            let mut block = Block::new(inner, Certainty::Certain).at(value.span).with(holder);
            let route =
                routes.iter().find(|r| get(r, "route").and_then(Value::item).is_some_and(|i| i.span == holder.span));
            if let Some(prefix) = route.and_then(|r| get(r, "match")).and_then(Value::item) {
                let path = ["prefix", "path", "safe_regex"].iter().find_map(|n| get(prefix, n)?.text());
                block = block.label(path.unwrap_or_default());
            }
            blocks.push(block);
        }
    }
    let alone = scan.heads(&["retry_policy"]).filter(|i| i.form == Form::Call && get(i, "num_retries").is_some());
    blocks.extend(alone.filter(|i| i.place.is_empty()).map(|item| Block::new(item, Certainty::Certain)));
    // Envoy Gateway's policy of a backend, and Contour's of a route.
    for holder in scan.items.iter() {
        let retry = holder.get("retry").and_then(Value::item);
        if let Some(retry) = retry.filter(|r| r.get("numRetries").or(r.get("perRetry")).is_some()) {
            blocks.push(Block::new(retry, Certainty::Certain).variant("gateway"));
        }
        let contour = holder.get("retryPolicy").and_then(Value::item).filter(|r| r.get("count").is_some());
        if let Some(contour) = contour.filter(|_| scan.says("HTTPProxy") || scan.says("projectcontour.io")) {
            blocks.retain(|b| b.item.span != contour.span);
            blocks.push(Block::new(contour, Certainty::Certain).variant("contour"));
        }
    }
    if blocks.is_empty() {
        let bare = scan
            .items
            .iter()
            .copied()
            .filter(|i| get(i, "retry_on").is_some_and(|v| v.item().is_none()) && get(i, "num_retries").is_some());
        blocks.extend(bare.map(|item| Block::new(item, Certainty::Likely)));
    }
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    match take.block.variant {
        "gateway" => return gateway(take, item),
        "contour" => {
            let mut args = take.of(item, "contour");
            let mut policy = Policy::new(wait(25.0, 250.0), args.count("count").unwrap_or(1));
            policy.attempt_timeout_ms = args.time("perTryTimeout").filter(|ms| *ms > 0.0);
            args.unknown_names("a field of retryPolicy", "the API server refuses it");
            return policy;
        }
        _ => {}
    }
    misspelt(take, item);
    let mut args = take.main();
    let retries = args.count("num_retries").unwrap_or(1);
    let timeout_ms = args.time("per_try_timeout").filter(|ms| *ms > 0.0);
    let inner = get(item, "retry_back_off").and_then(Value::item).filter(|_| !misspelt_key(item));
    args.unknown_names("a field of retry_policy", "Envoy refuses the configuration");
    let (base_ms, max_ms) = match inner {
        Some(inner) => back_off(take.of(inner, "back_off")),
        None => {
            take.default("baseMs", "25 ms");
            take.default("capMs", "250 ms");
            (25.0, 250.0)
        }
    };
    let mut policy = Policy::new(wait(base_ms, max_ms), retries);
    policy.attempt_timeout_ms = timeout_ms;
    let route = take.block.others.first().copied().filter(|holder| holder.span != item.span);
    if let Some(holder) = route {
        let limit_ms = take.of(holder, "route").time("timeout").filter(|ms| *ms > 0.0);
        policy.deadline =
            limit_ms.map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Refuse, clock: Clock::Elapsed });
    }
    policy
}

/// Envoy Gateway: two retries unless it is told otherwise.
fn gateway<'t>(take: &mut Take<'t>, item: &'t Item) -> Policy {
    let retries = take.of(item, "gateway").count("numRetries").unwrap_or(2);
    let per = item.get("perRetry").and_then(Value::item);
    let (mut base_ms, mut max_ms) = (25.0, 250.0);
    if let Some(inner) = per.and_then(|per| per.get("backOff")).and_then(Value::item) {
        let mut args = take.of(inner, "gateway");
        base_ms = args.time("baseInterval").unwrap_or(25.0);
        max_ms = args.time("maxInterval").unwrap_or(10.0 * base_ms);
        args.unknown_names("a field of backOff", "the API server refuses it");
    } else {
        take.default("baseMs", "25 ms");
        take.default("capMs", "250 ms");
    }
    let mut policy = Policy::new(wait(base_ms, max_ms), retries);
    policy.attempt_timeout_ms = per.and_then(|per| take.of(per, "gateway").time("timeout")).filter(|ms| *ms > 0.0);
    policy
}

/// `retry_backoff` is near enough to be read, and no field.
fn misspelt_key(item: &Item) -> bool {
    item.args
        .iter()
        .filter_map(|a| a.name.as_ref())
        .any(|n| matches!(n.text.as_str(), "retry_backoff" | "retryBackoff"))
}

fn misspelt(take: &mut Take, item: &Item) {
    let named = item.args.iter().filter_map(|a| a.name.as_ref());
    for name in named.filter(|n| matches!(n.text.as_str(), "retry_backoff" | "retryBackoff")) {
        let message = format!("`{}` is not a field of retry_policy; Envoy refuses the configuration.", name.text);
        let near = if name.text.contains('_') { "retry_back_off" } else { "retryBackOff" };
        take.unknown_key(name.span, message, Some(near));
    }
}

fn back_off(mut args: Args) -> (f64, f64) {
    if !args.has("base_interval") {
        let span = args.span;
        args.take.error(
            "missing",
            span,
            "`base_interval` is required in retry_back_off; Envoy refuses the configuration.",
        );
    }
    let base_ms = args.time("base_interval").unwrap_or(25.0);
    if let Some(value) = args.value("base_interval").filter(|_| base_ms == 0.0) {
        args.take.refuse("base_interval", value, "must be greater than 0; Envoy refuses the configuration");
    }
    let base_ms = base_ms.max(1.0);
    let max_ms = args.time("max_interval");
    if let Some(value) = args.value("max_interval").filter(|_| max_ms.is_some_and(|max| max < base_ms)) {
        args.take.refuse("max_interval", value, "must be at least base_interval; Envoy refuses the configuration");
    }
    if max_ms.is_none() {
        args.take.default("capMs", "10 * base_interval");
    }
    args.unknown_names("a field of retry_back_off", "Envoy refuses the configuration");
    (base_ms, max_ms.unwrap_or(10.0 * base_ms))
}

/// A whole number of milliseconds below the interval, which doubles up to the maximum.
fn wait(base_ms: f64, max_ms: f64) -> Wait {
    Wait::new(Backoff::Exponential { base_ms, factor: 2.0 }).cap(max_ms).jitter(Jitter::Full).rounding(
        RoundingMode::Floor,
        1.0,
        Rounded::Wait,
    )
}
