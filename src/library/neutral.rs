//! The project's own notation: what the form, the link, the examples and the tests speak, and how an object with plain
//! names (`{base, factor, cap, attempts}`) is read when no library claims it.
//!
//! `key=value` words or lines, joined by `&`, or one JSON, YAML, TOML or code object. `attempts` means what the form's
//! Attempts means, waits; the other reading is offered beside it.

mod find;
mod formula;
mod link;
mod names;
mod rest;

pub use link::{decoded, link, notation, pairs};
pub(super) use names::own;

use super::{Args, Example, Library, Take};
use crate::duration::Unit;
use crate::finding::Severity;
use crate::library::Certainty;
use crate::notation::{Kind, Value};
use crate::policy::{After, Backoff, CapOrder, Clock, Deadline, Jitter, Overrun, Policy, Wait};
use rest::Rest;

/// The neutral notation.
pub static LIBRARY: Library = Library {
    id: "neutral",
    title: "Plain numbers",
    ecosystem: "any",
    version: "1",
    source: "this project: the keys of the link",
    counts: "attempts and retries: waits after the first call; calls, tries, max_attempts: calls, the first included",
    formula: "min(cap, base * factor^(k-1))",
    words: names::WORDS,
    settings: names::SETTINGS,
    notes: &["`attempts` is read as the form's Attempts, waits after the first call; many libraries count calls."],
    releases: &[WAITS_MS, CALLS_MS, WAITS_S, CALLS_S],
    error_classes: &[],
    relaxed_names: true,
    retry_after: None,
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

/// The settings of the block, those of a map under `backoff` and the like among them.
fn args<'a, 't>(take: &'a mut Take<'t>) -> Args<'a, 't> {
    let item = take.block.item;
    match find::nested(item) {
        Some((key, nested)) => take.of(item, "").with_nested(key, nested),
        None => take.of(item, ""),
    }
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    // Nobody writes milliseconds with a point: `0.5`, `2.0`.
    let text = take.scan.doc.text;
    let given = args(take);
    let pointed = |name: &str| {
        given.written(name).is_some_and(|(written, value)| {
            let number = value.number().filter(|_| find::unit_of(&written).is_none());
            number.is_some_and(|n| n.fract() != 0.0 || value.span.of(text).contains('.'))
        })
    };
    if ["base", "cap", "increment"].into_iter().any(pointed) {
        take.assume_release(WAITS_S);
    }
    let seconds = matches!(take.release, WAITS_S | CALLS_S);
    let bare = if seconds { Unit::Second } else { Unit::Millisecond };
    if take.block.variant == "formula" {
        return formula::read(take, bare);
    }
    note_bare_numbers(take, bare);
    let rest = rest::rest(take, item);
    let wait = wait(&mut args(take).bare(bare), &rest);
    let mut policy = Policy::new(wait, None);
    policy.retries = retries(take).or(policy.wait.backoff.stops_after());
    let mut args = args(take).bare(bare);
    policy.first_wait_ms = time(&mut args, "firstWait");
    policy.attempt_timeout_ms = time(&mut args, "callTimeout");
    if let Some(limit_ms) = time(&mut args, "deadline") {
        let overrun = word(&mut args, "overrun", OVERRUNS).unwrap_or(Overrun::Refuse);
        let clock = word(&mut args, "clock", CLOCKS).unwrap_or_default();
        policy.deadline = Some(Deadline { limit_ms, overrun, clock });
    }
    let said = args.take.findings.len();
    args.unknown_names("a key of this notation", "it is not read");
    // What is only taken for this notation may well have keys of its own.
    if args.take.block.certainty == Certainty::Possible {
        args.take.findings[said..].iter_mut().for_each(|finding| finding.severity = Severity::Note);
    }
    if args.take.block.variant == "parts" {
        missing(&mut args);
    }
    policy.plus = rest.plus;
    policy.phases = rest.phases;
    policy.initial_delay_ms = rest.initial_delay_ms;
    policy.ends_with_wait = rest.ends_with_wait;
    policy
}

/// Says what a text leaves out that speaks of retries and nothing else.
fn missing(args: &mut Args) {
    let span = args.span;
    if !["base", "delays", "increment"].iter().any(|name| args.has(name)) {
        args.take.unknown.push("baseMs");
        let message =
            "No delay is written: how long it waits cannot be known from this text, and no wait stands in for it.";
        args.take.note("missing-delay", span, message).help = "Write the first delay, say `delay: 1s`.".into();
    }
    if !["retries", "calls", "attempts", "deadline"].iter().any(|name| args.has(name)) {
        args.take.unknown.push("retries");
        let message = "No count is written: how often it retries cannot be known from this text.";
        args.take.note("missing-count", span, message).help = "Write the count, say `retries: 5`.".into();
    }
}

/// A time, in the unit that its name says if it says one.
fn time(args: &mut Args, name: &str) -> Option<f64> {
    match args.written(name).and_then(|(written, _)| find::unit_of(&written)) {
        Some(unit) => args.time_in(name, unit),
        None => args.time(name),
    }
}

/// The curve with its cap, jitter and floor.
fn wait(args: &mut Args, rest: &Rest) -> Wait {
    let base_ms = time(args, "base");
    let cap_ms = time(args, "cap");
    let mut wait = Wait::new(curve(args, base_ms, cap_ms, rest));
    wait.cap_ms = cap_ms;
    wait.floor_ms = args.time("floor");
    wait.cap_order = word(args, "capOrder", ORDERS).unwrap_or_default();
    wait.jitter = rest.jitter.or_else(|| jitter(args)).unwrap_or_default();
    (wait.rounding, wait.carry, wait.skip) = (rest.rounding, rest.carry, rest.skip);
    wait
}

fn curve(args: &mut Args, base_ms: Option<f64>, cap_ms: Option<f64>, rest: &Rest) -> Backoff {
    let after = word(args, "after", AFTERS).unwrap_or(After::RepeatLast);
    if let Some(waits) = &rest.waits {
        return Backoff::Table { waits: waits.clone(), after };
    }
    if let Some(delays_ms) = delays(args) {
        return Backoff::List { delays_ms, after };
    }
    let (mut base_ms, mut own_factor) = (base_ms, None);
    let measured = args.written("backoff").filter(|(_, v)| v.number().is_some() || v.duration_ms(None).is_ok());
    let kind = match measured {
        Some((written, value)) => {
            let number = value.number().filter(|_| base_ms.is_some());
            let what = if number.is_some() { "the factor" } else { "the delay" };
            args.take.note("backoff-read", value.span, format!("`{written}` is a number: it is read as {what}."));
            match number {
                Some(factor) => {
                    args.take.origin("factor", value.span);
                    own_factor = Some(factor.max(0.0));
                }
                None => base_ms = args.take.time(&written, "baseMs", value, args.unit()),
            }
            None
        }
        None => word(args, "backoff", KINDS),
    };
    let ranged = args.value("jitter").and_then(Value::text) == Some("decorrelated");
    let capped = !ranged && cap_ms.zip(base_ms).is_some_and(|(cap, base)| cap > base && base > 0.0);
    let kind =
        kind.unwrap_or_else(|| match (args.has("factor") || own_factor.is_some(), args.has("increment"), base_ms) {
            (true, ..) => "exponential",
            (_, true, _) => "linear",
            _ if capped => {
                let span = args.value("cap").map_or(args.span, |v| v.span);
                let message = "A cap above the delay and no factor: the delay is taken to double each time.";
                args.take.note("growth-read", span, message).help = "Write the factor, or `backoff: constant`.".into();
                "exponential"
            }
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
        _ => {
            let factor = own_factor.or_else(|| not_negative(args, "factor")).unwrap_or(2.0);
            Backoff::Exponential { base_ms, factor }
        }
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
fn retries(take: &mut Take) -> Option<u64> {
    let attempts_are_calls = matches!(take.release, CALLS_MS | CALLS_S);
    for (name, calls) in [("retries", false), ("calls", true), ("attempts", attempts_are_calls)] {
        let args = args(take);
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
fn note_bare_numbers(take: &mut Take, bare: Unit) {
    let args = args(take);
    let times = ["base", "increment", "floor", "cap", "firstWait", "callTimeout", "deadline"];
    let bare_number = |(name, value): (String, &Value)| {
        let told = find::unit_of(&name).is_some();
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
    // A member of somebody's own list of kinds: `RetryType.ExponentialBackoff`.
    let last = said.rsplit(['.', ':']).next().unwrap_or_default();
    let said = if matches!(value.kind, Kind::Word(_)) { last.strip_suffix("backoff").unwrap_or(last) } else { &said };
    let found = words.iter().find(|(word, _)| *word == said).map(|(_, meaning)| *meaning);
    if found.is_none() && !value.is_undefined() && !value.is_placeholder() {
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
