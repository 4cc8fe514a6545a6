//! requests: the `max_retries` of an `HTTPAdapter`, a number or urllib3's `Retry`.

use super::{TYPE_ERROR, is_bare, is_from, retry_object};
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Step};
use crate::policy::Policy;
use crate::retry_after::RetryAfter;

/// requests 2 with urllib3 2, and with 1.26 where it differs.
pub static LIBRARY: Library = Library {
    id: "requests",
    title: "requests",
    ecosystem: "Python",
    version: "2.34.2 with urllib3 2.8.0",
    source: "requests/adapters.py; urllib3/util/retry.py",
    counts: "retries (max_retries, Retry.total)",
    formula: "with a Retry: 0 before the first retry, then min(backoff_max, backoff_factor * 2^(k-1) + U(0, backoff_jitter)); with a number: no wait",
    words: &["HTTPAdapter", "requests.adapters", "DEFAULT_RETRIES"],
    settings: &SETTINGS,
    notes: &[
        "Without an adapter of one's own, and with HTTPAdapter() alone, there is no retry.",
        "A number has no backoff, and only failed connections are retried.",
        "The first retry never waits; the second waits twice the backoff_factor.",
        "Responses such as 503 are retried only where status_forcelist names them.",
        "timeout= bounds each call, not the whole.",
    ],
    releases: retry_object::RELEASES,
    error_classes: retry_object::ERROR_CLASSES,
    relaxed_names: false,
    retry_after: Some((
        RetryAfter::Replaces { limit_ms: Some(21_600_000.0) },
        "urllib3 2.8.0, util/retry.py; for 413, 429 and 503",
    )),
    find,
    read,
    write: &[
        "import requests\nfrom requests.adapters import HTTPAdapter\nfrom urllib3.util import Retry\n\nretries = Retry(\n    total=«retries»,\n    backoff_factor=«base:s»,\n    backoff_max=«cap:s|float(\"inf\")»,\n    backoff_jitter=«most:s|0»,\n)\nsession = requests.Session()\nsession.mount(\"https://\", HTTPAdapter(max_retries=retries))\n",
        "import requests\nfrom requests.adapters import HTTPAdapter\n\nsession = requests.Session()\nsession.mount(\"https://\", HTTPAdapter(max_retries=«retries»«delay:-»))\n",
    ],
    examples: &[
        Example {
            text: "import requests\nfrom requests.adapters import HTTPAdapter\nfrom urllib3.util import Retry\n\nsession = requests.Session()\nretry = Retry(total=5, backoff_factor=0.3, status_forcelist=[502, 503])\nsession.mount(\"https://\", HTTPAdapter(max_retries=retry))\n",
            waits: &[(0.0, 0.0), (0.6, 0.6), (1.2, 1.2), (2.4, 2.4), (4.8, 4.8)],
        },
        Example {
            text: "from requests.adapters import HTTPAdapter\n\nadapter = HTTPAdapter(max_retries=2, pool_maxsize=20)\n",
            waits: &[(0.0, 0.0), (0.0, 0.0)],
        },
    ],
};

const SETTINGS: [Setting; 22] = {
    let adapter = [
        Setting::other("pool_connections").at(0),
        Setting::other("pool_maxsize").at(1),
        Setting::count("max_retries|adapters.DEFAULT_RETRIES|DEFAULT_RETRIES", "retries", "0").at(2),
        Setting::other("pool_block").at(3),
    ];
    let mut all = [adapter[0]; 22];
    let mut at = 0;
    while at < all.len() {
        all[at] = if at < adapter.len() { adapter[at] } else { retry_object::SETTINGS[at - adapter.len()] };
        at += 1;
    }
    all
};

const DEFAULT: &str = "DEFAULT_RETRIES";
const HEADS: &[&str] = &["HTTPAdapter"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    scan.blocks(&|item| {
        let made = item.is_any(HEADS) && (is_bare(item, HEADS) || is_from(item, "requests", HEADS));
        // What every adapter takes that is not told otherwise: `requests.adapters.DEFAULT_RETRIES = 5`.
        let default = |s: &Step| matches!(s, Step::Set { path, .. } if path.text.ends_with(DEFAULT));
        let found = item.form == Form::Call && (made || item.steps.iter().any(default));
        found.then(|| Block::new(item, Certainty::Certain))
    })
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let mut args = take.main();
    let retries = args.written("max_retries");
    let from = args.take.findings.len();
    args.unknown_names("an argument of `HTTPAdapter`", TYPE_ERROR);
    let text = take.scan.doc.text;
    for finding in &mut take.findings[from..] {
        let written = finding.span.map_or("", |span| span.of(text));
        if let Some(setting) = retry_object::SETTINGS.iter().find(|s| written.starts_with(s.name)) {
            finding.help = format!("It belongs into `Retry`: `max_retries=Retry(total=…, {}=…)`.", setting.name);
        }
    }
    match retries {
        None => {
            let message = "`max_retries` is not written: nothing is retried.";
            take.note("defaults", item.head.span, message).help = "Give `max_retries=Retry(…)` for retries.".into();
            take.default("retries", "0");
            retry_object::read_count(take, Some(0))
        }
        Some((_, value)) if value.item().is_some_and(|i| i.is("Retry")) => match value.item() {
            Some(retry) => retry_object::read(take, retry),
            None => retry_object::read_count(take, Some(0)),
        },
        Some((_, value)) if value.is_undefined() => retry_object::read_unknown(take, value.span, Some(0)),
        Some((_, value)) => {
            // `False` equals 0, and `None` leaves it to urllib3.
            let retries = match value.text() {
                Some("False") => Some(0),
                Some("None") => Some(3),
                _ => take.main().count("max_retries"),
            };
            let retries = retries.unwrap_or(0);
            if retries > 0 {
                let message = "A number has no backoff: the retries follow each other at once, and only failed connections are retried.";
                take.note("no-wait", value.span, message).help =
                    "Give `Retry(total=…, backoff_factor=…)` for waits.".into();
            }
            retry_object::read_count(take, Some(retries))
        }
    }
}
