//! Tenacity: strategies that are values, added with `+`, chained, stopped by `|`.

mod waits;

use super::{TYPE_ERROR, is_bare, is_from, not_followed, nothing, positional, retries_until};
use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::item::path_ends_with;
use crate::notation::{Form, Item, Kind, Value};
use crate::policy::{Clock, Deadline, Overrun, Policy};
use waits::{call, strategy};

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
        "TornadoRetrying",
        "stop_any",
        "stop_all",
        "retry",
    ],
    settings: &[
        Setting::other("sleep").at(0),
        Setting::other("stop").at(1),
        Setting::other("wait").at(2),
        Setting::other("retry").at(3),
        Setting::other("before").at(4),
        Setting::other("after").at(5),
        Setting::other("before_sleep").at(6),
        Setting::other("reraise").at(7),
        Setting::other("retry_error_cls").at(8),
        Setting::other("retry_error_callback").at(9),
        Setting::other("name").at(10),
        Setting::other("enabled").at(11),
        Setting::time("wait", "baseMs", Unit::Second, "").of("wait_fixed").at(0).typed(),
        Setting::time("min", "baseMs", Unit::Second, "0").of("wait_random").at(0).typed(),
        Setting::time("max", "jitter", Unit::Second, "1").of("wait_random").at(1).typed(),
        Setting::time("start", "baseMs", Unit::Second, "0").of("wait_incrementing").at(0).typed(),
        Setting::time("increment", "incrementMs", Unit::Second, "100").of("wait_incrementing").at(1).typed(),
        Setting::time("max", "capMs", Unit::Second, "").of("wait_incrementing").at(2).typed(),
        Setting::time("multiplier", "baseMs", Unit::Second, "1").of("wait_exponential").at(0).plain(),
        Setting::time("max", "capMs", Unit::Second, "").of("wait_exponential").at(1).typed(),
        Setting::number("exp_base", "factor", "2").of("wait_exponential").at(2),
        Setting::time("min", "floorMs", Unit::Second, "0").of("wait_exponential").at(3).typed(),
        Setting::time("initial", "baseMs", Unit::Second, "1").of("wait_exponential_jitter").at(0).plain(),
        Setting::time("max", "capMs", Unit::Second, "").of("wait_exponential_jitter").at(1).typed(),
        Setting::number("exp_base", "factor", "2").of("wait_exponential_jitter").at(2),
        Setting::time("jitter", "jitter", Unit::Second, "1").of("wait_exponential_jitter").at(3).typed(),
        Setting::time("min", "floorMs", Unit::Second, "0").of("wait_exponential_jitter").at(4).typed(),
        Setting::time("multiplier", "baseMs", Unit::Second, "1").of("wait_exponential_jitter").at(5).plain(),
        Setting::number("max_attempt_number", "retries", "").of("stop_after_attempt").at(0),
        Setting::time("max_delay", "deadline", Unit::Second, "").of("stop_after_delay").at(0).typed(),
        Setting::time("max_delay", "deadline", Unit::Second, "").of("stop_before_delay").at(0).typed(),
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
    retry_after: None,
    find,
    read,
    write: &[
        "import tenacity\n\n@tenacity.retry(\n    wait=«*»,\n    stop=«unlimited?tenacity.stop_never:»‹tenacity.stop_after_attempt(«calls»)›‹ | tenacity.stop_after_delay(«allow:s»)›‹ | tenacity.stop_before_delay(«refuse:s»)›,\n    reraise=True,\n)\ndef call(): ...\n",
        "tenacity.wait_fixed(«delay:s»)",
        "tenacity.wait_exponential(multiplier=«base:s»‹, max=«cap:s»›, exp_base=«factor», min=«floor:s|0»)",
        "tenacity.wait_random_exponential(multiplier=«base:s»‹, max=«cap:s»›, exp_base=«factor», min=«floor:s|0»)",
        "tenacity.wait_exponential_jitter(initial=«base:s»‹, max=«cap:s»›, exp_base=«factor», jitter=«most:s», min=«floor:s|0»)",
        "tenacity.wait_incrementing(start=«base:s», increment=«increment:s»‹, max=«cap:s»›)",
        "tenacity.wait_random(min=«delay+least:s», max=«delay+most:s»)",
        "tenacity.wait_random(min=«delay-delay*below:s», max=«delay+delay*above:s»)",
        "tenacity.wait_chain(«list:s tenacity.wait_fixed(#)»)",
        "tenacity.wait_chain(«delays:s tenacity.wait_fixed(#)»)",
    ],
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
    "wait_exception",
    "stop_after_attempt",
    "stop_after_delay",
    "stop_before_delay",
    "stop_never",
    "stop_any",
    "stop_all",
    "stop_when_event_set",
];

const LOOPS: &[&str] = &["Retrying", "AsyncRetrying", "TornadoRetrying"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let imported = scan.imports(&["tenacity"]);
    let defined = scan.items.iter().any(|item| item.form == Form::Function && item.head.text == "retry");
    let mut blocks = Vec::new();
    for item in scan.heads(&["retry", "Retrying", "AsyncRetrying", "TornadoRetrying"]) {
        if item.form == Form::Function || item.form == Form::Class {
            continue;
        }
        let loops = item.is_any(LOOPS);
        let decorates = item.form == Form::Annotation || item.target.is_some();
        let strategies = item.args.iter().any(|arg| names_strategy(&arg.value));
        let named = is_from(item, "tenacity", &["retry"]) && decorates || is_from(item, "tenacity", LOOPS);
        let certainty = if named || strategies || (imported && is_bare(item, LOOPS)) {
            Certainty::Certain
        } else if is_bare(item, &["AsyncRetrying", "TornadoRetrying"]) {
            Certainty::Likely
        } else if item.args.is_empty()
            && !defined
            && (is_bare(item, &["retry"]) && decorates || is_bare(item, LOOPS) && loops)
        {
            Certainty::Possible
        } else {
            continue;
        };
        blocks.push(Block::new(item, certainty));
    }
    // `call.retry_with(stop=…)`: what its decorator says, but for this.
    let tenacity = !blocks.is_empty();
    for item in scan.heads(&["retry_with"]).filter(|_| tenacity) {
        let decorator = super::definition(scan.heads(&["retry"]), item);
        blocks.extend(decorator.map(|decorator| Block::new(item, Certainty::Certain).with(decorator)));
    }
    if blocks.is_empty() {
        // The arguments alone: `dict(wait=…, stop=…)`, to be spread later.
        let named = |item: &&Item| ["wait", "stop"].iter().all(|name| item.get(name).is_some_and(names_strategy));
        let arguments = scan.items.iter().copied().filter(|i| i.head.text.is_empty() || i.is("dict")).filter(named);
        blocks = scan.outermost(arguments).into_iter().map(|i| Block::new(i, Certainty::Likely)).collect();
    }
    if blocks.is_empty() {
        let waits = scan.heads(STRATEGIES).filter(|item| item.head.text.contains("wait_") && item.form == Form::Call);
        let sure =
            |item: &Item| if is_from(item, "tenacity", STRATEGIES) { Certainty::Certain } else { Certainty::Likely };
        blocks = scan.outermost(waits).into_iter().map(|i| Block::new(i, sure(i)).variant("strategy")).collect();
    }
    blocks
}

/// Whether a value holds one of Tenacity's strategies at any depth.
fn names_strategy(value: &Value) -> bool {
    let mut found = matches!(&value.kind, Kind::Word(word) if path_ends_with(word, "stop_never"));
    value.walk(&mut |item| found |= item.is_any(STRATEGIES));
    found
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if take.block.variant == "strategy" {
        take.default("retries", "stop_never");
        return call(take, item).unwrap_or_else(|| Policy::new(nothing(), None));
    }
    let decorator = take.block.others.first().copied();
    let mut args = take.main();
    let given = |name: &str| args.value(name).or_else(|| decorator?.get(name));
    let (wait, stop) = (given("wait"), given("stop"));
    args.unknown_names("an argument of `retry`", TYPE_ERROR);
    let mut policy = match wait.filter(|v| !v.is_null()) {
        Some(value) => strategy(take, value),
        None => {
            take.default("baseMs", "wait_none, 0 s");
            Policy::new(nothing(), None)
        }
    };
    match stop.filter(|v| !v.is_null()) {
        Some(value) => apply_stop(take, value, &mut policy),
        None => take.default("retries", "stop_never"),
    }
    if wait.is_none() && stop.is_none() {
        let message = "Neither `wait` nor `stop` is written: it calls again at once, and for ever.";
        take.note("defaults", item.head.span, message).help = "Give `wait=` and `stop=stop_after_attempt(…)`.".into();
    }
    policy
}

/// What limits the retrying: `|` and `stop_any` stop at the first, `&` and `stop_all` only at the last.
fn apply_stop<'t>(take: &mut Take<'t>, value: &'t Value, policy: &mut Policy) {
    match &value.kind {
        Kind::Op(op, parts) if op == "|" => parts.iter().for_each(|part| apply_stop(take, part, policy)),
        Kind::Op(op, parts) if op == "&" => apply_all(take, value, parts.iter(), policy),
        Kind::Item(item) if item.is("stop_any") => positional(item).for_each(|part| apply_stop(take, part, policy)),
        Kind::Item(item) if item.is("stop_all") => apply_all(take, value, positional(item), policy),
        Kind::Item(item) if item.is("stop_after_attempt") => {
            let mut args = take.of(item, "stop_after_attempt");
            let retries = retries_until(&mut args, "max_attempt_number");
            args.unknown_names("an argument of `stop_after_attempt`", TYPE_ERROR);
            policy.retries = policy.retries.into_iter().chain(retries).min();
        }
        Kind::Item(item) if item.is_any(&["stop_after_delay", "stop_before_delay"]) => {
            let (of, overrun) = match item.is("stop_after_delay") {
                true => ("stop_after_delay", Overrun::Allow),
                false => ("stop_before_delay", Overrun::Refuse),
            };
            let limit = take.of(item, of).time("max_delay");
            let earlier = |limit_ms: &f64| policy.deadline.is_none_or(|d| *limit_ms < d.limit_ms);
            if let Some(limit_ms) = limit.filter(earlier) {
                policy.deadline = Some(Deadline { limit_ms, overrun, clock: Clock::Elapsed });
            }
        }
        Kind::Word(word) if path_ends_with(word, "stop_never") => {}
        Kind::Number { .. } | Kind::Text { .. } => {
            let message = "`stop` must be a condition such as `stop_after_attempt(…)`: Tenacity calls it, and Python raises TypeError.";
            take.error("bad-value", value.span, message);
        }
        _ => not_followed(
            take,
            "retries",
            value.span,
            "This stop is none of Tenacity's own; what it limits is not known.",
        ),
    }
}

/// A stop that waits for all of its parts: the count holds only where no time has to pass as well.
fn apply_all<'t>(take: &mut Take<'t>, whole: &'t Value, parts: impl Iterator<Item = &'t Value>, policy: &mut Policy) {
    let mut all: Vec<Policy> = Vec::new();
    for part in parts {
        let mut one = Policy::new(nothing(), None);
        apply_stop(take, part, &mut one);
        all.push(one);
    }
    let single = all.iter().all(|p| p.retries.is_some() != p.deadline.is_some());
    let count = all.iter().filter_map(|p| p.retries).max();
    let latest = all.iter().filter_map(|p| p.deadline).max_by(|a, b| a.limit_ms.total_cmp(&b.limit_ms));
    // Where chance plays no part, it is known which of them comes last.
    let within = latest.map(|deadline| policy.fixed_waits_within(deadline.limit_ms));
    match (count, within) {
        (Some(count), None) if single => policy.retries = Some(policy.retries.unwrap_or(count).min(count)),
        (Some(count), Some(Some(within))) if single && count > within => {
            policy.retries = Some(policy.retries.unwrap_or(count).min(count));
        }
        (count, Some(within)) if single && (count.is_none() || within.is_some()) => {
            policy.deadline = policy.deadline.or(latest);
        }
        _ => {
            let message = "It stops only when the attempts and the time are both used up; neither alone is a bound.";
            take.warning("both-stops", whole.span, message);
        }
    }
}
