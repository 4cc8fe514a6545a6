//! The total of decorrelated waits: `w_k = min(cap, U[base, 3 w_(k-1)])`, `w_0 = base`.
//!
//! Given the wait before, `u_k(w) = E exp(i omega (w_1 + … + w_k))` obeys
//!
//! `u_(k+1)(w) = r(w) (int_b^min(3w,c) e(v) u_k(v) dv + (3w - c)^+ e(c) u_k(c))`, `r(w) = 1/(3w - b)`, `e(v) = exp(i omega v)`.
//!
//! On panel `m` of the mesh it is a combination of `T^i r`, `i <= m`, and `T^min(k,m) 1`, where
//! `(T g)(w) = r(w) int e g` from the start of the panel above to `3w`: the integrals are done once per frequency, and
//! the steps are short recurrences.

use super::Distribution;
use super::complex::Complex;
use super::mesh::{Mesh, Rule};
use super::series::Series;
use crate::policy::{Backoff, CapOrder, Jitter, Policy};
use std::f64::consts::PI;

/// The most waits whose law is computed.
const MOST_RETRIES: u64 = 10_000;
/// Terms below this end the series.
const NEGLIGIBLE: f64 = 1e-11;

/// The chain of waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chain {
    pub base_ms: f64,
    /// Above the base, and no more than can be reached.
    pub cap_ms: f64,
    pub retries: u64,
}

/// The law of the total.
pub(super) struct Decorrelated {
    pub mean_ms: f64,
    pub sd_ms: f64,
    pub range: (f64, f64),
    /// The probability of the largest total.
    pub at_max: f64,
    /// A bound on the error of the distribution function.
    pub error: f64,
    series: Series,
    /// Places where the density jumps, and by how much.
    jumps: Vec<(f64, f64)>,
}

/// All integrals of one frequency.
struct Basis {
    /// `int e T^i r` and `int e T^i 1` over each panel, the last one from the base on.
    of_r: Vec<Vec<Complex>>,
    of_one: Vec<Vec<Complex>>,
    /// `T^i r` and `T^i 1` at the base.
    r_at_base: Vec<Complex>,
    one_at_base: Vec<Complex>,
}

impl Chain {
    /// The chain of a policy that is one, has more than one wait, and no deadline.
    pub fn of(policy: &Policy) -> Option<Chain> {
        let (base_ms, cap_ms) = bounds(policy)?;
        let retries = policy.retries.filter(|n| policy.deadline.is_none() && (2..=MOST_RETRIES).contains(n))?;
        Chain::new(base_ms, cap_ms, retries)
    }

    /// A chain of `retries` waits; `None` where the cap is not above the base or the range is beyond all bounds.
    pub fn new(base_ms: f64, cap_ms: Option<f64>, retries: u64) -> Option<Chain> {
        let reached = base_ms * libm::pow(3f64, retries as f64);
        let cap_ms = cap_ms.map_or(reached, |cap| cap.min(reached));
        let sound = base_ms > 0.0 && cap_ms > base_ms && cap_ms.is_finite();
        sound.then_some(Chain { base_ms, cap_ms, retries })
    }

    /// The smallest and the largest total.
    fn range(&self) -> (f64, f64) {
        let (mut high, mut top) = (0.0, self.base_ms);
        for k in 0..self.retries {
            top = (3.0 * top).min(self.cap_ms);
            if top == self.cap_ms {
                return (self.base_ms * self.retries as f64, high + top * (self.retries - k) as f64);
            }
            high += top;
        }
        (self.base_ms * self.retries as f64, high)
    }

    /// How many terms the law is worth: few for many waits, more where most of the law lies far below the largest
    /// total; `None` where that is too far.
    fn most_terms(&self, mean_ms: f64, max_ms: f64) -> Option<usize> {
        let spread = 40.0 * max_ms / mean_ms;
        let least = if self.retries >= 20 { 128.0 } else { 256.0 };
        (spread <= 600.0).then_some(spread.max(least) as usize)
    }

    /// The law of the total; `None` where a series would take too many terms.
    pub fn law(&self) -> Option<Decorrelated> {
        let (mean_ms, variance) = self.moments();
        let (min, max) = self.range();
        let limit = self.most_terms(mean_ms, max)?;
        let (period, rule) = (max - min, Rule::new());
        let (at_max, jumps) = (self.at_max(), self.jumps(max));
        let mut terms: Vec<Complex> = Vec::new();
        let ended = |terms: &[Complex]| terms.len() > 8 && terms.iter().rev().take(8).all(|t| t.norm() < NEGLIGIBLE);
        for j in 1..=limit {
            let w = 2.0 * PI * j as f64 / period;
            let whole = self.basis(&rule, w).transform(self, w) * Complex::turn(-w * mean_ms);
            let atom = Complex::turn(w * (max - mean_ms)).scale(at_max);
            let mut term = (whole - atom).scale(1.0 / (PI * j as f64));
            for &(place, jump) in &jumps {
                let size = jump * period / (2.0 * (PI * j as f64).powi(2));
                term = term - Complex::turn(w * (place - mean_ms)) * Complex::new(0.0, size);
            }
            terms.push(term);
            if ended(&terms) {
                break;
            }
        }
        let (mass, moment) = (1.0 - at_max, -at_max * (max - mean_ms));
        let series = Series { start: min, period, centre: mean_ms, mass, moment, step: None, terms };
        let sd_ms = variance.max(0.0).sqrt();
        let error = 10.0 * NEGLIGIBLE;
        let mut law = Decorrelated { mean_ms, sd_ms, range: (min, max), at_max, error, series, jumps };
        if !ended(&law.series.terms) {
            law.error = law.truncation();
        }
        Some(law)
    }

    /// The probability that all waits are the cap.
    fn at_max(&self) -> f64 {
        let (b, c) = (self.base_ms, self.cap_ms);
        let reached = (3.0 * b - c).max(0.0) / (2.0 * b);
        reached * libm::pow(self.stay(), self.retries as f64 - 1.0)
    }

    /// The probability that the wait after one on the cap is on it too.
    fn stay(&self) -> f64 {
        2.0 * self.cap_ms / (3.0 * self.cap_ms - self.base_ms)
    }

    /// Where the density of the total of two or more waits jumps.
    fn jumps(&self, max: f64) -> Vec<(f64, f64)> {
        let (b, c, n) = (self.base_ms, self.cap_ms, self.retries as i32);
        let stay = self.stay();
        if c >= 9.0 * b || n < 2 {
            return Vec::new();
        }
        if c >= 3.0 * b {
            return vec![(max, -(9.0 * b - c) / (16.0 * b * b) * stay.powi(n - 2))];
        }
        let first = (3.0 * b - c) / (2.0 * b);
        let entering: f64 = (2..=n)
            .map(|k| {
                let after = if k < n { first * stay.powi(n - k - 1) } else { 1.0 };
                first * stay.powi(k - 2) * after / (3.0 * c - b)
            })
            .sum();
        let up = first * stay.powi(n - 2) / (2.0 * b) + entering;
        let down = stay.powi(n - 1) / (2.0 * b) + f64::from(n - 1) * first * stay.powi(n - 2) / (3.0 * c - b);
        vec![(c * f64::from(n - 1) + b, up), (max, -down)]
    }

    fn basis(&self, rule: &Rule, w: f64) -> Basis {
        let mesh = Mesh::new(rule, self.base_ms, self.cap_ms, w);
        let reciprocal = |w: f64| 1.0 / (3.0 * w - self.base_ms);
        let (mut of_r, mut of_one) = (Vec::new(), Vec::new());
        let (mut r_at_base, mut one_at_base) = (Vec::new(), Vec::new());
        let (mut powers_of_r, mut powers_of_one): (Vec<Vec<Complex>>, Vec<Vec<Complex>>) = (Vec::new(), Vec::new());
        for m in 0..=mesh.last {
            let scale = 3f64.powi(-(m as i32));
            let r: Vec<f64> = mesh.places.iter().map(|y| reciprocal(y * scale)).collect();
            powers_of_r.insert(0, r.iter().map(|&r| Complex::new(r, 0.0)).collect());
            powers_of_one.insert(0, vec![Complex::ONE; r.len()]);
            if m == mesh.last {
                r_at_base.insert(0, Complex::new(reciprocal(self.base_ms), 0.0));
                one_at_base.insert(0, Complex::ONE);
            }
            let turning: Vec<Complex> = mesh.places.iter().map(|y| Complex::turn(w * y * scale)).collect();
            let integrate = |powers: &mut Vec<Vec<Complex>>, at_base: &mut Vec<Complex>| -> Vec<Complex> {
                let next = scale / 3.0;
                let mut totals = Vec::new();
                for power in powers.iter_mut() {
                    let product: Vec<Complex> = power.iter().zip(&turning).map(|(&f, &e)| f * e).collect();
                    if m == mesh.last {
                        totals.push(mesh.total(rule, &product).scale(scale));
                        continue;
                    }
                    let integral = mesh.integral(rule, &product);
                    totals.push(integral.whole.scale(scale));
                    if m + 1 == mesh.last {
                        at_base.push(integral.split.scale(scale * reciprocal(self.base_ms)));
                    }
                    let applied = integral.at.iter().zip(&mesh.places);
                    *power = applied.map(|(i, y)| i.scale(scale * reciprocal(y * next))).collect();
                }
                totals
            };
            of_r.push(integrate(&mut powers_of_r, &mut r_at_base));
            of_one.push(integrate(&mut powers_of_one, &mut one_at_base));
        }
        Basis { of_r, of_one, r_at_base, one_at_base }
    }
}

impl Basis {
    /// `u_n` at the base.
    fn transform(&self, chain: &Chain, w: f64) -> Complex {
        let last = self.of_r.len() - 1;
        let (b, c) = (chain.base_ms, chain.cap_ms);
        let at_cap = Complex::turn(w * c);
        let reciprocal_at_cap = 1.0 / (3.0 * c - b);
        // weights[m][i]: the coefficient of T^i r on panel m; ones[m]: that of T^min(k,m) 1.
        let mut weights: Vec<Vec<Complex>> = (0..=last).map(|m| vec![Complex::ZERO; m + 1]).collect();
        let mut ones = vec![Complex::ONE; last + 1];
        let mut value_at_cap = Complex::ONE;
        // reached[m]: the integral of e u_k from the base to the end of panel m.
        let mut reached = vec![Complex::ZERO; last + 2];
        for k in 0..chain.retries as usize {
            for m in (0..=last).rev() {
                let of_one = ones[m] * self.of_one[m][k.min(m)];
                reached[m] = reached[m + 1] + of_one + combined(&weights[m], &self.of_r[m]);
            }
            for m in (1..=last).rev() {
                let (above, here) = weights.split_at_mut(m);
                here[0][1..].copy_from_slice(&above[m - 1]);
                here[0][0] = reached[m];
                ones[m] = ones[m - 1];
            }
            ones[0] = at_cap * value_at_cap;
            weights[0][0] = reached[0] - ones[0].scale(c - b);
            value_at_cap = ones[0] + weights[0][0].scale(reciprocal_at_cap);
        }
        combined(&weights[last], &self.r_at_base) + ones[last] * self.one_at_base[(chain.retries as usize).min(last)]
    }
}

fn combined(weights: &[Complex], values: &[Complex]) -> Complex {
    weights.iter().zip(values).fold(Complex::ZERO, |sum, (&weight, &value)| sum + weight * value)
}

/// Base and cap of a policy whose waits are decorrelated and nothing else.
pub(super) fn bounds(policy: &Policy) -> Option<(f64, Option<f64>)> {
    let wait = &policy.wait;
    let base_ms = wait.backoff.delay_ms(1);
    let plain = wait.jitter == Jitter::Decorrelated
        && !matches!(wait.backoff, Backoff::Table { .. })
        && wait.rounding.is_none()
        && !matches!(wait.cap_order, CapOrder::Redraw | CapOrder::Ceiling)
        && wait.floor_ms.is_none_or(|floor| floor <= base_ms.min(wait.cap_ms.unwrap_or(base_ms)));
    let alone = policy.plus.is_empty() && policy.phases.is_empty() && policy.first_wait_ms.is_none();
    (plain && alone).then_some((base_ms, wait.cap_ms))
}

/// The smallest sum of the first `k` waits after which the next can be longer than `left_ms` less that sum; the outer
/// `None` for policies that are no plain chain.
pub(super) fn refused_ms(policy: &Policy, k: u64, left_ms: f64) -> Option<Option<f64>> {
    let (base, cap) = bounds(policy)?;
    let cap = cap.unwrap_or(f64::INFINITY);
    // The cheapest way to a wait w is through w/3, w/9, …, none below the base.
    let sum = |w: f64| {
        let (mut sum, mut each) = (0.0, w);
        for _ in 0..k {
            sum += each.max(base).min(cap);
            each /= 3.0;
        }
        sum
    };
    let passes = |w: f64| sum(w) + (3.0 * w).min(cap) > left_ms;
    let (mut low, mut high) = (base, (base * libm::pow(3f64, k as f64)).min(cap).min(left_ms).max(base));
    if passes(low) {
        return Some(Some(sum(low)));
    }
    if !passes(high) {
        return Some(None);
    }
    for _ in 0..100 {
        let middle = low + (high - low) / 2.0;
        (low, high) = if passes(middle) { (low, middle) } else { (middle, high) };
    }
    Some(Some(sum(high)))
}

impl Decorrelated {
    /// The distribution function from the first `count` terms.
    fn cdf_of(&self, ms: f64, count: usize) -> f64 {
        let (min, max) = self.range;
        if ms < min || ms >= max {
            return f64::from(ms >= max);
        }
        let place = |from: f64| ((ms - from) / self.series.period).rem_euclid(1.0);
        let kink = |&(from, jump): &(f64, f64)| {
            let t = place(from);
            -jump * self.series.period / 2.0 * (t * t - t + 1.0 / 6.0)
        };
        (self.series.cdf_of(ms, count) + self.jumps.iter().map(kink).sum::<f64>()).clamp(0.0, 1.0)
    }

    /// Twice as far as the last quarter of the terms leads: more than those left out would add.
    fn truncation(&self) -> f64 {
        let count = self.series.terms.len();
        let (min, max) = self.range;
        let at = |i: u32| min + (max - min) * (f64::from(i) + 0.5) / 64.0;
        let off = |ms: f64| 2.0 * (self.cdf_of(ms, count) - self.cdf_of(ms, count / 4 * 3)).abs();
        (0..64).map(|i| off(at(i))).fold(1e-14, f64::max)
    }
}

impl Distribution for Decorrelated {
    fn cdf(&self, ms: f64) -> f64 {
        self.cdf_of(ms, self.series.terms.len())
    }

    fn density(&self, ms: f64) -> f64 {
        let (min, max) = self.range;
        if ms < min || ms > max {
            return 0.0;
        }
        let kink = |&(from, jump): &(f64, f64)| jump * (0.5 - ((ms - from) / self.series.period).rem_euclid(1.0));
        (self.series.density(ms, self.series.terms.len()) + self.jumps.iter().map(kink).sum::<f64>()).max(0.0)
    }
}
