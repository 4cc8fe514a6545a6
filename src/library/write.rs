//! A policy to a text: a library's templates are filled with the policy's numbers, and the text is read back. What comes
//! back decides: a difference is a loss, and no difference is none, so neither can be forgotten.
//!
//! In a template `«base:s»` is a slot, the number of a name in a form; `«cap:s|None»` writes `None` where the policy has
//! no cap; `«full?true:false»` asks. A part in `‹…›` is left out where one of its slots has nothing to say. A template
//! with an empty slot elsewhere is passed over; `«factor:-»` is such a slot that writes nothing. The first template with the
//! lightest losses is taken. Where the first of a library's templates holds `«*»`, the others are parts that stand there
//! one at a time.

mod form;
mod losses;
mod slot;

use super::{Certainty, Choice, Library, by_id, read};
use crate::policy::{Backoff, Jitter, Policy};
use losses::losses;
use serde::Serialize;

/// Where the parts of a frame stand.
const PART: &str = "«*»";

/// A policy written for a library.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Written {
    /// The configuration; empty where the library cannot say anything of the kind.
    pub text: String,
    /// What the text does not say or says differently, one sentence each; empty where it means the same policy.
    pub losses: Vec<String>,
}

/// The policy in the notation of a library, by its id. Never fails: where there is no text, the loss says why.
pub fn write(policy: &Policy, library: &str) -> Written {
    let Some(library) = by_id(library).filter(|library| !library.write.is_empty()) else {
        return nothing(format!("Nothing is written for `{library}`."));
    };
    let mut best: Option<(u32, Written)> = None;
    let mut refused = None;
    for text in texts(policy, library) {
        match back(&text, library) {
            Err(why) => refused = refused.or(why),
            Ok(read) => {
                let (weight, losses) = losses(policy, &read);
                if best.as_ref().is_none_or(|(least, _)| weight < *least) {
                    best = Some((weight, Written { text, losses }));
                }
                if weight == 0 {
                    break;
                }
            }
        }
    }
    best.map(|(_, written)| written).unwrap_or_else(|| {
        let fits = |policy: &Policy| texts(policy, library).next().is_some();
        nothing(match refused {
            Some(message) => format!("{} refuses what would have to be written: {message}", library.title),
            None => format!("{} has no words for {}.", library.title, unsaid(policy, fits)),
        })
    })
}

/// Whether the library has words for all of a policy, which is another with a change: a text that does not change cannot
/// say it, and is not read back.
pub fn has_words(library: &Library, before: &Policy, policy: &Policy) -> bool {
    let same: Vec<String> = texts(before, library).collect();
    texts(policy, library)
        .filter(|text| !same.contains(text))
        .any(|text| back(&text, library).is_ok_and(|read| losses(policy, &read).0 == 0))
}

/// The library's templates, filled, the usual one first; without those that have a slot for which the policy says nothing.
fn texts(policy: &Policy, library: &Library) -> impl Iterator<Item = String> {
    let (frame, parts) = match library.write {
        [frame, parts @ ..] if frame.contains(PART) => (*frame, parts),
        parts => (PART, parts),
    };
    parts.iter().filter_map(move |part| fill(&frame.replace(PART, part), policy))
}

/// What of a policy no template has a place for, as the object of a sentence; `fits` says whether one has for all of a
/// policy.
fn unsaid(policy: &Policy, fits: impl Fn(&Policy) -> bool) -> &'static str {
    let ends = Policy { retries: policy.retries.or(Some(9)), ..policy.clone() };
    let wait = policy.wait.clone().jitter(Jitter::None);
    match policy.wait.backoff {
        _ if fits(&ends) => "retries without an end",
        _ if fits(&Policy { wait, ..policy.clone() }) => "this jitter",
        Backoff::Exponential { .. } => "waits that grow by a factor",
        Backoff::Constant { .. } => "waits of one length",
        Backoff::Linear { .. } => "waits that grow by the same step",
        Backoff::Polynomial { .. } => "waits that grow by a power",
        Backoff::Fibonacci { .. } => "waits that grow as Fibonacci numbers",
        Backoff::List { .. } => "waits from a list",
        Backoff::Table { .. } => "waits each of its own range",
    }
}

fn nothing(loss: String) -> Written {
    Written { text: String::new(), losses: vec![loss] }
}

/// What a text means as this library; otherwise what the library refuses in it, if that is the reason.
fn back(text: &str, library: &Library) -> Result<Policy, Option<String>> {
    let mut readings = read(text, &Choice::default());
    let reading = readings.pop().filter(|_| readings.is_empty()).ok_or(None)?;
    let sure =
        reading.library.id == library.id && reading.certainty == Certainty::Certain && reading.unknown.is_empty();
    let refused = reading.findings.iter().find(|f| f.severity == crate::finding::Severity::Error);
    match refused {
        Some(finding) => Err(Some(finding.message.clone())),
        None if sure => Ok(reading.policy),
        None => Err(None),
    }
}

/// A template with its slots filled; `None` where a slot that must be filled has nothing to say.
fn fill(template: &str, policy: &Policy) -> Option<String> {
    let mut out = String::new();
    let mut rest = template;
    while let Some(at) = rest.find(['«', '‹']) {
        out += &rest[..at];
        let optional = rest[at..].starts_with('‹');
        let (open, close) = if optional { ('‹', '›') } else { ('«', '»') };
        let (inside, after) = rest[at + open.len_utf8()..].split_once(close)?;
        rest = after;
        if optional {
            out += &fill(inside, policy).unwrap_or_default();
        } else {
            out += &filled(inside, policy)?;
        }
    }
    Some(out + rest)
}

/// What stands in the place of one slot.
fn filled(slot: &str, policy: &Policy) -> Option<String> {
    if let Some((asked, words)) = slot.split_once('?') {
        let (yes, no) = words.split_once(':')?;
        return Some(if slot::value(asked, policy).is_some() { yes } else { no }.into());
    }
    let (said, otherwise) = slot.split_once('|').map_or((slot, None), |(said, other)| (said, Some(other)));
    let (name, form) = said.split_once(':').unwrap_or((said, ""));
    match slot::value(name, policy) {
        Some(_) if form == "-" => Some(String::new()),
        Some(slot::Said::Text(text)) => Some(text),
        Some(slot::Said::Numbers(numbers)) => {
            let texts: Vec<String> = numbers.into_iter().map(|number| form::written(number, form)).collect();
            Some(texts.join(", "))
        }
        None => otherwise.map(Into::into),
    }
}
