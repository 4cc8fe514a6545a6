//! What stands beside the policy: gathered from what the reader gave and from the text around the block.

use super::assumed;
use super::fields::default_text;
use super::fleet;
use super::{MARKED, Request, State};
use crate::duration;
use crate::find;
use crate::library::{Certainty, Origin, Reading};
use crate::limits::LIMITS;
use crate::rule::{Beside, ChosenLimit, LayerBeside, Operation};
use crate::span::Span;

/// Everything that the rules look at beside the policy.
pub fn of(state: &State, request: &Request) -> Beside {
    let reading = state.reading();
    // What is longer is no configuration with its surroundings, and is not searched through at each key.
    let text = if request.text.len() <= MARKED { request.text.as_str() } else { "" };
    let (_, call_ms) = assumed::time(request, assumed::CALL_TIME, None);
    Beside {
        written: reading.map(|reading| written(state, reading)),
        defaults: reading.map_or(Vec::new(), |reading| defaults(state, reading)),
        ecosystem: reading.map_or("", |reading| reading.library.ecosystem),
        fleet: fleet::given(&request.fleet),
        limits: reader_limits(request).into_iter().chain(text_limit(text)).collect(),
        call_ms: call_ms.unwrap_or(0.0),
        layer: reading.and_then(|reading| layer(&state.readings, reading)),
        operation: reading.and_then(|reading| operation(text, state, reading)),
        drawn_once: reading.filter(|_| state.edits.is_empty()).and_then(|reading| drawn_once(text, reading)),
    }
}

/// The fields that have a place in the text, and those that the reader changed.
fn written(state: &State, reading: &Reading) -> Vec<&'static str> {
    let given = reading.origins.iter().filter(|origin| origin.span.is_some()).map(|origin| origin.field);
    given.chain(state.edits.contains_key("cap").then_some("capMs")).collect()
}

/// The defaults that nobody wrote, those left out of which the library has said something itself.
fn defaults(state: &State, reading: &Reading) -> Vec<(&'static str, String)> {
    let said = |words: &[&str]| reading.findings.iter().any(|f| words.iter().any(|word| f.code.contains(word)));
    let told = |field: &str| match field {
        "capMs" => state.edits.contains_key("cap") || said(&["cap"]),
        "retries" => state.edits.contains_key("retries") || said(&["default", "count", "no-", "nothing", "missing"]),
        _ => state.edits.contains_key(field) || said(&["default"]),
    };
    let unwritten = |origin: &Origin| {
        let default = origin.default.as_deref().filter(|_| origin.span.is_none())?;
        Some((origin.field, default_text(reading, origin.field, default)))
    };
    reading.origins.iter().filter_map(unwritten).filter(|(field, _)| !told(field)).collect()
}

/// The limits that the reader typed.
fn reader_limits(request: &Request) -> Vec<ChosenLimit> {
    let chosen = LIMITS.iter().filter_map(|limit| {
        let (field, ms) = assumed::time(request, limit.key, limit.at_most_ms);
        let name = match limit.at_most_ms {
            None => "your own limit".into(),
            Some(_) => format!("the limit for {}", limit.name),
        };
        Some(ChosenLimit { name, ms: ms?, span: None }).filter(|_| field.own)
    });
    chosen.collect()
}

/// A limit that a comment states: `// in a function limited to 6 s`.
fn text_limit(text: &str) -> Option<ChosenLimit> {
    const SAID: [&str; 8] =
        ["limited to", "limit of", "limit is", "budget of", "budget is", "has to fit", "must fit", "no more than"];
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let at = find::first(line, &["// ", "# ", "/* ", "-- "]);
        let comment = at.map_or("", |at| &line[at..]).to_ascii_lowercase();
        for said in SAID {
            let Some(found) = comment.find(said) else { continue };
            let tail = &comment[found + said.len()..];
            let Some(digit) = tail.find(|c: char| c.is_ascii_digit()).filter(|at| *at < 12) else { continue };
            let number = tail[digit..].find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(0);
            let unit = tail[digit + number..].trim_start_matches([' ', '-']);
            let unit: String = unit.chars().take_while(char::is_ascii_alphabetic).collect();
            let Ok(time) = duration::parse(&format!("{}{unit}", &tail[digit..digit + number]), None) else { continue };
            let from = start + at.unwrap_or(0) + found;
            let upto = from + said.len() + digit + tail[digit..].find(&unit).map_or(number, |n| n + unit.len());
            let name = "the limit that the comment states".into();
            return Some(ChosenLimit { name, ms: time.ms, span: Some(Span::new(from, upto)) });
        }
        start += line.len();
    }
    None
}

/// Another block of the text that retries, where it or this one does so by a default that nobody wrote.
fn layer(readings: &[Reading], own: &Reading) -> Option<LayerBeside> {
    let by_default = |reading: &Reading| reading.origins.iter().any(|o| o.field == "retries" && o.span.is_none());
    let other = |reading: &&Reading| {
        reading.library.id != own.library.id
            && reading.library.id != "neutral"
            && reading.certainty == Certainty::Certain
            && reading.policy.calls() != Some(1)
            && (by_default(reading) || by_default(own))
    };
    let layer = |reading: &Reading| LayerBeside {
        name: reading.library.title.into(),
        by_default: by_default(reading),
        calls: reading.policy.calls(),
        span: reading.place.span,
    };
    readings.iter().find(other).map(layer)
}

/// What a call does that may not be safe to do twice: the first of these words behind the block, and before the next.
fn operation(text: &str, state: &State, reading: &Reading) -> Option<Operation> {
    const DOES: [(&str, &[&str]); 6] = [
        ("posts", &[".post(", "\"post\"", "'post'", "-x post", "httpmethod.post", "method: post", "method=post"]),
        ("charges", &["charge(", "charges.create", "charge_card", "chargecard"]),
        ("sends mail", &["send_email", "sendemail", "send_mail", "sendmail"]),
        ("inserts", &["insert into"]),
        ("places an order", &["place_order", "placeorder", "create_order", "createorder"]),
        ("patches", &[".patch(", "\"patch\"", "'patch'"]),
    ];
    let text = text.to_ascii_lowercase();
    if text.contains("idempoten") {
        return None;
    }
    let starts = || state.readings.iter().map(|reading| reading.place.span.start);
    let from = if state.readings.len() > 1 { reading.place.span.start } else { 0 };
    let upto = starts().filter(|start| *start > from).min().filter(|_| from > 0).unwrap_or(text.len());
    let here = text.get(from..upto)?;
    DOES.iter().find_map(|(does, words)| {
        words.iter().find_map(|word| {
            let at = from + here.find(word)?;
            let whole =
                !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() && word.starts_with(char::is_alphabetic));
            whole.then(|| Operation { does, span: Span::new(at, at + word.trim_end_matches('(').len()) })
        })
    })
}

/// A time of the block that is a draw and no function that draws.
fn drawn_once(text: &str, reading: &Reading) -> Option<Span> {
    let draws = ["random", "rand(", "rand.", "uniform(", "randint", "nextdouble"];
    let later = ["=>", "lambda", "->", "func", "def ", "fn ", "{", "wait_random"];
    let times = ["baseMs", "delayMs", "incrementMs", "delaysMs"];
    let spans = reading.origins.iter().filter(|o| times.contains(&o.field)).filter_map(|o| o.span);
    spans.into_iter().find(|span| {
        let written = span.of(text).to_ascii_lowercase();
        draws.iter().any(|word| written.contains(word))
            && written.contains('(')
            && !later.iter().any(|word| written.contains(word))
    })
}
