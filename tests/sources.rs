//! What no source of the page may hold, because its policy cannot forbid it or a reader would have to trust us: ways to
//! send, to navigate with data, to run text, to make markup of data.

use std::fs::{read_dir, read_to_string};
use std::path::{Path, PathBuf};

/// Text that must not stand in a script, and what it would do.
const FORBIDDEN: &[(&str, &str)] = &[
    ("fetch(", "sends"),
    ("XMLHttpRequest", "sends"),
    ("WebSocket", "sends"),
    ("EventSource", "sends"),
    ("WebTransport", "sends"),
    ("sendBeacon", "sends"),
    ("RTC", "sends, and no policy forbids it"),
    ("importScripts", "loads"),
    ("import(", "loads"),
    ("location.href =", "navigates"),
    ("location =", "navigates"),
    ("location.assign", "navigates"),
    ("location.replace", "navigates"),
    ("window.open", "navigates"),
    ("open(\"", "navigates"),
    (".submit(", "navigates"),
    (".requestSubmit(", "navigates"),
    ("eval(", "runs text"),
    ("new Function", "runs text"),
    ("innerHTML", "makes markup of text"),
    ("outerHTML", "makes markup of text"),
    ("insertAdjacentHTML", "makes markup of text"),
    ("document.write", "makes markup of text"),
    ("createContextualFragment", "makes markup of text"),
    ("DOMParser", "makes markup of text"),
    ("setHTML", "makes markup of text"),
    ("localStorage", "stores"),
    ("sessionStorage", "stores"),
    ("indexedDB", "stores"),
    ("document.cookie", "stores"),
];

/// Every file with this ending below a folder, built ones left out.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() && !entry.ends_with("www/pkg") {
            found.extend(files(&entry, ending));
        } else if entry.extension().is_some_and(|e| e == ending) {
            found.push(entry);
        }
    }
    found
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What a script holds of the list.
fn forbidden(script: &str) -> Vec<&'static str> {
    FORBIDDEN.iter().filter(|(text, _)| script.contains(text)).map(|(text, _)| *text).collect()
}

#[test]
fn scripts_send_store_and_evaluate_nothing() {
    let scripts = files(&root().join("www"), "js");
    assert!(scripts.len() > 10, "{scripts:?}");
    for path in scripts {
        let found = forbidden(&read_to_string(&path).unwrap());
        assert!(found.is_empty(), "{}: {found:?}", path.display());
    }
    assert_eq!(forbidden("element.innerHTML = text; fetch('x')"), ["fetch(", "innerHTML"]);
}

#[test]
fn markup_has_no_form_no_handler_and_no_style_of_its_own() {
    let page = read_to_string(root().join("index.html")).unwrap();
    for text in
        ["<form", "<iframe", "<object", "<embed", "<base", "<meta http-equiv=\"refresh", "javascript:", " style=\""]
    {
        assert!(!page.contains(text), "index.html holds {text}");
    }
    let handler = page.split(" on").skip(1).find(|rest| {
        let name = rest.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
        !name.is_empty() && rest[name.len()..].starts_with("=\"")
    });
    assert_eq!(handler.map(|rest| &rest[..rest.len().min(40)]), None);
    let policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src data: blob:; \
                  worker-src blob:; connect-src 'none'; base-uri 'none'; form-action 'none'";
    assert!(page.contains(policy));
}

#[test]
fn no_code_is_unsafe() {
    let manifest = read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(manifest.contains("unsafe_code = \"forbid\""));
    for member in [root().join("xtask"), root().join("tests/page"), root().into()] {
        let manifest = read_to_string(member.join("Cargo.toml")).unwrap();
        assert!(manifest.contains("[lints]\nworkspace = true"), "{}", member.display());
    }
    let fuzz = read_to_string(root().join("tests/fuzz/Cargo.toml")).unwrap();
    assert!(fuzz.contains("[lints.rust]\nunsafe_code = \"forbid\""));
}

/// Floats have one arithmetic everywhere, but `sin`, `pow` and their like are each system's own: the page and the tests
/// agree to the last bit because all of these are libm's.
#[test]
fn the_core_takes_no_function_of_the_system() {
    let own = ["powf", "exp", "exp2", "exp_m1", "ln", "ln_1p", "log10", "log2", "sin", "cos", "sin_cos", "tan", "tanh"];
    let own = own.iter().chain(&["sinh", "cosh", "asin", "acos", "atan", "atan2", "cbrt", "hypot", "mul_add", "gamma"]);
    let calls: Vec<String> = own.map(|name| format!(".{name}(")).collect();
    for path in files(&root().join("src"), "rs") {
        let text = read_to_string(&path).unwrap();
        let found: Vec<_> = calls.iter().filter(|call| text.contains(*call)).collect();
        assert!(found.is_empty(), "{}: {found:?}", path.display());
    }
}
