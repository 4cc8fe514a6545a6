//! Argo CD: the retries of a failed sync.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, GO, Library, Scan, Setting, Take};
use crate::notation::Value;
use crate::policy::{Backoff, Policy, Wait};

/// Argo CD 3.
pub static LIBRARY: Library = Library {
    id: "argo-cd",
    title: "Argo CD",
    ecosystem: "Kubernetes",
    version: "v3 (0327d2f95b)",
    source: "pkg/apis/application/v1alpha1/types.go NextRetryAt; controller/appcontroller.go",
    counts: "retries (limit); below 0 without end",
    formula: "min(maxDuration, duration * factor^(k-1))",
    words: &["syncPolicy"],
    settings: &[
        Setting::number("limit", "retries", "0"),
        Setting::other("backoff|refresh"),
        Setting::time("duration", "baseMs", Unit::Second, "5").of("backoff").units(GO),
        Setting::number("factor", "factor", "2").of("backoff"),
        Setting::time("maxDuration", "capMs", Unit::Second, "180").of("backoff").units(GO),
    ],
    notes: &[
        "limit counts retries; without retry an automated sync gets 5, with a retry that has no limit none.",
        "maxDuration is the longest single wait, not a limit of the whole.",
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
            text: "syncPolicy:\n  automated: {}\n  retry:\n    limit: 4\n    backoff:\n      duration: 10s\n      factor: 3\n      maxDuration: 1m\n",
            waits: &[(10.0, 10.0), (30.0, 30.0), (60.0, 60.0), (60.0, 60.0)],
        },
        Example { text: "syncPolicy:\n  retry: {limit: 2}\n", waits: &[(5.0, 5.0), (10.0, 10.0)] },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let retry = |item: &'d crate::notation::Item| {
        let policy = item.get("syncPolicy").and_then(Value::item)?;
        let retry = policy.get("retry").and_then(Value::item)?;
        Some(Block::new(retry, Certainty::Certain))
    };
    scan.blocks(&retry)
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let mut args = take.main();
    let limit = args.number("limit").unwrap_or(0.0);
    args.unknown_names("a field of retry", "the manifest is refused");
    let backoff = item.get("backoff").and_then(Value::item);
    let mut args = match backoff {
        Some(inner) => take.of(inner, "backoff"),
        None => take.of_call(&[], item.span, "backoff"),
    };
    let base_ms = args.time("duration").unwrap_or(5_000.0);
    let factor = args.number("factor").unwrap_or(2.0);
    let cap_ms = args.time("maxDuration").filter(|ms| *ms > 0.0);
    args.unknown_names("a field of backoff", "the manifest is refused");
    let wait = Wait::new(Backoff::Exponential { base_ms, factor }).cap(cap_ms);
    Policy::new(wait, (limit >= 0.0).then_some(limit as u64))
}
