//! Microsoft.Extensions.Http.Resilience: Polly with defaults for HTTP, in code and in appsettings.

use super::polly::{calls, limits, sets_options, strategy};
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Fun, Item, Statement, Step, Value};
use crate::policy::{Clock, Deadline, Overrun, Policy};
use crate::retry_after::RetryAfter;

/// dotnet/extensions 10.
pub static LIBRARY: Library = Library {
    id: "ms-http-resilience",
    title: "Microsoft HTTP resilience",
    ecosystem: ".NET",
    version: "dotnet/extensions 10 (5862342c9a, 2026-08)",
    source: "HttpRetryStrategyOptions.cs, HttpStandardResilienceOptions.cs; Polly's RetryHelper.cs",
    counts: "retries (MaxRetryAttempts)",
    formula: "Polly's: decorrelated waits around Delay * 2^(k-1)",
    words: &[
        "AddStandardResilienceHandler",
        "AddResilienceHandler",
        "HttpRetryStrategyOptions",
        "HttpStandardResilienceOptions",
        "TotalRequestTimeout",
        "MaxRetryAttempts",
    ],
    settings: &[
        Setting::number("MaxRetryAttempts|Retry.MaxRetryAttempts", "retries", "3"),
        Setting::duration("Delay|Retry.Delay", "baseMs", "2s"),
        Setting::other("BackoffType|Retry.BackoffType"),
        Setting::flag("UseJitter|Retry.UseJitter", "jitter", "true"),
        Setting::duration("MaxDelay|Retry.MaxDelay", "capMs", ""),
        Setting::other("DelayGenerator|Retry.DelayGenerator"),
        Setting::other("ShouldHandle|Retry.ShouldHandle"),
        Setting::other("OnRetry|Retry.OnRetry"),
        Setting::other("Name"),
        Setting::other("Randomizer"),
        Setting::other("ShouldRetryAfterHeader"),
        Setting::duration("TotalRequestTimeout.Timeout", "deadline", "30s").of("standard"),
        Setting::duration("AttemptTimeout.Timeout", "attemptTimeoutMs", "10s").of("standard"),
        Setting::duration("CircuitBreaker.SamplingDuration", "", "30s").of("standard"),
    ],
    notes: &[
        "Jitter is on by default, and the waits depend on each other.",
        "The standard handler stops everything after 30 s and each try after 10 s.",
        "A Retry-After of the answer replaces the wait.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: Some((
        RetryAfter::Replaces { limit_ms: None },
        "dotnet/extensions, HttpRetryStrategyOptions.cs at 5862342c9a",
    )),
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "services.AddHttpClient<OrderClient>().AddStandardResilienceHandler(o =>\n{\n    o.Retry.MaxRetryAttempts = 2;\n    o.Retry.Delay = TimeSpan.FromSeconds(1);\n    o.Retry.UseJitter = false;\n});\n",
            waits: &[(1.0, 1.0), (2.0, 2.0)],
        },
        Example {
            text: "{\n  \"HttpStandardResilienceOptions\": {\n    \"Retry\": { \"MaxRetryAttempts\": 2, \"BackoffType\": \"Constant\", \"Delay\": \"00:00:03\", \"UseJitter\": false }\n  }\n}\n",
            waits: &[(3.0, 3.0), (3.0, 3.0)],
        },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks: Vec<Block<'d>> = Vec::new();
    for item in scan.items.iter().copied() {
        for (name, variant) in [("AddStandardResilienceHandler", "standard"), ("AddResilienceHandler", "custom")] {
            let headed = item.form == Form::Call && item.is(name);
            let standard = headed || item.call(name).is_some();
            let retries = variant == "standard" || scan.says("HttpRetryStrategyOptions");
            if standard && retries {
                blocks.push(Block::new(item, Certainty::Certain).variant(variant));
            }
        }
        // `Configure<HttpStandardResilienceOptions>(o => o.Retry.MaxRetryAttempts = 5)`
        let options = item.form == Form::Call && item.is("Configure") && scan.says("HttpStandardResilienceOptions");
        if options && item.args.iter().any(|a| a.value.fun().and_then(configured).is_some_and(is_options)) {
            blocks.push(Block::new(item, Certainty::Certain).variant("standard"));
        }
        let retry = item.get("Retry").and_then(Value::item).filter(|r| sets_options(r));
        let json = item.form == Form::Map && retry.is_some();
        if json
            && (item.get("TotalRequestTimeout").is_some()
                || item.get("AttemptTimeout").is_some()
                || scan.says("Resilience"))
        {
            blocks.push(Block::new(item, Certainty::Certain).variant("json"));
        }
    }
    if blocks.is_empty() {
        let alone = scan.heads(&["HttpRetryStrategyOptions"]).filter(|i| i.form == Form::Call);
        blocks.extend(scan.outermost(alone).into_iter().map(|i| Block::new(i, Certainty::Certain).variant("options")));
    }
    blocks
}

fn is_options(item: &Item) -> bool {
    item.steps.iter().any(|step| matches!(step, Step::Set { path, .. } if path.text.starts_with("Retry.")))
}

/// The arguments of the call that adds the handler.
fn handler_args<'t>(item: &'t Item, name: &str) -> Vec<&'t Value> {
    match item.call(name) {
        Some(args) => args.iter().map(|a| &a.value).collect(),
        None => item.args.iter().map(|a| &a.value).collect(),
    }
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    match take.block.variant {
        "options" => {
            let mut args = take.main();
            let policy = strategy(&mut args, "Exponential");
            args.unknown_names("a property of HttpRetryStrategyOptions", "it does not compile");
            policy
        }
        "json" => {
            let retry = item.get("Retry").and_then(Value::item).unwrap_or(item);
            let mut args = take.of(retry, "");
            let mut policy = strategy(&mut args, "Exponential");
            args.unknown_names("a property of the retry options", "it is not bound");
            standard_limits(&mut take.of(item, "standard"), &mut policy);
            policy
        }
        "custom" => custom(take, item),
        _ => standard(take, item),
    }
}

/// The total limit and the limit of a try, with their defaults.
fn standard_limits(args: &mut Args, policy: &mut Policy) {
    let limit_ms = args.time("TotalRequestTimeout.Timeout");
    policy.deadline = limit_ms.map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Refuse, clock: Clock::Elapsed });
    policy.attempt_timeout_ms = args.time("AttemptTimeout.Timeout");
    let sampling_ms = args.time("CircuitBreaker.SamplingDuration").unwrap_or(30_000.0);
    let (limit_ms, attempt_ms) = (limit_ms.unwrap_or(30_000.0), policy.attempt_timeout_ms.unwrap_or(10_000.0));
    let written = ["TotalRequestTimeout.Timeout", "AttemptTimeout.Timeout", "CircuitBreaker.SamplingDuration"];
    let value = |args: &Args, names: &[&str]| names.iter().find_map(|name| args.value(name)).map(|v| v.span);
    if let Some(span) = value(args, &written[..2]).filter(|_| attempt_ms > limit_ms) {
        let message =
            "TotalRequestTimeout.Timeout is shorter than AttemptTimeout.Timeout: the options are refused at the start.";
        args.take.error("bad-value", span, message);
    }
    if let Some(span) = value(args, &written[1..]).filter(|_| sampling_ms < 2.0 * attempt_ms) {
        let message = "The circuit breaker samples 30 s unless it is told otherwise, and must sample at least twice \
                       AttemptTimeout.Timeout: the options are refused at the start.";
        args.take.error("bad-value", span, message).help = "Set CircuitBreaker.SamplingDuration too.".into();
    }
}

/// The item that a lambda makes of its parameter: what it sets and calls on it.
pub(super) fn configured(fun: &Fun) -> Option<&Item> {
    fun.body.iter().find_map(|statement| match statement {
        Statement::Expr(value) | Statement::Return(value) => value.item(),
        Statement::Bind(..) | Statement::If(..) => None,
    })
}

fn standard<'t>(take: &mut Take<'t>, item: &'t Item) -> Policy {
    let fun = handler_args(item, "AddStandardResilienceHandler").into_iter().find_map(Value::fun);
    let later = item.call("Configure").into_iter().flatten().find_map(|arg| arg.value.fun());
    let fun = fun.or(later);
    let set = fun.and_then(configured);
    if set.is_none() {
        let message = "Nothing is set: three retries around 2, 4 and 8 s within 30 s is the default.";
        take.note("defaults", item.head.span, message);
    }
    let mut args = args_of(take, set, item, "");
    let mut policy = strategy(&mut args, "Exponential");
    standard_limits(&mut args_of(take, set, item, "standard"), &mut policy);
    policy
}

fn args_of<'a, 't>(take: &'a mut Take<'t>, set: Option<&'t Item>, item: &'t Item, of: &'static str) -> Args<'a, 't> {
    match set {
        Some(set) => take.of(set, of),
        None => take.of_call(&[], item.span, of),
    }
}

/// `AddResilienceHandler(name, p => { p.AddRetry(…); p.AddTimeout(…); })`: a time-out after the retry bounds one try, one
/// before it the whole.
fn custom<'t>(take: &mut Take<'t>, item: &'t Item) -> Policy {
    let fun = handler_args(item, "AddResilienceHandler").into_iter().find_map(Value::fun);
    let calls = fun.and_then(configured).map(calls).unwrap_or_default();
    let Some(at) = calls.iter().position(|(name, _)| *name == "AddRetry") else {
        take.note("no-retry", item.head.span, "This handler adds no retry: one call.");
        return Policy::single_call();
    };
    let options = calls[at].1.item();
    let mut args = args_of(take, options, item, "");
    let mut policy = strategy(&mut args, "Exponential");
    args.unknown_names("a property of HttpRetryStrategyOptions", "it does not compile");
    limits(take, &calls, at, &mut policy);
    policy
}
