//! promise-retry of npm: `promiseRetry((retry, number) => …, { retries, … })`, options first or last.

use super::{calls, has_any, map, ms, options, timeouts};
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Item, Value};
use crate::policy::Policy;

/// promise-retry 2 with its retry 0.12.
pub static LIBRARY: Library = Library {
    id: "promise-retry",
    title: "promise-retry",
    ecosystem: "JavaScript",
    version: "2.0.1",
    source: "npm package promise-retry: index.js; its retry 0.12.0: lib/retry.js",
    counts: "retries, the first call not included (retries)",
    formula: "min(round(r * minTimeout * factor^(k-1)), maxTimeout), sorted; r is 1, or in [1, 2) with randomize",
    words: &["promise-retry", "promiseRetry", "minTimeout", "maxTimeout"],
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
        "Only an error that is handed to retry() is retried.",
        "minTimeout above maxTimeout throws.",
        "The waits are drawn before the first call and slept in ascending order.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "import promiseRetry from \"promise-retry\";\n\nawait promiseRetry(\n  {\n    retries: «retries»,\n    factor: «factor»,\n    minTimeout: «base»,\n    maxTimeout: «cap|Infinity»,\n    randomize: «random?true:false»,\n  },\n  (retry) => run().catch(retry),\n);\n",
    ],
    examples: &[
        Example {
            text: "const promiseRetry = require('promise-retry');\n\nmodule.exports = (file) =>\n  promiseRetry((retry, number) => upload(file).catch(retry), {\n    retries: 3,\n    factor: 1.5,\n    minTimeout: 800,\n  });\n",
            waits: &[(0.8, 0.8), (1.2, 1.2), (1.8, 1.8)],
        },
        Example {
            text: "import promiseRetry from 'promise-retry';\n\nawait promiseRetry({ retries: 2, minTimeout: 300, randomize: true }, (retry) => ping().catch(retry));\n",
            waits: &[(0.3, 0.6), (0.6, 1.2)],
        },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks = Vec::new();
    for (item, sure) in calls(scan, &["promise-retry"], &["promiseRetry"]) {
        blocks.push(Block::new(item, if sure { Certainty::Certain } else { Certainty::Likely }));
    }
    for (item, _) in calls(scan, &[], &["retry"]) {
        if given(item).and_then(map).is_some_and(|given| has_any(given, &["minTimeout", "maxTimeout"])) {
            blocks.push(Block::new(item, Certainty::Possible));
        }
    }
    blocks
}

/// The options: first or last.
fn given(item: &Item) -> Option<&Value> {
    item.at(0).filter(|value| map(value).is_some()).or(item.at(1))
}

fn read(take: &mut Take) -> Policy {
    let given = given(take.block.item);
    let mut args = options(take, given, "", "10 retries, after 1 s, 2 s, 4 s and so on.");
    args.unknown_names("an option of `promiseRetry`", "it is ignored");
    timeouts::policy(&mut args, 0.0)
}
