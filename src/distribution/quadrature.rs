//! Integrals: Gauss–Legendre rules, plain and adaptive.

use std::f64::consts::PI;

/// Nodes on [-1, 1] and weights of the Gauss–Legendre rule with `count` nodes.
pub(super) fn gauss(count: usize) -> Vec<(f64, f64)> {
    let n = count as f64;
    let node = |i: usize| {
        // Newton's method on the Legendre polynomial, from Tricomi's approximation of its root.
        let mut x = libm::cos(PI * (i as f64 + 0.75) / (n + 0.5));
        let mut slope = 1.0;
        for _ in 0..100 {
            let (mut before, mut here) = (1.0, x);
            for degree in 2..=count {
                let m = degree as f64;
                (before, here) = (here, ((2.0 * m - 1.0) * x * here - (m - 1.0) * before) / m);
            }
            slope = n * (x * here - before) / (x * x - 1.0);
            let step = here / slope;
            x -= step;
            if step.abs() < 1e-16 {
                break;
            }
        }
        (x, 2.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..count).rev().map(node).collect()
}

/// The integral of `f` over `[from, to]` by one application of a rule.
pub(super) fn applied(rule: &[(f64, f64)], from: f64, to: f64, f: &mut impl FnMut(f64) -> f64) -> f64 {
    let (half, middle) = ((to - from) / 2.0, from + (to - from) / 2.0);
    rule.iter().map(|(x, weight)| weight * f(middle + half * x)).sum::<f64>() * half
}

/// The integrals over `[from, to]` of the two functions that `f` gives, each interval halved until its halves agree
/// with it, as far as the first function, which is up to `error` off, lets them. `bends` are places where `f` is not
/// smooth.
pub(super) fn adaptive(
    (from, to): (f64, f64),
    bends: &[f64],
    error: f64,
    f: &impl Fn(f64) -> (f64, f64),
) -> (f64, f64) {
    let rule = gauss(12);
    let whole = |a: f64, b: f64| {
        let (half, middle) = ((b - a) / 2.0, a + (b - a) / 2.0);
        let mut sum = (0.0, 0.0);
        for (x, weight) in &rule {
            let (first, second) = f(middle + half * x);
            sum = (sum.0 + weight * half * first, sum.1 + weight * half * second);
        }
        sum
    };
    let mut edges: Vec<f64> = bends.iter().copied().filter(|&b| b > from && b < to).chain([from, to]).collect();
    edges.sort_by(f64::total_cmp);
    edges.dedup();
    let mut open: Vec<_> = edges.windows(2).map(|e| (e[0], e[1], whole(e[0], e[1]), 0)).collect();
    let mut sum = (0.0, 0.0);
    while let Some((a, b, (first, _), depth)) = open.pop() {
        let middle = a + (b - a) / 2.0;
        let (left, right) = (whole(a, middle), whole(middle, b));
        let halves = (left.0 + right.0, left.1 + right.1);
        if depth >= 12 || (halves.0 - first).abs() <= error.max(1e-13) * (to - from) {
            sum = (sum.0 + halves.0, sum.1 + halves.1);
        } else {
            open.push((a, middle, left, depth + 1));
            open.push((middle, b, right, depth + 1));
        }
    }
    sum
}
