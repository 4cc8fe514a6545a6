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
    /// The last segments of all heads, and the names of all values: most libraries ask for what is nowhere.
    words: HashSet<&'d str>,
    /// What the text was asked for before.
    said: RefCell<HashMap<(&'static str, bool), bool>>,
}

/// Items of a kind, in the order of the text.
pub type Found<'d> = std::vec::IntoIter<&'d Item>;

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
        let mut words = HashSet::new();
        for item in &items {
            words.insert(last_segment(&item.head.text).1);
            let args = item.args.iter().filter_map(|arg| arg.name.as_ref());
            words.extend(args.map(|name| name.text.as_str()));
            for step in &item.steps {
                if let Step::Set { path, .. } = step {
                    words.insert(&path.text);
                }
            }
        }
        Scan { doc, items, imports: names::imports(&doc.items), words, said: RefCell::default() }
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
        Scan::made(&self.items, of)
    }

    /// The same of the items whose head is one of the paths; see [`Scan::heads`].
    pub fn head_blocks(&self, paths: &[&str], of: &dyn Fn(&'d Item) -> Option<Block<'d>>) -> Vec<Block<'d>> {
        Scan::made(self.heads(paths).as_slice(), of)
    }

    fn made(items: &[&'d Item], of: &dyn Fn(&'d Item) -> Option<Block<'d>>) -> Vec<Block<'d>> {
        let mut blocks = Vec::new();
        for item in items {
            blocks.extend(of(item));
        }
        blocks
    }

    /// The outermost of the items for which this holds, each a certain block.
    pub fn outermost_blocks(&self, is: &dyn Fn(&'d Item) -> bool) -> Vec<Block<'d>> {
        let outer = Scan::outermost_of(self.items.iter().copied().filter(|item| is(item)).collect());
        Scan::made(&outer, &|item| Some(Block::new(item, Certainty::Certain)))
    }

    /// The items whose head is one of the paths or ends in one at a separator.
    pub fn heads(&self, paths: &[&str]) -> Found<'d> {
        let any = paths.iter().any(|path| self.words.contains(last_segment(path).1));
        self.found(any, &|item| item.is_any(paths))
    }

    /// The items that have a value under every one of these names.
    pub fn with_keys(&self, names: &[&str]) -> Found<'d> {
        let all = names.iter().all(|name| self.has_key(name));
        self.found(all, &|item| names.iter().all(|name| item.get(name).is_some()))
    }

    /// The items that have a value under at least one of these names.
    pub fn with_any_key(&self, names: &[&str]) -> Found<'d> {
        let any = names.iter().any(|name| self.has_key(name));
        self.found(any, &|item| names.iter().any(|name| item.get(name).is_some()))
    }

    /// The items of a kind, which may be known to be none.
    fn found(&self, any: bool, is: &dyn Fn(&Item) -> bool) -> Found<'d> {
        let items: Vec<&Item> =
            if any { self.items.iter().copied().filter(|item| is(item)).collect() } else { Vec::new() };
        items.into_iter()
    }

    /// Whether a value of the text may be reached by this name, which may be dotted; see [`Item::get`].
    fn has_key(&self, name: &str) -> bool {
        let led = |(at, _): (usize, &str)| self.words.contains(&name[..at]);
        self.words.contains(name) || name.match_indices('.').any(led)
    }

    /// Those of the items that no other of them holds: neither written inside it nor reached by it through a name.
    pub fn outermost(&self, items: impl Iterator<Item = &'d Item>) -> Vec<&'d Item> {
        Scan::outermost_of(items.collect())
    }

    /// The same, compiled once for all iterators.
    fn outermost_of(items: Vec<&'d Item>) -> Vec<&'d Item> {
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
