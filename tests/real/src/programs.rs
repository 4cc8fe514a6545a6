//! Command lines, run against a server that closes every connection at once. Real time passes, so all run side by side.

use crate::cases::Case;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Texts that can take longer are passed over, ms.
const LONGEST: f64 = 35_000.0;

/// One result a case: a run, its waits in seconds to a half, since both programs wait whole seconds.
pub fn run(cases: &[Case]) -> Result<Vec<Value>> {
    let running: Vec<_> = cases.iter().map(start).collect();
    running.into_iter().map(|running| running.join().unwrap_or_else(|_| Err(anyhow::anyhow!("stopped")))).collect()
}

fn start(case: &Case) -> thread::JoinHandle<Result<Value>> {
    let (program, text) = (case.library, case.text.clone());
    let longest: f64 = case.waits.iter().map(|wait| wait.1).sum();
    let known = case.policy.retries.is_some() && longest <= LONGEST;
    thread::spawn(move || {
        let version = version(program)?;
        if !known {
            return Ok(json!({ "version": version, "skipped": true }));
        }
        let calls = calls(&text)?;
        let waits: Vec<f64> = calls.windows(2).map(|two| (two[1] - two[0]).as_secs_f64()).collect();
        let halves: Vec<f64> = waits.iter().map(|s| (s * 2.0).round() / 2.0).collect();
        Ok(json!({ "version": version, "runs": [halves] }))
    })
}

fn version(program: &str) -> Result<String> {
    let output = Command::new(program).arg("--version").output().with_context(|| program.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.split_whitespace().take_while(|word| !word.starts_with(['(', 'b'])).collect::<Vec<_>>().join(" "))
}

/// When the command of a text connected.
fn calls(text: &str) -> Result<Vec<Instant>> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            if sender.send(Instant::now()).is_err() {
                break;
            }
            let _ = stream.set_read_timeout(Some(Duration::from_millis(200)));
            let _ = stream.read(&mut [0; 1024]);
        }
    });
    let line = text.replace("https://example.com/", &format!("http://{address}/"));
    let mut words = line.split_whitespace();
    let mut command = Command::new(words.next().context("an empty text")?);
    command.args(words).env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    let calls = receiver.try_iter().collect();
    drop(receiver);
    let _ = TcpStream::connect(address);
    Ok(calls)
}
