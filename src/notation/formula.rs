//! Functions of the retry number, run with every chance left open.
//!
//! | function | given | comes to |
//! |---|---|---|
//! | `n => Math.min(1000 * 2 ** n, 30000)` | 3 | 8000 |
//! | `(e, n) => 100 + Math.random() * 50` | – | 100 to 150, evenly |
//! | `times => { if (times > 4) return null; return 500 }` | 5 | nothing |
//! | `attempt => TimeSpan.FromSeconds(Math.Pow(2, attempt))` | 3 | 8 s, as a time |
//! | `(n, error) => error.status === 404 ? null : n * 100` | 2 | 200: what is unknown is assumed not to hold, and that is said |
//!
//! No loops, no calls of other functions of the text, no state. Which parameter is what, the unit of a bare number and
//! what "nothing" means belong to the library that asks.

mod ask;
mod call;
mod spread;

pub use ask::{Asked, ask};
pub use spread::{Chance, Spread};

use super::quantity::{self, Quantity};
use super::resolve::last_segment;
use super::{Fun, Kind, Name, Statement, Value};

/// How many values one run looks at.
const STEPS: u32 = 10_000;
/// How deep expressions and branches may stand in each other.
const DEPTH: u32 = 48;

/// What a function is given.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// The parameter at a position, from 0.
    At(usize, Spread),
    /// A destructured parameter of this name, or this field of any parameter: `({ attempt }) =>`, `o => o.attempt`.
    Named(&'a str, Spread),
}

/// What a function comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer {
    /// A number without a unit.
    Number(Spread),
    /// A time, ms.
    Time(Spread),
    /// Yes or no.
    Truth(bool),
    /// Null, undefined, nil, or no value at all.
    Nothing,
    /// Something that is neither number nor time: a text, a list, an object.
    Other,
    /// Not to be known from the text, or more than is followed here.
    Unknown,
}

/// What a run came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The value.
    pub answer: Answer,
    /// Whether some condition could not be known and was taken not to hold.
    pub assumed: bool,
}

/// Runs a function.
pub fn run(fun: &Fun, inputs: &[Input]) -> Outcome {
    let mut run = Run::of(fun, inputs);
    let answer = run.block(&fun.body, DEPTH).unwrap_or(Answer::Nothing);
    Outcome { answer, assumed: run.assumed }
}

struct Run<'a> {
    bound: Vec<(String, Answer)>,
    fields: Vec<(&'a str, Spread)>,
    params: &'a [Name],
    left: u32,
    assumed: bool,
}

impl<'a> Run<'a> {
    fn of(fun: &'a Fun, inputs: &[Input<'a>]) -> Self {
        let mut run = Run { bound: Vec::new(), fields: Vec::new(), params: &fun.params, left: STEPS, assumed: false };
        for input in inputs {
            match *input {
                Input::At(at, value) => {
                    if let Some(name) = fun.params.get(at) {
                        run.bound.push((name.text.clone(), Answer::Number(value)));
                    }
                }
                Input::Named(name, value) => {
                    run.fields.push((name, value));
                    if fun.params.iter().any(|p| p.text == name) {
                        run.bound.push((name.to_string(), Answer::Number(value)));
                    }
                }
            }
        }
        run
    }

    /// The value that a body returns, if it returns.
    fn block(&mut self, body: &[Statement], depth: u32) -> Option<Answer> {
        let depth = depth.checked_sub(1)?;
        for statement in body {
            match statement {
                Statement::Bind(name, value) => {
                    let answer = self.value(value, depth);
                    self.bound.push((name.text.clone(), answer));
                }
                Statement::If(condition, then, otherwise) => {
                    let holds = self.holds(condition, depth);
                    if let Some(answer) = self.block(if holds { then } else { otherwise }, depth) {
                        return Some(answer);
                    }
                }
                Statement::Return(value) => return Some(self.value(value, depth)),
                Statement::Expr(_) => {}
            }
        }
        None
    }

    /// Whether a condition holds; one that cannot be known is assumed not to.
    fn holds(&mut self, condition: &Value, depth: u32) -> bool {
        let answer = self.value(condition, depth);
        truth(answer).unwrap_or_else(|| {
            self.assumed = true;
            false
        })
    }

    fn value(&mut self, value: &Value, depth: u32) -> Answer {
        let (Some(left), Some(depth)) = (self.left.checked_sub(1), depth.checked_sub(1)) else {
            return Answer::Unknown;
        };
        self.left = left;
        match &value.kind {
            Kind::Word(word) => self.word(word, value),
            Kind::Op(op, parts) => self.operator(op, parts, depth),
            Kind::Item(item) => self.item(item, depth),
            Kind::Number { .. } => from_quantity(value),
            Kind::Text { .. } | Kind::List(_) | Kind::Fun(_) => Answer::Other,
            Kind::Unread => Answer::Unknown,
        }
    }

    fn word(&self, word: &str, value: &Value) -> Answer {
        let plain = word.trim_start_matches('$');
        let same = |name: &str| name == word || name.trim_start_matches('$') == plain;
        if let Some((_, answer)) = self.bound.iter().rev().find(|(name, _)| same(name)) {
            return *answer;
        }
        let owner = word.split(['.', '-', ':']).next().unwrap_or(word);
        if owner.len() < word.len()
            && self.params.iter().any(|p| p.text.trim_start_matches('$') == owner.trim_start_matches('$'))
        {
            let field = last_segment(word);
            return self
                .fields
                .iter()
                .find(|(name, _)| *name == field)
                .map_or(Answer::Unknown, |f| Answer::Number(f.1));
        }
        if value.is_null() {
            return Answer::Nothing;
        }
        match value.flag().filter(|_| !matches!(plain, "on" | "off" | "yes" | "no")) {
            Some(flag) => Answer::Truth(flag),
            None => from_quantity(value),
        }
    }

    fn operator(&mut self, op: &str, parts: &[Value], depth: u32) -> Answer {
        match (op, parts) {
            ("?:", [condition, then, otherwise]) => self.choice(condition, then, otherwise, depth),
            ("&&" | "and", [a, b]) => self.both(a, b, depth),
            ("||" | "or", [a, b]) => self.either(a, b, depth),
            ("=", [given, default]) => match self.value(given, depth) {
                Answer::Unknown => self.value(default, depth),
                known => known,
            },
            ("??", [a, b]) => match self.value(a, depth) {
                Answer::Nothing => self.value(b, depth),
                Answer::Unknown => {
                    self.assumed = true;
                    self.value(b, depth)
                }
                known => known,
            },
            ("!" | "not", [only]) => truth(self.value(only, depth)).map_or(Answer::Unknown, |t| Answer::Truth(!t)),
            ("[]", [list, index]) => self.entry(list, index, depth),
            ("-", [only]) => map(self.value(only, depth), Spread::negative),
            ("+", [only]) => self.value(only, depth),
            // Two of them bring a number to a whole one.
            ("~", [only]) => map(self.value(only, depth), |n| n.truncated().plus(Spread::fixed(1.0)).negative()),
            (
                "==" | "===" | "!=" | "!==",
                [Value { kind: Kind::Text { text: a, .. }, .. }, Value { kind: Kind::Text { text: b, .. }, .. }],
            ) => Answer::Truth((a == b) != op.starts_with('!')),
            (_, [a, b]) => {
                let (a, b) = (self.value(a, depth), self.value(b, depth));
                binary(op, a, b)
            }
            _ => Answer::Unknown,
        }
    }

    /// `c ? a : b`. Where `c` cannot be known the second is assumed, unless that would end the retrying.
    fn choice(&mut self, condition: &Value, then: &Value, otherwise: &Value, depth: u32) -> Answer {
        let asked = self.value(condition, depth);
        match truth(asked) {
            Some(true) => self.value(then, depth),
            Some(false) => self.value(otherwise, depth),
            None => {
                self.assumed = true;
                match self.value(otherwise, depth) {
                    Answer::Nothing => self.value(then, depth),
                    answer => answer,
                }
            }
        }
    }

    fn both(&mut self, a: &Value, b: &Value, depth: u32) -> Answer {
        let (a, b) = (self.value(a, depth), self.value(b, depth));
        match (truth(a), truth(b)) {
            (Some(false), _) => a,
            (Some(true), _) => b,
            (None, Some(_)) => {
                self.assumed = true;
                b
            }
            (None, None) => Answer::Unknown,
        }
    }

    fn either(&mut self, a: &Value, b: &Value, depth: u32) -> Answer {
        let a = self.value(a, depth);
        match truth(a) {
            Some(true) => a,
            Some(false) => self.value(b, depth),
            None => {
                self.assumed = true;
                self.value(b, depth)
            }
        }
    }

    /// An entry of a list that is written out; beyond its end nothing.
    fn entry(&mut self, list: &Value, index: &Value, depth: u32) -> Answer {
        let (Some(list), Answer::Number(index)) = (list.list(), self.value(index, depth)) else {
            return Answer::Unknown;
        };
        match index.known() {
            Some(at) if at >= 0.0 && at.fract() == 0.0 => {
                list.get(at as usize).map_or(Answer::Nothing, |value| self.value(value, depth))
            }
            Some(_) => Answer::Nothing,
            None => Answer::Unknown,
        }
    }
}

fn from_quantity(value: &Value) -> Answer {
    match quantity::of(value) {
        Ok(Quantity::Number(n) | Quantity::GoNanos(n)) => Answer::Number(Spread::fixed(n)),
        Ok(Quantity::Time(ms)) => Answer::Time(Spread::fixed(ms)),
        Err(_) => Answer::Unknown,
    }
}

/// Whether a value counts as true.
fn truth(answer: Answer) -> Option<bool> {
    match answer {
        Answer::Truth(truth) => Some(truth),
        Answer::Nothing => Some(false),
        Answer::Number(number) if number.lo > 0.0 || number.hi < 0.0 => Some(true),
        Answer::Number(number) => number.known().map(|_| false),
        Answer::Time(_) | Answer::Other | Answer::Unknown => None,
    }
}

fn map(answer: Answer, f: impl Fn(Spread) -> Spread) -> Answer {
    match answer {
        Answer::Number(n) => Answer::Number(f(n)),
        Answer::Time(ms) => Answer::Time(f(ms)),
        Answer::Nothing | Answer::Truth(_) | Answer::Other | Answer::Unknown => Answer::Unknown,
    }
}

fn binary(op: &str, a: Answer, b: Answer) -> Answer {
    use Answer::{Nothing, Number, Other, Time, Truth, Unknown};
    let compared = |truth: Option<bool>| truth.map_or(Unknown, Truth);
    match (op, a, b) {
        ("+", Number(a), Number(b)) => Number(a.plus(b)),
        ("+", Time(a), Time(b)) => Time(a.plus(b)),
        ("-", Number(a), Number(b)) => Number(a.plus(b.negative())),
        ("-", Time(a), Time(b)) => Time(a.plus(b.negative())),
        ("*", Number(a), Number(b)) => Number(a.times(b)),
        ("*", Time(a), Number(b)) | ("*", Number(b), Time(a)) => Time(a.times(b)),
        ("/", Number(a), Number(b)) | ("/", Time(a), Time(b)) => Number(a.over(b)),
        ("/", Time(a), Number(b)) => Time(a.over(b)),
        ("//", Number(a), Number(b)) => Number(a.over(b).floor()),
        ("%", Number(a), Number(b)) => a.rest(b).map_or(Unknown, Number),
        ("**" | "^", Number(a), Number(b)) => Number(a.power(b)),
        ("<<", Number(a), Number(b)) => Number(a.times(Spread::fixed(2.0).power(b))),
        (">>", Number(a), Number(b)) => Number(a.over(Spread::fixed(2.0).power(b)).floor()),
        ("|", Number(a), Number(b)) if b.known() == Some(0.0) => Number(a.truncated()),
        ("<", Number(a), Number(b)) | ("<", Time(a), Time(b)) => compared(a.below(b, false)),
        ("<=", Number(a), Number(b)) | ("<=", Time(a), Time(b)) => compared(a.below(b, true)),
        (">", Number(a), Number(b)) | (">", Time(a), Time(b)) => compared(b.below(a, false)),
        (">=", Number(a), Number(b)) | (">=", Time(a), Time(b)) => compared(b.below(a, true)),
        ("==" | "===" | "is", a, b) => compared(equal(a, b)),
        ("!=" | "!==" | "is not" | "<>", a, b) => compared(equal(a, b).map(|e| !e)),
        (_, Number(_) | Time(_) | Truth(_) | Nothing | Other | Unknown, _) => Unknown,
    }
}

fn equal(a: Answer, b: Answer) -> Option<bool> {
    match (a, b) {
        (Answer::Number(a), Answer::Number(b)) | (Answer::Time(a), Answer::Time(b)) => match (a.known(), b.known()) {
            (Some(a), Some(b)) => Some(a == b),
            _ if a.hi < b.lo || b.hi < a.lo => Some(false),
            _ => None,
        },
        (Answer::Truth(a), Answer::Truth(b)) => Some(a == b),
        (Answer::Nothing, Answer::Nothing) => Some(true),
        (Answer::Nothing, Answer::Number(_) | Answer::Time(_)) => Some(false),
        (Answer::Number(_) | Answer::Time(_), Answer::Nothing) => Some(false),
        _ => None,
    }
}
