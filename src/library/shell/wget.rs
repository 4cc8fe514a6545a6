//! wget on the command line.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Arg, Form};
use crate::policy::{Backoff, Policy, Wait};

/// wget 1.21.
pub static LIBRARY: Library = Library {
    id: "wget",
    title: "wget",
    ecosystem: "shell",
    version: "1.21.3",
    source: "the program run against a failing server; its manual",
    counts: "calls, the first included (--tries); 20 unless written, 0 without bound",
    formula: "min(k, waitretry) s",
    words: &["wget", "wgetrc", "waitretry", "retry-on-http-error", "tries"],
    settings: &[
        Setting::number("--tries|-t|tries", "retries", "20"),
        Setting::time("--waitretry|waitretry|wait_retry", "capMs", Unit::Second, "10"),
        Setting::other("--retry-on-http-error|retry_on_http_error"),
        Setting::other("--retry-connrefused|retry_connrefused"),
        Setting::other("--retry-on-host-error|retry_on_host_error"),
        Setting::time("--timeout|-T|timeout", "attemptTimeoutMs", Unit::Second, ""),
    ],
    notes: &[
        "--tries counts calls; 20 unless it is written.",
        "The wait grows by a second each time up to --waitretry; --wait does not replace it.",
        "Refused connections and 404 are not retried unless --retry-connrefused or --retry-on-http-error says so.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "wget --tries=«calls|0» --waitretry=«cap:S|86400»«increment:-»‹ --timeout=«timeout:s»› https://example.com/\n",
    ],
    examples: &[
        Example {
            text: "wget --tries=5 --waitretry=2 --retry-on-http-error=503 https://example.com/data.csv\n",
            waits: &[(1.0, 1.0), (2.0, 2.0), (2.0, 2.0), (2.0, 2.0)],
        },
        Example { text: "wget -t 3 https://example.com/file.zip\n", waits: &[(1.0, 1.0), (2.0, 2.0)] },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    scan.blocks(&|item| {
        let has = |names: &[&str]| names.iter().any(|name| item.get(name).is_some());
        if item.form == Form::Command {
            let own = ["--tries", "-t", "--waitretry", "--retry-on-http-error", "--retry-connrefused"];
            let wrong = |a: &Arg| a.name.as_ref().is_some_and(|n| n.text.starts_with("--retr"));
            return (item.is("wget") && (has(&own) || item.args.iter().any(wrong)))
                .then(|| Block::new(item, Certainty::Certain).label("wget"));
        }
        let file = item.place.is_empty() && has(&["tries"]);
        let own = || scan.says("wgetrc") || has(&["waitretry", "wait_retry"]);
        (file && own()).then(|| Block::new(item, Certainty::Likely).label(".wgetrc"))
    })
}

fn read(take: &mut Take) -> Policy {
    let mut args = take.main();
    args.unknown_retry_names("an option of wget", "wget stops with an error");
    let tries = args.number("--tries").filter(|n| n.is_finite());
    if let Some(value) = args.value("--tries").filter(|_| tries.is_some_and(|n| n < 0.0)) {
        args.take.refuse("--tries", value, "must not be negative");
    }
    let retries = tries.filter(|n| *n >= 1.0).map(|n| n as u64 - 1);
    let cap_ms = args.time("--waitretry").unwrap_or(10_000.0);
    let timeout_ms = args.time("--timeout").filter(|ms| *ms > 0.0);
    let curve = Backoff::Linear { base_ms: 1_000.0, increment_ms: 1_000.0 };
    let mut policy = Policy::new(Wait::new(curve).cap(cap_ms), retries);
    policy.attempt_timeout_ms = timeout_ms;
    policy
}
