//! How long the core takes natively, and how that grows: `cargo bench`. The budgets are those of the page.

#[path = "../golden/files.rs"]
mod files;

use backoff::aws_experiment::{Experiment, published_clients};
use backoff::distribution::{Options, total_wait};
use backoff::fleet::FleetSpec;
use backoff::library::{Choice, read};
use backoff::policy::{Backoff, Jitter, Policy, Wait};
use backoff::report::{Request, report};
use backoff::schedule::schedule;
use backoff::simulate::simulate;
use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

/// Texts of about 1 KB that people could paste.
const PASTES: [(&str, &str); 3] =
    [("Python", include_str!("paste.py")), ("YAML", include_str!("paste.yaml")), ("JSON", include_str!("paste.json"))];

/// What is measured, its budget in ms, and one round of it.
struct Row {
    what: String,
    budget_ms: f64,
    work: Box<dyn Fn()>,
}

fn main() {
    println!("{:<58} {:>12} {:>12}", "native", "median", "budget");
    for Row { what, budget_ms, work } in rows() {
        let took = median_ms(work.as_ref());
        let verdict = if took <= budget_ms { "" } else { "  over" };
        println!("{what:<58} {:>12} {:>12}{verdict}", shown(took), shown(budget_ms));
    }
    slowest_report();
    beside_numpy();
    println!("\n{:<58} {:>12}   exponent of growth", "native", "largest");
    growth("read, bytes of text", [10_000, 100_000, 1_000_000], |size| {
        let text = PASTES[0].1.repeat(size / PASTES[0].1.len());
        Box::new(move || drop(black_box(read(&text, &Choice::default()))))
    });
    growth("schedule, attempts", [1_000, 1_000_000, 1_000_000_000], |retries| {
        let policy = exponential(Jitter::Full, retries as u64);
        Box::new(move || drop(black_box(schedule(&policy, 100))))
    });
    growth("simulation, callers", [1_000, 30_000, 1_000_000], |callers| {
        let policy = exponential(Jitter::Full, 5);
        Box::new(move || drop(black_box(simulate(&policy, &crowd(callers as u64), 1))))
    });
}

fn rows() -> Vec<Row> {
    let row = |what: &str, budget_ms, work: Box<dyn Fn()>| Row { what: what.to_owned(), budget_ms, work };
    let mut rows = Vec::new();
    for (name, text) in PASTES {
        let work =
            move || read(text, &Choice::default()).iter().for_each(|r| drop(black_box(schedule(&r.policy, 100))));
        rows.push(row(&format!("read and schedule, {} bytes of {name}", text.len()), 1.0, Box::new(work)));
    }
    for (name, text) in PASTES {
        let text = text.repeat(1_000_000 / text.len());
        let work = move || drop(black_box(read(&text, &Choice::default())));
        rows.push(row(&format!("read, 1 MB of {name}"), 200.0, Box::new(work)));
    }
    for (name, jitter, budget_ms) in [("independent", Jitter::Full, 0.1), ("decorrelated", Jitter::Decorrelated, 1.0)] {
        let policy = exponential(jitter, 50);
        let work = move || drop(black_box(total_wait(&policy, &Options::default())));
        rows.push(row(&format!("total wait, 50 {name} waits"), budget_ms, Box::new(work)));
    }
    let policy = exponential(Jitter::Full, 5);
    let work = move || drop(black_box(simulate(&policy, &crowd(1_000_000), 1)));
    rows.push(row("fleet, a million callers x 5 rounds", 300.0, Box::new(work)));
    let work = || {
        let mut experiment = Experiment::new(&published_clients(), 100, 1);
        while !experiment.step(100).done {}
        black_box(experiment.finish());
    };
    rows.push(row("the AWS experiment, 95 cells x 100 runs", 10_000.0, Box::new(work)));
    rows
}

/// Prints how long the page's first answer to a golden text takes, the slowest of all of them: what a key press costs.
fn slowest_report() {
    let files = files::files();
    let texts = files.iter().flat_map(|file| file.cases.iter().map(move |case| (&file.library, case)));
    let took = texts.filter_map(|(library, case)| {
        let request = Request { text: case["input"].as_str()?.into(), ..Request::default() };
        let timed = || {
            let start = Instant::now();
            drop(black_box(report(&request)));
            start.elapsed().as_secs_f64() * 1_000.0
        };
        Some((timed().min(timed()), format!("{library}, {}", case["name"].as_str().unwrap_or_default())))
    });
    let mut took: Vec<(f64, String)> = took.collect();
    took.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (Some((slowest, which)), Some((middle, _))) = (took.first(), took.get(took.len() / 2)) else { return };
    println!(
        "{:<58} {:>12} {:>12}   {which}; half of {} take {} or less",
        "first answer of the page, the slowest golden text",
        shown(*slowest),
        shown(16.0),
        took.len(),
        shown(*middle)
    );
}

/// Prints the time of the fleet as a share of what the same takes in NumPy, where that is.
fn beside_numpy() {
    let [callers, allowance, retries] = ["1000000", "10000", "5"];
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bench/fleet.py");
    let ran = Command::new("python3").args([script, callers, allowance, retries]).output();
    let said = ran.map(|out| String::from_utf8_lossy(&out.stdout).into_owned()).unwrap_or_default();
    let said: Vec<f64> = said.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [numpy_ms, calls] = said[..] else { return println!("the fleet in NumPy: not measured, python3 has no numpy") };
    let policy = exponential(Jitter::Full, 5);
    let ours = simulate(&policy, &crowd(1_000_000), 1).map(|played| played.calls).unwrap_or_default();
    assert!((calls / ours - 1.0).abs() < 0.001, "NumPy makes {calls} calls, the core {ours}: not the same work");
    let took = median_ms(&|| drop(black_box(simulate(&policy, &crowd(1_000_000), 1))));
    println!("{:<58} {:>12}   {:.2} of that here", "the same fleet in NumPy", shown(numpy_ms), took / numpy_ms);
}

/// 1 s, doubling up to 8 s.
fn exponential(jitter: Jitter, retries: u64) -> Policy {
    let wait = Wait::new(Backoff::Exponential { base_ms: 1_000.0, factor: 2.0 }).cap(8_000.0).jitter(jitter);
    Policy::new(wait, Some(retries))
}

/// Callers who share an allowance that a hundredth of them fill, played once.
fn crowd(callers: u64) -> FleetSpec {
    FleetSpec { runs: 1, ..FleetSpec::new(callers, callers as f64 / 100.0, 1_000.0) }
}

/// Median of 15 samples, or of as many as fit into a second, at least 3. A sample repeats the work for 2 ms or longer.
fn median_ms(work: &dyn Fn()) -> f64 {
    let timed = |times: u32| {
        let start = Instant::now();
        (0..times).for_each(|_| work());
        start.elapsed().as_secs_f64() * 1_000.0
    };
    let once = timed(1);
    let times = (2.0 / once).ceil().clamp(1.0, 10_000.0) as u32;
    let samples = (1_000.0 / (once * f64::from(times))).clamp(3.0, 15.0) as usize;
    let mut took: Vec<f64> = (0..samples).map(|_| timed(times) / f64::from(times)).collect();
    took.sort_by(f64::total_cmp);
    took[samples / 2]
}

/// Prints how the time grows with a size: the exponent between the smallest and the largest, in steps.
fn growth(what: &str, sizes: [usize; 3], work: impl Fn(usize) -> Box<dyn Fn()>) {
    let took = sizes.map(|size| median_ms(work(size).as_ref()));
    let exponent = |a: usize, b: usize| (took[b] / took[a]).ln() / (sizes[b] as f64 / sizes[a] as f64).ln();
    let [small, middle, large] = sizes;
    println!(
        "{what:<58} {:>12}   {:.2} from {small} to {middle}, {:.2} from there to {large}",
        shown(took[2]),
        exponent(0, 1),
        exponent(1, 2)
    );
}

fn shown(ms: f64) -> String {
    match ms {
        ms if ms < 0.1 => format!("{:.1} µs", ms * 1_000.0),
        ms if ms < 10.0 => format!("{ms:.2} ms"),
        ms => format!("{ms:.0} ms"),
    }
}
