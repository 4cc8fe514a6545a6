//! A formula alone: `delay = 60 + n^4`.

use super::find;
use crate::duration::Unit;
use crate::library::computed::{self, Inputs};
use crate::library::{Block, Certainty, Scan, Take, same};
use crate::notation::{Form, Fun, Item, Kind, Name, Statement, Value};
use crate::policy::Policy;

const WAITS: &[&str] = &["delay", "wait", "sleep", "backoff", "interval", "retrydelay", "waittime", "backoffdelay"];
/// What people call the number of the retry.
const NUMBERS: &[&str] =
    &["n", "k", "i", "x", "attempt", "attempts", "retry", "retries", "retrycount", "retryattempt", "attemptnumber"];

/// The formula that is all a text holds.
pub(super) fn block<'d>(scan: &Scan<'d>) -> Option<Block<'d>> {
    let mut items = scan.doc.items.iter().filter(|item| item.form != Form::Comment);
    let item = items.next().filter(|_| items.next().is_none())?;
    parts(item)?;
    Some(Block::new(item, Certainty::Possible).variant("formula"))
}

/// The name of the wait, its value, and the name of the number in it.
fn parts(item: &Item) -> Option<(String, Value, Name)> {
    let (name, value) = match (item.form, item.args.as_slice(), &item.target) {
        (Form::Class, [only], _) if item.head.text.is_empty() => (only.name.as_ref()?.text.clone(), only.value.clone()),
        (Form::Call, _, Some(target)) => {
            (target.text.clone(), Value::new(Kind::Item(Box::new(item.clone())), item.span))
        }
        _ => return None,
    };
    find::is_one(&name, WAITS).then_some(())?;
    let mut unknown: Vec<Name> = Vec::new();
    names(&value, &mut unknown);
    let number = unknown.first()?.clone();
    let one = unknown.iter().all(|name| name.text == number.text);
    (one && NUMBERS.iter().any(|known| same(known, &number.text))).then_some((name, value, number))
}

/// The names in a value that the text does not define.
fn names(value: &Value, out: &mut Vec<Name>) {
    match &value.kind {
        Kind::Word(word) if value.is_undefined() => out.push(Name { text: word.clone(), span: value.span }),
        Kind::Op(_, values) | Kind::List(values) => values.iter().for_each(|value| names(value, out)),
        Kind::Item(item) => item.values().for_each(|value| names(value, out)),
        _ => {}
    }
}

/// The waits of the formula for the first retry and those after it.
pub(super) fn read(take: &mut Take, bare: Unit) -> Policy {
    let Some((name, value, number)) = parts(take.block.item) else { return Policy::single_call() };
    let unit = find::unit_of(&name).unwrap_or(bare);
    let message = format!("`{}` is taken as the number of the retry, 1 for the first.", number.text);
    take.note("number-read", number.span, message);
    let message = format!(
        "No count is written: how often it retries cannot be known; bare numbers are taken as {}.",
        unit.symbol()
    );
    take.note("missing-count", value.span, message);
    take.unknown.push("retries");
    let fun = Fun { params: vec![number], body: vec![Statement::Return(value)] };
    computed::policy(take, &name, &fun, Inputs::positional(|k| vec![k as f64]).unit_ms(unit.ms()), None)
}
