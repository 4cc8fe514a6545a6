//! Other spellings of a text that mean the same, by the rules of its language.

mod contexts;
mod entries;

pub use contexts::{constants, inside_class};
pub use entries::{digits, no_trailing_commas, quotes, reversed, trailing_commas, units};

/// How a text is written, as far as rewriting has to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    Json,
    Yaml,
    /// `key=value` lines, with sections or without.
    Pairs,
    Python,
    Ruby,
    Elixir,
    Php,
    JavaScript,
    /// Go, Rust, Java, C#.
    Braces,
    Shell,
    /// Sentences and formats of their own.
    Other,
}

impl Syntax {
    /// The syntax of a text whose file says that it is of one of these languages.
    pub fn of(text: &str, languages: &str) -> Syntax {
        if serde_json::from_str::<serde_json::Value>(text).is_ok() {
            return Syntax::Json;
        }
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
        if lines.iter().any(|line| line.starts_with("export ") && line.contains('=')) {
            return Syntax::Shell;
        }
        let keys = |line: &&str| {
            line.split_once(':').is_some_and(|(key, _)| key.chars().all(|c| c.is_alphanumeric() || "-_. ".contains(c)))
        };
        if lines.len() > 2 && lines.iter().all(keys) && !text.contains(['(', ';', '{']) {
            return Syntax::Yaml;
        }
        let found = languages.split('/').filter_map(Syntax::named);
        let fitting: Vec<Syntax> = found.filter(|syntax| syntax.fits(text)).collect();
        fitting.first().copied().unwrap_or(Syntax::Other)
    }

    fn named(language: &str) -> Option<Syntax> {
        Some(match language {
            "yaml" => Syntax::Yaml,
            "properties" | "ini" | "env" | "toml" => Syntax::Pairs,
            "python" => Syntax::Python,
            "ruby" => Syntax::Ruby,
            "elixir" => Syntax::Elixir,
            "php" => Syntax::Php,
            "javascript" | "typescript" => Syntax::JavaScript,
            "go" | "rust" | "java" | "csharp" => Syntax::Braces,
            "bash" => Syntax::Shell,
            _ => return None,
        })
    }

    /// Whether a text can be of this syntax; strict, since what fits nothing is only not rewritten.
    fn fits(self, text: &str) -> bool {
        let lines = || text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
        let key = |l: &str, sign: &str| {
            let name = l.split(sign).next().unwrap_or_default().trim().trim_start_matches("- ");
            l.contains(sign) && name.chars().all(|c| c.is_alphanumeric() || "._-\"'".contains(c))
        };
        match self {
            Syntax::Yaml => lines().next().is_some_and(|l| key(l, ":") || l.starts_with("- ")) && !text.contains(");"),
            Syntax::Pairs => lines().all(|l| key(l, "=") || l.starts_with('[')),
            Syntax::Python => !text.contains(";\n") && !text.contains("=>") && !text.contains("::"),
            Syntax::JavaScript => !text.contains(":=") && !text.contains("::"),
            _ => true,
        }
    }

    /// What begins a comment to the end of the line.
    fn comment(self) -> Option<&'static str> {
        match self {
            Syntax::Yaml | Syntax::Pairs | Syntax::Python | Syntax::Ruby | Syntax::Elixir | Syntax::Shell => Some("#"),
            Syntax::Php | Syntax::JavaScript | Syntax::Braces => Some("//"),
            Syntax::Json | Syntax::Other => None,
        }
    }

    /// The word after a Markdown fence.
    fn fence(self) -> &'static str {
        match self {
            Syntax::Json => "json",
            Syntax::Yaml => "yaml",
            Syntax::Python => "python",
            Syntax::Ruby => "ruby",
            Syntax::Elixir => "elixir",
            Syntax::Php => "php",
            Syntax::JavaScript => "js",
            Syntax::Shell => "sh",
            Syntax::Pairs | Syntax::Braces | Syntax::Other => "",
        }
    }
}

/// Every rewriting that changes the text, with its name. Where a text has several blocks, entries keep their order.
pub fn rewritings(text: &str, syntax: Syntax, blocks: usize) -> Vec<(&'static str, String)> {
    let mut out = vec![
        ("line endings", text.replace('\n', "\r\n")),
        ("white space at line ends", at_line_ends(text, "  ")),
        ("empty lines around", format!("\n\n{text}\n\n")),
        ("no newline at the end", text.trim_end().to_string()),
        ("a Markdown fence", fenced(text, syntax)),
    ];
    if let Some(mark) = syntax.comment() {
        let comment = format!("{mark} reviewed by Ann, see page 12");
        if !text.starts_with("<?php") && !text.starts_with("#!") {
            out.push(("a comment before", format!("{comment}\n{text}")));
        }
        out.push(("a comment after", format!("{}\n{comment}\n", text.trim_end())));
        out.extend(comments_between(text, &comment).map(|t| ("comments between", t)));
        out.extend(comments_behind(text, &comment, syntax).map(|t| ("comments behind", t)));
    }
    let free = matches!(syntax, Syntax::Json | Syntax::JavaScript | Syntax::Braces | Syntax::Php | Syntax::Ruby);
    if free {
        out.push(("tabs", tabs(text)));
    }
    match syntax {
        Syntax::Python => {
            out.extend(inside_def(text).map(|t| ("a function around", t)));
            out.extend(inside_class(text).map(|t| ("a class around", t)));
        }
        Syntax::JavaScript => out.extend(inside_braces(text).map(|t| ("a function around", t))),
        Syntax::Braces => out.extend(inside_method(text).map(|t| ("a method around", t))),
        Syntax::Yaml => {
            out.extend(deeper(text).map(|t| ("two levels deeper", t)));
            out.extend(in_a_config_map(text).map(|t| ("a ConfigMap around", t)));
        }
        Syntax::Json => {
            out.push(("a list two levels deeper", format!("{{\"site\": {{\"entries\": [{}]}}}}\n", text.trim())));
            out.push((
                "a resource around",
                format!("resource \"acme_thing\" \"main\" {{\n  body = jsonencode({})\n}}\n", text.trim()),
            ));
        }
        _ => {}
    }
    out.extend(quotes(text, syntax).map(|t| ("other quotes", t)));
    out.extend(trailing_commas(text, syntax).map(|t| ("trailing commas", t)));
    out.extend(no_trailing_commas(text, syntax).map(|t| ("no trailing commas", t)));
    out.extend(units(text, syntax).map(|t| ("other units", t)));
    out.extend(constants(text, syntax).map(|t| ("values through constants", t)));
    out.extend(digits(text, syntax).map(|t| ("digits in groups", t)));
    if blocks == 1 {
        out.extend(reversed(text, syntax).map(|t| ("entries reversed", t)));
    }
    out.retain(|(_, t)| t != text);
    out
}

fn at_line_ends(text: &str, end: &str) -> String {
    let line = |l: &str| if l.ends_with('\\') || l.is_empty() { l.to_string() } else { format!("{l}{end}") };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

fn fenced(text: &str, syntax: Syntax) -> String {
    format!("This is what runs here:\n\n```{}\n{}\n```\n\nDoes it look right?\n", syntax.fence(), text.trim_end())
}

/// Whether lines stand for themselves: no text, comment or value reaches over a line end.
fn lines_are_plain(text: &str) -> bool {
    let long = ["\"\"\"", "'''", "`", "<<", "/*", "\\\n", "|\n", ">\n", "|-\n", ">-\n", "=begin", "(|"];
    !long.iter().any(|mark| text.contains(mark)) && !text.lines().any(open_text)
}

/// Whether a line ends inside a quoted text.
fn open_text(line: &str) -> bool {
    !line.matches('"').count().is_multiple_of(2) || !line.matches('\'').count().is_multiple_of(2)
}

fn comments_between(text: &str, comment: &str) -> Option<String> {
    if !lines_are_plain(text) {
        return None;
    }
    let indent = |l: &str| l.chars().take_while(|c| *c == ' ' || *c == '\t').collect::<String>();
    let lines = text.trim_end().lines().map(|l| format!("{}{comment}\n{l}\n", indent(l)));
    let first = text.starts_with("<?php") || text.starts_with("#!");
    (!first && text.trim_end().contains('\n')).then(|| lines.collect())
}

/// A comment behind the last line of a value: not where lines are joined, and not behind one that has a comment.
fn comments_behind(text: &str, comment: &str, syntax: Syntax) -> Option<String> {
    let pairs = matches!(syntax, Syntax::Pairs | Syntax::Shell);
    if pairs || !lines_are_plain(text) || text.contains('#') || text.contains("//") {
        return None;
    }
    let line = |l: &str| if l.trim().is_empty() { l.to_string() } else { format!("{l} {comment}") };
    Some(text.trim_end().lines().map(line).collect::<Vec<_>>().join("\n") + "\n")
}

/// Tabs in the place of two spaces each at line starts.
fn tabs(text: &str) -> String {
    let line = |l: &str| {
        let spaces = l.len() - l.trim_start_matches(' ').len();
        format!("{}{}", "\t".repeat(spaces.div_ceil(2)), &l[spaces..])
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

fn indented(text: &str) -> String {
    let line = |l: &str| if l.is_empty() { String::new() } else { format!("    {l}") };
    text.trim_end().split('\n').map(line).collect::<Vec<_>>().join("\n")
}

fn inside_def(text: &str) -> Option<String> {
    lines_are_plain(text).then(|| format!("def build():\n{}\n", indented(text)))
}

fn inside_braces(text: &str) -> Option<String> {
    let statements = text.trim_end().ends_with(';') && !text.contains("import ") && !text.contains("export ");
    (statements && lines_are_plain(text)).then(|| format!("function build() {{\n{}\n}}\n", indented(text)))
}

/// The body of a method or function, in the language that the text is written in as far as that shows.
fn inside_method(text: &str) -> Option<String> {
    let statements = text.trim_end().ends_with(';') || text.contains(":=");
    let outer =
        ["import ", "package ", "using ", "namespace ", "class ", "func ", "fn ", "struct ", "#[", "@", "public "];
    let plain = statements && lines_are_plain(text) && !outer.iter().any(|word| text.contains(word));
    let head = if text.contains(":=") {
        "func build() {"
    } else if text.contains("let ") || text.contains("::") {
        "fn build() {"
    } else {
        "public void build() {"
    };
    plain.then(|| format!("{head}\n{}\n}}\n", indented(text)))
}

fn deeper(text: &str) -> Option<String> {
    one_document(text).then(|| format!("site:\n  settings:\n{}\n", indented(text)))
}

fn in_a_config_map(text: &str) -> Option<String> {
    let head = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  settings.yaml: |";
    one_document(text).then(|| format!("{head}\n{}\n", indented(text)))
}

/// A YAML text whose lines may all stand further in: one document, a map at its root.
fn one_document(text: &str) -> bool {
    let first = text.lines().find(|l| !l.trim().is_empty() && !l.trim().starts_with('#')).unwrap_or_default();
    let map = first.contains(':') && !first.starts_with(['-', '{', '[', ' ']);
    map && !text.contains("---") && lines_are_plain(text)
}
