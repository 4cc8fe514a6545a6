//! `retryWhen`: the errors as a stream, and what its operators make of it. Each value that comes out is a retry.

use super::{constant, delay_of};
use crate::library::Take;
use crate::library::computed::{self as strategy, Inputs};
use crate::notation::formula::{Answer, Input, Spread, run};
use crate::notation::{Arg, Fun, Item, Kind, Statement, Step, Value};
use crate::policy::Policy;

/// How many values of a stream are computed.
const MOST: u64 = 1_000;

/// What the operators so far make of the errors.
#[derive(Default)]
struct Stream {
    retries: Option<u64>,
    /// The value of each error, where it is a number.
    values: Option<Vec<f64>>,
    waits: Option<Policy>,
    unread: bool,
}

/// The policy of a `retryWhen`.
pub(super) fn policy(take: &mut Take, item: &Item) -> Policy {
    let message = "`retryWhen` is deprecated.";
    take.note("deprecated", item.head.span, message).help = "Write `retry({ count, delay })`.".into();
    let stream = item.at(0).and_then(Value::fun).and_then(|fun| {
        let made = fun.body.iter().rev().find_map(|statement| match statement {
            Statement::Return(value) | Statement::Expr(value) => value.item(),
            _ => None,
        })?;
        let mut stream = Stream::default();
        if made.is("zip") {
            zipped(made, &mut stream);
        }
        operators(made).iter().for_each(|operator| apply(take, operator, &mut stream));
        Some(stream)
    });
    let Some(Stream { retries, waits, unread: false, .. }) = stream else {
        take.unknown.extend(["retries", "backoff"]);
        let message =
            "What this makes of the errors is more than the page can follow: retries and waits are not known.";
        take.note("unread-formula", item.span, message);
        return constant(0.0, None);
    };
    let mut policy = waits.unwrap_or_else(|| constant(0.0, None));
    policy.retries = [policy.retries, retries].into_iter().flatten().min();
    policy
}

/// The operators of a stream, as the arguments of `pipe` or as methods.
fn operators(stream: &Item) -> Vec<Item> {
    let mut all = Vec::new();
    for step in &stream.steps {
        let Step::Call { name, args, span } = step else { continue };
        match name.text.as_str() {
            "pipe" => all.extend(args.iter().filter_map(|arg| arg.value.item().cloned())),
            _ => all.push(Item { head: name.clone(), args: args.clone(), span: *span, ..Item::default() }),
        }
    }
    all
}

/// `zip(range(1, 3), errors)`: as many retries as the range has numbers, each with its number.
fn zipped(zip: &Item, stream: &mut Stream) {
    let range = zip.args.iter().filter_map(|arg| arg.value.item()).find(|item| item.is("range"));
    let number = |at| range.and_then(|range: &Item| range.at(at)?.number());
    if let (Some(start), Some(count)) = (number(0), number(1)) {
        stream.retries = Some(count.clamp(0.0, MOST as f64) as u64);
        stream.values = Some((0..count.clamp(0.0, MOST as f64) as u64).map(|at| start + at as f64).collect());
    } else {
        stream.unread |= range.is_some();
    }
}

fn apply(take: &mut Take, operator: &Item, stream: &mut Stream) {
    let fun = operator.at(0).and_then(Value::fun);
    let name = operator.head.text.rsplit(['.', '/']).next().unwrap_or_default();
    match (name, fun) {
        ("tap" | "do" | "finalize" | "catchError" | "concat" | "concatWith", _) => {}
        ("take", _) => {
            let count = operator.at(0).and_then(Value::number).map(|n| n.max(0.0) as u64);
            stream.retries = [stream.retries, count].into_iter().flatten().min();
            let message = "`take` ends the stream with its last value: the last retry is begun and given up at once.";
            take.note("ends-at-once", operator.span, message);
        }
        ("takeWhile", Some(fun)) => {
            let holds = |k: u64| run(fun, &inputs(stream, k)).answer == Answer::Truth(true);
            let count = (1..=MOST).find(|&k| !holds(k)).map(|k| k - 1);
            stream.unread |= count.is_none();
            stream.retries = [stream.retries, count].into_iter().flatten().min();
        }
        ("delay", _) => match operator.at(0).map(|value| value.duration_ms(Some(crate::duration::Unit::Millisecond))) {
            Some(Ok(time)) => {
                take.origin("delayMs", operator.span);
                stream.waits = Some(constant(time.ms, None));
            }
            _ => stream.unread = true,
        },
        ("scan", Some(fun)) => scanned(fun, operator, stream),
        ("map", Some(fun)) => {
            let count = stream.retries.unwrap_or(MOST).min(MOST);
            let value = |k: u64| match run(fun, &inputs(stream, k)).answer {
                Answer::Number(number) => number.known(),
                _ => None,
            };
            stream.values = (1..=count).map(value).collect();
        }
        ("mergeMap" | "concatMap" | "switchMap" | "exhaustMap" | "flatMap" | "delayWhen", Some(fun)) => {
            let timers = strategy::with_returns(fun, &mut delay_of);
            let values = stream.values.clone();
            let given = move |k: u64| {
                let at = (k - 1) as usize;
                let value = values.as_ref().map_or(0.0, |all| all.get(at).or(all.last()).copied().unwrap_or(0.0));
                vec![value, at as f64]
            };
            take.origin("backoff", operator.span);
            let inputs = Inputs::positional(given).nothing_stops();
            stream.waits = Some(strategy::policy(take, name, &timers, inputs, stream.retries));
        }
        _ => stream.unread = true,
    }
}

/// What an operator's function is given at retry k: the value, and its number from 0.
fn inputs(stream: &Stream, k: u64) -> Vec<Input<'static>> {
    let value = stream.values.as_ref().and_then(|all| all.get(k as usize - 1)).copied();
    let number = Input::At(1, Spread::fixed(k as f64 - 1.0));
    value.map(|value| Input::At(0, Spread::fixed(value))).into_iter().chain([number]).collect()
}

/// `scan((count, error) => …, 0)`: a count that is handed on, until the function throws.
fn scanned(fun: &Fun, operator: &Item, stream: &mut Stream) {
    let seed = operator.args.get(1).and_then(|arg: &Arg| arg.value.number());
    let Some(mut sum) = seed else {
        stream.unread = true;
        return;
    };
    let mut values = Vec::new();
    for _ in 0..MOST {
        match run(fun, &[Input::At(0, Spread::fixed(sum))]).answer {
            Answer::Number(number) if number.known().is_some() => sum = number.lo,
            Answer::Nothing => break,
            _ => {
                stream.unread = true;
                return;
            }
        }
        values.push(sum);
    }
    let count = values.len() as u64;
    // It asks something that is not known.
    stream.unread |= count == MOST && fun.body.iter().any(|statement| matches!(statement, Statement::If(..)));
    stream.retries = [stream.retries, (count < MOST).then_some(count)].into_iter().flatten().min();
    stream.values = Some(values);
}

/// Whether a value's function makes a stream of the errors: what is not one, the library leaves alone.
pub(super) fn is_stream(value: &Value) -> bool {
    matches!(value.kind, Kind::Fun(_) | Kind::Item(_) | Kind::Word(_))
}
