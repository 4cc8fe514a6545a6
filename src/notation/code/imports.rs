//! Imports of every language as items of form `Import`: the head is what is imported from, each argument a local name
//! with the full path that it stands for.
//!
//! | text | head | arguments |
//! |---|---|---|
//! | `from a.b import c as d` | `a.b` | `d = a.b.c` |
//! | `import a as b` | `a` | `b = a` |
//! | `import d, { e as f } from 'm'`, `import * as d from 'm'` | `m` | `d = m`, `f = m.e` |
//! | `const { e } = require('m')` | `m` | `e = m.e` |
//! | `import b "x/y/v4"` | `x/y/v4` | `b = y` |
//! | `use a::{b, c as d};` | `a` | `b = a::b`, `d = a::c` |
//! | `import a.b.C;`, `use A\B\C;` | the path | `C` = the path |
//! | `use M, k: v`, `include M` | `M` | `k = v` |

use super::cursor::Cursor;
use super::gather::item_value;
use crate::notation::item::{Arg, Form, Item, Kind, Name, Statement, Value};
use crate::notation::lexer::Tag;
use crate::span::Span;

impl<'t> Cursor<'t> {
    /// The import that begins with this word, if it is one.
    pub fn import(&mut self, word: &str, out: &mut Vec<Statement>) -> bool {
        let from = self.at;
        let start = self.here();
        self.at += 1;
        let done = match word {
            "package" | "namespace" => self.is_name() && self.package(),
            "from" => self.member_import(start, out),
            "require" | "require_relative" if self.tag_at(0, Tag::Text) => self.bare_module(start, out),
            "import" | "using" | "use" | "alias" | "include" | "extend" | "require" => {
                self.any_import(word, start, out)
            }
            _ => false,
        };
        if !done {
            self.at = from;
        }
        done
    }

    /// `export { a, b } from 'm'`, `export * from 'm'`; without a module it says nothing.
    pub fn exported(&mut self, out: &mut Vec<Statement>) -> bool {
        let start = self.here();
        self.at += 1;
        match self.is("{") {
            true => self.skip_brackets(),
            false => self.at += if self.is_at(1, "as") { 3 } else { 1 },
        }
        if self.is("from") && self.tag_at(1, Tag::Text) {
            self.at += 1;
            return self.bare_module(start, out);
        }
        true
    }

    fn package(&mut self) -> bool {
        self.module_path();
        !self.is("{") || {
            // A namespace with braces: what stands inside stands outside.
            self.tokens[self.at].mate as usize > self.at
        }
    }

    fn add(&self, start: usize, head: Name, args: Vec<Arg>, out: &mut Vec<Statement>) -> bool {
        let item = Item { head, args, form: Form::Import, span: self.since(start), ..Item::default() };
        out.push(Statement::Expr(item_value(item)));
        true
    }

    /// `require 'm'`, `import 'm'`.
    fn bare_module(&mut self, start: usize, out: &mut Vec<Statement>) -> bool {
        let head = self.quoted_name();
        self.add(start, head, Vec::new(), out)
    }

    fn quoted_name(&mut self) -> Name {
        let Some(token) = self.peek(0) else { return Name::default() };
        let span = self.span_of(token);
        self.at += 1;
        let (text, inside) = super::text::plain(span.of(self.text));
        let inside = inside.map_or(span, |i| Span::new(span.start + i.start, span.start + i.end));
        Name { text, span: inside }
    }

    /// A path with any separator, as far as a name follows directly.
    fn module_path(&mut self) -> Name {
        while self.is_any(&[".", "\\", "::", "..."]) {
            self.at += 1;
        }
        let mut name = self.name().unwrap_or_default();
        while self.is_any(&[".", "::", "\\"]) && self.tag_at(1, Tag::Name) && !self.line_ends_at(1) {
            name.text.push_str(self.text_of(&self.tokens[self.at]));
            name.text.push_str(self.text_of(&self.tokens[self.at + 1]));
            self.at += 2;
            name.span.end = self.before();
        }
        name
    }

    /// `from a.b import c, d as e`.
    fn member_import(&mut self, start: usize, out: &mut Vec<Statement>) -> bool {
        let head = self.module_path();
        if head.text.is_empty() || !self.eat("import") {
            return false;
        }
        let read = |c: &mut Self| c.names_of(&head.text, ".");
        let args = if self.is("(") { self.inside(false, read) } else { read(self) };
        self.add(start, head, args, out)
    }

    /// `a, b as c, type d, e: f` as far as they go, as members of a module.
    fn names_of(&mut self, module: &str, separator: &str) -> Vec<Arg> {
        let mut args = Vec::new();
        while self.at < self.end && !self.line_ends_here(&args) {
            if self.is("type") && self.tag_at(1, Tag::Name) && !self.is_at(1, "as") {
                self.at += 1;
            }
            if self.is_name() {
                let mut member = self.module_path();
                let path = format!("{module}{separator}{}", member.text);
                if self.is("::") && self.is_at(1, "{") {
                    self.at += 1;
                    args.extend(self.inside(false, |c| c.names_of(&path, "::")));
                } else {
                    let itself = member.text == "self";
                    let path = if itself { module.to_string() } else { path };
                    if itself {
                        member.text = module.rsplit("::").next().unwrap_or_default().to_string();
                    }
                    args.push(self.renamed(member, path));
                }
            } else if self.is("*") || self.is(",") {
                self.at += 1;
            } else {
                break;
            }
        }
        args
    }

    /// A list of names goes on over a line's end after a comma only.
    fn line_ends_here(&self, args: &[Arg]) -> bool {
        self.line_ends() && (args.is_empty() || self.text_of(&self.tokens[self.at - 1]) != ",")
    }

    /// A local name for a path: its own last part, or what `as` says.
    fn renamed(&mut self, member: Name, path: String) -> Arg {
        let renames = self.is_any(&["as", "=>", ":"]) && self.tag_at(1, Tag::Name);
        let local = if renames {
            self.at += 1;
            self.name().unwrap_or_default()
        } else {
            last_part(&member)
        };
        Arg { name: Some(local), value: Value::new(Kind::Word(path), member.span) }
    }

    fn any_import(&mut self, word: &str, start: usize, out: &mut Vec<Statement>) -> bool {
        let member = self.is("static");
        self.at += usize::from(
            self.is_any(&["static", "function", "const", "type"]) && (self.tag_at(1, Tag::Name) || self.is_at(1, "{")),
        );
        match self.peek(0).map(|t| (t.tag, self.text_of(t))) {
            Some((Tag::Text, _)) => self.bare_module(start, out),
            Some((Tag::Open, "(")) if word == "import" && self.peek(1).is_some_and(|t| t.newline) => self.go_group(out),
            Some((Tag::Open, "{")) | Some((Tag::Op, "*")) if word == "import" => self.script_import(start, None, out),
            Some((Tag::Name, _)) if word == "import" && self.tag_at(1, Tag::Text) && !self.is("from") => {
                self.go_import(start, out)
            }
            Some((Tag::Name | Tag::Op, _)) => self.path_import(if member { "static" } else { word }, start, out),
            _ => false,
        }
    }

    /// `import ( … )`.
    fn go_group(&mut self, out: &mut Vec<Statement>) -> bool {
        self.inside(true, |c| {
            while c.at < c.end {
                let (before, start) = (c.at, c.here());
                if c.tag_at(0, Tag::Text) {
                    c.bare_module(start, out);
                } else if c.tag_at(1, Tag::Text) {
                    c.go_import(start, out);
                }
                c.at += usize::from(c.at == before);
            }
        });
        true
    }

    /// `b "x/y/v4"`: the package is called y.
    fn go_import(&mut self, start: usize, out: &mut Vec<Statement>) -> bool {
        let alias = self.name().unwrap_or_default();
        let head = self.quoted_name();
        let mut parts = head.text.rsplit('/').filter(|p| !(p.starts_with('v') && p[1..].parse::<u32>().is_ok()));
        let package = parts.next().unwrap_or_default();
        let package =
            package.trim_start_matches("go-").trim_end_matches("-go").split('.').next().unwrap_or_default().to_string();
        let args = vec![Arg { value: Value::new(Kind::Word(package), head.span), name: Some(alias) }];
        self.add(start, head, args, out)
    }

    /// `d, { e as f } from 'm'`, after the default import if there was one.
    fn script_import(&mut self, start: usize, default: Option<Name>, out: &mut Vec<Statement>) -> bool {
        let mut locals: Vec<(Name, Option<String>)> = default.into_iter().map(|n| (n, None)).collect();
        self.eat(",");
        if self.eat("*") && self.eat("as") {
            locals.extend(self.name().map(|n| (n, None)));
        } else if self.is("{") {
            let members = self.inside(false, |c| c.names_of("", ""));
            locals.extend(members.into_iter().filter_map(|a| Some((a.name?, a.value.text().map(str::to_string)))));
        }
        if !self.eat("from") || !self.tag_at(0, Tag::Text) {
            return false;
        }
        let head = self.quoted_name();
        let args = locals.into_iter().map(|(local, member)| {
            let path = match member.as_deref() {
                None | Some("default") => head.text.clone(),
                Some(member) => format!("{}.{member}", head.text),
            };
            Arg { value: Value::new(Kind::Word(path), local.span), name: Some(local) }
        });
        let args = args.collect();
        self.add(start, head, args, out)
    }

    /// `import a.b.C`, `use a::{…}`, `using X = A.B`, `import d from 'm'`, `use M, k: v`.
    fn path_import(&mut self, word: &str, start: usize, out: &mut Vec<Statement>) -> bool {
        let mut head = self.module_path();
        if head.text.is_empty() {
            return false;
        }
        if word == "import" && (self.is("from") || self.is(",") && (self.is_at(1, "{") || self.is_at(1, "*"))) {
            return self.script_import(start, Some(head), out);
        }
        let alias = if word == "using" && self.is("=") {
            self.at += 1;
            Some(std::mem::replace(&mut head, self.module_path()))
        } else {
            None
        };
        if self.is_any(&[".", "::", "\\"]) && (self.is_at(1, "{") || self.is_at(1, "*")) {
            let separator = self.text_of(&self.tokens[self.at]);
            self.at += 1;
            let args =
                if self.eat("*") { Vec::new() } else { self.inside(false, |c| c.names_of(&head.text, separator)) };
            return self.add(start, head, args, out);
        }
        if self.is("=") || self.is("(") || self.is_name() && !self.line_ends() && !self.is("as") {
            return false;
        }
        let path = head.text.clone();
        let args = match alias {
            Some(local) => vec![Arg { value: Value::new(Kind::Word(path), head.span), name: Some(local) }],
            None if self.is(",") && self.is_at(2, ":") => self.options(),
            None => self.modules(word, &head),
        };
        self.add(start, head, args, out)
    }

    /// `, k: v, l: w` after Elixir's `use M`.
    fn options(&mut self) -> Vec<Arg> {
        let mut statements = Vec::new();
        while self.eat(",") && self.is_at(1, ":") {
            self.statement(&mut statements);
        }
        super::gather::args_of(statements)
    }

    /// The local names of `import a.b.C as D` and of Python's `import a, b as c`.
    fn modules(&mut self, word: &str, head: &Name) -> Vec<Arg> {
        let last = last_part(head);
        let typed = last.text.starts_with(|c: char| c.is_uppercase())
            || head.text.contains("::")
            || matches!(word, "alias" | "static");
        let mut args = Vec::new();
        if self.is("as") || typed && last.text != head.text && word != "using" {
            args.push(self.renamed(head.clone(), head.text.clone()));
        }
        while self.is(",") && self.tag_at(1, Tag::Name) && matches!(word, "import" | "use") {
            self.at += 1;
            let module = self.module_path();
            let path = module.text.clone();
            args.push(self.renamed(Name { text: path.clone(), span: module.span }, path));
        }
        args
    }
}

/// The last part of a path.
fn last_part(path: &Name) -> Name {
    let text = path.text.rsplit(['.', ':', '\\']).next().unwrap_or_default();
    let whole = path.span.end - path.span.start < text.len();
    let start = if whole { path.span.start } else { path.span.end - text.len() };
    Name { text: text.to_string(), span: Span::new(start, path.span.end) }
}
