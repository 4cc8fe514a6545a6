//! Celery: the retry options of a task, of its base class and of `self.retry(…)`.

use super::{is_bare, misspelt, not_followed, refuse_none};
use crate::duration::Unit;
use crate::library::computed::{self, Inputs};
use crate::library::scan::in_order;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::formula::Spread;
use crate::notation::{Arg, Crumb, Form, Fun, Item, Kind, Name, Statement, Step, Value};
use crate::policy::{Backoff, Jitter, Policy, Rounded, RoundingMode, Wait};
use crate::span::Span;

/// Celery 5.
pub static LIBRARY: Library = Library {
    id: "celery",
    title: "Celery",
    ecosystem: "Python",
    version: "5.7.0",
    source: "celery/app/autoretry.py, celery/app/task.py, celery/utils/time.py",
    counts: "retries (max_retries); None means no bound",
    formula: "with retry_backoff a whole second from 0 to min(retry_backoff_max, int(retry_backoff) * 2^(k-1)); else countdown, or default_retry_delay",
    words: &[
        "celery",
        "autoretry_for",
        "shared_task",
        "retry_backoff",
        "retry_kwargs",
        "default_retry_delay",
        "self.retry",
        "app.task",
        "task_annotations",
        "retry_policy",
        "task_publish_retry_policy",
    ],
    settings: &[
        Setting::other("autoretry_for"),
        Setting::other("dont_autoretry_for"),
        Setting::other("retry_kwargs"),
        Setting::other("retry_backoff"),
        Setting::time("retry_backoff_max", "capMs", Unit::Second, "600"),
        Setting::flag("retry_jitter", "jitter", "true"),
        Setting::count("max_retries", "retries", "3"),
        Setting::time("default_retry_delay", "baseMs", Unit::Second, "180").plain(),
        Setting::time("time_limit", "attemptTimeoutMs", Unit::Second, "").plain(),
        Setting::time("soft_time_limit", "attemptTimeoutMs", Unit::Second, "").plain(),
        Setting::count("max_retries", "retries", "3").of("retry"),
        Setting::time("countdown", "baseMs", Unit::Second, "").of("retry").plain(),
        Setting::other("eta").of("retry"),
        Setting::count("max_retries", "retries", "3").of(PUBLISH),
        Setting::time("interval_start", "baseMs", Unit::Second, "0").of(PUBLISH).plain(),
        Setting::time("interval_step", "incrementMs", Unit::Second, "0.2").of(PUBLISH).plain(),
        Setting::time("interval_max", "capMs", Unit::Second, "0.2").of(PUBLISH).plain(),
        Setting::other("retry_errors").of(PUBLISH),
        Setting::other("errback").of(PUBLISH),
        Setting::other("timeout").of(PUBLISH),
    ],
    notes: &[
        "A task retries by itself only for the exceptions in autoretry_for; otherwise its body calls self.retry().",
        "Jitter is on unless retry_jitter=False: a wait is any whole second from 0 to the backoff.",
        "No backoff passes 600 s unless retry_backoff_max says otherwise.",
        "A fraction in retry_backoff is cut off, and anything below 1 is 1.",
        "A countdown is overwritten where retry_backoff is on; retry_backoff does nothing for self.retry().",
        "Without backoff and countdown every wait is default_retry_delay, three minutes.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "from celery import shared_task\n\n@shared_task(\n    autoretry_for=(Exception,),\n    max_retries=«retries|None»,\n    «*»,\n)\ndef call(): ...\n",
        "retry_backoff=«base:S»,\n    retry_backoff_max=«cap:S|31536000»«factor:-»,\n    retry_jitter=«random?True:False»",
        "default_retry_delay=«delay:s»",
    ],
    examples: &[
        Example {
            text: "from celery import shared_task\n\n@shared_task(\n    autoretry_for=(TimeoutError,),\n    retry_backoff=4,\n    retry_backoff_max=25,\n    max_retries=4,\n)\ndef sync_contacts(account_id):\n    crm.sync(account_id)\n",
            waits: &[(0.0, 4.0), (0.0, 8.0), (0.0, 16.0), (0.0, 25.0)],
        },
        Example {
            text: "from celery import shared_task\n\n@shared_task(bind=True, max_retries=2)\ndef send(self, message):\n    try:\n        gateway.send(message)\n    except GatewayDown as error:\n        raise self.retry(exc=error, countdown=90)\n",
            waits: &[(90.0, 90.0), (90.0, 90.0)],
        },
    ],
};

/// Options of a task that concern retries.
const KEYS: &[&str] = &[
    "autoretry_for",
    "retry_backoff",
    "retry_backoff_max",
    "retry_jitter",
    "retry_kwargs",
    "max_retries",
    "default_retry_delay",
];

/// Those that no other library has.
const OWN_KEYS: &[&str] =
    &["autoretry_for", "retry_backoff_max", "retry_kwargs", "default_retry_delay", "retry_jitter"];

/// What retries the sending of a message, `retry_policy`; kombu's `retry_over_time`.
const PUBLISH: &str = "retry_policy";

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let imported = scan.imports(&["celery"]);
    let has = |item: &Item, keys: &[&str]| keys.iter().any(|key| item.get(key).is_some());
    let mut blocks: Vec<Block> = Vec::new();
    let mut bases: Vec<&Item> = Vec::new();
    let tasks = scan.heads(&["task", "shared_task"]).filter(|item| item.form == Form::Annotation);
    for item in tasks.filter(|item| !item.head.text.starts_with("huey.")) {
        let base = item.get("base").and_then(|value| base_class(scan, value));
        let retry = call_in_body(scan, item);
        let shared = item.is("shared_task");
        let certainty = match () {
            () if has(item, OWN_KEYS) => Certainty::Certain,
            () if imported && (has(item, KEYS) || base.is_some() || retry.is_some()) => Certainty::Certain,
            () if retry.is_some() && (shared || !is_bare(item, &["task"])) => Certainty::Likely,
            () if shared && has(item, KEYS) => Certainty::Likely,
            () if item.head.text.contains('.') && item.get("retry_backoff").is_some() => Certainty::Likely,
            () if item.head.text.contains('.') && item.get("max_retries").is_some() => Certainty::Possible,
            () => continue,
        };
        let mut block = Block::new(item, certainty);
        block.others.extend(base);
        bases.extend(base);
        let calls = retry.as_ref().map_or(Vec::new(), |retry| retry_calls(retry));
        // Further calls that wait otherwise, for other errors, are blocks of their own.
        for (at, (args, span)) in calls.iter().enumerate().skip(1) {
            if calls[..at].iter().all(|before| !same_call(scan.doc.text, before.0, args)) {
                blocks.extend(retry.map(|retry| block.clone().with(retry).at(*span)));
            }
        }
        block.others.extend(retry);
        blocks.push(block);
    }
    blocks.append(&mut scan.blocks(&|item| {
        let noted = |c: &Crumb| matches!(c, Crumb::Key(key) if key.to_ascii_lowercase().contains("annotations"));
        match item.form {
            Form::Map if has(item, &["interval_start", "interval_step", "interval_max"]) => {
                Some(Block::new(item, Certainty::Certain).variant(PUBLISH))
            }
            Form::Map if has(item, KEYS) && item.place.iter().any(noted) => Some(Block::new(item, Certainty::Likely)),
            _ => None,
        }
    }));
    for item in scan.items.iter().copied().filter(|item| item.form == Form::Class && has(item, KEYS)) {
        let of_task = super::positional(item).any(|base| base.text().is_some_and(|name| name.ends_with("Task")));
        let used = bases.iter().any(|base| base.span == item.span);
        if !used && (has(item, OWN_KEYS) || (imported && of_task)) {
            let mut block = Block::new(item, Certainty::Certain).label(item.head.text.as_str());
            block.others.extend(call_within(item));
            blocks.push(block);
        }
    }
    in_order(blocks)
}

/// The class that a task names as its base, if it says anything about retries.
fn base_class<'d>(scan: &Scan<'d>, value: &'d Value) -> Option<&'d Item> {
    let class = match value.item() {
        Some(item) => Some(item),
        None => value.text().and_then(|name| {
            scan.items.iter().copied().find(|item| item.form == Form::Class && item.head.text == name)
        }),
    };
    class.filter(|item| KEYS.iter().any(|key| item.get(key).is_some()))
}

/// The item with `self.retry(…)` in the body of the function that a decorator stands on.
fn call_in_body<'d>(scan: &Scan<'d>, decorator: &Item) -> Option<&'d Item> {
    let name = &decorator.target.as_ref()?.text;
    let functions = scan.items.iter().copied().filter(|i| i.form == Form::Function && i.head.text == *name);
    call_within(functions.min_by_key(|f| f.span.start.abs_diff(decorator.span.end))?)
}

fn call_within(function: &Item) -> Option<&Item> {
    let mut found = None;
    function.walk(&mut |item| found = found.or((!retry_calls(item).is_empty()).then_some(item)));
    found
}

/// What each `self.retry(…)` is given: steps of the task, or a call of a name that ends so.
fn retry_calls(item: &Item) -> Vec<Given<'_>> {
    let mut calls = Vec::new();
    for step in &item.steps {
        if let Step::Call { name, args, span } = step
            && name.text == "retry"
        {
            calls.push((args.as_slice(), *span));
        }
    }
    if item.form == Form::Call && item.head.text.ends_with(".retry") {
        calls.push((&item.args, item.span));
    }
    calls
}

/// Whether two calls wait alike: for the same countdown and as often, as they are written.
fn same_call(text: &str, a: &[Arg], b: &[Arg]) -> bool {
    let given = |args: &[Arg], name: &str| {
        let arg = args.iter().find(|arg| arg.name.as_ref().is_some_and(|n| n.text == name));
        arg.map_or(String::new(), |arg| arg.value.span.of(text).to_string())
    };
    ["countdown", "max_retries", "eta"].iter().all(|name| given(a, name) == given(b, name))
}

/// The arguments of a retry and where they stand.
type Given<'t> = (&'t [Arg], Span);

fn read(take: &mut Take) -> Policy {
    let block = take.block.clone();
    if block.variant == PUBLISH {
        return publish(&mut take.of(block.item, PUBLISH));
    }
    let calls: Vec<Given> = block.others.iter().copied().flat_map(retry_calls).collect();
    let call = calls.iter().find(|(_, span)| *span == block.span).or(calls.first()).copied();
    let classes = block.others.iter().copied().filter(|item| item.form == Form::Class);
    let items: Vec<(&Item, &'static str)> = std::iter::once(block.item).chain(classes).map(|item| (item, "")).collect();
    let items = items.as_slice();
    for &(item, of) in items {
        misspelt(
            take,
            item,
            of,
            "an option of a Celery task",
            "Celery keeps it as an attribute and does nothing with it",
        );
    }
    let handed = take.holding(items, "retry_kwargs").value("retry_kwargs").and_then(Value::item);
    let handed = handed.map(|item| (item.args.as_slice(), item.span));
    let automatic = take.holding(items, "autoretry_for").has("autoretry_for");
    // What is handed to retry(): by the options where it is automatic, else by the call in the body.
    let given = if automatic { handed } else { call };
    if !automatic && call.is_none() {
        let message = "Nothing here retries: there is no `autoretry_for`, and no `self.retry()` is in sight. It is assumed to be called.";
        take.note("nothing-retries", block.item.head.span, message);
    }
    let own = given.and_then(|given| max_retries(take, given));
    let retries = match own {
        Some(retries) => retries,
        None => take.holding(items, "max_retries").count("max_retries"),
    };
    let growing = base(&mut take.holding(items, "retry_backoff"));
    let wait = match growing.filter(|_| automatic) {
        Some(base_s) => {
            if let Some(countdown) = given.and_then(|(args, span)| take.of_call(args, span, "retry").value("countdown"))
            {
                let message = "`countdown` has no effect: `retry_backoff` overwrites it.";
                take.warning("no-effect", countdown.span, message);
            }
            backoff(take, items, base_s)
        }
        None => {
            if let (Some(_), Some(value)) = (growing, take.holding(items, "retry_backoff").value("retry_backoff")) {
                let message =
                    "`retry_backoff` has no effect without `autoretry_for`: `self.retry()` does not look at it.";
                take.warning("no-effect", value.span, message);
            }
            fixed(take, items, given, retries)
        }
    };
    let mut policy = Policy::new(wait, retries);
    let limit = take.holding(items, "time_limit").time("time_limit");
    policy.attempt_timeout_ms = limit.or(take.holding(items, "soft_time_limit").time("soft_time_limit"));
    policy
}

/// How the sending of a message is tried again: the wait grows by a step up to the last whole one below the maximum.
fn publish(args: &mut Args) -> Policy {
    args.unknown_names("a key of a retry policy", "kombu raises TypeError");
    let retries = args.count("max_retries");
    let base_ms = args.time("interval_start").unwrap_or(0.0);
    let increment_ms = args.time("interval_step").unwrap_or(200.0);
    let cap_ms = args.time("interval_max").unwrap_or(200.0);
    let last = if increment_ms > 0.0 { base_ms + (cap_ms / increment_ms).floor() * increment_ms } else { base_ms };
    Policy::new(Wait::new(Backoff::Linear { base_ms, increment_ms }).cap(cap_ms.min(last)), retries)
}

/// The count that is handed to retry(); None there means the task's own.
fn max_retries<'t>(take: &mut Take<'t>, (args, span): Given<'t>) -> Option<Option<u64>> {
    let mut args = take.of_call(args, span, "retry");
    args.value("max_retries").filter(|value| !value.is_null())?;
    Some(args.count("max_retries"))
}

/// A countdown, or the task's own delay.
fn fixed<'t>(
    take: &mut Take<'t>,
    items: &[(&'t Item, &'static str)],
    given: Option<Given<'t>>,
    retries: Option<u64>,
) -> Wait {
    if let Some((args, span)) = given {
        let mut args = take.of_call(args, span, "retry");
        if let Some(value) = args.value("countdown").filter(|value| !value.is_null()) {
            if let Some(fun) = of_retries(value) {
                args.take.origin("baseMs", value.span);
                let number = |k: u64| vec![("retries", Spread::fixed(k as f64 - 1.0))];
                let inputs = Inputs::named(number).unit_ms(1e3);
                return computed::policy(args.take, "countdown", &fun, inputs, retries).wait;
            }
            return Wait::new(Backoff::Constant { delay_ms: args.time("countdown").unwrap_or(180_000.0) });
        }
        if let Some(value) = args.value("eta").filter(|value| !value.is_null()) {
            not_followed(
                args.take,
                "baseMs",
                value.span,
                "`eta` is a time of day: how long the wait is depends on the clock.",
            );
        }
    }
    let mut args = take.holding(items, "default_retry_delay");
    refuse_none(&mut args, &["default_retry_delay"]);
    Wait::new(Backoff::Constant { delay_ms: args.time("default_retry_delay").unwrap_or(180_000.0) })
}

/// An expression that mentions `self.request.retries`, as a function of the task.
fn of_retries(value: &Value) -> Option<Fun> {
    let text = task(value)?;
    let params = vec![Name { text, span: value.span }];
    Some(Fun { params, body: vec![Statement::Return(value.clone())] })
}

/// What the task is called in an expression: `self` in `2 ** self.request.retries`.
fn task(value: &Value) -> Option<String> {
    match &value.kind {
        Kind::Word(word) => word.strip_suffix(".request.retries").map(String::from),
        Kind::Op(_, parts) => parts.iter().find_map(task),
        Kind::Item(item) => item.args.iter().find_map(|arg| task(&arg.value)),
        _ => None,
    }
}

/// The rule of retry_backoff with its base.
fn backoff<'t>(take: &mut Take<'t>, items: &[(&'t Item, &'static str)], base_s: f64) -> Wait {
    let mut args = take.holding(items, "retry_backoff_max");
    let cap_ms = args.time("retry_backoff_max").unwrap_or(600_000.0);
    let unwritten = !args.has("retry_backoff_max");
    let cap_ms = (cap_ms / 1e3).trunc() * 1e3;
    let jitter = take.holding(items, "retry_jitter").flag("retry_jitter");
    if unwritten && base_s * 1e3 > cap_ms {
        let span = take.holding(items, "retry_backoff").value("retry_backoff").map_or(take.block.item.span, |v| v.span);
        let message = format!(
            "`retry_backoff` is {base_s} s, above the 600 s of `retry_backoff_max`, which is not written: every wait is cut to ten minutes."
        );
        take.warning("default-cap", span, message).help = "Give `retry_backoff_max=`.".into();
    }
    if jitter && !take.holding(items, "retry_jitter").has("retry_jitter") {
        let message = "`retry_jitter` is on by default: each wait is a whole second from 0 to the backoff.";
        take.note("default-jitter", take.block.item.head.span, message).help =
            "Write `retry_jitter=False` for the backoff itself.".into();
    }
    let wait = Wait::new(Backoff::Exponential { base_ms: base_s * 1e3, factor: 2.0 }).cap(cap_ms);
    match jitter {
        true => wait.jitter(Jitter::Full).rounding(RoundingMode::Draw, 1_000.0, Rounded::Wait),
        false => wait,
    }
}

/// The base in whole seconds: True is 1, a fraction is cut off, and less than 1 is 1; None where it is off.
fn base(args: &mut Args) -> Option<f64> {
    let Some((name, value)) = args.written("retry_backoff").filter(|(_, value)| !value.is_null()) else {
        args.take.default("baseMs", "no backoff");
        return None;
    };
    if value.is_undefined() {
        not_followed(
            args.take,
            "baseMs",
            value.span,
            "`retry_backoff` is given by a name that this text does not define.",
        );
        return Some(1.0);
    }
    args.take.origin("baseMs", value.span);
    let flag = value.flag().filter(|_| !value.describe().contains("text"));
    let Some(number) = flag.map(f64::from).or_else(|| value.text_number()) else {
        let what =
            format!("must be True, False or a number of seconds, not {}; Python raises ValueError", value.describe());
        args.take.refuse(&name, value, &what);
        return Some(1.0);
    };
    if number < 0.0 {
        args.take.refuse(&name, value, "is negative: it is taken as 1 s");
    } else if number != 0.0 && flag.is_none() && (number < 1.0 || number.fract() != 0.0) {
        let message =
            format!("`{name}` is cut to whole seconds, at least 1: {number} becomes {}.", number.trunc().max(1.0));
        args.take.warning("cut", value.span, message);
    }
    (number != 0.0).then(|| number.trunc().max(1.0))
}
