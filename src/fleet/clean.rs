//! Whether the first round of a fleet is clean: nobody refused at the first retry.

use crate::policy::{Law, Piece, Shape};
use serde::Serialize;

/// Above this much work the law over windows is not computed.
const MOST_WORK: f64 = 2e7;

/// The probability that a token bucket that starts empty and can hold a token for each refuses none of the callers, who
/// come evenly over the window: `1 - callers / (rate * window)`, by the ballot theorem (Daniels 1945).
pub fn clean_bucket(callers: u64, per_s: f64, window_ms: f64) -> f64 {
    if callers == 0 {
        return 1.0;
    }
    let due = per_s * window_ms / 1_000.0;
    if due > 0.0 { (1.0 - callers as f64 / due).max(0.0) } else { 0.0 }
}

/// First retries against fixed windows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct FirstWindows {
    /// The probability that nobody is refused; `None` where that would take too long to compute.
    pub clean: Option<f64>,
    /// How many are refused on average. Those who were refused come back and take places too, so that a little more
    /// are in the end.
    pub refused: f64,
}

/// What fixed windows make of the first retries: `share` gives the probability of coming in window `j`, `quota` how
/// many it admits. Exact: the counts of callers in the windows are multinomial.
pub fn first_windows(
    callers: u64,
    windows: usize,
    share: impl Fn(usize) -> f64,
    quota: impl Fn(usize) -> f64,
) -> FirstWindows {
    let n = callers as f64;
    let refused = (0..windows).map(|j| mean_over(n, share(j), quota(j))).sum();
    let work: f64 = (0..windows).map(|j| n * quota(j).min(n)).sum();
    let clean = (work <= MOST_WORK).then(|| clean_windows(callers as usize, windows, &share, &quota));
    FirstWindows { clean, refused }
}

/// Windows are filled one after the other: the count in a window, given the callers left for it and those after it, is
/// binomial.
fn clean_windows(callers: usize, windows: usize, share: &impl Fn(usize) -> f64, quota: &impl Fn(usize) -> f64) -> f64 {
    let mut left = vec![0.0; callers + 1];
    left[callers] = 1.0;
    let mut rest = 1.0;
    for j in 0..windows {
        let p = if rest > 0.0 { (share(j) / rest).clamp(0.0, 1.0) } else { 0.0 };
        rest -= share(j);
        let mut next = vec![0.0; callers + 1];
        for (n, &probability) in left.iter().enumerate().filter(|(_, p)| **p > 0.0) {
            let most = (quota(j).min(n as f64)) as usize;
            for k in 0..=most {
                next[n - k] += probability * binomial(n as f64, k as f64, p);
            }
        }
        left = next;
    }
    // Nobody is left but those who come after the last window, of whom there are none but for rounding.
    left.first().copied().unwrap_or(0.0)
}

/// The mean of what a binomial count has above `quota`.
fn mean_over(n: f64, p: f64, quota: f64) -> f64 {
    let mut k = quota.floor() + 1.0;
    let (mut sum, mean) = (0.0, n * p);
    while k <= n {
        let term = (k - quota.floor()) * binomial(n, k, p);
        sum += term;
        if k > mean && term <= 1e-17 * sum.max(1e-300) {
            break;
        }
        // Far below the mean every term is as good as certain: the mean itself, less the quota.
        if k < mean - 12.0 * mean.sqrt() - 40.0 {
            return mean - quota.floor();
        }
        k += 1.0;
    }
    sum
}

fn binomial(n: f64, k: f64, p: f64) -> f64 {
    if p <= 0.0 {
        return f64::from(u8::from(k == 0.0));
    }
    if p >= 1.0 {
        return f64::from(u8::from(k == n));
    }
    let choose = libm::lgamma(n + 1.0) - libm::lgamma(k + 1.0) - libm::lgamma(n - k + 1.0);
    libm::exp(choose + k * libm::log(p) + (n - k) * libm::log1p(-p))
}

impl Law {
    /// The probability of less than this time; a piece that falls exponentially by its own law, one that nobody
    /// published as even.
    pub(super) fn share_under(&self, ms: f64) -> f64 {
        let under = |piece: &Piece| {
            let width = piece.max_ms - piece.min_ms;
            let into = (ms - piece.min_ms).clamp(0.0, width);
            match piece.shape {
                _ if width == 0.0 => f64::from(u8::from(ms > piece.min_ms)),
                Shape::Uniform | Shape::Unknown => into / width,
                Shape::Steps { step_ms } => {
                    let values = ((ms - piece.min_ms) / step_ms - 1e-9).ceil();
                    values.clamp(0.0, (width / step_ms).round() + 1.0) / ((width / step_ms).round() + 1.0)
                }
                Shape::Exponential { rate } => libm::expm1(-rate * into) / libm::expm1(-rate * width),
            }
        };
        self.pieces.iter().map(|piece| piece.weight * under(piece)).sum()
    }

    /// The probability that two callers who draw from it come to exactly the same time.
    pub(super) fn same(&self) -> f64 {
        let square = |piece: &Piece| {
            let width = piece.max_ms - piece.min_ms;
            match piece.shape {
                _ if width == 0.0 => piece.weight * self.share_at(piece.min_ms),
                Shape::Steps { step_ms } => piece.weight * piece.weight / ((width / step_ms).round() + 1.0),
                _ => 0.0,
            }
        };
        self.pieces.iter().map(square).sum()
    }
}
