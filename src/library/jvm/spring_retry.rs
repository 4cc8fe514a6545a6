//! Spring Retry: `@Retryable` with `@Backoff`, and the template's builder.

use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Arg, Form, Item, Step, Value};
use crate::policy::{Backoff, CapOrder, Clock, Deadline, Jitter, Overrun, Policy, Rounded, RoundingMode, Wait};

/// Spring Retry 2.
pub static LIBRARY: Library = Library {
    id: "spring-retry",
    title: "Spring Retry",
    ecosystem: "Java",
    version: "2.0.x (c8977dd, 2025-05)",
    source: "backoff/*.java, annotation/*.java, support/RetryTemplateBuilder.java",
    counts: "calls, the first included (maxAttempts)",
    formula: "min(maxDelay, delay * multiplier^(k-1)), whole ms at every step",
    words: &[
        "@Retryable",
        "Retryable",
        "@Backoff",
        "Backoff",
        "RetryTemplate",
        "RetryTemplate.builder",
        "org.springframework.retry",
    ],
    settings: &[
        Setting::count("maxAttempts|maxAttemptsExpression", "retries", "3"),
        Setting::other("backoff"),
        Setting::other("retryFor"),
        Setting::other("noRetryFor"),
        Setting::other("notRecoverable"),
        Setting::other("include"),
        Setting::other("exclude"),
        Setting::other("value"),
        Setting::other("recover"),
        Setting::other("interceptor"),
        Setting::other("label"),
        Setting::other("stateful"),
        Setting::other("exceptionExpression"),
        Setting::other("listeners"),
        Setting::time("delay|value|delayExpression", "baseMs", Unit::Millisecond, "1000").of("Backoff").at(0),
        Setting::time("maxDelay|maxDelayExpression", "capMs", Unit::Millisecond, "0").of("Backoff"),
        Setting::number("multiplier|multiplierExpression", "factor", "0").of("Backoff"),
        Setting::flag("random|randomExpression", "jitter", "false").of("Backoff"),
        Setting::count("maxAttempts", "retries", "3").of("builder"),
        Setting::time("fixedBackoff", "baseMs", Unit::Millisecond, "").of("builder"),
        Setting::time("withTimeout|withinMillis", "deadline", Unit::Millisecond, "").of("builder"),
    ],
    notes: &[
        "maxAttempts counts the first call.",
        "A maxDelay that is left out, or not above delay, is 30 s, not without bound.",
        "random multiplies by a draw between 1 and the multiplier, after the cap, and is cut at the cap again.",
        "maxDelay without a multiplier draws between delay and maxDelay.",
        "A multiplier of 1 or less, with random, has no effect.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "@Retryable(retryFor = IOException.class, maxAttempts = 4, backoff = @Backoff(delay = 300, multiplier = 3, maxDelay = 2000))\npublic Invoice fetch(String id) {\n",
            waits: &[(0.3, 0.3), (0.9, 0.9), (2.0, 2.0)],
        },
        Example {
            text: "RetryTemplate template = RetryTemplate.builder()\n    .maxAttempts(3)\n    .fixedBackoff(500)\n    .build();\n",
            waits: &[(0.5, 0.5), (0.5, 0.5)],
        },
    ],
};

/// The cap that stands in for one that is missing or not above the delay.
const SILENT_CAP_MS: f64 = 30_000.0;

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let seven = scan.says("org.springframework.resilience");
    let mut blocks: Vec<Block<'d>> = Vec::new();
    for item in scan.heads(&["Retryable"]).filter(|i| i.form == Form::Annotation) {
        let own = ["maxAttempts", "maxAttemptsExpression", "backoff", "retryFor", "noRetryFor", "include", "recover"];
        let named = scan.says("org.springframework.retry");
        let certainty = match (named || own.iter().any(|n| item.get(n).is_some()), seven) {
            (_, true) => continue,
            (true, false) => Certainty::Certain,
            (false, false) if other_spring(item) => continue,
            (false, false) => Certainty::Likely,
        };
        blocks.push(Block::new(item, certainty).variant("annotation"));
    }
    let builders = scan.heads(&["RetryTemplate.builder"]);
    blocks.extend(builders.map(|item| Block::new(item, Certainty::Certain).variant("builder")));
    if blocks.is_empty() {
        let alone = scan.heads(&["Backoff"]).filter(|i| i.form == Form::Annotation && !inside_topic(scan, i));
        blocks.extend(alone.map(|item| Block::new(item, Certainty::Likely).variant("backoff")));
    }
    blocks
}

/// Whether an annotation has settings that only Spring Framework 7 has.
fn other_spring(item: &Item) -> bool {
    ["maxRetries", "includes", "excludes", "delay", "jitter", "multiplier", "maxDelay", "timeout", "predicate"]
        .iter()
        .any(|name| item.get(name).is_some())
}

fn inside_topic(scan: &Scan, item: &Item) -> bool {
    scan.heads(&["RetryableTopic"]).any(|topic| topic.span.holds(item.span))
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    match take.block.variant {
        "annotation" => annotation(take, item),
        "backoff" => {
            take.default("retries", "3 calls");
            let wait = backoff(take.of(item, "Backoff"));
            Policy::new(wait, 2)
        }
        _ => builder(take, item),
    }
}

fn annotation<'t>(take: &mut Take<'t>, item: &'t Item) -> Policy {
    let mut args = take.of(item, "");
    if item.args.is_empty() {
        args.take.note("defaults", item.head.span, "Nothing is written: 3 calls, 1 s apart, is the default.");
    }
    let retries = attempts(&mut args);
    let inner = args.value("backoff").and_then(Value::item);
    args.unknown_names("an attribute of @Retryable", "it does not compile");
    let wait = match inner {
        Some(inner) => backoff(take.of(inner, "Backoff")),
        None => {
            take.default("baseMs", "1000 ms");
            Wait::new(Backoff::Constant { delay_ms: 1_000.0 })
        }
    };
    Policy::new(wait, retries)
}

/// The count of calls as a count of retries.
fn attempts(args: &mut Args) -> u64 {
    let written = args.value("maxAttempts").and_then(Value::text_number);
    if let Some(calls) = written.filter(|n| *n >= 1.0 && n.fract() == 0.0) {
        let value = args.value("maxAttempts").map(|v| v.span);
        value.into_iter().for_each(|span| args.take.origin("retries", span));
        return calls as u64 - 1;
    }
    let calls = args.count("maxAttempts").unwrap_or(3);
    if let Some(value) = args.value("maxAttempts").filter(|_| calls == 0) {
        args.take.refuse("maxAttempts", value, "must be at least 1");
    }
    calls.saturating_sub(1)
}

/// The rule of the annotation `@Backoff`.
fn backoff(mut args: Args) -> Wait {
    let delay_ms = args.time("delay").unwrap_or(1_000.0);
    let max_ms = args.time("maxDelay").unwrap_or(0.0);
    let multiplier = args.number("multiplier").unwrap_or(0.0);
    let random = args.flag("random");
    args.unknown_names("an attribute of @Backoff", "it does not compile");
    if multiplier > 0.0 {
        return exponential(&mut args, delay_ms, multiplier, max_ms, random);
    }
    if max_ms > delay_ms {
        let jitter = Jitter::Additive { min_ms: 0.0, max_ms: max_ms - delay_ms };
        let wait = Wait::new(Backoff::Constant { delay_ms }).jitter(jitter);
        return wait.rounding(RoundingMode::Draw, 1.0, Rounded::Wait);
    }
    no_effect(&mut args, random, "no multiplier");
    Wait::new(Backoff::Constant { delay_ms })
}

fn no_effect(args: &mut Args, random: bool, why: &str) {
    if let Some(value) = args.value("random").filter(|_| random) {
        args.take.warning("no-effect", value.span, format!("`random` has no effect with {why}."));
    }
}

fn exponential(args: &mut Args, base_ms: f64, multiplier: f64, max_ms: f64, random: bool) -> Wait {
    let factor = multiplier.max(1.0);
    let cap_ms = if max_ms > base_ms { max_ms } else { SILENT_CAP_MS };
    if max_ms <= base_ms {
        let span = args.value("maxDelay").map_or(args.span, |v| v.span);
        let message = match args.has("maxDelay") {
            true => "maxDelay is not above delay: the cap is 30 s instead.",
            false => "maxDelay is left out: the cap is 30 s, so the waits stop growing there.",
        };
        args.take.note("silent-cap", span, message);
        args.take.default("capMs", "30 s");
    }
    let wait = Wait::new(Backoff::Exponential { base_ms, factor }).cap(cap_ms);
    if !random || factor == 1.0 {
        no_effect(args, random, "a multiplier of 1");
        return wait.rounding(RoundingMode::Floor, 1.0, Rounded::Delay);
    }
    wait.jitter(Jitter::Proportional { below: 0.0, above: factor - 1.0 }).cap_order(CapOrder::Both)
}

fn builder<'t>(take: &mut Take<'t>, item: &'t Item) -> Policy {
    let mut args = take.of(item, "builder");
    let unlimited = item.call("infiniteRetry").is_some();
    let retries = args.count("maxAttempts").map(|calls| calls.saturating_sub(1)).filter(|_| !unlimited);
    let fixed = args.time("fixedBackoff");
    let timeout = args.time("withTimeout");
    let steps = item.steps.iter().find_map(|step| match step {
        Step::Call { name, args, span }
            if matches!(name.text.as_str(), "exponentialBackoff" | "uniformRandomBackoff") =>
        {
            Some((name.text.as_str(), args.as_slice(), *span))
        }
        _ => None,
    });
    let wait = match steps {
        Some(("exponentialBackoff", written, _)) => builder_exponential(take, written),
        Some((_, written, span)) => {
            let mut args = take.of_call(written, span, "Backoff");
            let low = args.time("delay").unwrap_or(0.0);
            let high =
                written.get(1).and_then(|a| args.take.time("maxInterval", "capMs", &a.value, Some(Unit::Millisecond)));
            let jitter = Jitter::Additive { min_ms: 0.0, max_ms: (high.unwrap_or(low) - low).max(0.0) };
            Wait::new(Backoff::Constant { delay_ms: low }).jitter(jitter)
        }
        None => {
            if fixed.is_none() {
                take.default("baseMs", "no wait");
            }
            Wait::new(Backoff::Constant { delay_ms: fixed.unwrap_or(0.0) })
        }
    };
    let mut policy =
        Policy::new(wait, if timeout.is_some() && item.call("maxAttempts").is_none() { None } else { retries });
    policy.deadline = timeout.map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Allow, clock: Clock::Elapsed });
    policy
}

/// `exponentialBackoff(initial, multiplier, max[, random])`.
fn builder_exponential<'t>(take: &mut Take<'t>, written: &'t [Arg]) -> Wait {
    let value = |i: usize| written.get(i).map(|a| &a.value);
    let unit = Some(Unit::Millisecond);
    let base_ms = value(0).and_then(|v| take.time("initialInterval", "baseMs", v, unit)).unwrap_or(100.0);
    let factor = value(1).and_then(|v| take.number("multiplier", "factor", v)).unwrap_or(2.0);
    let cap_ms = value(2).and_then(|v| take.time("maxInterval", "capMs", v, unit)).unwrap_or(SILENT_CAP_MS);
    let random = value(3).and_then(|v| take.flag("withRandom", "jitter", v)).unwrap_or(false);
    if let Some(v) = value(1).filter(|_| factor <= 1.0) {
        take.refuse("multiplier", v, "must be greater than 1; the builder throws");
    }
    if let Some(v) = value(2).filter(|_| cap_ms <= base_ms) {
        take.refuse("maxInterval", v, "must be greater than the initial interval; the builder throws");
    }
    let wait = Wait::new(Backoff::Exponential { base_ms, factor }).cap(cap_ms);
    match random {
        true => wait.jitter(Jitter::Proportional { below: 0.0, above: factor - 1.0 }).cap_order(CapOrder::Both),
        false => wait.rounding(RoundingMode::Floor, 1.0, Rounded::Delay),
    }
}
