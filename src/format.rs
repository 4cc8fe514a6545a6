//! Numbers and durations as the page writes them: three significant digits in sentences, exact in tables.

use crate::duration::Unit;
use serde::Serialize;

/// A time or count in pieces of number and unit, so that units can be set apart: `3` `h`, `36` `min`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Quantity {
    /// All of it: `3 h 36 min`.
    pub text: String,
    /// Its pieces.
    pub parts: Vec<Part>,
}

/// One number with its unit.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Part {
    /// The number.
    pub number: String,
    /// Its unit; empty for words.
    pub unit: &'static str,
}

impl Quantity {
    fn new(parts: Vec<(String, &'static str)>) -> Quantity {
        let parts: Vec<Part> = parts.into_iter().map(|(number, unit)| Part { number, unit }).collect();
        let texts: Vec<String> = parts.iter().map(|p| format!("{} {}", p.number, p.unit)).collect();
        Quantity { text: texts.join(" "), parts }
    }

    /// Words in the place of a number.
    pub fn words(text: &str) -> Quantity {
        Quantity { text: text.to_string(), parts: vec![Part { number: text.to_string(), unit: "" }] }
    }
}

const S: f64 = 1e3;
const MIN: f64 = 60.0 * S;
const H: f64 = 60.0 * MIN;
const D: f64 = 24.0 * H;

/// From here on seconds become minutes.
const LONG: f64 = 2.0 * MIN;

/// A time in a sentence: three significant digits, in the unit that fits it.
pub fn short(ms: f64) -> Quantity {
    let ms = if ms < LONG { significant(ms, 3) } else { ms };
    let (minutes, hours) = ((ms / MIN).round(), (ms / H).round());
    let two = |whole: f64, per: f64, big: &'static str, small: &'static str| {
        let mut parts = vec![(number((whole / per).floor()), big)];
        parts.extend((whole % per != 0.0).then(|| (number(whole % per), small)));
        Quantity::new(parts)
    };
    if ms == 0.0 {
        Quantity::new(vec![("0".into(), "s")])
    } else if ms < S {
        Quantity::new(vec![(number(ms), "ms")])
    } else if ms < LONG {
        Quantity::new(vec![(number(significant(ms / S, 3)), "s")])
    } else if minutes < 60.0 {
        Quantity::new(vec![(number(significant(ms / MIN, 3)), "min")])
    } else if minutes < 24.0 * 60.0 {
        two(minutes, 60.0, "h", "min")
    } else if hours < 240.0 {
        two(hours, 24.0, "d", "h")
    } else {
        Quantity::new(vec![(number(significant(ms / D, 3)), "d")])
    }
}

/// What the times of one column are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Milliseconds: every time is under a second.
    Ms,
    /// Seconds; from two minutes on days, hours, minutes and seconds.
    Seconds,
}

impl Column {
    /// The column that fits these times, ms.
    pub fn of(times: impl IntoIterator<Item = f64>) -> Column {
        let longest = times.into_iter().fold(0.0, f64::max);
        if longest > 0.0 && longest < S { Column::Ms } else { Column::Seconds }
    }

    /// A time in full: to the millisecond, under a second to the microsecond.
    pub fn exact(self, ms: f64) -> Quantity {
        if self == Column::Ms {
            return Quantity::new(vec![(decimals(ms, 3), "ms")]);
        }
        match decimals(ms / S, if ms < S { 6 } else { 3 }) {
            seconds if ms < LONG && seconds != "120" => Quantity::new(vec![(seconds, "s")]),
            _ => mixed(ms.max(LONG)),
        }
    }
}

/// A time of two minutes or more, to the millisecond.
fn mixed(ms: f64) -> Quantity {
    if ms >= 1e15 {
        return Quantity::new(vec![(number(significant(ms / D, 3)), "d")]);
    }
    // From an hour on nobody reads parts of a second.
    let places = if ms < H { 3 } else { 0 };
    let grain = 10f64.powi(3 - places);
    let mut rest = (ms / grain).round() * grain;
    let mut parts = Vec::new();
    for (size, unit) in [(D, "d"), (H, "h"), (MIN, "min")] {
        let whole = (rest / size).floor();
        if whole > 0.0 {
            parts.push((number(whole), unit));
            rest -= whole * size;
        }
    }
    let seconds = decimals(rest / S, places as usize);
    if seconds != "0" {
        parts.push((seconds, "s"));
    }
    Quantity::new(parts)
}

/// A time as a field of the form holds it: the largest unit that says it in full.
pub fn written(ms: f64, space: &str) -> String {
    // What is written reads back as the same number, however large.
    let plain_ms = ms.fract() == 0.0 && ms < 1e15;
    let says = |unit: Unit, length_ms: f64| ms >= length_ms && (plain_ms || unit.times(ms / length_ms) == ms);
    let whole = |unit, length_ms: f64| (ms / length_ms).fract() == 0.0 && says(unit, length_ms);
    let (value, unit) = if ms == 0.0 {
        (0.0, "s")
    } else if ms > LONG && whole(Unit::Hour, H) {
        (ms / H, "h")
    } else if ms >= LONG && whole(Unit::Minute, MIN) {
        (ms / MIN, "min")
    } else if says(Unit::Second, S) {
        (ms / S, "s")
    } else {
        (ms, "ms")
    };
    format!("{}{space}{unit}", plain(value))
}

/// A number in full, the shortest text that reads back as it.
pub fn plain(value: f64) -> String {
    if value != 0.0 && !(1e-6..1e21).contains(&value.abs()) { format!("{value:e}") } else { format!("{value}") }
}

/// A number with all the digits it has, up to 12, grouped by three from 10 000 on.
pub fn number(value: f64) -> String {
    if value.abs() >= 1e15 {
        let text = format!("{value:.2e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
        return format!("{mantissa} × 10{}", superscript(exponent.parse().unwrap_or(0)));
    }
    decimals(significant(value, 12), 12)
}

/// A count, grouped by three from 10 000 on.
pub fn count(n: u64) -> String {
    if n >= 1_000_000_000_000_000 { number(n as f64) } else { grouped(&n.to_string()) }
}

/// "1 call", "6 calls".
pub fn counted(n: u64, noun: &str, nouns: &str) -> String {
    format!("{} {}", count(n), if n == 1 { noun } else { nouns })
}

/// A probability as percent: three significant digits, never 100 % for less than certain nor 0 % for possible.
pub fn percent(p: f64) -> String {
    match p {
        p if p <= 0.0 => "0 %".into(),
        p if p >= 1.0 => "100 %".into(),
        p if p < 0.001 => "under 0.1 %".into(),
        p if p > 0.999 => "more than 99.9 %".into(),
        p => format!("{} %", number(significant(p * 100.0, 3))),
    }
}

/// A whole number in superscript digits.
pub fn superscript(n: i64) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = |c: char| c.to_digit(10).map_or('⁻', |d| DIGITS[d as usize]);
    n.to_string().chars().map(digit).collect()
}

/// "1st", "2nd", "11th".
pub fn ordinal(n: u64) -> String {
    let ending = match (n % 10, n % 100) {
        (1, t) if t != 11 => "st",
        (2, t) if t != 12 => "nd",
        (3, t) if t != 13 => "rd",
        _ => "th",
    };
    format!("{}{ending}", count(n))
}

/// Rounded to so many significant digits.
pub fn significant(value: f64, digits: usize) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    // Halves up, as people round; then through text, so that the digits beyond are gone.
    let decimals = digits as i32 - 1 - libm::log10(value.abs()).floor() as i32;
    if !(-300..=300).contains(&decimals) {
        return format!("{value:.*e}", digits - 1).parse().unwrap_or(value);
    }
    let scaled = (value * 10f64.powi(decimals)).round();
    format!("{scaled}e{}", -decimals).parse().unwrap_or(value)
}

/// The distance of an axis' grid lines: the smallest of 1, 2 or 5 times a power of ten of `unit` that leaves at most
/// `most` of them in `length`; absent where there is none.
pub fn grid_step(length: f64, unit: f64, most: f64) -> Option<f64> {
    let power = libm::pow(10.0, libm::log10(length / unit / most).floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power * unit).into_iter().find(|step| length / step <= most);
    step.filter(|step| step.is_normal())
}

/// With at most so many decimals, zeros dropped.
fn decimals(value: f64, most: usize) -> String {
    let text = format!("{value:.most$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".into() } else { grouped(text) }
}

fn grouped(text: &str) -> String {
    let (sign, text) = text.strip_prefix('-').map_or(("", text), |rest| ("−", rest));
    let (whole, rest) = text.find('.').map_or((text, ""), |dot| text.split_at(dot));
    if whole.len() < 5 {
        return format!("{sign}{whole}{rest}");
    }
    let groups: Vec<&str> = {
        let head = whole.len() % 3;
        let tail = (head..whole.len()).step_by(3).map(|at| &whole[at..at + 3]);
        std::iter::once(&whole[..head]).filter(|h| !h.is_empty()).chain(tail).collect()
    };
    format!("{sign}{}{rest}", groups.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_in_a_field_reads_back_as_itself() {
        let times =
            [1.0, 1_001.0, 59_999.0, 90_000.0, 5_400_000.0, 0.1, 61_240_845_151_398_768.0 * 1e3, 1e20 * 3.6e6, 1e300];
        for ms in times {
            let text = written(ms, " ");
            assert_eq!(crate::duration::parse(&text, None).map(|time| time.ms), Ok(ms), "{text}");
        }
        assert_eq!([1_001.0, 90_000.0, 1e3].map(|ms| written(ms, "")), ["1.001s", "90s", "1s"]);
    }

    #[test]
    fn sentences_have_three_digits_and_the_unit_that_fits() {
        let cases = [
            (0.0, "0 s"),
            (0.25, "0.25 ms"),
            (250.0, "250 ms"),
            (999.9, "1 s"),
            (11_500.0, "11.5 s"),
            (23_000.0, "23 s"),
            (119_960.0, "2 min"),
            (17_250.0, "17.3 s"),
            (204_800.0, "3.41 min"),
            (1_024_000.0, "17.1 min"),
            (4_320_000.0, "1 h 12 min"),
            (3_599_999.0, "1 h"),
            (86_399_999.0, "1 d"),
            (183_600_000.0, "2 d 3 h"),
            (3_456_000_000_000.0, "40 000 d"),
            (1e300, "1.16 × 10²⁹² d"),
        ];
        for (ms, text) in cases {
            assert_eq!(short(ms).text, text, "{ms}");
        }
    }

    #[test]
    fn tables_are_exact_and_keep_one_unit() {
        let cases = [
            (1_331.0000000000002, "1.331 s"),
            (500.0, "0.5 s"),
            (60_000.0, "60 s"),
            (119_999.999_99, "2 min"),
            (120_000.0, "2 min"),
            (13_012_400.692, "3 h 36 min 52 s"),
            (3_599_999.999_9, "1 h"),
            (86_400_000.0, "1 d"),
            (204_800.0, "3 min 24.8 s"),
        ];
        for (ms, text) in cases {
            assert_eq!(Column::Seconds.exact(ms).text, text, "{ms}");
        }
        assert_eq!(Column::of([0.0, 133.1, 999.0]).exact(133.10000000000002).text, "133.1 ms");
        assert_eq!(Column::of([0.0]).exact(0.0).text, "0 s");
        assert_eq!(Column::of([0.0, 1000.0]), Column::Seconds);
    }

    #[test]
    fn fields_hold_times_in_full() {
        let cases = [(1000.0, "1 s"), (90_000.0, "90 s"), (120_000.0, "2 min"), (5_400_000.0, "90 min")];
        let more = [(3_600_000.0, "1 h"), (61_234.0, "61.234 s"), (0.1, "0.1 ms"), (100.0, "100 ms"), (0.0, "0 s")];
        for (ms, text) in cases.into_iter().chain(more) {
            assert_eq!(written(ms, " "), text);
        }
    }

    #[test]
    fn counts_shares_and_powers() {
        assert_eq!(count(9_999), "9999");
        assert_eq!(count(1_000_000_001), "1 000 000 001");
        assert_eq!(counted(1, "call", "calls"), "1 call");
        assert_eq!(
            (percent(0.9375), percent(0.9999), percent(0.0001)),
            ("93.8 %".into(), "more than 99.9 %".into(), "under 0.1 %".into())
        );
        assert_eq!((superscript(249), superscript(-1)), ("²⁴⁹".into(), "⁻¹".into()));
        assert_eq!((ordinal(2), ordinal(11), ordinal(21)), ("2nd".into(), "11th".into(), "21st".into()));
        assert_eq!(number(-0.5), "−0.5");
    }
}
