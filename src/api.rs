//! The functions that other people's pages call, in Rust: shapes in, shapes out, places in UTF-16 offsets. `wasm` hands
//! them to JavaScript.

use crate::finding::Finding;
use crate::library::{self, Candidate, Certainty, Choice, Origin, Place, Written};
use crate::notation;
use crate::policy::Policy;
use crate::report;
use crate::span::{Span, Utf16};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde::Serialize;

/// How many waits one run has at most.
const RUN: usize = 10_000;

/// One retry block of a text.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Reading {
    /// The id of the library it was read as, or `neutral`.
    pub library: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// The release whose rules were used.
    pub version: &'static str,
    /// Where it stands.
    pub r#where: Place,
    /// How sure it is this library.
    pub certainty: Certainty,
    /// What it does, in one sentence.
    pub answer: String,
    /// What it means.
    pub policy: Policy,
    /// Where each field of the policy came from.
    pub origins: Vec<Origin>,
    /// What is worth saying about it.
    pub findings: Vec<Finding>,
    /// Other libraries for the same block.
    pub candidates: Vec<Candidate>,
    /// Releases that can be asked for.
    pub releases: &'static [&'static str],
    /// Classes of errors that can be asked for.
    pub error_classes: &'static [&'static str],
}

/// What is known of one library.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct LibraryInfo {
    /// Its id; never changes.
    pub id: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// The language or system it belongs to.
    pub ecosystem: &'static str,
    /// The release its rules were read from.
    pub version: &'static str,
    /// Where in that release they stand.
    pub source: &'static str,
    /// What its number counts.
    pub counts: &'static str,
    /// Texts that one could paste.
    pub examples: Vec<&'static str>,
    /// Whether a policy can be written for it.
    pub writes: bool,
}

/// One reading for each retry block of the text, in document order; none when nothing about retries was found.
pub fn read(text: &str, choice: &Choice) -> Vec<Reading> {
    let readings = library::read(text, choice);
    let map = Utf16::new(text);
    let shape = |(reading, answer): (&library::Reading, String)| Reading {
        library: reading.library.id,
        title: reading.library.title,
        version: reading.version(),
        r#where: Place { label: reading.place.label.clone(), span: map.span(reading.place.span) },
        certainty: reading.certainty,
        answer,
        policy: reading.policy.clone(),
        origins: reading.origins.iter().map(|o| Origin { span: o.span.map(|s| map.span(s)), ..o.clone() }).collect(),
        findings: placed(&reading.findings, &map),
        candidates: reading.candidates.clone(),
        releases: reading.library.releases,
        error_classes: reading.library.error_classes,
    };
    readings.iter().zip(report::sentences(&readings)).map(shape).collect()
}

/// What is worth saying about the text itself.
pub fn text_findings(text: &str) -> Vec<Finding> {
    placed(&notation::read(text).findings, &Utf16::new(text))
}

fn placed(findings: &[Finding], map: &Utf16) -> Vec<Finding> {
    let span = |span: Option<Span>| span.map(|s| map.span(s));
    findings.iter().map(|f| Finding { span: span(f.span), ..f.clone() }).collect()
}

/// The policy in the notation of a library, by its id, with what could not be said.
pub fn write(policy: &Policy, library: &str) -> Written {
    library::write(policy, library)
}

/// One run of waits, ms; the first ten thousand of a longer one. The deadline is not applied.
pub fn sample(policy: &Policy, seed: u64) -> Vec<f64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    // The upper 53 bits, as an even draw from [0, 1).
    let uniform = move || (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    policy.draws(uniform).take(RUN).collect()
}

/// Every library that is read, by id.
pub fn libraries() -> Vec<LibraryInfo> {
    let info = |library: &library::Library| LibraryInfo {
        id: library.id,
        title: library.title,
        ecosystem: library.ecosystem,
        version: library.version,
        source: library.source,
        counts: library.counts,
        examples: library.examples.iter().map(|example| example.text).collect(),
        writes: !library.write.is_empty(),
    };
    let mut all: Vec<LibraryInfo> = library::all().map(info).collect();
    crate::sort::by_key(&mut all, |library| library.id);
    all
}
