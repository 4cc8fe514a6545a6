//! One piece of the law of a wait, seen from that law's mean: its characteristic function and the bound that says how
//! fast it falls.

use super::complex::Complex;
use crate::policy::{Law, Piece, Shape};

/// A piece of a law, shifted so that the mean of the law is at 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub weight: f64,
    /// Its middle.
    pub middle: f64,
    pub width: f64,
    pub shape: Shape,
}

/// The parts of a law whose pieces are all known.
pub(super) fn parts(law: &Law, mean_ms: f64) -> Vec<Part> {
    let part = |p: &Piece| Part {
        weight: p.weight,
        middle: p.min_ms + (p.max_ms - p.min_ms) / 2.0 - mean_ms,
        width: p.max_ms - p.min_ms,
        shape: p.shape,
    };
    let mut parts: Vec<Part> = law.pieces.iter().filter(|p| p.weight > 0.0).map(part).collect();
    for at in 0..parts.len() {
        even(&mut parts, at);
    }
    parts.retain(|p| p.weight > 1e-15);
    parts
}

/// Joins a part in steps with the values before and behind it that rounding cut short, so that they weigh less than those
/// between: as a mixture of longer and shorter parts, since single values would hold up the fall of a series.
fn even(parts: &mut Vec<Part>, at: usize) {
    let Some(&Part { weight, middle, width, shape: shape @ Shape::Steps { step_ms } }) = parts.get(at) else { return };
    let count = parts[at].points(step_ms);
    let each = weight / count;
    let mut taken = |place: f64| {
        let short =
            |p: &mut Part| p.is_atom() && (p.middle - place).abs() < 1e-6 * step_ms && p.weight < 1.000_001 * each;
        parts.iter_mut().find_map(|p| short(p).then(|| std::mem::take(&mut p.weight))).unwrap_or(0.0)
    };
    let (first, last) = (taken(middle - width / 2.0 - step_ms), taken(middle + width / 2.0 + step_ms));
    let both = (first + last - each).max(0.0);
    let longer = |each: f64, steps: f64, shift: f64| Part {
        weight: each * (count + steps),
        middle: middle + shift * step_ms,
        width: width + steps * step_ms,
        shape,
    };
    parts[at].weight = count * (each - first - last + both);
    parts.extend([longer(first - both, 1.0, -0.5), longer(last - both, 1.0, 0.5), longer(both, 2.0, 0.0)]);
}

impl Part {
    pub fn is_atom(&self) -> bool {
        self.width == 0.0
    }

    /// Whether it is spread evenly, with steps or without.
    pub fn is_even(&self) -> bool {
        !self.is_atom() && matches!(self.shape, Shape::Uniform | Shape::Steps { .. })
    }

    /// How many values a part in steps has.
    fn points(&self, step_ms: f64) -> f64 {
        (self.width / step_ms).round() + 1.0
    }

    /// The characteristic function at `w`.
    pub fn phi(&self, w: f64) -> Complex {
        let half = w * self.width / 2.0;
        match self.shape {
            _ if self.is_atom() => Complex::turn(w * self.middle),
            Shape::Uniform | Shape::Unknown => self.turned(w, libm::sin(half) / half),
            Shape::Steps { step_ms } => {
                let (count, angle) = (self.points(step_ms), w * step_ms / 2.0);
                // Where the frequency is a whole multiple of the steps', the limit.
                let limit = libm::cos(count * angle) / libm::cos(angle);
                let size = libm::sin(count * angle) / (count * libm::sin(angle));
                self.turned(w, if libm::sin(angle).abs() < 1e-9 { limit } else { size })
            }
            Shape::Exponential { rate } => {
                let (fall, ratio) = (libm::exp(-rate * self.width), w / rate);
                let end = Complex::turn(w * self.width).scale(fall);
                let whole = (Complex::ONE - end) * Complex::new(1.0, -ratio).inverse();
                let start = Complex::turn(w * (self.middle - self.width / 2.0));
                (whole * start).scale(1.0 / (1.0 - fall))
            }
        }
    }

    fn turned(&self, w: f64, size: f64) -> Complex {
        if self.middle == 0.0 { Complex::new(size, 0.0) } else { Complex::turn(w * self.middle).scale(size) }
    }

    /// A bound on the size of [`Part::phi`] that holds at `w` and falls from there on; on a lattice of a given step, up to
    /// half its period, within which wider steps come back to 1.
    pub fn bound(&self, w: f64, lattice_ms: Option<f64>) -> f64 {
        match self.shape {
            _ if self.is_atom() => 1.0,
            Shape::Uniform | Shape::Unknown => (2.0 / (w * self.width)).min(1.0),
            Shape::Steps { step_ms } if lattice_ms.is_none_or(|lattice| step_ms > 1.5 * lattice) => 1.0,
            Shape::Steps { step_ms } => (1.0 / (self.points(step_ms) * libm::sin(w * step_ms / 2.0).abs())).min(1.0),
            Shape::Exponential { rate } => {
                let highest = rate.abs() / (1.0 - libm::exp(-rate.abs() * self.width));
                (2.0 * highest / w).min(1.0)
            }
        }
    }

    /// The variance about its own middle; of an exponential part about that too.
    pub fn second_moment(&self) -> f64 {
        let own = match self.shape {
            Shape::Uniform | Shape::Unknown => self.width * self.width / 12.0,
            Shape::Steps { step_ms } => {
                let count = self.points(step_ms);
                (count * count - 1.0) * step_ms * step_ms / 12.0
            }
            Shape::Exponential { rate } => {
                let (fall, rest) = (libm::exp(-rate * self.width), self.width);
                let (scale, mass) = (1.0 / rate, 1.0 - fall);
                let mean = scale - rest * fall / mass;
                let square = 2.0 * scale * scale - fall * (rest * rest + 2.0 * scale * rest) / mass;
                let to_middle = mean - rest / 2.0;
                let from_zero = self.middle + to_middle;
                return square - mean * mean + from_zero * from_zero;
            }
        };
        own + self.middle * self.middle
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the ends weigh, it is the same law, and no single value is left where they weigh less than the others.
    #[test]
    fn short_ends_become_parts_of_the_same_law() {
        for (first, last, left) in [(0.5, 0.5, 2), (0.2, 0.3, 3), (0.9, 0.8, 3), (0.0, 0.4, 2), (0.5, 7.0, 3)] {
            let values: f64 = 5.0 + first + last;
            let piece = |weight: f64, min_ms: f64, max_ms: f64| {
                let shape = if min_ms == max_ms { Shape::Uniform } else { Shape::Steps { step_ms: 10.0 } };
                Piece { weight: weight / values, min_ms, max_ms, shape }
            };
            let law = Law { pieces: vec![piece(first, 10.0, 10.0), piece(5.0, 20.0, 60.0), piece(last, 70.0, 70.0)] };
            let parts = parts(&law, 0.0);
            assert_eq!(parts.len(), left, "{parts:?}");
            for w in [0.01, 0.1, 0.25] {
                let all = parts.iter().fold(Complex::ZERO, |sum, part| sum + part.phi(w).scale(part.weight));
                let weights = [first, 1.0, 1.0, 1.0, 1.0, 1.0, last];
                let terms = (1..).zip(weights).map(|(k, weight)| Complex::turn(w * 10.0 * f64::from(k)).scale(weight));
                let plain = terms.fold(Complex::ZERO, |sum, term| sum + term).scale(1.0 / values);
                assert!((all.re - plain.re).abs() + (all.im - plain.im).abs() < 1e-14, "{first} {last} {w}");
            }
        }
    }
}
