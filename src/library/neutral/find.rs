//! Which items are read as plain numbers: by names that speak of waits, with values that can be such.

use super::SETTINGS;
use crate::library::{Block, Certainty, Scan};
use crate::notation::{Crumb, Form, Item, Kind, Value};

/// Keys that say how waits grow, and keys that say how many or how long: a plain object needs one of each.
const GROWTH: &[&str] = &[
    "base",
    "factor",
    "multiplier",
    "backoff",
    "delay",
    "delays",
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

/// The items with the notation's names: at least one that says how waits grow and one that bounds them.
pub fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks: Vec<Block<'d>> = Vec::new();
    for item in scan.items.iter().copied() {
        let all = item.args.iter().filter(|a| a.name.is_some()).count();
        let named = item.args.iter().filter_map(|a| Some((a.name.as_ref()?.text.as_str(), &a.value)));
        let names: Vec<&str> = named.filter(|(name, value)| could_be(name, value)).map(|(name, _)| name).collect();
        let has = |of: &[&str]| names.iter().filter(|n| of.contains(&squash(n).as_str())).count();
        let plain = matches!(item.form, Form::Map | Form::Section | Form::Call | Form::Command);
        let (growth, bounds) = (has(GROWTH), has(BOUNDS));
        let inside = blocks.iter().any(|b| b.item.span.holds(item.span));
        let own = names.iter().filter(|n| OWN.contains(n)).count();
        let ours = own == names.len() && own >= 2 && item.form != Form::Call;
        let known = names.iter().filter(|n| SETTINGS.iter().any(|s| s.names().any(|k| squash(k) == squash(n)))).count();
        if item.form == Form::Map && item.get("v").is_some() && known == all && all > 2 {
            blocks.push(Block::new(item, Certainty::Certain));
            continue;
        }
        if !plain || inside || growth == 0 || !(bounds > 0 || ours) || is_something_else(item) {
            continue;
        }
        if known * 2 < all {
            continue;
        }
        let certainty = if own >= 3 && own == names.len() { Certainty::Likely } else { Certainty::Possible };
        blocks.push(Block::new(item, certainty));
    }
    blocks
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
        Kind::List(values) => !values.is_empty() && ["delays", "delaysms", "waits"].contains(&name.as_str()),
        Kind::Op(_, values) => !values.iter().any(|v| v.text().is_some_and(|text| squash(text) == name)),
        Kind::Item(item) => !item.head.text.is_empty(),
        Kind::Unread => false,
        Kind::Number { .. } | Kind::Word(_) | Kind::Fun(_) => true,
    }
}

/// A name without regard to case and joiners.
fn squash(name: &str) -> String {
    name.replace(['-', '_', '.'], "").to_ascii_lowercase()
}

/// Whether an item has such names for another reason: a protobuf message numbers its fields, and a health check counts
/// failures.
fn is_something_else(item: &Item) -> bool {
    let checks = |name: &str| {
        let name = squash(name);
        name.ends_with("healthcheck") || name.ends_with("probe") || name == "checks" || name == "keepalive"
    };
    let within = item.place.iter().any(|crumb| matches!(crumb, Crumb::Key(key) if checks(key)));
    item.is("message") || within || checks(&item.head.text)
}
