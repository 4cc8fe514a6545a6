//! aiohttp-retry: one class of options for each shape of waits.

use super::{TYPE_ERROR, is_bare, is_from, nothing, refuse_none};
use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Value};
use crate::policy::{After, Backoff, Jitter, Law, Policy, Shape, Wait};

/// aiohttp-retry 2.9.
pub static LIBRARY: Library = Library {
    id: "aiohttp-retry",
    title: "aiohttp-retry",
    ecosystem: "Python",
    version: "2.9.1",
    source: "aiohttp_retry/retry_options.py, aiohttp_retry/client.py",
    counts: "calls, the first included (attempts)",
    formula: "ExponentialRetry: min(start_timeout * factor^k, max_timeout)",
    words: &[
        "aiohttp_retry",
        "ExponentialRetry",
        "JitterRetry",
        "ListRetry",
        "RandomRetry",
        "FibonacciRetry",
        "RetryClient",
        "RetryOptions",
    ],
    settings: SETTINGS,
    notes: &[
        "The exponent starts at 1: the first wait is start_timeout times factor.",
        "JitterRetry adds a draw raised to the power of factor after the cap, so a wait can pass max_timeout.",
        "ListRetry makes as many calls as the list is long and never uses its first entry.",
        "FibonacciRetry starts at 2 and goes on growing over later requests of the same options object.",
        "Every response from 500 on is retried; exceptions only where they are listed.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "import aiohttp_retry\n\nclient = aiohttp_retry.RetryClient(\n    retry_options=aiohttp_retry.«*»,\n)\n",
        "ExponentialRetry(attempts=«calls», start_timeout=«base/factor:s», max_timeout=«cap:s|float(\"inf\")», factor=«factor»)",
        "RandomRetry(attempts=«calls», min_timeout=«delay+least:s», max_timeout=«delay+most:s»)",
        "RandomRetry(attempts=«calls», min_timeout=«delay-delay*below:s», max_timeout=«delay+delay*above:s»)",
        "ListRetry(timeouts=[0, «delays:s»])",
    ],
    examples: &[
        Example {
            text: "from aiohttp import ClientSession\nfrom aiohttp_retry import ExponentialRetry, RetryClient\n\noptions = ExponentialRetry(attempts=5, start_timeout=0.25, max_timeout=3)\n\nasync def fetch(session: ClientSession):\n    client = RetryClient(client_session=session, retry_options=options)\n    async with client.get(URL) as response:\n        return await response.json()\n",
            waits: &[(0.5, 0.5), (1.0, 1.0), (2.0, 2.0), (3.0, 3.0)],
        },
        Example {
            text: "from aiohttp_retry import ListRetry\n\nretry_options = ListRetry(timeouts=[1, 2, 8, 30])\n",
            waits: &[(2.0, 2.0), (8.0, 8.0), (30.0, 30.0)],
        },
        Example {
            text: "from aiohttp_retry import FibonacciRetry\n\nretry_options = FibonacciRetry(attempts=5, multiplier=0.5, max_timeout=2)\n",
            waits: &[(1.0, 1.0), (1.5, 1.5), (2.0, 2.0), (2.0, 2.0)],
        },
    ],
};

const SETTINGS: &[Setting] = &[
    Setting::number("attempts", "retries", "3").of("ExponentialRetry").at(0),
    Setting::time("start_timeout", "baseMs", Unit::Second, "0.1").of("ExponentialRetry").at(1).plain(),
    Setting::time("max_timeout", "capMs", Unit::Second, "30").of("ExponentialRetry").at(2).plain(),
    Setting::number("factor", "factor", "2").of("ExponentialRetry").at(3),
    Setting::other("statuses").of("ExponentialRetry"),
    Setting::other("exceptions").of("ExponentialRetry"),
    Setting::other("methods").of("ExponentialRetry"),
    Setting::other("retry_all_server_errors").of("ExponentialRetry"),
    Setting::other("evaluate_response_callback").of("ExponentialRetry"),
    Setting::number("attempts", "retries", "3").of("JitterRetry").at(0),
    Setting::time("start_timeout", "baseMs", Unit::Second, "0.1").of("JitterRetry").at(1).plain(),
    Setting::time("max_timeout", "capMs", Unit::Second, "30").of("JitterRetry").at(2).plain(),
    Setting::number("factor", "factor", "2").of("JitterRetry").at(3),
    Setting::time("random_interval_size", "jitter", Unit::Second, "2").of("JitterRetry").at(7).plain(),
    Setting::other("statuses").of("JitterRetry"),
    Setting::other("exceptions").of("JitterRetry"),
    Setting::other("methods").of("JitterRetry"),
    Setting::other("retry_all_server_errors").of("JitterRetry"),
    Setting::other("evaluate_response_callback").of("JitterRetry"),
    Setting::number("attempts", "retries", "3").of("RandomRetry").at(0),
    Setting::time("min_timeout", "baseMs", Unit::Second, "0.1").of("RandomRetry").at(4).plain(),
    Setting::time("max_timeout", "jitter", Unit::Second, "3").of("RandomRetry").at(5).plain(),
    Setting::other("random_func").of("RandomRetry").at(6),
    Setting::other("statuses").of("RandomRetry"),
    Setting::other("exceptions").of("RandomRetry"),
    Setting::other("methods").of("RandomRetry"),
    Setting::other("retry_all_server_errors").of("RandomRetry"),
    Setting::other("evaluate_response_callback").of("RandomRetry"),
    Setting::other("timeouts").of("ListRetry").at(0),
    Setting::other("statuses").of("ListRetry"),
    Setting::other("exceptions").of("ListRetry"),
    Setting::other("methods").of("ListRetry"),
    Setting::other("retry_all_server_errors").of("ListRetry"),
    Setting::other("evaluate_response_callback").of("ListRetry"),
    Setting::number("attempts", "retries", "3").of("FibonacciRetry").at(0),
    Setting::number("multiplier", "baseMs", "1").of("FibonacciRetry").at(1),
    Setting::time("max_timeout", "capMs", Unit::Second, "3").of("FibonacciRetry").at(5).plain(),
    Setting::other("statuses").of("FibonacciRetry"),
    Setting::other("exceptions").of("FibonacciRetry"),
    Setting::other("methods").of("FibonacciRetry"),
    Setting::other("retry_all_server_errors").of("FibonacciRetry"),
    Setting::other("evaluate_response_callback").of("FibonacciRetry"),
];

const OPTIONS: &[&str] =
    &["ExponentialRetry", "JitterRetry", "ListRetry", "RandomRetry", "FibonacciRetry", "RetryOptions"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks = Vec::new();
    for item in scan.heads(OPTIONS).filter(|i| i.form == Form::Call) {
        let own = ["start_timeout", "max_timeout", "min_timeout", "random_interval_size", "timeouts"];
        let typical =
            own.iter().any(|key| item.get(key).is_some()) || is_bare(item, &["JitterRetry", "FibonacciRetry"]);
        if is_from(item, "aiohttp_retry", OPTIONS) {
            blocks.push(Block::new(item, Certainty::Certain));
        } else if is_bare(item, OPTIONS) && typical {
            blocks.push(Block::new(item, Certainty::Likely));
        }
    }
    for item in scan.heads(&["RetryClient"]).filter(|i| is_from(i, "aiohttp_retry", &["RetryClient"])) {
        // The order of its arguments differs between releases.
        let positional = || item.args.iter().map(|a| &a.value).find(|v| v.item().is_some_and(|i| i.is_any(OPTIONS)));
        let given = item.get("retry_options").or_else(positional).or_else(|| item.at(2));
        // One that nothing is written about gives way to the options of its requests.
        let alone = given.is_some() || blocks.is_empty();
        if item.form == Form::Call && alone && given.is_none_or(|value| value.item().is_none()) {
            blocks.push(Block::new(item, Certainty::Certain).variant("client"));
        }
    }
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if take.block.variant == "client" {
        return client(take, item);
    }
    let class = OPTIONS.iter().copied().find(|name| item.is(name)).unwrap_or("ExponentialRetry");
    let group = if class == "RetryOptions" { "ExponentialRetry" } else { class };
    let mut args = take.of(item, group);
    args.unknown_names(&format!("an argument of `{class}`"), TYPE_ERROR);
    if class == "RetryOptions" {
        args.take.note(
            "deprecated",
            item.head.span,
            "`RetryOptions` is the old name of `ExponentialRetry`, which it makes.",
        );
    }
    match group {
        "ListRetry" => list(&mut args, item),
        "RandomRetry" => random(&mut args),
        "FibonacciRetry" => fibonacci(&mut args),
        _ => exponential(&mut args, group == "JitterRetry"),
    }
}

/// A client without options makes an `ExponentialRetry()`.
fn client(take: &mut Take, item: &Item) -> Policy {
    match item.get("retry_options").or_else(|| item.at(2)).filter(|v| !v.is_null()) {
        Some(value) => {
            let message = "The retry options are given by a name that this text does not define.";
            super::not_followed(take, "retries", value.span, message);
            take.unknown.push("baseMs");
        }
        None => {
            let message = "Nothing is written about retries: the client takes `ExponentialRetry()`, 3 calls with waits of 0.2 s and 0.4 s.";
            take.note("defaults", item.head.span, message);
        }
    }
    exponential(&mut take.of_call(&[], item.span, "ExponentialRetry"), false)
}

/// The retries that `attempts` calls leave. It is compared for equality after each failing response, so what no count
/// of calls equals never stops.
fn retries(args: &mut Args) -> Option<u64> {
    let value = args.value("attempts");
    let calls = args.number("attempts")?;
    match value {
        Some(value) if calls < 1.0 || calls.fract() != 0.0 => {
            let message = format!(
                "`attempts` is {calls}, which no count of calls ever equals: failing responses are retried for ever."
            );
            args.take.error("never-equal", value.span, message).help = "Write a whole number from 1 on.".into();
            None
        }
        _ => calls.is_finite().then_some(calls as u64 - 1),
    }
}

fn exponential(args: &mut Args, jitter: bool) -> Policy {
    refuse_none(args, &["attempts", "start_timeout", "max_timeout", "factor"]);
    let retries = retries(args);
    let start_ms = args.time("start_timeout").unwrap_or(100.0);
    let factor = args.number("factor").unwrap_or(2.0);
    let cap_ms = args.time("max_timeout");
    if let Some(value) = args.value("factor").filter(|_| factor < 0.0) {
        args.take.refuse("factor", value, "is negative, so every second wait would be");
    }
    let factor = factor.max(0.0);
    let mut policy =
        Policy::new(Wait::new(Backoff::Exponential { base_ms: start_ms * factor, factor }).cap(cap_ms), retries);
    if jitter {
        let size_s = args.time("random_interval_size").unwrap_or(2_000.0) / 1e3;
        let most_ms = libm::pow(size_s, factor) * 1e3;
        if factor == 1.0 {
            policy.wait.jitter = Jitter::Additive { min_ms: 0.0, max_ms: most_ms };
        } else if most_ms > 0.0 {
            // A power of an even draw: only its bounds are said here, which is less than what is known.
            policy.plus.push(drawn(Law::one(0.0, most_ms, Shape::Unknown)));
        }
    }
    policy
}

/// A wait of the same law each time.
fn drawn(law: Law) -> Wait {
    Wait::table(vec![law])
}

fn random(args: &mut Args) -> Policy {
    refuse_none(args, &["attempts", "min_timeout", "max_timeout"]);
    let retries = retries(args);
    let (from, to) = (args.time("min_timeout").unwrap_or(0.0), args.time("max_timeout").unwrap_or(0.0));
    let jitter = Jitter::Additive { min_ms: 0.0, max_ms: (to - from).abs() };
    if let Some(value) = args.value("random_func") {
        super::not_followed(
            args.take,
            "jitter",
            value.span,
            "The draw is a function of one's own; a number from 0 to 1 is assumed.",
        );
    }
    Policy::new(Wait::new(Backoff::Constant { delay_ms: from.min(to) }).jitter(jitter), retries)
}

/// As many calls as entries; the first entry is never used.
fn list(args: &mut Args, item: &Item) -> Policy {
    let Some(value) = args.value("timeouts") else {
        args.take.error("missing-key", item.span, format!("`ListRetry` needs its `timeouts`; {TYPE_ERROR}."));
        return Policy::new(nothing(), 0);
    };
    let Some(entries) = value.list() else {
        if value.is_undefined() {
            let message = "The list is given by a name that this text does not define.";
            super::not_followed(args.take, "baseMs", value.span, message);
        } else {
            let what = format!("must be a list of seconds, not {}", value.describe());
            args.take.refuse("timeouts", value, &what);
        }
        return Policy::new(nothing(), 0);
    };
    args.take.origin("baseMs", value.span);
    args.take.origin("retries", value.span);
    let delays_ms: Vec<f64> = entries.iter().skip(1).map(|entry| seconds(args.take, entry)).collect();
    if let Some(first) = entries.first() {
        args.take.note(
            "unused-entry",
            first.span,
            "The first entry of `timeouts` is never used: the first wait is the second entry.",
        );
    }
    let retries = delays_ms.len() as u64;
    Policy::new(Wait::new(Backoff::List { delays_ms, after: After::Stop }), retries)
}

fn seconds(take: &mut Take, entry: &Value) -> f64 {
    match entry.number() {
        Some(_) => take.time("timeouts", "", entry, Some(Unit::Second)).unwrap_or(0.0),
        None => take
            .refuse("timeouts", entry, &format!("must hold numbers of seconds, not {}", entry.describe()))
            .unwrap_or(0.0),
    }
}

/// 2, 3, 5, 8, …: the sequence goes one step before it is used, so it starts with its third member.
fn fibonacci(args: &mut Args) -> Policy {
    refuse_none(args, &["attempts", "multiplier", "max_timeout"]);
    let retries = retries(args);
    let multiplier = args.number("multiplier").unwrap_or(1.0);
    let cap_ms = args.time("max_timeout").unwrap_or(3_000.0);
    if let Some(value) = args.value("multiplier").filter(|_| multiplier < 0.0) {
        args.take.refuse("multiplier", value, "is negative");
    }
    let base_ms = 1e3 * multiplier.max(0.0);
    let mut delays_ms = Vec::new();
    let (mut a, mut b) = (1.0, 2.0);
    while delays_ms.len() < 1_500 && delays_ms.last().is_none_or(|last| *last < cap_ms) && base_ms > 0.0 {
        delays_ms.push(f64::min(base_ms * b, cap_ms));
        (a, b) = (b, a + b);
    }
    if delays_ms.is_empty() {
        return Policy::new(nothing(), retries);
    }
    Policy::new(Wait::new(Backoff::List { delays_ms, after: After::RepeatLast }), retries)
}
