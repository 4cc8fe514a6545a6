//! `bench`: what is promised to be small or fast, measured, with its budget beside it.

use crate::workspace::{command, run};
use crate::{core, page};
use anyhow::Result;

/// Sizes, then the core natively.
pub fn all() -> Result<()> {
    println!("dist/index.html: {}\n", page::build(&core::build()?)?);
    run(&mut command("cargo", &["bench", "--quiet", "--bench", "native"]))
}
