//! Builds, serves and tests the page: `cargo xtask <verb>`.
//!
//! One module a verb, and six for what verbs share: [`workspace`] (folders and commands), [`tools`] (what the checks
//! need), [`core`] (Rust to WebAssembly and its glue), [`page`] (the script and the two forms of the page), [`bare`] and
//! [`pack`] (texts and the module made small).

mod bare;
mod bench;
mod core;
mod dist;
mod docs;
mod open;
mod pack;
mod page;
mod serve;
mod test;
mod tools;
mod walk;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask <verb>

  open [--no-open]              build both forms of the page, print their addresses, open the browser
  serve                         the same over http on this machine, built again after every change
  test [--install] [--engines chromium,firefox,webkit]
                                every check; --install brings the tools that are missing
  bench [chromium] [firefox] [webkit]
                                sizes and times beside their budgets
  docs                          write the tables of libraries and rules again
  walk                          add a sample library to a copy of the tree, as ARCHITECTURE.md says
  dist                          build the page in one file; its parts, size and digest
";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let verb = args.next().unwrap_or_default();
    let options: Vec<String> = args.collect();
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let done = match verb.as_str() {
        "open" => open::run(&options),
        "serve" => serve::run(),
        "test" => test::run_all(&options),
        "dist" => dist::run(),
        "docs" => docs::write(),
        "walk" => walk::library(),
        "bench" => bench::all(&options),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
