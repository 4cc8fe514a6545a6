//! faraday-retry: the retry middleware of a connection.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::item::path_ends_with;
use crate::notation::{Arg, Item, Kind, Step, Value};
use crate::policy::{Backoff, Jitter, Policy, Wait};
use crate::retry_after::RetryAfter;
use crate::span::Span;

/// faraday-retry 2.4.
pub static LIBRARY: Library = Library {
    id: "faraday-retry",
    title: "faraday-retry",
    ecosystem: "Ruby",
    version: "2.4.0 (a422231, 2025-12)",
    source: "lib/faraday/retry/middleware.rb",
    counts: "retries (max)",
    formula: "min(max_interval, interval * backoff_factor^(k-1)) + U[0, interval_randomness] * interval",
    words: &["Faraday", "Faraday.new", "interval_randomness", ":retry", "faraday", "backoff_factor"],
    settings: &[
        Setting::count("max", "retries", "2"),
        Setting::time("interval", "baseMs", Unit::Second, "0").typed(),
        Setting::number("backoff_factor", "factor", "1"),
        Setting::number("interval_randomness", "jitter", "0"),
        Setting::time("max_interval", "capMs", Unit::Second, "").typed(),
        Setting::other("exceptions"),
        Setting::other("methods"),
        Setting::other("retry_if"),
        Setting::other("retry_block"),
        Setting::other("retry_statuses"),
        Setting::other("rate_limit_retry_header"),
        Setting::other("rate_limit_reset_header"),
        Setting::other("header_parser_block"),
        Setting::other("exhausted_retries_block"),
    ],
    notes: &[
        "max counts retries.",
        "The jitter is a share of interval, not of the wait, and comes after the cap.",
        "Without an interval the retries come at once.",
        "A Retry-After longer than the wait replaces it; above max_interval there is no retry.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: Some((
        RetryAfter::Floors,
        "faraday-retry 2.4.0, retry/middleware.rb; above max_interval there is no retry",
    )),
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "conn = Faraday.new(url: \"https://example.com\") do |f|\n  f.request :retry, max: 3, interval: 0.2, backoff_factor: 3, max_interval: 1\nend\n",
            waits: &[(0.2, 0.2), (0.6, 0.6), (1.0, 1.0)],
        },
        Example {
            text: "builder.request :retry, max: 2, interval: 1, interval_randomness: 0.5\n",
            waits: &[(1.0, 1.5), (1.0, 1.5)],
        },
    ],
};

/// The call `request :retry` in an item, with its arguments.
fn request(item: &Item) -> Option<(&[Arg], Span)> {
    let retries = |args: &[Arg]| {
        let name = args.first().and_then(|arg| arg.value.text()).unwrap_or_default();
        let class = ["Faraday::Retry::Middleware", "Faraday::Request::Retry"].iter().any(|c| path_ends_with(name, c));
        class || name.trim_start_matches(':') == "retry"
    };
    let step = item.steps.iter().find_map(|step| match step {
        Step::Call { name, args, span } if matches!(name.text.as_str(), "request" | "use") && retries(args) => {
            Some((args.as_slice(), *span))
        }
        _ => None,
    });
    step.or_else(|| {
        (item.is_any(&["request", "use"]) && retries(&item.args)).then_some((item.args.as_slice(), item.span))
    })
}

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let found = scan.items.iter().copied().filter(|i| request(i).is_some());
    let mut blocks: Vec<Block<'d>> = Vec::new();
    for item in found {
        if !blocks.iter().any(|b| b.span.overlaps(item.span)) {
            blocks.push(Block::new(item, Certainty::Certain));
        }
    }
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let Some((written, span)) = request(item) else { return Policy::single_call() };
    // The options are named arguments, or one map after the name of the middleware.
    let given = written.get(1).filter(|a| a.name.is_none()).map(|a: &Arg| &a.value);
    let map = given.and_then(Value::item).filter(|i| i.head.text.is_empty() && i.steps.is_empty());
    if let Some(value) = given.filter(|v| map.is_none() && (v.is_undefined() || matches!(v.kind, Kind::Op(..)))) {
        take.unknown.extend(["retries", "baseMs"]);
        let message = "The options are given by a name or a call that this text does not define.";
        take.note("unknown-value", value.span, message).help =
            "The numbers below are those without options; write them out to see their own.".into();
    }
    let mut args = match map {
        Some(map) => take.of(map, ""),
        None => take.of_call(written, span, ""),
    };
    if written.len() == 1 {
        args.take.note("defaults", span, "Nothing is set: two retries at once is the default.");
    }
    let retries = args.count("max").unwrap_or(2);
    let base_ms = args.time("interval").unwrap_or(0.0);
    let factor = args.number("backoff_factor").unwrap_or(1.0);
    let share = args.number("interval_randomness").unwrap_or(0.0);
    let cap_ms = args.time("max_interval");
    args.unknown_names("an option of the retry middleware", "Ruby raises NoMethodError");
    let wait = Wait::new(Backoff::Exponential { base_ms, factor }).cap(cap_ms);
    let jitter = match share != 0.0 && base_ms > 0.0 {
        true => Jitter::Additive { min_ms: (share * base_ms).min(0.0), max_ms: (share * base_ms).max(0.0) },
        false => Jitter::None,
    };
    Policy::new(wait.jitter(jitter), retries)
}
