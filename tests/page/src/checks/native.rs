//! What the module computes in a browser is what the same code computes natively, to the last bit.

use anyhow::{Context, Result, ensure};
use backoff::api;
use backoff::distribution::{Options, total_wait};
use backoff::fleet::{FleetSpec, fleet};
use backoff::library::Choice;
use backoff::policy::Policy;
use backoff::schedule::{schedule, worst_case_total};
use page_tests::engine::Browser;
use page_tests::page::{Form, Page, root};
use serde_json::{Value, json};

/// Texts in one call of the page.
const TOGETHER: usize = 50;

/// Every example, and every text of the golden cases.
pub fn same(browser: &Browser) -> Result<()> {
    let page = Page::open(browser, Form::Packed, "")?;
    let mut texts: Vec<String> = api::libraries().iter().flat_map(|l| l.examples.clone()).map(str::to_owned).collect();
    for file in std::fs::read_dir(root().join("tests/cases"))? {
        let cases: Value = serde_json::from_slice(&std::fs::read(file?.path())?)?;
        texts.extend(
            cases["cases"].as_array().into_iter().flatten().filter_map(|c| c["input"].as_str().map(str::to_owned)),
        );
    }
    ensure!(texts.len() > 800, "only {} texts", texts.len());
    let script = "return JSON.stringify(arguments[0].map(([text, ...quick]) => backoff.read(text).map((reading, n) => {
        const { policy } = reading;
        const spec = { callers: 400, allowance: 4000, perMs: 60000 };
        const first = [reading, backoff.schedule(policy), backoff.worstCaseTotal(policy) ?? null,
            [...backoff.sample(policy, '1').slice(0, 100)]];
        return quick[n] ? [...first, backoff.totalWait(policy), backoff.fleet(policy, spec)] : first;
    })));";
    for texts in texts.chunks(TOGETHER) {
        let read: Vec<_> = texts.iter().map(|text| api::read(text, &Choice::default())).collect();
        let asked = texts.iter().zip(&read).map(|(text, readings)| {
            let quick = readings.iter().map(|reading| json!(is_quick(&reading.policy)));
            std::iter::once(json!(text)).chain(quick).collect()
        });
        let answer = page.session().run(script, json!([asked.collect::<Vec<Value>>()]))?;
        let answer: Value = serde_json::from_str(answer.as_str().context("no text came back")?)?;
        for ((text, readings), got) in texts.iter().zip(&read).zip(answer.as_array().context("no list came back")?) {
            let wanted = readings.iter().map(natively).collect::<Result<Value>>()?;
            let (got, wanted) = (plain(got.clone()), plain(wanted));
            ensure!(got == wanted, "{text}\n{}", difference("", &got, &wanted));
        }
    }
    page.has_no_error()
}

/// Whether the law of a policy's total takes no time to speak of, even where nothing is optimised.
fn is_quick(policy: &Policy) -> bool {
    let few = policy.retries.is_some_and(|retries| retries <= 10);
    few && policy.deadline.is_none() && !policy.is_dependent() && !policy.has_unknown_law()
}

/// One reading and the numbers of its policy.
fn natively(reading: &api::Reading) -> Result<Value> {
    let policy = &reading.policy;
    let sample: Vec<f64> = api::sample(policy, 1).into_iter().take(100).collect();
    let first = json!([reading, schedule(policy, 100), worst_case_total(policy), sample]);
    let Value::Array(mut numbers) = first else { unreachable!("a list was made") };
    if is_quick(policy) {
        numbers.push(json!(total_wait(policy, &Options::default())));
        numbers.push(json!(fleet(policy, &FleetSpec::new(400, 4000.0, 60_000.0))?));
    }
    Ok(numbers.into())
}

/// Numbers as floats, and what is null is absent: the two ways to write JSON differ in nothing else.
fn plain(value: Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64().map(|x| x + 0.0)),
        Value::Array(list) => list.into_iter().map(plain).collect(),
        Value::Object(map) => map.into_iter().filter(|(_, v)| !v.is_null()).map(|(k, v)| (k, plain(v))).collect(),
        other => other,
    }
}

/// Where two values first differ, and how.
fn difference(path: &str, got: &Value, wanted: &Value) -> String {
    let (one, other) = match (got, wanted) {
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => (one.iter(), other.iter()),
        (Value::Object(one), Value::Object(other)) if one.keys().eq(other.keys()) => {
            let values = one.iter().zip(other.values()).find(|((_, one), other)| one != other);
            return values
                .map_or_else(String::new, |((key, one), other)| difference(&format!("{path}/{key}"), one, other));
        }
        _ => return format!("{path}: {got} in the browser, {wanted} natively"),
    };
    let entries = one.zip(other).enumerate().find(|(_, (one, other))| one != other);
    entries.map_or_else(String::new, |(n, (one, other))| difference(&format!("{path}/{n}"), one, other))
}
