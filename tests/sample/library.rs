//! A command that nobody has: what the walk-through of ARCHITECTURE.md adds to a copy of the tree.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::Form;
use crate::policy::{Backoff, Policy, Wait};

/// It waits a second and doubles that.
pub static LIBRARY: Library = Library {
    id: "sample",
    title: "patiently",
    ecosystem: "shell",
    version: "1.0.0",
    source: "its manual",
    counts: "retries (--retries); 3 unless written",
    formula: "--wait * 2^(k - 1)",
    words: &["patiently"],
    settings: &[Setting::number("--retries", "retries", "3"), Setting::time("--wait", "baseMs", Unit::Second, "1")],
    notes: &["The command runs once more than it is retried."],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[],
    examples: &[Example { text: "patiently --retries=2 --wait=5 make\n", waits: &[(5.0, 5.0), (10.0, 10.0)] }],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let lines = scan.items.iter().copied().filter(|item| item.form == Form::Command && item.is("patiently"));
    lines.map(|item| Block::new(item, Certainty::Certain).label("patiently")).collect()
}

fn read(take: &mut Take) -> Policy {
    let mut args = take.main();
    let retries = args.number("--retries").unwrap_or(3.0);
    let base_ms = args.time("--wait").unwrap_or(1_000.0);
    Policy::new(Wait::new(Backoff::Exponential { base_ms, factor: 2.0 }), retries as u64)
}
