//! Shell command lines: the program and its sub-commands as head, options as named values, the rest by position.
//!
//! | text | item |
//! |---|---|
//! | `curl --retry 5 -f URL` | head `curl`, `--retry = 5`, `-f = true`, `URL` |
//! | `gcloud tasks queues update q --max-attempts=-1` | head `gcloud tasks queues update q`, `--max-attempts = -1` |
//! | `curl -fsSL`, `wget -t6` | `-f`, `-s`, `-S`, `-L` each `true`; `-t = 6` |
//! | `AWS_MAX_ATTEMPTS=5 aws s3 ls \| head` | head `aws s3 ls`, `AWS_MAX_ATTEMPTS = 5`; `head` is a command of its own |
//! | `timeout 60 curl -f URL` | head `curl`: what a program runs counts |
//! | `run(["curl", "--retry", "5"])` | the call, with the command as its last value |

use super::yaml::comment;
use super::{Arg, Form, Item, Kind, Name, Read, Value, scalar};
use crate::finding::Finding;
use crate::span::Span;

/// Reads a range of the text.
pub(super) fn read(text: &str, range: Span) -> Read {
    let mut words = Words { text, at: range.start, end: range.end, unclosed: None };
    let mut read = Read::default();
    let mut command: Vec<Word> = Vec::new();
    for token in words.by_ref() {
        match token {
            Token::Word(word) => command.push(word),
            Token::Comment(span) => read.items.push(comment(text, span)),
            Token::End => read.items.extend(item(&std::mem::take(&mut command))),
        }
    }
    read.items.extend(item(&command));
    fill(&mut read.items, text);
    if let Some((at, quote)) = words.unclosed {
        let message =
            format!("The text that starts here with {quote} is never closed; it is read to the end of the line.");
        read.findings.push(Finding::error("unclosed", at, message));
    }
    read
}

/// Puts what a script assigns, `RETRIES=5`, in the place of `$RETRIES` in the commands that follow.
fn fill(items: &mut [Item], text: &str) {
    let mut known: Vec<Arg> = Vec::new();
    for item in items {
        let mut options = Vec::new();
        for arg in &mut item.args {
            let Kind::Text { text: word, .. } = &arg.value.kind else { continue };
            let Some(name) = word.strip_prefix('$') else { continue };
            let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
            let name = name.split(['[', ':']).next().unwrap_or(name);
            let of_name = |known: &&Arg| known.name.as_ref().is_some_and(|n| n.text == name);
            if let Some(found) = known.iter().rev().find(of_name) {
                arg.value = found.value.clone();
                // Several options in one variable.
                if let (None, Kind::Text { text: given, .. }) = (&arg.name, &found.value.kind)
                    && are_options(given)
                {
                    let words =
                        Words { text, at: found.value.span.start + 1, end: found.value.span.end - 1, unclosed: None };
                    let words: Vec<Word> =
                        words.filter_map(|t| if let Token::Word(word) = t { Some(word) } else { None }).collect();
                    self::options(&words, &mut options);
                }
            }
        }
        item.args.append(&mut options);
        if item.form == Form::Map {
            known.extend(item.args.iter().cloned());
        }
    }
}

/// Whether a text begins with an option, in quotes or not.
fn are_options(text: &str) -> bool {
    text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'')).starts_with('-')
}

/// Adds to each item that is given the name of a program and its options, one by one or in lists, the command that they
/// are: `run(["curl", "--retry", "5"])`, `Command::new("curl").arg("-f")`.
pub(super) fn listed(items: &mut [Item]) {
    let add = |item: &mut Item| {
        let mut words = Vec::new();
        item.values().for_each(|value| listed_words(value, &mut words));
        let starts: Vec<usize> = (0..words.len()).filter(|&at| is_program(&words[at].text)).collect();
        for (i, &start) in starts.iter().enumerate() {
            let words = &words[start..starts.get(i + 1).copied().unwrap_or(words.len())];
            if let Some(command) = self::item(words).filter(|_| words.iter().any(is_option)) {
                let value = Value::new(Kind::Item(Box::new(command)), words[0].span);
                item.args.push(Arg { name: None, value });
            }
        }
    };
    for item in items.iter_mut().filter(|item| item.form != Form::Command) {
        add(item);
        super::inner::each_value(item, &mut |value| match &mut value.kind {
            Kind::Item(item) => add(item),
            Kind::Text { inner, .. } => listed(inner),
            _ => {}
        });
    }
}

/// What a value gives to a command: a text its words, a list those of its entries, anything else itself.
fn listed_words(value: &Value, out: &mut Vec<Word>) {
    match &value.kind {
        Kind::List(values) => values.iter().for_each(|value| listed_words(value, out)),
        Kind::Text { text, quoted, .. } => {
            let quote = usize::from(*quoted && value.span.end - value.span.start == text.len() + 2);
            let span = Span::new(value.span.start + quote, value.span.end - quote);
            out.push(Word { text: text.clone(), quoted: true, span, value: None });
        }
        // A number made a text.
        Kind::Item(item) if item.is_any(&["str", "String", "Itoa"]) && item.args.len() == 1 => {
            listed_words(&item.args[0].value, out);
        }
        _ => out.push(Word { text: String::new(), quoted: true, span: value.span, value: Some(value.clone()) }),
    }
}

/// Whether a word is one of the programs that retry by themselves, with or without its folder and tag.
fn is_program(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    matches!(name.split(':').next(), Some("curl" | "wget" | "curl.exe"))
}

/// One word of a command, quotes taken off.
#[derive(Debug)]
struct Word {
    text: String,
    quoted: bool,
    span: Span,
    /// What it is where that is no text.
    value: Option<Value>,
}

enum Token {
    Word(Word),
    Comment(Span),
    /// The end of a line, a pipe, `&&`, `;`.
    End,
}

struct Words<'t> {
    text: &'t str,
    at: usize,
    end: usize,
    unclosed: Option<(Span, char)>,
}

impl Iterator for Words<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            let rest = &self.text[self.at..self.end];
            let c = rest.chars().next()?;
            let length = match c {
                '\\' | '^' | '`' if continues(rest) => rest.find('\n').map_or(rest.len(), |at| at + 1),
                '\n' | ';' | '|' | '&' => {
                    self.at += rest.len() - rest.trim_start_matches(['\n', ';', '|', '&', ' ']).len();
                    return Some(Token::End);
                }
                '#' => {
                    let end = self.at + rest.find('\n').unwrap_or(rest.len());
                    let span = Span::new(self.at, end);
                    self.at = end;
                    return Some(Token::Comment(span));
                }
                '[' if rest[1..].trim_start().starts_with(['"', '\'']) => 1,
                c if c.is_whitespace() || matches!(c, '(' | ')' | ',' | ']') => c.len_utf8(),
                _ => return Some(Token::Word(self.word())),
            };
            self.at += length;
        }
    }
}

/// Whether a sign ends its line and the next line goes on.
fn continues(rest: &str) -> bool {
    rest[1..].trim_start_matches([' ', '\t']).starts_with('\n') || rest.len() == 1
}

impl Words<'_> {
    fn word(&mut self) -> Word {
        let start = self.at;
        let mut text = String::new();
        let mut quoted = false;
        while let Some(c) = self.text[self.at..self.end].chars().next() {
            match c {
                '"' | '\'' => {
                    quoted |= self.at == start;
                    self.quoted(c, &mut text);
                    if quoted && self.text[self.at..self.end].starts_with([',', ']']) {
                        break;
                    }
                    continue;
                }
                '\\' if !continues(&self.text[self.at..self.end]) => {
                    self.at += 1;
                    text.extend(self.text[self.at..self.end].chars().next());
                    self.at += self.text[self.at..self.end].chars().next().map_or(0, char::len_utf8);
                    continue;
                }
                // An array: `OPTIONS=(--retry 5)`.
                '(' if text.ends_with('=') => {
                    let inner = self.text[self.at + 1..self.end].split(')').next().unwrap_or_default();
                    text.push_str(inner);
                    self.at = (self.at + inner.len() + 2).min(self.end);
                    break;
                }
                '\\' | ';' | '|' | '&' | '(' | ')' => break,
                c if c.is_whitespace() => break,
                c => text.push(c),
            }
            self.at += c.len_utf8();
        }
        Word { text, quoted, span: Span::new(start, self.at), value: None }
    }

    /// What stands in quotes; one that is never closed ends with its line.
    fn quoted(&mut self, quote: char, text: &mut String) {
        let body = &self.text[self.at + 1..self.end];
        let mut chars = body.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                c if c == quote => {
                    self.at += at + 2;
                    return;
                }
                '\\' if quote == '"' => text.extend(chars.next().map(|(_, c)| c)),
                c => text.push(c),
            }
        }
        let line = body.find('\n').unwrap_or(body.len());
        self.unclosed.get_or_insert((Span::new(self.at, self.at + 1 + line), quote));
        text.truncate(text.find('\n').unwrap_or(text.len()));
        self.at += 1 + line;
    }
}

/// The item of one command.
fn item(words: &[Word]) -> Option<Item> {
    let assigned = words.iter().take_while(|word| assignment(word).is_some()).count();
    let wrapping = |word: &&Word| {
        let wraps =
            ["sudo", "RUN", "CMD", "exec", "time", "ENTRYPOINT", "if", "while", "until", "!", "do", "then", "else"];
        !word.quoted && (wraps.contains(&word.text.as_str()) || word.text.ends_with("=$"))
    };
    let skipped = assigned + words[assigned..].iter().take_while(wrapping).count();
    // A program that another one runs: `timeout 60 curl …`, `HEALTHCHECK CMD curl …`.
    let run = |at: &usize| !words[*at].quoted && is_program(&words[*at].text) && words[at + 1..].iter().any(is_option);
    let skipped = (skipped..words.len()).find(run).unwrap_or(skipped);
    let (before, rest) = words.split_at(skipped);
    let Some(first) = rest.first() else { return assignments(words) };
    if matches!(first.text.as_str(), "ENV" | "ARG" | "export" | "local" | "readonly" | "declare") {
        return variables(rest);
    }
    let named = 1 + rest[1..].iter().take_while(|word| sub_command(word)).count();
    let head_span = first.span.to(rest[named - 1].span);
    let head =
        Name { text: rest[..named].iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join(" "), span: head_span };
    let mut args: Vec<Arg> = before.iter().filter_map(assignment).collect();
    options(&rest[named..], &mut args);
    let span = before.first().unwrap_or(first).span.to(words.last().map_or(first.span, |word| word.span));

    Some(Item { head, args, form: Form::Command, span, ..Item::default() })
}

/// `ENV A=1 B=2`, `ENV A 1`, `export A=1` as a map.
fn variables(words: &[Word]) -> Option<Item> {
    let args: Vec<Arg> = match &words[1..] {
        [name, value] if !name.text.contains('=') => {
            let name = Name { text: name.text.clone(), span: name.span };
            vec![Arg { name: Some(name), value: self::value(value) }]
        }
        rest => rest.iter().filter_map(assignment).collect(),
    };
    map(args, words)
}

/// `A=1 B=2` alone as a map.
fn assignments(words: &[Word]) -> Option<Item> {
    map(words.iter().filter_map(assignment).collect(), words)
}

fn map(args: Vec<Arg>, words: &[Word]) -> Option<Item> {
    let span = words.first()?.span.to(words.last()?.span);
    (!args.is_empty()).then(|| Item { args, form: Form::Map, span, ..Item::default() })
}

/// `NAME=value` before the program.
fn assignment(word: &Word) -> Option<Arg> {
    let (name, value) = word.text.split_once('=')?;
    // An array of options may have any name.
    let name = name.strip_suffix('+').unwrap_or(name);
    let options = are_options(value);
    let may = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_' || options && b.is_ascii_lowercase();
    (name.bytes().all(may) && !name.is_empty()).then(|| named(word, name, value))
}

/// A named value that stands in one word: `--name=value`.
fn named(word: &Word, name: &str, value: &str) -> Arg {
    let split = (word.span.start + name.len()).min(word.span.end);
    let place = Span::new((split + 1).min(word.span.end), word.span.end);
    let name = Name { text: name.to_string(), span: Span::new(word.span.start, split) };
    Arg { name: Some(name), value: scalar::bare(value, place) }
}

fn sub_command(word: &Word) -> bool {
    !word.quoted
        && word.text.starts_with(|c: char| c.is_ascii_lowercase())
        && word.text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | ':' | '_'))
}

/// Options with their values, and everything else by position.
fn options(words: &[Word], args: &mut Vec<Arg>) {
    let mut words = words.iter().peekable();
    let mut ended = false;
    while let Some(word) = words.next() {
        let option = !ended && word.text.len() > 1 && word.text.starts_with('-');
        if word.text == "--" {
            ended = true;
        } else if !option || number(&word.text) {
            args.push(Arg { name: None, value: value(word) });
        } else if let Some((name, value)) = word.text.split_once('=') {
            args.push(named(word, name, value));
        } else {
            let name = Name { text: word.text.clone(), span: word.span };
            let takes = words.next_if(|next| !is_option(next) && takes_value(&name.text, next));
            let names = letters(&name);
            let last = names.len() - 1;
            for (at, (name, attached)) in names.into_iter().enumerate() {
                let value = match (attached, takes) {
                    (Some(value), _) => value,
                    (None, Some(next)) if at == last => value(next),
                    _ => Value::new(Kind::Word("true".into()), name.span),
                };
                args.push(Arg { name: Some(name), value });
            }
        }
    }
}

fn number(text: &str) -> bool {
    super::resolve::plain_number(text).is_some()
}

fn is_option(word: &Word) -> bool {
    word.text.len() > 1 && word.text.starts_with('-') && !number(&word.text)
}

/// Whether the next word is the option's value: an address is only that of an option which asks for one, and a path of
/// a single letter's never.
fn takes_value(name: &str, next: &Word) -> bool {
    let address = next.text.contains("://");
    !address || ["url", "uri", "endpoint", "proxy", "host", "server"].iter().any(|word| name.ends_with(word))
}

/// The options of a word: `-fsSL` is four, `-t6` one with its value, `--long` and `-long` one.
fn letters(name: &Name) -> Vec<(Name, Option<Value>)> {
    let body = name.text.trim_start_matches('-');
    let single = name.text.len() == body.len() + 1;
    let digits = body.find(|c: char| c.is_ascii_digit()).filter(|at| *at == 1 && number(&body[1..]));
    let mixed = body.len() <= 5
        && body.bytes().all(|b| b.is_ascii_alphabetic())
        && (body.len() <= 3 || body.bytes().any(|b| b.is_ascii_uppercase()));
    if let (true, Some(at)) = (single, digits) {
        let split = name.span.start + 1 + at;
        let letter = Name { text: name.text[..1 + at].to_string(), span: Span::new(name.span.start, split) };
        return vec![(letter, Some(scalar::bare(&body[at..], Span::new(split, name.span.end))))];
    }
    if !single || body.len() < 2 || !mixed {
        return vec![(name.clone(), None)];
    }
    let letter = |(at, c): (usize, char)| {
        let start = name.span.start + 1 + at;
        (Name { text: format!("-{c}"), span: Span::new(start, start + c.len_utf8()) }, None)
    };
    body.char_indices().map(letter).collect()
}

/// The value of a word; quotes are the shell's, so a number in them is a number.
fn value(word: &Word) -> Value {
    if let Some(value) = &word.value {
        return value.clone();
    }
    if word.quoted && !number(&word.text) {
        scalar::quoted(word.text.clone(), word.span)
    } else {
        scalar::bare(&word.text, word.span)
    }
}
