//! stamina: an opinionated wrapper of Tenacity with defaults for everything but the exceptions.

use super::{TYPE_ERROR, is_bare, is_from, refuse_none, retries_until};
use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Kind};
use crate::policy::{Backoff, CapOrder, Clock, Deadline, Jitter, Overrun, Policy, Wait};

/// stamina 26.
pub static LIBRARY: Library = Library {
    id: "stamina",
    title: "stamina",
    ecosystem: "Python",
    version: "26.1.0",
    source: "stamina/_core.py",
    counts: "calls, the first included (attempts); None means no bound",
    formula: "min(wait_max, wait_initial * wait_exp_base^(k-1) + U(0, wait_jitter))",
    words: &[
        "stamina",
        "RetryingCaller",
        "AsyncRetryingCaller",
        "retry_context",
        "wait_initial",
        "wait_exp_base",
        "wait_jitter",
    ],
    settings: &[
        Setting::other("on"),
        Setting::number("attempts", "retries", "10"),
        Setting::time("timeout", "deadline", Unit::Second, "45").typed(),
        Setting::time("wait_initial", "baseMs", Unit::Second, "0.1").typed(),
        Setting::time("wait_max", "capMs", Unit::Second, "5").typed(),
        Setting::time("wait_jitter", "jitter", Unit::Second, "1").typed(),
        Setting::number("wait_exp_base", "factor", "2"),
        Setting::number("attempts", "retries", "10").of("caller").at(0),
        Setting::time("timeout", "deadline", Unit::Second, "45").of("caller").at(1).typed(),
        Setting::time("wait_initial", "baseMs", Unit::Second, "0.1").of("caller").at(2).typed(),
        Setting::time("wait_max", "capMs", Unit::Second, "5").of("caller").at(3).typed(),
        Setting::time("wait_jitter", "jitter", Unit::Second, "1").of("caller").at(4).typed(),
        Setting::number("wait_exp_base", "factor", "2").of("caller").at(5),
    ],
    notes: &[
        "It gives up after 10 calls or 45 s unless something else is written.",
        "The timeout is looked at after a failed call, so the last wait and call can pass it.",
        "The jitter is a time that is added, and the cap acts after it.",
        "`on` is required.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "import stamina\n\n@stamina.retry(\n    on=Exception,\n    attempts=«calls|None»,\n    timeout=«allow:s|None»,\n    wait_initial=«base:s»,\n    wait_max=«cap:s|float(\"inf\")»,\n    wait_jitter=«most:s|0»,\n    wait_exp_base=«factor»,\n)\ndef call(): ...\n",
    ],
    examples: &[
        Example {
            text: "import httpx\nimport stamina\n\n@stamina.retry(on=httpx.HTTPError, attempts=4, wait_initial=0.5, wait_jitter=0.25)\ndef load(code: int) -> httpx.Response:\n    return httpx.get(f\"https://api.example.com/{code}\").raise_for_status()\n",
            waits: &[(0.5, 0.75), (1.0, 1.25), (2.0, 2.25)],
        },
        Example {
            text: "import datetime as dt\nimport stamina\n\nfor attempt in stamina.retry_context(on=OSError, attempts=3, wait_max=dt.timedelta(seconds=1)):\n    with attempt:\n        copy()\n",
            waits: &[(0.1, 1.0), (0.2, 1.0)],
        },
    ],
};

const DECORATORS: &[&str] = &["retry", "retry_context"];
const CALLERS: &[&str] = &["RetryingCaller", "AsyncRetryingCaller"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let star = scan.imports(&["stamina"]);
    let mut blocks = Vec::new();
    for item in scan.heads(&["retry", "retry_context", "RetryingCaller", "AsyncRetryingCaller"]) {
        if !matches!(item.form, Form::Annotation | Form::Call) {
            continue;
        }
        let caller = item.is_any(CALLERS);
        let bare = is_bare(item, DECORATORS) || is_bare(item, CALLERS);
        let own = ["wait_initial", "wait_max", "wait_jitter", "wait_exp_base"].iter().any(|n| item.get(n).is_some());
        let certainty = match () {
            () if is_from(item, "stamina", DECORATORS) || is_from(item, "stamina", CALLERS) => Certainty::Certain,
            () if bare && (star && !is_bare(item, &["retry"]) || own) => Certainty::Certain,
            () if is_bare(item, CALLERS) || is_bare(item, &["retry_context"]) => Certainty::Likely,
            () if is_bare(item, &["retry"]) && item.get("on").is_some() => Certainty::Likely,
            () => continue,
        };
        blocks.push(Block::new(item, certainty).variant(if caller { "caller" } else { "" }));
    }
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let caller = take.block.variant == "caller";
    let mut args = take.of(item, take.block.variant);
    let whose = item.head.text.rsplit('.').next().unwrap_or("retry");
    args.unknown_names(&format!("an argument of `{whose}`"), TYPE_ERROR);
    if !caller {
        match args.value("on") {
            None => {
                let message = format!("`on` is required: it names what to retry; {TYPE_ERROR}.");
                args.take.error("missing-key", item.head.span, message).help = "Give `on=SomeError`.".into();
            }
            Some(on) if matches!(on.kind, Kind::Fun(_)) => {
                let message = "`on` is a function: where it returns a time instead of True, that is the wait.";
                args.take.note("backoff-hook", on.span, message);
            }
            Some(_) => {}
        }
    }
    refuse_none(&mut args, &["wait_initial", "wait_max", "wait_jitter", "wait_exp_base"]);
    let retries = retries_until(&mut args, "attempts");
    let limit = args.time("timeout");
    if let Some(value) = args.value("timeout").filter(|_| limit == Some(0.0)) {
        let message = "`timeout` is 0: no time is left after the first call, so there is no retry.";
        args.take.warning("no-time", value.span, message).help = "Write `timeout=None` for no limit.".into();
    }
    let base_ms = args.time("wait_initial").unwrap_or(0.0);
    let factor = args.number("wait_exp_base").unwrap_or(2.0);
    let cap_ms = args.time("wait_max");
    let max_ms = args.time("wait_jitter").unwrap_or(0.0);
    let jitter = if max_ms > 0.0 { Jitter::Additive { min_ms: 0.0, max_ms } } else { Jitter::None };
    let wait = Wait::new(Backoff::Exponential { base_ms, factor }).cap(cap_ms);
    let mut policy = Policy::new(wait.jitter(jitter).cap_order(CapOrder::AfterJitter), retries);
    policy.deadline = limit.map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Allow, clock: Clock::Elapsed });
    let written = LIBRARY.settings.iter().any(|s| s.name != "on" && item.get(s.name).is_some());
    if !written && item.args.len() < 2 {
        let message = "Nothing is written about the retries: 10 calls within 45 s, with waits up to 5 s.";
        take.note("defaults", item.head.span, message);
    }
    policy
}
