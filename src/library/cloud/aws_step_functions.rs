//! AWS Step Functions: the `Retry` field of a state in Amazon States Language.

use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Arg, Form, Item, Step};
use crate::policy::{Backoff, Jitter, Policy, Wait};

/// The states language as of 2026.
pub static LIBRARY: Library = Library {
    id: "aws-step-functions",
    title: "AWS Step Functions",
    ecosystem: "AWS",
    version: "Amazon States Language, 2026",
    source: "the service's documentation of Retry; LocalStack's implementation of the language",
    counts: "retries (MaxAttempts); 0 means never",
    formula: "min(MaxDelaySeconds, IntervalSeconds * BackoffRate^(k-1))",
    words: &[
        "ErrorEquals",
        "BackoffRate",
        "IntervalSeconds",
        "JitterStrategy",
        "MaxDelaySeconds",
        "addRetry",
        "add_retry",
        "RetryProps",
        "LambdaInvoke",
    ],
    settings: &[
        Setting::other("ErrorEquals"),
        Setting::other("Comment"),
        Setting::time("IntervalSeconds", "baseMs", Unit::Second, "1"),
        Setting::count("MaxAttempts", "retries", "3"),
        Setting::number("BackoffRate", "factor", "2"),
        Setting::time("MaxDelaySeconds", "capMs", Unit::Second, ""),
        Setting::other("JitterStrategy"),
        Setting::other("errors").of("cdk"),
        Setting::duration("interval", "baseMs", "1s").of("cdk"),
        Setting::count("maxAttempts|max_attempts", "retries", "3").of("cdk"),
        Setting::number("backoffRate|backoff_rate", "factor", "2").of("cdk"),
        Setting::duration("maxDelay|max_delay", "capMs", "").of("cdk"),
        Setting::other("jitterStrategy|jitter_strategy").of("cdk"),
    ],
    notes: &[
        "MaxAttempts counts retries, not calls.",
        "Several retriers of one state keep a count each.",
        "JitterStrategy FULL draws between 0 and the delay.",
        "The CDK's addRetry writes a retrier, with the same defaults.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "{\n  \"Call\": {\n    \"Type\": \"Task\",\n    \"Resource\": \"arn:aws:states:::lambda:invoke\",‹\n    \"TimeoutSeconds\": «timeout:S»,›\n    \"Retry\": [\n      {\n        \"ErrorEquals\": [\"States.ALL\"],\n        \"IntervalSeconds\": «base:S»,\n        \"MaxAttempts\": «retries|99999999»,\n        \"BackoffRate\": «factor»,‹\n        \"MaxDelaySeconds\": «cap:S»,›\n        \"JitterStrategy\": \"«full?FULL:NONE»\"\n      }\n    ],\n    \"End\": true\n  }\n}\n",
    ],
    examples: &[
        Example {
            text: "{\n  \"Charge\": {\n    \"Type\": \"Task\",\n    \"Retry\": [\n      {\n        \"ErrorEquals\": [\"States.TaskFailed\"],\n        \"IntervalSeconds\": 2,\n        \"MaxAttempts\": 4,\n        \"BackoffRate\": 2,\n        \"MaxDelaySeconds\": 10,\n        \"JitterStrategy\": \"FULL\"\n      }\n    ]\n  }\n}\n",
            waits: &[(0.0, 2.0), (0.0, 4.0), (0.0, 8.0), (0.0, 10.0)],
        },
        Example {
            text: "\"Retry\": [{ \"ErrorEquals\": [\"States.ALL\"] }]",
            waits: &[(1.0, 1.0), (2.0, 2.0), (4.0, 4.0)],
        },
    ],
};

/// The service's own limits.
const MAX_DELAY_S: f64 = 31_622_400.0;

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let retriers = scan.with_keys(&["ErrorEquals"]).filter(|item| item.get("Next").is_none());
    let mut blocks: Vec<Block<'d>> = retriers.map(|item| Block::new(item, Certainty::Certain)).collect();
    let unmatched = scan.with_keys(&["BackoffRate"]).filter(|item| item.get("ErrorEquals").is_none());
    blocks.extend(unmatched.map(|item| Block::new(item, Certainty::Likely)));
    let certainty = match scan.says("stepfunctions") || scan.says("sfn.") || scan.says("tasks.") {
        true => Certainty::Certain,
        false => Certainty::Likely,
    };
    for item in scan.items.iter().copied().filter(|item| item.form == Form::Call) {
        // Each retrier of a chain is a block of its own, where it has a map of its own.
        let steps = item.steps.iter().filter_map(|step| match step {
            Step::Call { name, args, .. } if ADDS.contains(&name.text.as_str()) => Some(args.as_slice()),
            _ => None,
        });
        let own = item.is_any(ADDS).then_some(item.args.as_slice());
        for args in steps.chain(own) {
            let map = args.first().and_then(|arg| arg.value.item());
            let own = |arg: &Arg| is_cdk_key(arg, certainty == Certainty::Certain);
            if map.map_or(args, |map| &map.args).iter().any(own) {
                blocks.push(Block::new(map.unwrap_or(item), certainty).variant("cdk"));
            }
        }
    }
    // CDK's task of a function retries the service's own errors unless it is told not to.
    let invokes = scan.heads(&["LambdaInvoke"]).filter(|i| i.form == Form::Call && !i.args.is_empty());
    let told =
        |_: &&Item| !scan.says("retryOnServiceExceptions: false") && !scan.says("retry_on_service_exceptions=False");
    if blocks.is_empty() {
        blocks.extend(invokes.filter(told).map(|item| Block::new(item, Certainty::Likely).variant("invoke")));
    }
    let props = scan.heads(&["RetryProps.builder"]);
    blocks.extend(props.map(|item| Block::new(item, Certainty::Certain).variant("cdk")));
    blocks
}

/// The CDK's methods that write a retrier.
const ADDS: &[&str] = &["addRetry", "add_retry", "AddRetry"];

/// Whether an argument is one of a retrier; some are so plain that the text must speak of the service.
fn is_cdk_key(arg: &Arg, named: bool) -> bool {
    let plain = ["interval", "maxAttempts", "max_attempts", "errors"];
    let keys = ["backoffRate", "backoff_rate"].into_iter().chain(plain.into_iter().filter(|_| named));
    let keys: Vec<&str> = keys.collect();
    arg.name.as_ref().is_some_and(|name| keys.contains(&name.text.as_str()))
}

/// A retrier as the CDK takes it.
fn cdk(take: &mut Take) -> Policy {
    let item = take.block.item;
    let called = item.steps.iter().rev().find_map(|step| match step {
        Step::Call { name, args, span } if ADDS.contains(&name.text.as_str()) => Some((args.as_slice(), *span)),
        _ => None,
    });
    let mut args = match called {
        Some((args, span)) => take.of_call(args, span, "cdk"),
        None => take.of(item, "cdk"),
    };
    let base_ms = args.time("interval").unwrap_or(1_000.0);
    let factor = args.number("backoffRate").unwrap_or(2.0);
    let retries = args.count("maxAttempts").unwrap_or(3);
    let cap_ms = args.time("maxDelay");
    let full = args.value("jitterStrategy").and_then(|v| Some((v, v.text()?.ends_with("FULL"))));
    if let Some((value, _)) = full {
        args.take.origin("jitter", value.span);
    }
    let jitter = if full.is_some_and(|(_, full)| full) { Jitter::Full } else { Jitter::None };
    limits(&mut args, ["interval", "backoffRate", "maxDelay"], base_ms, factor, cap_ms);
    args.unknown_names("a property of RetryProps", "it does not compile");
    Policy::new(Wait::new(Backoff::Exponential { base_ms, factor }).cap(cap_ms).jitter(jitter), retries)
}

/// What the service refuses.
fn limits(args: &mut Args, [interval, rate, delay]: [&str; 3], base_ms: f64, factor: f64, cap_ms: Option<f64>) {
    if let Some(value) = args.value(rate).filter(|_| factor < 1.0) {
        args.take.refuse(rate, value, "must be at least 1");
    }
    if let Some(value) = args.value(interval).filter(|_| base_ms < 1_000.0) {
        args.take.refuse(interval, value, "must be at least 1 second");
    }
    if let (Some(value), Some(cap)) = (args.value(delay), cap_ms) {
        if cap >= MAX_DELAY_S * 1_000.0 {
            args.take.refuse(delay, value, "must be less than 31622400 seconds");
        } else if cap <= base_ms {
            args.take.refuse(delay, value, &format!("must be greater than {interval}"));
        }
    }
}

fn read(take: &mut Take) -> Policy {
    match take.block.variant {
        "cdk" => return cdk(take),
        "invoke" => {
            let message =
                "Nothing is written: errors of the Lambda service itself are retried 6 times from 2 s, doubling.";
            take.note("defaults", take.block.item.head.span, message);
            for (field, usual) in [("retries", "6"), ("baseMs", "2 s"), ("factor", "2")] {
                take.default(field, usual);
            }
            return Policy::new(Wait::new(Backoff::Exponential { base_ms: 2_000.0, factor: 2.0 }), 6);
        }
        _ => {}
    }
    let mut args = take.main();
    if args.value("ErrorEquals").is_none() {
        let span = args.head();
        let message = "`ErrorEquals` is required; the service refuses the definition without it.";
        args.take.error("missing-key", span, message).help = "Write `\"ErrorEquals\": [\"States.ALL\"]`.".into();
    }
    let base_ms = args.time("IntervalSeconds").unwrap_or(1_000.0);
    let factor = args.number("BackoffRate").unwrap_or(2.0);
    let retries = args.count("MaxAttempts").unwrap_or(3);
    let cap_ms = args.time("MaxDelaySeconds");
    for name in ["IntervalSeconds", "MaxDelaySeconds"] {
        if let Some(value) = args.value(name).filter(|v| v.number().is_some_and(|n| n.fract() != 0.0)) {
            args.take.refuse(name, value, "must be a whole number of seconds");
        }
    }
    if let Some(value) = args.value("MaxAttempts").filter(|_| retries > 99_999_999) {
        args.take.refuse("MaxAttempts", value, "must be at most 99999999");
    }
    let jitter = match args.value("JitterStrategy").map(|v| (v, v.text().unwrap_or_default())) {
        None => {
            args.take.default("jitter", "NONE");
            Jitter::None
        }
        Some((value, "NONE" | "FULL")) => {
            args.take.origin("jitter", value.span);
            if value.text() == Some("FULL") { Jitter::Full } else { Jitter::None }
        }
        Some((value, _)) => {
            args.take.refuse("JitterStrategy", value, "must be FULL or NONE");
            Jitter::None
        }
    };
    limits(&mut args, ["IntervalSeconds", "BackoffRate", "MaxDelaySeconds"], base_ms, factor, cap_ms);
    args.unknown_names("a field of a retrier", "the service refuses the definition");
    Policy::new(Wait::new(Backoff::Exponential { base_ms, factor }).cap(cap_ms).jitter(jitter), retries)
}
