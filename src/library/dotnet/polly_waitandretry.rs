//! Polly 7's WaitAndRetry, with or without the backoffs of Polly.Contrib.WaitAndRetry.

use crate::duration::Unit;
use crate::library::computed::{self, Inputs};
use crate::library::{Args, Block, Example, Library, Scan, Setting, Take};
use crate::notation::{Arg, Form, Item, Kind, Statement, Step, Value};
use crate::policy::{After, Backoff, CapOrder, Clock, Deadline, Jitter, Overrun, Phase, Policy, Wait};
use crate::span::Span;

/// Polly.Contrib.WaitAndRetry 1.
pub static LIBRARY: Library = Library {
    id: "polly-waitandretry",
    title: "Polly WaitAndRetry",
    ecosystem: ".NET",
    version: "Polly 7; Contrib 7596d2d (2020-05)",
    source: "Polly.Contrib.WaitAndRetry Backoff.*.cs",
    counts: "retries (retryCount)",
    formula: "initialDelay * factor^(k-1), initialDelay * (1 + factor * (k-1)), or decorrelated waits",
    words: &[
        "WaitAndRetryAsync",
        "WaitAndRetry",
        "Backoff.DecorrelatedJitterBackoffV2",
        "Backoff.LinearBackoff",
        "Backoff.ExponentialBackoff",
        "Backoff.ConstantBackoff",
        "Backoff.AwsDecorrelatedJitterBackoff",
        "WaitAndRetryForever",
        "WaitAndRetryForeverAsync",
        "RetryAsync",
        "RetryForever",
        "RetryForeverAsync",
        "Policy.Handle",
        "HttpPolicyExtensions",
    ],
    settings: &[
        Setting::duration("initialDelay|medianFirstRetryDelay|minDelay|delay", "baseMs", "").at(0),
        Setting::count("retryCount", "retries", "").at(1),
        Setting::number("factor", "factor", "2").at(2),
        Setting::other("seed").at(2),
        Setting::flag("fastFirst", "firstWaitMs", "false").at(3),
        Setting::flag("fastFirst", "firstWaitMs", "false").of("constant").at(2),
        Setting::duration("minDelay", "baseMs", "").of("aws").at(0),
        Setting::duration("maxDelay", "capMs", "").of("aws").at(1),
        Setting::count("retryCount", "retries", "").of("aws").at(2),
        Setting::other("seed").of("aws").at(3),
        Setting::flag("fastFirst", "firstWaitMs", "false").of("aws").at(4),
        Setting::number("factor", "increment", "1").of("linear").at(2),
    ],
    notes: &[
        "retryCount counts retries.",
        "The waits of DecorrelatedJitterBackoffV2 depend on each other: their total stays well below the sum of the maxima.",
        "fastFirst makes the first wait 0.",
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
            text: "var delay = Backoff.ExponentialBackoff(TimeSpan.FromMilliseconds(250), retryCount: 3, factor: 3);\nvar policy = Policy.Handle<HttpRequestException>().WaitAndRetryAsync(delay);\n",
            waits: &[(0.25, 0.25), (0.75, 0.75), (2.25, 2.25)],
        },
        Example {
            text: "Policy.Handle<TimeoutException>().WaitAndRetryAsync(3, attempt => TimeSpan.FromSeconds(attempt * 2));\n",
            waits: &[(2.0, 2.0), (4.0, 4.0), (6.0, 6.0)],
        },
    ],
};

const BACKOFFS: &[&str] = &[
    "Backoff.DecorrelatedJitterBackoffV2",
    "Backoff.AwsDecorrelatedJitterBackoff",
    "Backoff.ExponentialBackoff",
    "Backoff.LinearBackoff",
    "Backoff.ConstantBackoff",
];
const CALLS: &[&str] = &["WaitAndRetryAsync", "WaitAndRetry", "WaitAndRetryForever", "WaitAndRetryForeverAsync"];
/// Retries at once; such plain names count on a policy only.
const AT_ONCE: &[&str] = &["RetryAsync", "Retry", "RetryForeverAsync", "RetryForever"];

/// The call of WaitAndRetry in an item, with its arguments.
fn call(item: &Item) -> Option<(&str, &[Arg], Span)> {
    let policy = item.head.text.starts_with("Policy.") || item.head.text.starts_with("HttpPolicyExtensions.");
    let step = item.steps.iter().find_map(|step| match step {
        Step::Call { name, args, span }
            if CALLS.contains(&name.text.as_str()) || policy && AT_ONCE.contains(&name.text.as_str()) =>
        {
            Some((name.text.as_str(), args.as_slice(), *span))
        }
        _ => None,
    });
    step.or_else(|| {
        let name = CALLS.iter().find(|name| item.is(name))?;
        Some((*name, item.args.as_slice(), item.span))
    })
}

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    scan.outermost_blocks(&|i| i.form == Form::Call && (call(i).is_some() || i.is_any(BACKOFFS)))
}

fn read(take: &mut Take) -> Policy {
    let mut policy = waits_of(take);
    http_client(take, &policy);
    let others = around(take.scan, take.block.item);
    let at = others.iter().position(|value| holds(value, take.block.item)).unwrap_or(others.len());
    for (i, other) in others.iter().enumerate() {
        let timeout = other.item().filter(|i| TIMEOUTS.iter().any(|name| i.is(name)));
        let Some(value) = timeout.and_then(|i| i.at(0)) else { continue };
        if i > at {
            policy.attempt_timeout_ms = take.time("Timeout", "attemptTimeoutMs", value, Some(Unit::Second));
        } else if let Some(limit_ms) = take.time("Timeout", "deadline", value, Some(Unit::Second)) {
            policy.deadline = Some(Deadline { limit_ms, overrun: Overrun::Shorten, clock: Clock::Elapsed });
        }
    }
    policy
}

const TIMEOUTS: &[&str] = &["Policy.Timeout", "Policy.TimeoutAsync"];

/// The policies around and inside one another, the outermost first: handlers of an `HttpClient`, `Policy.Wrap(a, b)`,
/// `a.Wrap(b)`.
fn around<'d>(scan: &Scan<'d>, item: &'d Item) -> Vec<&'d Value> {
    const HANDLERS: &[&str] = &["AddPolicyHandler", "AddTransientHttpErrorPolicy"];
    const WRAPS: &[&str] = &["Policy.Wrap", "Policy.WrapAsync"];
    for outer in scan.items.iter().copied() {
        let mut row: Vec<&Value> = Vec::new();
        if outer.is_any(WRAPS) || outer.is_any(HANDLERS) {
            row.extend(outer.args.iter().map(|arg| &arg.value));
        }
        for step in &outer.steps {
            if let Step::Call { name, args, .. } = step
                && HANDLERS.contains(&name.text.as_str())
            {
                row.extend(args.first().map(|arg| &arg.value));
            }
        }
        if row.len() > 1 && row.iter().any(|value| holds(value, item)) {
            return row;
        }
    }
    let wrapped = ["Wrap", "WrapAsync"].iter().find_map(|name| item.call(name));
    wrapped.unwrap_or_default().iter().map(|arg| &arg.value).collect()
}

/// Whether a value is this item, a copy of it, or a function that makes it.
fn holds(value: &Value, item: &Item) -> bool {
    let mut found = false;
    value.walk(&mut |inner| found |= inner.head.span == item.head.span && inner.span == item.span);
    found
}

/// In an `HttpClient` the client's own timeout spans every call and wait together.
fn http_client(take: &mut Take, policy: &Policy) {
    const USUAL_MS: f64 = 100_000.0;
    let item = take.block.item;
    let handler = ["AddTransientHttpErrorPolicy", "AddPolicyHandler"].iter().any(|name| item.called(name).is_some());
    let outside = take.scan.items.iter().any(|i| i.span.holds(item.span) && i.is_any(&["AddHttpClient"]));
    let written = take.scan.doc.text.contains(".Timeout =");
    let worst = crate::schedule::worst_case_total(policy);
    if (handler || outside) && !written && worst.is_none_or(|ms| ms > USUAL_MS / 2.0) {
        let message = "`HttpClient.Timeout`, 100 s unless it is set, spans all calls and waits together: what has not \
                       been tried by then is not.";
        take.warning("client-timeout", item.head.span, message).help = "Set it above what the retries need.".into();
    }
}

fn waits_of(take: &mut Take) -> Policy {
    let item = take.block.item;
    if item.is_any(BACKOFFS) {
        return backoff(take, item);
    }
    let Some((name, args, span)) = call(item) else { return Policy::single_call() };
    let values: Vec<&Value> = args.iter().map(|a| &a.value).collect();
    if AT_ONCE.contains(&name) {
        return at_once(take, name, values.first().copied(), span);
    }
    if let Some(inner) = values.iter().find_map(|v| v.item()).filter(|i| i.is_any(BACKOFFS)) {
        return backoff(take, inner);
    }
    let fun = values.iter().find_map(|v| v.fun());
    let retries = match name.contains("Forever") {
        true => None,
        false => {
            let count = values.first().filter(|v| v.number().is_some() || fun.is_some() && v.is_undefined());
            count.and_then(|v| take.number("retryCount", "retries", v))
        }
    };
    if let Some(value) = values.first().filter(|_| retries.is_some_and(|n| n < 0.0)) {
        take.refuse("retryCount", value, "must not be negative");
    }
    let retries = retries.map(|n| n.max(0.0) as u64);
    match fun {
        Some(fun) => {
            computed::policy(take, "sleepDurationProvider", fun, Inputs::positional(|k| vec![k as f64]), retries)
        }
        None => listed(take, &values, retries, span),
    }
}

/// `Retry(n)`, once unless it is said, and `RetryForever()`.
fn at_once(take: &mut Take, name: &str, count: Option<&Value>, span: Span) -> Policy {
    let wait = Wait::new(Backoff::Constant { delay_ms: 0.0 });
    if name.contains("Forever") {
        return Policy::new(wait, None);
    }
    let retries = count.filter(|v| v.fun().is_none()).and_then(|v| take.number("retryCount", "retries", v));
    if retries.is_none() && count.is_none_or(|v| v.fun().is_some()) {
        take.note("defaults", span, "No count is written: one retry is the default.");
        take.default("retries", "1");
    }
    Policy::new(wait, retries.map_or(1, |n| n.max(0.0) as u64))
}

/// `.Select(s => TimeSpan.FromTicks(Math.Min(s.Ticks, max.Ticks)))` cuts every wait, after its draw.
fn cut(take: &mut Take, item: &Item, policy: &mut Policy) {
    let Some(fun) = item.call("Select").and_then(|args| args.first()).and_then(|arg| arg.value.fun()) else { return };
    let mut cap = None;
    let items = &take.scan.items;
    fun.body.iter().for_each(|statement| {
        if let Statement::Return(value) | Statement::Expr(value) = statement {
            value.walk(&mut |inner| {
                let of_times = inner.is("Math.Min").then(|| inner.values()).into_iter().flatten();
                cap = cap.or(of_times.into_iter().find_map(|value| time_of(value, items)));
            });
        }
    });
    match cap {
        Some((span, ms)) => {
            take.origin("capMs", span);
            (policy.wait.cap_ms, policy.wait.cap_order) = (Some(ms), CapOrder::AfterJitter);
        }
        None => {
            let message = "What this Select makes of the waits is not followed here; they are shown as they come.";
            take.note("unread-select", item.head.span, message);
        }
    }
}

/// The time whose ticks a value is: `TimeSpan.FromSeconds(45).Ticks`, or of a name that is bound to a time.
fn time_of(value: &Value, items: &[&Item]) -> Option<(Span, f64)> {
    let named = || {
        let name = value.text()?.strip_suffix(".Ticks")?;
        items.iter().copied().find(|i| i.target.as_ref().is_some_and(|t| t.text == name))
    };
    let item = value.item().or_else(named)?;
    let bare = Item { steps: Vec::new(), ..item.clone() };
    let ms = Value::new(Kind::Item(Box::new(bare)), item.span).duration_ms(None).ok()?.ms;
    Some((item.span, ms))
}

/// Waits that are listed one by one, one retry each.
fn listed(take: &mut Take, values: &[&Value], retries: Option<u64>, span: Span) -> Policy {
    let times = values.iter().find_map(|v| v.entries().filter(|l| !l.is_empty()));
    let Some(times) = times else {
        take.note(
            "unread-waits",
            span,
            "These waits are given by a name that this text does not define; they are not known.",
        );
        take.unknown.push("baseMs");
        return Policy::new(Wait::new(Backoff::Constant { delay_ms: 0.0 }), retries);
    };
    let delays_ms: Vec<f64> =
        times.iter().map(|v| take.time("sleepDurations", "delaysMs", v, None).unwrap_or(0.0)).collect();
    let count = delays_ms.len() as u64;
    Policy::new(Wait::new(Backoff::List { delays_ms, after: After::Stop }), count)
}

fn backoff<'t>(take: &mut Take<'t>, item: &'t Item) -> Policy {
    let mut policy = sequence(take, item);
    cut(take, item, &mut policy);
    policy
}

fn sequence<'t>(take: &mut Take<'t>, item: &'t Item) -> Policy {
    if item.is("Backoff.AwsDecorrelatedJitterBackoff") {
        let mut args = take.of(item, "aws");
        let base_ms = args.time("minDelay").unwrap_or(0.0);
        let cap_ms = args.time("maxDelay");
        let retries = args.count("retryCount").unwrap_or(0);
        let fast = args.flag("fastFirst");
        let wait = Wait::new(Backoff::Constant { delay_ms: base_ms }).jitter(Jitter::Decorrelated);
        return fast_first(Policy::new(wait.cap(cap_ms).cap_order(CapOrder::Ceiling), retries), fast);
    }
    let mut args = take.of(item, "");
    let base_ms = args.time("initialDelay").unwrap_or(0.0);
    let retries = args.count("retryCount").unwrap_or(0);
    let constant = item.is("Backoff.ConstantBackoff");
    let fast = if constant { take.of(item, "constant").flag("fastFirst") } else { args.flag("fastFirst") };
    let mut args = take.of(item, "");
    let wait = if item.is("Backoff.DecorrelatedJitterBackoffV2") {
        Wait::new(Backoff::Exponential { base_ms, factor: 2.0 }).jitter(Jitter::Telescoping)
    } else if item.is("Backoff.ExponentialBackoff") {
        let factor = at_least(&mut args, 1.0);
        Wait::new(Backoff::Exponential { base_ms, factor })
    } else if item.is("Backoff.LinearBackoff") {
        let mut args = take.of(item, "linear");
        let factor = at_least(&mut args, 0.0);
        Wait::new(Backoff::Linear { base_ms, increment_ms: base_ms * factor })
    } else {
        Wait::new(Backoff::Constant { delay_ms: base_ms })
    };
    fast_first(Policy::new(wait, retries), fast)
}

fn at_least(args: &mut Args, least: f64) -> f64 {
    let factor = args.number("factor").unwrap_or(least);
    if let Some(value) = args.value("factor").filter(|_| factor < least) {
        args.take.refuse("factor", value, &format!("must be at least {least}; the method throws"));
    }
    factor.max(least)
}

/// The first wait is 0, and the sequence makes one wait fewer: it starts after it, but for the decorrelated one, whose
/// index goes on.
fn fast_first(mut policy: Policy, fast: bool) -> Policy {
    if !fast {
        return policy;
    }
    let none = Wait::new(Backoff::Constant { delay_ms: 0.0 });
    if policy.wait.jitter != Jitter::Telescoping {
        policy.wait.skip = 1;
    }
    policy.phases = vec![Phase { retries: 1, wait: none }];
    policy
}
