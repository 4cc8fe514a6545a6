//! Maps that a language fills by calls: their keys become names.
//!
//! | text | as if it were |
//! |---|---|
//! | `m.put("a", 1)`, `p.setProperty("a", 1)`, `ClientConfig().set("a", 1)` | `m.a = 1` |
//! | `Map.of("a", 1, "b", 2)` | `{a: 1, b: 2}` |
//! | `Map.ofEntries(entry("a", 1))`, `mapOf(A to 1)` | `{a: 1}` |
//! | `new HashMap<>() {{ put("a", 1); }}` | `HashMap(a = 1)` |
//! | `env: [{name: A, value: "1"}]` | `A: "1"` beside it |
//! | `RESILIENCE4J_RETRY_INSTANCES_A_MAXATTEMPTS=1` | `resilience4j.retry.instances.a: {MAXATTEMPTS: 1}` beside it |
//! | `X(1).apply { a = 2; setB(3) }` | `X(1).a = 2`, then `.setB(3)` |

use super::{Arg, Form, Item, Kind, Name, Step, Value, scalar};

/// Methods that put a value under a key.
const PUTS: &[&str] = &["put", "setProperty", "putIfAbsent", "addProperty"];

/// Gives the entries of an item their names, if they are written as arguments of calls.
pub(super) fn name(item: &mut Item) {
    let applies =
        |step: &Step| matches!(step, Step::Call { name, args, .. } if name.text == "apply" && !args.is_empty());
    if item.steps.iter().any(applies) {
        item.steps = std::mem::take(&mut item.steps).into_iter().flat_map(applied).collect();
    }
    // librdkafka's own.
    let sets = item.is_any(&["Conf", "ClientConfig.new"]);
    for step in &mut item.steps {
        if let Step::Call { name, args, .. } = step
            && (PUTS.contains(&name.text.as_str()) || sets && name.text == "set")
            && let [Arg { name: None, value: key }, Arg { name: None, value }] = args.as_slice()
            && let Some(path) = key_of(key)
        {
            *step = Step::Set { path, value: value.clone() };
        }
    }
    if item.is("Map.of") || item.is("ImmutableMap.of") {
        pairs(item);
    } else if item.is_any(&["Map.ofEntries", "mapOf", "mutableMapOf", "hashMapOf", "HashMap", "Properties"]) {
        item.args = entries(std::mem::take(&mut item.args));
    }
}

/// Gives a container the variables that it lists as maps of a name and a value.
pub(super) fn environment(item: &mut Item) {
    let lists =
        item.args.iter().filter(|a| a.name.as_ref().is_some_and(|n| matches!(n.text.as_str(), "env" | "environment")));
    let values = lists.filter_map(|arg| arg.value.list()).flatten();
    let variable = |value: &Value| {
        let Some(map) = value.item() else {
            let (name, set) = value.text()?.split_once('=').filter(|(name, _)| name.starts_with(RESILIENCE4J))?;
            let name = Name { text: name.to_string(), span: value.span };
            return Some(Arg { name: Some(name), value: scalar::bare(set, value.span) });
        };
        Some(Arg { name: Some(key_of(map.get("name")?)?), value: map.get("value")?.clone() })
    };
    let set: Vec<Arg> = values.filter_map(variable).collect();
    item.args.extend(set);
    let set: Vec<Arg> = relaxed(&item.args);
    item.args.extend(set);
}

/// What the variables of Resilience4j's retries begin with.
const RESILIENCE4J: &str = "RESILIENCE4J_RETRY_";

/// The variables of Resilience4j by the key that each stands for, those of one instance in a map.
fn relaxed(args: &[Arg]) -> Vec<Arg> {
    let mut found: Vec<Arg> = Vec::new();
    for Arg { name, value } in args {
        let Some(name) = name else { continue };
        let parts = name.text.strip_prefix(RESILIENCE4J).and_then(|rest| rest.split_once('_'));
        let Some((holder, (instance, key))) = parts.and_then(|(h, rest)| Some((h, rest.split_once('_')?))) else {
            continue;
        };
        let path = format!("resilience4j.retry.{holder}.{instance}").to_ascii_lowercase();
        let named = |text: String| Some(Name { text, span: name.span });
        let value = match &value.kind {
            Kind::Text { text, .. } => scalar::bare(text, value.span),
            _ => value.clone(),
        };
        let span = name.span.to(value.span);
        let arg = Arg { name: named(key.to_string()), value };
        match found.iter_mut().find(|a| a.name.as_ref().is_some_and(|n| n.text == path)) {
            Some(Arg { value: Value { kind: Kind::Item(item), span: whole }, .. }) => {
                item.args.push(arg);
                item.span = item.span.to(span);
                *whole = item.span;
            }
            _ => {
                let item = Item { args: vec![arg], form: Form::Map, span, ..Item::default() };
                found.push(Arg { name: named(path), value: Value::new(Kind::Item(Box::new(item)), span) });
            }
        }
    }
    found
}

/// What a block does to the value it is applied to.
fn applied(step: Step) -> Vec<Step> {
    let Step::Call { name, args, span } = step else { return vec![step] };
    if name.text != "apply" {
        return vec![Step::Call { name, args, span }];
    }
    let step = |arg: Arg| match (arg.name, arg.value.kind) {
        (Some(path), kind) => Some(Step::Set { path, value: Value { kind, span: arg.value.span } }),
        (None, Kind::Item(call)) => Some(Step::Call { name: call.head, args: call.args, span: call.span }),
        _ => None,
    };
    args.into_iter().filter_map(step).collect()
}

/// Keys and values by turns.
fn pairs(item: &mut Item) {
    let named: Option<Vec<Arg>> = item.args.chunks_exact(2).map(|two| entry(&two[0].value, &two[1].value)).collect();
    if let Some(named) = named.filter(|_| item.args.len().is_multiple_of(2)) {
        item.args = named;
    }
}

/// `entry("a", 1)`, `A to 1`, `put("a", 1)` in a list of its own.
fn entries(args: Vec<Arg>) -> Vec<Arg> {
    let mut out: Vec<Arg> = Vec::new();
    for arg in args {
        let to = matches!(out.last(), Some(Arg { name: None, value }) if value.text() == Some("to"));
        let put = |value: &Value| {
            let call = value.item().filter(|i| i.is("entry") || i.is("put"))?;
            entry(call.at(0)?, call.at(1)?)
        };
        match &arg.value.kind {
            _ if to && out.len() >= 2 => {
                out.pop();
                let key = out.pop().map(|key| key.value);
                out.extend(key.and_then(|key| entry(&key, &arg.value)));
            }
            Kind::List(values) if values.iter().all(|v| put(v).is_some()) => out.extend(values.iter().filter_map(put)),
            _ => out.push(put(&arg.value).unwrap_or(arg)),
        }
    }
    out
}

fn entry(key: &Value, value: &Value) -> Option<Arg> {
    Some(Arg { name: Some(key_of(key)?), value: value.clone() })
}

/// The name that a key is: a text, or a constant without its class.
fn key_of(key: &Value) -> Option<Name> {
    let text = match &key.kind {
        Kind::Word(word) => super::resolve::last_segment(word),
        _ => key.text()?,
    };
    Some(Name { text: text.to_string(), span: key.span })
}
