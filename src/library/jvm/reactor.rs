//! Project Reactor: `Retry.backoff`, `Retry.fixedDelay` and `Retry.max` of a `retryWhen`.

use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::Form;
use crate::policy::{Backoff, Law, Policy, Wait};

/// Reactor 3.
pub static LIBRARY: Library = Library {
    id: "reactor",
    title: "Project Reactor",
    ecosystem: "Java",
    version: "reactor-core 3.x (01b5927)",
    source: "reactor/util/retry/RetryBackoffSpec.java",
    counts: "retries (maxAttempts)",
    formula: "d * U[1 - jitter, 1 + jitter] inside minBackoff and maxBackoff, d = min(maxBackoff, minBackoff * 2^(k-1))",
    words: &["Retry.backoff", "Retry.fixedDelay", "Retry.max"],
    settings: &[
        Setting::count("maxAttempts", "retries", "").at(0),
        Setting::duration("minBackoff|fixedDelay", "baseMs", "").object().at(1),
        Setting::duration("maxBackoff", "capMs", "").object(),
        Setting::number("jitter", "jitter", "0.5"),
    ],
    notes: &[
        "maxAttempts counts retries; a jitter of 0.5 is on unless it is set to 0.",
        "No wait is shorter than minBackoff, and without maxBackoff they grow without bound.",
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
            text: "mono.retryWhen(Retry.backoff(3, Duration.ofSeconds(1)));\n",
            waits: &[(1.0, 1.5), (1.0, 3.0), (2.0, 6.0)],
        },
        Example {
            text: "flux.retryWhen(Retry.fixedDelay(2, Duration.ofMillis(300)));\n",
            waits: &[(0.3, 0.3), (0.3, 0.3)],
        },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let own = scan.says("reactor") || scan.says("retryWhen");
    scan.head_blocks(&["Retry.backoff", "Retry.fixedDelay", "Retry.max"], &|item| {
        (own && item.form == Form::Call).then(|| Block::new(item, Certainty::Certain))
    })
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let mut args = take.main();
    let retries = args.count("maxAttempts");
    let base_ms = args.time("minBackoff").unwrap_or(0.0);
    if !item.is("Retry.backoff") {
        return Policy::new(Wait::new(Backoff::Constant { delay_ms: base_ms }), retries);
    }
    let cap_ms = args.time("maxBackoff").unwrap_or(f64::INFINITY);
    let share = args.number("jitter").unwrap_or(0.5);
    if let Some(value) = args.value("jitter").filter(|_| !(0.0..=1.0).contains(&share)) {
        args.take.refuse("jitter", value, "must be between 0 and 1");
    }
    let law = |k: u64| {
        let delay_ms = (base_ms * 2f64.powi(k.min(64) as i32 - 1)).min(cap_ms);
        let spread_ms = (100.0 * share).trunc() / 100.0 * delay_ms;
        Law::uniform((delay_ms - spread_ms).max(base_ms.min(cap_ms)), (delay_ms + spread_ms).min(cap_ms))
    };
    Policy::new(Wait::each(retries.unwrap_or(64).min(64), &law), retries)
}
