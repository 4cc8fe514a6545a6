//! Argo Workflows: the retry strategy of a template.

use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, GO, Library, Scan, Setting, Take};
use crate::notation::{Item, Kind, Value};
use crate::policy::{Backoff, Clock, Deadline, Overrun, Policy, Wait};

/// Argo Workflows 4.
pub static LIBRARY: Library = Library {
    id: "argo-workflows",
    title: "Argo Workflows",
    ecosystem: "Kubernetes",
    version: "v4.1.2 (f016ad89eb, 2026-08)",
    source: "workflow/controller/operator.go processNodeRetries; pkg/apis/workflow/v1alpha1",
    counts: "retries (limit)",
    formula: "min(cap, duration * factor^(k-1))",
    words: &["retryStrategy", "argoproj.io", "maxDuration", "retryPolicy", "hera.workflows", "RetryStrategy"],
    settings: &[
        Setting::other("limit"),
        Setting::other("retryPolicy|retry_policy"),
        Setting::other("backoff"),
        Setting::other("affinity"),
        Setting::other("expression"),
        Setting::time("duration", "baseMs", Unit::Second, "").of("backoff").units(GO),
        Setting::other("factor").of("backoff"),
        Setting::time("cap", "capMs", Unit::Second, "").of("backoff").units(GO),
        Setting::time("maxDuration|max_duration", "deadline", Unit::Second, "").of("backoff").units(GO),
    ],
    notes: &[
        "limit counts retries.",
        "Without limit there is no wait at all, whatever backoff says, and no end.",
        "Without factor the wait is constant.",
        "maxDuration counts from the start of the first attempt; a retry whose wait would end after it is not started.",
    ],
    releases: &["maxDuration applied", "maxDuration not applied"],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "templates:\n- name: call\n  retryStrategy:\n    limit: \"«retries»\"\n    backoff:\n      duration: \"«base:s»\"\n      factor: \"«factor»\"‹\n      cap: \"«cap:s»\"›‹\n      maxDuration: \"«refuse:s»\"›\n  container:\n    image: example/call:1\n",
        "templates:\n- name: call\n  retryStrategy:\n«unlimited»    backoff:\n      duration: \"«base:s»\"\n      factor: \"«factor»«delay:-»\"‹\n      cap: \"«cap:s»\"›‹\n      maxDuration: \"«refuse:s»\"›\n  container:\n    image: example/call:1\n",
    ],
    examples: &[
        Example {
            text: "templates:\n  - name: train\n    retryStrategy:\n      limit: \"3\"\n      retryPolicy: OnError\n      backoff:\n        duration: \"30s\"\n        factor: \"2\"\n        cap: \"1m\"\n",
            waits: &[(30.0, 30.0), (60.0, 60.0), (60.0, 60.0)],
        },
        Example {
            text: "retryStrategy:\n  limit: 2\n  backoff: {duration: \"5\"}\n",
            waits: &[(5.0, 5.0), (5.0, 5.0)],
        },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let named = scan.says("argoproj.io");
    let own = ["limit", "backoff", "retryPolicy", "expression", "affinity"];
    scan.items
        .iter()
        .filter_map(|holder| {
            // Hera says the same in Python.
            let python = || holder.get("retry_strategy")?.item().filter(|i| i.is("RetryStrategy"));
            let inner = holder.get("retryStrategy").and_then(Value::item).or_else(python)?;
            // Argo Events has other steps under the same name.
            if inner.get("steps").is_some() {
                return None;
            }
            let keys = own.iter().any(|key| inner.get(key).is_some());
            let sure = if named || keys { Certainty::Certain } else { Certainty::Likely };
            let name = holder.get("name").and_then(Value::text);
            let block = Block::new(inner, sure);
            Some(match name {
                Some(name) => block.label(name),
                None => block,
            })
        })
        .collect()
}

/// A number that may be quoted.
fn number<'t>(args: &mut Args<'_, 't>, name: &str, field: &'static str) -> Option<(f64, &'t Value)> {
    let value = args.value(name)?;
    match value.text_number() {
        Some(number) => {
            args.take.origin(field, value.span);
            Some((number, value))
        }
        None => {
            args.take.number(name, field, value);
            None
        }
    }
}

fn read(take: &mut Take) -> Policy {
    let mut args = take.main();
    let limit = number(&mut args, "limit", "retries");
    if let Some((n, value)) = limit.filter(|(n, _)| *n < 0.0 || n.fract() != 0.0) {
        args.take.refuse("limit", value, &format!("is {n}; it must be a whole number that is not negative"));
    }
    let inner = args.value("backoff").and_then(Value::item);
    args.unknown_names("a field of retryStrategy", "the manifest is refused");
    let retries = limit.map(|(n, _)| n.max(0.0) as u64);
    let mut policy = Policy::new(Wait::new(Backoff::Constant { delay_ms: 0.0 }), retries);
    if let Some(inner) = inner {
        backoff(take, inner, &mut policy);
    } else {
        take.default("baseMs", "no wait");
    }
    policy
}

fn backoff<'t>(take: &mut Take<'t>, inner: &'t Item, policy: &mut Policy) {
    let applied = take.release != "maxDuration not applied";
    let mut args = take.of(inner, "backoff");
    let span = args.span;
    if !args.has("duration") {
        args.take.error("missing", span, "`backoff.duration` is missing; the workflow fails with an error.");
    }
    if let Some(value) =
        args.value("duration").filter(|v| matches!(v.kind, Kind::Number { ref suffix, .. } if suffix.is_empty()))
    {
        let message = "duration is a text in current releases; a bare number has to be quoted.";
        args.take.note("unquoted", value.span, message).help =
            format!("Write \"{}\".", value.number().unwrap_or_default());
    }
    let base_ms = args.time("duration").unwrap_or(0.0);
    let factor = number(&mut args, "factor", "factor");
    if let Some((n, value)) = factor.filter(|(n, _)| n.fract() != 0.0) {
        args.take.refuse("factor", value, &format!("is {n}; it must be a whole number"));
    }
    let cap_ms = args.time("cap").filter(|ms| *ms > 0.0);
    let limit_ms = args.time("maxDuration").filter(|ms| *ms > 0.0);
    if factor.is_none() {
        args.take.note("no-factor", span, "No factor is written: the wait is the same every time.");
    }
    args.unknown_names("a field of backoff", "the manifest is refused");
    if policy.retries.is_none() {
        args.take.warning(
            "no-limit",
            span,
            "Without `limit` the controller retries at once and for ever; backoff has no effect.",
        );
    } else {
        let curve = match factor {
            Some((factor, _)) => Backoff::Exponential { base_ms, factor: factor.max(1.0) },
            None => Backoff::Constant { delay_ms: base_ms },
        };
        policy.wait = Wait::new(curve).cap(cap_ms);
    }
    if let Some(limit_ms) = limit_ms.filter(|_| applied) {
        policy.deadline = Some(Deadline { limit_ms, overrun: Overrun::Refuse, clock: Clock::Elapsed });
        let fit = policy.fixed_waits_within(limit_ms);
        if let (Some(fit), Some(value)) = (fit, args.value("maxDuration")) {
            let message = format!("maxDuration ends the retries: the wait of retry {} would end after it.", fit + 1);
            args.take.warning("max-duration", value.span, message);
            policy.retries = Some(fit);
        }
    }
}
