//! Dapr: the retry policies of a Resiliency resource.

use crate::library::{Args, Block, Certainty, Example, GO, Library, Scan, Setting, Take};
use crate::notation::{Crumb, Item, Value};
use crate::policy::{Backoff, Clock, Deadline, Jitter, Overrun, Policy, Wait};

/// dapr.io/v1alpha1.
pub static LIBRARY: Library = Library {
    id: "dapr",
    title: "Dapr",
    ecosystem: "mesh",
    version: "dapr.io/v1alpha1, 2026",
    source: "dapr/kit retry/retry.go; dapr/dapr pkg/resiliency/resiliency.go",
    counts: "retries (maxRetries); -1, the default, has no bound",
    formula: "constant: duration; exponential: U[0.5, 1.5) * min(maxInterval, 500 ms * 1.5^(k-1))",
    words: &["dapr.io", "Resiliency", "retries", "maxRetries", "maxInterval"],
    settings: &[
        Setting::other("policy"),
        Setting::duration("duration", "baseMs", "5s").units(GO),
        Setting::duration("maxInterval", "capMs", "60s").units(GO),
        Setting::number("maxRetries", "retries", "-1"),
        Setting::other("matching"),
    ],
    notes: &[
        "maxRetries counts retries; without it, or with -1, a constant policy retries for ever.",
        "duration belongs to the constant policy, maxInterval to the exponential one; each is ignored by the other.",
        "The exponential policy starts at 500 ms, grows by half and gives up after 15 minutes; none of it can be set.",
        "Its randomness comes after maxInterval, so waits pass it by up to half.",
        "After the retries of an inbound policy the broker may deliver again, and the retries start anew.",
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
            text: "apiVersion: dapr.io/v1alpha1\nkind: Resiliency\nmetadata:\n  name: checkout\nspec:\n  policies:\n    retries:\n      important:\n        policy: constant\n        duration: 2s\n        maxRetries: 3\n  targets:\n    apps:\n      payments:\n        retry: important\n",
            waits: &[(2.0, 2.0), (2.0, 2.0), (2.0, 2.0)],
        },
        Example {
            text: "apiVersion: dapr.io/v1alpha1\nkind: Resiliency\nspec:\n  policies:\n    retries:\n      slow: { policy: exponential, maxInterval: 700ms, maxRetries: 3 }\n",
            waits: &[(0.25, 0.75), (0.35, 1.05), (0.35, 1.05)],
        },
    ],
};

const FIFTEEN_MINUTES_MS: f64 = 900_000.0;

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let named = scan.says("dapr.io") || scan.says("kind: Resiliency");
    let certainty = if named { Certainty::Certain } else { Certainty::Likely };
    let own = |item: &&&Item| {
        let kind = item.get("policy").and_then(Value::text);
        let typed = matches!(kind, Some("constant" | "exponential"));
        let said = ["duration", "maxInterval", "maxRetries"].iter().any(|name| item.get(name).is_some());
        under_retries(item) && (typed && (named || said) || named && said)
    };
    scan.items.iter().filter(own).map(|item| Block::new(item, certainty)).collect()
}

/// Whether an item is an entry of a map `retries`.
fn under_retries(item: &Item) -> bool {
    let [.., Crumb::Key(outer), Crumb::Key(_)] = item.place.as_slice() else { return false };
    outer == "retries" && item.head.text.is_empty()
}

fn read(take: &mut Take) -> Policy {
    let block = take.block.item;
    if !take.scan.says("dapr.io") {
        let message = "Read as a retry policy of Dapr's Resiliency resource, by its shape alone.";
        take.note("assumed", block.span, message).help = "With `apiVersion: dapr.io/v1alpha1` it would be sure.".into();
    }
    let inbound = take.scan.says("inbound");
    let mut args = take.main();
    args.unknown_names("a field of a retry policy", "it is ignored");
    let exponential = exponential(&mut args);
    let retries = retries(&mut args);
    let (used, ignored) = if exponential { ("maxInterval", "duration") } else { ("duration", "maxInterval") };
    if let Some(value) = args.value(ignored) {
        let (this, that) = if exponential { ("exponential", "constant") } else { ("constant", "exponential") };
        let message = format!("`{ignored}` belongs to the {that} policy; a {this} one ignores it and takes `{used}`.");
        args.take.warning("no-effect", value.span, message);
    }
    if let Some(value) = args.value("maxRetries").filter(|_| inbound && retries.is_some()) {
        let message = "After these retries an inbound message goes back to the broker: it is delivered again by the broker's own rules, and the retries start anew.";
        args.take.note("redelivery", value.span, message);
    }
    if !exponential {
        let delay_ms = args.time("duration").unwrap_or(5_000.0);
        return Policy::new(Wait::new(Backoff::Constant { delay_ms }), retries);
    }
    let cap_ms = args.time("maxInterval").unwrap_or(60_000.0);
    for (field, what) in
        [("baseMs", "500 ms"), ("factor", "1.5"), ("jitter", "half, both ways"), ("deadline", "15 min")]
    {
        args.take.default(field, what);
    }
    let wait = Wait::new(Backoff::Exponential { base_ms: 500.0, factor: 1.5 }).cap(cap_ms);
    let mut policy = Policy::new(wait.jitter(Jitter::Proportional { below: 0.5, above: 0.5 }), retries);
    policy.deadline = Some(Deadline { limit_ms: FIFTEEN_MINUTES_MS, overrun: Overrun::Refuse, clock: Clock::Elapsed });
    policy
}

/// Whether the policy is the exponential one; constant unless it says so.
fn exponential(args: &mut Args) -> bool {
    let Some(value) = args.value("policy") else {
        args.take.default("backoff", "constant");
        return false;
    };
    args.take.origin("backoff", value.span);
    match value.text().map(str::to_ascii_lowercase).as_deref() {
        Some("exponential") => true,
        Some("constant") => false,
        _ => {
            args.take.refuse("policy", value, "must be constant or exponential; the resource is not loaded");
            false
        }
    }
}

fn retries(args: &mut Args) -> Option<u64> {
    let retries = args.number("maxRetries").unwrap_or(-1.0);
    match args.value("maxRetries") {
        None => {
            let span = args.span;
            args.take.note(
                "defaults",
                span,
                "`maxRetries` is not written: without it there is no bound on the retries.",
            );
        }
        Some(value) if retries.fract() != 0.0 => {
            args.take.refuse("maxRetries", value, "must be a whole number");
        }
        Some(_) => {}
    }
    (retries >= 0.0).then_some(retries as u64)
}
