//! MassTransit: UseMessageRetry and its policies.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Arg, Item, Step, Value};
use crate::policy::{After, Backoff, Law, Policy, Shape, Wait};

/// MassTransit as of February 2026.
pub static LIBRARY: Library = Library {
    id: "masstransit",
    title: "MassTransit",
    ecosystem: ".NET",
    version: "c1e5caa9a (2026-02)",
    source: "RetryPolicies/*.cs, Configuration/RetryConfigurationExtensions.cs",
    counts: "retries (the limit)",
    formula: "Exponential: min(min + 2^(k-1) * R, max) * U[0.75, 1.25], R within 20 % of the delta",
    words: &[
        "UseMessageRetry",
        "MassTransit",
        "UseRetry",
        "UseDelayedRedelivery",
        "UseScheduledRedelivery",
        "r.Interval",
        "r.Intervals",
        "r.Incremental",
        "r.Exponential",
        "r.Immediate",
    ],
    settings: &[
        Setting::count("retryLimit|retryCount|limit", "retries", "").at(0),
        Setting::time("interval|initialInterval|minInterval", "baseMs", Unit::Millisecond, "").at(1),
        Setting::time("intervalIncrement", "incrementMs", Unit::Millisecond, "").at(2),
        Setting::time("maxInterval", "capMs", Unit::Millisecond, "").at(2),
        Setting::time("intervalDelta", "increment", Unit::Millisecond, "").at(3),
    ],
    notes: &[
        "The limit counts retries.",
        "The last jitter comes after the cap: a wait of Exponential reaches 1.25 times the maximum.",
        "Bare numbers are milliseconds.",
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
            text: "cfg.UseMessageRetry(r => r.Incremental(3, TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(5)));\n",
            waits: &[(2.0, 2.0), (7.0, 7.0), (12.0, 12.0)],
        },
        Example { text: "e.UseMessageRetry(r => r.Interval(2, 300));\n", waits: &[(0.3, 0.3), (0.3, 0.3)] },
    ],
};

const KINDS: &[&str] = &["Immediate", "Interval", "Intervals", "Incremental", "Exponential", "None"];
const USES: &[&str] =
    &["UseMessageRetry", "MassTransit", "UseRetry(", "UseDelayedRedelivery(", "UseScheduledRedelivery("];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let named = USES.iter().any(|word| scan.says(word));
    let kind = |item: &Item| {
        item.steps.iter().any(|s| matches!(s, Step::Call { name, .. } if KINDS.contains(&name.text.as_str())))
    };
    let inside = |item: &Item| item.target.as_ref().is_some_and(|t| t.text == "r") || item.head.text.is_empty();
    let bare = |item: &Item| KINDS.iter().any(|k| item.head.text == format!("r.{k}"));
    let found = scan.items.iter().copied().filter(|i| (named && inside(i) && kind(i)) || bare(i));
    scan.outermost(found)
        .into_iter()
        .map(|item| Block::new(item, if named { Certainty::Certain } else { Certainty::Likely }))
        .collect()
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let step = item.steps.iter().find_map(|step| match step {
        Step::Call { name, args, span } => Some((*KINDS.iter().find(|k| **k == name.text)?, args.as_slice(), *span)),
        Step::Set { .. } => None,
    });
    let (kind, written, span) = step.unwrap_or_else(|| {
        let kind = KINDS.iter().find(|k| item.head.text.ends_with(**k)).copied().unwrap_or("Immediate");
        (kind, item.args.as_slice(), item.span)
    });
    if kind == "Intervals" {
        return intervals(take, written);
    }
    let mut args = take.of_call(written, span, "");
    let retries = args.count("retryLimit").unwrap_or(0);
    let first_ms = args.time("interval").unwrap_or(0.0);
    let wait = match kind {
        "Incremental" => {
            let increment_ms = args.time("intervalIncrement").unwrap_or(0.0);
            Wait::new(Backoff::Linear { base_ms: first_ms, increment_ms })
        }
        "Exponential" => {
            let max_ms = args.time("maxInterval").unwrap_or(f64::INFINITY);
            let delta_ms = args.time("intervalDelta").unwrap_or(0.0);
            Wait::each(retries.min(2_000), &|k| law(k, first_ms, max_ms, delta_ms))
        }
        _ => Wait::new(Backoff::Constant { delay_ms: first_ms }),
    };
    Policy::new(wait, retries)
}

/// One retry for each interval; they may stand in an array.
fn intervals(take: &mut Take, written: &[Arg]) -> Policy {
    let values: Vec<&Value> = match written {
        [Arg { value, .. }] => value.entries().filter(|_| value.number().is_none()).unwrap_or(vec![value]),
        many => many.iter().map(|a| &a.value).collect(),
    };
    let unit = Some(Unit::Millisecond);
    let delays_ms: Vec<f64> =
        values.iter().map(|v| take.time("Intervals", "delaysMs", v, unit).unwrap_or(0.0)).collect();
    let retries = delays_ms.len() as u64;
    Policy::new(Wait::new(Backoff::List { delays_ms, after: After::Stop }), retries)
}

/// The product of two draws: its bounds are exact, its law has no simple form.
fn law(k: u64, min_ms: f64, max_ms: f64, delta_ms: f64) -> Law {
    let base = |share: f64| (min_ms + libm::pow(2f64, k as f64 - 1.0) * share * delta_ms).min(max_ms);
    let (low, high) = (base(0.8), base(1.2));
    match low == high {
        true => Law::uniform(0.75 * low, 1.25 * high),
        false => Law::one(0.75 * low, 1.25 * high, Shape::Unknown),
    }
}
