//! Retries inside retries: calls multiply, and every call of a layer lasts as long as everything inside it.

use crate::policy::Policy;
use crate::schedule::worst_elapsed;

/// How many calls one request can become up to and with each layer, the outermost first: each repeats everything below
/// it, first call included, so (1 + retries) multiply. `None` from the first layer on that has no bound.
pub fn calls(layers: &[Policy]) -> Vec<Option<f64>> {
    let mut product = Some(1.0);
    let mut with = |layer: &Policy| {
        product = product.zip(layer.calls()).map(|(all, calls)| all * calls as f64);
        product
    };
    layers.iter().map(&mut with).collect()
}

/// The longest that each layer can take, everything inside it included, ms, the outermost first; `call_ms`: the time of
/// one call of the innermost. An outer layer's bound on a call cuts what is inside. `None`: no bound.
pub fn worst(layers: &[Policy], call_ms: f64) -> Vec<Option<f64>> {
    let mut inside = Some(call_ms);
    let mut worst: Vec<Option<f64>> = Vec::new();
    for layer in layers.iter().rev() {
        inside = match (inside, layer.attempt_timeout_ms) {
            (None, None) => None,
            // What has no bound lasts as long as the layer lets it.
            (ms, bound) => worst_elapsed(layer, ms.or(bound).unwrap_or(0.0)),
        };
        worst.push(inside);
    }
    worst.reverse();
    worst
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Backoff, Wait};

    fn of(retries: u64, delay_ms: f64) -> Policy {
        Policy::new(Wait::new(Backoff::Constant { delay_ms }), retries)
    }

    #[test]
    fn calls_multiply_with_the_first_one_in_each_layer() {
        // 3 retries are 4 calls: 4 x 4 x 4; 3 attempts are 2 retries: 3 x 3 x 3; 5 layers of 3 tries: 3^5.
        let all = |retries, layers| calls(&vec![of(retries, 0.0); layers]).last().copied().flatten();
        assert_eq!((all(3, 3), all(2, 3), all(2, 5)), (Some(64.0), Some(27.0), Some(243.0)));
        assert_eq!(calls(&[of(5, 0.0), of(2, 0.0)]), [Some(6.0), Some(18.0)]);
        let endless = Policy { retries: None, ..of(0, 0.0) };
        assert_eq!(calls(&[of(5, 0.0), endless, of(2, 0.0)]), [Some(6.0), None, None]);
    }

    #[test]
    fn an_outer_call_lasts_as_long_as_all_inside_it() {
        // Inside: 3 calls of 1 s and 2 waits of 2 s = 7 s. Outside: 2 calls of 7 s and a wait of 10 s = 24 s.
        let (outer, inner) = (of(1, 10_000.0), of(2, 2_000.0));
        assert_eq!(worst(&[outer.clone(), inner.clone()], 1_000.0), [Some(24_000.0), Some(7_000.0)]);
        // A bound of 5 s on an outer call cuts the 7 s: 2 x 5 + 10.
        let cut = Policy { attempt_timeout_ms: Some(5_000.0), ..outer };
        assert_eq!(worst(&[cut, inner], 1_000.0), [Some(20_000.0), Some(7_000.0)]);
    }
}
