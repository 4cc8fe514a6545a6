//! `dist`: the page in one file, the same bytes on every machine.

use crate::workspace::root;
use crate::{core, page};
use anyhow::Result;
use sha2::{Digest, Sha256};

/// Builds it; prints its size by parts and its digest.
pub fn run() -> Result<()> {
    let sizes = page::build(&core::build()?)?;
    println!("{sizes}");
    let digest = Sha256::digest(std::fs::read(root().join("dist/index.html"))?);
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    println!("{digest}  dist/index.html");
    sizes.check()
}
