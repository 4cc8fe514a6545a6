//! Failsafe: retry policies by a builder.

use crate::duration::Unit;
use crate::library::computed::{self, Inputs};
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::formula::Spread;
use crate::notation::{Arg, Form, Item, Step, Value};
use crate::policy::{Backoff, Clock, Deadline, Jitter, Overrun, Policy, Wait};
use crate::span::Span;

/// Failsafe 3.3.
pub static LIBRARY: Library = Library {
    id: "failsafe",
    title: "Failsafe",
    ecosystem: "Java",
    version: "3.3.x (ed3f927, 2025-12)",
    source: "RetryPolicyExecutor.java, RandomDelay.java, RetryPolicyBuilder.java, RetryPolicyConfig.java",
    counts: "withMaxRetries: retries; withMaxAttempts: calls, the first included; -1 without bound",
    formula: "min(maxDelay, delay * delayFactor^(k-1)), jitter after it",
    words: &[
        "dev.failsafe",
        "RetryPolicy.builder",
        "RetryPolicy.ofDefaults",
        "withBackoff",
        "withMaxRetries",
        "withMaxAttempts",
    ],
    settings: &[
        Setting::number("withMaxRetries", "retries", "2"),
        Setting::number("withMaxAttempts", "retries", ""),
        Setting::time("withMaxDuration", "deadline", Unit::Millisecond, ""),
        Setting::other("withDelay"),
        Setting::other("withDelayFn|withDelayFnOn|withDelayFnWhen|withDelayWhen|withDelayOn"),
        Setting::other("withBackoff"),
        Setting::other("withJitter"),
    ],
    notes: &[
        "withMaxRetries counts retries, withMaxAttempts calls; the default is 2 retries without a wait.",
        "Jitter comes after the cap, so a wait can pass maxDelay.",
        "withMaxDuration cuts the last wait to what is left.",
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
            text: "RetryPolicy<Object> policy = RetryPolicy.builder()\n    .handle(IOException.class)\n    .withBackoff(Duration.ofMillis(200), Duration.ofSeconds(1), 3.0)\n    .withMaxRetries(3)\n    .build();\n",
            waits: &[(0.2, 0.2), (0.6, 0.6), (1.0, 1.0)],
        },
        Example {
            text: "var policy = RetryPolicy.builder().withDelay(Duration.ofSeconds(2)).withJitter(0.5).withMaxAttempts(3).build();\n",
            waits: &[(1.0, 3.0), (1.0, 3.0)],
        },
    ],
};

const OWN: &[&str] =
    &["withBackoff", "withMaxRetries", "withMaxAttempts", "withDelay", "withJitter", "withMaxDuration"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let imported = scan.says("dev.failsafe") || scan.says("net.jodah.failsafe");
    // Release 2 had no builder: the constructor began the chain.
    scan.head_blocks(&["RetryPolicy.builder", "RetryPolicy.ofDefaults", "RetryPolicy"], &|item| {
        let call = item.form == Form::Call && (!item.is("RetryPolicy") || item.args.is_empty());
        let own = OWN.iter().any(|method| item.call(method).is_some());
        let bare = item.is("RetryPolicy.ofDefaults");
        let certainty = if imported || own { Certainty::Certain } else { Certainty::Likely };
        (call && (imported || own || bare)).then(|| Block::new(item, certainty))
    })
}

fn read(take: &mut Take) -> Policy {
    let mut policy = alone(take);
    composed(take, &mut policy);
    policy
}

fn alone(take: &mut Take) -> Policy {
    let item = take.block.item;
    if item.is("RetryPolicy.ofDefaults") {
        take.note("defaults", item.head.span, "The defaults are used: 2 retries without a wait.");
    }
    let mut policy = Policy::new(Wait::new(Backoff::Constant { delay_ms: 0.0 }), retries(take));
    // Each replaces what was set before it.
    let last = |methods: &[&str]| {
        let named = |step: &Step| matches!(step, Step::Call { name, .. } if methods.contains(&name.text.as_str()));
        item.steps.iter().rposition(named)
    };
    let (backoff_at, delay_at) = (last(&["withBackoff"]), last(&["withDelay"]));
    let growing = call(item, "withBackoff").filter(|_| backoff_at > delay_at);
    let delay_ms = match (growing, call(item, "withDelay")) {
        (Some((args, span)), _) => backoff(take, args, span, &mut policy.wait),
        (None, Some((args, _))) => delay(take, args, &mut policy.wait),
        (None, None) => {
            take.default("baseMs", "0 s");
            0.0
        }
    };
    if let Some((args, _)) = call(item, "withJitter") {
        policy.wait.jitter = jitter(take, args, delay_ms);
    }
    let function = ["withDelayFn", "withDelay", "withDelayFnWhen", "withDelayFnOn", "withDelayWhen", "withDelayOn"];
    if let Some(value) = function.iter().find_map(|m| call(item, m)?.0.first()).map(|arg| &arg.value)
        && let Some(fun) = value.fun()
    {
        // The context's getAttemptCount counts the calls made, 1 at the first failure.
        let given = |k: u64| ["getAttemptCount", "attemptCount"].map(|name| (name, Spread::fixed(k as f64))).to_vec();
        return computed::policy(take, "withDelayFn", fun, Inputs::named(given), policy.retries);
    }
    let mut args = take.main();
    if let Some(limit_ms) = args.time("withMaxDuration") {
        if let Some(value) = args.value("withMaxDuration").filter(|_| limit_ms <= delay_ms) {
            args.take.refuse("withMaxDuration", value, "must be greater than the delay");
        }
        policy.deadline = Some(Deadline { limit_ms, overrun: Overrun::Shorten, clock: Clock::Elapsed });
    }
    policy
}

fn retries(take: &mut Take) -> Option<u64> {
    let mut args = take.main();
    if args.has("withMaxAttempts") {
        let calls = args.number("withMaxAttempts").unwrap_or(3.0);
        if let Some(value) = args.value("withMaxAttempts").filter(|_| calls == 0.0 || calls < -1.0) {
            args.take.refuse("withMaxAttempts", value, "must be at least 1, or -1 for no bound");
        }
        return (calls >= 1.0).then(|| calls as u64 - 1);
    }
    let retries = args.number("withMaxRetries").unwrap_or(2.0);
    if let Some(value) = args.value("withMaxRetries").filter(|_| retries < -1.0) {
        args.take.refuse("withMaxRetries", value, "must be at least 0, or -1 for no bound");
    }
    (retries >= 0.0).then_some(retries as u64)
}

/// The last call of a method, with its arguments and place.
/// The limits that `Failsafe.with(…)` puts around the policy and inside it: its first is the outermost.
fn composed(take: &mut Take, policy: &mut Policy) {
    let own = take.block.item.head.span;
    let rows = take.scan.heads(&["Failsafe.with"]).map(|with| with.args.iter().filter_map(|arg| arg.value.item()));
    let Some(row) = rows.map(|row| row.collect::<Vec<_>>()).find(|row| row.iter().any(|i| i.head.span == own)) else {
        return;
    };
    let at = row.iter().position(|i| i.head.span == own).unwrap_or(0);
    for (i, timeout) in row.iter().enumerate().filter(|(_, i)| i.is_any(&["Timeout.of", "Timeout.builder"])) {
        let Some(value) = timeout.at(0) else { continue };
        if i > at {
            policy.attempt_timeout_ms = take.time("Timeout", "attemptTimeoutMs", value, None);
        } else if let Some(limit_ms) = take.time("Timeout", "deadline", value, None) {
            policy.deadline = Some(Deadline { limit_ms, overrun: Overrun::Shorten, clock: Clock::Elapsed });
        }
    }
}

fn call<'t>(item: &'t Item, method: &str) -> Option<(&'t [Arg], Span)> {
    item.steps.iter().rev().find_map(|step| match step {
        Step::Call { name, args, span } if name.text == method => Some((args.as_slice(), *span)),
        _ => None,
    })
}

/// A time argument: a Duration, or a number whose unit stands in another argument.
fn time<'t>(take: &mut Take<'t>, name: &str, field: &'static str, args: &'t [Arg], at: usize) -> Option<f64> {
    let unit = args.iter().filter_map(|a| a.value.text()).find_map(Unit::named).unwrap_or(Unit::Millisecond);
    take.time(name, field, &args.get(at)?.value, Some(unit))
}

fn backoff<'t>(take: &mut Take<'t>, args: &'t [Arg], span: Span, wait: &mut Wait) -> f64 {
    let base_ms = time(take, "delay", "baseMs", args, 0).unwrap_or(0.0);
    let cap_ms = time(take, "maxDelay", "capMs", args, 1);
    let factor = args.iter().skip(2).find_map(|a| Some((&a.value, a.value.number()?)));
    if let Some((value, number)) = factor {
        take.origin("factor", value.span);
        if number <= 1.0 {
            take.refuse("delayFactor", value, "must be greater than 1");
        }
    } else {
        take.default("factor", "2");
    }
    if base_ms <= 0.0 {
        take.error("bad-value", span, "`delay` must be greater than 0.");
    }
    if cap_ms.is_some_and(|cap| cap <= base_ms) {
        take.error("bad-value", span, "`delay` must be less than `maxDelay`; the builder throws.");
    }
    *wait = Wait::new(Backoff::Exponential { base_ms, factor: factor.map_or(2.0, |(_, n)| n) }).cap(cap_ms);
    base_ms
}

fn delay<'t>(take: &mut Take<'t>, args: &'t [Arg], wait: &mut Wait) -> f64 {
    let low = time(take, "delay", "baseMs", args, 0).unwrap_or(0.0);
    let high = args.get(1).filter(|a| a.value.text().and_then(Unit::named).is_none());
    let high = high.and_then(|_| time(take, "delayMax", "jitter", args, 1));
    *wait = Wait::new(Backoff::Constant { delay_ms: low });
    if let Some(high) = high.filter(|high| *high > low) {
        wait.jitter = Jitter::Additive { min_ms: 0.0, max_ms: high - low };
    }
    low
}

/// A share of the delay, or a time both ways.
fn jitter<'t>(take: &mut Take<'t>, args: &'t [Arg], delay_ms: f64) -> Jitter {
    let Some(value) = args.first().map(|a: &Arg| &a.value) else { return Jitter::None };
    match value.number().filter(|_| args.len() == 1) {
        Some(share) => {
            take.origin("jitter", value.span);
            if !(0.0..=1.0).contains(&share) {
                take.refuse("jitterFactor", value, "must be between 0 and 1");
            }
            Jitter::Proportional { below: share, above: share }
        }
        None => jitter_time(take, args, value, delay_ms),
    }
}

fn jitter_time<'t>(take: &mut Take<'t>, args: &'t [Arg], value: &'t Value, delay_ms: f64) -> Jitter {
    let Some(ms) = time(take, "jitter", "jitter", args, 0) else { return Jitter::None };
    if ms > delay_ms {
        take.refuse("jitter", value, "must not be longer than the delay");
    }
    Jitter::Additive { min_ms: -ms, max_ms: ms }
}
