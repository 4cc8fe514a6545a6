//! What a library looks at to find its blocks in a text.

use crate::notation::{Document, Form, Item, Name, Step, last_segment, names};
use crate::span::Span;
use serde::Serialize;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// How sure a reading is that the text is this library's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Certainty {
    /// Keys that several libraries share.
    Possible,
    /// A shape that is typical of it, without its name.
    Likely,
    /// Its name, an import of it, or a name nobody else has.
    Certain,
}

/// A document with what recognition asks of it.
pub struct Scan<'d> {
    /// The document.
    pub doc: &'d Document<'d>,
    /// Every item at any depth, in the order of the text, comments left out.
    pub items: Vec<&'d Item>,
    /// The full paths of what the text imports.
    pub imports: Vec<Name>,
    /// The last segments of all heads: most libraries ask for what no item is.
    ends: HashSet<&'d [u8]>,
    /// The names of all values.
    names: HashSet<&'d str>,
    /// What the text was asked for before.
    said: RefCell<HashMap<(&'static str, bool), bool>>,
}

/// One retry block in a text, as a library claims it.
#[derive(Clone, Debug)]
pub struct Block<'d> {
    /// The item that holds the settings.
    pub item: &'d Item,
    /// Where it is used: the item's own place, or that of the alias or name that stands for it.
    pub span: Span,
    /// Further items that belong to it: stacked annotations, the client it is given to.
    pub others: Vec<&'d Item>,
    /// Where it stands, for people: `States.Charge.Retry[0]`, `fetch`; may be empty.
    pub label: String,
    /// How sure.
    pub certainty: Certainty,
    /// Which of the library's entry points it is, for `read`; may be empty.
    pub variant: &'static str,
}

impl<'d> Block<'d> {
    /// A block of one item; its label is where the item stands.
    pub fn new(item: &'d Item, certainty: Certainty) -> Self {
        Block { item, span: item.span, others: Vec::new(), label: label(item), certainty, variant: "" }
    }

    /// The same as another entry point.
    pub fn variant(mut self, variant: &'static str) -> Self {
        self.variant = variant;
        self
    }

    /// The same with another label.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// The same, used at another place: where an alias stands for its item.
    pub fn at(mut self, span: Span) -> Self {
        self.span = span;
        self
    }

    /// The same with a further item.
    pub fn with(mut self, other: &'d Item) -> Self {
        self.others.push(other);
        self
    }
}

/// Blocks in the order of the text.
pub(super) fn in_order(mut blocks: Vec<Block>) -> Vec<Block> {
    crate::sort::by_key(&mut blocks, |block| block.item.span);
    blocks
}

impl<'d> Scan<'d> {
    /// Prepares a document.
    pub fn new(doc: &'d Document<'d>) -> Self {
        let items = doc.all();
        let ends = items.iter().map(|item| last_segment(&item.head.text).1).collect();
        let args = items.iter().flat_map(|item| &item.args).filter_map(|arg| arg.name.as_ref());
        let steps = items.iter().flat_map(|item| &item.steps).filter_map(|step| match step {
            Step::Set { path, .. } => Some(path),
            Step::Call { .. } => None,
        });
        let names = args.chain(steps).map(|name| name.text.as_str()).collect();
        Scan { doc, items, imports: names::imports(&doc.items), ends, names, said: RefCell::default() }
    }

    /// Whether the text imports a package: one of the paths, a part of it from its start, or something below it.
    pub fn imports(&self, packages: &[&str]) -> bool {
        let below = |path: &str, package: &str| {
            path.strip_prefix(package).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', ':', '/', '\\']))
        };
        self.imports.iter().any(|name| packages.iter().any(|p| below(&name.text, p)))
    }

    /// The blocks that a library makes of single items, in the order of the text.
    pub fn blocks(&self, of: &dyn Fn(&'d Item) -> Option<Block<'d>>) -> Vec<Block<'d>> {
        let mut blocks = Vec::new();
        for item in &self.items {
            blocks.extend(of(item));
        }
        blocks
    }

    /// The items whose head is one of the paths or ends in one at a separator.
    pub fn heads<'s>(&'s self, paths: &'s [&'s str]) -> impl Iterator<Item = &'d Item> + 's {
        let any = paths.iter().any(|path| self.ends.contains(last_segment(path).1));
        self.where_any(any).filter(|item| item.is_any(paths))
    }

    /// The items that have a value under every one of these names.
    pub fn with_keys<'s>(&'s self, names: &'s [&'s str]) -> impl Iterator<Item = &'d Item> + 's {
        let all = names.iter().all(|name| self.has_key(name));
        self.where_any(all).filter(|item| names.iter().all(|name| item.get(name).is_some()))
    }

    /// The items that have a value under at least one of these names.
    pub fn with_any_key<'s>(&'s self, names: &'s [&'s str]) -> impl Iterator<Item = &'d Item> + 's {
        let any = names.iter().any(|name| self.has_key(name));
        self.where_any(any).filter(|item| names.iter().any(|name| item.get(name).is_some()))
    }

    /// Every item, or none where the text is known to hold none of a kind.
    fn where_any(&self, any: bool) -> impl Iterator<Item = &'d Item> {
        self.items[..if any { self.items.len() } else { 0 }].iter().copied()
    }

    /// Whether a value of the text may be reached by this name, which may be dotted; see [`Item::get`].
    fn has_key(&self, name: &str) -> bool {
        let led = |(at, _): (usize, &str)| self.names.contains(&name[..at]);
        self.names.contains(name) || name.match_indices('.').any(led)
    }

    /// Those of the items that no other of them holds: neither written inside it nor reached by it through a name.
    pub fn outermost(&self, items: impl Iterator<Item = &'d Item>) -> Vec<&'d Item> {
        let items: Vec<&Item> = items.collect();
        let mut inner = HashSet::new();
        for item in &items {
            item.walk(&mut |i| {
                if identity(i) != identity(item) {
                    inner.insert(identity(i));
                }
            });
        }
        let mut end = 0;
        let outer = items.into_iter().filter(|item| !inner.contains(&identity(item)));
        outer
            .filter(|item| {
                let apart = item.span.start >= end;
                end = end.max(item.span.end);
                apart
            })
            .collect()
    }

    /// The comments of the text.
    pub fn comments(&self) -> impl Iterator<Item = &'d str> + '_ {
        self.doc.items.iter().filter(|i| i.form == Form::Comment).map(|i| i.head.text.as_str())
    }

    /// Whether the text holds this word anywhere, as it stands. Every block may ask: the text is searched once.
    pub fn says(&self, word: &'static str) -> bool {
        let search = || self.doc.text.contains(word);
        *self.said.borrow_mut().entry((word, false)).or_insert_with(search)
    }

    /// Whether a comment holds this word, written in small letters here.
    pub fn comments_say(&self, word: &'static str) -> bool {
        let search = || self.comments().any(|comment| comment.to_ascii_lowercase().contains(word));
        *self.said.borrow_mut().entry((word, true)).or_insert_with(search)
    }
}

/// What an item and its copies have in common: the place of its head, or of the whole where it has none. A copy that was
/// reached through a name keeps the places of what it copies, but may have more steps.
pub(super) fn identity(item: &Item) -> Span {
    if item.head.text.is_empty() { item.span } else { item.head.span }
}

/// Where an item stands, as one path.
fn label(item: &Item) -> String {
    use crate::notation::Crumb;
    let mut out = String::new();
    for crumb in &item.place {
        match crumb {
            Crumb::Index(i) => out.push_str(&format!("[{i}]")),
            Crumb::Key(key) => {
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(key);
            }
        }
    }
    match &item.target {
        Some(target) if out.is_empty() => target.text.clone(),
        _ => out,
    }
}
