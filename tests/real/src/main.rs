//! Runs what is written for a library in that library and compares its calls and waits with ours:
//! `cargo run -p real-tests [library …]`. The outcome is a row of `tests/real-libraries.md` for each library.
//!
//! One module says what is run and what is expected of it ([`cases`]), one brings and runs the libraries ([`systems`]; [`programs`] runs command lines),
//! one compares ([`compare`]), one writes the outcome down ([`outcome`]).

mod cases;
mod compare;
mod outcome;
mod programs;
mod systems;

use anyhow::{Result, bail};

fn main() -> Result<()> {
    let only: Vec<String> = std::env::args().skip(1).collect();
    let mut outcomes = Vec::new();
    for system in systems::ALL {
        let cases: Vec<_> =
            system.libraries.iter().filter(|id| wanted(&only, id)).flat_map(|id| cases::of(id)).collect();
        if !cases.is_empty() {
            outcomes.extend(compare::all(&cases, &(system.run)(&cases)?));
        }
    }
    for outcome in &outcomes {
        println!("{}", outcome.line());
        outcome.problems.iter().take(6).for_each(|problem| println!("    {problem}"));
    }
    outcome::write(&outcomes)?;
    let wrong = outcomes.iter().filter(|outcome| !outcome.problems.is_empty()).count();
    if wrong > 0 {
        bail!("{wrong} libraries do otherwise");
    }
    Ok(())
}

fn wanted(only: &[String], id: &str) -> bool {
    only.is_empty() || only.iter().any(|o| o == id)
}
