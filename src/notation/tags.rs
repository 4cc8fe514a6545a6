//! XML and its like: elements with attributes, elements and texts inside them.
//!
//! | text | item |
//! |---|---|
//! | `<x a="1" b='yes'/>` | tag `x`, `a = 1`, `b = yes`: the quotes are the notation's, not the value's |
//! | `<x><n>5</n><y c="1"/></x>` | tag `x`, `n = 5`, and the tag `y` by position |
//! | `<property name="n" value="5"/>`, `<property name="n"><b/></property>` | `n = 5`, `n` = the tag `b` |
//! | `<bean class="a.B"/>` | tag `a.B` |
//! | `<X value={{ n: 3 }} on />` | tag `X`, `value = {n: 3}` read as code, `on = true` |

use super::yaml_tree::DEPTH;
use super::{Arg, Form, Item, Kind, Name, Read, Value, code, scalar, yaml};
use crate::finding::Finding;
use crate::span::Span;

/// Reads a range of the text.
pub(super) fn read(text: &str, range: Span) -> Read {
    let mut reader =
        Reader { text, at: range.start, end: range.end, open: Vec::new(), below: 0, read: Read::default() };
    while reader.at < reader.end {
        reader.piece();
    }
    while !reader.open.is_empty() {
        reader.close(reader.end);
    }
    reader.read
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    end: usize,
    /// The elements that are open, the outermost first.
    open: Vec<Item>,
    /// How many open elements below the depth limit were left out.
    below: usize,
    read: Read,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..self.end]
    }

    /// Steps behind `mark`, or to the end; gives what was stepped over, without the mark.
    fn until(&mut self, mark: &str) -> Span {
        let start = self.at;
        let found = self.rest().find(mark);
        let end = found.map_or(self.end, |at| start + at);
        self.at = found.map_or(self.end, |_| end + mark.len());
        Span::new(start, end)
    }

    /// One tag, comment, or text between them.
    fn piece(&mut self) {
        let start = self.at;
        let rest = self.rest();
        if rest.starts_with("<!--") {
            self.at += 4;
            let inner = self.until("-->");
            let mut comment = yaml::comment(self.text, inner);
            comment.span = Span::new(start, self.at);
            self.read.items.push(comment);
        } else if rest.starts_with("<![CDATA[") {
            self.at += 9;
            let inner = self.until("]]>");
            self.words(inner);
        } else if rest.starts_with("<?") || rest.starts_with("<!") {
            self.until(">");
        } else if rest.starts_with("</") {
            self.at += 2;
            let name = self.until(">");
            self.close_named(name.of(self.text).trim());
        } else if rest.starts_with('<') && rest[1..].starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '>') {
            self.element();
        } else {
            let skip = rest.chars().next().map_or(1, char::len_utf8);
            let length = rest[skip..].find('<').map_or(rest.len(), |at| skip + at);
            self.at += length;
            self.words(Span::new(start, self.at));
        }
    }

    fn element(&mut self) {
        let start = self.at;
        self.at += 1;
        let head = self.name();
        let mut item = Item { head, form: Form::Tag, ..Item::default() };
        let mut closed = false;
        while let Some(c) = self.rest().chars().next() {
            match c {
                '>' => {
                    self.at += 1;
                    break;
                }
                '/' if self.rest().starts_with("/>") => {
                    self.at += 2;
                    closed = true;
                    break;
                }
                '<' => break,
                c if c.is_whitespace() || !(c.is_alphabetic() || matches!(c, '_' | ':' | '@' | '{')) => {
                    self.at += c.len_utf8()
                }
                '{' => self.at = self.braces(),
                _ => item.args.push(self.attribute()),
            }
        }
        item.span = Span::new(start, self.at);
        match (closed, self.open.len() < DEPTH && self.below == 0) {
            (true, _) => self.put(item),
            (false, true) => self.open.push(item),
            (false, false) => self.too_deep(item.span),
        }
    }

    fn too_deep(&mut self, span: Span) {
        if self.below == 0 && !self.read.findings.iter().any(|f| f.code == "too-deep") {
            let message = format!("This is nested more than {DEPTH} levels deep and is not read.");
            self.read.findings.push(Finding::error("too-deep", span, message));
        }
        self.below += 1;
    }

    fn name(&mut self) -> Name {
        let start = self.at;
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '@');
        self.at += self.rest().find(|c| !inside(c)).unwrap_or(self.end - start);
        let span = Span::new(start, self.at);
        Name { text: span.of(self.text).to_string(), span }
    }

    /// `name="value"`, `name={code}`, `name=value`, or a name alone, which is true.
    fn attribute(&mut self) -> Arg {
        let name = self.name();
        let after = self.rest().trim_start();
        if !after.starts_with('=') {
            let value = Value::new(Kind::Word("true".into()), name.span);
            return Arg { name: Some(name), value };
        }
        self.at = self.end - after.len() + 1;
        self.at += self.rest().len() - self.rest().trim_start().len();
        let value = match self.rest().chars().next() {
            Some(quote @ ('"' | '\'')) => self.quoted(quote),
            Some('{') => {
                let start = self.at + 1;
                let end = self.braces();
                self.at = end;
                code::value(self.text, Span::new(start, (end - 1).max(start)))
            }
            _ => {
                let start = self.at;
                let length =
                    self.rest().find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap_or(self.end - start);
                self.at += length;
                let span = Span::new(start, self.at);
                scalar::bare(span.of(self.text), span)
            }
        };
        Arg { name: Some(name), value }
    }

    fn quoted(&mut self, quote: char) -> Value {
        let start = self.at;
        self.at += 1;
        let body = self.rest();
        if !body.contains(quote) {
            let line = Span::new(start, start + 1 + body.find('\n').unwrap_or(body.len()));
            let message =
                format!("The text that starts here with {quote} is never closed; it is read to the end of the line.");
            self.read.findings.push(Finding::error("unclosed", line, message));
            self.at = line.end;
            return scalar::quoted(line.of(self.text)[1..].to_string(), line);
        }
        let inner = self.until(quote.encode_utf8(&mut [0; 4]));
        scalar::bare(&decoded(inner.of(self.text)), Span::new(start, self.at))
    }

    /// The end of what stands in braces from here on.
    fn braces(&self) -> usize {
        let mut depth = 0usize;
        for (at, byte) in self.rest().bytes().enumerate() {
            match byte {
                b'{' => depth += 1,
                b'}' if depth <= 1 => return self.at + at + 1,
                b'}' => depth -= 1,
                _ => {}
            }
        }
        self.end
    }

    /// Text between tags.
    fn words(&mut self, span: Span) {
        let raw = span.of(self.text);
        let trimmed = raw.trim();
        let start = span.start + (raw.len() - raw.trim_start().len());
        if let Some(item) = self.open.last_mut().filter(|_| !trimmed.is_empty() && self.below == 0) {
            let value = scalar::bare(&decoded(trimmed), Span::new(start, start + trimmed.len()));
            item.args.push(Arg { name: None, value });
        }
    }

    fn close_named(&mut self, name: &str) {
        if self.below > 0 {
            self.below -= 1;
        } else if self.open.last().is_some_and(|item| item.head.text == name) {
            self.close(self.at);
        } else if self.open.iter().any(|item| item.head.text == name) {
            while self.open.last().is_some_and(|item| item.head.text != name) {
                self.close(self.at);
            }
            self.close(self.at);
        }
    }

    fn close(&mut self, end: usize) {
        if let Some(mut item) = self.open.pop() {
            item.span.end = end;
            self.put(item);
        }
    }

    /// Puts a finished element into the one around it: one that is only a text as a named value.
    fn put(&mut self, mut item: Item) {
        if item.head.text == "bean"
            && let Some(class) = item.get("class")
        {
            item.head = Name { text: class.text().unwrap_or("bean").to_string(), span: class.span };
        }
        let Some(outer) = self.open.last_mut() else { return self.read.items.push(item) };
        if matches!(item.head.text.as_str(), "property" | "constructor-arg")
            && let Some(given) = given(&mut item.args)
        {
            return outer.args.push(given);
        }
        let text = matches!(item.args.as_slice(), [Arg { name: None, value }] if value.item().is_none());
        outer.args.push(match item.args.pop() {
            Some(arg) if text => Arg { name: Some(item.head), value: arg.value },
            last => {
                item.args.extend(last);
                let span = item.span;
                Arg { name: None, value: Value::new(Kind::Item(Box::new(item)), span) }
            }
        });
    }
}

/// What a property of a bean is given: its last value, under its name where it has one.
fn given(args: &mut Vec<Arg>) -> Option<Arg> {
    let named = args.iter().position(|arg| arg.name.as_ref().is_some_and(|n| n.text == "name"));
    let name = named.map(|at| args.remove(at).value);
    let name = name.and_then(|v| Some(Name { text: v.text()?.to_string(), span: v.span }));
    args.pop().map(|arg| Arg { name, value: arg.value })
}

/// A text with XML's own entities replaced.
fn decoded(text: &str) -> String {
    if !text.contains('&') {
        return text.to_string();
    }
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&amp;", "&")];
    entities.iter().fold(text.to_string(), |text, (entity, sign)| text.replace(entity, sign))
}
