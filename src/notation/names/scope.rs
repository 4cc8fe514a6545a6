//! The names known so far.

use super::super::item::{Form, Item, Kind, Name, Statement, Step, Value};
use super::super::lexer::pack;
use std::collections::{HashMap, HashSet};

/// How many copies may be made, and how many parts they may have together, so many in any text and one for each few bytes
/// of it: an alias of an alias of an alias … ends here.
const COPIES: usize = 10_000;
const PARTS: usize = 4_000;
const BYTES_A_PART: usize = 10;

/// A value of more parts than this is not copied, nor one that nests deeper.
const LARGE: usize = 400;
const DEEP: usize = 80;

/// How many of the parameters around are looked at.
const NEAR: usize = 32;

/// How many bindings that come later may lead from one to the next.
pub(super) const AHEAD: usize = 8;

/// What names stand for at the place that is being read.
#[derive(Default)]
pub(super) struct Scope {
    /// Local names of imports with their full paths: the last import before, else the first of all.
    imports: HashMap<String, String>,
    /// The last binding so far.
    pub bound: HashMap<String, Value>,
    /// The first binding of a name that is used before it is bound.
    pub(super) later: HashMap<String, Value>,
    /// Names that are used anywhere, packed; others need not be kept.
    used: HashSet<u64>,
    /// What the object around was given: `this.x = 1`, `self.x = 1`, by the name of the member.
    pub own: HashMap<String, Value>,
    /// Parameters of the functions around; those with a default are emptied, and bound to it.
    pub parameters: Vec<String>,
    /// The classes around: what speaks of one inside it does not hold it again.
    pub classes: Vec<String>,
    /// The functions whose answers are being looked for.
    pub running: Vec<String>,
    /// What classes of the text are made as, by name: the only class that each extends, if it makes itself no other way.
    pub derived: HashMap<String, String>,
    /// How many later bindings we are inside of.
    pub ahead: usize,
    pub copies: usize,
    parts: usize,
}

impl Scope {
    /// Looks once over the items: imports, uses, and bindings that come after their use.
    pub fn of(items: &[Item]) -> Self {
        let length = items.last().map_or(0, |item| item.span.end);
        let mut scope = Scope { copies: COPIES, parts: PARTS + length / BYTES_A_PART, ..Scope::default() };
        let mut seen = HashSet::new();
        for item in items.iter().filter(|i| i.form != Form::Comment) {
            scope.survey_item(item, true, &mut seen);
        }
        scope
    }

    fn survey_item(&mut self, item: &Item, statement: bool, seen: &mut HashSet<u64>) {
        if item.form == Form::Import {
            for (local, path) in imported(item) {
                self.survey_use(path);
                self.imports.entry(local.to_string()).or_insert_with(|| path.to_string());
            }
            return;
        }
        self.survey_use(root(&item.head.text));
        self.survey_use(own(&item.head.text));
        if let Some(target) = item.target.as_ref().filter(|_| super::super::code::is_steps(item)) {
            self.survey_use(&target.text);
        }
        for arg in &item.args {
            self.survey_value(&arg.value, seen);
            if let (Form::Class, Some(name)) = (item.form, &arg.name) {
                self.survey_binding(&name.text, &arg.value, seen);
            }
        }
        for step in &item.steps {
            match step {
                Step::Call { args, .. } => args.iter().for_each(|a| self.survey_value(&a.value, seen)),
                Step::Set { value, .. } => self.survey_value(value, seen),
            }
        }
        if let Some(name) = bound_name(item).filter(|_| statement)
            && seen.insert(pack(name))
            && self.used.contains(&pack(name))
        {
            let value = bound_value(item);
            if self.fits(&value) {
                self.later.insert(name.to_string(), value);
            }
        }
    }

    fn survey_value(&mut self, value: &Value, seen: &mut HashSet<u64>) {
        match &value.kind {
            Kind::Word(word) => {
                self.survey_use(word);
                self.survey_use(root(word));
                self.survey_use(own(word));
            }
            Kind::Item(item) => self.survey_item(item, false, seen),
            Kind::List(values) | Kind::Op(_, values) => values.iter().for_each(|v| self.survey_value(v, seen)),
            Kind::Fun(fun) => self.survey_body(&fun.body, seen),
            Kind::Number { .. } | Kind::Text { .. } | Kind::Unread => {}
        }
    }

    fn survey_body(&mut self, body: &[Statement], seen: &mut HashSet<u64>) {
        for statement in body {
            match statement {
                Statement::Bind(name, value) => {
                    self.survey_value(value, seen);
                    self.survey_binding(&name.text, value, seen);
                }
                Statement::Return(value) => self.survey_value(value, seen),
                Statement::Expr(value) => match &value.kind {
                    Kind::Item(item) => self.survey_item(item, true, seen),
                    _ => self.survey_value(value, seen),
                },
                Statement::If(condition, then, otherwise) => {
                    self.survey_value(condition, seen);
                    self.survey_body(then, seen);
                    self.survey_body(otherwise, seen);
                }
            }
        }
    }

    fn survey_use(&mut self, name: &str) {
        if !name.is_empty() {
            self.used.insert(pack(name));
        }
    }

    fn survey_binding(&mut self, name: &str, value: &Value, seen: &mut HashSet<u64>) {
        if default_of(value).is_some() {
            return;
        }
        if seen.insert(pack(name)) && self.used.contains(&pack(name)) && !is_result(name) && self.fits(value) {
            self.later.insert(name.to_string(), value.clone());
        }
    }

    /// Takes over what an import says: from there on a name that was imported before means this.
    pub fn import(&mut self, item: &Item) {
        self.imports.extend(imported(item).map(|(local, path)| (local.to_string(), path.to_string())));
    }

    /// Whether a value is small enough to copy, and may still be; counts it if so.
    pub fn fits(&mut self, value: &Value) -> bool {
        let mut left = LARGE.min(self.parts);
        let fits = count(value, DEEP, &mut left);
        self.parts -= if fits { LARGE.min(self.parts) - left } else { 0 };
        fits
    }

    /// A binding begins: what it holds cannot mean the binding itself.
    pub fn begin(&mut self, name: &str) {
        self.later.remove(name);
    }

    /// Remembers a binding.
    pub fn bind(&mut self, name: &str, value: &Value) {
        self.begin(name);
        if !self.used.contains(&pack(name)) || is_result(name) {
            return;
        }
        let default = default_of(value).filter(|(given, _)| *given == name).map(|(_, default)| default);
        if default.is_some_and(Value::is_null) {
            return;
        }
        // A parameter that is given a thing of the text's own is that.
        let made = value.item().is_some_and(|item| item.form == Form::Call && !item.head.text.is_empty());
        if default.is_some() || made {
            let shown = self.parameters.iter_mut().rev().take(NEAR).find(|p| *p == name);
            shown.into_iter().for_each(String::clear);
        }
        // What a caller may replace is said of numbers; other kinds of values are asked for as they are.
        let value = default.filter(|d| !matches!(d.kind, Kind::Number { .. } | Kind::Op(..))).unwrap_or(value);
        match self.fits(value) {
            true => self.bound.insert(name.to_string(), value.clone()),
            false => self.bound.remove(name),
        };
    }

    /// Whether a name is bound, but not as a parameter.
    pub fn knows(&self, name: &str) -> bool {
        self.bound.contains_key(name)
    }

    /// A name may stand for one of several values from here on.
    pub fn forget(&mut self, name: &str) {
        self.bound.remove(name);
        self.later.remove(name);
    }

    /// Remembers a member of the object around.
    pub fn bind_own(&mut self, name: &str, value: &Value) {
        if self.used.contains(&pack(root(name))) && self.fits(value) {
            self.own.insert(name.to_string(), value.clone());
        }
    }

    /// Takes away what the names of parameters were bound to before.
    pub fn hide(&mut self, params: &[Name]) -> Vec<(String, Option<Value>)> {
        params.iter().map(|p| (p.text.clone(), self.bound.remove(&p.text))).collect()
    }

    /// Gives the names of parameters back what they were bound to before.
    pub fn show(&mut self, hidden: Vec<(String, Option<Value>)>) {
        for (name, value) in hidden {
            match value {
                Some(value) => self.bound.insert(name, value),
                None => self.bound.remove(&name),
            };
        }
    }

    /// The item that a name is bound to, for further steps.
    pub fn bound_item(&mut self, name: &str) -> Option<&mut Item> {
        if self.is_parameter(name) {
            return None;
        }
        match &mut self.bound.get_mut(name)?.kind {
            Kind::Item(item) if matches!(item.form, Form::Call | Form::Map) => Some(item),
            _ => None,
        }
    }

    pub fn is_parameter(&self, name: &str) -> bool {
        self.parameters.iter().rev().take(NEAR).any(|p| p == name)
    }

    /// The full path of an imported name, or of a path that begins with one.
    pub fn canonical(&self, path: &str) -> Option<String> {
        let root = root(path);
        if root.is_empty() || self.is_parameter(root) || self.bound.contains_key(root) {
            return None;
        }
        let full = self.imports.get(root).filter(|full| *full != root)?;
        Some(format!("{full}{}", &path[root.len()..]))
    }

    /// A copy of what a word stands for, and whether names in it are still to be replaced: it is bound later only.
    pub fn copy(&mut self, word: &str) -> Option<(Value, bool)> {
        if self.copies == 0
            || self.classes.iter().any(|class| class == word)
            || own(word).is_empty() && self.is_parameter(root(word))
        {
            return None;
        }
        let in_later = |s: &Self| Some((find(&s.later, word).or_else(|| find(&s.later, own(word)))?, true));
        let member = || find(&self.own, own(word)).or_else(|| find(&self.bound, own(word)));
        let before = find(&self.bound, word).or_else(member).map(|v| (v, false));
        let (value, later) = before.or_else(|| in_later(self).filter(|_| self.ahead < AHEAD))?;
        if !self.fits(&value) {
            return None;
        }
        self.copies -= 1;
        Some((value, later))
    }

    /// A copy of the item that the root of a head is bound to.
    pub fn copy_item(&mut self, root: &str) -> Option<Item> {
        self.bound_item(root).filter(|item| item.form == Form::Call)?;
        match self.copy(root)?.0.kind {
            Kind::Item(item) => Some(*item),
            _ => None,
        }
    }
}

/// What a word stands for among these bindings: a name, or a member of what its first name stands for.
fn find(bindings: &HashMap<String, Value>, word: &str) -> Option<Value> {
    if word.is_empty() || bindings.is_empty() {
        return None;
    }
    if let Some(value) = bindings.get(word) {
        return Some(value.clone());
    }
    let root = root(word);
    let value = bindings.get(root)?;
    let member = word[root.len()..].trim_start_matches(['.', ':', '-', '>']);
    match &value.kind {
        Kind::Item(item) if !member.is_empty() => {
            // What an object was not given is as its class has it.
            let class = || bindings.get(&item.head.text)?.item().filter(|class| class.form == Form::Class)?.get(member);
            item.get(member).or_else(class).cloned()
        }
        // `n.seconds`
        Kind::Number { value: number, suffix }
            if suffix.is_empty() && member.bytes().all(|b| b.is_ascii_alphabetic()) =>
        {
            Some(Value::new(Kind::Number { value: *number, suffix: member.to_string() }, value.span))
        }
        Kind::List(list) if matches!(member, "length" | "size" | "count" | "Length" | "Count") => {
            let length = Kind::Number { value: list.len() as f64, suffix: String::new() };
            Some(Value::new(length, value.span))
        }
        _ => None,
    }
}

/// Names of what a call answered, which is no configuration.
fn is_result(name: &str) -> bool {
    matches!(name, "_" | "err" | "error")
}

/// The local names of an import, with their full paths; one that names only itself keeps others from its name.
fn imported(import: &Item) -> impl Iterator<Item = (&str, &str)> {
    let own = root(&import.head.text);
    let alone = (import.args.is_empty() && !own.is_empty()).then_some((own, own));
    let named = import.args.iter().filter_map(|arg| match (&arg.name, &arg.value.kind) {
        (Some(local), Kind::Word(path)) => Some((local.text.as_str(), path.as_str())),
        _ => None,
    });
    alone.into_iter().chain(named)
}

/// The name that a statement's item binds.
pub(super) fn bound_name(item: &Item) -> Option<&str> {
    let name = match item.form {
        Form::Function | Form::Class => &item.head.text,
        Form::Call | Form::Map => &item.target.as_ref()?.text,
        _ => return None,
    };
    (!name.is_empty() && !super::super::code::is_steps(item)).then_some(name.as_str())
}

/// What it is bound to: a function for a function's definition.
pub(super) fn bound_value(item: &Item) -> Value {
    match (item.form, item.args.as_slice()) {
        (Form::Function, [function]) => function.value.clone(),
        _ => Value::new(Kind::Item(Box::new(item.clone())), item.span),
    }
}

/// The first name of a path.
pub(super) fn root(path: &str) -> &str {
    let skip = usize::from(path.starts_with(':'));
    let rest = &path.as_bytes()[skip..];
    let separator = rest.iter().position(|b| matches!(b, b'.' | b':' | b'\\'));
    let arrow = || rest.windows(2).position(|pair| pair == b"->");
    separator.or_else(arrow).map_or(path, |at| &path[..at + skip])
}

/// The name and the value of `n = n ?? 3`, `n = n or 3`, and of a parameter's default `n = 3`.
pub(super) fn default_of(value: &Value) -> Option<(&str, &Value)> {
    match &value.kind {
        Kind::Op(op, parts) if matches!(op.as_str(), "=" | "??" | "||" | "or") => match parts.as_slice() {
            [Value { kind: Kind::Word(given), .. }, default] => Some((given, default)),
            _ => None,
        },
        _ => None,
    }
}

/// The name of a member of the object itself.
pub(super) fn own(path: &str) -> &str {
    ["self.", "this.", "$this->", "self::", "static::"].iter().find_map(|p| path.strip_prefix(p)).unwrap_or("")
}

/// Takes the parts of a value off `left`; false once there are too many, or they nest too deep.
fn count(value: &Value, deep: usize, left: &mut usize) -> bool {
    if *left == 0 || deep == 0 {
        return false;
    }
    *left -= 1;
    match &value.kind {
        Kind::Item(item) => count_item(item, deep - 1, left),
        Kind::List(values) | Kind::Op(_, values) => values.iter().all(|v| count(v, deep - 1, left)),
        Kind::Text { inner, .. } => inner.iter().all(|i| count_item(i, deep - 1, left)),
        Kind::Fun(fun) => count_body(&fun.body, deep - 1, left),
        Kind::Number { .. } | Kind::Word(_) | Kind::Unread => true,
    }
}

fn count_item(item: &Item, deep: usize, left: &mut usize) -> bool {
    item.values().all(|value| count(value, deep, left))
}

fn count_body(body: &[Statement], deep: usize, left: &mut usize) -> bool {
    body.iter().all(|statement| match statement {
        Statement::Bind(_, value) | Statement::Return(value) | Statement::Expr(value) => count(value, deep, left),
        Statement::If(condition, then, otherwise) => {
            deep > 0
                && count(condition, deep, left)
                && count_body(then, deep - 1, left)
                && count_body(otherwise, deep - 1, left)
        }
    })
}
