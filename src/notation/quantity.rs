//! Constant arithmetic on numbers and times, and the ways in which languages make times.

use super::placeholder::{self, is_conversion};
use super::resolve::{last_segment, plain_number};
use super::{Arg, Form, Item, Kind, Step, Value};
use crate::duration::{self, TimeProblem, Unit};

/// What an expression comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Quantity {
    /// A number without a unit.
    Number(f64),
    /// A time in ms.
    Time(f64),
    /// Go's `time.Duration(n)`: n times the unit it is multiplied with, n nanoseconds when it stands alone.
    GoNanos(f64),
}

use Quantity::{GoNanos, Number, Time};

type Result = std::result::Result<Quantity, TimeProblem>;

/// The quantity of a value; texts count as what is written in them, in quotes or not, only inside calls.
pub(super) fn of(value: &Value) -> Result {
    if let Some(placeholder) = placeholder::of(value) {
        return placeholder.default.as_ref().map_or(Err(TimeProblem::Unknown), of_argument);
    }
    match &value.kind {
        Kind::Number { value, suffix } => Ok(match Unit::named(suffix.trim_start_matches('.')) {
            // In an expression `5d` and `5m` are a double and a decimal.
            Some(unit) if !matches!(suffix.as_str(), "d" | "m") => Time(unit.times(*value)),
            _ => Number(*value),
        }),
        Kind::Word(word) => of_word(word),
        Kind::Op(op, parts) => of_operator(op, parts),
        Kind::Item(item) => of_item(item),
        Kind::Unread => Err(TimeProblem::Unknown),
        Kind::Text { .. } | Kind::List(_) | Kind::Fun(_) => Err(TimeProblem::NotATime),
    }
}

/// The quantity of a call's argument, where a text may stand for a number or a time.
fn of_argument(value: &Value) -> Result {
    match &value.kind {
        Kind::Text { text, .. } => match plain_number(text) {
            Some(number) => Ok(Number(number)),
            None => duration::parse(text, None).map(|time| Time(time.ms)),
        },
        _ => of(value),
    }
}

fn of_word(word: &str) -> Result {
    let (owner, name) = word.rsplit_once(['.', ':']).unwrap_or(("", word));
    let owner = last_segment(owner.trim_end_matches([':', '.']));
    let of_time = matches!(owner, "Duration" | "TimeSpan" | "TimeDelta" | "Timeout" | "FiniteDuration");
    if owner == "time" {
        return Unit::named(name).map(|unit| Time(unit.ms())).ok_or(TimeProblem::Unknown);
    }
    match (name.to_ascii_lowercase().as_str(), of_time) {
        ("zero", true) => return Ok(Time(0.0)),
        ("max" | "maxvalue" | "infinite" | "inf" | "infinitetimespan", true) => return Ok(Time(f64::INFINITY)),
        _ => {}
    }
    if let Some(number) = plain_number(word).or_else(|| plain_number(name)) {
        return Ok(Number(number));
    }
    largest(owner, name).map(Number).ok_or(TimeProblem::Unknown)
}

/// The named limits of number types.
fn largest(owner: &str, name: &str) -> Option<f64> {
    let bits = |bits: i32| 2f64.powi(bits) - 1.0;
    let squashed: String = name.chars().filter(|c| *c != '_').collect::<String>().to_ascii_lowercase();
    Some(match (owner.to_ascii_lowercase().as_str(), squashed.as_str()) {
        ("number", "maxsafeinteger") => bits(53),
        ("number" | "double" | "f64" | "float", "maxvalue" | "max") | (_, "maxfloat64") => f64::MAX,
        ("u8" | "byte", "max" | "maxvalue") | (_, "maxuint8") => bits(8),
        ("i16" | "short" | "int16", "max" | "maxvalue") | (_, "maxint16") => bits(15),
        ("u16" | "ushort" | "uint16", "max" | "maxvalue") | (_, "maxuint16") => bits(16),
        ("i32" | "int" | "int32" | "integer", "max" | "maxvalue") | (_, "maxint32") => bits(31),
        ("u32" | "uint" | "uint32", "max" | "maxvalue") | (_, "maxuint32") => bits(32),
        ("i64" | "long" | "int64" | "isize", "max" | "maxvalue") | (_, "maxint64" | "maxint" | "phpintmax") => bits(63),
        ("sys", "maxsize") => bits(63),
        ("u64" | "ulong" | "uint64" | "usize", "max" | "maxvalue") | (_, "maxuint64" | "maxuint") => bits(64),
        (_, "positiveinfinity" | "infinite") => f64::INFINITY,
        _ => return None,
    })
}

fn of_operator(op: &str, parts: &[Value]) -> Result {
    match parts {
        [only] => match (op, of(only)?) {
            ("-", Number(n)) => Ok(Number(-n)),
            ("-", Time(ms)) => Ok(Time(-ms)),
            ("-", GoNanos(n)) => Ok(GoNanos(-n)),
            ("+", quantity) => Ok(quantity),
            _ => Err(TimeProblem::Unknown),
        },
        [left, right] => combine(op, of(left)?, of(right)?),
        _ => Err(TimeProblem::Unknown),
    }
}

fn combine(op: &str, left: Quantity, right: Quantity) -> Result {
    Ok(match (op, left, right) {
        ("+", Number(a), Number(b)) => Number(a + b),
        ("-", Number(a), Number(b)) => Number(a - b),
        ("*", Number(a), Number(b)) => Number(a * b),
        ("/", Number(a), Number(b)) => Number(a / b),
        ("//", Number(a), Number(b)) => Number((a / b).floor()),
        ("%", Number(a), Number(b)) => Number(a % b),
        ("**", Number(a), Number(b)) => Number(libm::pow(a, b)),
        ("*", Number(n) | GoNanos(n), Time(ms)) | ("*", Time(ms), Number(n) | GoNanos(n)) => Time(scale(ms, n)),
        ("/" | "//", Time(ms), Number(n) | GoNanos(n)) => Time(ms / n),
        ("/" | "//", Time(a), Time(b)) => Number(a / b),
        ("+", Time(a), Time(b)) => Time(a + b),
        ("-", Time(a), Time(b)) => Time(a - b),
        ("*", GoNanos(n), Number(m) | GoNanos(m)) | ("*", Number(m), GoNanos(n)) => GoNanos(n * m),
        ("/", GoNanos(n), Number(m)) => GoNanos(n / m),
        _ => return Err(TimeProblem::Unknown),
    })
}

/// `n` times `ms`, in the unit that keeps it exact: 0.1 × 1 s are 100 ms, 3 × 1 µs are 0.003 ms.
fn scale(ms: f64, n: f64) -> f64 {
    let units = [Unit::Nanosecond, Unit::Microsecond, Unit::Second];
    units.into_iter().find(|unit| unit.ms() == ms).map_or(ms * n, |unit| unit.times(n))
}

fn of_item(item: &Item) -> Result {
    let mut quantity = made_by(item)?;
    for step in &item.steps {
        match step {
            Step::Call { name, args, .. } => quantity = after(quantity, &name.text, args)?,
            Step::Set { .. } => return Err(TimeProblem::Unknown),
        }
    }
    Ok(quantity)
}

/// What a call, or a map of unit names, makes.
fn made_by(item: &Item) -> Result {
    let head = item.head.text.as_str();
    let name = last_segment(head);
    let first = || item.args.first().map_or(Err(TimeProblem::Unknown), |arg| of_argument(&arg.value));
    if head.is_empty() {
        return match item.args.as_slice() {
            [Arg { name: None, value }] if !item.steps.is_empty() => of(value),
            args if item.form == Form::Map || args.len() > 1 => by_unit_names(args, &[]).ok_or(TimeProblem::NotATime),
            _ => Err(TimeProblem::NotATime),
        };
    }
    if is_conversion(head) || matches!(name, "Number" | "Decimal") {
        return first();
    }
    match name {
        "Duration" if head.ends_with("time.Duration") => {
            return first().map(|q| if let Number(n) = q { GoNanos(n) } else { q });
        }
        "timedelta" => return by_unit_names(&item.args, PYTHON).ok_or(TimeProblem::Unknown),
        "FromTicks" => return time_span(&item.args),
        "TimeSpan" => return time_span(&item.args),
        "new" if head.contains("Duration") => return by_unit_names(&item.args, RUST).ok_or(TimeProblem::Unknown),
        "New" if head.ends_with("durationpb.New") => return first(),
        "ms" => return first().map(|q| if let Time(ms) = q { Number(ms) } else { q }),
        "Inf" => return first().map(|q| Number(if q == Number(-1.0) { f64::NEG_INFINITY } else { f64::INFINITY })),
        "NaN" => return Ok(Number(f64::NAN)),
        "parse" | "Parse" | "ParseDuration" | "DateInterval" => return first(),
        "of" | "Duration" | "duration" | "FiniteDuration" | "apply" => {
            if let Some(quantity) = number_with_unit(&item.args) {
                return Ok(quantity);
            }
        }
        _ => {}
    }
    if let Some(unit) = made_unit(name) {
        return of_unit(&item.args, unit, head);
    }
    if let (Some(from), Some(to)) = (Unit::named(owner_of(head)), unit_in(name)) {
        return match first()? {
            Number(n) => Ok(Number(from.times(n) / to.ms())),
            other => Ok(other),
        };
    }
    by_unit_names(&item.args, &[]).ok_or(TimeProblem::Unknown)
}

/// `n` of a unit; `Duration.ofSeconds(1, 500)` adds nanoseconds. Erlang's `:timer.seconds(5)` is a number of ms.
fn of_unit(args: &[Arg], unit: Unit, head: &str) -> Result {
    let mut ms = 0.0;
    for (arg, unit) in args.iter().zip([unit, Unit::Nanosecond]) {
        match of_argument(&arg.value)? {
            Number(n) => ms += unit.times(n),
            _ => return Err(TimeProblem::Unknown),
        }
    }
    match args.len() {
        0 => Err(TimeProblem::Unknown),
        _ if head.trim_start_matches(':').starts_with("timer.") => Ok(Number(ms)),
        _ => Ok(Time(ms)),
    }
}

/// The unit that a maker's name ends in: `from_secs`, `FromSeconds`, `ofMillis`, `seconds`, `from_secs_f64`.
fn made_unit(name: &str) -> Option<Unit> {
    let name = name.strip_suffix("_f64").or_else(|| name.strip_suffix("_f32")).unwrap_or(name);
    let prefixed = ["from_", "From", "from", "of", "in_"].iter().find_map(|p| name.strip_prefix(p));
    let full = |word: &str| if word.len() > 2 { Unit::named(word) } else { None };
    prefixed.and_then(full).or_else(|| full(name))
}

/// The unit in the name of a conversion: `toMillis`, `as_secs`, `getSeconds`, `total_seconds`, `inWholeSeconds`.
fn unit_in(name: &str) -> Option<Unit> {
    let prefixes = ["to_", "to", "as_", "get", "total_", "Total", "in_", "inWhole", "in"];
    let name = name.strip_suffix("_f64").or_else(|| name.strip_suffix("_f32")).unwrap_or(name);
    prefixes.iter().filter_map(|prefix| name.strip_prefix(prefix)).find_map(Unit::named)
}

fn owner_of(head: &str) -> &str {
    let owner = head.rsplit_once(['.', ':']).map_or("", |(owner, _)| owner);
    last_segment(owner.trim_end_matches(':'))
}

/// What a method makes of a quantity: `5.seconds`, `d.toMillis()`, `d.plusMillis(5)`; others leave it as it is.
fn after(quantity: Quantity, method: &str, args: &[Arg]) -> Result {
    let first = || args.first().map_or(Err(TimeProblem::Unknown), |arg| of_argument(&arg.value));
    match quantity {
        Number(n) => {
            if let Some(unit) = Unit::named(method).filter(|_| method.len() > 2) {
                return Ok(Time(unit.times(n)));
            }
            if let ("toDuration", Some(Kind::Word(unit))) = (method, args.first().map(|a| &a.value.kind)) {
                return Unit::named(unit).map(|unit| Time(unit.times(n))).ok_or(TimeProblem::Unknown);
            }
        }
        Time(ms) => {
            if let Some(unit) = unit_in(method) {
                return Ok(Number(ms / unit.ms()));
            }
            let (sign, word) = match (method.strip_prefix("plus"), method.strip_prefix("minus")) {
                (Some(word), _) => (1.0, word),
                (_, Some(word)) => (-1.0, word),
                _ => (0.0, ""),
            };
            match (first(), method) {
                (Ok(Number(n)), "multipliedBy" | "times" | "Multiply" | "mul" | "mul_f64") => return Ok(Time(ms * n)),
                (Ok(Number(n)), "dividedBy" | "div" | "Divide") => return Ok(Time(ms / n)),
                (Ok(Time(other)), "plus" | "minus" | "Add" | "Subtract") => {
                    let sign = if matches!(method, "minus" | "Subtract") { -1.0 } else { 1.0 };
                    return Ok(Time(ms + sign * other));
                }
                (Ok(Number(n)), _) if sign != 0.0 => {
                    return Unit::named(word).map(|u| Time(ms + sign * u.times(n))).ok_or(TimeProblem::Unknown);
                }
                _ => {}
            }
        }
        GoNanos(_) => {}
    }
    let keeps = ["into", "to_i", "to_f", "build", "unwrap", "get", "intValue", "longValue", "clone", "expect", "as"];
    let kept = keeps.contains(&method) || matches!(method, "toJavaDuration" | "toKotlinDuration" | "toJava" | "asJava");
    if kept { Ok(quantity) } else { Err(TimeProblem::Unknown) }
}

/// Python's order of `timedelta`.
const PYTHON: &[Unit] =
    &[Unit::Day, Unit::Second, Unit::Microsecond, Unit::Millisecond, Unit::Minute, Unit::Hour, Unit::Week];
/// Rust's order of `Duration::new`.
const RUST: &[Unit] = &[Unit::Second, Unit::Nanosecond];

/// The sum of values that stand under names of units, or by position in a known order.
fn by_unit_names(args: &[Arg], order: &[Unit]) -> Option<Quantity> {
    let mut ms = 0.0;
    for (position, arg) in args.iter().enumerate() {
        let unit = match &arg.name {
            Some(name) => Unit::named(&name.text).filter(|_| name.text.len() > 1)?,
            None => *order.get(position)?,
        };
        match of_argument(&arg.value) {
            Ok(Number(n)) => ms += unit.times(n),
            _ => return None,
        }
    }
    (!args.is_empty() || !order.is_empty()).then_some(Time(ms))
}

/// `Duration.of(5, ChronoUnit.SECONDS)`, `FiniteDuration(5, "seconds")`.
fn number_with_unit(args: &[Arg]) -> Option<Quantity> {
    let [number, unit] = args else { return None };
    let unit = Unit::named(unit.value.text()?)?;
    match of_argument(&number.value) {
        Ok(Number(n)) => Some(Time(unit.times(n))),
        _ => None,
    }
}

/// C#'s `TimeSpan`: ticks of 100 ns; hours, minutes, seconds; days before them; milliseconds, microseconds after them.
fn time_span(args: &[Arg]) -> Result {
    let numbers: Vec<f64> = args
        .iter()
        .map(|arg| match of_argument(&arg.value)? {
            Number(n) => Ok(n),
            _ => Err(TimeProblem::Unknown),
        })
        .collect::<std::result::Result<_, _>>()?;
    let units = [Unit::Day, Unit::Hour, Unit::Minute, Unit::Second, Unit::Millisecond, Unit::Microsecond];
    let skip = match numbers.len() {
        1 => return Ok(Time(Unit::Nanosecond.times(numbers[0] * 100.0))),
        3 => 1,
        4..=6 => 0,
        _ => return Err(TimeProblem::Unknown),
    };
    Ok(Time(numbers.iter().zip(&units[skip..]).map(|(n, unit)| unit.times(*n)).sum()))
}
