//! Hangfire: AutomaticRetry on jobs.

use crate::library::computed::{self, Inputs};
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Value};
use crate::policy::{After, Backoff, Law, Policy, Wait};

/// Hangfire as of July 2026.
pub static LIBRARY: Library = Library {
    id: "hangfire",
    title: "Hangfire",
    ecosystem: ".NET",
    version: "c236dd0f (2026-07)",
    source: "src/Hangfire.Core/AutomaticRetryAttribute.cs",
    counts: "retries (Attempts); 10 unless written",
    formula: "(k-1)^4 + 15 + k * R s, R a whole number from 0 to 29",
    words: &[
        "AutomaticRetry",
        "AutomaticRetryAttribute",
        "BackgroundJob",
        "DelaysInSeconds",
        "Hangfire",
        "GlobalJobFilters",
    ],
    settings: &[
        Setting::count("Attempts", "retries", "10"),
        Setting::other("DelaysInSeconds"),
        Setting::other("OnAttemptsExceeded"),
        Setting::other("LogEvents"),
        Setting::other("DelayInSecondsByAttemptFunc"),
        Setting::other("OnlyOn"),
        Setting::other("ExceptOn"),
        Setting::other("Order"),
    ],
    notes: &[
        "Attempts counts retries.",
        "A job without the attribute is retried ten times as well.",
        "The scheduler polls every 15 s, which lengthens a wait.",
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
            text: "[AutomaticRetry(Attempts = 2)]\npublic void Export(int id) { }\n",
            waits: &[(15.0, 44.0), (16.0, 74.0)],
        },
        Example {
            text: "[AutomaticRetry(Attempts = 3, DelaysInSeconds = new[] { 10, 60 })]\npublic Task Notify() => Send();\n",
            waits: &[(10.0, 10.0), (60.0, 60.0), (60.0, 60.0)],
        },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let retries = scan.heads(&["AutomaticRetry", "AutomaticRetryAttribute"]);
    let mut blocks: Vec<_> = retries.map(|item| Block::new(item, Certainty::Certain)).collect();
    if blocks.is_empty() {
        let jobs = ["BackgroundJob.Enqueue", "BackgroundJob.Schedule", "RecurringJob.AddOrUpdate"];
        let jobs = scan.heads(&jobs).filter(|i| i.form == Form::Call).map(|i| Block::new(i, Certainty::Certain));
        blocks.extend(jobs.map(|b| b.variant("job")));
    }
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if take.block.variant == "job" || item.args.is_empty() {
        take.note(
            "defaults",
            item.head.span,
            "Nothing is written: ten retries, growing with the fourth power, is the default.",
        );
    }
    if take.block.variant == "job" {
        take.default("retries", "10");
        return Policy::new(rows(10), 10);
    }
    let mut args = take.main();
    let retries = args.count("Attempts").unwrap_or(10);
    let delays = args.value("DelaysInSeconds");
    args.unknown_names("a property of AutomaticRetry", "it does not compile");
    if let Some(fun) = args.value("DelayInSecondsByAttemptFunc").and_then(Value::fun).filter(|_| delays.is_none()) {
        let inputs = Inputs::positional(|k| vec![k as f64]).unit_ms(1_000.0);
        return computed::policy(args.take, "DelayInSecondsByAttemptFunc", fun, inputs, Some(retries));
    }
    if let Some(value) = delays.filter(|value| value.entries().is_none() && !value.is_null()) {
        args.take.unknown_value("DelaysInSeconds", "delaysMs", value);
    }
    let wait = match delays.and_then(Value::entries) {
        Some(values) if !values.is_empty() => {
            let delays_ms = values.iter().map(|v| seconds(take, v)).collect();
            Wait::new(Backoff::List { delays_ms, after: After::RepeatLast })
        }
        _ => rows(retries),
    };
    Policy::new(wait, retries)
}

fn seconds(take: &mut Take, value: &Value) -> f64 {
    let Some(seconds) = take.number("DelaysInSeconds", "delaysMs", value) else { return 0.0 };
    if seconds < 0.0 {
        take.refuse("DelaysInSeconds", value, "must not be negative");
    }
    seconds.max(0.0) * 1_000.0
}

fn rows(retries: u64) -> Wait {
    Wait::each(retries.min(2_000), &|k| {
        let k = k as f64;
        let start = ((k - 1.0).powi(4) + 15.0) * 1_000.0;
        Law::steps(start, start + 29_000.0 * k, 1_000.0 * k)
    })
}
