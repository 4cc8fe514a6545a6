//! JSON in the shapes that other code may rely on.

use super::Source;
use crate::distribution::{Options, total_wait};
use crate::report::assumed;
use crate::report::fleet;
use crate::report::table;
use crate::schedule::schedule;
use serde::Serialize;

/// `{ link, answer, library, version, policy, schedule, totalWait, fleet, findings }`; a fleet where one was described.
pub fn text(source: &Source) -> String {
    let Source { report, policy, reading, request } = source;
    let (_, call_ms) = assumed::time(request, assumed::CALL_TIME, None);
    let options = Options { call_ms: call_ms.unwrap_or(0.0), within_ms: Vec::new() };
    let mut members = vec![
        member("link", &report.link),
        member("answer", &report.answer.text),
        member("library", &reading.map(|reading| reading.library.id)),
        member("version", &reading.map(|reading| reading.version())),
        member("policy", policy),
        member("schedule", &schedule(policy, table::MOST as usize)),
        member("totalWait", &total_wait(policy, &options)),
    ];
    if !request.fleet.typed.is_empty() {
        members.push(member("fleet", &fleet::numbers(policy, &request.fleet)));
    }
    members.push(findings(source));
    indented(&format!("{{{}}}", members.join(",")))
}

fn findings(source: &Source) -> String {
    let finding = |finding: &crate::report::FindingRow| {
        let [message, help] = [&finding.message, &finding.help].map(|words| words.text());
        let members = [
            member("code", &finding.code),
            member("severity", &finding.severity),
            member("message", &message),
            member("help", &help),
        ];
        format!("{{{}}}", members.join(","))
    };
    let all: Vec<String> = source.report.findings.iter().map(finding).collect();
    format!("\"findings\":[{}]", all.join(","))
}

fn member<T: Serialize + ?Sized>(name: &str, value: &T) -> String {
    // None of these shapes can fail: their keys are texts, and what is no number is written as null.
    format!("\"{name}\":{}", serde_json::to_string(value).unwrap_or_else(|_| "null".into()))
}

/// The same JSON with a line for each member of the outer levels. Over the text: a second serializer for every shape
/// would be most of this module's weight.
fn indented(json: &str) -> String {
    /// Deeper than this a value stays on its line.
    const LEVELS: usize = 4;
    let mut out = String::new();
    let (mut level, mut quoted, mut escaped) = (0usize, false, false);
    let mut chars = json.chars().peekable();
    let line = |out: &mut String, level: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", level));
    };
    while let Some(c) = chars.next() {
        if quoted {
            quoted = escaped || c != '"';
            escaped = c == '\\' && !escaped;
            out.push(c);
            continue;
        }
        let empty = matches!(chars.peek(), Some(']' | '}'));
        match c {
            '{' | '[' => {
                level += 1;
                out.push(c);
                if level < LEVELS && !empty {
                    line(&mut out, level);
                }
            }
            '}' | ']' => {
                if level < LEVELS && !out.ends_with(['{', '[']) {
                    line(&mut out, level - 1);
                }
                level -= 1;
                out.push(c);
            }
            ',' => {
                out.push(c);
                if level < LEVELS { line(&mut out, level) } else { out.push(' ') }
            }
            ':' => out += ": ",
            _ => {
                quoted = c == '"';
                out.push(c);
            }
        }
    }
    out.push('\n');
    out
}
