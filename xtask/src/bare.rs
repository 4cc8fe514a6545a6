//! The page's texts without what only people read: comments and the space at either end of a line.
//!
//! They are our own and formatted, so that this takes no parser; what it relies on is checked.

use anyhow::{Result, ensure};

/// A script, line by line: a line may end a statement.
pub fn script(text: &str) -> Result<String> {
    for end in ["</script", "<!--"] {
        ensure!(!text.contains(end), "a script holds `{end}`, which would end or open markup in the packed page");
    }
    let lines: Vec<&str> = text.lines().collect();
    let whole = |line: &&str| line.matches('`').count().is_multiple_of(2) || line.trim().starts_with("//");
    let text = without(text, "/**", "*/");
    let told = lines.iter().find(|line| !whole(line) && text.contains(**line));
    ensure!(told.is_none(), "a text in backticks goes over several lines: {told:?}");
    Ok(text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
        .fold(String::new(), ended))
}

/// A style sheet in one line.
pub fn style(text: &str) -> String {
    let text = without(text, "/*", "*/").lines().map(str::trim).fold(String::new(), ended).replace(",\n", ",");
    let text = ["{", "}", ";"].iter().fold(text, |text, sign| text.replace(&format!("{sign}\n"), sign));
    [(": ", ":"), (" {", "{"), (", ", ","), (";}", "}"), ("\n", " ")]
        .iter()
        .fold(text, |text, (from, to)| text.replace(from, to))
}

/// Markup; text areas keep every space.
pub fn markup(text: &str) -> String {
    let mut kept = false;
    let mut bare = String::new();
    for line in text.lines() {
        bare = ended(bare, if kept { line } else { line.trim() });
        kept = match line.rfind("<textarea") {
            Some(start) => !line[start..].contains("</textarea"),
            None => kept && !line.contains("</textarea"),
        };
    }
    bare
}

/// The text without what stands from each `open` to the next `close`.
fn without(text: &str, open: &str, close: &str) -> String {
    let mut parts = text.split(open);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |kept, part| kept + part.split_once(close).map_or("", |(_, rest)| rest))
}

fn ended(text: String, line: &str) -> String {
    text + line + "\n"
}
