//! Which items are read as plain numbers: by names that speak of waits, with values that can be such.

use super::formula;
use super::names::{is_name, own};
use crate::duration::Unit;
use crate::library::{Block, Certainty, Scan, same, squash};
use crate::notation::{Arg, Crumb, Form, Item, Kind, Value};

/// Keys that say how waits grow, and keys that say how many or how long: a plain object needs one of each.
const GROWTH: &[&str] = &[
    "base",
    "factor",
    "multiplier",
    "backoff",
    "delay",
    "delays",
    "retrydelays",
    "waits",
    "delayms",
    "basems",
    "initialdelay",
    "initialinterval",
    "basedelay",
    "basedelayms",
    "mindelay",
    "retrydelay",
    "interval",
    "initialdelayms",
    "backofffactor",
];
const BOUNDS: &[&str] = &[
    "cap",
    "retries",
    "calls",
    "attempts",
    "tries",
    "deadline",
    "maxretries",
    "maxattempts",
    "maxdelay",
    "capms",
    "maxdelayms",
    "maxinterval",
    "maxtries",
    "maxbackoff",
    "jitter",
];
/// Keys whose company nobody would write but here.
const OWN: &[&str] =
    &["base", "factor", "cap", "retries", "calls", "jitter", "cap-order", "first-wait", "call-timeout", "overrun"];

/// Names that nobody uses but to speak of retries.
const COUNTS: &[&str] = &["retries", "maxretries", "numretries", "retrycount", "attempts", "maxattempts", "maxtries"];
/// Keys of a map that says how the waits of the map around it grow.
const NESTED: &[&str] =
    &["backoff", "backoffpolicy", "backoffstrategy", "exponentialbackoff", "retrybackoff", "exponential", "delay"];

/// The map under `backoff` or the like, with its key.
pub(super) fn nested(item: &Item) -> Option<(&str, &Item)> {
    item.args.iter().find_map(|arg| {
        let name = arg.name.as_ref().filter(|name| NESTED.iter().any(|known| same(known, &name.text)))?;
        let inner = arg.value.item().filter(|inner| inner.form == Form::Map)?;
        Some((name.text.as_str(), inner))
    })
}

/// The unit that a name ends in: `delay_seconds`, `maxDelayMs`.
pub(super) fn unit_of(name: &str) -> Option<Unit> {
    suffix(&squash(name)).map(|(_, unit)| unit)
}

fn suffix(name: &str) -> Option<(&str, Unit)> {
    const UNITS: &[(&str, Unit)] = &[
        ("milliseconds", Unit::Millisecond),
        ("millis", Unit::Millisecond),
        ("ms", Unit::Millisecond),
        ("seconds", Unit::Second),
        ("secs", Unit::Second),
    ];
    UNITS.iter().find_map(|(end, unit)| Some((name.strip_suffix(end).filter(|rest| rest.len() > 2)?, *unit)))
}

/// Whether every line begins with a date: what a program writes down is no configuration.
fn logged(text: &str) -> bool {
    let dated = |line: &str| {
        let line = line.trim_start().trim_start_matches('[').as_bytes();
        line.len() > 10
            && line[..4].iter().all(u8::is_ascii_digit)
            && line[4] == line[7]
            && matches!(line[4], b'-' | b'/')
    };
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).take(50).peekable();
    lines.peek().is_some() && lines.all(dated)
}

/// The items with the notation's names: at least one that says how waits grow and one that bounds them. A text that has
/// no other names may leave out one of them.
pub fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    if let Some(block) = formula::block(scan) {
        return vec![block];
    }
    if logged(scan.doc.text) {
        return Vec::new();
    }
    let mut blocks: Vec<Block<'d>> = Vec::new();
    let only = nothing_else(scan);
    for item in scan.items.iter().copied() {
        // A class is one of settings where its name says so.
        let plain = matches!(item.form, Form::Map | Form::Section | Form::Call | Form::Command)
            || item.form == Form::Class && speaks(&item.head.text);
        if !plain || item.args.is_empty() || blocks.last().is_some_and(|b| b.item.span.holds(item.span)) {
            continue;
        }
        let nested = nested(item);
        let around =
            item.args.iter().filter(|a| nested.is_none_or(|(key, _)| a.name.as_ref().is_none_or(|n| n.text != key)));
        let args: Vec<_> = around.chain(nested.iter().flat_map(|(_, inner)| &inner.args)).collect();
        let all = args.iter().filter(|a| a.name.is_some()).count();
        let named = args.iter().filter_map(|a| Some((a.name.as_ref()?.text.as_str(), &a.value)));
        let names: Vec<&str> = named.filter(|(name, value)| could_be(name, value)).map(|(name, _)| own(name)).collect();
        let squashed: Vec<String> = names.iter().map(|name| squash(name)).collect();
        let has = |of: &[&str]| squashed.iter().filter(|name| is_of(name, of)).count();
        // `min` and `max` are about waits where their map is called so.
        let titled = matches!(item.place.last(), Some(Crumb::Key(key)) if speaks(key));
        let growth = has(GROWTH) + if titled || nested.is_some() { has(&["min", "minimum", "initial"]) } else { 0 };
        let bounds = has(BOUNDS);
        let ours = names.iter().filter(|n| OWN.contains(n)).count();
        let sure = ours >= 3 && ours == names.len();
        let ours = ours == names.len() && ours >= 2 && item.form != Form::Call;
        let known = names.iter().filter(|name| is_known(name)).count();
        if item.form == Form::Map && item.get("v").is_some() && known == all && all > 2 {
            blocks.push(Block::new(item, Certainty::Certain));
            continue;
        }
        let parts = only && names.len() == all && item.form == Form::Map && (has(COUNTS) > 0 || has(&["maxdelay"]) > 0);
        let whole = growth > 0 && (bounds > 0 || ours);
        if !(whole || parts) || is_something_else(item) {
            continue;
        }
        // Names without a value that is known are a signature, or handed on from elsewhere.
        let said = |value: &Value| {
            value.list().is_some() || value.count().is_some() || value.duration_ms(Some(Unit::Millisecond)).is_ok()
        };
        let named = |arg: &&Arg| arg.name.as_ref().is_some_and(|name| is_known(&name.text));
        if known * 2 < all || !args.iter().copied().filter(named).any(|arg| said(&arg.value)) {
            continue;
        }
        let certainty = if sure { Certainty::Likely } else { Certainty::Possible };
        let block = Block::new(item, certainty);
        blocks.push(if whole { block } else { block.variant("parts") });
    }
    blocks
}

/// Whether a name, its unit aside, is one of a list.
pub(super) fn is_one(name: &str, of: &[&str]) -> bool {
    is_of(&squash(name), of)
}

fn is_of(squashed: &str, of: &[&str]) -> bool {
    of.contains(&squashed) || suffix(squashed).is_some_and(|(name, _)| of.contains(&name))
}

fn is_known(name: &str) -> bool {
    is_name(own(name))
}

fn speaks(key: &str) -> bool {
    let key = squash(key);
    ["retr", "backoff", "reconnect"].iter().any(|word| key.contains(word))
}

/// Whether all values of a text have names of this notation, and nothing is called in it that is not named after retries.
fn nothing_else(scan: &Scan) -> bool {
    scan.items.iter().all(|item| {
        let mut named = item.args.iter().filter_map(|a| Some((a.name.as_ref()?, &a.value)));
        let called = item.head.text.is_empty() || speaks(&item.head.text);
        called && item.steps.is_empty() && named.all(|(name, value)| value.item().is_some() || is_known(&name.text))
    })
}

/// Whether a value can be what its name says: no map (a schema, somebody's own section), no sentence of a page's words,
/// and no count that is only raised by one.
fn could_be(name: &str, value: &Value) -> bool {
    let name = squash(name);
    match &value.kind {
        Kind::Text { text, .. } => {
            let worded = ["backoff", "jitter", "jittertype", "strategy", "type", "kind"].contains(&name.as_str());
            let open = ["$", "{{", "unlimited", "inf"].iter().any(|start| text.starts_with(start));
            worded || open || text.bytes().any(|b| b.is_ascii_digit())
        }
        Kind::List(values) => {
            !values.is_empty() && ["delays", "delaysms", "waits", "retrydelays"].contains(&name.as_str())
        }
        Kind::Op(_, values) => !values.iter().any(|v| v.text().is_some_and(|text| squash(text) == name)),
        Kind::Item(item) => !item.head.text.is_empty(),
        Kind::Unread => false,
        Kind::Number { .. } | Kind::Word(_) | Kind::Fun(_) => true,
    }
}

/// Whether an item has such names for another reason: a protobuf message numbers its fields, and a health check counts
/// failures.
fn is_something_else(item: &Item) -> bool {
    let checks = |name: &str| {
        let name = squash(name);
        name.ends_with("healthcheck")
            || name.ends_with("probe")
            || ["checks", "keepalive", "debounce", "throttle"].contains(&name.as_str())
    };
    let within = item.place.iter().any(|crumb| matches!(crumb, Crumb::Key(key) if checks(key)));
    item.is("message") || within || checks(&item.head.text)
}
