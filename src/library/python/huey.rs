//! Huey: the retry settings of a task, or of one call of it.

use super::{definition, misspelt, refuse_none};
use crate::duration::Unit;
use crate::library::scan::in_order;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item};
use crate::policy::{Backoff, Policy, Wait};
use crate::span::Span;
use std::collections::HashSet;

/// Huey 3.
pub static LIBRARY: Library = Library {
    id: "huey",
    title: "Huey",
    ecosystem: "Python",
    version: "3.5.4",
    source: "huey/api.py",
    counts: "retries",
    formula: "retry_delay * retry_backoff^(k-1); retry_delay where retry_backoff is 0",
    words: &[
        "huey",
        "huey.task",
        "huey.periodic_task",
        "MemoryHuey",
        "RedisHuey",
        "SqliteHuey",
        "db_task",
        "db_periodic_task",
    ],
    settings: &[
        Setting::count("retries", "retries", "0").of("task").at(0),
        Setting::time("retry_delay", "baseMs", Unit::Second, "0").of("task").at(1).plain(),
        Setting::number("retry_backoff", "factor", "0").of("task").at(2),
        Setting::time("timeout", "attemptTimeoutMs", Unit::Second, "").of("task").plain(),
        Setting::count("retries", "retries", "0").of("periodic_task").at(1),
        Setting::time("retry_delay", "baseMs", Unit::Second, "0").of("periodic_task").at(2).plain(),
        Setting::number("retry_backoff", "factor", "0").of("periodic_task").at(3),
        Setting::time("timeout", "attemptTimeoutMs", Unit::Second, "").of("periodic_task").plain(),
        Setting::count("retries", "retries", "0").of("call"),
        Setting::time("retry_delay", "baseMs", Unit::Second, "0").of("call").plain(),
        Setting::number("retry_backoff", "factor", "0").of("call"),
        Setting::time("timeout", "attemptTimeoutMs", Unit::Second, "").of("call").plain(),
        Setting::other("delay").of("call"),
    ],
    notes: &[
        "A task is not retried unless retries is written.",
        "retry_backoff multiplies retry_delay: without a delay there is nothing to multiply.",
        "There is no cap and no jitter, and unknown options are accepted without a word.",
        "The scheduler looks once a second by default, so a retry can start up to that later.",
        "retry_backoff came with Huey 3; before it every wait was retry_delay.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "from huey import RedisHuey\n\nhuey = RedisHuey(\"app\")\n\n@huey.task(retries=«retries», retry_delay=«base:s», retry_backoff=«factor»)\ndef call(): ...\n",
    ],
    examples: &[
        Example {
            text: "from huey import RedisHuey\n\nhuey = RedisHuey(\"shop\")\n\n@huey.task(retries=4, retry_delay=5, retry_backoff=3)\ndef export_orders(day):\n    upload(render(day))\n",
            waits: &[(5.0, 5.0), (15.0, 15.0), (45.0, 45.0), (135.0, 135.0)],
        },
        Example {
            text: "from huey import crontab\nfrom huey.contrib.djhuey import db_periodic_task\n\n@db_periodic_task(crontab(minute='*/5'), retries=2, retry_delay=20)\ndef sweep():\n    Cart.objects.expired().delete()\n",
            waits: &[(20.0, 20.0), (20.0, 20.0)],
        },
    ],
};

const TASKS: &[&str] = &["task", "periodic_task", "context_task", "db_task", "db_periodic_task"];
const KEYS: &[&str] = &["retries", "retry_delay", "retry_backoff"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let imported = scan.imports(&["huey"]);
    let has_keys = |item: &Item| KEYS.iter().any(|key| item.get(key).is_some());
    let calls: Vec<&Item> = if imported {
        let heads = scan.heads(&["s", "schedule"]);
        heads.filter(|item| item.form == Form::Call && item.head.text.contains('.') && has_keys(item)).collect()
    } else {
        Vec::new()
    };
    let called: HashSet<Span> =
        calls.iter().filter_map(|call| definition(scan.heads(TASKS), call)).map(|task| task.span).collect();
    let mut blocks: Vec<Block> = Vec::new();
    for item in scan.heads(TASKS).filter(|item| item.form == Form::Annotation) {
        let head = item.head.text.as_str();
        let named = head.split('.').any(|part| part == "huey" || part.ends_with("_huey"));
        if (named || imported) && !called.contains(&item.span) {
            blocks.push(Block::new(item, Certainty::Certain));
        }
    }
    for item in calls {
        let mut block = Block::new(item, Certainty::Certain).variant("call");
        block.others.extend(definition(scan.heads(TASKS), item));
        if !block.others.is_empty() {
            blocks.push(block);
        }
    }
    in_order(blocks)
}

/// The table's group of an item.
fn group(item: &Item) -> &'static str {
    match () {
        () if item.is_any(&["periodic_task", "db_periodic_task"]) => "periodic_task",
        () if item.is_any(TASKS) => "task",
        () => "call",
    }
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let items: Vec<(&Item, &'static str)> =
        std::iter::once(item).chain(take.block.others.iter().copied()).map(|item| (item, group(item))).collect();
    for &(item, of) in &items {
        misspelt(take, item, of, "an option of a Huey task", "it is accepted and does nothing");
    }
    let items = items.as_slice();
    let written = KEYS.iter().any(|key| take.holding(items, key).has(key));
    if !written {
        let message = "Nothing is written about retries: the task is not retried.";
        take.note("defaults", item.head.span, message).help = "Give `retries=` and `retry_delay=`.".into();
    }
    let retries = take.holding(items, "retries").count("retries").unwrap_or(0);
    let mut args = take.holding(items, "retry_delay");
    refuse_none(&mut args, &["retry_delay"]);
    let base_ms = args.time("retry_delay").unwrap_or(0.0);
    let mut args = take.holding(items, "retry_backoff");
    let factor = args.number("retry_backoff").unwrap_or(0.0);
    match args.value("retry_backoff") {
        Some(value) if factor < 0.0 => {
            args.take.refuse("retry_backoff", value, "is negative, so every second wait would be");
        }
        Some(value) if factor != 0.0 && base_ms == 0.0 => {
            let message = "`retry_backoff` has no effect: without `retry_delay` there is nothing to multiply.";
            args.take.warning("no-effect", value.span, message);
        }
        _ => {}
    }
    let curve = match factor > 0.0 {
        true => Backoff::Exponential { base_ms, factor },
        false => Backoff::Constant { delay_ms: base_ms },
    };
    let mut policy = Policy::new(Wait::new(curve), retries);
    policy.attempt_timeout_ms = take.holding(items, "timeout").time("timeout");
    policy
}
