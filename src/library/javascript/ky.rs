//! ky: the `retry` option of `ky.create`, `ky.extend` and single requests.

use super::strategy::{self, Inputs};
use super::{CLIENT, NOTHING, belongs, claim_alone, has_any, in_retry, map, ms, options, written_calls};
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Value};
use crate::policy::{Backoff, CapOrder, Jitter, Policy, Wait};
use crate::retry_after::RetryAfter;

/// ky 1.
pub static LIBRARY: Library = Library {
    id: "ky",
    title: "ky",
    ecosystem: "JavaScript",
    version: "1.14.3",
    source: "npm package ky: distribution/core/Ky.js, distribution/utils/normalize.js",
    counts: "retries, the first request not included (retry.limit)",
    formula: "min(300 * 2^(k-1), backoffLimit); with jitter: true min(U[0, 300 * 2^(k-1)), backoffLimit)",
    words: &["ky", "ky.create", "ky.extend", "backoffLimit"],
    settings: &[
        Setting::count("limit", "retries", "2"),
        ms("backoffLimit", "capMs", ""),
        super::shaping("delay"),
        super::shaping("jitter"),
        Setting::other("methods"),
        Setting::other("statusCodes"),
        Setting::other("afterStatusCodes"),
        Setting::other("maxRetryAfter"),
        Setting::other("retryOnTimeout"),
        Setting::other("shouldRetry"),
        ms("timeout", "attemptTimeoutMs", "10000").of(CLIENT),
        Setting::other("retry").of(CLIENT),
    ],
    notes: &[
        "The first wait is 300 ms and every further one twice that, unless delay is a function of its own.",
        "backoffLimit acts after the jitter.",
        "timeout bounds each attempt in the code, although the documentation speaks of all of them together.",
        "POST and PATCH are not retried unless methods names them.",
        "A Retry-After header of 413, 429 and 503 replaces the wait.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: Some((RetryAfter::Replaces { limit_ms: None }, "ky 1.14.3, core/Ky.js; for 413, 429 and 503")),
    find,
    read,
    write: &[
        "import ky from \"ky\";\n\nconst client = ky.create({\n  timeout: «timeout|false»,\n  retry: {\n    limit: «retries»,\n    backoffLimit: «cap|Infinity»,\n    delay: (attemptCount) => «*»,\n    jitter: «full?true:false»,\n  },\n});\n",
        "«delay»",
        "«base» * «factor» ** (attemptCount - 1)",
        "«base» + «increment» * (attemptCount - 1)",
        "[«delays»][attemptCount - 1]",
    ],
    examples: &[
        Example {
            text: "import ky from 'ky';\n\nexport const api = ky.create({\n  prefixUrl: 'https://api.example.com',\n  retry: { limit: 4, methods: ['get', 'put'], backoffLimit: 2000 },\n});\n",
            waits: &[(0.3, 0.3), (0.6, 0.6), (1.2, 1.2), (2.0, 2.0)],
        },
        Example {
            text: "import ky from 'ky';\n\nconst client = ky.extend({ retry: { limit: 3, jitter: true } });\n",
            waits: &[(0.0, 0.3), (0.0, 0.6), (0.0, 1.2)],
        },
    ],
};

const PACKAGES: &[&str] = &["ky"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks = Vec::new();
    for item in written_calls(scan) {
        if belongs(item, PACKAGES) && given(item).is_some_and(|given| given.get("retry").is_some()) {
            blocks.push(Block::new(item, Certainty::Certain));
        }
    }
    let own = |item: &Item| {
        in_retry(item) && has_any(item, &["limit"]) && has_any(item, &["retryOnTimeout", "afterStatusCodes"])
    };
    claim_alone(scan, &mut blocks, own, Certainty::Likely);
    let shared = |item: &Item| {
        (in_retry(item) || has_any(item, &["limit"]))
            && has_any(item, &["backoffLimit"])
            && !has_any(item, &["calculateDelay", "noise"])
    };
    claim_alone(scan, &mut blocks, shared, Certainty::Possible);
    super::claim_default_client(scan, &mut blocks, PACKAGES);
    blocks
}

/// The options of a call: after the address, or alone.
fn given(item: &Item) -> Option<&Item> {
    [item.at(1), item.at(0)].into_iter().flatten().find_map(map)
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let client = if belongs(item, PACKAGES) { given(item) } else { None };
    let retry = client.and_then(|client| client.get("retry"));
    let defaults = "2 retries, after 300 ms and 600 ms.";
    let mut policy = match retry.filter(|value| value.number().is_some()) {
        Some(value) => number(take, value),
        None if item.form == Form::Map => policy(&mut take.main()),
        None => policy(&mut options(take, retry, "", defaults)),
    };
    policy.attempt_timeout_ms = timeout(take, client);
    policy
}

/// `retry: 4` is `retry: { limit: 4 }`.
fn number(take: &mut Take, value: &Value) -> Policy {
    let limit = take.number("retry", "retries", value).unwrap_or(2.0);
    if limit < 0.0 {
        take.refuse("retry", value, "is negative: there is no retry");
    }
    let limit = limit.is_finite().then_some(limit.max(0.0) as u64);
    take.default("baseMs", "300 ms");
    take.default("factor", "2");
    Policy::new(curve(), limit)
}

fn curve() -> Wait {
    Wait::new(Backoff::Exponential { base_ms: 300.0, factor: 2.0 })
}

/// `timeout: false` is no bound.
fn timeout<'t>(take: &mut Take<'t>, client: Option<&'t Item>) -> Option<f64> {
    let item = client.unwrap_or(&NOTHING);
    let mut args = take.of(item, CLIENT);
    match args.value("timeout").filter(|value| value.flag() == Some(false)) {
        Some(value) => {
            args.take.origin("attemptTimeoutMs", value.span);
            None
        }
        None => args.time("timeout").filter(|ms| ms.is_finite()),
    }
}

fn policy(args: &mut Args) -> Policy {
    args.unknown_names("a retry option of `ky`", "it is ignored");
    for name in ["methods", "statusCodes", "afterStatusCodes"] {
        if let Some(value) = args.value(name).filter(|v| v.list().is_none() && !v.is_undefined() && !v.is_null()) {
            args.take.refuse(&format!("retry.{name}"), value, "must be an array: `ky` throws");
        }
    }
    let limit = args.count("limit");
    let cap_ms = args.time("backoffLimit").filter(|ms| ms.is_finite());
    let mut policy = match args.value("delay").filter(|value| !value.is_null()) {
        None => {
            args.take.default("baseMs", "300 ms");
            args.take.default("factor", "2");
            Policy::new(curve(), limit)
        }
        Some(value) => match value.fun() {
            Some(fun) => {
                args.take.origin("backoff", value.span);
                strategy::policy(args.take, "delay", fun, Inputs::positional(|k| vec![k as f64]), limit)
            }
            None => strategy::not_a_function(args.take, "retry.delay", value, limit),
        },
    };
    policy.wait = capped(jitter(args, policy.wait, limit), cap_ms);
    policy
}

/// `backoffLimit` acts on the drawn wait; on one without chance before or after are the same.
fn capped(wait: Wait, limit_ms: Option<f64>) -> Wait {
    let Some(limit_ms) = limit_ms else { return wait };
    let cap_ms = wait.cap_ms.map_or(limit_ms, |own| own.min(limit_ms));
    let order = if wait.jitter.is_none() { CapOrder::BeforeJitter } else { CapOrder::AfterJitter };
    wait.cap(cap_ms).cap_order(order)
}

/// `jitter: true` draws between 0 and the delay; a function of the delay has waits of its own.
fn jitter(args: &mut Args, wait: Wait, retries: Option<u64>) -> Wait {
    let Some(value) = args.value("jitter").filter(|value| !value.is_null()) else { return wait };
    args.take.origin("jitter", value.span);
    match value.flag() {
        Some(true) => wait.jitter(Jitter::Full),
        Some(false) => wait,
        None if value.fun().is_some() && wait.is_fixed() => {
            let delay = move |k| vec![wait.backoff.delay_ms(k)];
            let fun = value.fun().expect("just asked");
            strategy::policy(args.take, "jitter", fun, Inputs::positional(delay), retries).wait
        }
        None if value.fun().is_some() => {
            args.take.unknown.push("jitter");
            let message = "`jitter` is a function of the delay; the waits below are those without it.";
            args.take.note("unknown-value", value.span, message);
            wait
        }
        None => {
            args.take.refuse("retry.jitter", value, "must be true or a function");
            wait
        }
    }
}
