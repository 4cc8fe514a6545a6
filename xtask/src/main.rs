//! Builds, serves and tests the page: `cargo xtask <verb>`.
//!
//! One module a verb, and three for what verbs share: [`workspace`] (folders and commands), [`core`] (Rust to
//! WebAssembly and its glue) and [`page`] (the script and the two forms of the page).

mod core;
mod open;
mod page;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask <verb>

  open [--no-open]     build both forms of the page, print their addresses, open the browser
";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let verb = args.next().unwrap_or_default();
    let options: Vec<String> = args.collect();
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let done = match verb.as_str() {
        "open" => open::run(&options),
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
