//! Sidekiq: the retries of a job class.

use crate::duration::Unit;
use crate::library::computed::{self, Inputs};
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Value};
use crate::policy::{After, Backoff, Clock, Deadline, Law, Overrun, Policy, Wait, Walk};

/// Sidekiq 8.
pub static LIBRARY: Library = Library {
    id: "sidekiq",
    title: "Sidekiq",
    ecosystem: "Ruby",
    version: "8.1.7 (1bb4aa06, 2026-08)",
    source: "lib/sidekiq/job_retry.rb",
    counts: "retries (retry); 25 unless written",
    formula: "c^4 + 15 + J s, c from 0, J a whole number below 10 * (c + 1)",
    words: &["Sidekiq", "Sidekiq::Job", "Sidekiq::Worker", "sidekiq_options", "sidekiq_retry_in", "max_retries"],
    settings: &[
        Setting::other("retry"),
        Setting::time("retry_for", "deadline", Unit::Second, ""),
        Setting::other("queue"),
        Setting::other("backtrace"),
        Setting::other("dead"),
        Setting::other("pool"),
        Setting::other("tags"),
        Setting::other("lock"),
    ],
    notes: &[
        "retry counts retries; a job is retried 25 times over some three weeks unless told otherwise.",
        "What sidekiq_retry_in gives is lengthened by the same random seconds.",
        "After the last retry the job goes to the Dead set.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
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

const JOBS: &[&str] = &["Sidekiq::Job", "Sidekiq::Worker"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks: Vec<Block<'d>> = Vec::new();
    for class in scan.items.iter().copied().filter(|i| i.form == Form::Class) {
        let mut job = false;
        class.walk(&mut |i| job |= i.is("sidekiq_options") || JOBS.iter().any(|j| i.is(j) || holds_word(i, j)));
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
    blocks
}

/// Whether one of an item's values is this constant.
fn holds_word(item: &Item, word: &str) -> bool {
    item.args.iter().any(|a| a.value.text().is_some_and(|text| crate::notation::item::path_ends_with(text, word)))
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let mut options: Option<&Item> = None;
    let mut retry_in: Option<&Item> = None;
    for root in std::iter::once(item).chain(take.block.others.clone()) {
        root.walk(&mut |i| {
            if i.is("sidekiq_options") {
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
    let curve = Backoff::Polynomial { base_ms: 1_000.0, power: 4.0 };
    let own = retry_in.and_then(|i| i.args.iter().find_map(|a| a.value.fun()));
    let delays: Vec<f64> = match own {
        Some(fun) => {
            let inputs = Inputs::positional(|k| vec![k as f64 - 1.0]).unit_ms(1_000.0);
            let policy = computed::policy(take, "sidekiq_retry_in", fun, inputs, Some(retries));
            Walk::new(&policy).take(2_000).map(|range| range.max_ms).collect()
        }
        None => (1..=retries.clamp(1, 2_000))
            .map(|k| if k == 1 { 15_000.0 } else { curve.delay_ms(k - 1) + 15_000.0 })
            .collect(),
    };
    let law = |(at, delay): (usize, f64)| {
        let spread = 10.0 * (at as f64 + 1.0) - 1.0;
        Law::steps(delay, delay + spread * 1_000.0, 1_000.0)
    };
    let waits: Vec<Law> = delays.into_iter().enumerate().map(law).collect();
    let waits = if waits.is_empty() { vec![Law::fixed(0.0)] } else { waits };
    let mut policy = Policy::new(Wait::new(Backoff::Table { waits, after: After::RepeatLast }), retries);
    if let Some(options) = options {
        let limit_ms = take.of(options, "").time("retry_for");
        policy.deadline =
            limit_ms.map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Allow, clock: Clock::FirstFailure });
    }
    policy
}

/// `retry: n`, `true` for 25, `false` or 0 for none.
fn retries<'t>(take: &mut Take<'t>, options: &'t Item) -> Option<u64> {
    let value: &Value = options.get("retry")?;
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
