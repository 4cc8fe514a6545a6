//! jpillora/backoff: a struct that counts its own attempts.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::Form;
use crate::policy::{Backoff, CapOrder, Jitter, Policy, Wait};

/// jpillora/backoff 1.
pub static LIBRARY: Library = Library {
    id: "jpillora-backoff",
    title: "jpillora/backoff",
    ecosystem: "Go",
    version: "v1.0.0 (fab01a9)",
    source: "backoff.go",
    counts: "nothing: the caller decides when to stop",
    formula: "min(Max, Min * Factor^(k-1)); with Jitter drawn from Min to it",
    words: &["jpillora/backoff", "backoff.Backoff"],
    settings: &[
        Setting::time("Min", "baseMs", Unit::Nanosecond, "100ms").typed(),
        Setting::time("Max", "capMs", Unit::Nanosecond, "10s").typed(),
        Setting::number("Factor", "factor", "2"),
        Setting::flag("Jitter", "jitter", "false"),
    ],
    notes: &[
        "With Jitter every wait has Min as its lower end, so the first is always Min.",
        "The cut to Max comes after the draw, so draws above it gather on Max.",
        "Where Min is not below Max, every wait is Max.",
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
            text: "import \"github.com/jpillora/backoff\"\n\nb := &backoff.Backoff{\n\tMin:    200 * time.Millisecond,\n\tMax:    time.Second,\n\tFactor: 3,\n}\n",
            waits: &[(0.2, 0.2), (0.6, 0.6), (1.0, 1.0), (1.0, 1.0)],
        },
        Example {
            text: "b := &backoff.Backoff{Min: time.Second, Max: time.Minute, Jitter: true}\n",
            waits: &[(1.0, 1.0), (1.0, 2.0), (1.0, 4.0)],
        },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let named = scan.says("jpillora/backoff");
    let certainty = if named { Certainty::Certain } else { Certainty::Likely };
    scan.head_blocks(&["backoff.Backoff"], &|item| {
        let literal = item.form == Form::Call && !item.head.text.contains("::");
        (literal && (named || item.args.iter().all(|a| a.name.is_some()))).then(|| Block::new(item, certainty))
    })
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let mut args = take.main();
    if item.args.is_empty() && item.steps.is_empty() {
        args.take.note("defaults", item.head.span, "No field is set: 100 ms doubling to 10 s, without jitter.");
    }
    // A field of 0 is a field that is not set.
    let min_ms = args.time("Min").filter(|ms| *ms > 0.0).unwrap_or(100.0);
    let max_ms = args.time("Max").filter(|ms| *ms > 0.0).unwrap_or(10_000.0);
    let factor = args.number("Factor").filter(|f| *f > 0.0).unwrap_or(2.0);
    let jitters = args.flag("Jitter");
    args.unknown_names("a field of backoff.Backoff", "it does not compile");
    if min_ms >= max_ms {
        if let Some(value) = args.value("Min").or(args.value("Max")) {
            let message = "Min is not below Max: every wait is Max, without growth and without jitter.";
            args.take.warning("min-not-below-max", value.span, message);
        }
        return Policy::new(Wait::new(Backoff::Constant { delay_ms: max_ms }), None);
    }
    let wait = Wait::new(Backoff::Exponential { base_ms: min_ms, factor }).cap(max_ms).floor(min_ms);
    Policy::new(
        match jitters {
            true => wait.jitter(Jitter::From { min_ms }).cap_order(CapOrder::AfterJitter),
            false => wait,
        },
        None,
    )
}
