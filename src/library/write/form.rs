//! The forms in which a number stands in a configuration.

use crate::format::plain;

/// A number in a form. Times come in milliseconds.
///
/// | form | 90 000 |
/// |---|---|
/// | | `90000` |
/// | `s`, `S` | `90`; `S` rounds to whole seconds |
/// | `MS`, `#` | `90000`, rounded to a whole number |
/// | `f`, `sf` | `90000.0`, `90.0`: with a decimal point always |
/// | `%` | a share in percent |
/// | `go` | `90 * time.Second` |
/// | `unit` | `90s`, `1500ms`: a whole number with the largest of `ms`, `s`, `m`, `h` that keeps it whole |
/// | `pb` | `90s`, `0.25s`: seconds always |
/// | `iso` | `PT90S` |
/// | `clock` | `00:01:30` |
/// | `s f(#)` | `f(90)`: another form with words around it |
/// | `new(A,B)` | `A(90)` in whole seconds, otherwise `B(90000)` in milliseconds |
pub(super) fn written(number: f64, form: &str) -> String {
    if let Some((form, around)) = form.split_once(' ') {
        return around.replace('#', &written(number, form));
    }
    let seconds = number / 1e3;
    let whole = seconds.fract() == 0.0;
    if let Some((of_s, of_ms)) = form.strip_prefix("new(").and_then(|names| names.strip_suffix(')')?.split_once(',')) {
        return if whole { format!("{of_s}({seconds})") } else { format!("{of_ms}({})", plain(number)) };
    }
    match form {
        "s" => plain(seconds),
        "S" => seconds.round().to_string(),
        "MS" | "#" => number.round().to_string(),
        "f" => pointed(number),
        "sf" => pointed(seconds),
        "%" => plain(number * 100.0),
        "pb" => format!("{}s", plain(seconds)),
        "iso" => format!("PT{}S", plain(seconds)),
        "clock" => clock(number),
        "unit" | "go" => {
            let units = [(3.6e6, "h", "Hour"), (6e4, "m", "Minute"), (1e3, "s", "Second"), (1.0, "ms", "Millisecond")];
            let below = [(1e-3, "us", "Microsecond"), (1e-6, "ns", "Nanosecond")];
            let fits = |(ms, ..): &&(f64, _, _)| number != 0.0 && (number / ms).fract() == 0.0;
            let &(ms, short, long) = units.iter().chain(&below).find(fits).unwrap_or(&units[2]);
            // Nothing below a nanosecond can be written.
            let count = if number / ms % 1.0 == 0.0 { number / ms } else { (number * 1e6).round() };
            let (short, long) = if count == number / ms { (short, long) } else { ("ns", "Nanosecond") };
            if form == "unit" { format!("{count}{short}") } else { format!("{count} * time.{long}") }
        }
        _ => plain(number),
    }
}

fn pointed(number: f64) -> String {
    format!("{number:?}")
}

/// `[d.]hh:mm:ss[.fff]`.
fn clock(ms: f64) -> String {
    let seconds = (ms / 1e3).floor();
    let (days, hours, minutes) = ((seconds / 86_400.0).floor(), (seconds / 3600.0).floor(), (seconds / 60.0).floor());
    let days = if days > 0.0 { format!("{days}.") } else { String::new() };
    let rest = (ms - seconds * 1e3).round();
    let rest = if rest > 0.0 { format!(".{rest:03}") } else { String::new() };
    format!("{days}{:02}:{:02}:{:02}{rest}", hours % 24.0, minutes % 60.0, seconds % 60.0)
}
