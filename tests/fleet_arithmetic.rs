//! What a fleet does without chance: `reference/seed_numbers.json` and `reference/theory_numbers.json`, hand
//! arithmetic, and the expected arrivals against exact laws.

use backoff::distribution::{Options, total_wait};
use backoff::fleet::{
    ArrivalsMethod, Fleet, FleetSpec, LimiterKind, calls_and_failure, clean_bucket, first_windows, fleet, sustained,
};
use backoff::policy::{Backoff, Deadline, Jitter, Overrun, Policy, Rounded, RoundingMode, Wait};
use serde_json::Value;

fn reference(name: &str) -> Value {
    let path = format!("{}/tests/reference/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// An expected value of the list of numbers of the two first documents.
fn expected(id: &str) -> Value {
    let all = reference("seed_numbers.json");
    let item = all["items"].as_array().unwrap().iter().find(|item| item["id"] == id);
    item.unwrap_or_else(|| panic!("no item {id}"))["expected"].clone()
}

fn close(ours: f64, expected: f64) {
    assert!((ours - expected).abs() <= 1e-12 * expected.abs().max(1e-3), "{ours} for {expected}");
}

fn is(id: &str, ours: f64) {
    let expected = expected(id).as_f64().unwrap();
    assert!((ours - expected).abs() <= 1e-12 * expected.abs(), "{id}: {ours} for {expected}");
}

fn curve(base_s: f64, cap_s: f64, jitter: Jitter) -> Wait {
    Wait::new(Backoff::Exponential { base_ms: base_s * 1000.0, factor: 2.0 }).cap(cap_s * 1000.0).jitter(jitter)
}

fn policy(base_s: f64, cap_s: f64, jitter: Jitter) -> Policy {
    Policy::new(curve(base_s, cap_s, jitter), 5)
}

/// 400 callers against 4000 calls a minute.
fn spec() -> FleetSpec {
    FleetSpec::new(400, 4000.0, 60_000.0)
}

fn of(policy: &Policy) -> Fleet {
    fleet(policy, &spec()).unwrap()
}

fn rate(fleet: &Fleet, retry: usize) -> f64 {
    fleet.rounds[retry - 1].rate_per_s.unwrap()
}

#[test]
fn the_numbers_of_the_first_document() {
    let full = of(&policy(1.0, 8.0, Jitter::Full));
    let none = of(&policy(1.0, 8.0, Jitter::None));
    let equal = of(&policy(1.0, 8.0, Jitter::Equal));
    let decorrelated = of(&policy(1.0, 8.0, Jitter::Decorrelated));
    is("allowance_per_second", full.allowance_per_s);
    is("table_none", rate(&none, 3));
    is("table_full", rate(&full, 3));
    is("table_equal", rate(&equal, 3));
    is("table_decorrelated_true_width", rate(&decorrelated, 3));
    // The document divides by the cap, as if the window began at 0: what full jitter does in round 4.
    is("table_decorrelated_as_in_seed", rate(&full, 4));
    is("ratio_none_full", rate(&none, 3) / rate(&full, 3));
    is("ratio_equal_full", rate(&equal, 3) / rate(&full, 3));
    for (retry, id) in [(1, "round_1_rate"), (2, "round_2_rate"), (3, "round_3_rate"), (4, "round_4_rate")] {
        is(id, rate(&full, retry));
    }
    is("overshoot_round1", rate(&full, 1) / full.allowance_per_s);
    is("needed_spread", full.needed_base_ms.unwrap() / 1000.0);
    is("base_rule", full.needed_base_ms.unwrap() / 1000.0);
    assert_eq!(full.round_base_ms, Some(8000.0), "the next value that is written");
    assert_eq!(Some(full.first_round_that_fits.unwrap()), expected("first_round_under_allowance").as_u64());
    let base8 = of(&policy(8.0, 60.0, Jitter::Full));
    is("base8_first_round", rate(&base8, 1));
    assert_eq!(base8.first_round_that_fits, Some(1));
    let eight = fleet(&policy(1.0, 8.0, Jitter::Full), &FleetSpec { callers: 8, ..spec() }).unwrap();
    is("eight_callers", rate(&eight, 1));
    assert!(eight.rounds[0].fits && full.looks_clean_up_to == 66.0, "a test with 8 callers shows nothing");
}

#[test]
fn rounds_with_those_removed_who_are_through() {
    let full = of(&policy(1.0, 8.0, Jitter::Full));
    let survivors = expected("rounds_with_survivors_removed");
    for (i, round) in full.rounds.iter().take(3).enumerate() {
        close(round.left, survivors["arrivals"][i].as_f64().unwrap());
        close(round.left_per_s.unwrap(), survivors["rates"][i].as_f64().unwrap());
    }
    assert_eq!(full.drained_in_round, survivors["drained_in_round"].as_u64());
}

#[test]
fn the_base_that_fits_depends_on_the_jitter() {
    // 400 callers at 66.7 a second need a window of 6 s; equal jitter draws from half of the delay, decorrelated from
    // twice the base, 30 % to either side from 0.6 of it, and without jitter no base opens a window.
    let own = |jitter| of(&policy(1.0, 8.0, jitter)).needed_own_base_ms;
    assert_eq!(own(Jitter::Full), Some(6000.0));
    assert_eq!(own(Jitter::Equal), Some(12_000.0));
    assert_eq!(own(Jitter::Decorrelated), Some(3000.0));
    close(own(Jitter::Proportional { below: 0.3, above: 0.3 }).unwrap(), 10_000.0);
    assert_eq!(own(Jitter::None), None);
    let jitters = [Jitter::Full, Jitter::Equal, Jitter::Decorrelated];
    for (jitter, base_s) in jitters.into_iter().zip([6.0, 12.0, 3.0]) {
        assert_eq!(of(&policy(base_s, 60.0, jitter)).first_round_that_fits, Some(1));
    }
}

#[test]
fn a_clean_first_round() {
    let theory = reference("theory_numbers.json");
    for case in theory["daniels_no_rejection"]["cases"].as_array().unwrap() {
        let number = |key: &str| case[key].as_f64().unwrap();
        let callers = case["N"].as_u64().unwrap();
        close(clean_bucket(callers, number("A"), number("W") * 1000.0), number("value"));
        let spec = FleetSpec::new(callers, number("A"), 1000.0);
        let fleet = fleet(&policy(number("W"), 60.0, Jitter::Full), &spec).unwrap();
        close(fleet.clean_first_round, number("value"));
        // Ten times the window whose mean rate fits makes it 90 % sure.
        close(clean_bucket(callers, number("A"), fleet.sure_base_ms.unwrap()), 0.9);
    }
    for case in theory["fixed_window_no_rejection"]["cases"].as_array().unwrap() {
        let number = |key: &str| case[key].as_f64().unwrap();
        let spec = FleetSpec::new(case["N"].as_u64().unwrap(), number("A"), 1000.0);
        let windows = fleet(&policy(number("m"), 60.0, Jitter::Full), &spec).unwrap().first_windows.unwrap();
        for (ours, expected) in
            [(windows.clean.unwrap(), "P_no_rejection"), (windows.refused, "mean_rejected_first_draws")]
        {
            let expected = number(expected);
            assert!((ours - expected).abs() <= 1e-9 * expected, "{ours} for {expected}");
        }
    }
}

#[test]
fn first_windows_by_hand() {
    // Two callers, two windows alike with one place each: they part with probability 1/2, and otherwise one is refused.
    let parted = first_windows(2, 2, |_| 0.5, |_| 1.0);
    close(parted.clean.unwrap(), 0.5);
    close(parted.refused, 0.5);
    // Nobody admitted: all are refused, unless there is nobody.
    let shut = first_windows(1_000_000, 2, |_| 0.5, |_| 0.0);
    assert_eq!(shut.clean, Some(0.0));
    assert!((shut.refused - 1e6).abs() < 1e-3, "{}", shut.refused);
    assert_eq!(first_windows(0, 2, |_| 0.5, |_| 0.0).clean, Some(1.0));
    // Too much work is not done.
    assert_eq!(first_windows(1_000_000, 100, |_| 0.01, |_| 1e5).clean, None);
}

#[test]
fn peak_times_mean_wait() {
    let theory = reference("theory_numbers.json");
    let value = theory["peak_times_mean_wait"]["value"].as_f64().unwrap();
    for base_s in [1.0, 4.0, 50.0] {
        close(of(&policy(base_s, 60.0, Jitter::Full)).peak_times_wait.unwrap(), value);
        // Equal jitter: 2N/d times 3d/4, three times as much.
        close(of(&policy(base_s, 60.0, Jitter::Equal)).peak_times_wait.unwrap(), 3.0 * value);
    }
}

#[test]
fn a_slice_of_the_window_is_that_share_of_the_fleet() {
    let one = Policy::new(curve(4.0, 8.0, Jitter::Full), 1);
    let fleet = of(&one);
    assert_eq!((fleet.bin_ms, fleet.arrivals.len()), (100.0, 40));
    for bin in &fleet.arrivals {
        is("slice_fraction", bin.per_s * 0.1 / 400.0);
    }
}

#[test]
fn ethernet() {
    // After k collisions a station waits 0 to 2^k - 1 slots: collisions so far double the number of values.
    let slot_ms = 0.0512;
    let waits = (1..=16)
        .map(|k| backoff::policy::Law::steps(0.0, slot_ms * (f64::from(1u32 << k.min(10)) - 1.0), slot_ms))
        .collect();
    let table = Backoff::Table { waits, after: backoff::policy::After::Stop };
    let fleet = of(&Policy::new(Wait::new(table), 16));
    let collide: Vec<f64> = fleet.rounds.iter().map(|round| round.same_wait.unwrap()).collect();
    is("ethernet_first", 1.0 - collide[0]);
    is("ethernet_second", 1.0 - collide[1]);
    let theory = &reference("theory_numbers.json")["ethernet_two_stations"];
    let still: Vec<f64> = collide
        .iter()
        .scan(1.0, |p, q| {
            *p *= q;
            Some(*p)
        })
        .collect();
    for (ours, expected) in still.iter().zip(theory["first"].as_array().unwrap()) {
        close(*ours, expected.as_f64().unwrap());
    }
    let collisions: f64 = still.iter().sum();
    close(collisions, theory["expected_collisions_after_the_first"].as_f64().unwrap());
    close(1.0 + collisions, theory["expected_draws_until_separated"].as_f64().unwrap());
}

#[test]
fn sustained_demand_is_a_subtraction() {
    let steady = sustained(8000.0, 4000.0, Some(6));
    is("backlog_per_minute", steady.undone);
    is("backlog", steady.undone * 10.0);
    is("served_share", steady.served_share);
    for case in reference("theory_numbers.json")["sustained_overload"]["cases"].as_array().unwrap() {
        let number = |key: &str| case[key].as_f64().unwrap();
        let steady = sustained(number("L_per_min"), number("A_per_min"), case["m"].as_u64());
        close(steady.refused_share, number("x"));
        close(steady.offered.unwrap(), number("offered_per_min"));
        close(steady.served_share, number("served_share"));
    }
    for case in reference("theory_numbers.json")["retry_multiplier"]["cases"].as_array().unwrap() {
        let (calls, failure) = calls_and_failure(case["x"].as_f64().unwrap(), case["m"].as_u64().unwrap());
        close(calls, case["calls"].as_f64().unwrap());
        close(failure, case["fail"].as_f64().unwrap());
    }
    // Nothing admitted: every one of the calls is made. Enough admitted: one each.
    assert_eq!(sustained(100.0, 0.0, Some(3)).offered, Some(300.0));
    assert_eq!(sustained(100.0, 100.0, Some(3)).offered, Some(100.0));
    assert_eq!(sustained(0.0, 0.0, None).offered, Some(0.0));
    assert_eq!(sustained(100.0, 50.0, None).offered, None);
}

/// Expected arrivals of one caller in the bins up to a time.
fn arrived(fleet: &Fleet, ms: f64) -> f64 {
    fleet.arrivals.iter().filter(|bin| bin.at_ms < ms).map(|bin| bin.per_s * fleet.bin_ms / 1000.0 / 400.0).sum()
}

/// The same at each of some times from the exact laws of the sums of the first `k` waits, for each `k`.
fn exactly(policy: &Policy, times_ms: &[f64]) -> Vec<f64> {
    let options = Options { within_ms: times_ms.to_vec(), ..Options::default() };
    let mut sums = vec![0.0; times_ms.len()];
    for k in 1..=policy.retries.unwrap() {
        let within = total_wait(&Policy { retries: Some(k), ..policy.clone() }, &options).within;
        sums.iter_mut().zip(within).for_each(|(sum, within)| *sum += within.p);
    }
    sums
}

#[test]
fn expected_arrivals_of_independent_waits_follow_the_exact_law() {
    let jitters = [
        Jitter::Full,
        Jitter::Equal,
        Jitter::Proportional { below: 0.5, above: 0.5 },
        Jitter::Additive { min_ms: 0.0, max_ms: 1000.0 },
        Jitter::From { min_ms: 700.0 },
        Jitter::Poisson { below: 0.5, above: 0.5 },
    ];
    for jitter in jitters {
        let capped = policy(1.0, 8.0, jitter);
        let after = Policy::new(curve(1.0, 3.0, jitter).cap_order(backoff::policy::CapOrder::AfterJitter), 4);
        for policy in [capped, after] {
            let fleet = of(&policy);
            assert_eq!(fleet.arrivals_method, ArrivalsMethod::Exact);
            let times_ms: Vec<f64> = (1..=250).map(|i| f64::from(i) * 100.0 - 1e-6).collect();
            for (ms, exact) in times_ms.iter().zip(exactly(&policy, &times_ms)) {
                let ours = arrived(&fleet, *ms);
                assert!((ours - exact).abs() < 1e-5, "{jitter:?} {ms}: {ours} for {exact}");
            }
        }
    }
}

#[test]
fn expected_arrivals_of_decorrelated_waits_are_close_to_their_law() {
    for cap_s in [4.0, 8.0, 60.0] {
        let policy = policy(1.0, cap_s, Jitter::Decorrelated);
        let fleet = of(&policy);
        assert_eq!(fleet.arrivals_method, ArrivalsMethod::Grid);
        let times_ms: Vec<f64> = (1..=150).map(|i| f64::from(i) * 200.0 - 1e-6).collect();
        for (ms, exact) in times_ms.iter().zip(exactly(&policy, &times_ms)) {
            let ours = arrived(&fleet, *ms);
            assert!((ours - exact).abs() < 2e-3, "cap {cap_s} s, {ms}: {ours} for {exact}");
        }
    }
}

#[test]
fn whole_seconds_arrive_on_the_second() {
    let wait = curve(4.0, 8.0, Jitter::Full).rounding(RoundingMode::Draw, 1000.0, Rounded::Wait);
    let fleet = of(&Policy::new(wait, 2));
    // 0 to 4 s and then 0 to 8 s, each second alike: at second t, t + 1 of 45 pairs up to 4.
    for bin in &fleet.arrivals {
        let second = bin.at_ms / 1000.0;
        let share = bin.per_s * 0.1 / 400.0;
        let first = if second.fract() == 0.0 && second <= 4.0 { 0.2 } else { 0.0 };
        let pairs = if second.fract() == 0.0 { (second.min(4.0) - (second - 8.0).max(0.0) + 1.0) / 45.0 } else { 0.0 };
        assert!((share - first - pairs).abs() < 1e-12, "{second}: {share}");
    }
}

#[test]
fn without_jitter_all_come_within_the_spread() {
    let fleet = of(&policy(1.0, 8.0, Jitter::None));
    let filled: Vec<_> =
        fleet.arrivals.iter().filter(|bin| bin.per_s > 1e-9).map(|b| (b.at_ms, b.per_s.round())).collect();
    assert_eq!(filled, [1000.0, 3000.0, 7000.0, 15_000.0, 23_000.0].map(|ms| (ms, 4000.0)));
}

#[test]
fn a_deadline_stops_the_arrivals_too() {
    let limited = |overrun, jitter| Policy {
        deadline: Some(Deadline { limit_ms: 45_000.0, overrun, clock: Default::default() }),
        ..policy(8.0, 60.0, jitter)
    };
    let total = |policy: &Policy| arrived(&of(policy), f64::INFINITY);
    let refused = total(&limited(Overrun::Refuse, Jitter::Full));
    let yields = expected("function_default_mean_yields").as_f64().unwrap();
    assert!((refused - yields).abs() < 1e-5, "{refused} for {yields}");
    // 8, 24 and 56 s without jitter: two come, the third is refused, allowed or brought forward to 45 s.
    close(total(&limited(Overrun::Refuse, Jitter::None)), 2.0);
    close(total(&limited(Overrun::Allow, Jitter::None)), 3.0);
    let shortened = of(&limited(Overrun::Shorten, Jitter::None));
    close(arrived(&shortened, f64::INFINITY), 3.0);
    assert_eq!(shortened.arrivals.last().unwrap().at_ms, 45_000.0);
    // Calls of 1 s: they count in the clock, and come later by those before.
    let slow = FleetSpec { call_ms: 1000.0, ..spec() };
    let late = fleet(&limited(Overrun::Refuse, Jitter::None), &slow).unwrap();
    let filled: Vec<_> = late.arrivals.iter().filter(|bin| bin.per_s > 1e-9).map(|bin| bin.at_ms).collect();
    assert_eq!(filled, [8000.0, 25_000.0]);
}

#[test]
fn spec_of_a_bucket_has_no_windows() {
    let bucket = FleetSpec { limiter: LimiterKind::TokenBucket, ..spec() };
    assert_eq!(fleet(&policy(1.0, 8.0, Jitter::Full), &bucket).unwrap().first_windows, None);
}
