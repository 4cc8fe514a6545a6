//! `docs`: the tables generated from the registries of libraries and rules.

use crate::workspace::{command, run};
use anyhow::Result;

/// Writes them by the test that otherwise compares them, so that only one place knows what they hold.
pub fn write() -> Result<()> {
    run(command("cargo", &["test", "--quiet", "--test", "docs"]).env("WRITE_DOCS", "1"))
}
