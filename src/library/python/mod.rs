//! Python libraries.

use super::near::nearest;
use super::{Args, Library, Take};
use crate::notation::{Item, Value};
use crate::policy::{Backoff, Wait};
use crate::span::Span;

mod aiohttp_retry;
mod airflow;
mod anthropic_python;
mod backoff;
mod botocore;
mod celery;
mod dramatiq;
mod generated_client;
mod google_api_core;
mod httpx;
mod httpx_retries;
mod huey;
mod langchain_retry;
mod openai_agents;
mod openai_python;
mod prefect;
mod requests;
mod retry;
mod retry_object;
mod retrying;
mod rq;
mod stamina;
mod tenacity;
mod urllib3;

/// One line a library.
pub(super) static LIBRARIES: &[&Library] = &[
    &tenacity::LIBRARY,
    &backoff::LIBRARY,
    &urllib3::LIBRARY,
    &requests::LIBRARY,
    &httpx::LIBRARY,
    &httpx_retries::LIBRARY,
    &aiohttp_retry::LIBRARY,
    &retry::LIBRARY,
    &retrying::LIBRARY,
    &stamina::LIBRARY,
    &google_api_core::LIBRARY,
    &celery::LIBRARY,
    &dramatiq::LIBRARY,
    &huey::LIBRARY,
    &rq::LIBRARY,
    &airflow::LIBRARY,
    &prefect::LIBRARY,
    &openai_python::LIBRARY,
    &anthropic_python::LIBRARY,
    &botocore::LIBRARY,
    &langchain_retry::LIBRARY,
    &openai_agents::LIBRARY,
];

/// What Python does with an argument that a function does not have.
const TYPE_ERROR: &str = "Python raises TypeError at this line";

/// Whether the head is one of these names of a package, wherever in the package it lives.
fn is_from(item: &Item, package: &str, names: &[&str]) -> bool {
    item.head.text.strip_prefix(package).is_some_and(|rest| rest.starts_with('.')) && item.is_any(names)
}

/// Whether the head is one of these names and nothing says where it comes from.
fn is_bare(item: &Item, names: &[&str]) -> bool {
    names.contains(&item.head.text.as_str())
}

/// The retries that are left by a stop at the first failed call whose number is at least what is written. Infinity and
/// None give no bound.
fn retries_until(args: &mut Args, name: &str) -> Option<u64> {
    let calls = args.number(name)?;
    if calls < 1.0
        && let Some((written, value)) = args.written(name)
    {
        let message = format!("`{written}` is below 1: the first call is made all the same, and there is no retry.");
        args.take.warning("below-one-call", value.span, message);
    }
    calls.is_finite().then(|| (calls.ceil() - 1.0).max(0.0) as u64)
}

/// An error about each of these settings that is written as None: the library calculates with it.
fn refuse_none(args: &mut Args, names: &[&str]) {
    for name in names {
        if let Some((written, value)) = args.written(name).filter(|(_, value)| value.is_null()) {
            args.take.refuse(&written, value, "is None where a number is needed: Python raises TypeError");
        }
    }
}

/// Says that a value is given which this page cannot follow: neither it nor the default is known to hold.
fn not_followed(take: &mut Take, field: &'static str, span: Span, message: &str) {
    take.unknown.push(field);
    take.origin(field, span);
    take.note("not-followed", span, message).help = "The numbers below use the library's default in its place.".into();
}

/// An error about each argument that is written like a retry setting but is none. For calls that take any name, so that
/// names about other matters cannot be judged.
fn misspelt(take: &mut Take, item: &Item, of: &str, whose: &str, what: &str) {
    const ABOUT: &[&str] = &["retr", "backo", "delay", "jitt", "attem", "tries", "wait"];
    let rows = take.library.settings.iter().filter(|s| s.of == of);
    let known: Vec<&'static str> = rows.flat_map(|s| s.names()).collect();
    for name in item.args.iter().filter_map(|a| a.name.as_ref()) {
        let text = name.text.as_str();
        let about = ABOUT.iter().any(|word| text.to_ascii_lowercase().contains(word));
        if about && !known.contains(&text) {
            take.unknown_key(name.span, format!("`{text}` is not {whose}; {what}."), nearest(text, &known));
        }
    }
}

/// The definition that a method call such as `fetch.with_options(…)` is made on: the last before it that stands on what
/// has this name.
fn definition<'d>(definitions: impl Iterator<Item = &'d Item>, call: &Item) -> Option<&'d Item> {
    let (owner, _) = call.head.text.rsplit_once('.')?;
    let named = |item: &&Item| item.target.as_ref().is_some_and(|target| target.text == owner);
    definitions.filter(named).take_while(|item| item.span.start < call.span.start).last()
}

/// No wait.
fn nothing() -> Wait {
    Wait::new(Backoff::Constant { delay_ms: 0.0 })
}

/// The values without a name.
fn positional(item: &Item) -> impl Iterator<Item = &Value> {
    item.args.iter().filter(|a| a.name.is_none()).map(|a| &a.value)
}
