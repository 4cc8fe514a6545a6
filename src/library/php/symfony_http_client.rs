//! Symfony HttpClient: retries of failed requests.

use super::{built, built_steps};
use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Kind, Value};
use crate::policy::{Backoff, CapOrder, Jitter, Policy, Wait};
use crate::retry_after::RetryAfter;

/// Symfony HttpClient 7.
pub static LIBRARY: Library = Library {
    id: "symfony-http-client",
    title: "Symfony HttpClient",
    ecosystem: "PHP",
    version: "7.x (274e2f6, 2024-10)",
    source: "Retry/GenericRetryStrategy.php, RetryableHttpClient.php",
    counts: "retries (max_retries)",
    formula: "min(max_delay, delay * multiplier^(k-1) * U[1 - jitter, 1 + jitter])",
    words: &[
        "retry_failed",
        "RetryableHttpClient",
        "GenericRetryStrategy",
        "http_client",
        "retryFailed",
        "retry-failed",
    ],
    settings: &[
        Setting::count("max_retries|maxRetries|max-retries", "retries", "3").quoted(),
        Setting::other("statusCodes").at(0),
        Setting::time("delay|delayMs", "baseMs", Unit::Millisecond, "1000").at(1).plain(),
        Setting::number("multiplier", "factor", "2").at(2),
        Setting::time("max_delay|maxDelayMs|maxDelay|max-delay", "capMs", Unit::Millisecond, "0").at(3).plain(),
        Setting::number("jitter", "jitter", "0.1").at(4),
        Setting::other("http_codes"),
        Setting::other("retry_strategy"),
        Setting::other("enabled"),
    ],
    notes: &[
        "max_retries counts retries.",
        "A jitter of 10 % is on unless it is switched off, and the cap comes after it.",
        "A Retry-After header replaces the wait.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: Some((
        RetryAfter::Replaces { limit_ms: None },
        "symfony/http-client, RetryableHttpClient.php at 274e2f6",
    )),
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "framework:\n    http_client:\n        scoped_clients:\n            rates.client:\n                base_uri: 'https://rates.example.com'\n                retry_failed:\n                    max_retries: 2\n                    delay: 250\n                    jitter: 0\n",
            waits: &[(0.25, 0.25), (0.5, 0.5)],
        },
        Example {
            text: "$client = new RetryableHttpClient($inner, new GenericRetryStrategy([429, 503], 400, 1.0, 0, 0.25), 2);\n",
            waits: &[(0.3, 0.5), (0.3, 0.5)],
        },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks: Vec<Block<'d>> = Vec::new();
    for item in scan.items.iter() {
        match item.get("retry_failed") {
            Some(Value { kind: Kind::Item(inner), .. }) => blocks.push(Block::new(inner, Certainty::Certain)),
            Some(value) if value.flag() == Some(true) => {
                blocks.push(Block::new(item, Certainty::Certain).variant("default").at(value.span));
            }
            _ => {}
        }
    }
    blocks.extend(built(scan, "retryFailed", "scopedClient"));
    let tags = scan.heads(&["retry-failed"]).filter(|i| i.form == Form::Tag);
    blocks.extend(tags.map(|item| Block::new(item, Certainty::Certain)));
    let classes = scan
        .items
        .iter()
        .copied()
        .filter(|i| i.form == Form::Call && i.is_any(&["RetryableHttpClient", "GenericRetryStrategy"]));
    blocks.extend(scan.outermost(classes).into_iter().map(|i| Block::new(i, Certainty::Certain).variant("class")));
    blocks
}

fn read(take: &mut Take) -> Policy {
    let (item, span): (&Item, _) = (take.block.item, take.block.span);
    let bare = take.block.variant == "default";
    let inner = item.args.iter().filter_map(|a| a.value.item()).find(|i| i.is("GenericRetryStrategy"));
    let client = item.is("RetryableHttpClient");
    let count = item.at(2).filter(|_| client).or(item.get("maxRetries"));
    if bare || client && inner.is_none() && count.is_none() {
        take.note("defaults", item.head.span, "Nothing is set: 3 retries from 1 s, doubling, ±10 %, is the default.");
    }
    if let Some(value) = item.get("enabled").filter(|value| value.flag() == Some(false)) {
        take.origin("retries", value.span);
        return Policy::single_call();
    }
    let mut args = match (client, inner) {
        _ if bare => take.of_call(&[], span, ""),
        _ if take.block.variant == "builder" => take.of_steps(built_steps(item, span.start), span, ""),
        (true, Some(inner)) => take.of(inner, ""),
        (true, None) => take.of_call(&[], item.span, ""),
        (false, _) => take.main(),
    };
    let retries = match count.filter(|_| client) {
        Some(value) => args.take.number("maxRetries", "retries", value).map_or(3, |n| n.max(0.0) as u64),
        None => args.count("max_retries").unwrap_or(3),
    };
    let base_ms = args.time("delay").unwrap_or(1_000.0);
    let factor = args.number("multiplier").unwrap_or(2.0);
    let cap_ms = args.time("max_delay").filter(|ms| *ms > 0.0);
    let share = args.number("jitter").unwrap_or(0.1);
    if let Some(value) = args.value("multiplier").filter(|_| factor < 1.0) {
        args.take.refuse("multiplier", value, "must be at least 1");
    }
    if let Some(value) = args.value("jitter").filter(|_| !(0.0..=1.0).contains(&share)) {
        args.take.refuse("jitter", value, "must be between 0 and 1");
    }
    args.unknown_names("an option of retry_failed", "the container does not compile");
    let jitter = if share > 0.0 { Jitter::Proportional { below: share, above: share } } else { Jitter::None };
    let wait = Wait::new(Backoff::Exponential { base_ms, factor }).jitter(jitter).cap(cap_ms);
    Policy::new(wait.cap_order(CapOrder::AfterJitter), retries)
}
