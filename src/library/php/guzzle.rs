//! Guzzle: the retry middleware with a decider and a delay.

use crate::library::computed::{self, Inputs};
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Fun, Kind, Statement, Value};
use crate::policy::{Backoff, Policy, Wait};

/// Guzzle 7.
pub static LIBRARY: Library = Library {
    id: "guzzle",
    title: "Guzzle",
    ecosystem: "PHP",
    version: "7.x (2779e868, 2023-12)",
    source: "src/RetryMiddleware.php",
    counts: "retries: as often as the decider says yes",
    formula: "2^(k-1) s without a delay function",
    words: &["Middleware::retry", "GuzzleHttp", "$stack", "$handler", "RetryMiddleware"],
    settings: &[Setting::other("decider").at(0), Setting::other("delay").at(1)],
    notes: &[
        "The decider is given the retries so far, from 0.",
        "The delay function is given the number of the retry, from 1, and gives milliseconds.",
        "Without a delay function the waits double from 1 s, without cap and without jitter.",
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
            text: "$stack->push(Middleware::retry(fn ($retries) => $retries < 2));\n",
            waits: &[(1.0, 1.0), (2.0, 2.0)],
        },
        Example {
            text: "$stack->push(GuzzleHttp\\Middleware::retry(function ($n) { return $n < 3; }, function ($n) { return 250 * $n; }));\n",
            waits: &[(0.25, 0.25), (0.5, 0.5), (0.75, 0.75)],
        },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let calls = scan.heads(&["Middleware.retry", "RetryMiddleware"]);
    let calls = calls.filter(|i| i.form == Form::Call && !i.args.is_empty());
    calls.map(|item| Block::new(item, Certainty::Certain)).collect()
}

/// The function that a value is, or that a method of this text makes: `$this->decider()`, `[$this, 'decider']`,
/// `$this->decider(...)`.
fn function<'d>(scan: &Scan<'d>, value: &'d Value) -> Option<&'d Fun> {
    if let Some(fun) = value.fun() {
        return Some(fun);
    }
    let name = match &value.kind {
        Kind::Item(call) => call.head.text.as_str(),
        Kind::List(pair) => pair.get(1)?.text()?,
        _ => return None,
    };
    let name = name.rsplit(['>', ':']).next().unwrap_or(name);
    let method = scan.items.iter().find(|i| i.form == Form::Function && i.head.text == name)?;
    let own = method.args.first()?.value.fun()?;
    let made = own.body.iter().find_map(|statement| match statement {
        Statement::Return(value) => value.fun(),
        _ => None,
    });
    made.or(Some(own))
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let decider = item.at(0);
    let retries = match decider.and_then(|v| Some((v, function(take.scan, v)?))) {
        Some((value, fun)) => computed::count(take, "decider", value, fun, 0),
        None => {
            take.note(
                "unread-decider",
                item.head.span,
                "The decider is not in this text: how often it retries is not known.",
            );
            take.unknown.push("retries");
            None
        }
    };
    // The class is given the next handler before its delay. A delay may be the class's own by name.
    let delay = item.at(if item.is("RetryMiddleware") { 2 } else { 1 }).filter(|v| !v.is_null());
    let delay = delay.filter(|v| !v.span.of(take.scan.doc.text).contains("exponentialDelay"));
    match delay.and_then(|v| function(take.scan, v)) {
        None if delay.is_some() => {
            take.unknown.push("backoff");
            take.note(
                "unread-formula",
                item.head.span,
                "The delay function is not in this text: the waits are not known.",
            );
            Policy::new(Wait::new(Backoff::Constant { delay_ms: 0.0 }), retries)
        }
        Some(fun) => computed::policy(take, "delay", fun, Inputs::positional(|k| vec![k as f64]), retries),
        None => {
            take.default("baseMs", "1 s");
            take.default("factor", "2");
            Policy::new(Wait::new(Backoff::Exponential { base_ms: 1_000.0, factor: 2.0 }), retries)
        }
    }
}
