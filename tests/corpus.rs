//! Texts that are not about retries, though they use the same words: none of them may be read.

use backoff::library::{Choice, read};
use std::path::Path;

/// Stands between two texts of a file.
const BETWEEN: &str = "\n@@@@\n";

/// Every text with where it stands.
fn texts() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/innocent");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("tests/innocent").map(|e| e.expect("entry").path()).collect();
    paths.sort();
    let mut out = Vec::new();
    for path in paths {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let all = std::fs::read_to_string(&path).expect("readable");
        out.extend(all.split(BETWEEN).enumerate().map(|(at, text)| (format!("{name} {at}"), text.to_string())));
    }
    out
}

#[test]
fn no_innocent_text_is_read() {
    let texts = texts();
    assert!(texts.len() >= 150, "only {} texts", texts.len());
    let mut problems = Vec::new();
    for (name, text) in &texts {
        assert!(!text.trim().is_empty(), "{name} is empty");
        for reading in read(text, &Choice::default()) {
            let place = reading.place.span.of(text);
            problems.push(format!("{name}: {} ({:?}) at {place:?}", reading.library.id, reading.certainty));
        }
    }
    assert!(problems.is_empty(), "{} false readings:\n{}", problems.len(), problems.join("\n"));
}
