//! How fast the page is, beside its budgets: `cargo run -p page-tests --bin bench -- [ENGINE…]`.

use anyhow::{Context, Result, bail, ensure};
use page_tests::engine::{Browser, Engine, Theme};
use page_tests::page::{Form, Page, root};
use page_tests::webdriver::number;
use serde_json::{Value, json};

/// Texts of about 1 KB that people could paste.
const PASTES: [&str; 3] = [
    include_str!("../../../bench/paste.py"),
    include_str!("../../../bench/paste.yaml"),
    include_str!("../../../bench/paste.json"),
];

/// What is measured, its budget in its unit, and how.
struct Row {
    what: &'static str,
    budget: f64,
    unit: &'static str,
    measure: fn(&Browser) -> Result<f64>,
    /// Whether only Chromium can be asked.
    chromium_only: bool,
}

const ROWS: &[Row] = &[
    row("navigation to the first computed table", 100.0, first_table),
    row("read, schedule and findings, 1 KB", 1.0, |browser| read(browser, 1_000)),
    row("read, schedule and findings, 1 MB", 200.0, |browser| read(browser, 1_000_000)),
    row("key press to painted answer", 16.0, key_press),
    row("total wait, 50 independent waits", 0.1, |browser| total_wait(browser, "full")),
    row("total wait, 50 decorrelated waits", 1.0, |browser| total_wait(browser, "decorrelated")),
    row("fleet, a million callers x 5 rounds, in a worker", 300.0, fleet),
    row("the experiment of 2015, in a worker", 10_000.0, experiment),
    Row { chromium_only: true, ..row("a key press, processor six times slower", 100.0, slow_key_press) },
    Row { chromium_only: true, unit: "MB", ..row("memory after 10 000 edits, above that after 1 000", 1.0, memory) },
    Row { unit: "times", ..row("time of the fleet, of that in plain JavaScript", 1.0, fleet_in_javascript) },
];

/// The fleet that is played: callers, admitted each second, retries.
const FLEET: (u32, u32, u32) = (1_000_000, 10_000, 5);

const fn row(what: &'static str, budget: f64, measure: fn(&Browser) -> Result<f64>) -> Row {
    Row { what, budget, unit: "ms", measure, chromium_only: false }
}

fn main() -> Result<()> {
    let named: Vec<Engine> = std::env::args().skip(1).filter_map(|word| Engine::named(&word)).collect();
    let engines = if named.is_empty() { Engine::ALL.to_vec() } else { named };
    let browsers: Result<Vec<Browser>> = engines.iter().map(|&e| Browser::start(e, Theme::Light, &root())).collect();
    let browsers = browsers?;
    let heads: String = engines.iter().map(|engine| format!("{:>12}", engine.name())).collect();
    println!("{:<50}{heads}{:>12}", "page", "budget");
    for row in ROWS {
        let mut over = false;
        let mut cells = String::new();
        for browser in &browsers {
            if row.chromium_only && browser.engine != Engine::Chromium {
                cells += &format!("{:>12}", "–");
                continue;
            }
            let measured = (row.measure)(browser).with_context(|| row.what)?;
            over |= measured > row.budget;
            cells += &format!("{:>12}", format!("{measured:.2} {}", row.unit));
        }
        let budget = format!("{} {}", row.budget, row.unit);
        println!("{:<50}{cells}{budget:>12}{}", row.what, if over { "  over" } else { "" });
    }
    Ok(())
}

/// From disk, in a browser that has had the page open before; median of 15.
fn first_table(browser: &Browser) -> Result<f64> {
    let mut took = Vec::new();
    for _ in 0..16 {
        let page = Page::open(browser, Form::Packed, "")?;
        let marks =
            page.session().run("return performance.getEntriesByName('answered').map((m) => m.startTime)", json!([]))?;
        took.push(marks[0].as_f64().context("the page does not mark its first answer")?);
    }
    Ok(median(&mut took[1..]))
}

/// The slowest of the pastes, repeated to a size.
fn read(browser: &Browser, size: usize) -> Result<f64> {
    let page = Page::open(browser, Form::Packed, "")?;
    let script = "const [text, ms] = args;
        const start = performance.now();
        let rounds = 0;
        do {
            backoff.textFindings(text);
            for (const reading of backoff.read(text)) backoff.schedule(reading.policy);
            rounds++;
        } while (performance.now() - start < ms);
        return (performance.now() - start) / rounds;";
    let mut slowest: f64 = 0.0;
    for paste in PASTES {
        let text = paste.repeat((size / paste.len()).max(1));
        let mut took = Vec::new();
        for _ in 0..15 {
            // Long enough for the coarsest clock among the engines.
            took.push(number(&page.session().run_async(script, json!([text, 20]))?)?);
        }
        slowest = slowest.max(median(&mut took));
    }
    Ok(slowest)
}

/// From a changed field to the end of the frame that shows the answer; median of 31.
fn key_press(browser: &Browser) -> Result<f64> {
    let page = Page::open(browser, Form::Packed, "")?;
    let field = page.field("Cap")?;
    let script = "const [field] = args;
        const press = (value) => new Promise((done) => requestAnimationFrame(() => {
            const start = performance.now();
            field.value = value;
            field.dispatchEvent(new Event('input', { bubbles: true }));
            // A message posted in a frame arrives when the frame is done.
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => done(performance.now() - start);
            port2.postMessage(0);
        }));
        const took = [];
        for (let n = 0; n < 31; n++) took.push(await press(n % 2 ? '8 s' : '9 s'));
        return took;";
    let took = page.session().run_async(script, json!([field.to_value()]))?;
    let mut took: Vec<f64> = took.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    Ok(median(&mut took))
}

/// A policy of 50 waits as JavaScript writes it.
fn policy(jitter: &str, retries: u32) -> Value {
    json!({ "backoff": { "kind": "exponential", "baseMs": 1000, "factor": 2 }, "capMs": 8000, "retries": retries, "jitter": jitter })
}

fn total_wait(browser: &Browser, jitter: &str) -> Result<f64> {
    let page = Page::open(browser, Form::Packed, "")?;
    let script = "const [policy] = args;
        const start = performance.now();
        let rounds = 0;
        do {
            backoff.totalWait(policy);
            rounds++;
        } while (performance.now() - start < 20);
        return (performance.now() - start) / rounds;";
    let took: Result<Vec<f64>> =
        (0..15).map(|_| number(&page.session().run_async(script, json!([policy(jitter, 50)]))?)).collect();
    Ok(median(&mut took?))
}

/// Callers who share an allowance that a hundredth of them fill, played once, the start of the worker included.
fn fleet(browser: &Browser) -> Result<f64> {
    let (callers, allowance, retries) = FLEET;
    let script = "const [policy, fleet] = args;
        const start = performance.now();
        const { calls } = await backoff.simulate(policy, fleet, '1');
        return [performance.now() - start, calls];";
    let spec = json!({ "callers": callers, "allowance": allowance, "perMs": 1000, "runs": 1 });
    Ok(played(browser, script, &json!([policy("full", retries), spec]))?.0)
}

/// The time of the fleet as a share of what the same takes in plain JavaScript, in the page itself.
fn fleet_in_javascript(browser: &Browser) -> Result<f64> {
    let (callers, allowance, retries) = FLEET;
    let script = include_str!("../../../bench/fleet.js");
    let (took, calls) = played(browser, script, &json!([callers, allowance, retries]))?;
    // 5 809 000 and some hundreds, more or less: what is compared is the same work.
    ensure!((5.80e6..5.82e6).contains(&calls), "the fleet in JavaScript makes {calls} calls");
    Ok(fleet(browser)? / took)
}

/// The median time of three, ms, and the calls that were made.
fn played(browser: &Browser, script: &str, args: &Value) -> Result<(f64, f64)> {
    let page = Page::open(browser, Form::Packed, "")?;
    let (mut took, mut calls) = (Vec::new(), 0.0);
    for _ in 0..3 {
        let played = page.session().run_async(script, args.clone())?;
        took.push(number(&played[0])?);
        calls = number(&played[1])?;
    }
    Ok((median(&mut took), calls))
}

/// 95 cells x 100 runs, once.
fn experiment(browser: &Browser) -> Result<f64> {
    let page = Page::open(browser, Form::Packed, "")?;
    let script = "const start = performance.now();
        await backoff.awsExperiment('1', new AbortController().signal, () => {});
        return performance.now() - start;";
    number(&page.session().run_async(script, json!([]))?)
}

fn slow_key_press(browser: &Browser) -> Result<f64> {
    let slow = |rate: u32| devtools(browser, "Emulation.setCPUThrottlingRate", json!({ "rate": rate }));
    slow(6)?;
    let took = key_press(browser);
    slow(1)?;
    took
}

/// How far JavaScript's heap and the core's memory grow from a thousand edits to ten thousand, in MB; prints both.
fn memory(browser: &Browser) -> Result<f64> {
    // The core's memory is nowhere in the page's own functions; whoever makes an instance is asked for it.
    let spy = "const { Instance } = WebAssembly;
        globalThis.memories = [];
        WebAssembly.Instance = function (module, imports) {
            const instance = new Instance(module, imports);
            memories.push(instance.exports.memory);
            return instance;
        };";
    let added = devtools(browser, "Page.addScriptToEvaluateOnNewDocument", json!({ "source": spy }))?;
    let page = Page::open(browser, Form::Packed, "")?;
    let area = page.field("Retry configuration")?.to_value();
    let edits = "const [area, texts] = args;
        for (let n = 0; n < 1000; n++) {
            area.value = texts[n % texts.length].slice(0, 200 + n % 800);
            area.dispatchEvent(new Event('input', { bubbles: true }));
            if (n % 50 === 0) await new Promise(requestAnimationFrame);
        }
        await new Promise((done) => setTimeout(done, 1000));
        gc();
        const core = memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0);
        return [performance.memory.usedJSHeapSize / 1e6, core / 1e6];";
    let mut sizes = Vec::new();
    for _ in 0..10 {
        let size = page.session().run_async(edits, json!([area, PASTES]))?;
        sizes.push((number(&size[0])?, number(&size[1])?));
    }
    devtools(browser, "Page.removeScriptToEvaluateOnNewDocument", added)?;
    let [early, .., late] = sizes[..] else { bail!("too few measurements") };
    println!(
        "after 1 000 and 10 000 edits: JavaScript {:.2} and {:.2} MB, the core {:.2} and {:.2} MB",
        early.0, late.0, early.1, late.1
    );
    Ok(late.0 + late.1 - early.0 - early.1)
}

/// Asks Chromium's own protocol.
fn devtools(browser: &Browser, command: &str, params: Value) -> Result<Value> {
    browser.session.post("goog/cdp/execute", json!({ "cmd": command, "params": params }))
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
