//! exponential-backoff of npm: `backOff(() => …, { numOfAttempts, startingDelay, timeMultiple, maxDelay, jitter })`.

use super::{calls, has_any, map, ms, options};
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::policy::{Backoff, Jitter, Policy, Rounded, RoundingMode, Wait};

/// exponential-backoff 3.
pub static LIBRARY: Library = Library {
    id: "exponential-backoff-npm",
    title: "exponential-backoff (npm)",
    ecosystem: "JavaScript",
    version: "3.1.3",
    source: "npm package exponential-backoff: dist/backoff.js, dist/delay, dist/jitter",
    counts: "calls, the first included (numOfAttempts)",
    formula: "min(startingDelay * timeMultiple^(k-1), maxDelay); full jitter draws whole ms from 0 to that",
    words: &["exponential-backoff", "backOff", "numOfAttempts", "startingDelay", "timeMultiple", "delayFirstAttempt"],
    settings: &[
        Setting::count("numOfAttempts", "retries", "10"),
        ms("startingDelay", "baseMs", "100"),
        Setting::number("timeMultiple", "factor", "2"),
        ms("maxDelay", "capMs", ""),
        super::shaping("jitter"),
        Setting::flag("delayFirstAttempt", "initialDelayMs", "false"),
        Setting::other("retry"),
    ],
    notes: &[
        "numOfAttempts counts calls; anything below 1 counts as 1.",
        "delayFirstAttempt waits startingDelay before the first call too, and every later wait is one step further.",
        "jitter is \"none\" or \"full\"; any other word counts as none.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "import { backOff } from \"exponential-backoff\";\n\nawait backOff(run, {\n  numOfAttempts: «calls»,\n  startingDelay: «base»,\n  timeMultiple: «factor»,\n  maxDelay: «cap|Infinity»,\n  jitter: \"«full?full:none»\",\n  delayFirstAttempt: «initial?true:false»,\n});\n",
        "import { backOff } from \"exponential-backoff\";\n\nawait backOff(run, {\n  numOfAttempts: «calls»,\n  startingDelay: «initial»,\n  timeMultiple: «factor»,\n  maxDelay: «cap|Infinity»,\n  jitter: \"«full?full:none»\",\n  delayFirstAttempt: «initial?true:false»,\n});\n",
    ],
    examples: &[
        Example {
            text: "import { backOff } from 'exponential-backoff';\n\nexport async function getWeather(city) {\n  return backOff(() => fetch(`/weather/${city}`), {\n    numOfAttempts: 5,\n    startingDelay: 300,\n    maxDelay: 2000,\n    jitter: 'full',\n  });\n}\n",
            waits: &[(0.0, 0.3), (0.0, 0.6), (0.0, 1.2), (0.0, 2.0)],
        },
        Example {
            text: "import { backOff } from \"exponential-backoff\";\n\nawait backOff(connect, { numOfAttempts: 4, timeMultiple: 5 });\n",
            waits: &[(0.1, 0.1), (0.5, 0.5), (2.5, 2.5)],
        },
    ],
};

/// Options that nobody else has.
const OWN: &[&str] = &["numOfAttempts", "startingDelay", "timeMultiple", "delayFirstAttempt"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks = Vec::new();
    for (item, imported) in calls(scan, &["exponential-backoff"], &["backOff"]) {
        if imported || item.at(1).and_then(map).is_some_and(|given| has_any(given, OWN)) {
            blocks.push(Block::new(item, Certainty::Certain));
        }
    }
    super::claim_alone(scan, &mut blocks, |item| has_any(item, OWN), Certainty::Likely);
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let mut args = match item.head.text.as_str() {
        "" => take.main(),
        _ => options(take, item.at(1), "", "10 calls, after 100 ms, 200 ms, 400 ms and so on."),
    };
    args.unknown_names("an option of `backOff`", "it is ignored");
    let retries = args.count("numOfAttempts").map(|calls| calls.max(1) - 1);
    let base_ms = args.time("startingDelay").unwrap_or(100.0);
    let factor = args.number("timeMultiple").unwrap_or(2.0);
    if let Some(value) = args.value("timeMultiple").filter(|_| factor < 0.0) {
        args.take.refuse("timeMultiple", value, "is negative: every other wait would be");
    }
    let cap_ms = args.time("maxDelay").filter(|ms| ms.is_finite());
    let jitter = jitter(&mut args);
    let delays_first = args.flag("delayFirstAttempt");
    let start_ms = if delays_first { base_ms * factor.max(0.0) } else { base_ms };
    let wait = Wait::new(Backoff::Exponential { base_ms: start_ms, factor: factor.max(0.0) }).cap(cap_ms);
    let wait = match jitter {
        Jitter::None => wait,
        jitter => wait.jitter(jitter).rounding(RoundingMode::Nearest, 1.0, Rounded::Wait),
    };
    let mut policy = Policy::new(wait, retries);
    policy.initial_delay_ms = delays_first.then(|| cap_ms.map_or(base_ms, |cap| base_ms.min(cap)));
    policy
}

fn jitter(args: &mut Args) -> Jitter {
    let Some(value) = args.value("jitter") else {
        args.take.default("jitter", "none");
        return Jitter::None;
    };
    args.take.origin("jitter", value.span);
    match value.text() {
        Some("full") => Jitter::Full,
        Some("none") => Jitter::None,
        _ => {
            args.take.refuse("jitter", value, "must be \"none\" or \"full\"; anything else counts as none");
            Jitter::None
        }
    }
}
