//! Any text to [`Item`]s: peel the wrapping, split into fragments, read each with the reader that fits it, resolve
//! imports and names. Reading never fails; what is not understood is left out and, where that matters, said.

pub mod item;
pub mod names;
mod resolve;

pub use item::{Arg, Crumb, Form, Fun, Item, Kind, Name, Statement, Step, Value};

use crate::finding::Finding;

/// A text that was read.
#[derive(Clone, Debug, Default)]
pub struct Document<'t> {
    /// The text as it was given.
    pub text: &'t str,
    /// The outermost items in the order of the text; comments are among them, as items of form `Comment`.
    pub items: Vec<Item>,
    /// What is wrong with the text itself.
    pub findings: Vec<Finding>,
}

impl<'t> Document<'t> {
    /// Every item at any depth, in the order of the text, comments left out.
    pub fn all(&self) -> Vec<&Item> {
        let mut all = Vec::new();
        for item in self.items.iter().filter(|i| i.form != Form::Comment) {
            item.walk(&mut |i| all.push(i));
        }
        all
    }
}
/// Any text as a document.
pub fn read(text: &str) -> Document<'_> {
    Document { text, ..Document::default() }
}
