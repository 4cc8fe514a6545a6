//! A law by the Fourier series of its distribution function.
//!
//! A law that lives on an interval no longer than the period `P` has, with `phi_j = E exp(i w_j (X - centre))` and
//! `w_j = 2 pi j / P`,
//!
//! `F(x) = m/2 + (m y - M)/P + sum_j Re[i phi_j exp(-i w_j y)] / (pi j)`, `y = x - centre`,
//!
//! `m` the mass and `M` the first moment about the centre. There is no aliasing error: only the tail is cut. On a
//! lattice of step `u`, `M' = P/u` points, the factor `1/(pi j)` becomes `1/(M' sin(pi j/M'))`, the sum is finite, and
//! `F` at a lattice point is this function half a step above it.

use super::complex::Complex;
use std::f64::consts::PI;

/// A measure of some mass (a part of a law) on an interval.
pub(super) struct Series {
    /// Where the interval begins, ms.
    pub start: f64,
    pub period: f64,
    /// What the coefficients are centred on, ms.
    pub centre: f64,
    pub mass: f64,
    /// First moment about the centre.
    pub moment: f64,
    /// Distance of the values, where they form a lattice that contains `start`.
    pub step: Option<f64>,
    /// `phi_j / (pi j)`, j from 1.
    pub terms: Vec<Complex>,
}

impl Series {
    /// The factor that makes a term of `phi_j`.
    pub fn weight(j: f64, period: f64, step: Option<f64>) -> f64 {
        match step {
            None => 1.0 / (PI * j),
            Some(step) => {
                let points = (period / step).round();
                let half = if 2.0 * j == points { 0.5 } else { 1.0 };
                half / (points * libm::sin(PI * j / points))
            }
        }
    }

    /// `sum c_j z^j` and `sum j c_j z^j` at `z = exp(-2 pi i y / P)`, by one Horner pass over the first `count` terms.
    fn sums(&self, y: f64, count: usize) -> (Complex, Complex) {
        let z = Complex::turn(-2.0 * PI * (y / self.period));
        let (mut value, mut slope) = (Complex::ZERO, Complex::ZERO);
        for &term in self.terms[..count].iter().rev() {
            slope = slope * z + value;
            value = value * z + term;
        }
        (value * z, (slope * z + value) * z)
    }

    /// Where the distribution function is evaluated for a time: half a step above the lattice point at or below it.
    fn place(&self, ms: f64) -> f64 {
        match self.step {
            None => ms,
            Some(step) => self.start + (((ms - self.start) / step + 1e-6).floor() + 0.5) * step,
        }
    }

    /// The mass at or below a time.
    pub fn cdf(&self, ms: f64) -> f64 {
        self.cdf_of(ms, self.terms.len())
    }

    /// The same from the first `count` terms.
    pub fn cdf_of(&self, ms: f64, count: usize) -> f64 {
        let x = self.place(ms);
        if x < self.start {
            return 0.0;
        }
        if x >= self.start + self.period {
            return self.mass;
        }
        let y = x - self.centre;
        let (sum, _) = self.sums(y, count);
        self.mass / 2.0 + (self.mass * y - self.moment) / self.period - sum.im
    }

    /// The density at a time from the first `count` terms; of a lattice, the smooth curve through its points.
    pub fn density(&self, ms: f64, count: usize) -> f64 {
        if ms < self.start || ms > self.start + self.period {
            return 0.0;
        }
        let (_, slope) = self.sums(ms - self.centre, count.min(self.terms.len()));
        (self.mass + 2.0 * PI * slope.re) / self.period
    }

    /// The integral of [`Series::cdf`] up to a time; for laws that are no lattice.
    pub fn integral(&self, ms: f64) -> f64 {
        let end = self.start + self.period;
        match () {
            () if ms <= self.start => 0.0,
            () if ms >= end => self.primitive(end) - self.primitive(self.start) + self.mass * (ms - end),
            () => self.primitive(ms) - self.primitive(self.start),
        }
    }

    fn primitive(&self, ms: f64) -> f64 {
        let y = ms - self.centre;
        let z = Complex::turn(-2.0 * PI * (y / self.period));
        let mut sum = Complex::ZERO;
        for (index, term) in self.terms.iter().enumerate().rev() {
            sum = sum * z + term.scale(1.0 / (index + 1) as f64);
        }
        let wave = (sum * z).re * self.period / (2.0 * PI);
        self.mass * y / 2.0 + (self.mass * y / 2.0 - self.moment) * y / self.period - wave
    }
}
