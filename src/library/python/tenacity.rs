//! Tenacity: strategies that are values, added with `+`, chained, stopped by `|`.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Kind, Value};
use crate::policy::{Backoff, CapOrder, Clock, Deadline, Jitter, Overrun, Phase, Policy, Wait};

/// `sys.maxsize / 2` seconds, in ms: a cap that no schedule reaches is no cap.
const NO_CAP_MS: f64 = 4.6e21;

/// Tenacity 9.
pub static LIBRARY: Library = Library {
    id: "tenacity",
    title: "Tenacity",
    ecosystem: "Python",
    version: "9.2.1",
    source: "tenacity/wait.py, tenacity/stop.py, tenacity/__init__.py",
    counts: "calls, the first included (stop_after_attempt)",
    formula: "wait_exponential: max(min, min(multiplier * exp_base^(k-1), max))",
    words: &[
        "tenacity",
        "wait_exponential",
        "stop_after_attempt",
        "wait_random_exponential",
        "wait_exponential_jitter",
        "wait_fixed",
        "wait_random",
        "wait_incrementing",
        "wait_chain",
        "wait_combine",
        "stop_after_delay",
        "stop_before_delay",
        "wait_full_jitter",
        "wait_none",
        "stop_never",
        "AsyncRetrying",
        "Retrying",
    ],
    settings: &[
        Setting::other("wait"),
        Setting::other("stop"),
        Setting::other("sleep"),
        Setting::other("retry"),
        Setting::other("before"),
        Setting::other("after"),
        Setting::other("before_sleep"),
        Setting::other("reraise"),
        Setting::other("retry_error_cls"),
        Setting::other("retry_error_callback"),
        Setting::other("name"),
        Setting::other("enabled"),
        Setting::time("wait", "baseMs", Unit::Second, "0").of("wait_fixed").at(0),
        Setting::time("min", "baseMs", Unit::Second, "0").of("wait_random").at(0),
        Setting::time("max", "jitter", Unit::Second, "1").of("wait_random").at(1),
        Setting::time("start", "baseMs", Unit::Second, "0").of("wait_incrementing").at(0),
        Setting::time("increment", "incrementMs", Unit::Second, "100").of("wait_incrementing").at(1),
        Setting::time("max", "capMs", Unit::Second, "").of("wait_incrementing").at(2),
        Setting::time("multiplier", "baseMs", Unit::Second, "1").of("wait_exponential").at(0),
        Setting::time("max", "capMs", Unit::Second, "").of("wait_exponential").at(1),
        Setting::number("exp_base", "factor", "2").of("wait_exponential").at(2),
        Setting::time("min", "floorMs", Unit::Second, "0").of("wait_exponential").at(3),
        Setting::time("initial", "baseMs", Unit::Second, "1").of("wait_exponential_jitter").at(0),
        Setting::time("max", "capMs", Unit::Second, "").of("wait_exponential_jitter").at(1),
        Setting::number("exp_base", "factor", "2").of("wait_exponential_jitter").at(2),
        Setting::time("jitter", "jitter", Unit::Second, "1").of("wait_exponential_jitter").at(3),
        Setting::time("min", "floorMs", Unit::Second, "0").of("wait_exponential_jitter").at(4),
        Setting::time("multiplier", "baseMs", Unit::Second, "1").of("wait_exponential_jitter").at(5),
        Setting::count("max_attempt_number", "retries", "").of("stop_after_attempt").at(0),
        Setting::time("max_delay", "deadline", Unit::Second, "").of("stop_after_delay").at(0),
        Setting::time("max_delay", "deadline", Unit::Second, "").of("stop_before_delay").at(0),
    ],
    notes: &[
        "A bare @retry waits nothing and never stops.",
        "The floor `min` acts after the cap: with min above max every wait is min.",
        "By position the arguments are multiplier, max, exp_base, min.",
        "A strategy inside wait_chain sees the number of the whole retry: an exponential there does not start again.",
        "stop_after_delay lets the last wait and call overrun; stop_before_delay does not.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    find,
    read,
    examples: &[
        Example {
            text: "from tenacity import (\n    retry,\n    stop_after_attempt,\n    wait_random_exponential,\n)\n\n@retry(\n    wait=wait_random_exponential(multiplier=1, max=8),\n    stop=stop_after_attempt(6),\n    reraise=True,\n)\ndef create_invoice(order):\n    return billing.post(\"/invoices\", json=order)\n",
            waits: &[(0.0, 1.0), (0.0, 2.0), (0.0, 4.0), (0.0, 8.0), (0.0, 8.0)],
        },
        Example {
            text: "from tenacity import retry, stop_after_attempt, wait_fixed, wait_random\n\n@retry(wait=wait_fixed(3) + wait_random(0, 2), stop=stop_after_attempt(4))\ndef fetch():\n    return call()\n",
            waits: &[(3.0, 5.0), (3.0, 5.0), (3.0, 5.0)],
        },
        Example {
            text: "from tenacity import Retrying, stop_after_attempt, wait_exponential\n\nfor attempt in Retrying(wait=wait_exponential(multiplier=2, min=4, max=10), stop=stop_after_attempt(5)):\n    with attempt:\n        call()\n",
            waits: &[(4.0, 4.0), (4.0, 4.0), (8.0, 8.0), (10.0, 10.0)],
        },
    ],
};

const STRATEGIES: &[&str] = &[
    "wait_fixed",
    "wait_none",
    "wait_random",
    "wait_incrementing",
    "wait_exponential",
    "wait_random_exponential",
    "wait_full_jitter",
    "wait_exponential_jitter",
    "wait_chain",
    "wait_combine",
    "stop_after_attempt",
    "stop_after_delay",
    "stop_before_delay",
    "stop_never",
    "stop_any",
    "stop_all",
];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let imported = scan.imports(&["tenacity"]);
    let mut blocks = Vec::new();
    for item in scan.heads(&["retry", "Retrying", "AsyncRetrying", "TornadoRetrying"]) {
        let decorates = item.form == Form::Annotation || item.target.is_some();
        let loops = item.is_any(&["Retrying", "AsyncRetrying", "TornadoRetrying"]);
        let strategies = ["wait", "stop"].iter().filter_map(|n| item.get(n)).any(names_strategy);
        let named = item.head.text.starts_with("tenacity.");
        if named && (decorates || loops || strategies) {
            blocks.push(Block::new(item, Certainty::Certain));
        } else if strategies || (imported && loops) {
            blocks.push(Block::new(item, if imported || strategies { Certainty::Certain } else { Certainty::Likely }));
        }
    }
    blocks
}

/// Whether a value holds one of Tenacity's strategies at any depth.
fn names_strategy(value: &Value) -> bool {
    let mut found =
        matches!(&value.kind, Kind::Word(word) if crate::notation::item::path_ends_with(word, "stop_never"));
    value.walk(&mut |item| found |= item.is_any(STRATEGIES));
    found
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let mut args = take.main();
    let (wait, stop) = (args.value("wait"), args.value("stop"));
    args.unknown_names("an argument of `retry`", "Python raises TypeError at this line");
    let mut policy = match wait.filter(|v| !v.is_null()) {
        Some(value) => strategy(take, value),
        None => {
            take.default("baseMs", "wait_none, 0 s");
            Policy::new(nothing(), None)
        }
    };
    match stop.filter(|v| !v.is_null()) {
        Some(value) => apply_stop(take, value, &mut policy),
        None => {
            take.default("retries", "stop_never");
            let message = "It never gives up: no `stop=` is given, and nothing else limits the attempts or the time.";
            take.warning("never-stops", item.head.span, message).help = "Give `stop=stop_after_attempt(…)`.".into();
        }
    }
    policy
}

fn nothing() -> Wait {
    Wait::new(Backoff::Constant { delay_ms: 0.0 })
}

/// A wait strategy as a policy without a stop; sums and chains are its `plus` and `phases`.
fn strategy<'t>(take: &mut Take<'t>, value: &'t Value) -> Policy {
    match &value.kind {
        Kind::Op(op, parts) if op == "+" => sum(take, parts.iter()),
        Kind::Item(item) if item.is("wait_combine") => sum(take, positional(item)),
        Kind::Item(item) if item.is("wait_chain") => chain(take, positional(item)),
        Kind::Item(item) if item.is("sum") => match item.at(0).and_then(Value::list) {
            Some(parts) => sum(take, parts.iter()),
            None => unread(take, value),
        },
        Kind::Item(item) => match single(take, item) {
            Some(wait) => Policy::new(wait, None),
            None => unread(take, value),
        },
        Kind::Number { value: 0.0, .. } => Policy::new(nothing(), None),
        _ => unread(take, value),
    }
}

fn positional(item: &Item) -> impl Iterator<Item = &Value> {
    item.args.iter().filter(|a| a.name.is_none()).map(|a| &a.value)
}

fn unread(take: &mut Take, value: &Value) -> Policy {
    let message = "`wait` is no strategy of Tenacity that this page can follow; its waits are not known.";
    take.error("unread-strategy", value.span, message).help = "The numbers below assume no wait.".into();
    take.unknown.push("baseMs");
    Policy::new(nothing(), None)
}

/// Every part's wait is drawn by itself, and they are slept together.
fn sum<'t>(take: &mut Take<'t>, parts: impl Iterator<Item = &'t Value>) -> Policy {
    let mut waits: Vec<Wait> = Vec::new();
    for part in parts {
        let policy = strategy(take, part);
        waits.push(policy.wait);
        waits.extend(policy.plus);
    }
    if waits.is_empty() {
        return Policy::new(nothing(), None);
    }
    let mut policy = Policy::new(waits.remove(0), None);
    policy.plus = waits;
    policy
}

/// Entry k for retry k, the last one from there on; each sees the number of the whole retry.
fn chain<'t>(take: &mut Take<'t>, parts: impl Iterator<Item = &'t Value>) -> Policy {
    let mut waits: Vec<Wait> = parts.map(|part| strategy(take, part).wait).collect();
    let mut policy = Policy::new(waits.pop().unwrap_or_else(nothing), None);
    policy.phases = waits.into_iter().map(|wait| Phase { retries: 1, wait }).collect();
    policy
}

/// One strategy; `None` where the name is none of Tenacity's.
fn single<'t>(take: &mut Take<'t>, item: &'t Item) -> Option<Wait> {
    let name = STRATEGIES.iter().find(|name| item.is(name))?;
    let wait = match *name {
        "wait_none" => nothing(),
        "wait_fixed" => {
            let mut args = take.of(item, "wait_fixed");
            Wait::new(Backoff::Constant { delay_ms: args.time("wait").unwrap_or(0.0) })
        }
        "wait_random" => {
            let mut args = take.of(item, "wait_random");
            let (min_ms, max_ms) = (args.time("min").unwrap_or(0.0), args.time("max").unwrap_or(0.0));
            let width = (max_ms - min_ms).max(0.0);
            Wait::new(Backoff::Constant { delay_ms: min_ms }).jitter(Jitter::Additive { min_ms: 0.0, max_ms: width })
        }
        "wait_incrementing" => {
            let mut args = take.of(item, "wait_incrementing");
            let base_ms = args.time("start").unwrap_or(0.0);
            let increment_ms = args.time("increment").unwrap_or(0.0);
            Wait::new(Backoff::Linear { base_ms, increment_ms }).cap(args.time("max").filter(|ms| *ms < NO_CAP_MS))
        }
        "wait_exponential" | "wait_random_exponential" | "wait_full_jitter" => {
            let (wait, floor_ms) = exponential(take, item, "wait_exponential");
            match *name {
                "wait_exponential" => wait.floor(floor_ms),
                _ => wait.jitter(floor_ms.map_or(Jitter::Full, |min_ms| Jitter::From { min_ms })),
            }
        }
        "wait_exponential_jitter" => {
            let (wait, floor_ms) = exponential(take, item, "wait_exponential_jitter");
            let max_ms = take.of(item, "wait_exponential_jitter").time("jitter").unwrap_or(0.0);
            wait.jitter(Jitter::Additive { min_ms: 0.0, max_ms }).cap_order(CapOrder::AfterJitter).floor(floor_ms)
        }
        _ => return None,
    };
    take.of(item, group(name))
        .unknown_names(&format!("an argument of `{name}`"), "Python raises TypeError at this line");
    Some(wait)
}

/// The table's group of a strategy's arguments.
fn group(name: &'static str) -> &'static str {
    match name {
        "wait_random_exponential" | "wait_full_jitter" => "wait_exponential",
        other => other,
    }
}

/// The curve and cap of an exponential strategy, and its floor unless that is 0.
fn exponential<'t>(take: &mut Take<'t>, item: &'t Item, of: &'static str) -> (Wait, Option<f64>) {
    let mut args = take.of(item, of);
    let spelled = if of == "wait_exponential_jitter" && !args.has("multiplier") { "initial" } else { "multiplier" };
    let base_ms = args.time(spelled).unwrap_or(0.0);
    let factor = args.number("exp_base").unwrap_or(2.0);
    let cap_ms = args.time("max").filter(|ms| *ms < NO_CAP_MS);
    let floor_ms = args.time("min").filter(|ms| *ms > 0.0);
    (Wait::new(Backoff::Exponential { base_ms, factor }).cap(cap_ms), floor_ms)
}

/// What limits the retrying: `|` and `stop_any` stop at the first, `&` and `stop_all` only at the last.
fn apply_stop<'t>(take: &mut Take<'t>, value: &'t Value, policy: &mut Policy) {
    match &value.kind {
        Kind::Op(op, parts) if op == "|" => parts.iter().for_each(|part| apply_stop(take, part, policy)),
        Kind::Op(op, parts) if op == "&" => apply_all(take, value, parts.iter(), policy),
        Kind::Item(item) if item.is("stop_any") => positional(item).for_each(|part| apply_stop(take, part, policy)),
        Kind::Item(item) if item.is("stop_all") => apply_all(take, value, positional(item), policy),
        Kind::Item(item) if item.is("stop_after_attempt") => {
            if let Some(calls) = take.of(item, "stop_after_attempt").count("max_attempt_number") {
                let retries = calls.saturating_sub(1);
                policy.retries = Some(policy.retries.map_or(retries, |have| have.min(retries)));
            }
        }
        Kind::Item(item) if item.is_any(&["stop_after_delay", "stop_before_delay"]) => {
            let (of, overrun) = match item.is("stop_after_delay") {
                true => ("stop_after_delay", Overrun::Allow),
                false => ("stop_before_delay", Overrun::Refuse),
            };
            if let Some(limit_ms) = take.of(item, of).time("max_delay") {
                policy.deadline = Some(Deadline { limit_ms, overrun, clock: Clock::Elapsed });
            }
        }
        Kind::Word(word) if word.ends_with("stop_never") => {}
        _ => {
            take.note(
                "unread-stop",
                value.span,
                "This stop is not one of Tenacity's own; what it limits is not known.",
            );
        }
    }
}

/// A stop that waits for all of its parts: the count holds only where no time has to pass as well.
fn apply_all<'t>(take: &mut Take<'t>, whole: &'t Value, parts: impl Iterator<Item = &'t Value>, policy: &mut Policy) {
    let mut all = Policy::new(nothing(), None);
    parts.for_each(|part| apply_stop(take, part, &mut all));
    if all.deadline.is_some() && all.retries.is_some() {
        let message = "It stops only when the attempts and the time are both used up; neither alone is a bound.";
        take.warning("both-stops", whole.span, message);
    } else {
        policy.retries = all.retries;
        policy.deadline = all.deadline;
    }
}
