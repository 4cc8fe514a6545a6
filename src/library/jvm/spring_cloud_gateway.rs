//! Spring Cloud Gateway: the Retry filter of a route.

use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Crumb, Item, Statement, Value};
use crate::policy::{Backoff, CapOrder, Clock, Deadline, Jitter, Overrun, Policy, Wait};

/// Spring Cloud Gateway 5.
pub static LIBRARY: Library = Library {
    id: "spring-cloud-gateway",
    title: "Spring Cloud Gateway",
    ecosystem: "Java",
    version: "5.0.4-SNAPSHOT (5227205c7, 2026-08)",
    source: "RetryGatewayFilterFactory.java; reactor-addons Backoff.java, RandomJitter.java",
    counts: "retries (retries)",
    formula: "min(maxBackoff, firstBackoff * factor^(k-1)), no wait without a backoff",
    words: &["firstBackoff", "basedOnPreviousValue", "predicates", "maxBackoff", "Retry", "filters", "setRetries"],
    settings: &[
        Setting::count("retries", "retries", "3"),
        Setting::other("statuses"),
        Setting::other("series"),
        Setting::other("methods"),
        Setting::other("exceptions"),
        Setting::other("cacheBody"),
        Setting::other("backoff"),
        Setting::other("jitter"),
        Setting::time("timeout", "deadline", Unit::Millisecond, ""),
        Setting::time("firstBackoff", "baseMs", Unit::Millisecond, "5").of("backoff"),
        Setting::time("maxBackoff", "capMs", Unit::Millisecond, "").of("backoff"),
        Setting::number("factor", "factor", "2").of("backoff"),
        Setting::flag("basedOnPreviousValue", "carry", "true").of("backoff"),
        Setting::number("randomFactor", "jitter", "0.5").of("jitter"),
        Setting::count("setRetries", "retries", "3").of("java"),
        Setting::time("firstBackoff", "baseMs", Unit::Millisecond, "").of("setBackoff").at(0),
        Setting::time("maxBackoff", "capMs", Unit::Millisecond, "").of("setBackoff").at(1),
        Setting::number("factor", "factor", "2").of("setBackoff").at(2),
        Setting::flag("basedOnPreviousValue", "carry", "true").of("setBackoff").at(3),
    ],
    notes: &[
        "Without a backoff the retries come at once.",
        "With basedOnPreviousValue, which is the default, the next wait grows from the last one, its jitter included.",
        "A jitter never brings a wait below firstBackoff nor above maxBackoff.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: true,
    retry_after: None,
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "filters:\n  - name: Retry\n    args:\n      retries: 3\n      statuses: BAD_GATEWAY\n      backoff:\n        firstBackoff: 20ms\n        maxBackoff: 50ms\n        factor: 2\n",
            waits: &[(0.02, 0.02), (0.04, 0.04), (0.05, 0.05)],
        },
        Example { text: "filters:\n  - Retry=2,BAD_GATEWAY,GET,100ms,1s,3,false\n", waits: &[(0.1, 0.1), (0.3, 0.3)] },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks = java(scan);
    for holder in scan.items.iter().copied() {
        if holder.get("name").and_then(Value::text) == Some("Retry") && is_filter(holder) {
            blocks.push(Block::new(holder, Certainty::Certain).variant("args"));
        }
        let filters = holder.get("filters").or(holder.get("default-filters"));
        let short = filters.and_then(Value::list).into_iter().flatten().filter(|v| shortcut(v).is_some());
        blocks.extend(short.map(|_| Block::new(holder, Certainty::Certain).variant("shortcut")).next());
    }
    blocks
}

/// The routes that Java builds: `.filters(f -> f.retry(3))`, `f.retry(c -> c.setRetries(3))`.
fn java<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let routes = scan.items.iter().copied().filter_map(|item| item.call("filters")?.first()?.value.fun());
    let returned = routes.flat_map(|fun| &fun.body).filter_map(|statement| match statement {
        Statement::Return(value) | Statement::Expr(value) => value.item(),
        _ => None,
    });
    let filters = returned.filter(|item| item.called("retry").is_some_and(|args| args.len() == 1));
    filters.map(|item| Block::new(item, Certainty::Certain).variant("java")).collect()
}

/// `retry(3)`, or the settings that a function makes of a `RetryConfig`.
fn from_java(take: &mut Take) -> Policy {
    let given = take.block.item.called("retry").and_then(|args| args.first()).map(|arg| &arg.value);
    let config = given.and_then(Value::fun).and_then(|fun| fun.body.first()).and_then(|statement| match statement {
        Statement::Return(value) | Statement::Expr(value) => value.item(),
        _ => None,
    });
    let Some(config) = config else {
        let number = given.and_then(|value| take.number("retries", "retries", value));
        take.default("baseMs", "no wait");
        return Policy::new(Wait::new(Backoff::Constant { delay_ms: 0.0 }), number.map_or(3, |n| n.max(0.0) as u64));
    };
    let retries = take.of(config, "java").count("setRetries").unwrap_or(3);
    let written = config.called("setBackoff").unwrap_or_default();
    let share = config.called("setJitter").map(|args| args.first().and_then(|arg| arg.value.number()).unwrap_or(0.5));
    let mut args = take.of_call(written, config.span, "setBackoff");
    let wait = match (args.time("firstBackoff"), written.is_empty()) {
        (Some(base_ms), false) => {
            let (cap_ms, factor) = (args.time("maxBackoff"), args.number("factor").unwrap_or(2.0));
            let carries = args.flag("basedOnPreviousValue");
            filter_wait(base_ms, cap_ms, factor, carries, share)
        }
        _ => Wait::new(Backoff::Constant { delay_ms: 0.0 }),
    };
    Policy::new(wait, retries)
}

/// Whether what is named `Retry` is a filter of a route: by its arguments, or because it stands among filters.
fn is_filter(item: &Item) -> bool {
    const OWN: &[&str] = &["retries", "statuses", "methods", "series", "exceptions", "backoff", "jitter", "timeout"];
    let given = item.get("args").and_then(Value::item);
    let among = |crumb: &Crumb| matches!(crumb, Crumb::Key(key) if key.ends_with("filters"));
    given.is_some_and(|args| OWN.iter().any(|name| args.get(name).is_some())) || item.place.iter().any(among)
}

/// What stands after `Retry=` in a filter written in one text; empty for `Retry` alone.
fn shortcut(value: &Value) -> Option<&str> {
    let text = value.text()?;
    if text == "Retry" { Some("") } else { text.strip_prefix("Retry=") }
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if take.block.variant == "shortcut" {
        return short(take, item);
    }
    if take.block.variant == "java" {
        return from_java(take);
    }
    let Some(inner) = item.get("args").and_then(Value::item) else {
        return defaults(take, item.span);
    };
    let mut args = take.of(inner, "");
    let retries = args.count("retries").unwrap_or(3);
    if let Some(value) = args.value("retries").filter(|_| retries == 0) {
        args.take.refuse("retries", value, "must be greater than 0; the route does not start");
    }
    let limit_ms = args.time("timeout").filter(|ms| *ms > 0.0);
    let (backoff, jitter) = (args.value("backoff").and_then(Value::item), args.value("jitter").and_then(Value::item));
    args.unknown_names("an argument of the Retry filter", "it is ignored");
    let wait = match backoff {
        Some(backoff) => {
            let share = jitter.map(|jitter| random_factor(take.of(jitter, "jitter")));
            growing(take.of(backoff, "backoff"), share)
        }
        None => {
            take.default("baseMs", "no wait");
            Wait::new(Backoff::Constant { delay_ms: 0.0 })
        }
    };
    let mut policy = Policy::new(wait, retries);
    policy.deadline = limit_ms.map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Refuse, clock: Clock::Elapsed });
    policy
}

fn defaults(take: &mut Take, span: crate::span::Span) -> Policy {
    take.note("defaults", span, "Nothing is written: 3 retries without a wait is the default.");
    take.default("retries", "3");
    take.default("baseMs", "no wait");
    Policy::new(Wait::new(Backoff::Constant { delay_ms: 0.0 }), 3)
}

fn random_factor(mut args: Args) -> f64 {
    let share = args.number("randomFactor").unwrap_or(0.5);
    if let Some(value) = args.value("randomFactor").filter(|_| !(0.0..=1.0).contains(&share)) {
        args.take.refuse("randomFactor", value, "must be between 0 and 1");
    }
    share
}

fn growing(mut args: Args, share: Option<f64>) -> Wait {
    let base_ms = args.time("firstBackoff").unwrap_or(5.0);
    let cap_ms = args.time("maxBackoff").filter(|ms| *ms > 0.0);
    let factor = args.number("factor").unwrap_or(2.0);
    let carries = args.flag("basedOnPreviousValue");
    args.unknown_names("a key of backoff", "it is ignored");
    filter_wait(base_ms, cap_ms, factor, carries, share)
}

fn filter_wait(base_ms: f64, cap_ms: Option<f64>, factor: f64, carries: bool, share: Option<f64>) -> Wait {
    let mut wait = Wait::new(Backoff::Exponential { base_ms, factor }).cap(cap_ms).cap_order(CapOrder::Both);
    if let Some(share) = share.filter(|s| *s > 0.0) {
        wait = wait.jitter(Jitter::Proportional { below: share, above: share }).floor(base_ms);
        wait.carry = carries;
    }
    wait
}

/// `Retry=retries,statuses,methods,firstBackoff,maxBackoff,factor,basedOnPreviousValue`, cut off where one likes.
fn short(take: &mut Take, item: &Item) -> Policy {
    let filters = item.get("filters").or(item.get("default-filters")).and_then(Value::list).unwrap_or_default();
    let Some((value, text)) = filters.iter().find_map(|v| Some((v, shortcut(v)?))) else {
        return Policy::single_call();
    };
    if text.is_empty() {
        return defaults(take, value.span);
    }
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    for field in ["retries", "baseMs", "capMs", "factor"] {
        take.origin(field, value.span);
    }
    let retries = parts[0].parse::<u64>().unwrap_or(3);
    if retries == 0 {
        take.refuse("retries", value, "must be greater than 0; the route does not start");
    }
    let time =
        |i: usize| parts.get(i).and_then(|p| crate::duration::parse(p, Some(Unit::Millisecond)).ok()).map(|t| t.ms);
    let wait = match time(3) {
        Some(base_ms) => {
            let factor = parts.get(5).and_then(|p| p.parse().ok()).unwrap_or(2.0);
            filter_wait(base_ms, time(4), factor, true, None)
        }
        None => Wait::new(Backoff::Constant { delay_ms: 0.0 }),
    };
    Policy::new(wait, retries)
}
