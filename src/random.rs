//! Random numbers from a seed: xoshiro256++, the same stream on every machine.

use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Random(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A number in [0, 1), of 53 random bits.
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// The stream as it is now, for one of several runs; this one goes on 2^128 numbers later, so that the runs never
    /// share any.
    pub fn split(&mut self) -> Self {
        let stream = self.clone();
        self.0.jump();
        stream
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_do_not_overlap_and_come_again() {
        let mut random = Random::new(7);
        let (mut a, mut b) = (random.split(), random.split());
        let mut again = Random::new(7);
        let first: Vec<f64> = (0..100).map(|_| a.uniform()).collect();
        assert!(first.iter().all(|&u| (0.0..1.0).contains(&u) && again.uniform() == u));
        assert!((0..100).all(|_| !first.contains(&b.uniform())));
    }
}
