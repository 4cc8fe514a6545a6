//! The policy as a configuration of a library: the one it came from with everything spelled out, or another.

use super::TakePart;
use crate::library::{self, Library, Reading, Written};
use crate::policy::Policy;
use crate::report::reader::option;
use crate::report::words::Words;

/// The part for one library; where none is asked for, the one that was read, or plain numbers.
pub fn part(policy: &Policy, reading: Option<&Reading>, asked: &str) -> TakePart {
    let mut targets: Vec<&Library> = library::all().filter(|library| !library.write.is_empty()).collect();
    crate::sort::by_key(&mut targets, |library| library.title.to_ascii_lowercase());
    let read = reading.map_or("", |reading| reading.library.id);
    let find = |id: &str| targets.iter().find(|library| library.id == id);
    let target = find(asked).or(find(read)).or(find("neutral")).or(targets.first()).map_or("", |library| library.id);
    let Written { text, losses } = library::write(policy, target);
    let note = match (text.is_empty(), losses.len()) {
        (true, _) => "It cannot be written:",
        (false, 0) => "Read back, it is this very policy.",
        (false, _) => "Read back, it is not quite this policy:",
    };
    TakePart {
        text,
        file: "backoff.txt".into(),
        media: "text/plain",
        note: Words::of(note),
        losses: losses.iter().map(|loss| Words::message(loss)).collect(),
        targets: targets.into_iter().map(option).collect(),
        target,
    }
}
