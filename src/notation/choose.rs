//! Which reader a piece of text is for, by the shape of its lines.

use super::pairs::{link, pair, pairs_of, section};
use super::shell::{is_command, script};
use super::split::balance;
use crate::find;

/// The readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reader {
    /// All languages with brackets and calls; JSON, HCL and SQL calls too.
    Code,
    /// YAML.
    Yaml,
    /// `key = value` in sections: environment, properties, INI, TOML, systemd, fluentd, fluent-bit.
    Lines,
    /// Shell command lines.
    Command,
    /// XML and the like.
    Tags,
    /// Sentences.
    Prose,
}

/// How clear it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// Nothing else has this shape.
    Sure(Reader),
    /// Code beside it would make it code.
    Weak(Reader),
    /// Comments only.
    Any,
}

impl Choice {
    /// The reader, if the text says any.
    pub fn reader(self) -> Option<Reader> {
        match self {
            Choice::Sure(reader) | Choice::Weak(reader) => Some(reader),
            Choice::Any => None,
        }
    }
}

/// How many lines are looked at.
const LOOKED_AT: usize = 400;

/// The reader for a piece of text.
pub(super) fn choose(text: &str) -> Choice {
    let lines: Vec<&str> = settings(text);
    let Some(first) = lines.first().map(|line| line.trim()) else { return Choice::Any };
    if first.starts_with('<') {
        return tags(first, &lines);
    }
    if first == "---" || first.starts_with("--- ") || first.starts_with("%YAML") {
        return Choice::Sure(Reader::Yaml);
    }
    if lines.iter().all(|line| pairs_of(line.trim())) || link(first) {
        return Choice::Sure(Reader::Lines);
    }
    if first.starts_with('{') || first.starts_with('[') && !section(first) {
        return Choice::Sure(Reader::Code);
    }
    if options(&lines) {
        return Choice::Sure(Reader::Lines);
    }
    if is_command(first) || script(text, &lines) {
        return Choice::Sure(Reader::Command);
    }
    by_lines(&lines)
}

/// The lines that say something: no blanks, no comments, no template statements, nothing inside a YAML block text or
/// behind a line that ends in a backslash.
fn settings(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = Vec::new();
    let mut block: Option<usize> = None;
    let mut continued = false;
    for line in text.lines() {
        let trimmed = line.trim();
        let indent = line.len() - line.trim_start().len();
        if trimmed.is_empty() || block.is_some_and(|column| indent > column) {
            continue;
        }
        let template = trimmed.starts_with("{{") && trimmed.ends_with("}}") || trimmed.starts_with("{%");
        let goes_on = std::mem::replace(&mut continued, trimmed.ends_with('\\'));
        if template || goes_on {
            continue;
        }
        let unmarked = trimmed.trim_end_matches(['-', '+', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
        let opens = [": |", ": >", "- |", "- >"].iter().any(|mark| unmarked.ends_with(mark));
        block = opens.then_some(indent);
        if !is_comment(trimmed) {
            lines.push(without_comment(line));
        }
        if lines.len() == LOOKED_AT {
            break;
        }
    }
    lines
}

/// A line without the comment behind what it says.
fn without_comment(line: &str) -> &str {
    let closed =
        |before: &str| before.matches('"').count().is_multiple_of(2) && before.matches('\'').count().is_multiple_of(2);
    let before = find::first(line, &[" # ", " // "])
        .map(|at| line[..at].trim_end())
        .filter(|before| !before.trim().is_empty() && closed(before));
    before.unwrap_or(line)
}

fn is_comment(line: &str) -> bool {
    let hash = line.starts_with('#') && !line.starts_with("#[") && !line.starts_with("#{") && !link(line);
    hash || [";", "//", "/*", "*/", "-- ", "* "].iter().any(|mark| line.starts_with(mark)) || line == "--"
}

/// A file of options, one a line with or without its dashes and a value: `retry 5`, `--retry-delay = 2`, `silent`.
fn options(lines: &[&str]) -> bool {
    let name = |line: &str| {
        let name = line.trim().trim_start_matches("--").split([' ', '=', ':']).next().unwrap_or_default();
        name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-') && line.split_whitespace().count() <= 3
    };
    let retries = |line: &&str| line.trim().trim_start_matches("--").starts_with("retry-");
    lines.len() > 1
        && lines.iter().any(retries)
        && lines.iter().all(|line| name(line) && !line.contains(['{', '(', ';']))
}

/// `<x a="1">` is a tag; sections of fluentd have their tags alone on a line, and words on the others.
fn tags(first: &str, lines: &[&str]) -> Choice {
    if first.starts_with("<?php") || first.starts_with("<?=") {
        return Choice::Sure(Reader::Code);
    }
    let named = first[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '!' | '?' | '/'));
    let alone = |line: &&str| {
        let line = line.trim();
        let tag = line.starts_with('<') && line.find('>') == Some(line.len() - 1) && !line.contains("=\"");
        let switch = line.contains('_') && line.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        tag || (!line.contains('<') && line.contains(char::is_whitespace)) || line.starts_with('@') || switch
    };
    let sections = lines.iter().all(alone) && lines.iter().any(|line| !line.trim().starts_with('<'));
    match (named, sections && !first.starts_with("<?") && !first.ends_with("/>")) {
        (true, true) => Choice::Sure(Reader::Lines),
        (true, false) => Choice::Sure(Reader::Tags),
        (false, _) => Choice::Weak(Reader::Code),
    }
}

/// What a line could be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// `[name]`.
    Section,
    /// `key=value` as no language writes it.
    Pair,
    /// `key = value`, which many languages write too.
    Assignment,
    /// `key: value`, `- value`.
    Yaml,
    /// Something that only code has.
    Code,
    /// Words.
    Words,
    /// Anything else.
    Other,
}

fn by_lines(lines: &[&str]) -> Choice {
    let (mut depth, mut flow, mut key) = (0, false, false);
    let mut kinds: Vec<Line> = Vec::new();
    for line in lines {
        let inside = depth > 0;
        // What a key opens and the next lines fill, `test: [`, is YAML's as well as code's, unless a comma follows.
        let value = yaml_value(line.trim());
        let opens = key && matches!(line.trim(), "[" | "{") || matches!(value, Some("[" | "{"));
        (flow, key) = (if inside { flow } else { opens }, value == Some(""));
        let kind = kind(line.trim(), inside);
        depth = (depth + balance(line)).max(0);
        let open = flow && !(inside && depth == 0 && line.trim_end().ends_with(','));
        if !open && (!inside || kind == Line::Code) {
            kinds.push(kind);
        }
    }
    if kinds.is_empty() {
        return Choice::Sure(Reader::Code);
    }
    let count = |of: &[Line]| kinds.iter().filter(|kind| of.contains(kind)).count();
    let (all, code) = (kinds.len(), count(&[Line::Code]));
    let sections = count(&[Line::Section]);
    let pairs = count(&[Line::Pair, Line::Assignment]);
    if kinds[0] == Line::Section && code * 10 <= all && (pairs > 0 || count(&[Line::Words, Line::Other]) > 0) {
        return Choice::Sure(Reader::Lines);
    }
    if sections > 0 && (sections + pairs) * 10 >= all * 8 {
        return Choice::Sure(Reader::Lines);
    }
    if pairs * 10 >= all * 9 && code == 0 {
        let strong = count(&[Line::Pair]) > 0;
        return if strong { Choice::Sure(Reader::Lines) } else { Choice::Weak(Reader::Lines) };
    }
    let yaml = count(&[Line::Yaml]);
    if kinds[0] == Line::Yaml && yaml * 2 >= all && code == 0 {
        return if yaml >= 2 || all == 1 { Choice::Sure(Reader::Yaml) } else { Choice::Weak(Reader::Yaml) };
    }
    if yaml >= 4 && yaml * 10 >= all * 8 && code * 10 <= all {
        return Choice::Sure(Reader::Yaml);
    }
    match (kinds[0], code) {
        (Line::Words, 0) => Choice::Weak(Reader::Prose),
        (_, 0) => Choice::Weak(Reader::Code),
        _ => Choice::Sure(Reader::Code),
    }
}

pub(super) fn kind(line: &str, inside: bool) -> Line {
    if section(line) {
        return Line::Section;
    }
    let class = line.starts_with("class ");
    if line.ends_with(':') && (class || line.starts_with("def ") || line.starts_with("async def "))
        || class && line.contains(" < ")
        || line.split_once(' ').is_some_and(|(word, list)| word.contains('_') && is_key(word) && named(list))
    {
        return Line::Code;
    }
    if let Some(value) = yaml_value(line) {
        return if !inside && code_value(value) { Line::Code } else { Line::Yaml };
    }
    if let Some(pair) = pair(line) {
        return pair;
    }
    let ends = line.ends_with([';', '{', '}', ')', ',', '(', '[', '\\']);
    let calls = line.split('(').next().is_some_and(|before| {
        before.len() < line.len()
            && before.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '>' | '!'))
    });
    let signs = find::first(line, &["=>", ":=", "->", "==", " = ", "::", "&&", "||", "${"]).is_some();
    if ends && !sentence(line) || calls || signs || line.starts_with('@') || import(line) {
        return Line::Code;
    }
    if sentence(line) { Line::Words } else { Line::Other }
}

/// What follows the key of a YAML line; of an entry `- x` the entry.
fn yaml_value(line: &str) -> Option<&str> {
    let mut rest = line;
    while let Some(entry) = rest.strip_prefix("- ").or_else(|| rest.strip_prefix("? ")) {
        rest = entry.trim_start();
    }
    let entry = rest.len() < line.len() || line == "-";
    // Ruby's symbols as keys: `:queues:`.
    rest = rest.strip_prefix(':').filter(|key| key.starts_with(|c: char| c.is_ascii_alphabetic())).unwrap_or(rest);
    let key_end = match rest.bytes().next() {
        Some(quote @ (b'"' | b'\'')) => rest[1..].find(quote as char).map(|at| at + 2),
        _ => rest.find(|c: char| !(c.is_alphanumeric() || "_.-/$@*<+[]%".contains(c))),
    };
    let key_end = key_end.unwrap_or(rest.len());
    let value = rest[key_end..].strip_prefix(':').filter(|v| v.is_empty() || v.starts_with([' ', '\t']));
    match value {
        Some(value) if key_end > 0 => Some(value.trim()),
        _ if entry => Some(""),
        _ => None,
    }
}

/// Whether a list goes on with names, as in Ruby's `retry_on Oops, wait: 3`.
fn named(list: &str) -> bool {
    list.split(", ").skip(1).any(|part| part.split_once(": ").is_some_and(|(key, _)| is_key(key)))
}

/// Whether the value of `key: value` says that this is code.
fn code_value(value: &str) -> bool {
    let ends = value.ends_with([',', ';', '{', '(', '[']) && !value.starts_with(['"', '\'', '|', '>']);
    let arrow = value.contains("=>") || value.starts_with("new ") || value.starts_with("function");
    let comment = value.contains(" //") || value.starts_with("//");
    let path = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_.:".contains(c));
    let call = value.ends_with(')') && value.split_once('(').is_some_and(|(name, _)| path(name));
    let more = balance(value) == 0 && !value.starts_with(['"', '\'', '[', '{', '&']) && named(value);
    ends || arrow || comment || call || more || typed(value)
}

/// Whether a type and a value stand behind a name: `retries: int = 3` in a class.
fn typed(value: &str) -> bool {
    const TYPES: [&str; 18] = [
        "int",
        "float",
        "str",
        "bool",
        "number",
        "string",
        "boolean",
        "Optional",
        "timedelta",
        "list",
        "dict",
        "tuple",
        "Decimal",
        "Final",
        "ClassVar",
        "Int",
        "Long",
        "Duration",
    ];
    let Some((kind, _)) = value.split_once(" = ") else { return false };
    TYPES.contains(&kind.split(['[', ' ', '|']).next().unwrap_or(kind))
}

fn is_key(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Whether a line imports something in the manner of some language.
fn import(line: &str) -> bool {
    let from = line.starts_with("from ") && line.contains(" import");
    let words = ["import ", "using ", "use ", "package ", "require ", "require(", "#include", "namespace "];
    from || words.iter().any(|word| line.starts_with(word)) && line.split_whitespace().count() <= 4
}

/// Whether a line reads like a sentence: at least four words, most of them letters only.
fn sentence(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let plain = |word: &&&str| {
        let word = word.trim_matches(['(', ')', ',', '.', ':', ';', '!', '?', '"', '\'', '*', '`']);
        !word.is_empty() && word.chars().all(|c| c.is_alphabetic() || c == '\'' || c == '’' || c == '-')
    };
    let count = words.iter().filter(plain).count();
    count >= 4 && count * 10 >= words.len() * 6 && !line.contains([';', '{', '}', '='])
}
