//! PHP libraries and frameworks.

use super::{Block, Certainty, Library, Scan};
use crate::notation::{Item, Step};
use crate::span::Span;

mod guzzle;
mod laravel;
mod symfony_http_client;
mod symfony_messenger;

/// One line a library.
pub(super) static LIBRARIES: &[&Library] =
    &[&guzzle::LIBRARY, &laravel::LIBRARY, &symfony_http_client::LIBRARY, &symfony_messenger::LIBRARY];

/// The blocks that a configuration builder makes by calling `begin`, labelled by what `owner` was called with before:
/// `->transport('a')->retryStrategy()->maxRetries(3)`.
fn built<'d>(scan: &Scan<'d>, begin: &str, owner: &str) -> Vec<Block<'d>> {
    let mut blocks = Vec::new();
    for item in scan.items.iter().copied() {
        let first = |args: &'d [crate::notation::Arg]| args.first().and_then(|arg| arg.value.text());
        let mut label = first(&item.args).filter(|_| item.is(owner)).unwrap_or_default();
        for (at, step) in item.steps.iter().enumerate() {
            let Step::Call { name, args, .. } = step else { continue };
            if name.text == owner {
                label = first(args).unwrap_or_default();
            } else if name.text == begin {
                let span = part(item, at).1;
                blocks.push(Block::new(item, Certainty::Certain).variant("builder").label(label).at(span));
            }
        }
    }
    blocks
}

/// The steps of a builder's block, which begins at this place.
fn built_steps(item: &Item, begin: usize) -> &[Step] {
    let at = item.steps.iter().position(|step| matches!(step, Step::Call { span, .. } if span.start == begin));
    at.map_or(&[], |at| part(item, at).0)
}

/// The steps from one on that configure the same thing, and where they stand.
fn part(item: &Item, at: usize) -> (&[Step], Span) {
    let ends = |step: &Step| matches!(step, Step::Call { name, .. } if ["transport", "retryStrategy", "retryFailed"].contains(&name.text.as_str()));
    let place = |step: &Step| match step {
        Step::Call { span, .. } => *span,
        Step::Set { path, value } => path.span.to(value.span),
    };
    let rest = &item.steps[at..];
    let count = 1 + rest[1..].iter().take_while(|step| !ends(step)).count();
    (&rest[..count], place(&rest[0]).to(place(&rest[count - 1])))
}
