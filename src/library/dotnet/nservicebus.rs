//! NServiceBus: immediate and delayed retries, which multiply.

use super::ms_http_resilience::configured;
use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Arg, Item, Value};
use crate::policy::{After, Backoff, Policy, Wait};

/// NServiceBus as of August 2026.
pub static LIBRARY: Library = Library {
    id: "nservicebus",
    title: "NServiceBus",
    ecosystem: ".NET",
    version: "1d534882dd (2026-08)",
    source: "Recoverability/*.cs",
    counts: "retries of each round; deliveries are (1 + immediate) * (1 + delayed)",
    formula: "0 within a round, TimeIncrease * i before round i",
    words: &["Recoverability", "EndpointConfiguration", "NumberOfRetries", "TimeIncrease", "NServiceBus"],
    settings: &[
        Setting::count("NumberOfRetries", "retries", "5").of("Immediate"),
        Setting::other("OnMessageBeingRetried").of("Immediate"),
        Setting::count("NumberOfRetries", "retries", "3").of("Delayed"),
        Setting::time("TimeIncrease", "baseMs", Unit::Second, "10").of("Delayed"),
        Setting::other("OnMessageBeingRetried").of("Delayed"),
    ],
    notes: &[
        "Every delayed round repeats the immediate retries: 24 deliveries by default.",
        "Delayed retries end 24 hours after the first.",
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
            text: "endpointConfiguration.Recoverability()\n    .Immediate(i => i.NumberOfRetries(0))\n    .Delayed(d => d.NumberOfRetries(2).TimeIncrease(TimeSpan.FromSeconds(30)));\n",
            waits: &[(30.0, 30.0), (60.0, 60.0)],
        },
        Example {
            text: "var recoverability = endpointConfiguration.Recoverability();\nrecoverability.Immediate(i => i.NumberOfRetries(2));\nrecoverability.Delayed(d => d.NumberOfRetries(0));\n",
            waits: &[(0.0, 0.0), (0.0, 0.0)],
        },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let found = scan.items.iter().copied().filter(|i| i.is("Recoverability") || i.call("Recoverability").is_some());
    // `recoverability.Immediate(i => i.NumberOfRetries(3))` on a parameter.
    let parts = |i: &&Item| part(i, "Immediate").or(part(i, "Delayed")).is_some_and(sets_part);
    let parts = scan.items.iter().copied().filter(parts);
    let mut blocks: Vec<Block<'d>> = Vec::new();
    for item in scan.outermost(found.chain(parts)) {
        let before = blocks.last_mut().filter(|b| target(b.item).is_some() && target(b.item) == target(item));
        match before {
            Some(block) => block.others.push(item),
            None => blocks.push(Block::new(item, Certainty::Certain)),
        }
    }
    blocks
}

/// What a loose part is called on.
fn target(item: &Item) -> Option<&str> {
    let called = item.head.text.strip_suffix(".Immediate").or(item.head.text.strip_suffix(".Delayed"));
    let on = || item.target.as_ref().map(|t| t.text.as_str()).filter(|_| item.head.text.is_empty());
    called.or_else(on)
}

fn sets_part(item: &Item) -> bool {
    item.called("NumberOfRetries").is_some() || item.called("TimeIncrease").is_some()
}

/// What the lambda of a part sets on its parameter.
fn part<'t>(item: &'t Item, name: &str) -> Option<&'t Item> {
    let value: &Value = item.called(name).and_then(|args: &[Arg]| args.first()).map(|a| &a.value)?;
    value.fun().and_then(configured)
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let others = take.block.others.clone();
    let all = || [item].into_iter().chain(others.iter().copied());
    let (immediate, delayed) = (all().find_map(|i| part(i, "Immediate")), all().find_map(|i| part(i, "Delayed")));
    if immediate.is_none() && delayed.is_none() {
        let message = "Nothing is set: 5 immediate retries in each of 4 rounds, 24 deliveries, is the default.";
        take.note("defaults", item.head.span, message);
    }
    let at_once = match immediate {
        Some(set) => take.of(set, "Immediate").count("NumberOfRetries"),
        None => take.of_call(&[], item.span, "Immediate").count("NumberOfRetries"),
    };
    let mut later = match delayed {
        Some(set) => take.of(set, "Delayed"),
        None => take.of_call(&[], item.span, "Delayed"),
    };
    let rounds = later.count("NumberOfRetries").unwrap_or(3);
    let increase_ms = later.time("TimeIncrease").unwrap_or(10_000.0);
    let at_once = at_once.unwrap_or(5);
    let retries = (at_once.saturating_add(1)).saturating_mul(rounds.saturating_add(1)).saturating_sub(1);
    let round = at_once.saturating_add(1);
    let delay = |k: u64| if k.is_multiple_of(round) { increase_ms * (k / round) as f64 } else { 0.0 };
    let delays_ms = (1..=retries.clamp(1, 100_000)).map(delay).collect();
    let span = later.span;
    if at_once > 0 && rounds > 0 {
        let message = format!(
            "The retries multiply: (1 + {at_once}) × (1 + {rounds}) = {} deliveries.",
            retries.saturating_add(1)
        );
        later.take.note("multiplies", span, message);
    }
    Policy::new(Wait::new(Backoff::List { delays_ms, after: After::RepeatLast }), retries)
}
