//! Means, deviations and shares of decorrelated waits: expectations of functions of the wait before, step by step.

use super::complex::Complex;
use super::decorrelated::{Chain, bounds};
use super::mesh::{Integral, Mesh, Rule};
use crate::policy::Policy;

/// What a wait is: its mean and the probability that it sits on the cap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step {
    pub mean_ms: f64,
    pub at_cap: f64,
}

/// Means and shares on the cap of the first `count` waits of a policy that is a plain chain.
pub(super) fn steps(policy: &Policy, count: u64) -> Option<Vec<Step>> {
    let (base_ms, cap_ms) = bounds(policy)?;
    let chain = Chain::new(base_ms, cap_ms, count)?;
    Some(chain.steps())
}

impl Chain {
    /// Mean and variance of the total.
    pub fn moments(&self) -> (f64, f64) {
        let (rule, mesh) = self.mesh();
        let wait = self.nodal(&mesh, |v| Complex::new(v, v));
        // E[S | w] in the real part, E[S^2 | w] in the other.
        let mut sums = self.nodal(&mesh, |_| Complex::ZERO);
        let (mut mean, mut variance, mut growth) = (0.0, 0.0, (0.0, 0.0));
        for k in 0..self.retries {
            let longer =
                wait.with(&sums, |v, sum| Complex::new(v.re + sum.re, v.re * v.re + 2.0 * v.re * sum.re + sum.im));
            sums = self.expectation(&rule, &mesh, &longer);
            let here = (sums.at_base.re, sums.at_base.im - sums.at_base.re * sums.at_base.re);
            let grown = (here.0 - mean, here.1 - variance);
            let steady = |now: f64, before: f64| (now - before).abs() <= 1e-11 * now.abs();
            (mean, variance) = here;
            if steady(grown.0, growth.0) && steady(grown.1, growth.1) {
                // Each further wait adds the same.
                let rest = (self.retries - k - 1) as f64;
                return (mean + rest * grown.0, variance + rest * grown.1);
            }
            growth = grown;
        }
        (mean, variance)
    }

    /// Means and shares on the cap of the waits in turn.
    fn steps(&self) -> Vec<Step> {
        let (rule, mesh) = self.mesh();
        // The wait in the real part, whether it is the cap in the other.
        let wait = self.nodal(&mesh, |v| Complex::new(v, 0.0));
        let mut later = Nodal { at_cap: Complex::new(self.cap_ms, 1.0), ..wait };
        let mut steps: Vec<Step> = Vec::new();
        while (steps.len() as u64) < self.retries {
            later = self.expectation(&rule, &mesh, &later);
            let step = Step { mean_ms: later.at_base.re, at_cap: later.at_base.im };
            let steady = steps.last().is_some_and(|last| (last.mean_ms - step.mean_ms).abs() < 1e-14 * step.mean_ms);
            let times = if steady { self.retries as usize - steps.len() } else { 1 };
            steps.extend(std::iter::repeat_n(step, times));
        }
        steps
    }

    fn mesh(&self) -> (Rule, Mesh) {
        let rule = Rule::new();
        let mesh = Mesh::new(&rule, self.base_ms, self.cap_ms, 0.0);
        (rule, mesh)
    }

    fn nodal(&self, mesh: &Mesh, f: impl Fn(f64) -> Complex) -> Nodal {
        let panel = |m: usize| mesh.places.iter().map(|y| f(y * scale(m))).collect();
        Nodal { panels: (0..=mesh.last).map(panel).collect(), at_cap: f(self.cap_ms), at_base: f(self.base_ms) }
    }

    /// `E[g(next) | w]` for `w` at every node.
    fn expectation(&self, rule: &Rule, mesh: &Mesh, g: &Nodal) -> Nodal {
        let last = mesh.last;
        let integrals: Vec<Integral> = g.panels[..last].iter().map(|panel| mesh.integral(rule, panel)).collect();
        // below[m]: the integral from the base to the end of panel m.
        let mut below = vec![mesh.total(rule, &g.panels[last]).scale(scale(last)); last + 1];
        for m in (0..last).rev() {
            below[m] = below[m + 1] + integrals[m].whole.scale(scale(m));
        }
        let value = |w: f64, reached: Complex| {
            let over = g.at_cap.scale((3.0 * w - self.cap_ms).max(0.0));
            (reached + over).scale(1.0 / (3.0 * w - self.base_ms))
        };
        let panel = |m: usize| -> Vec<Complex> {
            let above = |q: usize| if m == 0 { Complex::ZERO } else { integrals[m - 1].at[q].scale(scale(m - 1)) };
            let nodes = mesh.places.iter().enumerate();
            nodes.map(|(q, y)| value(y * scale(m), below[m] + above(q))).collect()
        };
        let above = if last == 0 { Complex::ZERO } else { integrals[last - 1].split.scale(scale(last - 1)) };
        Nodal {
            panels: (0..=last).map(panel).collect(),
            at_cap: value(self.cap_ms, below[0]),
            at_base: value(self.base_ms, below[last] + above),
        }
    }
}

/// How much smaller panel `m` is than panel 0.
fn scale(m: usize) -> f64 {
    3f64.powi(-(m as i32))
}

/// Two real functions of the wait before, as real and imaginary part, at the nodes of every panel and where they are
/// asked for. Expectations act on both alike.
struct Nodal {
    panels: Vec<Vec<Complex>>,
    at_cap: Complex,
    at_base: Complex,
}

impl Nodal {
    /// `f(self, other)` everywhere.
    fn with(&self, other: &Nodal, f: impl Fn(Complex, Complex) -> Complex) -> Nodal {
        let panel = |(a, b): (&Vec<Complex>, &Vec<Complex>)| a.iter().zip(b).map(|(&a, &b)| f(a, b)).collect();
        Nodal {
            panels: self.panels.iter().zip(&other.panels).map(panel).collect(),
            at_cap: f(self.at_cap, other.at_cap),
            at_base: f(self.at_base, other.at_base),
        }
    }
}
