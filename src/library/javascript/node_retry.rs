//! `retry` of npm: `retry.operation({ retries, factor, minTimeout, maxTimeout, randomize })`.

use super::{calls, has_any, map, ms, options, timeouts};
use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Value};
use crate::policy::{After, Backoff, Policy, Wait};

/// node-retry 0.13.
pub static LIBRARY: Library = Library {
    id: "node-retry",
    title: "node-retry",
    ecosystem: "JavaScript",
    version: "0.13.1",
    source: "npm package retry: lib/retry.js, lib/retry_operation.js",
    counts: "retries, the first call not included (retries)",
    formula: "min(round(r * minTimeout * factor^(k-1)), maxTimeout), sorted; r is 1, or in [1, 2) with randomize",
    words: &["retry.operation", "retry.timeouts", "retry.wrap", "retry", "minTimeout", "maxTimeout"],
    settings: &[
        Setting::count("retries", "retries", "10"),
        Setting::number("factor", "factor", "2"),
        ms("minTimeout", "baseMs", "1000"),
        ms("maxTimeout", "capMs", ""),
        Setting::flag("randomize", "jitter", "false"),
        Setting::flag("forever", "retries", "false"),
        Setting::other("unref"),
        ms("maxRetryTime", "deadline", ""),
    ],
    notes: &[
        "All waits are drawn before the first call and slept in ascending order: a factor below 1 grows.",
        "randomize multiplies by a number from [1, 2): it only lengthens, up to twice, and maxTimeout acts after it.",
        "minTimeout above maxTimeout throws.",
        "retries: Infinity never ends building its list; forever: true repeats the last wait.",
        "maxRetryTime is looked at after a failed call: the wait that crosses it is still slept.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "import retry from \"retry\";\n\nconst operation = retry.operation(«*»);\n",
        "{\n  retries: «retries»,\n  factor: «factor»,\n  minTimeout: «base»,\n  maxTimeout: «cap|Infinity»,\n  randomize: «random?true:false»,\n}",
        "[«delays»]",
    ],
    examples: &[
        Example {
            text: "const retry = require('retry');\n\nfunction resolve(host, done) {\n  const operation = retry.operation({\n    retries: 4,\n    factor: 3,\n    minTimeout: 500,\n    maxTimeout: 10 * 1000,\n  });\n  operation.attempt(() => dns.resolve(host, (err, ips) => {\n    if (operation.retry(err)) return;\n    done(operation.mainError(), ips);\n  }));\n}\n",
            waits: &[(0.5, 0.5), (1.5, 1.5), (4.5, 4.5), (10.0, 10.0)],
        },
        Example {
            text: "import retry from 'retry';\n\nconst operation = retry.operation({ retries: 3, minTimeout: 200, randomize: true });\n",
            waits: &[(0.2, 0.4), (0.4, 0.8), (0.8, 1.6)],
        },
        Example {
            text: "import retry from 'retry';\n\nconst operation = retry.operation([250, 1000, 5000]);\n",
            waits: &[(0.25, 0.25), (1.0, 1.0), (5.0, 5.0)],
        },
    ],
};

const PACKAGES: &[&str] = &["retry"];
/// Names that the libraries around this package share; alone they only hint at it.
const SHARED: &[&str] = &["minTimeout", "maxTimeout"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks = Vec::new();
    for (item, sure) in calls(scan, PACKAGES, &["retry.operation", "retry.timeouts", "retry.wrap"]) {
        if item.is_any(&["operation", "timeouts", "wrap"]) {
            blocks.push(Block::new(item, if sure { Certainty::Certain } else { Certainty::Likely }));
        }
    }
    if blocks.is_empty() {
        let alone = |item: &Item| {
            item.form == Form::Map && has_any(item, SHARED) && has_any(item, &["retries", "factor", "randomize"])
        };
        blocks.extend(scan.items.iter().filter(|i| alone(i)).map(|i| Block::new(i, Certainty::Possible)));
    }
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let mut args = if item.head.text.is_empty() {
        take.main()
    } else {
        let wraps = item.is("wrap");
        let given = item.at(usize::from(wraps));
        if let Some(delays) = given.and_then(Value::list).filter(|_| !wraps) {
            return list(take, delays);
        }
        let given = given.filter(|value| !wraps || map(value).is_some());
        options(take, given, "", "10 retries, after 1 s, 2 s, 4 s and so on.")
    };
    args.unknown_names("an option of `retry`", "it is ignored");
    timeouts::policy(&mut args, 1.0)
}

/// An explicit list of waits, slept as written.
fn list(take: &mut Take, delays: &[Value]) -> Policy {
    let ms = |take: &mut Take, v: &Value| take.time("delay", "delaysMs", v, Some(Unit::Millisecond)).unwrap_or(0.0);
    let delays_ms: Vec<f64> = delays.iter().map(|v| ms(take, v)).collect();
    let retries = delays_ms.len() as u64;
    Policy::new(Wait::new(Backoff::List { delays_ms, after: After::Stop }), retries)
}
