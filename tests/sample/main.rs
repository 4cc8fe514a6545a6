//! Runs in the copy: the library that was added is listed, read, shown, and in the table.

use backoff::library::{Choice, by_id, read, readme};
use backoff::report::{Request, report};
use backoff::schedule::schedule;

fn main() {
    let library = by_id("sample").expect("the library is in the registry");
    for example in library.examples {
        let readings = read(example.text, &Choice::default());
        assert_eq!(readings.len(), 1, "{readings:?}");
        assert_eq!(readings[0].library.id, "sample");
        assert!(readings[0].findings.is_empty(), "{:?}", readings[0].findings);
        let waits = schedule(&readings[0].policy, 12).waits;
        let waits: Vec<_> = waits.iter().map(|wait| (wait.min_ms / 1e3, wait.max_ms.unwrap() / 1e3)).collect();
        assert_eq!(waits, example.waits);
    }
    // 5 + 10 = 15
    let shown = report(&Request { text: library.examples[0].text.into(), ..Request::default() });
    assert!(shown.answer.text.contains("patiently") && shown.answer.text.contains("15 s"), "{}", shown.answer.text);
    assert!(readme().contains("patiently"));
}
