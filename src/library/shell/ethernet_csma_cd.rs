//! Half-duplex Ethernet: the truncated binary exponential backoff, where all this comes from. Read from a sentence.

use crate::library::{Block, Certainty, Example, Library, Scan, Take};
use crate::notation::Form;
use crate::policy::{Law, Policy, Wait};
use crate::span::Span;

/// IEEE 802.3.
pub static LIBRARY: Library = Library {
    id: "ethernet-csma-cd",
    title: "Ethernet (CSMA/CD)",
    ecosystem: "networks",
    version: "IEEE 802.3, half duplex",
    source: "the standard's parameters: slot time 512 bit times, backoffLimit 10, attemptLimit 16",
    counts: "calls, the first included (attemptLimit 16)",
    formula: "r slots, r a whole number below 2^min(n, 10)",
    words: &["CSMA/CD", "CSMA", "802.3", "Ethernet", "100BASE-TX", "10BASE-T", "10BASE5"],
    settings: &[],
    notes: &[
        "Sixteen attempts make fifteen waits.",
        "After the tenth collision the range stays at 1023 slots.",
        "A slot is 512 bit times: 51.2 µs at 10 Mb/s, 5.12 µs at 100 Mb/s.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "Ethernet CSMA/CD truncated binary exponential backoff at 10 Mb/s\n",
            waits: &[(0.0, 0.0000512), (0.0, 0.0001536), (0.0, 0.0003584)],
        },
        Example {
            text: "IEEE 802.3 backoff on 100BASE-TX, half duplex\n",
            waits: &[(0.0, 0.00000512), (0.0, 0.00001536)],
        },
    ],
};

/// The limits of the standard.
const ATTEMPTS: u64 = 16;
const DOUBLINGS: u64 = 10;

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let named = ["CSMA", "802.3", "BASE-T", "Ethernet"].iter().any(|w| scan.says(w));
    let about = scan.doc.text.to_ascii_lowercase();
    let asks = ["backoff", "back-off", "collision"].iter().any(|word| about.contains(word));
    let sure = scan.says("CSMA") || scan.says("802.3");
    // Prose that only mentions it gives nothing to compute.
    let parameters = ["slot", "Mb", "Gb", "BASE", "attemptLimit", "backoffLimit"].iter().any(|w| scan.says(w));
    let asks = asks || sure && scan.says("half") && scan.says("slot");
    // Signs in a sentence may make it look like code: it is read all the same, if it is one.
    let sentence = scan.doc.text.lines().count() < 20 && scan.imports.is_empty();
    let item = scan.items.iter().copied().find(|i| i.form == Form::Prose).or(scan.items.first().copied());
    item.filter(|_| named && asks && parameters && sentence)
        .map(|item| Block::new(item, if sure { Certainty::Certain } else { Certainty::Likely }))
        .into_iter()
        .collect()
}

fn read(take: &mut Take) -> Policy {
    let slot_ms = slot(take);
    let attempts = after(take, "attemptLimit", "retries").unwrap_or(ATTEMPTS);
    let doublings = after(take, "backoffLimit", "capMs").unwrap_or(DOUBLINGS);
    take.default("retries", "attemptLimit 16");
    take.default("capMs", "backoffLimit 10");
    let law = |n: u64| {
        let slots = libm::pow(2f64, n.min(doublings) as f64) - 1.0;
        Law::steps(0.0, slots * slot_ms, slot_ms)
    };
    Policy::new(Wait::each(doublings.min(60), &law), attempts.saturating_sub(1))
}

/// The slot time: as written, else 512 bit times of the speed that is named; 10 Mb/s where none is.
fn slot(take: &mut Take) -> f64 {
    let text = take.scan.doc.text;
    for (at, _) in text.match_indices("slot") {
        let Some((start, written)) = number_after(text, at + 4) else { continue };
        let end = written.find(|c: char| ",;)(".contains(c)).unwrap_or(written.len());
        let mut words = written[..end].split_whitespace();
        let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let time =
            crate::duration::parse(first, None).or_else(|_| crate::duration::parse(&format!("{first}{second}"), None));
        if let Some(time) = time.ok().filter(|time| time.ms > 0.0 && time.ms < 1.0) {
            take.origin("baseMs", Span::new(start, start + first.len()));
            return time.ms;
        }
    }
    let hundred = text.contains("100BASE") || text.contains("100 Mb") || text.contains("100Mb");
    let thousand =
        ["1000BASE", "1000 Mb", "1000Mb", "1 Gb", "Gigabit", "802.3z"].iter().any(|word| text.contains(word));
    let (slot_ms, what) = match (thousand, hundred) {
        (true, _) => (0.004_096, "slot of 4096 bit times at 1000 Mb/s"),
        (false, true) => (0.005_12, "slot of 512 bit times at 100 Mb/s"),
        (false, false) => (0.051_2, "slot of 512 bit times at 10 Mb/s"),
    };
    take.default("baseMs", what);
    slot_ms
}

/// The next number behind a place, if only few letters are between: where, and the text from there.
fn number_after(text: &str, from: usize) -> Option<(usize, &str)> {
    let start = from + text[from..].find(|c: char| c.is_ascii_digit()).filter(|at| *at <= 16)?;
    Some((start, &text[start..]))
}

/// The number that follows a word of the sentence.
fn after(take: &mut Take, word: &str, field: &'static str) -> Option<u64> {
    let text = take.scan.doc.text;
    let (start, rest) = number_after(text, text.find(word)? + word.len())?;
    let digits = &rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())];
    let number = digits.parse().ok().filter(|n| (1..=64).contains(n))?;
    take.origin(field, Span::new(start, start + digits.len()));
    Some(number)
}
