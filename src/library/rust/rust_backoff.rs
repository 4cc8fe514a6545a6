//! The crate backoff: a port of the Google clients' exponential backoff.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item};
use crate::policy::{Backoff, Clock, Deadline, Jitter, Overrun, Phase, Policy, Wait};

/// backoff 0.4.
pub static LIBRARY: Library = Library {
    id: "rust-backoff",
    title: "backoff (Rust)",
    ecosystem: "Rust",
    version: "0.4.0",
    source: "src/exponential.rs, src/default.rs",
    counts: "nothing: only max_elapsed_time stops it",
    formula: "min(max_interval, initial_interval * multiplier^(k-1)) * U[1 - randomization_factor, 1 + randomization_factor]",
    words: &[
        "backoff::retry",
        "ExponentialBackoffBuilder",
        "backoff::ExponentialBackoff",
        "backoff::future",
        "backoff",
        "ExponentialBackoff",
    ],
    settings: &[
        Setting::time("with_initial_interval|initial_interval", "baseMs", Unit::Second, "0.5").object(),
        Setting::time("current_interval", "", Unit::Second, "").object(),
        Setting::number("with_randomization_factor|randomization_factor", "jitter", "0.5"),
        Setting::number("with_multiplier|multiplier", "factor", "1.5"),
        Setting::time("with_max_interval|max_interval", "capMs", Unit::Second, "60").object(),
        Setting::other("with_max_elapsed_time|max_elapsed_time"),
        Setting::time("interval", "baseMs", Unit::Second, "").of("constant").at(0).object(),
        Setting::other("clock"),
        Setting::other("start_time"),
    ],
    notes: &[
        "There is no count: max_elapsed_time, 15 minutes unless it is written, is what stops it.",
        "The cap acts before the jitter: waits reach max_interval * (1 + randomization_factor).",
        "The first interval is not cut to max_interval.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "use backoff::ExponentialBackoffBuilder;\nuse std::time::Duration;\n\nlet backoff = ExponentialBackoffBuilder::new()\n    .with_initial_interval(«base:new(Duration::from_secs,Duration::from_millis)»)\n    .with_multiplier(«factor:f»)\n    .with_randomization_factor(«below:f»)\n    .with_max_interval(«cap:new(Duration::from_secs,Duration::from_millis)|Duration::MAX»)\n    .with_max_elapsed_time(«*»)\n    .build();\n",
        "Some(«refuse:new(Duration::from_secs,Duration::from_millis)»)",
        "None",
    ],
    examples: &[
        Example {
            text: "use backoff::ExponentialBackoffBuilder;\n\nlet backoff = ExponentialBackoffBuilder::new()\n    .with_initial_interval(Duration::from_millis(250))\n    .with_multiplier(2.0)\n    .with_randomization_factor(0.5)\n    .with_max_interval(Duration::from_secs(1))\n    .with_max_elapsed_time(Some(Duration::from_secs(20)))\n    .build();\n",
            waits: &[(0.125, 0.375), (0.25, 0.75), (0.5, 1.5)],
        },
        Example {
            text: "use backoff::{retry, ExponentialBackoff};\n\nretry(ExponentialBackoff::default(), || ping().map_err(backoff::Error::transient))\n",
            waits: &[(0.25, 0.75), (0.375, 1.125), (0.5625, 1.6875)],
        },
    ],
};

const KEYS: &[&str] = &["initial_interval", "randomization_factor", "max_interval", "max_elapsed_time"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let imported = scan.imports(&["backoff"]);
    let mut blocks = Vec::new();
    for item in scan.items.iter().copied().filter(|i| i.form == Form::Call) {
        let builds = item.is_any(&[
            "ExponentialBackoffBuilder",
            "ExponentialBackoffBuilder.new",
            "ExponentialBackoffBuilder.default",
        ]);
        let default = item.is_any(&["ExponentialBackoff.default"]) && !inside_literal(scan, item);
        // What sets these fields afterwards says as much as an import.
        let set = KEYS.iter().any(|k| item.get(k).is_some());
        if item.is("backoff.Constant.new") || imported && item.is("Constant.new") {
            blocks.push(Block::new(item, Certainty::Certain).variant("constant"));
        }
        let literal = item.is("ExponentialBackoff") && KEYS.iter().any(|k| item.get(k).is_some());
        if builds
            || (default && (imported || set || scan.says("backoff::")))
            || (literal && !item.head.text.contains("temporal"))
        {
            let sure = builds || imported || item.head.text.contains("backoff::");
            blocks.push(Block::new(item, if sure { Certainty::Certain } else { Certainty::Likely }));
        }
    }
    blocks
}

/// Whether `ExponentialBackoff::default()` only fills up a struct literal.
fn inside_literal(scan: &Scan, item: &Item) -> bool {
    scan.heads(&["ExponentialBackoff"]).any(|outer| outer.span != item.span && outer.span.holds(item.span))
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if take.block.variant == "constant" {
        let delay_ms = take.of(item, "constant").time("interval").unwrap_or(0.0);
        return Policy::new(Wait::new(Backoff::Constant { delay_ms }), None);
    }
    let mut args = take.main();
    let base_ms = args.time("with_initial_interval").unwrap_or(500.0);
    let factor = args.number("with_multiplier").unwrap_or(1.5);
    // A negative share gives the same range, from its other end.
    let share = args.number("with_randomization_factor").unwrap_or(0.5).abs();
    let cap_ms = args.time("with_max_interval").unwrap_or(60_000.0);
    args.unknown_calls("with_");
    let jitter = if share == 0.0 { Jitter::None } else { Jitter::Proportional { below: share, above: share } };
    let wait = Wait::new(Backoff::Exponential { base_ms, factor }).jitter(jitter);
    let mut policy = Policy::new(wait.clone().cap(cap_ms), None);
    if base_ms > cap_ms {
        policy.phases = vec![Phase { retries: 1, wait }];
    }
    policy.deadline =
        max_elapsed(take, item).map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Refuse, clock: Clock::Elapsed });
    policy
}

/// `Some(duration)`, `None`, or 15 minutes where nothing is written.
fn max_elapsed<'t>(take: &mut Take<'t>, item: &'t Item) -> Option<f64> {
    let Some(value) = take.of(item, "").value("with_max_elapsed_time") else {
        take.default("deadline", "15 min");
        return Some(900_000.0);
    };
    if value.is_null() {
        take.origin("deadline", value.span);
        return None;
    }
    let inner = value.item().filter(|i| i.is("Some")).and_then(|i| i.at(0)).unwrap_or(value);
    take.time("max_elapsed_time", "deadline", inner, Some(Unit::Second))
}
