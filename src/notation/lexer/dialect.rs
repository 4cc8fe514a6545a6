//! Words of all languages together, and whether a text looks like Python.

use super::pack;

/// Words that mean something in some language, packed and in order.
pub(super) static KEYWORDS: [u64; 130] = sorted([
    "abstract",
    "alias",
    "and",
    "as",
    "async",
    "await",
    "begin",
    "break",
    "case",
    "catch",
    "checked",
    "class",
    "companion",
    "cond",
    "const",
    "continue",
    "data",
    "declare",
    "def",
    "default",
    "defer",
    "defmodule",
    "defp",
    "delegate",
    "delete",
    "div",
    "do",
    "dyn",
    "elif",
    "else",
    "elsif",
    "end",
    "ensure",
    "enum",
    "except",
    "export",
    "extend",
    "extern",
    "final",
    "finally",
    "fn",
    "for",
    "foreach",
    "from",
    "fun",
    "func",
    "function",
    "global",
    "go",
    "if",
    "impl",
    "implicit",
    "import",
    "in",
    "include",
    "init",
    "inline",
    "instanceof",
    "interface",
    "internal",
    "is",
    "lambda",
    "lateinit",
    "lazy",
    "let",
    "local",
    "lock",
    "loop",
    "match",
    "mod",
    "module",
    "move",
    "mut",
    "my",
    "namespace",
    "native",
    "new",
    "not",
    "object",
    "open",
    "or",
    "out",
    "override",
    "package",
    "partial",
    "pass",
    "private",
    "proc",
    "protected",
    "pub",
    "public",
    "raise",
    "readonly",
    "record",
    "ref",
    "rem",
    "require",
    "require_relative",
    "required",
    "rescue",
    "return",
    "satisfies",
    "sealed",
    "select",
    "static",
    "struct",
    "sub",
    "suspend",
    "switch",
    "synchronized",
    "then",
    "throw",
    "trait",
    "transient",
    "try",
    "type",
    "typeof",
    "unless",
    "unsafe",
    "until",
    "use",
    "using",
    "val",
    "var",
    "virtual",
    "volatile",
    "when",
    "while",
    "with",
    "yield",
]);

const fn sorted<const N: usize>(words: [&str; N]) -> [u64; N] {
    let mut packed = [0; N];
    let mut i = 0;
    while i < N {
        let word = pack(words[i]);
        let mut at = i;
        while at > 0 && packed[at - 1] > word {
            packed[at] = packed[at - 1];
            at -= 1;
        }
        packed[at] = word;
        i += 1;
    }
    packed
}

/// Whether lines that only Python writes outweigh those that only languages with braces write.
pub(super) fn looks_like_python(text: &str) -> bool {
    let mut score = 0i32;
    for line in text.lines().take(400) {
        let line = line.trim();
        let starts = |words: &[&str]| words.iter().any(|w| line.starts_with(w));
        let quiet = !line.ends_with([';', '{']) && !line.contains(['\'', '"']);
        score += match () {
            () if line.starts_with('#') && !line.starts_with("#[") => 1,
            () if starts(&["def ", "class ", "async def ", "for ", "if ", "with ", "elif "]) && line.ends_with(':') => {
                3
            }
            () if starts(&["from "]) && line.contains(" import ") && quiet => 3,
            () if starts(&["import "]) && quiet && !line.contains('.') => 1,
            () if line.contains("True") || line.contains("False") || line.contains("None") => 1,
            () if starts(&[
                "//", "/*", "const ", "let ", "var ", "val ", "func ", "fn ", "public ", "new ", "}", "use ",
            ]) =>
            {
                -2
            }
            () if line.ends_with([';', '{']) || line.contains("=>") || line.contains("::") => -2,
            () if line.contains("// ") && !line.contains(" // ") => -1,
            () => 0,
        };
    }
    score > 0 || score == 0 && divides(text)
}

/// Whether `//` stands between two numbers and no `:` before them: `retries = 1_0 // 2`.
fn divides(text: &str) -> bool {
    text.lines().take(400).any(|line| {
        line.split_once("//").is_some_and(|(a, b)| {
            !a.contains(':')
                && a.trim_end().ends_with(|c: char| c.is_ascii_digit())
                && b.trim_start().starts_with(|c: char| c.is_ascii_digit())
        })
    })
}
