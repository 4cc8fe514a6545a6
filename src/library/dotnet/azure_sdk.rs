//! Azure SDKs: the retry options of .NET, Java, Go, Python and JavaScript, each with rules of its own.

use crate::duration::Unit;
use crate::library::near::slipped;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Value};
use crate::policy::{After, Backoff, CapOrder, Jitter, Law, Policy, Rounded, RoundingMode, Wait};

/// Azure.Core, azure-core and @azure/core.
pub static LIBRARY: Library = Library {
    id: "azure-sdk",
    title: "Azure SDK",
    ecosystem: ".NET",
    version: "Azure.Core (2024+), azure-core 1.41.0, @azure/core-rest-pipeline 1.25.1",
    source: "ExponentialDelayStrategy.cs, HttpPipelineBuilder.cs; pipeline/policies/_retry.py; ts-http-runtime util/delay.js",
    counts: "retries; in Python retry_status, retry_read and retry_connect of 3 each stop before retry_total",
    formula: ".NET: min(MaxDelay, Delay * 2^(k-1) * U[0.8, 1.2]); Python: 0, then backoff_factor * 2^(k-1); JavaScript: c/2 + U[0, c/2]",
    words: &[
        "azure.core",
        "BlobClientOptions",
        "BlobServiceClient",
        "retry_backoff_factor",
        "@azure/",
        "retry_total",
        "Azure",
        "retryDelayInMs",
        "maxRetryDelayInMs",
        "options.Retry",
        "NetworkTimeout",
        "azure",
        "retry_backoff_max",
        "retry_status",
        "SecretClientOptions",
        "AddAzureClients",
        "AzureDefaults",
        "RetryMode.Exponential",
        "RetryMode.Fixed",
        "policy.RetryOptions",
        "azcore",
        "QueueClientOptions",
        "ServiceBusClientOptions",
        "ServiceBusRetryOptions",
        "EventHubsRetryOptions",
        "ExponentialBackoffOptions",
        "FixedDelayOptions",
    ],
    settings: &[
        Setting::count(
            "Retry.MaxRetries|RetryOptions.MaxRetries|RetryOptions.MaximumRetries|MaxRetries|MaximumRetries",
            "retries",
            "3",
        )
        .of("dotnet"),
        Setting::duration("Retry.Delay|RetryOptions.Delay|Delay", "baseMs", "0.8s").of("dotnet"),
        Setting::duration(
            "Retry.MaxDelay|RetryOptions.MaxDelay|RetryOptions.MaximumDelay|MaxDelay|MaximumDelay",
            "capMs",
            "60s",
        )
        .of("dotnet"),
        Setting::other("Retry.Mode|RetryOptions.Mode|Mode").of("dotnet"),
        Setting::duration("Retry.NetworkTimeout|NetworkTimeout", "attemptTimeoutMs", "100s").of("dotnet"),
        Setting::duration("TryTimeout|RetryOptions.TryTimeout", "attemptTimeoutMs", "60s").of("dotnet"),
        Setting::count("maxRetries|setMaxRetries", "retries", "3").of("java").at(0),
        Setting::duration("baseDelay|setBaseDelay|delay", "baseMs", "800ms").of("java").at(1),
        Setting::duration("maxDelay|setMaxDelay", "capMs", "8s").of("java").at(2),
        Setting::number("MaxRetries", "retries", "3").of("go"),
        Setting::time("RetryDelay", "baseMs", Unit::Nanosecond, "800ms").of("go"),
        Setting::time("MaxRetryDelay", "capMs", Unit::Nanosecond, "60s").of("go"),
        Setting::time("TryTimeout", "attemptTimeoutMs", Unit::Nanosecond, "").of("go"),
        Setting::other("StatusCodes|ShouldRetry").of("go"),
        Setting::count("retry_total", "retries", "10").of("python"),
        Setting::count("retry_connect", "retries", "3").of("python"),
        Setting::count("retry_read", "retries", "3").of("python"),
        Setting::count("retry_status", "retries", "3").of("python"),
        Setting::time("retry_backoff_factor", "baseMs", Unit::Second, "0.8").of("python"),
        Setting::time("retry_backoff_max", "capMs", Unit::Second, "120").of("python"),
        Setting::other("retry_mode").of("python"),
        Setting::other("timeout").of("python"),
        Setting::other("retry_on_methods").of("python"),
        Setting::other("retry_on_status_codes").of("python"),
        Setting::time("initial_backoff|backoff", "baseMs", Unit::Second, "15").of("storage").at(0),
        Setting::number("increment_base", "factor", "3").of("storage").at(1),
        Setting::count("retry_total", "retries", "3").of("storage").at(2),
        Setting::time("random_jitter_range", "jitter", Unit::Second, "3").of("storage"),
        Setting::count("retry_status", "retries", "3").of("storage"),
        Setting::other("retry_to_secondary|retry_connect|retry_read").of("storage"),
        Setting::count("maxRetries", "retries", "3").of("javascript"),
        Setting::time("retryDelayInMs", "baseMs", Unit::Millisecond, "1000").of("javascript"),
        Setting::time("maxRetryDelayInMs", "capMs", Unit::Millisecond, "64000").of("javascript"),
        Setting::other("mode").of("javascript"),
        Setting::count("maxTries", "retries", "4").of("blob"),
        Setting::time("retryDelayInMs", "baseMs", Unit::Millisecond, "4000").of("blob"),
        Setting::time("maxRetryDelayInMs", "capMs", Unit::Millisecond, "120000").of("blob"),
        Setting::time("tryTimeoutInMs", "attemptTimeoutMs", Unit::Millisecond, "").of("blob"),
        Setting::other("retryPolicyType|secondaryHost").of("blob"),
    ],
    notes: &[
        "In Python a run of one kind of failure gets 3 retries, whatever retry_total says.",
        "In Python, and of the storage clients of JavaScript, the first retry comes at once.",
        "The storage clients of Python and JavaScript have curves and names of their own.",
        "In .NET the cap comes after the jitter, and in fixed mode Delay itself is the cap.",
        "Service Bus and Event Hubs of .NET begin with twice the Delay and add up to 8 % of it.",
        "A Retry-After of the answer wins.",
    ],
    releases: &[],
    error_classes: &["one kind of failure", "failures of mixed kinds"],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "var options = new SecretClientOptions();\noptions.Retry.MaxRetries = 2;\noptions.Retry.Delay = TimeSpan.FromSeconds(1);\n",
            waits: &[(0.8, 1.2), (1.6, 2.4)],
        },
        Example {
            text: "from azure.core.pipeline.policies import RetryPolicy\n\npolicy = RetryPolicy(retry_total=4, retry_status=4, retry_backoff_factor=1)\n",
            waits: &[(0.0, 0.0), (2.0, 2.0), (4.0, 4.0), (8.0, 8.0)],
        },
    ],
};

const PYTHON: &[&str] = &[
    "retry_total",
    "retry_backoff_factor",
    "retry_backoff_max",
    "retry_status",
    "retry_mode",
    "retry_connect",
    "retry_read",
];
const JAVASCRIPT: &[&str] = &["retryDelayInMs", "maxRetryDelayInMs"];
const DOTNET: &[&str] = &["Retry.MaxRetries", "Retry.Delay", "Retry.MaxDelay", "Retry.Mode", "Retry.NetworkTimeout"];

const JAVA: &[&str] = &["ExponentialBackoffOptions", "FixedDelayOptions", "ExponentialBackoff", "FixedDelay"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let java = scan.says("com.azure") || scan.says("RetryOptions(");
    let python = (scan.says("azure.core") || scan.says("azure.storage")) && !java;
    let javascript = scan.says("@azure/");
    let go = scan.says("policy.RetryOptions");
    let has = |item: &Item, keys: &[&str]| keys.iter().any(|key| item.get(key).is_some());
    let mut blocks: Vec<Block<'d>> = Vec::new();
    // Celery's tasks, which are decorators and classes, share a keyword with the Python clients.
    for item in scan.items.iter().copied().filter(|i| !matches!(i.form, Form::Annotation | Form::Class)) {
        let options = item.form == Form::Call && item.head.text.ends_with("ClientOptions") && !javascript && !go;
        // An attribute of that name that something is given is no argument.
        let argued = item.args.iter().any(|a| a.name.as_ref().is_some_and(|n| PYTHON.contains(&n.text.as_str())));
        let policy = item.is_any(&["RetryPolicy", "ExponentialRetry", "LinearRetry"]);
        let messaging =
            options && !item.head.text.contains("Administration") || item.head.text.ends_with("RetryOptions");
        let found = if messaging && ["ServiceBus", "EventHub"].iter().any(|w| item.head.text.contains(w)) {
            Some("messaging")
        } else if java && item.form == Form::Call && item.is_any(JAVA) {
            Some("java")
        } else if argued || python && (policy || item.form == Form::Call && slipped(item, PYTHON)) {
            Some("python")
        } else if has(item, JAVASCRIPT) || (javascript && inside_retry(item)) {
            Some("javascript")
        } else if item.is("policy.RetryOptions") {
            Some("go")
        } else if !go && has(item, DOTNET) || options {
            Some("dotnet")
        } else {
            None
        };
        if let Some(variant) = found
            && !blocks.iter().any(|b| b.item.span.overlaps(item.span))
        {
            blocks.push(Block::new(item, Certainty::Certain).variant(variant));
        }
    }
    let items: Vec<&Item> = scan.outermost(blocks.iter().map(|b| b.item));
    blocks.retain(|b| items.iter().any(|i| i.span == b.item.span));
    blocks
}

/// Whether a map is the value of `retryOptions`.
fn inside_retry(item: &Item) -> bool {
    use crate::notation::Crumb;
    matches!(item.place.last(), Some(Crumb::Key(key)) if key == "retryOptions")
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    match take.block.variant {
        // The storage clients' own policies count and wait otherwise.
        "python" if item.is_any(&["ExponentialRetry", "LinearRetry"]) => {
            storage(take.of(item, "storage"), item.is("LinearRetry"))
        }
        "python" if item.head.text.contains("Client") && take.scan.says("azure.storage") => {
            let mut args = take.of(item, "storage");
            args.given.positional.clear();
            storage(args, false)
        }
        "python" => python(take.of(item, "python")),
        "javascript" if item.get("maxTries").is_some() || take.scan.says("@azure/storage-") => {
            blob(take.of(item, "blob"))
        }
        "javascript" => javascript(take.of(item, "javascript")),
        "go" => go(take.of(item, "go")),
        "java" => java(take.of(item, "java"), item.head.text.contains("Fixed")),
        variant => dotnet(take.of(item, "dotnet"), variant == "messaging"),
    }
}

fn fixed(args: &Args, name: &str) -> bool {
    args.value(name).and_then(Value::text).is_some_and(|t| t.to_ascii_lowercase().ends_with("fixed"))
}

/// The clients over HTTP, or `BasicRetryPolicy.cs` of Service Bus and Event Hubs: `Delay * 2^k`, or the Delay, and up to
/// 8 % of the Delay more, then the cap.
fn dotnet(mut args: Args, messaging: bool) -> Policy {
    let retries = args.count("Retry.MaxRetries").unwrap_or(3);
    let base_ms = args.time("Retry.Delay").unwrap_or(800.0);
    let max_ms = args.time("Retry.MaxDelay").unwrap_or(60_000.0);
    let fixed = fixed(&args, "Retry.Mode");
    let (first_ms, jitter) = match messaging {
        true => (2.0 * base_ms, Jitter::Additive { min_ms: 0.0, max_ms: 0.08 * base_ms }),
        false => (base_ms, Jitter::Proportional { below: 0.2, above: 0.2 }),
    };
    let curve = match fixed {
        true => Backoff::Constant { delay_ms: base_ms },
        false => Backoff::Exponential { base_ms: first_ms, factor: 2.0 },
    };
    let wait = Wait::new(curve).cap(if fixed && !messaging { base_ms } else { max_ms });
    if !DOTNET.iter().any(|name| args.has(name)) {
        let span = args.head();
        args.take.note("defaults", span, "Nothing about retries is set: 3 retries from 0.8 s is the default.");
    }
    let mut policy = Policy::new(wait.jitter(jitter).cap_order(CapOrder::AfterJitter), retries);
    policy.attempt_timeout_ms = args.time(if messaging { "TryTimeout" } else { "Retry.NetworkTimeout" });
    policy
}

/// `ExponentialBackoff.java`: `baseDelay * U[0.95, 1.05) * 2^(k-1)`, then the cap; `FixedDelay.java`.
fn java(mut args: Args, fixed: bool) -> Policy {
    let retries = args.count("maxRetries").unwrap_or(3);
    let base_ms = args.time("baseDelay").unwrap_or(800.0);
    if fixed {
        return Policy::new(Wait::new(Backoff::Constant { delay_ms: base_ms }), retries);
    }
    let cap_ms = args.time("maxDelay").unwrap_or(8_000.0);
    if let Some((name, value)) = args.written("baseDelay").filter(|_| base_ms <= 0.0 || base_ms > cap_ms) {
        args.take.refuse(&name, value, "must be above 0 and not above maxDelay");
    }
    let wait = Wait::new(Backoff::Exponential { base_ms, factor: 2.0 }).cap(cap_ms).cap_order(CapOrder::AfterJitter);
    Policy::new(wait.jitter(Jitter::Proportional { below: 0.05, above: 0.05 }), retries)
}

fn python(mut args: Args) -> Policy {
    let total = args.count("retry_total").unwrap_or(10);
    let kinds: Vec<u64> =
        ["retry_connect", "retry_read", "retry_status"].iter().filter_map(|n| args.count(n)).collect();
    let mixed = args.take.error_class == "failures of mixed kinds";
    let status = of_one_kind(&mut args, total, mixed);
    let retries = match mixed {
        true => total.min(kinds.iter().copied().fold(0, u64::saturating_add)),
        false => total.min(status),
    };
    let base_ms = args.time("retry_backoff_factor").unwrap_or(800.0);
    let cap_ms = args.time("retry_backoff_max").unwrap_or(120_000.0);
    if !PYTHON.iter().any(|name| args.has(name)) {
        let span = args.head();
        args.take.note(
            "defaults",
            span,
            "Nothing is set: 3 retries of one kind of failure, the first at once, is the default.",
        );
    }
    let wait = match fixed(&args, "retry_mode") {
        true => Wait::new(Backoff::Constant { delay_ms: base_ms }),
        false => Wait::new(Backoff::Exponential { base_ms, factor: 2.0 }),
    };
    let mut policy = Policy::new(wait.cap(cap_ms), retries);
    policy.first_wait_ms = Some(0.0);
    args.take.default("firstWaitMs", "0 s");
    policy
}

/// How many retries one kind of failure gets, where `retry_total` may allow more.
fn of_one_kind(args: &mut Args, total: u64, mixed: bool) -> u64 {
    let status = args.count("retry_status").unwrap_or(3);
    if let Some(value) = args.value("retry_total").filter(|_| !mixed && status < total) {
        let message = format!(
            "retry_status, retry_read and retry_connect stop a run of one kind of failure after {status} retries, although retry_total is {total}."
        );
        args.take.warning("smaller-count", value.span, message).help =
            "Raise retry_status, retry_read and retry_connect too.".into();
    }
    status
}

/// The storage clients' `ExponentialRetry` and `LinearRetry` (`azure/storage/.../policies.py`):
/// `initial_backoff + increment_base^k`, or the back-off alone, and up to the jitter range to either side.
fn storage(mut args: Args, linear: bool) -> Policy {
    let base_ms = args.time("initial_backoff").unwrap_or(15_000.0);
    let growth = if linear { 0.0 } else { args.number("increment_base").unwrap_or(3.0) };
    let total = args.count("retry_total").unwrap_or(3);
    let mixed = args.take.error_class == "failures of mixed kinds";
    let retries = if mixed { total } else { total.min(of_one_kind(&mut args, total, mixed)) };
    let spread_ms = args.time("random_jitter_range").unwrap_or(3_000.0);
    let law = |k: u64| {
        let delay_ms = base_ms + if linear { 0.0 } else { 1e3 * libm::pow(growth, k.min(200) as f64) };
        Law::uniform((delay_ms - spread_ms).max(0.0), delay_ms + spread_ms)
    };
    Policy::new(Wait::each(retries.min(100), &law), retries)
}

/// `sdk/azcore/runtime/policy_retry.go`: `(2^k - 1) * RetryDelay * U[0.8, 1.3]`, then the cap. A field of 0 is one that
/// is not set; a negative one is none.
fn go(mut args: Args) -> Policy {
    let retries = args.number("MaxRetries").filter(|n| *n != 0.0).unwrap_or(3.0).max(0.0) as u64;
    let base_ms = args.time("RetryDelay").filter(|ms| *ms > 0.0).unwrap_or(800.0);
    let cap_ms = args.time("MaxRetryDelay").filter(|ms| *ms > 0.0).unwrap_or(60_000.0);
    let timeout_ms = args.time("TryTimeout").filter(|ms| *ms > 0.0);
    args.unknown_names("a field of RetryOptions", "it does not compile");
    let law = |k: u64| {
        let delay_ms = (2f64.powi(k.min(1_000) as i32) - 1.0) * base_ms;
        Law::uniform((0.8 * delay_ms).min(cap_ms), 1.3 * delay_ms).capped(cap_ms)
    };
    let mut policy = Policy::new(Wait::each(retries.min(60), &law), retries);
    policy.attempt_timeout_ms = timeout_ms;
    policy
}

/// `@azure/storage-common` 12.4.1, `StorageRetryPolicyV2`: `(2^(k-1) - 1) * retryDelayInMs`, so the first retry comes at once.
fn blob(mut args: Args) -> Policy {
    let calls = args.count("maxTries").unwrap_or(4);
    let base_ms = args.time("retryDelayInMs").unwrap_or(4_000.0);
    let cap_ms = args.time("maxRetryDelayInMs").unwrap_or(120_000.0);
    let timeout_ms = args.time("tryTimeoutInMs");
    args.unknown_names("a retry option of a storage client", "it is ignored");
    let curve = match fixed(&args, "retryPolicyType") {
        true => Backoff::Constant { delay_ms: base_ms },
        false => {
            let delay_ms = |k: u64| ((2f64.powi(k as i32) - 1.0) * base_ms).min(cap_ms);
            let delays_ms = (0..calls.clamp(2, 60) - 1).map(delay_ms).collect();
            Backoff::List { delays_ms, after: After::RepeatLast }
        }
    };
    let mut policy = Policy::new(Wait::new(curve), calls.saturating_sub(1));
    policy.attempt_timeout_ms = timeout_ms;
    policy
}

fn javascript(mut args: Args) -> Policy {
    let retries = args.count("maxRetries").unwrap_or(3);
    let base_ms = args.time("retryDelayInMs").unwrap_or(1_000.0);
    let cap_ms = args.time("maxRetryDelayInMs").unwrap_or(64_000.0);
    args.unknown_names("a retry option", "it is ignored");
    let wait = Wait::new(Backoff::Exponential { base_ms, factor: 2.0 }).cap(cap_ms).jitter(Jitter::Equal);
    Policy::new(wait.rounding(RoundingMode::Nearest, 1.0, Rounded::Wait), retries)
}
