//! The package systems: which libraries each has, how they are brought and run.

use crate::cases::Case;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// One package system.
pub struct System {
    /// The ids of the libraries that it runs.
    pub libraries: &'static [&'static str],
    /// Runs cases, brings what is missing before; one result a case.
    pub run: fn(&[Case]) -> Result<Vec<Value>>,
}

/// Every one.
pub const ALL: &[System] = &[
    System { libraries: PYTHON, run: python },
    System { libraries: NODE, run: node },
    System { libraries: CRATES, run: crates },
    System { libraries: PROGRAMS, run: crate::programs::run },
    System { libraries: PYTHON_DOCUMENTS, run: python },
    System { libraries: NODE_DOCUMENTS, run: node },
];

const PYTHON: &[&str] = &[
    "tenacity",
    "backoff",
    "urllib3",
    "requests",
    "celery",
    "botocore",
    "google-api-core",
    "retrying",
    "aiohttp-retry",
    "stamina",
    "httpx-retries",
    "retry",
    "openai-python",
    "anthropic-python",
    "dramatiq",
    "rq",
    "huey",
];
const NODE: &[&str] = &[
    "p-retry",
    "node-retry",
    "async-retry",
    "promise-retry",
    "axios-retry",
    "got",
    "ky",
    "cockatiel",
    "bullmq",
    "exponential-backoff-npm",
    "kafkajs",
    "ioredis",
    "tanstack-query",
    "trigger.dev",
];
const CRATES: &[&str] = &["tokio-retry", "tokio-retry2", "backon", "rust-backoff", "retry-policies"];

const PROGRAMS: &[&str] = &["curl", "wget"];
const PYTHON_DOCUMENTS: &[&str] =
    &["gcp-cloud-tasks", "gcp-cloud-scheduler", "envoy", "argo-workflows", "aws-sqs-redrive", "ansible"];
const NODE_DOCUMENTS: &[&str] = &["aws-step-functions", "grpc-service-config", "kubernetes-job", "istio", "temporal"];

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A folder below the build's for what is brought.
fn brought(path: &str) -> PathBuf {
    here("../../target/real").join(path)
}

fn python(cases: &[Case]) -> Result<Vec<Value>> {
    let program = brought("python/bin/python");
    let stamp = brought("python/requirements.txt");
    let wanted = std::fs::read_to_string(here("python/requirements.txt"))?;
    if std::fs::read_to_string(&stamp).ok().as_ref() != Some(&wanted) {
        done(Command::new("python3").args(["-m", "venv"]).arg(brought("python")))?;
        done(
            Command::new(&program).args(["-m", "pip", "install", "--quiet", "-r"]).arg(here("python/requirements.txt")),
        )?;
        std::fs::write(&stamp, wanted)?;
    }
    ask(Command::new(&program).arg(here("python/run.py")), cases)
}

fn node(cases: &[Case]) -> Result<Vec<Value>> {
    let folder = here("node");
    if !folder.join("node_modules").exists() {
        done(Command::new("npm").args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"]).current_dir(&folder))?;
    }
    ask(Command::new("node").arg("run.mjs").current_dir(&folder), cases)
}

fn crates(cases: &[Case]) -> Result<Vec<Value>> {
    let file = brought("crates.json");
    std::fs::create_dir_all(brought(""))?;
    std::fs::write(&file, json!(given(cases)).to_string())?;
    let mut command = Command::new("cargo");
    command.args(["run", "--quiet", "--target-dir"]).arg(brought("crates")).current_dir(here("rust"));
    ask(command.env("CASES", file.canonicalize()?), &[])
}

/// Runs a command to its end.
fn done(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("{command:?}"))?;
    if !status.success() {
        bail!("{command:?} failed");
    }
    Ok(())
}

/// Gives a runner the cases and takes its results.
fn ask(command: &mut Command, cases: &[Case]) -> Result<Vec<Value>> {
    let shown = format!("{command:?}");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().with_context(|| shown.clone())?;
    let given = given(cases);
    let mut stdin = child.stdin.take().context("no input")?;
    let writer = std::thread::spawn(move || stdin.write_all(json!(given).to_string().as_bytes()));
    let output = child.wait_with_output()?;
    writer.join().map_err(|_| anyhow::anyhow!("{shown}: the input broke"))??;
    serde_json::from_slice(&output.stdout).with_context(|| format!("{shown} gave no result"))
}

/// The cases as the runners take them.
fn given(cases: &[Case]) -> Vec<Value> {
    cases.iter().map(|case| json!({ "library": case.library, "text": case.text, "times": case.times })).collect()
}
