//! Retriable: a block that is tried again.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Statement, Step, Value};
use crate::policy::{After, Backoff, Clock, Deadline, Jitter, Overrun, Policy, Wait};

/// Retriable 4.
pub static LIBRARY: Library = Library {
    id: "retriable",
    title: "Retriable",
    ecosystem: "Ruby",
    version: "4.2.0 (5be1372, 2026-06)",
    source: "lib/retriable/exponential_backoff.rb, config.rb, retriable.rb",
    counts: "calls, the first included (tries)",
    formula: "min(max_interval, base_interval * multiplier^(k-1)) * U[1 - rand_factor, 1 + rand_factor]",
    words: &[
        "Retriable",
        "Retriable.retriable",
        "rand_factor",
        "base_interval",
        "Retriable.with_context",
        "Retriable.configure",
        "retriable",
    ],
    settings: &[
        Setting::number("tries", "retries", "3"),
        Setting::time("base_interval", "baseMs", Unit::Second, "0.5"),
        Setting::number("multiplier", "factor", "1.5"),
        Setting::number("rand_factor", "jitter", "0.5"),
        Setting::time("max_interval", "capMs", Unit::Second, "60"),
        Setting::time("max_elapsed_time", "deadline", Unit::Second, "900"),
        Setting::other("intervals"),
        Setting::other("on"),
        Setting::other("retry_if"),
        Setting::other("on_retry"),
        Setting::other("timeout"),
        Setting::other("sleep_disabled"),
        Setting::other("contexts"),
    ],
    notes: &[
        "tries counts calls.",
        "The cap acts before the jitter: waits reach max_interval * (1 + rand_factor).",
        "A total limit of 15 minutes holds unless another is written.",
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
            text: "Retriable.retriable(tries: 4, base_interval: 0.2, multiplier: 2, rand_factor: 0) do\n  api.fetch\nend\n",
            waits: &[(0.2, 0.2), (0.4, 0.4), (0.8, 0.8)],
        },
        Example { text: "Retriable.retriable(intervals: [1, 5]) { push }\n", waits: &[(1.0, 1.0), (5.0, 5.0)] },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let calls = scan.heads(&["Retriable.retriable", "Retriable.with_context"]);
    // The name alone, as `retriable/core_ext/kernel` puts it everywhere.
    let own = |item: &&Item| {
        let named = ["tries", "base_interval", "intervals", "multiplier"].iter().any(|name| item.get(name).is_some());
        item.head.text == "retriable" && item.form == Form::Call && (named || scan.says("core_ext"))
    };
    let calls = calls.chain(scan.items.iter().copied().filter(own));
    let mut blocks: Vec<Block<'d>> = calls.map(|item| Block::new(item, Certainty::Certain)).collect();
    // What is configured for all holds for each call; alone it stands for itself.
    let Some(settings) = configured(scan) else { return blocks };
    for block in &mut blocks {
        let wanted = block.item.at(0).and_then(Value::text).filter(|_| block.item.is("with_context"));
        block.others.extend(contexts(settings).find(|(name, _)| wanted == Some(name)).map(|(_, map)| map));
        block.others.push(settings);
    }
    if blocks.is_empty() {
        let own = |s: &&Step| matches!(s, Step::Set { path, .. } if !path.text.starts_with("contexts["));
        let first = settings.steps.iter().find(own);
        if let Some(Step::Set { path, value }) = first {
            let block = Block::new(settings, Certainty::Certain).label("configure");
            let few = contexts(settings).next().is_some();
            blocks.push(if few { block.at(path.span.to(value.span)) } else { block });
        }
        let block = |(name, map)| Block::new(map, Certainty::Certain).with(settings).label(name);
        blocks.extend(contexts(settings).map(block));
    }
    blocks
}

/// What is configured for calls of a name, `c.contexts[:aws] = { tries: 3 }`: the name and its settings.
fn contexts(settings: &Item) -> impl Iterator<Item = (&str, &Item)> {
    settings.steps.iter().filter_map(|step| match step {
        Step::Set { path, value } => Some((path.text.strip_prefix("contexts[")?.strip_suffix(']')?, value.item()?)),
        Step::Call { .. } => None,
    })
}

/// What `Retriable.configure` sets, by its block's steps.
fn configured<'d>(scan: &Scan<'d>) -> Option<&'d Item> {
    let call = scan.heads(&["Retriable.configure"]).find_map(|item| item.args.iter().find_map(|a| a.value.fun()))?;
    call.body.iter().find_map(|statement| match statement {
        Statement::Expr(value) | Statement::Return(value) => value.item().filter(|item| !item.steps.is_empty()),
        _ => None,
    })
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let items: Vec<(&Item, &str)> = [item].into_iter().chain(take.block.others.clone()).map(|i| (i, "")).collect();
    if items.len() == 1 && item.steps.is_empty() && !item.args.iter().any(|a| a.name.is_some()) {
        take.note("defaults", item.head.span, "Nothing is set: 3 calls from 0.5 s is the default.");
    }
    let mut args = take.holding(&items, "tries");
    let tries = args.number("tries").unwrap_or(3.0);
    if let Some(value) = args.value("tries").filter(|_| tries < 1.0 || (tries.fract() != 0.0 && tries.is_finite())) {
        args.take.refuse("tries", value, "must be a positive whole number");
    }
    let mut args = take.holding(&items, "rand_factor");
    let share = args.number("rand_factor").unwrap_or(0.5);
    if let Some(value) = args.value("rand_factor").filter(|_| !(0.0..=1.0).contains(&share)) {
        args.take.refuse("rand_factor", value, "must be between 0 and 1");
    }
    let base_ms = take.holding(&items, "base_interval").time("base_interval").unwrap_or(500.0);
    let factor = take.holding(&items, "multiplier").number("multiplier").unwrap_or(1.5);
    let cap_ms = take.holding(&items, "max_interval").time("max_interval");
    let limit_ms = take.holding(&items, "max_elapsed_time").time("max_elapsed_time");
    let listed = take.holding(&items, "intervals").value("intervals");
    let listed = listed.and_then(|value| take.list("intervals", "delaysMs", value));
    for &(item, of) in &items {
        take.of(item, of).unknown_names("an option of Retriable", "it raises an error");
    }
    let mut policy = match listed {
        Some(values) => {
            let unit = Some(Unit::Second);
            let delays_ms: Vec<f64> =
                values.iter().filter_map(|v| take.time("intervals", "delaysMs", v, unit)).collect();
            let retries = delays_ms.len() as u64;
            Policy::new(Wait::new(Backoff::List { delays_ms, after: After::Stop }), retries)
        }
        None => {
            let jitter = if share > 0.0 { Jitter::Proportional { below: share, above: share } } else { Jitter::None };
            let wait = Wait::new(Backoff::Exponential { base_ms, factor }).cap(cap_ms).jitter(jitter);
            Policy::new(wait, tries.is_finite().then_some((tries.max(1.0) - 1.0) as u64))
        }
    };
    policy.deadline = limit_ms.map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Refuse, clock: Clock::Elapsed });
    policy
}
