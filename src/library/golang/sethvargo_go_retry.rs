//! sethvargo/go-retry: back-offs wrapped by decorators, whose order is their meaning.

use crate::duration::Unit;
use crate::library::computed::{self, Inputs};
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Value};
use crate::policy::{After, Backoff, Clock, Deadline, Law, Overrun, Policy, Range, Shape, Wait, Walk};
use crate::policy::{CapOrder, Jitter};

/// go-retry as of January 2026.
pub static LIBRARY: Library = Library {
    id: "sethvargo-go-retry",
    title: "sethvargo/go-retry",
    ecosystem: "Go",
    version: "a324c68 (2026-01)",
    source: "backoff.go, backoff_exponential.go, backoff_fibonacci.go, backoff_constant.go, retry.go",
    counts: "retries (WithMaxRetries)",
    formula: "base * 2^(k-1), base * (1, 2, 3, 5, …) or base, through the decorators from the inside out",
    words: &[
        "sethvargo/go-retry",
        "retry.NewExponential",
        "retry.NewFibonacci",
        "retry.NewConstant",
        "retry.WithCappedDuration",
        "retry.WithMaxRetries",
        "retry.WithJitter",
        "retry.WithJitterPercent",
        "retry.WithMaxDuration",
        "retry.BackoffFunc",
        "retry.Exponential",
        "retry.Fibonacci",
        "retry.Constant",
    ],
    settings: &[
        Setting::time("base", "baseMs", Unit::Nanosecond, "").typed().at(0),
        Setting::time("base", "baseMs", Unit::Nanosecond, "").typed().of("do").at(1),
    ],
    notes: &[
        "The order of the decorators decides: a cap around a jitter holds, a jitter around a cap passes it.",
        "WithJitterPercent(p) draws from -(p-1) % to +p %, not evenly around the wait.",
        "WithCappedDuration turns a wait of 0 into the cap.",
        "Without WithMaxRetries it never stops.",
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
            text: "b := retry.NewFibonacci(200 * time.Millisecond)\nb = retry.WithMaxRetries(4, b)\nb = retry.WithCappedDuration(1*time.Second, b)\nerr := retry.Do(ctx, b, connect)\n",
            waits: &[(0.2, 0.2), (0.4, 0.4), (0.6, 0.6), (1.0, 1.0)],
        },
        Example {
            text: "b := retry.WithMaxRetries(3, retry.WithJitter(100*time.Millisecond, retry.NewConstant(time.Second)))\n",
            waits: &[(0.9, 1.1), (0.9, 1.1), (0.9, 1.1)],
        },
    ],
};

const MAKERS: &[&str] = &["retry.NewExponential", "retry.NewFibonacci", "retry.NewConstant", "retry.BackoffFunc"];
const SHORT: &[&str] = &["retry.Exponential", "retry.Fibonacci", "retry.Constant"];
const WRAPPERS: &[&str] = &[
    "retry.WithMaxRetries",
    "retry.WithCappedDuration",
    "retry.WithJitter",
    "retry.WithJitterPercent",
    "retry.WithMaxDuration",
];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let calls = |heads: &'static [&'static str]| scan.heads(heads).filter(|i| i.form == Form::Call);
    let mut all: Vec<&Item> = calls(&["retry.Do", "retry.DoValue"]).filter(|i| holds_back_off(i)).collect();
    // The decorators take the back-off that they are put around; options of the same name do not.
    let wrappers = calls(WRAPPERS).filter(|i| i.args.len() == 2);
    all.extend(calls(MAKERS).chain(wrappers).chain(calls(SHORT)));
    crate::sort::by_key(&mut all, |i| (i.span.start, std::cmp::Reverse(i.span.end)));
    scan.outermost(all.into_iter()).into_iter().map(|item| Block::new(item, Certainty::Certain)).collect()
}

fn holds_back_off(item: &Item) -> bool {
    item.args.iter().filter_map(|a| a.value.item()).any(|i| i.is_any(MAKERS) || i.is_any(WRAPPERS))
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if item.is_any(SHORT) {
        let base_ms = positive(take, item, "do");
        return Policy::new(Wait::new(curve(item, base_ms)), None);
    }
    let inner = match item.is_any(&["retry.Do", "retry.DoValue"]) {
        true => item.args.iter().filter_map(|a| a.value.item()).find(|i| i.is_any(MAKERS) || i.is_any(WRAPPERS)),
        false => Some(item),
    };
    inner.map_or_else(Policy::single_call, |inner| back_off(take, inner))
}

/// A maker, or a decorator around another back-off.
fn back_off<'t>(take: &mut Take<'t>, item: &'t Item) -> Policy {
    if let Some(fun) = item.at(0).and_then(Value::fun).filter(|_| item.is("retry.BackoffFunc")) {
        let inputs = Inputs::positional(|_| Vec::new()).unit_ms(1e-6);
        return computed::policy(take, "BackoffFunc", fun, inputs, None);
    }
    if item.is_any(MAKERS) {
        let base_ms = positive(take, item, "");
        return Policy::new(Wait::new(curve(item, base_ms)), None);
    }
    let mut policy = match item.at(1).and_then(Value::item) {
        Some(inner) => back_off(take, inner),
        None => Policy::new(Wait::new(Backoff::Constant { delay_ms: 0.0 }), None),
    };
    let Some(value) = item.at(0) else { return policy };
    let name = item.head.text.rsplit('.').next().unwrap_or_default().to_string();
    let time = |take: &mut Take, field| take.time(&name, field, value, Some(Unit::Nanosecond));
    match name.as_str() {
        "WithMaxRetries" => match take.number(&name, "retries", value) {
            Some(n) if n < 0.0 => _ = take.refuse(&name, value, "is negative; it does not compile"),
            n => policy.retries = n.map(|n| n as u64),
        },
        "WithMaxDuration" => {
            policy.deadline = time(take, "deadline").map(|limit_ms| Deadline {
                limit_ms,
                overrun: Overrun::Shorten,
                clock: Clock::Elapsed,
            });
        }
        "WithCappedDuration" => {
            if let Some(cap) = time(take, "capMs") {
                if Walk::new(&policy).next().is_some_and(|range| range.min_ms == 0.0 && range.max_ms > 0.0) {
                    let message = "A wait that the jitter inside brings down to 0 becomes the cap: only a value above 0 and below the cap passes it.";
                    take.warning("zero-becomes-cap", value.span, message).help =
                        "Put `WithJitter` around `WithCappedDuration`.".into();
                    policy = around(policy, |range| {
                        let high = if range.min_ms == 0.0 { cap } else { range.max_ms.min(cap) };
                        Law::one(range.min_ms.min(cap), high, Shape::Unknown)
                    });
                }
                policy.wait = capped(policy.wait, cap);
            }
        }
        "WithJitter" => {
            if let Some(spread) = time(take, "jitter") {
                policy = jittered(policy, |ms| Law::uniform(ms - spread, ms + spread).floored(0.0), Some(spread));
            }
        }
        "WithJitterPercent" => match take.number(&name, "jitter", value) {
            Some(percent) if percent > 0.0 => policy = jittered(policy, |ms| percent_law(ms, percent), None),
            Some(_) => _ = take.refuse(&name, value, "must be greater than 0; the draw panics"),
            None => {}
        },
        _ => {}
    }
    policy
}

fn curve(item: &Item, base_ms: f64) -> Backoff {
    if item.head.text.ends_with("Exponential") {
        Backoff::Exponential { base_ms, factor: 2.0 }
    } else if item.head.text.ends_with("Fibonacci") {
        // b, 2b, 3b, 5b: the usual sequence from its second 1 on.
        Backoff::List { delays_ms: fibonacci(base_ms), after: After::RepeatLast }
    } else {
        Backoff::Constant { delay_ms: base_ms }
    }
}

fn fibonacci(base_ms: f64) -> Vec<f64> {
    let curve = Backoff::Fibonacci { base_ms };
    (2..=92).map(|k| curve.delay_ms(k)).collect()
}

fn positive<'t>(take: &mut Take<'t>, item: &'t Item, of: &'static str) -> f64 {
    let mut args = take.of(item, of);
    let base_ms = args.time("base").unwrap_or(0.0);
    if let Some(value) = args.value("base").filter(|v| base_ms <= 0.0 && !v.is_undefined()) {
        args.take.refuse("base", value, "must be greater than 0; the constructor panics");
    }
    base_ms
}

/// The cap around what is there: before any jitter it cuts the delay, around one it cuts the draw.
fn capped(wait: Wait, cap_ms: f64) -> Wait {
    let order = if wait.jitter.is_none() { CapOrder::BeforeJitter } else { CapOrder::AfterJitter };
    match wait.backoff {
        Backoff::Table { waits, after } => {
            let waits = waits.into_iter().map(|law| law.capped(cap_ms)).collect();
            Wait { backoff: Backoff::Table { waits, after }, ..wait }
        }
        _ => {
            let cap_ms = wait.cap_ms.map_or(cap_ms, |have| have.min(cap_ms));
            wait.cap(cap_ms).cap_order(order)
        }
    }
}

/// A jitter around what is there: the model's own where the delay is bare, else each wait's law by itself, of which only
/// the range is known where there is another jitter inside.
fn jittered(mut policy: Policy, law: impl Fn(f64) -> Law, spread: Option<f64>) -> Policy {
    if let (Some(ms), true) = (spread, policy.wait.jitter.is_none() && policy.wait.is_fixed()) {
        policy.wait.jitter = Jitter::Additive { min_ms: -ms, max_ms: ms };
        return policy;
    }
    around(policy, |range| {
        let (low, high) = (law(range.min_ms), law(range.max_ms));
        if range.min_ms == range.max_ms { high } else { Law::one(low.min_ms(), high.max_ms(), Shape::Unknown) }
    })
}

/// Another law for each wait.
fn around(mut policy: Policy, law: impl Fn(Range) -> Law) -> Policy {
    let waits = Walk::new(&policy).take(policy.retries.unwrap_or(92).min(2_000) as usize).map(law).collect();
    policy.wait = Wait::table(waits);
    policy
}

/// `wait * (1 - t/100)` with a whole `t` from `-p` to `p - 1`.
fn percent_law(ms: f64, percent: f64) -> Law {
    let percent = percent.floor();
    Law::steps(ms * (1.0 - (percent - 1.0) / 100.0), ms * (1.0 + percent / 100.0), ms / 100.0).floored(0.0)
}
