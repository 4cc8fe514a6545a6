//! RxJS: the operator `retry` inside `.pipe(…)`.

mod when;

use super::strategy::{self, Inputs};
use super::{calls, has_any, map, ms};
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Item, Kind, Statement, Value};
use crate::policy::{Backoff, Policy, Wait};

/// RxJS 7.
pub static LIBRARY: Library = Library {
    id: "rxjs",
    title: "RxJS",
    ecosystem: "JavaScript",
    version: "7.8.2",
    source: "npm package rxjs: internal/operators/retry.js",
    counts: "retries, the first subscription not included (count)",
    formula: "delay, or what the delay function's timer says; nothing where there is none",
    words: &["rxjs", "rxjs/operators", "retry", "timer", "resetOnSuccess", "retryWhen", "retryBackoff"],
    settings: &[
        Setting::count("count", "retries", "").at(0),
        super::shaping("delay"),
        Setting::other("resetOnSuccess"),
        ms("initialInterval", "baseMs", "").of(BACKOFF).at(0),
        ms("maxInterval", "capMs", "").of(BACKOFF),
        Setting::count("maxRetries", "retries", "").of(BACKOFF),
        Setting::other("shouldRetry").of(BACKOFF),
        Setting::other("resetOnSuccess").of(BACKOFF),
        super::shaping("backoffDelay").of(BACKOFF),
        ms("dueTime", "delayMs", "0").of(TIMER).at(0),
    ],
    notes: &[
        "retry() and retry({}) subscribe again without end, at once.",
        "A delay function must return an Observable, such as timer(ms); a number throws.",
        "The retry number that the delay function sees starts at 1.",
        "There is no backoff, cap or jitter but what the delay function computes.",
        "With resetOnSuccess the count starts again after every value.",
        "timeout before retry bounds each attempt, after it all of them.",
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
            text: "import { retry, timer } from 'rxjs';\n\nthis.http.get('/api/orders').pipe(\n  retry({ count: 4, delay: (error, retryCount) => timer(Math.min(250 * 2 ** retryCount, 3000)) }),\n);\n",
            waits: &[(0.5, 0.5), (1.0, 1.0), (2.0, 2.0), (3.0, 3.0)],
        },
        Example {
            text: "import { retry } from 'rxjs/operators';\n\nsource$.pipe(retry({ count: 2, delay: 1500 }));\n",
            waits: &[(1.5, 1.5), (1.5, 1.5)],
        },
    ],
};

const TIMER: &str = "timer";
/// The operator of the package backoff-rxjs.
const BACKOFF: &str = "retryBackoff";
const PACKAGES: &[&str] = &["rxjs"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks = Vec::new();
    for (item, imported) in calls(scan, PACKAGES, &["retry"]) {
        let given = item.at(0).and_then(map);
        let shaped = given.is_some_and(|given| has_any(given, &["count", "resetOnSuccess"]) || timed(given));
        let plain = item.args.iter().all(|arg| arg.name.is_none()) && item.args.len() <= 1;
        let text = |value: &Value| matches!(value.kind, Kind::Text { .. });
        let option = item.at(0).is_none_or(|value| given.is_some() || value.number().is_some() || text(value));
        if imported && plain && option {
            blocks.push(Block::new(item, Certainty::Certain));
        } else if shaped && plain {
            blocks.push(Block::new(item, Certainty::Likely));
        }
    }
    for (item, imported) in calls(scan, PACKAGES, &["retryWhen"]) {
        // Reactor has a method of this name, and its strategies are made by `Retry`.
        let reactor = |value: &Value| value.item().is_some_and(|item| item.head.text.starts_with("Retry."));
        if item.at(0).is_some_and(|value| when::is_stream(value) && !reactor(value)) {
            let certainty = if imported { Certainty::Certain } else { Certainty::Likely };
            blocks.push(Block::new(item, certainty).variant("when"));
        }
    }
    let backoff = calls(scan, &["backoff-rxjs"], &[BACKOFF]).into_iter().filter(|(item, _)| !item.args.is_empty());
    blocks.extend(backoff.map(|(item, _)| Block::new(item, Certainty::Certain).variant(BACKOFF)));
    blocks
}

/// Whether the delay is a function whose value is a timer.
fn timed(given: &Item) -> bool {
    let mut found = false;
    if let Some(delay) = given.get("delay").filter(|value| value.fun().is_some()) {
        delay.walk(&mut |item| found |= item.is(TIMER));
    }
    found
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if take.block.variant == "when" {
        return when::policy(take, item);
    }
    let given = item.at(0).and_then(map);
    if take.block.variant == BACKOFF {
        return backoff(&mut take.of(given.unwrap_or(item), BACKOFF));
    }
    let mut args = take.of(given.unwrap_or(item), "");
    args.unknown_names("an option of `retry`", "it is ignored");
    let retries = match args.value("count") {
        Some(value) if value.number().is_some_and(|n| n <= 0.0) => {
            args.take.origin("retries", value.span);
            Some(0)
        }
        _ => args.count("count"),
    };
    let delay = given.and_then(|given| given.get("delay")).filter(|value| !value.is_null());
    if item.args.is_empty() || given.is_some_and(|given| !has_any(given, &["count", "delay"])) {
        let message = "Nothing about waits is written here: it subscribes again without end, at once.";
        args.take.note("defaults", item.head.span, message);
    }
    match delay {
        None => constant(0.0, retries),
        Some(value) => match (value.fun(), value.number()) {
            (Some(fun), _) => timers(take, value, fun, retries),
            (None, Some(_)) => {
                let delay = take.time("delay", "delayMs", value, Some(crate::duration::Unit::Millisecond));
                constant(delay.unwrap_or(0.0), retries)
            }
            (None, None) => {
                if !value.is_undefined() {
                    let what = format!("must be a number of ms or a function, not {}: it throws", value.describe());
                    take.refuse("delay", value, &what);
                } else {
                    take.unknown.push("delayMs");
                    take.note(
                        "unknown-value",
                        value.span,
                        "`delay` is given by a name that this text does not define.",
                    );
                }
                constant(0.0, retries)
            }
        },
    }
}

/// What `retryBackoff` means: the interval doubles, or a function of one's own gives it from the number of the retry,
/// counted from 0, and the first interval.
fn backoff(args: &mut Args) -> Policy {
    args.unknown_names("an option of `retryBackoff`", "it is ignored");
    let retries = args.count("maxRetries");
    let base_ms = args.time("initialInterval").unwrap_or(0.0);
    let cap_ms = args.time("maxInterval").filter(|ms| ms.is_finite());
    let mut policy = match args.value("backoffDelay").and_then(Value::fun) {
        Some(fun) => {
            let inputs = Inputs::positional(move |k| vec![k as f64 - 1.0, base_ms]);
            strategy::policy(args.take, "backoffDelay", fun, inputs, retries)
        }
        None => Policy::new(Wait::new(Backoff::Exponential { base_ms, factor: 2.0 }), retries),
    };
    policy.wait = policy.wait.cap(cap_ms);
    policy
}

fn constant(delay_ms: f64, retries: Option<u64>) -> Policy {
    Policy::new(Wait::new(Backoff::Constant { delay_ms }), retries)
}

/// A delay function: what the timer that it returns says.
fn timers(take: &mut Take, value: &Value, fun: &crate::notation::Fun, retries: Option<u64>) -> Policy {
    take.origin("backoff", value.span);
    let mut plain: Option<Value> = None;
    let unwrapped = strategy::with_returns(fun, &mut |returned| {
        let delay = delay_of(returned);
        if delay.is_none() && !matches!(returned.kind, Kind::Item(_) | Kind::Word(_)) {
            plain = Some(returned.clone());
        }
        delay
    });
    if let Some(returned) = plain {
        let message = "The delay function returns no Observable, so the first retry throws a TypeError.";
        let written = returned.span.of(take.scan.doc.text).to_string();
        take.error("bad-value", returned.span, message).help = format!("Write `timer({written})`.");
        return constant(0.0, retries);
    }
    strategy::policy(take, "delay", &unwrapped, Inputs::positional(|k| vec![0.0, k as f64]).nothing_stops(), retries)
}

/// When an Observable first emits, as a number of ms: `timer(ms)`, `interval(ms)`, `of(x).pipe(delay(ms))`; nothing for one
/// that fails or ends; a choice of `iif` as `?:`.
fn delay_of(returned: &Value) -> Option<Value> {
    let item = match &returned.kind {
        Kind::Word(word) if word.ends_with("EMPTY") => return Some(strategy::nothing(returned.span)),
        kind => match kind {
            Kind::Item(item) => item,
            _ => return None,
        },
    };
    let choice = |condition: &Value| match condition.fun()?.body.as_slice() {
        [Statement::Return(asked)] => Some(asked.clone()),
        _ => None,
    };
    match () {
        () if item.is_any(&[TIMER, "interval"]) => item.at(0).cloned(),
        () if item.is_any(&["throwError", "Observable.throw", "EMPTY", "empty"]) => {
            Some(strategy::nothing(returned.span))
        }
        () if item.is("of") => {
            let delayed = item.call("pipe").into_iter().flatten().filter_map(|arg| arg.value.item());
            let delay = delayed.filter(|operator| operator.is("delay")).find_map(|operator| operator.at(0).cloned());
            let zero = Kind::Number { value: 0.0, suffix: String::new() };
            Some(delay.unwrap_or(Value::new(zero, returned.span)))
        }
        () if item.is("iif") => {
            let side = |at| item.at(at).and_then(delay_of);
            let parts = vec![choice(item.at(0)?)?, side(1)?, side(2)?];
            Some(Value::new(Kind::Op("?:".into(), parts), returned.span))
        }
        () => None,
    }
}
