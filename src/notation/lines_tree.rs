//! Dotted keys as maps in maps: `a.b=1`, `a.c=2` is `{a: {b: 1, c: 2}}`; `x[0]=1`, `x[1]=2` is `{x: [1, 2]}`.

use super::{Arg, Form, Item, Kind, Name, Value};
use crate::span::Span;
use std::collections::HashMap;

/// How deep a key may lead; longer ones end in one name with dots.
const DEPTH: usize = 24;

/// The entries of one map, in the order of their first mention.
#[derive(Default)]
pub(super) struct Tree {
    entries: Vec<(Name, Entry)>,
    /// The last map under each name.
    maps: HashMap<String, usize>,
}

enum Entry {
    Value(Value),
    Map(Tree),
}

impl Tree {
    /// Puts a value under the key that stands at `key`.
    pub(super) fn put(&mut self, text: &str, key: Span, value: Value) {
        let mut tree = self;
        let mut names = segments(text, key);
        let last = names.pop().unwrap_or_default();
        for name in names {
            let at = match tree.maps.get(&name.text) {
                Some(at) => *at,
                None => {
                    tree.maps.insert(name.text.clone(), tree.entries.len());
                    tree.entries.push((name, Entry::Map(Tree::default())));
                    tree.entries.len() - 1
                }
            };
            let Entry::Map(inner) = &mut tree.entries[at].1 else { return };
            tree = inner;
        }
        tree.entries.push((last, Entry::Value(value)));
    }

    /// The entries as named values.
    pub(super) fn into_args(self) -> Vec<Arg> {
        let args = self.entries.into_iter().map(|(name, entry)| {
            let value = match entry {
                Entry::Value(value) => value,
                Entry::Map(tree) => tree.into_value(name.span),
            };
            Arg { name: Some(name), value }
        });
        args.collect()
    }

    fn into_value(self, name: Span) -> Value {
        let list = self.entries.iter().all(|(name, _)| is_index(&name.text));
        let args = self.into_args();
        let span = args.iter().fold(name, |span, arg| span.to(arg.value.span));
        let kind = if list {
            Kind::List(args.into_iter().map(|arg| arg.value).collect())
        } else {
            Kind::Item(Box::new(Item { args, form: Form::Map, span, ..Item::default() }))
        };
        Value::new(kind, span)
    }
}

fn is_index(name: &str) -> bool {
    let digits = name.strip_prefix('[').and_then(|n| n.strip_suffix(']'));
    digits.is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))
}

/// The names of a key with dots or slashes: in quotes or brackets they part nothing, a bracket begins a name of its own.
fn segments(text: &str, key: Span) -> Vec<Name> {
    let mut names = Vec::new();
    let mut start = key.start;
    let (mut quote, mut bracket) = (None, false);
    for (at, byte) in key.of(text).bytes().enumerate() {
        let at = key.start + at;
        match (quote, byte) {
            (Some(open), _) => quote = Some(open).filter(|open| *open != byte),
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b']') => bracket = false,
            (None, b'.' | b'[' | b'/') if !bracket && names.len() + 1 < DEPTH => {
                if at > start {
                    names.push(name(text, Span::new(start, at)));
                }
                bracket = byte == b'[';
                start = at + usize::from(byte != b'[');
            }
            _ => {}
        }
    }
    if start < key.end || names.is_empty() {
        names.push(name(text, Span::new(start, key.end)));
    }
    names
}

fn name(text: &str, span: Span) -> Name {
    Name { text: span.of(text).trim_matches(['"', '\'']).to_string(), span }
}
