//! Spring Framework 7's own retry: `@Retryable` with flat attributes, `RetryPolicy`, and Spring Boot 4's settings.

use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item};
use crate::policy::{After, Backoff, Clock, Deadline, Law, Overrun, Policy, Rounded, Rounding, RoundingMode, Wait};

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
    ],
    settings: &[
        Setting::count("maxRetries|maxRetriesString", "retries", "3"),
        Setting::time("delay|delayString", "baseMs", Unit::Millisecond, "1000"),
        Setting::time("jitter|jitterString", "jitter", Unit::Millisecond, "0"),
        Setting::number("multiplier|multiplierString", "factor", "1"),
        Setting::time("maxDelay|maxDelayString", "capMs", Unit::Millisecond, ""),
        Setting::time("timeout|timeoutString", "deadline", Unit::Millisecond, "0"),
        Setting::other("timeUnit"),
        Setting::other("value"),
        Setting::other("includes"),
        Setting::other("excludes"),
        Setting::other("predicate"),
        Setting::count("maxRetries", "retries", "3").of("boot"),
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
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: true,
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
    for item in scan.heads(&["RetryPolicy.builder", "RetryPolicy.withMaxRetries", "RetryPolicy.withDefaults"]) {
        let own = ["maxRetries", "delay", "maxDelay", "multiplier", "jitter"].iter().any(|m| item.call(m).is_some());
        let bare = named && !item.is("RetryPolicy.builder");
        if own || bare || item.is("RetryPolicy.withMaxRetries") {
            blocks.push(Block::new(item, Certainty::Certain));
        }
    }
    let boot = scan.with_any_key(&["max-retries", "maxRetries"]).filter(|item| below_rabbit(item));
    blocks.extend(boot.map(|item| Block::new(item, Certainty::Certain).variant("boot")));
    blocks
}

fn below_rabbit(item: &Item) -> bool {
    use crate::notation::Crumb;
    let has = |word: &str| item.place.iter().any(|c| matches!(c, Crumb::Key(key) if key.split('.').any(|k| k == word)));
    has("rabbitmq") && has("retry")
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if take.block.variant == "boot" {
        return boot(take);
    }
    let unit = item.get("timeUnit").and_then(|v| v.text()).and_then(Unit::named);
    let mut args = take.main().bare(unit.unwrap_or(Unit::Millisecond));
    if item.args.is_empty() && item.steps.is_empty() {
        args.take.note("defaults", item.head.span, "Nothing is written: 3 retries, 1 s apart, is the default.");
    }
    let by_position = item.is("RetryPolicy.withMaxRetries").then(|| item.at(0)).flatten();
    let retries = match by_position {
        Some(value) => args.take.number("maxRetries", "retries", value).map_or(3, |n| n.max(0.0) as u64),
        None => args.count("maxRetries").unwrap_or(3),
    };
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
    let waits = (1..=retries.clamp(1, 2_000)).map(|k| {
        let interval = plain.law(k, None).max_ms();
        let spread = jitter_ms * interval / delay_ms;
        let high = cap_ms.map_or(interval + spread, |cap| (interval + spread).min(cap));
        let low = (interval - spread).max(delay_ms).min(high);
        let law = Law::uniform(low, high);
        if high - low < 1.0 { law } else { Law::uniform(low, high + 1.0).rounded(whole).capped(high) }
    });
    Wait::new(Backoff::Table { waits: waits.collect(), after: After::RepeatLast })
}

fn boot(take: &mut Take) -> Policy {
    let item = take.block.item;
    let mut args: Args = take.of(item, "boot");
    let retries = args.count("maxRetries").unwrap_or(3);
    let base_ms = args.time("initialInterval").unwrap_or(1_000.0);
    let factor = args.number("multiplier").unwrap_or(1.0);
    let cap_ms = args.time("maxInterval");
    if args.has("enabled") && !args.flag("enabled") {
        let span = args.value("enabled").map_or(args.span, |v| v.span);
        args.take.warning("disabled", span, "Retry is switched off here; the waits are those it would have.");
    }
    args.unknown_names("a key of this retry block", "it is ignored");
    Policy::new(wait(base_ms, factor, cap_ms, 0.0, retries), retries)
}
