//! tower: the backoff of its retry layer.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::Form;
use crate::policy::{Backoff, Law, Piece, Policy, Shape, Wait};

/// tower 0.5.
pub static LIBRARY: Library = Library {
    id: "tower",
    title: "tower",
    ecosystem: "Rust",
    version: "0.5.3",
    source: "src/retry/backoff.rs",
    counts: "nothing: the policy of the layer decides when to stop",
    formula: "min(max, min * 2^(k-1)) plus jitter, never past max",
    words: &[
        "ExponentialBackoffMaker",
        "ExponentialBackoffMaker::new",
        "ExponentialBackoffMaker::default",
        "make_backoff",
    ],
    settings: &[
        Setting::time("min", "baseMs", Unit::Second, "0.05").at(0).object(),
        Setting::time("max", "capMs", Unit::Second, "").at(1).object(),
        Setting::number("jitter", "jitter", "0.99").at(2),
        Setting::other("rng").at(3),
    ],
    notes: &[
        "Seconds and the rest below a second get their jitter apart, each cut to whole units: a base of whole seconds loses most of it.",
        "The backoff has no count of its own.",
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
            text: "use tower::retry::backoff::ExponentialBackoffMaker;\n\nlet maker = ExponentialBackoffMaker::new(\n    Duration::from_millis(200),\n    Duration::from_millis(800),\n    0.0,\n    HasherRng::default(),\n)?;\n",
            waits: &[(0.2, 0.2), (0.4, 0.4), (0.8, 0.8), (0.8, 0.8)],
        },
        Example {
            text: "let maker = ExponentialBackoffMaker::new(Duration::from_millis(500), Duration::from_millis(500), 0.5, rng)?;\n",
            waits: &[(0.5, 0.5), (0.5, 0.5)],
        },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    scan.head_blocks(&["ExponentialBackoffMaker.new", "ExponentialBackoffMaker.default"], &|item| {
        (item.form == Form::Call).then(|| Block::new(item, Certainty::Certain))
    })
}

fn read(take: &mut Take) -> Policy {
    let mut args = take.main();
    let min_ms = args.time("min").unwrap_or(50.0);
    let max_ms = args.time("max");
    let jitter = args.number("jitter").unwrap_or(0.99);
    if let (Some(value), Some(max)) = (args.value("max"), max_ms) {
        if max < min_ms {
            args.take.refuse("max", value, "must not be less than min; `new` returns an error");
        } else if max == 0.0 {
            args.take.refuse("max", value, "must not be 0; `new` returns an error");
        }
    }
    if let Some(value) = args.value("jitter") {
        if jitter < 0.0 {
            args.take.refuse("jitter", value, "must not be negative; `new` returns an error");
        } else if jitter > 100.0 {
            args.take.refuse("jitter", value, "must not be above 100; `new` returns an error");
        }
    }
    let curve = Backoff::Exponential { base_ms: min_ms, factor: 2.0 };
    let row = |k: u64| law(curve.delay_ms(k).min(max_ms.unwrap_or(f64::INFINITY)), jitter, max_ms);
    let wait = if jitter > 0.0 { Wait::each(64, &row) } else { Wait::new(curve.clone()).cap(max_ms) };
    Policy::new(wait, None)
}

/// As many whole seconds are told apart; of more, those that are drawn whole are one piece.
const RUNS: u64 = 100;

/// `base` plus `U(0,1) * jitter` of its whole seconds, cut to whole seconds, plus the same draw's share of the rest, cut
/// to whole nanoseconds; the sum cut at the maximum. The two parts move with one draw: the wait climbs within a second
/// and falls back nowhere, so it is a mixture of one run for each whole second added.
fn law(base_ms: f64, jitter: f64, max_ms: Option<f64>) -> Law {
    let seconds = (base_ms / 1e3 + 1e-12).floor();
    let rest_ms = base_ms - seconds * 1e3;
    let reach = seconds * jitter;
    let runs = (reach + 1.0 - 1e-9).floor().max(1.0);
    // The runs from one to another, which all but the last of them are drawn whole.
    let piece = |first: f64, last: f64| {
        let (from, to) = match reach > 0.0 {
            true => (first / reach, ((last + 1.0) / reach).min(1.0)),
            false => (0.0, 1.0),
        };
        let at = |n: f64, u: f64| base_ms + n * 1e3 + u * jitter * rest_ms;
        let (min_ms, max_ms) = (at(first, from), at(last, to));
        (to > from).then_some(Piece { weight: to - from, min_ms, max_ms, shape: Shape::Uniform })
    };
    let pieces = match runs <= RUNS as f64 {
        true => (0..runs as u64).filter_map(|n| piece(n as f64, n as f64)).collect(),
        false => piece(0.0, runs - 2.0).into_iter().chain(piece(runs - 1.0, runs - 1.0)).collect(),
    };
    let law = Law { pieces };
    max_ms.map_or(law.clone(), |max| law.capped(max))
}
