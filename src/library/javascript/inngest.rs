//! Inngest: `inngest.createFunction({ id, retries }, …)`; the waits are the server's.

use super::{Called, belongs, has_any, map, methods, options};
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Value};
use crate::policy::{After, Backoff, Jitter, Policy, Rounded, RoundingMode, Wait};

/// Inngest's server as of 2026.
pub static LIBRARY: Library = Library {
    id: "inngest",
    title: "Inngest",
    ecosystem: "JavaScript",
    version: "inngest server, main branch, 2026",
    source: "repository inngest/inngest: pkg/backoff/backoff.go; documentation page Retries",
    counts: "retries of each step, the first attempt not included (retries)",
    formula: "15 s, 30 s, 1, 2, 5, 10, 20, 40 min, 1 h, 2 h (again and again), plus 0 to 29.999 s",
    words: &["inngest", "createFunction", "create_function"],
    settings: &[
        Setting::count("retries", "retries", "4"),
        Setting::other("id"),
        Setting::other("name"),
        Setting::other("description"),
        Setting::other("triggers"),
        Setting::other("concurrency"),
        Setting::other("throttle"),
        Setting::other("rateLimit"),
        Setting::other("debounce"),
        Setting::other("priority"),
        Setting::other("batchEvents"),
        Setting::other("idempotency"),
        Setting::other("singleton"),
        Setting::other("cancelOn"),
        Setting::other("onFailure"),
        Setting::other("middleware"),
        Setting::other("timeouts"),
        Setting::other("optimizeParallelism"),
        Setting::other("checkpointing"),
    ],
    notes: &[
        "The waits cannot be configured; only their number can, from 0 to 20.",
        "Each step.run has a count of its own.",
        "RetryAfterError sets one wait by hand, NonRetriableError ends the retrying.",
        "The local server with --retry-interval waits that interval instead.",
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
            text: "export const importOrders = inngest.createFunction(\n  { id: \"import-orders\", retries: 3 },\n  { event: \"shop/orders.requested\" },\n  async ({ step }) => {\n    await step.run(\"fetch\", () => shop.orders());\n  },\n);\n",
            waits: &[(15.0, 44.999), (30.0, 59.999), (60.0, 89.999)],
        },
        Example {
            text: "import { inngest } from \"./client\";\n\ninngest.createFunction({ id: \"ping\", retries: 1 }, { cron: \"0 * * * *\" }, async () => ping());\n",
            waits: &[(15.0, 44.999)],
        },
    ],
};

/// The server's table, in seconds; the last one repeats.
const TABLE_S: [f64; 10] = [15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1_200.0, 2_400.0, 3_600.0, 7_200.0];
/// The most that the server accepts.
const MOST: u64 = 20;

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let imported = scan.imports(&["inngest"]);
    let mut blocks = Vec::new();
    for called in methods(scan, &["createFunction"]) {
        let Some(given) = called.at(0).and_then(map) else { continue };
        let named = called.is("inngest.createFunction") || belongs(called.item, &["inngest"]);
        if (named || imported) && has_any(given, &["id", "name"]) {
            let label = given.get("id").and_then(Value::text).unwrap_or_default();
            blocks.push(called.block(Certainty::Certain, label));
        }
    }
    let python = scan.heads(&["create_function"]).filter(|i| i.form == Form::Annotation && i.get("fn_id").is_some());
    blocks.extend(python.map(|item| Block::new(item, Certainty::Certain)));
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let given = Called::of(&take.block).at(0);
    let defaults = "4 retries, after 15 s, 30 s, 1 min and 2 min, each up to 30 s longer.";
    let mut args = match item.form {
        Form::Annotation => take.main(),
        _ => options(take, given, "", defaults),
    };
    match item.form {
        Form::Annotation => args.unknown_retry_names("an argument of `create_function`", "Python raises TypeError"),
        _ => args.unknown_names("an option of `createFunction`", "it is ignored, and the server's own waits are fixed"),
    }
    let mut retries = args.count("retries");
    if let Some(value) = args.value("retries").filter(|_| retries.is_none_or(|n| n > MOST)) {
        args.take.refuse("retries", value, "must be a number from 0 to 20: the server refuses the function");
        retries = Some(MOST);
    }
    args.take.default("delaysMs", "15 s, 30 s, 1 min, 2 min, …");
    args.take.default("jitter", "0 to 29.999 s");
    let delays_ms = TABLE_S.iter().map(|s| s * 1e3).collect();
    let wait = Wait::new(Backoff::List { delays_ms, after: After::RepeatLast });
    let wait = wait.jitter(Jitter::Additive { min_ms: 0.0, max_ms: 29_999.0 });
    Policy::new(wait.rounding(RoundingMode::Draw, 1.0, Rounded::Wait), retries)
}
