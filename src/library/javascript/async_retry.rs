//! async-retry of npm: `retry(async (bail, attempt) => …, { retries, minTimeout, … })`.

use super::{calls, has_any, map, ms, options, timeouts};
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Item, Value};
use crate::policy::Policy;

/// async-retry 1.3 with its retry 0.13.
pub static LIBRARY: Library = Library {
    id: "async-retry",
    title: "async-retry",
    ecosystem: "JavaScript",
    version: "1.3.3",
    source: "npm package async-retry: lib/index.js; its retry 0.13.1: lib/retry.js",
    counts: "retries, the first call not included (retries)",
    formula: "min(round(r * minTimeout * factor^(k-1)), maxTimeout), sorted; r in [1, 2) unless randomize is false",
    words: &["async-retry", "bail", "retry"],
    settings: &[
        Setting::count("retries", "retries", "10"),
        Setting::number("factor", "factor", "2"),
        ms("minTimeout", "baseMs", "1000"),
        ms("maxTimeout", "capMs", ""),
        Setting::flag("randomize", "jitter", "true"),
        Setting::flag("forever", "retries", "false"),
        Setting::other("unref"),
        ms("maxRetryTime", "deadline", ""),
        Setting::other("onRetry"),
    ],
    notes: &[
        "randomize is on unless it is switched off: each wait is up to twice what the formula says.",
        "minTimeout above maxTimeout throws; minTimeout is 1000 where it is not written.",
        "The waits are drawn before the first call and slept in ascending order.",
        "bail(error) stops at once, whatever is left.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "import retry from \"async-retry\";\n\nawait retry(run, {\n  retries: «retries»,\n  factor: «factor»,\n  minTimeout: «base»,\n  maxTimeout: «cap|Infinity»,\n  randomize: «random?true:false»,\n});\n",
    ],
    examples: &[
        Example {
            text: "import retry from 'async-retry';\n\nexport const loadProfile = (id) =>\n  retry(\n    async (bail) => {\n      const res = await fetch(`/profiles/${id}`);\n      if (res.status === 404) return bail(new Error('gone'));\n      return res.json();\n    },\n    { retries: 4, minTimeout: 250, maxTimeout: 3000 },\n  );\n",
            waits: &[(0.25, 0.5), (0.5, 1.0), (1.0, 2.0), (2.0, 3.0)],
        },
        Example {
            text: "const retry = require('async-retry');\n\nmodule.exports = () => retry(connect, { retries: 3, factor: 1, minTimeout: 2000, randomize: false });\n",
            waits: &[(2.0, 2.0), (2.0, 2.0), (2.0, 2.0)],
        },
    ],
};

/// Options that this library shares with its relatives and nobody else.
const TELLING: &[&str] = &["minTimeout", "maxTimeout", "randomize"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let certainty = |item: &Item, sure: bool| match item.at(1).and_then(map) {
        _ if sure => Some(Certainty::Certain),
        _ if bails(item) => Some(Certainty::Likely),
        Some(given) if has_any(given, TELLING) => Some(Certainty::Likely),
        Some(given) if has_any(given, &["retries"]) => Some(Certainty::Possible),
        _ => None,
    };
    let calls = calls(scan, &["async-retry"], &["retry"]);
    calls.into_iter().filter_map(|(item, sure)| Some(Block::new(item, certainty(item, sure)?))).collect()
}

/// Whether the function that is retried takes `bail`.
fn bails(item: &Item) -> bool {
    let first = item.at(0).and_then(Value::fun).and_then(|fun| fun.params.first());
    first.is_some_and(|name| name.text == "bail")
}

fn read(take: &mut Take) -> Policy {
    let given = take.block.item.at(1);
    let defaults = "10 retries, after 1 to 2 s, 2 to 4 s, 4 to 8 s and so on.";
    let mut args = options(take, given, "", defaults);
    args.unknown_names("an option of `retry`", "it is ignored");
    timeouts::policy(&mut args, 1.0)
}
