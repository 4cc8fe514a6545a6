//! OpenTelemetry Collector: retry_on_failure of an exporter.

use crate::library::{Args, Block, Certainty, Example, GO, Library, Scan, Setting, Take};
use crate::notation::{Item, Value};
use crate::policy::{Backoff, Clock, Deadline, Jitter, Overrun, Phase, Policy, Wait};
use crate::retry_after::RetryAfter;

/// The collector of August 2026.
pub static LIBRARY: Library = Library {
    id: "otel-collector-retry",
    title: "OpenTelemetry Collector",
    ecosystem: "collectors",
    version: "v1.65.0/v0.159.0 (934999fbab, 2026-08)",
    source: "config/configretry, exporter/exporterhelper/internal/retry_sender.go",
    counts: "nothing: max_elapsed_time is what stops it",
    formula: "min(max_interval, initial_interval * multiplier^(k-1)) * U[1 - randomization_factor, 1 + randomization_factor]",
    words: &[
        "retry_on_failure",
        "exporters",
        "otlp",
        "max_elapsed_time",
        "otelcol",
        "retry_on_failure_enabled",
        "retry_on_failure_initial_interval",
        "retry_on_failure_max_interval",
        "retry_on_failure_max_elapsed_time",
        "configretry",
        "BackOffConfig",
        "RetryConfig",
    ],
    settings: &[
        Setting::flag("enabled|Enabled", "retries", "true"),
        Setting::duration("initial_interval|InitialInterval", "baseMs", "5s").units(GO),
        Setting::number("randomization_factor|RandomizationFactor", "jitter", "0.5"),
        Setting::number("multiplier|Multiplier", "factor", "1.5"),
        Setting::duration("max_interval|MaxInterval", "capMs", "30s").units(GO),
        Setting::duration("max_elapsed_time|MaxElapsedTime", "deadline", "5m").units(GO),
    ],
    notes: &[
        "There is no count: max_elapsed_time, 5 min unless written, ends the retries; 0 means never.",
        "The cap acts before the jitter: waits reach max_interval * (1 + randomization_factor).",
        "A wait that would end after max_elapsed_time is not made.",
    ],
    releases: &["max_elapsed_time applied", "max_elapsed_time not applied"],
    error_classes: &[],
    relaxed_names: false,
    retry_after: Some((
        RetryAfter::Floors,
        "exporterhelper, internal/retry_sender.go at 093d50a; where the exporter passes it on",
    )),
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "exporters:\n  otlphttp:\n    endpoint: https://otel.example.com\n    retry_on_failure:\n      initial_interval: 1s\n      multiplier: 2\n      max_interval: 3s\n      randomization_factor: 0\n      max_elapsed_time: 1m\n",
            waits: &[(1.0, 1.0), (2.0, 2.0), (3.0, 3.0)],
        },
        Example {
            text: "retry_on_failure: {initial_interval: 2s, max_interval: 10s, max_elapsed_time: 0s}\n",
            waits: &[(1.0, 3.0), (1.5, 4.5)],
        },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let holders = scan.with_keys(&["retry_on_failure"]);
    let mut blocks: Vec<Block<'d>> = holders
        .filter_map(|holder| {
            let value = holder.get("retry_on_failure")?;
            Some(Block::new(value.item()?, Certainty::Certain).at(value.span))
        })
        .collect();
    let made = |item: &'d Item| {
        let literal = if item.is("RetryConfig") { EXPORTER } else { "literal" };
        let made = item.is("configretry.NewDefaultBackOffConfig");
        Block::new(item, Certainty::Certain).variant(if made { "" } else { literal })
    };
    blocks.extend(scan.heads(GO_CONFIG).map(made));
    // Alloy's blocks.
    blocks.extend(scan.heads(&["retry_on_failure"]).map(|item| Block::new(item, Certainty::Certain)));
    // The exporters of the SDK for Go: otlptracehttp.RetryConfig and its like.
    blocks.extend(scan.heads(&["RetryConfig"]).filter(|item| item.head.text.starts_with("otlp")).map(made));
    // Generators of configurations flatten the keys.
    let flat = scan
        .items
        .iter()
        .copied()
        .filter(|i| i.args.iter().any(|a| a.name.as_ref().is_some_and(|n| n.text.starts_with(FLAT))));
    blocks.extend(flat.map(|item| Block::new(item, Certainty::Possible).variant("flat")));
    blocks
}

/// The configuration as a component written in Go has it.
const GO_CONFIG: &[&str] = &["configretry.BackOffConfig", "configretry.NewDefaultBackOffConfig"];

/// `exporters/otlp/otlptrace/otlptracehttp/internal/retry/retry.go`: no factors of its own, and a wait may pass the limit.
const EXPORTER: &str = "exporter";

const FLAT: &str = "retry_on_failure_";

fn read(take: &mut Take) -> Policy {
    let item: &Item = take.block.item;
    if take.block.variant == "flat" {
        return flat(take, item);
    }
    let mut args = take.main();
    args.unknown_names("a key of retry_on_failure", "the collector does not start");
    if is_zero(&args, "enabled") || !args.flag("enabled") {
        return Policy::single_call();
    }
    policy(args)
}

/// Whether a setting is false or 0 because a literal of Go does not give it.
fn is_zero(args: &Args, name: &str) -> bool {
    matches!(args.take.block.variant, "literal" | EXPORTER) && args.value(name).is_none()
}

fn policy(mut args: Args) -> Policy {
    let base_ms = args.time("initial_interval").unwrap_or(5_000.0);
    let exporter = args.take.block.variant == EXPORTER;
    let zero = |args: &Args, name: &str| !exporter && is_zero(args, name);
    let number = |args: &mut Args, name: &str| if zero(args, name) { None } else { args.number(name) };
    let share = number(&mut args, "randomization_factor").unwrap_or(0.0);
    let factor = number(&mut args, "multiplier").unwrap_or(0.0);
    let cap_ms = if zero(&args, "max_interval") { None } else { args.time("max_interval") }.unwrap_or(0.0);
    // A bare 0 is 0 in any unit.
    let zero = args.value("max_elapsed_time").filter(|value| value.number() == Some(0.0));
    let limit_ms = match zero {
        Some(value) => {
            args.take.origin("deadline", value.span);
            0.0
        }
        None if is_zero(&args, "max_elapsed_time") => 0.0,
        None => args.time("max_elapsed_time").unwrap_or(300_000.0),
    };
    for (name, number) in [("randomization_factor", share), ("multiplier", factor)] {
        if let Some(value) = args.value(name).filter(|_| number < 0.0) {
            args.take.refuse(name, value, "must not be negative");
        }
    }
    if let Some(value) = args.value("randomization_factor").filter(|_| share > 1.0) {
        args.take.refuse("randomization_factor", value, "must be at most 1");
    }
    if let Some(value) = args.value("max_elapsed_time").filter(|_| limit_ms > 0.0 && !exporter) {
        for (name, ms) in [("max_interval", cap_ms), ("initial_interval", base_ms)] {
            if limit_ms < ms {
                args.take.refuse("max_elapsed_time", value, &format!("must not be less than {name}"));
                break;
            }
        }
    }
    let applied = args.take.release != "max_elapsed_time not applied";
    let mut policy = build(base_ms, factor, cap_ms, share, Some(limit_ms).filter(|ms| *ms > 0.0 && applied));
    if let Some(deadline) = policy.deadline.as_mut().filter(|_| exporter) {
        deadline.overrun = Overrun::Allow;
    }
    policy
}

fn build(base_ms: f64, factor: f64, cap_ms: f64, share: f64, limit_ms: Option<f64>) -> Policy {
    let jitter = if share > 0.0 { Jitter::Proportional { below: share, above: share } } else { Jitter::None };
    let wait = Wait::new(Backoff::Exponential { base_ms, factor }).jitter(jitter);
    let mut policy = Policy::new(wait.clone().cap(cap_ms), None);
    if base_ms > cap_ms {
        policy.phases = vec![Phase { retries: 1, wait }];
    }
    policy.deadline = limit_ms.map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Refuse, clock: Clock::Elapsed });
    policy
}

/// `retry_on_failure_initial_interval: 5`: the same settings under longer names, in seconds.
fn flat(take: &mut Take, item: &Item) -> Policy {
    let span = item.span;
    let message =
        "These keys are retry_on_failure's written flat, as a generator has them; bare numbers are read as seconds.";
    take.note("assumed", span, message).help = "Paste the collector's own configuration to be sure.".into();
    let mut number = |name: &str, field: &'static str, default: f64| {
        let Some(value): Option<&Value> = item.get(&format!("{FLAT}{name}")) else { return default };
        take.number(name, field, value).unwrap_or(default)
    };
    let base_ms = number("initial_interval", "baseMs", 5.0) * 1e3;
    let cap_ms = number("max_interval", "capMs", 30.0) * 1e3;
    let limit_ms = number("max_elapsed_time", "deadline", 300.0) * 1e3;
    let (factor, share) = (number("multiplier", "factor", 1.5), number("randomization_factor", "jitter", 0.5));
    build(base_ms, factor, cap_ms, share, Some(limit_ms).filter(|ms| *ms > 0.0))
}
