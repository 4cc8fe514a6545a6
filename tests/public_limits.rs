//! The public questions that ask whether a configuration fits into a limit, as the page answers them.

use backoff::report::{Fits, Request, report};
use serde_json::Value;

/// Verdict on the entry `id` of the public collection under `limit`, with the calls taking `call`; what the page says
/// of it, and of the calls that still begin.
fn verdict(id: &str, limit: &str, call: &str) -> (Fits, String, String) {
    let entries: Vec<Value> = serde_json::from_str(include_str!("public_cases.json")).unwrap();
    let entry = entries.iter().find(|entry| entry["id"] == id).unwrap();
    let assumed = [("limit-own", limit), ("call-time", call)].into_iter().filter(|(_, text)| !text.is_empty());
    let request = Request {
        text: entry["input"].as_str().unwrap().into(),
        assumed: assumed.map(|(key, text)| (key.into(), text.into())).collect(),
        patient: true,
        ..Request::default()
    };
    let total = report(&request).total.unwrap();
    let row = total.limits.iter().find(|row| row.field.key == "limit-own").unwrap();
    let verdict = row.verdict.as_ref().unwrap();
    (verdict.fits, verdict.words.text(), verdict.calls.text())
}

fn is(have: (Fits, String, String), fits: Fits, words: &str, calls: &str) {
    assert_eq!(have, (fits, words.to_owned(), calls.to_owned()));
}

#[test]
fn twelve_waits_and_thirteen_tries_of_five_seconds_fit_into_230() {
    // 12 x 10 + 13 x 5 = 185.
    is(verdict("devgem-polly-12", "230s", "5s"), Fits::Always, "fits, 45 s to spare", "");
}

#[test]
fn three_seconds_are_left_for_four_runs() {
    is(verdict("sfn-programming-helper", "10s", ""), Fits::Always, "fits, 3 s to spare", "");
    // 7 + 4 x 1 is above 10.
    let late = "Before it every retry begins.";
    is(verdict("sfn-programming-helper", "10s", "1s"), Fits::Never, "does not fit: it takes at least 11 s", late);
}

#[test]
fn the_fourth_try_is_not_made_within_100_seconds() {
    // Begun at 0, 35, 70 and 105 s; 4 x 5 + 3 x 30 = 110.
    let calls = "Before it retries 1 and 2 always begin, retry 3 never begins.";
    is(verdict("wp-polly-30s", "100s", "5s"), Fits::Never, "does not fit: it takes at least 110 s", calls);
}

#[test]
fn a_lock_has_to_outlast_tries_and_telescoping_waits() {
    // 4 x 1.5 + 2.85155 = 8.85155; the waits alone would add up to 4.27 if each were as long as it can be.
    let (fits, words, _) = verdict("so-polly-76921448", "9s", "1.5s");
    assert_eq!((fits, words.as_str()), (Fits::Always, "fits, 148 ms to spare"));
    // At least 4 x 1.5 + 1.418625.
    let (fits, words, _) = verdict("so-polly-76921448", "7s", "1.5s");
    assert_eq!((fits, words.as_str()), (Fits::Never, "does not fit: it takes at least 7.42 s"));
}
