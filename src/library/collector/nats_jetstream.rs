//! NATS JetStream: redelivery by a consumer.

use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Arg, Form, Item, Value};
use crate::policy::{After, Backoff, Policy, Wait};

/// nats-server of 2026.
pub static LIBRARY: Library = Library {
    id: "nats-jetstream",
    title: "NATS JetStream",
    ecosystem: "messaging",
    version: "nats-server main, 2026",
    source: "server/consumer.go",
    counts: "calls: deliveries (MaxDeliver); -1 or 0 without bound",
    formula: "BackOff entry k, the last one repeated; AckWait without a list",
    words: &[
        "jetstream",
        "jetstream.ConsumerConfig",
        "nats.ConsumerConfig",
        "MaxDeliver",
        "max_deliver",
        "ack_policy",
        "AckWait",
        "ack_wait",
        "nats",
        "nats.MaxDeliver",
        "nats.BackOff",
        "jetstream.nats.io",
        "max-deliver",
    ],
    settings: &[
        Setting::number("MaxDeliver|max_deliver|--max-deliver|maxDeliver", "retries", "-1"),
        Setting::time("AckWait|ack_wait|ackWait", "baseMs", Unit::Nanosecond, "30s"),
        Setting::duration("--wait", "baseMs", ""),
        Setting::other("BackOff|backoff|backOff"),
        Setting::other("--backoff"),
        Setting::count("--backoff-steps", "", ""),
        Setting::duration("--backoff-min", "", ""),
        Setting::duration("--backoff-max", "", ""),
    ],
    notes: &[
        "MaxDeliver counts deliveries.",
        "A BackOff list takes the place of AckWait, and its last entry repeats.",
        "In JSON the times are nanoseconds, in the Python client seconds.",
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
            text: "cfg := jetstream.ConsumerConfig{\n\tDurable:    \"mailer\",\n\tMaxDeliver: 4,\n\tBackOff:    []time.Duration{2 * time.Second, 20 * time.Second},\n}\n",
            waits: &[(2.0, 2.0), (20.0, 20.0), (20.0, 20.0)],
        },
        Example {
            text: "{\"durable_name\": \"audit\", \"ack_policy\": \"explicit\", \"ack_wait\": 10000000000, \"max_deliver\": 3}\n",
            waits: &[(10.0, 10.0), (10.0, 10.0)],
        },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks: Vec<Block<'d>> = Vec::new();
    for item in scan.items.iter().copied() {
        let named = item.head.text.contains("jetstream") || item.head.text.contains("nats") || args_of_python(item);
        let config = item.is("ConsumerConfig") && named;
        let json =
            item.get("max_deliver").is_some() || (item.get("ack_policy").is_some() && item.get("backoff").is_some());
        let makes = [" add", " edit", " create"].iter().any(|verb| item.head.text.contains(verb));
        let command = item.form == Form::Command && makes && item.head.text.starts_with("nats con");
        let option = |arg: &Arg| {
            arg.value.item().is_some_and(|o| OPTIONS.contains(&o.head.text.rsplit('/').next().unwrap_or_default()))
        };
        let options = item.form == Form::Call && item.args.iter().any(option);
        if config || json || command || options {
            blocks.push(Block::new(item, Certainty::Certain));
        }
        let custom = item.get("apiVersion").and_then(Value::text).is_some_and(|t| t.starts_with("jetstream.nats.io"));
        if let Some(spec) =
            item.get("spec").and_then(Value::item).filter(|_| custom && text(item, "kind") == "Consumer")
        {
            blocks.push(Block::new(spec, Certainty::Certain));
        }
    }
    blocks
}

/// Options of a subscription in the older Go client.
const OPTIONS: &[&str] =
    &["nats.MaxDeliver", "nats.AckWait", "nats.BackOff", "nats.go.MaxDeliver", "nats.go.AckWait", "nats.go.BackOff"];

fn text<'d>(item: &'d Item, name: &str) -> &'d str {
    item.get(name).and_then(Value::text).unwrap_or_default()
}

/// A time, which JavaScript's `nanos(ms)` gives in milliseconds.
fn time(take: &mut Take, name: &str, field: &'static str, value: &Value, unit: Option<Unit>) -> Option<f64> {
    match value.item().filter(|item| item.is("nanos")).and_then(|item| item.at(0)) {
        Some(ms) => take.time(name, field, ms, Some(Unit::Millisecond)),
        None => take.time(name, field, value, unit),
    }
}

fn read(take: &mut Take) -> Policy {
    let item: &Item = take.block.item;
    // Python's client takes seconds: keyword arguments of a call, not the fields of JSON.
    let python = item.form == Form::Call && item.is("ConsumerConfig") && args_of_python(item);
    let unit = if python { Unit::Second } else { Unit::Nanosecond };
    let mut args = take.main().bare(unit);
    for start in ["MaxDeliver", "max_deliver"] {
        args.unknown_names_from(start, "a setting of a consumer", "it is refused");
    }
    args.unknown_retry_names("a setting of a consumer", "it is refused");
    let deliveries = args.number("MaxDeliver").unwrap_or(-1.0);
    if let Some(value) = args.value("MaxDeliver").filter(|_| deliveries < -1.0) {
        args.take.refuse("MaxDeliver", value, "must be at least 1, or -1 without bound");
    }
    let retries = (deliveries > 0.0).then(|| deliveries as u64 - 1);
    let backoff = args.value("BackOff");
    if let Some(value) = backoff.filter(|value| value.entries().is_none() && !value.is_null()) {
        args.take.unknown_value("BackOff", "delaysMs", value);
    }
    let list = backoff.and_then(Value::entries).filter(|l| !l.is_empty());
    let wait = match list {
        None if args.value("--backoff").and_then(Value::text) == Some("linear") => linear(&mut args),
        Some(entries) => listed(&mut args, &entries, deliveries),
        None => {
            let flag = if item.form == Form::Command { args.time("--wait") } else { None };
            let nanos = args.value("AckWait").filter(|v| v.item().is_some_and(|item| item.is("nanos")));
            let nanos = nanos.and_then(|value| time(args.take, "ack_wait", "baseMs", value, None));
            let delay_ms = flag.or(nanos).or_else(|| args.time("AckWait")).unwrap_or(30_000.0);
            Wait::new(Backoff::Constant { delay_ms })
        }
    };
    Policy::new(wait, retries)
}

fn args_of_python(item: &Item) -> bool {
    ["ack_wait", "max_deliver", "backoff"].iter().any(|name| item.get(name).is_some())
}

/// `--backoff=linear`: as many steps from the least wait up to one step below the longest.
fn linear(args: &mut Args) -> Wait {
    let steps = args.count("--backoff-steps").filter(|n| *n > 0);
    let (low, high) = (args.time("--backoff-min"), args.time("--backoff-max"));
    let (Some(steps), Some(low), Some(high)) = (steps, low, high) else {
        let span = args.span;
        let message =
            "--backoff=linear needs --backoff-steps, --backoff-min and --backoff-max; the command is refused.";
        args.take.error("missing", span, message);
        return Wait::new(Backoff::Constant { delay_ms: low.unwrap_or(30_000.0) });
    };
    let (low, step) = (low.min(high), (high - low).abs() / steps as f64);
    let delays_ms = (0..steps.min(10_000)).map(|i| low + (i as f64 * step).round()).collect();
    Wait::new(Backoff::List { delays_ms, after: After::RepeatLast })
}

fn listed(args: &mut Args, entries: &[&Value], deliveries: f64) -> Wait {
    let unit = args.unit();
    let delays_ms: Vec<f64> =
        entries.iter().map(|v| time(args.take, "BackOff", "delaysMs", v, unit).unwrap_or(0.0)).collect();
    if deliveries > 0.0
        && (delays_ms.len() as f64) > deliveries
        && let Some(value) = args.value("MaxDeliver")
    {
        args.take.refuse("MaxDeliver", value, "must be at least the number of BackOff values; the server refuses it");
    }
    Wait::new(Backoff::List { delays_ms, after: After::RepeatLast })
}
