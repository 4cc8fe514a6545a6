//! What any text becomes: items with named and positional values, each with its place in the text.
//!
//! | text | item |
//! |---|---|
//! | `retry(stop=n(4), 2)` | head `retry`, args `stop = Item(n(4))`, `2` |
//! | `@lib.retry(wait=a(1) + b(0, 2))` | form `Annotation`, head `lib.retry`, arg `wait = Op("+", [Item, Item])`, target: what it stands on |
//! | `{retries: 3, backoff: {type: "x"}}` | form `Map`, empty head, args `retries = 3`, `backoff = Item` (a map in turn) |
//! | `X::default().with_a(1).b()` | head `X::default`, steps `Call with_a(1)`, `Call b()` |
//! | `b := New(); b.A = 1; b.Set(2)` | target `b`, head `New`, steps `Set A = 1`, `Call Set(2)` |
//! | `new T<R> { A = 1 }`, `&pkg.T{A: 1}`, `T { a: 1, ..d }` | head `T` / `pkg.T`, args as in a call; generics are dropped |
//! | `class T(Task):` body `max_retries = 4` | form `Class`, head `T`, args: the bases positionally, then the body's statements by name or, without a name, as values |
//! | `def f(a): …`, `function f() {…}`, `const f = (a) => …` | form `Function`, head = its name, one argument: a `Fun` with parameters and body |
//! | `[a.b]` `k = v` | form `Section`, head = its name, args = what stands inside |
//! | `A = 1`, `B = 2` alone | form `Class`, empty head, args by name: a file's assignments, or a class body without its class |
//! | `o => { o.A = 1; o.B(2); }` | a `Fun` whose body holds one item: empty head, target `o`, steps `Set A = 1`, `Call B(2)` |
//! | `.a(1).b(2)`; `x.A = 1` with `x` unknown | empty head, steps `Call a(1)`, `Call b(2)`; empty head, target `x`, step `Set A = 1` |
//! | `5.seconds`, `5 seconds` in code | `Number` 5 with the suffix `seconds` |
//! | `a?.b`, `T.<R>b` | the path `a.b`, `T.b` |
//! | `f(x) for x in y` | `Op("for", [f(x), x, y])` |
//! | `resource "t" "n" { a = 1 }`, `foo x, wait: 5` | head `resource` / `foo`, labels and bare arguments positionally |
//! | `curl --retry 5 -f URL` | form `Command`, head `curl`, args `--retry = 5`, `-f = Word("true")`, URL positionally |
//! | `from a import b as c`, `import c from 'm'` | form `Import`, head `a` / `m`, args: each local name with its full path, `c = Word("a.b")` |
//! | `<x a="1"/>` | form `Tag`, head `x`, args its attributes, children as values |
//!
//! A value keeps what was written; its unit, its meaning and whether a wrapper such as `Duration(..)` counts belong to
//! the library that asks for it (see `resolve.rs`).

use crate::span::Span;

/// A name with its place. Paths keep their separators as written: `a.b`, `A::b`, `a->b`, `@scope/x`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Name {
    /// The name as written, without quotes.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// What kind of text an item was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// A call, a constructor, a struct literal with a name.
    #[default]
    Call,
    /// A map without a name: object literal, YAML mapping, JSON object, dict.
    Map,
    /// An annotation, decorator or attribute on something.
    Annotation,
    /// A section with a head of its own: INI, TOML, systemd, fluentd, an HCL or Ruby block.
    Section,
    /// An XML or JSX element.
    Tag,
    /// A shell command line.
    Command,
    /// A class, struct or module definition.
    Class,
    /// A function or method definition.
    Function,
    /// An import: the head is what is imported from, each argument a local name and the path it stands for.
    Import,
    /// A comment; its text is the head. Never a value.
    Comment,
    /// Plain prose: its words and quantities positionally.
    Prose,
}

/// One piece of structure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Item {
    /// What it is called; canonical after imports; empty for a map.
    pub head: Name,
    /// Values in order, with a name or by position.
    pub args: Vec<Arg>,
    /// What is done to it afterwards, in order: chained calls, field assignments, setter calls.
    pub steps: Vec<Step>,
    /// The enclosing heads, keys and list indices, outermost first.
    pub place: Vec<Crumb>,
    /// What kind of text it was.
    pub form: Form,
    /// The name it is bound to, or, for an annotation, the name of what it stands on.
    pub target: Option<Name>,
    /// The whole of it with the steps that follow directly; what later statements do to it stands elsewhere.
    pub span: Span,
}

/// One step of a place.
#[derive(Clone, Debug, PartialEq)]
pub enum Crumb {
    /// A key or head.
    Key(String),
    /// A position in a list, from 0.
    Index(usize),
}

/// One value of an item.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// What it is.
    pub value: Value,
}

/// Something done to an item after it was made.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// `.name(args)`.
    Call {
        /// The method.
        name: Name,
        /// Its arguments.
        args: Vec<Arg>,
        /// From the name to the closing bracket.
        span: Span,
    },
    /// `.path = value`.
    Set {
        /// The field, dotted for nested ones.
        path: Name,
        /// What it is set to.
        value: Value,
    },
}

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: Kind,
}

/// What a value can be.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A number literal; `value` is without the suffix (`30s`: 30 and `s`; `1_000L`: 1000 and `L`; `5e3`: 5000).
    Number {
        /// Its value.
        value: f64,
        /// The letters that follow it directly; empty if none.
        suffix: String,
    },
    /// A text, quoted or a bare scalar of YAML and the like that is no number or word.
    Text {
        /// Decoded.
        text: String,
        /// Whether quotes stood around it.
        quoted: bool,
        /// Items of a text that holds JSON, YAML or `K=V` lines itself, offsets mapped to the outer text.
        inner: Vec<Item>,
    },
    /// A name as a value: `true`, `None`, `Infinity`, `:symbol`, `Enum.Member`, `time.Second`, an unknown variable.
    Word(String),
    /// A list, tuple or array.
    List(Vec<Value>),
    /// A call, or a map when its head is empty.
    Item(Box<Item>),
    /// An operator on values: `+ - * / // % ** ^ | & || && ?? ?:` (`?:` has three), comparisons, `!` and unary `-`;
    /// `..` for a spread; `[]` for an index; `=` of a parameter and what it is where a caller gives none.
    Op(String, Vec<Value>),
    /// A function literal.
    Fun(Box<Fun>),
    /// Text that is no value in any notation known here, or too deep.
    Unread,
}

/// A function literal: arrow, lambda, block, method body.
#[derive(Clone, Debug, PartialEq)]
pub struct Fun {
    /// Its parameters; for a destructured one the names inside, in order.
    pub params: Vec<Name>,
    /// Its body; an expression body is one `Return`.
    pub body: Vec<Statement>,
}

/// What a function body may hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// `name = value`, any kind of declaration.
    Bind(Name, Value),
    /// `if`, with both branches.
    If(Value, Vec<Statement>, Vec<Statement>),
    /// `return`, or the value of the body.
    Return(Value),
    /// Anything else that has a value.
    Expr(Value),
}

impl Value {
    /// A value at a place.
    pub fn new(kind: Kind, span: Span) -> Self {
        Value { span, kind }
    }

    /// The item it is.
    pub fn item(&self) -> Option<&Item> {
        match &self.kind {
            Kind::Item(item) => Some(item),
            _ => None,
        }
    }

    /// The entries, if it is a list.
    pub fn list(&self) -> Option<&[Value]> {
        match &self.kind {
            Kind::List(values) => Some(values),
            _ => None,
        }
    }

    /// The words of a text or a name, as written without quotes.
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text { text, .. } | Kind::Word(text) => Some(text),
            _ => None,
        }
    }

    /// The function it is.
    pub fn fun(&self) -> Option<&Fun> {
        match &self.kind {
            Kind::Fun(fun) => Some(fun),
            _ => None,
        }
    }
}

impl Item {
    /// Whether the head is `path`, or ends in it at a separator: `tenacity.retry` is `retry`. Separators compare equal.
    pub fn is(&self, path: &str) -> bool {
        path_ends_with(&self.head.text, path)
    }

    /// Whether the head is one of these paths; see [`Item::is`].
    pub fn is_any(&self, paths: &[&str]) -> bool {
        // Many libraries ask every item: the end of the head is found once, and rules out nearly all paths.
        let (_, end) = last_segment(&self.head.text);
        !end.is_empty() && paths.iter().any(|path| path.ends_with(end) && self.is(path))
    }

    /// The value under a name: the last `Set` step of that path, else the last argument of that name. Dotted names go
    /// into nested maps: `retry.limit`, `{retry: {limit: 3}}` and a key written `retry.limit` are the same.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let set = self.steps.iter().rev().find_map(|step| match step {
            Step::Set { path, value } if path.text == name => Some(value),
            _ => None,
        });
        let named = || self.args.iter().rev().find(|a| a.name.as_ref().is_some_and(|n| n.text == name));
        let nested = || name.match_indices('.').find_map(|(at, _)| self.get(&name[..at])?.item()?.get(&name[at + 1..]));
        set.or_else(|| named().map(|a| &a.value)).or_else(nested)
    }

    /// The value at a position among those without a name, from 0.
    pub fn at(&self, position: usize) -> Option<&Value> {
        self.args.iter().filter(|a| a.name.is_none()).nth(position).map(|a| &a.value)
    }

    /// The last chained or later call of a method, as its arguments.
    pub fn call(&self, method: &str) -> Option<&[Arg]> {
        self.steps.iter().rev().find_map(|step| match step {
            Step::Call { name, args, .. } if name.text == method => Some(args.as_slice()),
            _ => None,
        })
    }

    /// The arguments of a call of that method, be it the last step of that name or the head itself: `r.Interval(5)`,
    /// `.Interval(5)` and `r => r.Interval(5)` are all a call of `Interval`.
    pub fn called(&self, method: &str) -> Option<&[Arg]> {
        self.call(method).or_else(|| self.is(method).then_some(self.args.as_slice()))
    }

    /// Every item inside, this one first, in the order of the text: arguments, steps, lists, operators, functions, and
    /// the items that a text holds.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Item)) {
        visit(self);
        self.values().for_each(|value| value.walk(visit));
    }

    /// Its values, in order: arguments, then what its steps are given.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        let steps = self.steps.iter().flat_map(|step| {
            let (args, value) = match step {
                Step::Call { args, .. } => (args.as_slice(), None),
                Step::Set { value, .. } => (&[][..], Some(value)),
            };
            args.iter().map(|arg| &arg.value).chain(value)
        });
        self.args.iter().map(|arg| &arg.value).chain(steps)
    }
}

impl Value {
    /// Every item inside this value; see [`Item::walk`].
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Item)) {
        match &self.kind {
            Kind::Item(item) => item.walk(visit),
            Kind::List(values) | Kind::Op(_, values) => values.iter().for_each(|v| v.walk(visit)),
            Kind::Text { inner, .. } => inner.iter().for_each(|i| i.walk(visit)),
            Kind::Fun(fun) => walk_statements(&fun.body, visit),
            Kind::Number { .. } | Kind::Word(_) | Kind::Unread => {}
        }
    }
}

fn walk_statements<'a>(body: &'a [Statement], visit: &mut dyn FnMut(&'a Item)) {
    for statement in body {
        match statement {
            Statement::Bind(_, value) | Statement::Return(value) | Statement::Expr(value) => value.walk(visit),
            Statement::If(condition, then, otherwise) => {
                condition.walk(visit);
                walk_statements(then, visit);
                walk_statements(otherwise, visit);
            }
        }
    }
}

/// Whether `path` ends in `end` at a separator (`.`, `::`, `->`, `/`, `\`), all separators being equal.
pub fn path_ends_with(path: &str, end: &str) -> bool {
    let (mut path, mut end) = (path, end);
    // Many libraries ask every item: this is bytes, and no iterator of segments, for speed.
    while let (before, wanted) = last_segment(end)
        && !wanted.is_empty()
    {
        match last_segment(path) {
            (rest, have) if have == wanted => (path, end) = (rest, before),
            _ => return false,
        }
    }
    true
}

/// What stands before the last segment of a path that is not empty, and that segment.
pub(crate) fn last_segment(path: &str) -> (&str, &str) {
    let bytes = path.as_bytes();
    let separates = |b: &u8| matches!(b, b'.' | b':' | b'/' | b'\\' | b'>');
    let end = bytes.iter().rposition(|b| !separates(b) && *b != b'-').map_or(0, |last| last + 1);
    let start = bytes[..end].iter().rposition(separates).map_or(0, |separator| separator + 1);
    (&path[..start], &path[start..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_ends_at_separators_only() {
        assert!(path_ends_with("tenacity.retry", "retry"));
        assert!(path_ends_with("backoff::ExponentialBackoff::new", "ExponentialBackoff.new"));
        assert!(path_ends_with("$this->backoff", "backoff"));
        assert!(!path_ends_with("tenacity.my_retry", "retry"));
        assert!(!path_ends_with("retry", "tenacity.retry"));
    }
}
