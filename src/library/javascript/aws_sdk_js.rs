//! AWS SDK for JavaScript 3: `maxAttempts`, `retryMode` and `retryStrategy` of its clients.

use super::strategy::{self, Inputs};
use super::{NOTHING, claim_alone, has_any, map, ms, written_calls};
use crate::duration::Unit;
use crate::library::near::slipped;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Statement, Value};
use crate::policy::{Backoff, Jitter, Policy, Rounded, RoundingMode, Wait};
use crate::retry_after::RetryAfter;

/// AWS SDK for JavaScript 3, by the rules of 2026 and by those before.
pub static LIBRARY: Library = Library {
    id: "aws-sdk-js",
    title: "AWS SDK for JavaScript 3",
    ecosystem: "JavaScript",
    version: "@smithy/util-retry 4.6.2, @smithy/core 3.41.1",
    source: "npm packages @smithy/util-retry and @smithy/core (submodules/retry), @aws-sdk/client-s3, @aws-sdk/client-dynamodb",
    counts: "calls, the first included (maxAttempts)",
    formula: "floor(random * min(base * 2^(k-1), 20000)); base 50 ms, for DynamoDB 25, when throttled 1000",
    words: &[
        "@smithy/util-retry",
        "@aws-sdk/util-retry",
        "@aws-sdk",
        "StandardRetryStrategy",
        "ConfiguredRetryStrategy",
        "AdaptiveRetryStrategy",
        "AWS_MAX_ATTEMPTS",
        "AWS_RETRY_MODE",
        "retry_mode",
        "max_attempts",
        "retryMode",
        "maxAttempts",
    ],
    settings: &[
        Setting::count("maxAttempts", "retries", "3"),
        super::shaping("retryMode"),
        super::shaping("retryStrategy"),
        Setting::count("maxAttempts", "retries", "3").of(STRATEGY).at(0),
        ms("baseDelay", "baseMs", "").of(STRATEGY),
        Setting::count("AWS_MAX_ATTEMPTS|max_attempts", "retries", "3").of(ENVIRONMENT),
        Setting::other("AWS_RETRY_MODE|retry_mode").of(ENVIRONMENT),
    ],
    notes: &[
        "maxAttempts counts calls: 3 by default, 4 for DynamoDB.",
        "Throttling errors start at 1 s, other transient errors at 50 ms, at 25 ms for DynamoDB.",
        "Before the rules of 2026 the bases were 100 ms and, when throttled, 500 ms.",
        "A client's retry quota of 500 ends the retrying after about 35 failing retries in a row, 100 when throttled.",
        "ConfiguredRetryStrategy takes the delay as it is: no chance, no cap.",
        "The adaptive mode may add a delay of its own after throttling.",
    ],
    releases: &[CURRENT, BEFORE],
    error_classes: &[TRANSIENT, THROTTLING],
    relaxed_names: false,
    retry_after: Some((RetryAfter::Raises { by_ms: 5_000.0 }, "@smithy/util-retry 4.6.2; by x-amz-retry-after")),
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "import { SQSClient } from \"@aws-sdk/client-sqs\";\n\nexport const sqs = new SQSClient({ region: \"eu-west-1\", maxAttempts: 5 });\n",
            waits: &[(0.0, 0.049), (0.0, 0.099), (0.0, 0.199), (0.0, 0.399)],
        },
        Example {
            text: "import { S3Client } from \"@aws-sdk/client-s3\";\nimport { ConfiguredRetryStrategy } from \"@smithy/util-retry\";\n\nconst client = new S3Client({\n  retryStrategy: new ConfiguredRetryStrategy(4, (attempt) => 200 + attempt * 500),\n});\n",
            waits: &[(0.7, 0.7), (1.2, 1.2), (1.7, 1.7)],
        },
    ],
};

const CURRENT: &str = "2026 rules";
const BEFORE: &str = "before 2026";
const TRANSIENT: &str = "transient errors";
const THROTTLING: &str = "throttling errors";
const STRATEGY: &str = "strategy";
const ENVIRONMENT: &str = "environment";
const STRATEGIES: &[&str] = &["StandardRetryStrategy", "ConfiguredRetryStrategy", "AdaptiveRetryStrategy"];
const CLIENT_KEYS: &[&str] = &["maxAttempts", "retryMode", "retryStrategy"];
const ENVIRONMENT_KEYS: &[&str] = &["AWS_MAX_ATTEMPTS", "AWS_RETRY_MODE", "retry_mode"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks = Vec::new();
    for item in written_calls(scan) {
        let ours = item.head.text.starts_with("@aws-sdk/client-");
        let named = ours || item.head.text.rsplit('.').next().is_some_and(|name| name.ends_with("Client"));
        let given = item.at(0).and_then(map);
        let keys = given.is_some_and(|given| has_any(given, CLIENT_KEYS));
        let strategy = given.and_then(|given| given.get("retryStrategy")).and_then(Value::item);
        let sure = ours && (keys || given.is_some() || item.args.is_empty()) && is_constructor(item);
        if sure || (named && strategy.is_some_and(|item| item.is_any(STRATEGIES))) {
            blocks.push(Block::new(item, Certainty::Certain));
        } else if named
            && given.is_some_and(|given| has_any(given, &CLIENT_KEYS[..2]) || slipped(given, &CLIENT_KEYS[..2]))
        {
            blocks.push(Block::new(item, Certainty::Possible));
        }
    }
    let strategy = |item: &Item| item.form == Form::Call && item.is_any(STRATEGIES);
    super::claim(scan, &mut blocks, strategy, Certainty::Certain);
    claim_alone(scan, &mut blocks, |item| has_any(item, ENVIRONMENT_KEYS), Certainty::Likely);
    let profile = |item: &Item| item.form == Form::Section && has_any(item, ENVIRONMENT_KEYS);
    super::claim(scan, &mut blocks, profile, Certainty::Likely);
    blocks
}

/// Whether a call of a client package makes a client: its name begins with a capital and is no command.
fn is_constructor(item: &Item) -> bool {
    let name = item.head.text.rsplit('.').next().unwrap_or_default();
    name.starts_with(|c: char| c.is_ascii_uppercase()) && !name.ends_with("Command") && !name.contains("Exception")
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if take.scan.comments_say("throttl") {
        take.assume_error_class(THROTTLING);
    }
    if item.is_any(STRATEGIES) {
        return strategy(take, item, 3);
    }
    if item.form != Form::Call {
        return environment(take, item);
    }
    let dynamo = item.head.text.to_ascii_lowercase().contains("dynamodb");
    let usual = if dynamo { 4 } else { 3 };
    let given = item.at(0).and_then(map);
    if !given.is_some_and(|given| has_any(given, CLIENT_KEYS)) {
        let message = format!("Nothing about retries is written here: the client makes up to {usual} calls.");
        take.note("defaults", item.head.span, message);
    }
    let mut args = take.of(given.unwrap_or(&NOTHING), "");
    args.unknown_retry_names(
        "an option of a client (SDK 2 had other names: `maxRetries`, `retryDelayOptions`)",
        "it is ignored",
    );
    let mode = args.value("retryMode").map(|value| (value, value.text()));
    if let Some((value, Some("adaptive"))) = mode {
        let message = "The adaptive mode may delay calls further after throttling; that is not in the numbers below.";
        args.take.note("adaptive", value.span, message);
    } else if let Some((value, _)) = mode.filter(|(v, text)| *text != Some("standard") && !v.is_undefined()) {
        args.take.refuse("retryMode", value, "must be \"standard\" or \"adaptive\"");
    }
    match args.value("retryStrategy").and_then(Value::item).filter(|item| item.is_any(STRATEGIES)) {
        Some(item) => strategy(take, item, usual),
        None => {
            let calls = if args.has("maxAttempts") { args.count("maxAttempts") } else { None };
            let calls = calls.unwrap_or_else(|| {
                take.default("retries", usual.to_string());
                usual
            });
            Policy::new(standard(take, dynamo, None), calls.max(1) - 1)
        }
    }
}

/// A strategy object: the calls, or a function that gives them, and for a configured one the delay.
fn strategy<'t>(take: &mut Take<'t>, item: &'t Item, usual: u64) -> Policy {
    let given = item.at(0).and_then(map);
    let provider = item.at(0).and_then(Value::fun).map(|fun| fun.body.as_slice());
    let mut args = take.of(given.unwrap_or(item), STRATEGY);
    let calls = match provider {
        Some([Statement::Return(value)]) => {
            args.take.number("maxAttempts", "retries", value).map(|n| n.max(1.0) as u64)
        }
        Some(_) => {
            args.take.unknown.push("retries");
            None
        }
        None if args.has("maxAttempts") => args.count("maxAttempts"),
        None => None,
    };
    let base_ms = if given.is_some() { args.time("baseDelay") } else { None };
    let retries = calls.unwrap_or(usual).max(1) - 1;
    if !item.is("ConfiguredRetryStrategy") {
        return Policy::new(standard(take, false, base_ms), retries);
    }
    match item.at(1) {
        Some(value) => match value.fun() {
            Some(fun) => {
                take.origin("backoff", value.span);
                let inputs = Inputs::positional(|k| vec![k as f64]);
                strategy::policy(take, "ConfiguredRetryStrategy", fun, inputs, Some(retries))
            }
            None => {
                let delay_ms = take.time("ConfiguredRetryStrategy", "delayMs", value, Some(Unit::Millisecond));
                Policy::new(Wait::new(Backoff::Constant { delay_ms: delay_ms.unwrap_or(0.0) }), retries)
            }
        },
        None => {
            let delay_ms = if take.release == BEFORE { 100.0 } else { 50.0 };
            take.default("delayMs", format!("{delay_ms} ms"));
            Policy::new(Wait::new(Backoff::Constant { delay_ms }), retries)
        }
    }
}

/// The standard strategy: full jitter in whole ms under 20 s.
fn standard(take: &mut Take, dynamo: bool, written_ms: Option<f64>) -> Wait {
    let base_ms = match (take.error_class, take.release) {
        (THROTTLING, BEFORE) => 500.0,
        (THROTTLING, _) => 1_000.0,
        (_, BEFORE) => 100.0,
        _ if dynamo => 25.0,
        _ => 50.0,
    };
    take.default("baseMs", format!("{base_ms} ms for {}", take.error_class));
    take.default("capMs", "20 s");
    take.default("jitter", "full, whole ms");
    let base_ms = written_ms.filter(|_| take.error_class != THROTTLING).unwrap_or(base_ms);
    let wait = Wait::new(Backoff::Exponential { base_ms, factor: 2.0 }).cap(20_000.0);
    wait.jitter(Jitter::Full).rounding(RoundingMode::Floor, 1.0, Rounded::Wait)
}

/// Variables of the environment or a profile, which this SDK reads as well.
fn environment<'t>(take: &mut Take<'t>, item: &'t Item) -> Policy {
    let mut args = take.of(item, ENVIRONMENT);
    let calls = args.count("AWS_MAX_ATTEMPTS");
    if let Some((name, value)) = args.written("AWS_MAX_ATTEMPTS").filter(|_| calls == Some(0)) {
        args.take.refuse(&name, value, "must be at least 1");
    }
    if let Some((name, value)) = args.written("AWS_RETRY_MODE")
        && !matches!(value.text(), Some("standard" | "adaptive"))
        && !value.is_undefined()
    {
        args.take.refuse(&name, value, "must be standard or adaptive in this SDK");
    }
    Policy::new(standard(take, false, None), calls.unwrap_or(3).max(1) - 1)
}
