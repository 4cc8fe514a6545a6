//! backon: builders of backoffs that are handed to `.retry(..)`.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Step};
use crate::policy::{Backoff, Clock, Deadline, Jitter, Overrun, Phase, Policy, Wait};

/// backon 1.
pub static LIBRARY: Library = Library {
    id: "backon",
    title: "backon",
    ecosystem: "Rust",
    version: "1.6.0",
    source: "src/backoff/exponential.rs, constant.rs, fibonacci.rs",
    counts: "retries (with_max_times)",
    formula: "min(max_delay, min_delay * factor^(k-1)), plus up to as much again with jitter",
    words: &["backon", "ExponentialBuilder", "ConstantBuilder", "FibonacciBuilder"],
    settings: &[
        Setting::time("with_min_delay", "baseMs", Unit::Second, "1").of("ExponentialBuilder").object(),
        Setting::time("with_max_delay", "capMs", Unit::Second, "60").of("ExponentialBuilder").object(),
        Setting::number("with_factor", "factor", "2").of("ExponentialBuilder"),
        Setting::count("with_max_times", "retries", "3").of("ExponentialBuilder"),
        Setting::other("with_total_delay").of("ExponentialBuilder"),
        Setting::other("with_jitter|with_jitter_seed|without_max_times|without_max_delay").of("ExponentialBuilder"),
        Setting::time("with_delay", "baseMs", Unit::Second, "1").of("ConstantBuilder").object(),
        Setting::count("with_max_times", "retries", "3").of("ConstantBuilder"),
        Setting::other("with_jitter|with_jitter_seed|without_max_times").of("ConstantBuilder"),
        Setting::time("with_min_delay", "baseMs", Unit::Second, "1").of("FibonacciBuilder").object(),
        Setting::time("with_max_delay", "capMs", Unit::Second, "60").of("FibonacciBuilder").object(),
        Setting::count("with_max_times", "retries", "3").of("FibonacciBuilder"),
        Setting::other("with_jitter|with_jitter_seed|without_max_times|without_max_delay").of("FibonacciBuilder"),
    ],
    notes: &[
        "with_max_times counts retries, not calls.",
        "Jitter only lengthens: a wait reaches twice the delay, and twice max_delay.",
        "The first wait is min_delay even where max_delay is smaller.",
        "A Fibonacci backoff passes max_delay once before it stops growing, and its jitter is at most min_delay.",
        "with_total_delay bounds the sum of the waits, not the time of the calls.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "use backon::{ConstantBuilder, ExponentialBuilder, FibonacciBuilder};\nuse std::time::Duration;\n\nlet policy = «*»\n    «unlimited?.without_max_times():»‹.with_max_times(«retries»)›‹«random»\n    .with_jitter()›;\n",
        "ConstantBuilder::default()\n    .with_delay(«delay:new(Duration::from_secs,Duration::from_millis)»)",
        "ExponentialBuilder::default()\n    .with_min_delay(«base:new(Duration::from_secs,Duration::from_millis)»)\n    .with_factor(«factor:f»)\n    .with_max_delay(«cap:new(Duration::from_secs,Duration::from_millis)»)‹\n    .with_total_delay(Some(«refuse:new(Duration::from_secs,Duration::from_millis)»))›",
        "ExponentialBuilder::default()\n    .with_min_delay(«base:new(Duration::from_secs,Duration::from_millis)»)\n    .with_factor(«factor:f»)\n    .without_max_delay()‹\n    .with_total_delay(Some(«refuse:new(Duration::from_secs,Duration::from_millis)»))›",
        "FibonacciBuilder::default()\n    .with_min_delay(«fibonacci:new(Duration::from_secs,Duration::from_millis)»)\n    .with_max_delay(«cap:new(Duration::from_secs,Duration::from_millis)»)",
        "FibonacciBuilder::default()\n    .with_min_delay(«fibonacci:new(Duration::from_secs,Duration::from_millis)»)\n    .without_max_delay()",
    ],
    examples: &[
        Example {
            text: "use backon::{ExponentialBuilder, Retryable};\nuse std::time::Duration;\n\nlet rows = (|| async { db.query(sql).await })\n    .retry(\n        ExponentialBuilder::default()\n            .with_min_delay(Duration::from_millis(300))\n            .with_factor(3.0)\n            .with_max_delay(Duration::from_secs(10))\n            .with_max_times(5),\n    )\n    .await?;\n",
            waits: &[(0.3, 0.3), (0.9, 0.9), (2.7, 2.7), (8.1, 8.1), (10.0, 10.0)],
        },
        Example {
            text: "let policy = ConstantBuilder::default()\n    .with_delay(Duration::from_secs(2))\n    .with_max_times(3)\n    .with_jitter();\n",
            waits: &[(2.0, 4.0), (2.0, 4.0), (2.0, 4.0)],
        },
    ],
};

const BUILDERS: &[&str] = &["ExponentialBuilder", "ConstantBuilder", "FibonacciBuilder"];

/// The builder that an item constructs.
fn builder(item: &Item) -> Option<&'static str> {
    BUILDERS.iter().copied().find(|b| item.is_any(&[&format!("{b}.default"), &format!("{b}.new"), b]))
}

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    scan.blocks(&|item| {
        let builder = builder(item).filter(|_| item.form == Form::Call)?;
        Some(Block::new(item, Certainty::Certain).variant(builder))
    })
}

fn read(take: &mut Take) -> Policy {
    let (item, of) = (take.block.item, take.block.variant);
    let mut args = take.of(item, of);
    let base_ms = args.time(if of == "ConstantBuilder" { "with_delay" } else { "with_min_delay" }).unwrap_or(1_000.0);
    let unlimited = item.call("without_max_times");
    let retries = match unlimited {
        Some(_) => None,
        None => args.count("with_max_times"),
    };
    let cap_ms = if of == "ConstantBuilder" { None } else { args.time("with_max_delay") };
    args.unknown_calls("with");
    let cap_ms = cap_ms.filter(|_| item.call("without_max_delay").is_none());
    let jitters = item.call("with_jitter").is_some();
    take_jitter(take, item, jitters);
    let doubled = if jitters { Jitter::Proportional { below: 0.0, above: 1.0 } } else { Jitter::None };
    let mut policy = match of {
        "ConstantBuilder" => Policy::new(Wait::new(Backoff::Constant { delay_ms: base_ms }).jitter(doubled), None),
        "FibonacciBuilder" => {
            let added = if jitters { Jitter::Additive { min_ms: 0.0, max_ms: base_ms } } else { Jitter::None };
            Policy::new(fibonacci(base_ms, cap_ms).jitter(added), None)
        }
        _ => {
            let factor = take.of(item, of).number("with_factor").unwrap_or(2.0);
            let wait = Wait::new(Backoff::Exponential { base_ms, factor }).jitter(doubled);
            let mut policy = Policy::new(wait.clone().cap(cap_ms), None);
            if cap_ms.is_some_and(|cap| base_ms > cap) {
                policy.phases = vec![Phase { retries: 1, wait }];
            }
            policy
        }
    };
    policy.retries = retries;
    if of == "ExponentialBuilder"
        && let Some(limit_ms) = total_delay(take, item)
    {
        policy.retries = policy.fixed_waits_within(limit_ms).or(retries);
        policy.deadline = Some(Deadline { limit_ms, overrun: Overrun::Refuse, clock: Clock::Waits });
    }
    policy
}

fn take_jitter(take: &mut Take, item: &Item, jitters: bool) {
    let place = item.steps.iter().find_map(|step| match step {
        Step::Call { name, span, .. } if name.text == "with_jitter" => Some(*span),
        _ => None,
    });
    match place {
        Some(span) if jitters => take.origin("jitter", span),
        _ => take.default("jitter", "off"),
    }
}

/// The delays grow until one has reached the cap; that one is slept whole, and every later one is the same.
fn fibonacci(base_ms: f64, cap_ms: Option<f64>) -> Wait {
    let curve = Backoff::Fibonacci { base_ms };
    let reached = cap_ms.and_then(|cap| (1..1_500).map(|k| curve.delay_ms(k)).find(|&ms| ms >= cap));
    Wait::new(curve).cap(reached)
}

/// `with_total_delay(Some(duration))` or the duration alone.
fn total_delay<'t>(take: &mut Take<'t>, item: &'t Item) -> Option<f64> {
    let value = take.of(item, "ExponentialBuilder").value("with_total_delay").filter(|v| !v.is_null())?;
    let inner = value.item().filter(|i| i.is("Some")).and_then(|i| i.at(0)).unwrap_or(value);
    take.time("with_total_delay", "deadline", inner, Some(Unit::Second))
}
