//! The keys of the link that are not the policy's, and a link as a text.

use super::Request;
use super::assumed;
use super::compare;
use super::fleet;
use super::form;
use super::layers;
use crate::limits::LIMITS;
use serde::Serialize;
use std::borrow::Cow;

/// Keys about the page itself.
const PAGE: [&str; 6] = ["v", "embed", "theme", "all", compare::KEY, layers::KEY];

/// The keys of the link beside the policy's, by what they are about.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct LinkKeys {
    /// The page itself.
    pub page: Vec<&'static str>,
    /// What is assumed beside the policy.
    pub assumed: Vec<&'static str>,
    /// The fleet.
    pub fleet: Vec<&'static str>,
}

/// Those keys.
pub fn link_keys() -> LinkKeys {
    let limits = LIMITS.iter().map(|limit| limit.key);
    LinkKeys {
        page: PAGE.into(),
        assumed: [assumed::CALL_TIME, assumed::TARGET].into_iter().chain(limits).collect(),
        fleet: fleet::KEYS.into(),
    }
}

/// Whether a key is of the policy, or of nothing that this page knows.
pub fn is_of_policy(key: &str) -> bool {
    let LinkKeys { page, assumed, fleet } = link_keys();
    ![page, assumed, fleet].concat().contains(&key)
}

/// The link that a text is, an address or what stands behind its `#`; `None` for any other text.
pub fn link_of(text: &str) -> Option<&str> {
    let text = text.trim();
    let link = text.rsplit_once('#').map_or(text, |(_, link)| link);
    let versioned = link.strip_prefix("v=").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    (versioned && link.contains('&') && !text.contains(char::is_whitespace)).then_some(link)
}

/// The same inputs with what a link in the text area says beside its policy, where nothing else is typed.
pub fn with_pasted(request: &Request) -> Cow<'_, Request> {
    let Some(link) = link_of(&request.text) else { return Cow::Borrowed(request) };
    let LinkKeys { assumed, fleet, .. } = link_keys();
    let mut request = request.clone();
    for (key, value) in form::said(link) {
        if assumed.contains(&key.as_str()) {
            request.assumed.entry(key).or_insert(value);
        } else if fleet.contains(&key.as_str()) {
            request.fleet.typed.entry(key).or_insert(value);
        } else if key == compare::KEY && request.compare.link.is_empty() && request.compare.text.is_empty() {
            request.compare.link = value;
        } else if key == layers::KEY && request.layers.list.is_empty() {
            request.layers.list = value;
        } else if key == super::compare::KEY && request.compare.link.is_empty() {
            request.compare.link = value;
        } else if key == super::layers::KEY && request.layers.list.is_empty() {
            request.layers.list = value;
        }
    }
    Cow::Owned(request)
}
