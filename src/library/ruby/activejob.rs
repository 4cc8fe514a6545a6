//! Active Job: `retry_on`, one line for each class of errors.

use crate::duration::Unit;
use crate::library::computed::{self, Inputs};
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Value};
use crate::policy::{Backoff, Jitter, Law, Policy, Wait};

const WITHOUT: &str = "without load_defaults (jitter 0)";

/// Rails 8.2.
pub static LIBRARY: Library = Library {
    id: "activejob",
    title: "Active Job",
    ecosystem: "Ruby",
    version: "8.2.0.alpha (2a2db1e8d6d, 2026-08)",
    source: "activejob/lib/active_job/exceptions.rb; railties application/configuration.rb",
    counts: "calls, the first included (attempts); 5 unless written",
    formula: "wait + U[0, jitter] * wait; :polynomially_longer e^4 * (1 + U[0, jitter]) + 2 s, e from 1",
    words: &[
        "ApplicationJob",
        "ActiveJob",
        "retry_on",
        ":polynomially_longer",
        ":exponentially_longer",
        "polynomially_longer",
        "exponentially_longer",
    ],
    settings: &[
        Setting::time("wait", "baseMs", Unit::Second, "3").typed(),
        Setting::other("attempts"),
        Setting::number("jitter", "jitter", "0.15"),
        Setting::other("queue"),
        Setting::other("priority"),
        Setting::other("report"),
    ],
    notes: &[
        "attempts counts calls.",
        "The jitter of 0.15 comes from load_defaults 6.1 or newer; an application without it has none.",
        ":exponentially_longer was the old name of :polynomially_longer and is refused now.",
    ],
    releases: &["load_defaults 6.1 or newer", WITHOUT],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "class SyncJob < ApplicationJob\n  retry_on Net::OpenTimeout, wait: 10.seconds, attempts: 3, jitter: 0.5\nend\n",
            waits: &[(10.0, 15.0), (10.0, 15.0)],
        },
        Example {
            text: "retry_on Stripe::RateLimitError, wait: :polynomially_longer, attempts: 3, jitter: 0\n",
            waits: &[(3.0, 3.0), (18.0, 18.0)],
        },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let lines = scan.heads(&["retry_on"]);
    // Python's decorators may have that name too.
    lines
        .filter(|item| !matches!(item.form, Form::Annotation | Form::Function))
        .map(|item| {
            let error = item.at(0).and_then(Value::text).unwrap_or("…");
            Block::new(item, Certainty::Certain).label(format!("retry_on {error}"))
        })
        .collect()
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if older(take.scan) {
        take.assume_release(WITHOUT);
    }
    let old = take.release == WITHOUT;
    let of_all = take.scan.items.iter().find_map(|i| JITTERS.iter().find_map(|key| i.get(key)));
    let mut args = take.main();
    let retries = attempts(&mut args);
    let share = match (of_all.filter(|_| !args.has("jitter")), old && !args.has("jitter")) {
        (Some(value), _) => args.take.number("retry_jitter", "jitter", value).unwrap_or(0.15),
        (None, true) => 0.0,
        _ => args.number("jitter").unwrap_or(0.15),
    };
    args.unknown_names("an option of retry_on", "Ruby raises ArgumentError");
    let wait = match args.value("wait") {
        Some(value) if symbol(value).is_some() => named(args.take, value, share, retries),
        Some(value) if value.fun().is_some() => return proc(take, item, retries),
        _ => {
            let delay_ms = args.time("wait").unwrap_or(3_000.0);
            let both = Jitter::Proportional { below: (-share).max(0.0), above: share.max(0.0) };
            let jitter = if share == 0.0 { Jitter::None } else { both };
            Wait::new(Backoff::Constant { delay_ms }).jitter(jitter)
        }
    };
    Policy::new(wait, retries)
}

/// Where an application says it of all jobs.
const JITTERS: &[&str] = &["retry_jitter", "active_job.retry_jitter", "application.config.active_job.retry_jitter"];

/// Whether the application takes the defaults of a Rails before 6.1: it says so, or a comment does.
fn older(scan: &Scan) -> bool {
    let before = |number: f64| number < 6.1;
    let loaded = scan.heads(&["load_defaults"]).find_map(|item| item.at(0)?.text_number());
    let comment = || {
        let after = scan.comments().find_map(|comment| comment.split("load_defaults").nth(1))?;
        Some(crate::duration::leading_number(after.trim_start())?.0)
    };
    loaded.or_else(comment).is_some_and(before)
}

fn symbol(value: &Value) -> Option<&str> {
    value.text().filter(|t| t.starts_with(':') || t.ends_with("_longer"))
}

fn attempts(args: &mut Args) -> Option<u64> {
    let Some(value) = args.value("attempts") else {
        args.take.default("retries", "5 calls");
        return Some(4);
    };
    if value.text().is_some_and(|t| t.trim_start_matches(':') == "unlimited") {
        args.take.origin("retries", value.span);
        return None;
    }
    let calls = args.take.number("attempts", "retries", value).unwrap_or(5.0);
    if calls < 1.0 {
        args.take.refuse("attempts", value, "must be at least 1");
    }
    calls.is_finite().then_some((calls.max(1.0) - 1.0) as u64)
}

/// `:polynomially_longer`, and its old name.
fn named(take: &mut Take, value: &Value, share: f64, retries: Option<u64>) -> Wait {
    take.origin("backoff", value.span);
    match symbol(value).unwrap_or_default().trim_start_matches(':') {
        "polynomially_longer" => {}
        "exponentially_longer" => {
            let message = "`wait: :exponentially_longer` is refused by current Rails.";
            take.error("renamed", value.span, message).help =
                "Write `wait: :polynomially_longer`; the waits are the same.".into();
        }
        other => {
            take.refuse("wait", value, &format!("is `:{other}`; the only name it takes is :polynomially_longer"));
        }
    }
    Wait::each(retries.unwrap_or(1_000).min(2_000), &|k| {
        let power_ms = (k as f64).powi(4) * 1_000.0;
        let (low, high) = (power_ms * (1.0 + share.min(0.0)), power_ms * (1.0 + share.max(0.0)));
        Law::uniform((low + 2_000.0).max(0.0), high + 2_000.0)
    })
}

/// A proc is given the executions so far and gets no jitter.
fn proc<'t>(take: &mut Take<'t>, item: &'t Item, retries: Option<u64>) -> Policy {
    let Some(fun) = item.get("wait").and_then(Value::fun) else { return Policy::single_call() };
    computed::policy(take, "wait", fun, Inputs::positional(|k| vec![k as f64]).unit_ms(1_000.0), retries)
}
