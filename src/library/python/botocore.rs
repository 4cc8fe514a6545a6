//! botocore and boto3: `Config(retries={…})` of a client, a profile of the shared configuration, the environment.

mod outside;

use super::is_bare;
use crate::library::scan::identity;
use crate::library::scan::in_order;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Step, Value};
use crate::policy::{Backoff, Jitter, Policy, Wait};
use crate::retry_after::RetryAfter;
use crate::span::Span;
use outside::{ENVIRONMENT, in_one_list, outside, put, variable};
use std::collections::HashSet;

/// botocore with the retry rules of 2026, and before them.
pub static LIBRARY: Library = Library {
    id: "botocore",
    title: "boto3 and botocore",
    ecosystem: "Python",
    version: "1.44.8",
    source: "botocore/retries/standard.py, botocore/retryhandler.py, botocore/data/_retry.json, botocore/config.py, botocore/args.py",
    counts: "retries (max_attempts in Config); calls (total_max_attempts, AWS_MAX_ATTEMPTS, max_attempts of a profile)",
    formula: "U(0, min(scale * 2^(k-1), 20 s)), scale 0.05 s, for DynamoDB 0.025 s, for throttling errors 1 s; legacy U(0, 2^(k-1) s)",
    words: &[
        "boto3",
        "botocore",
        "boto3.client",
        "boto3.resource",
        "total_max_attempts",
        "AWS_MAX_ATTEMPTS",
        "AWS_RETRY_MODE",
        "retry_mode",
        "max_attempts",
    ],
    settings: &[
        Setting::other("retries").of("Config"),
        Setting::other("mode").of("retries"),
        Setting::count("max_attempts", "retries", "").of("retries"),
        Setting::count("total_max_attempts", "retries", "").of("retries"),
        Setting::other("retry_mode").of("profile"),
        Setting::count("max_attempts", "retries", "").of("profile"),
        Setting::other("AWS_RETRY_MODE").of("environment"),
        Setting::count("AWS_MAX_ATTEMPTS", "retries", "").of("environment"),
    ],
    notes: &[
        "max_attempts inside Config counts retries; everywhere else the number counts calls.",
        "Throttling errors wait twenty times as long as others.",
        "The default mode is standard, 3 calls; before 2026 it was legacy, 5 calls.",
        "A client has 500 retry tokens and a retry costs 14 (5 when throttled), so at most 35 failing retries in a row are made.",
        "adaptive adds a limiter of its own on top, which is in no number here.",
        "Legacy mode has no cap.",
    ],
    releases: RELEASES,
    error_classes: CLASSES,
    relaxed_names: false,
    retry_after: Some((
        RetryAfter::Raises { by_ms: 5_000.0 },
        "botocore 1.44.8, retries/standard.py; by x-amz-retry-after",
    )),
    find,
    read,
    write: &[
        "import boto3\nfrom botocore.config import Config\n\nclient = boto3.client(\n    \"s3\",\n    config=Config(\n        retries={\"total_max_attempts\": «calls», \"mode\": \"standard\"},«factor:-»\n    ),\n)\n",
        "import boto3\nfrom botocore.config import Config\n\nclient = boto3.client(\n    \"s3\",\n    config=Config(\n        retries={\"total_max_attempts\": «calls», \"mode\": \"legacy\"},«factor:-»\n    ),\n)\n",
        "import boto3\nfrom botocore.config import Config\n\nclient = boto3.client(\n    \"dynamodb\",\n    config=Config(\n        retries={\"total_max_attempts\": «calls», \"mode\": \"standard\"},«factor:-»\n    ),\n)\n",
        "import boto3\nfrom botocore.config import Config\n\nclient = boto3.client(\n    \"dynamodb\",\n    config=Config(\n        retries={\"total_max_attempts\": «calls», \"mode\": \"legacy\"},«factor:-»\n    ),\n)\n",
    ],
    examples: &[
        Example {
            text: "import boto3\nfrom botocore.config import Config\n\nsqs = boto3.client(\"sqs\", config=Config(retries={\"total_max_attempts\": 6, \"mode\": \"standard\"}))\n",
            waits: &[(0.0, 0.05), (0.0, 0.1), (0.0, 0.2), (0.0, 0.4), (0.0, 0.8)],
        },
        Example {
            text: "from botocore.config import Config\n\npatient = Config(retries={\"max_attempts\": 3, \"mode\": \"legacy\"}, read_timeout=30)\n",
            waits: &[(0.0, 1.0), (0.0, 2.0), (0.0, 4.0)],
        },
    ],
};

const RELEASES: &[&str] = &["rules of 2026", "rules before 2026"];
const CLASSES: &[&str] = &["transient errors", "throttling errors"];
const CONFIGS: &[&str] = &["Config", "AioConfig"];
/// Keys of `retries` that people write beside it.
const MISPLACED: &[&str] = &["max_attempts", "total_max_attempts", "max_retries", "retry_mode", "mode"];
const CLIENTS: &[&str] = &["client", "resource", "create_client"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let imported = scan.imports(&["boto3", "botocore", "aioboto3", "aiobotocore"]);
    let clients: Vec<&Item> = scan.items.iter().copied().filter(|item| is_client(item, imported)).collect();
    let mut held: HashSet<Span> = HashSet::new();
    for client in &clients {
        client.walk(&mut |item| {
            if identity(item) != identity(client) {
                held.insert(identity(item));
            }
        });
    }
    let mut blocks: Vec<Block> =
        clients.into_iter().map(|item| Block::new(item, Certainty::Certain).variant("client")).collect();
    for item in scan.heads(CONFIGS).filter(|item| item.form == Form::Call && !held.contains(&identity(item))) {
        let named = ["botocore", "boto3", "aiobotocore"].iter().any(|p| item.head.text.starts_with(p));
        let misplaced = || MISPLACED.iter().find_map(|name| item.get(name)).filter(|_| named);
        let Some(retries) = item.get("retries").or_else(misplaced) else { continue };
        let keys =
            |value: &Value| value.item().is_some_and(|i| !i.args.is_empty() && i.args.iter().all(|a| a.name.is_some()));
        if named || (is_bare(item, CONFIGS) && (imported || keys(retries))) {
            let certainty = if named || imported { Certainty::Certain } else { Certainty::Likely };
            blocks.push(Block::new(item, certainty).variant("config"));
        }
    }
    for item in scan.items.iter().copied().filter(|item| item.form == Form::Section) {
        let profile = item.head.text == "default" || item.head.text.starts_with("profile ");
        let own = item.get("retry_mode").is_some() || (profile && item.get("max_attempts").is_some());
        if own {
            let certainty = if profile { Certainty::Certain } else { Certainty::Likely };
            blocks.push(Block::new(item, certainty).label(item.head.text.as_str()).variant("profile"));
        }
    }
    let mut variables: Vec<Block> = Vec::new();
    for item in scan.items.iter().copied().filter(|item| ENVIRONMENT.iter().any(|name| variable(item, name).is_some()))
    {
        // What stands in one list is one environment.
        match variables.last_mut() {
            Some(block) if in_one_list(block.item, item) => {
                block.span = block.span.to(item.span);
                block.others.push(item);
            }
            _ => variables.push(Block::new(item, Certainty::Certain).variant("environment")),
        }
    }
    blocks.extend(variables);
    in_order(blocks)
}

/// Whether it makes a client: `boto3.client("s3")`, a method of a session.
fn is_client(item: &Item, imported: bool) -> bool {
    let named = ["boto3.client", "boto3.resource"].contains(&item.head.text.as_str());
    let session = item.is("Session") && imported && step(item).is_some();
    let method = imported && item.is_any(CLIENTS) && item.head.text.to_ascii_lowercase().contains("session");
    item.form == Form::Call && (named || session || method) && service(item).is_some()
}

/// The call that makes a client of a session.
fn step(item: &Item) -> Option<&[crate::notation::Arg]> {
    item.steps.iter().find_map(|step| match step {
        Step::Call { name, args, .. } if CLIENTS.contains(&name.text.as_str()) => Some(args.as_slice()),
        _ => None,
    })
}

/// An argument of the call that makes the client, by name or position.
fn argument<'t>(client: &'t Item, name: &str, position: Option<usize>) -> Option<&'t Value> {
    let args = step(client).unwrap_or(&client.args);
    let named = args.iter().find(|a| a.name.as_ref().is_some_and(|n| n.text == name));
    named.or_else(|| args.iter().filter(|a| a.name.is_none()).nth(position?)).map(|a| &a.value)
}

fn service(client: &Item) -> Option<&Value> {
    argument(client, "service_name", Some(0))
}

/// Everything that decides about the waits.
#[derive(Default)]
struct Found {
    mode: Option<String>,
    /// Retries.
    retries: Option<u64>,
    dynamo: bool,
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if speaks_of_throttling(take) {
        take.assume_error_class(CLASSES[1]);
        if take.error_class == CLASSES[1] {
            take.note(
                "error-class",
                item.head.span,
                "A comment speaks of throttling: these are the waits for throttling errors.",
            );
        }
    }
    let mut found = Found::default();
    match take.block.variant {
        "profile" => {
            let args = take.of(item, "profile");
            let values = [args.value("retry_mode"), args.value("max_attempts")];
            outside(take, ["retry_mode", "max_attempts"], values, &mut found);
        }
        "environment" => {
            let items: Vec<&Item> = std::iter::once(item).chain(take.block.others.iter().copied()).collect();
            let values = ENVIRONMENT.map(|name| items.iter().find_map(|item| variable(item, name)));
            outside(take, ENVIRONMENT, values, &mut found);
        }
        "config" => config(take, item, &mut found),
        _ => client(take, item, &mut found),
    }
    policy(take, found)
}

/// Whether a comment beside the block speaks of throttling: inside it, on its lines, or right above.
fn speaks_of_throttling(take: &Take) -> bool {
    let (text, block) = (take.scan.doc.text, take.block.span);
    let beside = |comment: &Item| match comment.span.end <= block.start {
        // Only other comments may stand between it and the line where the block begins.
        true => text.get(comment.span.end..block.start).is_some_and(|between| {
            let lines: Vec<&str> = between.split('\n').collect();
            let inner = lines.get(1..lines.len() - 1).unwrap_or_default();
            inner.iter().all(|line| line.trim_start().starts_with('#'))
        }),
        false => {
            let from = comment.span.start.max(block.start);
            text.get(block.end.min(from)..from).is_some_and(|between| !between.contains('\n'))
        }
    };
    let comments = take.scan.doc.items.iter().filter(|item| item.form == Form::Comment);
    comments.filter(|c| c.head.text.to_ascii_lowercase().contains("throttl")).any(beside)
}

/// A client: its service, and the configuration it is given.
fn client<'t>(take: &mut Take<'t>, item: &'t Item, found: &mut Found) {
    let name = service(item).and_then(Value::text).unwrap_or_default();
    found.dynamo = matches!(name, "dynamodb" | "dynamodbstreams");
    match argument(item, "config", None).filter(|value| !value.is_null()) {
        Some(value) => match value.item().filter(|i| i.is_any(CONFIGS)) {
            Some(given) if take.of(given, "Config").has("retries") => config(take, given, found),
            Some(given) => {
                misplaced(take, given);
                defaults(take, item.head.span, found);
            }
            None => {
                let message = "The configuration is given by a name that this text does not define.";
                super::not_followed(take, "retries", value.span, message);
            }
        },
        None => defaults(take, item.head.span, found),
    }
}

/// What belongs into `retries` and stands beside it.
fn misplaced<'t>(take: &mut Take<'t>, config: &'t Item) {
    for name in MISPLACED {
        let Some(value) = config.get(name) else { continue };
        let message = format!("`{name}` is not an argument of `Config`; {}.", super::TYPE_ERROR);
        take.error("unknown-key", value.span, message).help =
            format!("It belongs into `retries`: `retries={{\"{name}\": …}}`.");
    }
}

fn defaults(take: &mut Take, span: Span, found: &mut Found) {
    let values = ENVIRONMENT.map(|name| put(take.scan, name));
    if values.iter().any(Option::is_some) {
        return outside(take, ENVIRONMENT, values, found);
    }
    let message = "Nothing is written about retries: the client's own mode and count apply, unless the environment or the profile says otherwise.";
    take.note("defaults", span, message).help = "Give `config=Config(retries={…})`.".into();
}

/// The `retries` of a `Config`.
fn config<'t>(take: &mut Take<'t>, item: &'t Item, found: &mut Found) {
    misplaced(take, item);
    let Some(value) = item.get("retries").filter(|value| !value.is_null()) else { return };
    let Some(map) = value.item() else {
        if value.is_undefined() {
            let message = "`retries` is given by a name that this text does not define.";
            super::not_followed(take, "retries", value.span, message);
        } else {
            take.refuse("retries", value, &format!("must be a map, not {}", value.describe()));
        }
        return;
    };
    let mut args = take.of(map, "retries");
    args.unknown_names("a key of `retries`", "botocore raises InvalidRetryConfigurationError");
    found.mode = mode(&mut args, "mode");
    let total = args.count("total_max_attempts");
    let retries = args.count("max_attempts");
    match (args.value("total_max_attempts"), total) {
        (Some(value), Some(0)) => {
            args.take.refuse(
                "total_max_attempts",
                value,
                "must be at least 1: botocore raises InvalidMaxRetryAttemptsError",
            );
        }
        (Some(_), Some(total)) => found.retries = Some(total - 1),
        _ => found.retries = retries,
    }
    if let Some(value) = args.value("max_attempts") {
        match args.has("total_max_attempts") {
            true => {
                let message = "`max_attempts` has no effect: `total_max_attempts` is given too, and wins.";
                args.take.warning("no-effect", value.span, message);
            }
            false => {
                let message =
                    "`max_attempts` in Config counts retries; in AWS_MAX_ATTEMPTS or a profile it would count calls.";
                args.take.note("counts-retries", value.span, message);
            }
        }
    }
}

/// The mode, if it is one.
fn mode(args: &mut Args, name: &str) -> Option<String> {
    let value = args.value(name)?;
    known_mode(args.take, name, value)
}

fn known_mode(take: &mut Take, name: &str, value: &Value) -> Option<String> {
    if value.is_null() {
        return None;
    }
    let written = value.text().map(|text| text.trim().to_ascii_lowercase());
    match written.as_deref() {
        Some("standard" | "adaptive" | "legacy") => written,
        _ => {
            take.refuse(name, value, "must be legacy, standard or adaptive: botocore raises InvalidRetryModeError");
            None
        }
    }
}

fn policy(take: &mut Take, found: Found) -> Policy {
    let old = take.release == RELEASES[1];
    let throttled = take.error_class == CLASSES[1];
    let mode = found.mode.unwrap_or_else(|| {
        let default = if old { "legacy" } else { "standard" };
        take.note(
            "default-mode",
            take.block.item.head.span,
            format!("No mode is written: {default} is the default of these rules."),
        );
        default.to_string()
    });
    if mode == "adaptive" {
        let message =
            "adaptive also delays calls by a limiter of its own after throttling errors; that is not in these numbers.";
        take.note("limiter", take.block.item.head.span, message);
    }
    let legacy = mode == "legacy";
    let calls = match (legacy, found.dynamo) {
        (true, true) => 10,
        (true, false) => 5,
        (false, true) if !old => 4,
        (false, _) => 3,
    };
    let retries = found.retries.unwrap_or_else(|| {
        take.default("retries", format!("{calls} calls"));
        calls - 1
    });
    if !legacy && retries > 35 {
        let message =
            "One client has tokens for 35 failing retries in a row (100 when throttled): then it stops early.";
        take.note("retry-quota", take.block.item.head.span, message);
    }
    let base_ms = match (legacy, old || throttled, found.dynamo) {
        (true, _, true) => 50.0,
        (true, _, false) | (false, true, _) => 1_000.0,
        (false, false, true) => 25.0,
        (false, false, false) => 50.0,
    };
    take.default("baseMs", format!("{} s", base_ms / 1e3));
    let wait = Wait::new(Backoff::Exponential { base_ms, factor: 2.0 });
    let wait = if legacy && found.dynamo { wait } else { wait.jitter(Jitter::Full) };
    if !legacy {
        take.default("capMs", "20 s");
    }
    Policy::new(wait.cap((!legacy).then_some(20_000.0)), retries)
}
