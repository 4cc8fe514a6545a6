//! Symfony Messenger: the retry strategy of a transport.

use super::{built, built_steps};
use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Value};
use crate::policy::{Backoff, CapOrder, Jitter, Policy, Wait};

/// Symfony Messenger 7.
pub static LIBRARY: Library = Library {
    id: "symfony-messenger",
    title: "Symfony Messenger",
    ecosystem: "PHP",
    version: "7.x (a391d2c, 2024-09)",
    source: "Retry/MultiplierRetryStrategy.php; the defaults of FrameworkBundle",
    counts: "retries (max_retries)",
    formula: "min(max_delay, delay * multiplier^(k-1) * U[1 - jitter, 1 + jitter])",
    words: &["retry_strategy", "messenger", "transports", "MultiplierRetryStrategy", "retryStrategy", "retry-strategy"],
    settings: &[
        Setting::count("max_retries|maxRetries|max-retries", "retries", "3").at(0).quoted(),
        Setting::time("delay|delayMilliseconds", "baseMs", Unit::Millisecond, "1000").at(1).plain(),
        Setting::number("multiplier", "factor", "2").at(2),
        Setting::time("max_delay|maxDelayMilliseconds|maxDelay|max-delay", "capMs", Unit::Millisecond, "0")
            .at(3)
            .plain(),
        Setting::number("jitter", "jitter", "0.1").at(4),
        Setting::other("service"),
    ],
    notes: &[
        "max_retries counts retries.",
        "A jitter of 10 % is on unless it is switched off, and the cap comes after it.",
        "The bundle's multiplier is 2, the class alone has 1.",
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
            text: "framework:\n    messenger:\n        transports:\n            mails:\n                dsn: '%env(MAILS_DSN)%'\n                retry_strategy:\n                    max_retries: 2\n                    delay: 500\n                    multiplier: 4\n                    jitter: 0\n",
            waits: &[(0.5, 0.5), (2.0, 2.0)],
        },
        Example {
            text: "retry_strategy: { max_retries: 2, delay: 2000, multiplier: 1, jitter: 0.5 }\n",
            waits: &[(1.0, 3.0), (1.0, 3.0)],
        },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks: Vec<Block<'d>> = Vec::new();
    for holder in scan.items.iter() {
        if let Some(inner) = holder.get("retry_strategy").and_then(Value::item).filter(|i| i.head.text.is_empty()) {
            blocks.push(Block::new(inner, Certainty::Certain));
        }
        let transports = holder.get("messenger.transports").or_else(|| holder.get("framework.messenger.transports"));
        let Some(transports) = transports.and_then(Value::item) else { continue };
        let failed = holder.get("failure_transport").and_then(Value::text).unwrap_or("failed");
        for arg in &transports.args {
            let own = arg.value.item();
            let name = arg.name.as_ref().map(|n| n.text.clone()).unwrap_or_default();
            if own.is_some_and(|t| t.get("retry_strategy").is_some()) || name == failed || name == "sync" {
                continue;
            }
            // One that is only an address is no block of its own beside others.
            let item = own.or(blocks.is_empty().then_some(transports));
            blocks.extend(item.map(|item| Block::new(item, Certainty::Certain).variant("default").label(name)));
        }
    }
    blocks.extend(built(scan, "retryStrategy", "transport"));
    let tags = scan.heads(&["retry-strategy"]).filter(|i| i.form == Form::Tag);
    blocks.extend(tags.map(|item| Block::new(item, Certainty::Certain)));
    let classes = scan.heads(&["MultiplierRetryStrategy"]).filter(|i| i.form == Form::Call);
    blocks.extend(classes.map(|item| Block::new(item, Certainty::Certain).variant("class")));
    // The whole row of transports stands for one without a strategy only where none has one.
    let written = blocks.iter().any(|b| b.variant.is_empty());
    blocks.retain(|b| b.variant != "default" || !written || b.item.get("dsn").is_some());
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item: &Item = take.block.item;
    if take.block.variant == "default" {
        take.note(
            "defaults",
            item.span,
            "No retry_strategy is written: 3 retries from 1 s, doubling, ±10 %, is the default.",
        );
        return strategy(take.of_call(&[], item.span, ""), "2");
    }
    let usual = if take.block.variant == "class" { "1" } else { "2" };
    if let Some(value) = item.get("service").filter(|value| !value.is_null()) {
        take.unknown.extend(["retries", "baseMs"]);
        let message = "The strategy is a service of one's own: what it does is not in this text.";
        take.note("unknown-value", value.span, message).help = "The numbers below are those of the default.".into();
    }
    let begin = take.block.span.start;
    let mut args = match take.block.variant {
        "builder" => take.of_steps(built_steps(item, begin), take.block.span, ""),
        _ => take.main(),
    };
    args.unknown_names("an option of retry_strategy", "the container does not compile");
    strategy(args, usual)
}

/// The policy of a strategy whose multiplier is `usual` unless it is written.
fn strategy(mut args: Args, usual: &str) -> Policy {
    let retries = args.count("max_retries").unwrap_or(3);
    let factor = match args.has("multiplier") {
        true => args.number("multiplier").unwrap_or(2.0),
        false => {
            args.take.default("factor", usual);
            usual.parse().unwrap_or(1.0)
        }
    };
    Policy::new(wait(&mut args, factor), retries)
}

fn wait(args: &mut Args, factor: f64) -> Wait {
    let base_ms = args.time("delay").unwrap_or(1_000.0);
    let cap_ms = args.time("max_delay").filter(|ms| *ms > 0.0);
    let share = args.number("jitter").unwrap_or(0.1);
    if let Some(value) = args.value("multiplier").filter(|_| factor < 1.0) {
        args.take.refuse("multiplier", value, "must be at least 1");
    }
    if let Some(value) = args.value("jitter").filter(|_| !(0.0..=1.0).contains(&share)) {
        args.take.refuse("jitter", value, "must be between 0 and 1");
    }
    let jitter = if share > 0.0 { Jitter::Proportional { below: share, above: share } } else { Jitter::None };
    Wait::new(Backoff::Exponential { base_ms, factor }).jitter(jitter).cap(cap_ms).cap_order(CapOrder::AfterJitter)
}
