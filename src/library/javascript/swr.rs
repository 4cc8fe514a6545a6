//! SWR: `errorRetryCount` and `errorRetryInterval` of `useSWR` and `SWRConfig`.

use super::strategy::{self, Inputs};
use super::{calls, has_any, map, ms, options};
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::formula::Spread;
use crate::notation::{Fun, Item, Statement, Value};
use crate::policy::{Backoff, Jitter, Policy, Rounded, RoundingMode, Wait};

/// SWR 2.
pub static LIBRARY: Library = Library {
    id: "swr",
    title: "SWR",
    ecosystem: "JavaScript",
    version: "2.5.1",
    source: "npm package swr: dist/config-context (onErrorRetry), dist/use-swr",
    counts: "retries, the first request not included (errorRetryCount)",
    formula: "floor((random + 0.5) * 2^min(k, 8)) * errorRetryInterval",
    words: &[
        "swr",
        "useSWR",
        "useSWRInfinite",
        "useSWRImmutable",
        "SWRConfig",
        "errorRetryCount",
        "errorRetryInterval",
        "onErrorRetry",
    ],
    settings: &[
        ms("errorRetryInterval", "baseMs", "5000"),
        Setting::count("errorRetryCount", "retries", ""),
        Setting::flag("shouldRetryOnError", "retries", "true"),
        super::shaping("onErrorRetry"),
    ],
    notes: &[
        "Every wait is a whole multiple of errorRetryInterval: the chance is brought to a whole number before it is multiplied.",
        "The first wait is one or two intervals, never less than one.",
        "Without errorRetryCount it retries without end; from the 8th retry on the waits no longer grow.",
        "On a slow connection the interval is 10 s where it is not written.",
        "Retries pause while the page is hidden or offline.",
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
            text: "import useSWR from 'swr'\n\nexport function useInvoices(customer) {\n  return useSWR(`/api/customers/${customer}/invoices`, fetcher, {\n    errorRetryCount: 4,\n    errorRetryInterval: 2000,\n  })\n}\n",
            waits: &[(2.0, 4.0), (4.0, 10.0), (8.0, 22.0), (16.0, 46.0)],
        },
        Example {
            text: "<SWRConfig value={{ errorRetryInterval: 1000, errorRetryCount: 2 }}>\n  <App />\n</SWRConfig>\n",
            waits: &[(1.0, 2.0), (2.0, 5.0)],
        },
    ],
};

const PACKAGES: &[&str] = &["swr"];
const HOOKS: &[&str] = &["useSWR", "useSWRInfinite", "useSWRImmutable"];
/// Options that nobody else has.
const OWN: &[&str] = &["errorRetryCount", "errorRetryInterval", "onErrorRetry"];
/// From this retry on the waits no longer grow.
const LAST_DOUBLING: i32 = 8;

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks = Vec::new();
    for (item, imported) in calls(scan, PACKAGES, HOOKS) {
        let own = given(item).and_then(map).is_some_and(|given| has_any(given, OWN));
        if own || imported || item.is("useSWR") {
            blocks.push(Block::new(item, if own || imported { Certainty::Certain } else { Certainty::Likely }));
        }
    }
    super::claim_alone(scan, &mut blocks, |item| has_any(item, OWN), Certainty::Certain);
    blocks
}

/// The options of a hook: after the key and the fetcher, or after the key alone.
fn given(item: &Item) -> Option<&Value> {
    item.at(2).or(item.at(1).filter(|value| map(value).is_some()))
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let defaults = "it retries without end, after 5 or 10 s, 10 to 25 s, 20 to 55 s and so on.";
    let mut args = if item.head.text.is_empty() { take.main() } else { options(take, given(item), "", defaults) };
    args.unknown_retry_names("an option of SWR", "it is ignored");
    let retries = args.count("errorRetryCount");
    let interval_ms = args.time("errorRetryInterval").unwrap_or(5_000.0);
    let retries = if retries_at_all(&mut args) { retries } else { Some(0) };
    match args.value("onErrorRetry").and_then(Value::fun) {
        Some(fun) => by_hand(args.take, fun, interval_ms),
        None => Policy::new(wait(interval_ms), retries),
    }
}

/// A function of one's own replaces all of it: what its timer says is the wait, and a return without one is the end.
fn by_hand(take: &mut Take, fun: &Fun, interval_ms: f64) -> Policy {
    let fun = Fun { params: fun.params.clone(), body: timed(&fun.body) };
    let inputs = Inputs::named(move |k| {
        vec![("retryCount", Spread::fixed(k as f64)), ("errorRetryInterval", Spread::fixed(interval_ms))]
    });
    strategy::policy(take, "onErrorRetry", &fun, inputs.nothing_stops(), None)
}

/// A body where `setTimeout(run, ms)` gives the ms.
fn timed(body: &[Statement]) -> Vec<Statement> {
    let each = |statement: &Statement| match statement {
        Statement::Expr(value) | Statement::Return(value) => {
            let timer = value.item().filter(|item| item.is("setTimeout"));
            timer.and_then(|item| item.at(1)).map_or(statement.clone(), |ms| Statement::Return(ms.clone()))
        }
        Statement::If(condition, then, otherwise) => Statement::If(condition.clone(), timed(then), timed(otherwise)),
        Statement::Bind(..) => statement.clone(),
    };
    body.iter().map(each).collect()
}

/// Whether `shouldRetryOnError` lets it retry; a function of the error is taken to say yes.
fn retries_at_all(args: &mut Args) -> bool {
    match args.value("shouldRetryOnError").filter(|value| value.fun().is_some()) {
        Some(value) => {
            args.take.origin("retries", value.span);
            true
        }
        None => args.flag("shouldRetryOnError"),
    }
}

fn wait(interval_ms: f64) -> Wait {
    if interval_ms == 0.0 {
        return Wait::new(Backoff::Constant { delay_ms: 0.0 });
    }
    let curve = Wait::new(Backoff::Exponential { base_ms: 2.0 * interval_ms, factor: 2.0 });
    let curve = curve.cap(interval_ms * f64::from(1 << LAST_DOUBLING));
    let curve = curve.jitter(Jitter::Proportional { below: 0.5, above: 0.5 });
    curve.rounding(RoundingMode::Floor, interval_ms, Rounded::Wait)
}
