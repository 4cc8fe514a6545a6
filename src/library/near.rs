//! The name that somebody meant.

use super::Setting;

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

/// The known name closest to `name`: the same letters in another spelling, one inside the other, or few edits away.
pub fn nearest(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let wanted = squash(name);
    let distance = |k: &&&'static str| {
        let k = squash(k);
        let part = k.len() >= 4 && wanted.len() >= 4 && (k.contains(&wanted) || wanted.contains(&k));
        if part { 1 } else { edits(&k, &wanted) }
    };
    let best = known.iter().min_by_key(|k| distance(k))?;
    (distance(&best) <= 1 + wanted.len() / 4).then_some(*best)
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

/// Whether a name is one slip of the hand away from another: a letter too much, too few, wrong, or two in the wrong order;
/// case and joiners aside. A plural is no slip.
pub fn slip(name: &str, known: &str) -> bool {
    if letters(name).next() != letters(known).next() || letters(name).count().abs_diff(letters(known).count()) > 1 {
        return false;
    }
    let (a, b) = (squash(name), squash(known));
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if short.len() < 5 {
        return false;
    }
    let same = short.iter().zip(long).take_while(|(x, y)| x == y).count();
    let (rest, longer) = (&short[same..], &long[same..]);
    match (rest, longer) {
        ([], [b's']) | ([], []) => false,
        _ if rest.len() < longer.len() => *rest == longer[1..],
        ([x, y, rest @ ..], [u, v, other @ ..]) if x == v && y == u => rest == other,
        ([_, rest @ ..], [_, other @ ..]) => rest == other && short.len() > 6,
        _ => false,
    }
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
