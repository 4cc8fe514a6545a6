//! A text to readings: which libraries claim which parts of it, which claim wins, and what it means.

use super::scan::identity;
use super::words::candidates;
use super::{Block, Certainty, Library, Scan, Take, by_id, misspelt, neutral};
use crate::finding::{Finding, Severity};
use crate::notation::{self, Document, Item, Kind, Value};
use crate::policy::Policy;
use crate::span::Span;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

/// What the reader of the page chose, where the text leaves a choice.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Choice {
    /// Read every block that this library can read as its own.
    #[serde(default)]
    pub library: Option<String>,
    /// By the rules of this release.
    #[serde(default)]
    pub release: Option<String>,
    /// For this class of errors.
    #[serde(default)]
    pub error_class: Option<String>,
}

/// One retry block of a text, read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The library it was read as.
    pub library: &'static Library,
    /// By the rules of which release; empty where the library has one set of rules.
    pub release: &'static str,
    /// For which class of errors; empty where all wait alike.
    pub error_class: &'static str,
    /// Where it stands.
    pub place: Place,
    /// How sure it is this library.
    pub certainty: Certainty,
    /// What it means.
    pub policy: Policy,
    /// Where each field of the policy came from.
    pub origins: Vec<Origin>,
    /// What is worth saying about this block.
    pub findings: Vec<Finding>,
    /// The policy's fields that the text sets to something it does not define.
    pub unknown: Vec<&'static str>,
    /// Other libraries that claim the same block.
    pub candidates: Vec<Candidate>,
}

/// Where a block stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Place {
    /// In words: a path of keys, the name of a function; may be empty.
    pub label: String,
    /// In the text.
    #[serde(flatten)]
    pub span: Span,
}

/// Another library that claims the same block.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Candidate {
    /// Its id.
    pub library: &'static str,
    /// How sure.
    pub certainty: Certainty,
}

/// Where a field of the policy came from: a place of the text, or a default and its source.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Origin {
    /// The policy's field, as in JSON.
    pub field: &'static str,
    /// The place it was read from.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
    /// The default that was taken, as the library writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// The release whose default it is.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub source: &'static str,
}

/// A claim of one library on one block.
struct Claim<'d> {
    library: &'static Library,
    weight: f64,
    block: Block<'d>,
}

impl Claim<'_> {
    /// A stronger claim is larger: by certainty, then by the words that speak for the library, then a use before a map
    /// that it may be made of, then by extent.
    fn strength(&self) -> (Certainty, f64, bool, usize) {
        (self.block.certainty, self.weight, !self.on_bound_map(), self.block.span.end - self.block.span.start)
    }

    fn on_bound_map(&self) -> bool {
        self.block.item.head.text.is_empty() && self.block.item.target.is_some()
    }
}

/// Every retry block of the text, in document order; empty when nothing about retries was found.
pub fn read(text: &str, choice: &Choice) -> Vec<Reading> {
    let doc = notation::read(text);
    read_document(&doc, choice)
}

/// The same for a document that was read before.
pub fn read_document(doc: &Document, choice: &Choice) -> Vec<Reading> {
    let scan = Scan::new(doc);
    let mut claims = claims(&scan);
    crate::sort::by(&mut claims, |a, b| b.strength().partial_cmp(&a.strength()).unwrap_or(std::cmp::Ordering::Equal));
    let chosen = choice.library.as_deref();
    let mut made: Vec<(Reading, Option<Span>)> = Vec::new();
    let mut taken = Apart::default();
    // What a block reaches through a name is part of it and no block of its own.
    let mut used = HashSet::new();
    let rivals = Rivals::of(&claims);
    let (first, rest): (Vec<&Claim>, Vec<&Claim>) = claims.iter().partition(|c| Some(c.library.id) == chosen);
    for claim in first.into_iter().chain(rest) {
        let span = claim.block.span;
        let item = claim.block.item;
        // A bound map whose entries were spread into a block: nothing but the places of its values tells.
        let spread = claim.on_bound_map() && item.args.iter().any(|arg| used.contains(&arg.value.span));
        if taken.overlaps(span) || used.contains(&identity(item)) || spread {
            continue;
        }
        taken.add(span);
        let own = identity(item);
        item.values().for_each(|value| {
            reached(value, &mut |place| {
                if place != own {
                    used.insert(place);
                }
            });
        });
        let own = (span == item.span).then_some(own);
        made.push((reading(&scan, claim, &rivals, choice), own));
    }
    crate::sort::by_key(&mut made, |(reading, _)| reading.place.span);
    // What a name stands for may be used again: it is listed once, unless the uses differ or have places of their own.
    let mut first: BTreeMap<usize, usize> = BTreeMap::new();
    let mut kept: Vec<bool> = Vec::with_capacity(made.len());
    for (at, (reading, own)) in made.iter().enumerate() {
        let keep = match own.and_then(|own| first.get(&own.start)) {
            Some(&before) => {
                // A function's own text, where its parameters are not known, gives way to a call that gives them.
                kept[before] &= made[before].0.open() <= reading.open();
                !kept[before] || made[before].0.policy != reading.policy
            }
            None => own.is_none_or(|own| first.insert(own.start, at).is_none()),
        };
        kept.push(keep);
    }
    made.into_iter().zip(kept).filter_map(|((reading, _), kept)| kept.then_some(reading)).collect()
}

/// Spans that do not overlap, in the order of the text.
#[derive(Default)]
struct Apart {
    ends: BTreeMap<usize, usize>,
}

impl Apart {
    fn overlaps(&self, span: Span) -> bool {
        self.ends.range(..span.end).next_back().is_some_and(|(&start, &end)| Span::new(start, end).overlaps(span))
    }

    fn add(&mut self, span: Span) {
        self.ends.insert(span.start, span.end);
    }
}

/// All claims, to be asked for those on one place.
struct Rivals<'c, 'd> {
    /// By where they start.
    claims: Vec<&'c Claim<'d>>,
    /// How far those up to each reach.
    reach: Vec<usize>,
}

impl<'c, 'd> Rivals<'c, 'd> {
    fn of(claims: &'c [Claim<'d>]) -> Self {
        let mut claims: Vec<&Claim> = claims.iter().collect();
        crate::sort::by_key(&mut claims, |c| c.block.span);
        let mut far = 0;
        let reach = claims.iter().map(|c| {
            far = far.max(c.block.span.end);
            far
        });
        let reach = reach.collect();
        Rivals { claims, reach }
    }

    /// The claims that overlap a place, the strongest first.
    fn at(&self, span: Span) -> impl Iterator<Item = &'c Claim<'d>> {
        let from = self.reach.partition_point(|&reach| reach <= span.start);
        let upto = self.claims.partition_point(|c| c.block.span.start < span.end);
        let range = self.claims.get(from..upto).unwrap_or_default();
        let mut found: Vec<&Claim> = range.iter().copied().filter(|c| c.block.span.overlaps(span)).collect();
        crate::sort::by(&mut found, |a, b| {
            b.strength().partial_cmp(&a.strength()).unwrap_or(std::cmp::Ordering::Equal)
        });
        found.into_iter()
    }
}

/// The places of what is inside a value, but not of what a function's body holds: what is retried there may retry by
/// itself.
fn reached(value: &Value, visit: &mut dyn FnMut(Span)) {
    visit(value.span);
    match &value.kind {
        Kind::Item(item) => {
            visit(identity(item));
            item.values().for_each(|value| reached(value, visit));
        }
        Kind::List(values) | Kind::Op(_, values) => values.iter().for_each(|value| reached(value, visit)),
        Kind::Text { inner, .. } => inner.iter().flat_map(Item::values).for_each(|value| reached(value, visit)),
        Kind::Number { .. } | Kind::Word(_) | Kind::Fun(_) | Kind::Unread => {}
    }
}

/// A line in the link's form, read as the neutral notation whatever it holds.
pub fn read_link(text: &str) -> Reading {
    let doc = Document { text, items: vec![neutral::pairs(text)], findings: Vec::new() };
    let scan = Scan::new(&doc);
    let block = Block::new(&doc.items[0], Certainty::Certain);
    let claim = Claim { library: &neutral::LIBRARY, weight: 0.0, block };
    reading(&scan, &claim, &Rivals::of(&[]), &Choice::default())
}

fn claims<'d>(scan: &Scan<'d>) -> Vec<Claim<'d>> {
    let mut claims = Vec::new();
    for (library, weight) in candidates(scan.doc.text) {
        claims.extend((library.find)(scan).into_iter().map(|block| Claim { library, weight, block }));
    }
    // Where a library is certain, plain names elsewhere in the text are most likely its own or nobody's.
    let plain = |claim: &Claim| claim.library.id == neutral::LIBRARY.id && claim.block.certainty == Certainty::Possible;
    if claims.iter().any(|claim| claim.block.certainty == Certainty::Certain) {
        claims.retain(|claim| !plain(claim));
    }
    claims
}

/// What one claim means; the other claims on the same text are its candidates.
fn reading(scan: &Scan, claim: &Claim, rivals: &Rivals, choice: &Choice) -> Reading {
    let library = claim.library;
    let span = claim.block.span;
    let pick = |of: &'static [&'static str], wanted: &Option<String>| {
        let chosen = wanted.as_deref().and_then(|w| of.iter().find(|o| **o == w));
        chosen.or(of.first()).copied().unwrap_or("")
    };
    let is_of = |of: &[&str], wanted: &Option<String>| wanted.as_deref().is_some_and(|w| of.contains(&w));
    let mut take = Take {
        library,
        scan,
        block: claim.block.clone(),
        release: pick(library.releases, &choice.release),
        error_class: pick(library.error_classes, &choice.error_class),
        chosen: (is_of(library.releases, &choice.release), is_of(library.error_classes, &choice.error_class)),
        origins: Vec::new(),
        findings: Vec::new(),
        unknown: Vec::new(),
    };
    let policy = (library.read)(&mut take).settled();
    misspelt::say(&mut take);
    let mut candidates: Vec<Candidate> = Vec::new();
    for other in rivals.at(span).filter(|c| c.library.id != library.id) {
        if !candidates.iter().any(|c| c.library == other.library.id) {
            candidates.push(Candidate { library: other.library.id, certainty: other.block.certainty });
        }
    }
    let mut findings = take.findings;
    crate::sort::by_key(&mut findings, |f| f.severity);
    Reading {
        library,
        release: take.release,
        error_class: take.error_class,
        place: Place { label: claim.block.label.clone(), span },
        certainty: claim.block.certainty,
        policy,
        origins: take.origins,
        findings,
        unknown: take.unknown,
        candidates,
    }
}

impl Reading {
    /// Whether the library refuses the block or does something else than it says.
    pub fn has_error(&self) -> bool {
        self.findings.iter().any(|f| f.severity == Severity::Error)
    }

    /// How much of it is not said in the text, or may be replaced from outside.
    fn open(&self) -> usize {
        self.unknown.len() + self.findings.iter().filter(|f| f.code == "placeholder").count()
    }

    /// The release whose rules were used.
    pub fn version(&self) -> &'static str {
        if self.release.is_empty() { self.library.version } else { self.release }
    }

    /// The library of another candidate.
    pub fn candidate(&self, id: &str) -> Option<&'static Library> {
        self.candidates.iter().find(|c| c.library == id).and_then(|c| by_id(c.library))
    }
}
