//! retry: a decorator and a function of seven settings, whose jitter adds up from wait to wait.

use super::{TYPE_ERROR, is_bare, refuse_none};
use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Kind, Value};
use crate::policy::{After, Backoff, CapOrder, Jitter, Policy, Wait};

/// retry 0.9.
pub static LIBRARY: Library = Library {
    id: "retry",
    title: "retry",
    ecosystem: "Python",
    version: "0.9.2",
    source: "retry/api.py",
    counts: "calls, the first included (tries); a negative number means no bound",
    formula: "delay first, then min(previous * backoff + jitter, max_delay)",
    words: &["retry.api", "retry_call", "retry.retry", "tries", "retry"],
    settings: &[
        Setting::other("exceptions").at(0),
        Setting::number("tries", "retries", "-1").at(1),
        Setting::time("delay", "baseMs", Unit::Second, "0").at(2).plain(),
        Setting::time("max_delay", "capMs", Unit::Second, "").at(3).plain(),
        Setting::number("backoff", "factor", "1").at(4),
        Setting::other("jitter").at(5),
        Setting::other("logger").at(6),
        Setting::other("f").of("retry_call").at(0),
        Setting::other("fargs").of("retry_call").at(1),
        Setting::other("fkwargs").of("retry_call").at(2),
        Setting::other("exceptions").of("retry_call").at(3),
        Setting::number("tries", "retries", "-1").of("retry_call").at(4),
        Setting::time("delay", "baseMs", Unit::Second, "0").of("retry_call").at(5).plain(),
        Setting::time("max_delay", "capMs", Unit::Second, "").of("retry_call").at(6).plain(),
        Setting::number("backoff", "factor", "1").of("retry_call").at(7),
        Setting::other("jitter").of("retry_call").at(8),
        Setting::other("logger").of("retry_call").at(9),
    ],
    notes: &[
        "Without tries it never stops, and without delay it does not wait.",
        "The first wait is the delay itself: neither max_delay nor jitter acts on it.",
        "The jitter is added to the running delay, so backoff multiplies it in every later wait.",
        "tries=0 never calls the function at all.",
        "A jitter range must be a tuple: a list raises TypeError.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "from retry import retry\n\n@retry(\n    Exception,\n    tries=«calls|-1»,\n    delay=«base:s»,\n    max_delay=«cap:s|None»,\n    «*»,\n)\ndef call(): ...\n",
        "backoff=«factor»,\n    jitter=0",
        "backoff=1,\n    jitter=«increment:s»",
        "backoff=«factor»,\n    jitter=(«least:s», «most:s»)",
    ],
    examples: &[
        Example {
            text: "from retry import retry\n\n@retry(TimeoutError, tries=4, delay=0.5, backoff=3)\ndef fetch_rates():\n    return client.rates()\n",
            waits: &[(0.5, 0.5), (1.5, 1.5), (4.5, 4.5)],
        },
        Example {
            text: "from retry.api import retry_call\n\nreport = retry_call(build, fargs=[week], tries=4, delay=2, jitter=(0, 1), max_delay=3)\n",
            waits: &[(2.0, 2.0), (2.0, 3.0), (2.0, 3.0)],
        },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let star = scan.imports(&["retry"]);
    let defined = scan.items.iter().any(|item| item.form == Form::Function && is_bare(item, &["retry", "retry_call"]));
    let mut blocks = Vec::new();
    for item in scan.heads(&["retry", "retry_call"]).filter(|i| matches!(i.form, Form::Annotation | Form::Call)) {
        let named = is_bare(item, &["retry.retry", "retry.retry_call", "retry.api.retry", "retry.api.retry_call"]);
        let bare = is_bare(item, &["retry", "retry_call"]);
        let own = item.get("tries").is_some() || (item.get("delay").is_some() && item.get("backoff").is_some());
        let certainty = match () {
            () if named || (star && bare) => Certainty::Certain,
            () if bare && own && !defined => Certainty::Likely,
            () if item.head.text == "retry" && item.form == Form::Annotation && item.args.is_empty() && !defined => {
                Certainty::Possible
            }
            () => continue,
        };
        let variant = if item.is("retry_call") { "retry_call" } else { "" };
        blocks.push(Block::new(item, certainty).variant(variant));
    }
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let of = take.block.variant;
    let mut args = take.of(item, of);
    let whose = if of.is_empty() { "an argument of `retry`" } else { "an argument of `retry_call`" };
    args.unknown_names(whose, TYPE_ERROR);
    refuse_none(&mut args, &["delay", "backoff", "jitter"]);
    let base_ms = args.time("delay").unwrap_or(0.0);
    let cap_ms = args.time("max_delay");
    let factor = args.number("backoff").unwrap_or(1.0);
    if let Some(value) = args.value("backoff").filter(|_| factor < 0.0) {
        args.take.refuse("backoff", value, "is negative, so the second wait would be");
    }
    let (least_ms, most_ms) = jitter(&mut args);
    let (retries, never) = tries(&mut args);
    let mut low_ms = base_ms;
    let mut sinks = || {
        low_ms = (low_ms * factor + least_ms).min(cap_ms.unwrap_or(f64::INFINITY));
        low_ms < 0.0
    };
    if let Some(value) = args.value("jitter").filter(|_| (1..retries.unwrap_or(1_000).min(1_000)).any(|_| sinks())) {
        args.take.refuse("jitter", value, "makes a later wait negative, which `time.sleep` refuses");
    }
    let written = ["tries", "delay", "max_delay", "backoff", "jitter"].iter().any(|name| args.has(name));
    if !written {
        let message = "Nothing is written about the retries: it calls again at once, and for ever.";
        take.note("defaults", item.head.span, message).help = "Give `tries=` and `delay=`.".into();
    }
    if never {
        return Policy::single_call();
    }
    rule(base_ms, factor.max(0.0), cap_ms, (least_ms, most_ms), retries)
}

/// The waits: a curve of their own where the jitter is a fixed step or nothing, else each grown from the one before.
fn rule(base_ms: f64, factor: f64, cap_ms: Option<f64>, jitter: (f64, f64), retries: Option<u64>) -> Policy {
    let (least_ms, most_ms) = jitter;
    let mut wait = Wait::new(Backoff::Exponential { base_ms, factor });
    match () {
        () if least_ms == 0.0 && most_ms == 0.0 => {}
        () if least_ms == most_ms && factor == 1.0 => {
            wait.backoff = Backoff::Linear { base_ms, increment_ms: least_ms }
        }
        () if least_ms == most_ms => wait.backoff = stepped(base_ms, factor, cap_ms, least_ms, retries),
        () => {
            wait.jitter = Jitter::Additive { min_ms: least_ms, max_ms: most_ms };
            wait.carry = true;
            wait.cap_order = CapOrder::AfterJitter;
        }
    }
    let mut policy = Policy::new(wait.cap(cap_ms), retries);
    let first = policy.wait.carry || cap_ms.is_some_and(|cap| cap < base_ms);
    policy.first_wait_ms = first.then_some(base_ms);
    policy
}

/// Delays that are multiplied and then lengthened by the same step, one by one up to where they stay.
fn stepped(base_ms: f64, factor: f64, cap_ms: Option<f64>, step_ms: f64, retries: Option<u64>) -> Backoff {
    const MOST: u64 = 1_000;
    let mut delays_ms = vec![base_ms];
    for at in 1..retries.unwrap_or(MOST).clamp(1, MOST) as usize {
        let grown = delays_ms[at - 1] * factor + step_ms;
        let next = cap_ms.map_or(grown, |cap| grown.min(cap)).max(0.0);
        if next == delays_ms[at - 1] || !next.is_finite() {
            break;
        }
        delays_ms.push(next);
    }
    Backoff::List { delays_ms, after: After::RepeatLast }
}

/// The range that is added, ms: a number is both ends of it.
fn jitter(args: &mut Args) -> (f64, f64) {
    let Some((name, value)) = args.written("jitter") else {
        args.take.default("jitter", "0");
        return (0.0, 0.0);
    };
    if value.is_null() {
        return (0.0, 0.0);
    }
    let text = args.take.scan.doc.text;
    match &value.kind {
        Kind::List(_) if value.span.of(text).starts_with('[') => {
            args.take.refuse(
                &name,
                value,
                "must be a number or a tuple, not a list: it raises TypeError after the first wait",
            );
            ends(args.take, value)
        }
        Kind::List(ends) if ends.len() != 2 => {
            args.take.refuse(&name, value, "must have two numbers, the least and the most");
            (0.0, 0.0)
        }
        Kind::List(_) => ends(args.take, value),
        _ => {
            let ms = 1e3 * args.take.number(&name, "jitter", value).unwrap_or(0.0);
            (ms, ms)
        }
    }
}

fn ends(take: &mut Take, value: &Value) -> (f64, f64) {
    let ends: Vec<f64> =
        value.list().unwrap_or_default().iter().filter_map(|v| take.number("jitter", "jitter", v)).collect();
    match ends.as_slice() {
        [a, b] => (1e3 * a.min(*b), 1e3 * a.max(*b)),
        _ => (0.0, 0.0),
    }
}

/// The retries, and whether the function is never called: the tries are counted down to exactly 0.
fn tries(args: &mut Args) -> (Option<u64>, bool) {
    let Some((name, value)) = args.written("tries") else {
        args.take.default("retries", "-1, no bound");
        return (None, false);
    };
    if value.is_null() {
        args.take.refuse(&name, value, "is None: the function is never called");
        return (Some(0), true);
    }
    match args.take.number(&name, "retries", value) {
        Some(0.0) => {
            let message = "`tries` is 0: the function is never called, and the result is None.";
            args.take.error("bad-value", value.span, message).help = "Write 1 for one call without a retry.".into();
            (Some(0), true)
        }
        Some(n) if n.fract() != 0.0 => {
            args.take.refuse(
                &name,
                value,
                "must be a whole number: counted down from this it never reaches 0, and the retrying never ends",
            );
            (None, false)
        }
        Some(n) if n > 0.0 && n.is_finite() => (Some(n as u64 - 1), false),
        _ => (None, false),
    }
}
