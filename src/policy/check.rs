//! A policy given as JSON by somebody else's program: every problem an error that names the field's path.
//!
//! The shapes here mirror the types of this module, as serde reads them; serde alone would pass over unknown fields of a
//! flattened shape, and name no path.

use super::Policy;
use serde_json::{Map, Value};
use std::fmt;

/// What is wrong with one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The field: `backoff.baseMs`, `phases[0].jitter`; empty for the whole.
    pub path: String,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let path = if self.path.is_empty() { "policy" } else { &self.path };
        write!(f, "{path}: {}", self.message)
    }
}

/// What a field may hold.
#[derive(Clone, Copy)]
enum Shape {
    /// A time that is not negative, ms.
    Time,
    /// A time, ms, of either sign.
    Signed,
    /// A number from here on.
    From(f64),
    /// Any finite number.
    Number,
    /// A share, 0 to 1.
    Share,
    /// A number above 0.
    Positive,
    /// A whole number of waits.
    Count,
    /// true or false.
    Flag,
    /// One of these names.
    Name(&'static [&'static str]),
    /// A name, or an object with a kind.
    Either(&'static [&'static str], &'static Kinds),
    /// An object with a kind.
    Kind(&'static Kinds),
    /// An object.
    Object(&'static [&'static [Field]]),
    /// A list.
    List(&'static Shape),
    /// A list with at least one entry.
    Some(&'static Shape),
    /// The pieces of a law.
    Law,
}

/// A field of an object.
struct Field {
    name: &'static str,
    shape: Shape,
    needed: bool,
}

/// Objects told apart by their `kind`.
type Kinds = [(&'static str, &'static [Field])];

const fn needed(name: &'static str, shape: Shape) -> Field {
    Field { name, shape, needed: true }
}

const fn maybe(name: &'static str, shape: Shape) -> Field {
    Field { name, shape, needed: false }
}

const AFTER: Field = needed("after", Shape::Name(&["repeat-last", "stop"]));
static BACKOFF: &Kinds = &[
    ("exponential", &[needed("baseMs", Shape::Time), needed("factor", Shape::From(0.0))]),
    ("constant", &[needed("delayMs", Shape::Time)]),
    ("linear", &[needed("baseMs", Shape::Time), needed("incrementMs", Shape::Signed)]),
    ("polynomial", &[needed("baseMs", Shape::Time), needed("power", Shape::Number)]),
    ("fibonacci", &[needed("baseMs", Shape::Time)]),
    ("list", &[needed("delaysMs", Shape::Some(&Shape::Time)), AFTER]),
    ("table", &[needed("waits", Shape::Some(&Shape::Law)), AFTER]),
];
static PIECES: Shape = Shape::Some(&Shape::Object(&[PIECE]));
static PIECE: &[Field] = &[
    maybe("weight", Shape::Share),
    needed("minMs", Shape::Time),
    needed("maxMs", Shape::Time),
    maybe("shape", Shape::Kind(SPREAD)),
];
static SPREAD: &Kinds = &[
    ("uniform", &[]),
    ("steps", &[needed("stepMs", Shape::Positive)]),
    ("exponential", &[needed("rate", Shape::Positive)]),
    ("unknown", &[]),
];
static SHARES: &[Field] = &[needed("below", Shape::From(0.0)), needed("above", Shape::From(0.0))];
static JITTER: &Kinds = &[
    ("proportional", SHARES),
    ("additive", &[needed("minMs", Shape::Signed), needed("maxMs", Shape::Signed)]),
    ("from", &[needed("minMs", Shape::Time)]),
    ("poisson", SHARES),
    ("unknown", SHARES),
];
static ROUNDING: &[Field] = &[
    needed("unitMs", Shape::Positive),
    needed("mode", Shape::Name(&["floor", "ceil", "nearest", "draw"])),
    maybe("of", Shape::Name(&["wait", "capped", "delay"])),
];
static WAIT: &[Field] = &[
    needed("backoff", Shape::Kind(BACKOFF)),
    maybe("jitter", Shape::Either(&["none", "full", "equal", "decorrelated", "telescoping"], JITTER)),
    maybe("floorMs", Shape::Time),
    maybe("capMs", Shape::Time),
    maybe("capOrder", Shape::Name(&["before-jitter", "after-jitter", "both", "redraw", "ceiling"])),
    maybe("rounding", Shape::Object(&[ROUNDING])),
    maybe("carry", Shape::Flag),
    maybe("skip", Shape::Count),
];
static PHASE: &[Field] = &[needed("retries", Shape::Count)];
static DEADLINE: &[Field] = &[
    needed("limitMs", Shape::Time),
    needed("overrun", Shape::Name(&["refuse", "allow", "shorten"])),
    maybe("clock", Shape::Name(&["elapsed", "first-failure", "waits"])),
];
static REST: &[Field] = &[
    maybe("plus", Shape::List(&Shape::Object(&[WAIT]))),
    maybe("phases", Shape::List(&Shape::Object(&[WAIT, PHASE]))),
    maybe("firstWaitMs", Shape::Time),
    maybe("initialDelayMs", Shape::Time),
    maybe("retries", Shape::Count),
    maybe("endsWithWait", Shape::Flag),
    maybe("attemptTimeoutMs", Shape::Time),
    maybe("deadline", Shape::Object(&[DEADLINE])),
];

/// Reads a policy from JSON text. Every problem is found; an empty list of them never comes back as an error.
pub fn from_json(json: &str) -> Result<Policy, Vec<Problem>> {
    let whole = |message: String| vec![Problem { path: String::new(), message }];
    let value: Value = serde_json::from_str(json).map_err(|error| whole(format!("is no JSON: {error}")))?;
    let mut problems = Vec::new();
    Check { problems: &mut problems }.object(&value, "", &[WAIT, REST], &[]);
    if !problems.is_empty() {
        return Err(problems);
    }
    let policy: Policy = super::json::policy(&value).ok_or_else(|| whole("is no policy".into()))?;
    let stop = policy.wait.backoff.stops_after();
    Ok(Policy { retries: policy.retries.map_or(stop, |n| Some(stop.map_or(n, |s| n.min(s)))), ..policy })
}

struct Check<'p> {
    problems: &'p mut Vec<Problem>,
}

impl Check<'_> {
    fn say(&mut self, path: &str, message: impl Into<String>) {
        self.problems.push(Problem { path: path.into(), message: message.into() });
    }

    fn value(&mut self, value: &Value, path: &str, shape: &Shape) {
        match shape {
            Shape::Time => self.number(value, path, 0.0, "a time in milliseconds, 0 or more"),
            Shape::Signed => self.number(value, path, f64::NEG_INFINITY, "a time in milliseconds"),
            Shape::From(least) => self.number(value, path, *least, "a number, 0 or more"),
            Shape::Number => self.number(value, path, f64::NEG_INFINITY, "a finite number"),
            Shape::Positive => self.number(value, path, f64::MIN_POSITIVE, "a number above 0"),
            Shape::Share => {
                self.number(value, path, 0.0, "a share, 0 to 1");
                if value.as_f64().is_some_and(|share| share > 1.0) {
                    self.say(path, format!("must be a share, 0 to 1, not {value}"));
                }
            }
            Shape::Count => {
                let whole = value.as_f64().filter(|n| *n >= 0.0 && n.fract() == 0.0 && *n <= u64::MAX as f64);
                if whole.is_none() {
                    self.say(path, format!("must be a whole number, 0 or more, not {}", shown(value)));
                }
            }
            Shape::Flag if value.is_boolean() => {}
            Shape::Flag => self.say(path, format!("must be true or false, not {}", shown(value))),
            Shape::Name(names) => self.name(value, path, names),
            Shape::Either(names, kinds) => match value {
                Value::Object(_) => self.kind(value, path, kinds),
                _ => self.name(value, path, names),
            },
            Shape::Kind(kinds) => self.kind(value, path, kinds),
            Shape::Object(fields) => self.object(value, path, fields, &[]),
            Shape::Law => {
                self.value(value, path, &PIECES);
                let weight = |piece: &Value| given(piece.as_object()?, "weight").map_or(Some(1.0), Value::as_f64);
                let pieces = value.as_array().map_or(&[][..], Vec::as_slice);
                if let Some(sum) = pieces.iter().map(weight).sum::<Option<f64>>()
                    && !pieces.is_empty()
                    && (sum - 1.0).abs() > 1e-6
                {
                    self.say(path, format!("must have weights that add up to 1, not {sum}"));
                }
            }
            Shape::List(entry) | Shape::Some(entry) => match value {
                Value::Array(entries) if entries.is_empty() && matches!(shape, Shape::Some(_)) => {
                    self.say(path, "must have at least one entry");
                }
                Value::Array(entries) => {
                    entries.iter().enumerate().for_each(|(n, v)| self.value(v, &format!("{path}[{n}]"), entry));
                }
                _ => self.say(path, format!("must be a list, not {}", shown(value))),
            },
        }
    }

    fn number(&mut self, value: &Value, path: &str, least: f64, what: &str) {
        if !value.as_f64().is_some_and(|number| number >= least && number.is_finite()) {
            self.say(path, format!("must be {what}, not {}", shown(value)));
        }
    }

    fn name(&mut self, value: &Value, path: &str, names: &[&str]) {
        if !value.as_str().is_some_and(|name| names.contains(&name)) {
            self.say(path, format!("must be one of {}, not {}", names.join(", "), shown(value)));
        }
    }

    fn kind(&mut self, value: &Value, path: &str, kinds: &Kinds) {
        let names: Vec<&str> = kinds.iter().map(|(name, _)| *name).collect();
        let Value::Object(object) = value else {
            return self.say(path, format!("must be an object with a kind, not {}", shown(value)));
        };
        let kind = object.get("kind").unwrap_or(&Value::Null);
        match kinds.iter().find(|(name, _)| kind.as_str() == Some(name)) {
            Some((_, fields)) => self.object(value, path, &[fields], &["kind"]),
            None => self.name(kind, &below(path, "kind"), &names),
        }
    }

    fn object(&mut self, value: &Value, path: &str, fields: &[&[Field]], also: &[&str]) {
        let Value::Object(object) = value else {
            return self.say(path, format!("must be an object, not {}", shown(value)));
        };
        let fields = || fields.iter().copied().flatten();
        for field in fields() {
            match given(object, field.name) {
                Some(value) => self.value(value, &below(path, field.name), &field.shape),
                None if field.needed => self.say(&below(path, field.name), "is missing"),
                None => {}
            }
        }
        for name in object.keys().filter(|name| !also.contains(&name.as_str())) {
            if !fields().any(|field| field.name == name) {
                let names: Vec<&str> = fields().map(|field| field.name).collect();
                self.say(&below(path, name), format!("is no field here; there are {}", names.join(", ")));
            }
        }
        self.order(object, path);
    }

    /// `minMs` and `maxMs` of one object.
    fn order(&mut self, object: &Map<String, Value>, path: &str) {
        let number = |name| object.get(name).and_then(Value::as_f64);
        if let (Some(min), Some(max)) = (number("minMs"), number("maxMs"))
            && max < min
        {
            self.say(&below(path, "maxMs"), format!("must not be below minMs, {min}"));
        }
    }
}

/// A field's value; null is as good as absent.
fn given<'v>(object: &'v Map<String, Value>, name: &str) -> Option<&'v Value> {
    object.get(name).filter(|value| !value.is_null())
}

fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.into() } else { format!("{path}.{name}") }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".into(),
        Value::Object(_) => "an object".into(),
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(json: &str) -> Vec<String> {
        from_json(json).err().unwrap_or_default().iter().map(Problem::to_string).collect()
    }

    #[test]
    fn a_policy_by_hand_is_read() {
        let json = r#"{ "backoff": { "kind": "exponential", "baseMs": 1000, "factor": 2 },
                        "capMs": 8000, "retries": 5, "jitter": "full" }"#;
        let policy = from_json(json).unwrap();
        assert_eq!(crate::schedule::worst_case_total(&policy), Some(23_000.0));
    }

    #[test]
    fn every_problem_names_its_path() {
        let json = r#"{ "backoff": { "kind": "exponential", "baseMs": -1, "faktor": 2 }, "capMs": "8s", "retries": 1.5,
                        "jitter": { "kind": "proportional", "below": -2, "above": 0 }, "deadline": { "limitMs": 1 } }"#;
        let expected = [
            "backoff.baseMs: must be a time in milliseconds, 0 or more, not -1",
            "backoff.factor: is missing",
            "backoff.faktor: is no field here; there are baseMs, factor",
            "jitter.below: must be a number, 0 or more, not -2",
            "capMs: must be a time in milliseconds, 0 or more, not \"8s\"",
            "retries: must be a whole number, 0 or more, not 1.5",
            "deadline.overrun: is missing",
        ];
        assert_eq!(problems(json), expected);
    }

    #[test]
    fn what_is_no_policy_is_refused() {
        assert_eq!(problems("[]"), ["policy: must be an object, not a list"]);
        assert_eq!(problems("{}"), ["backoff: is missing"]);
        assert!(problems("{")[0].starts_with("policy: is no JSON"));
        assert_eq!(
            problems(r#"{ "backoff": { "kind": "cubic" } }"#),
            [
                "backoff.kind: must be one of exponential, constant, linear, polynomial, fibonacci, list, table, not \"cubic\""
            ]
        );
        let json = r#"{ "backoff": { "kind": "constant", "delayMs": 1 },
                        "phases": [{ "retries": 1, "backoff": { "kind": "list", "delaysMs": [], "after": "stop" } }] }"#;
        let pieces = |weights: [f64; 2]| {
            let piece = |weight: f64| format!(r#"{{ "weight": {weight}, "minMs": 1, "maxMs": 2 }}"#);
            let [one, other] = weights.map(piece);
            format!(r#"{{ "backoff": {{ "kind": "table", "waits": [[{one}, {other}]], "after": "stop" }} }}"#)
        };
        let wrong = ["backoff.waits[0]: must have weights that add up to 1, not 0.75"];
        assert_eq!(problems(&pieces([0.25, 0.5])), wrong);
        assert_eq!(problems(&pieces([0.25, 0.75])), [""; 0]);
        assert_eq!(problems(json), ["phases[0].backoff.delaysMs: must have at least one entry"]);
    }
}
