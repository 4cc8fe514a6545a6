//! The policy as the texts of the form's fields, which are the values of the neutral notation's keys.
//!
//! [`Settings`] holds one text a key. Texts are put in one by one; one that cannot be read is refused and changes
//! nothing, and a number without a unit is a question, not a guess. What a library's policy has beyond the fields stays
//! in keys that no field shows, so that editing one field changes that one thing.

use super::keys;
use crate::duration;
use crate::finding::{Finding, Severity};
use crate::format::{plain, written};
use crate::library::{self, neutral};
use crate::policy::{Backoff, CapOrder, Jitter, Overrun, Policy};
use crate::schedule::schedule;

/// The keys that the form has fields for, in its order.
pub const KEYS: [&str; 15] = [
    "base",
    "factor",
    "cap",
    "retries",
    "jitter",
    "backoff",
    "increment",
    "power",
    "delays",
    "floor",
    "cap-order",
    "first-wait",
    "call-timeout",
    "deadline",
    "overrun",
];

/// Keys that hold one time.
const TIMES: [&str; 6] = ["base", "cap", "floor", "first-wait", "call-timeout", "deadline"];

/// What is wrong with the text of one field.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// A number without a unit where a time stands.
    Unit(String),
    /// Anything else, in words.
    Bad(String),
}

/// One text for each key that is said.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    pairs: Vec<(String, String)>,
}

impl Settings {
    /// Everything a policy says.
    pub fn of(policy: &Policy) -> Settings {
        Settings { pairs: pairs(&neutral::link(policy)) }
    }

    /// What a link says, and what of it is not understood.
    pub fn of_link(link: &str) -> (Settings, Vec<Finding>) {
        let mut settings = Settings::default();
        let mut findings = Vec::new();
        for (key, text) in said(link) {
            if key == "v" && text != "1" {
                let message =
                    format!("The link is of version `{text}`; this page knows version 1 and read what it knows.");
                findings.push(Finding::error("link-version", None, message));
            } else if !keys::is_of_policy(&key) {
                continue;
            } else if settings.get(&key).is_some() {
                findings.push(Finding::error(
                    "link-twice",
                    None,
                    format!("The link says `{key}` twice; the first holds."),
                ));
            } else {
                settings.put(&key, &text);
            }
        }
        (settings, findings)
    }

    /// The text of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.pairs.iter().find(|(k, _)| k == key).map(|(_, text)| text.as_str())
    }

    /// Whether they say how many waits there can be.
    pub fn counts(&self) -> bool {
        ["retries", "calls", "attempts", "deadline"].iter().any(|key| self.get(key).is_some())
    }

    fn put(&mut self, key: &str, text: &str) {
        match self.pairs.iter_mut().find(|(k, _)| k == key) {
            Some((_, old)) => *old = text.to_string(),
            None => self.pairs.push((key.to_string(), text.to_string())),
        }
    }

    fn drop(&mut self, keys: &[&str]) {
        self.pairs.retain(|(key, _)| !keys.contains(&key.as_str()));
    }

    /// Puts the text of one field in; a problem leaves everything as it was.
    pub fn set(&mut self, key: &str, text: &str) -> Result<(), Problem> {
        let text = text.trim();
        let mut next = self.clone();
        let curve: &[&str] = match key {
            "factor" => &["backoff", "increment", "power", "delays", "after"],
            "increment" => &["backoff", "factor", "power", "delays", "after"],
            "power" => &["backoff", "factor", "increment", "delays", "after"],
            "delays" => &["backoff", "factor", "increment", "power", "base"],
            "backoff" => &["factor", "increment", "power", "delays", "after"],
            _ => &[],
        };
        if text.is_empty() {
            return match key {
                "base" | "factor" | "delays" | "increment" | "power" => Err(bad("Empty; the value before it is used.")),
                "retries" => Err(bad("How many waits: a number, or `unlimited`.")),
                _ => {
                    next.drop(&[key]);
                    *self = next;
                    Ok(())
                }
            };
        }
        next.drop(curve);
        match key {
            "increment" => next.put("backoff", "linear"),
            "power" => next.put("backoff", "polynomial"),
            "backoff" => next.curve(text),
            _ => {}
        }
        if key != "backoff" || text != "list" {
            next.put(key, &checked(key, text)?);
        }
        if let Some(problem) = next.problem_with(key) {
            return Err(Problem::Bad(problem));
        }
        *self = next;
        Ok(())
    }

    /// Completes a change of curve with numbers that leave the first delay as it is.
    fn curve(&mut self, curve: &str) {
        if self.get("base").is_none() {
            self.put("base", "1s");
        }
        let base = self.get("base").unwrap_or("1s").to_string();
        match curve {
            "exponential" => self.put("factor", "2"),
            "linear" => self.put("increment", &base),
            "polynomial" => self.put("power", "2"),
            "list" => {
                self.drop(&["base", "backoff"]);
                self.put("delays", &base);
            }
            _ => {}
        }
    }

    /// What the notation has against the text of one key, if it has anything.
    fn problem_with(&self, key: &str) -> Option<String> {
        let alone = self.get(key)?;
        let pair = format!("{key}={alone}");
        let text = if key == "base" { pair } else { format!("base=1s&{pair}") };
        let error = library::read_link(&text).findings.into_iter().find(|f| f.severity == Severity::Error)?;
        Some(format!("{} {}", error.message, error.help).trim().to_string())
    }

    /// The policy that the texts mean, with what is worth saying about it; `None` while nothing says how long to wait.
    pub fn policy(&self) -> Option<(Policy, Vec<Finding>)> {
        let said = |key: &str| self.get(key).is_some();
        if !(said("base") || said("delays") || said("rest")) {
            return None;
        }
        let text: Vec<String> = self.pairs.iter().map(|(key, text)| format!("{key}={text}")).collect();
        let library::Reading { policy, mut findings, .. } = library::read_link(&text.join("&"));
        findings.iter_mut().for_each(|finding| finding.span = None);
        Some((policy, findings))
    }
}

/// The keys of a link with their texts.
pub fn said(link: &str) -> Vec<(String, String)> {
    pairs(link.trim_start_matches('#'))
        .into_iter()
        .map(|(key, text)| (neutral::decoded(&key), neutral::decoded(&text)))
        .collect()
}

fn pairs(text: &str) -> Vec<(String, String)> {
    let pair =
        |piece: &str| piece.split_once('=').map_or((piece.to_string(), String::new()), |(k, v)| (k.into(), v.into()));
    text.split('&').filter(|piece| !piece.is_empty()).map(pair).collect()
}

/// The policy as a link, without the leading `#`. Readable: only what a browser or the next reader would trip over is
/// escaped, and a rounding that changes nothing is not said.
pub fn link(policy: &Policy) -> String {
    let mut plain = policy.clone();
    plain.wait.rounding = None;
    let same = policy.wait.is_fixed() && schedule(policy, 100) == schedule(&plain, 100);
    let mut out = String::from("v=1");
    for (key, text) in pairs(&neutral::link(if same { &plain } else { policy })) {
        pair(&mut out, &key, &text);
    }
    out
}

/// Adds `&key=text` to a link.
pub fn pair(link: &mut String, key: &str, text: &str) {
    *link += &format!("&{key}=");
    for c in text.chars() {
        match c {
            '%' | '&' | '#' | '"' | '<' | '>' | '`' | ' ' | '{' | '}' | '[' | ']' | '|' | '\\' | '^' => {
                *link += &format!("%{:02X}", c as u32);
            }
            c => link.push(c),
        }
    }
}

fn bad(message: &str) -> Problem {
    Problem::Bad(message.into())
}

/// The text of a field as the notation takes it.
fn checked(key: &str, text: &str) -> Result<String, Problem> {
    if text.contains('&') {
        return Err(bad("`&` has no place in a value."));
    }
    let unspaced = || text.replace('−', "-").split_whitespace().collect::<String>();
    match key {
        "increment" => {
            let text = unspaced();
            time(text.trim_start_matches('-')).map(|_| text)
        }
        "delays" => {
            let times = text.split([',', ';']).map(str::trim).filter(|t| !t.is_empty());
            let times: Vec<String> = times.map(|t| time(t).map(|_| t.replace(' ', ""))).collect::<Result<_, _>>()?;
            if times.is_empty() { Err(bad("At least one delay: 1s, 5s, 30s.")) } else { Ok(times.join(",")) }
        }
        _ if TIMES.contains(&key) => time(text).map(|ms| written(ms, "")),
        _ => Ok(unspaced()),
    }
}

/// A time with its unit, ms.
pub fn time(text: &str) -> Result<f64, Problem> {
    match text.parse::<f64>() {
        Ok(n) if n.is_nan() || n.is_infinite() => return Err(Problem::Bad(format!("`{text}` is no time."))),
        Ok(n) if n < 0.0 => return Err(bad("A time cannot be negative.")),
        Ok(0.0) => return Ok(0.0),
        Ok(_) => return Err(Problem::Unit(text.to_string())),
        Err(_) => {}
    }
    match duration::parse(text, None) {
        Ok(time) if time.ms < 0.0 => Err(bad("A time cannot be negative.")),
        Ok(time) if !time.ms.is_finite() => Err(bad("More than can be computed with.")),
        Ok(time) => Ok(time.ms),
        Err(_) => Err(Problem::Bad(format!("`{text}` is no time this page knows. It reads 100ms, 2s, 1m30s, PT2S."))),
    }
}

/// What the field of a key shows for a policy; empty where there is nothing to show.
pub fn field_text(policy: &Policy, key: &str) -> String {
    let time = |ms: Option<f64>| ms.map_or(String::new(), |ms| written(ms, " "));
    let backoff = &policy.wait.backoff;
    match (key, backoff) {
        ("base", Backoff::Exponential { base_ms, .. } | Backoff::Linear { base_ms, .. }) => written(*base_ms, " "),
        ("base", Backoff::Polynomial { base_ms, .. } | Backoff::Fibonacci { base_ms }) => written(*base_ms, " "),
        ("base", Backoff::Constant { delay_ms }) => written(*delay_ms, " "),
        ("factor", Backoff::Exponential { factor, .. }) => plain(*factor),
        ("increment", Backoff::Linear { increment_ms, .. }) if *increment_ms < 0.0 => {
            format!("-{}", written(-increment_ms, " "))
        }
        ("increment", Backoff::Linear { increment_ms, .. }) => written(*increment_ms, " "),
        ("power", Backoff::Polynomial { power, .. }) => plain(*power),
        ("delays", Backoff::List { delays_ms, .. }) => {
            delays_ms.iter().map(|ms| written(*ms, " ")).collect::<Vec<_>>().join(", ")
        }
        ("backoff", Backoff::Exponential { .. }) => "exponential".into(),
        ("backoff", Backoff::Constant { .. }) => "constant".into(),
        ("backoff", Backoff::Linear { .. }) => "linear".into(),
        ("backoff", Backoff::Polynomial { .. }) => "polynomial".into(),
        ("backoff", Backoff::Fibonacci { .. }) => "fibonacci".into(),
        ("backoff", Backoff::List { .. }) => "list".into(),
        ("backoff", Backoff::Table { .. }) => "library".into(),
        ("cap", _) => time(policy.wait.cap_ms),
        ("floor", _) => time(policy.wait.floor_ms),
        ("cap-order", _) => match policy.wait.cap_order {
            CapOrder::BeforeJitter => "before".into(),
            CapOrder::AfterJitter => "after".into(),
            CapOrder::Both => "both".into(),
            CapOrder::Redraw | CapOrder::Ceiling => "library".into(),
        },
        ("retries", _) => policy.retries.map_or("unlimited".into(), |n| n.to_string()),
        ("jitter", _) => match policy.wait.jitter {
            Jitter::None => "none".into(),
            Jitter::Full => "full".into(),
            Jitter::Equal => "equal".into(),
            Jitter::Decorrelated => "decorrelated".into(),
            Jitter::Proportional { .. } => "proportional".into(),
            Jitter::Additive { .. } => "additive".into(),
            _ => "library".into(),
        },
        ("jitter-amount", _) => match policy.wait.jitter {
            Jitter::Proportional { .. } | Jitter::Additive { .. } => {
                Settings::of(policy).get("jitter").unwrap_or_default().to_string()
            }
            _ => String::new(),
        },
        ("first-wait", _) => time(policy.first_wait_ms),
        ("call-timeout", _) => time(policy.attempt_timeout_ms),
        ("deadline", _) => time(policy.deadline.map(|d| d.limit_ms)),
        ("overrun", _) => match policy.deadline.map(|d| d.overrun) {
            Some(Overrun::Allow) => "allow".into(),
            Some(Overrun::Shorten) => "shorten".into(),
            _ => "refuse".into(),
        },
        _ => String::new(),
    }
}
