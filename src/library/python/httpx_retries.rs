//! httpx-retries: a `Retry` object that looks like urllib3's, in a transport for httpx.

use super::{TYPE_ERROR, is_bare, is_from, refuse_none};
use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Crumb, Form, Item};
use crate::policy::{Backoff, CapOrder, Clock, Deadline, Jitter, Overrun, Policy, Wait};
use crate::retry_after::RetryAfter;

/// httpx-retries 0.6.
pub static LIBRARY: Library = Library {
    id: "httpx-retries",
    title: "httpx-retries",
    ecosystem: "Python",
    version: "0.6.0",
    source: "httpx_retries/retry.py, httpx_retries/transport.py",
    counts: "retries (total)",
    formula: "min(backoff_factor * 2^k * U(1 - backoff_jitter, 1), max_backoff_wait)",
    words: &["httpx_retries", "RetryTransport", "max_backoff_wait"],
    settings: &[
        Setting::count("total", "retries", "10").at(0),
        Setting::other("allowed_methods").at(1),
        Setting::other("status_forcelist").at(2),
        Setting::other("retry_on_exceptions").at(3),
        Setting::time("backoff_factor", "baseMs", Unit::Second, "0").at(4).plain(),
        Setting::other("respect_retry_after_header").at(5),
        Setting::time("max_backoff_wait", "capMs", Unit::Second, "120").at(6).plain(),
        Setting::number("backoff_jitter", "jitter", "1").at(7),
        Setting::count("attempts_made", "", "0").at(8),
        Setting::time("total_timeout", "deadline", Unit::Second, "").at(9).plain(),
        Setting::other("elapsed_sleep").at(10),
        Setting::other("validate_response").at(11),
    ],
    notes: &[
        "The first wait goes up to twice the backoff_factor, where urllib3's Retry does not wait at all.",
        "Full jitter is on unless backoff_jitter says less.",
        "The cap acts after the jitter, so many waits may be exactly max_backoff_wait.",
        "total_timeout bounds the sum of the waits, not the time that passes.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: Some((
        RetryAfter::Replaces { limit_ms: Some(120_000.0) },
        "httpx-retries 0.6.0, retry.py; by max_backoff_wait",
    )),
    find,
    read,
    write: &[
        "import httpx\nfrom httpx_retries import Retry, RetryTransport\n\nretry = Retry(\n    total=«retries»,\n    backoff_factor=«base/2:s»,\n    backoff_jitter=«below»,\n    max_backoff_wait=«cap:s|float(\"inf\")»,\n    total_timeout=«shorten:s|None»,«factor:-»\n)\nclient = httpx.Client(transport=RetryTransport(retry=retry))\n",
    ],
    examples: &[
        Example {
            text: "import httpx\nfrom httpx_retries import Retry, RetryTransport\n\nretry = Retry(total=4, backoff_factor=0.25)\nclient = httpx.Client(transport=RetryTransport(retry=retry))\n",
            waits: &[(0.0, 0.5), (0.0, 1.0), (0.0, 2.0), (0.0, 4.0)],
        },
        Example {
            text: "from httpx_retries import Retry\n\nPATIENT = Retry(total=3, backoff_factor=5, backoff_jitter=0.2, max_backoff_wait=18)\n",
            waits: &[(8.0, 10.0), (16.0, 18.0), (18.0, 18.0)],
        },
    ],
};

/// Names that its `Retry` has and urllib3's does not.
const OWN_KEYS: &[&str] = &["max_backoff_wait", "total_timeout", "retry_on_exceptions", "attempts_made"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks = Vec::new();
    for item in scan.heads(&["Retry", "RetryTransport"]).filter(|i| i.form == Form::Call) {
        let bare = is_bare(item, &["Retry", "RetryTransport"]);
        let given = || item.place.iter().any(|c| matches!(c, Crumb::Key(key) if key.ends_with("RetryTransport")));
        let certainty = if is_from(item, "httpx_retries", &["Retry", "RetryTransport"]) || bare && given() {
            Certainty::Certain
        } else if bare && (item.is("RetryTransport") || OWN_KEYS.iter().any(|key| item.get(key).is_some())) {
            Certainty::Likely
        } else if bare && (item.get("backoff_factor").is_some() || item.get("total").is_some()) {
            Certainty::Possible
        } else {
            continue;
        };
        if item.is("Retry") {
            blocks.push(Block::new(item, certainty));
        } else if retry_of(item).is_none() {
            blocks.push(Block::new(item, certainty).variant("transport"));
        }
    }
    blocks
}

/// The `Retry` that a transport is given.
fn retry_of(transport: &Item) -> Option<&Item> {
    let value = transport.get("retry").or_else(|| transport.at(1))?;
    value.item().filter(|item| item.is("Retry"))
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if take.block.variant == "transport" {
        return transport(take, item);
    }
    let mut args = take.main();
    args.unknown_names("an argument of `Retry`", TYPE_ERROR);
    refuse_none(&mut args, &["total", "backoff_factor", "max_backoff_wait", "backoff_jitter"]);
    let done = args.count("attempts_made").unwrap_or(0);
    let retries = args.count("total").unwrap_or(10).saturating_sub(done);
    let base_ms = args.time("backoff_factor").unwrap_or(0.0);
    let cap_ms = args.time("max_backoff_wait");
    if let Some(value) = args.value("max_backoff_wait").filter(|_| cap_ms == Some(0.0)) {
        args.take.refuse("max_backoff_wait", value, "must be above 0: it raises ValueError");
    }
    let jitter = jitter(&mut args);
    let limit = args.time("total_timeout");
    if let Some(value) = args.value("total_timeout").filter(|_| limit == Some(0.0)) {
        args.take.refuse("total_timeout", value, "must be above 0: it raises ValueError");
    }
    if item.args.is_empty() {
        nothing_written(take, item);
    }
    // The exponent counts from the attempts that were made before, of which the object may already hold some.
    let first_ms = base_ms * libm::pow(2.0, done as f64 + 1.0);
    let curve = Backoff::Exponential { base_ms: first_ms, factor: 2.0 };
    let wait = Wait::new(curve).cap(cap_ms).jitter(jitter).cap_order(CapOrder::AfterJitter);
    let mut policy = Policy::new(wait, retries);
    policy.deadline = limit.map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Shorten, clock: Clock::Waits });
    policy
}

/// A transport without a `Retry` of its own makes the default one.
fn transport(take: &mut Take, item: &Item) -> Policy {
    match item.get("retry").or_else(|| item.at(1)).filter(|v| !v.is_null()) {
        Some(value) => {
            let message = "The retries are given by a name that this text does not define.";
            super::not_followed(take, "retries", value.span, message);
            take.unknown.push("baseMs");
        }
        None => nothing_written(take, item),
    }
    take.default("retries", "10");
    take.default("baseMs", "0 s");
    Policy::new(super::nothing(), 10)
}

fn nothing_written(take: &mut Take, item: &Item) {
    let message = "Nothing is written about retries: 10 of them, none of which waits, because backoff_factor is 0.";
    take.note("defaults", item.head.span, message).help = "Give `Retry(total=…, backoff_factor=…)`.".into();
}

/// The random share of each wait.
fn jitter(args: &mut Args) -> Jitter {
    let share = args.number("backoff_jitter").unwrap_or(1.0);
    match args.value("backoff_jitter") {
        Some(value) if !(0.0..=1.0).contains(&share) => {
            args.take.refuse("backoff_jitter", value, "must be between 0 and 1: it raises ValueError");
            Jitter::Full
        }
        _ if share == 0.0 => Jitter::None,
        _ if share == 1.0 => Jitter::Full,
        _ => Jitter::Proportional { below: share, above: 0.0 },
    }
}
