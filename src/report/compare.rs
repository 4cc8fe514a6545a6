//! Part "Compare": the policy beside a second one, which is another paste, the same text by other rules, or the same
//! policy with one setting changed.

mod waits;

use super::answer::Typical;
use super::form::{self, Problem, Settings};
use super::reader::{self, Offer};
use super::words::Words;
use super::{Request, State, fleet};
use crate::distribution::{Options, total_wait};
use crate::finding::Severity;
use crate::fleet::{Fleet, fleet as arrivals};
use crate::format::{Quantity, count, counted, number, short, significant};
use crate::library::{Choice, Reading, read};
use crate::policy::Policy;
use crate::schedule::worst_case_total;
use serde::{Deserialize, Serialize};
pub use waits::{PairRow, Pairs, Range};

/// The key of the second policy in the link.
pub const KEY: &str = "with";

/// The second policy as the reader gave it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CompareRequest {
    /// Whether the working is looked at.
    pub open: bool,
    /// A second configuration.
    pub text: String,
    /// A second policy from the link, as a link of its own; it holds while there is no text.
    pub link: String,
    /// By which other rules the text is read: `release …` or `class …`; may be empty.
    pub rules: String,
    /// The field that is other in the second; may be empty.
    pub key: String,
    /// What it holds there.
    pub value: String,
}

/// The comparison.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ComparePart {
    /// What differs, in a sentence.
    pub lead: Words,
    /// What the second one is, or why there is none; may be empty.
    pub second: Words,
    /// Other rules for the same text; empty where there are none.
    pub rules: Vec<Offer>,
    /// What is wrong with the changed field, or the unit that it asks for; may be empty.
    pub problem: Words,
    /// The numbers; absent while it is closed, and while there is no second policy.
    pub working: Option<CompareWorking>,
}

/// Both policies side by side.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CompareWorking {
    /// The numbers of the whole.
    pub rows: Vec<CompareRow>,
    /// The waits.
    pub pairs: Pairs,
    /// The second policy as a link, to be taken in the place of this one.
    pub take: String,
}

/// One number of both.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CompareRow {
    /// What it is.
    pub what: String,
    /// This policy's.
    pub first: Quantity,
    /// The second one's.
    pub second: Quantity,
    /// The second one's less this one's.
    pub change: String,
}

/// A second policy, what it is, and what is wrong with the field that it is to differ in.
#[derive(Default)]
pub(super) struct Second {
    policy: Option<Policy>,
    said: String,
    problem: Words,
}

/// The comparison of a policy.
pub(super) fn part(state: &State, policy: &Policy, second: &Second, request: &Request) -> ComparePart {
    let lead = match &second.policy {
        Some(other) => lead(policy, other),
        None if second.said.is_empty() => {
            "Against a second configuration, this text by the rules of another release, or this policy with one setting \
             changed."
                .into()
        }
        None => "Nothing to compare with yet.".into(),
    };
    let working = second.policy.as_ref().filter(|_| request.compare.open).map(|other| CompareWorking {
        rows: rows(policy, other, request),
        pairs: waits::pairs(policy, other),
        take: form::link(other),
    });
    ComparePart {
        lead: Words::of(&lead),
        second: Words::default().plain(&second.said),
        rules: state.reading().filter(|_| request.compare.text.trim().is_empty()).map_or(Vec::new(), rules),
        problem: second.problem.clone(),
        working,
    }
}

/// A link with the second policy.
pub(super) fn with_link(mut link: String, second: &Second) -> String {
    if let Some(other) = &second.policy {
        form::pair(&mut link, KEY, form::link(other).trim_start_matches("v=1&"));
    }
    link
}

/// The rules that the same text can be read by instead.
fn rules(reading: &Reading) -> Vec<Offer> {
    let library = reading.library;
    let releases = library.releases.iter().filter(|release| **release != reading.release);
    let releases =
        releases.map(|release| Offer { value: format!("release {release}"), text: reader::title(library, release) });
    let classes = library.error_classes.iter().filter(|class| **class != reading.error_class);
    let classes = classes.map(|class| Offer { value: format!("class {class}"), text: format!("for {class}") });
    releases.chain(classes).collect()
}

/// What a policy is compared with.
pub(super) fn second(state: &State, policy: &Policy, request: &Request) -> Second {
    let asked = &request.compare;
    let (base, said) = if !asked.text.trim().is_empty() {
        match pasted(&asked.text) {
            Ok((policy, said)) => (policy, said),
            Err(said) => return Second { said, ..Second::default() },
        }
    } else if !asked.link.is_empty() {
        let (settings, odd) = Settings::of_link(&asked.link);
        match settings.policy() {
            // Nothing is shown in the place of what cannot be read.
            Some((policy, said)) if odd.iter().chain(&said).all(|finding| finding.severity != Severity::Error) => {
                (policy, "The second policy is from the link.".into())
            }
            _ => {
                return Second { said: "The second policy of the link cannot be read.".into(), ..Second::default() };
            }
        }
    } else if let Some(reading) = by_other_rules(state, request) {
        let title = reader::title(reading.library, reading.release);
        let class =
            if reading.error_class.is_empty() { String::new() } else { format!(" for {}", reading.error_class) };
        (reading.policy, format!("The same text, read as {title}{class}."))
    } else if asked.key.is_empty() || asked.value.trim().is_empty() {
        return Second::default();
    } else {
        (policy.clone(), String::new())
    };
    changed(base, said, &asked.key, asked.value.trim())
}

fn pasted(text: &str) -> Result<(Policy, String), String> {
    let readings = read(text, &Choice::default());
    let Some(first) = readings.first() else {
        return Err("Nothing about retries was found in the second text.".into());
    };
    let of = if readings.len() > 1 { format!(", the first of its {} blocks", readings.len()) } else { String::new() };
    let said = format!("Read as {}{of}.", reader::title(first.library, first.release));
    Ok((first.policy.clone(), said))
}

fn by_other_rules(state: &State, request: &Request) -> Option<Reading> {
    let reading = state.reading()?;
    let (kind, name) = request.compare.rules.split_once(' ')?;
    let asked = |of: &str, own: &str| Some(if kind == of { name } else { own }.to_string());
    let choice = Choice {
        library: Some(reading.library.id.into()),
        release: asked("release", reading.release),
        error_class: asked("class", reading.error_class),
    };
    read(&request.text, &choice).into_iter().nth(state.block)
}

/// The same with one field changed.
fn changed(base: Policy, said: String, key: &str, value: &str) -> Second {
    if key.is_empty() || value.is_empty() {
        return Second { policy: Some(base), said, ..Second::default() };
    }
    let mut settings = Settings::of(&base);
    let problem = match settings.set(key, value) {
        Ok(()) => Words::default(),
        Err(Problem::Unit(number)) => Words::message(&format!("{number} of what? `{number} ms` or `{number} s`.")),
        Err(Problem::Bad(message)) => Words::message(&message),
    };
    let policy = settings.policy().map_or(base, |(policy, _)| policy);
    Second { policy: Some(policy), said, problem }
}

/// "The second makes 1 call fewer and waits 8 s less at worst."
fn lead(first: &Policy, second: &Policy) -> String {
    let calls = match (first.calls(), second.calls()) {
        (Some(a), Some(b)) if a == b => format!("as many calls, {},", count(a)),
        (Some(a), Some(b)) if b > a => format!("{} more", counted(b - a, "call", "calls")),
        (Some(a), Some(b)) => format!("{} fewer", counted(a - b, "call", "calls")),
        (None, None) => "calls without a bound, as this one does,".into(),
        (None, Some(b)) => format!("{} instead of calls without a bound", counted(b, "call", "calls")),
        (Some(_), None) => "calls without a bound".into(),
    };
    let waits = match (worst_case_total(first), worst_case_total(second)) {
        (Some(a), Some(b)) if a == b => "waits as long at worst".into(),
        (Some(a), Some(b)) if b > a => format!("waits _{}_ longer at worst", short(b - a).text),
        (Some(a), Some(b)) => format!("waits _{}_ less at worst", short(a - b).text),
        (None, None) => "its waits have no bound either".into(),
        (None, Some(b)) => format!("waits at most _{}_ where this one has no bound", short(b).text),
        (Some(_), None) => "its waits have no bound".into(),
    };
    if first == second {
        return "The second is the same policy.".into();
    }
    format!("The second makes **{calls}** and **{waits}**.")
}

fn rows(first: &Policy, second: &Policy, request: &Request) -> Vec<CompareRow> {
    let calls = |policy: &Policy| policy.calls().map(|n| n as f64);
    let mut rows = vec![
        row("Calls".into(), [calls(first), calls(second)], plain),
        row("Worst-case total wait".into(), [worst_case_total(first), worst_case_total(second)], short),
    ];
    let laws = [first, second].map(|policy| {
        let found = request.patient || Typical::is_quick(policy);
        found.then(|| total_wait(policy, &Options::default()).percentiles)
    });
    for (name, p) in [("Total wait, p50", 0.5), ("Total wait, p99", 0.99)] {
        let of = |law: &Option<Vec<_>>| {
            let law = law.as_ref()?;
            Some(law.iter().find(|at: &&crate::distribution::Percentile| at.p == p).map(|at| at.ms))
        };
        rows.push(match [of(&laws[0]), of(&laws[1])] {
            [Some(a), Some(b)] => row(name.into(), [a, b], short),
            _ => later(name.into()),
        });
    }
    rows.extend(peak(first, second, request));
    rows
}

fn plain(n: f64) -> Quantity {
    Quantity::words(&number(n))
}

fn row(what: String, [first, second]: [Option<f64>; 2], write: fn(f64) -> Quantity) -> CompareRow {
    let change = match (first, second) {
        (a, b) if a == b => "same".into(),
        (Some(a), Some(b)) => format!("{}{}", if b > a { "+" } else { "−" }, write((b - a).abs()).text),
        _ => "other".into(),
    };
    let or = |value: Option<f64>| value.map_or_else(|| Quantity::words("no bound"), write);
    CompareRow { what, first: or(first), second: or(second), change }
}

/// A row whose numbers take long.
fn later(what: String) -> CompareRow {
    let dots = || Quantity::words("…");
    CompareRow { what, first: dots(), second: dots(), change: String::new() }
}

/// The most arrivals of the fleet in one step of time, while nobody gets through.
fn peak(first: &Policy, second: &Policy, request: &Request) -> Option<CompareRow> {
    let spec = fleet::spec(&request.fleet)?;
    let callers = counted(spec.callers, "caller", "callers");
    if !request.patient {
        return Some(later(format!("Retries of {callers} in the busiest moment")));
    }
    let both = [arrivals(first, &spec).ok()?, arrivals(second, &spec).ok()?];
    // Steps are 1, 2 or 5 times a power of ten: twice the wider one holds whole ones of each.
    let widest = both[0].bin_ms.max(both[1].bin_ms);
    let whole = both.iter().all(|fleet| (widest / fleet.bin_ms).fract() == 0.0);
    let width_ms = if whole { widest } else { 2.0 * widest };
    let most = |fleet: &Fleet| Some(significant(busiest(fleet, width_ms), 3));
    let what = format!("Retries of {callers} in the busiest {}, while nobody gets through", short(width_ms).text);
    Some(row(what, [most(&both[0]), most(&both[1])], plain))
}

fn busiest(fleet: &Fleet, width_ms: f64) -> f64 {
    let (mut most, mut step, mut sum) = (0.0f64, 0.0, 0.0);
    for bin in &fleet.arrivals {
        let at = (bin.at_ms / width_ms + 1e-9).floor();
        if at != step {
            (step, sum) = (at, 0.0);
        }
        sum += bin.per_s * fleet.bin_ms / 1e3;
        most = most.max(sum);
    }
    most
}
