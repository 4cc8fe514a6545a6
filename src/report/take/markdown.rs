//! Markdown: the same as the plain text, with tables; whatever came from the reader's text is text there too.

use super::Source;
use super::grid::Grid;
use crate::report::words::{Look, Words};
use std::fmt::Write;

pub fn text(source: &Source) -> String {
    let said: Vec<String> = source.sentences().iter().map(inline).collect();
    let mut out = format!("{}\n", said.join(" "));
    let rule =
        |widths: &[usize]| widths.iter().map(|width| format!("|{}:", "-".repeat(width + 1))).collect::<String>() + "|";
    let table = |grid: Grid| grid.lines(["| ", " |"], " | ", rule);
    if let Some((schedule, fold)) = source.schedule() {
        let _ = write!(out, "\n{}", table(schedule));
        if !fold.is_empty() {
            let _ = writeln!(out, "\n{fold}");
        }
    }
    if let Some(percentiles) = source.percentiles() {
        let _ = write!(out, "\n{}", table(percentiles));
    }
    for (n, (severity, words)) in source.warnings().into_iter().enumerate() {
        let _ = writeln!(out, "{}- **{severity}:** {}", if n == 0 { "\n" } else { "" }, inline(&words));
    }
    let link = source.link();
    let _ = match source.request.take.address.as_str() {
        "" => writeln!(out, "\n{}", code(&link)),
        _ => writeln!(out, "\n<{link}>"),
    };
    out
}

/// A sentence with its strong words and its code.
fn inline(words: &Words) -> String {
    let mut out = String::new();
    let mut strong = false;
    for run in &words.runs {
        let text = run.text.replace(['\n', '\r'], " ");
        let mut text = text.as_str();
        if strong && !run.strong {
            close(&mut out);
        } else if run.strong && !strong {
            // A mark has to touch a word on its inner side.
            let inner = text.trim_start();
            out += &text[..text.len() - inner.len()];
            out += "**";
            text = inner;
        }
        strong = run.strong;
        out += &match run.look {
            Some(Look::Code) => code(text),
            _ => escaped(text, out.is_empty()),
        };
    }
    if strong {
        close(&mut out);
    }
    out
}

fn close(out: &mut String) {
    let end = out.trim_end().len();
    out.insert_str(end, "**");
}

/// A text as code, whatever backticks it has.
fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A text in which nothing is a mark, a tag, a mention or a link; `first`: at the start of a line, where lists and rules
/// begin.
fn escaped(text: &str, first: bool) -> String {
    let text = if first { text.trim_start() } else { text };
    let mut out = String::new();
    for (at, c) in text.char_indices() {
        let before = &text[..at];
        let list = first && "-+=.)".contains(c) && before.chars().all(|c| c.is_ascii_digit());
        let link = (c == ':' && text[at..].starts_with("://")) || (c == '.' && before.ends_with(['w', 'W']));
        if list || link || "\\`*_[]<>|#~&@!$".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
