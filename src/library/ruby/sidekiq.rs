//! Sidekiq: the retries of a job class.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::formula::{Answer, Input, Spread, run};
use crate::notation::{Form, Fun, Item, Statement, Step, Value};
use crate::policy::{Clock, Deadline, Law, Overrun, Policy, Shape, Wait};

/// Sidekiq 8.
pub static LIBRARY: Library = Library {
    id: "sidekiq",
    title: "Sidekiq",
    ecosystem: "Ruby",
    version: "8.1.7 (1bb4aa06, 2026-08)",
    source: "lib/sidekiq/job_retry.rb",
    counts: "retries (retry); 25 unless written",
    formula: "c^4 + 15 + J s, c from 0, J a whole number below 10 * (c + 1)",
    words: &[
        "Sidekiq",
        "Sidekiq::Job",
        "Sidekiq::Worker",
        "sidekiq_options",
        "sidekiq_retry_in",
        "max_retries",
        "perform_async",
        "perform_in",
    ],
    settings: &[
        Setting::other("retry"),
        Setting::other("max_retries").of("file"),
        Setting::time("retry_for", "deadline", Unit::Second, ""),
        Setting::other("queue"),
        Setting::other("backtrace"),
        Setting::other("dead"),
        Setting::other("pool"),
        Setting::other("tags"),
        Setting::other("lock"),
        Setting::other("retry_queue"),
    ],
    notes: &[
        "retry counts retries; a job is retried 25 times over some three weeks unless told otherwise.",
        "What sidekiq_retry_in gives is lengthened by the same random seconds.",
        "After the last retry the job goes to the Dead set.",
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
            text: "class ReportJob\n  include Sidekiq::Job\n  sidekiq_options retry: 3\n\n  def perform(id)\n    Report.build(id)\n  end\nend\n",
            waits: &[(15.0, 24.0), (16.0, 35.0), (31.0, 60.0)],
        },
        Example {
            text: "sidekiq_options retry: 2\nsidekiq_retry_in { |count| 30 * (count + 1) }\n",
            waits: &[(30.0, 39.0), (60.0, 79.0)],
        },
    ],
};

/// How many waits are computed one by one.
const MOST: u64 = 2_000;

const JOBS: &[&str] = &["Sidekiq::Job", "Sidekiq::Worker"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks: Vec<Block<'d>> = Vec::new();
    for class in scan.items.iter().copied().filter(|i| i.form == Form::Class) {
        let (mut job, mut active) = (false, false);
        class.walk(&mut |i| {
            job |= i.is("sidekiq_options") || JOBS.iter().any(|j| i.is(j) || holds_word(i, j));
            active |= i.is("retry_on");
        });
        // Active Job retries first there, and both are listed.
        job &= !active;
        let inner = blocks.iter().any(|b| b.span.holds(class.span));
        if job && !inner {
            blocks.push(Block::new(class, Certainty::Certain).label(class.head.text.clone()));
        }
    }
    if blocks.is_empty() {
        let options = scan.heads(&["sidekiq_options"]).chain(scan.heads(&["sidekiq_retry_in"]));
        let mut options: Vec<&Item> = options.collect();
        crate::sort::by_key(&mut options, |i| i.span);
        if let Some((first, rest)) = options.split_first() {
            let block = rest.iter().fold(Block::new(first, Certainty::Certain), |block, other| block.with(other));
            blocks.push(block);
        }
    }
    if blocks.is_empty() {
        blocks.extend(elsewhere(scan));
    }
    blocks
}

/// Options that stand in no class: of one job that is pushed, of all jobs, of the process's own file.
fn elsewhere<'d>(scan: &Scan<'d>) -> impl Iterator<Item = Block<'d>> {
    let file = scan.says(":concurrency") || scan.says(":queues") || scan.says("sidekiq");
    scan.items.iter().filter_map(move |&item| {
        let pushed = |step: &Step| matches!(step, Step::Call { name, .. } if name.text.starts_with("perform_"));
        let defaults = || ["default_job_options", "default_worker_options"].iter().find_map(|name| item.get(name));
        if item.is("set") && item.get("retry").is_some() && item.steps.iter().any(pushed) {
            return Some(Block::new(item, Certainty::Certain).variant("options"));
        }
        if item.target.as_ref().is_some_and(|t| t.text == "Sidekiq") {
            return Some(Block::new(defaults()?.item()?, Certainty::Certain).variant("options"));
        }
        // `Sidekiq.configure_server { |config| config[:max_retries] = 7 }`
        if item.target.is_some() && item.get("max_retries").is_some() && scan.says("Sidekiq.configure_") {
            return Some(Block::new(item, Certainty::Certain).variant("file"));
        }
        let keys = ["concurrency", ":concurrency", "queues", ":queues"].iter().any(|key| item.get(key).is_some());
        (file && keys && (item.get("max_retries").is_some() || item.get(":max_retries").is_some()))
            .then(|| Block::new(item, Certainty::Certain).variant("file"))
    })
}

/// Whether one of an item's values is this constant.
fn holds_word(item: &Item, word: &str) -> bool {
    item.args.iter().any(|a| a.value.text().is_some_and(|text| crate::notation::item::path_ends_with(text, word)))
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let mut options: Option<&Item> = (!take.block.variant.is_empty()).then_some(item);
    let mut retry_in: Option<&Item> = None;
    for root in std::iter::once(item).chain(take.block.others.clone()) {
        root.walk(&mut |i| {
            // Calls add up: the last one that speaks of retries holds.
            let speaks = |i: &Item| ["retry", "retry_for"].iter().any(|name| i.get(name).is_some());
            if i.is("sidekiq_options") && (speaks(i) || !options.is_some_and(speaks)) {
                options = Some(i);
            } else if i.is("sidekiq_retry_in") {
                retry_in = Some(i);
            }
        });
    }
    let retries = match options {
        Some(options) => retries(take, options),
        None => None,
    };
    if retries.is_none() {
        take.note("defaults", item.head.span, "No retry count is written: 25 retries is the default.");
        take.default("retries", "25");
    }
    let retries = retries.unwrap_or(25);
    let own = retry_in.and_then(block);
    if let (Some(call), Some(fun)) = (retry_in, &own) {
        explain(take, call, fun);
    }
    let own = |count: u64| own.as_ref().and_then(|fun| own_wait(fun, count));
    let wait = Wait::each(retries.min(MOST), &|k| law(k as f64 - 1.0, own(k - 1)));
    let mut policy = Policy::new(wait, retries);
    if let Some(options) = options {
        let limit_ms = take.of(options, "").time("retry_for");
        if take.block.variant != "file" {
            let what = "Sidekiq keeps it and does nothing with it";
            take.of(options, "").unknown_retry_names("an option of a job", what);
        }
        policy.deadline =
            limit_ms.map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Allow, clock: Clock::FirstFailure });
    }
    policy
}

/// The block of `sidekiq_retry_in`; one without parameters, `{ 10 }`, is read as the value in it.
fn block(call: &Item) -> Option<Fun> {
    let value = &call.args.first()?.value;
    let constant = || Fun { params: Vec::new(), body: vec![Statement::Return(value.clone())] };
    Some(value.fun().cloned().unwrap_or_else(constant))
}

/// What the block gives for the failures so far, in whole seconds; `None` where Sidekiq takes its own formula: for
/// nothing, 0 and less.
fn own_wait(fun: &Fun, count: u64) -> Option<(f64, f64)> {
    let seconds = match run(fun, &[Input::At(0, Spread::fixed(count as f64))]).answer {
        Answer::Number(n) => n,
        Answer::Time(ms) => ms.over(Spread::fixed(1_000.0)),
        Answer::Nothing | Answer::Truth(_) | Answer::Other | Answer::Unknown => return None,
    };
    (seconds.lo > 0.0).then_some((seconds.lo.floor(), seconds.hi.floor()))
}

/// The wait after `count` retries: the block's or the formula's seconds, and the random ones.
fn law(count: f64, own: Option<(f64, f64)>) -> Law {
    let (low, high) = own.unwrap_or_else(|| (libm::pow(count, 4.0) + 15.0, libm::pow(count, 4.0) + 15.0));
    let (low_ms, high_ms) = (low * 1_000.0, (high + 10.0 * (count + 1.0) - 1.0) * 1_000.0);
    match low == high {
        true => Law::steps(low_ms, high_ms, 1_000.0),
        false => Law::one(low_ms, high_ms, Shape::Unknown),
    }
}

/// What the block does not say of every error.
fn explain(take: &mut Take, call: &Item, fun: &Fun) {
    let first = run(fun, &[Input::At(0, Spread::fixed(0.0))]);
    let usual = match first.answer {
        Answer::Unknown => {
            take.unknown.push("backoff");
            let message = "What this block gives is not known from the text; the waits below are Sidekiq's own.";
            take.note("unread-formula", call.span, message);
            return;
        }
        Answer::Number(_) | Answer::Time(_) if own_wait(fun, 0).is_some() => "those where it does not hold",
        _ => "Sidekiq's own, which holds where the block gives nothing or 0",
    };
    if first.assumed {
        let message =
            format!("The block asks what the error is, which the text does not tell; the waits below are {usual}.");
        take.note("assumed-condition", call.span, message);
    }
}

/// `retry: n`, `true` for 25, `false` or 0 for none.
fn retries<'t>(take: &mut Take<'t>, options: &'t Item) -> Option<u64> {
    let value: &Value = ["retry", "max_retries", ":max_retries"].iter().find_map(|name| options.get(name))?;
    take.origin("retries", value.span);
    match value.flag() {
        Some(true) => return Some(25),
        Some(false) => return Some(0),
        None => {}
    }
    let number = take.number("retry", "retries", value)?;
    if number < 0.0 {
        take.refuse("retry", value, "must not be negative");
    }
    Some(number.max(0.0) as u64)
}
