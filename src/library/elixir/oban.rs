//! Oban: the retries of a worker.

use crate::library::computed::{self, Inputs};
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::item::path_ends_with;
use crate::notation::{Arg, Form, Fun, Item, Kind, Statement, Step, Value};
use crate::policy::{Law, Policy, Rounded, Rounding, RoundingMode, Wait};
use crate::span::Span;

/// Oban 2.23.
pub static LIBRARY: Library = Library {
    id: "oban",
    title: "Oban",
    ecosystem: "Elixir",
    version: "2.23.0 (2939e313, 2026-08)",
    source: "lib/oban/worker.ex, lib/oban/backoff.ex",
    counts: "calls, the first included (max_attempts); 20 unless written",
    formula: "15 + 2^a s, a from 1, plus up to 10 % in whole seconds",
    words: &["Oban", "Oban.Worker", "Oban.Job", "max_attempts"],
    settings: &[
        Setting::count("max_attempts", "retries", "20"),
        Setting::other("queue"),
        Setting::other("priority"),
        Setting::other("tags"),
        Setting::other("unique"),
        Setting::other("meta"),
        Setting::other("replace"),
    ],
    notes: &[
        "max_attempts counts calls.",
        "Above 20 attempts the attempt is scaled down to 20 before the formula, so waits repeat.",
        "A backoff/1 of the worker replaces the formula and gets no jitter.",
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
            text: "defmodule Mail.Worker do\n  use Oban.Worker, queue: :mail, max_attempts: 3\n\n  @impl Oban.Worker\n  def perform(%Oban.Job{args: args}), do: Mail.deliver(args)\nend\n",
            waits: &[(17.0, 18.0), (19.0, 20.0)],
        },
        Example {
            text: "use Oban.Worker, max_attempts: 3\n@impl true\ndef backoff(%Job{attempt: attempt}), do: attempt * 10\n",
            waits: &[(10.0, 10.0), (20.0, 20.0)],
        },
    ],
};

/// A job that is inserted, not its worker.
const JOB: &str = "job";

const WORKERS: &[&str] = &["Oban.Worker", "Oban.Pro.Worker"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let uses = scan.items.iter().copied().filter(|i| {
        (i.form == Form::Import || i.is("use"))
            && (i.is_any(WORKERS) || i.at(0).and_then(Value::text).is_some_and(|t| WORKERS.contains(&t)))
    });
    let mut blocks: Vec<Block<'d>> = uses.map(|item| Block::new(item, Certainty::Certain)).collect();
    // A job's own limit: `Worker.new(args, max_attempts: 3) |> Oban.insert()`.
    for item in
        scan.items.iter().copied().filter(|i| matches!(i.form, Form::Call | Form::Map) && !i.head.text.contains("::"))
    {
        if let Some((_, span)) = made(item) {
            blocks.push(Block::new(item, Certainty::Certain).at(span).variant(JOB));
        }
    }
    blocks
}

/// The options that a job is made with, where they limit its attempts.
fn made(item: &Item) -> Option<(&[Arg], Span)> {
    let steps = item.steps.iter().filter_map(|step| match step {
        Step::Call { name, args, span } => Some((name, args.as_slice(), *span)),
        Step::Set { .. } => None,
    });
    let mut calls = std::iter::once((&item.head, item.args.as_slice(), item.span)).chain(steps);
    let limits = |args: &[Arg]| args.iter().any(|a| a.name.as_ref().is_some_and(|n| n.text == "max_attempts"));
    let found = calls.find(|(name, args, _)| path_ends_with(&name.text, "new") && limits(args));
    found.map(|(_, args, span)| (args, span))
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let mut args = match made(item).filter(|_| take.block.variant == JOB) {
        Some((args, span)) => take.of_call(args, span, ""),
        None => take.main(),
    };
    if !args.has("max_attempts") {
        let span = args.head();
        args.take.note("defaults", span, "max_attempts is not written: 20 calls is the default.");
    }
    args.unknown_retry_names("an option of a worker", "it does not compile");
    let calls = args.count("max_attempts").unwrap_or(20);
    if let Some(value) = args.value("max_attempts").filter(|_| calls < 1) {
        args.take.refuse("max_attempts", value, "must be greater than 0");
    }
    let retries = calls.saturating_sub(1);
    if let Some(fun) = backoff(take) {
        let inputs =
            Inputs::named(|k| vec![("attempt", crate::notation::formula::Spread::fixed(k as f64))]).unit_ms(1_000.0);
        return computed::policy(take, "backoff", &fun, inputs, Some(retries));
    }
    Policy::new(Wait::each(retries.min(10_000), &|k| law(k, calls)), retries)
}

/// The `backoff/1` of the worker's module, whose clauses are tried in order.
fn backoff(take: &Take) -> Option<Fun> {
    let items = take.scan.items.iter().copied();
    let defined = items.filter(|i: &&Item| i.form == Form::Function && i.is("backoff"));
    let clauses = defined.filter_map(|i| i.args.iter().find_map(|a| a.value.fun()));
    clauses.fold(None, |whole: Option<Fun>, clause| {
        let mut whole = whole.unwrap_or(Fun { params: Vec::new(), body: Vec::new() });
        whole.params.extend(clause.params.iter().cloned());
        let mut body = clause.body.iter().cloned().peekable();
        let mut conditions = Vec::new();
        // What a clause asks of its argument stands before what it does.
        while let Some(statement) = body.next_if(|s| matches!(s, Statement::Bind(..) | Statement::If(..))) {
            match statement {
                Statement::If(unless, then, _) if matches!(then.as_slice(), [Statement::Return(v)] if v.is_null()) => {
                    conditions.push(unless);
                }
                other => whole.body.push(other),
            }
        }
        let rest: Vec<Statement> = body.collect();
        let unless = conditions.into_iter().reduce(|a, b| {
            let span = a.span;
            Value::new(Kind::Op("or".into(), vec![a, b]), span)
        });
        match unless {
            Some(unless) => whole.body.push(Statement::If(unless, Vec::new(), rest)),
            None => whole.body.extend(rest),
        }
        Some(whole)
    })
}

fn law(attempt: u64, calls: u64) -> Law {
    let scaled = match calls > 20 {
        true => (attempt as f64 / calls as f64 * 20.0).round(),
        false => attempt as f64,
    };
    let seconds = 15.0 + libm::pow(2f64, scaled);
    // trunc(U * 0.1 * t): the last whole second below a tenth has only its share of the draw.
    let whole = Rounding { unit_ms: 1_000.0, mode: RoundingMode::Floor, of: Rounded::Wait };
    let law = Law::uniform(0.0, 0.1 * seconds * 1_000.0).rounded(whole);
    let pieces = law.pieces.into_iter().map(|mut piece| {
        piece.min_ms += seconds * 1_000.0;
        piece.max_ms += seconds * 1_000.0;
        piece
    });
    Law { pieces: pieces.collect() }
}
