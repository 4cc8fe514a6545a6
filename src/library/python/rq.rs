//! RQ: a `Retry` that a job is enqueued with.

use super::{TYPE_ERROR, is_bare, is_from, not_followed, nothing};
use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Step, Value};
use crate::policy::{After, Backoff, Phase, Policy, Wait};

/// RQ 3.
pub static LIBRARY: Library = Library {
    id: "rq",
    title: "RQ",
    ecosystem: "Python",
    version: "3.0.0",
    source: "rq/job.py",
    counts: "retries (max)",
    formula: "interval, or the entry of the list that leaves as many entries after it as retries",
    words: &["rq", "Retry", "rq.Retry", "enqueue", "enqueue_call", "enqueue_in", "enqueue_at"],
    settings: &[
        Setting::count("max", "retries", "").at(0),
        Setting::time("interval", "baseMs", Unit::Second, "0").at(1).plain(),
        Setting::other("enqueue_at_front").at(2),
    ],
    notes: &[
        "A job without `retry=` is not retried.",
        "A list of intervals is aligned to the end: with too few entries the first is repeated at the beginning, with too many the first are skipped.",
        "A wait needs a worker that runs the scheduler, which looks about once a second.",
        "`max` is required and at least 1.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "from redis import Redis\nfrom rq import Queue, Retry\n\nqueue = Queue(connection=Redis())\nqueue.enqueue(call, retry=Retry(max=«retries», interval=«*»))\n",
        "«delay:S»",
        "[«list:S»]",
        "[«delays:S»]",
    ],
    examples: &[
        Example {
            text: "from redis import Redis\nfrom rq import Queue, Retry\n\nqueue = Queue(connection=Redis())\nqueue.enqueue(send_invoice, 4711, retry=Retry(max=4, interval=[15, 120]))\n",
            waits: &[(15.0, 15.0), (15.0, 15.0), (15.0, 15.0), (120.0, 120.0)],
        },
        Example {
            text: "from rq import Retry\nfrom rq.decorators import job\n\n@job(\"low\", connection=redis, retry=Retry(max=2, interval=45))\ndef crawl(url):\n    ...\n",
            waits: &[(45.0, 45.0), (45.0, 45.0)],
        },
    ],
};

const ENQUEUE: &[&str] = &["enqueue", "enqueue_call", "enqueue_in", "enqueue_at"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let imported = scan.imports(&["rq"]);
    let mut blocks = Vec::new();
    for item in scan.heads(&["Retry"]).filter(|item| item.form == Form::Call) {
        let keys = (item.get("max").is_some(), item.get("interval").is_some());
        let certainty = match (is_bare(item, &["Retry"]), keys) {
            _ if is_from(item, "rq", &["Retry"]) => Certainty::Certain,
            (true, _) if imported && (keys.0 || keys.1) => Certainty::Certain,
            (true, (true, true)) => Certainty::Likely,
            (true, (true, false)) => Certainty::Possible,
            _ => continue,
        };
        blocks.push(Block::new(item, certainty));
    }
    let jobs = scan.items.iter().copied().filter(|item| imported && blocks.is_empty() && enqueues(item));
    let jobs: Vec<Block> = jobs.map(|item| Block::new(item, Certainty::Certain).variant("job")).collect();
    blocks.extend(jobs);
    blocks
}

/// Whether a job is put into a queue: `queue.enqueue(f)`, also as a step of the queue.
fn enqueues(item: &Item) -> bool {
    let called = item.head.text.rsplit_once('.').is_some_and(|(_, method)| ENQUEUE.contains(&method));
    item.form == Form::Call && called
        || item.is("Queue")
            && item.steps.iter().any(|s| matches!(s, Step::Call { name, .. } if ENQUEUE.contains(&name.text.as_str())))
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if take.block.variant == "job" {
        let message = "Nothing is written about retries: the job is not retried.";
        take.note("defaults", item.head.span, message).help = "Give `retry=Retry(max=…, interval=…)`.".into();
        take.default("retries", "no retry");
        return Policy::single_call();
    }
    let mut args = take.main();
    args.unknown_names("an argument of `Retry`", TYPE_ERROR);
    let max = args.count("max");
    match (args.written("max"), max) {
        (None, _) => {
            let message = format!("`max` is required; {TYPE_ERROR}.");
            args.take.error("missing-key", item.span, message).help = "Give `max=3` or the like.".into();
        }
        (Some((name, value)), Some(0)) => {
            args.take.refuse(&name, value, "must be at least 1: it raises ValueError");
        }
        _ => {}
    }
    let retries = max.unwrap_or(0);
    match args.value("interval") {
        Some(value) if value.list().is_some() => listed(&mut args, value, retries),
        Some(value) => {
            if value.number().is_some_and(|n| n.fract() != 0.0) {
                args.take.refuse(
                    "interval",
                    value,
                    "must be a whole number or a list: a fraction alone raises UnboundLocalError",
                );
            }
            Policy::new(Wait::new(Backoff::Constant { delay_ms: args.time("interval").unwrap_or(0.0) }), retries)
        }
        None => Policy::new(Wait::new(Backoff::Constant { delay_ms: args.time("interval").unwrap_or(0.0) }), retries),
    }
}

/// The list is aligned to the end of the retries.
fn listed(args: &mut Args, list: &Value, retries: u64) -> Policy {
    let entries = list.list().unwrap_or_default();
    let mut delays_ms = Vec::new();
    for entry in entries {
        match entry.number() {
            Some(_) => delays_ms.push(args.take.time("interval", "baseMs", entry, Some(Unit::Second)).unwrap_or(0.0)),
            None if entry.is_undefined() => {
                not_followed(
                    args.take,
                    "baseMs",
                    entry.span,
                    "An interval is given by a name that this text does not define.",
                );
                delays_ms.push(0.0);
            }
            None => {
                let what = format!("must hold numbers of seconds, not {}", entry.describe());
                args.take.refuse("interval", entry, &what);
                delays_ms.push(0.0);
            }
        }
    }
    args.take.origin("baseMs", list.span);
    let count = delays_ms.len() as u64;
    let Some(&first_ms) = delays_ms.first() else {
        args.take.refuse("interval", list, "is empty: the first retry raises IndexError");
        return Policy::new(nothing(), retries);
    };
    if count < retries && count > 1 {
        let message = format!(
            "The list is shorter than `max`: its first entry is used for the first {} retries.",
            retries - count + 1
        );
        args.take.note("aligned-to-end", list.span, message);
    } else if count > retries {
        let message = format!("The list is longer than `max`: its first {} entries are skipped.", count - retries);
        args.take.note("aligned-to-end", list.span, message);
    }
    let skipped = count.saturating_sub(retries) as usize;
    let early = retries.saturating_sub(count);
    let mut wait = Wait::new(Backoff::List { delays_ms: delays_ms.split_off(skipped), after: After::RepeatLast });
    wait.skip = early;
    let mut policy = Policy::new(wait, retries);
    if early > 0 {
        let wait = Wait::new(Backoff::Constant { delay_ms: first_ms });
        policy.phases.push(Phase { retries: early, wait });
    }
    policy
}
