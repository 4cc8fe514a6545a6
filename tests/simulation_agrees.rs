//! The laws of total waits against runs drawn with fixed seeds, by a Kolmogorov–Smirnov bound at level 10^-6. The rule of
//! a deadline is applied here once more, wait by wait.

mod policies;
mod references;

use backoff::distribution::{Method, Options, TotalWait, total_wait};
use backoff::policy::{Backoff, CapOrder, Clock, Deadline, Jitter, Memory, Overrun, Policy, Sampler, Wait};
use policies::varied;
use proptest::prelude::*;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// How many runs a law is held to: ten times as many where every cell is asked for, as `cargo xtask test` does.
fn runs() -> usize {
    if std::env::var_os("ALL_CELLS").is_some() { 1_000_000 } else { 100_000 }
}

/// What `runs` draws can be off by with probability 10^-6: `sqrt(ln(2 / 10^-6) / (2 runs))`.
fn bound(runs: usize) -> f64 {
    ((2e6f64).ln() / (2.0 * runs as f64)).sqrt()
}

/// Total wait and number of calls of one run.
fn run(policy: &Policy, call_ms: f64, next: &mut dyn FnMut(u64) -> f64) -> (f64, u64) {
    let (mut total, mut calls, mut clock) = (0.0, 1, 0.0);
    if policy.deadline.is_some_and(|d| d.clock == Clock::Elapsed) {
        clock += call_ms;
    }
    for retry in 1..=policy.retries.unwrap_or(u64::MAX) {
        let mut wait = next(retry);
        let mut last = false;
        if let Some(deadline) = policy.deadline {
            let left = deadline.limit_ms - clock;
            match deadline.overrun {
                Overrun::Refuse if wait > left => break,
                Overrun::Allow | Overrun::Shorten if left <= 0.0 => break,
                Overrun::Shorten if wait > left => (wait, last) = (left, true),
                _ => {}
            }
            clock += if deadline.clock == Clock::Waits { wait } else { wait + call_ms };
        }
        total += wait;
        calls += 1;
        if last {
            break;
        }
    }
    (total, calls)
}

/// Compares the law of a policy with runs of it; gives what was compared.
fn agrees(policy: &Policy, call_ms: f64) -> TotalWait {
    let runs = runs();
    let sampler = Sampler::new(policy);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(20_261_130);
    let mut drawn = Vec::with_capacity(runs);
    for _ in 0..runs {
        let mut memory = Memory::default();
        let mut next = |retry| sampler.draw(retry, &mut memory, &mut || random.random::<f64>());
        drawn.push(run(policy, call_ms, &mut next));
    }
    let mut totals: Vec<f64> = drawn.iter().map(|run| run.0).collect();
    let mut elapsed: Vec<f64> = drawn.iter().map(|run| run.0 + run.1 as f64 * call_ms).collect();
    totals.sort_by(f64::total_cmp);
    elapsed.sort_by(f64::total_cmp);
    // Between neighbours, so that no rounding decides on which side a single value lies.
    let between = |sorted: &[f64]| -> Vec<f64> {
        let next = |i: usize| sorted[i..].iter().find(|&&ms| ms > sorted[i] + 1e-6 * (1.0 + sorted[i])).copied();
        let places = (0..50).map(|i| i * runs / 50 + runs / 100);
        places.filter_map(|i| Some((sorted[i] + next(i)?) / 2.0)).collect()
    };
    let within_ms: Vec<f64> = between(&totals).into_iter().chain(between(&elapsed)).collect();
    let law = total_wait(policy, &Options { call_ms, within_ms });
    let allowed = bound(runs) + law.draws.map_or(0.0, |draws| bound(draws as usize));
    let share = |sorted: &[f64], ms: f64| sorted.partition_point(|&x| x <= ms) as f64 / runs as f64;
    for point in &law.within {
        let off = (point.p - share(&totals, point.ms)).abs();
        assert!(
            off < allowed,
            "{policy:?} call {call_ms}: at {} {} for {}",
            point.ms,
            point.p,
            share(&totals, point.ms)
        );
        let off = (point.elapsed_p - share(&elapsed, point.ms)).abs();
        assert!(off < allowed, "{policy:?} call {call_ms}: elapsed at {} {}", point.ms, point.elapsed_p);
    }
    for made in &law.calls {
        let share = drawn.iter().filter(|run| run.1 == made.calls).count() as f64 / runs as f64;
        assert!((made.p - share).abs() < allowed, "{policy:?}: {} calls {} for {share}", made.calls, made.p);
    }
    assert!((law.calls.iter().map(|c| c.p).sum::<f64>() - 1.0).abs() < 1e-9, "{policy:?}: {:?}", law.calls);
    let (low, high) = (totals[0], totals[runs - 1]);
    let hair = 1e-9 * (1.0 + high);
    assert!(
        low >= law.min_ms.unwrap() - hair && high <= law.max_ms.unwrap() + hair,
        "{policy:?}: {low} {high} {law:?}"
    );
    let sd = law.sd_ms.unwrap();
    let mean = totals.iter().sum::<f64>() / runs as f64;
    let off = (mean - law.mean_ms.unwrap()).abs();
    assert!(off <= 10.0 * sd / (runs as f64).sqrt() + hair, "{policy:?}: mean {mean} for {:?}", law.mean_ms);
    law
}

#[test]
fn totals_of_every_kind() {
    let mut exact = 0;
    for policy in varied() {
        exact += usize::from(agrees(&policy, 0.0).method == Method::Exact);
    }
    assert!(exact > 60, "{exact}");
}

#[test]
fn the_references() {
    for set in references::sets() {
        let params = &set["params"];
        agrees(&references::policy(params), references::options(params).call_ms);
    }
}

#[test]
fn deadlines_of_every_kind() {
    let wait = |jitter| Wait::new(Backoff::Exponential { base_ms: 500.0, factor: 2.0 }).cap(3000.0).jitter(jitter);
    let jitters = [
        Jitter::None,
        Jitter::Full,
        Jitter::Equal,
        Jitter::Decorrelated,
        Jitter::Additive { min_ms: -600.0, max_ms: 200.0 },
    ];
    for jitter in jitters {
        for overrun in [Overrun::Refuse, Overrun::Allow, Overrun::Shorten] {
            for clock in [Clock::Elapsed, Clock::FirstFailure, Clock::Waits] {
                for (limit_ms, call_ms) in [(4000.0, 0.0), (5000.0, 300.0), (200.0, 700.0), (1e6, 10.0), (0.0, 0.0)] {
                    let order = if call_ms == 300.0 { CapOrder::AfterJitter } else { CapOrder::BeforeJitter };
                    let deadline = Some(Deadline { limit_ms, overrun, clock });
                    agrees(&Policy { deadline, ..Policy::new(wait(jitter).cap_order(order), 6) }, call_ms);
                }
            }
        }
    }
}

#[test]
fn a_deadline_alone_ends_an_unlimited_policy() {
    for overrun in [Overrun::Refuse, Overrun::Allow, Overrun::Shorten] {
        let deadline = Some(Deadline { limit_ms: 20_000.0, overrun, clock: Clock::Elapsed });
        let wait = Wait::new(Backoff::Exponential { base_ms: 500.0, factor: 2.0 }).cap(3000.0).jitter(Jitter::Equal);
        let law = agrees(&Policy { deadline, ..Policy::new(wait, None) }, 100.0);
        assert_eq!(law.method, Method::Exact);
    }
}

#[test]
fn bad_input_has_an_answer() {
    let full = Wait::new(Backoff::Constant { delay_ms: 1000.0 }).jitter(Jitter::Full);
    let endless = total_wait(&Policy::new(full.clone(), None), &Options::default());
    assert_eq!((endless.method, endless.max_ms, endless.calls.len()), (Method::Endless, None, 0));
    // Nothing waits and nothing takes time: the deadline is never reached.
    let nothing = Wait::new(Backoff::Constant { delay_ms: 0.0 });
    let deadline = Some(Deadline { limit_ms: 1000.0, overrun: Overrun::Refuse, clock: Clock::Elapsed });
    let stuck = total_wait(&Policy { deadline, ..Policy::new(nothing.clone(), None) }, &Options::default());
    assert_eq!(stuck.method, Method::Endless);
    let zero = total_wait(&Policy::new(nothing, 5), &Options::default());
    assert_eq!((zero.max_ms, zero.percentiles[4].ms, zero.atoms.len()), (Some(0.0), 0.0, 1));
    // A call longer than the deadline: no retry.
    let slow = Options { call_ms: 5000.0, ..Options::default() };
    let one = total_wait(&Policy { deadline, ..Policy::new(full.clone(), 5) }, &slow);
    assert_eq!((one.calls.len(), one.calls[0].calls, one.max_ms), (1, 1, Some(0.0)));
    // The policy lets no call take that long.
    let bounded = Policy { deadline, attempt_timeout_ms: Some(100.0), ..Policy::new(full.clone(), 5) };
    assert!(total_wait(&bounded, &slow).calls.len() > 1);
    let unknown = Policy::new(full.clone().jitter(Jitter::Unknown { below: 0.5, above: 0.5 }), 4);
    let unknown = total_wait(&unknown, &Options::default());
    assert_eq!((unknown.method, unknown.min_ms, unknown.max_ms), (Method::Unknown, Some(2000.0), Some(6000.0)));
    // A thousand different widths.
    let growing = Wait::new(Backoff::Linear { base_ms: 1.0, increment_ms: 0.37 }).jitter(Jitter::Full);
    let law = total_wait(&Policy::new(growing, 1000), &Options::default());
    // The mean of k = 0..999 of (1 + 0.37 k) / 2, and a symmetric law.
    let mean = (1000.0 + 0.37 * 999.0 * 500.0) / 2.0;
    assert!((law.percentiles[0].ms / mean - 1.0).abs() < 1e-12 && law.error < 1e-9, "{law:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_policies(
        base_ms in 10.0..2000.0f64,
        factor in 1.0..4.0f64,
        cap_ms in 100.0..8000.0f64,
        retries in 1u64..9,
        which in 0usize..7,
        order in 0usize..3,
        limit_ms in proptest::option::of(100.0..20_000.0f64),
        overrun in 0usize..3,
        call_ms in prop_oneof![Just(0.0), 1.0..500.0f64],
    ) {
        let jitter = [
            Jitter::Full,
            Jitter::Equal,
            Jitter::Decorrelated,
            Jitter::Proportional { below: 0.3, above: 0.6 },
            Jitter::Additive { min_ms: -200.0, max_ms: 900.0 },
            Jitter::From { min_ms: 150.0 },
            Jitter::Telescoping,
        ][which];
        let order = [CapOrder::BeforeJitter, CapOrder::AfterJitter, CapOrder::Both][order];
        let overrun = [Overrun::Refuse, Overrun::Allow, Overrun::Shorten][overrun];
        let wait = Wait::new(Backoff::Exponential { base_ms, factor }).cap(cap_ms).cap_order(order).jitter(jitter);
        let deadline = limit_ms.map(|limit_ms| Deadline { limit_ms, overrun, clock: Clock::Elapsed });
        agrees(&Policy { deadline, ..Policy::new(wait, retries) }, call_ms);
    }
}
