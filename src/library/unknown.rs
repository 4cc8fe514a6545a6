//! Names that a library does not have: said, with the name that was meant.

use super::near::{meant, nearest};
use super::{Args, Setting};
use crate::notation::{Step, Value};
use crate::span::Span;

impl Args<'_, '_> {
    /// The same of names that begin so.
    pub fn unknown_names_from(&mut self, start: &str, whose: &str, what: &str) {
        self.unknown_among(&|name| name.starts_with(start), whose, what);
    }

    /// Says of every written name that the table does not have that it has no effect, with the name that comes near;
    /// `what` happens then in this library: "Python raises TypeError", "it is ignored".
    pub fn unknown_names(&mut self, whose: &str, what: &str) {
        self.unknown_among(&|_| true, whose, what);
    }

    /// The same where a library has many settings that do not concern retries: only names that speak of retries,
    /// attempts or backoff count as unknown.
    pub fn unknown_retry_names(&mut self, whose: &str, what: &str) {
        let speaks = |name: &str| {
            let name = name.to_ascii_lowercase();
            ["retr", "attempt", "backoff"].iter().any(|word| name.contains(word))
        };
        self.unknown_among(&speaks, whose, what);
    }

    /// Says of every option of a package, `retry.Attempt(3)`, that the table does not have: it does not compile.
    pub fn unknown_options(&mut self, packages: &[&str]) {
        let known: Vec<&'static str> = self.take.library.settings.iter().flat_map(|s| s.names()).collect();
        let own = |name: &'static str| name.rsplit('.').next().unwrap_or(name);
        for option in std::mem::take(&mut self.given.options).into_iter().filter_map(Value::item) {
            let path = option.head.text.as_str();
            let Some((package, name)) = path.rsplit_once('.').filter(|(package, _)| packages.contains(package)) else {
                continue;
            };
            if !known.iter().any(|k| own(k) == name) {
                let message = format!("`{package}.{name}` is no option; it does not compile.");
                self.take.unknown_key(option.span, message, nearest(name, &known));
            }
        }
    }

    /// Says of every method of a chain that begins so and that the table does not have: it does not compile.
    pub fn unknown_calls(&mut self, start: &str) {
        let known: Vec<&'static str> = self.rows().flat_map(|s| s.names()).collect();
        let steps = self.given.item.map_or(&[][..], |item| &item.steps);
        let called = steps.iter().filter_map(|step| match step {
            Step::Call { name, span, .. } => Some((name.text.as_str(), *span)),
            Step::Set { .. } => None,
        });
        for (name, span) in called.filter(|(name, _)| name.starts_with(start) && !known.contains(name)) {
            let message = format!("`{name}` is no method of {}; it does not compile.", self.take.library.title);
            let near = nearest(name, &known).or_else(|| meant(name, self.rows()));
            self.take.unknown_key(span, message, near);
        }
    }

    fn has_any(&self, setting: &Setting) -> bool {
        setting.names().next().is_some_and(|name| self.has(name))
    }

    fn unknown_among(&mut self, counts: &dyn Fn(&str) -> bool, whose: &str, what: &str) {
        let known: Vec<&'static str> = self.rows().flat_map(|s| s.names()).collect();
        let unknown: Vec<(String, Span)> = (self.given.named.iter())
            // A name alone, as in `{ run }`, may as well be the body of a block.
            .filter(|(name, value)| counts(&name.text) && name.span != value.span)
            // An example that leaves something out, `@Retry(..., delay = 5)`.
            .filter(|(name, _)| !name.text.starts_with(['.', '@']))
            // An entry of a setting that holds several, `contexts[:aws]`, is known by what it is in.
            .filter(|(name, _)| {
                let name = name.text.split('[').next().unwrap_or_default();
                !known.iter().any(|k| self.same(k, name) || inside(k, name))
            })
            .map(|(name, value)| (name.text.clone(), name.span.to(value.span)))
            .collect();
        for (name, span) in unknown {
            let free = self.rows().filter(|s| !self.has_any(s));
            let near = nearest(&name, &known).or_else(|| meant(&name, free));
            self.take.unknown_key(span, format!("`{name}` is not {whose}; {what}."), near);
        }
    }
}

/// Whether `key` leads into a map that holds the known `path`: `retry` for `retry.limit`.
fn inside(path: &str, key: &str) -> bool {
    path.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'))
}
