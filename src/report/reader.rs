//! What was recognised: as which library, which blocks, which parts of the text count, and what is wrong with them.

use super::answer::Subject;
use super::form;
use super::place::Lines;
use super::words::Words;
use crate::finding::{Finding, Severity};
use crate::format::{count, counted, number, short};
use crate::library::{self, Certainty, Choice, Library, Reading};
use crate::policy::{Jitter, Policy};
use crate::rule;
use crate::schedule::schedule;
use crate::span::Span;
use serde::Serialize;

/// The choice of a library.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ReadAs {
    /// The groups of options; the first holds the library that was read and has no name.
    pub groups: Vec<Group>,
    /// The value of the option that holds.
    pub chosen: String,
    /// How sure, and how many errors.
    pub why: Words,
    /// Classes of errors that wait differently; empty where all wait alike.
    pub classes: Vec<&'static str>,
    /// The class that holds.
    pub class: &'static str,
}

/// Options under one name.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Group {
    /// The name; may be empty.
    pub label: &'static str,
    /// The options.
    pub options: Vec<Offer>,
}

/// Something to choose.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Offer {
    /// What it stands for: a library's id and after a space the release, a link, a list.
    pub value: String,
    /// What it is called.
    pub text: String,
}

/// One retry block of a text that has several.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct BlockRow {
    /// What it is called.
    pub label: String,
    /// Where: "line 4".
    pub place: String,
    /// Its answer in short.
    pub answer: String,
}

/// A part of the text that is marked.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Mark {
    /// Where.
    #[serde(flatten)]
    pub span: Span,
    /// `read`, `odd` or `bad`.
    pub kind: &'static str,
}

/// A finding as a row.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct FindingRow {
    /// How much it matters.
    pub severity: Severity,
    /// Its code.
    pub code: &'static str,
    /// What is the case.
    pub message: Words,
    /// What to do.
    pub help: Words,
    /// Where, in words.
    pub place: String,
    /// Where.
    pub span: Option<Span>,
    /// A policy without it, as a link, and what it changes: "cap 60 s, jitter full".
    pub fix: Option<Offer>,
}

/// A library with a release: `Tenacity 9.2.1`.
pub fn title(library: &Library, release: &str) -> String {
    let numbered = |version: &str| version.starts_with(|c: char| c.is_ascii_digit());
    match release {
        "" if library.id != "neutral" && numbered(library.version) => {
            let version = library.version.split([' ', ',', ';']).next().unwrap_or_default();
            format!("{} {version}", library.title)
        }
        "" => library.title.into(),
        release if numbered(release) => format!("{} {release}", library.title),
        release => format!("{}, {release}", library.title),
    }
}

/// The shortest name that still says which: `Tenacity 9`; empty for plain numbers.
pub fn short_title(library: &Library, release: &str) -> String {
    let version = if release.is_empty() { library.version } else { release };
    let major: String = version.chars().take_while(char::is_ascii_digit).collect();
    match (library.id, major.is_empty()) {
        ("neutral", _) => String::new(),
        (_, true) => library.title.into(),
        (_, false) => format!("{} {major}", library.title),
    }
}

/// Who the answer is about.
pub fn subject<'a>(readings: &[Reading], reading: &Reading) -> Subject<'a> {
    let title = short_title(reading.library, reading.release);
    let label = if readings.len() > 1 { reading.place.label.as_str() } else { "" };
    let who = match (title.is_empty(), label.is_empty()) {
        (_, true) => title,
        (true, false) => label.to_string(),
        (false, false) => format!("{title}, {label}"),
    };
    let default = reading.origins.iter().find(|o| o.field == "retries" && o.span.is_none());
    let name = reading.library.settings.iter().find(|s| s.field == "retries").and_then(|s| s.names().next());
    let why_count = match (default, name, reading.policy.retries) {
        (Some(_), Some(name), Some(0)) => {
            Words::message(&format!("`{name}` is not written, and without it nothing is retried."))
        }
        (_, Some(name), None) if !reading.origins.iter().any(|o| o.field == "retries" && o.span.is_some()) => {
            Words::message(&format!("`{name}` is not written, so it calls for as long as calls fail."))
        }
        _ => Words::default(),
    };
    let errors = reading.findings.iter().filter(|f| f.severity == Severity::Error).count();
    let proviso = match (errors, reading.unknown.is_empty()) {
        (0, true) => "",
        (0, false) => "Where the text only names a value, the library’s default stands in.",
        (1, _) => "The error below is left out of this.",
        _ => "The errors below are left out of this.",
    };
    Subject { who, why_count, proviso }
}

/// The select "Read as".
pub fn read_as(reading: Option<&Reading>, choice: &Choice) -> ReadAs {
    let mut groups = Vec::new();
    let mut listed: Vec<&str> = Vec::new();
    let mut chosen = String::new();
    if let Some(reading) = reading {
        let library = reading.library;
        chosen = value(library.id, reading.release);
        let releases: &[&str] = if library.releases.is_empty() { &[""] } else { library.releases };
        let options = releases.iter().map(|release| Offer {
            value: value(library.id, release),
            text: with_ecosystem(library, title(library, release)),
        });
        groups.push(Group { label: "", options: options.collect() });
        listed.push(library.id);
        let others = reading.candidates.iter().filter_map(|c| library::by_id(c.library));
        let others: Vec<&Library> = others.filter(|l| l.id != library.id).collect();
        listed.extend(others.iter().map(|l| l.id));
        groups.push(Group { label: "Also possible", options: others.into_iter().map(option).collect() });
    } else {
        groups.push(Group { label: "", options: vec![Offer { value: String::new(), text: "not recognised".into() }] });
    }
    let mut rest: Vec<&Library> = library::all().filter(|l| !listed.contains(&l.id)).collect();
    crate::sort::by_key(&mut rest, |l| l.title.to_ascii_lowercase());
    groups.push(Group { label: "Another library", options: rest.into_iter().map(option).collect() });
    groups.retain(|group| !group.options.is_empty());
    ReadAs {
        groups,
        chosen,
        why: why(reading, choice),
        classes: reading.map_or(Vec::new(), |r| r.library.error_classes.to_vec()),
        class: reading.map_or("", |r| r.error_class),
    }
}

fn value(id: &str, release: &str) -> String {
    if release.is_empty() { id.into() } else { format!("{id} {release}") }
}

/// A library as an option, with its current release.
pub fn option(library: &Library) -> Offer {
    let release = library.releases.first().copied().unwrap_or("");
    Offer { value: value(library.id, ""), text: with_ecosystem(library, title(library, release)) }
}

fn with_ecosystem(library: &Library, title: String) -> String {
    if library.id == "neutral" || title.contains(library.ecosystem) {
        title
    } else {
        format!("{title} ({})", library.ecosystem)
    }
}

fn why(reading: Option<&Reading>, choice: &Choice) -> Words {
    let asked = choice.library.as_deref().and_then(library::by_id);
    let Some(reading) = reading else {
        let asked = asked.map(|l| format!("{} finds nothing of its own in this text.", l.title));
        return Words::default().plain(asked.unwrap_or_default());
    };
    let mut said = match (asked, reading.certainty) {
        (Some(asked), _) if asked.id != reading.library.id => {
            format!("{} finds nothing of its own in this text.", asked.title)
        }
        (Some(_), _) => "Read so because you chose it.".into(),
        (None, Certainty::Certain) => "Certain: the text names it, or uses a name that nobody else has.".into(),
        (None, Certainty::Likely) => {
            "Likely: the names are typical of it; nothing in the text says so outright.".into()
        }
        (None, Certainty::Possible) => "Possible: several libraries have settings of these names.".into(),
    };
    let errors = reading.findings.iter().filter(|f| f.severity == Severity::Error).count() as u64;
    if errors > 0 {
        said += &format!(" {}.", counted(errors, "error", "errors"));
    }
    Words::default().plain(said)
}

/// The blocks, where there are several; the first two hundred of very many.
pub fn blocks(readings: &[Reading], lines: &Lines) -> Vec<BlockRow> {
    const MOST: usize = 200;
    if readings.len() < 2 {
        return Vec::new();
    }
    let row = |(n, reading): (usize, &Reading)| {
        let label = match (reading.place.label.as_str(), short_title(reading.library, reading.release)) {
            ("", title) if title.is_empty() => format!("block {}", n + 1),
            ("", title) => title,
            (label, _) => label.to_string(),
        };
        let place =
            format!("line {}", count(lines.line(lines.heading(reading.place.span, &reading.place.label)) as u64));
        BlockRow { label, place, answer: in_short(reading) }
    };
    readings.iter().enumerate().take(MOST).map(row).collect()
}

/// "5 calls, always 7.5 s".
fn in_short(reading: &Reading) -> String {
    let schedule = schedule(&reading.policy, 0);
    let total = schedule.total;
    let calls = schedule.calls.map_or("no limit of calls".into(), |n| counted(n, "call", "calls"));
    match total.bound_ms {
        _ if schedule.retries == Some(0) => calls,
        None => format!("{calls}, no bound"),
        Some(worst) if total.min_ms == Some(worst) => format!("{calls}, always {}", short(worst).text),
        Some(worst) => format!("{calls}, up to {}", short(worst).text),
    }
}

/// What is marked in the text: what gave a value, and over it what is odd or wrong.
pub fn marks(reading: Option<&Reading>, findings: &[Finding], lines: &Lines) -> Vec<Mark> {
    const MOST: usize = 500;
    let kind = |finding: &Finding| match finding.severity {
        Severity::Error => "bad",
        _ => "odd",
    };
    let odd = ["bare-number", "unknown-value", "placeholder", "unknown-key"];
    let of_findings = findings.iter().filter(|f| f.severity == Severity::Error || odd.contains(&f.code));
    let mut wanted: Vec<Mark> =
        of_findings.filter_map(|f| Some(Mark { span: f.span?, kind: kind(f) })).take(MOST).collect();
    crate::sort::by_key(&mut wanted, |mark| mark.kind != "bad");
    let origins = reading.iter().flat_map(|r| &r.origins).filter_map(|o| o.span);
    wanted.extend(origins.map(|span| Mark { span: lines.named(span), kind: "read" }).take(MOST));
    let mut marks: Vec<Mark> = Vec::new();
    for mark in wanted {
        let mut pieces = vec![mark.span];
        for taken in &marks {
            pieces = pieces.into_iter().flat_map(|piece| without(piece, taken.span)).collect();
        }
        marks.extend(pieces.into_iter().filter(|p| p.start < p.end).map(|span| Mark { span, kind: mark.kind }));
    }
    crate::sort::by_key(&mut marks, |mark| mark.span);
    marks
}

/// What is left of a span outside another.
fn without(span: Span, other: Span) -> Vec<Span> {
    if !span.overlaps(other) {
        return vec![span];
    }
    let before = Span::new(span.start, other.start.max(span.start));
    let after = Span::new(other.end.min(span.end), span.end);
    [before, after].into_iter().filter(|s| s.start < s.end).collect()
}

/// Findings as rows, the worst first, each kind in the order of the text, and the rules' after it by harm.
pub fn findings(mut findings: Vec<Finding>, policy: Option<&Policy>, lines: &Lines) -> Vec<FindingRow> {
    const MOST: usize = 100;
    crate::sort::by_key(&mut findings, |f| (f.severity, rule::rank(f.code), f.span));
    let row = |finding: Finding| {
        let place = finding.span.map_or(String::new(), |span| {
            let line = count(lines.line(span.start) as u64);
            match finding.severity {
                Severity::Error => format!("Line {line}, column {}", lines.column(span.start)),
                _ => format!("Line {line}"),
            }
        });
        FindingRow {
            severity: finding.severity,
            code: finding.code,
            message: Words::message(&finding.message),
            help: Words::message(&finding.help),
            place,
            span: finding.span,
            fix: finding.fix.zip(policy).map(|(to, from)| Offer { value: form::link(&to), text: change(from, &to) }),
        }
    };
    findings.into_iter().take(MOST).map(row).collect()
}

/// What is other in a policy, by the form's fields: "cap 60 s, jitter full".
fn change(from: &Policy, to: &Policy) -> String {
    let changed = form::KEYS.iter().filter_map(|key| {
        let (old, new) = (form::field_text(from, key), form::field_text(to, key));
        let name = if *key == "retries" { "attempts".into() } else { key.replace('-', " ") };
        let said = || if *key == "jitter" { spread(to.wait.jitter).unwrap_or(new.clone()) } else { new.clone() };
        (old != new).then(|| if new.is_empty() { format!("no {name}") } else { format!("{name} {}", said()) })
    });
    changed.collect::<Vec<_>>().join(", ")
}

/// How far a jitter with numbers goes: "±50 %", "0 to +100 %", "0 to +1 s"; `None`: its name says it.
fn spread(jitter: Jitter) -> Option<String> {
    let percent = |share: f64| format!("{} %", number(100.0 * share));
    match jitter {
        Jitter::Proportional { below, above } if below == above => Some(format!("±{}", percent(below))),
        Jitter::Proportional { below: 0.0, above } => Some(format!("0 to +{}", percent(above))),
        Jitter::Additive { min_ms: 0.0, max_ms } => Some(format!("0 to +{}", short(max_ms).text)),
        _ => None,
    }
}
