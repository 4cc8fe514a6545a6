//! What is said of a law: percentiles, points of the density, probabilities.

use super::{Atom, CallsShare, DensityPoint, Distribution, Method, Options, Percentile, TotalWait, Within};

/// The shares that percentiles are given for.
pub(super) const SHARES: [f64; 5] = [0.5, 0.9, 0.95, 0.99, 0.999];
/// Points of a density.
const POINTS: usize = 161;
/// The most single values that are listed.
const MOST_ATOMS: usize = 20;

/// A law and what is known of it.
pub(super) struct Summary<'a> {
    pub law: &'a dyn Distribution,
    /// The law of waits and calls together, where it is not the same moved by the calls.
    pub elapsed: Option<&'a dyn Distribution>,
    pub mean_ms: f64,
    pub sd_ms: f64,
    pub range: (f64, f64),
    /// Bounds of waits and calls together.
    pub elapsed_range: (f64, f64),
    /// The distance of the totals, where they lie on a lattice.
    pub step_ms: Option<f64>,
    /// Single values and their probabilities.
    pub atoms: Vec<(f64, f64)>,
    pub calls: Vec<CallsShare>,
    pub call_ms: f64,
    /// A bound on the error of the distribution function.
    pub error: f64,
    /// A bound on the displacement of times, ms.
    pub blur_ms: f64,
}

impl Summary<'_> {
    /// The whole answer.
    pub fn total(self, options: &Options) -> TotalWait {
        let (min, max) = self.range;
        let percentiles: Vec<_> = SHARES.iter().map(|&p| Percentile { p, ms: self.percentile(p) }).collect();
        let calling = self.calls.last().map_or(0.0, |c| c.calls as f64) * self.call_ms;
        let elapsed = |q: &Percentile| match self.elapsed {
            Some(law) if law.cdf(self.elapsed_range.0) < q.p => {
                Percentile { ms: law.quantile(q.p, self.elapsed_range, q.ms + calling), ..*q }
            }
            Some(_) => Percentile { ms: self.elapsed_range.0, ..*q },
            None => Percentile { ms: q.ms + calling, ..*q },
        };
        let within = options.within_ms.iter().map(|&ms| Within {
            ms,
            p: self.law.cdf(ms),
            elapsed_p: self.elapsed.map_or_else(|| self.law.cdf(ms - calling), |law| law.cdf(ms)),
        });
        TotalWait {
            mean_ms: Some(self.mean_ms),
            sd_ms: Some(self.sd_ms),
            min_ms: Some(min),
            max_ms: Some(max),
            density: self.density(),
            atoms: self.listed(),
            within: within.collect(),
            elapsed: percentiles.iter().map(elapsed).collect(),
            error: percentiles.iter().map(|q| self.relative_error(q.ms)).fold(0.0, f64::max),
            percentiles,
            calls: self.calls,
            method: Method::Exact,
            draws: None,
        }
    }

    /// The smallest time that a share `p` stays within.
    fn percentile(&self, p: f64) -> f64 {
        let (min, max) = self.range;
        if min == max || self.law.cdf(min) >= p {
            return min;
        }
        let found = self.law.quantile(p, (min, max), self.mean_ms);
        match self.step_ms {
            Some(step) => min + ((found - min) / step + 1e-6).floor() * step,
            None => {
                self.atoms.iter().map(|a| a.0).find(|ms| (ms - found).abs() <= 1e-11 * (1.0 + max)).unwrap_or(found)
            }
        }
    }

    /// How far a percentile can be off, relative to itself.
    fn relative_error(&self, ms: f64) -> f64 {
        let exact = self.range.0 == self.range.1 || self.atoms.iter().any(|a| a.0 == ms) || ms == self.range.0;
        if exact || ms <= 0.0 {
            return f64::EPSILON;
        }
        let off = self.error / self.law.density(ms) + self.blur_ms;
        (off / ms + f64::EPSILON).min(1.0)
    }

    fn density(&self) -> Vec<DensityPoint> {
        let (min, max) = self.range;
        if min == max {
            return Vec::new();
        }
        let reach = 6.0 * self.sd_ms;
        let (from, to) = (min.max(self.mean_ms - reach), max.min(self.mean_ms + reach));
        let at = |i: usize| from + (to - from) * i as f64 / (POINTS - 1) as f64;
        let points = (0..POINTS).map(|i| DensityPoint { ms: at(i), per_ms: self.law.density(at(i)) });
        points.collect()
    }

    fn listed(&self) -> Vec<Atom> {
        let mut atoms: Vec<_> = self.atoms.iter().map(|&(ms, p)| Atom { ms, p }).filter(|a| a.p > 1e-6).collect();
        crate::sort::by(&mut atoms, |a, b| b.p.total_cmp(&a.p));
        atoms.truncate(MOST_ATOMS);
        crate::sort::by(&mut atoms, |a, b| a.ms.total_cmp(&b.ms));
        atoms
    }
}

/// The smallest time between `low` and `high` that a share `p` stays within: Newton's steps, kept inside a bracket that
/// is halved where they do not help.
pub(super) fn quantile(law: &(impl Distribution + ?Sized), p: f64, (mut low, mut high): (f64, f64), start: f64) -> f64 {
    let mut at = start.clamp(low, high);
    let mut width = high - low;
    for round in 0..200 {
        let excess = law.cdf(at) - p;
        if excess >= 0.0 {
            high = at;
        } else {
            low = at;
        }
        let resolution = 4.0 * f64::EPSILON * high.abs();
        if high - low <= resolution {
            break;
        }
        let step = excess / law.density(at);
        if step.abs() <= resolution {
            return at;
        }
        let newton = at - step;
        let slow = round % 4 == 3 && high - low > width / 2.0;
        if round % 4 == 3 {
            width = high - low;
        }
        at = if newton > low && newton < high && !slow { newton } else { low + (high - low) / 2.0 };
    }
    high
}
