//! Prefect: the retry settings of a task or a flow.

use super::{TYPE_ERROR, definition, is_bare, is_from, misspelt, not_followed};
use crate::duration::Unit;
use crate::library::computed::{self, Inputs};
use crate::library::scan::in_order;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Fun, Item, Kind, Name, Statement, Value};
use crate::policy::{After, Backoff, Jitter, Policy, Wait};
use crate::span::Span;
use std::collections::HashSet;

/// Prefect 3.
pub static LIBRARY: Library = Library {
    id: "prefect",
    title: "Prefect",
    ecosystem: "Python",
    version: "3.9.1",
    source: "prefect/tasks.py, prefect/task_engine.py, prefect/utilities/math.py",
    counts: "retries",
    formula: "retry_delay_seconds, its entry k, or backoff_factor * 2^(k-1); with jitter an exponential draw cut to a range around it",
    words: &[
        "prefect",
        "retries",
        "retry_delay_seconds",
        "retry_jitter_factor",
        "exponential_backoff",
        "PREFECT_TASKS_DEFAULT_RETRIES",
        "PREFECT_FLOWS_DEFAULT_RETRIES",
    ],
    settings: &[
        Setting::count("retries", "retries", "0").of("task"),
        Setting::time("retry_delay_seconds", "baseMs", Unit::Second, "0").of("task").plain(),
        Setting::number("retry_jitter_factor", "jitter", "").of("task"),
        Setting::other("retry_condition_fn").of("task"),
        Setting::time("timeout_seconds", "attemptTimeoutMs", Unit::Second, "").of("task").plain(),
        Setting::count("PREFECT_TASKS_DEFAULT_RETRIES|PREFECT_FLOWS_DEFAULT_RETRIES", "retries", "0").of("environment"),
        Setting::time(
            "PREFECT_TASKS_DEFAULT_RETRY_DELAY_SECONDS|PREFECT_FLOWS_DEFAULT_RETRY_DELAY_SECONDS",
            "baseMs",
            Unit::Second,
            "0",
        )
        .of("environment"),
        Setting::count("retries", "retries", "0").of("flow"),
        Setting::time("retry_delay_seconds", "baseMs", Unit::Second, "0").of("flow").plain(),
        Setting::time("timeout_seconds", "attemptTimeoutMs", Unit::Second, "").of("flow").plain(),
        Setting::time("backoff_factor", "baseMs", Unit::Second, "").of("exponential_backoff").at(0).plain(),
    ],
    notes: &[
        "A task or flow is not retried unless retries is written.",
        "The last entry of a list repeats.",
        "There is no cap.",
        "The jitter is not uniform: short waits are likelier than long ones.",
        "A flow takes a number of seconds only, and no jitter.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "from prefect import task\nfrom prefect.tasks import exponential_backoff\n\n@task(retries=4, retry_delay_seconds=exponential_backoff(backoff_factor=3))\ndef pull(url: str):\n    ...\n",
            waits: &[(3.0, 3.0), (6.0, 6.0), (12.0, 12.0), (24.0, 24.0)],
        },
        Example {
            text: "from prefect import flow\n\n@flow(retries=2, retry_delay_seconds=45)\ndef nightly_report():\n    ...\n",
            waits: &[(45.0, 45.0), (45.0, 45.0)],
        },
        Example {
            text: "from prefect import task\n\n@task(retries=3, retry_delay_seconds=[5, 30])\ndef publish():\n    ...\n",
            waits: &[(5.0, 5.0), (30.0, 30.0), (30.0, 30.0)],
        },
    ],
};

const HEADS: &[&str] = &["task", "flow", "Task", "Flow"];
const KEYS: &[&str] = &["retries", "retry_delay_seconds", "retry_jitter_factor"];

/// No list of delays is longer.
const MOST: usize = 50;

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let imported = scan.imports(&["prefect"]);
    let changed: Vec<&Item> = match imported {
        true => scan.heads(&["with_options"]).filter(|i| KEYS.iter().any(|key| i.get(key).is_some())).collect(),
        false => Vec::new(),
    };
    let replaced: HashSet<Span> =
        changed.iter().filter_map(|change| definition(scan.heads(HEADS), change)).map(|task| task.span).collect();
    let mut blocks = Vec::new();
    for item in scan.heads(HEADS).filter(|i| matches!(i.form, Form::Annotation | Form::Call)) {
        let own = ["retry_delay_seconds", "retry_jitter_factor"].iter().any(|key| item.get(key).is_some());
        let bare = is_bare(item, HEADS);
        let certainty = match () {
            () if is_from(item, "prefect", HEADS) || (bare && (imported || own)) => Certainty::Certain,
            () if bare && item.form == Form::Annotation && item.get("retries").is_some() => Certainty::Possible,
            () => continue,
        };
        if !replaced.contains(&item.span) {
            blocks.push(Block::new(item, certainty));
        }
    }
    let environment = ["PREFECT_TASKS_DEFAULT_RETRIES", "PREFECT_FLOWS_DEFAULT_RETRIES"];
    blocks.extend(scan.with_any_key(&environment).map(|i| Block::new(i, Certainty::Certain).variant("environment")));
    for item in changed {
        if let Some(task) = definition(scan.heads(HEADS), item) {
            blocks.push(Block::new(item, Certainty::Certain).with(task));
        }
    }
    in_order(blocks)
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if take.block.variant == "environment" {
        let mut args = take.of(item, "environment");
        let retries = args.count("PREFECT_TASKS_DEFAULT_RETRIES");
        let delay_ms = args.time("PREFECT_TASKS_DEFAULT_RETRY_DELAY_SECONDS").unwrap_or(0.0);
        return Policy::new(Wait::new(Backoff::Constant { delay_ms }), retries);
    }
    let all: Vec<&Item> = std::iter::once(item).chain(take.block.others.iter().copied()).collect();
    let flow = all.iter().any(|i| i.is_any(&["flow", "Flow"]));
    let of = if flow { "flow" } else { "task" };
    misspelt(take, item, of, if flow { "an argument of `flow`" } else { "an argument of `task`" }, TYPE_ERROR);
    let items: Vec<(&Item, &'static str)> = all.into_iter().map(|i| (i, of)).collect();
    let items = items.as_slice();
    if !KEYS.iter().any(|key| items.iter().any(|(i, _)| i.get(key).is_some())) {
        let message = format!("Nothing is written about retries: the {of} is not retried.");
        take.note("defaults", item.head.span, message).help = "Give `retries=` and `retry_delay_seconds=`.".into();
    }
    let retries = take.holding(items, "retries").count("retries").unwrap_or(0);
    let mut args = take.holding(items, "retry_delay_seconds");
    let wait = match args.value("retry_delay_seconds") {
        Some(value) if flow && value.list().is_some() => {
            args.take.refuse("retry_delay_seconds", value, "must be a number of seconds: a flow takes no list");
            Wait::new(Backoff::Constant { delay_ms: 0.0 })
        }
        Some(value) if value.list().is_some() => listed(&mut args, value),
        Some(value) if value.item().is_some_and(|i| i.is("exponential_backoff")) => match value.item() {
            Some(call) => exponential(args.take, call, retries),
            None => super::nothing(),
        },
        Some(value) if value.fun().is_some_and(|fun| of_each(fun).is_some()) => match value.fun().and_then(of_each) {
            Some(each) => {
                args.take.origin("baseMs", value.span);
                let inputs = Inputs::positional(|k| vec![k as f64 - 1.0]).unit_ms(1e3);
                computed::policy(args.take, "retry_delay_seconds", &each, inputs, Some(retries)).wait
            }
            None => super::nothing(),
        },
        Some(value) if matches!(value.kind, Kind::Fun(_)) => {
            let message = "`retry_delay_seconds` is a function of one's own: its delays are not known.";
            not_followed(args.take, "baseMs", value.span, message);
            super::nothing()
        }
        _ => Wait::new(Backoff::Constant { delay_ms: args.time("retry_delay_seconds").unwrap_or(0.0) }),
    };
    let jitter = if flow { Jitter::None } else { jitter(&mut take.holding(items, "retry_jitter_factor")) };
    let mut policy = Policy::new(wait.jitter(jitter), retries);
    policy.attempt_timeout_ms = take.holding(items, "timeout_seconds").time("timeout_seconds");
    policy
}

/// What a function that lists a delay for each of the retries it is given makes of each: `2 ** i` of
/// `lambda retries: [2 ** i for i in range(retries)]`.
fn of_each(fun: &Fun) -> Option<Fun> {
    let ([given], [Statement::Return(Value { kind: Kind::Op(op, parts), .. })]) =
        (fun.params.as_slice(), fun.body.as_slice())
    else {
        return None;
    };
    let [each, Value { kind: Kind::Word(variable), span }, over] = parts.as_slice() else { return None };
    let range = over.item().filter(|range| op == "for" && range.is("range") && range.args.len() == 1)?;
    (range.at(0)?.text() == Some(given.text.as_str())).then(|| {
        let params = vec![Name { text: variable.clone(), span: *span }];
        Fun { params, body: vec![Statement::Return(each.clone())] }
    })
}

fn listed(args: &mut Args, list: &Value) -> Wait {
    let entries = list.list().unwrap_or_default();
    if entries.len() > MOST {
        args.take.refuse("retry_delay_seconds", list, "has more than 50 entries: it raises ValueError");
    }
    let mut delays_ms = Vec::new();
    for entry in entries {
        let ms = match entry.number() {
            None if !entry.is_undefined() => {
                let what = format!("must hold numbers of seconds, not {}", entry.describe());
                args.take.refuse("retry_delay_seconds", entry, &what)
            }
            _ => args.take.time("retry_delay_seconds", "baseMs", entry, Some(Unit::Second)),
        };
        delays_ms.push(ms.unwrap_or(0.0));
    }
    args.take.origin("baseMs", list.span);
    Wait::new(Backoff::List { delays_ms, after: After::RepeatLast })
}

/// A list of doubling delays, of which there are at most 50; the last one repeats.
fn exponential<'t>(take: &mut Take<'t>, call: &'t Item, retries: u64) -> Wait {
    let mut args = take.of(call, "exponential_backoff");
    args.unknown_names("an argument of `exponential_backoff`", TYPE_ERROR);
    if !args.has("backoff_factor") {
        args.take.error("missing-key", call.span, format!("`backoff_factor` is required; {TYPE_ERROR}."));
    }
    let base_ms = args.time("backoff_factor").unwrap_or(0.0);
    let last_ms = base_ms * libm::pow(2.0, MOST as f64 - 1.0);
    Wait::new(Backoff::Exponential { base_ms, factor: 2.0 }).cap((retries > MOST as u64).then_some(last_ms))
}

/// An exponential draw around the delay, cut to a range whose ends leave as much below the delay's double as above.
fn jitter(args: &mut Args) -> Jitter {
    let Some(above) = args.number("retry_jitter_factor") else { return Jitter::None };
    match args.value("retry_jitter_factor") {
        Some(value) if above < 0.0 => {
            args.take.refuse("retry_jitter_factor", value, "is negative: it raises ValueError");
            Jitter::None
        }
        _ if above == 0.0 => Jitter::None,
        _ => {
            let most = libm::exp2(1.0 + above);
            let least = if above >= 49.0 { 0.0 } else { libm::log2(most / (most - 1.0)) };
            Jitter::Poisson { below: 1.0 - least, above }
        }
    }
}
