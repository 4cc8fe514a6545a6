//! Rewritings of what stands around: values through names, code inside a class.

use super::entries::{Part, parts};
use super::{Syntax, indented, lines_are_plain};

/// Which of the languages with braces a text is written in, where that is plain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Braces {
    Go,
    Rust,
    Other,
}

fn braces(text: &str) -> Braces {
    match () {
        () if text.contains(":=") || text.contains("time.Second") || text.contains("time.Millisecond") => Braces::Go,
        () if text.contains("Duration::") || text.contains("let mut ") => Braces::Rust,
        () => Braces::Other,
    }
}

/// Every number that is a value by the name of a constant, which is defined before.
pub fn constants(text: &str, syntax: Syntax) -> Option<String> {
    let define: fn(&str, &str) -> String = match (syntax, braces(text)) {
        (Syntax::Python | Syntax::Ruby, _) => |name, value| format!("{name} = {value}\n"),
        (Syntax::JavaScript, _) | (Syntax::Braces, Braces::Go) => |name, value| format!("const {name} = {value}\n"),
        (Syntax::Braces, Braces::Rust) => |name, value| {
            let kind = if value.contains('.') { "f64" } else { "u64" };
            format!("const {name}: {kind} = {value};\n")
        },
        _ => return None,
    };
    let parts = parts(text, syntax)?;
    let (mut before, mut out, mut rest, mut at) = (String::new(), String::new(), 0, 0);
    while at < text.len() {
        let length = number(&text[at..]);
        if length == 0 || parts[at] != Part::Code || !is_value(text, at, length) {
            at += length.max(text[at..].chars().next().map_or(1, char::len_utf8));
            continue;
        }
        let name = format!("VALUE_{}", before.lines().count());
        before.push_str(&define(&name, &text[at..at + length]));
        out.push_str(&text[rest..at]);
        out.push_str(&name);
        at += length;
        rest = at;
    }
    out.push_str(&text[rest..]);
    (!before.is_empty()).then(|| format!("{before}\n{out}"))
}

/// How long the number is that a text begins with.
fn number(text: &str) -> usize {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(text);
    match text[whole..].strip_prefix('.').map(digits) {
        Some(fraction) if whole > 0 && fraction > 0 => whole + 1 + fraction,
        _ => whole,
    }
}

/// Whether a number stands where a value does: behind `=`, `:`, `(` or `,`, and with nothing that belongs to it around.
fn is_value(text: &str, at: usize, length: usize) -> bool {
    let before = text[..at].trim_end();
    let compared = ["==", "!=", "<=", ">=", "::"].iter().any(|sign| before.ends_with(sign));
    let after = text[at + length..].chars().next();
    before.ends_with(['=', ':', '(', ','])
        && !compared
        && !text[..at].ends_with(|c: char| c.is_alphanumeric() || "_.\"'".contains(c))
        && !after.is_some_and(|c| c.is_alphanumeric() || "_.\"'%:".contains(c))
}

/// The text in a method of a class of Python.
pub fn inside_class(text: &str) -> Option<String> {
    let body = indented(&indented(text));
    lines_are_plain(text).then(|| format!("class Service:\n    name = 'x'\n\n    def run(self):\n{body}\n"))
}
