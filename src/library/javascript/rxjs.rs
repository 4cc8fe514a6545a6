//! RxJS: the operator `retry` inside `.pipe(…)`.

use super::strategy::{self, Inputs};
use super::{calls, has_any, map, ms};
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Item, Kind, Value};
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
    words: &["rxjs", "rxjs/operators", "retry", "timer", "resetOnSuccess"],
    settings: &[
        Setting::count("count", "retries", "").at(0),
        super::shaping("delay"),
        Setting::other("resetOnSuccess"),
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
const PACKAGES: &[&str] = &["rxjs"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks = Vec::new();
    for (item, imported) in calls(scan, PACKAGES, &["retry"]) {
        let given = item.at(0).and_then(map);
        let shaped = given.is_some_and(|given| has_any(given, &["count", "resetOnSuccess"]) || timed(given));
        let plain = item.args.iter().all(|arg| arg.name.is_none()) && item.args.len() <= 1;
        let option = item.at(0).is_none_or(|value| given.is_some() || value.number().is_some());
        if imported && plain && option {
            blocks.push(Block::new(item, Certainty::Certain));
        } else if shaped && plain {
            blocks.push(Block::new(item, Certainty::Likely));
        }
    }
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
    let given = item.at(0).and_then(map);
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

fn constant(delay_ms: f64, retries: Option<u64>) -> Policy {
    Policy::new(Wait::new(Backoff::Constant { delay_ms }), retries)
}

/// A delay function: what the timer that it returns says.
fn timers(take: &mut Take, value: &Value, fun: &crate::notation::Fun, retries: Option<u64>) -> Policy {
    take.origin("backoff", value.span);
    let mut plain: Option<Value> = None;
    let unwrapped = strategy::with_returns(fun, &mut |returned| match &returned.kind {
        Kind::Item(item) if item.is(TIMER) => item.at(0).cloned(),
        Kind::Item(item) if item.is("throwError") => Some(strategy::nothing(returned.span)),
        Kind::Word(word) if word.ends_with("EMPTY") => Some(strategy::nothing(returned.span)),
        Kind::Item(_) | Kind::Word(_) => None,
        _ => {
            plain = Some(returned.clone());
            None
        }
    });
    if let Some(returned) = plain {
        let message = "The delay function returns no Observable, so the first retry throws a TypeError.";
        let written = returned.span.of(take.scan.doc.text).to_string();
        take.error("bad-value", returned.span, message).help = format!("Write `timer({written})`.");
        return constant(0.0, retries);
    }
    strategy::policy(take, "delay", &unwrapped, Inputs::positional(|k| vec![0.0, k as f64]).nothing_stops(), retries)
}
