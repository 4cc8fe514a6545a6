//! LangChain's retry middlewares, `ModelRetryMiddleware` and `ToolRetryMiddleware`, and `with_retry` of any runnable.

use super::{TYPE_ERROR, refuse_none};
use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Arg, Form, Item, Step, Value};
use crate::policy::{Backoff, CapOrder, Jitter, Policy, Wait};
use crate::span::Span;

/// LangChain 1.
pub static LIBRARY: Library = Library {
    id: "langchain-retry",
    title: "LangChain",
    ecosystem: "Python",
    version: "langchain 1.5.2",
    source: "langchain/agents/middleware/_retry.py, model_retry.py, tool_retry.py; langchain_core/runnables/retry.py; @langchain/core: dist/runnables/base.js",
    counts: "retries, the first call not included (max_retries); calls (stop_after_attempt)",
    formula: "min(max_delay, initial_delay * backoff_factor^(k-1)) * U[0.75, 1.25]",
    words: &["ModelRetryMiddleware", "ToolRetryMiddleware", "with_retry", "withRetry"],
    settings: &[
        Setting::count("max_retries", "retries", "2"),
        Setting::number("backoff_factor", "factor", "2.0"),
        Setting::time("initial_delay", "baseMs", Unit::Second, "1.0").plain(),
        Setting::time("max_delay", "capMs", Unit::Second, "60.0").plain(),
        Setting::flag("jitter", "jitter", "true"),
        Setting::other("retry_on"),
        Setting::other("on_failure"),
        Setting::other("tools"),
        Setting::count("stop_after_attempt|stopAfterAttempt|max_attempt_number", "retries", "3").of(RUNNABLE),
        Setting::flag("wait_exponential_jitter", "jitter", "true").of(RUNNABLE),
        Setting::other("exponential_jitter_params").of(RUNNABLE),
        Setting::other("retry_if_exception_type").of(RUNNABLE),
        Setting::other("onFailedAttempt").of(RUNNABLE),
        Setting::time("initial", "baseMs", Unit::Second, "1").of(PARAMS).plain(),
        Setting::time("max", "capMs", Unit::Second, "").of(PARAMS).plain(),
        Setting::number("exp_base", "factor", "2").of(PARAMS),
        Setting::time("jitter", "jitter", Unit::Second, "1").of(PARAMS).plain(),
    ],
    notes: &[
        "Jitter of a quarter both ways is on by default and comes after max_delay: waits can pass it.",
        "A backoff_factor of 0 makes every delay the initial one.",
        "with_retry makes three calls, after 1 s and 2 s, each up to a second longer; JavaScript's withRetry up to twice as long.",
        "When the retries are used up the error becomes a message to the model, unless on_failure says otherwise.",
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
            text: "from langchain.agents import create_agent\nfrom langchain.agents.middleware import ModelRetryMiddleware\n\nagent = create_agent(\n    model=\"gpt-5\",\n    middleware=[ModelRetryMiddleware(max_retries=3, initial_delay=0.5, max_delay=1.5)],\n)\n",
            waits: &[(0.375, 0.625), (0.75, 1.25), (1.125, 1.875)],
        },
        Example {
            text: "retry = ToolRetryMiddleware(tools=[search], backoff_factor=0.0, initial_delay=4, jitter=False)\n",
            waits: &[(4.0, 4.0), (4.0, 4.0)],
        },
    ],
};

/// `with_retry` of a runnable, and the waits that it is given.
const RUNNABLE: &str = "with_retry";
const PARAMS: &str = "exponential_jitter_params";
const OWN: &[&str] = &["stop_after_attempt", "stopAfterAttempt", "wait_exponential_jitter", "retry_if_exception_type"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    scan.blocks(&|item| {
        if item.form != Form::Call {
            return None;
        }
        if item.is_any(&["ModelRetryMiddleware", "ToolRetryMiddleware"]) {
            return Some(Block::new(item, Certainty::Certain));
        }
        let (args, span) = with_retry(item)?;
        let own = |arg: &Arg| arg.name.as_ref().is_some_and(|name| OWN.contains(&name.text.as_str()));
        let found = args.iter().any(own) || options(args).is_some_and(|map| map.args.iter().any(own));
        found.then(|| Block::new(item, Certainty::Certain).at(span).variant(RUNNABLE))
    })
}

/// What `with_retry` is given, and where: the item's own call, or its last step of that name.
fn with_retry(item: &Item) -> Option<(&[Arg], Span)> {
    if item.is_any(&[RUNNABLE, "withRetry"]) {
        return Some((&item.args, item.span));
    }
    item.steps.iter().rev().find_map(|step| match step {
        Step::Call { name, args, span } if matches!(name.text.as_str(), RUNNABLE | "withRetry") => {
            Some((args.as_slice(), *span))
        }
        _ => None,
    })
}

/// JavaScript's object of options.
fn options(args: &[Arg]) -> Option<&Item> {
    args.first().filter(|arg| arg.name.is_none())?.value.item()
}

/// What `with_retry` means: Tenacity's exponential wait with jitter, or p-retry's in JavaScript.
fn runnable(take: &mut Take) -> Policy {
    let block = take.block.clone();
    let given = with_retry(block.item).map_or(&[][..], |(args, _)| args);
    let map = options(given);
    let mut args = take.of_call(map.map_or(given, |map| &map.args), block.span, RUNNABLE);
    args.unknown_names("an argument of `with_retry`", TYPE_ERROR);
    let retries = args.count("stop_after_attempt").map(|calls| calls.max(1) - 1);
    let params = args.value(PARAMS).and_then(Value::item);
    let waits = map.is_some() || args.flag("wait_exponential_jitter");
    let mut params = take.of_call(params.map_or(&[], |params| &params.args), block.span, PARAMS);
    let base_ms = params.time("initial").unwrap_or(1_000.0);
    let curve = Wait::new(Backoff::Exponential { base_ms, factor: params.number("exp_base").unwrap_or(2.0) });
    let wait = match map {
        Some(_) => curve.jitter(Jitter::Proportional { below: 0.0, above: 1.0 }),
        None if waits => {
            let max_ms = params.time("jitter").unwrap_or(1_000.0);
            let cap = params.time("max");
            curve.jitter(Jitter::Additive { min_ms: 0.0, max_ms }).cap(cap).cap_order(CapOrder::AfterJitter)
        }
        None => super::nothing(),
    };
    Policy::new(wait, retries)
}

fn read(take: &mut Take) -> Policy {
    if take.block.variant == RUNNABLE {
        return runnable(take);
    }
    let item = take.block.item;
    let whose = item.head.text.rsplit('.').next().unwrap_or("ModelRetryMiddleware");
    let mut args = take.main();
    args.unknown_names(&format!("an argument of `{whose}`"), TYPE_ERROR);
    refuse_none(&mut args, &["max_retries", "backoff_factor", "initial_delay", "max_delay"]);
    let written = ["max_retries", "backoff_factor", "initial_delay", "max_delay"].iter().any(|name| args.has(name));
    if !written {
        let message = "Nothing about waits is written here: 2 retries, after about 1 s and 2 s.";
        args.take.note("defaults", item.head.span, message);
    }
    let retries = args.count("max_retries");
    let base_ms = args.time("initial_delay").unwrap_or(1_000.0);
    let factor = match (args.number("backoff_factor").unwrap_or(2.0), args.value("backoff_factor")) {
        (factor, Some(value)) if factor < 0.0 => {
            args.take.refuse("backoff_factor", value, "is negative: Python raises ValueError");
            2.0
        }
        // Nothing is multiplied then.
        (0.0, _) => 1.0,
        (factor, _) => factor,
    };
    let cap_ms = args.time("max_delay");
    let jitter = if args.flag("jitter") { Jitter::Proportional { below: 0.25, above: 0.25 } } else { Jitter::None };
    Policy::new(Wait::new(Backoff::Exponential { base_ms, factor }).cap(cap_ms).jitter(jitter), retries)
}
