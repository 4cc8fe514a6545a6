//! hashicorp/go-retryablehttp: a client with fields.

use crate::duration::Unit;
use crate::library::computed::{self, Inputs};
use crate::library::{Block, Example, Library, Scan, Setting, Take};
use crate::notation::item::path_ends_with;
use crate::notation::{Form, Value};
use crate::policy::{Backoff, Law, Policy, Wait};
use crate::retry_after::RetryAfter;

/// go-retryablehttp as of April 2026.
pub static LIBRARY: Library = Library {
    id: "go-retryablehttp",
    title: "go-retryablehttp",
    ecosystem: "Go",
    version: "fd00458 (2026-04)",
    source: "client.go",
    counts: "retries (RetryMax)",
    formula: "min(RetryWaitMax, RetryWaitMin * 2^(k-1))",
    words: &["retryablehttp", "retryablehttp.NewClient", "RetryWaitMin", "RetryWaitMax", "RetryMax"],
    settings: &[
        Setting::count("RetryMax", "retries", "4"),
        Setting::time("RetryWaitMin", "baseMs", Unit::Nanosecond, "1s").typed(),
        Setting::time("RetryWaitMax", "capMs", Unit::Nanosecond, "30s").typed(),
        Setting::other("Backoff"),
        Setting::other("HTTPClient"),
        Setting::other("Logger"),
        Setting::other("CheckRetry"),
        Setting::other("ErrorHandler"),
        Setting::other("RequestLogHook"),
        Setting::other("ResponseLogHook"),
        Setting::other("PrepareRetry"),
        Setting::time("HTTPClient.Timeout", "attemptTimeoutMs", Unit::Nanosecond, "").typed(),
    ],
    notes: &[
        "A Retry-After of a 429 or 503 replaces the wait, and RetryWaitMax does not limit it.",
        "With LinearJitterBackoff RetryWaitMax is no cap: wait k is k times a draw between the two.",
        "The default backoff has no jitter.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: Some((
        RetryAfter::Replaces { limit_ms: None },
        "go-retryablehttp, client.go at fd00458; for 429 and 503",
    )),
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "client := retryablehttp.NewClient()\nclient.RetryMax = 3\nclient.RetryWaitMin = 200 * time.Millisecond\nclient.RetryWaitMax = 600 * time.Millisecond\n",
            waits: &[(0.2, 0.2), (0.4, 0.4), (0.6, 0.6)],
        },
        Example {
            text: "c := retryablehttp.NewClient()\nc.RetryMax = 2\nc.Backoff = retryablehttp.LinearJitterBackoff\nc.RetryWaitMin = time.Second\nc.RetryWaitMax = 3 * time.Second\n",
            waits: &[(1.0, 3.0), (2.0, 6.0)],
        },
    ],
};

const LINEAR: &[&str] = &["LinearJitterBackoff", "RateLimitLinearJitterBackoff"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    scan.outermost_blocks(&|i| i.form == Form::Call && i.is_any(&["retryablehttp.NewClient", "retryablehttp.Client"]))
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let literal = !item.is("retryablehttp.NewClient");
    let mut args = take.main();
    let set = ["RetryMax", "RetryWaitMin", "RetryWaitMax", "Backoff"].iter().any(|name| args.has(name));
    if !set {
        let message = "No retry setting is written: the client's defaults apply, 4 retries from 1 s.";
        args.take.note("defaults", item.head.span, message);
    }
    let zero = |written: bool| literal && !written;
    let retries = if zero(args.has("RetryMax")) { Some(0) } else { args.count("RetryMax") };
    let min_ms = if zero(args.has("RetryWaitMin")) { 0.0 } else { args.time("RetryWaitMin").unwrap_or(1_000.0) };
    let max_ms = if zero(args.has("RetryWaitMax")) { 0.0 } else { args.time("RetryWaitMax").unwrap_or(30_000.0) };
    let timeout_ms = args.time("HTTPClient.Timeout").filter(|ms| *ms > 0.0);
    args.unknown_names("a field of retryablehttp.Client", "it does not compile");
    if args.take.scan.comments_say("retry-after") {
        let span = args.value("RetryWaitMax").map_or(args.span, |v| v.span);
        let message = "A Retry-After of a 429 or 503 takes the place of the wait, and RetryWaitMax does not limit it; it is \
                       not in these numbers.";
        args.take.warning("retry-after", span, message);
    }
    // Both take Retry-After where there is one, and the same draws where there is none.
    let linear = |t: &str| LINEAR.iter().any(|name| path_ends_with(t, name));
    let linear = args.value("Backoff").and_then(|v| v.text()).is_some_and(linear);
    if let Some(fun) = args.value("Backoff").and_then(Value::fun) {
        let ns = |ms: f64| ms * 1e6;
        let given = move |k: u64| vec![ns(min_ms), ns(max_ms), k as f64 - 1.0];
        let inputs = Inputs::positional(given).unit_ms(1e-6);
        let mut policy = computed::policy(take, "Backoff", fun, inputs, retries);
        policy.attempt_timeout_ms = timeout_ms;
        return policy;
    }
    let wait = if linear {
        let law = |k: u64| Law::uniform(min_ms * k as f64, max_ms.max(min_ms) * k as f64);
        Wait::each(retries.unwrap_or(0).min(2_000), &law)
    } else {
        if let Some(value) = args.value("Backoff").filter(|v| v.item().is_some()) {
            args.take.note("unread-backoff", value.span, "This Backoff is the text's own; its waits are not known.");
            args.take.unknown.push("backoff");
        }
        Wait::new(Backoff::Exponential { base_ms: min_ms, factor: 2.0 }).cap(max_ms)
    };
    let mut policy = Policy::new(wait, retries);
    policy.attempt_timeout_ms = timeout_ms;
    policy
}
