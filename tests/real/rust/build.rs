//! Makes a function of every text in the file that `CASES` names: it gives the waits of one run.

use std::fmt::Write;

/// The crate of a library, how a text begins that ends in its binding, and the waits of that binding.
const CRATES: &[(&str, &str, &str)] = &[
    ("tokio-retry", "tokio-retry", "strategy.take(13).collect()"),
    ("tokio-retry2", "tokio-retry2", "strategy.take(13).collect()"),
    ("backon", "backon", "backon::BackoffBuilder::build(policy).take(13).collect()"),
    ("rust-backoff", "backoff", "super::backoff(backoff)"),
    ("retry-policies", "retry-policies", "super::policy(policy)"),
];

fn main() {
    println!("cargo:rerun-if-env-changed=CASES");
    let file = std::env::var("CASES").expect("CASES names the file of the cases");
    println!("cargo:rerun-if-changed={file}");
    let cases: Vec<serde_json::Value> = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let lock = std::fs::read_to_string("Cargo.lock").unwrap();
    let mut out = String::from("pub static CASES: &[(&str, usize, fn() -> Vec<std::time::Duration>)] = &[\n");
    let mut functions = String::new();
    for (n, case) in cases.iter().enumerate() {
        let (_, package, waits) = CRATES.iter().find(|(id, ..)| case["library"] == *id).unwrap();
        let version = lock.split(&format!("name = \"{package}\"\nversion = \"")).nth(1).unwrap().split('"').next().unwrap();
        writeln!(out, "    (\"{package} {version}\", {}, case_{n}),", case["times"]).unwrap();
        let text = case["text"].as_str().unwrap().replace("let mut ", "let ");
        let text = text.replace("use backoff::", "use ::backoff::");
        writeln!(functions, "#[allow(unused)] fn case_{n}() -> Vec<std::time::Duration> {{\n{text}\n{waits}\n}}").unwrap();
    }
    let out = format!("{out}];\n{functions}");
    std::fs::write(std::path::Path::new(&std::env::var("OUT_DIR").unwrap()).join("cases.rs"), out).unwrap();
}
