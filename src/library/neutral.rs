//! The project's own notation: what the form, the link, the examples and the tests speak, and how an object with plain
//! names (`{base, factor, cap, attempts}`) is read when no library claims it.
//!
//! `key=value` words or lines, joined by `&`, or one JSON, YAML, TOML or code object. `attempts` means what the form's
//! Attempts means, waits; the other reading is offered beside it.

mod find;
mod link;

pub use link::{decoded, link, notation, pairs};

use super::{Args, Example, Library, Setting, Take};
use crate::duration::Unit;
use crate::notation::{Item, Value};
use crate::policy::json;
use crate::policy::{After, Backoff, CapOrder, Clock, Deadline, Jitter, Law, Overrun, Phase, Policy, Rounding, Wait};
use serde::Serialize;

/// The neutral notation.
pub static LIBRARY: Library = Library {
    id: "neutral",
    title: "Plain numbers",
    ecosystem: "any",
    version: "1",
    source: "this project: the keys of the link",
    counts: "attempts and retries: waits after the first call; calls, tries, max_attempts: calls, the first included",
    formula: "min(cap, base * factor^(k-1))",
    words: &[
        "base",
        "factor",
        "cap",
        "retries",
        "attempts",
        "calls",
        "tries",
        "delay",
        "delays",
        "jitter",
        "backoff",
        "multiplier",
        "maxDelay",
        "max_delay",
        "baseDelay",
        "base_delay",
        "initialDelay",
        "initial_delay",
        "maxRetries",
        "max_retries",
        "maxAttempts",
        "max_attempts",
        "baseMs",
        "delayMs",
        "backoffFactor",
        "backoff_factor",
        "interval",
        "initialInterval",
        "initial_interval",
        "maxInterval",
        "max_interval",
        "retryDelay",
        "retry_delay",
        "minDelay",
        "min_delay",
    ],
    settings: SETTINGS,
    notes: &["`attempts` is read as the form's Attempts, waits after the first call; many libraries count calls."],
    releases: &[WAITS_MS, CALLS_MS, WAITS_S, CALLS_S],
    error_classes: &[],
    relaxed_names: true,
    find: find::find,
    read,
    write: &["«notation»"],
    examples: &[
        Example {
            text: "base=1s factor=2 cap=8s retries=5 jitter=full",
            waits: &[(0.0, 1.0), (0.0, 2.0), (0.0, 4.0), (0.0, 8.0), (0.0, 8.0)],
        },
        Example {
            text: "{ base: \"250ms\", factor: 3, cap: \"1s\", calls: 4 }",
            waits: &[(0.25, 0.25), (0.75, 0.75), (1.0, 1.0)],
        },
        Example { text: "backoff=constant base=2s retries=2 jitter=±20%", waits: &[(1.6, 2.4), (1.6, 2.4)] },
    ],
};

const WAITS_MS: &str = "attempts are waits, bare numbers ms";
const CALLS_MS: &str = "attempts are calls, bare numbers ms";
const WAITS_S: &str = "attempts are waits, bare numbers s";
const CALLS_S: &str = "attempts are calls, bare numbers s";

/// Names that only this notation has; the others are the usual synonyms of code that people write themselves.
const SETTINGS: &[Setting] = &[
    Setting::other("v"),
    Setting::other("backoff|kind|strategy|type"),
    Setting::time(
        "base|baseMs|delay|delayMs|initial|initialDelay|initialDelayMs|initialInterval|baseDelay|baseDelayMs|minDelay|retryDelay|interval|start|startDelay|backoffMs",
        "baseMs",
        Unit::Millisecond,
        "",
    ),
    Setting::number(
        "factor|multiplier|backoffFactor|exponent|rate|backoffMultiplier|backoffRate|growth",
        "factor",
        "2",
    ),
    Setting::time("increment|incrementMs|step", "incrementMs", Unit::Millisecond, ""),
    Setting::number("power", "power", "2"),
    Setting::other("delays|delaysMs"),
    Setting::other("after"),
    Setting::time("floor|floorMs", "floorMs", Unit::Millisecond, ""),
    Setting::time(
        "cap|capMs|max|maxMs|maxDelay|maxDelayMs|maxInterval|maxBackoff|maximum|maxWait|maxTimeout",
        "capMs",
        Unit::Millisecond,
        "",
    ),
    Setting::other("capOrder"),
    Setting::other("jitter|randomize|jitterType"),
    Setting::other("retries|maxRetries|numRetries|retryCount"),
    Setting::other("calls|maxAttempts|tries|maxTries|totalAttempts|numAttempts"),
    Setting::other("attempts|limit|count"),
    Setting::time("firstWait|firstWaitMs", "firstWaitMs", Unit::Millisecond, ""),
    Setting::time(
        "callTimeout|attemptTimeout|attemptTimeoutMs|timeout|timeoutMs",
        "attemptTimeoutMs",
        Unit::Millisecond,
        "",
    ),
    Setting::time("deadline|deadlineMs|limitMs|maxElapsedTime|totalTimeout", "deadline", Unit::Millisecond, ""),
    Setting::other("overrun"),
    Setting::other("clock"),
    Setting::other("rest"),
];

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let seconds = matches!(take.release, WAITS_S | CALLS_S);
    let bare = if seconds { Unit::Second } else { Unit::Millisecond };
    note_bare_numbers(take, item, bare);
    let rest = rest(take, item);
    let wait = wait(&mut take.of(item, "").bare(bare), &rest);
    let mut policy = Policy::new(wait, None);
    policy.retries = retries(take, item).or(policy.wait.backoff.stops_after());
    let mut args = take.of(item, "").bare(bare);
    policy.first_wait_ms = args.time("firstWait");
    policy.attempt_timeout_ms = args.time("callTimeout");
    if let Some(limit_ms) = args.time("deadline") {
        let overrun = word(&mut args, "overrun", OVERRUNS).unwrap_or(Overrun::Refuse);
        let clock = word(&mut args, "clock", CLOCKS).unwrap_or_default();
        policy.deadline = Some(Deadline { limit_ms, overrun, clock });
    }
    args.unknown_names("a key of this notation", "it is not read");
    policy.plus = rest.plus;
    policy.phases = rest.phases;
    policy.initial_delay_ms = rest.initial_delay_ms;
    policy.ends_with_wait = rest.ends_with_wait;
    policy
}

/// The curve with its cap, jitter and floor.
fn wait(args: &mut Args, rest: &Rest) -> Wait {
    let base_ms = args.time("base");
    let mut wait = Wait::new(curve(args, base_ms, rest));
    wait.cap_ms = args.time("cap");
    wait.floor_ms = args.time("floor");
    wait.cap_order = word(args, "capOrder", ORDERS).unwrap_or_default();
    wait.jitter = rest.jitter.or_else(|| jitter(args)).unwrap_or_default();
    (wait.rounding, wait.carry, wait.skip) = (rest.rounding, rest.carry, rest.skip);
    wait
}

fn curve(args: &mut Args, base_ms: Option<f64>, rest: &Rest) -> Backoff {
    let after = word(args, "after", AFTERS).unwrap_or(After::RepeatLast);
    if let Some(waits) = &rest.waits {
        return Backoff::Table { waits: waits.clone(), after };
    }
    if let Some(delays_ms) = delays(args) {
        return Backoff::List { delays_ms, after };
    }
    let kind = word(args, "backoff", KINDS);
    let kind = kind.unwrap_or_else(|| match (args.has("factor"), args.has("increment"), base_ms) {
        (true, ..) => "exponential",
        (_, true, _) => "linear",
        _ => "constant",
    });
    let base_ms = base_ms.unwrap_or_else(|| {
        args.take.default("baseMs", "0 s");
        0.0
    });
    match kind {
        "constant" => Backoff::Constant { delay_ms: base_ms },
        "linear" => Backoff::Linear { base_ms, increment_ms: args.time("increment").unwrap_or(base_ms) },
        "polynomial" => Backoff::Polynomial { base_ms, power: args.number("power").unwrap_or(2.0) },
        "fibonacci" => Backoff::Fibonacci { base_ms },
        _ => Backoff::Exponential { base_ms, factor: not_negative(args, "factor").unwrap_or(2.0) },
    }
}

fn not_negative(args: &mut Args, name: &str) -> Option<f64> {
    let number = args.number(name)?;
    if number < 0.0 {
        let value = args.value(name)?;
        return args.take.refuse(name, value, "is negative");
    }
    Some(number)
}

fn delays(args: &mut Args) -> Option<Vec<f64>> {
    let value = args.value("delays")?;
    args.take.origin("delaysMs", value.span);
    let unit = args.unit();
    match (value.list(), value.text()) {
        (Some(values), _) => values.iter().map(|v| args.take.time("delays", "", v, unit)).collect(),
        (None, Some(text)) => {
            let parse = |part: &str| crate::duration::parse(part.trim(), unit).ok().map(|t| t.ms);
            let parsed: Option<Vec<f64>> = text.split(',').map(parse).collect();
            if parsed.is_none() {
                args.take.refuse("delays", value, "must be times separated by commas");
            }
            parsed
        }
        _ => Some(vec![args.take.time("delays", "", value, unit)?]),
    }
}

/// The number of waits, from whichever name counts something.
fn retries<'t>(take: &mut Take<'t>, item: &'t Item) -> Option<u64> {
    let attempts_are_calls = matches!(take.release, CALLS_MS | CALLS_S);
    for (name, calls) in [("retries", false), ("calls", true), ("attempts", attempts_are_calls)] {
        let args = take.of(item, "");
        let Some((written, value)) = args.written(name) else { continue };
        let words = value.text().map(str::to_ascii_lowercase);
        if value.is_null() || words.as_deref() == Some("unlimited") {
            args.take.origin("retries", value.span);
            return None;
        }
        let number = match value.text_number() {
            Some(number) => Some(number),
            None => args.take.number(&written, "retries", value),
        };
        let number = number?;
        args.take.origin("retries", value.span);
        if number < 0.0 || number.fract() != 0.0 && number.is_finite() || number.is_nan() {
            args.take.refuse(&written, value, "must be a whole number that is not negative");
            return Some(0);
        }
        if name == "attempts" {
            let (this, that) = if calls { ("calls", "waits") } else { ("waits after the first call", "calls") };
            args.take.note(
                "attempts-read",
                value.span,
                format!("`{written}` is read as {this}; it could count {that}."),
            );
        }
        return number.is_finite().then_some(if calls { (number as u64).saturating_sub(1) } else { number as u64 });
    }
    None
}

/// Says once that numbers without a unit were taken as milliseconds (or seconds).
fn note_bare_numbers<'t>(take: &mut Take<'t>, item: &'t Item, bare: Unit) {
    let args = take.of(item, "");
    let times = ["base", "increment", "floor", "cap", "firstWait", "callTimeout", "deadline"];
    let bare_number = |(name, value): (String, &Value)| {
        let told = name.to_ascii_lowercase().ends_with("ms");
        let number = value.text_number().is_some_and(|n| n != 0.0);
        (number && !told).then_some((name, value.span))
    };
    let Some((name, span)) = times.iter().find_map(|t| args.written(t).and_then(bare_number)) else { return };
    let (this, that) = if bare == Unit::Second { ("seconds", "milliseconds") } else { ("milliseconds", "seconds") };
    args.take.note("bare-number", span, format!("`{name}` has no unit; {this} are assumed.")).help =
        format!("Write the unit, or choose the reading in {that}.");
}

/// The meaning of a word from a list, with an error that names the list.
fn word<T: Copy>(args: &mut Args, name: &str, words: &[(&str, T)]) -> Option<T> {
    let (written, value) = args.written(name)?;
    let said = value.text().unwrap_or_default().to_ascii_lowercase();
    let found = words.iter().find(|(word, _)| *word == said).map(|(_, meaning)| *meaning);
    if found.is_none() {
        let list = words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
        args.take.refuse(&written, value, &format!("must be one of {list}"));
    }
    found
}

const KINDS: &[(&str, &str)] = &[
    ("exponential", "exponential"),
    ("constant", "constant"),
    ("fixed", "constant"),
    ("linear", "linear"),
    ("polynomial", "polynomial"),
    ("fibonacci", "fibonacci"),
    ("list", "constant"),
];
const AFTERS: &[(&str, After)] = &[("repeat-last", After::RepeatLast), ("stop", After::Stop)];
const OVERRUNS: &[(&str, Overrun)] =
    &[("refuse", Overrun::Refuse), ("allow", Overrun::Allow), ("shorten", Overrun::Shorten)];
const CLOCKS: &[(&str, Clock)] =
    &[("elapsed", Clock::Elapsed), ("first-failure", Clock::FirstFailure), ("waits", Clock::Waits)];
const ORDERS: &[(&str, CapOrder)] = &[
    ("before", CapOrder::BeforeJitter),
    ("before-jitter", CapOrder::BeforeJitter),
    ("after", CapOrder::AfterJitter),
    ("after-jitter", CapOrder::AfterJitter),
    ("both", CapOrder::Both),
    ("redraw", CapOrder::Redraw),
    ("ceiling", CapOrder::Ceiling),
];

/// A jitter as written: a name, true or false, `±20%`, `-10%..+30%`, `+0..1s`, `1s..delay`, or a share between 0 and 1.
fn jitter(args: &mut Args) -> Option<Jitter> {
    let (written, value) = args.written("jitter")?;
    args.take.origin("jitter", value.span);
    let parsed = match (value.flag(), value.text_number(), value.text()) {
        (Some(flag), ..) => Some(if flag { Jitter::Full } else { Jitter::None }),
        (_, Some(share), _) => share_jitter(share),
        (.., Some(text)) => link::jitter(text, args.unit()),
        _ => None,
    };
    if parsed.is_none() {
        let forms = "none, full, equal, decorrelated, ±20%, -10%..+30% or +0..1s";
        args.take.refuse(&written, value, &format!("must be {forms}"));
    } else if let Some(share) = value.text_number() {
        let message = format!("`{written}` of {share} is read as that share of the delay, both ways.");
        args.take.note("jitter-read", value.span, message);
    }
    parsed
}

fn share_jitter(share: f64) -> Option<Jitter> {
    match share {
        0.0 => Some(Jitter::None),
        share if share > 0.0 && share <= 1.0 => Some(Jitter::Proportional { below: share, above: share }),
        _ => None,
    }
}

/// What has no key of its own: the parts of a policy that only libraries produce, as JSON under `rest`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Rest {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    plus: Vec<Wait>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    phases: Vec<Phase>,
    #[serde(skip_serializing_if = "Option::is_none")]
    waits: Option<Vec<Law>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    jitter: Option<Jitter>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rounding: Option<Rounding>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    carry: bool,
    #[serde(skip_serializing_if = "is_zero")]
    skip: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    initial_delay_ms: Option<f64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    ends_with_wait: bool,
}

impl Rest {
    /// Out of JSON; `None` where that is no object or a part is not what it should be.
    fn read(value: &serde_json::Value) -> Option<Rest> {
        let part = |name: &str| value.get(name);
        value.as_object()?;
        Some(Rest {
            plus: json::list(value, "plus", json::wait)?.unwrap_or_default(),
            phases: json::list(value, "phases", json::phase)?.unwrap_or_default(),
            waits: json::list(value, "waits", json::law)?,
            jitter: part("jitter").map_or(Some(None), |v| json::jitter(v).map(Some))?,
            rounding: part("rounding").map_or(Some(None), |v| json::rounding(v).map(Some))?,
            carry: json::flag(value, "carry"),
            skip: json::maybe(value, "skip").map_or(0, |n| n as u64),
            initial_delay_ms: json::maybe(value, "initialDelayMs"),
            ends_with_wait: json::flag(value, "endsWithWait"),
        })
    }
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

fn rest<'t>(take: &mut Take<'t>, item: &'t Item) -> Rest {
    let args = take.of(item, "");
    let Some(value) = args.value("rest") else { return Rest::default() };
    let text = value.text().unwrap_or_default();
    let json = serde_json::from_str(text).or_else(|_| serde_json::from_str(&decoded(text))).unwrap_or_default();
    Rest::read(&json).unwrap_or_else(|| {
        args.take.refuse("rest", value, "does not hold what a link writes there");
        Rest::default()
    })
}
