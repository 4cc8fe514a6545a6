//! retry-axios of npm: `raxConfig` on a request or an instance of axios.

use super::{has_any, map, ms, shaping};
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Crumb, Item, Value};
use crate::policy::{After, Backoff, CapOrder, Jitter, Policy, Wait};
use crate::retry_after::RetryAfter;

/// retry-axios 4, and the two rules before it.
pub static LIBRARY: Library = Library {
    id: "retry-axios",
    title: "retry-axios",
    ecosystem: "JavaScript",
    version: "4.0.3",
    source: "npm package retry-axios: build/src/index.js",
    counts: "retries, the first request not included (retry)",
    formula: "exponential: (2^k - 1) / 2 * retryDelay; static: retryDelay; linear: k * 1000 ms; at most maxRetryDelay",
    words: &["retry-axios", "raxConfig", "backoffType", "rax.attach"],
    settings: &[
        Setting::count("retry", "retries", "3"),
        ms("retryDelay", "baseMs", "100"),
        ms("maxRetryDelay", "capMs", ""),
        shaping("backoffType"),
        shaping("jitter"),
        Setting::other("currentRetryAttempt"),
        Setting::other("retriesRemaining"),
        Setting::other("instance"),
        Setting::other("httpMethodsToRetry"),
        Setting::other("statusCodesToRetry"),
        Setting::other("shouldRetry"),
        Setting::other("onRetryAttempt"),
        Setting::other("onError"),
        Setting::other("checkRetryAfter"),
        Setting::other("maxRetryAfter"),
        Setting::other("noResponseRetries"),
        Setting::other("errors"),
    ],
    notes: &[
        "The first exponential wait is half of retryDelay.",
        "Before release 4 the exponential type took 1000 ms, whatever retryDelay said.",
        "The linear type waits 1, 2, 3 … s, whatever retryDelay says.",
        "Nothing is retried before `attach` was called.",
        "A Retry-After header takes the place of the wait, and ends the retries above maxRetryAfter.",
    ],
    releases: &[CURRENT, LITERAL, FROM_ZERO],
    error_classes: &[],
    relaxed_names: false,
    retry_after: Some((
        RetryAfter::ReplacesOrStops { limit_ms: 300_000.0 },
        "retry-axios 4.0.3, build/src/index.js; by maxRetryAfter",
    )),
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "import axios from 'axios';\nimport * as rax from 'retry-axios';\n\nrax.attach();\nconst page = await axios.get('/orders', {\n  raxConfig: { retry: 4, retryDelay: 500, maxRetryDelay: 3000 },\n});\n",
            waits: &[(0.25, 0.25), (0.75, 0.75), (1.75, 1.75), (3.0, 3.0)],
        },
        Example {
            text: "client.defaults.raxConfig = { retry: 2, retryDelay: 750, backoffType: 'static' };\n",
            waits: &[(0.75, 0.75), (0.75, 0.75)],
        },
    ],
};

const CURRENT: &str = "retry-axios 4";
const LITERAL: &str = "retry-axios 2.6 to 3.2";
const FROM_ZERO: &str = "retry-axios 2.5 and older";
const TYPES: &[&str] = &["exponential", "static", "linear"];
/// After so many doublings a delay is beyond all bounds.
const MOST_DOUBLINGS: u64 = 1_024;

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks: Vec<Block<'d>> = Vec::new();
    for item in scan.items.iter().copied() {
        let keyed = matches!(item.place.last(), Some(Crumb::Key(key)) if key == "raxConfig");
        let given = item.get("raxConfig").or_else(|| item.get("defaults.raxConfig")).and_then(map);
        let typed = item.get("backoffType").and_then(Value::text).is_some_and(|kind| TYPES.contains(&kind));
        let (block, certainty) = match given {
            Some(given) => (given, Certainty::Certain),
            None if item.head.text.is_empty() && keyed => (item, Certainty::Certain),
            None if typed && has_any(item, &["retry", "retryDelay"]) => (item, Certainty::Likely),
            None => continue,
        };
        if !blocks.iter().any(|b| b.span.overlaps(block.span)) {
            blocks.push(Block::new(block, certainty));
        }
    }
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let release = take.release;
    let written = has_any(item, &["retry", "retryDelay", "maxRetryDelay", "backoffType", "jitter"]);
    if !written {
        take.note("defaults", item.span, "Nothing about waits is written here: 3 retries, after 50, 150 and 350 ms.");
    }
    let mut args = take.main();
    args.unknown_names("an option of `raxConfig`", "it is ignored");
    let retries = args.count("retry");
    let retry_ms = args.time("retryDelay").unwrap_or(100.0);
    let kind = kind(&mut args);
    let older = release != CURRENT;
    // Up to release 2.5 the count stood at 0 before the first wait.
    let before = u64::from(release == FROM_ZERO);
    let wait = match kind {
        "static" => Wait::new(Backoff::Constant { delay_ms: retry_ms }),
        "linear" => Wait::new(Backoff::Linear { base_ms: 1_000.0 * (1 - before) as f64, increment_ms: 1_000.0 }),
        _ => exponential(&mut args, if older { 1_000.0 } else { retry_ms }, before, retries).jitter(if older {
            Jitter::None
        } else {
            jitter(item)
        }),
    };
    said(&mut args, kind, older, retry_ms);
    let mut cap_ms = args.time("maxRetryDelay");
    if let Some(value) = args.value("maxRetryDelay").filter(|_| release == FROM_ZERO) {
        cap_ms = None;
        args.take.warning("no-effect", value.span, "`maxRetryDelay` came with release 2.6; before, no wait is cut.");
    }
    Policy::new(wait.cap(cap_ms).cap_order(CapOrder::AfterJitter), retries)
}

/// `backoffType`; another word counts as exponential.
fn kind(args: &mut Args) -> &'static str {
    let Some(value) = args.value("backoffType").filter(|value| !value.is_null()) else {
        args.take.default("backoff", "exponential");
        return "exponential";
    };
    args.take.origin("backoff", value.span);
    let found = TYPES.iter().copied().find(|kind| value.text() == Some(kind));
    if found.is_none() && !value.is_undefined() {
        args.take.refuse("backoffType", value, "must be exponential, static or linear; exponential is used");
    }
    found.unwrap_or("exponential")
}

/// `(2^n - 1) / 2 * base`, n from 1, or from 0 where the count began there.
fn exponential(args: &mut Args, base_ms: f64, before: u64, retries: Option<u64>) -> Wait {
    if let Some(value) = args.value("jitter") {
        args.take.origin("jitter", value.span);
    }
    let ks = 1..=retries.unwrap_or(MOST_DOUBLINGS).clamp(1, MOST_DOUBLINGS);
    let delays_ms = ks.map(|k| (libm::exp2((k - before) as f64) - 1.0) / 2.0 * base_ms).collect();
    Wait::new(Backoff::List { delays_ms, after: After::RepeatLast })
}

/// Anything but these two words counts as no jitter.
fn jitter(item: &Item) -> Jitter {
    match item.get("jitter").and_then(Value::text) {
        Some("full") => Jitter::Full,
        Some("equal") => Jitter::Equal,
        _ => Jitter::None,
    }
}

/// What the type does with `retryDelay`.
fn said(args: &mut Args, kind: &str, older: bool, retry_ms: f64) {
    let Some(value) = args.value("retryDelay") else { return };
    let half = crate::format::written(retry_ms / 2.0, " ");
    let message = match kind {
        "linear" => "`retryDelay` has no effect on the linear type, which waits 1 s longer each time.".into(),
        "exponential" if older => {
            "Before release 4 `retryDelay` was ignored by the exponential type, which took 1000 ms.".into()
        }
        "exponential" => format!(
            "The first exponential wait is half of `retryDelay`, {half}; before release 4 `retryDelay` was ignored here."
        ),
        _ => return,
    };
    args.take.note("first-half", value.span, message);
}
