//! Takes the wrapping off a paste: Markdown fences, prompts, line numbers, diff marks, curly quotes, carriage returns.
//! What is taken off becomes blanks of the same length, so that every place stays where it was.

use crate::span::Span;

/// A text without its wrapping.
#[derive(Debug, Default)]
pub(super) struct Peeled {
    /// As long as the original, byte for byte.
    pub text: String,
    /// Where it begins: behind a byte order mark.
    pub start: usize,
    /// The ranges that fences enclose.
    pub fences: Vec<Span>,
}

/// Takes the wrapping off.
pub(super) fn peel(text: &str) -> Peeled {
    let mut plain = characters(text);
    let lines = line_ranges(&plain);
    let mut blanks: Vec<Span> = Vec::new();
    let fences = fences(&plain, &lines, &mut blanks);
    marks(&plain, &lines, &mut blanks);
    for span in blanks {
        plain.replace_range(span.start..span.end, &" ".repeat(span.end - span.start));
    }
    Peeled { text: plain, start: if text.starts_with('\u{feff}') { 3 } else { 0 }, fences }
}

/// The text with carriage returns, the byte order mark, odd spaces and curly quotes replaced, as long as before.
fn characters(text: &str) -> String {
    if text.bytes().all(is_plain) {
        return text.to_owned();
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    let mut before = ' ';
    let mut straight = quotes(text);
    while let Some(c) = rest.next() {
        let next = rest.peek().copied().unwrap_or(' ');
        match c {
            '\r' if next == '\n' => plain.push(' '),
            '\r' => plain.push('\n'),
            '\u{feff}' | '\u{200b}' => plain.push_str("   "),
            '\u{a0}' => plain.push_str("  "),
            '\u{2028}' | '\u{2029}' => plain.push_str("  \n"),
            '“' | '„' if !straight.0 => plain.push_str("  \""),
            '”' if !straight.0 => plain.push_str("\"  "),
            '‘' if !straight.1 => plain.push_str("  '"),
            '’' if !(straight.1 || before.is_alphanumeric() && next.is_alphanumeric()) => plain.push_str("'  "),
            '\0'..='\u{1f}' if !matches!(c, '\n' | '\t') => plain.push(' '),
            c => plain.push(c),
        }
        if c == '\n' {
            straight = quotes(&text[plain.len()..]);
        }
        before = c;
    }
    plain
}

/// Whether a byte is a character that stays as it is.
pub(super) fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\n' | b'\t')
}

/// Whether the first line has straight double quotes, and single ones: then curly ones beside them are only signs.
fn quotes(text: &str) -> (bool, bool) {
    let line = text.split('\n').next().unwrap_or("");
    (line.contains('"'), line.contains('\''))
}

fn line_ranges(text: &str) -> Vec<Span> {
    let mut start = 0;
    let mut lines = Vec::new();
    for line in text.split('\n') {
        lines.push(Span::new(start, start + line.len()));
        start += line.len() + 1;
    }
    lines
}

/// Blanks the lines of Markdown fences and gives what stands between them.
fn fences(text: &str, lines: &[Span], blanks: &mut Vec<Span>) -> Vec<Span> {
    let mut fences = Vec::new();
    let mut open: Option<(usize, &str)> = None;
    for line in lines {
        let trimmed = line.of(text).trim_start();
        if !trimmed.starts_with(['`', '~', '>']) {
            continue;
        }
        let trimmed = trimmed.trim_start_matches("> ");
        let mark = ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark));
        match (mark, open) {
            (Some(mark), None) => open = Some((line.end, mark)),
            (Some(mark), Some((start, opening)))
                if mark == opening && trimmed.trim_matches(['`', '~', ' ']).is_empty() =>
            {
                fences.push(Span::new(start, line.start));
                open = None;
            }
            _ => continue,
        }
        blanks.push(*line);
    }
    if let Some((start, _)) = open {
        fences.push(Span::new(start, text.len()));
    }
    fences
}

/// Blanks line numbers, diff marks or prompts that stand before the lines.
fn marks(text: &str, lines: &[Span], blanks: &mut Vec<Span>) {
    let full: Vec<Span> = lines.iter().copied().filter(|line| !line.of(text).trim().is_empty()).collect();
    if full.len() >= 2 && numbered(text, &full) {
        blanks.extend(
            full.iter().map(|line| Span::new(line.start, line.start + number_length(line.of(text)).unwrap_or(0))),
        );
        return;
    }
    if diff(text, &full, blanks) {
        return;
    }
    for line in full {
        let line_text = line.of(text);
        let indent = line_text.len() - line_text.trim_start().len();
        if !line_text[indent..].starts_with(['$', '>', '.', '%', 'P', 'i']) {
            continue;
        }
        let prompts = ["$ ", ">>> ", "... ", "% ", "PS> ", "irb> ", "iex> "];
        if let Some(prompt) = prompts.iter().find(|prompt| line_text[indent..].starts_with(**prompt)) {
            let mark = prompt.len() - 1;
            blanks.push(Span::new(line.start + indent, line.start + indent + mark));
        }
    }
}

/// Whether every line starts with a number that grows by one each time.
fn numbered(text: &str, lines: &[Span]) -> bool {
    let mut last: Option<u64> = None;
    lines.iter().all(|line| {
        let trimmed = line.of(text).trim_start();
        let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
        let number = trimmed[..digits].parse().ok();
        let follows = match (last, number) {
            (None, Some(_)) => true,
            (Some(last), Some(number)) => number > last && number <= last + 3,
            _ => false,
        };
        last = number;
        follows && number_length(line.of(text)).is_some()
    })
}

/// How long the line number is with what sets it off: `12  `, `12: `, `12| `.
fn number_length(line: &str) -> Option<usize> {
    let indent = line.len() - line.trim_start().len();
    let rest = &line[indent..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let after = rest[digits..].chars().next();
    let mark = match after {
        None | Some(' ' | '\t') => 0,
        Some(c @ (':' | '|' | '│' | '.' | ')')) => c.len_utf8(),
        _ => return None,
    };
    (digits > 0).then_some(indent + digits + mark)
}

/// Keeps the new side of a diff, if the text is one.
fn diff(text: &str, lines: &[Span], blanks: &mut Vec<Span>) -> bool {
    let header = |line: &str| ["diff ", "index ", "--- ", "+++ ", "@@ "].iter().any(|h| line.starts_with(h));
    let first = |line: &Span| line.of(text).bytes().next().unwrap_or(b' ');
    let marked = |line: &&Span| matches!(first(line), b'+' | b'-');
    let sides = |mark: u8| lines.iter().any(|line| first(line) == mark && line.of(text).len() > 1);
    let listed = |line: &Span| line.of(text).starts_with("- ");
    let whole = lines.iter().all(|line| matches!(first(line), b'+' | b'-' | b' ') || header(line.of(text)));
    let hunk = lines.iter().any(|line| line.of(text).starts_with("@@ "));
    let both = sides(b'+') && (sides(b'-') || lines.iter().all(|line| first(line) == b'+'));
    if !whole || !(hunk || both) || lines.iter().filter(marked).all(listed) {
        return false;
    }
    for line in lines {
        let gone = header(line.of(text)) || first(line) == b'-';
        let mark = usize::from(matches!(first(line), b'+'));
        blanks.push(if gone { *line } else { Span::new(line.start, line.start + mark) });
    }
    true
}
