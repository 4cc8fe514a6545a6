//! Laws that a simulated fleet keeps whatever its numbers, and what it makes of odd ones.

use backoff::fleet::{FleetSpec, LimiterKind, fleet, scaled};
use backoff::policy::{
    Backoff, CapOrder, Clock, Deadline, Jitter, Law, Overrun, Phase, Policy, Rounded, RoundingMode, Wait,
};
use backoff::simulate::{Simulation, Simulator, simulate};

const LIMITERS: [LimiterKind; 3] = [LimiterKind::FixedWindow, LimiterKind::TokenBucket, LimiterKind::SlidingLog];

fn policy(jitter: Jitter) -> Policy {
    Policy::new(Wait::new(Backoff::Exponential { base_ms: 1000.0, factor: 2.0 }).cap(8000.0).jitter(jitter), 5)
}

fn spec() -> FleetSpec {
    FleetSpec { runs: 20, ..FleetSpec::new(400, 4000.0, 60_000.0) }
}

fn run(policy: &Policy, spec: &FleetSpec) -> Simulation {
    simulate(policy, spec, 7).unwrap()
}

/// Policies of many kinds: dependent, rounded, in phases, added up.
fn policies() -> Vec<Policy> {
    let full = policy(Jitter::Full);
    let wait = full.wait.clone();
    let table =
        vec![Law::one(100.0, 900.0, backoff::policy::Shape::Exponential { rate: 0.01 }), Law::steps(0.0, 70.0, 10.0)];
    let table = Wait::new(Backoff::Table { waits: table, after: backoff::policy::After::RepeatLast });
    let phases = vec![Phase {
        retries: 2,
        wait: Wait::new(Backoff::List { delays_ms: vec![10.0, 20.0], after: backoff::policy::After::Stop }),
    }];
    vec![
        policy(Jitter::None),
        policy(Jitter::Equal),
        policy(Jitter::Decorrelated),
        policy(Jitter::Telescoping),
        policy(Jitter::Poisson { below: 0.5, above: 0.5 }),
        policy(Jitter::Additive { min_ms: 10.0, max_ms: 500.0 }),
        policy(Jitter::From { min_ms: 300.0 }),
        Policy::new(wait.clone().rounding(RoundingMode::Nearest, 250.0, Rounded::Wait).floor(500.0), 6),
        Policy::new(Wait { carry: true, ..wait.clone() }.cap_order(CapOrder::AfterJitter), 6),
        Policy { plus: vec![Wait::new(Backoff::Linear { base_ms: 50.0, increment_ms: 25.0 })], ..full.clone() },
        Policy { phases, first_wait_ms: Some(5.0), ..full.clone() },
        Policy::new(table, 6),
        full,
    ]
}

#[test]
fn the_same_seed_gives_the_same_numbers_in_any_steps() {
    for policy in policies() {
        for limiter in LIMITERS {
            let spec = FleetSpec { limiter, burst: 10.0, runs: 3, ..spec() };
            let whole = run(&policy, &spec);
            let mut simulator = Simulator::new(&policy, &spec, 7).unwrap();
            let mut last = 0.0;
            loop {
                let progress = simulator.step(100);
                assert!((last..=1.0).contains(&progress.share), "{} after {last}", progress.share);
                last = progress.share;
                if progress.done {
                    break;
                }
            }
            assert_eq!(last, 1.0);
            assert_eq!(simulator.finish(), whole);
            assert_eq!(whole.seed, "7");
        }
    }
    assert_ne!(simulate(&policies()[1], &spec(), 8).unwrap().rounds, run(&policies()[1], &spec()).rounds);
}

#[test]
fn nobody_is_lost() {
    for policy in policies() {
        for limiter in LIMITERS {
            let simulation = run(&policy, &FleetSpec { limiter, burst: 20.0, ..spec() });
            let admitted: f64 = simulation.rounds.iter().map(|round| round.admitted).sum();
            let arrivals: f64 = simulation.rounds.iter().map(|round| round.arrivals).sum();
            let left = simulation.gave_up_share + simulation.unfinished_share;
            assert!((admitted / 400.0 + left - 1.0).abs() < 1e-9, "{admitted} and {left}");
            assert!((arrivals + 400.0 - simulation.calls).abs() < 1e-9);
            // Who was refused comes again, but for those who gave up.
            for pair in simulation.rounds.windows(2) {
                assert!(pair[1].arrivals <= pair[0].arrivals - pair[0].admitted + 1e-9);
            }
            let binned: f64 = simulation.arrivals.iter().map(|bin| bin.per_s * simulation.bin_ms / 1000.0).sum();
            assert!((binned - arrivals).abs() < 1e-6, "{binned} of {arrivals}");
            assert!(simulation.arrivals.windows(2).all(|pair| pair[1].waiting <= pair[0].waiting));
            assert!(simulation.arrivals.last().unwrap().waiting.abs() < 1e-9 + 400.0 * simulation.unfinished_share);
        }
    }
}

#[test]
fn a_slower_clock_changes_times_alone() {
    // A factor of two changes no digit of a binary number.
    for policy in policies() {
        for limiter in LIMITERS {
            let spec = FleetSpec { limiter, burst: 5.0, call_ms: 30.0, ..spec() };
            let slow = FleetSpec {
                per_ms: spec.per_ms * 2.0,
                window_ms: spec.window_ms * 2.0,
                spread_ms: spec.spread_ms * 2.0,
                call_ms: spec.call_ms * 2.0,
                ..spec.clone()
            };
            let (a, b) = (run(&policy, &spec), run(&scaled(&policy, 2.0), &slow));
            assert_eq!((&a.rounds, a.calls, a.gave_up_share), (&b.rounds, b.calls, b.gave_up_share));
            assert_eq!(a.last_admitted_ms.map(|ms| ms * 2.0), b.last_admitted_ms);
            assert_eq!(a.drained_ms * 2.0, b.drained_ms);
        }
    }
}

#[test]
fn a_minute_window_admits_all_at_their_first_retry() {
    for jitter in [Jitter::None, Jitter::Full, Jitter::Equal, Jitter::Decorrelated] {
        let simulation = run(&policy(jitter), &FleetSpec { window_ms: 60_000.0, ..spec() });
        assert_eq!((simulation.calls, simulation.gave_up_share), (800.0, 0.0));
    }
}

#[test]
fn deadlines() {
    let limited = |overrun, clock| Policy {
        deadline: Some(Deadline { limit_ms: 2500.0, overrun, clock }),
        ..policy(Jitter::None)
    };
    let spec = FleetSpec { allowance: 0.0, spread_ms: 0.0, call_ms: 600.0, runs: 1, ..spec() };
    let arrivals = |overrun, clock| -> Vec<f64> {
        let simulation = run(&limited(overrun, clock), &spec);
        assert_eq!(simulation.gave_up_by_deadline_share, 1.0);
        simulation.arrivals.iter().filter(|bin| bin.per_s > 0.0).map(|bin| bin.at_ms).collect()
    };
    // Waits of 1, 2 and 4 s, calls of 0.6 s; the first call ends at 0. Elapsed 1.6 s when retry 1 comes, which ends at
    // 2.2 s of the first call's clock.
    assert_eq!(arrivals(Overrun::Refuse, Clock::Elapsed), [1000.0]);
    assert_eq!(arrivals(Overrun::Allow, Clock::Elapsed), [1000.0, 3600.0]);
    // 0.3 s are left after it.
    assert_eq!(arrivals(Overrun::Shorten, Clock::Elapsed), [1000.0, 1900.0]);
    // From the first failure 1.6 s have passed after retry 1, so that 0.9 s are left; of waits alone 1.5 s.
    assert_eq!(arrivals(Overrun::Shorten, Clock::FirstFailure), [1000.0, 2500.0]);
    assert_eq!(arrivals(Overrun::Shorten, Clock::Waits), [1000.0, 3100.0]);
}

#[test]
fn no_callers() {
    let none = FleetSpec { callers: 0, ..spec() };
    let simulation = run(&policy(Jitter::Full), &none);
    assert_eq!((simulation.calls, simulation.gave_up_share, simulation.last_admitted_ms), (0.0, 0.0, None));
    assert!(simulation.arrivals.is_empty() && simulation.rounds.is_empty());
    let fleet = fleet(&policy(Jitter::Full), &none).unwrap();
    assert_eq!((fleet.needed_base_ms, fleet.first_round_that_fits, fleet.clean_first_round), (Some(0.0), Some(1), 1.0));
}

#[test]
fn a_million_million_callers() {
    let many = FleetSpec { callers: 1_000_000_000_000, ..spec() };
    let answer = fleet(&policy(Jitter::Full), &many).unwrap();
    // 1e12 / 66.7 a second.
    assert!((answer.needed_base_ms.unwrap() - 1.5e13).abs() < 1.0);
    assert_eq!((answer.first_round_that_fits, answer.clean_first_round), (None, 0.0));
    let Err(error) = Simulator::new(&policy(Jitter::Full), &many, 1) else { panic!("it must say its limit") };
    assert_eq!(error.field, "callers");
    assert!(error.message.contains("1 000 000"), "{error}");
}

#[test]
fn an_allowance_of_nothing_and_a_bucket_for_less_than_a_token() {
    let shut = FleetSpec { allowance: 0.0, ..spec() };
    let answer = fleet(&policy(Jitter::Full), &shut).unwrap();
    assert_eq!((answer.needed_base_ms, answer.first_round_that_fits, answer.clean_first_round), (None, None, 0.0));
    let small = FleetSpec { limiter: LimiterKind::TokenBucket, burst: 0.9, ..spec() };
    for spec in [shut, small] {
        let simulation = run(&policy(Jitter::Full), &spec);
        assert_eq!((simulation.gave_up_share, simulation.calls, simulation.last_admitted_ms), (1.0, 2400.0, None));
    }
}

#[test]
fn attempts_without_end() {
    let endless = Policy { retries: None, ..policy(Jitter::Full) };
    let drained = run(&endless, &spec());
    assert_eq!((drained.gave_up_share, drained.unfinished_share), (0.0, 0.0));
    // Nobody is ever admitted: it stops after a thousand retries each, and says that they have not come to an end.
    let never = run(&endless, &FleetSpec { allowance: 0.0, callers: 3, runs: 1, ..spec() });
    assert_eq!((never.calls, never.gave_up_share, never.unfinished_share), (3003.0, 0.0, 1.0));
    // A wait that never ends.
    let stuck = Policy::new(Wait::new(Backoff::Exponential { base_ms: 1e300, factor: 1e300 }), 3);
    let stuck = run(&stuck, &FleetSpec { allowance: 0.0, ..spec() });
    assert_eq!((stuck.gave_up_share, stuck.unfinished_share), (0.0, 1.0));
    for retries in [None, Some(0), Some(u64::MAX)] {
        for policy in policies() {
            let policy = Policy { retries, ..policy };
            let answer = fleet(&policy, &spec()).unwrap();
            assert!(answer.arrivals.iter().all(|bin| bin.per_s.is_finite() && bin.per_s >= 0.0));
            assert!(answer.arrivals.len() <= 10_000 && answer.rounds.len() <= 100);
        }
    }
}

#[test]
fn without_randomness_all_come_at_once() {
    // Decorrelated jitter with a cap that is not above the base has nothing to draw: every wait is the cap.
    let wait =
        Wait::new(Backoff::Exponential { base_ms: 8000.0, factor: 2.0 }).cap(8000.0).jitter(Jitter::Decorrelated);
    let simulation = run(&Policy::new(wait.clone(), 5), &spec());
    assert_eq!((simulation.peak100ms_per_s, simulation.last_admitted_ms), (4000.0, Some(40_000.0)));
    let answer = fleet(&Policy::new(wait, 5), &spec()).unwrap();
    assert_eq!(
        (answer.rounds[0].window_ms, answer.rounds[0].rate_per_s, answer.rounds[0].fits),
        (Some(0.0), None, false)
    );
    // Waits of nothing at all: five retries in the same instant, round after round.
    let at_once = Policy::new(Wait::new(Backoff::Constant { delay_ms: 0.0 }), 5);
    let simulation = run(&at_once, &FleetSpec { spread_ms: 0.0, ..spec() });
    assert_eq!((simulation.rounds[0].admitted, simulation.rounds[1].admitted), (66.0, 0.0));
    // 400 first calls, 400 first retries, and 334 in each of the four rounds after the window is used up.
    assert_eq!((simulation.calls, simulation.drained_ms), (2136.0, 0.0));
}

#[test]
fn numbers_that_cannot_be_computed_with() {
    let refused = |spec: FleetSpec| {
        let error = fleet(&policy(Jitter::Full), &spec).unwrap_err();
        assert_eq!(Simulator::new(&policy(Jitter::Full), &spec, 1).err(), Some(error.clone()));
        error.field
    };
    for value in [-1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(refused(FleetSpec { allowance: value, ..spec() }), "allowance");
        assert_eq!(refused(FleetSpec { burst: value, ..spec() }), "burst");
        assert_eq!(refused(FleetSpec { spread_ms: value, ..spec() }), "spreadMs");
        assert_eq!(refused(FleetSpec { call_ms: value, ..spec() }), "callMs");
        assert_eq!(refused(FleetSpec { per_ms: value, ..spec() }), "perMs");
        assert_eq!(refused(FleetSpec { window_ms: value, ..spec() }), "windowMs");
    }
    assert_eq!(refused(FleetSpec { per_ms: 0.0, ..spec() }), "perMs");
    assert_eq!(refused(FleetSpec { runs: 0, ..spec() }), "runs");
    let written = |json: &str| serde_json::from_str::<FleetSpec>(json).map_err(|error| error.to_string());
    assert!(written(r#"{"callers":-1,"allowance":1,"perMs":1000}"#).unwrap_err().contains("-1"));
    assert!(written(r#"{"callers":1,"allowance":1,"perMs":1000,"wait":1}"#).unwrap_err().contains("wait"));
    assert_eq!(written(r#"{"callers":400,"allowance":4000,"perMs":60000}"#), Ok(FleetSpec { runs: 100, ..spec() }));
}
