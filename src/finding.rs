//! What is worth saying about a text or a policy.

use crate::policy::Policy;
use crate::span::Span;
use serde::Serialize;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Severity {
    /// The library refuses what is written, or something written does not do what it says.
    Error,
    /// Works as written, and will hurt.
    Warning,
    /// Worth knowing.
    Note,
}

/// One thing to say, in words for the reader.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Finding {
    /// A stable code: `BJ…` for a rule, a word such as `unknown-key` for a reader's or library's finding.
    pub code: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What is the case: cause first, then effect. One or two sentences.
    pub message: String,
    /// What to write or do instead; may be empty.
    pub help: String,
    /// The text it concerns; absent where it concerns no place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
    /// A policy that no longer has the problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Box<Policy>>,
}

impl Finding {
    fn new(severity: Severity, code: &'static str, span: impl Into<Option<Span>>, message: String) -> Self {
        Finding { code, severity, message, help: String::new(), span: span.into(), fix: None }
    }

    /// An error at a place of the text.
    pub fn error(code: &'static str, span: impl Into<Option<Span>>, message: impl Into<String>) -> Self {
        Finding::new(Severity::Error, code, span, message.into())
    }

    /// A warning at a place of the text.
    pub fn warning(code: &'static str, span: impl Into<Option<Span>>, message: impl Into<String>) -> Self {
        Finding::new(Severity::Warning, code, span, message.into())
    }

    /// A note at a place of the text.
    pub fn note(code: &'static str, span: impl Into<Option<Span>>, message: impl Into<String>) -> Self {
        Finding::new(Severity::Note, code, span, message.into())
    }

    /// The same finding with what to do about it.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }
}
