//! What is said outside the program: the environment and the profile, which give texts and count calls.

use super::{Found, known_mode};
use crate::library::python::not_followed;
use crate::library::{Scan, Take};
use crate::notation::{Crumb, Item, Step, Value};

/// The variables of the mode and of the count.
pub(super) const ENVIRONMENT: [&str; 2] = ["AWS_RETRY_MODE", "AWS_MAX_ATTEMPTS"];

/// An environment variable: `NAME=value`, or `name: NAME` with its `value`.
pub(super) fn variable<'d>(item: &'d Item, name: &str) -> Option<&'d Value> {
    let listed = || item.get("value").filter(|_| item.get("name").and_then(Value::text) == Some(name));
    item.get(name).or_else(listed)
}

/// Whether two items are entries of the same list.
pub(super) fn in_one_list(a: &Item, b: &Item) -> bool {
    let list = |item: &Item| match item.place.split_last() {
        Some((Crumb::Index(_), list)) => Some(list.to_vec()),
        _ => None,
    };
    list(a).is_some() && list(a) == list(b)
}

/// What the program itself puts into the environment: `os.environ["AWS_MAX_ATTEMPTS"] = "8"`.
pub(super) fn put<'d>(scan: &Scan<'d>, name: &str) -> Option<&'d Value> {
    let own = |path: &str| path.contains("environ") && path.contains(name);
    scan.items.iter().flat_map(|item| &item.steps).find_map(|step| match step {
        Step::Set { path, value } if own(&path.text) => Some(value),
        _ => None,
    })
}

/// A profile or the environment: both give texts, and both count calls.
pub(super) fn outside<'t>(
    take: &mut Take<'t>,
    names: [&str; 2],
    [mode, count]: [Option<&'t Value>; 2],
    found: &mut Found,
) {
    let count_name = names[1];
    found.mode = mode.and_then(|value| known_mode(take, names[0], value));
    let Some(value) = count else { return };
    match value.text_number() {
        Some(calls) if calls >= 1.0 && calls.fract() == 0.0 => {
            take.origin("retries", value.span);
            found.retries = Some(calls as u64 - 1);
        }
        Some(_) => {
            take.refuse(count_name, value, "must be a whole number from 1 on: it counts calls, the first included");
        }
        None if value.is_undefined() => {
            not_followed(take, "retries", value.span, "The count comes from outside this text.");
        }
        None => {
            take.refuse(count_name, value, "must be a whole number from 1 on");
        }
    }
}
