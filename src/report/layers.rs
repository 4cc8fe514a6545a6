//! Part "Layers": what one request becomes when what retries is inside something that retries too.

mod budget;
mod known;
mod list;

use super::Request;
use super::assumed;
use super::reader::{self, Offer};
use super::{MARKED, State};
use crate::format::{Quantity, count, counted, number, short};
use crate::layers;
use crate::library::{Choice, Reading, read};
use crate::policy::Policy;
use crate::report::words::Words;
use list::{Entry, List};
use serde::{Deserialize, Serialize};

/// The key of the layers in the link.
pub const KEY: &str = "layers";

/// The layers as the reader gave them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct LayersRequest {
    /// Whether the working is looked at.
    pub open: bool,
    /// The layers, outermost first, as in the link; empty: this policy alone.
    pub list: String,
    /// The retries of a layer that is known by its count alone.
    pub count: String,
    /// A pasted configuration of another layer.
    pub text: String,
}

/// The layers.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct LayersPart {
    /// What comes of them, in a sentence or two.
    pub lead: Words,
    /// What a retry budget of the text or the library bounds; may be empty.
    pub budget: Words,
    /// The list; absent while it is closed.
    pub working: Option<LayersWorking>,
}

/// The list with what can be done to it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct LayersWorking {
    /// The layers, outermost first.
    pub rows: Vec<LayerRow>,
    /// How long all takes.
    pub elapsed: Words,
    /// Layers that are easily forgotten, and the other blocks of the text, each with the list that holds it too.
    pub choices: Vec<Offer>,
    /// The same for the layer of a count of its own, and those of the pasted text.
    pub adds: Vec<Offer>,
    /// What is wrong with the count; may be empty.
    pub problem: String,
    /// What was read in it; may be empty.
    pub said: Words,
}

/// One layer.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct LayerRow {
    /// What it is called.
    pub name: String,
    /// How often it repeats.
    pub retries: String,
    /// How many calls it makes of one.
    pub calls: String,
    /// How many it and those around it make of one.
    pub so_far: String,
    /// The longest it can take with all inside it.
    pub worst: Quantity,
    /// Whether it is the policy that the page is about.
    pub own: bool,
    /// The list with it one place further out, and without it; empty where that is not possible.
    pub outward: String,
    /// The list without it.
    pub without: String,
}

/// The layers around and below a policy.
pub(super) fn part(state: &State, policy: &Policy, request: &Request) -> LayersPart {
    let list = List::of(&request.layers.list, policy);
    LayersPart {
        lead: lead(state, policy, &list),
        budget: budget::sentence(
            if request.text.len() <= MARKED { &request.text } else { "" },
            state.reading().map_or("", |reading| reading.library.id),
        ),
        working: request.layers.open.then(|| working(state, &list, request)),
    }
}

/// A link with the layers that the reader gave.
pub(super) fn with_link(mut link: String, request: &Request) -> String {
    if !request.layers.list.is_empty() {
        super::form::pair(&mut link, KEY, &request.layers.list);
    }
    link
}

/// "One request can become 18 calls: (1 + 5) × (1 + 2) = 18. …"
fn lead(state: &State, policy: &Policy, list: &List) -> Words {
    let said = |policies: &[Policy]| match layers::calls(policies).last().copied().flatten() {
        Some(all) => format!("**{} calls**: {} = {}.", number(all), product(policies), number(all)),
        None => "**calls without end**: one of the layers never stops.".into(),
    };
    if list.entries.len() > 1 {
        return Words::of(&format!(
            "One request can become {} Each layer repeats everything below it, first call included.",
            said(&list.policies())
        ));
    }
    let n = state.readings.len();
    if (2..=3).contains(&n) && state.edits.is_empty() {
        let blocks: Vec<Policy> = state.readings.iter().map(|reading| reading.policy.clone()).collect();
        return Words::of(&format!(
            "If the {n} blocks of this text are layers of one request, it can become {}",
            said(&blocks)
        ));
    }
    let Some(calls) = policy.calls() else {
        return Words::of("This layer alone makes **calls without end**; whatever it repeats is repeated as often.");
    };
    Words::of(&format!(
        "This layer alone makes **{}** of a request. Any other that retries multiplies them: with one of 2 retries, \
         {} × _(1 + 2)_ = {}.",
        counted(calls, "call", "calls"),
        factor(policy),
        number(calls as f64 * 3.0)
    ))
}

fn product(policies: &[Policy]) -> String {
    policies.iter().map(factor).collect::<Vec<_>>().join(" × ")
}

/// "(1 + 5)", on one line; where the last wait is followed by no call, the calls.
fn factor(policy: &Policy) -> String {
    match (policy.retries, policy.calls()) {
        (Some(retries), Some(calls)) if calls == retries.saturating_add(1) => format!("_(1 + {})_", count(retries)),
        (_, Some(calls)) => count(calls),
        _ => "…".into(),
    }
}

fn working(state: &State, list: &List, request: &Request) -> LayersWorking {
    let policies = list.policies();
    let (_, call_ms) = assumed::time(request, assumed::CALL_TIME, None);
    let innermost = policies.last().and_then(|policy| policy.attempt_timeout_ms);
    let call_ms = call_ms.or(innermost).unwrap_or(0.0);
    let (calls, worst) = (layers::calls(&policies), layers::worst(&policies, call_ms));
    let endless = || "no bound".to_string();
    let row = |(n, entry): (usize, &Entry)| LayerRow {
        name: if entry.own { own_name(state) } else { entry.name.clone() },
        retries: entry.policy.retries.map_or_else(endless, count),
        calls: entry.policy.calls().map_or_else(endless, count),
        so_far: calls[n].map_or_else(endless, number),
        worst: worst[n].map_or_else(|| Quantity::words("no bound"), short),
        own: entry.own,
        outward: if n > 0 { list.swapped(n - 1, n) } else { String::new() },
        without: if entry.own { String::new() } else { list.without(n) },
    };
    let (counted, problem) = counted_layer(&request.layers.count, list);
    let read: Vec<Reading> =
        if request.layers.text.trim().is_empty() { Vec::new() } else { read(&request.layers.text, &Choice::default()) };
    let said = match (request.layers.text.trim().is_empty(), read.len()) {
        (true, _) => "",
        (false, 0) => "Nothing about retries was found in this text.",
        _ => "",
    };
    let others = state.readings.iter().enumerate().filter(|(n, _)| *n != state.block).map(|(_, reading)| reading);
    let pasted = read.iter().take(8).map(|reading| of_reading(reading, list, "the second text"));
    LayersWorking {
        rows: list.entries.iter().enumerate().map(row).collect(),
        elapsed: elapsed(list, worst.first().copied().flatten(), call_ms),
        choices: others
            .take(8)
            .map(|reading| of_reading(reading, list, "this text"))
            .chain(known::choices(list))
            .collect(),
        adds: pasted.chain(counted).collect(),
        problem,
        said: Words::of(said),
    }
}

/// What the policy of the page is called in the list.
fn own_name(state: &State) -> String {
    let name = state.reading().map(|reading| reader::short_title(reading.library, reading.release));
    match name.filter(|name| !name.is_empty()) {
        Some(name) if state.edits.is_empty() => format!("{name}, from the paste"),
        _ => "This policy".into(),
    }
}

/// Its name in the list tells nothing of the text: the list is in the link.
fn of_reading(reading: &Reading, list: &List, whose: &str) -> Offer {
    let title = reader::short_title(reading.library, reading.release);
    let name = if title.is_empty() { "Plain numbers".into() } else { title };
    let label = match reading.place.label.as_str() {
        "" => format!("{name} of {whose}, {}", calls_of(&reading.policy)),
        label => format!("{label} of {whose}, {}", calls_of(&reading.policy)),
    };
    Offer { value: list.with(&name, &reading.policy, true), text: label }
}

fn calls_of(policy: &Policy) -> String {
    policy.calls().map_or("no limit of calls".into(), |calls| counted(calls, "call", "calls"))
}

/// The layer of the reader's own count, or what is wrong with it.
fn counted_layer(text: &str, list: &List) -> (Option<Offer>, String) {
    let digits: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if digits.is_empty() {
        return (None, String::new());
    }
    let Some(policy) = list::counted(&digits) else {
        return (None, "How many retries: a whole number, or `unlimited`.".replace('`', ""));
    };
    let label = format!(
        "a layer of {}",
        policy.retries.map_or("retries without end".into(), |n| counted(n, "retry", "retries"))
    );
    let change = Offer { value: list.with_count(&digits), text: label };
    (Some(change), String::new())
}

fn elapsed(list: &List, worst: Option<f64>, call_ms: f64) -> Words {
    let mut said = match worst {
        Some(ms) => format!(
            "Nested, they take up to **_{}_**: each call of a layer lasts as long as all inside it.",
            short(ms).text
        ),
        None => "Nested, they take **no bounded time**.".into(),
    };
    said += &match call_ms {
        0.0 => " The innermost calls are taken to need no time; Total wait has the field for it.".to_string(),
        ms => format!(" The innermost calls take _{}_ each.", short(ms).text),
    };
    if list.entries.iter().any(|entry| entry.counted) {
        said += " A layer that is known by its count alone is taken not to wait.";
    }
    if list.unread > 0 {
        said += " Part of the list could not be read and is left out.";
    }
    Words::of(&said)
}
