//! Rewritings inside brackets and literals: order, commas, quotes, digits.

use super::Syntax;

/// What a place of a text is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Code,
    Quoted,
    Comment,
}

/// What each byte of a text is; `None` where quotes do not close.
pub fn parts(text: &str, syntax: Syntax) -> Option<Vec<Part>> {
    let mut out = Vec::with_capacity(text.len());
    let mut quote: Option<char> = None;
    let mut comment = false;
    let mut escaped = false;
    let mut before = '\n';
    let (hash, slashes) = match syntax {
        Syntax::Python | Syntax::Ruby | Syntax::Elixir | Syntax::Yaml | Syntax::Pairs | Syntax::Shell => (true, false),
        Syntax::Php => (true, true),
        _ => (false, true),
    };
    for (at, c) in text.char_indices() {
        let part = match quote {
            _ if comment => Part::Comment,
            Some(_) => Part::Quoted,
            None if hash && c == '#' && before.is_whitespace() => Part::Comment,
            None if slashes && text[at..].starts_with("//") && before != ':' => Part::Comment,
            None if c == '"' || c == '\'' || c == '`' => Part::Quoted,
            None => Part::Code,
        };
        comment = part == Part::Comment && c != '\n';
        match quote {
            Some(open) if !escaped && c == open => quote = None,
            None if part == Part::Quoted => quote = Some(c),
            _ => {}
        }
        escaped = part == Part::Quoted && c == '\\' && !escaped;
        before = c;
        out.extend(std::iter::repeat_n(part, c.len_utf8()));
    }
    quote.is_none().then_some(out)
}

/// Single quotes where there were double ones, and the other way round.
pub fn quotes(text: &str, syntax: Syntax) -> Option<String> {
    let interchangeable = matches!(syntax, Syntax::Python | Syntax::JavaScript | Syntax::Yaml | Syntax::Ruby);
    let double = text.contains('"');
    let one_kind = double != text.contains('\'');
    let special = ["\\", "#{", "${", "f\"", "f'", "\"\"\"", "`"].iter().any(|mark| text.contains(mark));
    let parts = parts(text, syntax)?;
    let commented = text.char_indices().any(|(at, c)| matches!(c, '"' | '\'') && parts[at] == Part::Comment);
    if !interchangeable || !one_kind || special || commented {
        return None;
    }
    Some(if double { text.replace('"', "'") } else { text.replace('\'', "\"") })
}

/// Whole numbers of four digits and more with `_` between thousands.
pub fn digits(text: &str, syntax: Syntax) -> Option<String> {
    use Syntax::*;
    let grouped = matches!(syntax, Python | Ruby | Elixir | JavaScript | Braces);
    let parts = parts(text, syntax).filter(|_| grouped)?;
    let mut out = String::new();
    let mut rest = 0;
    let bytes = text.as_bytes();
    let word = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at)).is_some_and(|b| b.is_ascii_alphanumeric() || b"_.".contains(b))
    };
    let mut at = 0;
    while at < bytes.len() {
        let length = bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
        if length == 0 {
            at += 1;
            continue;
        }
        let alone = !word(at.checked_sub(1)) && !word(Some(at + length));
        if length >= 4 && alone && parts[at] == Part::Code && bytes[at] != b'0' {
            out.push_str(&text[rest..at]);
            for (n, digit) in text[at..at + length].chars().enumerate() {
                if n > 0 && (length - n).is_multiple_of(3) {
                    out.push('_');
                }
                out.push(digit);
            }
            rest = at + length;
        }
        at += length;
    }
    out.push_str(&text[rest..]);
    Some(out)
}

/// A group of entries between brackets.
struct Group {
    open: usize,
    close: usize,
    /// The top-level entries, without the white space around them.
    entries: Vec<(usize, usize)>,
}

/// Every bracket group, inner ones first.
fn groups(text: &str, parts: &[Part]) -> Option<Vec<Group>> {
    let mut stack: Vec<(char, usize, Vec<usize>)> = Vec::new();
    let mut out = Vec::new();
    for (at, c) in text.char_indices().filter(|(at, _)| parts[*at] == Part::Code) {
        match c {
            '(' | '[' | '{' => stack.push((c, at, Vec::new())),
            ')' | ']' | '}' => {
                let (open, start, commas) = stack.pop()?;
                if !matches!((open, c), ('(', ')') | ('[', ']') | ('{', '}')) {
                    return None;
                }
                let mut entries = Vec::new();
                let mut from = start + 1;
                for end in commas.into_iter().chain([at]) {
                    let piece = &text[from..end];
                    let lead = piece.len() - piece.trim_start().len();
                    if !piece.trim().is_empty() {
                        entries.push((from + lead, from + lead + piece.trim().len()));
                    }
                    from = end + 1;
                }
                out.push(Group { open: start, close: at, entries });
            }
            ',' => stack.last_mut().into_iter().for_each(|(.., commas)| commas.push(at)),
            _ => {}
        }
    }
    stack.is_empty().then_some(out)
}

/// The name of an entry `name: value`, `name = value`, `"name" => value`.
fn name(entry: &str) -> Option<&str> {
    let quoted = entry.starts_with(['"', '\'', ':']);
    let body = entry.trim_start_matches(['"', '\'', ':']);
    let end = body.find(|c: char| !(c.is_alphanumeric() || c == '_' || (quoted && "-.".contains(c))))?;
    let (name, rest) = body.split_at(end);
    let rest = rest.trim_start_matches(['"', '\'']).trim_start();
    let value = rest.strip_prefix("=>").or_else(|| {
        let rest = rest.strip_prefix([':', '='])?;
        (!rest.starts_with(['=', ':', '>', '~'])).then_some(rest)
    })?;
    (!name.is_empty() && !value.trim().is_empty()).then_some(name)
}

/// Whether the brackets hold the parameters of a function that is defined there, or the text makes no list of entries.
fn defines(text: &str, group: &Group) -> bool {
    let after = text[group.close + 1..].trim_start();
    let before = text[..group.open].trim_end().rsplit(['\n', ' ', '(']).nth(1).unwrap_or_default();
    let defined = matches!(before, "def" | "fn" | "func" | "function" | "fun" | "defp" | "class");
    let round = text[group.open..].starts_with('(');
    defined || (round && ["=>", "->", "{", ":"].iter().any(|sign| after.starts_with(sign)))
}

/// The named entries of every group, from the last to the first.
pub fn reversed(text: &str, syntax: Syntax) -> Option<String> {
    use Syntax::*;
    let named = matches!(syntax, Json | Python | Ruby | JavaScript | Braces | Php);
    let mut text = text.to_string();
    let mut parts_now = parts(&text, syntax).filter(|_| named)?;
    if parts_now.contains(&Part::Comment) {
        return None;
    }
    // Spans of outer groups hold after inner ones were rewritten: only the order inside changes.
    let count = groups(&text, &parts_now)?.len();
    for n in 0..count {
        let all = groups(&text, &parts_now)?;
        let group = &all[n];
        let tail = group.entries.iter().rev().take_while(|(a, b)| name(&text[*a..*b]).is_some()).count();
        let run = &group.entries[group.entries.len() - tail..];
        let mut names: Vec<&str> = run.iter().filter_map(|(a, b)| name(&text[*a..*b])).collect();
        names.sort_unstable();
        names.dedup();
        let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
        if tail < 2 || names.len() != tail || defines(&text, group) {
            continue;
        }
        let mut inside = String::new();
        for at in 0..run.len() {
            let (a, b) = run[run.len() - 1 - at];
            inside.push_str(&text[a..b]);
            let end = run[at].1;
            inside.push_str(run.get(at + 1).map_or("", |next| &text[end..next.0]));
        }
        text.replace_range(first.0..last.1, &inside);
        parts_now = parts(&text, syntax)?;
    }
    Some(text)
}

/// A comma behind the last entry of calls, maps and lists that close on a line of their own.
pub fn trailing_commas(text: &str, syntax: Syntax) -> Option<String> {
    let allowed = matches!(syntax, Syntax::Python | Syntax::JavaScript);
    let parts = parts(text, syntax).filter(|_| allowed)?;
    let mut out = text.to_string();
    let mut ends: Vec<usize> = Vec::new();
    for group in groups(text, &parts)? {
        let own_line = text[..group.close].trim_end_matches([' ', '\t']).ends_with('\n');
        let Some(&(from, to)) = group.entries.last() else { continue };
        let entry = &text[from..to];
        let closed = text[to..group.close].contains(',') || entry.contains("//") || entry.contains('#');
        if own_line && !closed && name(entry).is_some() && !defines(text, &group) && !entry.contains(" for ") {
            ends.push(to);
        }
    }
    ends.sort_unstable();
    ends.into_iter().rev().for_each(|at| out.insert(at, ','));
    Some(out)
}

/// No comma behind the last of several entries.
pub fn no_trailing_commas(text: &str, syntax: Syntax) -> Option<String> {
    let allowed = matches!(syntax, Syntax::Python | Syntax::JavaScript);
    let parts = parts(text, syntax).filter(|_| allowed)?;
    let mut out = text.to_string();
    let mut commas: Vec<usize> = Vec::new();
    for group in groups(text, &parts)? {
        let Some(&(_, to)) = group.entries.last().filter(|_| group.entries.len() > 1) else { continue };
        let after = &text[to..group.close];
        commas.extend((after.trim() == ",").then(|| to + after.find(',').unwrap_or_default()));
    }
    commas.sort_unstable();
    commas.into_iter().rev().for_each(|at| out.replace_range(at..at + 1, ""));
    Some(out)
}

/// Seconds written as milliseconds, and Go's factors the other way round.
pub fn units(text: &str, syntax: Syntax) -> Option<String> {
    const SECONDS: &[(&str, &str)] = &[
        ("Duration.ofSeconds(", "Duration.ofMillis("),
        ("TimeSpan.FromSeconds(", "TimeSpan.FromMilliseconds("),
        ("Duration::from_secs(", "Duration::from_millis("),
    ];
    if syntax != Syntax::Braces {
        return None;
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some(&c) = rest.as_bytes().first() {
        let found = SECONDS.iter().find_map(|(seconds, millis)| {
            let after = rest.strip_prefix(seconds)?;
            let number: String = after.chars().take_while(char::is_ascii_digit).collect();
            let plain = !number.is_empty() && after[number.len()..].starts_with(')');
            plain.then(|| (seconds.len() + number.len(), format!("{millis}{number}000")))
        });
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let factor =
            (digits > 0).then(|| rest[digits..].strip_prefix(" * time.").or(rest[digits..].strip_prefix("*time.")));
        let word = out.ends_with(|c: char| c.is_alphanumeric() || "_.".contains(c));
        match (found, factor.flatten().filter(|_| !word)) {
            (Some((length, written)), _) => {
                out.push_str(&written);
                rest = &rest[length..];
            }
            (None, Some(unit)) => {
                let name: String = unit.chars().take_while(char::is_ascii_alphabetic).collect();
                out.push_str(&format!("time.{name} * {}", &rest[..digits]));
                rest = &unit[name.len()..];
            }
            (None, None) => {
                let length = if c.is_ascii_digit() { digits } else { rest.chars().next().map_or(1, char::len_utf8) };
                out.push_str(&rest[..length]);
                rest = &rest[length..];
            }
        }
    }
    Some(out)
}
