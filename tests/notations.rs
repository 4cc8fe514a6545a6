//! Reading any text: what it becomes, and that nothing breaks it.

mod spans;

use backoff::notation::{self, Form};
use proptest::prelude::*;
use spans::check;
use std::fs;

/// Every input of the golden cases.
fn inputs() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases");
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("the cases").map(|entry| entry.expect("a case").path()).collect();
    files.sort();
    let texts = files.iter().filter(|path| path.extension().is_some_and(|e| e == "json")).flat_map(|path| {
        let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(path).expect("a file")).expect("JSON");
        let cases = json["cases"].as_array().cloned().unwrap_or_default();
        cases.into_iter().filter_map(|case| case["input"].as_str().map(str::to_string))
    });
    texts.collect()
}

#[test]
fn no_prefix_and_no_suffix_breaks_anything() {
    let inputs = inputs();
    assert!(inputs.len() > 600, "the cases are in the folder");
    for input in &inputs {
        let cuts: Vec<usize> = input.char_indices().map(|(at, _)| at).chain([input.len()]).collect();
        let step = (cuts.len() / 40).max(1);
        for &cut in cuts.iter().step_by(step) {
            check(&notation::read(&input[..cut]));
            check(&notation::read(&input[cut..]));
        }
    }
}

#[test]
fn nothing_is_lost_by_line_endings() {
    for input in inputs() {
        let windows = input.replace('\n', "\r\n");
        let count = |text: &str| notation::read(text).all().len();
        assert_eq!(count(&input), count(&windows), "{input}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(text in "[ -~\n\tµ😀“”אב]{0,200}") {
        check(&notation::read(&text));
    }

    #[test]
    fn any_mixture_of_signs_is_read(parts in prop::collection::vec(
        prop::sample::select(vec![
            "a", ":", " ", "\n", "- ", "\"", "'", "{", "}", "[", "]", "<", ">", "/", "=", "#", "&x", "*x", "!t", "|\n",
            "```\n", "$ ", "+", "-", "1", "2s", ".", "\\", "\t", "${", "{{", "}}", "😀", "(", ")", ",", "<<: ", "---\n",
        ]),
        0..60,
    )) {
        check(&notation::read(&parts.concat()));
    }
}

#[test]
fn deep_and_large_and_binary_texts_are_answered() {
    for deep in ["[", "{", "(", "{\"a\":", "a: [", "- ", "<a>", "a(", "a:\n "] {
        check(&notation::read(&deep.repeat(100_000)));
    }
    let binary = "\u{0}\u{1}PNG\u{2}".repeat(50);
    let document = notation::read(&binary);
    assert!(document.items.is_empty());
    assert_eq!(document.findings[0].code, "binary");
    let large = "retries: 3\n".repeat(500_000);
    assert_eq!(notation::read(&large).findings[0].code, "too-large");
}

#[test]
fn an_alias_bomb_stays_small() {
    let mut text = String::from("a0: &a0 {x: 1, y: 2}\n");
    for level in 1..40 {
        let below = level - 1;
        text += &format!("a{level}: &a{level} [*a{below}, *a{below}, *a{below}, *a{below}, *a{below}]\n");
    }
    let document = notation::read(&text);
    assert!(document.all().len() < 20_000);
    assert!(document.findings.iter().any(|f| f.code == "alias-limit"));
}

#[test]
fn comments_are_items_and_no_values() {
    let document = notation::read("# urllib3 1.26\nretries: 3 # not 4\nurl: \"http://x/#y\"\n");
    let comments: Vec<&str> =
        document.items.iter().filter(|i| i.form == Form::Comment).map(|i| i.head.text.as_str()).collect();
    assert_eq!(comments, ["urllib3 1.26", "not 4"]);
    assert!(document.all().iter().all(|item| item.form != Form::Comment));
}

/// `step.do(…)` on a parameter says that it is made on `step`, whether its result is bound or not.
#[test]
fn a_call_on_a_parameter_keeps_whom_it_is_made_on() {
    for text in
        ["f(async (step) => { await step.do(\"a\", 1); })", "f(async (step) => { const x = await step.do(\"a\", 1); })"]
    {
        let document = notation::read(text);
        let call = document.all().into_iter().find(|item| item.call("do").is_some()).expect(text);
        assert_eq!(call.target.as_ref().map(|name| name.text.as_str()), Some("step"), "{text}");
    }
}
