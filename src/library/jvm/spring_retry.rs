//! Spring Retry: `@Retryable` with `@Backoff`, and the template's builder.

use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Arg, Form, Item, Kind, Step, Value};
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
        "RetryInterceptorBuilder",
        "@Retryable",
        "Retryable",
        "@Backoff",
        "Backoff",
        "RetryTemplate",
        "RetryTemplate.builder",
        "org.springframework.retry",
        "SimpleRetryPolicy",
        "FixedBackOffPolicy",
        "ExponentialBackOffPolicy",
        "ExponentialRandomBackOffPolicy",
        "UniformRandomBackOffPolicy",
        "setBackOffPolicy",
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
        Setting::other("backOffOptions|recoverer|retryOperations|retryPolicy|backOffPolicy").of("builder"),
        Setting::number("multiplier|multiplierExpression", "factor", "0").of("Backoff").quoted(),
        Setting::flag("random|randomExpression", "jitter", "false").of("Backoff"),
        Setting::count("maxAttempts|setMaxAttempts", "retries", "3").of("SimpleRetryPolicy").at(0),
        Setting::count("maxAttempts|setMaxAttempts", "retries", "3").of("MaxAttemptsRetryPolicy").at(0),
        Setting::time("timeout|setTimeout", "deadline", Unit::Millisecond, "1000").of("TimeoutRetryPolicy").at(0),
        Setting::time("backOffPeriod|setBackOffPeriod", "baseMs", Unit::Millisecond, "1000").of("fixed"),
        Setting::time("initialInterval|setInitialInterval", "baseMs", Unit::Millisecond, "100").of("exponential"),
        Setting::number("multiplier|setMultiplier", "factor", "2").of("exponential"),
        Setting::time("maxInterval|setMaxInterval", "capMs", Unit::Millisecond, "30000").of("exponential"),
        Setting::time("minBackOffPeriod|setMinBackOffPeriod", "baseMs", Unit::Millisecond, "500").of("uniform"),
        Setting::time("maxBackOffPeriod|setMaxBackOffPeriod", "jitter", Unit::Millisecond, "1500").of("uniform"),
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
    retry_after: None,
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
    let named = scan.says("org.springframework.retry");
    let mut blocks: Vec<Block<'d>> = Vec::new();
    for item in scan.heads(&["Retryable"]).filter(|i| i.form == Form::Annotation) {
        let own = ["maxAttempts", "maxAttemptsExpression", "backoff", "retryFor", "noRetryFor", "include", "recover"];
        let certainty = match (named || own.iter().any(|n| item.get(n).is_some()), seven) {
            (_, true) => continue,
            (true, false) => Certainty::Certain,
            (false, false) if other_spring(item) => continue,
            (false, false) => Certainty::Likely,
        };
        blocks.push(Block::new(item, certainty).variant("annotation"));
    }
    let builders = scan.heads(&["RetryTemplate.builder", "RetryTemplate.defaultInstance"]).chain(scan.heads(STATELESS));
    blocks.extend(builders.map(|item| Block::new(item, Certainty::Certain).variant("builder")));
    let set = |i: &&Item| {
        let bean = i.form == Form::Tag && i.is("RetryTemplate");
        bean || i.call("setBackOffPolicy").is_some() || i.call("setRetryPolicy").is_some()
    };
    let templates = scan.items.iter().copied().filter(set);
    blocks.extend(templates.map(|item| Block::new(item, Certainty::Certain).variant("template")));
    // The setters of a template that is made elsewhere are calls of their own.
    let mut loose = scan.heads(&["setBackOffPolicy", "setRetryPolicy"]);
    if let Some(first) = loose.next().filter(|_| blocks.is_empty()) {
        let block = Block::new(first, Certainty::Certain).variant("template");
        blocks.push(loose.fold(block, Block::with));
    }
    if blocks.is_empty() {
        let made = |i: &Item| matches!(i.form, Form::Call | Form::Tag) && is_policy(i);
        blocks.extend(scan.outermost_blocks(&made).into_iter().map(|block| block.variant("template")));
        let bare = scan.heads(&["RetryTemplate"]).filter(|i| i.form == Form::Call && i.args.is_empty() && !seven);
        let certainty = if named { Certainty::Certain } else { Certainty::Possible };
        blocks.extend(bare.map(|item| Block::new(item, certainty).variant("template")));
    }
    if blocks.is_empty() {
        // PHP's attribute of that name is Laravel's.
        let alone = scan.heads(&["Backoff"]).filter(|i| i.form == Form::Annotation && !inside_topic(scan, i));
        let alone = alone.filter(|_| !scan.says("#[Backoff"));
        blocks.extend(alone.map(|item| Block::new(item, Certainty::Likely).variant("backoff")));
    }
    blocks
}

/// The interceptors around message listeners are built with the same policies.
const STATELESS: &[&str] = &["RetryInterceptorBuilder.stateless", "RetryInterceptorBuilder.stateful"];

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
        "template" => template(take, item),
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
    texts(&mut args, &["maxAttempts"]);
    let wait = match inner {
        Some(inner) => backoff(take.of(inner, "Backoff")),
        None => {
            take.default("baseMs", "1000 ms");
            Wait::new(Backoff::Constant { delay_ms: 1_000.0 })
        }
    };
    Policy::new(wait, retries)
}

/// Says of numbers in quotes that they do not compile: only the attributes that end in `Expression` take texts.
pub(super) fn texts(args: &mut Args, names: &[&'static str]) {
    for name in names {
        let written = args.written(name).filter(|(written, value)| {
            !written.ends_with("Expression") && !written.ends_with("String") && matches!(value.kind, Kind::Text { .. })
        });
        if let Some((written, value)) = written {
            let what = format!("must be a number, not a text: a text belongs to `{name}Expression`");
            args.take.refuse(&written, value, &what);
        }
    }
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
pub(super) fn backoff(mut args: Args) -> Wait {
    let delay_ms = args.time("delay").unwrap_or(1_000.0);
    let max_ms = args.time("maxDelay").unwrap_or(0.0);
    let multiplier = args.number("multiplier").unwrap_or(0.0);
    let random = args.flag("random");
    args.unknown_names("an attribute of @Backoff", "it does not compile");
    texts(&mut args, &["delay", "maxDelay", "multiplier", "random"]);
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

/// Whether an item makes a policy that says how often or how long.
fn is_policy(item: &Item) -> bool {
    let waits = ["FixedBackOffPolicy", "ExponentialBackOffPolicy", "ExponentialRandomBackOffPolicy"];
    let others = ["UniformRandomBackOffPolicy", "SimpleRetryPolicy", "MaxAttemptsRetryPolicy", "TimeoutRetryPolicy"];
    item.is_any(&waits) || item.is_any(&others)
}

/// A `RetryTemplate` that is given its policies by setters; one policy alone is taken with the defaults of the other.
fn template<'t>(take: &mut Take<'t>, item: &'t Item) -> Policy {
    let others = take.block.others.clone();
    let all = || [item].into_iter().chain(others.iter().copied());
    let set = |setter: &str, property: &str| {
        let called = all().find_map(|i| i.called(setter)?.first()).map(|arg| &arg.value);
        called.or_else(|| item.get(property))
    };
    // A bean of XML names another by its id.
    let beans = take.scan.items.iter().copied().filter(|i| i.form == Form::Tag);
    let named = |value: &Value| beans.clone().find(|i| i.get("id").and_then(Value::text) == value.text());
    let made = |value: &'t Value| value.item().or_else(|| named(value));
    let alone = is_policy(item).then_some(item);
    let (waits, counts) = (set("setBackOffPolicy", "backOffPolicy"), set("setRetryPolicy", "retryPolicy"));
    for value in [waits, counts].into_iter().flatten().filter(|v| v.is_undefined() && made(v).is_none()) {
        let message = "This policy is given by a name that the text does not define; the default stands in for it.";
        take.note("unknown-value", value.span, message);
        take.unknown.push(if Some(value.span) == counts.map(|v| v.span) { "retries" } else { "backoff" });
    }
    let mut policy = Policy::new(Wait::new(Backoff::Constant { delay_ms: 0.0 }), 2);
    match waits.and_then(made).or(alone.filter(|i| i.head.text.ends_with("BackOffPolicy"))) {
        Some(inner) => policy.wait = set_wait(take, inner),
        None => take.default("baseMs", "no wait"),
    }
    let counting = counts.and_then(made).or(alone.filter(|i| i.head.text.ends_with("RetryPolicy")));
    match counting {
        Some(inner) if inner.is("AlwaysRetryPolicy") => policy.retries = None,
        Some(inner) if inner.is("NeverRetryPolicy") => policy.retries = Some(0),
        Some(inner) if inner.is("TimeoutRetryPolicy") => {
            let limit_ms = take.of(inner, "TimeoutRetryPolicy").time("timeout").unwrap_or(1_000.0);
            policy.retries = None;
            policy.deadline = Some(Deadline { limit_ms, overrun: Overrun::Allow, clock: Clock::Elapsed });
        }
        Some(inner) if is_policy(inner) => {
            policy.retries = Some(attempts(&mut take.of(inner, "SimpleRetryPolicy")));
        }
        Some(inner) => {
            let message = "How often this policy retries is not followed here; three calls are taken.";
            take.note("unread-policy", inner.head.span, message);
            take.unknown.push("retries");
        }
        None => take.default("retries", "3 calls"),
    }
    policy
}

/// The wait of a back-off policy that is configured by setters.
fn set_wait<'t>(take: &mut Take<'t>, item: &'t Item) -> Wait {
    if item.is("FixedBackOffPolicy") {
        return Wait::new(Backoff::Constant {
            delay_ms: take.of(item, "fixed").time("backOffPeriod").unwrap_or(1_000.0),
        });
    }
    if item.is("UniformRandomBackOffPolicy") {
        let mut args = take.of(item, "uniform");
        let low = args.time("minBackOffPeriod").unwrap_or(500.0);
        let high = args.time("maxBackOffPeriod").unwrap_or(1_500.0);
        let jitter = Jitter::Additive { min_ms: 0.0, max_ms: (high - low).max(0.0) };
        let wait = Wait::new(Backoff::Constant { delay_ms: low }).jitter(jitter);
        return wait.rounding(RoundingMode::Draw, 1.0, Rounded::Wait);
    }
    if !item.head.text.contains("Exponential") {
        return Wait::new(Backoff::Constant { delay_ms: 0.0 });
    }
    let mut args = take.of(item, "exponential");
    let base_ms = args.time("initialInterval").unwrap_or(100.0).max(1.0);
    // A multiplier below 1 is taken as 1.
    let factor = args.number("multiplier").unwrap_or(2.0).max(1.0);
    let cap_ms = args.time("maxInterval").unwrap_or(SILENT_CAP_MS);
    let wait = Wait::new(Backoff::Exponential { base_ms, factor }).cap(cap_ms);
    match item.is("ExponentialRandomBackOffPolicy") && factor > 1.0 {
        true => wait.jitter(Jitter::Proportional { below: 0.0, above: factor - 1.0 }).cap_order(CapOrder::Both),
        false => wait.rounding(RoundingMode::Floor, 1.0, Rounded::Delay),
    }
}

fn builder<'t>(take: &mut Take<'t>, item: &'t Item) -> Policy {
    let mut args = take.of(item, "builder");
    let unlimited = item.call("infiniteRetry").is_some();
    let retries = args.count("maxAttempts").map(|calls| calls.saturating_sub(1)).filter(|_| !unlimited);
    let fixed = args.time("fixedBackoff");
    let timeout = args.time("withTimeout");
    let steps = item.steps.iter().find_map(|step| match step {
        Step::Call { name, args, span }
            if matches!(name.text.as_str(), "exponentialBackoff" | "backOffOptions" | "uniformRandomBackoff") =>
        {
            Some((name.text.as_str(), args.as_slice(), *span))
        }
        _ => None,
    });
    let wait = match steps {
        Some(("exponentialBackoff" | "backOffOptions", written, _)) => builder_exponential(take, written),
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
pub(super) fn builder_exponential<'t>(take: &mut Take<'t>, written: &'t [Arg]) -> Wait {
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
