//! Policies of every kind, for tests that compare two ways to a number.

use backoff::policy::{Backoff, CapOrder, Jitter, Phase, Policy, Rounded, RoundingMode, Wait};

/// One policy of each kind and of the mixtures that libraries have.
pub fn varied() -> Vec<Policy> {
    let exponential = Wait::new(Backoff::Exponential { base_ms: 200.0, factor: 2.0 });
    let jitters = [
        Jitter::None,
        Jitter::Full,
        Jitter::Equal,
        Jitter::Decorrelated,
        Jitter::Proportional { below: 0.25, above: 0.5 },
        Jitter::Additive { min_ms: -300.0, max_ms: 300.0 },
        Jitter::From { min_ms: 300.0 },
        Jitter::Telescoping,
        Jitter::Poisson { below: 1.0, above: 2.0 },
    ];
    let orders = [CapOrder::BeforeJitter, CapOrder::AfterJitter, CapOrder::Both, CapOrder::Redraw];
    let mut policies = Vec::new();
    for jitter in jitters {
        for order in orders {
            if jitter == Jitter::Telescoping && order == CapOrder::Redraw {
                continue;
            }
            let wait = exponential.clone().jitter(jitter).cap(1500.0).cap_order(order);
            policies.push(Policy::new(wait.clone(), 6));
            let plain = !matches!(jitter, Jitter::Telescoping | Jitter::Poisson { .. });
            if plain && order == CapOrder::AfterJitter {
                for mode in [RoundingMode::Floor, RoundingMode::Ceil, RoundingMode::Nearest, RoundingMode::Draw] {
                    policies.push(Policy::new(wait.clone().rounding(mode, 100.0, Rounded::Wait), 6));
                    policies.push(Policy::new(wait.clone().rounding(mode, 100.0, Rounded::Capped).floor(250.0), 6));
                }
            }
        }
        if jitter != Jitter::Telescoping {
            let wait = exponential.clone().jitter(jitter).cap(1500.0).cap_order(CapOrder::AfterJitter);
            policies.push(Policy::new(Wait { carry: true, ..wait.clone() }, 6));
            let phases = vec![Phase { retries: 2, wait: Wait::new(Backoff::Constant { delay_ms: 50.0 }) }];
            policies.push(Policy { phases, ..Policy::new(wait.clone(), 6) });
            policies.push(Policy { first_wait_ms: Some(10.0), ..Policy::new(wait.clone(), 6) });
            policies.push(Policy { plus: vec![exponential.clone().jitter(Jitter::Full)], ..Policy::new(wait, 6) });
        }
    }
    let linear = Wait::new(Backoff::Linear { base_ms: 100.0, increment_ms: 150.0 });
    let random = Jitter::Proportional { below: 0.2, above: 0.2 };
    policies.push(Policy::new(Wait { carry: true, ..linear.clone().jitter(random) }, 6));
    policies.push(Policy::new(linear, 6));
    policies
}
