//! What names stand for: imports make heads and words canonical; a use of a bound name becomes what the name is bound
//! to; what is done to a bound name later becomes a step of it.
//!
//! * A use takes the last binding that ends before it, else the first later one. Statements bind, arguments never do;
//!   parameters hide bindings. There are no other scopes.
//! * A copied value keeps the spans of its definition, so that a number's origin is where the number stands. Two items
//!   with the same `head.span` are therefore one place of the text.
//! * `b.A = 1` and `b.Set(2)` as statements become steps of the item that `b` is bound to. Inside another value
//!   `b.with(3)` becomes a copy of that item with one step more; so does `b = Wrap(b)`, as an argument.
//! * `import r from 'm'` and `import * as r from 'm'` make `r(…)` a call of `m` and `r.x(…)` one of `m.x`;
//!   `from m import x as y` makes `y(…)` a call of `m.x`. Annotations keep the bound name that they are called on
//!   (`app.task`); what is imported is made canonical in them too.
//! * A call of a function of the text becomes what the function returns, if it returns in one place: a back-off, options.
//! * Spread maps (`...x`, `**x`, `..x`) are replaced by their entries, lists likewise. Lists that are added, multiplied,
//!   mapped or made by a comprehension are written out.
//! * Where a name is imported twice, a use takes the last import before it.
//! * At most 10^4 copies are made, none of them large.

mod answer;
mod bind;
mod extend;
mod lists;
mod scope;

use super::item::{Form, Item, Kind, Name, Statement, Value};
use std::collections::HashSet;

/// The full paths of what the text imports, modules and the names in them: `tenacity`, `tenacity.retry`,
/// `github.com/cenkalti/backoff/v4`, `@aws-sdk/util-retry`, `backoff::ExponentialBackoff`.
pub fn imports(items: &[Item]) -> Vec<Name> {
    let mut names = Vec::new();
    let mut seen = HashSet::new();
    let mut add = |name: Name| {
        if !name.text.is_empty() && seen.insert(name.text.clone()) {
            names.push(name);
        }
    };
    for item in items.iter().filter(|i| i.form != Form::Comment) {
        item.walk(&mut |import| {
            if import.form != Form::Import {
                return;
            }
            add(import.head.clone());
            for arg in &import.args {
                if let Kind::Word(path) = &arg.value.kind
                    && path.starts_with(&import.head.text)
                {
                    add(Name { text: path.clone(), span: arg.value.span });
                }
            }
        });
    }
    names
}

/// Puts values in the place of words in a function's body.
pub fn fill(body: &mut [Statement], found: &dyn Fn(&str) -> Option<Value>) {
    answer::fill_body(body, found, None);
}

/// Replaces names by what they stand for, everywhere in these items.
pub fn resolve(items: &mut Vec<Item>) {
    let mut scope = scope::Scope::of(items);
    scope.outermost(items);
}

#[cfg(test)]
mod tests;
