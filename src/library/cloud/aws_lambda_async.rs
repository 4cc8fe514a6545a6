//! AWS Lambda: the retries of asynchronous invocations.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Item, Value};
use crate::policy::{After, Backoff, Clock, Deadline, Overrun, Policy, Wait};

/// The service as of 2026.
pub static LIBRARY: Library = Library {
    id: "aws-lambda-async",
    title: "AWS Lambda, asynchronous",
    ecosystem: "AWS",
    version: "2026",
    source: "the service's documentation of asynchronous invocation; AWS::Lambda::EventInvokeConfig",
    counts: "retries (MaximumRetryAttempts), 0 to 2",
    formula: "60 s, then 120 s",
    words: &[
        "MaximumRetryAttempts",
        "MaximumEventAgeInSeconds",
        "AWS::Lambda::EventInvokeConfig",
        "EventInvokeConfig",
        "put-function-event-invoke-config",
        "maximum_retry_attempts",
        "maximum-retry-attempts",
        "aws_lambda_function_event_invoke_config",
    ],
    settings: &[
        Setting::count("MaximumRetryAttempts|maximum_retry_attempts|--maximum-retry-attempts", "retries", "2"),
        Setting::time(
            "MaximumEventAgeInSeconds|maximum_event_age_in_seconds|--maximum-event-age-in-seconds",
            "deadline",
            Unit::Second,
            "21600",
        ),
    ],
    notes: &[
        "The waits cannot be set: a minute, then two.",
        "Throttles and server errors are retried apart from this count, until the event is too old.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "Type: AWS::Lambda::EventInvokeConfig\nProperties:\n  FunctionName: !Ref Thumbnails\n  MaximumEventAgeInSeconds: 7200\n  MaximumRetryAttempts: 2\n",
            waits: &[(60.0, 60.0), (120.0, 120.0)],
        },
        Example { text: "EventInvokeConfig:\n  MaximumRetryAttempts: 1\n", waits: &[(60.0, 60.0)] },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks: Vec<Block<'d>> = Vec::new();
    let keys = [
        "MaximumRetryAttempts",
        "MaximumEventAgeInSeconds",
        "maximum_retry_attempts",
        "--maximum-retry-attempts",
        "--maximum-event-age-in-seconds",
    ];
    for item in scan.items.iter().copied() {
        let typed = item.get("Type").and_then(Value::text) == Some("AWS::Lambda::EventInvokeConfig");
        let properties = item.get("Properties").and_then(Value::item).filter(|_| typed);
        let mapping = item.get("ParallelizationFactor").is_some() || item.get("EventSourceArn").is_some();
        let command = item.args.iter().any(|a| a.value.text() == Some("put-function-event-invoke-config"));
        let own = keys.iter().any(|key| item.get(key).is_some()) && !mapping;
        let found: Option<&Item> = properties.or_else(|| (own || command).then_some(item));
        if let Some(found) = found
            && !blocks.iter().any(|b| b.span.overlaps(found.span))
        {
            blocks.push(Block::new(found, Certainty::Certain));
        }
    }
    blocks
}

fn read(take: &mut Take) -> Policy {
    let mut args = take.main();
    if !args.has("MaximumRetryAttempts") {
        let span = args.span;
        args.take.note("defaults", span, "MaximumRetryAttempts is not written: two retries is the default.");
    }
    let retries = args.count("MaximumRetryAttempts").unwrap_or(2);
    if let Some(value) = args.value("MaximumRetryAttempts").filter(|_| retries > 2) {
        args.take.refuse("MaximumRetryAttempts", value, "must be between 0 and 2");
    }
    let limit_ms = args.time("MaximumEventAgeInSeconds").unwrap_or(21_600_000.0);
    if let Some(value) =
        args.value("MaximumEventAgeInSeconds").filter(|_| !(60_000.0..=21_600_000.0).contains(&limit_ms))
    {
        args.take.refuse("MaximumEventAgeInSeconds", value, "must be between 60 and 21600");
    }
    take.default("delaysMs", "60 s, 120 s");
    let curve = Backoff::List { delays_ms: vec![60_000.0, 120_000.0], after: After::RepeatLast };
    let mut policy = Policy::new(Wait::new(curve), retries);
    policy.deadline = Some(Deadline { limit_ms, overrun: Overrun::Refuse, clock: Clock::Elapsed });
    policy
}
