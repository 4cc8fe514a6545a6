//! curl on the command line.

use crate::duration::Unit;
use crate::library::near::slip;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::Form;
use crate::policy::{Backoff, Clock, Deadline, Overrun, Policy, Wait};
use crate::retry_after::RetryAfter;

/// curl 8.
pub static LIBRARY: Library = Library {
    id: "curl",
    title: "curl",
    ecosystem: "shell",
    version: "8.22.0-DEV (5c61e16869, 2026-08)",
    source: "src/tool_operate.c, tool_main.h",
    counts: "retries (--retry); none unless written",
    formula: "min(600, 2^(k-1)) s, or --retry-delay",
    words: &["curl", "curlrc", "retry-delay", "retry-max-time", "retry-connrefused", "retry-all-errors"],
    settings: &[
        Setting::number("--retry|retry", "retries", "0"),
        Setting::time("--retry-delay|retry-delay", "baseMs", Unit::Second, "").plain(),
        Setting::time("--retry-max-time|retry-max-time", "deadline", Unit::Second, "").plain(),
        Setting::time("--max-time|-m|max-time", "attemptTimeoutMs", Unit::Second, "").plain(),
        Setting::other("--retry-connrefused|retry-connrefused"),
        Setting::other("--retry-all-errors|retry-all-errors"),
    ],
    notes: &[
        "Without --retry-delay the wait doubles from 1 s to 10 minutes.",
        "--retry-max-time starts no retry after that time, but does not cut a wait.",
        "Only time-outs and the statuses 408, 429, 500, 502, 503 and 504 are retried, unless --retry-all-errors says so.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: Some((RetryAfter::Floors, "curl, src/tool_operate.c at 5c61e16869")),
    find,
    read,
    write: &[
        "curl --fail --retry «retries» --retry-all-errors«*»‹ --retry-max-time «allow:S»›‹ --max-time «timeout:s»› https://example.com/\n",
        " --retry-delay «delay:S»",
        "«factor:-»",
    ],
    examples: &[
        Example {
            text: "curl -fsS --retry 3 --retry-all-errors https://example.com/health\n",
            waits: &[(1.0, 1.0), (2.0, 2.0), (4.0, 4.0)],
        },
        Example {
            text: "curl --retry 2 --retry-delay 5 --max-time 20 https://example.com/a.tar.gz -o a.tar.gz\n",
            waits: &[(5.0, 5.0), (5.0, 5.0)],
        },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    scan.blocks(&|item| {
        let named = |of: &dyn Fn(&str) -> bool| item.args.iter().any(|a| a.name.as_ref().is_some_and(|n| of(&n.text)));
        if item.form == Form::Command {
            let retry = |name: &str| name.starts_with("--retry") || slip(name, "--retry");
            return (item.is_any(&["curl", "curl.exe", "exe"]) && named(&retry))
                .then(|| Block::new(item, Certainty::Certain).label("curl"));
        }
        // Its configuration file has the options without dashes.
        let file = item.place.is_empty() && named(&|name| matches!(name, "retry" | "--retry"));
        let own = || scan.says("curlrc") || named(&|name| name.contains("retry-"));
        (file && own()).then(|| Block::new(item, Certainty::Likely).label(".curlrc"))
    })
}

fn read(take: &mut Take) -> Policy {
    let mut args = take.main();
    let retries = args.number("--retry").unwrap_or(0.0);
    if let Some(value) = args.value("--retry").filter(|_| retries < 0.0 || retries.fract() != 0.0) {
        args.take.refuse("--retry", value, "must be a positive whole number");
    }
    let delay_ms = args.time("--retry-delay").filter(|ms| *ms > 0.0);
    let limit_ms = args.time("--retry-max-time").filter(|ms| *ms > 0.0);
    let timeout_ms = args.time("--max-time").filter(|ms| *ms > 0.0);
    let wait = match delay_ms {
        Some(delay_ms) => Wait::new(Backoff::Constant { delay_ms }),
        None => {
            args.take.default("baseMs", "1 s");
            args.take.default("factor", "2");
            args.take.default("capMs", "600 s");
            Wait::new(Backoff::Exponential { base_ms: 1_000.0, factor: 2.0 }).cap(600_000.0)
        }
    };
    args.unknown_retry_names("an option of curl", "curl stops with an error");
    let mut policy = Policy::new(wait, retries.max(0.0) as u64);
    policy.attempt_timeout_ms = timeout_ms;
    policy.deadline = limit_ms.map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Allow, clock: Clock::Elapsed });
    policy
}
