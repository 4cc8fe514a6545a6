//! Spring Framework 7's own retry: `@Retryable` with flat attributes, `RetryPolicy`, and Spring Boot 4's settings.

use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Value};
use crate::policy::{Backoff, Clock, Deadline, Law, Overrun, Policy, Rounded, Rounding, RoundingMode, Wait};

/// Spring Framework 7.
pub static LIBRARY: Library = Library {
    id: "spring-framework-retry",
    title: "Spring Framework retry",
    ecosystem: "Java",
    version: "7.1.0-SNAPSHOT (91eb426, 2026-08)",
    source: "core/retry/RetryPolicy.java, util/backoff/ExponentialBackOff.java, resilience/annotation/Retryable.java",
    counts: "retries (maxRetries)",
    formula: "min(maxDelay, delay * multiplier^(k-1)) ± jitter * multiplier^(k-1), never below delay",
    words: &[
        "org.springframework.resilience",
        "@Retryable",
        "Retryable",
        "maxRetries",
        "max-retries",
        "RetryPolicy.builder",
        "RetryPolicy.withDefaults",
        "rabbitmq",
        "RetryPolicy.withMaxRetries",
        "RetryTemplate",
        "org.springframework.core.retry",
    ],
    settings: &[
        Setting::count("maxRetries|maxRetriesString", "retries", "3").quoted(),
        Setting::time("delay|delayString", "baseMs", Unit::Millisecond, "1000"),
        Setting::time("jitter|jitterString", "jitter", Unit::Millisecond, "0"),
        Setting::number("multiplier|multiplierString", "factor", "1").quoted(),
        Setting::time("maxDelay|maxDelayString", "capMs", Unit::Millisecond, ""),
        Setting::time("timeout|timeoutString", "deadline", Unit::Millisecond, "0"),
        Setting::other("timeUnit"),
        Setting::other("value"),
        Setting::other("includes"),
        Setting::other("excludes"),
        Setting::other("predicate"),
        Setting::other("backOff"),
        Setting::count("maxRetries", "retries", "3").of("boot"),
        Setting::count("maxAttempts", "retries", "3").of("boot"),
        Setting::time("initialInterval", "baseMs", Unit::Millisecond, "1000").of("boot"),
        Setting::number("multiplier", "factor", "1").of("boot"),
        Setting::time("maxInterval", "capMs", Unit::Millisecond, "10000").of("boot"),
        Setting::flag("enabled", "", "false").of("boot"),
        Setting::other("stateless").of("boot"),
    ],
    notes: &[
        "maxRetries counts retries; Spring Retry's maxAttempts counted calls.",
        "The jitter is a time and grows with the delay; the lower end never falls below the first delay.",
        "Without a multiplier the delay is constant.",
        "Spring Boot 4 writes max-retries where Boot 3 wrote max-attempts and counted the first try.",
        "Retry of a listener or template of Spring Boot is off unless it is enabled.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: true,
    retry_after: None,
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "import org.springframework.resilience.annotation.Retryable;\n\n@Retryable(maxRetries = 3, delay = 200, multiplier = 2, maxDelay = 500)\npublic Rate load() {\n",
            waits: &[(0.2, 0.2), (0.4, 0.4), (0.5, 0.5)],
        },
        Example {
            text: "spring:\n  rabbitmq:\n    template:\n      retry:\n        enabled: true\n        max-retries: 2\n        initial-interval: 500ms\n",
            waits: &[(0.5, 0.5), (0.5, 0.5)],
        },
    ],
};

const OWN: &[&str] = &[
    "maxRetries",
    "includes",
    "excludes",
    "delay",
    "jitter",
    "multiplier",
    "maxDelay",
    "timeout",
    "predicate",
    "delayString",
    "maxRetriesString",
];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let named = scan.says("org.springframework.resilience") || scan.says("org.springframework.core.retry");
    let old = scan.says("org.springframework.retry");
    let mut blocks: Vec<Block<'d>> = Vec::new();
    for item in scan.heads(&["Retryable"]).filter(|i| i.form == Form::Annotation && !old) {
        let own = OWN.iter().any(|name| item.get(name).is_some());
        let others = ["maxAttempts", "backoff", "retryFor"].iter().any(|name| item.get(name).is_some());
        let certainty = if named || own { Certainty::Certain } else { Certainty::Possible };
        if !others {
            blocks.push(Block::new(item, certainty));
        }
    }
    // A template that is given one of these: nobody else's constructor takes a policy.
    let given = |item: &Item| {
        let holds = |t: &Item| t.args.iter().any(|a| a.value.item().is_some_and(|i| i.head.span == item.head.span));
        scan.heads(&["RetryTemplate"]).any(holds)
    };
    for item in scan.heads(&["RetryPolicy.builder", "RetryPolicy.withMaxRetries", "RetryPolicy.withDefaults"]) {
        let own = ["maxRetries", "delay", "maxDelay", "multiplier", "jitter", "backOff"]
            .iter()
            .any(|m| item.call(m).is_some());
        let bare = !item.is("RetryPolicy.builder") && (named || given(item));
        if own || bare || item.is("RetryPolicy.withMaxRetries") {
            blocks.push(Block::new(item, Certainty::Certain));
        }
    }
    let boot = scan.items.iter().copied().filter(|item| below_rabbit(item));
    blocks.extend(boot.map(|item| Block::new(item, Certainty::Certain).variant("boot")));
    if blocks.is_empty() && !old {
        let templates = scan.heads(&["RetryTemplate"]).filter(|i| i.form == Form::Call && i.args.is_empty());
        let bare = templates.filter(|i| i.call("setBackOffPolicy").is_none());
        let certainty = if named { Certainty::Certain } else { Certainty::Likely };
        blocks.extend(bare.map(|item| Block::new(item, certainty)));
    }
    blocks
}

/// Whether an item is the retry block of a listener or template below `spring.rabbitmq`.
fn below_rabbit(item: &Item) -> bool {
    let path = item.path().replace('-', "");
    path.contains("rabbitmq.") && path.ends_with(".retry") && item.args.iter().any(|a| a.name.is_some())
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if take.block.variant == "boot" {
        return boot(take);
    }
    let unit = item.get("timeUnit").and_then(|v| v.text()).and_then(Unit::named);
    let mut args = take.main().bare(unit.unwrap_or(Unit::Millisecond));
    if item.args.is_empty() && (item.steps.is_empty() || item.is("RetryTemplate")) {
        args.take.note("defaults", item.head.span, "Nothing is written: 3 retries, 1 s apart, is the default.");
    }
    let by_position = item.is("RetryPolicy.withMaxRetries").then(|| item.at(0)).flatten();
    let retries = match by_position {
        Some(value) => args.take.number("maxRetries", "retries", value).map_or(3, |n| n.max(0.0) as u64),
        None => args.count("maxRetries").unwrap_or(3),
    };
    if let Some(given) = args.value("backOff").and_then(Value::item) {
        return own_back_off(args.take, given);
    }
    let delay_ms = args.time("delay").unwrap_or(1_000.0);
    let jitter_ms = args.time("jitter").unwrap_or(0.0);
    let factor = args.number("multiplier").unwrap_or(1.0);
    let cap_ms = args.time("maxDelay");
    let timeout_ms = args.time("timeout").filter(|ms| *ms > 0.0);
    if let Some(value) = args.value("multiplier").filter(|_| factor < 1.0) {
        args.take.refuse("multiplier", value, "must be at least 1");
    }
    args.unknown_names("an attribute of Spring Framework's retry", "it does not compile");
    let mut policy = Policy::new(wait(delay_ms, factor, cap_ms, jitter_ms, retries), retries);
    policy.deadline = timeout_ms.map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Refuse, clock: Clock::Elapsed });
    policy
}

/// A jitter of `j` at the first delay is `j * interval / delay` at a later one, both ways, kept between the first delay
/// and the cap: by itself no share of the delay, so each wait has its own law.
pub(super) fn wait(delay_ms: f64, factor: f64, cap_ms: Option<f64>, jitter_ms: f64, retries: u64) -> Wait {
    let curve = match factor {
        1.0 => Backoff::Constant { delay_ms },
        _ => Backoff::Exponential { base_ms: delay_ms, factor },
    };
    let plain = Wait::new(curve).cap(cap_ms).rounding(RoundingMode::Floor, 1.0, Rounded::Delay);
    if jitter_ms <= 0.0 || delay_ms <= 0.0 {
        return plain;
    }
    let whole = Rounding { unit_ms: 1.0, mode: RoundingMode::Floor, of: Rounded::Wait };
    Wait::each(retries.min(2_000), &|k| {
        let interval = plain.law(k, None).max_ms();
        let spread = jitter_ms * interval / delay_ms;
        let high = cap_ms.map_or(interval + spread, |cap| (interval + spread).min(cap));
        let low = (interval - spread).max(delay_ms).min(high);
        let law = Law::uniform(low, high);
        if high - low < 1.0 { law } else { Law::uniform(low, high + 1.0).rounded(whole).capped(high) }
    })
}

/// `.backOff(new …)` takes the place of the builder's other settings.
fn own_back_off<'t>(take: &mut Take<'t>, item: &'t Item) -> Policy {
    let BackOff { wait, retries, elapsed_ms } = back_off(take, item);
    let mut policy = Policy::new(wait, retries);
    policy.deadline = elapsed_ms.map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Allow, clock: Clock::Waits });
    policy
}

/// What one of `org.springframework.util.backoff` gives.
pub(super) struct BackOff {
    pub wait: Wait,
    /// `None` without bound.
    pub retries: Option<u64>,
    /// The sum of waits at which it stops.
    pub elapsed_ms: Option<f64>,
}

/// A `FixedBackOff`, `ExponentialBackOff` or `ExponentialBackOffWithMaxRetries`: constructor arguments and setters.
pub(super) fn back_off<'t>(take: &mut Take<'t>, item: &'t Item) -> BackOff {
    let value = |name: &str, at: Option<usize>| -> Option<&'t Value> {
        let setter = format!("set{}{}", name[..1].to_ascii_uppercase(), &name[1..]);
        let set = item.call(&setter).and_then(|args| args.first()).map(|arg| &arg.value);
        set.or_else(|| item.get(name)).or_else(|| item.at(at?))
    };
    let unit = Some(Unit::Millisecond);
    // Long.MAX_VALUE and UNLIMITED_ATTEMPTS mean without bound.
    let count = |take: &mut Take<'t>, value: Option<&'t Value>| {
        let value = value.filter(|v| !v.text().is_some_and(|t| t.contains("UNLIMITED")))?;
        let number = take.number("maxAttempts", "retries", value)?;
        if number < 0.0 {
            take.refuse("maxAttempts", value, "must not be negative");
        }
        (number < 9e18).then_some(number.max(0.0) as u64)
    };
    if item.is("FixedBackOff") {
        let delay_ms = value("interval", Some(0)).and_then(|v| take.time("interval", "baseMs", v, unit));
        let delay_ms = delay_ms.unwrap_or_else(|| {
            take.default("baseMs", "5000 ms");
            5_000.0
        });
        let retries = count(take, value("maxAttempts", Some(1)));
        return BackOff { wait: Wait::new(Backoff::Constant { delay_ms }), retries, elapsed_ms: None };
    }
    let counted = item.is("ExponentialBackOffWithMaxRetries");
    let own = |at: usize| (!counted).then_some(at);
    let mut number = |name: &'static str, field: &'static str, at: Option<usize>, usual: f64| {
        let written = value(name, at).and_then(|v| match name {
            "multiplier" => take.number(name, field, v),
            _ => take.time(name, field, v, unit),
        });
        written.unwrap_or_else(|| {
            take.default(field, usual.to_string());
            usual
        })
    };
    let base_ms = number("initialInterval", "baseMs", own(0), 2_000.0);
    let factor = number("multiplier", "factor", own(1), 1.5);
    let cap_ms = number("maxInterval", "capMs", None, 30_000.0);
    let jitter_ms = number("jitter", "jitter", None, 0.0);
    if let Some(v) = value("multiplier", own(1)).filter(|_| factor < 1.0) {
        take.refuse("multiplier", v, "must be at least 1");
    }
    let elapsed = value("maxElapsedTime", None).filter(|v| v.number().is_none_or(|n| n < 9e18));
    let elapsed_ms = elapsed.and_then(|v| take.time("maxElapsedTime", "deadline", v, unit));
    let written = value("maxAttempts", None).or_else(|| value("maxRetries", counted.then_some(0)));
    let retries = count(take, written);
    BackOff { wait: wait(base_ms, factor, Some(cap_ms), jitter_ms, retries.unwrap_or(500)), retries, elapsed_ms }
}

fn boot(take: &mut Take) -> Policy {
    let item = take.block.item;
    let mut args: Args = take.of(item, "boot");
    let old = args.value("maxAttempts").filter(|_| !args.has("maxRetries"));
    let retries = match old {
        Some(value) => {
            let calls = args.count("maxAttempts").unwrap_or(3);
            let message = "max-attempts is Spring Boot 3's and counts the first try; Boot 4 knows max-retries alone.";
            args.take.note("counts-calls", value.span, message);
            calls.saturating_sub(1)
        }
        None => args.count("maxRetries").unwrap_or(3),
    };
    let base_ms = args.time("initialInterval").unwrap_or(1_000.0);
    let factor = args.number("multiplier").unwrap_or(1.0);
    let cap_ms = args.time("maxInterval");
    if !args.flag("enabled") {
        let span = args.value("enabled").map_or(args.span, |v| v.span);
        let message = match args.has("enabled") {
            true => "Retry is switched off here; the waits are those it would have.",
            false => "`enabled` is not written, and retry is off unless it is true; the waits are those it would have.",
        };
        args.take.warning("disabled", span, message);
    }
    args.unknown_names("a key of this retry block", "it is ignored");
    Policy::new(wait(base_ms, factor, cap_ms, 0.0, retries), retries)
}
