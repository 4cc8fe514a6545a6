//! The list of layers as the link holds it: entries of a name and a policy in the neutral notation, `this` for the
//! policy of the page, the outermost first: `Celery:retries=3;this;Istio:base=25ms&retries=2`.

use crate::policy::{Backoff, Policy, Wait};
use crate::report::form::{self, Settings};

/// What stands between entries, and between a name and its policy.
const BETWEEN: char = ';';
const AFTER_NAME: char = ':';
const THIS: &str = "this";

/// The most layers that are read: nobody has more.
const MOST: usize = 20;

/// The layers.
pub struct List {
    /// Outermost first; one of them is the policy of the page.
    pub entries: Vec<Entry>,
    /// How many entries could not be read.
    pub unread: usize,
}

/// One layer.
#[derive(Clone)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// What it does; of a count: no waits.
    pub policy: Policy,
    /// Whether it is known by its count alone.
    pub counted: bool,
    /// Whether it is the policy of the page.
    pub own: bool,
    /// It as the list holds it.
    text: String,
}

/// A layer known by its count alone: `3`, `unlimited`.
pub fn counted(retries: &str) -> Option<Policy> {
    let retries = if retries == "unlimited" { None } else { Some(retries.parse().ok()?) };
    Some(Policy::new(Wait::new(Backoff::Constant { delay_ms: 0.0 }), retries))
}

impl List {
    /// Reads a list around the policy of the page.
    pub fn of(text: &str, policy: &Policy) -> List {
        let own = Entry { name: String::new(), policy: policy.clone(), counted: false, own: true, text: THIS.into() };
        let mut list = List { entries: Vec::new(), unread: 0 };
        for piece in text.split(BETWEEN).filter(|piece| !piece.is_empty()).take(MOST) {
            match entry(piece) {
                _ if piece == THIS => list.entries.push(own.clone()),
                Some(entry) => list.entries.push(entry),
                None => list.unread += 1,
            }
        }
        if !list.entries.iter().any(|entry| entry.own) {
            list.entries.push(own);
        }
        list
    }

    /// The policies, outermost first.
    pub fn policies(&self) -> Vec<Policy> {
        self.entries.iter().map(|entry| entry.policy.clone()).collect()
    }

    /// The list with another layer, outermost or innermost.
    pub fn with(&self, name: &str, policy: &Policy, outermost: bool) -> String {
        let name: String = name.chars().filter(|c| ![BETWEEN, AFTER_NAME].contains(c)).collect();
        let link = form::link(policy);
        self.add(format!("{name}{AFTER_NAME}{}", link.trim_start_matches("v=1&")), outermost)
    }

    /// The list with another layer of so many retries, outermost.
    pub fn with_count(&self, retries: &str) -> String {
        self.add(format!("A layer of its own{AFTER_NAME}retries={retries}"), true)
    }

    fn add(&self, entry: String, outermost: bool) -> String {
        let all = self.texts().join(";");
        if outermost { format!("{entry};{all}") } else { format!("{all};{entry}") }
    }

    /// The list with two layers in each other's place.
    pub fn swapped(&self, a: usize, b: usize) -> String {
        let mut texts = self.texts();
        texts.swap(a, b);
        texts.join(";")
    }

    /// The list without a layer; empty if only the policy of the page is left.
    pub fn without(&self, n: usize) -> String {
        let mut texts = self.texts();
        texts.remove(n);
        if texts == [THIS] { String::new() } else { texts.join(";") }
    }

    fn texts(&self) -> Vec<&str> {
        self.entries.iter().map(|entry| entry.text.as_str()).collect()
    }
}

fn entry(piece: &str) -> Option<Entry> {
    let (name, notation) = piece.split_once(AFTER_NAME)?;
    let only = notation.strip_prefix("retries=").and_then(counted);
    let whole = || Settings::of_link(notation).0.policy().map(|(policy, _)| policy);
    let (policy, counted) = match only {
        Some(policy) => (policy, true),
        None => (whole()?, false),
    };
    Some(Entry { name: name.into(), policy, counted, own: false, text: piece.into() })
}
