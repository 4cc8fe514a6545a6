//! A mesh for functions of the wait before, on `[b, c]`, that the map `w -> 3w` carries onto itself.
//!
//! Panel `m` is `[c/3^(m+1), c/3^m]`; all panels have the nodes of panel 0, scaled. So what is known on panel `m - 1` is
//! known at three times every node of panel `m`, and nothing is interpolated. The last panel begins at `b`, which is an
//! edge of the mesh.

use super::complex::Complex;
use super::quadrature::gauss;

/// Nodes of each cell.
const NODES: usize = 12;
/// The most that an oscillation turns within a cell, rad.
const MOST_TURN: f64 = 6.0;
/// The most that the ends of a cell are apart, as a ratio.
const MOST_RATIO: f64 = 1.75;

/// The rule within a cell.
pub(super) struct Rule {
    nodes: Vec<(f64, f64)>,
    /// `cumulative[i][j]`: what the value at node `j` adds to the integral from the cell's start to node `i`.
    cumulative: Vec<Vec<f64>>,
}

/// The cells of panel 0.
pub(super) struct Mesh {
    /// The nodes, ascending.
    pub places: Vec<f64>,
    /// Half the width of each cell.
    halves: Vec<f64>,
    /// How many cells lie below the image of `b`.
    split: usize,
    /// The number of the panel that holds `b`.
    pub last: usize,
}

/// Integrals over a panel from its start.
pub(super) struct Integral {
    /// Up to each node.
    pub at: Vec<Complex>,
    /// Up to the image of `b`.
    pub split: Complex,
    /// Over the whole.
    pub whole: Complex,
}

impl Rule {
    pub fn new() -> Self {
        let nodes = gauss(NODES);
        let legendre = |x: f64| {
            let mut p = vec![1.0, x];
            for degree in 2..=NODES {
                let m = degree as f64;
                p.push(((2.0 * m - 1.0) * x * p[degree - 1] - (m - 1.0) * p[degree - 2]) / m);
            }
            p
        };
        let polynomials: Vec<Vec<f64>> = nodes.iter().map(|&(x, _)| legendre(x)).collect();
        // A node's cardinal polynomial is w_j sum (2m+1)/2 P_m(x_j) P_m, and the integral of P_m from -1 is
        // (P_(m+1) - P_(m-1)) / (2m+1).
        let entry = |i: usize, j: usize| {
            let (here, there) = (&polynomials[i], &polynomials[j]);
            let rest: f64 = (1..NODES).map(|m| there[m] * (here[m + 1] - here[m - 1])).sum();
            nodes[j].1 / 2.0 * (nodes[i].0 + 1.0 + rest)
        };
        let cumulative = (0..NODES).map(|i| (0..NODES).map(|j| entry(i, j)).collect()).collect();
        Rule { nodes, cumulative }
    }

    /// The integral over a cell of half width 1.
    fn whole(&self, cell: &[Complex]) -> Complex {
        cell.iter().zip(&self.nodes).fold(Complex::ZERO, |sum, (value, (_, weight))| sum + value.scale(*weight))
    }
}

impl Mesh {
    /// Fine enough for functions that turn like `exp(i w v)`.
    pub fn new(rule: &Rule, base: f64, cap: f64, w: f64) -> Self {
        // A hair less: a cap that is the base times a power of 3 closes a panel and opens none.
        let last = (libm::log(cap / base) / libm::log(3f64) - 1e-9).floor().max(0.0) as usize;
        let image = base * 3f64.powi(last as i32);
        let mut mesh = Mesh { places: Vec::new(), halves: Vec::new(), split: 0, last };
        if last > 0 && image > cap / 3.0 * (1.0 + 1e-9) {
            mesh.add(rule, cap / 3.0, image, w);
        }
        mesh.split = mesh.halves.len();
        mesh.add(rule, image, cap, w);
        mesh
    }

    fn add(&mut self, rule: &Rule, from: f64, to: f64, w: f64) {
        let turns = (w * (to - from) / MOST_TURN).ceil();
        let ratios = (libm::log(to / from) / libm::log(MOST_RATIO)).ceil();
        let count = turns.max(ratios).max(1.0);
        let edge = |i: f64| match () {
            () if turns > ratios => from + (to - from) * i / count,
            () => from * libm::pow(to / from, i / count),
        };
        for i in 0..count as usize {
            let (low, high) = (edge(i as f64), edge(i as f64 + 1.0));
            let (half, middle) = ((high - low) / 2.0, low + (high - low) / 2.0);
            self.halves.push(half);
            self.places.extend(rule.nodes.iter().map(|(x, _)| middle + half * x));
        }
    }

    /// The integral over panel 0 from the image of `b` on, of the function with these values at the nodes.
    pub fn total(&self, rule: &Rule, values: &[Complex]) -> Complex {
        let cells = values.chunks_exact(NODES).zip(&self.halves).skip(self.split);
        cells.fold(Complex::ZERO, |sum, (cell, half)| sum + rule.whole(cell).scale(*half))
    }

    /// Integrals over panel 0 of the function with these values at the nodes.
    pub fn integral(&self, rule: &Rule, values: &[Complex]) -> Integral {
        let mut integral =
            Integral { at: Vec::with_capacity(values.len()), split: Complex::ZERO, whole: Complex::ZERO };
        for (cell, half) in values.chunks_exact(NODES).zip(&self.halves) {
            for row in &rule.cumulative {
                let mut sum = Complex::ZERO;
                for (value, weight) in cell.iter().zip(row) {
                    sum += value.scale(*weight);
                }
                integral.at.push(integral.whole + sum.scale(*half));
            }
            integral.whole += rule.whole(cell).scale(*half);
            if integral.at.len() == self.split * NODES {
                integral.split = integral.whole;
            }
        }
        integral
    }
}
