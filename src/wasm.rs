//! The door to JavaScript: shapes in, shapes out. Alone in naming the browser's crates.

use crate::api::{self, LibraryInfo, Reading};
use crate::distribution::{self, Options, TotalWait};
use crate::finding::Finding;
use crate::fleet::{self, Fleet, FleetSpec};
use crate::library::{Choice, Written};
use crate::policy::{Policy, check};
use crate::report::{self, AwsPlay, AwsResult, FleetPlay, LinkKeys, Report, Request};
use crate::schedule::{self, Schedule};
use crate::simulate::{Simulation, Simulator};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = JSON, catch)]
    fn stringify(value: &JsValue, replacer: &Closure<dyn Fn(JsValue, JsValue) -> JsValue>) -> Result<JsValue, JsValue>;
}

#[wasm_bindgen]
extern "C" {
    /// Is told the share of the work that is done, 0 to 1.
    #[wasm_bindgen(typescript_type = "(share: number) => void")]
    pub type OnProgress;

    #[wasm_bindgen(method)]
    fn call(this: &OnProgress, of: &JsValue, share: f64);
}

/// How many arrivals are simulated between two reports of progress: some 20 ms.
const ARRIVALS: usize = 200_000;

/// Writes panics to the console, with their place, before the module traps.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|panic| web_sys::console::error_1(&panic.to_string().into())));
}

/// One reading for each retry block of the text, in document order; none when nothing about retries was found.
#[wasm_bindgen]
pub fn read(text: &str, choice: Option<Ts<Choice>>) -> Result<Vec<Ts<Reading>>, JsError> {
    let choice = choice.map(|choice| choice.to_rust()).transpose()?.unwrap_or_default();
    shapes(api::read(text, &choice))
}

/// What is worth saying about the text itself: an unclosed string, binary, too deep; also when nothing was read.
#[wasm_bindgen(js_name = textFindings)]
pub fn text_findings(text: &str) -> Result<Vec<Ts<Finding>>, JsError> {
    shapes(api::text_findings(text))
}

/// The schedule of a policy; `limit`: how many waits to list, 100 unless given. The totals cover all.
#[wasm_bindgen]
pub fn schedule(policy: Ts<Policy>, limit: Option<u32>) -> Result<Ts<Schedule>, JsError> {
    Ok(schedule::schedule(&checked(&policy)?, limit.unwrap_or(100) as usize).into_ts()?)
}

/// The longest a caller can wait in all, ms; undefined: no bound.
#[wasm_bindgen(js_name = worstCaseTotal)]
pub fn worst_case_total(policy: Ts<Policy>) -> Result<Option<f64>, JsError> {
    Ok(schedule::worst_case_total(&checked(&policy)?))
}

/// The distribution of the total wait.
#[wasm_bindgen(js_name = totalWait)]
pub fn total_wait(policy: Ts<Policy>, options: Option<Ts<Options>>) -> Result<Ts<TotalWait>, JsError> {
    let options = options.map(|options| options.to_rust()).transpose()?.unwrap_or_default();
    Ok(distribution::total_wait(&checked(&policy)?, &options).into_ts()?)
}

/// One run of waits, ms; `seed`: a decimal number of 64 bits. Same seed, same run.
#[wasm_bindgen]
pub fn sample(policy: Ts<Policy>, seed: &str) -> Result<Vec<f64>, JsError> {
    Ok(api::sample(&checked(&policy)?, seed_of(seed)?))
}

/// The policy in the notation of a library, by its id, with what could not be said.
#[wasm_bindgen]
pub fn write(policy: Ts<Policy>, library: &str) -> Result<Ts<Written>, JsError> {
    Ok(api::write(&checked(&policy)?, library).into_ts()?)
}

/// Many callers with one policy against an allowance, by arithmetic.
#[wasm_bindgen(js_name = fleet)]
pub fn fleet_by_arithmetic(policy: Ts<Policy>, fleet: Ts<FleetSpec>) -> Result<Ts<Fleet>, JsError> {
    Ok(fleet::fleet(&checked(&policy)?, &fleet_spec(&fleet)?)?.into_ts()?)
}

/// The same played out; `seed`: a decimal number of 64 bits. Same seed, same result.
#[wasm_bindgen]
pub fn simulate(
    policy: Ts<Policy>,
    fleet: Ts<FleetSpec>,
    seed: &str,
    on_progress: &OnProgress,
) -> Result<Ts<Simulation>, JsError> {
    let mut simulator = Simulator::new(&checked(&policy)?, &fleet_spec(&fleet)?, seed_of(seed)?)?;
    loop {
        let progress = simulator.step(ARRIVALS);
        on_progress.call(&JsValue::UNDEFINED, progress.share);
        if progress.done {
            return Ok(simulator.finish().into_ts()?);
        }
    }
}

/// Every library that is read.
#[wasm_bindgen]
pub fn libraries() -> Result<Vec<Ts<LibraryInfo>>, JsError> {
    shapes(api::libraries())
}

/// Everything the page shows for one state of its inputs.
#[wasm_bindgen]
pub fn report(request: Ts<Request>) -> Result<Ts<Report>, JsError> {
    let request = request.to_rust()?;
    Ok(report::report(&request).utf16(&request.text).into_ts()?)
}

/// The keys of the link beside the policy's.
#[wasm_bindgen(js_name = linkKeys)]
pub fn link_keys() -> Result<Ts<LinkKeys>, JsError> {
    Ok(report::link_keys().into_ts()?)
}

/// What the page shows of its fleet when it is played out; undefined where there is nothing to play.
#[wasm_bindgen(js_name = fleetPlay)]
pub fn fleet_play(request: Ts<Request>, on_progress: &OnProgress) -> Result<Option<Ts<FleetPlay>>, JsError> {
    let Some(mut play) = report::play(&request.to_rust()?) else { return Ok(None) };
    loop {
        let progress = play.step(ARRIVALS);
        on_progress.call(&JsValue::UNDEFINED, progress.share);
        if progress.done {
            return Ok(play.finish().map(|played| played.into_ts()).transpose()?);
        }
    }
}

/// The experiment of 2015 in words; `seed`: a decimal number of 64 bits.
#[wasm_bindgen(js_name = awsExperiment)]
pub fn aws_experiment(seed: &str, on_progress: &OnProgress) -> Result<Ts<AwsResult>, JsError> {
    let mut play = AwsPlay::new(seed_of(seed)?);
    loop {
        // A hundred runs of the largest cell take the better part of a second.
        let progress = play.step(10);
        on_progress.call(&JsValue::UNDEFINED, progress.share);
        if progress.done {
            return Ok(play.finish().into_ts()?);
        }
    }
}

fn shapes<T: Tsify + serde::Serialize>(shapes: Vec<T>) -> Result<Vec<Ts<T>>, JsError> {
    shapes.iter().map(|shape| Ok(shape.into_ts()?)).collect()
}

fn seed_of(text: &str) -> Result<u64, JsError> {
    text.parse().map_err(|_| JsError::new("seed: must be a decimal number of 64 bits"))
}

fn fleet_spec(spec: &Ts<FleetSpec>) -> Result<FleetSpec, JsError> {
    Ok(FleetSpec::from_json(&json(&spec.js_value(), "fleet")?)?)
}

fn checked(policy: &Ts<Policy>) -> Result<Policy, JsError> {
    check::from_json(&json(&policy.js_value(), "policy")?).map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        JsError::new(&lines.join("\n"))
    })
}

/// A shape from JavaScript as JSON, which has no word for NaN and infinity and would make null of them, which means
/// "none": they are named before.
fn json(shape: &JsValue, name: &str) -> Result<String, JsError> {
    let named = |_: JsValue, value: JsValue| match value.as_f64() {
        Some(number) if !number.is_finite() => JsValue::from_str(&number.to_string()),
        _ => value,
    };
    let replacer = Closure::<dyn Fn(JsValue, JsValue) -> JsValue>::new(named);
    let json = stringify(shape, &replacer).ok().and_then(|json| json.as_string());
    json.ok_or_else(|| JsError::new(&format!("{name}: must be an object that JSON can write")))
}
