//! Kubernetes Jobs: pods made again after a failure.

use crate::duration::Unit;
use crate::library::near::slipped;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take, same};
use crate::notation::{Form, Item, Value};
use crate::policy::{Backoff, Clock, Deadline, Overrun, Policy, Wait};

/// The job controller of 2026.
pub static LIBRARY: Library = Library {
    id: "kubernetes-job",
    title: "Kubernetes Job",
    ecosystem: "Kubernetes",
    version: "job controller, 2026",
    source: "pkg/controller/job/job_controller.go, backoff_utils.go",
    counts: "retries: further pods (backoffLimit); 6 unless written",
    formula: "min(600, 10 * 2^(k-1)) s",
    words: &[
        "backoffLimit",
        "batch/v1",
        "CronJob",
        "activeDeadlineSeconds",
        "Job",
        "restartPolicy",
        "backoff_limit",
        "kubernetes_job",
        "kubernetes_job_v1",
        "BackoffLimit",
        "create job",
        "kubectl",
    ],
    settings: &[
        Setting::count("backoffLimit|backoff_limit", "retries", "6"),
        Setting::count("backoffLimitPerIndex|backoff_limit_per_index", "retries", ""),
        Setting::time("activeDeadlineSeconds|active_deadline_seconds", "deadline", Unit::Second, ""),
        Setting::other("BackoffLimit|ActiveDeadlineSeconds").of("go"),
    ],
    notes: &[
        "backoffLimit counts retries: one more pod runs.",
        "The code stops doubling at ten minutes, the documentation says six.",
        "With restartPolicy OnFailure the kubelet restarts the container in place, by other rules.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: job\nspec:\n  backoffLimit: «retries»«factor:-»‹\n  activeDeadlineSeconds: «shorten:S»›\n  template:\n    spec:\n      restartPolicy: Never\n      containers:\n      - name: job\n        image: example/job:1\n",
    ],
    examples: &[
        Example {
            text: "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: migrate\nspec:\n  backoffLimit: 3\n  template:\n    spec:\n      restartPolicy: Never\n      containers:\n      - name: migrate\n        image: example/migrate:2\n",
            waits: &[(10.0, 10.0), (20.0, 20.0), (40.0, 40.0)],
        },
        Example { text: "spec:\n  backoffLimit: 1\n", waits: &[(10.0, 10.0)] },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks: Vec<Block<'d>> = Vec::new();
    for item in scan.items.iter().copied() {
        let kind = item.get("kind").and_then(Value::text).unwrap_or_default();
        let spec = match kind {
            "Job" => item.get("spec"),
            "CronJob" => item.get("spec.jobTemplate.spec"),
            _ => None,
        };
        if let Some(spec) = spec.and_then(Value::item) {
            let name = item.get("metadata.name").and_then(Value::text).unwrap_or(kind);
            blocks.push(Block::new(spec, Certainty::Certain).label(name).with(item));
        } else if item.get("backoffLimit").is_some()
            && job_spec(item)
            && !blocks.iter().any(|b| b.item.span == item.span)
        {
            blocks.push(Block::new(item, Certainty::Certain));
        } else if pod_template(item) && blocks.is_empty() && item.get("replicas").is_none() {
            blocks.push(Block::new(item, Certainty::Possible));
        }
    }
    // Terraform's resource and Python's model have the same fields in another case.
    let snake = scan.items.iter().copied().filter(|i| {
        let resource = i.is("spec") && scan.says("kubernetes_job") || i.is("spec") && scan.says("kubernetes_cron_job");
        (i.get("backoff_limit").is_some() || slipped(i, &["backoff_limit"])) && (resource || i.is("V1JobSpec"))
    });
    blocks.extend(snake.map(|item| Block::new(item, Certainty::Certain)));
    let go = scan.heads(&["JobSpec"]).filter(|i| i.form == Form::Call && i.get("BackoffLimit").is_some());
    blocks.extend(go.map(|item| Block::new(item, Certainty::Certain).variant("go")));
    let made = scan.items.iter().copied().filter(|i| i.form == Form::Command && i.head.text == "kubectl create job");
    blocks.extend(made.map(|item| Block::new(item, Certainty::Certain)));
    let mut seen = Vec::new();
    blocks.retain(|b| {
        let fresh = !seen.contains(&b.item.span);
        seen.push(b.item.span);
        fresh
    });
    blocks
}

/// Whether every key is one of a Job's spec: `backoffLimit` alone is also the cap of two HTTP clients.
fn job_spec(item: &Item) -> bool {
    const KEYS: &[&str] = &[
        "backoffLimit",
        "activeDeadlineSeconds",
        "template",
        "parallelism",
        "completions",
        "completionMode",
        "suspend",
        "selector",
        "ttlSecondsAfterFinished",
        "podFailurePolicy",
        "backoffLimitPerIndex",
        "maxFailedIndexes",
        "manualSelector",
        "podReplacementPolicy",
        "successPolicy",
        "managedBy",
        // The values of a chart
        "restartPolicy",
    ];
    item.args.iter().filter_map(|a| a.name.as_ref()).all(|name| KEYS.contains(&name.text.as_str()))
}

/// A pod template that does not restart its containers, without a kind around it.
fn pod_template(item: &Item) -> bool {
    let policy = item.get("template.spec.restartPolicy").and_then(Value::text);
    matches!(policy, Some("Never" | "OnFailure")) && item.get("selector").is_none()
}

/// A backoffLimit in another spelling, or in another place of the same manifest: it does nothing there.
fn elsewhere(take: &mut Take) {
    let spec = take.block.item;
    let Some(&manifest) = take.block.others.first() else { return };
    let mut found = Vec::new();
    manifest.walk(&mut |item| {
        let named = item.args.iter().filter_map(|a| Some((a.name.as_ref()?, &a.value)));
        let wrong = named.filter(|(name, _)| {
            same(&name.text, "backoffLimit") && (item.span != spec.span || name.text != "backoffLimit")
        });
        found.extend(wrong.map(|(name, value)| (item.span == spec.span, name.text.clone(), name.span.to(value.span))));
    });
    for (misspelt, name, span) in found {
        let message = match misspelt {
            true => format!("`{name}` is not a field of a Job's spec; it is refused or dropped."),
            false => {
                format!("`{name}` stands in the wrong place: it belongs in the Job's own spec, and has no effect here.")
            }
        };
        let finding = take.error(if misspelt { "unknown-key" } else { "misplaced-key" }, span, message);
        finding.help = if misspelt { "Did you mean `backoffLimit`?".into() } else { String::new() };
    }
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if take.block.variant == "go" {
        return go(take, item);
    }
    elsewhere(take);
    let mut args = take.main();
    let indexed = args.has("backoffLimitPerIndex");
    if !args.has("backoffLimit") && !indexed {
        let span = args.span;
        args.take.note("defaults", span, "backoffLimit is left out: 6 retries is the default.");
    }
    let retries = match indexed {
        true => args.count("backoffLimitPerIndex").unwrap_or(6),
        false => args.count("backoffLimit").unwrap_or(6),
    };
    if let Some(value) = args.value("backoffLimitPerIndex") {
        let message = "backoffLimitPerIndex counts the retries of each index; backoffLimit, unbounded then unless it is \
                       written, those of all together.";
        args.take.note("per-index", value.span, message);
    }
    let limit_ms = args.time("activeDeadlineSeconds");
    if let Some(value) = args.value("backoffLimit").filter(|_| retries > 0) {
        let message = format!("backoffLimit counts retries: up to {} pods.", retries.saturating_add(1));
        args.take.note("counts-retries", value.span, message);
    }
    if let Some(value) = item.get("template.spec.restartPolicy").filter(|v| v.text() == Some("Always")) {
        let message = "A Job's pods may restart OnFailure or Never; the API server refuses Always.";
        args.take.error("bad-value", value.span, message);
    }
    let restarts = item.get("template.spec.restartPolicy").filter(|v| v.text() == Some("OnFailure"));
    if let Some(value) = restarts {
        let message =
            "With OnFailure the kubelet restarts the container in place; its waits are those of CrashLoopBackOff.";
        args.take.note("restart-in-place", value.span, message);
    }
    limited(take, retries, limit_ms)
}

/// `batchv1.JobSpec{BackoffLimit: ptr.To[int32](2)}`: numbers behind pointers.
fn go<'t>(take: &mut Take<'t>, item: &'t Item) -> Policy {
    let number = |take: &mut Take<'t>, name: &str, field: &'static str| {
        let value = item.get(name)?;
        let inner = value.item().and_then(|pointer| pointer.at(0)).unwrap_or(value);
        take.number(name, field, inner)
    };
    let retries = number(take, "BackoffLimit", "retries").map_or(6, |n| n.max(0.0) as u64);
    let limit_ms = number(take, "ActiveDeadlineSeconds", "deadline").map(|s| s * 1e3);
    limited(take, retries, limit_ms)
}

fn limited(take: &mut Take, retries: u64, limit_ms: Option<f64>) -> Policy {
    let wait = Wait::new(Backoff::Exponential { base_ms: 10_000.0, factor: 2.0 }).cap(600_000.0);
    for (field, default) in [("baseMs", "10 s"), ("factor", "2"), ("capMs", "10 min")] {
        take.default(field, default);
    }
    let mut policy = Policy::new(wait, retries);
    policy.deadline = limit_ms.map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Shorten, clock: Clock::Elapsed });
    policy
}
