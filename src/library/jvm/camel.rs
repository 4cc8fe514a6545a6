//! Apache Camel: redelivery policies in Java and XML.

use crate::duration::Unit;
use crate::library::{Args, Block, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Value};
use crate::policy::{After, Backoff, CapOrder, Jitter, Policy, Wait};

/// Camel 4.
pub static LIBRARY: Library = Library {
    id: "camel",
    title: "Apache Camel",
    ecosystem: "Java",
    version: "4.x (014fa5e3)",
    source: "core/camel-core-processor RedeliveryPolicy.java",
    counts: "retries (maximumRedeliveries); 0 unless written, -1 for ever",
    formula: "backOffMultiplier * the previous wait, cut at maximumRedeliveryDelay",
    words: &[
        "redeliveryPolicyProfile",
        "redeliveryPolicy",
        "maximumRedeliveries",
        "redeliveryDelay",
        "deadLetterChannel",
        "useExponentialBackOff",
        "delayPattern",
        "maximumRedeliveryDelay",
        "setMaximumRedeliveries",
        "setRedeliveryDelay",
        "RedeliveryPolicy",
    ],
    settings: &[
        Setting::number("maximumRedeliveries|setMaximumRedeliveries", "retries", "0"),
        Setting::time("redeliveryDelay|setRedeliveryDelay", "baseMs", Unit::Millisecond, "1000"),
        Setting::number("backOffMultiplier|setBackOffMultiplier", "factor", "2"),
        Setting::other("useExponentialBackOff|setUseExponentialBackOff"),
        Setting::time("maximumRedeliveryDelay|setMaximumRedeliveryDelay", "capMs", Unit::Millisecond, "60000"),
        Setting::other("useCollisionAvoidance|setUseCollisionAvoidance"),
        Setting::number("collisionAvoidanceFactor|setCollisionAvoidanceFactor", "jitter", "0.15"),
        Setting::number("collisionAvoidancePercent|setCollisionAvoidancePercent", "jitter", "15"),
        Setting::other("delayPattern|setDelayPattern"),
        Setting::other(
            "id|asyncDelayedRedelivery|allowRedeliveryWhileStopping|disableRedelivery|logStackTrace|logRetryAttempted|\
             logRetryStackTrace|logHandled|logExhausted|logExhaustedMessageHistory|logExhaustedMessageBody|\
             logContinued|logNewException|retryAttemptedLogLevel|retryAttemptedLogInterval|retriesExhaustedLogLevel|\
             exchangeFormatterRef",
        ),
    ],
    notes: &[
        "Nothing is redelivered unless maximumRedeliveries is written.",
        "The next wait grows from the last one, its random part included, so the spread compounds.",
        "The cap is 60 s unless it is written; -1 lifts it.",
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
            text: "errorHandler(deadLetterChannel(\"jms:queue:failed\")\n    .maximumRedeliveries(4)\n    .redeliveryDelay(500)\n    .useExponentialBackOff()\n    .backOffMultiplier(3)\n    .maximumRedeliveryDelay(5000));\n",
            waits: &[(0.5, 0.5), (1.5, 1.5), (4.5, 4.5), (5.0, 5.0)],
        },
        Example {
            text: "<redeliveryPolicyProfile id=\"slow\" maximumRedeliveries=\"2\" redeliveryDelay=\"3000\"/>\n",
            waits: &[(3.0, 3.0), (3.0, 3.0)],
        },
    ],
};

const KEYS: &[&str] = &[
    "maximumRedeliveries",
    "redeliveryDelay",
    "useExponentialBackOff",
    "delayPattern",
    "maximumRedeliveryDelay",
    "backOffMultiplier",
];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let setter = |k: &str| format!("set{}{}", k[..1].to_ascii_uppercase(), &k[1..]);
    let has = |item: &Item| {
        let own = item.form == Form::Tag && item.is("redeliveryPolicy")
            || KEYS.iter().any(|k| item.get(k).is_some() || item.call(k).is_some() || item.call(&setter(k)).is_some());
        // ActiveMQ's policy of the same name starts with a delay of its own.
        own && item.get("initialRedeliveryDelay").is_none() && item.call("setInitialRedeliveryDelay").is_none()
    };
    scan.outermost_blocks(&has)
}

/// A switch: a call without arguments, or one of true or false, or an attribute.
fn switch(args: &Args, item: &Item, name: &str) -> bool {
    match (args.value(name), item.call(name)) {
        (Some(value), _) => value.flag() == Some(true),
        (None, Some(written)) => written.is_empty(),
        (None, None) => false,
    }
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let mut args = take.main();
    let count = written_number(&mut args, "maximumRedeliveries", "retries").unwrap_or(0.0);
    if let Some(value) = args.value("maximumRedeliveries").filter(|_| count < -1.0) {
        args.take.refuse("maximumRedeliveries", value, "must be at least 0, or -1 for ever");
    }
    let retries = (count >= 0.0).then_some(count as u64);
    let retries = match item.call("retryWhile").is_some() || item.get("retryWhile").is_some() {
        true => {
            args.take.note(
                "retry-while",
                item.head.span,
                "retryWhile decides alone how often: maximumRedeliveries is not asked.",
            );
            None
        }
        false => retries,
    };
    let base_ms = written_time(&mut args, "redeliveryDelay", "baseMs").unwrap_or(1_000.0);
    let cap_ms = written_time(&mut args, "maximumRedeliveryDelay", "capMs").filter(|ms| *ms > 0.0);
    if item.form == Form::Tag {
        args.unknown_names("an attribute of redeliveryPolicy", "the route does not start");
    }
    if let Some(pattern) = args.value("delayPattern") {
        return delay_pattern(args.take, pattern, retries);
    }
    let grows = switch(&args, item, "useExponentialBackOff");
    let factor = written_number(&mut args, "backOffMultiplier", "factor").unwrap_or(2.0);
    let avoids = switch(&args, item, "useCollisionAvoidance");
    let curve = match grows {
        true => Backoff::Exponential { base_ms, factor },
        false => Backoff::Constant { delay_ms: base_ms },
    };
    let mut wait = Wait::new(curve).cap(cap_ms);
    if avoids {
        let percent = written_number(&mut args, "collisionAvoidancePercent", "jitter");
        let share = match args.has("collisionAvoidancePercent") {
            true => percent.unwrap_or(15.0) / 100.0,
            false => written_number(&mut args, "collisionAvoidanceFactor", "jitter").unwrap_or(0.15),
        };
        let base = if grows {
            Backoff::Exponential { base_ms, factor }
        } else {
            Backoff::Exponential { base_ms, factor: 1.0 }
        };
        wait = Wait::new(base).cap(cap_ms).cap_order(CapOrder::AfterJitter);
        wait = wait.jitter(Jitter::Proportional { below: share, above: share });
        wait.carry = true;
    }
    Policy::new(wait, retries)
}

/// A time that XML writes as a text, `500`, `2s`, `PT2S`; -1 where the cap is lifted.
fn written_time(args: &mut Args, name: &'static str, field: &'static str) -> Option<f64> {
    match args.value(name).and_then(|v| Some((v, v.text_number()?))) {
        Some((value, ms)) => {
            args.take.origin(field, value.span);
            if ms < 0.0 && field == "baseMs" {
                args.take.refuse(name, value, "must not be negative");
            }
            Some(ms.max(0.0))
        }
        None => args.time(name),
    }
}

/// A number that XML writes as a text, or the default.
fn written_number(args: &mut Args, name: &'static str, field: &'static str) -> Option<f64> {
    match args.value(name).and_then(|v: &Value| Some((v, v.text_number()?))) {
        Some((value, number)) => {
            args.take.origin(field, value.span);
            Some(number)
        }
        None => args.number(name),
    }
}

/// `"1:500;4:2000"`: from redelivery 1 on 500 ms, from 4 on 2000 ms; before the first group none.
fn delay_pattern(take: &mut Take, pattern: &Value, retries: Option<u64>) -> Policy {
    take.origin("delaysMs", pattern.span);
    let text = pattern.text().unwrap_or_default();
    let group = |part: &str| {
        let (limit, delay) = part.trim().split_once(':')?;
        Some((limit.trim().parse::<u64>().ok()?, delay.trim().parse::<f64>().ok()?))
    };
    let groups: Option<Vec<(u64, f64)>> = text.split(';').filter(|p| !p.trim().is_empty()).map(group).collect();
    let Some(groups) = groups.filter(|g| !g.is_empty()) else {
        take.refuse("delayPattern", pattern, "must be groups of `limit:delay` separated by semicolons");
        return Policy::new(Wait::new(Backoff::Constant { delay_ms: 0.0 }), retries);
    };
    let last = groups.iter().map(|(limit, _)| *limit).max().unwrap_or(1).clamp(1, 100_000);
    let at = |k: u64| groups.iter().rev().find(|(limit, _)| *limit <= k).map_or(0.0, |(_, delay)| *delay);
    let delays_ms = (1..=last).map(at).collect();
    Policy::new(Wait::new(Backoff::List { delays_ms, after: After::RepeatLast }), retries)
}
