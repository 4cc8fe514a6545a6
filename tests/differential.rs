//! Schedules, totals and the law of the total beside a second implementation: plain, slow, in exact fractions of big
//! whole numbers, written from the definitions alone.

use backoff::distribution::{Method, Options, total_wait};
use backoff::policy::{After, Backoff, CapOrder, Deadline, Jitter, Overrun, Policy, Wait};
use backoff::schedule::{schedule, worst_case_total};
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use proptest::prelude::*;

/// The number that a float stands for, exactly.
fn exact(x: f64) -> BigRational {
    BigRational::from_float(x).unwrap()
}

fn float(x: &BigRational) -> f64 {
    x.to_f64().unwrap()
}

fn power(x: &BigRational, n: u64) -> BigRational {
    (0..n).fold(BigRational::one(), |product, _| product * x)
}

/// The delay before retry `k`, from 1.
fn delay(curve: &Backoff, k: u64) -> BigRational {
    match curve {
        Backoff::Exponential { base_ms, factor } => exact(*base_ms) * power(&exact(*factor), k - 1),
        Backoff::Constant { delay_ms } => exact(*delay_ms),
        Backoff::Linear { base_ms, increment_ms } => {
            (exact(*base_ms) + exact(*increment_ms) * exact((k - 1) as f64)).max(BigRational::zero())
        }
        Backoff::Polynomial { base_ms, power: n } => exact(*base_ms) * power(&exact(k as f64), *n as u64),
        Backoff::Fibonacci { base_ms } => {
            let (mut this, mut next) = (BigRational::one(), BigRational::one());
            for _ in 1..k {
                (this, next) = (next.clone(), this + next);
            }
            exact(*base_ms) * this
        }
        Backoff::List { delays_ms, .. } => exact(delays_ms[(k as usize - 1).min(delays_ms.len() - 1)]),
        Backoff::Table { .. } => unreachable!("not generated"),
    }
}

/// Both ends of every wait.
fn ranges(policy: &Policy) -> Vec<(BigRational, BigRational)> {
    let Wait { backoff, jitter, floor_ms, cap_ms, cap_order, .. } = &policy.wait;
    let (cap, zero, one) = (cap_ms.map(exact), BigRational::zero(), BigRational::one());
    let capped = |x: BigRational, when: bool| match &cap {
        Some(cap) if when => x.min(cap.clone()),
        _ => x,
    };
    let mut previous = delay(backoff, 1);
    let waits = (1..=policy.retries.unwrap()).map(|k| {
        let d = capped(delay(backoff, k), matches!(cap_order, CapOrder::BeforeJitter | CapOrder::Both));
        let (low, high) = match jitter {
            Jitter::None => (d.clone(), d),
            Jitter::Full => (zero.clone(), d),
            Jitter::Equal => (&d / exact(2.0), d),
            Jitter::Proportional { below, above } => (&d * (&one - exact(*below)), &d * (&one + exact(*above))),
            Jitter::Additive { min_ms, max_ms } => {
                ((&d + exact(*min_ms)).max(zero.clone()), (&d + exact(*max_ms)).max(zero.clone()))
            }
            Jitter::Decorrelated => (capped(delay(backoff, 1), true), capped(&previous * exact(3.0), true)),
            other => unreachable!("{other:?} is not generated"),
        };
        let after = matches!(cap_order, CapOrder::AfterJitter | CapOrder::Both);
        let floored = |x: BigRational| floor_ms.map_or(x.clone(), |floor| x.max(exact(floor)));
        // What comes after a decorrelated wait grows from what was slept.
        previous = floored(capped(high, after));
        (floored(capped(low, after)), previous.clone())
    });
    waits.collect()
}

/// The share of sums of independent uniform waits that is at most `x`, by inclusion and exclusion over the ends.
fn share(ranges: &[(BigRational, BigRational)], x: &BigRational) -> f64 {
    let start: BigRational = ranges.iter().map(|(low, _)| low).sum();
    let widths: Vec<BigRational> = ranges.iter().map(|(low, high)| high - low).filter(|w| w.is_positive()).collect();
    let n = widths.len() as u64;
    let sum: BigRational = (0u32..1 << n)
        .map(|set| {
            let chosen: BigRational = (0..n as usize).filter(|i| set >> i & 1 == 1).map(|i| &widths[i]).sum();
            let left = power(&(x - &start - chosen).max(BigRational::zero()), n);
            if set.count_ones() % 2 == 0 { left } else { -left }
        })
        .sum();
    let whole = (1..=n).map(|k| exact(k as f64)).product::<BigRational>() * widths.iter().product::<BigRational>();
    float(&(sum / whole))
}

/// The waits of a policy without chance that a deadline on the waits lets happen, added up.
fn under_deadline(policy: &Policy, deadline: Deadline) -> BigRational {
    let (limit, mut sum) = (exact(deadline.limit_ms), BigRational::zero());
    for (wait, _) in ranges(policy) {
        let after = &sum + wait;
        match deadline.overrun {
            Overrun::Refuse if after > limit => break,
            Overrun::Allow | Overrun::Shorten if sum >= limit => break,
            Overrun::Shorten if after > limit => return limit,
            _ => sum = after,
        }
    }
    sum
}

/// Equal but for the rounding of a few operations on floats.
fn near(got: f64, wanted: &BigRational) -> bool {
    let wanted = float(wanted);
    (got - wanted).abs() <= 1e-12 * wanted.abs()
}

fn curves() -> impl Strategy<Value = Backoff> {
    prop_oneof![
        (1.0..3_000.0f64, 0.5..3.0f64).prop_map(|(base_ms, factor)| Backoff::Exponential { base_ms, factor }),
        (1.0..3_000.0f64).prop_map(|delay_ms| Backoff::Constant { delay_ms }),
        (1.0..500.0f64, -20.0..90.0f64).prop_map(|(base_ms, increment_ms)| Backoff::Linear { base_ms, increment_ms }),
        (1.0..90.0f64, 1u32..4).prop_map(|(base_ms, n)| Backoff::Polynomial { base_ms, power: n.into() }),
        (1.0..90.0f64).prop_map(|base_ms| Backoff::Fibonacci { base_ms }),
        proptest::collection::vec(1.0..3_000.0f64, 1..6)
            .prop_map(|delays_ms| Backoff::List { delays_ms, after: After::RepeatLast }),
    ]
}

fn jitters() -> impl Strategy<Value = Jitter> {
    prop_oneof![
        Just(Jitter::None),
        Just(Jitter::Full),
        Just(Jitter::Equal),
        Just(Jitter::Decorrelated),
        (0.0..1.0f64, 0.0..2.0f64).prop_map(|(below, above)| Jitter::Proportional { below, above }),
        (-200.0..100.0f64, 100.0..900.0f64).prop_map(|(min_ms, max_ms)| Jitter::Additive { min_ms, max_ms }),
    ]
}

fn orders() -> impl Strategy<Value = CapOrder> {
    prop_oneof![Just(CapOrder::BeforeJitter), Just(CapOrder::AfterJitter), Just(CapOrder::Both)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn waits_and_their_sums(
        curve in curves(),
        jitter in jitters(),
        order in orders(),
        cap_ms in proptest::option::of(50.0..20_000.0f64),
        floor_ms in proptest::option::of(0.0..300.0f64),
        retries in 0u64..40,
    ) {
        let policy = Policy::new(Wait::new(curve).cap(cap_ms).cap_order(order).jitter(jitter).floor(floor_ms), retries);
        let (got, wanted) = (schedule(&policy, 40), ranges(&policy));
        prop_assert_eq!(got.waits.len(), wanted.len());
        for (wait, (low, high)) in got.waits.iter().zip(&wanted) {
            prop_assert!(near(wait.min_ms, low), "{}: {} for {}", wait.retry, wait.min_ms, float(low));
            prop_assert!(near(wait.max_ms.unwrap(), high), "{}: {:?} for {}", wait.retry, wait.max_ms, float(high));
        }
        let sum = |end: fn(&(BigRational, BigRational)) -> &BigRational| wanted.iter().map(end).sum::<BigRational>();
        prop_assert!(near(got.total.min_ms.unwrap(), &sum(|range| &range.0)), "{:?}", got.total);
        prop_assert!(near(got.total.max_ms.unwrap(), &sum(|range| &range.1)), "{:?}", got.total);
        prop_assert!(near(worst_case_total(&policy).unwrap(), &sum(|range| &range.1)), "{:?}", got.total);
    }

    #[test]
    fn deadlines_of_fixed_waits(
        curve in curves(),
        cap_ms in proptest::option::of(50.0..20_000.0f64),
        retries in 0u64..20,
        limit_ms in 0.0..20_000.0f64,
        overrun in prop_oneof![Just(Overrun::Refuse), Just(Overrun::Allow), Just(Overrun::Shorten)],
    ) {
        let deadline = Deadline { limit_ms, overrun, clock: Default::default() };
        let plain = Policy::new(Wait::new(curve).cap(cap_ms), retries);
        let wanted = under_deadline(&plain, deadline);
        let policy = Policy { deadline: Some(deadline), ..plain };
        let (bound, law) = (worst_case_total(&policy).unwrap(), total_wait(&policy, &Options::default()));
        prop_assert!(near(law.max_ms.unwrap(), &wanted), "{:?} for {}", law.max_ms, float(&wanted));
        prop_assert!(bound >= float(&wanted) * (1.0 - 1e-12), "{bound} for {}", float(&wanted));
    }

    #[test]
    fn the_law_of_the_total(
        curve in curves(),
        jitter in prop_oneof![
            Just(Jitter::Full),
            Just(Jitter::Equal),
            (0.1..1.0f64, 0.0..2.0f64).prop_map(|(below, above)| Jitter::Proportional { below, above }),
        ],
        cap_ms in proptest::option::of(500.0..20_000.0f64),
        retries in 1u64..9,
    ) {
        let policy = Policy::new(Wait::new(curve).cap(cap_ms).jitter(jitter), retries);
        let ranges = ranges(&policy);
        let (low, high): (BigRational, BigRational) =
            (ranges.iter().map(|r| &r.0).sum(), ranges.iter().map(|r| &r.1).sum());
        let at = |part: f64| float(&low) + part * (float(&high) - float(&low));
        let within_ms: Vec<f64> = [0.02, 0.1, 0.3, 0.5, 0.6, 0.85, 0.97, 0.999].map(at).into();
        let law = total_wait(&policy, &Options { within_ms, ..Options::default() });
        prop_assert_eq!(law.method, Method::Exact);
        for point in &law.within {
            let wanted = share(&ranges, &exact(point.ms));
            prop_assert!((point.p - wanted).abs() <= 1e-9, "at {}: {} for {wanted}", point.ms, point.p);
        }
        for quantile in &law.percentiles {
            let (below, above) = (quantile.ms * (1.0 - 2e-9), quantile.ms * (1.0 + 2e-9));
            prop_assert!(share(&ranges, &exact(below)) <= quantile.p, "{quantile:?}");
            prop_assert!(share(&ranges, &exact(above)) >= quantile.p, "{quantile:?}");
        }
        let mean = (&low + &high) / exact(2.0);
        prop_assert!((law.mean_ms.unwrap() - float(&mean)).abs() <= 1e-12 * float(&mean));
    }
}
