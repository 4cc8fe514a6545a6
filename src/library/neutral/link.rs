//! A policy as one readable line, and that line as an item.

use super::Rest;
use crate::duration::{Unit, parse};
use crate::notation::{Arg, Form, Item, Kind, Name, Value};
use crate::policy::{After, Backoff, CapOrder, Clock, Jitter, Overrun, Policy};
use crate::span::Span;

/// The policy as words of the neutral notation, with its version: `v=1 base=1s factor=2 cap=8s retries=5 jitter=full`.
pub fn notation(policy: &Policy) -> String {
    let mut out = String::from("v=1");
    for pair in link(policy).split('&') {
        out.push(' ');
        out.extend(pair.chars().map(|c| match c {
            '"' | '(' | '{' | ';' | '%' if pair.starts_with("rest=") => format!("%{:02X}", c as u32),
            c => c.to_string(),
        }));
    }
    out + "\n"
}

/// A text with its `%` escapes undone.
pub fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The policy in the neutral notation, joined by `&`: `base=1s&factor=2&cap=8s&retries=5&jitter=full`. Reading it gives
/// the same policy again.
pub fn link(policy: &Policy) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut put = |key: &str, value: String| out.push(format!("{key}={value}"));
    let wait = &policy.wait;
    let mut rest = Rest {
        plus: policy.plus.clone(),
        phases: policy.phases.clone(),
        rounding: wait.rounding,
        carry: wait.carry,
        skip: wait.skip,
        initial_delay_ms: policy.initial_delay_ms,
        ends_with_wait: policy.ends_with_wait,
        ..Rest::default()
    };
    curve(&wait.backoff, &mut put, &mut rest);
    if let Some(floor) = wait.floor_ms {
        put("floor", time(floor));
    }
    if let Some(cap) = wait.cap_ms {
        put("cap", time(cap));
    }
    match wait.cap_order {
        CapOrder::BeforeJitter => {}
        CapOrder::AfterJitter => put("cap-order", "after".into()),
        CapOrder::Both => put("cap-order", "both".into()),
        CapOrder::Redraw => put("cap-order", "redraw".into()),
        CapOrder::Ceiling => put("cap-order", "ceiling".into()),
    }
    put("retries", policy.retries.map_or("unlimited".into(), |n| n.to_string()));
    match jitter_text(wait.jitter) {
        Some(text) => put("jitter", text),
        None => rest.jitter = Some(wait.jitter),
    }
    if let Some(first) = policy.first_wait_ms {
        put("first-wait", time(first));
    }
    if let Some(timeout) = policy.attempt_timeout_ms {
        put("call-timeout", time(timeout));
    }
    if let Some(deadline) = policy.deadline {
        put("deadline", time(deadline.limit_ms));
        let overrun = match deadline.overrun {
            Overrun::Refuse => "refuse",
            Overrun::Allow => "allow",
            Overrun::Shorten => "shorten",
        };
        put("overrun", overrun.into());
        match deadline.clock {
            Clock::Elapsed => {}
            Clock::FirstFailure => put("clock", "first-failure".into()),
            Clock::Waits => put("clock", "waits".into()),
        }
    }
    if rest != Rest::default() {
        put("rest", serde_json::to_string(&rest).unwrap_or_default());
    }
    out.join("&")
}

fn curve(backoff: &Backoff, put: &mut impl FnMut(&str, String), rest: &mut Rest) {
    let after = |after: After| match after {
        After::RepeatLast => "repeat-last".to_string(),
        After::Stop => "stop".to_string(),
    };
    match backoff {
        Backoff::Exponential { base_ms, factor } => {
            put("base", time(*base_ms));
            put("factor", factor.to_string());
        }
        Backoff::Constant { delay_ms } => {
            put("backoff", "constant".into());
            put("base", time(*delay_ms));
        }
        Backoff::Linear { base_ms, increment_ms } => {
            put("backoff", "linear".into());
            put("base", time(*base_ms));
            put("increment", time(*increment_ms));
        }
        Backoff::Polynomial { base_ms, power } => {
            put("backoff", "polynomial".into());
            put("base", time(*base_ms));
            put("power", power.to_string());
        }
        Backoff::Fibonacci { base_ms } => {
            put("backoff", "fibonacci".into());
            put("base", time(*base_ms));
        }
        Backoff::List { delays_ms, after: then } => {
            put("delays", delays_ms.iter().map(|&ms| time(ms)).collect::<Vec<_>>().join(","));
            put("after", after(*then));
        }
        Backoff::Table { waits, after: then } => {
            rest.waits = Some(waits.clone());
            put("after", after(*then));
        }
    }
}

/// The shortest spelling of a time that reads as the same number: `1s`, `250ms`, `1.5h`.
pub(super) fn time(ms: f64) -> String {
    let units = [(Unit::Hour, 3_600_000.0), (Unit::Minute, 60_000.0), (Unit::Second, 1_000.0)];
    let whole = units.iter().find(|(_, size)| ms != 0.0 && ms % size == 0.0);
    let seconds = (ms.abs() >= 1_000.0).then_some(&units[2]);
    let exact = |&(unit, size): &(Unit, f64)| {
        let text = format!("{}{}", ms / size, unit.symbol());
        (parse(&text, None).ok().map(|t| t.ms) == Some(ms)).then_some(text)
    };
    whole.and_then(exact).or_else(|| seconds.and_then(exact)).unwrap_or_else(|| format!("{ms}ms"))
}

fn jitter_text(jitter: Jitter) -> Option<String> {
    let percent = |share: f64| format!("{}%", share * 100.0);
    let text = match jitter {
        Jitter::None => "none".into(),
        Jitter::Full => "full".into(),
        Jitter::Equal => "equal".into(),
        Jitter::Decorrelated => "decorrelated".into(),
        Jitter::Telescoping => "telescoping".into(),
        Jitter::Proportional { below, above } if below == above => format!("±{}", percent(below)),
        Jitter::Proportional { below, above } => format!("-{}..+{}", percent(below), percent(above)),
        Jitter::Additive { min_ms, max_ms } => format!("+{}..{}", time(min_ms), time(max_ms)),
        Jitter::From { min_ms } => format!("{}..delay", time(min_ms)),
        Jitter::Poisson { .. } | Jitter::Unknown { .. } => return None,
    };
    (self::jitter(&text, None) == Some(jitter)).then_some(text)
}

/// A jitter from its text; bare times have `unit`.
pub(super) fn jitter(text: &str, unit: Option<Unit>) -> Option<Jitter> {
    let text = text.trim();
    let named = match text.to_ascii_lowercase().as_str() {
        "none" => Jitter::None,
        "full" => Jitter::Full,
        "equal" | "half" => Jitter::Equal,
        "decorrelated" => Jitter::Decorrelated,
        "telescoping" => Jitter::Telescoping,
        _ => return measured(text, unit),
    };
    Some(named)
}

fn measured(text: &str, unit: Option<Unit>) -> Option<Jitter> {
    let percent = |s: &str| Some(s.strip_suffix('%')?.trim().parse::<f64>().ok()? / 100.0).filter(|p| *p >= 0.0);
    let ms = |s: &str| match s.strip_prefix('-') {
        Some(rest) => parse(rest, unit.or(Some(Unit::Millisecond))).ok().map(|t| -t.ms),
        None => parse(s, unit.or(Some(Unit::Millisecond))).ok().map(|t| t.ms),
    };
    let both = ["±", "+-", "+/-"].iter().find_map(|sign| percent(text.strip_prefix(sign)?));
    if let Some(share) = both {
        return Some(Jitter::Proportional { below: share, above: share });
    }
    let (low, high) = text.split_once("..")?;
    let (low, high) = (low.trim(), high.trim());
    if high == "delay" {
        return Some(Jitter::From { min_ms: ms(low)? });
    }
    if let (Some(below), Some(above)) =
        (low.strip_prefix('-').and_then(percent), high.strip_prefix('+').and_then(percent))
    {
        return Some(Jitter::Proportional { below, above });
    }
    let (min_ms, max_ms) = (ms(low.strip_prefix('+').unwrap_or(low))?, ms(high.strip_prefix('+').unwrap_or(high))?);
    (min_ms <= max_ms).then_some(Jitter::Additive { min_ms, max_ms })
}

/// A line of `key=value` pairs joined by `&`, as one map; a leading `#` or `?` is passed over. The value of `rest` may
/// hold anything but `&`.
pub fn pairs(text: &str) -> Item {
    let mut item = Item { form: Form::Map, span: Span::new(0, text.len()), ..Item::default() };
    let mut at = 0;
    for piece in text.split('&') {
        let start = at + (piece.len() - piece.trim_start_matches(['#', '?']).len());
        let end = at + piece.len();
        at = end + 1;
        let Some((key, value)) = text[start..end].split_once('=') else { continue };
        let name = Name { text: key.to_string(), span: Span::new(start, start + key.len()) };
        let span = Span::new(start + key.len() + 1, end);
        let kind = match value.parse::<f64>() {
            Ok(number) => Kind::Number { value: number, suffix: String::new() },
            Err(_) => Kind::Text { text: value.to_string(), quoted: false, inner: Vec::new() },
        };
        item.args.push(Arg { name: Some(name), value: Value::new(kind, span) });
    }
    item
}
