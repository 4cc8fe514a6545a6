//! The AWS SDK for JavaScript 2: `maxRetries` and `retryDelayOptions` of a client.

use super::map;
use crate::duration::Unit;
use crate::library::computed::{self, Inputs};
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Value};
use crate::policy::{Backoff, Jitter, Phase, Policy, Wait};

/// AWS SDK for JavaScript 2.
pub static LIBRARY: Library = Library {
    id: "aws-sdk-js-2",
    title: "AWS SDK for JavaScript",
    ecosystem: "JavaScript",
    version: "2.1693.0",
    source: "npm package aws-sdk: lib/util.js calculateRetryDelay, lib/service.js, lib/services/dynamodb.js",
    counts: "retries, the first request not included (maxRetries)",
    formula: "U[0, base * 2^(k-1)), base 100 ms, for DynamoDB 50 ms; no cap",
    words: &["aws-sdk", "AWS.DynamoDB", "AWS.S3", "retryDelayOptions", "customBackoff", "maxRetries"],
    settings: &[
        Setting::count("maxRetries", "retries", "3"),
        Setting::other("retryDelayOptions"),
        Setting::time("base", "baseMs", Unit::Millisecond, "100").of(OPTIONS).plain(),
        Setting { field: "backoff", ..Setting::other("customBackoff") }.of(OPTIONS),
    ],
    notes: &[
        "maxRetries counts retries: 8 are up to 9 requests.",
        "There is no cap: the upper end of the wait doubles with every retry.",
        "DynamoDB retries 10 times from 50 ms unless told otherwise, every other service 3 times from 100 ms.",
        "Up to 2016 there was no jitter for DynamoDB, and its first retry came at once.",
    ],
    releases: &[CURRENT, OF_2016],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "const AWS = require('aws-sdk');\nconst s3 = new AWS.S3({ region: 'eu-west-1', maxRetries: 4, retryDelayOptions: { base: 250 } });\n",
            waits: &[(0.0, 0.25), (0.0, 0.5), (0.0, 1.0), (0.0, 2.0)],
        },
        Example {
            text: "const table = new AWS.DynamoDB.DocumentClient({ maxRetries: 3 });\n",
            waits: &[(0.0, 0.05), (0.0, 0.1), (0.0, 0.2)],
        },
    ],
};

const CURRENT: &str = "2.1693";
const OF_2016: &str = "2 of 2016";
const OPTIONS: &str = "retryDelayOptions";
const KEYS: &[&str] = &["maxRetries", "retryDelayOptions"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let imported = scan.imports(&["aws-sdk"]);
    let mut blocks = Vec::new();
    for item in scan.items.iter().copied().filter(|item| item.form == Form::Call) {
        let head = item.head.text.as_str();
        let service = head.strip_prefix("AWS.").or_else(|| head.strip_prefix("aws-sdk.")).unwrap_or_default();
        let client = service.starts_with(|c: char| c.is_ascii_uppercase());
        let keys = item.at(0).and_then(map).is_some_and(|given| super::has_any(given, KEYS));
        let update = service == "config.update" && keys;
        let made = client && (keys || imported && is_client(service, item));
        if update || made {
            blocks.push(Block::new(item, Certainty::Certain).label(service));
        }
    }
    // A client that says nothing is worth a word only where none does.
    if blocks.iter().any(|block| has_keys(block.item)) {
        blocks.retain(|block| has_keys(block.item));
    }
    blocks
}

fn has_keys(item: &Item) -> bool {
    item.at(0).and_then(map).is_some_and(|given| super::has_any(given, KEYS))
}

/// Whether a constructor makes a client of a service, and no credentials, endpoint or the like.
fn is_client(service: &str, item: &Item) -> bool {
    const OTHERS: &[&str] = &["Config", "Endpoint", "Credentials", "HttpRequest", "Request", "Converter"];
    let given = item.args.is_empty() || item.at(0).and_then(map).is_some();
    given && !OTHERS.iter().any(|other| service.ends_with(other)) && !service.contains("Converter")
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let dynamo = item.head.text.contains("DynamoDB");
    let (usual, usual_ms) = if dynamo { (10, 50.0) } else { (3, 100.0) };
    let given = item.at(0).and_then(map);
    if !has_keys(item) {
        let message = format!("Nothing about retries is written here: the client retries {usual} times.");
        take.note("defaults", item.head.span, message);
    }
    let mut retries = usual;
    let mut options = None;
    if let Some(given) = given {
        let mut args = take.of(given, "");
        args.unknown_retry_names("an option of a client", "it is ignored");
        retries = if args.has("maxRetries") { args.count("maxRetries").unwrap_or(usual) } else { usual };
        options = args.value(OPTIONS).and_then(map);
        if let Some(value) = args.value("maxRetries").filter(|_| retries > 0) {
            let message = format!("`maxRetries` counts retries: up to {} requests.", retries.saturating_add(1));
            args.take.note("counts-retries", value.span, message);
        }
    }
    if !take.origins.iter().any(|o| o.field == "retries") {
        take.default("retries", usual.to_string());
    }
    let base_ms = match options {
        Some(options) => {
            let mut args = take.of(options, OPTIONS);
            args.unknown_names("one of `retryDelayOptions`", "it is ignored");
            if let Some(fun) = args.value("customBackoff").and_then(Value::fun) {
                let inputs = Inputs::positional(|k| vec![k as f64 - 1.0]);
                return computed::policy(take, "customBackoff", fun, inputs, Some(retries));
            }
            if args.has("base") { args.time("base") } else { None }
        }
        None => None,
    };
    let base_ms = base_ms.unwrap_or_else(|| {
        take.default("baseMs", format!("{usual_ms} ms"));
        usual_ms
    });
    policy(base_ms, retries, dynamo && take.release == OF_2016)
}

/// Full jitter; without it, and the first retry at once, as DynamoDB's client had it.
fn policy(base_ms: f64, retries: u64, at_once: bool) -> Policy {
    let curve = Wait::new(Backoff::Exponential { base_ms, factor: 2.0 });
    if !at_once {
        return Policy::new(curve.jitter(Jitter::Full), retries);
    }
    let mut policy = Policy::new(Wait { skip: 1, ..curve }, retries);
    policy.phases = vec![Phase { retries: 1, wait: Wait::new(Backoff::Constant { delay_ms: 0.0 }) }];
    policy
}
