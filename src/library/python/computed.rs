//! Waits that a text computes from the number of the retry: `countdown=2 ** self.request.retries`,
//! `wait=lambda state: state.attempt_number * 2`.

use crate::notation::formula::{Answer, Chance, Input, Spread, run};
use crate::notation::{Fun, Kind, Name, Statement, Value};
use crate::policy::{After, Backoff, Law, Shape, Wait};

/// How many waits are computed where nothing bounds them.
const MOST: u64 = 64;

/// The waits, in seconds, of a function or of an expression that mentions `field` of some object. `first` is what that
/// field holds at the first retry; it goes up by one with each. `None` where the text does not say enough.
pub(super) fn waits(value: &Value, field: &str, first: u64, retries: Option<u64>) -> Option<Wait> {
    let expression;
    let fun = match &value.kind {
        Kind::Fun(fun) => fun,
        _ => {
            let owner = owner(value, field)?;
            let body = vec![Statement::Return(value.clone())];
            expression = Fun { params: vec![Name { text: owner, span: value.span }], body };
            &expression
        }
    };
    let count = retries.unwrap_or(MOST).clamp(1, 10 * MOST);
    let laws: Option<Vec<Law>> = (0..count)
        .map(|k| {
            let number = Spread::fixed((first + k) as f64);
            match run(fun, &[Input::Named(field, number)]).answer {
                Answer::Number(seconds) => law(seconds, 1e3),
                Answer::Time(ms) => law(ms, 1.0),
                _ => None,
            }
        })
        .collect();
    named(laws?)
}

/// What the object is called whose `field` an expression mentions: `self` in `2 ** self.request.retries`.
fn owner(value: &Value, field: &str) -> Option<String> {
    match &value.kind {
        Kind::Word(word) => {
            let (path, last) = word.rsplit_once('.')?;
            (last == field).then(|| path.split('.').next().unwrap_or(path).to_string())
        }
        Kind::Op(_, parts) | Kind::List(parts) => parts.iter().find_map(|part| owner(part, field)),
        Kind::Item(item) => item.args.iter().find_map(|arg| owner(&arg.value, field)),
        _ => None,
    }
}

fn law(spread: Spread, unit_ms: f64) -> Option<Law> {
    let (lo, hi) = (spread.lo * unit_ms, spread.hi * unit_ms);
    if lo.is_nan() || hi.is_nan() || hi < 0.0 {
        return None;
    }
    let lo = lo.max(0.0);
    Some(match spread.chance {
        Chance::Fixed => Law::fixed(lo),
        Chance::Even => Law::uniform(lo, hi),
        Chance::Steps(step) => Law::steps(lo, hi, step * unit_ms),
        Chance::Unknown => Law::one(lo, hi, Shape::Unknown),
    })
}

/// The curve with these waits, where they are fixed and one of the plain curves gives them all; else one by one.
fn named(laws: Vec<Law>) -> Option<Wait> {
    let fixed: Option<Vec<f64>> = laws.iter().map(|law| (law.min_ms() == law.max_ms()).then(|| law.min_ms())).collect();
    let Some(delays_ms) = fixed else {
        return Some(Wait::new(Backoff::Table { waits: laws, after: After::RepeatLast }));
    };
    let base_ms = *delays_ms.first()?;
    let second_ms = delays_ms.get(1).copied().unwrap_or(base_ms);
    let curves = [
        Backoff::Constant { delay_ms: base_ms },
        Backoff::Exponential { base_ms, factor: if base_ms > 0.0 { second_ms / base_ms } else { 1.0 } },
        Backoff::Linear { base_ms, increment_ms: second_ms - base_ms },
    ];
    let most_ms = delays_ms.iter().copied().fold(0.0, f64::max);
    let close = |a: f64, b: f64| a == b || (a - b).abs() <= 1e-9 * b.abs();
    for curve in curves {
        for cap_ms in [None, Some(most_ms)] {
            let wait = Wait::new(curve.clone()).cap(cap_ms);
            if delays_ms.iter().zip(1..).all(|(&ms, k)| close(wait.law(k, None).max_ms(), ms)) {
                return Some(wait);
            }
        }
    }
    Some(Wait::new(Backoff::List { delays_ms, after: After::RepeatLast }))
}
