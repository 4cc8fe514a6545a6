//! Half-duplex Ethernet: the truncated binary exponential backoff, where all this comes from. Read from a sentence.

use crate::library::{Block, Certainty, Example, Library, Scan, Take};
use crate::notation::{Form, Item, Kind, Value};
use crate::policy::{After, Backoff, Law, Policy, Wait};

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
    let asks = about.contains("backoff") || about.contains("back-off");
    let sentence = scan.items.iter().copied().find(|i| i.form == Form::Prose);
    let sure = scan.says("CSMA") || scan.says("802.3");
    // Prose that only mentions it gives nothing to compute.
    let parameters = ["slot", "Mb", "Gb", "BASE", "attemptLimit", "backoffLimit"].iter().any(|w| scan.says(w));
    sentence
        .filter(|_| named && asks && parameters)
        .map(|item| Block::new(item, if sure { Certainty::Certain } else { Certainty::Likely }))
        .into_iter()
        .collect()
}

fn read(take: &mut Take) -> Policy {
    let item: &Item = take.block.item;
    let slot_ms = slot(take, item);
    let attempts = named_number(take, item, "attemptLimit", "retries").unwrap_or(ATTEMPTS);
    let doublings = named_number(take, item, "backoffLimit", "capMs").unwrap_or(DOUBLINGS);
    take.default("retries", "attemptLimit 16");
    take.default("capMs", "backoffLimit 10");
    let law = |n: u64| {
        let slots = libm::pow(2f64, n.min(doublings) as f64) - 1.0;
        Law::steps(0.0, slots * slot_ms, slot_ms)
    };
    let waits = (1..=doublings.clamp(1, 60)).map(law).collect();
    Policy::new(Wait::new(Backoff::Table { waits, after: After::RepeatLast }), attempts.saturating_sub(1))
}

/// The slot time: as written, else 512 bit times of the speed that is named; 10 Mb/s where none is.
fn slot(take: &mut Take, item: &Item) -> f64 {
    let written =
        item.args.iter().map(|a| &a.value).find(|v| v.duration_ms(None).is_ok_and(|t| t.ms > 0.0 && t.ms < 1.0));
    if let Some(value) = written {
        take.origin("baseMs", value.span);
        return value.duration_ms(None).map_or(0.0512, |t| t.ms);
    }
    let text = take.scan.doc.text;
    let hundred = text.contains("100BASE") || text.contains("100 Mb") || text.contains("100Mb");
    let thousand = text.contains("1000BASE") || text.contains("1000 Mb") || text.contains("1 Gb");
    match (thousand, hundred) {
        (true, _) => {
            take.default("baseMs", "slot of 4096 bit times at 1000 Mb/s");
            0.004_096
        }
        (false, true) => {
            take.default("baseMs", "slot of 512 bit times at 100 Mb/s");
            0.005_12
        }
        (false, false) => {
            take.default("baseMs", "slot of 512 bit times at 10 Mb/s");
            0.051_2
        }
    }
}

/// The number that follows a word of the sentence.
fn named_number(take: &mut Take, item: &Item, word: &str, field: &'static str) -> Option<u64> {
    let values: Vec<&Value> = item.args.iter().map(|a| &a.value).collect();
    let at = values.iter().position(|v| v.text() == Some(word))?;
    let value = values.get(at + 1)?;
    match value.kind {
        Kind::Number { value: number, .. } if (1.0..=64.0).contains(&number) => {
            take.origin(field, value.span);
            Some(number as u64)
        }
        _ => None,
    }
}
