//! JavaScript and TypeScript libraries, and what their files share: calls found by package and name, options found by
//! position.

use super::computed as strategy;
use super::{Args, Block, Certainty, Library, Scan, Setting, Take};
use crate::duration::Unit;
use crate::notation::item::path_ends_with;
use crate::notation::{Arg, Crumb, Form, Item, Kind, Name, Step, Value};
use crate::span::Span;
use std::collections::HashSet;

mod async_retry;
mod aws_sdk_js;
mod aws_sdk_js_2;
mod axios_retry;
mod bullmq;
mod cloudflare_workflows;
mod cockatiel;
mod exponential_backoff_npm;
mod got;
mod graphile_worker;
mod inngest;
mod ioredis;
mod kafkajs;
mod ky;
mod node_retry;
mod p_retry;
mod pg_boss;
mod promise_retry;
mod retry_axios;
mod rxjs;
mod socket_io_client;
mod swr;
mod tanstack_query;
mod timeouts;
mod trigger_dev;

/// One line a library.
pub(super) static LIBRARIES: &[&Library] = &[
    &node_retry::LIBRARY,
    &p_retry::LIBRARY,
    &async_retry::LIBRARY,
    &promise_retry::LIBRARY,
    &axios_retry::LIBRARY,
    &retry_axios::LIBRARY,
    &exponential_backoff_npm::LIBRARY,
    &cockatiel::LIBRARY,
    &got::LIBRARY,
    &ky::LIBRARY,
    &rxjs::LIBRARY,
    &tanstack_query::LIBRARY,
    &ioredis::LIBRARY,
    &aws_sdk_js::LIBRARY,
    &bullmq::LIBRARY,
    &aws_sdk_js_2::LIBRARY,
    &socket_io_client::LIBRARY,
    &kafkajs::LIBRARY,
    &trigger_dev::LIBRARY,
    &inngest::LIBRARY,
    &cloudflare_workflows::LIBRARY,
    &graphile_worker::LIBRARY,
    &pg_boss::LIBRARY,
    &swr::LIBRARY,
];

/// The group of a client's own options, `retry` among them.
const CLIENT: &str = "client";

/// What stands for options that nobody wrote.
static NOTHING: Item = Item {
    head: Name { text: String::new(), span: Span::new(0, 0) },
    args: Vec::new(),
    steps: Vec::new(),
    place: Vec::new(),
    form: Form::Map,
    target: None,
    span: Span::new(0, 0),
};

/// A time in ms, written as a number: nothing here takes a text.
const fn ms(name: &'static str, field: &'static str, default: &'static str) -> Setting {
    Setting::time(name, field, Unit::Millisecond, default).plain()
}

/// A setting that shapes the waits but is read by hand: a function, a word, a nested map.
const fn shaping(name: &'static str) -> Setting {
    Setting { field: "backoff", ..Setting::other(name) }
}

/// Whether an item's head was resolved to something of one of the packages.
fn belongs(item: &Item, packages: &[&str]) -> bool {
    packages.iter().any(|package| {
        item.head.text.strip_prefix(package).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', ':', '/']))
    })
}

/// The calls of these names, each with whether they are known to be the packages': by their head, or because the text
/// imports one. A head that is the package itself is its default export.
fn calls<'d>(scan: &Scan<'d>, packages: &[&str], names: &[&str]) -> Vec<(&'d Item, bool)> {
    let imported = scan.imports(packages);
    written_calls(scan)
        .filter_map(|item| match belongs(item, packages) {
            true => {
                let default = packages.contains(&item.head.text.as_str()) || item.is("default");
                (default || item.is_any(names)).then_some((item, true))
            }
            false => item.is_any(names).then_some((item, imported)),
        })
        .collect()
}

/// The calls of a text where they are written; what stands for one by name is left out.
fn written_calls<'s, 'd>(scan: &'s Scan<'d>) -> impl Iterator<Item = &'d Item> + use<'s, 'd> {
    let written =
        |item: &&Item| item.form == Form::Call && !item.head.text.is_empty() && item.span.holds(item.head.span);
    scan.items.iter().copied().filter(written)
}

/// A method that is called: on a name that the text binds, a step of what it is bound to; otherwise a call of its own.
struct Called<'d> {
    /// The call, or what the step belongs to.
    item: &'d Item,
    /// What the method is given.
    args: &'d [Arg],
    /// From the method's name, or the call's head, to the closing bracket.
    span: Span,
}

impl<'d> Called<'d> {
    /// The block of this call alone.
    fn block(&self, certainty: Certainty, label: &str) -> Block<'d> {
        Block::new(self.item, certainty).at(self.span).label(label)
    }

    /// The value at a position.
    fn at(&self, position: usize) -> Option<&'d Value> {
        self.args.iter().filter(|arg| arg.name.is_none()).nth(position).map(|arg| &arg.value)
    }

    /// The text at a position; empty where none is written out.
    fn text_at(&self, position: usize) -> &'d str {
        let written = |value: &&Value| matches!(value.kind, Kind::Text { .. });
        self.at(position).filter(written).and_then(Value::text).unwrap_or_default()
    }

    /// The method's name.
    fn name(&self) -> &'d str {
        let step = self.item.steps.iter().find_map(|step| match step {
            Step::Call { name, span, .. } if *span == self.span => Some(name.text.as_str()),
            _ => None,
        });
        let path = step.unwrap_or(&self.item.head.text);
        path.rsplit('.').next().unwrap_or(path)
    }

    /// Whether it is called by this path, or one that ends in it: the head's, or the bound name's with the method.
    fn is(&self, path: &str) -> bool {
        if self.item.span == self.span {
            return self.item.is(path);
        }
        let on = self.item.target.as_ref().map_or("", |name| name.text.as_str());
        path_ends_with(&format!("{on}.{}", self.name()), path)
    }

    /// The method that a block was made of.
    fn of(block: &Block<'d>) -> Called<'d> {
        let item = block.item;
        let step = item.steps.iter().find_map(|step| match step {
            Step::Call { args, span, .. } if *span == block.span => Some(args),
            _ => None,
        });
        Called { item, args: step.unwrap_or(&item.args), span: block.span }
    }
}

/// Where these methods are called, each place once.
fn methods<'d>(scan: &Scan<'d>, names: &[&str]) -> Vec<Called<'d>> {
    let mut seen = HashSet::new();
    let mut all = Vec::new();
    for &item in scan.items.iter().filter(|item| item.form == Form::Call) {
        if item.is_any(names) && item.span.holds(item.head.span) && seen.insert(item.span) {
            all.push(Called { item, args: &item.args, span: item.span });
        }
        for step in &item.steps {
            if let Step::Call { name, args, span } = step
                && names.contains(&name.text.as_str())
                && seen.insert(*span)
            {
                all.push(Called { item, args, span: *span });
            }
        }
    }
    all
}

/// The map without a name that a value is.
fn map(value: &Value) -> Option<&Item> {
    value.item().filter(|item| item.head.text.is_empty())
}

/// Whether a map has a value under at least one of these names.
fn has_any(item: &Item, names: &[&str]) -> bool {
    names.iter().any(|name| item.get(name).is_some())
}

/// Claims the maps that stand alone: those of `own` that no block before holds, directly or through a name.
fn claim_alone<'d>(scan: &Scan<'d>, blocks: &mut Vec<Block<'d>>, own: impl Fn(&Item) -> bool, certainty: Certainty) {
    claim(scan, blocks, |item| item.head.text.is_empty() && own(item), certainty);
}

/// Claims the items of `own` that no block before holds, directly or through a name.
fn claim<'d>(scan: &Scan<'d>, blocks: &mut Vec<Block<'d>>, own: impl Fn(&Item) -> bool, certainty: Certainty) {
    let mut held: HashSet<Span> = HashSet::new();
    for block in blocks.iter() {
        for arg in Called::of(block).args {
            arg.value.walk(&mut |item| {
                held.insert(item.span);
            });
        }
        held.insert(block.item.span);
    }
    let alone = |item: &&&Item| own(item) && !held.contains(&item.span);
    blocks.extend(scan.items.iter().filter(alone).map(|item| Block::new(item, certainty)));
}

/// Claims the first use of a client that retries by default, where no block says anything about it: a call, or the
/// client under another name.
fn claim_default_client<'d>(scan: &Scan<'d>, blocks: &mut Vec<Block<'d>>, packages: &[&str]) {
    if !blocks.is_empty() || !scan.imports(packages) {
        return;
    }
    let named = |value: &Value| matches!(&value.kind, Kind::Word(word) if packages.contains(&word.as_str()));
    let used = |item: &&&Item| match item.form {
        Form::Call => belongs(item, packages),
        Form::Class => item.head.text.is_empty() && item.args.iter().any(|arg| named(&arg.value)),
        _ => false,
    };
    blocks.extend(scan.items.iter().find(used).map(|item| Block::new(item, Certainty::Certain)));
}

/// Whether a map stands under the key `retry`.
fn in_retry(item: &Item) -> bool {
    matches!(item.place.last(), Some(Crumb::Key(key)) if key == "retry")
}

/// Where to say what concerns a whole block: at its name.
fn place(block: &Block) -> Span {
    if block.span == block.item.span { block.item.head.span } else { block.span }
}

/// The settings in a map of options. Where nothing about waits is written `defaults` says what holds then, as the block's
/// first note; where the text only names the options, or gives something else than a map, that is said.
fn options<'a, 't>(take: &'a mut Take<'t>, value: Option<&'t Value>, of: &'static str, defaults: &str) -> Args<'a, 't> {
    let place = place(&take.block);
    let item = value.and_then(map);
    let of_table = || take.library.settings.iter().filter(|s| s.of == of && !s.field.is_empty());
    let written = item.is_some_and(|item| of_table().any(|s| s.names().any(|name| item.get(name).is_some())));
    match value {
        Some(value) if item.is_none() && value.is_undefined() => {
            let message = "The options are given by a name that this text does not define.";
            take.unknown.extend(["retries", "backoff"]);
            take.note("unknown-value", value.span, message).help = format!("Without them: {defaults}");
        }
        Some(value) if item.is_none() && !value.is_null() => {
            take.error("bad-value", value.span, format!("The options must be an object, not {}.", value.describe()));
        }
        _ if !written => {
            take.note("defaults", place, format!("Nothing about waits is written here: {defaults}"));
        }
        _ => {}
    }
    take.of(item.unwrap_or(&NOTHING), of)
}
