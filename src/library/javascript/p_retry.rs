//! p-retry of npm: `pRetry(run, { retries, factor, minTimeout, maxTimeout, randomize })`.

use super::{calls, has_any, map, ms, options, timeouts};
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::policy::{Backoff, CapOrder, Clock, Deadline, Jitter, Overrun, Policy, Rounded, RoundingMode, Wait};

/// p-retry 7, and 6 which still used the package `retry`.
pub static LIBRARY: Library = Library {
    id: "p-retry",
    title: "p-retry",
    ecosystem: "JavaScript",
    version: "7.1.1",
    source: "npm package p-retry: index.js",
    counts: "retries, the first call not included (retries)",
    formula: "min(round(r * minTimeout * factor^(k-1)), maxTimeout); r is 1, or in [1, 2) with randomize",
    words: &["p-retry", "pRetry", "makeRetriable", "minTimeout", "maxTimeout"],
    settings: &[
        Setting::count("retries", "retries", "10"),
        Setting::number("factor", "factor", "2"),
        ms("minTimeout", "baseMs", "1000"),
        ms("maxTimeout", "capMs", ""),
        Setting::flag("randomize", "jitter", "false"),
        Setting::flag("forever", "retries", "false"),
        ms("maxRetryTime", "deadline", ""),
        Setting::other("onFailedAttempt"),
        Setting::other("shouldRetry"),
        Setting::other("shouldConsumeRetry"),
        Setting::other("signal"),
        Setting::other("unref"),
    ],
    notes: &[
        "randomize multiplies by a number from [1, 2): it only lengthens, up to twice, and maxTimeout acts after it.",
        "maxRetryTime bounds the whole, and each wait is cut to what is left of it.",
        "A factor of 0 counts as 1.",
        "A TypeError that is not a network error is never retried.",
        "Up to release 6 the waits came from the package retry: sorted, and minTimeout above maxTimeout threw.",
    ],
    releases: &[CURRENT, "p-retry 6"],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "import pRetry from \"p-retry\";\n\nawait pRetry(run, {\n  retries: «retries|Infinity»,\n  factor: «factor»,\n  minTimeout: «base»,\n  maxTimeout: «cap|Infinity»,\n  randomize: «random?true:false»,\n  maxRetryTime: «shorten|Infinity»,\n});\n",
    ],
    examples: &[
        Example {
            text: "import pRetry, { AbortError } from 'p-retry';\n\nconst run = async () => {\n  const response = await fetch('/report');\n  if (response.status === 404) throw new AbortError(response.statusText);\n  return response.blob();\n};\n\nconsole.log(await pRetry(run, { retries: 4, minTimeout: 300, maxTimeout: 2000 }));\n",
            waits: &[(0.3, 0.3), (0.6, 0.6), (1.2, 1.2), (2.0, 2.0)],
        },
        Example {
            text: "import pRetry from 'p-retry';\n\nexport const save = (order) => pRetry(() => api.put(order), { retries: 2, factor: 3, randomize: true });\n",
            waits: &[(1.0, 2.0), (3.0, 6.0)],
        },
    ],
};

const CURRENT: &str = "p-retry 7";

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks = Vec::new();
    for (item, sure) in calls(scan, &["p-retry"], &["pRetry", "makeRetriable"]) {
        blocks.push(Block::new(item, if sure { Certainty::Certain } else { Certainty::Likely }));
    }
    for (item, _) in calls(scan, &[], &["retry"]) {
        if item.at(1).and_then(map).is_some_and(|given| has_any(given, &["minTimeout", "maxTimeout"])) {
            blocks.push(Block::new(item, Certainty::Possible));
        }
    }
    blocks
}

fn read(take: &mut Take) -> Policy {
    let given = take.block.item.at(1);
    let current = take.release == CURRENT;
    let mut args = options(take, given, "", "10 retries, after 1 s, 2 s, 4 s and so on.");
    args.unknown_names("an option of `pRetry`", "it is ignored");
    if current { policy(&mut args) } else { timeouts::policy(&mut args, 1.0) }
}

/// The rule since release 7.
fn policy(args: &mut Args) -> Policy {
    if let Some(value) = args.value("forever") {
        let message = "`forever` is no option any more: `pRetry` throws before the first call.";
        args.take.error("unknown-key", value.span, message).help = "Write `retries: Infinity`.".into();
    }
    let retries = args.count("retries");
    let base_ms = args.time("minTimeout").unwrap_or(1_000.0);
    let cap_ms = args.time("maxTimeout").filter(|ms| ms.is_finite());
    let factor = match (args.number("factor").unwrap_or(2.0), args.value("factor")) {
        (factor, Some(value)) if factor < 0.0 => {
            args.take.refuse("factor", value, "is negative, and `pRetry` throws a TypeError");
            2.0
        }
        (0.0, Some(value)) => {
            args.take.note("silent-default", value.span, "A `factor` of 0 counts as 1: every wait is the same.");
            1.0
        }
        (factor, _) => factor,
    };
    let jitter = if args.flag("randomize") { Jitter::Proportional { below: 0.0, above: 1.0 } } else { Jitter::None };
    let wait = Wait::new(Backoff::Exponential { base_ms, factor }).jitter(jitter);
    let wait = wait.rounding(RoundingMode::Nearest, 1.0, Rounded::Wait).cap(cap_ms).cap_order(CapOrder::AfterJitter);
    let mut policy = Policy::new(wait, retries);
    policy.deadline = (args.time("maxRetryTime").filter(|ms| ms.is_finite())).map(|limit_ms| Deadline {
        limit_ms,
        overrun: Overrun::Shorten,
        clock: Clock::Elapsed,
    });
    policy
}
