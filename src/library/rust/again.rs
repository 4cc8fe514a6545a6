//! again: retry policies for futures.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::Form;
use crate::policy::{Backoff, CapOrder, Jitter, Policy, Rounded, RoundingMode, Wait};

/// again 0.1.
pub static LIBRARY: Library = Library {
    id: "again",
    title: "again",
    ecosystem: "Rust",
    version: "0.1.2",
    source: "src/lib.rs",
    counts: "retries (with_max_retries)",
    formula: "delay * 2^(k-1), drawn from (0, 1] of it with jitter, then cut at with_max_delay",
    words: &["again", "again::retry", "again::RetryPolicy", "RetryPolicy::exponential", "RetryPolicy::fixed"],
    settings: &[
        Setting::time("delay", "baseMs", Unit::Second, "1").at(0).object(),
        Setting::count("with_max_retries", "retries", "5"),
        Setting::time("with_max_delay", "capMs", Unit::Second, "").object(),
        Setting::flag("with_jitter", "jitter", "false"),
    ],
    notes: &["The cap acts after the jitter, so draws above it gather on it."],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "use again::RetryPolicy;\n\nlet policy = RetryPolicy::exponential(Duration::from_millis(500)).with_max_retries(3);\n",
            waits: &[(0.5, 0.5), (1.0, 1.0), (2.0, 2.0)],
        },
        Example {
            text: "let policy = again::RetryPolicy::fixed(Duration::from_secs(3)).with_max_retries(2);\n",
            waits: &[(3.0, 3.0), (3.0, 3.0)],
        },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let named = scan.says("again::") || scan.imports(&["again"]);
    let makers = scan.heads(&["RetryPolicy.exponential", "RetryPolicy.fixed", "again.RetryPolicy.default"]);
    let mut blocks: Vec<Block<'d>> = makers
        .filter(|item| item.form == Form::Call)
        .map(|item| Block::new(item, if named { Certainty::Certain } else { Certainty::Likely }))
        .collect();
    if blocks.is_empty() {
        let bare = scan.heads(&["again.retry", "again.retry_if"]).filter(|i| i.form == Form::Call);
        blocks.extend(bare.map(|item| Block::new(item, Certainty::Certain).variant("bare")));
    }
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let default = item.head.text.ends_with("default");
    if take.block.variant == "bare" || default && item.steps.is_empty() {
        take.note("defaults", item.head.span, "No policy is written: the crate's default applies, 5 retries from 1 s.");
        take.default("baseMs", "1 s");
        take.default("retries", "5");
        return Policy::new(Wait::new(Backoff::Exponential { base_ms: 1_000.0, factor: 2.0 }), 5);
    }
    let mut args = take.main();
    let base_ms = args.time("delay").unwrap_or(1_000.0);
    if default {
        args.take.default("baseMs", "1 s");
    }
    args.unknown_calls("with_");
    let retries = args.count("with_max_retries").unwrap_or(5);
    let cap_ms = args.time("with_max_delay");
    let jitters = args.flag("with_jitter");
    let fixed = item.is("RetryPolicy.fixed");
    let curve =
        if fixed { Backoff::Constant { delay_ms: base_ms } } else { Backoff::Exponential { base_ms, factor: 2.0 } };
    let mut wait = Wait::new(curve).cap(cap_ms);
    if jitters {
        wait = wait.jitter(Jitter::Full).cap_order(CapOrder::AfterJitter).rounding(
            RoundingMode::Floor,
            1.0,
            Rounded::Wait,
        );
    }
    Policy::new(wait, retries)
}
