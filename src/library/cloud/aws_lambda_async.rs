//! AWS Lambda: the retries of asynchronous invocations.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Crumb, Item, Value};
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
        "maximumRetryAttempts",
        "maximumEventAge",
        "maximumEventAgeInSeconds",
        "maxEventAge",
        "max_event_age",
        "configureAsyncInvoke",
    ],
    settings: &[
        Setting::count(
            "MaximumRetryAttempts|maximum_retry_attempts|--maximum-retry-attempts|maximumRetryAttempts|retryAttempts|retry_attempts",
            "retries",
            "2",
        ),
        Setting::time(
            "MaximumEventAgeInSeconds|maximum_event_age_in_seconds|--maximum-event-age-in-seconds|maximumEventAge|maximumEventAgeInSeconds|maxEventAge|max_event_age",
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
    retry_after: None,
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
        "maximumEventAge",
        "maxEventAge",
        "max_event_age",
    ];
    for item in scan.items.iter().copied() {
        let typed = item.get("Type").and_then(Value::text) == Some("AWS::Lambda::EventInvokeConfig");
        let properties = item.get("Properties").and_then(Value::item).filter(|_| typed);
        // A stream or queue that a function reads from has a count of the same name.
        let streams = ["ParallelizationFactor", "EventSourceArn", "batchSize", "BatchSize", "batch_size", "stream"];
        let mapping = streams.iter().any(|key| item.get(key).is_some())
            || item.at(0).and_then(Value::text) == Some("aws_lambda_event_source_mapping")
            || item.is("EventSourceMapping");
        let functions = item.place.iter().any(|c| matches!(c, Crumb::Key(key) if key == "functions"));
        let serverless = functions && item.get("maximumRetryAttempts").is_some();
        let command = item.args.iter().any(|a| a.value.text() == Some("put-function-event-invoke-config"));
        let resource = item.at(0).and_then(Value::text) == Some("aws_lambda_function_event_invoke_config");
        let own = (serverless || resource || keys.iter().any(|key| item.get(key).is_some())) && !mapping;
        let found: Option<&Item> = properties.or_else(|| (own || command).then_some(item));
        if let Some(found) = found
            && !blocks.iter().any(|b| b.span.overlaps(found.span))
        {
            let target = matches!(item.place.last(), Some(Crumb::Key(key)) if key == "RetryPolicy" || key == "retry_policy")
                || item.is("retry_policy");
            let block = Block::new(found, Certainty::Certain);
            blocks.push(if target { block.variant("EventBridge") } else { block });
        }
    }
    blocks
}

/// A target of EventBridge has the same keys with other bounds, and waits that are not published.
fn event_bridge(take: &mut Take) -> Policy {
    let mut args = take.main();
    let retries = if args.has("MaximumRetryAttempts") { args.count("MaximumRetryAttempts") } else { None };
    let retries = retries.unwrap_or(185);
    if let Some(value) = args.value("MaximumRetryAttempts").filter(|_| retries > 185) {
        args.take.refuse("MaximumRetryAttempts", value, "must be between 0 and 185");
    }
    let age_ms = if args.has("MaximumEventAgeInSeconds") { args.time("MaximumEventAgeInSeconds") } else { None };
    let limit_ms = age_ms.unwrap_or(86_400_000.0);
    let span = args.span;
    args.take.unknown.push("backoff");
    let message = "This is the target of a rule or schedule of EventBridge, which backs off exponentially with jitter, up to \
                   185 times within 24 h unless said; its waits are not published, so none are shown.";
    args.take.note("unpublished", span, message);
    let mut policy = Policy::new(Wait::new(Backoff::Constant { delay_ms: 0.0 }), retries);
    policy.deadline = Some(Deadline { limit_ms, overrun: Overrun::Refuse, clock: Clock::Elapsed });
    policy
}

fn read(take: &mut Take) -> Policy {
    if take.block.variant == "EventBridge" {
        return event_bridge(take);
    }
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
