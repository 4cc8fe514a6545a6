//! HTTPX's own transport: a count of retries of failed connections.

use super::TYPE_ERROR;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::Form;
use crate::policy::{Backoff, Policy, Wait};

/// HTTPX 0.28 with httpcore 1.
pub static LIBRARY: Library = Library {
    id: "httpx",
    title: "HTTPX",
    ecosystem: "Python",
    version: "httpx 0.28.1, httpcore 1.0.9",
    source: "httpcore/_sync/connection.py",
    counts: "retries of a connection that fails (retries)",
    formula: "0, then 0.5 * 2^(k-2) s",
    words: &["HTTPTransport", "AsyncHTTPTransport", "httpcore"],
    settings: &[Setting::count("retries", "retries", "0")],
    notes: &[
        "Only a connection that fails or is not made in time is tried again: no response is, whatever its status.",
        "The first retry comes at once; the waits cannot be configured.",
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
            text: "import httpx\n\ntransport = httpx.HTTPTransport(retries=3)\nclient = httpx.Client(transport=transport)\n",
            waits: &[(0.0, 0.0), (0.5, 0.5), (1.0, 1.0)],
        },
        Example {
            text: "client = httpx.AsyncClient(transport=httpx.AsyncHTTPTransport(retries=1, http2=True))\n",
            waits: &[(0.0, 0.0)],
        },
    ],
};

const CLASSES: &[&str] = &["HTTPTransport", "AsyncHTTPTransport"];
const POOLS: &[&str] = &["ConnectionPool", "AsyncConnectionPool", "HTTPProxy", "AsyncHTTPProxy"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    scan.blocks(&|item| {
        let pool = item.is_any(POOLS) && item.head.text.starts_with("httpcore.");
        let speaks = || item.args.iter().any(|a| a.name.as_ref().is_some_and(|n| n.text.contains("retr")));
        let made = item.form == Form::Call && (pool || item.is_any(CLASSES));
        (made && speaks()).then(|| Block::new(item, Certainty::Certain))
    })
}

fn read(take: &mut Take) -> Policy {
    let mut args = take.main();
    args.unknown_retry_names("an argument of the transport", TYPE_ERROR);
    let retries = args.count("retries");
    for (field, value) in [("baseMs", "0, then 0.5 s"), ("factor", "2")] {
        args.take.default(field, value);
    }
    let mut policy = Policy::new(Wait::new(Backoff::Exponential { base_ms: 250.0, factor: 2.0 }), retries);
    policy.first_wait_ms = Some(0.0);
    policy
}
