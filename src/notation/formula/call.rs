//! Calls inside a formula: arithmetic, chance, and what languages make times with.

use super::{Answer, Run, Spread, from_quantity, map};
use crate::notation::resolve::last_segment;
use crate::notation::{Arg, Item, Kind, Step, Value};

impl Run<'_> {
    pub(super) fn item(&mut self, item: &Item, depth: u32) -> Answer {
        if let Some(list) = listed(item) {
            // `[a, b].min`: the first step picks from the list.
            let answers: Vec<Answer> = list.iter().map(|value| self.value(value, depth)).collect();
            let Some(Step::Call { name, .. }) = item.steps.first() else { return Answer::Other };
            return self.steps(function(&name.text, "", &answers), &item.steps[1..], depth);
        }
        if let Some(entry) = self.entry_of(item, depth) {
            return self.steps(entry, &item.steps, depth);
        }
        if let Some(field) = self.getter(item) {
            return self.steps(field, &item.steps[1..], depth);
        }
        let answers: Vec<Answer> = match item.args.as_slice() {
            // Ruby's `rand(1..60)`
            [Arg { name: None, value: Value { kind: Kind::Op(op, ends), .. } }] if op == ".." && ends.len() == 2 => {
                ends.iter().map(|end| self.value(end, depth)).collect()
            }
            args => args.iter().map(|arg| self.value(&arg.value, depth)).collect(),
        };
        let head = item.head.text.as_str();
        let owner = head.strip_suffix(last_segment(head)).unwrap_or_default();
        // `new Random().Next(0, 100)`, `ThreadLocalRandom.current().nextLong(50)`: the draw is the method's.
        let generator = matches!(last_segment(head), "Random" | "SecureRandom") || head == "ThreadLocalRandom.current";
        if let Some(Step::Call { name, args, .. }) = item.steps.first().filter(|_| generator) {
            let answers: Vec<Answer> = args.iter().map(|arg| self.value(&arg.value, depth)).collect();
            return self.steps(function(&name.text, "Random.", &answers), &item.steps[1..], depth);
        }
        let made = match (head, answers.as_slice()) {
            ("" | "ValueTask" | "ValueTask.FromResult" | "Task.FromResult" | "Some", [only]) => *only,
            _ => match function(last_segment(head), owner, &answers) {
                Answer::Unknown => self.method(item, owner, &answers).unwrap_or_else(|| time_maker(item, &answers)),
                known => known,
            },
        };
        self.steps(made, &item.steps, depth)
    }

    /// Elixir's `Enum.at(list, index, default)`, `List.first(list)` and `List.last(list)`.
    fn entry_of(&mut self, item: &Item, depth: u32) -> Option<Answer> {
        let list = &item.args.first()?.value;
        let entries = list.list()?;
        match (item.head.text.as_str(), &item.args[1..]) {
            ("Enum.at", [index, rest @ ..]) => Some(match (self.entry(list, &index.value, depth), rest) {
                (Answer::Nothing, [default]) => self.value(&default.value, depth),
                (entry, _) => entry,
            }),
            ("List.first" | "hd", []) => Some(self.value(entries.first()?, depth)),
            ("List.last", []) => Some(self.value(entries.last()?, depth)),
            _ => None,
        }
    }

    /// `context.getAttempt()`: a field of a parameter that is asked for by a call.
    fn getter(&self, item: &Item) -> Option<Answer> {
        let target = item.target.as_ref().filter(|_| item.head.text.is_empty() && item.args.is_empty())?;
        let Some(Step::Call { name, args, .. }) = item.steps.first() else { return None };
        let known = args.is_empty() && self.params.iter().any(|p| p.text == target.text);
        self.fields.iter().find(|(field, _)| known && *field == name.text).map(|(_, value)| Answer::Number(*value))
    }

    /// `attempt.pow(2)`, `base.min(cap)`: a function of the name before the last point.
    fn method(&mut self, item: &Item, owner: &str, answers: &[Answer]) -> Option<Answer> {
        let name = owner.trim_end_matches(['.', ':', '>', '-', '?']);
        let (_, on) = self.bound.iter().rev().find(|(bound, _)| bound == name)?;
        Some(applied(*on, last_segment(&item.head.text), answers))
    }

    fn steps(&mut self, mut on: Answer, steps: &[Step], depth: u32) -> Answer {
        for step in steps {
            let Step::Call { name, args, .. } = step else { return Answer::Unknown };
            let answers: Vec<Answer> = args.iter().map(|arg| self.value(&arg.value, depth)).collect();
            on = applied(on, &name.text, &answers);
        }
        on
    }
}

fn listed(item: &Item) -> Option<&[Value]> {
    match (item.head.text.as_str(), item.args.as_slice()) {
        ("", [Arg { name: None, value }]) if !item.steps.is_empty() => value.list(),
        _ => None,
    }
}

/// A method of a value: a function with the value first, or a conversion to or from a time.
fn applied(on: Answer, method: &str, answers: &[Answer]) -> Answer {
    let mut all = vec![on];
    all.extend(answers);
    match function(method, "", &all) {
        Answer::Unknown if answers.is_empty() => converted(on, method),
        known => known,
    }
}

/// `x.seconds`, `d.toMillis()`: read by the same rules as outside a formula, at both ends.
fn converted(on: Answer, method: &str) -> Answer {
    let name = crate::notation::Name { text: method.to_string(), ..Default::default() };
    let step = Step::Call { name, args: Vec::new(), span: Default::default() };
    match on {
        Answer::Number(_) => ends(on, &|value| {
            let args = vec![Arg { name: None, value }];
            let item = Item { args, steps: vec![step.clone()], ..Item::default() };
            from_quantity(&Value::new(Kind::Item(Box::new(item)), Default::default()))
        }),
        _ => Answer::Unknown,
    }
}

/// `TimeSpan.FromSeconds(x)`, `Duration::from_millis(x)`, `timedelta(seconds=x)`: of one number that chance may leave
/// open, by the rules that hold outside a formula.
fn time_maker(item: &Item, answers: &[Answer]) -> Answer {
    let [only] = answers else { return Answer::Unknown };
    ends(*only, &|value| {
        let mut bare = Item { steps: Vec::new(), ..item.clone() };
        bare.args[0].value = value;
        from_quantity(&Value::new(Kind::Item(Box::new(bare)), Default::default()))
    })
}

/// What `make`, which is linear, makes of a number: of its ends, spread the same way.
fn ends(answer: Answer, make: &dyn Fn(Value) -> Answer) -> Answer {
    let Answer::Number(number) = answer else { return Answer::Unknown };
    let at = |n: f64| make(Value::new(Kind::Number { value: n, suffix: String::new() }, Default::default()));
    let known = |answer: Answer| match answer {
        Answer::Number(n) | Answer::Time(n) => n.known(),
        _ => None,
    };
    let Some(unit) = known(at(1.0)) else { return Answer::Unknown };
    match at(number.lo) {
        Answer::Time(lo) if number.known().is_some() => Answer::Time(lo),
        Answer::Time(_) => Answer::Time(number.times(Spread::fixed(unit))),
        Answer::Number(_) => Answer::Number(number.times(Spread::fixed(unit))),
        _ => Answer::Unknown,
    }
}

/// A function of arithmetic or chance by its name; `Unknown` where the name is none.
fn function(name: &str, owner: &str, answers: &[Answer]) -> Answer {
    let name = name.trim_start_matches(':').trim_end_matches(['?', '!']).to_ascii_lowercase();
    let numbers: Vec<Spread> =
        answers.iter().filter_map(|a| if let Answer::Number(n) = a { Some(*n) } else { None }).collect();
    if let ("min" | "max" | "minimum" | "maximum", [first, rest @ ..]) = (name.as_str(), answers) {
        let least = name.starts_with("min");
        return rest.iter().fold(*first, |best, next| pick(best, *next, least));
    }
    if let ([only], true) = (answers, numbers.len() < answers.len()) {
        // Rounding a time leaves its unit alone, and is not followed.
        return if name == "abs" { map(*only, absolute) } else { Answer::Unknown };
    }
    if numbers.len() < answers.len() {
        return Answer::Unknown;
    }
    let chance = chance(&name, owner, &numbers);
    chance.or_else(|| arithmetic(&name, &numbers)).map_or(Answer::Unknown, Answer::Number)
}

fn pick(a: Answer, b: Answer, least: bool) -> Answer {
    let pick = |a: Spread, b: Spread| if least { a.min(b) } else { a.max(b) };
    match (a, b) {
        (Answer::Number(a), Answer::Number(b)) => Answer::Number(pick(a, b)),
        (Answer::Time(a), Answer::Time(b)) => Answer::Time(pick(a, b)),
        _ => Answer::Unknown,
    }
}

fn absolute(spread: Spread) -> Spread {
    if spread.lo >= 0.0 {
        spread
    } else if spread.hi <= 0.0 {
        spread.negative()
    } else {
        Spread { lo: 0.0, hi: spread.hi.max(-spread.lo), chance: super::Chance::Unknown }
    }
}

fn arithmetic(name: &str, numbers: &[Spread]) -> Option<Spread> {
    Some(match (name, numbers) {
        ("pow" | "power" | "powi" | "powf" | "saturating_pow", [a, b]) => a.power(*b),
        ("exp", [a]) => a.bent(libm::exp),
        ("sqrt", [a]) => a.bent(libm::sqrt),
        ("log" | "ln", [a]) => a.bent(libm::log),
        ("log2", [a]) => a.bent(libm::log2),
        ("log10", [a]) => a.bent(libm::log10),
        ("abs", [a]) => absolute(*a),
        ("floor", [a]) => a.floor(),
        ("ceil" | "ceiling", [a]) => a.ceil(),
        ("round", [a]) => a.round(),
        ("trunc" | "truncate" | "int" | "integer" | "parseint" | "to_i" | "intval", [a]) => a.truncated(),
        ("float" | "number" | "double" | "long" | "to_f" | "decimal" | "parsefloat" | "bigint", [a]) => *a,
        ("saturating_mul" | "multiply" | "times", [a, b]) => a.times(*b),
        _ => return None,
    })
}

/// A draw.
fn chance(name: &str, owner: &str, numbers: &[Spread]) -> Option<Spread> {
    let known: Option<Vec<f64>> = numbers.iter().map(|n| n.known()).collect();
    let known = known?;
    let erlang = owner.contains(":rand") || owner.starts_with("rand.") && name == "uniform";
    let whole = known.iter().all(|n| n.fract() == 0.0);
    Some(match (name, known.as_slice()) {
        (
            "random" | "rand" | "nextdouble" | "nextfloat" | "nextsingle" | "float64" | "float32" | "uniform"
            | "uniform_real",
            [],
        ) => Spread::even(0.0, 1.0),
        ("uniform", [n]) if erlang => Spread::steps(1.0, *n, 1.0),
        ("uniform", [a, b]) => Spread::even(*a, *b),
        ("rand", [a, b]) if !whole => Spread::even(*a, *b),
        ("randint" | "mt_rand" | "random_int", [a, b]) | ("rand" | "random", [a, b]) if whole => {
            Spread::steps(*a, *b, 1.0)
        }
        (
            "randrange" | "rand" | "next" | "nextint" | "nextlong" | "nextint64" | "intn" | "int63n" | "int31n"
            | "int64n",
            [n],
        ) if *n >= 1.0 => Spread::steps(0.0, *n - 1.0, 1.0),
        ("randrange" | "next" | "nextint" | "nextlong" | "nextint64", [a, b]) if b > a => {
            Spread::steps(*a, *b - 1.0, 1.0)
        }
        ("rand" | "random" | "random_between" | "uniform_random", [a, b]) if a <= b => Spread::even(*a, *b),
        ("random", [n]) if whole => Spread::steps(0.0, *n, 1.0),
        _ => return None,
    })
}
