//! Lists that are not written out: added, multiplied, mapped, or made by a comprehension.

use super::super::item::{Arg, Form, Item, Kind, Name, Statement, Step, Value};
use super::scope::Scope;
use crate::span::Span;

/// A longer list is left as it is written.
const LONG: usize = 64;

impl Scope {
    /// Resolves `f(x) for x in y`, and makes it a list where what it runs over is one known here; whether it is one.
    pub(super) fn comprehension(&mut self, value: &mut Value) -> bool {
        let Kind::Op(op, parts) = &mut value.kind else { return false };
        let [body, Value { kind: Kind::Word(name), span }, over] = parts.as_mut_slice() else { return false };
        if op != "for" {
            return false;
        }
        self.value(over);
        let name = Name { text: name.clone(), span: *span };
        match entries(over).and_then(|entries| self.mapped(&[name], body, entries, value.span)) {
            Some(list) => *value = list,
            None => self.value(body),
        }
        true
    }

    /// What a call makes of a list: its length, itself, or what a function makes of each entry.
    pub(super) fn made_of_list(&mut self, value: &Value) -> Option<Value> {
        let item = value.item().filter(|item| item.form == Form::Call)?;
        let number = |value: usize| Value::new(Kind::Number { value: value as f64, suffix: String::new() }, item.span);
        match (item.head.text.as_str(), item.args.as_slice(), item.steps.as_slice()) {
            ("len" | "count", [list], []) => list.value.list().map(|list| number(list.len())),
            ("list" | "tuple", [list], []) => Some(Value::new(Kind::List(entries(&list.value)?), item.span)),
            ("map", [function, list], []) => self.applied(&function.value, entries(&list.value)?, item.span),
            ("Array.from" | "Array.new", [from, function], []) => {
                let length = || from.value.item().map_or(from.value.number(), |map| map.get("length")?.number());
                let numbers = || Some((0..whole(length()?).filter(|n| *n <= LONG)?).map(number).collect());
                let entries = entries(&from.value).or_else(numbers)?;
                self.applied(&function.value, entries, item.span)
            }
            ("", [list], [Step::Call { name, args, .. }])
                if matches!(name.text.as_str(), "map" | "collect" | "Select") =>
            {
                self.applied(&args.first()?.value, entries(&list.value)?, item.span)
            }
            ("Enumerable.Range", [_, _], [Step::Call { name, args, .. }, ..]) if name.text == "Select" => {
                let range = Item { steps: Vec::new(), ..item.clone() };
                let range = Value::new(Kind::Item(Box::new(range)), item.span);
                self.applied(&args.first()?.value, entries(&range)?, item.span)
            }
            _ => None,
        }
    }

    /// What a function makes of each entry: one of the text, or one that is named.
    fn applied(&mut self, function: &Value, entries: Vec<Value>, span: Span) -> Option<Value> {
        match &function.kind {
            Kind::Fun(fun) => match fun.body.as_slice() {
                [Statement::Return(body) | Statement::Expr(body)] => self.mapped(&fun.params, body, entries, span),
                _ => None,
            },
            Kind::Word(path) => {
                let call = |value: Value| {
                    let head = Name { text: path.clone(), span: function.span };
                    let args = vec![Arg { name: None, value }];
                    Value::new(Kind::Item(Box::new(Item { head, args, span, ..Item::default() })), span)
                };
                Some(Value::new(Kind::List(entries.into_iter().map(call).collect()), span))
            }
            _ => None,
        }
    }

    /// A value for each entry, with the first name standing for the entry, the second for its number from 0.
    fn mapped(&mut self, names: &[Name], body: &Value, entries: Vec<Value>, span: Span) -> Option<Value> {
        let hidden = self.hide(names);
        let mut list = Vec::with_capacity(entries.len());
        for (at, entry) in entries.into_iter().enumerate() {
            if self.copies == 0 || !self.fits(body) {
                break;
            }
            self.copies -= 1;
            let number = Kind::Number { value: at as f64, suffix: String::new() };
            let given = [Value::new(number, entry.span), entry];
            for (name, value) in names.iter().zip(given.into_iter().rev()) {
                self.bound.insert(name.text.clone(), value);
            }
            let mut value = body.clone();
            self.value(&mut value);
            list.push(value);
        }
        let whole = list.len();
        names.iter().for_each(|name| drop(self.bound.remove(&name.text)));
        self.show(hidden);
        (whole > 0).then(|| Value::new(Kind::List(list), span))
    }
}

/// `[a] + [b]` and `[a] * 3` as one list, a spread one too; `None` for anything else.
pub(super) fn joined(op: &str, parts: &[Value]) -> Option<Kind> {
    let [first, second] = parts else { return None };
    let spread = match &first.kind {
        Kind::Op(op, inner) if op == ".." => inner.first()?,
        _ => first,
    };
    let mut list = spread.list()?.to_vec();
    match op {
        "+" => list.extend(second.list()?.iter().cloned()),
        "*" => {
            let times = whole(second.number()?).filter(|n| n * list.len() <= LONG)?;
            list = std::iter::repeat_n(list, times).flatten().collect();
        }
        _ => return None,
    }
    let kind = Kind::List(list);
    Some(match std::ptr::eq(spread, first) {
        true => kind,
        false => Kind::Op("..".into(), vec![Value::new(kind, first.span)]),
    })
}

/// What a list holds, or Python's `range(a, b, step)`, or C#'s `Enumerable.Range(first, count)`.
fn entries(value: &Value) -> Option<Vec<Value>> {
    if let Some(list) = value.list() {
        return (list.len() <= LONG).then(|| list.to_vec());
    }
    let counted = |item: &Item| item.head.text == "Enumerable.Range";
    let range = value.item().filter(|item| (item.head.text == "range" || counted(item)) && item.steps.is_empty())?;
    let numbers: Vec<f64> = range.args.iter().map(|arg| arg.value.number()).collect::<Option<_>>()?;
    let (from, to, step) = match numbers[..] {
        [to] => (0.0, to, 1.0),
        [from, count] if counted(range) => (from, from + count, 1.0),
        [from, to] => (from, to, 1.0),
        [from, to, step] if step != 0.0 => (from, to, step),
        _ => return None,
    };
    let count = whole(((to - from) / step).ceil().max(0.0)).filter(|n| *n <= LONG)?;
    let number = |at: usize| Kind::Number { value: from + step * at as f64, suffix: String::new() };
    Some((0..count).map(|at| Value::new(number(at), value.span)).collect())
}

fn whole(number: f64) -> Option<usize> {
    (number.fract() == 0.0 && (0.0..1e6).contains(&number)).then_some(number as usize)
}

/// What a call only wraps or joins: Go's `append(list, a)` as the longer list, `Object.freeze(map)` and Ruby's
/// `map.freeze` as the map, `Object.assign({}, a, b)` as one map with the entries of all.
pub(super) fn plain(value: &mut Value) {
    let Kind::Item(item) = &mut value.kind else { return };
    let steps = item.steps.len();
    item.steps
        .retain(|step| !matches!(step, Step::Call { name, args, .. } if name.text == "freeze" && args.is_empty()));
    let bare = item.steps.is_empty() && steps > 0;
    let kind = match (item.head.text.as_str(), item.args.as_mut_slice()) {
        ("", [Arg { name: None, value: Value { kind: Kind::List(list), .. } }]) if bare => {
            Kind::List(std::mem::take(list))
        }
        ("append", [Arg { name: None, value: Value { kind: Kind::List(list), .. } }, rest @ ..]) => {
            list.extend(rest.iter().map(|arg| arg.value.clone()));
            Kind::List(std::mem::take(list))
        }
        ("Object.freeze" | "Object.seal" | "structuredClone", [Arg { name: None, value }]) => value.kind.clone(),
        ("Object.assign", args) if args.iter().all(|arg| is_map(&arg.value)) => {
            let maps = args.iter().filter_map(|arg| arg.value.item());
            let args = maps.flat_map(|map| map.args.clone()).collect();
            Kind::Item(Box::new(Item { args, form: Form::Map, span: item.span, ..Item::default() }))
        }
        _ => return,
    };
    let target = item.target.take();
    value.kind = kind;
    if let (Kind::Item(item), Some(target)) = (&mut value.kind, target) {
        item.target = Some(target);
    }
}

/// Whether a value is a map, or a name that may stand for one: what it adds is not known.
fn is_map(value: &Value) -> bool {
    match &value.kind {
        Kind::Item(item) => item.form == Form::Map && item.steps.is_empty(),
        kind => matches!(kind, Kind::Word(_)),
    }
}
