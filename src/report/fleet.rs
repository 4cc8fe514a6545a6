//! The fleet as the page shows it: its fields, the one sentence that is always there, and the working below it.

mod demand;
mod hint;
mod how;
mod inputs;
mod lead;
mod picture;
mod play;
mod rounds;

pub use inputs::{FleetField, FleetRequest, KEYS};
pub use picture::{Label, Picture, Series};
pub use play::{FleetPlay, FleetRow, Play};
pub use rounds::{RoundRow, Rounds};

use super::words::Words;
use crate::fleet;
use crate::library::Library;
use crate::policy::Policy;
use inputs::Inputs;
use serde::Serialize;

/// The fleet.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct FleetPart {
    /// Its fields.
    pub fields: Vec<FleetField>,
    /// What comes of it, in a sentence or two.
    pub lead: Words,
    /// How; absent while it is closed, and where there is nothing to work out.
    pub working: Option<Working>,
}

/// What stands below the sentence and is quick to find; the rest is played out.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Working {
    /// The rates of the rounds.
    pub rounds: Rounds,
    /// What the mean rates hide.
    pub remarks: Vec<Words>,
    /// If the service counts each minute.
    pub minute: Words,
    /// If demand stays above the allowance.
    pub demand: Vec<Words>,
    /// If the service sends a hint.
    pub hint: Vec<Words>,
    /// Why nothing is played out; may be empty.
    pub unplayed: Words,
}

/// The fleet of a policy; `library`: who it was read as.
pub(super) fn part(policy: &Policy, library: Option<&Library>, request: &FleetRequest) -> FleetPart {
    let inputs = Inputs::of(request);
    let Some(spec) = inputs.spec() else {
        let lead = Words::of("Not computed: a field above cannot be used as it is.");
        return FleetPart { fields: inputs.fields, lead, working: None };
    };
    let Ok(rates) = fleet::rates(policy, &spec) else {
        let lead = Words::of("Not computed: these numbers are beyond what can be computed with.");
        return FleetPart { fields: inputs.fields, lead, working: None };
    };
    let lead = lead::lead(policy, &spec, &rates);
    let working = (request.open && policy.retries != Some(0)).then(|| Working {
        rounds: rounds::rounds(&spec, &rates),
        remarks: lead::remarks(policy, &spec, &rates),
        minute: lead::minute(&spec),
        demand: demand::demand(policy, &spec, &inputs),
        hint: hint::hint(policy, library, &spec, &inputs),
        unplayed: play::unplayed(&spec),
    });
    FleetPart { fields: inputs.fields, lead, working }
}

/// The figures of the explanation, each with its place; none while a field cannot be used.
pub(super) fn how(policy: &Policy, request: &FleetRequest) -> Vec<(&'static str, Option<String>)> {
    let inputs = Inputs::of(request);
    let spec = inputs.spec();
    let rates = spec.as_ref().and_then(|spec| fleet::rates(policy, spec).ok());
    spec.zip(rates).map_or(Vec::new(), |(spec, rates)| how::lines(policy, &spec, &rates, &inputs))
}

/// The numbers behind it; `None` while a field cannot be used.
pub(super) fn numbers(policy: &Policy, request: &FleetRequest) -> Option<fleet::Fleet> {
    fleet::fleet(policy, &Inputs::of(request).spec()?).ok()
}

/// The fleet, where the reader gave one that can be used.
pub(super) fn given(request: &FleetRequest) -> Option<fleet::FleetSpec> {
    let given = ["callers", "allowance"].iter().any(|key| request.typed.contains_key(*key));
    spec(request).filter(|_| given)
}

/// The fleet that the fields mean; `None` while one of them cannot be used.
pub(super) fn spec(request: &FleetRequest) -> Option<fleet::FleetSpec> {
    Inputs::of(request).spec()
}

/// A link with the fleet that the reader gave.
pub(super) fn with_link(mut link: String, request: &FleetRequest) -> String {
    for key in KEYS {
        if let Some(text) = request.typed.get(key) {
            super::form::pair(&mut link, key, text.trim());
        }
    }
    link
}
