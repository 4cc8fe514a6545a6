//! The tables that are generated from the registries are what the registries say.

use std::path::Path;

/// With `WRITE_DOCS` set the tables are written instead: that is `cargo xtask docs`.
fn current(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os("WRITE_DOCS").is_some() {
        std::fs::write(&path, text).expect("the folder is part of the checkout");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == text, "{file} is not what the registry says; run `cargo xtask docs`");
}

#[test]
fn libraries() {
    current("src/library/README.md", &backoff::library::readme());
}

#[test]
fn rules() {
    current("src/rule/README.md", &backoff::rule::readme());
}
