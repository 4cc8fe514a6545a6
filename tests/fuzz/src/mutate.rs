//! New texts out of real ones: values, words and lines of the golden cases put into each other's places.

use crate::hash::Chance;
use backoff::library::{Choice, read};
use backoff::report::link as link_of;
use std::path::Path;
use std::sync::OnceLock;

/// Values that somewhere mean something else than they look like.
const VALUES: &[&str] = &[
    "0",
    "-1",
    "1",
    "2",
    "0.5",
    "1e3",
    "1e308",
    "1e-320",
    "NaN",
    "inf",
    "Infinity",
    "null",
    "None",
    "true",
    "false",
    "0x10",
    "1_000",
    "9007199254740993",
    "18446744073709551616",
    "5s",
    "250ms",
    "1m30s",
    "PT1.5S",
    "00:00:30",
    "\"3\"",
    "''",
    "[]",
    "{}",
    "()",
    "${RETRIES:3}",
    "{{ n }}",
    "1 + 2",
    "2 ** 70",
    "-0.0",
    "1,5",
    "½",
    "١٢",
    "\u{202e}3",
    "🙂",
    "<img src=x>",
    "=1+1",
];

/// Signs that open, close or separate something.
const SIGNS: &[&str] = &[
    "(", ")", "[", "]", "{", "}", "<", ">", "\"", "'", "`", "\"\"\"", ",", ";", ":", "=", "#", "//", "/*", "*/", "\\",
    "|", "&", "@", "\n", "\t", "- ", "$", "=>", "---\n", "\u{0}",
];

/// Changes a golden case, or a text that was made of one.
pub fn case(data: &mut [u8], size: usize, max: usize, seed: u32) -> usize {
    static CASES: OnceLock<Vec<String>> = OnceLock::new();
    into(data, size, max, seed, CASES.get_or_init(cases))
}

/// The same for links.
pub fn link(data: &mut [u8], size: usize, max: usize, seed: u32) -> usize {
    static LINKS: OnceLock<Vec<String>> = OnceLock::new();
    into(data, size, max, seed, LINKS.get_or_init(links))
}

/// Bytes by chance, for what is made of bytes.
pub fn bytes(data: &mut [u8], _: usize, _: usize, seed: u32) -> usize {
    let mut chance = Chance(u64::from(seed));
    let length = chance.pick(60).min(data.len());
    data[..length].fill_with(|| chance.pick(256) as u8);
    length
}

/// Every input of the golden cases.
pub fn cases() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cases");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("tests/cases").map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    let file = |path| std::fs::read(path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let files: Vec<serde_json::Value> = paths.iter().filter_map(file).collect();
    let inputs =
        files.iter().filter_map(|file| file["cases"].as_array()).flatten().filter_map(|case| case["input"].as_str());
    inputs.map(str::to_owned).collect()
}

/// The links of their policies, some with a second one, with layers, and with what is assumed.
fn links() -> Vec<String> {
    let links: Vec<String> =
        cases().iter().filter_map(|text| Some(link_of(&read(text, &Choice::default()).first()?.policy))).collect();
    let with = |n: usize, link: &String| match n % 4 {
        0 => format!("{link}&with={}", links[(n * 7) % links.len()].replace('&', "%26")),
        1 => format!("{link}&layers=tcp,this,3&call-time=200ms"),
        2 => format!("{link}&callers=1000&allowance=60/s&target=30s"),
        _ => link.clone(),
    };
    links.iter().enumerate().map(|(n, link)| with(n, link)).collect()
}

/// Changes the text in the first `size` bytes, by what the seed decides, into one of at most `max` bytes.
fn into(data: &mut [u8], size: usize, max: usize, seed: u32, stock: &[String]) -> usize {
    let mut chance = Chance(u64::from(seed));
    let mut text = String::from_utf8_lossy(&data[..size]).into_owned();
    if text.len() < 8 || chance.pick(20) == 0 {
        text = stock[chance.pick(stock.len())].clone();
    }
    for _ in 0..=chance.pick(3) {
        text = changed(&text, stock, &mut chance);
    }
    let mut length = text.len().min(max).min(data.len());
    while !text.is_char_boundary(length) {
        length -= 1;
    }
    data[..length].copy_from_slice(&text.as_bytes()[..length]);
    length
}

/// A text with one change.
pub fn changed(text: &str, stock: &[String], chance: &mut Chance) -> String {
    let other = &stock[chance.pick(stock.len())];
    let joined = |lines: Vec<&str>| lines.concat();
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let at = chance.pick(lines.len().max(1));
    match chance.pick(9) {
        // A line of another text, some lines of it, or its rest.
        0 => {
            let theirs: Vec<&str> = other.split_inclusive('\n').collect();
            let from = chance.pick(theirs.len().max(1));
            let some = theirs.len().saturating_sub(from).min(1 + chance.pick(4));
            lines.splice(at.min(lines.len())..at.min(lines.len()), theirs[from..from + some].iter().copied());
            joined(lines)
        }
        1 => {
            let theirs: Vec<&str> = other.split_inclusive('\n').collect();
            lines.truncate(at);
            lines.extend(&theirs[chance.pick(theirs.len().max(1))..]);
            joined(lines)
        }
        2 if !lines.is_empty() => {
            lines.remove(at);
            joined(lines)
        }
        3 if !lines.is_empty() => {
            let line = lines[at];
            lines.insert(chance.pick(lines.len()), line);
            joined(lines)
        }
        4 => token(text, chance, |_, chance| chance.one(VALUES).to_owned()),
        5 => token(text, chance, |_, chance| {
            let theirs = tokens(other);
            theirs
                .get(chance.pick(theirs.len().max(1)))
                .map(|range| other[range.clone()].to_owned())
                .unwrap_or_default()
        }),
        6 => token(text, chance, |own, chance| format!("{own}{}", chance.one(SIGNS))),
        7 => token(text, chance, |_, _| String::new()),
        _ => token(text, chance, |own, chance| {
            let [open, close] =
                [["(", ")"], ["[", "]"], ["{", "}"], ["\"", "\""], ["f(", ")"], ["", " * 2"]][chance.pick(6)];
            format!("{open}{own}{close}")
        }),
    }
}

/// The text with another one in the place of one token.
fn token(text: &str, chance: &mut Chance, new: impl FnOnce(&str, &mut Chance) -> String) -> String {
    let tokens = tokens(text);
    let range = if tokens.is_empty() { 0..0 } else { tokens[chance.pick(tokens.len())].clone() };
    let new = new(&text[range.clone()], chance);
    format!("{}{new}{}", &text[..range.start], &text[range.end..])
}

/// Words, numbers and single signs.
fn tokens(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut tokens: Vec<std::ops::Range<usize>> = Vec::new();
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut inside = false;
    for (at, c) in text.char_indices().filter(|(_, c)| *c != ' ') {
        let end = at + c.len_utf8();
        match tokens.last_mut() {
            Some(last) if inside && part(c) && last.end == at => last.end = end,
            _ => tokens.push(at..end),
        }
        inside = part(c);
    }
    tokens
}
