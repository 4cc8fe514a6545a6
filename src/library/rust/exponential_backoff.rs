//! The crate exponential-backoff: an iterator of waits with jitter in whole percent.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::Form;
use crate::policy::{Backoff, Law, Piece, Policy, Shape, Wait};

/// exponential-backoff 2.
pub static LIBRARY: Library = Library {
    id: "exponential-backoff",
    title: "exponential-backoff (Rust)",
    ecosystem: "Rust",
    version: "2.1.1",
    source: "src/lib.rs, src/into_iter.rs",
    counts: "calls, the first included: the last item of the iterator is no wait",
    formula: "clamp(min * factor^(k-1) * j, min, max), j in whole percent",
    words: &["exponential_backoff", "Backoff::new", "Backoff::default", "set_factor", "set_jitter"],
    settings: &[
        Setting::count("max_attempts", "retries", "3").at(0),
        Setting::time("min|set_min", "baseMs", Unit::Second, "0.1").at(1).object(),
        Setting::time("max|set_max", "capMs", Unit::Second, "10").at(2).object(),
        Setting::number("jitter|set_jitter", "jitter", "0.3"),
        Setting::number("factor|set_factor", "factor", "2"),
    ],
    notes: &[
        "The number counts calls; there is one wait fewer.",
        "The jitter is drawn in whole percent, a half of the draws below and a half above: 0.3 gives 0.71 to 1.29.",
        "The cut to min comes last, so the first wait is never shorter than min.",
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
            text: "use exponential_backoff::Backoff;\n\nlet mut backoff = Backoff::new(4, Duration::from_millis(200), Duration::from_secs(5));\nbackoff.set_factor(4);\nbackoff.set_jitter(0.0);\n",
            waits: &[(0.2, 0.2), (0.8, 0.8), (3.2, 3.2)],
        },
        Example {
            text: "use exponential_backoff::Backoff;\nuse std::time::Duration;\n\nfor pause in Backoff::new(3, Duration::from_secs(1), Duration::from_secs(30)) {\n    if send().is_ok() { break; }\n}\n",
            waits: &[(1.0, 1.29), (1.42, 2.58)],
        },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let imported = scan.imports(&["exponential_backoff"]);
    scan.head_blocks(&["Backoff.new", "Backoff.default"], &|item| {
        let three = item.at(0).and_then(|v| v.number()).is_some() && item.at(2).is_some();
        let set = ["set_factor", "set_jitter"].iter().any(|m| item.call(m).is_some());
        if item.form != Form::Call {
            None
        } else if imported || item.head.text.contains("exponential_backoff") {
            Some(Block::new(item, Certainty::Certain))
        } else {
            (three || set).then(|| Block::new(item, Certainty::Likely))
        }
    })
}

fn read(take: &mut Take) -> Policy {
    let mut args = take.main();
    let calls = args.count("max_attempts").unwrap_or(3);
    let min_ms = args.time("min").unwrap_or(100.0);
    let max_ms = args.time("max");
    let jitter = args.number("jitter").unwrap_or(0.3);
    let factor = args.number("factor").unwrap_or(2.0);
    let in_range = (0.0..=1.0).contains(&jitter);
    if let Some(value) = args.value("jitter").filter(|_| !in_range) {
        args.take.refuse("jitter", value, "must be between 0 and 1; the crate panics");
    }
    if let Some(value) = args.value("factor").filter(|_| factor.fract() != 0.0 || factor < 0.0) {
        args.take.refuse("factor", value, "must be a whole number; anything else does not compile");
    }
    let retries = calls.saturating_sub(1);
    let curve = Backoff::Exponential { base_ms: min_ms, factor };
    let percent = (jitter * 100.0 + 1e-9).floor();
    if percent < 1.0 || !in_range {
        return Policy::new(Wait::new(curve).cap(max_ms).floor(min_ms), retries);
    }
    let law = |k: u64| law(curve.delay_ms(k), percent, min_ms, max_ms);
    Policy::new(Wait::each(retries.min(2_000), &law), retries)
}

/// `delay * j` cut to the two bounds: `1 - p/100` with p from 0, `1 + q/100` with q from J/2, each up to J - 1.
fn law(delay_ms: f64, percent: f64, min_ms: f64, max_ms: Option<f64>) -> Law {
    let step_ms = delay_ms / 100.0;
    let run = |from: f64, to: f64| Piece {
        weight: 0.5,
        min_ms: delay_ms + from * step_ms,
        max_ms: delay_ms + to * step_ms,
        shape: if from == to { Shape::Uniform } else { Shape::Steps { step_ms } },
    };
    let half = (percent / 2.0).floor();
    let law = Law { pieces: vec![run(1.0 - percent, 0.0), run(half.min(percent - 1.0), percent - 1.0)] };
    max_ms.map_or(law.clone(), |max| law.capped(max)).floored(min_ms)
}
