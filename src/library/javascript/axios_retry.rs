//! axios-retry: `axiosRetry(client, { retries, retryDelay })`.

use super::strategy::{self, Inputs};
use super::{calls, has_any, map, options};
use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Item, Kind, Name, Value};
use crate::policy::{Backoff, Jitter, Policy, Wait};
use crate::retry_after::RetryAfter;

/// axios-retry 4.
pub static LIBRARY: Library = Library {
    id: "axios-retry",
    title: "axios-retry",
    ecosystem: "JavaScript",
    version: "4.5.0",
    source: "npm package axios-retry: dist/esm/index.js",
    counts: "retries, the first request not included (retries)",
    formula: "none unless retryDelay is given; exponentialDelay: 2^k * 100 ms * U[1, 1.2); linearDelay: k * 100 ms",
    words: &["axios-retry", "axiosRetry", "exponentialDelay", "linearDelay", "shouldResetTimeout"],
    settings: &[
        Setting::count("retries", "retries", "3"),
        super::shaping("retryDelay"),
        Setting::flag("shouldResetTimeout", "", "false"),
        Setting::other("retryCondition"),
        Setting::other("onRetry"),
        Setting::other("onMaxRetryTimesExceeded"),
        Setting::other("validateResponse"),
    ],
    notes: &[
        "Without retryDelay every retry comes at once.",
        "exponentialDelay starts at 200 ms, twice its factor, and adds up to 20 %; it has no cap.",
        "Without shouldResetTimeout the timeout of axios is a budget for all attempts together.",
        "Only network errors, 5xx and 429 of idempotent methods are retried unless retryCondition says otherwise.",
        "A longer Retry-After header raises the wait.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: Some((RetryAfter::Floors, "axios-retry 4.5.0, dist/esm/index.js")),
    find,
    read,
    write: &[
        "import axios from \"axios\";\nimport axiosRetry from \"axios-retry\";\n\naxiosRetry(axios, {\n  retries: «retries|Infinity»,\n  retryDelay: (retryCount, error) => «*»,\n});\n",
        "«delay»",
        "Math.min(«base» * «factor» ** (retryCount - 1), «cap»)",
        "«base» * «factor» ** (retryCount - 1)",
        "«full»Math.random() * Math.min(«base» * «factor» ** (retryCount - 1), «cap»)",
        "«full»Math.random() * «base» * «factor» ** (retryCount - 1)",
        "Math.min(«base» + «increment» * (retryCount - 1), «cap»)",
        "«base» + «increment» * (retryCount - 1)",
        "axiosRetry.exponentialDelay(retryCount, error, «base/2»)«factor:-»",
        "[«delays»][retryCount - 1]",
    ],
    examples: &[
        Example {
            text: "import axios from 'axios';\nimport axiosRetry from 'axios-retry';\n\nexport const api = axios.create({ baseURL: 'https://api.example.com' });\n\naxiosRetry(api, {\n  retries: 4,\n  retryDelay: axiosRetry.exponentialDelay,\n  shouldResetTimeout: true,\n});\n",
            waits: &[(0.2, 0.24), (0.4, 0.48), (0.8, 0.96), (1.6, 1.92)],
        },
        Example {
            text: "import axiosRetry from 'axios-retry';\n\naxiosRetry(client, { retries: 3, retryDelay: (retryCount) => retryCount * 1500 });\n",
            waits: &[(1.5, 1.5), (3.0, 3.0), (4.5, 4.5)],
        },
    ],
};

const PACKAGES: &[&str] = &["axios-retry"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks = Vec::new();
    for (item, imported) in calls(scan, PACKAGES, &["axiosRetry"]) {
        let written = item.at(1).and_then(map).is_some_and(|given| has_any(given, &["retries", "retryDelay"]));
        if imported || written {
            blocks.push(Block::new(item, Certainty::Certain));
        }
    }
    let request = |item: &Item| {
        item.place.last() == Some(&crate::notation::Crumb::Key("axios-retry".into())) && item.head.text.is_empty()
    };
    super::claim_alone(scan, &mut blocks, request, Certainty::Certain);
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let mut args = match item.head.text.as_str() {
        "" => take.main(),
        _ => options(take, item.at(1), "", "3 retries, each at once."),
    };
    args.unknown_names("an option of `axios-retry`", "it is ignored");
    let retries = args.count("retries");
    let delay = args.value("retryDelay").filter(|value| !value.is_null());
    match delay {
        Some(value) => waits(&mut args, value, retries),
        None => {
            args.take.default("delayMs", "no delay");
            Policy::new(Wait::new(Backoff::Constant { delay_ms: 0.0 }), retries)
        }
    }
}

fn waits<'t>(args: &mut Args<'_, 't>, value: &'t Value, retries: Option<u64>) -> Policy {
    let take = &mut *args.take;
    take.origin("backoff", value.span);
    let helper = |take: &mut Take, item: &Item, at: usize| {
        let factor = item.at(at).and_then(|v| take.time("delayFactor", "baseMs", v, Some(Unit::Millisecond)));
        factor.unwrap_or(100.0)
    };
    match &value.kind {
        Kind::Fun(fun) => match strategy::only_call(fun).filter(|item| item.is("exponentialDelay")) {
            Some(item) => {
                // All that the function is given, `...args`, stands for the number and the error.
                let spread = item.at(0).is_some_and(|v| matches!(&v.kind, Kind::Op(op, _) if op == ".."));
                let factor_ms = helper(take, item, if spread { 1 } else { 2 });
                Policy::new(exponential(factor_ms), retries)
            }
            None => {
                let fun = strategy::with_calls(fun, &mut exponential_value);
                strategy::policy(take, "retryDelay", &fun, Inputs::positional(|k| vec![k as f64]), retries)
            }
        },
        Kind::Word(word) if word.ends_with("exponentialDelay") => {
            take.default("baseMs", "100 ms, doubled before the first retry");
            Policy::new(exponential(100.0), retries)
        }
        Kind::Item(item) if item.is("linearDelay") => {
            let factor_ms = helper(take, item, 0);
            Policy::new(Wait::new(Backoff::Linear { base_ms: factor_ms, increment_ms: factor_ms }), retries)
        }
        _ => strategy::not_a_function(take, "retryDelay", value, retries),
    }
}

/// `exponentialDelay`: twice the factor first, then doubled, up to a fifth longer.
fn exponential(factor_ms: f64) -> Wait {
    let curve = Wait::new(Backoff::Exponential { base_ms: 2.0 * factor_ms, factor: 2.0 });
    curve.jitter(Jitter::Proportional { below: 0.0, above: 0.2 })
}

/// `exponentialDelay(n, error, factor)` inside a larger expression: `2 ** n * factor * (1 + 0.2 * Math.random())`.
fn exponential_value(item: &Item) -> Option<Value> {
    let value = |kind: Kind| Value::new(kind, item.span);
    let number = |n: f64| value(Kind::Number { value: n, suffix: String::new() });
    let op = |op: &str, parts: Vec<Value>| value(Kind::Op(op.to_string(), parts));
    if !item.is("exponentialDelay") {
        return None;
    }
    let factor = item.at(2).cloned().unwrap_or(number(100.0));
    let random = Item { head: Name { text: "Math.random".into(), span: item.span }, ..Item::default() };
    let random = value(Kind::Item(Box::new(random)));
    let stretch = op("+", vec![number(1.0), op("*", vec![number(0.2), random])]);
    let growth = op("**", vec![number(2.0), item.at(0)?.clone()]);
    Some(op("*", vec![op("*", vec![growth, factor]), stretch]))
}
