//! Times as people write them.
//!
//! | text | ms | units written |
//! |---|---|---|
//! | `500ms`, `2m59.56s`, `1min 30s`, `.2s` | 500, 179 560, 90 000, 200 | `ms`; `m`, `s`; `min`, `s`; `s` |
//! | `10 seconds`, `2 minutes`, `1 hour and 5 min` | 10 000, 120 000, 3 900 000 | `seconds`; `minutes`; `hour`, `min` |
//! | `PT1.5S`, `P1DT2H` | 1 500, 93 600 000 | `S`; `D`, `H` (form `Iso`) |
//! | `00:00:00.500`, `1.00:00:00` | 500, 86 400 000 | none (form `Clock`) |
//! | `250` | 250 × the unit that the asker supplies | none (form `Bare`) |
//!
//! The units that were written are kept, so that a library can refuse one that it does not accept. Nothing is guessed:
//! a bare number without a unit from the asker is [`TimeProblem::NoUnit`]. Writing times is not done here.

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// 10^-9 s.
    Nanosecond,
    /// 10^-6 s.
    Microsecond,
    /// 10^-3 s.
    Millisecond,
    /// 1 s.
    Second,
    /// 60 s.
    Minute,
    /// 3 600 s.
    Hour,
    /// 86 400 s.
    Day,
    /// 7 days.
    Week,
}

/// How a time was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeForm {
    /// A number alone; the asker's unit was applied.
    Bare,
    /// Numbers with units: `1m30s`, `10 seconds`.
    Units,
    /// ISO 8601: `PT1.5S`.
    Iso,
    /// `00:00:00.500`, `days.hours:minutes:seconds`.
    Clock,
    /// Something of a language: `2 * time.Second`, `Duration::from_secs(2)`, `{seconds: 2}`.
    Language,
}

/// A time that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Time {
    /// How long, in milliseconds. Infinite for a time that never ends; negative and NaN as written.
    pub ms: f64,
    /// How it was written.
    pub form: TimeForm,
    /// The unit words in the order written, as written.
    pub units: Vec<String>,
}

impl Time {
    /// Whether exactly these unit words were written and nothing else: `time.only(&["s"])` for protobuf's `1.5s`.
    pub fn only(&self, units: &[&str]) -> bool {
        self.form == TimeForm::Units && self.units.iter().all(|u| units.contains(&u.as_str()))
    }
}

/// Why a text or value is no time.
#[derive(Clone, Debug, PartialEq)]
pub enum TimeProblem {
    /// A number without a unit, and the asker supplied none.
    NoUnit(f64),
    /// A number with letters that are no unit known here.
    UnknownUnit {
        /// The number.
        value: f64,
        /// The letters.
        unit: String,
    },
    /// Given, but what it is cannot be known from the text: a variable, a placeholder without default, a call.
    Unknown,
    /// Not a time at all.
    NotATime,
}

impl std::fmt::Display for TimeProblem {
    /// What is wrong, as what follows the name of a setting: "`delay` …".
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            TimeProblem::NoUnit(value) => write!(f, "is {value} without a unit"),
            TimeProblem::UnknownUnit { value, unit } => write!(f, "is {value} of `{unit}`, which is no unit of time"),
            TimeProblem::Unknown => f.write_str("is not known from this text"),
            TimeProblem::NotATime => f.write_str("is not a time"),
        }
    }
}

impl Unit {
    /// The usual sign: `ms`, `s`, `min`.
    pub fn symbol(self) -> &'static str {
        match self {
            Unit::Nanosecond => "ns",
            Unit::Microsecond => "µs",
            Unit::Millisecond => "ms",
            Unit::Second => "s",
            Unit::Minute => "min",
            Unit::Hour => "h",
            Unit::Day => "d",
            Unit::Week => "w",
        }
    }

    /// How many milliseconds one is.
    pub fn ms(self) -> f64 {
        match self {
            Unit::Nanosecond => 1e-6,
            Unit::Microsecond => 1e-3,
            Unit::Millisecond => 1.0,
            Unit::Second => 1e3,
            Unit::Minute => 6e4,
            Unit::Hour => 3.6e6,
            Unit::Day => 8.64e7,
            Unit::Week => 6.048e8,
        }
    }

    /// `value` of this unit in milliseconds, to the nearest number: 1.001 s are 1001 ms, not 1000.9999999999999.
    pub fn times(self, value: f64) -> f64 {
        match self {
            Unit::Nanosecond => shift(value, -6),
            Unit::Microsecond => shift(value, -3),
            Unit::Millisecond => value,
            Unit::Second => shift(value, 3),
            Unit::Minute => shift(value * 60.0, 3),
            Unit::Hour => shift(value * 3600.0, 3),
            Unit::Day => shift(value * 86_400.0, 3),
            Unit::Week => shift(value * 604_800.0, 3),
        }
    }

    /// The unit of a word or of the last segment of a path: `s`, `Seconds`, `ChronoUnit.MILLIS`, `time.Second`,
    /// `TimeUnit::MILLISECONDS`, `:minute`. A lone capital `M` is none: it means months as often as minutes.
    pub fn named(word: &str) -> Option<Unit> {
        let word = word.rsplit(['.', ':', '/', '\\', '>']).next().unwrap_or(word);
        if word == "M" {
            return None;
        }
        Some(match word.to_ascii_lowercase().as_str() {
            "ns" | "nsec" | "nsecs" | "nano" | "nanos" | "nanosecond" | "nanoseconds" => Unit::Nanosecond,
            "us" | "µs" | "μs" | "usec" | "usecs" | "micro" | "micros" | "microsec" | "microsecs" | "microsecond"
            | "microseconds" => Unit::Microsecond,
            "ms" | "msec" | "msecs" | "milli" | "millis" | "millisec" | "millisecs" | "millisecond"
            | "milliseconds" => Unit::Millisecond,
            "s" | "sec" | "secs" | "second" | "seconds" => Unit::Second,
            "m" | "min" | "mins" | "minute" | "minutes" => Unit::Minute,
            "h" | "hr" | "hrs" | "hour" | "hours" => Unit::Hour,
            "d" | "day" | "days" => Unit::Day,
            "w" | "wk" | "wks" | "week" | "weeks" => Unit::Week,
            _ => return None,
        })
    }
}

/// `value` × 10^`places`, rounded once: the decimal point is moved in the shortest digits that mean `value`.
fn shift(value: f64, places: i32) -> f64 {
    if !value.is_finite() || value == 0.0 {
        return value;
    }
    let written = format!("{value:e}");
    let moved = written.split_once('e').and_then(|(digits, power)| {
        let power: i32 = power.parse().ok()?;
        format!("{digits}e{}", power + places).parse().ok()
    });
    moved.unwrap_or_else(|| value * 10f64.powi(places))
}

/// Reads a time. A bare number takes `default` as its unit.
pub fn parse(text: &str, default: Option<Unit>) -> Result<Time, TimeProblem> {
    let text = text.trim();
    let (sign, body) = match text.strip_prefix('-') {
        Some(body) => (-1.0, body.trim_start()),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let mut time = iso(body).or_else(|| clock(body)).map_or_else(|| units(body, default, sign), Ok)?;
    time.ms *= sign;
    Ok(time)
}

/// `1m30s`, `10 seconds`, `1 hour and 5 min`, `1min, 30s`, `250`.
fn units(body: &str, default: Option<Unit>, sign: f64) -> Result<Time, TimeProblem> {
    let mut rest = body;
    let mut time = Time { ms: 0.0, form: TimeForm::Units, units: Vec::new() };
    while !rest.is_empty() {
        let (value, after) = leading_number(rest).ok_or(TimeProblem::NotATime)?;
        let after = after.trim_start();
        let length = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
        let (word, tail) = after.split_at(length);
        let unit = match (Unit::named(word), default) {
            (Some(unit), _) => unit,
            (None, _) if !word.is_empty() && tail.is_empty() => {
                return Err(TimeProblem::UnknownUnit { value: value * sign, unit: word.to_string() });
            }
            (None, _) if !after.is_empty() || !time.units.is_empty() => return Err(TimeProblem::NotATime),
            (None, None) => return Err(TimeProblem::NoUnit(value * sign)),
            (None, Some(unit)) => {
                let ms = unit.times(value);
                return Ok(Time { ms, form: TimeForm::Bare, units: Vec::new() });
            }
        };
        time.ms += unit.times(value);
        time.units.push(word.to_string());
        rest = tail.trim_start().trim_start_matches(',').trim_start();
        rest = rest.strip_prefix("and ").unwrap_or(rest).trim_start();
    }
    if time.units.is_empty() { Err(TimeProblem::NotATime) } else { Ok(time) }
}

/// The number that `text` starts with, and what follows it. `1_000`, `.5`, `5.`, `1e3`; the `e` only before digits.
pub(crate) fn leading_number(text: &str) -> Option<(f64, &str)> {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        let more = bytes[from..].iter().take_while(|b| b.is_ascii_digit() || **b == b'_').count();
        from + more
    };
    let whole = digits(0);
    let mut end = whole;
    if bytes.get(end) == Some(&b'.') && (whole > 0 || bytes.get(1).is_some_and(u8::is_ascii_digit)) {
        end = digits(end + 1);
    }
    if end == 0 || bytes[0] == b'_' {
        return None;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if bytes.get(end + 1 + sign).is_some_and(u8::is_ascii_digit) {
            end = digits(end + 1 + sign);
        }
    }
    let plain: String = text[..end].chars().filter(|c| *c != '_').collect();
    Some((plain.parse().ok()?, &text[end..]))
}

/// `P1DT2H3M4.5S`, `PT1S`; weeks too. Years and months have no fixed length and are refused.
fn iso(body: &str) -> Option<Time> {
    let mut rest = body.strip_prefix(['P', 'p'])?;
    let mut time = Time { ms: 0.0, form: TimeForm::Iso, units: Vec::new() };
    let mut clock = false;
    while !rest.is_empty() {
        if let Some(tail) = rest.strip_prefix(['T', 't']).filter(|_| !clock) {
            clock = true;
            rest = tail;
            continue;
        }
        let (sign, digits) = rest.strip_prefix('-').map_or((1.0, rest), |tail| (-1.0, tail));
        let (value, after) = leading_number(digits)?;
        let letter = after.chars().next()?;
        let unit = match (letter.to_ascii_uppercase(), clock) {
            ('W', false) => Unit::Week,
            ('D', false) => Unit::Day,
            ('H', true) => Unit::Hour,
            ('M', true) => Unit::Minute,
            ('S', true) => Unit::Second,
            _ => return None,
        };
        time.ms += sign * unit.times(value);
        time.units.push(letter.to_string());
        rest = &after[letter.len_utf8()..];
    }
    (!time.units.is_empty()).then_some(time)
}

/// `hours:minutes:seconds`, with `days.` before it and a fraction after it; `hours:minutes` as .NET reads it.
fn clock(body: &str) -> Option<Time> {
    let mut parts = body.split(':');
    let (first, second, third) = (parts.next()?, parts.next()?, parts.next());
    if parts.next().is_some() {
        return None;
    }
    let whole =
        |text: &str| (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?;
    let (days, hours) = match first.split_once('.') {
        Some((days, hours)) => (whole(days)?, whole(hours)?),
        None => (0.0, whole(first)?),
    };
    let seconds = match third {
        Some(text) => leading_number(text).filter(|(_, rest)| rest.is_empty())?.0,
        None => 0.0,
    };
    let ms = Unit::Day.times(days) + Unit::Hour.times(hours) + Unit::Minute.times(whole(second)?);
    Some(Time { ms: ms + Unit::Second.times(seconds), form: TimeForm::Clock, units: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(text: &str) -> f64 {
        parse(text, None).unwrap_or_else(|problem| panic!("{text}: {problem:?}")).ms
    }

    #[test]
    fn every_spelling() {
        let table = [
            ("500ms", 500.0),
            ("1m30s", 90_000.0),
            ("1h", 3_600_000.0),
            ("2m59.56s", 179_560.0),
            ("1s500ms", 1_500.0),
            (".2s", 200.0),
            ("0.1s", 100.0),
            ("1.001s", 1_001.0),
            ("1_000 ms", 1_000.0),
            ("51.2 us", 0.0512),
            ("100µs", 0.1),
            ("100μs", 0.1),
            ("250ns", 0.000_25),
            ("2d", 172_800_000.0),
            ("1w", 604_800_000.0),
            ("1min 30s", 90_000.0),
            ("10 seconds", 10_000.0),
            ("2 minutes", 120_000.0),
            ("1 hour and 5 min", 3_900_000.0),
            ("1 minute, 30 seconds", 90_000.0),
            ("1e3ms", 1_000.0),
            ("PT1S", 1_000.0),
            ("PT1.5S", 1_500.0),
            ("PT0.5S", 500.0),
            ("P1DT2H", 93_600_000.0),
            ("PT1H2M3S", 3_723_000.0),
            ("00:00:00.500", 500.0),
            ("00:01:30", 90_000.0),
            ("1.00:00:00", 86_400_000.0),
            ("-5s", -5_000.0),
            ("  3s ", 3_000.0),
        ];
        for (text, expected) in table {
            assert_eq!(ms(text), expected, "{text}");
        }
    }

    #[test]
    fn units_are_kept_and_never_guessed() {
        assert_eq!(parse("250", None), Err(TimeProblem::NoUnit(250.0)));
        assert_eq!(parse("250", Some(Unit::Second)).unwrap().ms, 250_000.0);
        assert_eq!(parse("2m30s", None).unwrap().units, ["m", "s"]);
        assert!(parse("1.5s", None).unwrap().only(&["s"]));
        assert!(!parse("500ms", None).unwrap().only(&["s"]));
        assert_eq!(parse("3M", None), Err(TimeProblem::UnknownUnit { value: 3.0, unit: "M".into() }));
        assert_eq!(parse("5 parsecs", None), Err(TimeProblem::UnknownUnit { value: 5.0, unit: "parsecs".into() }));
        for text in ["", "s", "fast", "P", "PT", "1.2.3", "10.0.0.1", "8080:80:1:2", "1s and more", "4 of 5"] {
            assert_eq!(parse(text, Some(Unit::Second)), Err(TimeProblem::NotATime), "{text}");
        }
    }

    #[test]
    fn units_by_name() {
        for word in ["SECONDS", "ChronoUnit.SECONDS", "TimeUnit::Seconds", ":second", "time.Second", "s"] {
            assert_eq!(Unit::named(word), Some(Unit::Second), "{word}");
        }
        assert_eq!(Unit::named("M"), None);
        assert_eq!(Unit::named("retries"), None);
    }
}
