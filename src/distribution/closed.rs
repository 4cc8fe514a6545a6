//! Sums of a few waits that are spread evenly, with steps or without, in closed form, and the discrete parts of
//! mixtures: what a Fourier series is slow at.

use super::complex::Complex;
use super::part::Part;
use crate::policy::Shape;

/// The law of an offset plus a few independent times, all spread evenly or all in the same steps, or plus one time of
/// another shape.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Component {
    pub weight: f64,
    /// The smallest value, ms (or relative to wherever the caller measures from).
    pub offset: f64,
    /// The widths, ascending; none for a single value.
    pub widths: Vec<f64>,
    /// The shape of the widths.
    pub shape: Shape,
}

impl Component {
    /// The single value 0.
    pub fn zero() -> Self {
        Component { weight: 1.0, offset: 0.0, widths: Vec::new(), shape: Shape::Uniform }
    }

    /// The law of the sum with a part; `None` where it has no closed form here of at most `order` widths.
    pub fn plus(&self, part: &Part, order: usize) -> Option<Component> {
        let mut sum = self.clone();
        sum.weight *= part.weight;
        sum.offset += part.middle - part.width / 2.0;
        if part.is_atom() {
            return Some(sum);
        }
        let plain = part.is_even() && self.shape == part.shape;
        if self.widths.len() >= order || !(self.widths.is_empty() || plain) {
            return None;
        }
        let at = sum.widths.partition_point(|&w| w < part.width);
        sum.widths.insert(at, part.width);
        sum.shape = part.shape;
        Some(sum)
    }

    /// The distance of the values; 0 where they are spread.
    fn step_ms(&self) -> f64 {
        if let Shape::Steps { step_ms } = self.shape { step_ms } else { 0.0 }
    }

    /// How far a time is behind the offset; in steps, to the last value at or below it.
    fn behind_offset(&self, x: f64) -> f64 {
        let (y, step_ms) = (x - self.offset, self.step_ms());
        if step_ms > 0.0 { (y / step_ms + 1e-6).floor() * step_ms } else { y }
    }

    /// How much of a float's precision the alternating sums lose: `L^n / (n! w_1 … w_n)`.
    pub fn loss(&self) -> f64 {
        let length: f64 = self.widths.iter().sum();
        self.widths.iter().enumerate().map(|(i, w)| length / w / (i + 1) as f64).product()
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        match (self.shape, self.widths.as_slice()) {
            (Shape::Exponential { rate }, [w]) => self.offset + 1.0 / rate - w / libm::expm1(rate * w),
            _ => self.offset + self.widths.iter().sum::<f64>() / 2.0,
        }
    }

    /// The characteristic function at `w`, weight included.
    pub fn phi(&self, w: f64) -> Complex {
        let length: f64 = self.widths.iter().sum();
        let part = |middle, width| Part { weight: 1.0, middle, width, shape: self.shape };
        if let Shape::Exponential { .. } = self.shape {
            return part(self.offset + length / 2.0, length).phi(w).scale(self.weight);
        }
        let size: f64 = self.widths.iter().map(|&width| part(0.0, width).phi(w).re).product();
        Complex::turn(w * (self.offset + length / 2.0)).scale(size * self.weight)
    }

    /// The probability, weight included, of at most `x`.
    pub fn cdf(&self, x: f64) -> f64 {
        let y = self.behind_offset(x);
        let length: f64 = self.widths.iter().sum();
        // A single value is reached in spite of the rounding of the sums that led to it.
        let hair = if length == 0.0 { 1e-12 * (1.0 + x.abs() + self.offset.abs()) } else { 0.0 };
        match () {
            () if y < -hair => 0.0,
            () if y >= length - hair => self.weight,
            () => self.weight * self.inside(y, length),
        }
    }

    fn inside(&self, y: f64, length: f64) -> f64 {
        match self.shape {
            Shape::Exponential { rate } => libm::expm1(-rate * y) / libm::expm1(-rate * length),
            // By symmetry; what is above a value begins a step further.
            _ if y > length / 2.0 => 1.0 - self.power_sum(length - y - self.step_ms(), self.widths.len() as i32),
            _ => self.power_sum(y, self.widths.len() as i32),
        }
    }

    /// The density of the spread part, weight included.
    pub fn density(&self, x: f64) -> f64 {
        let y = self.behind_offset(x);
        let length: f64 = self.widths.iter().sum();
        if self.widths.is_empty() || y < 0.0 || y > length {
            return 0.0;
        }
        self.weight
            * match self.shape {
                Shape::Exponential { rate } => -rate * libm::exp(-rate * y) / libm::expm1(-rate * length),
                _ => self.power_sum(y.min(length - y), self.widths.len() as i32 - 1),
            }
    }

    /// The integral of [`Component::cdf`] up to `x`; for uniform widths and single values.
    pub fn integral(&self, x: f64) -> f64 {
        let y = x - self.offset;
        let length: f64 = self.widths.iter().sum();
        let power = self.widths.len() as i32 + 1;
        let below = |y: f64| {
            if y <= length / 2.0 || self.widths.is_empty() {
                self.power_sum(y, power)
            } else {
                // By symmetry the integral of F over [0, y] is that over [0, L-y] and what F gains beyond the middle.
                self.power_sum(length - y, power) + y - length / 2.0
            }
        };
        match () {
            () if y <= 0.0 => 0.0,
            () if y >= length => self.weight * (y - length / 2.0),
            () => self.weight * below(y),
        }
    }

    /// `sum over subsets S of (-1)^|S| (y - w_S)_+^power / (power! w_1 … w_n)`. In steps of `u` the power of a length `r`
    /// is the number of ways to fill it, `(r + u) (r + 2 u) …`, and each width is one step longer: all of its values.
    fn power_sum(&self, y: f64, power: i32) -> f64 {
        let (step_ms, mut sum) = (self.step_ms(), 0.0);
        for subset in 0u32..1 << self.widths.len() {
            let chosen = self.widths.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1);
            let rest = y - chosen.map(|(_, w)| w + step_ms).sum::<f64>();
            if rest > -1e-6 * step_ms || (rest == 0.0 && power == 0) {
                let sign = if subset.count_ones() % 2 == 0 { 1.0 } else { -1.0 };
                sum += sign * (1..=power).map(|n| rest + f64::from(n) * step_ms).product::<f64>();
            }
        }
        let factorial: i32 = (1..=power).product();
        sum / (f64::from(factorial) * self.widths.iter().map(|w| w + step_ms).product::<f64>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of 1, 3 and 6 steps of 0.5, counted out one by one.
    #[test]
    fn steps_are_counted_out() {
        let part = |width| Part { weight: 1.0, middle: width / 2.0, width, shape: Shape::Steps { step_ms: 0.5 } };
        let sum = [0.5, 1.5, 3.0]
            .iter()
            .try_fold(Component::zero(), |sum, &width| sum.plus(&part(width), 3))
            .expect("three widths in the same steps");
        let mut ways = [0.0; 11];
        for (a, b, c) in (0..2).flat_map(|a| (0..4).flat_map(move |b| (0..7).map(move |c| (a, b, c)))) {
            ways[a + b + c] += 1.0 / (2.0 * 4.0 * 7.0);
        }
        let mut below = 0.0;
        for (k, p) in ways.into_iter().enumerate() {
            below += p;
            let at = k as f64 * 0.5;
            for ms in [at, at + 0.25] {
                assert!((sum.cdf(ms) - below).abs() < 1e-15, "{ms}: {} for {below}", sum.cdf(ms));
            }
            assert!((sum.density(at) * 0.5 - p).abs() < 1e-15, "{at}: {} for {p}", sum.density(at) * 0.5);
        }
        assert_eq!((sum.cdf(-0.01), sum.cdf(5.0)), (0.0, 1.0));
    }
}
