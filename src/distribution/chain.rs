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
        let wait = self.nodal(&mesh, |v| v);
        let (mut first, mut second) = (self.nodal(&mesh, |_| 0.0), self.nodal(&mesh, |_| 0.0));
        let (mut mean, mut variance, mut growth) = (0.0, 0.0, (0.0, 0.0));
        for k in 0..self.retries {
            let square = wait.with(&first, &second, |v, first, second| v * v + 2.0 * v * first + second);
            second = self.expectation(&rule, &mesh, &square);
            first = self.expectation(&rule, &mesh, &wait.with(&first, &first, |v, first, _| v + first));
            let here = (first.at_base, second.at_base - first.at_base * first.at_base);
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
        let mut mean = self.nodal(&mesh, |v| v);
        let mut cap = Nodal { at_cap: 1.0, ..self.nodal(&mesh, |_| 0.0) };
        let mut steps: Vec<Step> = Vec::new();
        while (steps.len() as u64) < self.retries {
            (mean, cap) = (self.expectation(&rule, &mesh, &mean), self.expectation(&rule, &mesh, &cap));
            let step = Step { mean_ms: mean.at_base, at_cap: cap.at_base };
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

    fn nodal(&self, mesh: &Mesh, f: impl Fn(f64) -> f64) -> Nodal {
        let panel = |m: usize| mesh.places.iter().map(|y| f(y * 3f64.powi(-(m as i32)))).collect();
        Nodal { panels: (0..=mesh.last).map(panel).collect(), at_cap: f(self.cap_ms), at_base: f(self.base_ms) }
    }

    /// `E[g(next) | w]` for `w` at every node.
    fn expectation(&self, rule: &Rule, mesh: &Mesh, g: &Nodal) -> Nodal {
        let complex = |panel: &Vec<f64>| panel.iter().map(|&x| Complex::new(x, 0.0)).collect::<Vec<_>>();
        let integrals: Vec<Integral> = g.panels.iter().map(|p| mesh.integral(rule, &complex(p))).collect();
        let scale = |m: usize| 3f64.powi(-(m as i32));
        let mut below = vec![0.0; mesh.last + 2];
        for m in (0..=mesh.last).rev() {
            let from = if m == mesh.last { integrals[m].split.re } else { 0.0 };
            below[m] = below[m + 1] + (integrals[m].whole.re - from) * scale(m);
        }
        let value = |w: f64, reached: f64| {
            let over = (3.0 * w - self.cap_ms).max(0.0) * g.at_cap;
            (reached + over) / (3.0 * w - self.base_ms)
        };
        let panel = |m: usize| -> Vec<f64> {
            let nodes = mesh.places.iter().enumerate();
            nodes
                .map(|(q, y)| {
                    let above = if m == 0 { 0.0 } else { integrals[m - 1].at[q].re * scale(m - 1) };
                    value(y * scale(m), below[m] + above)
                })
                .collect()
        };
        let above = if mesh.last == 0 { 0.0 } else { integrals[mesh.last - 1].split.re * scale(mesh.last - 1) };
        Nodal {
            panels: (0..=mesh.last).map(panel).collect(),
            at_cap: value(self.cap_ms, below[0]),
            at_base: value(self.base_ms, below[mesh.last] + above),
        }
    }
}

/// A real function of the wait before, at the nodes of every panel and where it is asked for.
#[derive(Clone)]
struct Nodal {
    panels: Vec<Vec<f64>>,
    at_cap: f64,
    at_base: f64,
}

impl Nodal {
    /// `f(self, g, h)` everywhere.
    fn with(&self, g: &Nodal, h: &Nodal, f: impl Fn(f64, f64, f64) -> f64) -> Nodal {
        let panel = |((a, b), c): ((&Vec<f64>, &Vec<f64>), &Vec<f64>)| -> Vec<f64> {
            a.iter().zip(b).zip(c).map(|((&a, &b), &c)| f(a, b, c)).collect()
        };
        Nodal {
            panels: self.panels.iter().zip(&g.panels).zip(&h.panels).map(panel).collect(),
            at_cap: f(self.at_cap, g.at_cap, h.at_cap),
            at_base: f(self.at_base, g.at_base, h.at_base),
        }
    }
}
