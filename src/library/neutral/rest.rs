//! The parts of a policy that have no key of their own.

use super::{Take, decoded};
use crate::notation::Item;
use crate::policy::{Jitter, Law, Phase, Rounding, Wait, json};
use serde::Serialize;

/// What has no key of its own: the parts of a policy that only libraries produce, as JSON under `rest`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rest {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub plus: Vec<Wait>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<Phase>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waits: Option<Vec<Law>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jitter: Option<Jitter>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounding: Option<Rounding>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub carry: bool,
    #[serde(skip_serializing_if = "is_zero")]
    pub skip: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_delay_ms: Option<f64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ends_with_wait: bool,
}

impl Rest {
    /// Out of JSON; `None` where that is no object or a part is not what it should be.
    fn read(value: &serde_json::Value) -> Option<Rest> {
        let part = |name: &str| value.get(name);
        value.as_object()?;
        Some(Rest {
            plus: json::list(value, "plus", json::wait)?.unwrap_or_default(),
            phases: json::list(value, "phases", json::phase)?.unwrap_or_default(),
            waits: json::list(value, "waits", json::law)?,
            jitter: part("jitter").map_or(Some(None), |v| json::jitter(v).map(Some))?,
            rounding: part("rounding").map_or(Some(None), |v| json::rounding(v).map(Some))?,
            carry: json::flag(value, "carry"),
            skip: json::maybe(value, "skip").map_or(0, |n| n as u64),
            initial_delay_ms: json::maybe(value, "initialDelayMs"),
            ends_with_wait: json::flag(value, "endsWithWait"),
        })
    }
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

pub(super) fn rest<'t>(take: &mut Take<'t>, item: &'t Item) -> Rest {
    let args = take.of(item, "");
    let Some(value) = args.value("rest") else { return Rest::default() };
    let text = value.text().unwrap_or_default();
    let json = serde_json::from_str(text).or_else(|_| serde_json::from_str(&decoded(text))).unwrap_or_default();
    Rest::read(&json).unwrap_or_else(|| {
        args.take.refuse("rest", value, "does not hold what a link writes there");
        Rest::default()
    })
}
