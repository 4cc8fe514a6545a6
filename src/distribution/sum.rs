//! The law of a sum of independent waits: what has a closed form in closed form, the rest as a Fourier series.

use super::closed::Component;
use super::complex::Complex;
use super::part::{Part, parts};
use super::series::Series;
use crate::policy::{Law, Shape};
use std::f64::consts::PI;

/// Terms of the distribution function's series below this are left out.
const NEGLIGIBLE: f64 = 1e-13;
/// The most terms.
const MOST_TERMS: usize = 16_384;
/// Sums of up to this many spread waits are kept out of the series, which would need many terms for them.
const CLOSED_ORDER: usize = 6;
/// The most precision that a closed form may lose.
const MOST_LOSS: f64 = 1e5;
/// The most such sums.
const MOST_COMPONENTS: usize = 1_000;
/// A part in steps of no more values than this is taken apart where the total is on no lattice.
const FEW_POINTS: f64 = 64.0;

/// Equal waits: their parts about their mean, and how many there are.
struct Group {
    parts: Vec<Part>,
    count: f64,
}

/// The law of the sum of independent waits.
pub(super) struct Sum {
    pub mean_ms: f64,
    pub variance: f64,
    pub min_ms: f64,
    pub max_ms: f64,
    /// A bound on the error of the distribution function.
    pub error: f64,
    /// A bound on how far times are displaced, ms, where values in steps were taken as spread.
    pub blur_ms: f64,
    /// The distance of the values, where all lie on one lattice.
    pub step_ms: Option<f64>,
    /// Relative to the mean.
    components: Vec<Component>,
    /// Relative to the mean.
    series: Option<Series>,
}

impl Sum {
    /// The law of the sum of `count` times each law; `None` where one is not known or the sum is beyond all bounds.
    pub fn new(laws: &[(&Law, f64)]) -> Option<Sum> {
        let (mut mean_ms, mut min_ms, mut max_ms, mut squares) = (0.0, 0.0, 0.0, 0.0);
        let mut groups: Vec<Group> = Vec::new();
        for &(law, count) in laws {
            let mean = law.mean_ms()?;
            let range = law.max_ms() - law.min_ms();
            mean_ms += mean * count;
            min_ms += law.min_ms() * count;
            max_ms += law.max_ms() * count;
            squares += range * range * count;
            if range > 0.0 {
                join(&mut groups, Group { parts: parts(law, mean), count });
            }
        }
        if !(max_ms.is_finite() && squares.is_finite()) {
            return None;
        }
        let step_ms = lattice(&groups);
        let mut blur_ms = 0.0;
        if step_ms.is_none() {
            groups.iter_mut().for_each(|group| blur_ms += group.spread_steps());
        }
        let second = |g: &Group| g.count * g.parts.iter().map(|p| p.weight * p.second_moment()).sum::<f64>();
        let mut sum = Sum {
            mean_ms,
            variance: groups.iter().map(second).sum(),
            min_ms,
            max_ms,
            error: 1e-15,
            blur_ms,
            step_ms,
            components: Vec::new(),
            series: None,
        };
        let (components, order) = closed(&groups);
        sum.error += components.iter().map(|c| c.weight * c.loss() * f64::EPSILON).sum::<f64>();
        sum.components = components;
        sum.expand(&groups, squares, order);
        Some(sum)
    }

    /// Adds the series of what the components leave over; `order` widths are in them.
    fn expand(&mut self, groups: &[Group], squares: f64, order: Option<usize>) {
        let mass = 1.0 - self.components.iter().map(|c| c.weight).sum::<f64>();
        if mass < 1e-14 {
            return;
        }
        let moment = -self.components.iter().map(|c| c.weight * c.mean()).sum::<f64>();
        let (start, period) = self.window(squares);
        let parts: usize = groups.iter().map(|g| g.parts.len()).sum();
        let mut limit = if parts <= 16 { MOST_TERMS } else { MOST_TERMS / 4 };
        if let Some(step) = self.step_ms {
            limit = limit.min(((period / step).round() / 2.0) as usize);
        }
        let mut terms = Vec::new();
        let mut tail = 0.0;
        for j in 1..=limit {
            let w = 2.0 * PI * j as f64 / period;
            if j % 16 == 1 {
                tail = remainder(groups, order, w, self.step_ms) / PI;
                if tail < NEGLIGIBLE {
                    break;
                }
            }
            let whole = groups.iter().fold(Complex::ONE, |phi, group| phi * group.phi(w));
            let rest = self.components.iter().fold(whole, |phi, c| phi - c.phi(w));
            terms.push(rest.scale(Series::weight(j as f64, period, self.step_ms)));
        }
        let complete = self.step_ms.is_some_and(|step| 2 * (terms.len() + 1) > (period / step).round() as usize);
        self.error += if complete { 0.0 } else { tail };
        self.series = Some(Series { start, period, centre: 0.0, mass, moment, step: self.step_ms, terms });
    }

    /// An interval, relative to the mean, outside which less than 1e-14 lies, and its length: the whole range, or less
    /// by Hoeffding's bound `2 exp(-2 t^2 / sum of squared ranges)`.
    fn window(&self, squares: f64) -> (f64, f64) {
        let (low, length) = (self.min_ms - self.mean_ms, self.max_ms - self.min_ms);
        let reach = (squares * libm::log(2e14f64) / 2.0).sqrt();
        match self.step_ms {
            None if 2.0 * reach < length => (-reach, 2.0 * reach),
            None => (low, length),
            Some(step) if 2.0 * reach < length => {
                let skipped = ((-reach - low) / step).floor().max(0.0);
                (low + skipped * step, ((2.0 * reach / step).ceil() + 2.0) * step)
            }
            Some(step) => (low, ((length / step).round() + 1.0) * step),
        }
    }

    /// The probability of at most this time.
    pub fn cdf(&self, ms: f64) -> f64 {
        let y = ms - self.mean_ms;
        let closed: f64 = self.components.iter().map(|c| c.cdf(y)).sum();
        (closed + self.series.as_ref().map_or(0.0, |s| s.cdf(y))).clamp(0.0, 1.0)
    }

    /// The density of the spread part.
    pub fn density(&self, ms: f64) -> f64 {
        let y = ms - self.mean_ms;
        let closed: f64 = self.components.iter().map(|c| c.density(y)).sum();
        (closed + self.series.as_ref().map_or(0.0, |s| s.density(y, 1_024))).max(0.0)
    }

    /// The integral of the distribution function up to a time; for laws without steps.
    pub fn integral(&self, ms: f64) -> f64 {
        let y = ms - self.mean_ms;
        let closed: f64 = self.components.iter().map(|c| c.integral(y)).sum();
        closed + self.series.as_ref().map_or(0.0, |s| s.integral(y))
    }

    /// The probability of less than this time.
    pub fn below(&self, ms: f64) -> f64 {
        if let Some(step_ms) = self.step_ms {
            return self.cdf(ms - 1e-3 * step_ms);
        }
        let here = |a: &&(f64, f64)| (a.0 - ms).abs() <= 1e-12 * (1.0 + ms.abs());
        self.cdf(ms) - self.atoms().iter().filter(here).map(|a| a.1).sum::<f64>()
    }

    /// Single values and their probabilities.
    pub fn atoms(&self) -> Vec<(f64, f64)> {
        let single = self.components.iter().filter(|c| c.widths.is_empty());
        single.map(|c| (self.mean_ms + c.offset, c.weight)).collect()
    }
}

/// Adds a group to those before it, or to the one it equals but for rounding.
fn join(groups: &mut Vec<Group>, group: Group) {
    let near = |a: f64, b: f64, scale: f64| (a - b).abs() <= 1e-13 * scale;
    let same = |other: &&mut Group| {
        other.parts.len() == group.parts.len()
            && other.parts.iter().zip(&group.parts).all(|(a, b)| {
                let scale = a.width.abs() + a.middle.abs();
                a.shape == b.shape
                    && near(a.weight, b.weight, 1.0)
                    && near(a.width, b.width, scale)
                    && near(a.middle, b.middle, scale)
            })
    };
    match groups.iter_mut().rev().find(same) {
        Some(other) => other.count += group.count,
        None => groups.push(group),
    }
}

impl Group {
    fn phi(&self, w: f64) -> Complex {
        let mut sum = Complex::ZERO;
        for part in &self.parts {
            sum += part.phi(w).scale(part.weight);
        }
        sum.power(self.count)
    }

    /// Takes parts in few steps apart and spreads those in many; the most by which the sum of the group moves.
    fn spread_steps(&mut self) -> f64 {
        let mut moved: f64 = 0.0;
        let mut out = Vec::new();
        for part in &self.parts {
            let Shape::Steps { step_ms } = part.shape else {
                out.push(*part);
                continue;
            };
            let points = (part.width / step_ms).round() + 1.0;
            if points <= FEW_POINTS {
                let first = part.middle - part.width / 2.0;
                let atom = |i: u32| Part {
                    weight: part.weight / points,
                    middle: first + step_ms * f64::from(i),
                    width: 0.0,
                    shape: Shape::Uniform,
                };
                out.extend((0..points as u32).map(atom));
            } else {
                moved = moved.max(step_ms / 2.0);
                out.push(Part { width: part.width + step_ms, shape: Shape::Uniform, ..*part });
            }
        }
        self.parts = out;
        moved * self.count
    }
}

/// The lattice that the sum lies on: the greatest common measure of all steps and distances, if every part is a single
/// value or in steps.
fn lattice(groups: &[Group]) -> Option<f64> {
    let steps = || groups.iter().flat_map(|g| &g.parts).map(|p| (p, p.shape));
    if groups.is_empty() || steps().any(|(p, shape)| !p.is_atom() && !matches!(shape, Shape::Steps { .. })) {
        return None;
    }
    let mut lengths = Vec::new();
    for group in groups {
        let first = group.parts[0].middle - group.parts[0].width / 2.0;
        for part in &group.parts {
            lengths.push((part.middle - part.width / 2.0 - first).abs());
            if let (false, Shape::Steps { step_ms }) = (part.is_atom(), part.shape) {
                lengths.push(step_ms);
            }
        }
    }
    let longest = lengths.iter().fold(0.0, |a: f64, &b| a.max(b));
    let measure = lengths.iter().fold(0.0, |a, &b| common_measure(a, b, 1e-9 * longest));
    let whole = |length: &f64| (length / measure - (length / measure).round()).abs() < 1e-6;
    (measure > 1e-7 * longest && lengths.iter().all(whole)).then_some(measure)
}

fn common_measure(mut a: f64, mut b: f64, tolerance: f64) -> f64 {
    while b > tolerance {
        (a, b) = (b, a % b);
        if b > 0.0 && a - b <= tolerance {
            b = 0.0;
        }
    }
    a
}

/// The sums of at most [`CLOSED_ORDER`] spread parts that the whole is a mixture of, and up to how many widths all of
/// them are there; fewer where there are too many or where they have no closed form, `None` where there is none.
fn closed(groups: &[Group]) -> (Vec<Component>, Option<usize>) {
    let spread = |g: &&Group| g.parts.iter().all(|p| !p.is_atom());
    let least: f64 = groups.iter().filter(spread).map(|g| g.count).sum();
    let count: f64 = groups.iter().map(|g| g.count).sum();
    let mut spreads = groups.iter().flat_map(|g| &g.parts).filter(|p| !p.is_atom());
    let shape = spreads.clone().next().map(|p| p.shape);
    let alike = spreads.all(|p| p.is_even() && Some(p.shape) == shape);
    let most = if alike { CLOSED_ORDER } else { 1 };
    if count > 200.0 || least > most as f64 {
        return (Vec::new(), None);
    }
    let found = (least as usize..=most).rev().find_map(|order| Some((components(groups, order)?, order)));
    let Some((mut list, mut order)) = found else { return (Vec::new(), None) };
    let lossy = |c: &Component| c.widths.len() > 1 && c.loss() > MOST_LOSS;
    if let Some(least) = list.iter().filter(|c| lossy(c)).map(|c| c.widths.len()).min() {
        order = least - 1;
        list.retain(|c| c.widths.len() <= order);
    }
    (list, Some(order))
}

fn components(groups: &[Group], order: usize) -> Option<Vec<Component>> {
    let mut list = vec![Component::zero()];
    for group in groups {
        for _ in 0..group.count as usize {
            let next = list.iter().flat_map(|c| group.parts.iter().filter_map(|p| c.plus(p, order)));
            list = merged(next.filter(|c| c.weight > 1e-18).collect());
            if list.len() > MOST_COMPONENTS {
                return None;
            }
        }
    }
    Some(list)
}

/// Equal components as one.
fn merged(mut list: Vec<Component>) -> Vec<Component> {
    crate::sort::by(&mut list, |a, b| {
        let widths = a.widths.partial_cmp(&b.widths).unwrap_or(std::cmp::Ordering::Equal);
        widths.then(a.offset.total_cmp(&b.offset))
    });
    list.dedup_by(|later, first| {
        let scale: f64 = first.offset.abs() + first.widths.iter().sum::<f64>();
        let same = later.widths == first.widths
            && later.shape == first.shape
            && (later.offset - first.offset).abs() <= 1e-12 * scale;
        if same {
            first.weight += later.weight;
        }
        same
    });
    list
}

/// A bound on the characteristic function of what has more than `order` spread parts, divided by the power of the
/// frequency it falls with from `w` on.
fn remainder(groups: &[Group], order: Option<usize>, w: f64, lattice_ms: Option<f64>) -> f64 {
    let kept = order.map_or(0, |n| n + 1);
    // Coefficient i: i spread parts; the last one: more than `order`.
    let mut product = vec![0.0; kept + 1];
    product[0] = 1.0;
    let mut falling = 0.0;
    for group in groups {
        let single: f64 = group.parts.iter().filter(|p| p.is_atom()).map(|p| p.weight).sum();
        let spread: f64 = group.parts.iter().filter(|p| !p.is_atom()).map(|p| p.weight * p.bound(w, lattice_ms)).sum();
        if single == 0.0 && spread < 1.0 {
            falling += group.count;
        }
        if order.is_none() {
            product[0] *= libm::pow(single + spread, group.count);
            continue;
        }
        for _ in 0..group.count as usize {
            for i in (0..product.len()).rev() {
                let below = if i > 0 { product[i - 1] * spread } else { 0.0 };
                let above = if i == kept { product[i] * spread } else { 0.0 };
                product[i] = product[i] * single + below + above;
            }
        }
    }
    product[kept] / if falling > 1.0 { falling } else { 1.0 }
}
