//! Fleets against reference results: `reference/fleet.json` holds means and standard errors of an independent
//! simulator, 164 cells of policy, limiter and scenario.

use backoff::fleet::{ArrivalsMethod, FleetSpec, LimiterKind, fleet};
use backoff::policy::{Backoff, Deadline, Jitter, Overrun, Policy, Wait};
use backoff::simulate::{Simulation, simulate};
use serde_json::Value;

fn reference(name: &str) -> Value {
    let path = format!("{}/tests/reference/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// `min(cap, base * 2^(k-1))`, times in seconds, with a jitter by its name.
fn policy(jitter: &str, base_s: f64, cap_s: f64, retries: u64) -> Policy {
    let jitter = backoff::policy::json::jitter(&jitter.into()).unwrap();
    let curve = Backoff::Exponential { base_ms: base_s * 1000.0, factor: 2.0 };
    Policy::new(Wait::new(curve).cap(cap_s * 1000.0).jitter(jitter), retries)
}

fn cell_policy(cell: &Value) -> Policy {
    assert_eq!(number(&cell["factor"]), 2.0);
    let (base_s, cap_s) = (number(&cell["base"]), number(&cell["cap"]));
    let deadline = cell["deadline"].as_f64();
    Policy {
        deadline: deadline.map(|s| Deadline {
            limit_ms: s * 1000.0,
            overrun: Overrun::Refuse,
            clock: Default::default(),
        }),
        ..policy(cell["policy"].as_str().unwrap(), base_s, cap_s, cell["attempts"].as_u64().unwrap())
    }
}

fn cell_spec(cell: &Value, runs: u32) -> FleetSpec {
    let mut spec = FleetSpec::new(cell["N"].as_u64().unwrap(), number(&cell["A"]), 1000.0);
    let parameter = number(&cell["limiter_param"]);
    match cell["limiter"].as_str().unwrap() {
        "fixed" => spec.window_ms = parameter * 1000.0,
        "fixedx" => (spec.window_ms, spec.first_window_used) = (parameter * 1000.0, true),
        "bucket" => (spec.limiter, spec.burst) = (LimiterKind::TokenBucket, parameter),
        "sliding" => (spec.limiter, spec.window_ms) = (LimiterKind::SlidingLog, parameter * 1000.0),
        other => panic!("unknown limiter {other}"),
    }
    spec.spread_ms = number(&cell["residual_spread"]) * 1000.0;
    spec.call_ms = number(&cell["call_time"]) * 1000.0;
    spec.runs = runs;
    spec
}

/// The numbers of a simulation under the reference's names, in its units, and their standard errors.
fn measured(simulation: &Simulation) -> Vec<(&'static str, Option<f64>, f64)> {
    let (s, all) = (|ms: f64| ms / 1000.0, simulation);
    let retries: f64 = simulation.rounds.iter().map(|round| round.arrivals).sum();
    let mut list = vec![
        ("peak100ms_aligned_per_s", Some(all.peak100ms_per_s), all.peak100ms_per_s_se),
        ("peak1s_aligned_per_s", Some(all.peak1s_per_s), all.peak1s_per_s_se),
        ("t_last_admit", all.last_admitted_ms.map(s), s(all.last_admitted_se_ms)),
        ("t_drained", Some(s(all.drained_ms)), s(all.drained_se_ms)),
        ("frac_gave_up", Some(all.gave_up_share), all.gave_up_share_se),
        ("frac_gave_up_deadline", Some(all.gave_up_by_deadline_share), all.gave_up_by_deadline_share_se),
        ("retries", Some(retries), all.calls_se),
        ("calls_total", Some(all.calls), all.calls_se),
    ];
    let names = ["t50_admitted", "t90_admitted", "t99_admitted"];
    list.extend(names.iter().zip(&all.through).map(|(&name, t)| (name, t.ms.map(s), s(t.se_ms))));
    list
}

/// The difference of two means in standard errors.
fn z(ours: f64, our_se: f64, mean: f64, se: f64) -> f64 {
    let off = (ours - mean).abs();
    if se == 0.0 {
        return if off <= 1e-9 * mean.abs().max(1.0) { 0.0 } else { f64::INFINITY };
    }
    off / (se * se + our_se * our_se).sqrt()
}

/// Our standard error: from the spread that the reference saw in its runs where it has many, as it has many more than
/// we do; from our own otherwise.
fn our_se(own: f64, runs: u32, se: f64, reference_runs: f64) -> f64 {
    if reference_runs >= 100.0 { se * (reference_runs / f64::from(runs)).sqrt() } else { own }
}

fn agrees(cell: &Value, runs: u32) -> (u32, f64) {
    let simulation = simulate(&cell_policy(cell), &cell_spec(cell, runs), 7).unwrap();
    let name = format!("{} {} {} {}", cell["tag"], cell["policy"], cell["limiter"], cell["limiter_param"]);
    let reference_runs = number(&cell["runs"]);
    let (mut compared, mut squares) = (0, 0.0);
    let mut compare = |what: &str, ours: f64, own: f64, mean: f64, se: f64| {
        let z = z(ours, our_se(own, runs, se, reference_runs), mean, se);
        assert!(z <= 4.0, "{name}: {what} is {ours}, should be {mean} +- {se}: {z} standard errors");
        if se > 0.0 {
            (compared, squares) = (compared + 1, squares + z * z);
        }
    };
    for (what, ours, own) in measured(&simulation) {
        let expected = &cell["results"][what];
        // A share that only some runs reach is a mean over those.
        let reached = expected["reached_in_fraction_of_runs"].as_f64().unwrap_or(1.0);
        match (ours, expected["mean"].as_f64()) {
            (Some(ours), Some(mean)) if reached == 1.0 => {
                compare(what, ours, own, mean, number(&expected["se"]));
            }
            (None, Some(_)) if reached == 1.0 => panic!("{name}: no {what}"),
            _ => {}
        }
    }
    for (i, expected) in cell["rounds"].as_array().unwrap().iter().enumerate() {
        let ours = simulation.rounds.get(i);
        let arrivals = ours.map_or((0.0, 0.0), |round| (round.arrivals, round.arrivals_se));
        let admitted = ours.map_or((0.0, 0.0), |round| (round.admitted, round.admitted_se));
        for (what, (ours, own)) in [("arrivals", arrivals), ("admitted", admitted)] {
            let se = number(&expected[format!("{what}_se")]);
            compare(&format!("{what} in round {}", i + 1), ours, own, number(&expected[what]), se);
        }
    }
    (compared, squares)
}

/// Up to ten thousand callers; the million of the rest where all cells are asked for.
#[test]
fn every_cell() {
    let reference = reference("fleet.json");
    let all = std::env::var_os("ALL_CELLS").is_some();
    let (mut cells, mut compared, mut squares) = (0, 0, 0.0);
    for cell in reference["cases"].as_array().unwrap() {
        let runs = match cell["N"].as_u64().unwrap() {
            8 => 4000,
            400 => 200,
            10_000 => 10,
            _ if all => 8,
            _ => continue,
        };
        let (n, sum) = agrees(cell, runs);
        (cells, compared, squares) = (cells + 1, compared + n, squares + sum);
    }
    assert_eq!(cells, if all { 164 } else { 152 });
    // Independent standard errors have a mean square of 1; far less would mean that nothing was compared.
    let mean_square = squares / f64::from(compared);
    assert!(compared > 1000 && (0.7..1.3).contains(&mean_square), "{compared} compared, mean square {mean_square}");
}

/// Nobody admitted: the simulation meets the expected arrivals in every bin, within `grid` of the highest beside chance.
fn meets_expected(name: &str, policy: &Policy, method: ArrivalsMethod, grid: f64) {
    let spec = FleetSpec { runs: 40, ..FleetSpec::new(5000, 0.0, 1000.0) };
    let expected = fleet(policy, &spec).unwrap();
    assert_eq!(expected.arrivals_method, method, "{name}");
    let simulated = simulate(policy, &spec, 11).unwrap();
    assert_eq!(simulated.bin_ms, expected.bin_ms);
    let highest = expected.arrivals.iter().map(|bin| bin.per_s).fold(0.0, f64::max);
    for (i, bin) in simulated.arrivals.iter().enumerate() {
        let expected = expected.arrivals.get(i).map_or(0.0, |bin| bin.per_s);
        // The count of a bin over all runs is close to Poisson; 30 more for what is too rare for that.
        let per_count = 1000.0 / simulated.bin_ms / 40.0;
        let chance = 5.0 * ((expected / per_count).sqrt() + 6.0) * per_count;
        let off = (bin.per_s - expected).abs();
        assert!(off <= chance + grid * highest, "{name} at {} ms: {} for {expected}, {highest}", bin.at_ms, bin.per_s);
    }
}

#[test]
fn with_an_allowance_of_zero_the_expected_arrivals_come() {
    let named = |jitter: &str| policy(jitter, 1.0, 8.0, 5);
    for jitter in ["none", "full", "equal"] {
        meets_expected(jitter, &named(jitter), ArrivalsMethod::Exact, 0.0);
    }
    meets_expected("decorrelated", &named("decorrelated"), ArrivalsMethod::Grid, 0.002);
    let wide = policy("decorrelated", 1.0, 60.0, 5);
    meets_expected("decorrelated to 60 s", &wide, ArrivalsMethod::Grid, 0.002);
    let stuck = policy("decorrelated", 8.0, 8.0, 5);
    meets_expected("decorrelated without room", &stuck, ArrivalsMethod::Exact, 0.0);
    let first = Policy { first_wait_ms: Some(500.0), ..named("decorrelated") };
    meets_expected("decorrelated after a first wait", &first, ArrivalsMethod::Grid, 0.002);
    let carried = Policy::new(Wait { carry: true, ..named("equal").wait }, 5);
    meets_expected("equal, from the wait before", &carried, ArrivalsMethod::Grid, 0.002);
    let telescoping = Backoff::Exponential { base_ms: 1000.0, factor: 2.0 };
    let telescoping = Wait::new(telescoping).jitter(Jitter::Telescoping);
    meets_expected("telescoping", &Policy::new(telescoping.clone(), 5), ArrivalsMethod::Exact, 0.0);
    let capped = telescoping.cap(8000.0).cap_order(backoff::policy::CapOrder::AfterJitter);
    meets_expected("telescoping, capped", &Policy::new(capped, 5), ArrivalsMethod::Simulated, 0.05);
}

#[test]
fn with_an_unlimited_allowance_only_the_first_wait_counts() {
    for jitter in ["none", "full", "equal", "decorrelated"] {
        let spec = FleetSpec { runs: 20, ..FleetSpec::new(5000, 1e300, 1000.0) };
        let simulated = simulate(&policy(jitter, 1.0, 8.0, 5), &spec, 3).unwrap();
        assert_eq!((simulated.calls, simulated.gave_up_share, simulated.rounds.len()), (10_000.0, 0.0, 1));
        let first = fleet(&policy(jitter, 1.0, 8.0, 1), &spec).unwrap();
        for (i, bin) in first.arrivals.iter().enumerate() {
            let ours = simulated.arrivals.get(i).map_or(0.0, |bin| bin.per_s);
            let chance = 5.0 * (bin.per_s * 0.1 * 20.0).sqrt() / (0.1 * 20.0);
            assert!((ours - bin.per_s).abs() <= chance, "{jitter} at {} ms: {ours} for {}", bin.at_ms, bin.per_s);
        }
    }
}

#[test]
fn what_the_first_document_says_and_what_is_so() {
    let (items, cells) = (reference("seed_numbers.json"), reference("fleet.json"));
    let simulated = items["items"].as_array().unwrap().iter().filter(|item| item["status"] == "simulated");
    let mut count = 0;
    for item in simulated {
        let (id, inputs) = (&item["id"], &item["inputs"]);
        let same = |cell: &&Value| {
            cell["tag"] == inputs["case"]
                && ["limiter", "limiter_param", "policy"].iter().all(|&key| cell[key] == inputs[key])
        };
        let cell = cells["cases"].as_array().unwrap().iter().find(same).unwrap_or_else(|| panic!("{id}: no cell"));
        let runs = 1000;
        let simulation = simulate(&cell_policy(cell), &cell_spec(cell, runs), 400).unwrap();
        let ours = match inputs["metric"].as_str().unwrap() {
            "frac_gave_up" => simulation.gave_up_share,
            "calls_total" => simulation.calls,
            "round2" => simulation.rounds.get(1).map_or(0.0, |round| round.arrivals),
            "round5" => simulation.rounds.get(4).map_or(0.0, |round| round.arrivals),
            other => panic!("{id}: {other}"),
        };
        let (mean, se) = (number(&item["expected"]), number(&item["tolerance"]["se"]));
        let z = z(ours, our_se(se, runs, se, number(&cell["runs"])), mean, se);
        assert!(z <= 4.0, "{id}: {ours} for {mean} +- {se}");
        count += 1;
    }
    assert_eq!(count, 13);
}
