//! What the reader assumes beside the policy: times in fields of their own, by the key that the link has for them.

use super::Request;
use super::fields::Field;
use super::form;
use crate::format::written;
use crate::limits::LIMITS;

/// The time of one call.
pub const CALL_TIME: &str = "call-time";

/// The time that the questions the other way round are about.
pub const TARGET: &str = "target";

/// What they are about unless told, ms.
pub const USUAL_TARGET_MS: f64 = 60_000.0;

/// A field and the time that it stands for, ms; `usual`: what it holds untouched. What cannot be used leaves the last
/// time that could.
pub fn time(request: &Request, key: &'static str, usual: Option<f64>) -> (Field, Option<f64>) {
    let value = usual.map_or(String::new(), |ms| written(ms, " "));
    let mut field = Field { key, value, good: true, ..Field::default() };
    let Some(typed) = request.assumed.get(key) else { return (field, usual) };
    field.own = true;
    field.value = typed.clone();
    let read = |text: &str| if text.trim().is_empty() { Ok(None) } else { form::time(text.trim()).map(Some) };
    match read(typed) {
        Ok(ms) => (field, ms),
        Err(problem) => {
            field.refuse(&problem);
            let held = request.held.get(key).and_then(|text| read(text).ok());
            (field, held.unwrap_or(usual))
        }
    }
}

/// The assumptions that differ from what is usual, to be put behind a link.
pub fn link(request: &Request) -> String {
    let usual = LIMITS
        .iter()
        .map(|limit| (limit.key, limit.at_most_ms))
        .chain([(CALL_TIME, None), (TARGET, Some(USUAL_TARGET_MS))]);
    let said = usual.filter_map(|(key, usual)| {
        let (_, ms) = time(request, key, usual);
        (ms != usual).then(|| format!("&{key}={}", ms.map_or(String::new(), |ms| written(ms, ""))))
    });
    said.collect()
}
