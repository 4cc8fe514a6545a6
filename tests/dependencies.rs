//! What other people's code may be built in: licences, where it comes from, nothing twice in the page. Needs no network.

use std::process::Command;

/// Licences under which the page and its tools can be given on as `MIT OR Apache-2.0`.
const ACCEPTED: [&str; 8] =
    ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-3-Clause", "ISC", "Zlib", "Unlicense", "Unicode-3.0"];

#[test]
fn every_licence_is_accepted() {
    let packages = tree(&["--workspace", "--target=all", "--prefix=none", "--format={l}\t{p}"]);
    assert!(packages.lines().count() > 10, "{packages}");
    for (licence, package) in packages.lines().filter_map(|line| line.split_once('\t')) {
        assert!(is_accepted(licence), "{package} has the licence {licence:?}");
    }
}

#[test]
fn every_package_comes_from_one_registry() {
    let mut sources: Vec<_> =
        include_str!("../Cargo.lock").lines().filter_map(|l| l.strip_prefix("source = ")).collect();
    sources.dedup();
    assert!(matches!(sources[..], [one] if one.starts_with("\"registry+")), "{sources:?}");
}

#[test]
fn the_page_holds_no_package_twice() {
    let page = ["--package=backoff-calculator", "--target=wasm32-unknown-unknown", "--edges=normal,no-proc-macro"];
    assert!(tree(&page).contains("wasm-bindgen"));
    assert_eq!(tree(&[&page[..], &["--duplicates"]].concat()), "");
}

#[test]
fn each_part_of_an_expression_needs_one_accepted_licence() {
    for accepted in ["MIT", "MIT/Apache-2.0", "GPL-3.0 OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0"] {
        assert!(is_accepted(accepted), "{accepted}");
    }
    for refused in ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR Apache-2.0) AND GPL-3.0"] {
        assert!(!is_accepted(refused), "{refused}");
    }
}

/// What `cargo tree` prints.
fn tree(args: &[&str]) -> String {
    let cargo = Command::new(env!("CARGO")).args(["tree", "--locked", "--quiet"]).args(args).output();
    let output = cargo.expect("cargo runs this test, so it is there");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Whether one of the licences that an expression offers is accepted, for each part that it asks for.
fn is_accepted(expression: &str) -> bool {
    let one_of = |part: &str| part.split(" OR ").flat_map(|side| side.split('/')).any(|l| ACCEPTED.contains(&l.trim()));
    expression.split(" AND ").all(|part| one_of(part.trim_matches(['(', ')', ' '])))
}
