//! AWS SQS: a message that comes back until it goes to the dead-letter queue.

use crate::duration::Unit;
use crate::library::near::slipped;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Item, Value};
use crate::policy::{Backoff, Policy, Wait};

/// The service as of 2026.
pub static LIBRARY: Library = Library {
    id: "aws-sqs-redrive",
    title: "AWS SQS redrive",
    ecosystem: "AWS",
    version: "2026",
    source: "the service's documentation of visibility timeouts and maxReceiveCount",
    counts: "calls: receives before the dead-letter queue (maxReceiveCount)",
    formula: "VisibilityTimeout",
    words: &[
        "maxReceiveCount",
        "RedrivePolicy",
        "AWS::SQS::Queue",
        "VisibilityTimeout",
        "redrive_policy",
        "visibility_timeout_seconds",
        "aws_sqs_queue",
        "max_receive_count",
        "visibilityTimeout",
        "deadLetterQueue",
        "dead_letter_queue",
    ],
    settings: &[
        Setting::time(
            "VisibilityTimeout|visibility_timeout_seconds|visibilityTimeout|visibility_timeout",
            "baseMs",
            Unit::Second,
            "30",
        ),
        Setting::other("RedrivePolicy|redrive_policy|deadLetterQueue|dead_letter_queue"),
        Setting::count("maxReceiveCount|max_receive_count", "retries", "").of("redrive"),
        Setting::other("deadLetterTargetArn").of("redrive"),
    ],
    notes: &[
        "maxReceiveCount counts receives; there is one wait fewer.",
        "The wait is the visibility timeout, counted from the receive.",
        "The message moves to the dead-letter queue on the receive after the last timeout.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "Type: AWS::SQS::Queue\nProperties:\n  VisibilityTimeout: «delay:S»\n  RedrivePolicy:\n    deadLetterTargetArn: !GetAtt DeadLetters.Arn\n    maxReceiveCount: «calls»\n",
    ],
    examples: &[
        Example {
            text: "Type: AWS::SQS::Queue\nProperties:\n  VisibilityTimeout: 90\n  RedrivePolicy:\n    deadLetterTargetArn: !GetAtt Dead.Arn\n    maxReceiveCount: 3\n",
            waits: &[(90.0, 90.0), (90.0, 90.0)],
        },
        Example {
            text: "{ \"RedrivePolicy\": { \"deadLetterTargetArn\": \"arn:aws:sqs:eu-west-1:1:dead\", \"maxReceiveCount\": 2 } }\n",
            waits: &[(30.0, 30.0)],
        },
    ],
};

/// The redrive policy of a queue: a map, or a text that holds one.
fn count(item: &Item) -> Option<&Value> {
    item.get("maxReceiveCount").or_else(|| item.get("max_receive_count"))
}

fn redrive(item: &Item) -> Option<&Item> {
    let keys = ["RedrivePolicy", "redrive_policy", "deadLetterQueue", "dead_letter_queue"];
    let value = keys.iter().find_map(|key| item.get(key))?;
    let mut found = None;
    value.walk(&mut |inner| {
        if found.is_none() && (count(inner).is_some() || slipped(inner, &["maxReceiveCount", "max_receive_count"])) {
            found = Some(inner);
        }
    });
    found
}

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks: Vec<Block<'d>> = Vec::new();
    for item in scan.items.iter().copied() {
        if let Some(policy) = redrive(item) {
            blocks.push(Block::new(item, Certainty::Certain).with(policy));
        }
    }
    if blocks.is_empty() {
        let alone = scan.items.iter().copied().filter(|item| count(item).is_some());
        blocks.extend(alone.map(|item| Block::new(item, Certainty::Certain).with(item)));
    }
    blocks
}

fn read(take: &mut Take) -> Policy {
    let mut args = take.main();
    let delay_ms = args.time("VisibilityTimeout").or_else(|| text_seconds(&mut args));
    let delay_ms = delay_ms.unwrap_or(30_000.0);
    if let Some(value) = args.value("VisibilityTimeout").filter(|_| delay_ms > 43_200_000.0) {
        args.take.refuse("VisibilityTimeout", value, "must be between 0 and 43200");
    }
    let policy = take.block.others.first().copied();
    let written = policy.and_then(count);
    let calls = match written.and_then(|v| Some((v, v.text_number()?))) {
        Some((value, number)) => {
            take.origin("retries", value.span);
            if !(1.0..=1_000.0).contains(&number) || number.fract() != 0.0 {
                take.refuse("maxReceiveCount", value, "must be a whole number between 1 and 1000");
            }
            Some(number.max(1.0) as u64)
        }
        None => policy.and_then(|p| take.of(p, "redrive").count("maxReceiveCount")),
    };
    if let (Some(calls), Some(value)) = (calls, written) {
        let total = delay_ms * calls as f64 / 1e3;
        let message = format!(
            "The message moves to the dead-letter queue on the receive after timeout {calls}, about {total} s after the first."
        );
        take.note("dead-letter", value.span, message);
    }
    Policy::new(Wait::new(Backoff::Constant { delay_ms }), calls.map(|n| n - 1))
}

/// A timeout that is written as a quoted number.
fn text_seconds(args: &mut crate::library::Args) -> Option<f64> {
    let value: &Value = args.value("VisibilityTimeout")?;
    value.text_number().map(|seconds| seconds * 1_000.0)
}
