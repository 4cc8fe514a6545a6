//! LangChain's retry middlewares: `ModelRetryMiddleware` and `ToolRetryMiddleware`.

use super::{TYPE_ERROR, refuse_none};
use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::Form;
use crate::policy::{Backoff, Jitter, Policy, Wait};

/// LangChain 1.
pub static LIBRARY: Library = Library {
    id: "langchain-retry",
    title: "LangChain retry middleware",
    ecosystem: "Python",
    version: "langchain 1.5.2",
    source: "langchain/agents/middleware/_retry.py, model_retry.py, tool_retry.py",
    counts: "retries, the first call not included (max_retries)",
    formula: "min(max_delay, initial_delay * backoff_factor^(k-1)) * U[0.75, 1.25]",
    words: &["ModelRetryMiddleware", "ToolRetryMiddleware"],
    settings: &[
        Setting::count("max_retries", "retries", "2"),
        Setting::number("backoff_factor", "factor", "2.0"),
        Setting::time("initial_delay", "baseMs", Unit::Second, "1.0").plain(),
        Setting::time("max_delay", "capMs", Unit::Second, "60.0").plain(),
        Setting::flag("jitter", "jitter", "true"),
        Setting::other("retry_on"),
        Setting::other("on_failure"),
        Setting::other("tools"),
    ],
    notes: &[
        "Jitter of a quarter both ways is on by default and comes after max_delay: waits can pass it.",
        "A backoff_factor of 0 makes every delay the initial one.",
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

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let made = scan.heads(&["ModelRetryMiddleware", "ToolRetryMiddleware"]).filter(|i| i.form == Form::Call);
    made.map(|item| Block::new(item, Certainty::Certain)).collect()
}

fn read(take: &mut Take) -> Policy {
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
