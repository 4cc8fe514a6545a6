//! Waits that a function of the text computes from the retry number.
//!
//! The function is run for each retry. If what it gives follows a curve with a cap and a jitter, the policy says so;
//! otherwise it holds the values one by one.

mod fit;

use crate::library::Take;
use crate::notation::formula::{Answer, Chance, Input, Spread, ask, run};
use crate::notation::{Fun, Item, Kind, Statement, Value};
use crate::policy::{After, Backoff, Law, Policy, Shape, Wait};
use crate::span::Span;

/// How many waits are computed one by one.
const MOST: u64 = 10_000;
/// How many where nothing ends them and they follow no curve.
const UNBOUNDED: u64 = 1_000;
/// Retries beyond the first ones that are looked at for an end.
const PROBES: [u64; 4] = [1_000, 10_000, 100_000, 1_000_000];
/// How many retries are looked at one by one for an end.
const WALKED: u64 = 128;

type Given = Box<dyn Fn(u64) -> Vec<Input<'static>>>;

/// What a function is given at retry k, and what ends the retrying.
pub(in crate::library) struct Inputs {
    given: Given,
    zero: bool,
    nothing: bool,
    unit_ms: f64,
}

impl Inputs {
    /// Numbers by position.
    pub(in crate::library) fn positional(of: impl Fn(u64) -> Vec<f64> + 'static) -> Self {
        let at = |(i, n): (usize, f64)| Input::At(i, Spread::fixed(n));
        let given: Given = Box::new(move |k| of(k).into_iter().enumerate().map(at).collect());
        Inputs { given, zero: false, nothing: false, unit_ms: 1.0 }
    }

    /// Fields of one object.
    pub(in crate::library) fn named(of: impl Fn(u64) -> Vec<(&'static str, Spread)> + 'static) -> Self {
        let given: Given = Box::new(move |k| of(k).into_iter().map(|(name, n)| Input::Named(name, n)).collect());
        Inputs { given, zero: false, nothing: false, unit_ms: 1.0 }
    }

    /// The same where a number without a unit is of this many ms; 1 unless said.
    pub(in crate::library) fn unit_ms(mut self, unit_ms: f64) -> Self {
        self.unit_ms = unit_ms;
        self
    }

    /// The same where 0 ends the retrying.
    pub(in crate::library) fn zero_stops(mut self) -> Self {
        self.zero = true;
        self
    }

    /// The same where anything but a number ends the retrying.
    pub(in crate::library) fn nothing_stops(mut self) -> Self {
        self.nothing = true;
        self
    }
}

/// What one run means.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Wait(Spread),
    Stop,
    /// Neither a wait nor an end.
    Wrong(&'static str),
    Unknown,
}

fn step(fun: &Fun, inputs: &Inputs, k: u64) -> Step {
    let what = match run(fun, &(inputs.given)(k)).answer {
        Answer::Number(n) | Answer::Time(n) if n.lo.is_nan() || n.hi.is_nan() => "something that is not a number",
        Answer::Number(n) | Answer::Time(n) if inputs.zero && n.known() == Some(0.0) => return Step::Stop,
        Answer::Number(n) => return Step::Wait(n.times(Spread::fixed(inputs.unit_ms))),
        Answer::Time(n) => return Step::Wait(n),
        Answer::Unknown => return Step::Unknown,
        Answer::Nothing => "nothing",
        Answer::Truth(_) => "true or false",
        Answer::Other => "something else than a number",
    };
    if inputs.nothing { Step::Stop } else { Step::Wrong(what) }
}

/// The policy of a function; `retries` is what limits them beside it.
pub(in crate::library) fn policy(
    take: &mut Take,
    name: &str,
    fun: &Fun,
    inputs: Inputs,
    retries: Option<u64>,
) -> Policy {
    let at = |k: u64| step(fun, &inputs, k);
    let span = span_of(fun);
    let ends = (inputs.zero || inputs.nothing).then(|| first(|k| at(k) == Step::Stop)).flatten().map(|k| k - 1);
    let retries = [retries, ends].into_iter().flatten().min();
    let count = retries.map_or(UNBOUNDED, |n| n.min(MOST));
    if run(fun, &(inputs.given)(1)).assumed {
        let message = format!(
            "A condition in `{name}` cannot be known from the text; the waits below are those where it does not hold."
        );
        take.note("assumed-condition", span, message);
    }
    let wait_at = |k: u64| match at(k) {
        Step::Wait(spread) => Some(spread),
        Step::Stop | Step::Wrong(_) | Step::Unknown => None,
    };
    if let Some(wait) = fit::curve(&wait_at, retries) {
        return checked(take, name, span, Policy::new(wait, retries), wait_at(1));
    }
    let mut waits = Vec::new();
    for k in 1..=count {
        match at(k) {
            Step::Wait(spread) => waits.push(spread),
            Step::Stop => break,
            Step::Wrong(what) => {
                let message = format!("`{name}` gives {what} for retry {k}, where a time is wanted.");
                take.error("bad-value", span, message);
                waits.push(Spread::fixed(0.0));
                break;
            }
            Step::Unknown => {
                take.unknown.push("backoff");
                let message = format!("`{name}` is a function that this page cannot run; its waits are not known.");
                take.note("unread-formula", span, message).help = "The numbers below assume no wait.".into();
                return Policy::new(Wait::new(Backoff::Constant { delay_ms: 0.0 }), retries);
            }
        }
    }
    if retries.is_none() && count == UNBOUNDED && waits.len() as u64 == UNBOUNDED {
        let steady = waits.last() == waits.get(waits.len() - 2);
        if !steady {
            let message =
                format!("`{name}` follows no curve known here: after {UNBOUNDED} waits the last one is repeated.");
            take.note("long-formula", span, message);
        }
    }
    let worst = waits.iter().copied().min_by(|a, b| a.lo.total_cmp(&b.lo));
    checked(take, name, span, Policy::new(Wait::new(listed(&waits)), retries), worst)
}

/// Says so where a function gives a wait below 0, which fires at once.
fn checked(take: &mut Take, name: &str, span: Span, mut policy: Policy, least: Option<Spread>) -> Policy {
    if let Some(least) = least.filter(|least| least.lo < 0.0) {
        let message = format!("`{name}` gives negative waits ({} ms): a timer fires at once then.", least.lo);
        take.error("bad-value", span, message);
        policy.wait = Wait::new(Backoff::Constant { delay_ms: 0.0 });
    }
    policy
}

fn listed(waits: &[Spread]) -> Backoff {
    let after = After::RepeatLast;
    if let Some(delays_ms) = waits.iter().map(|w| w.known().map(|ms| ms.max(0.0))).collect::<Option<Vec<f64>>>() {
        return Backoff::List { delays_ms, after };
    }
    let law = |w: &Spread| match w.chance {
        Chance::Fixed => Law::fixed(w.lo),
        Chance::Even => Law::uniform(w.lo, w.hi),
        Chance::Steps(step) => Law::steps(w.lo, w.hi, step),
        Chance::Unknown => Law::one(w.lo, w.hi, Shape::Unknown),
    };
    Backoff::Table { waits: waits.iter().map(law).collect(), after }
}

/// The first retry at which something holds, if it goes on holding: looked for one by one at first, then by halves.
fn first(holds: impl Fn(u64) -> bool) -> Option<u64> {
    if let Some(k) = (1..=WALKED).find(|&k| holds(k)) {
        return Some(k);
    }
    let mut below = WALKED;
    for probe in PROBES {
        if holds(probe) {
            let mut above = probe;
            while above - below > 1 {
                let middle = below + (above - below) / 2;
                if holds(middle) { above = middle } else { below = middle }
            }
            return Some(above);
        }
        below = probe;
    }
    None
}

/// How many retries a function of the number of failures so far allows: as long as it can say yes, whatever it asks of
/// the error. `None` for no limit; `usual` with a note where nothing but the error decides.
pub(in crate::library) fn count(take: &mut Take, name: &str, value: &Value, fun: &Fun, usual: u64) -> Option<u64> {
    let asked = |k: u64| ask(fun, &[Input::At(0, Spread::fixed(k as f64 - 1.0))]);
    let retries = first(|k| !asked(k).yes).map(|k| k - 1);
    let open = asked(1).yes && asked(1).no;
    if open && retries.is_none() {
        take.unknown.push("retries");
        let message =
            format!("How often `{name}` says yes depends on the error; the numbers below take {usual} retries.");
        take.note("unread-formula", value.span, message);
        return Some(usual);
    }
    if open {
        let message =
            format!("`{name}` also looks at the error; the numbers below are those where that does not end it.");
        take.note("assumed-condition", value.span, message);
    }
    let shown = retries.map_or("says yes for ever".to_string(), |n| format!("allows {n} retries"));
    let message = format!("`{name}` is asked with the failures so far, which start at 0: it {shown}.");
    take.note("counted", value.span, message);
    retries
}

/// Says that a function is wanted, or that the text does not define it; the waits are taken as 0.
pub(in crate::library) fn not_a_function(take: &mut Take, name: &str, value: &Value, retries: Option<u64>) -> Policy {
    if value.is_undefined() {
        take.unknown.push("backoff");
        let message = format!("`{name}` is given by a name that this text does not define; its waits are not known.");
        take.note("unknown-value", value.span, message).help = "The numbers below assume no wait.".into();
    } else {
        let what = format!("must be a function, not {}: the first retry throws a TypeError", value.describe());
        take.refuse(name, value, &what);
    }
    Policy::new(Wait::new(Backoff::Constant { delay_ms: 0.0 }), retries)
}

/// The call that is all a function does.
pub(in crate::library) fn only_call(fun: &Fun) -> Option<&Item> {
    match fun.body.as_slice() {
        [Statement::Return(value)] => value.item(),
        _ => None,
    }
}

/// A value that stands for nothing.
pub(in crate::library) fn nothing(span: Span) -> Value {
    Value::new(Kind::Word("null".into()), span)
}

/// The same function with other values returned, where `other` gives one; both sides of a `?:` are returned values.
pub(in crate::library) fn with_returns(fun: &Fun, other: &mut dyn FnMut(&Value) -> Option<Value>) -> Fun {
    let body = rewritten(&fun.body, false, &mut |value| returned(value, other));
    Fun { params: fun.params.clone(), body }
}

/// The same function with other values for calls, at any depth, where `other` gives one.
pub(in crate::library) fn with_calls(fun: &Fun, other: &mut dyn FnMut(&Item) -> Option<Value>) -> Fun {
    let body = rewritten(&fun.body, true, &mut |value| swapped(value, other));
    Fun { params: fun.params.clone(), body }
}

/// A body with other values: those that it returns, or all.
fn rewritten(body: &[Statement], all: bool, other: &mut dyn FnMut(&Value) -> Value) -> Vec<Statement> {
    let mut each = |statement: &Statement| match statement {
        Statement::Return(value) => Statement::Return(other(value)),
        Statement::If(condition, then, otherwise) => {
            let condition = if all { other(condition) } else { condition.clone() };
            Statement::If(condition, rewritten(then, all, other), rewritten(otherwise, all, other))
        }
        Statement::Bind(name, value) if all => Statement::Bind(name.clone(), other(value)),
        statement => statement.clone(),
    };
    body.iter().map(&mut each).collect()
}

fn swapped(value: &Value, other: &mut dyn FnMut(&Item) -> Option<Value>) -> Value {
    let kind = match &value.kind {
        Kind::Item(item) => match other(item) {
            Some(value) => return value,
            None => {
                let mut item = item.clone();
                item.args.iter_mut().for_each(|arg| arg.value = swapped(&arg.value, other));
                Kind::Item(item)
            }
        },
        Kind::Op(op, parts) => Kind::Op(op.clone(), parts.iter().map(|part| swapped(part, other)).collect()),
        kind => kind.clone(),
    };
    Value::new(kind, value.span)
}

fn returned(value: &Value, other: &mut dyn FnMut(&Value) -> Option<Value>) -> Value {
    match &value.kind {
        Kind::Op(op, parts) if op == "?:" && parts.len() == 3 => {
            let parts = vec![parts[0].clone(), returned(&parts[1], other), returned(&parts[2], other)];
            Value::new(Kind::Op(op.clone(), parts), value.span)
        }
        _ => other(value).unwrap_or_else(|| value.clone()),
    }
}

/// Where a function stands: from its first parameter to the end of its body.
fn span_of(fun: &Fun) -> Span {
    fn of(body: &[Statement]) -> Option<Span> {
        body.iter()
            .map(|s| match s {
                Statement::Bind(name, value) => name.span.to(value.span),
                Statement::If(value, then, otherwise) => {
                    [of(then), of(otherwise)].into_iter().flatten().fold(value.span, Span::to)
                }
                Statement::Return(value) | Statement::Expr(value) => value.span,
            })
            .reduce(Span::to)
    }
    let params = fun.params.first().map(|name| name.span);
    [params, of(&fun.body)].into_iter().flatten().reduce(Span::to).unwrap_or_default()
}
