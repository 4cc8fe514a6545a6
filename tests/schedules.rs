//! Schedules and totals against numbers computed elsewhere: `reference/seed_numbers.json` (seconds), the golden cases of
//! telescoping waits, and slow sums.

mod policies;

use backoff::distribution::{Options, total_wait};
use backoff::policy::{
    After, Backoff, CapOrder, Clock, Deadline, Jitter, Memory, Overrun, Policy, Sampler, Wait, Walk,
};
use backoff::schedule::{schedule, worst_case_total};
use policies::varied;
use proptest::prelude::*;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use serde_json::Value;

fn expected(id: &str) -> Value {
    let file: Value = serde_json::from_str(include_str!("reference/seed_numbers.json")).unwrap();
    let item = file["items"].as_array().unwrap().iter().find(|item| item["id"] == id);
    item.unwrap_or_else(|| panic!("no item {id}"))["expected"].clone()
}

fn number(id: &str) -> f64 {
    expected(id).as_f64().unwrap()
}

fn near(got: f64, expected: f64) {
    assert!((got - expected).abs() <= 1e-12 * expected.abs(), "{got} for {expected}");
}

/// Exponential with factor 2, in seconds.
fn doubling(base_s: f64, cap_s: f64, retries: u64, jitter: Jitter) -> Policy {
    let backoff = Backoff::Exponential { base_ms: base_s * 1000.0, factor: 2.0 };
    Policy::new(Wait::new(backoff).cap(cap_s * 1000.0).jitter(jitter), retries)
}

/// The width of the range of wait `k`, s.
fn width_s(policy: &Policy, k: usize) -> f64 {
    let wait = schedule(policy, k).waits.pop().unwrap();
    (wait.max_ms.unwrap() - wait.min_ms) / 1000.0
}

#[test]
fn windows_of_the_third_wait() {
    for (id, jitter) in [
        ("table_full", Jitter::Full),
        ("table_equal", Jitter::Equal),
        ("table_decorrelated_true_width", Jitter::Decorrelated),
    ] {
        near(400.0 / width_s(&doubling(1.0, 8.0, 5, jitter), 3), number(id));
    }
    let third = schedule(&doubling(1.0, 8.0, 5, Jitter::None), 3).waits.pop().unwrap();
    assert_eq!((third.min_ms, third.max_ms), (4000.0, Some(4000.0)));
    near(third.max_ms.unwrap() / 50.0, number("ratio_none_full"));
    let (full, equal) = (doubling(1.0, 8.0, 5, Jitter::Full), doubling(1.0, 8.0, 5, Jitter::Equal));
    near(width_s(&full, 3) / width_s(&equal, 3), number("ratio_equal_full"));
    near(0.1 / width_s(&full, 3), number("slice_fraction"));
}

#[test]
fn rates_of_the_rounds_follow_the_windows() {
    let policy = doubling(1.0, 8.0, 5, Jitter::Full);
    for k in 1..=4 {
        near(400.0 / width_s(&policy, k), number(&format!("round_{k}_rate")));
    }
    near(400.0 / width_s(&doubling(8.0, 60.0, 5, Jitter::Full), 1), number("base8_first_round"));
}

#[test]
fn shares_of_decorrelated_waits_on_the_cap() {
    let waits = schedule(&doubling(1.0, 8.0, 5, Jitter::Decorrelated), 5).waits;
    assert_eq!((waits[0].mean_ms, waits[0].at_max), (Some(2000.0), 0.0));
    assert!((waits[1].at_max - number("decorrelated_second_wait_atom")).abs() < 1e-12, "{}", waits[1].at_max);
    assert!((waits[2].at_max - number("decorrelated_third_wait_atom")).abs() < 1e-9, "{}", waits[2].at_max);
    // Drawn: the density is flat on [1, 3], which the first wait covers whole.
    let policy = doubling(1.0, 8.0, 3, Jitter::Decorrelated);
    let runs = 100_000;
    let thirds = drawn(&policy, runs, 3).into_iter().filter(|run| run[2] < 3000.0).count();
    let share = 2.0 * number("decorrelated_third_wait_density_flat_part");
    let error = (share * (1.0 - share) / runs as f64).sqrt();
    assert!((thirds as f64 / runs as f64 - share).abs() < 5.0 * error, "{thirds}");
}

#[test]
fn means_of_decorrelated_waits() {
    let file: Value = serde_json::from_str(include_str!("reference/total_wait.json")).unwrap();
    let mut checked = 0;
    for set in file["sets"].as_array().unwrap() {
        let Some(steps) = set["per_step"].as_array() else { continue };
        let of = |name: &str| set["params"][name].as_f64().unwrap();
        let policy = doubling(of("base"), of("cap"), set["params"]["attempts"].as_u64().unwrap(), Jitter::Decorrelated);
        let waits = schedule(&policy, policy.retries.unwrap() as usize).waits;
        for step in steps {
            let wait = &waits[step["k"].as_u64().unwrap() as usize - 1];
            let mean = step["E_wait"].as_f64().unwrap();
            let got = wait.mean_ms.unwrap() / 1000.0;
            assert!((got - mean).abs() < 1e-9 * mean, "{} wait {}: {got} for {mean}", set["id"], wait.retry);
            let share = step["P_at_cap"].as_f64().unwrap();
            assert!((wait.at_max - share).abs() < 1e-9, "{} wait {}: {}", set["id"], wait.retry, wait.at_max);
            checked += 1;
        }
        let mean = set["reference"]["mean"].as_f64().unwrap() * 1000.0;
        let got = schedule(&policy, 100).total.mean_ms.unwrap();
        assert!((got - mean).abs() < 1e-8 * mean, "{}: {got} for {mean}", set["id"]);
    }
    assert!(checked > 50, "{checked}");
}

#[test]
fn totals_and_growth() {
    let plain = doubling(1.0, 8.0, 5, Jitter::None);
    near(worst_case_total(&plain).unwrap(), number("sum_of_schedule") * 1000.0);
    let full = doubling(1.0, 8.0, 5, Jitter::Full);
    near(schedule(&full, 5).total.mean_ms.unwrap(), number("typical_full") * 1000.0);
    let typical = total_wait(&full, &Options::default());
    assert!((typical.percentiles[0].ms / 1000.0 - number("typical_full")).abs() < 1e-9);
    for jitter in [Jitter::None, Jitter::Full, Jitter::Equal] {
        let total = worst_case_total(&doubling(1.0, 8.0, 5, jitter)).unwrap();
        near(total, number("s004_worst_case_equal_for_none_full_equal") * 1000.0);
    }
    let decorrelated = doubling(1.0, 8.0, 5, Jitter::Decorrelated);
    near(worst_case_total(&decorrelated).unwrap(), number("s004_worst_case_decorrelated") * 1000.0);
    let equal = schedule(&doubling(1.0, 8.0, 5, Jitter::Equal), 5);
    near(equal.total.min_ms.unwrap(), number("s004_min_total_equal") * 1000.0);
    let uncapped = Backoff::Exponential { base_ms: 1000.0, factor: 2.0 };
    near(uncapped.delay_ms(5), number("fifth_delay_uncapped") * 1000.0);
    near(uncapped.delay_ms(11) / 60_000.0, number("ten_doublings"));
    let tenth = Backoff::Exponential { base_ms: 100.0, factor: 2.0 };
    near(tenth.delay_ms(12) / 60_000.0, number("s004_attempt12"));
}

#[test]
fn the_documents_own_functions() {
    let maxima = |policy: &Policy| -> Vec<f64> {
        schedule(policy, 5).waits.iter().map(|wait| wait.max_ms.unwrap() / 1000.0).collect()
    };
    let listed =
        |id: &str| -> Vec<f64> { expected(id).as_array().unwrap().iter().map(|ms| ms.as_f64().unwrap()).collect() };
    let full = doubling(8.0, 60.0, 5, Jitter::Full);
    assert_eq!(maxima(&full), listed("function_default_waits"));
    let decorrelated = doubling(1.0, 60.0, 5, Jitter::Decorrelated);
    assert_eq!(maxima(&decorrelated), listed("decorrelated_default_range"));
    near(worst_case_total(&decorrelated).unwrap(), 159_000.0);
    let deadline = Deadline { limit_ms: 45_000.0, overrun: Overrun::Refuse, clock: Clock::Waits };
    let total = total_wait(&Policy { deadline: Some(deadline), ..full }, &Options::default());
    let yields: f64 = total.calls.iter().map(|c| (c.calls - 1) as f64 * c.p).sum();
    assert!((yields - number("function_default_mean_yields")).abs() < 1e-9, "{yields}");
}

/// The attainable totals of the golden cases of telescoping waits, s: base and cap in s, retries, least and most.
#[test]
fn telescoping_totals_that_can_happen() {
    let cases = [
        (0.128, Some(30.0), 5, 1.46187600419, 2.92495087666),
        (2.0, None, 3, 5.674499116605, 11.406198841122),
        (2.0, None, 5, 22.841812565464, 45.702357447753),
        (1.0, None, 5, 11.420906282732, 22.851178723876),
    ];
    for (base_s, cap_s, retries, least, most) in cases {
        let policy = telescoping(base_s, cap_s, retries);
        let total = schedule(&policy, 5).total;
        for (got, expected) in [(total.attainable_min_ms, least), (total.attainable_max_ms, most)] {
            let got = got.unwrap() / 1000.0;
            assert!((got - expected).abs() < 1e-6, "{got} for {expected}");
        }
        let law = total_wait(&policy, &Options::default());
        assert!((law.min_ms.unwrap() / 1000.0 - least).abs() < 1e-6);
        assert!((law.max_ms.unwrap() / 1000.0 - most).abs() < 1e-6);
    }
}

fn telescoping(base_s: f64, cap_s: Option<f64>, retries: u64) -> Policy {
    let backoff = Backoff::Exponential { base_ms: base_s * 1000.0, factor: 2.0 };
    let cap_ms = cap_s.map(|cap| cap * 1000.0);
    Policy::new(Wait::new(backoff).jitter(Jitter::Telescoping).cap(cap_ms).cap_order(CapOrder::AfterJitter), retries)
}

/// A cap that binds: the extremes against every choice of each wait's draw on a grid.
#[test]
fn capped_telescoping_totals_against_all_choices() {
    for (cap_s, retries) in [(1.5, 3), (3.0, 4), (10.0, 5), (0.4, 3)] {
        let policy = telescoping(1.0, Some(cap_s), retries);
        let total = schedule(&policy, 5).total;
        let h = |t: f64| 2f64.powf(t) * (4.0 * t).sqrt().tanh() / 1.4;
        let grid = 13;
        let (mut least, mut most) = (f64::INFINITY, 0.0f64);
        for mut choice in 0..(grid as u64).pow(retries as u32) {
            let (mut before, mut sum) = (0.0, 0.0);
            for k in 0..retries {
                let t = k as f64 + (choice % grid as u64) as f64 / (grid - 1) as f64;
                choice /= grid as u64;
                sum += (h(t) - before).min(cap_s);
                before = h(t);
            }
            (least, most) = (least.min(sum), most.max(sum));
        }
        let (min, max) = (total.attainable_min_ms.unwrap() / 1000.0, total.attainable_max_ms.unwrap() / 1000.0);
        assert!((min - least).abs() < 1e-9, "cap {cap_s}: {min} for {least}");
        // The best choice may lie between the points of the grid.
        assert!(max >= most - 1e-9 && max <= most * 1.05, "cap {cap_s}: {max} for {most}");
        assert!(max <= total.max_ms.unwrap() / 1000.0);
    }
}

#[test]
fn a_sampler_stays_in_the_ranges_and_meets_the_means() {
    for policy in varied() {
        let count = policy.retries.unwrap().min(8) as usize;
        let rows = schedule(&policy, count).waits;
        let runs = 20_000;
        let drawn = drawn(&policy, runs, count);
        for (index, row) in rows.iter().enumerate() {
            let times: Vec<f64> = drawn.iter().map(|run| run[index]).collect();
            let (min, max) = (row.min_ms, row.max_ms.unwrap());
            let hair = 1e-9 * (1.0 + max);
            assert!(times.iter().all(|&ms| ms >= min - hair && ms <= max + hair), "{policy:?} wait {}", row.retry);
            let mean = times.iter().sum::<f64>() / runs as f64;
            let square = times.iter().map(|ms| (ms - mean).powi(2)).sum::<f64>() / runs as f64;
            let Some(expected) = row.mean_ms else { panic!("no mean for {policy:?}") };
            let error = 5.0 * (square / runs as f64).sqrt() + 2e-3 * expected * f64::from(policy.remembers()) + hair;
            assert!((mean - expected).abs() <= error, "{policy:?} wait {}: {mean} for {expected}", row.retry);
        }
    }
}

/// Runs of the first waits of a policy.
fn drawn(policy: &Policy, runs: usize, count: usize) -> Vec<Vec<f64>> {
    let sampler = Sampler::new(policy);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut run = || {
        let mut memory = Memory::default();
        (1..=count as u64).map(|k| sampler.draw(k, &mut memory, &mut || random.random::<f64>())).collect()
    };
    (0..runs).map(|_| run()).collect()
}

#[test]
fn nothing_takes_long_or_overflows() {
    let huge = 1_000_000_000;
    let curves = [
        Backoff::Constant { delay_ms: 1000.0 },
        Backoff::Exponential { base_ms: 1000.0, factor: 2.0 },
        Backoff::Exponential { base_ms: 1000.0, factor: 1e9 },
        Backoff::Exponential { base_ms: 1e308, factor: 2.0 },
        Backoff::Exponential { base_ms: 1000.0, factor: 0.5 },
        Backoff::Exponential { base_ms: 1000.0, factor: 1.000_000_001 },
        Backoff::Linear { base_ms: 0.0, increment_ms: 1.0 },
        Backoff::Polynomial { base_ms: 1.0, power: 2.0 },
        Backoff::Fibonacci { base_ms: 1.0 },
        Backoff::List { delays_ms: vec![], after: After::RepeatLast },
    ];
    let jitters = [Jitter::None, Jitter::Full, Jitter::Decorrelated, Jitter::Telescoping];
    for curve in curves {
        for jitter in jitters {
            for cap_ms in [None, Some(60_000.0)] {
                for retries in [Some(huge), None] {
                    let policy = Policy::new(Wait::new(curve.clone()).jitter(jitter).cap(cap_ms), retries);
                    let schedule = schedule(&policy, 100);
                    assert_eq!(schedule.waits.len(), 100);
                    for wait in &schedule.waits {
                        assert!(wait.min_ms >= 0.0 && wait.max_ms.is_none_or(|max| max >= wait.min_ms), "{policy:?}");
                    }
                    let total = total_wait(&policy, &Options::default());
                    assert!(total.percentiles.iter().all(|q| q.ms.is_finite()), "{policy:?}: {total:?}");
                }
            }
        }
    }
    // 10^9 waits of a second each, and full jitter of a minute: the mean is half of it.
    let seconds = Policy::new(Wait::new(Backoff::Constant { delay_ms: 1000.0 }), huge);
    assert_eq!(worst_case_total(&seconds), Some(1e12));
    let minutes = doubling(60.0, 60.0, huge, Jitter::Full);
    let total = total_wait(&minutes, &Options::default());
    assert!((total.percentiles[0].ms / 3e13 - 1.0).abs() < 1e-12, "{total:?}");
    // The sum of k ms for k = 0 to 10^9 - 1.
    let growing = Policy::new(Wait::new(Backoff::Linear { base_ms: 0.0, increment_ms: 1.0 }), huge);
    near(worst_case_total(&growing).unwrap(), 499_999_999_500_000_000.0);
    assert_eq!(worst_case_total(&Policy { retries: None, ..growing }), None);
}

fn curves() -> impl Strategy<Value = Backoff> {
    prop_oneof![
        (1.0..5_000.0f64, 0.5..4.0f64).prop_map(|(base_ms, factor)| Backoff::Exponential { base_ms, factor }),
        (0.0..5_000.0f64).prop_map(|delay_ms| Backoff::Constant { delay_ms }),
        (0.0..500.0f64, -1.0..50.0f64).prop_map(|(base_ms, increment_ms)| Backoff::Linear { base_ms, increment_ms }),
        (0.1..50.0f64, 0.5..3.0f64).prop_map(|(base_ms, power)| Backoff::Polynomial { base_ms, power }),
        (0.1..50.0f64).prop_map(|base_ms| Backoff::Fibonacci { base_ms }),
        proptest::collection::vec(0.0..5_000.0f64, 1..6)
            .prop_map(|delays_ms| Backoff::List { delays_ms, after: After::RepeatLast }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn totals_equal_the_plain_sum(
        curve in curves(),
        cap_ms in proptest::option::of(1.0..60_000.0f64),
        retries in prop_oneof![0u64..40, 9_990u64..40_000],
        equal in any::<bool>(),
    ) {
        let jitter = if equal { Jitter::Equal } else { Jitter::None };
        let policy = Policy::new(Wait::new(curve).cap(cap_ms).jitter(jitter), retries);
        let (mut min, mut max) = (0.0, 0.0);
        for range in Walk::new(&policy) {
            (min, max) = (min + range.min_ms, max + range.max_ms);
        }
        let total = schedule(&policy, 3).total;
        let near = |got: Option<f64>, sum: f64| match got {
            Some(got) => (got - sum).abs() <= 1e-9 * sum,
            None => !sum.is_finite(),
        };
        prop_assert!(near(total.max_ms, max), "{:?} for {max}", total.max_ms);
        prop_assert!(near(total.min_ms, min), "{:?} for {min}", total.min_ms);
        prop_assert!(near(total.mean_ms, (min + max) / 2.0), "{:?}", total.mean_ms);
    }
}
