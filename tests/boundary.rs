//! What is read can be handed back: every policy that a text gives is one that the functions for other pages accept.

use backoff::api;
use backoff::library::Choice;
use backoff::policy::check;
use serde_json::Value;

#[test]
fn a_policy_read_is_a_policy_accepted() {
    let mut texts: Vec<String> = api::libraries().iter().flat_map(|l| l.examples.clone()).map(str::to_owned).collect();
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases")).unwrap() {
        let cases: Value = serde_json::from_slice(&std::fs::read(file.unwrap().path()).unwrap()).unwrap();
        texts.extend(cases["cases"].as_array().unwrap().iter().filter_map(|c| Some(c["input"].as_str()?.to_owned())));
    }
    let mut refused = Vec::new();
    for text in &texts {
        for reading in api::read(text, &Choice::default()) {
            let json = serde_json::to_string(&reading.policy).unwrap();
            if check::from_json(&json).as_ref() != Ok(&reading.policy) {
                refused.push(format!("{} of\n{text}\n{json}\n{:?}", reading.library, check::from_json(&json)));
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n\n"));
    assert!(texts.len() > 800, "{}", texts.len());
}
