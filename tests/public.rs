//! Configurations from public questions and bug reports: what each means, and what a reader should be told about it.

use backoff::distribution::{Options, total_wait};
use backoff::library::{Choice, Reading, read};
use backoff::policy::{Overrun, Policy, RoundingMode};
use backoff::report::{Request, report, sentences};

use backoff::schedule::{Schedule, ScheduledWait, last_waits, schedule};
use backoff::span::Span;
use serde_json::Value;

/// Every entry of the collection.
fn entries() -> Vec<Value> {
    serde_json::from_str(include_str!("public_cases.json")).expect("public_cases.json")
}

fn id(entry: &Value) -> &str {
    entry["id"].as_str().expect("id")
}

fn text(entry: &Value) -> &str {
    entry["input"].as_str().expect("input")
}

/// Whether a time in ms is the recorded one in s; records of six digits are taken as rounded.
fn same(have_ms: Option<f64>, wanted: &Value) -> bool {
    same_within(have_ms, wanted, 0.0)
}

/// The same where waits are whole multiples of a unit: the record has the end of the range that a draw excludes.
fn same_within(have_ms: Option<f64>, wanted: &Value, unit_ms: f64) -> bool {
    match (have_ms, wanted.as_f64()) {
        (Some(have), Some(wanted)) => {
            let rounding = if wanted > 1e-3 { 5.1e-7 } else { 1e-15 };
            (have / 1e3 - wanted).abs() <= (1e-9 * wanted.abs()).max(rounding).max(unit_ms / 1e3 * (1.0 + 1e-9))
        }
        (None, None) => true,
        _ => false,
    }
}

/// The fewest and the most calls; `None` where nothing ends them. Under a time limit: with all waits as long, and as
/// short, as they can be, calls taking no time.
fn calls(policy: &Policy, got: &Schedule) -> Option<(u64, u64)> {
    let Some(deadline) = policy.deadline else { return got.calls.map(|calls| (calls, calls)) };
    let count = |wait: &dyn Fn(&ScheduledWait) -> Option<f64>| {
        let mut sum_ms = 0.0;
        let fits = got.waits.iter().take_while(|w| {
            let before_ms = sum_ms;
            sum_ms += wait(w).unwrap_or(f64::INFINITY);
            match deadline.overrun {
                Overrun::Refuse => sum_ms <= deadline.limit_ms,
                Overrun::Allow | Overrun::Shorten => before_ms < deadline.limit_ms,
            }
        });
        1 + fits.count() as u64
    };
    Some((count(&|w| w.max_ms), count(&|w| Some(w.min_ms))))
}

/// What differs between a policy and a check or an alternate; empty when it holds.
fn differences(policy: &Policy, check: &Value) -> Vec<String> {
    let got = schedule(policy, 1000);
    let mut out = Vec::new();
    let mut compared = false;
    if let Some(wanted) = check.get("calls") {
        let have = calls(policy, &got);
        let holds = match (wanted["min"].as_u64(), wanted["max"].as_u64(), wanted.as_u64()) {
            (Some(min), Some(max), _) => have == Some((min, max)),
            (.., Some(calls)) => have == Some((calls, calls)),
            // Where the record gives no count, time alone may end it, or nothing.
            _ => policy.retries.is_none(),
        };
        compared |= !wanted.is_null();
        if !holds {
            out.push(format!("calls: {have:?}, expected {wanted}"));
        }
    }
    if let Some(waits) = check["waits"].as_array() {
        compared = true;
        out.extend(waits_differ(policy, &got, waits, check["calls"].is_u64() && policy.deadline.is_none()));
    }
    if let Some(plateau) = check["plateau_wait"].as_array() {
        compared = true;
        let last = last_waits(policy, 1);
        if !last.iter().all(|w| same(Some(w.min_ms), &plateau[0]) && same(w.max_ms, &plateau[1])) {
            out.push(format!("plateau: {last:?}, expected {plateau:?}"));
        }
    }
    out.extend(totals_differ(policy, &got, check));
    if !compared {
        out.push("nothing to compare".into());
    }
    out
}

fn waits_differ(policy: &Policy, got: &Schedule, wanted: &[Value], all: bool) -> Vec<String> {
    let mut out = Vec::new();
    if got.waits.len() < wanted.len() || (all && got.waits.len() != wanted.len()) {
        out.push(format!("{} waits, expected {}", got.waits.len(), wanted.len()));
    }
    for (have, want) in got.waits.iter().zip(wanted) {
        if !(same(Some(have.min_ms), &want[0]) && same_within(have.max_ms, &want[1], unit_ms(policy))) {
            out.push(format!("wait {}: {}..{:?} ms, expected {want} s", have.retry, have.min_ms, have.max_ms));
        }
    }
    out
}

/// The unit that waits are whole multiples of, ms; 0 where they are not.
fn unit_ms(policy: &Policy) -> f64 {
    policy.wait.rounding.filter(|r| r.mode == RoundingMode::Floor).map_or(0.0, |r| r.unit_ms)
}

/// The totals, as they can really happen: a time limit applied, the dependence of waits too.
fn totals_differ(policy: &Policy, got: &Schedule, check: &Value) -> Vec<String> {
    let total = &got.total;
    let (mut least, mut most) =
        (total.attainable_min_ms.or(total.min_ms), vec![total.attainable_max_ms.or(total.max_ms), total.max_ms]);
    if policy.deadline.is_some() {
        let limited = total_wait(policy, &Options::default());
        (least, most) = (limited.min_ms, vec![limited.max_ms, total.bound_ms]);
    }
    let mut out = Vec::new();
    let units_ms = unit_ms(policy) * got.waits.len() as f64;
    let worst = &check["worst_case_wait_s"];
    if worst.is_number() && !most.iter().any(|ms| same_within(*ms, worst, units_ms)) {
        out.push(format!("worst total: {most:?} ms, expected {worst} s"));
    }
    let best = &check["best_case_wait_s"];
    if best.is_number() && !same(least, best) && !same(total.min_ms, best) {
        out.push(format!("best total: {least:?} ms, expected {best} s"));
    }
    out
}

/// The check of an entry and its alternates.
fn accepted(check: &Value) -> impl Iterator<Item = &Value> {
    [check].into_iter().chain(check["alternates"].as_array().into_iter().flatten())
}

/// The same block by every release and class of errors that its library knows.
fn offered(reading: &Reading, text: &str) -> Vec<Reading> {
    let library = reading.library;
    let releases = library.releases.iter().map(|r| Some(r.to_string())).chain([None]);
    let all = releases.flat_map(|release| {
        library.error_classes.iter().map(|c| Some(c.to_string())).chain([None]).map(move |error_class| Choice {
            library: Some(library.id.into()),
            release: release.clone(),
            error_class,
        })
    });
    all.filter_map(|choice| read(text, &choice).into_iter().next()).collect()
}

/// Everything that the page says about a text: its findings with their places, its layers, and the answer.
fn said(text: &str, reading: &Reading) -> Vec<String> {
    let report = report(&Request { text: text.into(), ..Request::default() });
    let place = |span: Option<Span>| span.map_or("", |s| s.of(text));
    let own = reading.findings.iter().map(|f| format!("{} {} {} {}", f.code, f.message, f.help, place(f.span)));
    let shown = report.findings.iter();
    let shown = shown.map(|f| format!("{} {} {} {}", f.code, f.message.text(), f.help.text(), place(f.span)));
    let all = own.chain(shown);
    let layers = report.layers.map(|layers| layers.lead.text());
    all.chain(layers).chain(sentences(std::slice::from_ref(reading))).map(|s| s.to_lowercase()).collect()
}

/// Libraries whose records hold the same texts: any of a group may be the one that is read, the others are candidates.
const SHARED: &[&[&str]] = &[&["botocore", "aws-sdk", "aws-sdk-js"]];

/// Whether a reading is of the recorded library.
fn is_of(reading: &Reading, library: &str) -> bool {
    let shared = SHARED.iter().any(|group| group.contains(&library) && group.contains(&reading.library.id));
    reading.library.id == library || (shared && reading.candidates.iter().any(|c| c.library == library))
}

/// What is wrong with the reading of an entry; empty when all is right.
fn wrong(entry: &Value) -> Vec<String> {
    let (text, check) = (text(entry), &entry["check"]);
    let unasked = read(text, &Choice::default());
    let Some(first) = unasked.first() else { return vec!["nothing about retries was found".into()] };
    if let Some(library) = check["library"].as_str().filter(|library| !is_of(first, library)) {
        return vec![format!("read as {}, expected {library}", first.library.id)];
    }
    // A text that is refused has no schedule to compare.
    if check["waits"].is_null() && check["calls"].is_null() {
        return Vec::new();
    }
    let default = accepted(check).any(|wanted| differences(&first.policy, wanted).is_empty());
    let right = default || offered(first, text).iter().any(|r| differences(&r.policy, check).is_empty());
    if right { Vec::new() } else { differences(&first.policy, check) }
}

#[test]
fn what_the_text_alone_says_is_right() {
    let mut problems = Vec::new();
    let all = entries();
    for entry in all.iter().filter(|e| e["check"]["from_text_alone"] == true) {
        problems.extend(wrong(entry).into_iter().map(|p| format!("{}: {p}", id(entry))));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// What a reader of each entry should be told, in words that one of the things said must hold all of; beside findings
/// the answer counts, which says how many calls and retries there are. Several rows of an entry are several things.
const TOLD: &[(&str, &[&str])] = &[
    ("actor-ts-771", &["`attempts` is read as waits", "could count calls"]),
    ("actor-ts-771", &["retry 8", "2147483647", "timer"]),
    ("adkjs-704", &["no count is written", "cannot be known"]),
    ("adkjs-704", &["no delay is written", "cannot be known"]),
    ("agenda-1748", &["`jitter` of 0.5 is read as that share"]),
    ("agenda-1748", &["after the cap", "above the cap of 500 ms"]),
    ("ansible-28078", &["retries counts retries", "4 runs"]),
    ("argo-2260", &["maxduration ends the retries", "retry 3"]),
    ("argo-9170", &["no factor", "same every time"]),
    ("argo-pr1782", &["maxduration ends the retries", "retry 6"]),
    ("argo-pr1782", &["quoted"]),
    ("aws-js-862", &["take up to 12.8 s", "the comment states is 6 s"]),
    ("aws-java-874", &["5000 * 2^19", "32 bits", "retry index 19"]),
    ("aws-java-874", &["says no count"]),
    ("aws-javav2-5367", &["10 calls, the first and 9 retries"]),
    ("azure-py-43347", &["retry_status", "3 retries", "retry_total is 5"]),
    ("azure-py-43347", &["first retry comes at once"]),
    ("bindplane-708", &["read as seconds"]),
    ("bindplane-708", &["nothing grows"]),
    ("botocore-2122", &["counts retries", "aws_max_attempts"]),
    ("bull-1184", &["`attempts` is not written", "no effect"]),
    ("bullmq-2602", &["counts every run", "2 waits"]),
    ("celery-lms-5511", &["retry_backoff_max", "not written"]),
    ("celery-lms-5511", &["retry_jitter", "on by default", "from 0"]),
    ("celery-packit-1800", &["retry_jitter", "on by default", "from 0"]),
    ("cenkalti-117", &["after the cap", "1.8 s", "above the cap of 1.2 s"]),
    ("cenkalti-159", &["retryafter", "takes the place of the back-off"]),
    ("cfn-java-plugin-196", &["equal or full jitter", "half as long"]),
    ("cnblogs-k8s-2", &["counts retries", "3 pods"]),
    ("dapr-4831", &["broker", "start anew"]),
    ("dapr-quickstarts-772", &["maxinterval", "ignores it", "duration"]),
    ("dapr-quickstarts-772", &["never gives up"]),
    ("dapr-quickstarts-772", &["dapr", "shape alone"]),
    ("efcore-8325", &["first retry comes at once"]),
    ("fluent-logger-44", &["2147483647 ms", "fires after 1 ms"]),
    ("hermes-40606", &["jitter_ratio", "not read"]),
    ("higress-4432", &["nanoseconds"]),
    ("istio-12067", &["no retries block", "default of 2 retries"]),
    ("istio-16327", &["attempts counts retries", "16 requests"]),
    ("istio-39097", &["timeout", "3 fit"]),
    ("javapedia-spring", &["8 s is never reached"]),
    ("langchain-40259", &["after the cap", "75 s", "60 s"]),
    ("laravel-backoff-array", &["120", "never used"]),
    ("loki-2102", &["minbackoff", "before loki 1.5.0"]),
    ("loki-2102", &["maxretries", "before loki 1.5.0"]),
    ("loki-915", &["5 calls, the first and 4 retries"]),
    ("mpft-312", &["are 0", "takes off more than the delay"]),
    ("node-retry-21", &["6 calls, the first and 5 retries"]),
    ("o21-table", &["1 for the first"]),
    ("o21-table", &["no count is written"]),
    ("omicron-3202", &["never gives up"]),
    ("omicron-3202", &["after the cap", "4.5 min", "3 min"]),
    ("openai-agents-2676", &["50 %", "exactly 8 s"]),
    ("otelcol-3416", &["however many calls"]),
    ("otelcol-3416", &["after the cap", "300 ms"]),
    ("otelcontrib-47503", &["1 h after the first call"]),
    ("otelcontrib-47503", &["after the cap", "7.5 min"]),
    ("polly-2160", &["delaygenerator", "maxdelay does not limit"]),
    ("resilience4j-1605", &["cap of 10 min is never reached"]),
    ("resilience4j-2070", &["mapping", "500 ms", "no effect"]),
    ("retry-axios-154", &["half of `retrydelay`"]),
    ("retry-axios-197", &["half of `retrydelay`", "before release 4", "ignored"]),
    ("retryablehttp-283", &["retry-after", "retrywaitmax does not limit it"]),
    ("sfn-kindatechnical", &["6 calls, the first and 5 retries"]),
    ("sfn-programming-helper", &["4 calls, the first and 3 retries"]),
    ("smallrye-206", &["durationunit", "maxduration only", "milliseconds"]),
    ("so-crashloop-70717655", &["never gives up"]),
    ("so-crashloop-70717655", &["adds to every gap", "ten minutes"]),
    ("so-k8s-57417027", &["backofflimit is left out", "6 retries"]),
    ("so-polly-76921448", &["depend on each other"]),
    ("so-sfn-67932763", &["7 calls, the first and 6 retries"]),
    ("so-spring-stream-72683053", &["counts the first try", "4 waits"]),
    ("socketio-globalping-179", &["never gives up"]),
    ("spring-retry-391", &["`random` has no effect", "multiplier of 1"]),
    ("spring-retry-425", &["maxdelay is left out", "30 s"]),
    ("spring-retry-427", &["maxdelay is left out", "30 s"]),
    ("spring-retry-427", &["filled in from outside"]),
    ("springkafka-2496", &["229 calls, the first and 228 retries"]),
    ("sqs-redrive", &["dead-letter queue", "360 s"]),
    ("tanstack-4627", &["start at 0", "4 retries"]),
    ("temporal-1675", &["10 calls, the first and 9 retries"]),
    ("temporal-1675", &["cap of 1 h is never reached"]),
    ("temporal-training-10", &["10 calls, the first and 9 retries"]),
    ("temporal-training-10", &["cap of 5 min is never reached"]),
    ("tenacity-710", &["overflows", "retry 1025", "60 s"]),
    ("tenacity-710", &["never gives up"]),
    ("til-requests-5-1", &["first retry is immediate"]),
    ("urllib3-847", &["first retry is immediate"]),
    ("urllib3-847", &["`total` is not written", "10 retries"]),
    ("wp-polly-30s", &["httpclient.timeout", "100 s"]),
    ("xagent-1494", &["no delay is written"]),
    ("xagent-1494", &["the 2 blocks of this text are layers of one request"]),
    ("yari-2195", &["first retry is immediate"]),
    ("yari-2195", &["120 s", "backoff_max", "not written"]),
];

/// What is recorded as worth saying, or as needed to be sure, and is not said.
const KNOWN_LIMITS: &[(&str, &str)] = &[
    ("cenkalti-139", "a field of an unknown variable is set to an expression of others; no schedule follows from it."),
    ("dotnet-docs-16754", "a program of its own, which is not run."),
    ("opencode-48185", "values of a header, no schedule."),
];

#[test]
fn readers_are_told_what_they_asked_about() {
    let all = entries();
    let mut problems = Vec::new();
    for (name, words) in TOLD {
        let entry = all.iter().find(|e| id(e) == *name).unwrap_or_else(|| panic!("no entry {name}"));
        let readings = read(text(entry), &Choice::default());
        let Some(first) = readings.first() else {
            problems.push(format!("{name}: nothing about retries was found"));
            continue;
        };
        let said = said(text(entry), first);
        if !said.iter().any(|s| words.iter().all(|word| s.contains(word))) {
            problems.push(format!("{name}: nothing says {words:?} in\n  {}", said.join("\n  ")));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_expected_finding_is_told_or_a_known_limit() {
    let listed = |name: &str| TOLD.iter().any(|(t, _)| *t == name) || KNOWN_LIMITS.iter().any(|(k, _)| *k == name);
    let all = entries();
    for entry in &all {
        let check = &entry["check"];
        let asked = check["expects_finding"].is_string() || check["from_text_alone"] == false;
        assert!(!asked || listed(id(entry)), "{} is neither told nor a known limit", id(entry));
    }
    for (name, why) in KNOWN_LIMITS {
        assert!(all.iter().any(|e| id(e) == *name) && !why.is_empty(), "no entry {name}");
    }
}
