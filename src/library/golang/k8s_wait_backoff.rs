//! k8s.io/apimachinery wait.Backoff, and the two ready-made ones of client-go's retry.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::item::path_ends_with;
use crate::notation::{Form, Item, Value};
use crate::policy::{Backoff, Jitter, Policy, Wait};

/// apimachinery and client-go as of July 2026.
pub static LIBRARY: Library = Library {
    id: "k8s-wait-backoff",
    title: "Kubernetes wait.Backoff",
    ecosystem: "Go",
    version: "apimachinery eed236ce (2026-07)",
    source: "pkg/util/wait/backoff.go, wait.go; client-go util/retry/util.go",
    counts: "calls, the first included (Steps)",
    formula: "Duration * Factor^(k-1), lengthened by up to Jitter of it",
    words: &[
        "wait.Backoff",
        "wait.ExponentialBackoff",
        "wait.ExponentialBackoffWithContext",
        "k8s.io/apimachinery/pkg/util/wait",
        "k8s.io/client-go/util/retry",
        "retry.RetryOnConflict",
        "retry.OnError",
        "retry.DefaultRetry",
        "retry.DefaultBackoff",
    ],
    settings: &[
        Setting::time("Duration", "baseMs", Unit::Nanosecond, "0").typed(),
        Setting::number("Factor", "factor", "0"),
        Setting::number("Jitter", "jitter", "0"),
        Setting::count("Steps", "retries", "0"),
        Setting::time("Cap", "capMs", Unit::Nanosecond, "0").typed(),
    ],
    notes: &[
        "Reaching past Cap ends the loop: fewer calls than Steps, and the last wait is followed by no call.",
        "Jitter only lengthens a wait.",
        "A Factor of 0 keeps the wait constant.",
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
            text: "backoff := wait.Backoff{\n\tDuration: 200 * time.Millisecond,\n\tFactor:   3,\n\tSteps:    4,\n}\nerr := wait.ExponentialBackoff(backoff, ready)\n",
            waits: &[(0.2, 0.2), (0.6, 0.6), (1.8, 1.8)],
        },
        Example {
            text: "err := retry.RetryOnConflict(retry.DefaultBackoff, func() error {\n\treturn c.Update(ctx, obj)\n})\n",
            waits: &[(0.01, 0.011), (0.05, 0.055), (0.25, 0.275)],
        },
    ],
};

const LOOPS: &[&str] =
    &["wait.ExponentialBackoff", "wait.ExponentialBackoffWithContext", "retry.RetryOnConflict", "retry.OnError"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let loops =
        scan.heads(LOOPS).filter(|i| i.args.iter().any(|a| ready_made(&a.value).is_some() || literal(&a.value)));
    let literals = scan.heads(&["wait.Backoff"]);
    let mut all: Vec<&Item> = loops.chain(literals).filter(|i| i.form == Form::Call).collect();
    crate::sort::by_key(&mut all, |i| (i.span.start, std::cmp::Reverse(i.span.end)));
    scan.outermost(all.into_iter()).into_iter().map(|item| Block::new(item, Certainty::Certain)).collect()
}

const TIMERS: &[&str] = &["DelayFunc", "DelayWithReset", "Timer"];

fn literal(value: &Value) -> bool {
    value.item().is_some_and(|i| i.is("wait.Backoff"))
}

/// Duration in ms, factor and steps of client-go's own back-offs; both have a jitter of 0.1.
fn ready_made(value: &Value) -> Option<(f64, f64, u64)> {
    let name = value.text()?;
    match () {
        _ if path_ends_with(name, "retry.DefaultRetry") => Some((10.0, 1.0, 5)),
        _ if path_ends_with(name, "retry.DefaultBackoff") => Some((10.0, 5.0, 4)),
        _ => None,
    }
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if let Some((value, made)) = item.args.iter().find_map(|a| Some((&a.value, ready_made(&a.value)?))) {
        let (base_ms, factor, steps) = made;
        for field in ["baseMs", "factor", "jitter", "retries"] {
            take.origin(field, value.span);
        }
        let wait = Wait::new(Backoff::Exponential { base_ms, factor });
        return Policy::new(wait.jitter(Jitter::Proportional { below: 0.0, above: 0.1 }), steps - 1);
    }
    let inner = item.args.iter().map(|a| &a.value).find(|v| literal(v)).and_then(Value::item);
    let mut args = take.of(inner.unwrap_or(item), "");
    let base_ms = args.time("Duration").unwrap_or(0.0);
    let factor = args.number("Factor").filter(|f| *f != 0.0).unwrap_or(1.0);
    let share = args.number("Jitter").unwrap_or(0.0);
    let steps = args.count("Steps").unwrap_or(0);
    let cap_ms = args.time("Cap").filter(|ms| *ms > 0.0);
    args.unknown_names("a field of wait.Backoff", "it does not compile");
    if steps == 0 && !args.value("Steps").is_some_and(Value::is_undefined) {
        let place = args.value("Steps").map_or(args.span, |v| v.span);
        args.take.error("no-steps", place, "Steps is 0: the loop ends before the first call.");
    }
    let jitter = if share > 0.0 { Jitter::Proportional { below: 0.0, above: share } } else { Jitter::None };
    let curve = Backoff::Exponential { base_ms, factor };
    let mut policy = Policy::new(Wait::new(curve.clone()).jitter(jitter), steps.saturating_sub(1));
    // A function that gives the delays counts nothing: it stays at the last one.
    if TIMERS.iter().any(|name| item.call(name).is_some()) {
        let last_ms = curve.delay_ms(steps.saturating_add(1));
        let cap_ms = cap_ms.map_or(last_ms, |cap| cap.min(last_ms));
        return Policy::new(Wait::new(curve).jitter(jitter).cap(cap_ms), None);
    }
    // The wait after which the next one would pass the cap is the last, and no call follows it.
    let next_passes = |k: u64| cap_ms.is_some_and(|cap| curve.delay_ms(k + 1) > cap);
    if let Some(last) = (1..steps.min(10_000)).find(|&k| next_passes(k)) {
        policy.retries = Some(last);
        policy.ends_with_wait = true;
        if let Some(value) = args.value("Cap") {
            let message =
                format!("Cap ends the loop: {last} calls instead of {steps}, and no call after the last wait.");
            args.take.warning("cap-ends-loop", value.span, message).help =
                "Leave Cap out, or give it the size of the last delay.".into();
        }
    }
    policy
}
