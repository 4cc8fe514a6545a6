//! What a line of a shell script looks like.

use super::choose::{Line, kind};

/// Whether the text is a shell script, a Dockerfile, or lines of commands.
pub(super) fn script(text: &str, lines: &[&str]) -> bool {
    let shell = text
        .trim_start()
        .strip_prefix("#!")
        .is_some_and(|line| line.lines().next().is_some_and(|l| l.trim_end().ends_with("sh")));
    let runs = |line: &&str| ["RUN ", "CMD ", "ENTRYPOINT ", "HEALTHCHECK "].iter().any(|word| line.starts_with(word));
    let image = lines[0].starts_with("FROM ") && lines.iter().any(runs);
    let commands = lines.iter().filter(|line| is_command(line.trim())).count();
    let others = || {
        lines
            .iter()
            .map(|line| line.trim())
            .filter(|line| !is_command(line) && !control(line))
            .any(|line| kind(line, false) != Line::Words && !words(line))
    };
    shell || image || commands > 0 && !others()
}

/// Whether a line is made of plain words only, as a command without options is.
fn words(line: &str) -> bool {
    let plain = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:@".contains(c));
    line.split_whitespace().all(plain) && !line.trim_end().ends_with(':')
}

/// Whether a line is one that scripts have between their commands: a loop, a condition, an assignment, a function.
fn control(line: &str) -> bool {
    const STARTS: &[&str] =
        &["set -", "export ", "for ", "elif ", "echo ", "printf ", "sleep ", "local ", "readonly ", "source ", "["];
    let ends = ["; do", "; then", "()", "() {"].iter().any(|end| line.ends_with(end));
    ends || matches!(line, "}" | "{" | ")")
        || STARTS.iter().any(|start| line.starts_with(start))
        || assigns(line).is_some()
}

/// What follows the assignments that a line begins with: `A=1 B="$C" program` has `program`.
fn assigns(line: &str) -> Option<&str> {
    let (name, rest) = line.split_once('=')?;
    let upper = name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
    let value = match rest.bytes().next() {
        Some(quote @ (b'"' | b'\'')) => rest[1..].find(quote as char).map(|at| at + 2),
        Some(b'$') if rest.starts_with("$(") => rest.rfind(')').map(|at| at + 1),
        _ => rest.find(' '),
    };
    let rest = rest[value.unwrap_or(rest.len())..].trim_start();
    (upper && !name.is_empty()).then(|| assigns(rest).unwrap_or(rest))
}

/// The use of an array of options.
const ARRAY: &str = "[@]}";

/// Whether a line is a command with options, or one behind assignments.
pub(super) fn is_command(line: &str) -> bool {
    let plain_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+'))
    };
    let program = assigns(line).and_then(|rest| rest.split_whitespace().next());
    if program.is_some_and(plain_name) {
        return true;
    }
    if !line.contains(" -") && !line.contains("://") && !line.contains(ARRAY) {
        return false;
    }
    let controlled = ["if ", "while ", "until ", "! "].iter().any(|word| line.starts_with(word));
    let line = line.split_once("=$(").map_or(line, |(_, command)| command);
    let mut words = line.split_whitespace().skip_while(|word| {
        matches!(
            *word,
            "sudo" | "RUN" | "CMD" | "ENTRYPOINT" | "exec" | "time" | "if" | "while" | "until" | "!" | "do" | "then"
        ) || word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
        })
    });
    let Some(program) = words.next() else { return false };
    let name = program.rsplit('/').next().unwrap_or(program);
    if !plain_name(name) || line.ends_with([';', '{', ',']) || matches!(name, "return" | "let" | "const" | "var") {
        return false;
    }
    let known = matches!(name, "curl" | "wget" | "curl.exe");
    if controlled && !known {
        return false;
    }
    let mut second = true;
    for word in words {
        if std::mem::take(&mut second) && (word.starts_with('=') || word.starts_with(":=") || word.starts_with(':')) {
            return false;
        }
        let long = word.strip_prefix("--").is_some_and(|w| w.starts_with(|c: char| c.is_ascii_alphabetic()));
        if long || known && (word.starts_with('-') || word.contains("://") || word.contains(ARRAY)) {
            return true;
        }
    }
    false
}
