//! The name that somebody meant.

use super::Setting;
use crate::notation::Item;

/// The letters of a name by which it is known: case and joiners aside.
fn letters(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().filter(|b| !matches!(b, b'-' | b'_' | b'.')).map(|b| b.to_ascii_lowercase())
}

/// A name without regard to case and joiners.
pub fn squash(name: &str) -> String {
    letters(name).map(char::from).collect()
}

/// Whether two names are the same but for case and joiners.
pub fn same(a: &str, b: &str) -> bool {
    letters(a).eq(letters(b))
}

/// The known name closest to `name`: the same letters in another spelling, few edits away, or one that holds the letters
/// of the other in their order.
pub fn nearest(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let wanted = squash(name);
    let distance = |k: &str| {
        let k = squash(k);
        let edits = edits(&k, &wanted);
        if singular(&k) == singular(&wanted) {
            return Some((0, edits.min(1)));
        }
        let (short, long) = if k.len() < wanted.len() { (&k, &wanted) } else { (&wanted, &k) };
        let mut letters = long.chars();
        let part = short.len() >= 4 && short.chars().all(|c| letters.any(|l| l == c));
        match edits <= 1 + wanted.len() / 5 {
            true => Some((0, edits)),
            false => part.then(|| (1, long.len() - short.len())),
        }
    };
    let found = known.iter().filter_map(|k| Some((distance(k)?, *k))).min_by_key(|(distance, _)| *distance);
    found.map(|(_, name)| name)
}

/// A name without the ending of a plural: `retries` and `retrys` as `retry`.
fn singular(name: &str) -> String {
    match name.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => name.strip_suffix('s').unwrap_or(name).to_string(),
    }
}

/// The name of the setting that does what an unknown name speaks of: `maxAttempts` for a `maxRetries`.
pub fn meant<'s>(name: &str, settings: impl Iterator<Item = &'s Setting>) -> Option<&'static str> {
    const FIELDS: &[(&str, &[&str])] = &[
        ("retries", &["retr", "attempt", "tries", "count", "limit"]),
        ("jitter", &["jitter", "random"]),
        ("factor", &["multiplier", "factor", "rate", "coefficient", "exponent"]),
        ("capMs", &["max", "cap"]),
        ("baseMs", &["delay", "interval", "wait", "initial", "min", "base", "backoff"]),
    ];
    let name = name.to_ascii_lowercase();
    // "Retry delay" is a delay, and so is "max retry delay".
    let timed = ["delay", "interval", "wait", "duration", "backoff", "period"].iter().any(|word| name.contains(word));
    let speaks = |(field, words): &&(&str, &[&str])| {
        (*field != "retries" || !timed) && words.iter().any(|word| name.contains(word))
    };
    let (field, _) = FIELDS.iter().find(speaks)?;
    settings.filter(|s| s.field == *field).find_map(|s| s.names().next())
}

/// Whether a name is a slip of the hand away from another: a letter too much, too few, wrong, or two in the wrong order;
/// two letters of a long one. Case and joiners aside. A plural is a slip only in a name that speaks of retries.
pub fn slip(name: &str, known: &str) -> bool {
    let shape = |name: &str| (letters(name).next(), letters(name).count());
    let ((first, count), (other, length)) = (shape(name), shape(known));
    if first != other || count.abs_diff(length) > 2 || count.min(length) < 5 - usize::from(name.starts_with("--")) {
        return false;
    }
    let speaks =
        |name: &str| ["retr", "attempt", "backof", "tries", "deliver", "reconn"].iter().any(|word| name.contains(word));
    let (a, b) = (squash(name), squash(known));
    let (short, long) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
    if a == b {
        return false;
    }
    if singular(&a) == singular(&b) {
        return speaks(&a) && name.len() > 6 && known.len() > 6;
    }
    let edits = edits(&a, &b);
    let swapped = a.len() == b.len() && edits == 2 && {
        let same = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
        let (a, b) = (&a.as_bytes()[same..], &b.as_bytes()[same..]);
        matches!((a, b), ([x, y, a @ ..], [u, v, b @ ..]) if x == v && y == u && a == b)
    };
    let wrong = edits == 1 && (short.len() < long.len() || short.len() > 6);
    wrong || swapped || edits == 2 && short.len() >= 12
}

/// Whether an item has a name that is a slip away from one of these.
pub fn slipped(item: &Item, known: &[&str]) -> bool {
    let mut names = item.args.iter().filter_map(|arg| arg.name.as_ref());
    names.any(|name| known.iter().any(|known| slip(&name.text, known)))
}

/// The Levenshtein distance.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(64).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
