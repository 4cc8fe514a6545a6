//! cenkalti/backoff: back-offs that wrap each other, and `Retry` around them.

use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Value};
use crate::policy::{Backoff, Clock, Deadline, Jitter, Overrun, Phase, Policy, Wait};
use crate::retry_after::RetryAfter;

/// cenkalti/backoff 4 and 5.
pub static LIBRARY: Library = Library {
    id: "cenkalti-backoff",
    title: "cenkalti/backoff",
    ecosystem: "Go",
    version: "v4.3.0 and v5",
    source: "exponential.go, tries.go, retry.go",
    counts: "WithMaxRetries (v4): retries; WithMaxTries (v5): calls, the first included",
    formula: "min(MaxInterval, InitialInterval * Multiplier^(k-1)) * U[1 - RandomizationFactor, 1 + RandomizationFactor]",
    words: &[
        "cenkalti/backoff",
        "backoff.NewExponentialBackOff",
        "backoff.NewConstantBackOff",
        "backoff.WithMaxRetries",
        "backoff.WithMaxTries",
        "NewExponentialBackOff",
        "ExponentialBackOff",
        "backoff.Retry",
        "backoff.RetryNotify",
        "backoff.RetryAfter",
        "backoff.Permanent",
        "WithMaxElapsedTime",
    ],
    settings: &[
        Setting::time("InitialInterval|WithInitialInterval", "baseMs", Unit::Nanosecond, "500ms").typed(),
        Setting::number("RandomizationFactor|WithRandomizationFactor", "jitter", "0.5"),
        Setting::number("Multiplier|WithMultiplier", "factor", "1.5"),
        Setting::time("MaxInterval|WithMaxInterval", "capMs", Unit::Nanosecond, "60s").typed(),
        Setting::time("MaxElapsedTime|WithMaxElapsedTime", "deadline", Unit::Nanosecond, "").typed(),
        Setting::other("Clock|WithClockProvider"),
        Setting::other("Stop|WithRetryStopDuration"),
        Setting::time("InitialInterval", "baseMs", Unit::Nanosecond, "0").typed().of("literal"),
        Setting::number("RandomizationFactor", "jitter", "0").of("literal"),
        Setting::number("Multiplier", "factor", "0").of("literal"),
        Setting::time("MaxInterval", "capMs", Unit::Nanosecond, "0").typed().of("literal"),
        Setting::time("MaxElapsedTime", "deadline", Unit::Nanosecond, "").typed().of("literal"),
        Setting::other("Clock").of("literal"),
        Setting::other("Stop").of("literal"),
        Setting::time("d", "baseMs", Unit::Nanosecond, "0").typed().of("constant").at(0),
        Setting::time("Interval", "baseMs", Unit::Nanosecond, "0").typed().of("constant"),
        Setting::count("max", "retries", "").of("WithMaxRetries").at(1),
        Setting::count("n", "retries", "").of("WithMaxTries").at(0),
        Setting::time("d", "deadline", Unit::Nanosecond, "").typed().of("WithMaxElapsedTime").at(0),
        Setting::other("WithBackOff|WithNotify|WithMaxTries|WithMaxRetries|WithContext").of("Retry"),
    ],
    notes: &[
        "The cap acts before the jitter: waits reach MaxInterval * (1 + RandomizationFactor).",
        "WithMaxRetries of v4 counts retries, WithMaxTries of v5 counts calls.",
        "A total limit of 15 minutes holds unless another is written; 0 lifts it.",
        "The first interval is not cut to MaxInterval.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: Some((
        RetryAfter::Replaces { limit_ms: None },
        "v5, retry.go; a RetryAfterError of the operation, which v4 does not know",
    )),
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "import \"github.com/cenkalti/backoff/v4\"\n\nb := backoff.NewExponentialBackOff()\nb.InitialInterval = 200 * time.Millisecond\nb.MaxInterval = 2 * time.Second\nb.Multiplier = 2\nerr := backoff.Retry(publish, backoff.WithMaxRetries(b, 4))\n",
            waits: &[(0.1, 0.3), (0.2, 0.6), (0.4, 1.2), (0.8, 2.4)],
        },
        Example {
            text: "res, err := backoff.Retry(ctx, op,\n\tbackoff.WithBackOff(backoff.NewConstantBackOff(3*time.Second)),\n\tbackoff.WithMaxTries(3),\n)\n",
            waits: &[(3.0, 3.0), (3.0, 3.0)],
        },
    ],
};

/// What stands around a back-off or makes one, outermost first in a text that uses it.
const HEADS: &[&str] = &[
    "backoff.Retry",
    "backoff.RetryNotify",
    "backoff.RetryWithData",
    "backoff.RetryNotifyWithData",
    "backoff.RetryNotifyWithTimer",
    "backoff.WithMaxRetries",
    "backoff.WithContext",
    "backoff.NewExponentialBackOff",
    "backoff.NewConstantBackOff",
    "backoff.ExponentialBackOff",
    "backoff.ConstantBackOff",
    "backoff.ZeroBackOff",
    "backoff.StopBackOff",
    "backoff.NewTicker",
];

/// The limit that holds where none is written.
const FIFTEEN_MINUTES_MS: f64 = 900_000.0;

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let imported = scan.imports(&["github.com/cenkalti/backoff", "gopkg.in/cenkalti/backoff"]);
    let imported = imported || scan.says("cenkalti/backoff");
    let calls = scan.heads(HEADS).filter(|item| matches!(item.form, Form::Call) && !rust(item));
    let own = [
        "BackOff",
        "WithMaxTries",
        "WithMaxElapsedTime",
        "WithMaxRetries",
        "backoff.Permanent(",
        "backoff.RetryAfter(",
    ]
    .iter()
    .any(|w| scan.says(w));
    let outer = scan.outermost(calls);
    // Another package's option of that name takes the count alone.
    let other = |item: &Item| item.is("backoff.WithMaxRetries") && item.args.len() == 1;
    let plain = |item: &&Item| (imported || own || item.head.text.contains("BackOff")) && !other(item);
    outer.into_iter().filter(plain).map(|item| Block::new(item, Certainty::Certain)).collect()
}

/// Whether an item is of the Rust crate with the same name.
fn rust(item: &Item) -> bool {
    item.head.text.contains("::")
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let mut policy = Policy::new(Wait::new(Backoff::Constant { delay_ms: 0.0 }), None);
    // Version 5 keeps the total limit in Retry's options, version 4 in the back-off itself.
    let options: Vec<&Item> = item.args.iter().filter_map(|a| a.value.item()).filter(|i| i.is_any(OPTIONS)).collect();
    let retries = item.head.text.contains("Retry");
    let v5 = retries && (!options.is_empty() || take.scan.says("backoff/v5") || retry_after(item).is_some());
    let source = match options.iter().find(|i| i.is("WithBackOff")) {
        Some(option) => option.at(0).and_then(Value::item),
        None if v5 => None,
        None if retries => item.args.iter().filter_map(|a| a.value.item()).find(|i| i.is_any(HEADS)),
        None => Some(item),
    };
    match source {
        Some(source) => back_off(take, source, &mut policy, v5),
        None => {
            let message = "No back-off is written here: the default of NewExponentialBackOff applies.";
            take.note("defaults", item.head.span, message);
            exponential(take.of(item, ""), &mut policy);
            if !v5 {
                elapsed(take, None, &mut policy);
            }
        }
    }
    if let Some(after) = retry_after(item) {
        let wait_ms = after.at(0).and_then(|v| take.time("RetryAfter", "baseMs", v, Some(Unit::Second)));
        let message = "The operation's error says itself how long to wait: RetryAfter takes the place of the back-off, and \
                       is not retried once it is longer than the time that is left.";
        take.note("retry-after", after.span, message);
        policy.wait = Wait::new(Backoff::Constant { delay_ms: wait_ms.unwrap_or(0.0) });
        policy.phases.clear();
    }
    if v5 {
        take.main().unknown_options(&["backoff"]);
        let written = options.iter().copied().find(|i| i.is("WithMaxElapsedTime"));
        let limit = written.map(|option| take.of(option, "WithMaxElapsedTime").time("d"));
        elapsed(take, limit.flatten(), &mut policy);
        if let Some(option) = options.iter().copied().find(|i| i.is("WithMaxTries"))
            && let Some(calls) = take.of(option, "WithMaxTries").count("n")
        {
            policy.retries = (calls > 0).then(|| calls - 1);
        }
    }
    policy
}

/// `backoff.RetryAfter(60)` in what the operation returns.
fn retry_after(item: &Item) -> Option<&Item> {
    let mut found = None;
    item.walk(&mut |inner| {
        if inner.is("backoff.RetryAfter") {
            found = Some(inner);
        }
    });
    found
}

const OPTIONS: &[&str] =
    &["backoff.WithBackOff", "backoff.WithMaxTries", "backoff.WithMaxElapsedTime", "backoff.WithNotify"];

/// A back-off, whatever wraps it.
fn back_off<'t>(take: &mut Take<'t>, item: &'t Item, policy: &mut Policy, v5: bool) {
    let first = item.args.iter().find_map(|a| a.value.item());
    if item.is("backoff.WithMaxRetries") {
        if let Some(inner) = first {
            back_off(take, inner, policy, v5);
        }
        policy.retries = take.of(item, "WithMaxRetries").count("max");
    } else if item.is_any(&["backoff.WithContext", "backoff.NewTicker"]) {
        if let Some(inner) = first {
            back_off(take, inner, policy, v5);
        }
    } else if item.is("backoff.StopBackOff") {
        policy.retries = Some(0);
    } else if item.is_any(&["NewConstantBackOff", "ConstantBackOff"]) {
        let mut args = take.of(item, "constant");
        let delay_ms = if args.has("Interval") { args.time("Interval") } else { args.time("d") };
        policy.wait = Wait::new(Backoff::Constant { delay_ms: delay_ms.unwrap_or(0.0) });
    } else if item.is("NewExponentialBackOff") {
        exponential(take.of(item, ""), policy);
        if !v5 {
            let mut args = take.of(item, "");
            let limit = args.has("MaxElapsedTime").then(|| args.time("MaxElapsedTime").unwrap_or(FIFTEEN_MINUTES_MS));
            elapsed(take, limit, policy);
        }
    } else if item.is("ExponentialBackOff") {
        let message = "A struct literal leaves the fields that it does not set at 0, not at the defaults.";
        take.note("literal", item.head.span, message);
        let limit = take.of(item, "literal").time("MaxElapsedTime").filter(|ms| *ms > 0.0);
        exponential(take.of(item, "literal"), policy);
        policy.deadline = limit.map(deadline);
    }
}

/// The total limit: as written, none for 0, or 15 minutes.
fn elapsed(take: &mut Take, limit_ms: Option<f64>, policy: &mut Policy) {
    if limit_ms.is_none() {
        take.default("deadline", "15 min");
    }
    policy.deadline = Some(limit_ms.unwrap_or(FIFTEEN_MINUTES_MS)).filter(|ms| *ms > 0.0).map(deadline);
}

fn deadline(limit_ms: f64) -> Deadline {
    Deadline { limit_ms, overrun: Overrun::Refuse, clock: Clock::Elapsed }
}

fn exponential(mut args: Args, policy: &mut Policy) {
    let base_ms = args.time("InitialInterval").unwrap_or(0.0);
    // A negative share gives the same range, from its other end.
    let share = args.number("RandomizationFactor").unwrap_or(0.0).abs();
    let factor = args.number("Multiplier").unwrap_or(0.0);
    let cap_ms = args.time("MaxInterval").unwrap_or(0.0);
    args.unknown_names("a field of ExponentialBackOff", "it does not compile");
    let jitter = if share == 0.0 { Jitter::None } else { Jitter::Proportional { below: share, above: share } };
    let wait = Wait::new(Backoff::Exponential { base_ms, factor }).jitter(jitter);
    policy.wait = wait.clone().cap(cap_ms);
    if base_ms > cap_ms {
        policy.phases = vec![Phase { retries: 1, wait }];
    }
}
