//! got: the `retry` object of `got`, `got.extend` and single requests.

use super::strategy::{self, Inputs};
use super::{belongs, claim_alone, has_any, in_retry, map, ms, options, written_calls};
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::formula::Spread;
use crate::notation::{Form, Item, Value};
use crate::policy::{Backoff, Jitter, Policy, Wait};
use crate::retry_after::RetryAfter;

/// got 14.
pub static LIBRARY: Library = Library {
    id: "got",
    title: "got",
    ecosystem: "JavaScript",
    version: "14.6.6",
    source: "npm package got: dist/source/core/calculate-retry-delay.js, dist/source/core/options.js",
    counts: "retries, the first request not included (retry.limit)",
    formula: "min(1000 * 2^(k-1), backoffLimit) + U[0, noise)",
    words: &["got", "backoffLimit", "calculateDelay"],
    settings: &[
        Setting::other("retry").of(super::CLIENT),
        Setting::count("limit", "retries", "2"),
        ms("backoffLimit", "capMs", ""),
        Setting::number("noise", "jitter", "100"),
        super::shaping("calculateDelay"),
        Setting::flag("enforceRetryRules", "", "false"),
        Setting::other("methods"),
        Setting::other("statusCodes"),
        Setting::other("errorCodes"),
        Setting::other("maxRetryAfter"),
        ms("request", "attemptTimeoutMs", "").of(TIMEOUT),
    ],
    notes: &[
        "The first wait is 1 s and every further one twice that: neither can be set but by calculateDelay.",
        "noise is added after backoffLimit has acted.",
        "calculateDelay ends the retrying by giving 0; one that never does ignores limit, unless enforceRetryRules is set.",
        "POST and PATCH are not retried unless methods names them.",
        "retry is an object; a number was allowed up to release 11.",
        "A Retry-After header replaces the wait.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: Some((
        RetryAfter::Replaces { limit_ms: None },
        "got 14.6.6, core/calculate-retry-delay.js; above maxRetryAfter or timeout.request there is no retry",
    )),
    find,
    read,
    write: &[
        "import got from \"got\";\n\nconst client = got.extend({\n‹  timeout: { request: «timeout» },\n›  retry: {\n    limit: «retries|Infinity»,\n    «*»,\n  },\n});\n",
        "backoffLimit: «cap|Infinity»,\n    noise: «most»«factor:-»",
        "calculateDelay: ({ attemptCount, computedValue }) =>\n      computedValue && «delay»",
        "calculateDelay: ({ attemptCount, computedValue }) =>\n      computedValue && Math.min(«base» * «factor» ** (attemptCount - 1), «cap»)",
        "calculateDelay: ({ attemptCount, computedValue }) =>\n      computedValue && («base» * «factor» ** (attemptCount - 1))",
        "calculateDelay: ({ attemptCount, computedValue }) =>\n      computedValue && («full»Math.random() * Math.min(«base» * «factor» ** (attemptCount - 1), «cap»))",
        "calculateDelay: ({ attemptCount, computedValue }) =>\n      computedValue && («full»Math.random() * «base» * «factor» ** (attemptCount - 1))",
        "calculateDelay: ({ attemptCount, computedValue }) =>\n      computedValue && Math.min(«base» + «increment» * (attemptCount - 1), «cap»)",
        "calculateDelay: ({ attemptCount, computedValue }) =>\n      computedValue && («base» + «increment» * (attemptCount - 1))",
        "backoffLimit: «cap|Infinity»,\n    noise: «least»«factor:-»",
        "noise: «most*1000/base»,\n    calculateDelay: ({ computedValue }) => computedValue * «base/1000»«factor:-»",
    ],
    examples: &[
        Example {
            text: "import got from 'got';\n\nexport const api = got.extend({\n  prefixUrl: 'https://api.example.com',\n  timeout: { request: 5000 },\n  retry: { limit: 4, backoffLimit: 3000, noise: 50 },\n});\n",
            waits: &[(1.0, 1.05), (2.0, 2.05), (3.0, 3.05), (3.0, 3.05)],
        },
        Example {
            text: "import got from 'got';\n\nconst page = await got('https://example.com/feed', {\n  retry: {\n    limit: 3,\n    calculateDelay: ({ computedValue }) => computedValue / 10,\n  },\n}).text();\n",
            waits: &[(0.1, 0.11), (0.2, 0.21), (0.4, 0.41)],
        },
    ],
};

const PACKAGES: &[&str] = &["got"];
const TIMEOUT: &str = "timeout";
/// Keys of a retry object that people write beside it.
const MISPLACED: &[&str] = &["limit", "backoffLimit", "calculateDelay", "noise"];
/// Keys of a retry object that this library has and ky has not.
const OWN: &[&str] = &["calculateDelay", "noise", "maxRetryAfter", "enforceRetryRules", "errorCodes"];
/// The most that `noise` may be, ms, either way.
const MOST_NOISE_MS: f64 = 100.0;

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks = Vec::new();
    for item in written_calls(scan) {
        let named = belongs(item, PACKAGES);
        if named && given(item).is_some_and(|given| given.get("retry").is_some() || has_any(given, MISPLACED)) {
            blocks.push(Block::new(item, Certainty::Certain));
        }
    }
    claim_alone(scan, &mut blocks, |item| in_retry(item) && has_any(item, OWN), Certainty::Likely);
    let shared = |item: &Item| {
        (in_retry(item) || has_any(item, &["limit"]))
            && has_any(item, &["backoffLimit"])
            && !has_any(item, &["delay", "jitter"])
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
    let alone = item.form == Form::Map;
    let retry = client.and_then(|client| take.of(client, super::CLIENT).value("retry"));
    for name in MISPLACED {
        let Some(value) = client.and_then(|client| client.get(name)) else { continue };
        let message = format!("`{name}` is not an option of `got`: it throws.");
        take.error("unknown-key", value.span, message).help = format!("It belongs into `retry: {{ {name}: … }}`.");
    }
    let defaults = "2 retries, after 1 to 1.1 s and 2 to 2.1 s.";
    if let Some(value) = retry.filter(|value| value.number().is_some()) {
        let what = "must be an object: since release 12 `got` throws a TypeError for a number";
        take.refuse("retry", value, what);
        return policy(&mut take.of(item, ""));
    }
    let mut policy = match alone {
        true => {
            let mut args = take.main();
            policy(&mut args)
        }
        false => policy(&mut options(take, retry, "", defaults)),
    };
    if let Some(timeout) = client.and_then(|client| client.get("timeout")).and_then(map) {
        policy.attempt_timeout_ms = take.of(timeout, TIMEOUT).time("request").filter(|ms| ms.is_finite());
    }
    policy
}

fn policy(args: &mut Args) -> Policy {
    args.unknown_names("a retry option of `got`", "it throws");
    let limit = args.count("limit");
    let cap_ms = args.time("backoffLimit").filter(|ms| ms.is_finite());
    let noise_ms = noise(args);
    let enforced = args.flag("enforceRetryRules");
    let curve = Wait::new(Backoff::Exponential { base_ms: 1_000.0, factor: 2.0 }).cap(cap_ms);
    let wait = match noise_ms {
        0.0 => curve,
        noise => curve.jitter(Jitter::Additive { min_ms: noise.min(0.0), max_ms: noise.max(0.0) }),
    };
    args.take.default("baseMs", "1000 ms");
    args.take.default("factor", "2");
    let computed = Policy::new(wait, limit);
    match args.value("calculateDelay").filter(|value| !value.is_null()) {
        None => computed,
        Some(value) => calculated(args, value, computed, enforced),
    }
}

/// The waits of `calculateDelay`, which sees what would be waited without it and ends the retrying by 0.
fn calculated(args: &mut Args, value: &Value, computed: Policy, enforced: bool) -> Policy {
    let Some(fun) = value.fun() else {
        return strategy::not_a_function(args.take, "calculateDelay", value, computed.retries);
    };
    args.take.origin("backoff", value.span);
    let limit = computed.retries;
    let inputs = Inputs::named(move |k| {
        let within = limit.is_none_or(|n| k <= n);
        let law = computed.wait.law(k, None);
        let computed = if within { Spread::even(law.min_ms(), law.max_ms()) } else { Spread::fixed(0.0) };
        let limit = Spread::fixed(limit.map_or(f64::INFINITY, |n| n as f64));
        vec![("attemptCount", Spread::fixed(k as f64)), ("computedValue", computed), ("limit", limit)]
    })
    .zero_stops();
    let retries = if enforced { limit } else { None };
    let policy = strategy::policy(args.take, "calculateDelay", fun, inputs, retries);
    if let (None, Some(limit), Some(value)) = (policy.retries, limit, args.value("limit")) {
        let message =
            format!("`calculateDelay` never gives 0, so `limit: {limit}` is not kept: it retries without end.");
        let help = "Give 0 to stop, build on `computedValue`, or set `enforceRetryRules: true`.";
        args.take.warning("no-effect", value.span, message).help = help.into();
    }
    policy
}

fn noise(args: &mut Args) -> f64 {
    let noise = args.number("noise").unwrap_or(MOST_NOISE_MS);
    match args.value("noise").filter(|_| noise.abs() > MOST_NOISE_MS) {
        Some(value) => {
            args.take.refuse("noise", value, "must be between -100 and 100: `got` throws");
            MOST_NOISE_MS
        }
        None => noise,
    }
}
