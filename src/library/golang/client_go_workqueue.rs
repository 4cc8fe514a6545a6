//! client-go's workqueue: rate limiters for items that fail.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item};
use crate::policy::{Backoff, Phase, Policy, Wait};

/// client-go as of July 2026.
pub static LIBRARY: Library = Library {
    id: "client-go-workqueue",
    title: "client-go workqueue",
    ecosystem: "Go",
    version: "32ce75a7d (2026-07)",
    source: "util/workqueue/default_rate_limiters.go",
    counts: "nothing: an item comes back until it is forgotten",
    formula: "min(maxDelay, baseDelay * 2^(k-1))",
    words: &[
        "workqueue",
        "workqueue.NewItemExponentialFailureRateLimiter",
        "workqueue.NewTypedItemExponentialFailureRateLimiter",
        "workqueue.DefaultControllerRateLimiter",
        "workqueue.DefaultTypedControllerRateLimiter",
        "workqueue.NewItemFastSlowRateLimiter",
        "workqueue.DefaultItemBasedRateLimiter",
    ],
    settings: &[
        Setting::time("baseDelay", "baseMs", Unit::Nanosecond, "5ms").typed().at(0),
        Setting::time("maxDelay", "capMs", Unit::Nanosecond, "1000s").typed().at(1),
        Setting::time("maxDelay", "capMs", Unit::Nanosecond, "").typed().of("limited").at(1),
        Setting::time("fastDelay", "phases", Unit::Nanosecond, "").typed().of("fast-slow").at(0),
        Setting::time("slowDelay", "baseMs", Unit::Nanosecond, "").typed().of("fast-slow").at(1),
        Setting::count("maxFastAttempts", "phases", "0").of("fast-slow").at(2),
    ],
    notes: &[
        "There is no count: an item is retried until the controller forgets it.",
        "The default limiter also holds a token bucket of 10 a second for all items together.",
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
            text: "queue := workqueue.NewRateLimitingQueue(\n\tworkqueue.NewItemExponentialFailureRateLimiter(50*time.Millisecond, 150*time.Millisecond),\n)\n",
            waits: &[(0.05, 0.05), (0.1, 0.1), (0.15, 0.15)],
        },
        Example {
            text: "limiter := workqueue.NewItemFastSlowRateLimiter(time.Second, time.Minute, 2)\n",
            waits: &[(1.0, 1.0), (1.0, 1.0), (60.0, 60.0)],
        },
    ],
};

const EXPONENTIAL: &[&str] =
    &["workqueue.NewItemExponentialFailureRateLimiter", "workqueue.NewTypedItemExponentialFailureRateLimiter"];
const FAST_SLOW: &[&str] = &["workqueue.NewItemFastSlowRateLimiter", "workqueue.NewTypedItemFastSlowRateLimiter"];
/// Around another limiter, with the longest wait.
const LIMITED: &[&str] = &["workqueue.NewWithMaxWaitRateLimiter", "workqueue.NewTypedWithMaxWaitRateLimiter"];
const DEFAULT: &[&str] = &["workqueue.DefaultControllerRateLimiter", "workqueue.DefaultTypedControllerRateLimiter"];
const DEFAULT_ITEM: &[&str] = &["workqueue.DefaultItemBasedRateLimiter", "workqueue.DefaultTypedItemBasedRateLimiter"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let any = |item: &Item| [EXPONENTIAL, FAST_SLOW, DEFAULT, DEFAULT_ITEM].iter().any(|heads| item.is_any(heads));
    let bound = |item: &Item| {
        let mut around = scan.heads(LIMITED).filter(|outer| outer.at(0).is_some_and(|v| v.span == item.span));
        around.next()
    };
    let block = |item| Block { others: bound(item).into_iter().collect(), ..Block::new(item, Certainty::Certain) };
    scan.blocks(&|item| (item.form == Form::Call && any(item)).then(|| block(item)))
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if item.is_any(FAST_SLOW) {
        let mut args = take.of(item, "fast-slow");
        let (fast, slow) = (args.time("fastDelay").unwrap_or(0.0), args.time("slowDelay").unwrap_or(0.0));
        let retries = args.count("maxFastAttempts").unwrap_or(0);
        let constant = |delay_ms| Wait::new(Backoff::Constant { delay_ms });
        let mut policy = Policy::new(constant(slow), None);
        policy.phases = vec![Phase { retries, wait: constant(fast) }];
        return policy;
    }
    let (base_ms, cap_ms) = if item.is_any(EXPONENTIAL) {
        let mut args = take.main();
        (args.time("baseDelay").unwrap_or(5.0), args.time("maxDelay"))
    } else {
        let base = if item.is_any(DEFAULT) { ("5 ms", 5.0) } else { ("1 ms", 1.0) };
        let message = format!("The default limiter is used: {} doubling to 1000 s, without jitter.", base.0);
        take.note("defaults", item.head.span, message);
        take.default("baseMs", base.0);
        take.default("capMs", "1000 s");
        (base.1, Some(1_000_000.0))
    };
    let outer = take.block.others.first().copied();
    let most_ms = outer.and_then(|outer| take.of(outer, "limited").time("maxDelay"));
    let cap_ms = [cap_ms, most_ms].into_iter().flatten().min_by(f64::total_cmp);
    Policy::new(Wait::new(Backoff::Exponential { base_ms, factor: 2.0 }).cap(cap_ms), None)
}
