//! graphile-worker: a job's `maxAttempts`; the waits are the database's.

use super::{Called, map, methods, options};
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Kind, Value};
use crate::policy::{Backoff, Policy, Rounded, RoundingMode, Wait};

/// graphile-worker 0.17.
pub static LIBRARY: Library = Library {
    id: "graphile-worker",
    title: "Graphile Worker",
    ecosystem: "JavaScript",
    version: "0.17.3",
    source: "npm package graphile-worker: dist/sql/failJobs.js, sql/000018.sql",
    counts: "attempts, the first included (maxAttempts)",
    formula: "e^min(k, 10) seconds, to whole microseconds",
    words: &["graphile-worker", "graphile_worker", "graphile_worker.add_job", "quickAddJob", "addJob"],
    settings: &[
        Setting::count("maxAttempts", "retries", "25"),
        Setting::other("queueName"),
        Setting::other("runAt"),
        Setting::other("jobKey"),
        Setting::other("jobKeyMode"),
        Setting::other("priority"),
        Setting::other("flags"),
        Setting::count("max_attempts", "retries", "25").of(SQL).at(4),
        Setting::other("identifier").of(SQL),
        Setting::other("payload").of(SQL),
        Setting::other("queue_name").of(SQL),
        Setting::other("run_at").of(SQL),
        Setting::other("job_key").of(SQL),
        Setting::other("job_key_mode").of(SQL),
        Setting::other("priority").of(SQL),
        Setting::other("flags").of(SQL),
    ],
    notes: &[
        "Only the number of attempts can be set; the waits are e, e^2, e^3 … seconds, up to about 6 hours.",
        "25 attempts, the default, take almost four days.",
        "maxAttempts 0 is taken as not written.",
        "A worker polls every 2 s unless told otherwise, which comes on top.",
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
            text: "import { quickAddJob } from \"graphile-worker\";\n\nawait quickAddJob({ connectionString }, \"sync_contact\", { id: 42 }, { maxAttempts: 4 });\n",
            waits: &[(FIRST_S, FIRST_S), (7.389056, 7.389056), (20.085537, 20.085537)],
        },
        Example {
            text: "SELECT graphile_worker.add_job('reindex', json_build_object('shard', 3), max_attempts => 3);\n",
            waits: &[(FIRST_S, FIRST_S), (7.389056, 7.389056)],
        },
    ],
};

/// e seconds to whole microseconds.
const FIRST_S: f64 = 2_718_282.0 / 1e6;
const SQL: &str = "add_job";
const PACKAGES: &[&str] = &["graphile-worker"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let imported = scan.imports(PACKAGES);
    let mut blocks = Vec::new();
    for called in methods(scan, &["addJob", "quickAddJob", "graphile_worker.add_job"]) {
        let certain = imported || called.is("quickAddJob") || called.is("graphile_worker.add_job");
        if certain {
            blocks.push(called.block(Certainty::Certain, task(&called)));
        } else if given(&called).and_then(map).is_some() && called.at(0).is_some_and(is_text) {
            blocks.push(called.block(Certainty::Likely, task(&called)));
        }
    }
    blocks
}

fn is_text(value: &Value) -> bool {
    matches!(value.kind, Kind::Text { .. })
}

/// The task's name, as the label.
fn task<'d>(called: &Called<'d>) -> &'d str {
    let values = [called.at(0), called.at(1)].into_iter().flatten();
    values.filter(|value| is_text(value)).find_map(Value::text).unwrap_or_default()
}

/// The specification of a job: after the task and its payload, and after the connection in `quickAddJob`.
fn given<'d>(called: &Called<'d>) -> Option<&'d Value> {
    called.at(if called.is("quickAddJob") { 3 } else { 2 })
}

fn read(take: &mut Take) -> Policy {
    let called = Called::of(&take.block);
    let item = called.item;
    let defaults = "25 attempts, after e s, e^2 s, e^3 s and so on.";
    let calls = if called.is(SQL) {
        let mut args = take.of(item, SQL);
        args.unknown_names("a parameter of `add_job`", "PostgreSQL finds no such function");
        if !args.has("max_attempts") {
            args.take.note("defaults", item.head.span, format!("Nothing about waits is written here: {defaults}"));
        }
        attempts(&mut args, "max_attempts", "PostgreSQL refuses it")
    } else {
        let mut args = options(take, given(&called), "", defaults);
        args.unknown_names("an option of a job", "it is ignored, and the waits cannot be set");
        attempts(&mut args, "maxAttempts", "0 counts as not written, and the default 25 is taken")
    };
    take.default("baseMs", "e s");
    take.default("factor", "e");
    let base_ms = 1e3 * std::f64::consts::E;
    let curve = Backoff::Exponential { base_ms, factor: std::f64::consts::E };
    let wait = Wait::new(curve).cap(1e3 * libm::exp(10.0)).rounding(RoundingMode::Nearest, 1e-3, Rounded::Wait);
    Policy::new(wait, calls.map(|n| n - 1))
}

/// The number of calls, at least 1.
fn attempts(args: &mut Args, name: &str, zero: &str) -> Option<u64> {
    let calls = args.count(name);
    match args.value(name).filter(|_| calls == Some(0)) {
        Some(value) => {
            args.take.refuse(name, value, &format!("must be at least 1: {zero}"));
            Some(25)
        }
        None => calls,
    }
}
