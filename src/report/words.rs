//! Text with a look: what the page writes in bold, as code, or links into the reader's text.

use crate::span::Span;
use serde::Serialize;

/// A stretch of text with one look.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Run {
    /// The text.
    pub text: String,
    /// How it looks; nothing: plain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub look: Option<Look>,
    /// Whether it is of the words that carry the sentence.
    #[serde(skip_serializing_if = "is_false")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub strong: bool,
    /// The place of the reader's text that it links to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// How a run looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Look {
    /// Of a configuration or a formula.
    Code,
    /// A number and its unit, never broken across lines.
    Whole,
    /// Something a bound did.
    Limit,
}

/// A sentence as runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Words {
    /// The runs in order.
    pub runs: Vec<Run>,
}

impl Words {
    /// Reads a sentence in which `**` stands around strong words, a backtick around code, and `_` around what stays on
    /// one line. Only for sentences of this project and its libraries; [`Words::plain`] takes any text.
    pub fn of(sentence: &str) -> Words {
        let mut words = Words::default();
        let (mut strong, mut look) = (false, None);
        let mut rest = sentence;
        while !rest.is_empty() {
            let end = if look == Some(Look::Code) { rest.find('`') } else { rest.find(['`', '_', '*']) };
            let end = end.unwrap_or(rest.len());
            words.push(Run { text: rest[..end].to_string(), look, strong, span: None });
            rest = &rest[end..];
            let toggle = |look: Option<Look>, to| if look == Some(to) { None } else { Some(to) };
            match rest.as_bytes() {
                [b'*', b'*', ..] => (strong, rest) = (!strong, &rest[2..]),
                [b'`', ..] => (look, rest) = (toggle(look, Look::Code), &rest[1..]),
                [b'_', ..] => (look, rest) = (toggle(look, Look::Whole), &rest[1..]),
                [b'*', ..] => {
                    words.push(Run { text: "*".into(), look, strong, span: None });
                    rest = &rest[1..];
                }
                _ => {}
            }
        }
        words
    }

    /// A message of a finding: backticks stand around code, everything else is itself.
    pub fn message(message: &str) -> Words {
        let mut words = Words::default();
        for (n, piece) in message.split('`').enumerate() {
            let look = (n % 2 == 1).then_some(Look::Code);
            words.push(Run { text: piece.to_string(), look, ..Run::default() });
        }
        words
    }

    /// The same with any text after it, taken as it is.
    pub fn plain(mut self, text: impl Into<String>) -> Words {
        self.push(Run { text: text.into(), ..Run::default() });
        self
    }

    /// The same with a text in one look after it.
    pub fn look(mut self, look: Look, text: impl Into<String>) -> Words {
        self.push(Run { text: text.into(), look: Some(look), ..Run::default() });
        self
    }

    /// The same with a link into the reader's text after it.
    pub fn link(mut self, text: impl Into<String>, span: Span) -> Words {
        self.push(Run { text: text.into(), look: Some(Look::Code), strong: false, span: Some(span) });
        self
    }

    /// The same with more words after it.
    pub fn then(mut self, more: Words) -> Words {
        self.runs.extend(more.runs);
        self
    }

    /// The same beginning with a capital letter.
    pub fn capitalised(mut self) -> Words {
        if let Some(first) = self.runs.first_mut()
            && let Some(c) = first.text.chars().next()
        {
            first.text = std::iter::once(c.to_ascii_uppercase()).chain(first.text.chars().skip(1)).collect();
        }
        self
    }

    /// The bare text.
    pub fn text(&self) -> String {
        self.runs.iter().map(|run| run.text.as_str()).collect()
    }

    fn push(&mut self, run: Run) {
        if !run.text.is_empty() {
            self.runs.push(run);
        }
    }
}

/// "a", "a and b", "a, b and c".
pub fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_become_looks_and_leave_the_text() {
        let words = Words::of("waits **at most _23 s_** in `a_b**c`, 2 * 3");
        assert_eq!(words.text(), "waits at most 23 s in a_b**c, 2 * 3");
        let whole = words.runs.iter().find(|r| r.look == Some(Look::Whole)).unwrap();
        assert_eq!((whole.text.as_str(), whole.strong), ("23 s", true));
    }
}
