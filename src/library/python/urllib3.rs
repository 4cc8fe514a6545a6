//! urllib3: a `Retry` object given to a pool manager or a request.

use super::{is_bare, is_from, retry_object};
use crate::library::scan::identity;
use crate::library::{Block, Certainty, Example, Library, Scan, Take};
use crate::notation::{Form, Item, Step, Value};
use crate::policy::Policy;
use crate::retry_after::RetryAfter;
use crate::span::Span;
use std::collections::HashSet;

/// urllib3 2, and 1.26 where it differs.
pub static LIBRARY: Library = Library {
    id: "urllib3",
    title: "urllib3",
    ecosystem: "Python",
    version: "2.8.0",
    source: "urllib3/util/retry.py; the same file of 1.26.20",
    counts: "retries (total); 0 or False means none, None no bound",
    formula: "0 before the first retry, then min(backoff_max, backoff_factor * 2^(k-1) + U(0, backoff_jitter))",
    words: &[
        "urllib3",
        "urllib3.util",
        "urllib3.util.retry",
        "status_forcelist",
        "backoff_factor",
        "method_whitelist",
        "PoolManager",
    ],
    settings: &retry_object::SETTINGS,
    notes: retry_object::NOTES,
    releases: retry_object::RELEASES,
    error_classes: retry_object::ERROR_CLASSES,
    relaxed_names: false,
    retry_after: Some((
        RetryAfter::Replaces { limit_ms: Some(21_600_000.0) },
        "urllib3 2.8.0, util/retry.py; for 413, 429 and 503",
    )),
    find,
    read,
    write: &[
        "from urllib3.util import Retry\n\nretries = Retry(\n    total=«retries|None»,\n    backoff_factor=«base:s»,\n    backoff_max=«cap:s|float(\"inf\")»,\n    backoff_jitter=«most:s|0»,\n)\n",
    ],
    examples: &[
        Example {
            text: "import urllib3\nfrom urllib3.util import Retry\n\nretry = Retry(total=4, backoff_factor=0.2, status_forcelist=[429, 503])\nhttp = urllib3.PoolManager(retries=retry)\n",
            waits: &[(0.0, 0.0), (0.4, 0.4), (0.8, 0.8), (1.6, 1.6)],
        },
        Example {
            text: "from urllib3 import Retry\n\nRETRIES = Retry(\n    total=4,\n    backoff_factor=3,\n    backoff_max=10,\n    backoff_jitter=1,\n)\n",
            waits: &[(0.0, 0.0), (6.0, 7.0), (10.0, 10.0), (10.0, 10.0)],
        },
        Example {
            text: "import urllib3\n\nhttp = urllib3.PoolManager(num_pools=4, retries=2)\n",
            waits: &[(0.0, 0.0), (0.0, 0.0)],
        },
    ],
};

const MANAGERS: &[&str] =
    &["PoolManager", "ProxyManager", "HTTPConnectionPool", "HTTPSConnectionPool", "connection_from_url"];

/// Names that urllib3's `Retry` has and hardly any other.
const OWN_KEYS: &[&str] = &[
    "status_forcelist",
    "backoff_factor",
    "allowed_methods",
    "method_whitelist",
    "raise_on_status",
    "backoff_jitter",
    "backoff_max",
];

/// Names that httpx-retries has beside those.
const OF_HTTPX: &[&str] = &["max_backoff_wait", "total_timeout", "retry_on_exceptions"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let in_adapters = held_by(scan, &["HTTPAdapter"]);
    let is_call = |item: &Item| item.form == Form::Call;
    let mut blocks = Vec::new();
    for item in scan.heads(&["Retry"]).filter(|i| is_call(i) && !in_adapters.contains(&identity(i))) {
        let named = is_from(item, "urllib3", &["Retry"]) || is_from(item, "requests", &["Retry"]);
        let own = OWN_KEYS.iter().any(|key| item.get(key).is_some());
        let httpx = OF_HTTPX.iter().any(|key| item.get(key).is_some());
        if named {
            blocks.push(Block::new(item, Certainty::Certain));
        } else if is_bare(item, &["Retry"]) && !httpx && own {
            blocks.push(Block::new(item, Certainty::Likely));
        } else if is_bare(item, &["Retry"]) && !httpx && item.get("total").is_some() {
            blocks.push(Block::new(item, Certainty::Possible));
        }
    }
    let counted = scan.heads(&["Retry.from_int"]).filter(|i| is_call(i));
    blocks.extend(counted.map(|item| Block::new(item, Certainty::Certain).variant("count")));
    for item in scan.heads(MANAGERS).filter(|i| is_call(i) && is_from(i, "urllib3", MANAGERS)) {
        let own = item.get("retries").and_then(Value::item);
        if own.is_none_or(|i| !i.is("Retry")) || !item.steps.is_empty() {
            blocks.push(Block::new(item, Certainty::Certain).variant("manager"));
        }
    }
    // A pool that nothing is written about gives way to the requests that it makes.
    let made = |block: &Block| block.item.steps.iter().any(|step| matches!(step, Step::Call { .. }));
    if blocks.iter().any(|b| b.variant == "manager" && made(b) && retries(b.item).is_some()) {
        blocks.retain(|b| b.variant != "manager" || retries(b.item).is_some());
    }
    blocks
}

/// The places of everything that the calls of these names hold, written there or reached by a name.
fn held_by(scan: &Scan, heads: &[&str]) -> HashSet<Span> {
    let mut held = HashSet::new();
    for holder in scan.heads(heads) {
        holder.walk(&mut |item| {
            if identity(item) != identity(holder) {
                held.insert(identity(item));
            }
        });
    }
    held
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    match take.block.variant {
        "manager" => {}
        "count" => return item.at(0).map_or_else(crate::policy::Policy::single_call, |value| counted(take, value)),
        _ => return retry_object::read(take, item),
    }
    match retries(item).filter(|v| !v.is_null()) {
        None => {
            let message = "Nothing is written about retries: the pool makes 3, and none of them waits.";
            take.note("defaults", item.head.span, message).help =
                "Give `retries=Retry(…)` with a `backoff_factor`.".into();
            take.default("retries", "3");
            retry_object::read_count(take, Some(3))
        }
        Some(value) => match value.item().filter(|i| i.is("Retry")) {
            Some(retry) => retry_object::read(take, retry),
            None if value.flag() == Some(false) => {
                take.origin("retries", value.span);
                retry_object::read_count(take, Some(0))
            }
            None => counted(take, value),
        },
    }
}

/// The retries of a request that the manager makes, else of the manager.
fn retries(manager: &Item) -> Option<&Value> {
    let of_request = manager.steps.iter().rev().find_map(|step| match step {
        Step::Call { args, .. } => args.iter().find(|a| a.name.as_ref().is_some_and(|n| n.text == "retries")),
        Step::Set { .. } => None,
    });
    of_request.map(|arg| &arg.value).or_else(|| manager.get("retries"))
}

fn counted(take: &mut Take, value: &Value) -> Policy {
    if value.is_undefined() {
        return retry_object::read_unknown(take, value.span, Some(3));
    }
    match take.number("retries", "retries", value) {
        Some(n) if n < 0.0 => {
            take.refuse("retries", value, "is negative: the first failure is the last, without a retry");
            retry_object::read_count(take, Some(0))
        }
        Some(n) => {
            let message = "A number has no backoff: the retries follow each other at once.";
            take.note("no-wait", value.span, message).help =
                "Give `Retry(total=…, backoff_factor=…)` for waits.".into();
            retry_object::read_count(take, Some(n as u64))
        }
        None => retry_object::read_count(take, Some(3)),
    }
}
