//! CrashLoopBackOff: the kubelet's restarts of a container.

use crate::library::{Block, Certainty, Example, GO, Library, Scan, Setting, Take};
use crate::notation::{Form, Value};
use crate::policy::{Backoff, Policy, Wait};

/// The kubelet of 2026.
pub static LIBRARY: Library = Library {
    id: "kubernetes-crashloop",
    title: "Kubernetes CrashLoopBackOff",
    ecosystem: "Kubernetes",
    version: "kubelet, 2026 (KEP-4603)",
    source: "client-go util/flowcontrol/backoff.go; pkg/kubelet/kubelet.go, kuberuntime_manager.go; keps/sig-node/4603-tune-crashloopbackoff",
    counts: "nothing: it never gives up",
    formula: "0 at first, then min(300, 10 * 2^(k-2)) s",
    words: &[
        "crashLoopBackOff",
        "CrashLoopBackOff",
        "KubeletConfiguration",
        "maxContainerRestartPeriod",
        "kubelet.config.k8s.io",
        "restartPolicy",
        "kubectl",
    ],
    settings: &[Setting::duration("maxContainerRestartPeriod", "capMs", "300s").units(GO)],
    notes: &[
        "The first restart comes at once; the usual lists leave it out.",
        "The waits start again after ten minutes without a restart.",
        "A cap below 10 s is the first delay as well.",
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
            text: "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\ncrashLoopBackOff:\n  maxContainerRestartPeriod: 30s\n",
            waits: &[(0.0, 0.0), (10.0, 10.0), (20.0, 20.0), (30.0, 30.0)],
        },
        Example {
            text: "crashLoopBackOff: { maxContainerRestartPeriod: 5s }\n",
            waits: &[(0.0, 0.0), (5.0, 5.0), (5.0, 5.0)],
        },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks = Vec::new();
    for item in scan.items.iter().copied() {
        let kubelet = item.get("kind").and_then(Value::text) == Some("KubeletConfiguration");
        let inner = item.get("crashLoopBackOff").and_then(Value::item);
        let always = item.get("spec.restartPolicy").and_then(Value::text) == Some("Always")
            && item.get("kind").and_then(Value::text) == Some("Pod");
        // `kubectl run` makes a pod that restarts always, unless it is told otherwise.
        let restart = item.get("--restart").and_then(Value::text).unwrap_or("Always");
        let run = item.form == Form::Command && item.head.text.starts_with("kubectl run");
        if run && matches!(restart, "Always" | "OnFailure") {
            blocks.push(Block::new(item, Certainty::Certain).variant("default"));
            continue;
        }
        match inner {
            Some(inner) => blocks.push(Block::new(inner, Certainty::Certain).with(item)),
            None if kubelet || always => blocks.push(Block::new(item, Certainty::Certain).variant("default")),
            None => {}
        }
    }
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    // The gate of Kubernetes 1.33 that starts at 1 s and stops at a minute.
    let gate =
        take.block.others.first().copied().unwrap_or(item).get("featureGates.ReduceDefaultCrashLoopBackOffDecay");
    let reduced = gate.filter(|gate| gate.flag() == Some(true));
    let (first_ms, usual_ms): (f64, f64) = if reduced.is_some() { (1_000.0, 60_000.0) } else { (10_000.0, 300_000.0) };
    let cap_ms = if take.block.variant == "default" {
        if let Some(gate) = reduced {
            take.note("gate", gate.span, "With this gate the restarts wait from 1 s, doubling to 60 s.");
        } else {
            let message =
                "Nothing about restarts is written: at once, then 10 s doubling to 5 min, for ever, is the default.";
            take.note("defaults", item.span, message);
        }
        take.default("capMs", format!("{} s", usual_ms / 1e3));
        usual_ms
    } else {
        let mut args = take.main();
        let cap_ms = if args.has("maxContainerRestartPeriod") { args.time("maxContainerRestartPeriod") } else { None };
        let cap_ms = cap_ms.unwrap_or(usual_ms);
        if let Some(value) =
            args.value("maxContainerRestartPeriod").filter(|_| !(1_000.0..=300_000.0).contains(&cap_ms))
        {
            args.take.refuse("maxContainerRestartPeriod", value, "must be between 1s and 300s");
        }
        args.unknown_names("a field of crashLoopBackOff", "the kubelet refuses it");
        let written = args.value("maxContainerRestartPeriod");
        let off = take.block.others.first().and_then(|kubelet| kubelet.get("featureGates.KubeletCrashLoopBackOffMax"));
        match off.filter(|gate| gate.flag() == Some(false)).and(written) {
            Some(value) => {
                let message = "The gate KubeletCrashLoopBackOffMax is off here: the kubelet refuses this field.";
                take.error("gate-off", value.span, message);
                usual_ms
            }
            None => cap_ms,
        }
    };
    let message = "The waits count from each exit, so the time that the container runs adds to every gap; after ten \
                   minutes of running they start anew.";
    take.note("reset", item.span, message);
    take.default("baseMs", format!("{} s", first_ms / 1e3));
    take.default("factor", "2");
    let mut wait = Wait::new(Backoff::Exponential { base_ms: first_ms.min(cap_ms), factor: 2.0 }).cap(cap_ms);
    wait.skip = 1;
    let mut policy = Policy::new(wait, None);
    policy.first_wait_ms = Some(0.0);
    take.default("firstWaitMs", "0 s");
    policy
}
