//! tokio-retry2: the fork of tokio-retry with other jitter and one more curve.

use super::tokio_retry::{STRATEGIES, jitter_origin, mapped, power_wait};
use crate::duration::Unit;
use crate::library::scan::in_order;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Value};
use crate::policy::{Backoff, Clock, Deadline, Jitter, Overrun, Policy, Rounded, RoundingMode, Wait};

/// tokio-retry2 0.9.
pub static LIBRARY: Library = Library {
    id: "tokio-retry2",
    title: "tokio-retry2",
    ecosystem: "Rust",
    version: "0.9.1",
    source: "src/strategy/*.rs",
    counts: "retries (take)",
    formula: "ExponentialBackoff: base^k * factor ms; ExponentialFactorBackoff: initial * factor^(k-1) ms",
    words: &[
        "tokio_retry2",
        "ExponentialFactorBackoff",
        "ExponentialFactorBackoff::from_millis",
        "jitter_with_bounds",
        "max_delay_millis",
        "ExponentialBackoff::from_millis",
        "FixedInterval::from_millis",
        "FibonacciBackoff::from_millis",
    ],
    settings: &[
        Setting::time("from_millis", "baseMs", Unit::Millisecond, "").at(0).typed(),
        Setting::number("growth", "factor", "").at(1),
        Setting::number("factor", "", "1"),
        Setting::number("growth", "factor", "").of("from_factor").at(0),
        Setting::time("initial_delay", "baseMs", Unit::Millisecond, "500").of("from_factor"),
        Setting::time("initial", "baseMs", Unit::Millisecond, "").of("linear").at(0),
        Setting::time("increment|increment_millis", "incrementMs", Unit::Millisecond, "").of("linear"),
        Setting::time("increment_secs", "incrementMs", Unit::Second, "").of("linear"),
        Setting::time("max_delay", "capMs", Unit::Second, "").object(),
        Setting::time("max_delay_millis", "capMs", Unit::Millisecond, ""),
        Setting::count("take", "retries", ""),
        Setting::time("max_interval", "deadline", Unit::Millisecond, ""),
        Setting::time("max_duration", "deadline", Unit::Second, "").object(),
        Setting::other("map"),
    ],
    notes: &[
        "`jitter` draws between half and one and a half of the wait, after the cap; tokio-retry draws between 0 and the wait.",
        "ExponentialBackoff::from_millis(b) is the base of the power, as in tokio-retry; ExponentialFactorBackoff is not.",
        "Without `.take(n)` it never stops.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "use std::time::Duration;\nuse tokio_retry2::strategy::{ExponentialFactorBackoff, FixedInterval, jitter, jitter_with_bounds};\n\nlet strategy = «*»‹\n    .take(«retries»)›;\n",
        "FixedInterval::from_millis(«delay:#»)",
        "ExponentialFactorBackoff::from_millis(«base:#», «factor:f»)‹\n    .max_delay(«cap:new(Duration::from_secs,Duration::from_millis)»)›",
        "FixedInterval::from_millis(«delay:#»)«random»\n    .map(jitter)",
        "ExponentialFactorBackoff::from_millis(«base:#», «factor:f»)‹\n    .max_delay(«cap:new(Duration::from_secs,Duration::from_millis)»)›«random»\n    .map(jitter)",
        "FixedInterval::from_millis(«delay:#»)\n    .map(jitter_with_bounds(«1-below:f», «1+above:f»))",
        "ExponentialFactorBackoff::from_millis(«base:#», «factor:f»)‹\n    .max_delay(«cap:new(Duration::from_secs,Duration::from_millis)»)›\n    .map(jitter_with_bounds(«1-below:f», «1+above:f»))",
    ],
    examples: &[
        Example {
            text: "use tokio_retry2::{Retry, strategy::{ExponentialFactorBackoff, jitter}};\n\nlet strategy = ExponentialFactorBackoff::from_millis(200, 3.0)\n    .max_delay_millis(1500)\n    .map(jitter)\n    .take(4);\n",
            waits: &[(0.1, 0.3), (0.3, 0.9), (0.75, 2.25), (0.75, 2.25)],
        },
        Example {
            text: "use tokio_retry2::strategy::{FixedInterval, jitter_with_bounds};\n\nlet strategy = FixedInterval::from_millis(1000).map(jitter_with_bounds(0.5, 1.0)).take(2);\n",
            waits: &[(0.5, 1.0), (0.5, 1.0)],
        },
    ],
};

/// The strategies that tokio-retry does not have.
const OWN: &[&str] = &[
    "ExponentialFactorBackoff.from_millis",
    "ExponentialFactorBackoff.from_factor",
    "LinearBackoff.from_millis",
    "LinearBackoff.from_secs",
    "LinearBackoff.new",
];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let own = scan.says("tokio_retry2") || scan.says("jitter_with_bounds") || scan.says("max_delay_millis");
    let sure = own || scan.says("ExponentialFactorBackoff");
    let other = scan.says("tokio_retry::");
    if other && !sure {
        return Vec::new();
    }
    let certainty = if sure { Certainty::Certain } else { Certainty::Possible };
    let shared = scan.heads(STRATEGIES).chain(scan.heads(OWN));
    let own = |i: &&Item| i.form == Form::Call && !i.head.text.starts_with("tokio_retry::");
    in_order(shared.filter(own).map(|item| Block::new(item, certainty)).collect())
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let wait = if item.is_any(OWN) { own_wait(take, item) } else { power_wait(take, item) };
    let jitter = jitter(take, item);
    jitter_origin(take, item);
    let mut args = take.main();
    let cap_ms = args.time("max_delay").or(args.time("max_delay_millis"));
    let retries = args.count("take");
    let limit_ms = args.time("max_interval").or(args.time("max_duration"));
    let mut wait = wait.cap(cap_ms).jitter(jitter);
    if jitter.is_none() {
        wait = wait.rounding(RoundingMode::Floor, 1.0, Rounded::Wait);
    }
    let mut policy = Policy::new(wait, retries);
    policy.deadline = limit_ms.map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Allow, clock: Clock::Elapsed });
    policy
}

/// The curve of one of these strategies; a linear one grows by its first delay unless it is told otherwise.
fn own_wait<'t>(take: &mut Take<'t>, item: &'t Item) -> Wait {
    if item.head.text.contains("Linear") {
        let unit = if item.is("LinearBackoff.from_secs") { Unit::Second } else { Unit::Millisecond };
        let mut args = take.of(item, "linear");
        let base_ms = args.time_in("initial", unit).unwrap_or(0.0);
        let increment_ms = args.time("increment").or(args.time("increment_secs")).unwrap_or(base_ms);
        return Wait::new(Backoff::Linear { base_ms, increment_ms });
    }
    let millis = item.is("ExponentialFactorBackoff.from_millis");
    let mut args = take.of(item, if millis { "" } else { "from_factor" });
    let base_ms = args.time(if millis { "from_millis" } else { "initial_delay" }).unwrap_or(0.0);
    let factor = args.number("growth").unwrap_or(1.0);
    Wait::new(Backoff::Exponential { base_ms, factor })
}

/// `jitter`, `jitter_with_bounds(low, high)`, which was `jitter_range` before, or nothing.
fn jitter(take: &mut Take, item: &Item) -> Jitter {
    let share = |low: f64, high: f64| Jitter::Proportional { below: 1.0 - low, above: high - 1.0 };
    let Some((value, _)) = mapped(item).next() else { return Jitter::None };
    match value.item().filter(|i| i.is_any(&["jitter_with_bounds", "jitter_range"])) {
        Some(bounds) => {
            let number = |i: usize| bounds.at(i).and_then(Value::number);
            match (number(0), number(1)) {
                (Some(low), Some(high)) if low <= high => share(low, high),
                _ => {
                    take.refuse("jitter_with_bounds", value, "takes two numbers, the smaller first");
                    Jitter::None
                }
            }
        }
        None if value.text().is_some_and(|name| name.ends_with("jitter")) => share(0.5, 1.5),
        None => Jitter::None,
    }
}
