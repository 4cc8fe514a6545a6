//! `walk`: follows ARCHITECTURE.md. What it says of adding a library is done in a copy of the tree, which then has one more.

use crate::workspace::{command, output, read, root, run, target_dir};
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::Path;

/// Where the sample library goes, and what it is called.
const FOLDER: &str = "shell";
const ID: &str = "sample";

/// Adds `tests/sample/library.rs` by the paragraph, and runs `tests/sample/main.rs` with it.
pub fn library() -> Result<()> {
    let text = read("ARCHITECTURE.md")?;
    let paragraph =
        text.split("\n* **").find_map(|part| part.strip_prefix("A library**")).context("no such paragraph")?;
    let said: Vec<String> = paragraph
        .split('`')
        .skip(1)
        .step_by(2)
        .map(|code| code.replace("<folder>", FOLDER).replace("<id>", ID))
        .collect();
    let [file, list, lines @ ..] = said.as_slice() else {
        bail!("it names no file and no list");
    };
    let copy = target_dir().join("walk");
    copied(&copy)?;
    fs::copy(root().join("tests/sample/library.rs"), copy.join(file))
        .with_context(|| format!("no place for {file}"))?;
    let mut listed = fs::read_to_string(copy.join(list)).with_context(|| format!("there is no {list}"))?;
    for line in lines.iter().take_while(|line| line.contains(ID)) {
        listed = with(&listed, line).with_context(|| format!("{list} has no line like {line:?}"))?;
    }
    fs::write(copy.join(list), listed)?;
    fs::create_dir_all(copy.join("src/bin"))?;
    fs::copy(root().join("tests/sample/main.rs"), copy.join("src/bin/sample.rs"))?;
    // The packages that others have written are built already.
    let mut cargo = command("cargo", &["run", "--quiet", "--offline", "--bin", "sample"]);
    run(cargo.current_dir(&copy).env("CARGO_TARGET_DIR", target_dir()).env("CARGO_PROFILE_DEV_DEBUG", "0"))
}

/// Copies what belongs to the tree, so that what is unchanged since the last time is not built again.
fn copied(to: &Path) -> Result<()> {
    let files = output(&mut command("git", &["ls-files", "--cached", "--others", "--exclude-standard"]))?;
    let files: Vec<&str> = files.lines().filter(|file| root().join(file).is_file()).collect();
    ensure!(files.len() > 100, "only {} files are in the tree", files.len());
    for file in files {
        let (from, to) = (root().join(file), to.join(file));
        let bytes = fs::read(&from)?;
        if fs::read(&to).is_ok_and(|old| old == bytes) {
            continue;
        }
        fs::create_dir_all(to.parent().context("a file is in a folder")?)?;
        fs::write(&to, bytes)?;
    }
    Ok(())
}

/// A list with one more line, before the first of the same kind: `mod …;`, `&…::LIBRARY,`.
fn with(list: &str, line: &str) -> Option<String> {
    let (before, after) = line.split_once(ID)?;
    let alike = |other: &&str| other.trim().starts_with(before) && other.trim().ends_with(after);
    let first = list.lines().find(alike)?;
    Some(list.replacen(first, &format!("{line}\n{first}"), 1))
}
