//! MicroProfile Fault Tolerance, with SmallRye's back-off annotations: several annotations on one method are one policy.

use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Arg, Form, Item, Step, Value};
use crate::policy::{Backoff, CapOrder, Clock, Deadline, Jitter, Overrun, Phase, Policy, Rounded, RoundingMode, Wait};

/// SmallRye Fault Tolerance 7.
pub static LIBRARY: Library = Library {
    id: "microprofile-fault-tolerance",
    title: "MicroProfile Fault Tolerance",
    ecosystem: "Java",
    version: "SmallRye 7.0.0-SNAPSHOT (5066307c, 2026-07)",
    source: "core/retry/*.java, the annotations ExponentialBackoff and FibonacciBackoff, FaultToleranceInterceptor",
    counts: "retries (maxRetries); -1 means for ever",
    formula: "max(0, delay ± jitter), whole ms",
    words: &[
        "@Retry",
        "Retry",
        "@ExponentialBackoff",
        "@FibonacciBackoff",
        "Retry/delay",
        "Retry/maxRetries",
        "quarkus.fault-tolerance",
        "fault-tolerance",
        "org.eclipse.microprofile.faulttolerance",
        "smallrye.faulttolerance",
        "withRetry",
    ],
    settings: &[
        Setting::number("maxRetries", "retries", "3"),
        Setting::time("delay", "baseMs", Unit::Millisecond, "0"),
        Setting::other("delayUnit"),
        Setting::time("jitter", "jitter", Unit::Millisecond, "200"),
        Setting::other("jitterDelayUnit"),
        Setting::time("maxDuration", "deadline", Unit::Millisecond, "180000"),
        Setting::other("durationUnit"),
        Setting::flag("enabled", "", "true"),
        Setting::other("retryOn"),
        Setting::other("abortOn"),
        Setting::number("factor", "factor", "2").of("ExponentialBackoff"),
        Setting::time("maxDelay", "capMs", Unit::Millisecond, "60000").of("ExponentialBackoff"),
        Setting::other("maxDelayUnit").of("ExponentialBackoff"),
        Setting::time("maxDelay", "capMs", Unit::Millisecond, "60000").of("FibonacciBackoff"),
        Setting::other("maxDelayUnit").of("FibonacciBackoff"),
        Setting::time("value", "attemptTimeoutMs", Unit::Millisecond, "1000").of("Timeout").at(0),
        Setting::other("unit").of("Timeout").at(1),
    ],
    notes: &[
        "A jitter of 200 ms is on unless it is switched off; with a delay of 0 half of all waits are 0.",
        "durationUnit belongs to maxDuration only; delay has delayUnit.",
        "A total limit of 3 minutes holds unless another is written.",
        "Without SmallRye's annotations the delay is constant.",
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
            text: "@Retry(maxRetries = 2, delay = 500, jitter = 0)\n@ExponentialBackoff(factor = 4)\npublic Quote quote() {\n",
            waits: &[(0.5, 0.5), (2.0, 2.0)],
        },
        Example {
            text: "@Retry(maxRetries = 2, delay = 1, delayUnit = ChronoUnit.SECONDS, jitter = 100)\npublic void send() {\n",
            waits: &[(0.9, 1.1), (0.9, 1.1)],
        },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let annotations = |name: &'static str| {
        scan.items.iter().copied().filter(move |i| i.form == Form::Annotation && i.is(name)).collect::<Vec<_>>()
    };
    let own = ["maxRetries", "delay", "jitter", "maxDuration", "delayUnit", "retryOn", "abortOn", "durationUnit"];
    let named = scan.says("faulttolerance") || scan.says("FibonacciBackoff") || scan.says("ExponentialBackoff");
    let others: Vec<&Item> =
        ["ExponentialBackoff", "FibonacciBackoff", "Timeout"].into_iter().flat_map(annotations).collect();
    let retries = annotations("Retry");
    let mut blocks = Vec::new();
    for (at, &item) in retries.iter().enumerate() {
        // Resilience4j's annotation of the same name only names an instance.
        if item.get("name").is_some() || item.get("fallbackMethod").is_some() {
            continue;
        }
        let keys = own.iter().any(|name| item.get(name).is_some());
        let certainty = match (named, keys) {
            (true, _) | (_, true) => Certainty::Certain,
            _ => Certainty::Likely,
        };
        let mut block = Block::new(item, certainty);
        let next = retries.get(at + 1).map_or(usize::MAX, |n| n.span.start);
        let previous = at.checked_sub(1).map_or(0, |i| retries[i].span.end);
        for &other in &others {
            let same = match (&item.target, &other.target) {
                (Some(a), Some(b)) => a.span == b.span,
                _ => other.span.start >= previous && other.span.start < next,
            };
            if same {
                block = block.with(other);
            }
        }
        blocks.push(block);
    }
    blocks.extend(config(scan));
    let built = scan.items.iter().copied().filter(|i| i.form == Form::Call && i.call("withRetry").is_some());
    blocks.extend(built.map(|item| Block::new(item, Certainty::Certain).variant("builder")));
    blocks
}

/// Configuration keys: `Class/method/Retry/maxRetries`, Quarkus' `….retry.max-retries`.
fn config<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let configured = scan.items.iter().copied().filter(|item| {
        let path = item.path();
        let own = ["maxRetries", "delay", "jitter", "maxDuration"].iter().find_map(|name| item.get(name));
        item.form == Form::Map
            && (path.ends_with(".retry")
                && (path.contains("fault-tolerance") || path.contains("smallrye.faulttolerance"))
                || (path == "Retry" || path.ends_with(".Retry")) && own.is_some())
    });
    configured.map(|item| Block::new(item, Certainty::Certain)).collect()
}

fn unit<'t>(take: &mut Take<'t>, item: &'t Item, of: &'static str, name: &str) -> Unit {
    take.of(item, of).value(name).and_then(Value::text).and_then(Unit::named).unwrap_or(Unit::Millisecond)
}

/// The steps of a builder from `with…()` to its `done()`.
fn part<'t>(item: &'t Item, name: &str) -> &'t [Step] {
    let named = |step: &Step, test: &dyn Fn(&str) -> bool| matches!(step, Step::Call { name, .. } if test(&name.text));
    let Some(start) = item.steps.iter().position(|step| named(step, &|n| n == name)) else { return &[] };
    let mut open = 0;
    let end = item.steps[start..].iter().position(|step| {
        open += i32::from(named(step, &|n| n.starts_with("with"))) - i32::from(named(step, &|n| n == "done"));
        open == 0
    });
    &item.steps[start..end.map_or(item.steps.len(), |end| start + end)]
}

/// The arguments of a call among these steps.
fn called<'t>(steps: &'t [Step], wanted: &str) -> Option<&'t [Arg]> {
    steps.iter().find_map(|step| match step {
        Step::Call { name, args, .. } if name.text == wanted => Some(args.as_slice()),
        _ => None,
    })
}

/// SmallRye's `withRetry()` in a chain: the settings are calls, a time with its unit behind it.
fn built(take: &mut Take) -> Policy {
    let item = take.block.item;
    // The parts of a guard share names: a circuit breaker has a delay too.
    let own = part(item, "withRetry");
    let written = |name: &str| called(own, name).and_then(|args| Some((&args.first()?.value, args.get(1))));
    let mut time = |name: &str, field: &'static str, usual: f64| {
        let Some((value, unit)) = written(name) else {
            take.default(field, format!("{usual} ms"));
            return usual;
        };
        let unit = unit.and_then(|arg| Unit::named(arg.value.text()?)).unwrap_or(Unit::Millisecond);
        take.time(name, field, value, Some(unit)).unwrap_or(usual)
    };
    let base_ms = time("delay", "baseMs", 0.0);
    let jitter_ms = time("jitter", "jitter", 200.0);
    let limit_ms = time("maxDuration", "deadline", 180_000.0);
    let fibonacci = called(own, "withFibonacciBackoff").is_some();
    let grows = fibonacci || called(own, "withExponentialBackoff").is_some();
    let cap_ms = grows.then(|| time("maxDelay", "capMs", 60_000.0));
    let number = |take: &mut Take, name: &str, field, usual| match written(name) {
        Some((value, _)) => take.number(name, field, value).unwrap_or(usual),
        None => {
            take.default(field, usual.to_string());
            usual
        }
    };
    let retries = number(take, "maxRetries", "retries", 3.0);
    let mut policy = Policy::new(wait(base_ms, jitter_ms), (retries >= 0.0).then_some(retries as u64));
    if grows {
        let factor = if fibonacci { 0.0 } else { number(take, "factor", "factor", 2.0) };
        growing(&mut policy, fibonacci, base_ms, factor, cap_ms, jitter_ms);
    }
    policy.deadline = (limit_ms > 0.0).then_some(Deadline { limit_ms, overrun: Overrun::Allow, clock: Clock::Elapsed });
    if let Some([value, rest @ ..]) = called(part(item, "withTimeout"), "duration") {
        let unit = rest.first().and_then(|arg| Unit::named(arg.value.text()?)).unwrap_or(Unit::Millisecond);
        policy.attempt_timeout_ms = take.time("duration", "attemptTimeoutMs", &value.value, Some(unit));
    }
    policy
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if take.block.variant == "builder" {
        return built(take);
    }
    if item.args.is_empty() {
        take.note("defaults", item.head.span, "Nothing is written: 3 retries with a jitter of 200 ms is the default.");
    }
    if !take.main().flag("enabled") {
        take.note("disabled", item.span, "Retry is switched off here: one call.");
        return Policy::single_call();
    }
    let retries = retries(&mut take.main());
    let [delay_unit, jitter_unit, limit_unit] =
        ["delayUnit", "jitterDelayUnit", "durationUnit"].map(|name| unit(take, item, "", name));
    let base_ms = time(&mut take.main().bare(delay_unit), "delay");
    let jitter_ms = time(&mut take.main().bare(jitter_unit), "jitter");
    let limit_ms = time(&mut take.main().bare(limit_unit), "maxDuration");
    take.main().unknown_names("an attribute of @Retry", "it does not compile");
    let limited = take.main().has("maxDuration");
    if let Some(value) = take.main().value("durationUnit").filter(|_| !limited) {
        let message =
            "durationUnit applies to maxDuration only; delay stays in milliseconds unless delayUnit is written.";
        take.warning("misplaced-unit", value.span, message).help = "Write delayUnit.".into();
    }
    let limit_ms = match limited {
        true => limit_ms,
        false => limit_ms / Unit::Millisecond.ms() * limit_unit.ms(),
    };
    if let Some(value) = take.main().value("maxDuration").filter(|_| limit_ms > 0.0 && limit_ms <= base_ms) {
        take.refuse("maxDuration", value, "must be greater than delay; the deployment fails");
    }
    let mut policy = Policy::new(wait(base_ms, jitter_ms), retries);
    grow(take, &mut policy, base_ms, jitter_ms);
    if limit_ms > 0.0 {
        policy.deadline = Some(Deadline { limit_ms, overrun: Overrun::Allow, clock: Clock::Elapsed });
    }
    if let Some(timeout) = take.block.others.iter().copied().find(|o| o.is("Timeout")) {
        policy.attempt_timeout_ms = {
            let unit = unit(take, timeout, "Timeout", "unit");
            take.of(timeout, "Timeout").bare(unit).time("value")
        };
    }
    policy
}

fn retries(args: &mut Args) -> Option<u64> {
    let retries = args.number("maxRetries").unwrap_or(3.0);
    if let Some(value) = args.value("maxRetries").filter(|_| retries < -1.0) {
        args.take.refuse("maxRetries", value, "must be at least 0, or -1 for ever");
    }
    (retries >= 0.0).then_some(retries as u64)
}

fn time(args: &mut Args, name: &str) -> f64 {
    args.time(name).unwrap_or(0.0)
}

/// A constant delay with whole milliseconds added or taken off.
fn wait(base_ms: f64, jitter_ms: f64) -> Wait {
    let wait = Wait::new(Backoff::Constant { delay_ms: base_ms });
    match jitter_ms > 0.0 {
        true => wait.jitter(Jitter::Additive { min_ms: -jitter_ms, max_ms: jitter_ms }).rounding(
            RoundingMode::Nearest,
            1.0,
            Rounded::Wait,
        ),
        false => wait,
    }
}

/// SmallRye's back-offs: the first wait is the delay with its jitter, later ones grow and are cut to [0, maxDelay].
fn grow(take: &mut Take, policy: &mut Policy, base_ms: f64, jitter_ms: f64) {
    let others = take.block.others.clone();
    let Some(&other) = others.iter().find(|o| o.is_any(&["ExponentialBackoff", "FibonacciBackoff"])) else { return };
    let fibonacci = other.is("FibonacciBackoff");
    let of = if fibonacci { "FibonacciBackoff" } else { "ExponentialBackoff" };
    let cap_unit = unit(take, other, of, "maxDelayUnit");
    let mut args = take.of(other, of).bare(cap_unit);
    let cap_ms = args.time("maxDelay");
    let factor = if fibonacci { 0.0 } else { args.number("factor").unwrap_or(2.0) };
    args.unknown_names(&format!("an attribute of @{of}"), "it does not compile");
    growing(policy, fibonacci, base_ms, factor, cap_ms, jitter_ms);
}

fn growing(policy: &mut Policy, fibonacci: bool, base_ms: f64, factor: f64, cap_ms: Option<f64>, jitter_ms: f64) {
    let first = policy.wait.clone();
    let curve = match fibonacci {
        // delay, 2 delay, 3 delay, 5 delay: the usual sequence from its second 1 on.
        true => {
            let sequence = Backoff::Fibonacci { base_ms };
            let delays_ms = (2..=80).map(|k| sequence.delay_ms(k)).collect();
            Backoff::List { delays_ms, after: crate::policy::After::RepeatLast }
        }
        false => Backoff::Exponential { base_ms, factor },
    };
    policy.wait = Wait { backoff: curve, ..first.clone() }.cap(cap_ms).cap_order(CapOrder::AfterJitter);
    if cap_ms.is_some_and(|cap| base_ms + jitter_ms > cap) {
        policy.phases = vec![Phase { retries: 1, wait: first }];
    }
}
