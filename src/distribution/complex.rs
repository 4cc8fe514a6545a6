//! The little of complex arithmetic that characteristic functions need.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// A complex number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Complex {
    pub re: f64,
    pub im: f64,
}

impl Complex {
    pub const ZERO: Complex = Complex { re: 0.0, im: 0.0 };
    pub const ONE: Complex = Complex { re: 1.0, im: 0.0 };

    pub fn new(re: f64, im: f64) -> Self {
        Complex { re, im }
    }

    /// `exp(i angle)`.
    pub fn turn(angle: f64) -> Self {
        let (sin, cos) = libm::sincos(angle);
        Complex::new(cos, sin)
    }

    pub fn scale(self, by: f64) -> Self {
        Complex::new(self.re * by, self.im * by)
    }

    pub fn norm(self) -> f64 {
        libm::hypot(self.re, self.im)
    }

    /// A power with a real exponent, not negative.
    pub fn power(self, exponent: f64) -> Self {
        if exponent == 1.0 {
            return self;
        }
        let norm = self.norm();
        Complex::turn(libm::atan2(self.im, self.re) * exponent).scale(libm::pow(norm, exponent))
    }

    pub fn inverse(self) -> Self {
        let square = self.re * self.re + self.im * self.im;
        Complex::new(self.re / square, -self.im / square)
    }
}

impl Add for Complex {
    type Output = Complex;
    fn add(self, other: Complex) -> Complex {
        Complex::new(self.re + other.re, self.im + other.im)
    }
}

impl AddAssign for Complex {
    fn add_assign(&mut self, other: Complex) {
        *self = *self + other;
    }
}

impl Sub for Complex {
    type Output = Complex;
    fn sub(self, other: Complex) -> Complex {
        Complex::new(self.re - other.re, self.im - other.im)
    }
}

impl Mul for Complex {
    type Output = Complex;
    fn mul(self, other: Complex) -> Complex {
        Complex::new(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
    }
}

impl Neg for Complex {
    type Output = Complex;
    fn neg(self) -> Complex {
        Complex::new(-self.re, -self.im)
    }
}
