//! Which libraries a text could be about: an index of words, so that only a few libraries look closer.
//!
//! A token is a run of letters, digits and joiners (`.`, `::`, `-`, `/`, `@`, `$`, `_`, `<`). A word matches a token, or a run of
//! whole segments of it: `@aws-sdk/util-retry` matches in `"@aws-sdk/util-retry/x"`, `retry.operation` in
//! `this.retry.operation`. The more libraries share a word, the less it weighs.

use super::{Library, all};
use std::collections::HashMap;
use std::sync::OnceLock;

/// Words of up to this many segments are looked up.
const SEGMENTS: usize = 8;

struct Index {
    libraries: Vec<&'static Library>,
    words: HashMap<&'static str, Vec<usize>>,
    /// The lengths of the words that begin with a byte, as bits; the last bit stands for all that are longer.
    lengths: [u64; 256],
}

fn index() -> &'static Index {
    static INDEX: OnceLock<Index> = OnceLock::new();
    INDEX.get_or_init(|| {
        let libraries: Vec<_> = all().collect();
        let mut words: HashMap<&'static str, Vec<usize>> = HashMap::new();
        let mut lengths = [0; 256];
        for (at, library) in libraries.iter().enumerate() {
            for word in library.words {
                words.entry(word).or_default().push(at);
                lengths[usize::from(word.as_bytes()[0])] |= length_bit(word);
            }
        }
        Index { libraries, words, lengths }
    })
}

fn length_bit(word: &str) -> u64 {
    1 << word.len().min(63)
}

/// The libraries with at least one word in the text, and the weight of what was found, heaviest first.
pub fn candidates(text: &str) -> Vec<(&'static Library, f64)> {
    let index = index();
    let mut found: HashMap<&'static str, ()> = HashMap::new();
    let mut weights = vec![0.0; index.libraries.len()];
    for token in text.split(|c: char| !(c.is_ascii_alphanumeric() || "._:-/@$<".contains(c))).filter(|t| !t.is_empty())
    {
        let mut visit = |run: &str| {
            if index.lengths[usize::from(run.as_bytes()[0])] & length_bit(run) == 0 {
                return;
            }
            let Some((word, libraries)) = index.words.get_key_value(run) else { return };
            if found.insert(word, ()).is_none() {
                for &at in libraries {
                    weights[at] += 1.0 / (libraries.len() as f64).sqrt();
                }
            }
        };
        // The variables that an environment gives to one program begin with its name.
        if let Some((program, _)) = token.split_once('_').filter(|(p, _)| *p == "RESILIENCE4J") {
            visit(program);
        }
        each_run(token, visit);
    }
    let mut out: Vec<_> = index.libraries.iter().copied().zip(weights).filter(|&(_, w)| w > 0.0).collect();
    crate::sort::by(&mut out, |a, b| b.1.total_cmp(&a.1));
    out
}

/// Calls `visit` with every run of whole segments of a token, joiners inside included.
fn each_run<'t>(token: &'t str, mut visit: impl FnMut(&'t str)) {
    let word = |at: usize| token.as_bytes().get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let edge = |at: usize| at == 0 || !(word(at - 1) && word(at));
    let edges: Vec<usize> = (0..=token.len()).filter(|&at| edge(at)).collect();
    for (i, &start) in edges.iter().enumerate() {
        for &end in edges[i + 1..].iter().take(2 * SEGMENTS) {
            visit(&token[start..end]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_of_whole_segments() {
        let mut runs = Vec::new();
        each_run("a.b_c::d", |run| runs.push(run));
        for want in ["a", "a.b_c", "b_c", "b_c::d", "a.b_c::d"] {
            assert!(runs.contains(&want), "{want} in {runs:?}");
        }
        assert!(!runs.contains(&"b"));
    }
}
