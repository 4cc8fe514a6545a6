//! What the module computes in a browser is what the same code computes natively, to the last bit.

use anyhow::{Context, Result, ensure};
use backoff::api;
use backoff::distribution::{Options, total_wait};
use backoff::fleet::{FleetSpec, fleet};
use backoff::library::Choice;
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
    let script = "return JSON.stringify(arguments[0].map((text) => backoff.read(text).map((reading) => {
        const { policy } = reading;
        const spec = { callers: 400, allowance: 4000, perMs: 60000 };
        return [reading, backoff.schedule(policy), backoff.worstCaseTotal(policy) ?? null, backoff.totalWait(policy),
            [...backoff.sample(policy, '1').slice(0, 100)], backoff.fleet(policy, spec)];
    })));";
    for texts in texts.chunks(TOGETHER) {
        let answer = page.session().run(script, json!([texts]))?;
        let answer: Value = serde_json::from_str(answer.as_str().context("no text came back")?)?;
        for (text, got) in texts.iter().zip(answer.as_array().context("no list came back")?) {
            let readings = api::read(text, &Choice::default());
            let got = got.as_array().context("no readings came back")?;
            ensure!(got.len() == readings.len(), "{text}\nhas {} readings in the browser", got.len());
            for (reading, got) in readings.iter().zip(got) {
                let (got, wanted) = (plain(got.clone()), plain(natively(reading, got)?));
                ensure!(got == wanted, "{text}\n{}", difference("", &got, &wanted));
            }
        }
    }
    page.has_no_error()
}

/// One reading and the numbers of its policy. Laws that are drawn take long without optimisation and are left as they
/// came.
fn natively(reading: &api::Reading, got: &Value) -> Result<Value> {
    let policy = &reading.policy;
    let law = match got[3]["method"].as_str() {
        Some("simulated") => got[3].clone(),
        _ => json!(total_wait(policy, &Options::default())),
    };
    let sample: Vec<f64> = api::sample(policy, 1).into_iter().take(100).collect();
    let fleet = fleet(policy, &FleetSpec::new(400, 4000.0, 60_000.0))?;
    Ok(json!([reading, schedule(policy, 100), worst_case_total(policy), law, sample, fleet]))
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
