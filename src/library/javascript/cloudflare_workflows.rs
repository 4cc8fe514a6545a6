//! Cloudflare Workflows: `step.do(name, { retries: { limit, delay, backoff }, timeout }, run)`.

use super::{Called, NOTHING, map, methods, options};
use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Item, Kind, Value};
use crate::policy::{Backoff, Policy, Wait};

/// Workflows as of 2026.
pub static LIBRARY: Library = Library {
    id: "cloudflare-workflows",
    title: "Cloudflare Workflows",
    ecosystem: "JavaScript",
    version: "workers-sdk packages/workflows-shared, main branch, 2026",
    source: "packages/workflows-shared/src/lib/retries.ts, lib/validators.ts, context.ts; documentation page Sleeping and retrying",
    counts: "retries by the engine's code, attempts by its documentation (retries.limit)",
    formula: "exponential: delay * 2^(k-1); linear: delay * k; constant: delay",
    words: &["step.do", "WorkflowEntrypoint", "cloudflare:workers", "WorkflowStepConfig", "StepConfig"],
    settings: &[
        Setting::other("retries"),
        Setting::time("timeout", "attemptTimeoutMs", Unit::Millisecond, "600000"),
        Setting::count("limit", "retries", "5").of(RETRIES),
        Setting::time("delay", "baseMs", Unit::Millisecond, "10000").of(RETRIES),
        super::shaping("backoff").of(RETRIES),
    ],
    notes: &[
        "The documentation calls limit the total number of attempts; the engine retries while attempts <= limit, one call more.",
        "Inside retries both limit and delay are required; backoff is exponential where it is not written.",
        "There is no cap and no jitter: ten doublings of 10 s are almost three hours in all.",
        "The local engine of wrangler starts at 1 s where no delay is written.",
        "timeout bounds each attempt.",
    ],
    releases: &[ENGINE, DOCUMENTED],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "export class Publish extends WorkflowEntrypoint {\n  async run(event, step) {\n    await step.do(\"upload\", {\n      retries: { limit: 3, delay: \"5 seconds\", backoff: \"linear\" },\n      timeout: \"2 minutes\",\n    }, async () => upload(event.payload));\n  }\n}\n",
            waits: &[(5.0, 5.0), (10.0, 10.0), (15.0, 15.0)],
        },
        Example {
            text: "await step.do(\"charge\", { retries: { limit: 4, delay: 250 } }, async () => charge(order));\n",
            waits: &[(0.25, 0.25), (0.5, 0.5), (1.0, 1.0), (2.0, 2.0)],
        },
    ],
};

const RETRIES: &str = "retries";
const ENGINE: &str = "engine: limit counts retries";
const DOCUMENTED: &str = "documentation: limit counts attempts";
/// The units of a duration in words.
const UNITS: &[&str] = &["second", "seconds", "minute", "minutes", "hour", "hours", "day", "days", "week", "weeks"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let sure = scan.imports(&["cloudflare:workers"]) || scan.says("WorkflowEntrypoint");
    let mut blocks = Vec::new();
    for called in methods(scan, &["do"]).iter().filter(|called| called.is("step.do")) {
        let retries = config(called).and_then(map).is_some_and(|config| config.get("retries").is_some());
        let runs = [called.at(1), called.at(2)].into_iter().flatten().any(|value| value.fun().is_some());
        if !(retries || runs || sure) {
            continue;
        }
        let certainty = if retries || sure { Certainty::Certain } else { Certainty::Likely };
        blocks.push(called.block(certainty, called.text_at(0)));
    }
    // A configuration that is bound to a name, to be given to steps elsewhere.
    let own = |item: &Item| ["retries.limit", "retries.delay"].iter().all(|key| item.get(key).is_some());
    super::claim_alone(scan, &mut blocks, own, Certainty::Likely);
    blocks
}

/// The configuration: between the name and the function, and not required.
fn config<'d>(called: &Called<'d>) -> Option<&'d Value> {
    called.at(1).filter(|value| value.fun().is_none() && called.at(2).is_some())
}

fn read(take: &mut Take) -> Policy {
    let called = Called::of(&take.block);
    let alone = called.item.get("retries").is_some().then_some(called.item);
    let given = alone.or_else(|| config(&called).and_then(map));
    let documented = take.release == DOCUMENTED;
    let refused = "the step fails at once";
    let retries = given.and_then(|config| config.get("retries"));
    let mut outer = take.of(given.unwrap_or(&NOTHING), "");
    outer.unknown_names("a setting of a step", refused);
    let timeout_ms = time(&mut outer, "timeout").filter(|ms| ms.is_finite());
    if let Some(value) = outer.value("timeout").filter(|_| timeout_ms == Some(0.0)) {
        outer.take.refuse("timeout", value, "must be above 0: the step fails at once");
    }
    let defaults = "limit 5, after 10 s, 20 s, 40 s and so on.";
    let mut args = options(take, retries, RETRIES, defaults);
    if let Some(value) = retries {
        args.unknown_names("a setting of `retries`", refused);
        for name in ["limit", "delay"] {
            if !args.has(name) {
                let message = format!("`retries.{name}` is missing: the step fails at once.");
                args.take.error("missing-key", value.span, message).help = format!("Write `{name}` as well.");
            }
        }
    }
    let limit = args.count("limit");
    let base_ms = delay(&mut args);
    let backoff = backoff(&mut args, base_ms);
    let mut policy = Policy::new(Wait::new(backoff), limit.map(|n| if documented { n.max(1) - 1 } else { n }));
    policy.attempt_timeout_ms = timeout_ms;
    policy
}

fn delay(args: &mut Args) -> f64 {
    match args.value("delay").filter(|value| value.fun().is_some()) {
        Some(value) => {
            args.take.unknown.push("baseMs");
            let message = "`delay` is a function of the error and the attempt; its waits are not known.";
            args.take.note("unknown-value", value.span, message);
            10_000.0
        }
        None => time(args, "delay").unwrap_or(10_000.0),
    }
}

/// A time as a number of ms, or in words with a unit written out.
fn time(args: &mut Args, name: &str) -> Option<f64> {
    let ms = args.time(name);
    if let Some(value) = args.value(name).filter(|value| matches!(value.kind, Kind::Text { .. }))
        && value.duration_ms(Some(Unit::Millisecond)).is_ok_and(|time| !time.only(UNITS))
    {
        args.take.refuse(name, value, "needs a unit written out, such as \"10 seconds\": the step fails at once");
    }
    ms
}

fn backoff(args: &mut Args, base_ms: f64) -> Backoff {
    let exponential = Backoff::Exponential { base_ms, factor: 2.0 };
    let Some(value) = args.value("backoff") else {
        args.take.default("backoff", "exponential");
        return exponential;
    };
    args.take.origin("backoff", value.span);
    match value.text() {
        Some("exponential") => exponential,
        Some("linear") => Backoff::Linear { base_ms, increment_ms: base_ms },
        Some("constant") => Backoff::Constant { delay_ms: base_ms },
        _ => {
            let what = "must be constant, linear or exponential: the step fails at once";
            args.take.refuse("retries.backoff", value, what);
            exponential
        }
    }
}
