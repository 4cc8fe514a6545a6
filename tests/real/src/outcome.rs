//! What came out, and the page that keeps it.

use anyhow::{Context, Result};
use std::path::Path;

/// What came out for one library.
pub struct Outcome {
    /// Its id.
    pub library: String,
    /// The package and its release.
    pub version: String,
    /// Texts run or checked.
    pub texts: usize,
    /// Waits compared; 0 where the text was only checked.
    pub waits: usize,
    /// What was otherwise.
    pub problems: Vec<String>,
}

impl Outcome {
    /// Nothing yet.
    pub fn new(library: &str, version: &str) -> Self {
        Outcome { library: library.into(), version: version.into(), texts: 0, waits: 0, problems: Vec::new() }
    }

    /// A row of the table.
    pub fn line(&self) -> String {
        let waits = if self.waits == 0 { "accepted".to_string() } else { format!("{} waits", self.waits) };
        let wrong =
            if self.problems.is_empty() { "as ours".into() } else { format!("{} otherwise", self.problems.len()) };
        format!("| {} | {} | {} | {waits} | {wrong} |", self.library, self.version, self.texts)
    }
}

/// Writes `tests/real-libraries.md`.
pub fn write(outcomes: &[Outcome]) -> Result<()> {
    let run = outcomes.iter().filter(|outcome| outcome.waits > 0).count();
    let mut out = format!(
        "# What is written, in the real libraries\n\nWritten by `cargo run -p real-tests`.\n\n{} libraries and systems: in {run} of \
         them the written texts were run, and their calls and waits compared with ours; the others are documents that the \
         system's own parser or its published schema accepted. Time is virtual, a text with chance in it runs 60 times, and \
         every wait must lie in its range and the runs must reach the outer quarters of it.\n\n\
         | library | release | texts | compared | outcome |\n|---|---|---|---|---|\n",
        outcomes.len()
    );
    for outcome in outcomes {
        out += &outcome.line();
        out.push('\n');
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../real-libraries.md");
    std::fs::write(&path, out).with_context(|| path.display().to_string())
}
