//! retrying: one call with every setting as a keyword, all times in milliseconds.

use super::{TYPE_ERROR, is_bare, is_from, not_followed, nothing, retries_until};
use crate::duration::Unit;
use crate::library::computed::{self, Inputs};
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::Form;
use crate::policy::{Backoff, Clock, Deadline, Jitter, Law, Overrun, Policy, Rounded, RoundingMode, Wait};

/// retrying 1.4.
pub static LIBRARY: Library = Library {
    id: "retrying",
    title: "retrying",
    ecosystem: "Python",
    version: "1.4.2",
    source: "retrying.py",
    counts: "calls, the first included (stop_max_attempt_number)",
    formula: "min(wait_exponential_multiplier * 2^k, wait_exponential_max); the longest where several kinds are given; plus U(0, wait_jitter_max)",
    words: &[
        "retrying",
        "stop_max_attempt_number",
        "stop_max_delay",
        "wait_exponential_multiplier",
        "wait_exponential_max",
        "wait_incrementing_start",
        "wait_random_min",
        "wait_random_max",
        "wait_fixed",
        "Retrying",
        "retry",
    ],
    settings: &[
        Setting::other("stop").at(0),
        Setting::other("wait").at(1),
        Setting::number("stop_max_attempt_number", "retries", "").at(2),
        Setting::time("stop_max_delay", "deadline", Unit::Millisecond, "").at(3).plain(),
        Setting::time("wait_fixed", "baseMs", Unit::Millisecond, "1000").at(4).plain(),
        Setting::time("wait_random_min", "baseMs", Unit::Millisecond, "0").at(5).plain(),
        Setting::time("wait_random_max", "jitter", Unit::Millisecond, "1000").at(6).plain(),
        Setting::time("wait_incrementing_start", "baseMs", Unit::Millisecond, "0").at(7).plain(),
        Setting::number("wait_incrementing_increment", "incrementMs", "100").at(8),
        Setting::time("wait_incrementing_max", "capMs", Unit::Millisecond, "1073741823").at(9).plain(),
        Setting::time("wait_exponential_multiplier", "baseMs", Unit::Millisecond, "1").at(10).plain(),
        Setting::time("wait_exponential_max", "capMs", Unit::Millisecond, "1073741823").at(11).plain(),
        Setting::other("retry_on_exception").at(12),
        Setting::other("retry_on_result").at(13),
        Setting::other("wrap_exception").at(14),
        Setting::other("stop_func").at(15),
        Setting::other("wait_func").at(16),
        Setting::time("wait_jitter_max", "jitter", Unit::Millisecond, "0").at(17).plain(),
        Setting::other("before_attempts").at(18),
        Setting::other("after_attempts").at(19),
        Setting::other("logger").at(20),
    ],
    notes: &[
        "Every time is in milliseconds.",
        "The exponent starts at 1: the first exponential wait is twice the multiplier.",
        "Where several kinds of wait are given the longest of them is slept.",
        "Without a stop it never stops, and without a wait it does not wait.",
        "stop_max_delay is looked at after a failed call, so the last wait and call can pass it.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "from retrying import retry\n\n@retry(\n    «*»,\n    stop_max_attempt_number=«calls|None»,\n    stop_max_delay=«allow:#|None»,\n)\ndef call(): ...\n",
        "wait_fixed=«delay:#»,\n    wait_jitter_max=«most:#|0»",
        "wait_exponential_multiplier=«base/2»,\n    wait_exponential_max=«cap:#|1073741823»«factor:-»,\n    wait_jitter_max=«most:#|0»",
        "wait_fixed=«floor:#»,\n    wait_exponential_multiplier=«base/2»,\n    wait_exponential_max=«cap:#|1073741823»«factor:-»,\n    wait_jitter_max=«most:#|0»",
        "wait_incrementing_start=«base:#»,\n    wait_incrementing_increment=«increment:#»,\n    wait_incrementing_max=«cap:#|1073741823»,\n    wait_jitter_max=«most:#|0»",
        "wait_random_min=«delay+least:#»,\n    wait_random_max=«delay+most:#»",
        "wait_random_min=«delay-delay*below:#»,\n    wait_random_max=«delay+delay*above:#»",
    ],
    examples: &[
        Example {
            text: "from retrying import retry\n\n@retry(\n    wait_exponential_multiplier=200,\n    wait_exponential_max=2500,\n    stop_max_attempt_number=6,\n)\ndef read_sensor():\n    return sensor.read()\n",
            waits: &[(0.4, 0.4), (0.8, 0.8), (1.6, 1.6), (2.5, 2.5), (2.5, 2.5)],
        },
        Example {
            text: "@retry(wait_random_min=500, wait_random_max=1500, stop_max_attempt_number=3)\ndef connect():\n    return socket.create_connection(ADDRESS)\n",
            waits: &[(0.5, 1.5), (0.5, 1.5)],
        },
        Example {
            text: "from retrying import Retrying\n\nretrier = Retrying(wait_fixed=1500, wait_jitter_max=500, stop_max_attempt_number=4)\nretrier.call(sync)\n",
            waits: &[(1.5, 2.0), (1.5, 2.0), (1.5, 2.0)],
        },
    ],
};

const HEADS: &[&str] = &["retry", "Retrying"];

/// The exponential and the incrementing wait are no longer than this unless something else is written.
const MAX_MS: f64 = 1_073_741_823.0;

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let star = scan.imports(&["retrying"]);
    let defined = scan.items.iter().any(|item| item.form == Form::Function && is_bare(item, HEADS));
    let mut blocks = Vec::new();
    for item in scan.heads(HEADS).filter(|i| matches!(i.form, Form::Annotation | Form::Call)) {
        let own = LIBRARY.settings.iter().any(|s| s.name.contains("_max") && item.get(s.name).is_some())
            || ["wait_fixed", "wait_random_min", "wait_exponential_multiplier", "wait_incrementing_start"]
                .iter()
                .any(|name| item.get(name).is_some());
        let certainty = match () {
            () if is_from(item, "retrying", HEADS) || (is_bare(item, HEADS) && (star || own)) => Certainty::Certain,
            () if is_bare(item, HEADS) && item.args.is_empty() && !defined && item.form == Form::Annotation => {
                Certainty::Possible
            }
            () if is_bare(item, &["Retrying"]) && item.args.is_empty() => Certainty::Possible,
            () => continue,
        };
        blocks.push(Block::new(item, certainty));
    }
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let mut args = take.main();
    args.unknown_names("an argument of `retry`", TYPE_ERROR);
    let (retries, limit) = stops(&mut args);
    let kinds = kinds(&mut args, retries);
    let jitter_ms = args.time("wait_jitter_max").unwrap_or(0.0);
    if item.args.is_empty() {
        let message = "Nothing is written: it calls again at once, and for ever.";
        args.take.note("defaults", item.head.span, message).help = "Give `stop_max_attempt_number` and a wait.".into();
    } else if kinds.is_empty() {
        args.take.default("baseMs", "no wait");
    }
    let mut policy = Policy::new(longest(kinds, retries), retries);
    if jitter_ms > 0.0 {
        let jitter = Jitter::Additive { min_ms: 0.0, max_ms: jitter_ms };
        match policy.wait {
            // The jitter comes after everything else; a floor and a draw of whole units would come after it.
            Wait { jitter: Jitter::None, floor_ms: None, backoff: Backoff::Table { .. }, .. } => {
                policy.plus.push(nothing().jitter(jitter));
            }
            Wait { jitter: Jitter::None, floor_ms: None, .. } => policy.wait.jitter = jitter,
            _ => policy.plus.push(nothing().jitter(jitter)),
        }
    }
    policy.deadline = limit.map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Allow, clock: Clock::Elapsed });
    policy
}

/// What ends it: the count and the time, either one.
fn stops(args: &mut Args) -> (Option<u64>, Option<f64>) {
    if let Some(value) = args.value("stop_func").filter(|v| !v.is_null()) {
        let message =
            "`stop_func` is a function of one's own, and nothing else stops: how many calls there are is not known.";
        not_followed(args.take, "retries", value.span, message);
        return (None, None);
    }
    let count = retries_until(args, "stop_max_attempt_number");
    let limit = args.time("stop_max_delay");
    let Some(value) = args.value("stop").filter(|v| !v.is_null()) else { return (count, limit) };
    match value.text() {
        Some("stop_after_attempt") => (Some(count.unwrap_or(4)), None),
        Some("stop_after_delay") => (None, Some(limit.unwrap_or(100.0))),
        _ => {
            args.take.refuse(
                "stop",
                value,
                "must be \"stop_after_attempt\" or \"stop_after_delay\"; Python raises AttributeError",
            );
            (count, limit)
        }
    }
}

/// The rules of the kinds of wait that are given.
fn kinds(args: &mut Args, retries: Option<u64>) -> Vec<Wait> {
    if let Some(fun) = args.value("wait_func").and_then(|v| v.fun()) {
        let waits = computed::policy(args.take, "wait_func", fun, Inputs::positional(|k| vec![k as f64]), retries);
        return vec![waits.wait];
    }
    if let Some(value) = args.value("wait_func").filter(|v| !v.is_null()) {
        let message =
            "`wait_func` is a function of one's own, and no other wait counts beside it: its waits are not known.";
        not_followed(args.take, "baseMs", value.span, message);
        return Vec::new();
    }
    let chosen = args.value("wait").filter(|v| !v.is_null());
    let named = chosen.and_then(|v| v.text());
    let given = |args: &Args, names: &[&str]| names.iter().any(|n| args.value(n).is_some_and(|v| !v.is_null()));
    let mut kinds = Vec::new();
    match (chosen, named) {
        (Some(_), Some("no_sleep")) => {}
        (Some(_), Some("fixed_sleep")) => kinds.push(fixed(args)),
        (Some(_), Some("random_sleep")) => kinds.push(random(args)),
        (Some(_), Some("incrementing_sleep")) => kinds.push(incrementing(args)),
        (Some(_), Some("exponential_sleep")) => kinds.push(exponential(args)),
        (Some(value), _) => {
            args.take.refuse(
                "wait",
                value,
                "must name one of retrying's own waits, such as \"fixed_sleep\"; Python raises AttributeError",
            );
        }
        (None, _) => {
            if given(args, &["wait_fixed"]) {
                kinds.push(fixed(args));
            }
            if given(args, &["wait_random_min", "wait_random_max"]) {
                kinds.push(random(args));
            }
            if given(args, &["wait_incrementing_start", "wait_incrementing_increment"]) {
                kinds.push(incrementing(args));
            }
            if given(args, &["wait_exponential_multiplier", "wait_exponential_max"]) {
                kinds.push(exponential(args));
            }
        }
    }
    kinds
}

fn fixed(args: &mut Args) -> Wait {
    Wait::new(Backoff::Constant { delay_ms: args.time("wait_fixed").unwrap_or(1_000.0) })
}

/// A whole number of milliseconds, both ends included.
fn random(args: &mut Args) -> Wait {
    let (least, most) = (args.time("wait_random_min").unwrap_or(0.0), args.time("wait_random_max").unwrap_or(1_000.0));
    for name in ["wait_random_min", "wait_random_max"] {
        if let Some((written, value)) = args.written(name)
            && value.number().is_some_and(|n| n.fract() != 0.0)
        {
            args.take.refuse(&written, value, "must be a whole number of ms: randint raises an error");
        }
    }
    if least > most {
        let written = args.written("wait_random_min").or_else(|| args.written("wait_random_max"));
        let span = written.map_or(args.head(), |(_, value)| value.span);
        let message = format!(
            "`wait_random_min` ({least} ms) is above `wait_random_max` ({most} ms): randint raises ValueError."
        );
        args.take.error("bad-value", span, message);
    }
    let jitter = Jitter::Additive { min_ms: 0.0, max_ms: (most - least).max(0.0) };
    Wait::new(Backoff::Constant { delay_ms: least }).jitter(jitter).rounding(RoundingMode::Draw, 1.0, Rounded::Wait)
}

fn incrementing(args: &mut Args) -> Wait {
    let base_ms = args.time("wait_incrementing_start").unwrap_or(0.0);
    let increment_ms = args.number("wait_incrementing_increment").unwrap_or(100.0);
    Wait::new(Backoff::Linear { base_ms, increment_ms }).cap(args.time("wait_incrementing_max"))
}

fn exponential(args: &mut Args) -> Wait {
    let base_ms = 2.0 * args.time("wait_exponential_multiplier").unwrap_or(1.0);
    Wait::new(Backoff::Exponential { base_ms, factor: 2.0 }).cap(args.time("wait_exponential_max"))
}

/// The longest of several waits: a constant one is a floor of another; more than that wait by wait.
fn longest(mut kinds: Vec<Wait>, retries: Option<u64>) -> Wait {
    let constant = kinds.iter().position(|w| w.is_fixed() && matches!(w.backoff, Backoff::Constant { .. }));
    match (kinds.len(), constant) {
        (0, _) => nothing(),
        (1, _) => kinds.remove(0),
        (2, Some(at)) => {
            let floor_ms = kinds.remove(at).backoff.delay_ms(1);
            kinds.remove(0).floor(floor_ms)
        }
        _ => Wait::table(one_by_one(&kinds, retries)),
    }
}

/// The law of the longest wait before each retry, up to where it no longer changes.
fn one_by_one(kinds: &[Wait], retries: Option<u64>) -> Vec<Law> {
    const MOST: u64 = 1_000;
    let mut laws: Vec<Law> = Vec::new();
    for k in 1..=retries.unwrap_or(MOST).clamp(1, MOST) {
        let fixed = kinds.iter().filter(|w| w.is_fixed()).map(|w| w.law(k, None).max_ms()).fold(0.0, f64::max);
        let drawn = kinds.iter().find(|w| !w.is_fixed());
        laws.push(drawn.map_or(Law::fixed(fixed), |w| w.law(k, None).floored(fixed)));
        if fixed >= MAX_MS {
            break;
        }
    }
    laws
}
