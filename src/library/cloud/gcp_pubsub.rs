//! Google Pub/Sub: the retry policy of a subscription, whose growth is not published.

use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::policy::{Law, Policy, Shape, Wait};

/// The v1 API.
pub static LIBRARY: Library = Library {
    id: "gcp-pubsub",
    title: "Google Pub/Sub",
    ecosystem: "Google Cloud",
    version: "v1 API, 2026",
    source: "the reference of RetryPolicy",
    counts: "nothing: a message comes back until it is acknowledged or expires",
    formula: "between minimumBackoff and maximumBackoff; the growth is not published",
    words: &[
        "minimumBackoff",
        "maximumBackoff",
        "min-retry-delay",
        "max-retry-delay",
        "ackDeadlineSeconds",
        "retryPolicy",
        "minimum_backoff",
        "maximum_backoff",
        "MinimumBackoff",
        "MaximumBackoff",
        "google_pubsub_subscription",
    ],
    settings: &[
        Setting::duration("minimumBackoff|minimum_backoff|MinimumBackoff|--min-retry-delay", "baseMs", "10s")
            .units(SECONDS),
        Setting::duration("maximumBackoff|maximum_backoff|MaximumBackoff|--max-retry-delay", "capMs", "600s")
            .units(SECONDS),
    ],
    notes: &[
        "Only the bounds of a wait are known: the service publishes neither the growth nor the jitter.",
        "Without a retry policy a message comes back at once.",
        "A dead-letter policy bounds the deliveries, approximately.",
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
            text: "{ \"retryPolicy\": { \"minimumBackoff\": \"5s\", \"maximumBackoff\": \"60s\" } }\n",
            waits: &[(5.0, 60.0), (5.0, 60.0)],
        },
        Example {
            text: "gcloud pubsub subscriptions create jobs --topic=jobs --min-retry-delay=20s --max-retry-delay=120s\n",
            waits: &[(20.0, 120.0), (20.0, 120.0)],
        },
    ],
};

const SECONDS: &[&str] = &["s"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let own = [
        "minimumBackoff",
        "maximumBackoff",
        "minimum_backoff",
        "maximum_backoff",
        "MinimumBackoff",
        "MaximumBackoff",
        "--min-retry-delay",
        "--max-retry-delay",
    ];
    let mut blocks: Vec<Block<'d>> = scan.with_any_key(&own).map(|item| Block::new(item, Certainty::Certain)).collect();
    if blocks.is_empty() {
        // An empty policy could be several systems'; the keys beside it decide how likely this one is.
        let empty = scan.items.iter().copied().filter_map(|holder| {
            let inner = holder.get("retryPolicy")?.item().filter(|i| i.args.is_empty() && i.head.text.is_empty())?;
            let sure = holder.get("ackDeadlineSeconds").is_some() || holder.get("topic").is_some();
            Some(Block::new(inner, if sure { Certainty::Likely } else { Certainty::Possible }))
        });
        blocks.extend(empty);
    }
    blocks
}

fn read(take: &mut Take) -> Policy {
    let mut args = take.main();
    let min_ms = args.time("minimumBackoff").unwrap_or(10_000.0);
    let max_ms = args.time("maximumBackoff").unwrap_or(600_000.0);
    for (name, ms) in [("minimumBackoff", min_ms), ("maximumBackoff", max_ms)] {
        if let Some(value) = args.value(name).filter(|_| ms > 600_000.0) {
            args.take.refuse(name, value, "must be between 0 and 600 seconds");
        }
    }
    if let Some(value) = args.value("maximumBackoff").filter(|_| max_ms < min_ms) {
        args.take.refuse("maximumBackoff", value, "must not be less than minimumBackoff");
    }
    if !args.has("minimumBackoff") && !args.has("maximumBackoff") {
        let span = args.span;
        args.take.note("defaults", span, "Nothing is set: between 10 s and 10 min is the default.");
    }
    let span = args.span;
    let message = "How the waits grow between the two bounds is not published; only the bounds are shown.";
    args.take.note("unpublished", span, message);
    Policy::new(Wait::table(vec![Law::one(min_ms, max_ms.max(min_ms), Shape::Unknown)]), None)
}
