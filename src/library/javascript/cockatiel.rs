//! cockatiel: `retry(handleAll, { maxAttempts, backoff: new ExponentialBackoff() })`.

use super::strategy::{self, Inputs};
use super::{NOTHING, calls, map, ms, options};
use crate::duration::Unit;
use crate::library::scan::identity;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::formula::Spread;
use crate::notation::item::path_ends_with;
use crate::notation::{Arg, Item, Step, Value};
use crate::policy::{After, Backoff, CapOrder, Clock, Deadline, Jitter, Overrun, Policy, Rounded, RoundingMode, Wait};

/// cockatiel 3.
pub static LIBRARY: Library = Library {
    id: "cockatiel",
    title: "cockatiel",
    ecosystem: "JavaScript",
    version: "3.2.1",
    source: "npm package cockatiel: dist/RetryPolicy.js, dist/backoff",
    counts: "retries, the first call not included (maxAttempts)",
    formula: "decorrelated: min((h(t_k) - h(t_(k-1))) / 1.4 * initialDelay, maxDelay), t_k = k - 1 + random, h(t) = exponent^t * tanh(sqrt(4 t))",
    words: &["cockatiel", "handleAll", "handleType", "handleWhen", "ConstantBackoff", "IterableBackoff"],
    settings: &[
        Setting::count("maxAttempts", "retries", ""),
        super::shaping("backoff"),
        Setting::other("dangerouslyUnref"),
        Setting::count("count", "retries", "").of("attempts").at(0),
        super::shaping("generator").of(EXPONENTIAL),
        ms("initialDelay", "baseMs", "128").of(EXPONENTIAL),
        ms("maxDelay", "capMs", "30000").of(EXPONENTIAL),
        Setting::number("exponent", "factor", "2").of(EXPONENTIAL),
    ],
    notes: &[
        "maxAttempts counts retries, and is unlimited where it is not written.",
        "Without a backoff every retry comes at once.",
        "The default generator is decorrelated: its waits telescope, so the sum of all longest waits cannot happen.",
        "exponent acts on the decorrelated generator alone; the others always double.",
        "Full and half jitter round down: they stop 1 ms short of the delay.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "import { ConstantBackoff, handleAll, retry } from \"cockatiel\";\n\nconst policy = retry(handleAll, {\n  maxAttempts: «retries|Infinity»,\n  backoff: new ConstantBackoff(«delay»),\n});\n",
        "import { ExponentialBackoff, noJitterGenerator, handleAll, retry } from \"cockatiel\";\n\nconst policy = retry(handleAll, {\n  maxAttempts: «retries|Infinity»,\n  backoff: new ExponentialBackoff({\n    generator: noJitterGenerator,\n    initialDelay: «base»,\n    exponent: «factor»,\n    maxDelay: «cap|Infinity»,\n  }),\n});\n",
        "import { ExponentialBackoff, fullJitterGenerator, handleAll, retry } from \"cockatiel\";\n\nconst policy = retry(handleAll, {\n  maxAttempts: «retries|Infinity»,\n  backoff: new ExponentialBackoff({\n    generator: fullJitterGenerator,\n    initialDelay: «base»,\n    exponent: «factor»,\n    maxDelay: «cap|Infinity»,\n  }),\n});\n",
        "import { ExponentialBackoff, halfJitterGenerator, handleAll, retry } from \"cockatiel\";\n\nconst policy = retry(handleAll, {\n  maxAttempts: «retries|Infinity»,\n  backoff: new ExponentialBackoff({\n    generator: halfJitterGenerator,\n    initialDelay: «base»,\n    exponent: «factor»,\n    maxDelay: «cap|Infinity»,\n  }),\n});\n",
        "import { ExponentialBackoff, decorrelatedJitterGenerator, handleAll, retry } from \"cockatiel\";\n\nconst policy = retry(handleAll, {\n  maxAttempts: «retries|Infinity»,\n  backoff: new ExponentialBackoff({\n    generator: decorrelatedJitterGenerator,\n    initialDelay: «base»,\n    exponent: «factor»,\n    maxDelay: «cap|Infinity»,\n  }),\n});\n",
        "import { IterableBackoff, handleAll, retry } from \"cockatiel\";\n\nconst policy = retry(handleAll, {\n  maxAttempts: «retries|Infinity»,\n  backoff: new IterableBackoff([«list»]),\n});\n",
        "import { IterableBackoff, handleAll, retry } from \"cockatiel\";\n\nconst policy = retry(handleAll, {\n  maxAttempts: «retries|Infinity»,\n  backoff: new IterableBackoff([«delays»]),\n});\n",
    ],
    examples: &[
        Example {
            text: "import { ExponentialBackoff, fullJitterGenerator, handleAll, retry } from 'cockatiel';\n\nconst retryPolicy = retry(handleAll, {\n  maxAttempts: 4,\n  backoff: new ExponentialBackoff({ initialDelay: 250, maxDelay: 1000, generator: fullJitterGenerator }),\n});\n\nexport const getUser = (id) => retryPolicy.execute(() => db.get(id));\n",
            waits: &[(0.0, 0.249), (0.0, 0.499), (0.0, 0.999), (0.0, 0.999)],
        },
        Example {
            text: "import { handleType, IterableBackoff, retry } from 'cockatiel';\n\nconst policy = retry(handleType(NetworkError), {\n  maxAttempts: 4,\n  backoff: new IterableBackoff([50, 250, 1000]),\n});\n",
            waits: &[(0.05, 0.05), (0.25, 0.25), (1.0, 1.0), (1.0, 1.0)],
        },
    ],
};

const EXPONENTIAL: &str = "ExponentialBackoff";
const BACKOFFS: &[&str] = &[EXPONENTIAL, "ConstantBackoff", "IterableBackoff", "DelegateBackoff"];
const HANDLES: &[&str] = &["handleAll", "handleType", "handleWhen", "handleResultType", "handleWhenResult"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks = Vec::new();
    for (item, imported) in calls(scan, &["cockatiel"], &["retry"]) {
        if imported {
            blocks.push(Block::new(item, Certainty::Certain));
        } else if item.at(0).is_some_and(handles) {
            blocks.push(Block::new(item, Certainty::Likely));
        }
    }
    // Before release 3 a policy was a chain: `Policy.handleAll().retry().attempts(3).exponential()`.
    let chains = super::methods(scan, &["retry"]).into_iter().filter(|c| c.item.head.text.contains("Policy.handle"));
    blocks.extend(chains.map(|c| Block::new(c.item, Certainty::Certain).variant("chain")));
    let wrapped = |block: Block<'d>| {
        let item = block.item;
        scan.heads(&["wrap"]).filter(|wrap| of_retry(wrap, item).is_some()).fold(block, Block::with)
    };
    blocks.into_iter().map(wrapped).collect()
}

/// Where among the policies that `wrap` joins this retry stands.
fn of_retry(wrap: &Item, retry: &Item) -> Option<usize> {
    let stands = |arg: &Arg| arg.value.item().is_some_and(|item| identity(item) == identity(retry));
    wrap.args.iter().position(stands)
}

/// A timeout around the retry bounds the whole; one inside bounds each call.
fn timeouts(take: &mut Take, policy: &mut Policy) {
    for wrap in take.block.others.clone() {
        let Some(own) = of_retry(wrap, take.block.item) else { continue };
        for (at, arg) in wrap.args.iter().enumerate() {
            let timeout = arg.value.item().filter(|item| item.is("timeout"));
            let Some(value) = timeout.and_then(|item| item.at(0)) else { continue };
            let field = if at < own { "deadline" } else { "attemptTimeoutMs" };
            let Some(ms) = take.time("timeout(duration)", field, value, Some(Unit::Millisecond)) else { continue };
            if at < own {
                policy.deadline = Some(Deadline { limit_ms: ms, overrun: Overrun::Refuse, clock: Clock::Elapsed });
            } else {
                policy.attempt_timeout_ms = Some(ms);
            }
        }
    }
}

/// Whether a value is one of cockatiel's selections of errors: `handleAll`, `handleType(E).orType(F)`.
fn handles(value: &Value) -> bool {
    match value.item() {
        Some(item) => item.is_any(HANDLES),
        None => value.text().is_some_and(|word| HANDLES.iter().any(|h| path_ends_with(word, h))),
    }
}

fn read(take: &mut Take) -> Policy {
    if take.block.variant == "chain" {
        return chain(take);
    }
    let given = take.block.item.at(1);
    let defaults = "retries without end, each at once.";
    let mut args = options(take, given, "", defaults);
    args.unknown_names("an option of `retry`", "it is ignored");
    let retries = args.count("maxAttempts");
    if !args.has("maxAttempts") {
        args.take.default("retries", "Infinity");
    }
    let backoff = args.value("backoff").filter(|v| !v.is_null());
    let wait = match backoff {
        Some(value) => wait(take, value, retries),
        None => {
            take.default("backoff", "ConstantBackoff(0)");
            constant(0.0)
        }
    };
    let mut policy = Policy::new(wait, retries);
    timeouts(take, &mut policy);
    policy
}

/// A chain of release 2: attempts and delays each end the retrying; the last delay holds.
fn chain(take: &mut Take) -> Policy {
    let item = take.block.item;
    let (mut retries, mut wait, mut ended) = (None, constant(0.0), false);
    for step in &item.steps {
        let Step::Call { name, args, span } = step else { continue };
        let value = args.first().map(|arg| &arg.value);
        match (name.text.as_str(), value) {
            ("attempts", Some(_)) => {
                let count = take.of_call(args, *span, "attempts").count("count");
                retries = count.into_iter().chain(retries).min();
                wait = constant(1.0);
            }
            ("delay", Some(value)) => {
                let mut time = |v| take.time("delay(amount)", "delayMs", v, Some(Unit::Millisecond)).unwrap_or(0.0);
                wait = match value.list() {
                    Some(list) => {
                        let count = list.len() as u64;
                        retries = Some(retries.map_or(count, |n: u64| n.min(count)));
                        Wait::new(Backoff::List { delays_ms: list.iter().map(time).collect(), after: After::Stop })
                    }
                    None => constant(time(value)),
                };
            }
            ("exponential", _) => {
                take.origin("backoff", *span);
                wait = exponential(take, value.and_then(map));
            }
            ("backoff", Some(value)) => wait = self::wait(take, value, retries),
            _ => continue,
        }
        ended = true;
    }
    if !ended {
        take.note("defaults", item.head.span, "Nothing about waits is written here: one retry, at once.");
        retries = Some(1);
    }
    let mut policy = Policy::new(wait, retries);
    timeouts(take, &mut policy);
    policy
}

fn constant(delay_ms: f64) -> Wait {
    Wait::new(Backoff::Constant { delay_ms })
}

fn wait<'t>(take: &mut Take<'t>, value: &'t Value, retries: Option<u64>) -> Wait {
    let item = value.item().filter(|item| item.is_any(BACKOFFS));
    let Some(item) = item else {
        if value.is_undefined() {
            take.unknown.push("backoff");
            let message = "`backoff` is given by a name that this text does not define; its waits are not known.";
            take.note("unknown-value", value.span, message);
        } else {
            let what =
                format!("must be a backoff object such as `new ConstantBackoff(1000)`, not {}", value.describe());
            take.refuse("backoff", value, &format!("{what}: the first retry throws a TypeError"));
        }
        return constant(0.0);
    };
    take.origin("backoff", value.span);
    let ms = Some(Unit::Millisecond);
    if item.is("ConstantBackoff") {
        let delay = item.at(0).and_then(|v| take.time("ConstantBackoff(interval)", "delayMs", v, ms));
        constant(delay.unwrap_or(0.0))
    } else if item.is("IterableBackoff") {
        let list = item.at(0).and_then(|value| take.list("IterableBackoff(durations)", "delaysMs", value));
        let list = list.unwrap_or_default();
        let delays = list.iter().map(|v| take.time("IterableBackoff(durations)", "delaysMs", v, ms).unwrap_or(0.0));
        Wait::new(Backoff::List { delays_ms: delays.collect(), after: After::RepeatLast })
    } else if item.is(EXPONENTIAL) {
        exponential(take, item.at(0).and_then(map))
    } else if let Some(fun) = item.at(0).and_then(Value::fun) {
        let inputs = Inputs::named(|k| vec![("attempt", Spread::fixed(k as f64))]);
        strategy::policy(take, "DelegateBackoff", fun, inputs, retries).wait
    } else {
        take.unknown.push("backoff");
        let message = "`DelegateBackoff` asks a function of your own before each wait; its waits are not known.";
        take.note("unknown-value", value.span, message);
        constant(0.0)
    }
}

fn exponential<'t>(take: &mut Take<'t>, given: Option<&'t Item>) -> Wait {
    let mut args = take.of(given.unwrap_or(&NOTHING), EXPONENTIAL);
    args.unknown_names("an option of `ExponentialBackoff`", "it is ignored");
    let base_ms = args.time("initialDelay").unwrap_or(128.0);
    let cap_ms = args.time("maxDelay").filter(|ms| ms.is_finite());
    let generator = args.value("generator").and_then(Value::text).unwrap_or("decorrelatedJitterGenerator");
    match args.value("generator") {
        Some(value) => args.take.origin("jitter", value.span),
        None => args.take.default("jitter", "decorrelatedJitterGenerator"),
    }
    let doubling = Wait::new(Backoff::Exponential { base_ms, factor: 2.0 }).cap(cap_ms);
    let floor = |wait: Wait| wait.rounding(RoundingMode::Floor, 1.0, Rounded::Wait);
    let wait = match generator.rsplit('.').next().unwrap_or(generator) {
        "noJitterGenerator" => doubling,
        "fullJitterGenerator" => floor(doubling.jitter(Jitter::Full)),
        "halfJitterGenerator" => floor(doubling.jitter(Jitter::Equal)),
        "decorrelatedJitterGenerator" => {
            let factor = args.number("exponent").unwrap_or(2.0);
            let curve = Backoff::Exponential { base_ms, factor };
            return Wait::new(curve).cap(cap_ms).cap_order(CapOrder::AfterJitter).jitter(Jitter::Telescoping);
        }
        _ => {
            let value = args.value("generator").expect("another word than the default was written");
            args.take.unknown.push("jitter");
            let message = "`generator` is none of cockatiel's own; the waits below are those without jitter.";
            args.take.note("unknown-value", value.span, message);
            doubling
        }
    };
    if let Some(value) = given.and_then(|g| g.get("exponent")).filter(|v| v.number() != Some(2.0)) {
        let message = "`exponent` acts on the decorrelated generator alone; this one doubles whatever it says.";
        args.take.warning("no-effect", value.span, message);
    }
    wait
}
