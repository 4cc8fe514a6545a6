//! Laravel: queued jobs, the worker's command line, the `retry` helper and the HTTP client.

use crate::duration::Unit;
use crate::library::computed::{self, Inputs};
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Arg, Form, Fun, Item, Kind, Name, Statement, Step, Value};
use crate::policy::{After, Backoff, Clock, Deadline, Overrun, Policy, Wait};
use crate::span::Span;

/// Laravel 13.
pub static LIBRARY: Library = Library {
    id: "laravel",
    title: "Laravel",
    ecosystem: "PHP",
    version: "13.26.1 (bd71b45fbb, 2026-08)",
    source: "Support/helpers.php, Queue/Worker.php, Queue/Queue.php, WorkCommand.php",
    counts: "calls, the first included (tries, times)",
    formula: "backoff, or its entry k with the last one repeated",
    words: &[
        "$tries",
        "$backoff",
        "ShouldQueue",
        "queue:work",
        "artisan",
        "retry",
        "Http::retry",
        "Http::timeout",
        "queue:listen",
        "$this->backoff",
        "Illuminate",
        "supervisor",
        "maxProcesses",
    ],
    settings: &[
        Setting::number("$tries", "retries", "1").of("job"),
        Setting::time("$timeout", "attemptTimeoutMs", Unit::Second, "").of("job"),
        Setting::other("$backoff").of("job"),
        Setting::number("--tries", "retries", "1").of("worker"),
        Setting::other("--backoff|--delay").of("worker"),
        Setting::time("--timeout", "attemptTimeoutMs", Unit::Second, "60").of("worker"),
        Setting::number("tries", "retries", "1").of("supervisor"),
        Setting::other("backoff").of("supervisor"),
        Setting::time("timeout", "attemptTimeoutMs", Unit::Second, "60").of("supervisor"),
    ],
    notes: &[
        "tries counts calls; a job without it runs once.",
        "The entries of a backoff list belong to the retries in order, and the last one repeats.",
        "A queue's backoff is in seconds, the retry helper's sleep in milliseconds.",
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
            text: "<?php\n\nclass SendInvoice implements ShouldQueue\n{\n    public $tries = 4;\n    public $backoff = [2, 10];\n}\n",
            waits: &[(2.0, 2.0), (10.0, 10.0), (10.0, 10.0)],
        },
        Example { text: "$rates = retry(3, fn () => $client->rates(), 200);\n", waits: &[(0.2, 0.2), (0.2, 0.2)] },
        Example { text: "php artisan queue:work --tries=3 --backoff=5\n", waits: &[(5.0, 5.0), (5.0, 5.0)] },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks: Vec<Block<'d>> = Vec::new();
    for item in scan.items.iter().copied() {
        let job = item.form == Form::Class && is_job(scan, item);
        let commands = ["queue:work", "queue:listen"];
        // `php /srv/app/artisan queue:work …` has its path between.
        let named = |w: &str| item.head.text.contains(w) || item.args.iter().any(|a| a.value.text() == Some(w));
        let worker = item.form == Form::Command && commands.iter().any(|w| named(w));
        let supervised = item.form == Form::Map
            && item.get("tries").is_some()
            && ["queue", "supervisor", "balance"].iter().any(|key| item.get(key).is_some());
        let http = item.head.text.contains("Http::") && item.call("retry").is_some() || item.is("Http.retry");
        let helper = item.form == Form::Call && item.head.text == "retry" && php(scan, item);
        let variant = match (job, worker, http, helper) {
            _ if supervised => "supervisor",
            (true, ..) => "job",
            (_, true, ..) => "worker",
            (_, _, true, _) => "http",
            (.., true) => "helper",
            _ => continue,
        };
        if !blocks.iter().any(|b| b.span.overlaps(item.span)) {
            let mut block = Block::new(item, Certainty::Certain).variant(variant).label(item.head.text.clone());
            for attribute in attributes(scan, item).filter(|_| job) {
                let span = attribute.span.to(block.span);
                block = block.with(attribute).at(span);
            }
            blocks.push(block);
        }
    }
    blocks
}

/// Whether a class says how often it is tried, or how long it waits: by a property, a method or an attribute.
fn is_job(scan: &Scan, class: &Item) -> bool {
    let queued =
        class.args.iter().any(|a| a.name.is_none() && a.value.text().is_some_and(|t| t.ends_with("ShouldQueue")));
    let said = |name: &str| method(class.args.iter().filter_map(|a| a.value.item()), name).is_some();
    ["$tries", "$backoff"].iter().any(|name| class.get(name).is_some_and(|value| !value.is_null()))
        || queued
            && (["tries", "backoff", "retryUntil"].iter().any(|name| said(name))
                || attributes(scan, class).next().is_some())
}

/// The attributes of a class that concern retries.
fn attributes<'d>(scan: &Scan<'d>, class: &'d Item) -> impl Iterator<Item = &'d Item> {
    let on = |item: &&Item| item.target.as_ref().is_some_and(|t| t.span == class.head.span);
    let named = |item: &&Item| item.form == Form::Annotation && item.is_any(&["Tries", "Backoff", "Timeout"]);
    scan.items.iter().copied().filter(named).filter(on).collect::<Vec<_>>().into_iter()
}

/// What a method of this name returns.
fn method<'d>(mut items: impl Iterator<Item = &'d Item>, name: &str) -> Option<&'d Value> {
    let found = items.find(|i| i.form == Form::Function && i.is(name))?;
    found.args.iter().find_map(|a| a.value.fun())?.body.iter().find_map(|statement| match statement {
        Statement::Return(value) => Some(value),
        _ => None,
    })
}

/// Whether a call of `retry` is PHP's: by the text around it, or a variable or function among its arguments.
fn php(scan: &Scan, item: &Item) -> bool {
    let text = item.span.of(scan.doc.text);
    let times = item.at(0).or_else(|| item.get("times"));
    let helper = times.is_some_and(|v| v.number().is_some() || v.list().is_some());
    helper && (scan.says("<?php") || text.contains("$") || text.contains("fn (") || text.contains("function ("))
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    match take.block.variant {
        "job" => job(take, item),
        "worker" => worker(take, item, "worker", ["--tries", "--backoff", "--timeout"]),
        "supervisor" => worker(take, item, "supervisor", ["tries", "backoff", "timeout"]),
        "http" => {
            let (args, span) = http(item);
            let mut policy = times(take, args, span, 1);
            let timeout = item.args.first().filter(|_| item.is("Http.timeout")).map(|a| &a.value);
            let timeout = timeout.or(item.call("timeout").and_then(|args| args.first()).map(|a| &a.value));
            policy.attempt_timeout_ms =
                timeout.and_then(|v| take.time("timeout", "attemptTimeoutMs", v, Some(Unit::Second)));
            policy
        }
        _ => times(take, &item.args, item.span, 2),
    }
}

fn http(item: &Item) -> (&[Arg], Span) {
    let step = item.steps.iter().find_map(|step| match step {
        Step::Call { name, args, span } if name.text == "retry" => Some((args.as_slice(), *span)),
        _ => None,
    });
    step.unwrap_or((&item.args, item.span))
}

/// The count of calls as a count of retries; 0 has no bound.
fn retries(take: &mut Take, name: &str, value: Option<&Value>, span: Span) -> Option<u64> {
    let calls = match value {
        Some(value) => take.number(name, "retries", value).unwrap_or(1.0),
        None => {
            take.note("defaults", span, "No number of tries is written: one call is the default, without a retry.");
            take.default("retries", "1");
            1.0
        }
    };
    if let Some(value) = value.filter(|_| calls < 0.0 || calls.fract() != 0.0) {
        take.refuse(name, value, "must be a whole number that is not negative");
    }
    (calls > 0.0).then_some((calls.max(1.0) - 1.0) as u64)
}

fn job<'t>(take: &mut Take<'t>, item: &'t Item) -> Policy {
    // A piece of a class, without its head, has the methods beside the property.
    let beside = take.scan.items.iter().copied().filter(|_| item.head.text.is_empty());
    let methods: Vec<&Item> = item.args.iter().filter_map(|a| a.value.item()).chain(beside).collect();
    let returned = |name: &str| method(methods.iter().copied(), name);
    let attributes = take.block.others.clone();
    let attribute = |name: &str| attributes.iter().copied().find(|i| i.is(name));
    let until = returned("retryUntil");
    let args = take.of(item, "job");
    let (tries, written, timeout) = (args.value("$tries"), args.value("$backoff"), args.value("$timeout"));
    let tries = tries.or(returned("tries")).or_else(|| attribute("Tries")?.args.first().map(|a| &a.value));
    let retries = match until {
        Some(_) => None,
        None => retries(take, "tries", tries, item.head.span),
    };
    if let Some(value) = item.get("$retryAfter") {
        let message = "`$retryAfter` is `$backoff` since Laravel 8: it has no effect.";
        take.error("renamed", value.span, message).help = "Write `public $backoff`.".into();
    }
    let mut released = None;
    item.walk(&mut |i| released = released.or(i.at(0).filter(|_| i.head.text == "$this->release")));
    let backoff = returned("backoff").or(written);
    if let (Some(value), None) = (released, backoff) {
        let message = "The job releases itself with this delay; what fails by an exception is retried at once.";
        take.note("released", value.span, message);
    }
    let backoff = backoff.or(released);
    let wait = match attribute("Backoff").filter(|_| backoff.is_none()) {
        Some(Item { args, .. }) if args.len() > 1 => {
            let values: Vec<&Value> = args.iter().map(|a| &a.value).collect();
            listed(take, &values, Unit::Second, retries)
        }
        one => {
            let given = one.and_then(|i| i.args.first()).map(|a| &a.value);
            waits(take, backoff.or(given), Unit::Second, retries)
        }
    };
    let mut policy = Policy::new(wait, retries);
    let timeout = timeout.or_else(|| attribute("Timeout")?.args.first().map(|a| &a.value));
    policy.attempt_timeout_ms = timeout.and_then(|v| take.time("timeout", "attemptTimeoutMs", v, Some(Unit::Second)));
    if let Some(value) = until {
        deadline(take, value, tries, &mut policy);
    }
    policy
}

/// `retryUntil()`: the job is tried again until then, however often; a wait that ends later is the last.
fn deadline(take: &mut Take, value: &Value, tries: Option<&Value>, policy: &mut Policy) {
    const UNITS: &[(&str, Unit)] =
        &[("Second", Unit::Second), ("Minute", Unit::Minute), ("Hour", Unit::Hour), ("Day", Unit::Day)];
    if let Some(tries) = tries {
        take.warning("no-effect", tries.span, "`retryUntil` is written: the number of tries has no effect beside it.");
    }
    let steps = value.item().map_or(&[][..], |item| item.steps.as_slice());
    let added = steps.iter().find_map(|step| match step {
        Step::Call { name, args, .. } => {
            let (_, unit) = UNITS.iter().find(|(unit, _)| name.text.trim_end_matches('s') == format!("add{unit}"))?;
            Some(unit.times(args.first().map_or(Some(1.0), |a| a.value.number())?))
        }
        Step::Set { .. } => None,
    });
    match added {
        Some(limit_ms) => {
            take.origin("deadline", value.span);
            policy.deadline = Some(Deadline { limit_ms, overrun: Overrun::Refuse, clock: Clock::Elapsed });
        }
        None => {
            take.unknown.push("deadline");
            let message = "Until when `retryUntil` lets the job be tried is not known from the text.";
            take.note("unread-deadline", value.span, message);
        }
    }
}

/// A worker's options: of its command line, or of a supervisor that starts it.
fn worker<'t>(take: &mut Take<'t>, item: &'t Item, of: &'static str, names: [&str; 3]) -> Policy {
    let mut args = take.of(item, of);
    let (tries, backoff, span) = (args.value(names[0]), args.value(names[1]), args.head());
    let timeout_ms = args.time(names[2]).filter(|ms| *ms > 0.0);
    let retries = retries(take, names[0], tries, span);
    let wait = match backoff.and_then(|v| Some((v, v.text()?))) {
        Some((value, text)) => {
            take.origin("delaysMs", value.span);
            let delays_ms = text.split(',').filter_map(|s| s.trim().parse::<f64>().ok()).map(|s| s * 1_000.0).collect();
            Wait::new(Backoff::List { delays_ms, after: After::RepeatLast })
        }
        None => waits(take, backoff, Unit::Second, retries),
    };
    let mut policy = Policy::new(wait, retries);
    policy.attempt_timeout_ms = timeout_ms;
    policy
}

/// A number, a list whose last entry repeats, or nothing: no wait.
fn waits(take: &mut Take, value: Option<&Value>, unit: Unit, retries: Option<u64>) -> Wait {
    let Some(value) = value else {
        take.default("baseMs", "0 s");
        return Wait::new(Backoff::Constant { delay_ms: 0.0 });
    };
    let Some(list) = value.list() else {
        if let Some(fun) = of_attempts(value) {
            take.origin("baseMs", value.span);
            let inputs = Inputs::positional(|k| vec![k as f64]).unit_ms(unit.times(1.0));
            return computed::policy(take, "backoff", &fun, inputs, retries).wait;
        }
        let delay_ms = take.time("backoff", "baseMs", value, Some(unit)).unwrap_or(0.0);
        return Wait::new(Backoff::Constant { delay_ms });
    };
    listed(take, &list.iter().collect::<Vec<_>>(), unit, retries)
}

/// An expression that asks `$this->attempts()`, as a function of the attempts so far.
fn of_attempts(value: &Value) -> Option<Fun> {
    let name = Name { text: "attempts".into(), span: value.span };
    let fun = Fun { params: vec![name], body: vec![Statement::Return(value.clone())] };
    let mut asks = false;
    let fun = computed::with_calls(&fun, &mut |call| {
        let asked = call.head.text == "$this->attempts" && call.args.is_empty();
        asks |= asked;
        asked.then(|| Value::new(Kind::Word("attempts".into()), call.span))
    });
    asks.then_some(fun)
}

fn listed(take: &mut Take, list: &[&Value], unit: Unit, retries: Option<u64>) -> Wait {
    let delays_ms: Vec<f64> = list.iter().filter_map(|v| take.time("backoff", "delaysMs", v, Some(unit))).collect();
    if let Some(unused) = retries.and_then(|n| list.get(n as usize)) {
        let written = unused.span.of(take.scan.doc.text).to_string();
        let message = format!("The entry {written} is never used: there are only {} waits.", retries.unwrap_or(0));
        take.note("unused-entry", unused.span, message);
    }
    Wait::new(Backoff::List { delays_ms, after: After::RepeatLast })
}

/// `retry(times, callback, sleep)` and `Http::retry(times, sleep)`: milliseconds, a list of them, or a function.
fn times<'t>(take: &mut Take<'t>, args: &'t [Arg], span: Span, sleep: usize) -> Policy {
    let value = |i: usize, name: &str| {
        let named = args.iter().find(|a| a.name.as_ref().is_some_and(|n| n.text == name));
        named.or_else(|| args.iter().filter(|a| a.name.is_none()).nth(i)).map(|a| &a.value)
    };
    let Some(first) = value(0, "times") else { return Policy::single_call() };
    if let Some(list) = first.list() {
        let wait = waits(take, Some(first), Unit::Millisecond, None);
        return Policy::new(wait, list.len() as u64);
    }
    let calls = take.number("times", "retries", first).unwrap_or(1.0);
    if calls < 1.0 {
        take.refuse("times", first, "must be at least 1");
    }
    let retries = Some((calls.max(1.0) - 1.0) as u64);
    match value(sleep, "sleepMilliseconds") {
        Some(value) => match value.fun() {
            Some(fun) => {
                computed::policy(take, "sleepMilliseconds", fun, Inputs::positional(|k| vec![k as f64]), retries)
            }
            None => Policy::new(waits(take, Some(value), Unit::Millisecond, retries), retries),
        },
        None => {
            take.note("no-sleep", span, "No sleep is given: the retries come at once.");
            Policy::new(waits(take, None, Unit::Millisecond, retries), retries)
        }
    }
}
