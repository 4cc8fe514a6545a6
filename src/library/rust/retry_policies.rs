//! retry-policies: the policies of reqwest-retry.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Arg, Item, Value};
use crate::policy::{Backoff, Clock, Deadline, Jitter, Overrun, Policy, Wait};

/// retry-policies 0.5.
pub static LIBRARY: Library = Library {
    id: "retry-policies",
    title: "retry-policies (reqwest-retry)",
    ecosystem: "Rust",
    version: "0.5.2",
    source: "src/policies/exponential_backoff.rs, src/retry_policy.rs",
    counts: "retries (build_with_max_retries)",
    formula: "min(max_retry_interval, min_retry_interval * base^(k-1)), full jitter unless another is chosen",
    words: &[
        "retry_policies",
        "build_with_max_retries",
        "retry_bounds",
        "RetryTransientMiddleware",
        "build_with_total_retry_duration",
        "build_with_total_retry_duration_and_limit_retries",
        "build_with_total_retry_duration_and_max_retries",
    ],
    settings: &[
        Setting::count("build_with_max_retries", "retries", ""),
        Setting::time("build_with_total_retry_duration", "deadline", Unit::Second, "").object(),
        Setting::time("build_with_total_retry_duration_and_limit_retries", "deadline", Unit::Second, "").object(),
        Setting::number("base", "factor", "2"),
        Setting::other("jitter"),
    ],
    notes: &[
        "Full jitter is on unless another is chosen.",
        "Bounded jitter draws from half of the smallest interval, not of the current one.",
        "With a total duration alone the count is not limited, and one more wait may run past it.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "use retry_policies::{Jitter, policies::ExponentialBackoff};\nuse std::time::Duration;\n\nlet policy = ExponentialBackoff::builder()\n    .retry_bounds(«base:new(Duration::from_secs,Duration::from_millis)», «cap:new(Duration::from_secs,Duration::from_millis)|Duration::from_secs(31536000)»)\n    .jitter(Jitter::None)\n    .base(«factor:#»)\n    .build_with_max_retries(«retries»);\n",
        "use retry_policies::{Jitter, policies::ExponentialBackoff};\nuse std::time::Duration;\n\nlet policy = ExponentialBackoff::builder()\n    .retry_bounds(«base:new(Duration::from_secs,Duration::from_millis)», «cap:new(Duration::from_secs,Duration::from_millis)|Duration::from_secs(31536000)»)\n    .jitter(Jitter::None)\n    .base(«factor:#»)\n    .build_with_total_retry_duration_and_limit_retries(«allow:new(Duration::from_secs,Duration::from_millis)»);\n",
        "use retry_policies::{Jitter, policies::ExponentialBackoff};\nuse std::time::Duration;\n\nlet policy = ExponentialBackoff::builder()\n    .retry_bounds(«base:new(Duration::from_secs,Duration::from_millis)», «cap:new(Duration::from_secs,Duration::from_millis)|Duration::from_secs(31536000)»)\n    .jitter(Jitter::None)\n    .base(«factor:#»)\n    .build_with_total_retry_duration(«allow:new(Duration::from_secs,Duration::from_millis)»);\n",
        "use retry_policies::{Jitter, policies::ExponentialBackoff};\nuse std::time::Duration;\n\nlet policy = ExponentialBackoff::builder()\n    .retry_bounds(«base:new(Duration::from_secs,Duration::from_millis)», «cap:new(Duration::from_secs,Duration::from_millis)|Duration::from_secs(31536000)»)\n    .jitter(Jitter::«full»Full)\n    .base(«factor:#»)\n    .build_with_max_retries(«retries»);\n",
        "use retry_policies::{Jitter, policies::ExponentialBackoff};\nuse std::time::Duration;\n\nlet policy = ExponentialBackoff::builder()\n    .retry_bounds(«base:new(Duration::from_secs,Duration::from_millis)», «cap:new(Duration::from_secs,Duration::from_millis)|Duration::from_secs(31536000)»)\n    .jitter(Jitter::«full»Full)\n    .base(«factor:#»)\n    .build_with_total_retry_duration_and_limit_retries(«allow:new(Duration::from_secs,Duration::from_millis)»);\n",
        "use retry_policies::{Jitter, policies::ExponentialBackoff};\nuse std::time::Duration;\n\nlet policy = ExponentialBackoff::builder()\n    .retry_bounds(«base:new(Duration::from_secs,Duration::from_millis)», «cap:new(Duration::from_secs,Duration::from_millis)|Duration::from_secs(31536000)»)\n    .jitter(Jitter::«full»Full)\n    .base(«factor:#»)\n    .build_with_total_retry_duration(«allow:new(Duration::from_secs,Duration::from_millis)»);\n",
        "use retry_policies::{Jitter, policies::ExponentialBackoff};\nuse std::time::Duration;\n\nlet policy = ExponentialBackoff::builder()\n    .retry_bounds(«base:new(Duration::from_secs,Duration::from_millis)», «cap:new(Duration::from_secs,Duration::from_millis)|Duration::from_secs(31536000)»)\n    .jitter(Jitter::«from:-»Bounded)\n    .base(«factor:#»)\n    .build_with_max_retries(«retries»);\n",
        "use retry_policies::{Jitter, policies::ExponentialBackoff};\nuse std::time::Duration;\n\nlet policy = ExponentialBackoff::builder()\n    .retry_bounds(«base:new(Duration::from_secs,Duration::from_millis)», «cap:new(Duration::from_secs,Duration::from_millis)|Duration::from_secs(31536000)»)\n    .jitter(Jitter::«from:-»Bounded)\n    .base(«factor:#»)\n    .build_with_total_retry_duration_and_limit_retries(«allow:new(Duration::from_secs,Duration::from_millis)»);\n",
        "use retry_policies::{Jitter, policies::ExponentialBackoff};\nuse std::time::Duration;\n\nlet policy = ExponentialBackoff::builder()\n    .retry_bounds(«base:new(Duration::from_secs,Duration::from_millis)», «cap:new(Duration::from_secs,Duration::from_millis)|Duration::from_secs(31536000)»)\n    .jitter(Jitter::«from:-»Bounded)\n    .base(«factor:#»)\n    .build_with_total_retry_duration(«allow:new(Duration::from_secs,Duration::from_millis)»);\n",
    ],
    examples: &[
        Example {
            text: "use reqwest_retry::{RetryTransientMiddleware, policies::ExponentialBackoff};\n\nlet policy = ExponentialBackoff::builder()\n    .retry_bounds(Duration::from_millis(250), Duration::from_secs(1))\n    .build_with_max_retries(4);\n",
            waits: &[(0.0, 0.25), (0.0, 0.5), (0.0, 1.0), (0.0, 1.0)],
        },
        Example {
            text: "use retry_policies::{Jitter, policies::ExponentialBackoff};\n\nlet policy = ExponentialBackoff::builder()\n    .retry_bounds(Duration::from_secs(2), Duration::from_secs(20))\n    .jitter(Jitter::None)\n    .base(3)\n    .build_with_max_retries(3);\n",
            waits: &[(2.0, 2.0), (6.0, 6.0), (18.0, 18.0)],
        },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    scan.head_blocks(&["ExponentialBackoff.builder"], &|item| Some(Block::new(item, Certainty::Certain)))
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let (min_ms, max_ms) = bounds(take, item);
    let factor = take.main().number("base").unwrap_or(2.0);
    let jitter = jitter(take, item, min_ms);
    let wait = Wait::new(Backoff::Exponential { base_ms: min_ms, factor }).cap(max_ms).jitter(jitter);
    let mut args = take.main();
    let mut policy = Policy::new(wait, args.count("build_with_max_retries"));
    let (open, limited) =
        (args.time("build_with_total_retry_duration"), args.time("build_with_total_retry_duration_and_limit_retries"));
    if let Some(limit_ms) = open.or(limited) {
        policy.deadline = Some(Deadline { limit_ms, overrun: Overrun::Allow, clock: Clock::Elapsed });
    }
    if let Some(limit_ms) = limited {
        let bare = Policy::new(policy.wait.clone().jitter(Jitter::None), None);
        policy.retries = bare.fixed_waits_within(limit_ms.next_down());
    }
    policy
}

fn bounds<'t>(take: &mut Take<'t>, item: &'t Item) -> (f64, f64) {
    let Some([Arg { value: min, .. }, Arg { value: max, .. }]) = item.call("retry_bounds") else {
        take.default("baseMs", "1 s");
        take.default("capMs", "30 min");
        return (1_000.0, 1_800_000.0);
    };
    let min_ms = take.time("retry_bounds", "baseMs", min, Some(Unit::Second)).unwrap_or(1_000.0);
    let max_ms = take.time("retry_bounds", "capMs", max, Some(Unit::Second)).unwrap_or(1_800_000.0);
    if min_ms > max_ms {
        let message = "The minimum interval of `retry_bounds` is greater than the maximum; the crate panics.";
        take.error("bad-value", min.span.to(max.span), message);
    }
    (min_ms, max_ms)
}

fn jitter(take: &mut Take, item: &Item, min_ms: f64) -> Jitter {
    let chosen = item.call("jitter").and_then(|args| args.first()).map(|arg| &arg.value);
    let Some((value, name)) = chosen.and_then(|v: &Value| Some((v, v.text()?))) else {
        take.default("jitter", "Full");
        return Jitter::Full;
    };
    take.origin("jitter", value.span);
    match name.rsplit("::").next() {
        Some("None") => Jitter::None,
        Some("Bounded") => Jitter::From { min_ms: min_ms / 2.0 },
        _ => Jitter::Full,
    }
}
