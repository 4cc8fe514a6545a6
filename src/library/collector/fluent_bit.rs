//! Fluent Bit: the scheduler's waits and an output's limit.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Arg, Form, Item, Value};
use crate::policy::{Law, Policy, Wait};

/// Fluent Bit 5.
pub static LIBRARY: Library = Library {
    id: "fluent-bit",
    title: "Fluent Bit",
    ecosystem: "collectors",
    version: "5.1.1 (d55459d49, 2026-08)",
    source: "src/flb_scheduler.c, src/flb_task.c, src/flb_output.c",
    counts: "retries (Retry_Limit); 1 unless written",
    formula: "1 s plus a whole number of seconds between base and min(cap, base * 2^k)",
    words: &["scheduler.base", "scheduler.cap", "Retry_Limit", "retry_limit", "OUTPUT", "outputs", "SERVICE"],
    settings: &[
        Setting::time("scheduler.base", "baseMs", Unit::Second, "5").of("service"),
        Setting::time("scheduler.cap", "capMs", Unit::Second, "2000").of("service"),
        Setting::other("Retry_Limit|retry_limit").of("output"),
    ],
    notes: &[
        "Retry_Limit counts retries, and is 1 unless written.",
        "The first range already ends at twice the base, and a second is added to every wait.",
        "The lower end stays at the base.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: true,
    retry_after: None,
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "[SERVICE]\n    scheduler.base  2\n    scheduler.cap   10\n\n[OUTPUT]\n    Name         es\n    Match        *\n    Retry_Limit  3\n",
            waits: &[(3.0, 5.0), (3.0, 9.0), (3.0, 11.0)],
        },
        Example {
            text: "pipeline:\n  outputs:\n    - name: http\n      match: 'app.*'\n      retry_limit: 2\n",
            waits: &[(6.0, 11.0), (6.0, 21.0)],
        },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks: Vec<Block<'d>> = Vec::new();
    let add = |blocks: &mut Vec<Block<'d>>, item: &'d Item| {
        let name = key(item, "name").and_then(Value::text).unwrap_or_default();
        blocks.push(Block::new(item, Certainty::Certain).label(name));
    };
    for item in scan.items.iter().copied() {
        let named = key(item, "name").is_some();
        if item.form == Form::Section && item.head.text.eq_ignore_ascii_case("output") && named {
            add(&mut blocks, item);
        }
        let outputs = item.get("pipeline.outputs").and_then(Value::list).unwrap_or_default();
        outputs.iter().filter_map(Value::item).for_each(|output| add(&mut blocks, output));
    }
    blocks
}

/// The item that sets the scheduler.
fn service<'d>(scan: &Scan<'d>) -> Option<&'d Item> {
    let about = |arg: &Arg| {
        let name = arg.name.as_ref().map(|n| n.text.to_ascii_lowercase()).unwrap_or_default();
        name == "scheduler" || name.starts_with("scheduler.")
    };
    scan.items.iter().copied().find(|i| i.args.iter().any(about))
}

/// A value under a name, whose case says nothing.
fn key<'d>(item: &'d Item, name: &str) -> Option<&'d Value> {
    let under = |name: &str| {
        let same = |arg: &&Arg| arg.name.as_ref().is_some_and(|n| n.text.eq_ignore_ascii_case(name));
        item.args.iter().find(same).map(|arg| &arg.value)
    };
    under(name).or_else(|| name.split_once('.').and_then(|(outer, inner)| key(under(outer)?.item()?, inner)))
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let (base_ms, cap_ms) = match service(take.scan) {
        Some(service) => times(take, service),
        None => {
            take.default("baseMs", "5 s");
            take.default("capMs", "2000 s");
            (5_000.0, 2_000_000.0)
        }
    };
    let retries = limit(take, item);
    let top = |k: i32| (base_ms * 2f64.powi(k)).min(cap_ms).max(base_ms);
    let law = |k: u64| Law::steps(base_ms + 1_000.0, top(k as i32) + 1_000.0, 1_000.0);
    Policy::new(Wait::each(64, &law), retries)
}

fn times<'t>(take: &mut Take<'t>, service: &'t Item) -> (f64, f64) {
    take.of(service, "service").unknown_names_from("scheduler.", "a property of the service", "it has no effect");
    let mut time = |name: &str, field: &'static str, default_ms: f64| {
        let value = key(service, name);
        value.and_then(|v| take.time(name, field, v, Some(Unit::Second))).unwrap_or_else(|| {
            take.default(field, format!("{} s", default_ms / 1e3));
            default_ms
        })
    };
    let (base_ms, cap_ms) = (time("scheduler.base", "baseMs", 5_000.0), time("scheduler.cap", "capMs", 2_000_000.0));
    if let Some(value) = key(service, "scheduler.cap").filter(|_| cap_ms < base_ms) {
        take.refuse("scheduler.cap", value, "must not be less than scheduler.base");
    }
    (base_ms, cap_ms)
}

/// A number of retries, `no_limits` or False, `no_retries`; what is not above 0 becomes 1.
fn limit<'t>(take: &mut Take<'t>, item: &'t Item) -> Option<u64> {
    take.of(item, "output").unknown_retry_names("a property of an output", "Fluent Bit does not start");
    let Some(value) = key(item, "retry_limit") else {
        take.note("defaults", item.head.span.to(item.span), "Retry_Limit is not written: one retry is the default.");
        take.default("retries", "1");
        return Some(1);
    };
    take.origin("retries", value.span);
    let word = value.text().unwrap_or_default().to_ascii_lowercase();
    match (word.as_str(), value.flag()) {
        ("no_limits", _) | (_, Some(false)) => return None,
        ("no_retries", _) => return Some(0),
        _ => {}
    }
    let number = take.number("Retry_Limit", "retries", value)?;
    if number <= 0.0 {
        take.warning("becomes-one", value.span, "A Retry_Limit that is not above 0 becomes 1.").help =
            "Write no_retries for none, no_limits for ever.".into();
    }
    Some((number.max(1.0)) as u64)
}
