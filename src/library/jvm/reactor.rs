//! Project Reactor: `Retry.backoff`, `Retry.fixedDelay` and `Retry.max` of a `retryWhen`.

use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::Form;
use crate::policy::{After, Backoff, Law, Policy, Wait};

/// Reactor 3.
pub static LIBRARY: Library = Library {
    id: "reactor",
    title: "Project Reactor",
    ecosystem: "Java",
    version: "reactor-core 3.x (01b5927)",
    source: "reactor/util/retry/RetryBackoffSpec.java",
    counts: "retries (maxAttempts)",
    formula: "d = min(maxBackoff, minBackoff * 2^(k-1)); d -+ jitter * d, inside minBackoff and maxBackoff",
    words: &["Retry.backoff", "Retry.fixedDelay", "retryWhen", "reactor.util.retry"],
    settings: &[
        Setting::count("maxAttempts", "retries", "").at(0),
        Setting::duration("minBackoff|fixedDelay", "baseMs", "").object().at(1),
        Setting::duration("maxBackoff", "capMs", "").object(),
        Setting::number("jitter", "jitter", "0.5"),
    ],
    notes: &[
        "maxAttempts counts retries.",
        "The jitter of 0.5 is on unless it is set to 0.",
        "No wait is shorter than minBackoff: the first is never below it, and reaches half as much again.",
        "Without maxBackoff the waits grow without bound.",
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
            text: "return client.get().retrieve().bodyToMono(Order.class)\n    .retryWhen(Retry.backoff(3, Duration.ofSeconds(1)));\n",
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
    let specs = scan.heads(&["Retry.backoff", "Retry.fixedDelay", "Retry.max"]);
    let specs = specs.filter(|item| own && item.form == Form::Call);
    specs.map(|item| Block::new(item, Certainty::Certain)).collect()
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let mut args = take.main();
    let retries = args.count("maxAttempts");
    let base_ms = if item.is("Retry.max") { Some(0.0) } else { args.time("minBackoff") }.unwrap_or(0.0);
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
    let waits = (1..=retries.unwrap_or(64).clamp(1, 64)).map(law).collect();
    Policy::new(Wait::new(Backoff::Table { waits, after: After::RepeatLast }), retries)
}
