//! avast/retry-go: `retry.Do` with functional options.

use crate::duration::Unit;
use crate::library::computed::{self, Inputs};
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Value};
use crate::policy::{Backoff, CapOrder, Jitter, Policy, Wait};

/// retry-go 4 and 5.
pub static LIBRARY: Library = Library {
    id: "avast-retry-go",
    title: "avast/retry-go",
    ecosystem: "Go",
    version: "v5",
    source: "retry.go, options.go",
    counts: "calls, the first included (Attempts); 0 means for ever",
    formula: "min(MaxDelay, Delay * 2^(k-1) + U[0, MaxJitter])",
    words: &[
        "avast/retry-go",
        "retry.Attempts",
        "retry.UntilSucceeded",
        "retry.DelayType",
        "retry.Do",
        "retry.DoWithData",
        "retry.MaxDelay",
        "retry.MaxJitter",
        "retry.Delay",
    ],
    settings: &[
        Setting::count("Attempts", "retries", "10"),
        Setting::time("Delay", "baseMs", Unit::Nanosecond, "100ms").typed(),
        Setting::time("MaxJitter", "jitter", Unit::Nanosecond, "100ms").typed(),
        Setting::time("MaxDelay", "capMs", Unit::Nanosecond, "").typed(),
        Setting::other("DelayType"),
        Setting::other(OTHERS),
    ],
    notes: &[
        "Attempts counts calls; ten unless it is written.",
        "Jitter is added by default, up to 100 ms, and MaxDelay cuts the sum.",
        "FullJitterBackoffDelay starts at twice Delay.",
        "A bare number is nanoseconds: time.Duration(100) is 100 ns.",
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
            text: "err := retry.Do(\n\tfunc() error { return send(ctx, msg) },\n\tretry.Attempts(4),\n\tretry.Delay(300*time.Millisecond),\n\tretry.MaxJitter(50*time.Millisecond),\n\tretry.Context(ctx),\n)\n",
            waits: &[(0.3, 0.35), (0.6, 0.65), (1.2, 1.25)],
        },
        Example {
            text: "import \"github.com/avast/retry-go/v4\"\n\nretry.Do(load, retry.Attempts(3), retry.Delay(time.Second), retry.DelayType(retry.FixedDelay))\n",
            waits: &[(1.0, 1.0), (1.0, 1.0)],
        },
    ],
};

/// Options that say nothing about waits.
const OTHERS: &str = "UntilSucceeded|OnRetry|RetryIf|LastErrorOnly|Context|WithTimer|WrapContextErrorWithLastError|\
                      AttemptsForError|MaxBackOffN";

/// Options that no other package called `retry` has.
const OPTIONS: &[&str] = &[
    "retry.Attempts",
    "retry.UntilSucceeded",
    "retry.DelayType",
    "retry.MaxJitter",
    "retry.MaxDelay",
    "retry.Delay",
    "retry.LastErrorOnly",
    "retry.OnRetry",
    "retry.RetryIf",
    "retry.AttemptsForError",
];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let imported = scan.says("avast/retry-go");
    scan.head_blocks(&["retry.Do", "retry.DoWithData", "retry.New", "retry.NewWithData"], &|item| {
        let options = item.args.iter().filter_map(|a| a.value.item()).any(|i| i.is_any(OPTIONS));
        // The other packages' Do takes a context and a back-off first; this one a function.
        let plain = item.is("retry.Do") && item.at(0).is_some_and(|v| v.fun().is_some());
        match (imported || options, plain) {
            _ if item.form != Form::Call => None,
            (true, _) => Some(Block::new(item, Certainty::Certain)),
            (false, true) => Some(Block::new(item, Certainty::Likely)),
            (false, false) => None,
        }
    })
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let mut args = take.main();
    if !args.has("Attempts") && !args.has("Delay") && !args.has("DelayType") {
        let message = "No option sets the attempts or the delay: retry-go's defaults apply, 10 calls from 100 ms.";
        args.take.note("defaults", item.head.span, message);
    }
    let calls = args.count("Attempts").filter(|n| *n > 0);
    let retries = if item.args.iter().any(|a| names(&a.value, "retry.UntilSucceeded")) { None } else { calls };
    let base_ms = args.time("Delay").unwrap_or(0.0);
    let jitter_ms = args.time("MaxJitter").unwrap_or(0.0);
    let cap_ms = args.time("MaxDelay").filter(|ms| *ms > 0.0);
    let kinds = args.value("DelayType");
    args.unknown_options(&["retry"]);
    if let Some(fun) = kinds.and_then(Value::fun) {
        let inputs = Inputs::positional(|k| vec![k as f64]).unit_ms(1e-6);
        let mut policy = computed::policy(take, "DelayType", fun, inputs, retries.map(|n| n - 1));
        policy.wait = policy.wait.cap(cap_ms);
        return policy;
    }
    let doubling = Backoff::Exponential { base_ms, factor: 2.0 };
    let added = Jitter::Additive { min_ms: 0.0, max_ms: jitter_ms };
    let wait = match kinds {
        None => Wait::new(doubling).jitter(added).cap_order(CapOrder::AfterJitter),
        Some(value) => {
            args.take.origin("backoff", value.span);
            delay_type(args.take, value, base_ms, jitter_ms)
        }
    };
    Policy::new(wait.cap(cap_ms), retries.map(|n| n - 1))
}

/// The delay type or the sum of several.
fn delay_type(take: &mut Take, value: &Value, base_ms: f64, jitter_ms: f64) -> Wait {
    let has = |name: &str| names(value, name);
    if has("FullJitterBackoffDelay") {
        return Wait::new(Backoff::Exponential { base_ms: 2.0 * base_ms, factor: 2.0 }).jitter(Jitter::Full);
    }
    let curve = match (has("BackOffDelay"), has("FixedDelay")) {
        (true, _) => Backoff::Exponential { base_ms, factor: 2.0 },
        (false, true) => Backoff::Constant { delay_ms: base_ms },
        (false, false) => Backoff::Constant { delay_ms: 0.0 },
    };
    if !["BackOffDelay", "FixedDelay", "RandomDelay"].iter().any(|name| has(name)) {
        let message = "DelayType is a function that this page does not follow; its waits are not known.";
        take.note("unread-delay-type", value.span, message);
        take.unknown.push("backoff");
    }
    let random = if has("RandomDelay") { Jitter::Additive { min_ms: 0.0, max_ms: jitter_ms } } else { Jitter::None };
    Wait::new(curve).jitter(random).cap_order(CapOrder::AfterJitter)
}

/// Whether a value is this name or a call that has it as a head or an argument.
fn names(value: &Value, name: &str) -> bool {
    let path = |text: &str| crate::notation::item::path_ends_with(text, name);
    match value.item() {
        Some(item) => item.is(name) || item.args.iter().any(|a| names(&a.value, name)),
        None => value.text().is_some_and(path),
    }
}
