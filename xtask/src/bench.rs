//! `bench`: what is promised to be small or fast, measured, with its budget beside it.

use crate::workspace::{command, run};
use crate::{core, page};
use anyhow::Result;

/// Sizes, then the page in the engines, then the core natively.
pub fn all(engines: &[&str]) -> Result<()> {
    println!("dist/index.html: {}\n", page::build(&core::build()?)?);
    run(command("cargo", &["run", "--quiet", "--package", "page-tests", "--bin", "bench", "--"]).args(engines))?;
    println!();
    run(&mut command("cargo", &["bench", "--quiet", "--bench", "native"]))
}
