//! Types and generics: recognised only to be stepped over.

use super::cursor::Cursor;
use super::gather::{item_value, list_of};
use crate::notation::item::{Item, Name, Value};
use crate::notation::lexer::Tag;

impl<'t> Cursor<'t> {
    /// Steps over `<…>`, if it holds types.
    pub fn skip_generics(&mut self) -> bool {
        let generic = self.is("<") && self.peek(0).is_some_and(|t| (t.mate as usize) < self.end);
        if generic {
            self.at = self.mate(0) + 1;
        }
        generic
    }

    /// Go's `[]T{…}` and `[3]T{…}`.
    pub fn typed_list(&mut self, start: usize) -> Option<Value> {
        let close = self.mate(0);
        let short = close == self.at + 1 || close == self.at + 2;
        let after = self.tokens.get(close + 1).filter(|t| close + 1 < self.end && !t.space)?;
        if !short || !(after.tag == Tag::Name || self.text_of(after) == "*" || self.text_of(after) == "[") {
            return None;
        }
        let back = self.at;
        self.at = close + 1;
        self.skip_type();
        if self.is("{") {
            let args = self.brace_args();
            return Some(list_of(args, self.since(start)));
        }
        if self.is("(") {
            let head = Name { text: self.since(start).of(self.text).to_string(), span: self.since(start) };
            let args = self.arguments();
            return Some(item_value(Item { head, args, span: self.since(start), ..Item::default() }));
        }
        self.at = back;
        None
    }

    /// Steps over a type: `*pkg.T[K]`, `Option<T>`, `string | undefined`, `int[]`.
    pub fn skip_type(&mut self) {
        let mut joined = true;
        while let Some(token) = self.peek(0) {
            let text = self.text_of(token);
            match token.tag {
                _ if self.line_ends() && !joined => break,
                Tag::Name if joined => {
                    joined = matches!(
                        text,
                        "map" | "typeof" | "keyof" | "readonly" | "dyn" | "impl" | "mut" | "const" | "chan"
                    )
                }
                Tag::Text | Tag::Number if joined => joined = false,
                Tag::Op if matches!(text, "." | "::" | "|" | "&" | "*" | "->" | "&&" | "+") => joined = true,
                Tag::Op if text == "?" || text == "!" => {}
                Tag::Op if text == "<" && (self.skip_generics() || self.skip_angles()) => {
                    joined = false;
                    continue;
                }
                Tag::Open if text == "[" => {
                    let empty =
                        joined || self.tokens.get(self.mate(0) + 1).is_some_and(|t| !t.space && t.tag == Tag::Name);
                    self.skip_brackets();
                    joined = empty;
                    continue;
                }
                Tag::Open if text == "(" && joined => {
                    self.skip_brackets();
                    joined = false;
                    continue;
                }
                Tag::Open if text == "{" && joined && self.mate(0) == self.at + 1 => {
                    self.skip_brackets();
                    joined = false;
                    continue;
                }
                _ => break,
            }
            self.at += 1;
        }
    }

    /// Steps over `<…>` where a type is certain but holds what the lexer does not take for types: `<(), Box<dyn E>>`.
    fn skip_angles(&mut self) -> bool {
        let mut open = 0;
        let mut at = self.at;
        while at < self.end.min(self.at + 48) {
            let token = &self.tokens[at];
            match self.text_of(token) {
                "<" => open += 1,
                ">" => open -= 1,
                "(" | "[" => at = (token.mate as usize).min(self.end),
                "{" | ";" | "=" => return false,
                _ => {}
            }
            at += 1;
            if open == 0 {
                self.at = at;
                return true;
            }
        }
        false
    }

    /// Whether a token looks like the end of a type's name.
    pub fn is_type_like(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|t| {
            let text = self.text_of(t);
            text.starts_with(|c: char| c.is_uppercase())
                || matches!(
                    text,
                    "int"
                        | "long"
                        | "double"
                        | "float"
                        | "bool"
                        | "boolean"
                        | "string"
                        | "void"
                        | "short"
                        | "byte"
                        | "decimal"
                        | "]"
                        | ">"
                        | "?"
                )
        })
    }
}

/// Whether a path names a type: its last part begins with a capital.
pub(super) fn is_type(path: &str) -> bool {
    path.rsplit(['.', ':']).next().is_some_and(|last| last.starts_with(|c: char| c.is_uppercase()))
}

pub(super) fn is_primitive(word: &str) -> bool {
    matches!(
        word,
        "int"
            | "auto"
            | "boolean"
            | "long"
            | "double"
            | "float"
            | "short"
            | "byte"
            | "uint"
            | "ulong"
            | "decimal"
            | "string"
            | "bool"
            | "object"
            | "array"
            | "char"
            | "float64"
            | "int64"
    )
}
