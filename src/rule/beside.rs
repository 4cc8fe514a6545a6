//! What stands beside a policy: what the reader gave, and what the text around it shows.

use crate::fleet::FleetSpec;
use crate::span::Span;

/// All that is known beside a policy; by default nothing.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    /// The fields that the text gives, as in JSON; absent: the policy is no text's, and what it says somebody wrote.
    pub written: Option<Vec<&'static str>>,
    /// The fields that nobody wrote, with the default in words: `` `max_delay` is 30 s in Spring Retry 2 ``.
    pub defaults: Vec<(&'static str, String)>,
    /// The language or system of the library; empty: not known.
    pub ecosystem: &'static str,
    /// The fleet, where the reader gave one.
    pub fleet: Option<FleetSpec>,
    /// The limits that the reader chose, or that the text states.
    pub limits: Vec<ChosenLimit>,
    /// The time of one call, ms.
    pub call_ms: f64,
    /// Another layer of the text that retries, where it or the policy does so by a default that nobody wrote.
    pub layer: Option<LayerBeside>,
    /// What a repetition may do twice.
    pub operation: Option<Operation>,
    /// Where a random number is drawn once and used for every wait.
    pub drawn_once: Option<Span>,
}

/// A time that waits and calls together have to fit into.
#[derive(Clone, Debug, PartialEq)]
pub struct ChosenLimit {
    /// What it is called, as the end of "the limit of 10 s": `your own limit`, `the limit in the text`.
    pub name: String,
    /// The most it allows, ms.
    pub ms: f64,
    /// Where the text states it.
    pub span: Option<Span>,
}

/// Another layer that retries.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerBeside {
    /// Its library.
    pub name: String,
    /// Whether nobody wrote how often.
    pub by_default: bool,
    /// How many calls it makes of one; absent: no bound.
    pub calls: Option<u64>,
    /// Where it stands.
    pub span: Span,
}

/// Something that may not be safe to repeat.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// What the call does, as the rest of "The call": `posts`, `charges`.
    pub does: &'static str,
    /// Where it says so.
    pub span: Span,
}

impl Beside {
    /// Whether somebody wrote a field.
    pub fn wrote(&self, field: &str) -> bool {
        self.written.as_ref().is_none_or(|written| written.contains(&field))
    }

    /// The default that stands in a field, in words, where nobody wrote it.
    pub fn default_of(&self, field: &str) -> Option<&str> {
        self.defaults.iter().find(|(of, _)| *of == field).map(|(_, words)| words.as_str())
    }
}
