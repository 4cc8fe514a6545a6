//! AWS SDK for Go, both releases: retryers and the settings of a client.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Statement, Step, Value};
use crate::policy::{Law, Policy, Wait};

/// The SDK for Go 2 with the retryer that it has without `AWS_NEW_RETRIES_2026`, and the last SDK for Go 1.
pub static LIBRARY: Library = Library {
    id: "aws-sdk-go",
    title: "AWS SDK for Go",
    ecosystem: "AWS",
    version: "v2 (2026), v1.55",
    source: "v2 aws/retry/standard.go, jitter_backoff.go, middleware.go; v1 aws/client/default_retryer.go",
    counts: "calls, the first included (v2); retries (v1)",
    formula: "v2: U[0, 2^k s), MaxBackoff once 2^k s passes it; v1: 2^(k-1) * U[30, 60) ms",
    words: &[
        "aws-sdk-go",
        "aws-sdk-go-v2",
        "retry.NewStandard",
        "retry.NewAdaptiveMode",
        "retry.AddWithMaxAttempts",
        "retry.AddWithMaxBackoffDelay",
        "config.WithRetryMaxAttempts",
        "client.DefaultRetryer",
        "aws.Config",
        "aws.NewConfig",
        "aws.Retryer",
        "RetryMaxAttempts",
    ],
    settings: &[
        Setting::count("MaxAttempts", "retries", "3"),
        Setting::time("MaxBackoff", "capMs", Unit::Nanosecond, "20s").typed(),
        Setting::other("Backoff|Retryables|Timeouts|RateLimiter|RetryCost|RetryTimeoutCost|NoRetryIncrement"),
        Setting::count("maxAttempts", "retries", "").of("AddWithMaxAttempts").at(1),
        Setting::time("delay", "capMs", Unit::Nanosecond, "").typed().of("AddWithMaxBackoffDelay").at(1),
        Setting::count("maxAttempts", "retries", "").of("WithRetryMaxAttempts").at(0),
        Setting::count("RetryMaxAttempts", "retries", "3").of("config"),
        Setting::count("NumMaxRetries", "retries", "0").of("v1"),
        Setting::time("MinRetryDelay", "baseMs", Unit::Nanosecond, "30ms").typed().of("v1"),
        Setting::time("MaxRetryDelay", "capMs", Unit::Nanosecond, "300s").typed().of("v1"),
        Setting::other("MinThrottleDelay|MaxThrottleDelay").of("v1"),
        Setting::count("MaxRetries|WithMaxRetries", "retries", "3").of("v1 config"),
    ],
    notes: &[
        "MaxAttempts of v2 counts calls, MaxRetries of v1 counts retries; 0 attempts mean without end.",
        "The first wait of v2 is drawn from 0 to 2 s.",
        "Once 2^k s passes MaxBackoff the wait is MaxBackoff itself, without jitter.",
        "Throttling waits longer in v1: from 500 ms.",
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
            text: "cfg, err := config.LoadDefaultConfig(ctx, config.WithRetryer(func() aws.Retryer {\n\treturn retry.AddWithMaxBackoffDelay(retry.AddWithMaxAttempts(retry.NewStandard(), 5), 5*time.Second)\n}))\n",
            waits: &[(0.0, 2.0), (0.0, 4.0), (5.0, 5.0), (5.0, 5.0)],
        },
        Example {
            text: "sess := session.Must(session.NewSession(&aws.Config{\n\tRegion:     aws.String(\"eu-west-1\"),\n\tMaxRetries: aws.Int(3),\n}))\n",
            waits: &[(0.03, 0.06), (0.06, 0.12), (0.12, 0.24)],
        },
    ],
};

const WRAPPERS: &[&str] = &["retry.AddWithMaxAttempts", "retry.AddWithMaxBackoffDelay"];
const MAKERS: &[&str] = &["retry.NewStandard", "retry.NewAdaptiveMode", "aws.NopRetryer"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let retryers = scan.heads(WRAPPERS).chain(scan.heads(MAKERS)).chain(scan.heads(&["config.WithRetryMaxAttempts"]));
    let first = scan.heads(&["client.DefaultRetryer"]);
    let all: Vec<&Item> = retryers.chain(first).filter(|i| i.form == Form::Call).collect();
    let mut blocks: Vec<Block<'d>> =
        scan.outermost(all.into_iter()).into_iter().map(|item| Block::new(item, Certainty::Certain)).collect();
    let configs = scan.heads(&["aws.Config", "aws.NewConfig"]);
    let configs = configs.filter(|i| i.get("MaxRetries").is_some() || i.call("WithMaxRetries").is_some());
    blocks.extend(configs.map(|item| Block::new(item, Certainty::Certain).variant("v1 config")));
    let second = scan.with_keys(&["RetryMaxAttempts"]).filter(|i| i.form == Form::Call);
    blocks.extend(second.map(|item| Block::new(item, Certainty::Certain).variant("config")));
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    match take.block.variant {
        "config" => {
            let calls = take.of(item, "config").count("RetryMaxAttempts").unwrap_or(3);
            second(calls, 20_000.0)
        }
        "v1 config" => {
            let retries = count_of_pointer(take, item).unwrap_or(3);
            first(retries, 30.0, 300_000.0)
        }
        _ if item.is("client.DefaultRetryer") => {
            let mut args = take.of(item, "v1");
            let retries = args.count("NumMaxRetries").unwrap_or(0);
            let base_ms = args.time("MinRetryDelay").filter(|ms| *ms > 0.0).unwrap_or(30.0);
            let cap_ms = args.time("MaxRetryDelay").filter(|ms| *ms > 0.0).unwrap_or(300_000.0);
            args.unknown_names("a field of DefaultRetryer", "it does not compile");
            first(retries, base_ms, cap_ms)
        }
        _ if item.is("config.WithRetryMaxAttempts") => {
            let calls = take.of(item, "WithRetryMaxAttempts").count("maxAttempts").unwrap_or(3);
            second(calls, 20_000.0)
        }
        _ => {
            let (calls, cap_ms) = retryer(take, item);
            second(calls, cap_ms)
        }
    }
}

/// `MaxRetries: aws.Int(3)` and `WithMaxRetries(3)`.
fn count_of_pointer<'t>(take: &mut Take<'t>, item: &'t Item) -> Option<u64> {
    let value = take.of(item, "v1 config").value("MaxRetries")?;
    let inner = value.item().and_then(|pointer| pointer.at(0)).unwrap_or(value);
    take.number("MaxRetries", "retries", inner).map(|n| n.max(0.0) as u64)
}

/// The calls and the longest wait of a retryer, whatever wraps it.
fn retryer<'t>(take: &mut Take<'t>, item: &'t Item) -> (u64, f64) {
    if item.is("aws.NopRetryer") {
        return (1, 20_000.0);
    }
    let inner = item.args.iter().find_map(|arg| arg.value.item()).filter(|_| item.is_any(WRAPPERS));
    let (mut calls, mut cap_ms) = match inner {
        Some(inner) if inner.is_any(WRAPPERS) || inner.is_any(MAKERS) => retryer(take, inner),
        _ => (3, 20_000.0),
    };
    if item.is("retry.AddWithMaxAttempts") {
        calls = take.of(item, "AddWithMaxAttempts").count("maxAttempts").unwrap_or(calls);
    } else if item.is("retry.AddWithMaxBackoffDelay") {
        cap_ms = take.of(item, "AddWithMaxBackoffDelay").time("delay").unwrap_or(cap_ms);
    } else if let Some(set) = item.at(0).and_then(options) {
        let mut args = take.of(set, "");
        calls = args.count("MaxAttempts").unwrap_or(3);
        cap_ms = args.time("MaxBackoff").unwrap_or(20_000.0);
        if let Some(value) = args.value("Backoff") {
            args.take.note("unread-backoff", value.span, "This Backoff is the text's own; its waits are not known.");
            args.take.unknown.push("backoff");
        }
    }
    (calls, cap_ms)
}

/// What `func(o *retry.StandardOptions) { o.MaxAttempts = 5 }` sets.
fn options(value: &Value) -> Option<&Item> {
    value.fun()?.body.iter().find_map(|statement| match statement {
        Statement::Expr(value) | Statement::Return(value) => {
            value.item().filter(|item| item.steps.iter().any(|step| matches!(step, Step::Set { .. })))
        }
        _ => None,
    })
}

/// Wait k of release 2: `U[0, 2^k s)`, or the longest once k passes its logarithm.
fn second(calls: u64, cap_ms: f64) -> Policy {
    let steps = libm::log2(cap_ms / 1e3).max(0.0).floor();
    let law = |k: u64| match k as f64 > steps {
        true => Law::fixed(cap_ms),
        false => Law::uniform(0.0, 1e3 * libm::pow(2.0, k as f64)),
    };
    Policy::new(Wait::each(steps as u64 + 1, &law), (calls > 0).then(|| calls - 1))
}

/// Wait k of release 1: `2^(k-1) * U[min, 2 min)`; a draw above the longest wait is drawn anew from its upper half, which
/// here stands for all of a range that passes it.
fn first(retries: u64, base_ms: f64, cap_ms: f64) -> Policy {
    let law = |k: u64| {
        let low = base_ms * libm::pow(2.0, (k - 1) as f64);
        match 2.0 * low > cap_ms {
            true => Law::uniform((cap_ms / 2.0).min(low), cap_ms),
            false => Law::uniform(low, 2.0 * low),
        }
    };
    Policy::new(Wait::each(retries.min(60), &law), retries)
}
