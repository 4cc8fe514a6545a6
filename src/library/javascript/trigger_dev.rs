//! Trigger.dev: the `retry` block of a task, and the project's defaults in `trigger.config.ts`.

use super::{calls, has_any, map, ms, options};
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Item, Value};
use crate::policy::{Backoff, CapOrder, Jitter, Policy, Rounded, RoundingMode, Wait};

/// Trigger.dev 4.
pub static LIBRARY: Library = Library {
    id: "trigger.dev",
    title: "Trigger.dev",
    ecosystem: "JavaScript",
    version: "4.8.3",
    source: "npm package @trigger.dev/core: dist/commonjs/v3/utils/retries.js",
    counts: "attempts, the first included (maxAttempts)",
    formula: "round(min(maxTimeoutInMs, r * minTimeoutInMs * factor^(k-1))); r in [1, 2) unless randomize is false",
    words: &["@trigger.dev/sdk", "trigger.dev", "minTimeoutInMs", "maxTimeoutInMs", "retry.onThrow", "retry.fetch"],
    settings: &[
        Setting::other("retry").of(super::CLIENT),
        Setting::count("maxAttempts", "retries", "3"),
        Setting::number("factor", "factor", "2"),
        ms("minTimeoutInMs", "baseMs", "1000"),
        ms("maxTimeoutInMs", "capMs", "60000"),
        Setting::flag("randomize", "jitter", "true"),
        Setting::other("outOfMemory"),
        Setting::other("timeoutInMs"),
        Setting::other("strategy"),
    ],
    notes: &[
        "maxAttempts counts the first attempt too.",
        "randomize is on unless it is switched off; it multiplies by a number from [1, 2), and maxTimeoutInMs acts after it.",
        "Each missing field takes its default by itself; a project's trigger.config.ts may set others.",
        "The platform's queueing comes on top.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "import { task } from \"@trigger.dev/sdk\";\n\nexport const job = task({\n  id: \"job\",\n  retry: {\n    maxAttempts: «calls»,\n    factor: «factor»,\n    minTimeoutInMs: «base»,\n    maxTimeoutInMs: «cap|86400000»,\n    randomize: «random?true:false»,\n  },\n  run,\n});\n",
    ],
    examples: &[
        Example {
            text: "import { task } from \"@trigger.dev/sdk\";\n\nexport const sendInvoice = task({\n  id: \"send-invoice\",\n  retry: {\n    maxAttempts: 5,\n    factor: 1.8,\n    minTimeoutInMs: 500,\n    maxTimeoutInMs: 30_000,\n    randomize: false,\n  },\n  run: async (payload) => mail.send(payload),\n});\n",
            waits: &[(0.5, 0.5), (0.9, 0.9), (1.62, 1.62), (2.916, 2.916)],
        },
        Example {
            text: "import { task } from \"@trigger.dev/sdk\";\n\nexport const resize = task({ id: \"resize\", retry: { maxAttempts: 4, maxTimeoutInMs: 3000 }, run: async () => {} });\n",
            waits: &[(1.0, 2.0), (2.0, 3.0), (3.0, 3.0)],
        },
    ],
};

const PACKAGES: &[&str] = &["@trigger.dev/sdk"];
const TASKS: &[&str] = &["task", "schemaTask", "schedules.task"];
/// Options that nobody else has.
const OWN: &[&str] = &["minTimeoutInMs", "maxTimeoutInMs"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks = Vec::new();
    for (item, imported) in calls(scan, PACKAGES, TASKS) {
        let Some(given) = item.at(0).and_then(map) else { continue };
        let retry = given.get("retry").and_then(map);
        let label = given.get("id").and_then(Value::text).unwrap_or_default();
        let mut inner = false;
        item.walk(&mut |item| inner |= item.is_any(&["retry.onThrow", "retry.fetch"]));
        if imported || retry.is_some_and(|retry| has_any(retry, OWN)) {
            let block = Block::new(item, Certainty::Certain).label(label);
            // What is retried inside retries by itself.
            blocks.push(if inner { block.at(retry.map_or(item.head.span, |r| r.span)) } else { block });
        } else if retry.is_some_and(|retry| has_any(retry, &["maxAttempts"])) && given.get("run").is_some() {
            blocks.push(Block::new(item, Certainty::Likely).label(label));
        }
    }
    for (item, imported) in calls(scan, PACKAGES, &["defineConfig"]) {
        if imported && project_defaults(item).is_some() {
            blocks.push(Block::new(item, Certainty::Certain).label("retries.default"));
        }
    }
    for (item, imported) in calls(scan, PACKAGES, &["retry.onThrow"]) {
        if imported || item.at(1).and_then(map).is_some_and(|given| has_any(given, OWN)) {
            blocks.push(Block::new(item, Certainty::Certain).label("retry.onThrow"));
        }
    }
    // By a status, `retry.fetch(url, { retry: { byStatus: { "500-599": { strategy: "backoff", … } } } })`.
    for (item, _) in calls(scan, PACKAGES, &["retry.fetch"]) {
        item.walk(&mut |item| {
            if has_any(item, &["maxAttempts", "minTimeoutInMs"]) {
                blocks.push(Block::new(item, Certainty::Certain));
            }
        });
    }
    super::claim_alone(scan, &mut blocks, |item| has_any(item, OWN), Certainty::Certain);
    blocks
}

/// `retries.default` of a project's configuration.
fn project_defaults(item: &Item) -> Option<&Value> {
    item.at(0).and_then(map)?.get("retries.default")
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let mut args = match item.head.text.as_str() {
        "" => take.main(),
        _ => {
            let given = item.at(0).and_then(map);
            let retry = match item.is("onThrow") {
                true => item.at(1),
                false => project_defaults(item).or_else(|| take.of(given?, super::CLIENT).value("retry")),
            };
            options(take, retry, "", "3 attempts, after 1 to 2 s and 2 to 4 s.")
        }
    };
    args.unknown_names("a field of the retry block", "it is ignored");
    let retries = args.count("maxAttempts").map(|calls| calls.max(1) - 1);
    let factor = args.number("factor").unwrap_or(2.0);
    let factor = match args.value("factor").filter(|_| factor < 0.0) {
        Some(value) => args.take.refuse("factor", value, "is negative: every other wait would be").unwrap_or(2.0),
        None => factor,
    };
    let base_ms = args.time("minTimeoutInMs").unwrap_or(1_000.0);
    let cap_ms = args.time("maxTimeoutInMs").filter(|ms| ms.is_finite());
    let jitter = if args.flag("randomize") { Jitter::Proportional { below: 0.0, above: 1.0 } } else { Jitter::None };
    let wait = Wait::new(Backoff::Exponential { base_ms, factor }).jitter(jitter);
    let wait = wait.cap(cap_ms).cap_order(CapOrder::AfterJitter);
    Policy::new(wait.rounding(RoundingMode::Nearest, 1.0, Rounded::Capped), retries)
}
