//! Makes items of a YAML parser's events.

use super::{Arg, Form, Item, Kind, Name, Read, Value, lines_tree, scalar};
use crate::finding::Finding;
use crate::span::Span;
use saphyr_parser::{Event, ScalarStyle, Tag};
use std::collections::HashMap;

/// How deep maps and lists may stand in each other.
pub(super) const DEPTH: usize = 64;
/// How many values aliases may copy in one text.
const COPIES: usize = 10_000;

/// The maps and lists that are open, and what was finished.
pub(super) struct Tree<'t> {
    text: &'t str,
    masked: &'t str,
    range: Span,
    open: Vec<Open>,
    /// What the parser calls its anchors, with the number of values in each.
    anchors: HashMap<usize, (Value, usize)>,
    aliases: bool,
    copied: usize,
    /// Open containers below the depth limit, which are left out.
    below: usize,
    /// How deep the parser is inside what it started with since it was last started.
    inside: usize,
    /// Whether that is the map or list which was open before.
    resumed: bool,
    read: Read,
    /// Where the scalars stand.
    texts: Vec<Span>,
}

/// A map or list that is not closed yet.
struct Open {
    item: Item,
    list: Option<Vec<Value>>,
    key: Option<Name>,
    anchor: usize,
    tag: Option<Name>,
    /// The column of a block map's keys or a block list's dashes; `None` for flow.
    column: Option<usize>,
}

impl Open {
    /// Gives a key without a value one that was not read.
    fn leave_key(&mut self) {
        if let Some(key) = self.key.take() {
            let value = Value::new(Kind::Unread, Span::new(key.span.end, key.span.end));
            self.item.args.push(Arg { name: Some(key), value });
        }
    }

    /// Opens the map that was closed last, if a line deeper than this one comes after it.
    fn reopen(&mut self, column: usize) -> Option<Open> {
        let last = self.item.args.last().filter(|_| self.column < Some(column))?;
        last.value.item().filter(|item| item.form == Form::Map && item.head.text.is_empty())?;
        let Arg { name, value } = self.item.args.pop()?;
        let Kind::Item(item) = value.kind else { return None };
        self.key = name;
        Some(Open { item: *item, list: None, key: None, anchor: 0, tag: None, column: Some(column) })
    }
}

impl<'t> Tree<'t> {
    pub(super) fn new(text: &'t str, masked: &'t str, range: Span) -> Self {
        Tree {
            text,
            masked,
            range,
            open: Vec::new(),
            anchors: HashMap::new(),
            aliases: range.of(text).contains('*'),
            copied: 0,
            below: 0,
            inside: 0,
            resumed: false,
            read: Read::default(),
            texts: Vec::new(),
        }
    }

    /// Prepares for a parser that starts at a line whose first sign stands at `column`.
    pub(super) fn resume(&mut self, column: usize, dash: bool) {
        while self.open.last().is_some_and(|open| open.column.is_none()) || self.deeper_than(column) {
            self.close(None);
        }
        while self.open.last().is_some_and(|open| open.list.is_some() != dash) {
            self.close(None);
        }
        self.resumed = !self.open.is_empty();
        if let Some(open) = self.open.last_mut() {
            open.leave_key();
            if let Some(inner) = open.reopen(column) {
                self.open.push(inner);
            }
        }
        (self.inside, self.below) = (0, 0);
        self.anchors.clear();
    }

    /// Whether the innermost map or list stands deeper than `column`, and the one around it does too: a line between
    /// the two was meant for the inner one.
    fn deeper_than(&self, column: usize) -> bool {
        let [.., outer, inner] = self.open.as_slice() else { return false };
        inner.column > Some(column) && outer.column >= Some(column)
    }

    /// Where the innermost bracket that is still open stands.
    pub(super) fn bracket(&self) -> Option<usize> {
        self.open.iter().rev().find(|open| open.column.is_none()).map(|open| open.item.span.start)
    }

    /// Ends the last scalar with its first line, if it went on over a line end and then broke; gives its end.
    pub(super) fn cut_last(&mut self) -> Option<usize> {
        let span = *self.texts.last()?;
        let first = span.of(self.text).split('\n').next()?.trim_end();
        let open = self.open.last_mut()?;
        if first.len() == span.end - span.start || first.starts_with(['"', '\'', '|', '>']) {
            return None;
        }
        let cut = Span::new(span.start, span.start + first.len());
        let last = match &mut open.list {
            Some(values) => values.last_mut(),
            None => open.item.args.last_mut().map(|arg| &mut arg.value),
        };
        match (&mut open.key, last) {
            (Some(key), _) if key.span == span => *key = Name { text: first.to_string(), span: cut },
            (None, Some(value)) if value.span.start == span.start => *value = scalar::bare(first, cut),
            _ => return None,
        }
        Some(cut.end)
    }

    pub(super) fn event(&mut self, event: Event, span: Span) {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.texts.push(span);
                let value = self.scalar(&text, style, tag.as_deref(), span);
                self.put(value, (anchor > 0).then_some(anchor));
            }
            Event::Alias(anchor) => {
                let value = self.copy(anchor, span);
                self.put(value, None);
            }
            Event::MappingStart(anchor, tag) => self.start(false, anchor, tag.as_deref(), span),
            Event::SequenceStart(anchor, tag) => self.start(true, anchor, tag.as_deref(), span),
            Event::MappingEnd | Event::SequenceEnd => self.end(span),
            Event::DocumentEnd => {
                while !self.open.is_empty() {
                    self.close(None);
                }
                self.anchors.clear();
            }
            _ => {}
        }
    }

    /// Everything that was read, the open included, and where the scalars stand, in order.
    pub(super) fn finish(mut self) -> (Read, Vec<Span>) {
        while !self.open.is_empty() {
            self.close(None);
        }
        crate::sort::by_key(&mut self.texts, |span| span.start);
        (self.read, self.texts)
    }

    fn start(&mut self, list: bool, anchor: usize, tag: Option<&Tag>, span: Span) {
        self.inside += 1;
        if self.resumed && self.inside == 1 {
            return;
        }
        if self.open.len() >= DEPTH || self.below > 0 {
            if self.below == 0 && !self.read.findings.iter().any(|f| f.code == "too-deep") {
                let message = format!("This is nested more than {DEPTH} levels deep and is not read.");
                self.read.findings.push(Finding::error("too-deep", span, message));
            }
            self.below += 1;
            return;
        }
        let brackets = span.of(self.text).ends_with(['{', '[']);
        let start = if brackets { span.end - 1 } else { span.end.max(span.start) };
        let start = if list && !brackets { self.dash_before(start) } else { start };
        let column = (!brackets).then(|| start - self.line_start(start));
        self.open.push(Open {
            item: Item { form: Form::Map, span: Span::new(start, start), ..Item::default() },
            list: list.then(Vec::new),
            key: None,
            anchor,
            tag: tag.and_then(|tag| self.tag(tag, start)),
            column,
        });
    }

    fn end(&mut self, span: Span) {
        self.inside = self.inside.saturating_sub(1);
        match (self.below, self.resumed && self.inside == 0) {
            (0, false) => {
                let bracket = span.of(self.text).starts_with(['}', ']']).then_some(span.start + 1);
                self.close(bracket);
            }
            (0, true) => self.resumed = false,
            (_, _) => {
                self.below -= 1;
                if self.below == 0 {
                    self.put(Value::new(Kind::Unread, Span::new(span.start, span.start)), None);
                }
            }
        }
    }

    /// Closes the innermost map or list and puts it where it belongs.
    fn close(&mut self, bracket: Option<usize>) {
        let Some(mut open) = self.open.pop() else { return };
        open.leave_key();
        let last = open.list.iter().flatten().map(|v| v.span).chain(open.item.args.iter().map(|a| a.value.span));
        let end = bracket.unwrap_or_else(|| last.map(|s| s.end).max().unwrap_or(0)).max(open.item.span.end);
        let span = Span::new(open.item.span.start, end);
        open.item.span = span;
        // A single one may be a name with dots, such as a task's module.
        if open.item.args.iter().filter(|arg| arg.name.as_ref().is_some_and(is_path)).nth(1).is_some() {
            open.item.args = nested(self.text, open.item.args);
        }
        let mut value = match open.list {
            Some(values) => Value::new(Kind::List(values), span),
            None => Value::new(Kind::Item(Box::new(open.item)), span),
        };
        if let Some(tag) = open.tag {
            value = tagged(tag, value);
        }
        self.put(value, (open.anchor > 0).then_some(open.anchor));
    }

    /// Puts a finished value where it belongs: as a key, under a key, into a list, or outermost.
    fn put(&mut self, value: Value, anchor: Option<usize>) {
        if let Some(anchor) = anchor.filter(|_| self.aliases) {
            let size = size(&value);
            self.anchors.insert(anchor, (value.clone(), size));
        }
        let Some(open) = self.open.last_mut() else { return self.put_outermost(value) };
        if let Some(values) = &mut open.list {
            values.push(value);
        } else if let Some(name) = open.key.take() {
            if name.text == "<<" {
                merge(&mut open.item, value);
            } else {
                open.item.args.push(Arg { name: Some(name), value });
            }
        } else {
            let text = match &value.kind {
                Kind::Text { text, .. } | Kind::Word(text) => text.clone(),
                _ => value.span.of(self.text).to_string(),
            };
            open.key = Some(Name { text, span: value.span });
        }
    }

    fn put_outermost(&mut self, value: Value) {
        let span = value.span;
        match value.kind {
            Kind::Item(item) => self.read.items.push(*item),
            Kind::Word(word) if word.is_empty() => {}
            kind => {
                let args = vec![Arg { name: None, value: Value::new(kind, span) }];
                self.read.items.push(Item { args, form: Form::Map, span, ..Item::default() });
            }
        }
    }

    fn scalar(&mut self, decoded: &str, style: ScalarStyle, tag: Option<&Tag>, span: Span) -> Value {
        let start =
            if tag.is_some() || span.of(self.text).starts_with('&') { self.after_marks(span) } else { span.start };
        let span = Span::new(start, start.max(span.start + span.of(self.text).trim_end().len()));
        let (source, masked) = (span.of(self.text), self.masked_of(span));
        let plain = style == ScalarStyle::Plain;
        let text = match (source == masked, plain) {
            (true, _) => decoded.to_string(),
            (false, true) => source.to_string(),
            (false, false) => source.trim_matches(['"', '\'']).to_string(),
        };
        let kept = tag.is_some_and(|tag| tag.is_yaml_core_schema() && tag.suffix == "str");
        let value = if plain && !kept { scalar::bare(&text, span) } else { scalar::quoted(text, span) };
        match tag.and_then(|tag| self.tag(tag, start)) {
            Some(tag) => tagged(tag, value),
            None => value,
        }
    }

    /// The name of a tag of the document's own, such as `!Ref`; those of YAML's own types say nothing new.
    fn tag(&self, tag: &Tag, before: usize) -> Option<Name> {
        if tag.is_yaml_core_schema() || tag.suffix.is_empty() {
            return None;
        }
        let text = format!("{}{}", tag.handle, tag.suffix);
        let from = self.line_start(before);
        let at = self.text[from..before].rfind(&text).map_or(before, |at| from + at);
        let end = (at + text.len()).min(before).max(at);
        Some(Name { text, span: Span::new(at, end) })
    }

    /// Where a scalar starts behind its tag and anchor.
    fn after_marks(&self, span: Span) -> usize {
        let mut rest = span.of(self.text);
        while rest.starts_with(['!', '&']) {
            let Some(end) = rest.find(char::is_whitespace) else { return span.end };
            rest = rest[end..].trim_start();
        }
        span.end - rest.len()
    }

    /// The value behind an alias, as long as there are not too many. A map or list stands where the alias does, with what
    /// is inside at its own place; a scalar keeps the place where it is written.
    fn copy(&mut self, anchor: usize, span: Span) -> Value {
        let Some((value, size)) = self.anchors.get(&anchor) else { return Value::new(Kind::Unread, span) };
        if self.copied + size > COPIES {
            if !self.read.findings.iter().any(|f| f.code == "alias-limit") {
                let message = format!("Aliases copy more than {COPIES} values; this one and some others are not read.");
                self.read.findings.push(Finding::error("alias-limit", span, message));
            }
            return Value::new(Kind::Unread, span);
        }
        self.copied += size;
        let span = if matches!(value.kind, Kind::Item(_) | Kind::List(_)) { span } else { value.span };
        Value { span, kind: value.kind.clone() }
    }

    fn masked_of(&self, span: Span) -> &str {
        let shift = self.range.start;
        self.masked.get(span.start - shift..span.end - shift).unwrap_or("")
    }

    fn line_start(&self, at: usize) -> usize {
        self.text[self.range.start..at].rfind('\n').map_or(self.range.start, |found| self.range.start + found + 1)
    }

    /// The dash of the list entry that starts at `at`.
    fn dash_before(&self, at: usize) -> usize {
        let from = self.line_start(at);
        let before = self.text[from..at].trim_end();
        if before.ends_with('-') { from + before.len() - 1 } else { at }
    }
}

/// Whether a key leads through three maps or more: `spring.kafka.producer.retries`, as Spring takes it.
fn is_path(name: &Name) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-[]".contains(&byte);
    name.text.contains('.')
        && name.text.bytes().all(plain)
        && name.text.split('.').filter(|part| !part.is_empty()).count() > 2
}

/// The entries of a map, with keys that are paths led into maps.
fn nested(text: &str, args: Vec<Arg>) -> Vec<Arg> {
    let mut tree = lines_tree::Tree::default();
    let mut rest = Vec::new();
    for arg in args {
        match arg.name {
            Some(name) if is_path(&name) => tree.put(text, name.span, arg.value),
            name => rest.push(Arg { name, ..arg }),
        }
    }
    rest.extend(tree.into_args());
    rest
}

/// `!Ref x` is a call of `!Ref`.
fn tagged(tag: Name, value: Value) -> Value {
    let span = tag.span.to(value.span);
    let item = Item { head: tag, args: vec![Arg { name: None, value }], span, ..Item::default() };
    Value::new(Kind::Item(Box::new(item)), span)
}

/// `<<: *x` and `<<: [*x, *y]`: what stands in the map itself wins, then the first of the list.
fn merge(item: &mut Item, value: Value) {
    let merged: Vec<Value> = match value.kind {
        Kind::List(values) => values,
        _ => vec![value],
    };
    for value in merged {
        if let Kind::Item(from) = value.kind {
            item.args.splice(0..0, from.args);
        }
    }
}

/// How many values are in a value, itself included.
fn size(value: &Value) -> usize {
    1 + match &value.kind {
        Kind::List(values) => values.iter().map(size).sum(),
        Kind::Item(item) => item.args.iter().map(|arg| size(&arg.value)).sum(),
        _ => 0,
    }
}
