//! JSX: an element inside code, `<X a="1" b={{c: 2}}>…</X>`, as a tag. Text between elements is passed over.

use super::cursor::Cursor;
use super::gather::item_value;
use crate::notation::item::{Arg, Form, Item, Kind, Value};
use crate::notation::lexer::Tag;

impl<'t> Cursor<'t> {
    /// The element that begins here, if one does.
    pub fn element(&mut self) -> Option<Value> {
        let named = self.peek(1).is_some_and(|t| t.tag == Tag::Name && !t.space);
        if !named || self.depth >= super::cursor::DEPTH {
            return None;
        }
        self.deeper(|c| c.open_element())
    }

    fn open_element(&mut self) -> Value {
        let start = self.here();
        self.at += 1;
        let head = self.path();
        let mut args = Vec::new();
        while self.at < self.end && !self.is_any(&[">", "/", "<"]) {
            let before = self.at;
            args.extend(self.attribute_of_element());
            self.at += usize::from(self.at == before);
        }
        let alone = self.eat("/");
        if self.eat(">") && !alone {
            self.children(&mut args);
        }
        item_value(Item { head, args, form: Form::Tag, span: self.since(start), ..Item::default() })
    }

    /// `a`, `a="1"`, `a={x}` or `{...x}`.
    fn attribute_of_element(&mut self) -> Option<Arg> {
        if !self.is_name() {
            return self.in_braces().map(|value| Arg { name: None, value });
        }
        let mut name = self.name()?;
        while self.is("-") && self.tag_at(1, Tag::Name) {
            self.at += 2;
            name.span.end = self.before();
        }
        name.text = name.span.of(self.text).to_string();
        if !self.eat("=") {
            let value = Value::new(Kind::Word("true".into()), name.span);
            return Some(Arg { name: Some(name), value });
        }
        let value = if self.is("{") { self.in_braces()? } else { self.postfixed()? };
        Some(Arg { name: Some(name), value })
    }

    /// The value between the braces that are next.
    fn in_braces(&mut self) -> Option<Value> {
        if !self.is("{") {
            return None;
        }
        self.inside(false, |c| c.value())
    }

    /// What stands before the closing tag, which is stepped over.
    fn children(&mut self, args: &mut Vec<Arg>) {
        while self.at < self.end {
            if self.is("<") && self.is_at(1, "/") {
                self.at += 2;
                self.path();
                self.eat(">");
                return;
            }
            let before = self.at;
            let value = if self.is("<") { self.element() } else { self.in_braces() };
            args.extend(value.map(|value| Arg { name: None, value }));
            self.at += usize::from(self.at == before);
        }
    }
}
