//! google-api-core: the `Retry` of Google's Python clients, bounded by time alone.

use super::{is_bare, refuse_none};
use crate::duration::Unit;
use crate::library::scan::identity;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Arg, Form, Item, Step};
use crate::policy::{Backoff, CapOrder, Clock, Deadline, Jitter, Overrun, Policy, Wait};
use crate::span::Span;

/// google-api-core 2, and 1 where it differs.
pub static LIBRARY: Library = Library {
    id: "google-api-core",
    title: "google-api-core",
    ecosystem: "Python",
    version: "2.44.0",
    source: "google/api_core/retry/retry_base.py, google/api_core/retry/retry_unary.py",
    counts: "nothing: only the timeout bounds the calls",
    formula: "U(0, min(initial * multiplier^(k-1), maximum))",
    words: &[
        "google.api_core",
        "google.api_core.retry",
        "retry.Retry",
        "DEFAULT_RETRY",
        "if_exception_type",
        "AsyncRetry",
    ],
    settings: &[
        Setting::other("predicate").at(0),
        Setting::time("initial", "baseMs", Unit::Second, "1").at(1).plain(),
        Setting::time("maximum", "capMs", Unit::Second, "60").at(2).plain(),
        Setting::number("multiplier", "factor", "2").at(3),
        Setting::time("timeout", "deadline", Unit::Second, "120").at(4).plain(),
        Setting::other("on_error").at(5),
        Setting::time("deadline", "deadline", Unit::Second, "").plain(),
        Setting::time("initial", "baseMs", Unit::Second, "").of("with_delay").at(0).plain(),
        Setting::time("maximum", "capMs", Unit::Second, "").of("with_delay").at(1).plain(),
        Setting::number("multiplier", "factor", "").of("with_delay").at(2),
        Setting::time("timeout|deadline", "deadline", Unit::Second, "").of("with_timeout").at(0).plain(),
    ],
    notes: &[
        "There is no count of attempts: only the timeout ends the retrying.",
        "Full jitter: any wait can be 0.",
        "A wait that would end after the timeout is not begun.",
        "Unknown arguments, max_attempts among them, are accepted and do nothing.",
        "deadline is the old name of timeout and wins where both are written.",
    ],
    releases: &["google-api-core 2", "google-api-core 1"],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "from google.api_core.retry import Retry\n\nretry = Retry(\n    initial=«base:s»,\n    maximum=«cap:s|float(\"inf\")»,\n    multiplier=«factor»,\n    timeout=«refuse:s|None»,\n)\n",
    ],
    examples: &[
        Example {
            text: "from google.api_core import exceptions\nfrom google.api_core.retry import Retry, if_exception_type\n\nfetch_retry = Retry(\n    predicate=if_exception_type(exceptions.ServiceUnavailable),\n    initial=0.2,\n    multiplier=3,\n    maximum=20,\n    timeout=90,\n)\n",
            waits: &[(0.0, 0.2), (0.0, 0.6), (0.0, 1.8), (0.0, 5.4), (0.0, 16.2), (0.0, 20.0), (0.0, 20.0)],
        },
        Example {
            text: "from google.api_core import retry\n\nslow = retry.Retry(initial=4.0, maximum=16.0).with_timeout(300)\n",
            waits: &[(0.0, 4.0), (0.0, 8.0), (0.0, 16.0), (0.0, 16.0)],
        },
    ],
};

const CLASSES: &[&str] = &["Retry", "AsyncRetry", "StreamingRetry", "AsyncStreamingRetry"];
const CHANGES: &[&str] = &["with_delay", "with_timeout", "with_deadline"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let cloud = scan.imports(&["google.api_core", "google.cloud"]);
    let mut blocks: Vec<Block> = Vec::new();
    for item in scan.items.iter().copied().filter(|i| matches!(i.form, Form::Call | Form::Annotation)) {
        let keys = ["initial", "maximum", "multiplier"].iter().filter(|key| item.get(key).is_some()).count();
        let changed = changes(item).any(|(name, ..)| CHANGES.contains(&name));
        let certainty = match () {
            () if item.head.text.starts_with("google.api_core.retry") && item.is_any(CLASSES) => Certainty::Certain,
            () if is_bare(item, CLASSES) && keys >= 1 => Certainty::Likely,
            () if is_bare(item, &["retry.Retry", "retry.AsyncRetry", "retries.Retry"]) => Certainty::Likely,
            () if constant(item) && changed && cloud => Certainty::Certain,
            () if constant(item) && changed => Certainty::Likely,
            () => continue,
        };
        // A retry that is changed and bound again goes on from the one before.
        blocks.retain(|block| identity(block.item) != identity(item));
        blocks.push(Block::new(item, certainty));
    }
    blocks
}

/// Whether the item starts from a client's own constant: `DEFAULT_RETRY.with_timeout(60)`.
fn constant(item: &Item) -> bool {
    item.head.text.split('.').any(|part| part == "DEFAULT_RETRY")
}

/// The methods called on a retry, in order; the first may be in the head: `DEFAULT_RETRY.with_timeout`.
fn changes(item: &Item) -> impl Iterator<Item = (&str, &[Arg], Span)> {
    let method = item.head.text.rsplit('.').next().filter(|name| CHANGES.contains(name));
    let first = method.map(|name| (name, item.args.as_slice(), item.head.span));
    first.into_iter().chain(item.steps.iter().filter_map(|step| match step {
        Step::Call { name, args, span } => Some((name.text.as_str(), args.as_slice(), *span)),
        Step::Set { .. } => None,
    }))
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if ["api-core 1.", "api_core 1.", "api-core<2"].iter().any(|word| take.scan.comments_say(word)) {
        take.assume_release("google-api-core 1");
    }
    let made = !item.is_any(CHANGES);
    let mut args = if made { take.main() } else { take.of_call(&[], item.head.span, "") };
    if made {
        args.unknown_names("an argument of `Retry`", "it is accepted and does nothing");
    }
    refuse_none(&mut args, &["initial", "maximum", "multiplier"]);
    let mut base_ms = args.time("initial").unwrap_or(1_000.0);
    let mut cap_ms = args.time("maximum").unwrap_or(60_000.0);
    let mut factor = args.number("multiplier").unwrap_or(2.0);
    let mut limit = match args.has("deadline") {
        true => args.time("deadline"),
        false => args.time("timeout"),
    };
    if let (Some(value), true) = (args.value("timeout"), args.has("deadline")) {
        args.take.warning(
            "no-effect",
            value.span,
            "`timeout` has no effect: the old name `deadline` is given too, and wins.",
        );
    }
    let nothing_written = made && item.steps.is_empty() && !args.has("initial") && !args.has("maximum");
    if nothing_written && !args.has("multiplier") && !args.has("timeout") && !args.has("deadline") {
        let message = "Nothing is written about the waits: they grow from 1 s to 60 s, and 120 s bound the whole.";
        take.note("defaults", item.head.span, message);
    }
    for (name, given, span) in changes(item) {
        match name {
            "with_delay" => {
                let mut args = take.of_call(given, span, "with_delay");
                base_ms = args.time("initial").unwrap_or(base_ms);
                cap_ms = args.time("maximum").unwrap_or(cap_ms);
                factor = args.number("multiplier").unwrap_or(factor);
                args.unknown_names("an argument of `with_delay`", super::TYPE_ERROR);
            }
            "with_timeout" | "with_deadline" => limit = take.of_call(given, span, "with_timeout").time("timeout"),
            _ => {}
        }
    }
    let old = take.release == "google-api-core 1";
    let wait = match old {
        true => Wait::new(Backoff::Exponential { base_ms, factor })
            .jitter(Jitter::Proportional { below: 1.0, above: 1.0 })
            .cap_order(CapOrder::AfterJitter),
        false => Wait::new(Backoff::Exponential { base_ms: base_ms.min(cap_ms), factor }).jitter(Jitter::Full),
    };
    let mut policy = Policy::new(wait.cap(cap_ms), None);
    policy.deadline = limit.map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Refuse, clock: Clock::Elapsed });
    policy
}
