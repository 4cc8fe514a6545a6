//! Where each item stands: the names and positions that lead to it.

use super::{Arg, Crumb, Item, Kind, Statement, Step, Value, entries};

/// Gives every item inside these its place.
pub(super) fn fill(items: &mut [Item]) {
    let mut path = Vec::new();
    for item in items {
        item_at(item, &mut path);
    }
}

fn item_at(item: &mut Item, path: &mut Vec<Crumb>) {
    entries::name(item);
    item.place.clone_from(path);
    let head = (!item.head.text.is_empty()).then(|| item.head.text.clone());
    within(head, path, |path| {
        args_at(&mut item.args, path);
        for step in &mut item.steps {
            match step {
                Step::Call { name, args, .. } => within(Some(name.text.clone()), path, |path| args_at(args, path)),
                Step::Set { path: name, value } => within(Some(name.text.clone()), path, |path| value_at(value, path)),
            }
        }
    });
}

fn args_at(args: &mut [Arg], path: &mut Vec<Crumb>) {
    for arg in args {
        within(arg.name.as_ref().map(|name| name.text.clone()), path, |path| value_at(&mut arg.value, path));
    }
}

fn value_at(value: &mut Value, path: &mut Vec<Crumb>) {
    match &mut value.kind {
        Kind::Item(item) => item_at(item, path),
        Kind::List(values) => {
            for (index, value) in values.iter_mut().enumerate() {
                path.push(Crumb::Index(index));
                value_at(value, path);
                path.pop();
            }
        }
        Kind::Op(_, values) => values.iter_mut().for_each(|value| value_at(value, path)),
        Kind::Text { inner, .. } => inner.iter_mut().for_each(|item| item_at(item, path)),
        Kind::Fun(fun) => statements_at(&mut fun.body, path),
        Kind::Number { .. } | Kind::Word(_) | Kind::Unread => {}
    }
}

fn statements_at(body: &mut [Statement], path: &mut Vec<Crumb>) {
    for statement in body {
        match statement {
            Statement::Bind(_, value) | Statement::Return(value) | Statement::Expr(value) => value_at(value, path),
            Statement::If(condition, then, otherwise) => {
                value_at(condition, path);
                statements_at(then, path);
                statements_at(otherwise, path);
            }
        }
    }
}

fn within(key: Option<String>, path: &mut Vec<Crumb>, visit: impl FnOnce(&mut Vec<Crumb>)) {
    let depth = path.len();
    path.extend(key.map(Crumb::Key));
    visit(path);
    path.truncate(depth);
}
