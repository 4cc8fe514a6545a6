//! JavaScript and TypeScript libraries, and what their files share: calls found by package and name, options found by
//! position.

use super::computed as strategy;
use super::{Args, Block, Certainty, Library, Scan, Setting, Take};
use crate::duration::Unit;
use crate::notation::{Crumb, Form, Item, Kind, Value};
use crate::span::Span;
use std::collections::HashSet;

mod async_retry;
mod aws_sdk_js;
mod axios_retry;
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
    &exponential_backoff_npm::LIBRARY,
    &cockatiel::LIBRARY,
    &got::LIBRARY,
    &ky::LIBRARY,
    &rxjs::LIBRARY,
    &tanstack_query::LIBRARY,
    &ioredis::LIBRARY,
    &aws_sdk_js::LIBRARY,
    &socket_io_client::LIBRARY,
    &kafkajs::LIBRARY,
    &trigger_dev::LIBRARY,
    &inngest::LIBRARY,
    &cloudflare_workflows::LIBRARY,
    &graphile_worker::LIBRARY,
    &pg_boss::LIBRARY,
    &swr::LIBRARY,
];

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
    let candidates = scan.items.iter().copied().filter(|item| item.form == Form::Call && !item.head.text.is_empty());
    candidates
        .filter_map(|item| match belongs(item, packages) {
            true => {
                let default = packages.contains(&item.head.text.as_str()) || item.is("default");
                (default || item.is_any(names)).then_some((item, true))
            }
            false => item.is_any(names).then_some((item, imported)),
        })
        .collect()
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
        block.item.walk(&mut |item| {
            held.insert(item.span);
        });
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

/// The settings in a map of options. Where nothing about waits is written `defaults` says what holds then, as the block's
/// first note; where the text only names the options, or gives something else than a map, that is said.
fn options<'a, 't>(take: &'a mut Take<'t>, value: Option<&'t Value>, of: &'static str, defaults: &str) -> Args<'a, 't> {
    let call = take.block.item;
    let item = value.and_then(map);
    let of_table = || take.library.settings.iter().filter(|s| s.of == of && !s.field.is_empty());
    let written = item.is_some_and(|item| of_table().any(|s| s.names().any(|name| item.get(name).is_some())));
    match value {
        Some(value) if item.is_none() && value.is_undefined() => {
            let message = "The options are given by a name that this text does not define.";
            take.note("unknown-value", value.span, message).help = format!("Without them: {defaults}");
        }
        Some(value) if item.is_none() && !value.is_null() => {
            take.error("bad-value", value.span, format!("The options must be an object, not {}.", value.describe()));
        }
        _ if !written => {
            take.note("defaults", call.head.span, format!("Nothing about waits is written here: {defaults}"));
        }
        _ => {}
    }
    take.of(item.unwrap_or(call), of)
}
