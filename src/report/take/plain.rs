//! Plain text: a paragraph, and the whole answer with its tables in columns of one width.

use super::Source;
use std::fmt::Write;

/// One paragraph for a pull request or a runbook.
pub fn summary(source: &Source) -> String {
    let said: Vec<String> = source.sentences().iter().map(|words| words.text()).collect();
    format!("{} ({})\n", said.join(" "), source.link())
}

/// Sentences, schedule, percentiles, warnings, link.
pub fn text(source: &Source) -> String {
    let mut out = String::new();
    for words in source.sentences() {
        let _ = writeln!(out, "{}", words.text());
    }
    let rule = |widths: &[usize]| widths.iter().map(|width| "-".repeat(*width)).collect::<Vec<_>>().join("  ");
    if let Some((schedule, fold)) = source.schedule() {
        let _ = write!(out, "\n{}", schedule.lines([""; 2], "  ", rule));
        if !fold.is_empty() {
            let _ = writeln!(out, "{fold}");
        }
    }
    if let Some(percentiles) = source.percentiles() {
        let _ = write!(out, "\n{}", percentiles.lines([""; 2], "  ", rule));
    }
    for (n, (severity, words)) in source.warnings().into_iter().enumerate() {
        let _ = writeln!(out, "{}{severity}: {}", if n == 0 { "\n" } else { "" }, words.text().replace('\n', " "));
    }
    let _ = writeln!(out, "\n{}", source.link());
    out
}
