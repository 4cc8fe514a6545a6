//! The OpenAI Agents SDK: `ModelRetrySettings` of a run's model settings.

use super::{TYPE_ERROR, is_bare};
use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Name, Value};
use crate::policy::{Backoff, CapOrder, Jitter, Policy, Wait};
use crate::span::Span;

/// openai-agents 0.24, and before it cut the jitter.
pub static LIBRARY: Library = Library {
    id: "openai-agents",
    title: "OpenAI Agents SDK",
    ecosystem: "Python",
    version: "openai-agents 0.24.0",
    source: "agents/retry.py, agents/run_internal/model_retry.py; pull request 2676 cut the jitter at max_delay",
    counts: "retries, the first request not included (max_retries); none unless written",
    formula: "min(max_delay, min(max_delay, initial_delay * multiplier^(k-1)) * U[0.875, 1.125))",
    words: &["ModelRetrySettings", "ModelRetryBackoffSettings"],
    settings: &[
        Setting::count("max_retries", "retries", "0").at(0),
        Setting::other("backoff").at(1),
        Setting::other("policy").at(2),
        Setting::time("initial_delay", "baseMs", Unit::Second, "0.25").of(BACKOFF).at(0).plain(),
        Setting::time("max_delay", "capMs", Unit::Second, "2").of(BACKOFF).at(1).plain(),
        Setting::number("multiplier", "factor", "2").of(BACKOFF).at(2),
        Setting::flag("jitter", "jitter", "true").of(BACKOFF).at(3),
    ],
    notes: &[
        "Retries are off until both max_retries and a policy are written.",
        "The jitter, an eighth both ways and on by default, is cut at max_delay: delays on the cap are most often exactly it.",
        "A delay that the policy or a Retry-After header gives is not limited by max_delay.",
    ],
    releases: &[CURRENT, BEFORE],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "from agents import Agent, ModelSettings\nfrom agents.retry import ModelRetrySettings, retry_policies\n\nagent = Agent(\n    name=\"clerk\",\n    model_settings=ModelSettings(\n        retry=ModelRetrySettings(\n            max_retries=3,\n            backoff={\"initial_delay\": 0.4, \"max_delay\": 1.0},\n            policy=retry_policies.network_error(),\n        )\n    ),\n)\n",
            waits: &[(0.35, 0.45), (0.7, 0.9), (0.875, 1.0)],
        },
        Example {
            text: "retry = ModelRetrySettings(\n    max_retries=2,\n    backoff=ModelRetryBackoffSettings(initial_delay=1, max_delay=30, multiplier=3, jitter=False),\n    policy=policy,\n)\n",
            waits: &[(1.0, 1.0), (3.0, 3.0)],
        },
    ],
};

const BACKOFF: &str = "backoff";
const CURRENT: &str = "since pull request 2676";
const BEFORE: &str = "before pull request 2676";

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let settings = scan.heads(&["ModelRetrySettings"]).filter(|item| item.form == Form::Call);
    let mut blocks: Vec<Block<'d>> = settings.map(|item| Block::new(item, Certainty::Certain)).collect();
    let alone = scan.heads(&["ModelRetryBackoffSettings"]).filter(|item| item.form == Form::Call);
    let held = |item: &Item, blocks: &[Block]| {
        let mut held = false;
        blocks.iter().for_each(|b| b.item.walk(&mut |i| held |= i.span == item.span));
        held
    };
    let alone: Vec<&Item> = alone.filter(|item| !held(item, &blocks)).collect();
    blocks.extend(alone.into_iter().map(|item| Block::new(item, Certainty::Certain).variant(BACKOFF)));
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if take.block.variant == BACKOFF {
        let message =
            "The number of retries is not written here: `ModelRetrySettings` has it, and without it none are made.";
        take.note("no-count", item.head.span, message);
        let wait = wait(&mut take.of(item, BACKOFF));
        return Policy::new(wait, 0);
    }
    let mut args = take.main();
    args.unknown_names("an argument of `ModelRetrySettings`", TYPE_ERROR);
    if !args.has("max_retries") {
        let message = "`max_retries` is not written, so nothing is retried.";
        args.take.note("defaults", item.head.span, message).help = "Write `max_retries=`.".into();
    }
    if !args.has("policy") {
        let message = "No `policy` is written here: without one that says what to retry, nothing is.";
        args.take.note("no-policy", item.head.span, message).help =
            "Write `policy=`, such as one of `retry_policies`.".into();
    }
    let retries = args.count("max_retries").unwrap_or(0);
    let backoff = args.value("backoff").filter(|value| !value.is_null());
    let given = backoff.and_then(Value::item).filter(|i| i.head.text.is_empty() || is_settings(i));
    if let Some(value) = backoff.filter(|_| given.is_none()) {
        if value.is_undefined() {
            super::not_followed(
                take,
                "backoff",
                value.span,
                "`backoff` is given by a name that this text does not define.",
            );
        } else {
            take.error(
                "bad-value",
                value.span,
                format!("`backoff` must be settings or a dict, not {}.", value.describe()),
            );
        }
    }
    let wait = wait(&mut take.of(given.unwrap_or(&NOTHING), BACKOFF));
    Policy::new(wait, retries)
}

/// What stands in the place of settings that are not written.
static NOTHING: Item = Item {
    head: Name { text: String::new(), span: Span { start: 0, end: 0 } },
    args: Vec::new(),
    steps: Vec::new(),
    place: Vec::new(),
    form: Form::Map,
    target: None,
    span: Span { start: 0, end: 0 },
};

fn is_settings(item: &Item) -> bool {
    item.is("ModelRetryBackoffSettings") || is_bare(item, &["dict"])
}

fn wait(args: &mut Args) -> Wait {
    args.unknown_names("a field of the backoff settings", TYPE_ERROR);
    let base_ms = args.time("initial_delay").unwrap_or(250.0);
    let cap_ms = args.time("max_delay").unwrap_or(2_000.0);
    let factor = args.number("multiplier").unwrap_or(2.0);
    if let Some(value) = args.value("multiplier").filter(|_| factor < 0.0) {
        args.take.refuse("multiplier", value, "is negative: pydantic raises a ValidationError");
    }
    let wait = Wait::new(Backoff::Exponential { base_ms, factor: factor.max(0.0) }).cap(cap_ms);
    if !args.flag("jitter") {
        return wait;
    }
    let both = args.take.release == CURRENT;
    let order = if both { CapOrder::Both } else { CapOrder::BeforeJitter };
    wait.jitter(Jitter::Proportional { below: 0.125, above: 0.125 }).cap_order(order)
}
