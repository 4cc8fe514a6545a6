//! Polly 8: retry strategy options.

use crate::duration::Unit;
use crate::library::computed::{self, Inputs};
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::formula::Spread;
use crate::notation::{Form, Item, Step, Value};
use crate::policy::{Backoff, CapOrder, Clock, Deadline, Jitter, Overrun, Policy, Wait};
use crate::retry_after::RetryAfter;

/// Polly 8.
pub static LIBRARY: Library = Library {
    id: "polly",
    title: "Polly",
    ecosystem: ".NET",
    version: "v8 (173d6d1d, 2026-08)",
    source: "src/Polly.Core/Retry/RetryHelper.cs, RetryConstants.cs, RetryStrategyOptions.TResult.cs",
    counts: "retries (MaxRetryAttempts); int.MaxValue means for ever",
    formula: "Delay, Delay * k or Delay * 2^(k-1); with UseJitter ±25 %, or decorrelated waits for Exponential",
    words: &[
        "RetryStrategyOptions",
        "ResiliencePipelineBuilder",
        "DelayBackoffType.Exponential",
        "DelayBackoffType.Linear",
        "DelayBackoffType.Constant",
        "AddRetry",
        "MaxRetryAttempts",
    ],
    settings: &SETTINGS,
    notes: &[
        "MaxRetryAttempts counts retries.",
        "The default is three retries, 2 s apart, without growth and without jitter.",
        "Exponential with UseJitter draws waits that depend on each other: their total stays well below the sum of the maxima.",
        "MaxDelay cuts each wait after the jitter.",
        "A DelayGenerator may replace a wait, and MaxDelay does not limit what it gives.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: Some((
        RetryAfter::Ignored,
        "Polly.Core, Retry/RetryResilienceStrategy.cs; only a DelayGenerator of one's own can look at it",
    )),
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "var pipeline = new ResiliencePipelineBuilder()\n    .AddRetry(new RetryStrategyOptions\n    {\n        MaxRetryAttempts = 4,\n        Delay = TimeSpan.FromMilliseconds(300),\n        BackoffType = DelayBackoffType.Exponential,\n        MaxDelay = TimeSpan.FromSeconds(2),\n    })\n    .Build();\n",
            waits: &[(0.3, 0.3), (0.6, 0.6), (1.2, 1.2), (2.0, 2.0)],
        },
        Example {
            text: "new RetryStrategyOptions { MaxRetryAttempts = 2, Delay = TimeSpan.FromSeconds(4), UseJitter = true }\n",
            waits: &[(3.0, 5.0), (3.0, 5.0)],
        },
    ],
};

/// The settings of Polly's options; other libraries that build on them have the same with other defaults.
const SETTINGS: [Setting; 11] = [
    Setting::number("MaxRetryAttempts", "retries", "3"),
    Setting::duration("Delay", "baseMs", "2s"),
    Setting::other("BackoffType"),
    Setting::flag("UseJitter", "jitter", "false"),
    Setting::duration("MaxDelay", "capMs", ""),
    Setting::other("DelayGenerator"),
    Setting::other("ShouldHandle"),
    Setting::other("OnRetry"),
    Setting::other("Name"),
    Setting::other("Randomizer"),
    Setting::other("ShouldRetryAfterHeader"),
];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let options = scan.heads(&["RetryStrategyOptions"]).filter(|i| i.form == Form::Call);
    let mut blocks: Vec<Block<'d>> =
        scan.outermost(options).into_iter().map(|item| Block::new(item, Certainty::Certain)).collect();
    // `AddRetry(new() { … })` leaves the name of the type to the compiler.
    let calls = scan.items.iter().copied().flat_map(|item| {
        item.steps.iter().filter_map(|step| match step {
            crate::notation::Step::Call { name, args, .. } if name.text == "AddRetry" => args.first()?.value.item(),
            _ => None,
        })
    });
    let bare = calls.chain(scan.heads(&["AddRetry"]).filter_map(|i| i.at(0)?.item()));
    for item in bare.filter(|i| i.is("new") || i.head.text.is_empty()) {
        if !blocks.iter().any(|b| b.item.span.overlaps(item.span)) {
            blocks.push(Block::new(item, Certainty::Certain));
        }
    }
    // A section of appsettings, or what `Configure<RetryStrategyOptions>(o => …)` sets.
    let sections = scan.items.iter().copied().filter(|i| {
        let own = matches!(i.form, Form::Map | Form::Call) && i.get("MaxRetryAttempts").is_some();
        own && (sets_two(i) || i.get("Delay").is_some())
    });
    for item in sections.filter(|i| i.head.text.is_empty()) {
        if !blocks.iter().any(|b| b.item.span.overlaps(item.span)) {
            blocks.push(Block::new(item, Certainty::Likely));
        }
    }
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if item.args.is_empty() && item.steps.is_empty() {
        take.note("defaults", item.head.span, "Nothing is set: three retries, 2 s apart, is the default.");
    }
    let mut args = take.main();
    let mut policy = strategy(&mut args, "Constant");
    args.unknown_names("a property of RetryStrategyOptions", "it does not compile");
    if let Some(value) = args.value("DelayGenerator") {
        generated(take, value, &mut policy);
    }
    let pipelines = take.scan.items.iter().copied().map(calls);
    if let Some((calls, at)) = pipelines.filter_map(|calls| position(&calls, item).map(|at| (calls, at))).next() {
        limits(take, &calls, at, &mut policy);
    }
    policy
}

/// The waits that a DelayGenerator gives, which MaxDelay does not limit, where they can be computed.
fn generated(take: &mut Take, value: &Value, policy: &mut Policy) {
    let said = (take.findings.len(), take.unknown.len());
    if let Some(fun) = value.fun() {
        let inputs = Inputs::named(|k| vec![("AttemptNumber", Spread::fixed(k as f64 - 1.0))]);
        let computed = computed::policy(take, "DelayGenerator", fun, inputs, policy.retries);
        if take.unknown.len() == said.1 {
            *policy = computed;
            return;
        }
        take.findings.truncate(said.0);
        take.unknown.truncate(said.1);
    }
    let message = "DelayGenerator may replace a computed delay, and MaxDelay does not limit what it gives.";
    take.note("delay-generator", value.span, message);
}

/// What is added to a pipeline, in order, by name and first argument.
pub(super) fn calls(pipeline: &Item) -> Vec<(&str, &Value)> {
    let mut out = Vec::new();
    for step in &pipeline.steps {
        if let Step::Call { name, args, .. } = step
            && let Some(arg) = args.first()
        {
            out.push((name.text.as_str(), &arg.value));
        }
    }
    out
}

/// Where in a pipeline these options are added.
fn position(calls: &[(&str, &Value)], options: &Item) -> Option<usize> {
    let same = |value: &Value| value.item().is_some_and(|i| i.span == options.span && i.head.span == options.head.span);
    calls.iter().position(|(name, value)| *name == "AddRetry" && same(value))
}

/// A time-out that is added after the retry bounds one try, one before it the whole.
pub(super) fn limits<'t>(take: &mut Take<'t>, calls: &[(&'t str, &'t Value)], retry: usize, policy: &mut Policy) {
    for (i, (name, value)) in calls.iter().enumerate().filter(|(_, (name, _))| *name == "AddTimeout") {
        let value = value.item().and_then(|options| options.get("Timeout")).unwrap_or(value);
        if i > retry {
            policy.attempt_timeout_ms = take.time(name, "attemptTimeoutMs", value, None);
        } else {
            let limit_ms = take.time(name, "deadline", value, None);
            policy.deadline =
                limit_ms.map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Refuse, clock: Clock::Elapsed });
        }
    }
}

/// The policy of retry options whose back-off is `usual` unless it is written. The table of the library that asks must
/// have Polly's settings, with its own defaults.
pub(super) fn strategy(args: &mut Args, usual: &'static str) -> Policy {
    let retries = attempts(args);
    let base_ms = args.time("Delay").unwrap_or(0.0);
    let kind = kind(args, usual);
    let jitters = args.flag("UseJitter");
    let cap_ms = args.time("MaxDelay");
    for name in ["Delay", "MaxDelay"] {
        let over = |v: &Value| v.duration_ms(None).is_ok_and(|t| t.ms > Unit::Day.ms());
        if let Some(value) = args.value(name).filter(|v| over(v)) {
            args.take.refuse(name, value, "must be between 0 and 24 hours; building the pipeline throws");
        }
    }
    let quarter = Jitter::Proportional { below: 0.25, above: 0.25 };
    let (curve, jitter) = match kind {
        "Linear" => (Backoff::Linear { base_ms, increment_ms: base_ms }, quarter),
        "Exponential" => (Backoff::Exponential { base_ms, factor: 2.0 }, Jitter::Telescoping),
        _ => (Backoff::Constant { delay_ms: base_ms }, quarter),
    };
    let jitter = if jitters && base_ms > 0.0 { jitter } else { Jitter::None };
    Policy::new(Wait::new(curve).cap(cap_ms).cap_order(CapOrder::AfterJitter).jitter(jitter), retries)
}

fn attempts(args: &mut Args) -> Option<u64> {
    let number = args.number("MaxRetryAttempts").unwrap_or(3.0);
    if let Some(value) = args.value("MaxRetryAttempts") {
        if number < 1.0 {
            args.take.refuse("MaxRetryAttempts", value, "must be at least 1; building the pipeline throws");
        } else if number.fract() != 0.0 {
            args.take.refuse("MaxRetryAttempts", value, "must be a whole number");
        }
    }
    (number < 2_147_483_647.0).then_some(number.max(0.0) as u64)
}

fn kind(args: &mut Args, usual: &'static str) -> &'static str {
    let Some(value) = args.value("BackoffType") else {
        args.take.default("backoff", usual);
        return usual;
    };
    let written = value.text().unwrap_or_default().rsplit('.').next().unwrap_or_default();
    match ["Constant", "Linear", "Exponential"].into_iter().find(|k| k.eq_ignore_ascii_case(written)) {
        Some(kind) => {
            args.take.origin("backoff", value.span);
            kind
        }
        None => {
            args.take.refuse("BackoffType", value, "must be Constant, Linear or Exponential");
            usual
        }
    }
}

fn sets_two(item: &Item) -> bool {
    item.get("BackoffType").is_some() || item.get("UseJitter").is_some()
}

/// Whether an item sets one of the retry options.
pub(super) fn sets_options(item: &Item) -> bool {
    ["MaxRetryAttempts", "BackoffType", "UseJitter"].iter().any(|name| item.get(name).is_some())
}
