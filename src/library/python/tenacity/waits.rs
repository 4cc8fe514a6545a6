//! Tenacity's wait strategies: values that are added, combined and chained.

use super::{NO_CAP_MS, STRATEGIES};
use crate::duration::Unit;
use crate::library::computed::{self, Inputs};
use crate::library::python::{TYPE_ERROR, not_followed, nothing, positional};
use crate::library::{Args, Take};
use crate::notation::formula::Spread;
use crate::notation::{Item, Kind, Value};
use crate::policy::{Backoff, CapOrder, Jitter, Phase, Policy, Wait};

/// A wait strategy as a policy without a stop; sums and chains are its `plus` and `phases`.
pub(super) fn strategy<'t>(take: &mut Take<'t>, value: &'t Value) -> Policy {
    let read = match &value.kind {
        Kind::Op(op, parts) if op == "+" => Some(sum(take, parts.iter())),
        Kind::Item(item) => call(take, item),
        Kind::Fun(fun) => {
            take.origin("baseMs", value.span);
            let number = |k: u64| vec![("attempt_number", Spread::fixed(k as f64))];
            Some(computed::policy(take, "wait", fun, Inputs::named(number).unit_ms(1e3), None))
        }
        Kind::Number { value: 0.0, .. } => Some(Policy::new(nothing(), None)),
        _ => None,
    };
    read.unwrap_or_else(|| unread(take, value))
}

/// The strategy that a call makes; `None` where its name is none of Tenacity's.
pub(super) fn call<'t>(take: &mut Take<'t>, item: &'t Item) -> Option<Policy> {
    match () {
        () if item.is("wait_combine") => Some(sum(take, positional(item))),
        () if item.is("wait_chain") => chain(take, item),
        () if item.is("sum") => Some(sum(take, item.at(0)?.list()?.iter())),
        () => single(take, item).map(|wait| overflowing(take, item, wait)),
    }
}

fn unread(take: &mut Take, value: &Value) -> Policy {
    match value.kind {
        Kind::Number { .. } | Kind::Text { .. } => {
            let message =
                "`wait` must be a strategy such as `wait_fixed(…)`: Tenacity calls it, and Python raises TypeError.";
            take.error("bad-value", value.span, message);
        }
        _ => not_followed(
            take,
            "baseMs",
            value.span,
            "This wait is no strategy that the page can follow: its waits are not known.",
        ),
    }
    Policy::new(nothing(), None)
}

/// Every part's wait is drawn by itself, and they are slept together.
fn sum<'t>(take: &mut Take<'t>, parts: impl Iterator<Item = &'t Value>) -> Policy {
    let mut whole: Option<Policy> = None;
    for value in parts {
        let part = strategy(take, value);
        let Some(sum) = &mut whole else {
            whole = Some(part);
            continue;
        };
        if !part.phases.is_empty() && sum.phases.is_empty() {
            let plain = std::mem::replace(sum, part);
            sum.plus.push(plain.wait);
            sum.plus.extend(plain.plus);
        } else if part.phases.is_empty() {
            match merged(&sum.wait, &part.wait)
                .or_else(|| merged(&part.wait, &sum.wait))
                .filter(|_| sum.phases.is_empty())
            {
                Some(wait) => sum.wait = wait,
                None => sum.plus.push(part.wait),
            }
            sum.plus.extend(part.plus);
        } else {
            not_followed(take, "baseMs", value.span, "Two chains are added here; only the first is in the numbers.");
        }
    }
    whole.unwrap_or_else(|| Policy::new(nothing(), None))
}

/// A sum as one rule, where one rule says it: a curve and a constant part that may be drawn.
fn merged(curve: &Wait, part: &Wait) -> Option<Wait> {
    if *part == nothing() || *curve == nothing() {
        return Some(if *part == nothing() { curve } else { part }.clone());
    }
    let Backoff::Constant { delay_ms } = part.backoff else { return None };
    let plain = |wait: &Wait| wait.floor_ms.is_none() && wait.cap_order == CapOrder::BeforeJitter;
    if !plain(curve) || !plain(part) || !curve.jitter.is_none() {
        return None;
    }
    let mut wait = curve.clone();
    match (part.jitter, &mut wait.backoff) {
        (jitter @ (Jitter::None | Jitter::Additive { .. }), Backoff::Constant { delay_ms: own }) => {
            *own += delay_ms;
            wait.jitter = jitter;
        }
        (Jitter::Additive { min_ms, max_ms }, _) => {
            wait.jitter = Jitter::Additive { min_ms: delay_ms + min_ms, max_ms: delay_ms + max_ms };
        }
        _ => return None,
    }
    Some(wait)
}

/// Entry k for retry k, the last one from there on; each sees the number of the whole retry.
fn chain<'t>(take: &mut Take<'t>, item: &'t Item) -> Option<Policy> {
    let mut entries: Vec<(u64, &Value)> = Vec::new();
    for value in positional(item) {
        repeated(value, 1, &mut entries)?;
    }
    let mut phases: Vec<Phase> = Vec::new();
    for (retries, value) in entries {
        let part = strategy(take, value);
        if !part.plus.is_empty() || !part.phases.is_empty() {
            let message = "This entry of the chain is itself a sum or a chain; only its first part is in the numbers.";
            not_followed(take, "baseMs", value.span, message);
        }
        phases.push(Phase { retries, wait: part.wait });
    }
    let Some(last) = phases.pop() else {
        take.error("bad-value", item.span, "`wait_chain` needs at least one strategy: it raises ValueError.");
        return Some(Policy::new(nothing(), None));
    };
    let mut policy = Policy::new(last.wait, None);
    policy.phases = phases;
    Some(policy)
}

/// The strategies that a value puts into a chain, each with how often in a row: itself, or what a list written out, added
/// up, multiplied or made `for i in range(n)` holds. `None` where that cannot be told.
fn repeated<'t>(value: &'t Value, times: u64, out: &mut Vec<(u64, &'t Value)>) -> Option<()> {
    match &value.kind {
        Kind::List(entries) if times == 1 => entries.iter().try_for_each(|entry| repeated(entry, 1, out)),
        Kind::List(entries) => match entries.as_slice() {
            [only] => repeated(only, times, out),
            _ => None,
        },
        Kind::Op(op, parts) => match (op.as_str(), parts.as_slice()) {
            ("+", parts) if spread(value) => parts.iter().try_for_each(|part| repeated(part, times, out)),
            ("..", [list]) => repeated(list, times, out),
            ("*", [list, count]) => repeated(list, times.checked_mul(whole(count)?)?, out),
            ("for", [entry, _, range]) => {
                let range = range.item().filter(|item| item.is("range") && item.args.len() == 1)?;
                repeated(entry, times.checked_mul(whole(range.at(0)?)?)?, out)
            }
            ("+", _) => {
                out.push((times, value));
                Some(())
            }
            _ => None,
        },
        _ => {
            out.push((times, value));
            Some(())
        }
    }
}

/// Whether a sum is one of lists that are spread into arguments, not of strategies.
fn spread(value: &Value) -> bool {
    match &value.kind {
        Kind::Op(op, parts) if op == "+" => parts.first().is_some_and(spread),
        Kind::Op(op, _) => matches!(op.as_str(), ".." | "for" | "*"),
        kind => matches!(kind, Kind::List(_)),
    }
}

fn whole(value: &Value) -> Option<u64> {
    value.number().filter(|n| n.fract() == 0.0 && (1.0..1e15).contains(n)).map(|n| n as u64)
}

/// One strategy; `None` where the name is none of Tenacity's.
fn single<'t>(take: &mut Take<'t>, item: &'t Item) -> Option<Wait> {
    let name = STRATEGIES.iter().copied().find(|name| item.is(name))?;
    let group = match name {
        "wait_random_exponential" | "wait_full_jitter" => "wait_exponential",
        other => other,
    };
    let mut args = take.of(item, group);
    let wait = match name {
        "wait_none" => nothing(),
        "wait_fixed" => match args.time("wait") {
            Some(delay_ms) => Wait::new(Backoff::Constant { delay_ms }),
            None => {
                if !args.has("wait") {
                    args.take.error("missing-key", item.span, format!("`wait_fixed` needs its time; {TYPE_ERROR}."));
                }
                nothing()
            }
        },
        "wait_random" => {
            let (from, to) = (args.time("min").unwrap_or(0.0), args.time("max").unwrap_or(0.0));
            let jitter = Jitter::Additive { min_ms: 0.0, max_ms: (to - from).abs() };
            Wait::new(Backoff::Constant { delay_ms: from.min(to) }).jitter(jitter)
        }
        "wait_incrementing" => incrementing(&mut args),
        "wait_exponential" => {
            let (wait, floor_ms) = exponential(&mut args, "multiplier");
            wait.floor(floor_ms)
        }
        "wait_random_exponential" | "wait_full_jitter" => {
            let (wait, floor_ms) = exponential(&mut args, "multiplier");
            let head = args.head();
            args.take.origin("jitter", head);
            wait.jitter(floor_ms.map_or(Jitter::Full, |min_ms| Jitter::From { min_ms }))
        }
        "wait_exponential_jitter" => {
            let (wait, floor_ms) = exponential_jitter(&mut args);
            let max_ms = args.time("jitter").unwrap_or(0.0);
            wait.jitter(Jitter::Additive { min_ms: 0.0, max_ms }).cap_order(CapOrder::AfterJitter).floor(floor_ms)
        }
        _ => return None,
    };
    args.unknown_names(&format!("an argument of `{name}`"), TYPE_ERROR);
    Some(wait)
}

/// The increment may be negative: the waits then fall to 0.
fn incrementing(args: &mut Args) -> Wait {
    let base_ms = args.time("start").unwrap_or(0.0);
    let falling =
        args.value("increment").filter(|value| value.duration_ms(Some(Unit::Second)).is_ok_and(|t| t.ms < 0.0));
    let increment_ms = match falling.and_then(|value| Some((value, value.duration_ms(Some(Unit::Second)).ok()?.ms))) {
        Some((value, ms)) => {
            args.take.origin("incrementMs", value.span);
            ms
        }
        None => args.time("increment").unwrap_or(0.0),
    };
    Wait::new(Backoff::Linear { base_ms, increment_ms }).cap(args.time("max").filter(|ms| *ms < NO_CAP_MS))
}

/// The curve and cap of an exponential strategy, and its floor unless that is 0.
fn exponential(args: &mut Args, base: &str) -> (Wait, Option<f64>) {
    let base_ms = args.time(base).unwrap_or(0.0);
    let factor = args.number("exp_base").unwrap_or(2.0);
    let cap_ms = args.time("max").filter(|ms| *ms < NO_CAP_MS);
    let floor_ms = args.time("min").filter(|ms| *ms > 0.0);
    if let Some(value) = args.value("exp_base").filter(|_| factor < 0.0) {
        args.take.refuse("exp_base", value, "is negative, so every second wait would be");
    }
    (Wait::new(Backoff::Exponential { base_ms, factor }).cap(cap_ms), floor_ms)
}

/// A multiplier of 0.0, a fraction, times a power that no float holds is an error that Tenacity answers with the cap: no
/// wait at first, and the longest from there on.
fn overflowing(take: &mut Take, item: &Item, wait: Wait) -> Policy {
    let zero = wait.backoff.delay_ms(1) == 0.0;
    let base = item.get("multiplier").or_else(|| item.get("initial")).or_else(|| item.at(0));
    let fraction = |value: &&Value| value.span.of(take.scan.doc.text).contains('.');
    let (Backoff::Exponential { factor, .. }, Some(delay_ms), Some(value)) =
        (&wait.backoff, wait.cap_ms, base.filter(fraction).filter(|_| zero))
    else {
        return Policy::new(wait, None);
    };
    if *factor <= 1.0 {
        return Policy::new(wait, None);
    }
    let power = (libm::log(f64::MAX) / libm::log(*factor)).ceil();
    let message = format!(
        "The multiplier is the fraction 0.0: its product overflows before retry {}, and the wait is `max`, {} s, from there on instead of 0.",
        power + 1.0,
        delay_ms / 1e3
    );
    take.warning("overflow", value.span, message).help = "Use `wait_none()` for no wait.".into();
    let last = Wait { backoff: Backoff::Constant { delay_ms }, ..wait.clone() };
    let mut policy = Policy::new(last, None);
    policy.phases.push(Phase { retries: power as u64, wait });
    policy
}

/// The same for `wait_exponential_jitter`, whose base has an old and a new name.
fn exponential_jitter(args: &mut Args) -> (Wait, Option<f64>) {
    let set = |args: &Args, name: &str| args.value(name).is_some_and(|v| v.number().is_some_and(|n| n != 1.0));
    let (initial, multiplier) = (set(args, "initial"), set(args, "multiplier"));
    if let (true, true, Some(value)) = (initial, multiplier, args.value("initial")) {
        let message = "`initial` and `multiplier` are both given: they are one setting, and it raises ValueError.";
        args.take.error("bad-value", value.span, message).help = "Keep `multiplier`.".into();
    }
    exponential(args, if args.has("multiplier") && !initial { "multiplier" } else { "initial" })
}
