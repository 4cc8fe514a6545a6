//! The case files.

use serde_json::Value;
use std::path::Path;

/// One file of `tests/cases`.
pub struct File {
    /// The library's id.
    pub library: String,
    /// Its cases, each with its language, or with all of the file joined by `/`.
    pub cases: Vec<Value>,
}

/// Every file, by name.
pub fn files() -> Vec<File> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut paths: Vec<_> = std::fs::read_dir(folder).expect("tests/cases").map(|e| e.expect("entry").path()).collect();
    paths.sort();
    let json = paths.iter().filter(|p| p.extension().is_some_and(|e| e == "json"));
    json.map(|path| {
        let text = std::fs::read_to_string(path).expect("readable");
        let file: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let library = file["library"].as_str().expect("library").to_string();
        let mut cases = file["cases"].as_array().expect("cases").clone();
        for case in cases.iter_mut().filter(|case| case.get("language").is_none()) {
            case["language"] = file["language"].clone();
        }
        File { library, cases }
    })
    .collect()
}
