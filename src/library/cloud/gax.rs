//! Google's API clients (gax) in Go, Java and Node, and their retry parameters in JSON. Python's are read by the file of
//! google-api-core, whose texts this library accepts as well.

use super::aws_sdk::read_as;
use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take, by_id};
use crate::notation::{Form, Item};
use crate::policy::{Backoff, Clock, Deadline, Jitter, Overrun, Phase, Policy, Rounded, RoundingMode, Wait};

/// gax in its languages.
pub static LIBRARY: Library = Library {
    id: "gax",
    title: "Google API clients (gax)",
    ecosystem: "Google Cloud",
    version: "google-api-core 2.44.0, gax-go 5a1e0eb, google-gax 4.x, gax-java (2024+)",
    source: "gax-go v2/call_option.go; google-gax normalCalls/retries.js; gax-java ExponentialRetryAlgorithm.java",
    counts: "calls, the first included (Java's maxAttempts); Go, Python and the JSON have only a time limit",
    formula: "U[0, min(initial * multiplier^(k-1), max)]",
    words: &[
        "gax",
        "gax.Backoff",
        "gax.OnCodes",
        "initialRetryDelayMillis",
        "initial_retry_delay_millis",
        "RetrySettings",
        "RetrySettings.newBuilder",
        "RetrySettings.FromExponentialBackoff",
        "RetrySettings.FromConstantBackoff",
        "createBackoffSettings",
        "storage.WithMaxAttempts",
        "setInitialRetryDelay",
        "google.api_core",
        "retry.Retry",
        "DEFAULT_RETRY",
        "if_exception_type",
    ],
    settings: &[
        Setting::time("Initial", "baseMs", Unit::Nanosecond, "1s").of("go").typed(),
        Setting::time("Max", "capMs", Unit::Nanosecond, "30s").of("go").typed(),
        Setting::number("Multiplier", "factor", "2").of("go"),
        Setting::time("setInitialRetryDelay|setInitialRetryDelayDuration", "baseMs", Unit::Millisecond, "0").of("java"),
        Setting::number("setRetryDelayMultiplier", "factor", "1").of("java"),
        Setting::time("setMaxRetryDelay|setMaxRetryDelayDuration", "capMs", Unit::Millisecond, "0").of("java"),
        Setting::count("setMaxAttempts", "retries", "0").of("java"),
        Setting::time("setTotalTimeout|setTotalTimeoutDuration", "deadline", Unit::Millisecond, "").of("java"),
        Setting::time("setInitialRpcTimeout|setInitialRpcTimeoutDuration", "attemptTimeoutMs", Unit::Millisecond, "")
            .of("java"),
        Setting::flag("setJittered", "jitter", "true").of("java"),
        Setting::time("initialRetryDelayMillis|initial_retry_delay_millis", "baseMs", Unit::Millisecond, "100")
            .of("millis")
            .at(0),
        Setting::number("retryDelayMultiplier|retry_delay_multiplier", "factor", "1.3").of("millis").at(1),
        Setting::time("maxRetryDelayMillis|max_retry_delay_millis", "capMs", Unit::Millisecond, "60000")
            .of("millis")
            .at(2),
        Setting::time("totalTimeoutMillis|total_timeout_millis", "deadline", Unit::Millisecond, "").of("millis").at(6),
        Setting::time("initialRpcTimeoutMillis|initial_rpc_timeout_millis", "attemptTimeoutMs", Unit::Millisecond, "")
            .of("millis")
            .at(3),
        Setting::count("maxAttempts", "retries", "").of("dotnet").at(0),
        Setting::duration("initialBackoff", "baseMs", "").of("dotnet").at(1),
        Setting::duration("maxBackoff", "capMs", "").of("dotnet").at(2),
        Setting::number("backoffMultiplier", "factor", "").of("dotnet").at(3),
        Setting::count("maxAttempts", "retries", "").of("dotnet constant").at(0),
        Setting::duration("backoff", "baseMs", "").of("dotnet constant").at(1),
        Setting::count("maxAttempts", "retries", "").of("storage").at(0),
        Setting::count("maxRetries", "retries", "").of("millis"),
        Setting::other("rpcTimeoutMultiplier|rpc_timeout_multiplier").of("millis"),
        Setting::other("maxRpcTimeoutMillis|max_rpc_timeout_millis").of("millis"),
    ],
    notes: &[
        "Every wait is drawn between 0 and the delay.",
        "In Go nothing but the context's deadline ends the retries.",
        "In Node totalTimeoutMillis and maxRetries exclude each other.",
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
            text: "gax.OnCodes([]codes.Code{codes.Unavailable}, gax.Backoff{\n\tInitial:    200 * time.Millisecond,\n\tMax:        time.Second,\n\tMultiplier: 3,\n})\n",
            waits: &[(0.0, 0.2), (0.0, 0.6), (0.0, 1.0)],
        },
        Example {
            text: "RetrySettings retry = RetrySettings.newBuilder()\n    .setInitialRetryDelay(Duration.ofMillis(100))\n    .setRetryDelayMultiplier(2.0)\n    .setMaxRetryDelay(Duration.ofSeconds(1))\n    .setMaxAttempts(3)\n    .build();\n",
            waits: &[(0.0, 0.099), (0.0, 0.199)],
        },
    ],
};

const DOTNET: &[&str] = &["RetrySettings.FromExponentialBackoff", "RetrySettings.FromConstantBackoff"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let certain = |item: &'d Item, variant| Block::new(item, Certainty::Certain).variant(variant);
    let mut blocks: Vec<Block<'d>> = Vec::new();
    blocks.extend(scan.heads(&["gax.Backoff"]).filter(|i| i.form == Form::Call).map(|i| certain(i, "go")));
    blocks.extend(scan.heads(&["RetrySettings.newBuilder"]).map(|i| certain(i, "java")));
    blocks.extend(scan.heads(DOTNET).map(|i| certain(i, "dotnet")));
    if blocks.is_empty() {
        blocks.extend(scan.heads(&["storage.WithMaxAttempts"]).map(|i| certain(i, "storage")));
    }
    blocks.extend(scan.heads(&["createBackoffSettings"]).map(|i| certain(i, "millis")));
    let millis = scan.with_any_key(&["initialRetryDelayMillis", "initial_retry_delay_millis"]);
    blocks.extend(millis.map(|i| certain(i, "millis")));
    if let Some(python) = by_id("google-api-core") {
        for mut block in (python.find)(scan) {
            // Equal claims go to the file that knows more.
            block.certainty = block.certainty.min(Certainty::Likely);
            if !blocks.iter().any(|b| b.span.overlaps(block.span)) {
                blocks.push(block.variant("google-api-core"));
            }
        }
    }
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if let Some(python) = by_id(take.block.variant) {
        return read_as(take, python);
    }
    match take.block.variant {
        "go" => {
            let counted = take.scan.heads(&["storage.WithMaxAttempts"]).next();
            let mut policy = go(take.of(item, "go"));
            policy.retries = counted.and_then(|item| storage(take.of(item, "storage")));
            policy
        }
        "storage" => {
            let retries = storage(take.of(item, "storage"));
            take.default("baseMs", "1 s");
            take.default("capMs", "30 s");
            Policy::new(full(1_000.0, 2.0, Some(30_000.0)), retries)
        }
        "dotnet" => dotnet(take, item),
        "java" => java(take.of(item, "java")),
        _ => millis(take.of(item, "millis")),
    }
}

fn full(base_ms: f64, factor: f64, cap_ms: Option<f64>) -> Wait {
    Wait::new(Backoff::Exponential { base_ms, factor }).cap(cap_ms).jitter(Jitter::Full)
}

/// Go and Node cut the delay when they multiply it, so that the first one may pass the cap.
fn first_uncut(mut policy: Policy) -> Policy {
    if let Backoff::Exponential { base_ms, .. } = policy.wait.backoff
        && policy.wait.cap_ms.is_some_and(|cap| cap < base_ms)
    {
        policy.phases = vec![Phase { retries: 1, wait: policy.wait.clone().cap(None) }];
    }
    policy
}

fn refuse(limit_ms: f64) -> Deadline {
    Deadline { limit_ms, overrun: Overrun::Refuse, clock: Clock::Elapsed }
}

/// Google Cloud Storage for Go counts calls, and goes on for ever without a count.
fn storage(mut args: Args) -> Option<u64> {
    args.count("maxAttempts").filter(|calls| *calls > 0).map(|calls| calls - 1)
}

/// Gax for .NET: each wait is drawn between 0 and the back-off.
fn dotnet<'t>(take: &mut Take<'t>, item: &'t Item) -> Policy {
    let constant = item.is("RetrySettings.FromConstantBackoff");
    let mut args = take.of(item, if constant { "dotnet constant" } else { "dotnet" });
    let retries = args.count("maxAttempts").map(|calls| calls.saturating_sub(1));
    let wait = match constant {
        true => Wait::new(Backoff::Constant { delay_ms: args.time("backoff").unwrap_or(0.0) }).jitter(Jitter::Full),
        false => {
            let (base_ms, cap_ms) = (args.time("initialBackoff").unwrap_or(0.0), args.time("maxBackoff"));
            full(base_ms, args.number("backoffMultiplier").unwrap_or(1.0), cap_ms)
        }
    };
    Policy::new(wait, retries)
}

fn go(mut args: Args) -> Policy {
    let base_ms = args.time("Initial").filter(|ms| *ms > 0.0).unwrap_or(1_000.0);
    let cap_ms = args.time("Max").filter(|ms| *ms > 0.0).unwrap_or(30_000.0);
    let factor = args.number("Multiplier").filter(|f| *f >= 1.0).unwrap_or(2.0);
    args.unknown_names("a field of gax.Backoff", "it does not compile");
    first_uncut(Policy::new(full(base_ms, factor, Some(cap_ms)), None))
}

fn java(mut args: Args) -> Policy {
    let base_ms = args.time("setInitialRetryDelay").unwrap_or(0.0);
    let factor = args.number("setRetryDelayMultiplier").unwrap_or(1.0);
    let cap_ms = args.time("setMaxRetryDelay");
    let calls = args.count("setMaxAttempts").filter(|n| *n > 0);
    let limit_ms = args.time("setTotalTimeout").filter(|ms| *ms > 0.0);
    if calls.is_none() && limit_ms.is_none() {
        let span = args.head();
        args.take.note(
            "no-limit",
            span,
            "Neither setMaxAttempts nor setTotalTimeout is written: nothing ends the retries here.",
        );
    }
    let mut wait = full(base_ms, factor, cap_ms).rounding(RoundingMode::Floor, 1.0, Rounded::Wait);
    if !args.flag("setJittered") {
        wait.jitter = Jitter::None;
    }
    let mut policy = Policy::new(wait, calls.map(|n| n - 1));
    policy.deadline = limit_ms.map(refuse);
    policy.attempt_timeout_ms = args.time("setInitialRpcTimeout");
    policy
}

fn millis(mut args: Args) -> Policy {
    let base_ms = args.time("initialRetryDelayMillis").unwrap_or(100.0);
    let factor = args.number("retryDelayMultiplier").unwrap_or(1.3);
    let cap_ms = args.time("maxRetryDelayMillis");
    let limit_ms = args.time("totalTimeoutMillis");
    let retries = args.count("maxRetries");
    if let Some(value) = args.value("maxRetries").filter(|_| limit_ms.is_some() && retries.is_some()) {
        let message = "`totalTimeoutMillis` and `maxRetries` cannot both be set; the call fails at once.";
        args.take.error("both-limits", value.span, message);
    }
    let mut policy = first_uncut(Policy::new(full(base_ms, factor, cap_ms), retries));
    policy.deadline = limit_ms.map(refuse);
    policy.attempt_timeout_ms = args.time("initialRpcTimeoutMillis");
    policy
}
