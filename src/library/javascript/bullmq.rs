//! BullMQ and Bull: a job's `attempts` and `backoff`, or a queue's `defaultJobOptions`.

use super::strategy::{self, Inputs};
use super::{Called, NOTHING, belongs, claim_alone, has_any, map, methods, place, shaping, written_calls};
use crate::duration::Unit;
use crate::library::near::slipped;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Arg, Item, Value};
use crate::policy::{After, Backoff, Jitter, Policy, Rounded, RoundingMode, Wait};

/// BullMQ 6, and Bull, which grows otherwise.
pub static LIBRARY: Library = Library {
    id: "bullmq",
    title: "BullMQ",
    ecosystem: "JavaScript",
    version: "6.7.0",
    source: "npm package bullmq: dist/esm/classes/backoffs.js, dist/esm/classes/job.js",
    counts: "attempts, the first included (attempts)",
    formula: "fixed: delay; exponential: round(2^(k-1) * delay); with jitter j whole ms from (1 - j) of that to just under it",
    words: &[
        "bullmq",
        "bull",
        "queue.add",
        "defaultJobOptions",
        "backoff",
        "addBulk",
        "removeOnComplete",
        "removeOnFail",
    ],
    settings: &[
        Setting::count("attempts", "retries", "1"),
        shaping("backoff"),
        shaping("type").of(BACKOFF),
        Setting::time("delay", "baseMs", Unit::Millisecond, "").plain().of(BACKOFF),
        Setting::number("jitter", "jitter", "0").of(BACKOFF),
        Setting::other("options").of(BACKOFF),
    ],
    notes: &[
        "attempts counts every run, the first included: 3 attempts are two waits.",
        "Without attempts a job runs once, whatever backoff says.",
        "jitter only shortens: a wait is at least 1 - jitter of the delay and never quite the whole of it.",
        "There is no cap.",
        "Bull, its predecessor, waited (2^k - 1) * delay with the exponential type.",
    ],
    releases: &[CURRENT, BULL],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "import { Queue } from \"bullmq\";\n\nconst queue = new Queue(\"jobs\", {\n  connection,\n  defaultJobOptions: {\n    attempts: «calls»,\n    backoff: { type: \"«*», jitter: «below|0» },\n  },\n});\n",
        "fixed\", delay: «delay:#»",
        "exponential\", delay: «base:#»«factor:-»",
    ],
    examples: &[
        Example {
            text: "import { Queue } from 'bullmq';\n\nconst invoices = new Queue('invoices', { connection });\n\nawait invoices.add('render', { id: 7 }, {\n  attempts: 5,\n  backoff: { type: 'exponential', delay: 2000 },\n});\n",
            waits: &[(2.0, 2.0), (4.0, 4.0), (8.0, 8.0), (16.0, 16.0)],
        },
        Example {
            text: "import { Queue } from 'bullmq';\n\nexport const reports = new Queue('reports', {\n  defaultJobOptions: { attempts: 4, backoff: { type: 'fixed', delay: 500, jitter: 0.2 } },\n});\n",
            waits: &[(0.4, 0.499), (0.4, 0.499), (0.4, 0.499)],
        },
    ],
};

const CURRENT: &str = "BullMQ 6";
const BULL: &str = "Bull 4";
const BACKOFF: &str = "backoff";
const PACKAGES: &[&str] = &["bullmq", "bull", "@nestjs/bullmq", "@nestjs/bull"];
const OWN: &[&str] = &["attempts", "backoff"];
/// Options of a job that hardly anything else has.
const JOBS: &[&str] = &["removeOnComplete", "removeOnFail"];
/// After so many doublings a delay is beyond all bounds.
const MOST_DOUBLINGS: u64 = 1_024;

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let imported = scan.imports(PACKAGES);
    let mut blocks = Vec::new();
    for item in written_calls(scan).filter(|item| defaults(item).is_some()) {
        let certainty = if imported { Certainty::Certain } else { Certainty::Likely };
        blocks.push(Block::new(item, certainty).label(Called::of(&Block::new(item, certainty)).text_at(0)));
    }
    let added = methods(scan, &["add"]);
    for called in &added {
        let Some(given) = given(called.args) else { continue };
        // A flow has options for each of its jobs.
        let mut each: Vec<&Item> = Vec::new();
        let opts = |item: &'d Item| item.get("opts").and_then(map).filter(|opts| has_any(opts, OWN));
        called.args.iter().for_each(|arg| arg.value.walk(&mut |item| each.extend(opts(item))));
        if imported && each.len() > 1 {
            blocks.extend(each.into_iter().map(|opts| Block::new(opts, Certainty::Certain)));
            continue;
        }
        let typed = given.get("backoff").and_then(map).is_some_and(|backoff| has_any(backoff, &["type", "delay"]));
        let queue = called.item.head.text.to_ascii_lowercase().contains("queue");
        if imported || typed || has_any(given, JOBS) || queue && has_any(given, &["attempts"]) {
            let certainty = if imported { Certainty::Certain } else { Certainty::Likely };
            blocks.push(called.block(certainty, called.text_at(0)));
        }
    }
    let typed = |item: &Item| {
        let backoff = item.get("backoff");
        let kind = backoff.and_then(map).and_then(|backoff| backoff.get("type")).and_then(Value::text);
        has_any(item, &["attempts"]) && (kind.is_some() || (imported && backoff.is_some()))
    };
    claim_alone(scan, &mut blocks, typed, Certainty::Likely);
    if blocks.is_empty() {
        let plain = added.iter().find(|called| belongs(called.item, PACKAGES) && !called.args.is_empty());
        blocks.extend(plain.map(|called| called.block(Certainty::Certain, called.text_at(0))));
    }
    blocks
}

/// The options of a job: the last map that says something about retries, or `opts` in one.
fn given(args: &[Arg]) -> Option<&Item> {
    let maps = args.iter().rev().filter_map(|arg| map(&arg.value));
    maps.map(|item| item.get("opts").and_then(map).unwrap_or(item))
        .find(|item| has_any(item, OWN) || slipped(item, OWN))
}

/// The job defaults of a queue.
fn defaults(item: &Item) -> Option<&Item> {
    let options = item.args.iter().filter_map(|arg| map(&arg.value));
    options.filter_map(|options| options.get("defaultJobOptions").and_then(map)).find(|item| has_any(item, OWN))
}

fn read(take: &mut Take) -> Policy {
    if take.scan.imports(&["bull", "@nestjs/bull"]) && !take.scan.imports(&["bullmq", "@nestjs/bullmq"]) {
        take.assume_release(BULL);
    }
    let called = Called::of(&take.block);
    let whole = called.item;
    let own = if whole.head.text.is_empty() { Some(whole) } else { given(called.args) };
    let usual = defaults(whole);
    if own.or(usual).is_none() {
        take.note("defaults", place(&take.block), "Nothing about retries is written here: the job runs once.");
    }
    let holds = |item: Option<&'_ Item>, name| item.is_some_and(|item| item.get(name).is_some());
    let pick = |name| if holds(own, name) { own } else { usual }.unwrap_or(&NOTHING);
    let (counted, shaped) = (pick("attempts"), pick("backoff"));
    let mut args = take.of(own.or(usual).unwrap_or(&NOTHING), "");
    args.unknown_retry_names("an option of a job", "it is ignored");
    let mut args = take.of(counted, "");
    let retries = args.count("attempts").unwrap_or(1).max(1) - 1;
    let written = args.has("attempts");
    let backoff = shaped.get("backoff").filter(|value| !value.is_null());
    if let Some(value) = backoff.filter(|_| !written) {
        let message = "`attempts` is not written, so the job runs once and `backoff` has no effect.";
        take.warning("no-effect", value.span, message).help = "Add `attempts`, the number of runs.".into();
    } else if written && retries > 0 {
        let value = counted.get("attempts").map_or(take.block.span, |value| value.span);
        let waits = if retries == 1 { "one wait".to_string() } else { format!("{retries} waits") };
        let message = format!("`attempts` counts every run, the first included: {waits} at most.");
        take.note("counted", value, message);
    }
    match backoff {
        None => {
            take.default("delayMs", "at once");
            Policy::new(Wait::new(Backoff::Constant { delay_ms: 0.0 }), retries)
        }
        Some(value) => Policy::new(wait(take, value, retries), retries),
    }
}

fn wait<'t>(take: &mut Take<'t>, value: &'t Value, retries: u64) -> Wait {
    let fixed = |delay_ms: f64| Wait::new(Backoff::Constant { delay_ms });
    let Some(item) = map(value) else {
        return fixed(take.time("backoff", "delayMs", value, Some(Unit::Millisecond)).unwrap_or(0.0));
    };
    let bull = take.release == BULL;
    let mut args = take.of(item, BACKOFF);
    args.unknown_names("a field of `backoff`", "it is ignored");
    let custom = item.get("type").filter(|kind| !matches!(kind.text(), Some("fixed" | "exponential")));
    if let Some(kind) = custom {
        return unknown_type(args.take, kind, retries);
    }
    let exponential = item.get("type").and_then(Value::text) == Some("exponential");
    match item.get("type") {
        Some(kind) => args.take.origin("backoff", kind.span),
        None => {
            args.take.error("missing-key", value.span, "`backoff.type` is missing: the first retry throws.").help =
                "Write `type: 'fixed'` or `type: 'exponential'`.".into();
        }
    }
    if !args.has("delay") {
        let message = "`backoff.delay` is missing: there is no delay to start from, and every wait is 0.";
        args.take.error("missing-key", value.span, message).help = "Write `delay`, in ms.".into();
    }
    let delay_ms = args.time("delay").unwrap_or(0.0);
    let curve = match exponential {
        false => fixed(delay_ms),
        true if bull => Wait::new(less_one(delay_ms, retries)),
        true => Wait::new(Backoff::Exponential { base_ms: delay_ms, factor: 2.0 }),
    };
    match jitter(&mut args) {
        0.0 => curve,
        share => {
            let wait = curve.jitter(Jitter::Proportional { below: share, above: 0.0 });
            wait.rounding(RoundingMode::Floor, 1.0, Rounded::Wait)
        }
    }
}

/// `(2^k - 1) * delay`, for as many retries as there are.
fn less_one(delay_ms: f64, retries: u64) -> Backoff {
    let delays = (1..=retries.clamp(1, MOST_DOUBLINGS)).map(|k| (libm::exp2(k as f64) - 1.0) * delay_ms);
    Backoff::List { delays_ms: delays.collect(), after: After::RepeatLast }
}

/// A type of the worker's own, if the text has such a worker; otherwise one that does not exist.
fn unknown_type(take: &mut Take, kind: &Value, retries: u64) -> Wait {
    let own = take.scan.items.iter().find_map(|item| item.get("backoffStrategy")?.fun());
    if let Some(mut fun) = own.cloned() {
        take.origin("backoff", kind.span);
        // The job's type is the second thing that it is given.
        let named = fun.params.get(1).map(|param| param.text.clone());
        crate::notation::names::fill(&mut fun.body, &|word| (named.as_deref() == Some(word)).then(|| kind.clone()));
        let inputs = Inputs::positional(|k| vec![k as f64]);
        return strategy::policy(take, "backoffStrategy", &fun, inputs, Some(retries)).wait;
    }
    if kind.is_undefined() || take.scan.says("backoffStrategy") || take.scan.says("backoffStrategies") {
        take.unknown.push("backoff");
        let message = "`backoff.type` names a strategy of the worker's own; its waits are not known.";
        take.note("unknown-value", kind.span, message);
    } else {
        let what = "must be fixed or exponential, or the name of a strategy of the worker; the first retry throws";
        take.refuse("backoff.type", kind, what);
    }
    Wait::new(Backoff::Constant { delay_ms: 0.0 })
}

fn jitter(args: &mut Args) -> f64 {
    let share = args.number("jitter").unwrap_or(0.0);
    match args.value("jitter").filter(|_| !(0.0..=1.0).contains(&share)) {
        Some(value) => {
            args.take.refuse("backoff.jitter", value, "must be between 0 and 1: adding the job throws");
            0.0
        }
        None => share,
    }
}
