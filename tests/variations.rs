//! The same text written otherwise means the same: every golden case in other spellings that change nothing.

#[path = "golden/files.rs"]
mod files;
mod rewrite;

use backoff::library::{Certainty, Choice, Reading, read};
use files::files;
use rewrite::{Syntax, rewritings};
use serde_json::Value;

/// A case that is valid, with how its text is written.
struct Case {
    name: String,
    library: String,
    text: String,
    syntax: Syntax,
}

fn cases() -> Vec<Case> {
    let mut out = Vec::new();
    for file in files() {
        let valid = |case: &&Value| case["expect"].get("error_about").is_none();
        out.extend(file.cases.iter().filter(valid).map(|case| {
            let text = case["input"].as_str().expect("input").to_string();
            let language = case["language"].as_str().unwrap_or_default();
            let name = format!("{}/{}", file.library, case["name"].as_str().unwrap_or("?"));
            Case { name, library: file.library.clone(), syntax: Syntax::of(&text, language), text }
        }));
    }
    out
}

/// What a reading must keep: the library, the policy, and whether anything is wrong.
fn meaning(readings: &[Reading]) -> Vec<(&'static str, &backoff::policy::Policy, bool)> {
    readings.iter().map(|r| (r.library.id, &r.policy, r.has_error())).collect()
}

#[test]
fn a_case_means_the_same_however_it_is_written() {
    let only = std::env::var("LIBRARY").ok();
    let mut problems = Vec::new();
    let mut count = 0;

    for case in cases().iter().filter(|c| only.as_ref().is_none_or(|o| o.split(',').any(|o| o == c.library))) {
        let readings = read(&case.text, &Choice::default());
        for (what, text) in rewritings(&case.text, case.syntax, readings.len()) {
            count += 1;

            let again = read(&text, &Choice::default());
            let (was, is) = (meaning(&readings), meaning(&again));
            if was != is {
                let ids = |of: &[(&'static str, _, bool)]| of.iter().map(|(id, ..)| *id).collect::<Vec<_>>();
                problems.push(format!("{} ({what}): {:?} became {:?}\n{text}", case.name, ids(&was), ids(&is)));
            }
        }
    }
    assert!(only.is_some() || count > 4_000, "only {count} rewritings");
    assert!(problems.is_empty(), "{} of {count} changed:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn two_cases_in_one_paste_are_both_read() {
    let all = cases();
    let mut problems = Vec::new();
    let mut count = 0;
    for syntax in [Syntax::Python, Syntax::JavaScript, Syntax::Braces, Syntax::Ruby, Syntax::Php, Syntax::Yaml] {
        // The first case of each library that is certain, without the words around it.
        let mut firsts: Vec<(&Case, Vec<Reading>)> = Vec::new();
        for case in all.iter().filter(|c| c.syntax == syntax) {
            let readings = read(&case.text, &Choice::default());
            let own = readings.len() == 1 && readings[0].library.id == case.library;
            let sure = own && readings[0].certainty == Certainty::Certain;
            if sure && firsts.last().is_none_or(|(last, _)| last.library != case.library) {
                firsts.push((case, readings));
            }
        }
        let between = if syntax == Syntax::Yaml { "\n---\n" } else { "\n\n" };
        let neighbours = firsts.windows(2).flat_map(|two| [(&two[0], &two[1]), (&two[1], &two[0])]);
        for ((a, of_a), (b, of_b)) in neighbours {
            count += 1;
            let text = format!("{}{between}{}", a.text.trim_end(), b.text.trim_start_matches("<?php"));
            let again = read(&text, &Choice::default());
            let wanted: Vec<_> = meaning(of_a).into_iter().chain(meaning(of_b)).collect();
            if meaning(&again) != wanted {
                let ids: Vec<_> = again.iter().map(|r| r.library.id).collect();
                problems.push(format!("{} and {}: {ids:?}\n{text}", a.name, b.name));
            }
        }
    }
    assert!(count > 60, "only {count} pairs");
    assert!(problems.is_empty(), "{} of {count} pairs:\n{}", problems.len(), problems.join("\n"));
}
