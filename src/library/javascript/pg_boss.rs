//! pg-boss: a job's or a queue's `retryLimit`, `retryDelay`, `retryBackoff` and `retryDelayMax`.

use super::{Called, belongs, has_any, map, methods, options};
use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Item, Kind, Value};
use crate::policy::{Backoff, CapOrder, Jitter, Phase, Policy, Wait};

/// pg-boss 12.
pub static LIBRARY: Library = Library {
    id: "pg-boss",
    title: "pg-boss",
    ecosystem: "JavaScript",
    version: "12.38.0",
    source: "npm package pg-boss: dist/plans.js, dist/attorney.js",
    counts: "retries, the first run not included (retryLimit)",
    formula: "retryDelay; with retryBackoff min(retryDelayMax, max(retryDelay, 1) * 2^(min(k, 16) - 1) * U[1, 2))",
    words: &[
        "pg-boss",
        "boss.send",
        "boss.createQueue",
        "retryLimit",
        "retryBackoff",
        "retryDelayMax",
        "PgBoss",
        "boss",
    ],
    settings: &[
        Setting::count("retryLimit", "retries", "2"),
        Setting::time("retryDelay", "baseMs", Unit::Second, "0").plain(),
        Setting::flag("retryBackoff", "jitter", "false"),
        Setting::time("retryDelayMax", "capMs", Unit::Second, "").plain(),
        Setting::time("expireInSeconds", "attemptTimeoutMs", Unit::Second, "900").plain(),
    ],
    notes: &[
        "Times are whole seconds.",
        "retryBackoff doubles and adds chance: each wait is between the doubled delay and twice that.",
        "With retryBackoff a retryDelay of 0 counts as 1 s.",
        "retryDelayMax acts after the chance and is only allowed together with retryBackoff.",
        "Workers poll every 2 s unless told otherwise, which comes on top.",
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
            text: "await boss.send('resize-image', { key: upload.key }, {\n  retryLimit: 4,\n  retryDelay: 5,\n  retryBackoff: true,\n  retryDelayMax: 60,\n});\n",
            waits: &[(5.0, 10.0), (10.0, 20.0), (20.0, 40.0), (40.0, 60.0)],
        },
        Example {
            text: "import { PgBoss } from 'pg-boss';\n\nawait boss.createQueue('mail', { retryLimit: 3, retryDelay: 20 });\n",
            waits: &[(20.0, 20.0), (20.0, 20.0), (20.0, 20.0)],
        },
    ],
};

const PACKAGES: &[&str] = &["pg-boss"];
/// Options that nobody else has; `retryLimit` and `retryDelay` are common words.
const OWN: &[&str] = &["retryBackoff", "retryDelayMax"];
const SHARED: &[&str] = &["retryLimit", "retryDelay"];
const METHODS: &[&str] =
    &["send", "sendAfter", "sendThrottled", "sendDebounced", "schedule", "createQueue", "updateQueue", "upsert"];
/// After so many retries the growth ends.
const DOUBLINGS: u64 = 15;

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let imported = scan.imports(PACKAGES);
    let mut blocks = Vec::new();
    for called in methods(scan, METHODS) {
        let given = given(&called).and_then(map);
        let own = given.is_some_and(|given| has_any(given, OWN));
        let shared = given.is_some_and(|given| has_any(given, SHARED));
        let on_boss = belongs(called.item, PACKAGES) || called.is(&format!("boss.{}", called.name()));
        let label = queue(&called);
        if own || ((imported || on_boss) && shared) {
            blocks.push(called.block(Certainty::Certain, label));
        } else if on_boss && called.name() == "send" && !label.is_empty() && (imported || called.at(1).is_some()) {
            blocks.push(called.block(Certainty::Likely, label));
        }
    }
    super::claim_alone(scan, &mut blocks, |item| has_any(item, OWN), Certainty::Certain);
    let both = |item: &Item| SHARED.iter().all(|name| item.get(name).is_some());
    super::claim_alone(scan, &mut blocks, both, Certainty::Likely);
    blocks
}

/// The queue's name, as the label.
fn queue<'d>(called: &Called<'d>) -> &'d str {
    let first = called.at(0).filter(|value| matches!(value.kind, Kind::Text { .. }));
    first.or_else(|| map(called.at(0)?)?.get("name")).and_then(Value::text).unwrap_or_default()
}

/// The options of a call: the map after the queue's name and the data, or `options` of a job given as one map.
fn given<'d>(called: &Called<'d>) -> Option<&'d Value> {
    match (called.at(0).and_then(map), called.name()) {
        (Some(job), _) => job.get("options"),
        (None, "createQueue" | "updateQueue") => called.at(1),
        (None, "schedule") => called.at(3),
        (None, _) => called.at(2),
    }
}

fn read(take: &mut Take) -> Policy {
    let called = Called::of(&take.block);
    let defaults = "2 retries, each at once.";
    let mut args = match called.item.head.text.as_str() {
        "" => take.main(),
        _ => options(take, given(&called), "", defaults),
    };
    let retries = args.count("retryLimit");
    let delay_ms = seconds(&mut args, "retryDelay").unwrap_or(0.0);
    let grows = args.flag("retryBackoff");
    let cap_ms = seconds(&mut args, "retryDelayMax");
    if let Some(value) = args.value("retryDelayMax").filter(|value| !grows && !value.is_null()) {
        let message = "`retryDelayMax` can only be set if `retryBackoff` is true: `pg-boss` throws.";
        args.take.error("no-effect", value.span, message).help = "Add `retryBackoff: true`.".into();
    }
    args.unknown_retry_names("an option of `pg-boss`", "it is ignored");
    let timeout_ms = args.time("expireInSeconds");
    let mut policy = match grows {
        true => growing(delay_ms.max(1_000.0), cap_ms, retries),
        false => Policy::new(Wait::new(Backoff::Constant { delay_ms }), retries),
    };
    policy.attempt_timeout_ms = timeout_ms;
    policy
}

/// Doubled and stretched by chance up to twice; from the 16th retry on the doubling rests.
fn growing(base_ms: f64, cap_ms: Option<f64>, retries: Option<u64>) -> Policy {
    let stretched = |backoff| {
        let wait = Wait::new(backoff).jitter(Jitter::Proportional { below: 0.0, above: 1.0 });
        wait.cap(cap_ms).cap_order(CapOrder::AfterJitter)
    };
    let doubling = stretched(Backoff::Exponential { base_ms, factor: 2.0 });
    let top_ms = base_ms * libm::exp2(DOUBLINGS as f64);
    let reaches = retries.is_none_or(|n| n > DOUBLINGS + 1) && cap_ms.is_none_or(|cap| cap > top_ms);
    if !reaches {
        return Policy::new(doubling, retries);
    }
    let mut policy = Policy::new(stretched(Backoff::Constant { delay_ms: top_ms }), retries);
    policy.phases = vec![Phase { retries: DOUBLINGS, wait: doubling }];
    policy
}

/// A time in whole seconds; a fraction is refused.
fn seconds(args: &mut Args, name: &str) -> Option<f64> {
    let ms = args.time(name)?;
    match args.value(name).filter(|_| ms % 1_000.0 != 0.0) {
        Some(value) => {
            args.take.refuse(name, value, "must be a whole number of seconds, 0 or more: `pg-boss` throws");
            None
        }
        None => Some(ms),
    }
}
