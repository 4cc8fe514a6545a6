//! `test`: every check there is, with the time of each.

use crate::page::Sizes;
use crate::tools::{self, ENGINES};
use crate::workspace::{command, root, run};
use crate::{core, page, walk};
use anyhow::{Context, Result, bail};
use std::time::{Duration, Instant};

/// Runs every check, in the order in which a fault is cheapest to find; stops at the first that fails.
pub fn run_all(options: &[&str]) -> Result<()> {
    let (install, engines) = parsed(options)?;
    let mut steps = Steps(Vec::new());
    steps.take("tools", || tools::provide(&engines, install))?;
    steps.cargo("format", &["fmt", "--all", "--check"])?;
    steps.cargo("clippy", &["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    let wasm = ["clippy", "--quiet", "--lib", "--target", core::TARGET, "--", "-D", "warnings"];
    steps.take("clippy for wasm", || {
        core::add_target()?;
        run(&mut command("cargo", &wasm))
    })?;
    // The cells of a million callers, a hundred runs where `cargo test` is content with twenty, a million draws of a law.
    steps.take("native tests", || run(command("cargo", &["test", "--quiet"]).env("ALL_CELLS", "1")))?;
    let mut sizes = None;
    steps.take("page", || page::build(&core::build()?).map(|built| sizes = Some(built)))?;
    steps.take("JavaScript types", || node("tsc", "www", &[]))?;
    steps.take("JavaScript and CSS style", || node("biome", "www", &["ci", "--error-on-warnings", "."]))?;
    steps.take("HTML", || node("html-validate", ".", &["index.html", "dist/index.html"]))?;
    steps.cargo("page tests, build", &["build", "--quiet", "--package", "page-tests"])?;
    steps.take("walk-through", walk::library)?;
    for engine in &engines {
        steps.cargo(&format!("page tests, {engine}"), &["run", "--quiet", "--package", "page-tests", "--", engine])?;
    }
    steps.take("size", || sizes.iter().try_for_each(Sizes::check))?;
    steps.print();
    let rest: Vec<&str> = ENGINES.into_iter().filter(|engine| !engines.contains(engine)).collect();
    if !rest.is_empty() {
        println!("Not tested: {}.", rest.join(", "));
    }
    Ok(())
}

/// Whether to install, and the engines to test.
fn parsed<'a>(options: &[&'a str]) -> Result<(bool, Vec<&'a str>)> {
    let mut engines = ENGINES.to_vec();
    let mut install = false;
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match *option {
            "--install" => install = true,
            "--engines" => engines = options.next().context("--engines takes names")?.split(',').collect(),
            other => bail!("test takes --install and --engines, not {other}"),
        }
    }
    if let Some(unknown) = engines.iter().find(|engine| !ENGINES.contains(engine)) {
        bail!("there is no engine {unknown:?}; there are {}", ENGINES.join(", "));
    }
    Ok((install, engines))
}

/// Runs a pinned Node tool in a folder, where it finds its configuration.
fn node(tool: &str, folder: &str, args: &[&str]) -> Result<()> {
    let tool = root().join("tests/node_modules/.bin").join(tool);
    run(command(&tool.to_string_lossy(), args).current_dir(root().join(folder)))
}

/// The steps so far and how long each took.
struct Steps(Vec<(String, Duration)>);

impl Steps {
    fn take(&mut self, name: &str, step: impl FnOnce() -> Result<()>) -> Result<()> {
        println!("— {name}");
        let start = Instant::now();
        let done = step();
        self.0.push((name.to_owned(), start.elapsed()));
        if done.is_err() {
            self.print();
        }
        done.with_context(|| name.to_owned())
    }

    fn cargo(&mut self, name: &str, args: &[&str]) -> Result<()> {
        self.take(name, || run(&mut command("cargo", args)))
    }

    fn print(&self) {
        println!("— time");
        let total = self.0.iter().map(|(_, took)| *took).sum::<Duration>();
        for (name, took) in self.0.iter().map(|(n, t)| (n.as_str(), t)).chain([("all", &total)]) {
            println!("{:>7.1} s  {name}", took.as_secs_f64());
        }
    }
}
