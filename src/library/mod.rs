//! Retry libraries: how each is recognised and what its configuration means.
//!
//! One library is one file with one [`Library`] static, and one line in the list of its folder. Everything else — the
//! page, the generated table, the tests — loops over [`all`].

mod args;
mod computed;
mod misspelt;
mod near;
mod read;
mod readme;
mod scan;
mod setting;
mod take;
mod unknown;
mod words;
mod write;

pub use args::Args;
pub(crate) use near::{same, squash};
pub use read::{Candidate, Choice, Origin, Place, Reading, read, read_document, read_link};
pub use readme::readme;
pub use scan::{Block, Certainty, Scan};
pub use setting::{GO, Setting, SettingKind, Spelling};
pub use take::Take;
pub use write::{Written, has_words, write};

use crate::policy::Policy;
use crate::retry_after::RetryAfter;

pub mod neutral;

/// What the project knows of one retry library or system.
pub struct Library {
    /// The name of its case file; never changes.
    pub id: &'static str,
    /// What people call it, without a release: `Tenacity`.
    pub title: &'static str,
    /// The language or system it belongs to: `Python`, `AWS`, `Kubernetes`.
    pub ecosystem: &'static str,
    /// The release its rules were read from or run with: `9.2.1`.
    pub version: &'static str,
    /// Where in that release the rules stand.
    pub source: &'static str,
    /// What its number counts, in one line: `calls, the first included`.
    pub counts: &'static str,
    /// The wait before retry k in one line, in the library's own names.
    pub formula: &'static str,
    /// Words any of which makes a text worth a closer look. See `words.rs` for how they are matched.
    pub words: &'static [&'static str],
    /// Its settings with their defaults.
    pub settings: &'static [Setting],
    /// What surprises people, one sentence each.
    pub notes: &'static [&'static str],
    /// Releases between which a rule changed, the current one first; empty where none is known.
    pub releases: &'static [&'static str],
    /// Classes of errors that wait differently, the usual one first; empty where all wait alike.
    pub error_classes: &'static [&'static str],
    /// Whether names match without regard to case, `-`, `_` and `.`.
    pub relaxed_names: bool,
    /// What it makes of a `Retry-After` with its defaults, and where that stands; `None`: not known.
    pub retry_after: Option<(RetryAfter, &'static str)>,
    /// Finds its retry blocks in a text.
    pub find: for<'d> fn(&Scan<'d>) -> Vec<Block<'d>>,
    /// Says what a block means.
    pub read: fn(&mut Take) -> Policy,
    /// Texts with places for a policy's numbers, as `write.rs` fills them, the usual one first; empty where none is written.
    pub write: &'static [&'static str],
    /// Texts that people could paste, and the waits that they mean, as (min, max) in seconds; the first is the one that
    /// the page offers. Every wait where there are up to twelve, otherwise the first ones.
    pub examples: &'static [Example],
}

impl std::fmt::Debug for Library {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

/// A text and what it means.
pub struct Example {
    /// The text.
    pub text: &'static str,
    /// Its first waits as (min, max) in seconds.
    pub waits: &'static [(f64, f64)],
}

/// Every library, by folder; the order has no meaning.
pub fn all() -> impl Iterator<Item = &'static Library> {
    FOLDERS.iter().flat_map(|folder| folder.iter().copied())
}

/// The library with this id.
pub fn by_id(id: &str) -> Option<&'static Library> {
    all().find(|library| library.id == id)
}

/// The folders, each with its list of libraries.
static FOLDERS: &[&[&Library]] = &[
    &[&neutral::LIBRARY],
    cloud::LIBRARIES,
    collector::LIBRARIES,
    dotnet::LIBRARIES,
    elixir::LIBRARIES,
    golang::LIBRARIES,
    javascript::LIBRARIES,
    jvm::LIBRARIES,
    kubernetes::LIBRARIES,
    mesh::LIBRARIES,
    php::LIBRARIES,
    python::LIBRARIES,
    ruby::LIBRARIES,
    rust::LIBRARIES,
    shell::LIBRARIES,
];

pub mod cloud;
pub mod collector;
pub mod dotnet;
pub mod elixir;
pub mod golang;
pub mod javascript;
pub mod jvm;
pub mod kubernetes;
pub mod mesh;
pub mod php;
pub mod python;
pub mod ruby;
pub mod rust;
pub mod shell;
