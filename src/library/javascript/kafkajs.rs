//! KafkaJS: `new Kafka({ brokers, retry: { initialRetryTime, retries, factor, multiplier, maxRetryTime } })`.

use super::{calls, has_any, map, ms, options};
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::Item;
use crate::policy::{Backoff, CapOrder, Jitter, Phase, Policy, Rounded, RoundingMode, Wait};

/// KafkaJS 2.
pub static LIBRARY: Library = Library {
    id: "kafkajs",
    title: "KafkaJS",
    ecosystem: "JavaScript",
    version: "2.2.4",
    source: "npm package kafkajs: src/retry/index.js, src/retry/defaults.js",
    counts: "retries, the first call not included (retry.retries)",
    formula: "J(initialRetryTime) first, then min(J(previous wait) * multiplier, maxRetryTime); J(t) = whole ms from t - factor*t to t + factor*t",
    words: &["kafkajs", "Kafka", "initialRetryTime", "maxRetryTime"],
    settings: &[
        Setting::other("retry").of(super::CLIENT),
        ms("initialRetryTime", "baseMs", "300"),
        Setting::count("retries", "retries", "5"),
        Setting::number("factor", "jitter", "0.2"),
        Setting::number("multiplier", "factor", "2"),
        ms("maxRetryTime", "capMs", "30000"),
        Setting::other("restartOnFailure"),
    ],
    notes: &[
        "factor is the share of the random part, multiplier is the growth.",
        "Each wait grows from the wait before it, chance included: the spread widens with every retry.",
        "maxRetryTime is the longest single wait, not a bound on the whole, and does not hold for the first one.",
        "Errors that are not retriable end at once; a consumer's restartOnFailure starts over after the last retry.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "import { Kafka } from \"kafkajs\";\n\nconst kafka = new Kafka({\n  clientId: \"app\",\n  brokers: [\"localhost:9092\"],\n  retry: {\n    retries: «retries|Infinity»,\n    initialRetryTime: «base:#»,\n    multiplier: «factor»,\n    factor: «below»,\n    maxRetryTime: «cap:#|86400000»,\n  },\n});\n",
    ],
    examples: &[
        Example {
            text: "import { Kafka } from 'kafkajs';\n\nexport const kafka = new Kafka({\n  clientId: 'billing',\n  brokers: ['kafka-1:9092', 'kafka-2:9092'],\n  retry: { initialRetryTime: 500, retries: 3, maxRetryTime: 2_000 },\n});\n",
            waits: &[(0.4, 0.6), (0.64, 1.44), (1.024, 2.0)],
        },
        Example {
            text: "const { Kafka } = require('kafkajs');\n\nconst kafka = new Kafka({\n  brokers: ['localhost:9092'],\n  retry: { retries: 4, factor: 0, multiplier: 3, initialRetryTime: 100 },\n});\n",
            waits: &[(0.1, 0.1), (0.3, 0.3), (0.9, 0.9), (2.7, 2.7)],
        },
    ],
};

/// `Number.MAX_SAFE_INTEGER`, the usual way to write "no limit" here.
const NO_LIMIT: u64 = (1 << 53) - 1;

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks = Vec::new();
    for (item, imported) in calls(scan, &["kafkajs"], &["Kafka"]) {
        let given = item.at(0).and_then(map);
        if item.is("Kafka") && (imported || given.is_some_and(|given| has_any(given, &["brokers"]))) {
            blocks.push(Block::new(item, if imported { Certainty::Certain } else { Certainty::Likely }));
        }
    }
    let imported = scan.imports(&["kafkajs"]);
    let own = |item: &Item| {
        let of_kafka = imported && super::in_retry(item) && has_any(item, &["retries", "multiplier", "maxRetryTime"]);
        has_any(item, &["initialRetryTime"]) || of_kafka
    };
    super::claim_alone(scan, &mut blocks, own, Certainty::Certain);
    // A client that nothing is written about gives way to its producers and consumers.
    let written = |block: &Block| block.item.at(0).and_then(map).is_some_and(|given| has_any(given, &["retry"]));
    if blocks.iter().any(|block| block.item.head.text.is_empty()) {
        blocks.retain(|block| block.item.head.text.is_empty() || written(block));
    }
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let mut args = match item.head.text.as_str() {
        "" => take.main(),
        _ => {
            let client = item.at(0).and_then(map);
            let given = client.and_then(|client| take.of(client, super::CLIENT).value("retry"));
            options(take, given, "", "5 retries, from 300 ms on, doubled, each ±20 % of the one before.")
        }
    };
    args.unknown_names("a field of `retry`", "it is ignored");
    let retries = args.count("retries").filter(|&n| n < NO_LIMIT);
    let base_ms = args.time("initialRetryTime").unwrap_or(300.0);
    let multiplier = not_negative(&mut args, "multiplier", f64::MAX, "must not be negative").unwrap_or(2.0);
    let share = not_negative(&mut args, "factor", 1.0, "must be between 0 and 1: it is the share of the random part");
    let share = share.unwrap_or(0.2);
    let cap_ms = args.time("maxRetryTime").filter(|ms| ms.is_finite());
    let curve = Wait::new(Backoff::Exponential { base_ms, factor: multiplier });
    let jittered = match share {
        0.0 => curve,
        share => curve.jitter(Jitter::Proportional { below: share, above: share }),
    };
    let first = jittered.clone().rounding(RoundingMode::Ceil, 1.0, Rounded::Wait);
    let mut later = jittered.cap(cap_ms).cap_order(CapOrder::AfterJitter);
    later.carry = true;
    if multiplier > 0.0 {
        // The draw is brought to whole ms before it is multiplied, so the wait comes in steps of the multiplier.
        later = later.rounding(RoundingMode::Ceil, multiplier, Rounded::Wait);
    }
    let mut policy = Policy::new(later, retries);
    policy.phases = vec![Phase { retries: 1, wait: first }];
    policy
}

/// A number from 0 to `most`; otherwise an error, and the default.
fn not_negative(args: &mut Args, name: &str, most: f64, what: &str) -> Option<f64> {
    let number = args.number(name)?;
    match args.value(name).filter(|_| !(0.0..=most).contains(&number)) {
        Some(value) => args.take.refuse(name, value, what),
        None => Some(number),
    }
}
