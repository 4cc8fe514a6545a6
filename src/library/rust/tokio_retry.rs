//! tokio-retry: iterators of waits, shaped by `.map(jitter)` and `.take(n)`.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Arg, Form, Item, Step, Value};
use crate::policy::{Backoff, Jitter, Policy, Wait};

/// tokio-retry 0.3.
pub static LIBRARY: Library = Library {
    id: "tokio-retry",
    title: "tokio-retry",
    ecosystem: "Rust",
    version: "0.3.2",
    source: "src/strategy/exponential_backoff.rs, fibonacci_backoff.rs, fixed_interval.rs, jitter.rs",
    counts: "retries (take)",
    formula: "min(max_delay, base^k * factor) ms, base being the argument of from_millis",
    words: &[
        "tokio_retry",
        "ExponentialBackoff::from_millis",
        "FixedInterval::from_millis",
        "FibonacciBackoff::from_millis",
        "Retry::spawn",
        "RetryIf::spawn",
    ],
    settings: &[
        Setting::time("from_millis", "baseMs", Unit::Millisecond, "").at(0).typed(),
        Setting::number("factor", "", "1"),
        Setting::time("max_delay", "capMs", Unit::Second, "").object(),
        Setting::count("take", "retries", ""),
        Setting::other("map"),
    ],
    notes: &[
        "from_millis(b) is the base of the power: from_millis(10) waits 10 ms, 100 ms, 1 s, 10 s.",
        "`.factor(f)` multiplies every wait: from_millis(2).factor(500) waits 1, 2, 4 s.",
        "Without `.take(n)` it never stops.",
        "`.map(jitter)` draws between 0 and the wait; in tokio-retry2 between half and one and a half of it.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "use std::time::Duration;\nuse tokio_retry::strategy::{ExponentialBackoff, FibonacciBackoff, FixedInterval, jitter};\n\nlet strategy = «*»‹«full»\n    .map(jitter)›‹\n    .take(«retries»)›;\n",
        "FixedInterval::from_millis(«delay:#»)",
        "ExponentialBackoff::from_millis(«factor:#»)\n    .factor(«base/factor:#»)‹\n    .max_delay(«cap:new(Duration::from_secs,Duration::from_millis)»)›",
        "FibonacciBackoff::from_millis(«fibonacci:#»)‹\n    .max_delay(«cap:new(Duration::from_secs,Duration::from_millis)»)›",
    ],
    examples: &[
        Example {
            text: "use tokio_retry::{Retry, strategy::{ExponentialBackoff, jitter}};\n\nlet strategy = ExponentialBackoff::from_millis(3)\n    .factor(100)\n    .max_delay(Duration::from_secs(2))\n    .map(jitter)\n    .take(4);\n\nRetry::spawn(strategy, send).await?;\n",
            waits: &[(0.0, 0.3), (0.0, 0.9), (0.0, 2.0), (0.0, 2.0)],
        },
        Example {
            text: "use tokio_retry::strategy::FixedInterval;\n\nlet strategy = FixedInterval::from_millis(750).take(3);\n",
            waits: &[(0.75, 0.75), (0.75, 0.75), (0.75, 0.75)],
        },
    ],
};

/// The strategies that both crates share.
pub(super) const STRATEGIES: &[&str] = &[
    "ExponentialBackoff.from_millis",
    "FixedInterval.from_millis",
    "FibonacciBackoff.from_millis",
    "FixedInterval.new",
];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let other = scan.says("tokio_retry2") || scan.says("jitter_with_bounds") || scan.says("max_delay_millis");
    let certainty = match (scan.says("tokio_retry::") || scan.imports(&["tokio_retry"]), other) {
        (true, _) => Certainty::Certain,
        (false, true) => return Vec::new(),
        (false, false) => Certainty::Likely,
    };
    let own = |i: &Item| i.form == Form::Call && !i.head.text.starts_with("tokio_retry2");
    scan.head_blocks(STRATEGIES, &|item| own(item).then(|| Block::new(item, certainty)))
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let wait = power_wait(take, item);
    let jitter = mapped(item).find_map(|(arg, _)| arg.text()).is_some_and(|name| name.ends_with("jitter"));
    let jitter = if jitter { Jitter::Full } else { Jitter::None };
    let mut args = take.main();
    let cap_ms = args.time("max_delay");
    let retries = args.count("take");
    jitter_origin(take, item);
    Policy::new(wait.cap(cap_ms).jitter(jitter), retries)
}

/// The curve of a strategy that both crates share; `factor` multiplies every delay.
pub(super) fn power_wait<'t>(take: &mut Take<'t>, item: &'t Item) -> Wait {
    let mut args = take.of(item, "");
    let base = args.time("from_millis").unwrap_or(0.0);
    let scale = args.number("factor").unwrap_or(1.0);
    Wait::new(if item.head.text.contains("Exponential") {
        Backoff::Exponential { base_ms: base * scale, factor: base }
    } else if item.head.text.contains("Fibonacci") {
        Backoff::Fibonacci { base_ms: base * scale }
    } else {
        Backoff::Constant { delay_ms: base }
    })
}

/// What is given to `.map(..)`, with the place of each.
pub(super) fn mapped(item: &Item) -> impl Iterator<Item = (&Value, crate::span::Span)> {
    item.steps.iter().filter_map(|step| match step {
        Step::Call { name, args, span } if name.text == "map" => match args.as_slice() {
            [Arg { value, .. }] => Some((value, *span)),
            _ => None,
        },
        _ => None,
    })
}

/// Notes where the jitter came from.
pub(super) fn jitter_origin(take: &mut Take, item: &Item) {
    let Some((value, span)) = mapped(item).next() else { return take.default("jitter", "none") };
    take.origin("jitter", span);
    if value.fun().is_some() {
        let message = "What this function makes of a wait is not followed; the waits are those before it.";
        take.note("unread-map", value.span, message);
    }
}
