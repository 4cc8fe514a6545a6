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

/// Renews the rows of these libraries in `tests/real-libraries.md`.
pub fn write(outcomes: &[Outcome]) -> Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../real-libraries.md");
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let new = |row: &&str| !outcomes.iter().any(|outcome| row.starts_with(&format!("| {} |", outcome.library)));
    let old = kept.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| library")).filter(new);
    let mut rows: Vec<String> = old.map(str::to_string).chain(outcomes.iter().map(Outcome::line)).collect();
    rows.sort();
    let run = rows.iter().filter(|row| !row.contains("| accepted |")).count();
    let head = format!(
        "# What is written, in the real libraries\n\nWritten by `cargo run -p real-tests`.\n\n{} libraries and systems. In \
         {run} of them the written texts were run, and their calls and waits compared with ours: time is virtual but for curl \
         and wget, a text with chance in it runs 60 times, every wait must lie in its range, and the runs must reach both outer \
         quarters of it. Where it says accepted, the texts are documents that the named parser or checker accepts.\n\n\
         | library | release | texts | compared | outcome |\n|---|---|---|---|---|\n",
        rows.len()
    );
    std::fs::write(&path, head + &rows.join("\n") + "\n").with_context(|| path.display().to_string())
}
