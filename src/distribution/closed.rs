//! Sums of a few uniform waits in closed form, and the discrete parts of mixtures: what a Fourier series is
//! slow at.

use super::complex::Complex;
use super::part::Part;
use crate::policy::Shape;

/// The law of an offset plus a few independent uniform times, or plus one time of another shape.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Component {
    pub weight: f64,
    /// The smallest value, ms (or relative to wherever the caller measures from).
    pub offset: f64,
    /// The widths, ascending; none for a single value.
    pub widths: Vec<f64>,
    /// The shape of the only width, where it is not uniform.
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
        let plain = part.is_uniform() && self.shape == Shape::Uniform;
        if self.widths.len() >= order || !(self.widths.is_empty() || plain) {
            return None;
        }
        let at = sum.widths.partition_point(|&w| w < part.width);
        sum.widths.insert(at, part.width);
        sum.shape = part.shape;
        Some(sum)
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
        if self.shape != Shape::Uniform {
            let part = Part { weight: 1.0, middle: self.offset + length / 2.0, width: length, shape: self.shape };
            return part.phi(w).scale(self.weight);
        }
        let size: f64 = self.widths.iter().map(|width| libm::sin(w * width / 2.0) / (w * width / 2.0)).product();
        Complex::turn(w * (self.offset + length / 2.0)).scale(size * self.weight)
    }

    /// The probability, weight included, of at most `x`.
    pub fn cdf(&self, x: f64) -> f64 {
        let y = x - self.offset;
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
            Shape::Steps { step_ms } => {
                let points = (length / step_ms).round() + 1.0;
                ((y / step_ms + 1e-6).floor() + 1.0).min(points) / points
            }
            _ if y > length / 2.0 => 1.0 - self.power_sum(length - y, self.widths.len() as i32),
            _ => self.power_sum(y, self.widths.len() as i32),
        }
    }

    /// The density of the spread part, weight included.
    pub fn density(&self, x: f64) -> f64 {
        let y = x - self.offset;
        let length: f64 = self.widths.iter().sum();
        if self.widths.is_empty() || y < 0.0 || y > length {
            return 0.0;
        }
        self.weight
            * match self.shape {
                Shape::Exponential { rate } => -rate * libm::exp(-rate * y) / libm::expm1(-rate * length),
                Shape::Steps { .. } => 1.0 / length,
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

    /// `sum over subsets S of (-1)^|S| (y - w_S)_+^power / (power! w_1 … w_n)`.
    fn power_sum(&self, y: f64, power: i32) -> f64 {
        let mut sum = 0.0;
        for subset in 0u32..1 << self.widths.len() {
            let chosen = self.widths.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1);
            let rest = y - chosen.map(|(_, w)| w).sum::<f64>();
            if rest > 0.0 || (rest == 0.0 && power == 0) {
                let sign = if subset.count_ones() % 2 == 0 { 1.0 } else { -1.0 };
                sum += sign * rest.powi(power);
            }
        }
        let factorial: i32 = (1..=power).product();
        sum / (f64::from(factorial) * self.widths.iter().product::<f64>())
    }
}
