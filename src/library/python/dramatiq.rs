//! Dramatiq: the retry options of an actor, of one message, or of the Retries middleware. Milliseconds.

use super::{definition, is_bare, is_from, misspelt, not_followed, refuse_none};
use crate::duration::Unit;
use crate::library::scan::in_order;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item};
use crate::policy::{Backoff, CapOrder, Jitter, Policy, Wait};
use crate::span::Span;
use std::collections::HashSet;

/// Dramatiq 2.
pub static LIBRARY: Library = Library {
    id: "dramatiq",
    title: "Dramatiq",
    ecosystem: "Python",
    version: "2.2.1",
    source: "dramatiq/middleware/retries.py, dramatiq/common.py",
    counts: "retries (max_retries); None means no bound",
    formula: "U(b, 2b) with b = min_backoff * 2^(k-1), in whole ms; above max_backoff a fresh draw from its upper half",
    words: &["dramatiq", "dramatiq.actor", "min_backoff", "max_backoff", "send_with_options", "message_with_options"],
    settings: &[
        Setting::count("max_retries", "retries", "20"),
        Setting::time("min_backoff", "baseMs", Unit::Millisecond, "15000").plain(),
        Setting::time("max_backoff", "capMs", Unit::Millisecond, "604800000").plain(),
        Setting::time("time_limit", "attemptTimeoutMs", Unit::Millisecond, "600000").plain(),
        Setting::other("retry_when"),
        Setting::other("on_retry_exhausted"),
        Setting::other("throws"),
        Setting::other("max_age"),
        Setting::other("delay"),
    ],
    notes: &[
        "Times are in milliseconds.",
        "Every actor retries 20 times unless something else is written.",
        "The first wait lies between min_backoff and twice that.",
        "A draw above max_backoff is replaced by one between half of it and all of it, so the longest waits can be shorter than those before.",
        "Seven days are the longest max_backoff; more is cut.",
        "time_limit bounds one run, 10 minutes unless something else is written.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "import dramatiq\n\n@dramatiq.actor(\n    max_retries=«retries|None»,\n    min_backoff=«base:#»,\n    max_backoff=«cap:#|604800000»,\n    time_limit=«timeout:#|600000»,«factor:-»\n)\ndef call(): ...\n",
    ],
    examples: &[
        Example {
            text: "import dramatiq\n\n@dramatiq.actor(max_retries=4, min_backoff=500, max_backoff=3_000)\ndef resize(image_id):\n    ...\n",
            waits: &[(0.5, 1.0), (1.0, 2.0), (1.5, 3.0), (1.5, 3.0)],
        },
        Example {
            text: "import dramatiq\nfrom dramatiq.middleware import Retries\n\nbroker.add_middleware(Retries(max_retries=2, min_backoff=10_000))\n",
            waits: &[(10.0, 20.0), (20.0, 40.0)],
        },
    ],
};

const MESSAGES: &[&str] = &["send_with_options", "message_with_options"];
const KEYS: &[&str] = &["max_retries", "min_backoff", "max_backoff", "retry_when"];

/// No wait is longer, whatever is written.
const SEVEN_DAYS_MS: f64 = 604_800_000.0;

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let imported = scan.imports(&["dramatiq"]);
    let has_keys = |item: &Item| KEYS.iter().any(|key| item.get(key).is_some());
    let mut blocks: Vec<Block> = Vec::new();
    let messages: Vec<&Item> = scan.heads(MESSAGES).filter(|item| item.form == Form::Call && has_keys(item)).collect();
    let spoken_for: HashSet<Span> = messages
        .iter()
        .filter_map(|message| definition(scan.heads(&["actor"]), message))
        .map(|actor| actor.span)
        .collect();
    for item in scan.heads(&["actor"]).filter(|item| matches!(item.form, Form::Annotation | Form::Call)) {
        let named = is_from(item, "dramatiq", &["actor"]) || (imported && is_bare(item, &["actor"]));
        let typical = item.get("min_backoff").is_some() || item.get("max_backoff").is_some();
        if (named || (is_bare(item, &["actor"]) && typical)) && !spoken_for.contains(&item.span) {
            let certainty = if named { Certainty::Certain } else { Certainty::Likely };
            blocks.push(Block::new(item, certainty).variant("actor"));
        }
    }
    // `class Job(GenericActor)` has its options in a class of its own.
    let own = scan.items.iter().copied().filter(|item| item.form == Form::Class && item.head.text == "Meta");
    blocks.extend(
        own.filter(|item| imported && has_keys(item)).map(|item| Block::new(item, Certainty::Certain).variant("actor")),
    );
    for item in messages {
        let certainty = if imported { Certainty::Certain } else { Certainty::Likely };
        let mut block = Block::new(item, certainty).variant("message");
        block.others.extend(definition(scan.heads(&["actor"]), item));
        blocks.push(block);
    }
    for item in scan.heads(&["Retries"]).filter(|item| item.form == Form::Call) {
        let named = is_from(item, "dramatiq", &["Retries"]);
        if named || (is_bare(item, &["Retries"]) && (imported || has_keys(item))) {
            let certainty = if named || imported { Certainty::Certain } else { Certainty::Likely };
            blocks.push(Block::new(item, certainty).variant("middleware"));
        }
    }
    in_order(blocks)
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let (whose, what) = match take.block.variant {
        "message" => ("a message option that Dramatiq reads", "it is carried along and does nothing"),
        "middleware" => ("an argument of `Retries`", super::TYPE_ERROR),
        _ => ("an actor option", "`actor` raises ValueError unless a middleware of one's own declares it"),
    };
    misspelt(take, item, "", whose, what);
    let items: Vec<(&Item, &'static str)> =
        std::iter::once(item).chain(take.block.others.iter().copied()).map(|item| (item, "")).collect();
    let items = items.as_slice();
    if let Some(value) = take.holding(items, "retry_when").value("retry_when").filter(|v| !v.is_null()) {
        let message = "`retry_when` decides about each retry, and max_retries does not count beside it.";
        not_followed(take, "retries", value.span, message);
    }
    let retries = take.holding(items, "max_retries").count("max_retries");
    let middleware = take.block.variant == "middleware";
    let base_ms = backoff(&mut take.holding(items, "min_backoff"), "min_backoff", middleware);
    let mut args = take.holding(items, "max_backoff");
    let cap_ms = backoff(&mut args, "max_backoff", middleware);
    if let Some(value) = args.value("max_backoff").filter(|_| cap_ms > SEVEN_DAYS_MS) {
        let message = "`max_backoff` is above seven days, the longest that Dramatiq waits: it is cut to that.";
        args.take.warning("cut", value.span, message);
    }
    let timeout = take.holding(items, "time_limit").time("time_limit");
    if !KEYS.iter().any(|key| take.holding(items, key).has(key)) {
        let message = "Nothing is written about retries: Dramatiq makes 20, with waits from 15 s up to 7 days.";
        take.note("defaults", item.head.span, message).help = "Give `max_retries=0` for none.".into();
    }
    let wait = Wait::new(Backoff::Exponential { base_ms, factor: 2.0 })
        .jitter(Jitter::Proportional { below: 0.0, above: 1.0 })
        .cap(cap_ms.min(SEVEN_DAYS_MS))
        .cap_order(CapOrder::Redraw);
    let mut policy = Policy::new(wait, retries);
    policy.attempt_timeout_ms = timeout.filter(|ms| ms.is_finite());
    policy
}

/// A back-off in ms; the middleware takes 0 and None as not written.
fn backoff(args: &mut Args, name: &str, middleware: bool) -> f64 {
    let default_ms = if name == "min_backoff" { 15_000.0 } else { SEVEN_DAYS_MS };
    if !middleware {
        refuse_none(args, &[name]);
    }
    args.time(name).filter(|ms| !(middleware && *ms == 0.0)).unwrap_or(default_ms)
}
