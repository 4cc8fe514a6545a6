//! The law of one wait that depends on no other: a mixture of plain pieces.

use super::{Rounding, RoundingMode};
use serde::Serialize;

/// A probability law on times, as a mixture. The weights add up to 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Law {
    /// The pieces; never empty.
    pub pieces: Vec<Piece>,
}

/// One part of a mixture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Piece {
    /// Its probability, 0 to 1.
    #[serde(skip_serializing_if = "is_one")]
    pub weight: f64,
    /// Its lower end, ms.
    pub min_ms: f64,
    /// Its upper end, ms; equal to the lower end for a single value.
    pub max_ms: f64,
    /// How it is spread between the ends.
    #[serde(skip_serializing_if = "Shape::is_uniform")]
    pub shape: Shape,
}

/// How a piece is spread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Shape {
    /// Evenly.
    #[default]
    Uniform,
    /// Evenly on `min, min + step, …, max`.
    Steps {
        /// Distance of the values, ms.
        step_ms: f64,
    },
    /// With a density falling as `exp(-rate t)`.
    Exponential {
        /// Rate, 1/ms.
        rate: f64,
    },
    /// By a law nobody published.
    Unknown,
}

impl Shape {
    fn is_uniform(&self) -> bool {
        *self == Shape::Uniform
    }
}

fn is_one(weight: &f64) -> bool {
    *weight == 1.0
}

impl Piece {
    /// Whether it is a single value.
    pub fn is_atom(&self) -> bool {
        self.min_ms == self.max_ms
    }

    /// Its mean, ms; `None` where the law is not known.
    pub fn mean_ms(&self) -> Option<f64> {
        let width = self.max_ms - self.min_ms;
        match self.shape {
            _ if width == 0.0 => Some(self.min_ms),
            Shape::Uniform | Shape::Steps { .. } => Some(self.min_ms + width / 2.0),
            Shape::Exponential { rate } => Some(self.min_ms + 1.0 / rate - width / libm::expm1(rate * width)),
            Shape::Unknown => None,
        }
    }

    /// The value at `u` of the way through its probability, `u` in [0, 1).
    pub fn at(&self, u: f64) -> f64 {
        let width = self.max_ms - self.min_ms;
        match self.shape {
            _ if width == 0.0 => self.min_ms,
            Shape::Uniform | Shape::Unknown => self.min_ms + u * width,
            Shape::Steps { step_ms } => {
                let count = (width / step_ms).round() + 1.0;
                self.min_ms + step_ms * (u * count).floor().min(count - 1.0)
            }
            Shape::Exponential { rate } => self.min_ms - libm::log1p(u * libm::expm1(-rate * width)) / rate,
        }
    }
}

/// From here on every number is whole: 2⁵³.
const WHOLE: f64 = 9_007_199_254_740_992.0;

impl Law {
    /// Always `ms`.
    pub fn fixed(ms: f64) -> Self {
        Law::uniform(ms, ms)
    }

    /// Uniform between two times, ms.
    pub fn uniform(min_ms: f64, max_ms: f64) -> Self {
        Law::one(min_ms, max_ms, Shape::Uniform)
    }

    /// Each of `min, min + step, …, max` equally likely, ms. Steps of nothing lead from a time to itself.
    pub fn steps(min_ms: f64, max_ms: f64, step_ms: f64) -> Self {
        Law::one(min_ms, max_ms, if step_ms > 0.0 { Shape::Steps { step_ms } } else { Shape::Uniform })
    }

    /// Makes its numbers finite and its times none below 0; what is no law any more is its largest time.
    pub(super) fn settle(&mut self) {
        for piece in &mut self.pieces {
            for ms in [&mut piece.min_ms, &mut piece.max_ms] {
                super::settle(ms);
                *ms = ms.max(0.0);
            }
            if matches!(piece.shape, Shape::Steps { step_ms } if !(step_ms > 0.0 && step_ms.is_finite())) {
                piece.shape = Shape::Uniform;
            }
        }
        let whole: f64 = self.pieces.iter().map(|piece| piece.weight).sum();
        if !((whole - 1.0).abs() < 1e-9 && self.max_ms() < f64::MAX) {
            *self = Law::fixed(self.max_ms());
        }
    }

    /// One piece of a shape.
    pub fn one(min_ms: f64, max_ms: f64, shape: Shape) -> Self {
        Law { pieces: vec![Piece { weight: 1.0, min_ms, max_ms, shape }] }
    }

    /// The smallest value, ms.
    pub fn min_ms(&self) -> f64 {
        self.pieces.iter().map(|p| p.min_ms).fold(f64::INFINITY, f64::min)
    }

    /// The upper end, ms, even where a draw excludes it.
    pub fn max_ms(&self) -> f64 {
        self.pieces.iter().map(|p| p.max_ms).fold(0.0, f64::max)
    }

    /// The mean, ms; `None` where the law is not known.
    pub fn mean_ms(&self) -> Option<f64> {
        self.pieces.iter().map(|p| Some(p.weight * p.mean_ms()?)).sum()
    }

    /// The value at `u` of the way through the pieces, `u` in [0, 1). A draw when `u` is uniform.
    pub fn at(&self, u: f64) -> f64 {
        let mut rest = u;
        for piece in &self.pieces {
            if rest < piece.weight {
                return piece.at(rest / piece.weight);
            }
            rest -= piece.weight;
        }
        self.pieces.last().map_or(0.0, |p| p.at(1.0 - f64::EPSILON))
    }

    /// The probability of exactly this value, ms.
    pub fn share_at(&self, ms: f64) -> f64 {
        self.pieces.iter().filter(|p| p.is_atom() && p.min_ms == ms).map(|p| p.weight).sum()
    }

    /// The law of `min(wait, cap)`.
    pub fn capped(self, cap_ms: f64) -> Law {
        self.cut(|p| p.max_ms <= cap_ms, |p| p.min_ms >= cap_ms, cap_ms, true)
    }

    /// The law of `max(wait, floor)`.
    pub fn floored(self, floor_ms: f64) -> Law {
        self.cut(|p| p.min_ms >= floor_ms, |p| p.max_ms <= floor_ms, floor_ms, false)
    }

    /// The law of the wait given that it is at most `cap`, and of a draw from `[cap/2, cap]` otherwise.
    pub fn redrawn(self, cap_ms: f64) -> Law {
        let mut law = self.capped(cap_ms);
        let over = law.share_at(cap_ms);
        if over > 0.0 {
            law.pieces.retain(|p| !(p.is_atom() && p.min_ms == cap_ms));
            law.pieces.push(Piece { weight: over, min_ms: cap_ms / 2.0, max_ms: cap_ms, shape: Shape::Uniform });
        }
        law
    }

    fn cut(self, keeps: impl Fn(&Piece) -> bool, moves: impl Fn(&Piece) -> bool, at: f64, below: bool) -> Law {
        let mut kept = Vec::new();
        let mut moved = 0.0;
        for piece in self.pieces {
            if keeps(&piece) {
                kept.push(piece);
            } else if moves(&piece) {
                moved += piece.weight;
            } else {
                let (inside, share) = piece.part(at, below);
                moved += piece.weight * (1.0 - share);
                kept.extend(inside);
            }
        }
        if moved > 0.0 || kept.is_empty() {
            kept.push(Piece { weight: moved, min_ms: at, max_ms: at, shape: Shape::Uniform });
        }
        Law { pieces: kept }
    }

    /// The law after rounding.
    pub fn rounded(self, rounding: Rounding) -> Law {
        Law { pieces: self.pieces.into_iter().flat_map(|p| p.rounded(rounding)).collect() }
    }
}

impl Piece {
    /// The part below (or above) `at`, and its share of the piece.
    fn part(self, at: f64, below: bool) -> (Option<Piece>, f64) {
        let width = self.max_ms - self.min_ms;
        let (mut min_ms, mut max_ms) = if below { (self.min_ms, at) } else { (at, self.max_ms) };
        let share = match self.shape {
            // Of a range without an end all lies beyond any time.
            _ if width == f64::INFINITY => f64::from(!below),
            Shape::Uniform | Shape::Unknown => (max_ms - min_ms) / width,
            Shape::Steps { step_ms } => {
                let steps = (at - self.min_ms) / step_ms;
                if below {
                    max_ms = self.min_ms + step_ms * steps.floor();
                } else {
                    min_ms = self.min_ms + step_ms * steps.ceil();
                }
                ((max_ms - min_ms) / step_ms + 1.0).round() / (width / step_ms + 1.0).round()
            }
            Shape::Exponential { rate } => {
                let upto = |t: f64| libm::expm1(-rate * (t - self.min_ms)) / libm::expm1(-rate * width);
                upto(max_ms) - upto(min_ms)
            }
        };
        let inside = Piece { weight: self.weight * share, min_ms, max_ms, shape: self.shape };
        ((inside.weight > 0.0).then_some(inside), share)
    }

    /// The pieces after rounding; an exponential or unknown piece keeps its shape between rounded ends.
    fn rounded(self, rounding: Rounding) -> Vec<Piece> {
        let unit = rounding.unit_ms;
        // Of so many units no number knows a part.
        let whole = |t: f64, n: f64| if n.abs() < WHOLE { n * unit } else { t };
        let down = |t: f64| whole(t, (t / unit + 1e-9).floor());
        let up = |t: f64| whole(t, (t / unit - 1e-9).ceil());
        let near = |t: f64| whole(t, (t / unit + 0.5 + 1e-9).floor());
        let vast = self.max_ms / unit >= WHOLE;
        if self.is_atom() || vast || !matches!(self.shape, Shape::Uniform) {
            let round = |t: f64, end: bool| match rounding.mode {
                RoundingMode::Floor => down(t),
                RoundingMode::Ceil => up(t),
                RoundingMode::Nearest => near(t),
                RoundingMode::Draw if end => down(t),
                RoundingMode::Draw => up(t),
            };
            let (min_ms, max_ms) = (round(self.min_ms, false), round(self.max_ms, true));
            return vec![Piece { min_ms, max_ms: max_ms.max(min_ms), ..self }];
        }
        match rounding.mode {
            RoundingMode::Draw => {
                let (min_ms, max_ms) = (up(self.min_ms), down(self.max_ms));
                let max_ms = max_ms.max(min_ms);
                vec![Piece { min_ms, max_ms, shape: Shape::Steps { step_ms: unit }, ..self }]
            }
            RoundingMode::Floor => self.floors(unit),
            RoundingMode::Nearest => {
                let half = unit / 2.0;
                Piece { min_ms: self.min_ms + half, max_ms: self.max_ms + half, ..self }.floors(unit)
            }
            RoundingMode::Ceil => {
                let mirrored = Piece { min_ms: -self.max_ms, max_ms: -self.min_ms, ..self }.floors(unit);
                let back = |p: Piece| Piece { min_ms: 0.0 - p.max_ms, max_ms: 0.0 - p.min_ms, ..p };
                let mut pieces: Vec<Piece> = mirrored.into_iter().map(back).rev().collect();
                if up(self.min_ms) < pieces[0].min_ms {
                    // A draw can be its whole lower end itself, with no probability worth a number.
                    let lowest = up(self.min_ms);
                    pieces.push(Piece { weight: 0.0, min_ms: lowest, max_ms: lowest, shape: Shape::Uniform });
                }
                pieces
            }
        }
    }

    /// A uniform piece on `[min, max)` brought down to whole units: the first and the last value weigh what their cells
    /// hold, those between weigh the same.
    fn floors(self, unit: f64) -> Vec<Piece> {
        let (lo, hi) = (self.min_ms / unit, self.max_ms / unit);
        let first = (lo + 1e-9).floor();
        let last = ((hi - 1e-9).ceil() - 1.0).max(first);
        let run = |from: f64, to: f64, cells: f64| Piece {
            weight: self.weight * cells / (hi - lo),
            min_ms: from * unit,
            max_ms: to * unit,
            shape: if from == to { Shape::Uniform } else { Shape::Steps { step_ms: unit } },
        };
        let (head, tail) = (first + 1.0 - lo, hi - last);
        if last == first {
            vec![run(first, first, hi - lo)]
        } else if (head - 1.0).abs() < 1e-9 && (tail - 1.0).abs() < 1e-9 {
            vec![run(first, last, hi - lo)]
        } else {
            let mut out = vec![run(first, first, head)];
            if last - first > 1.0 {
                out.push(run(first + 1.0, last - 1.0, last - first - 1.0));
            }
            out.push(run(last, last, tail));
            out
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Rounded;

    fn rounded(lo: f64, hi: f64, mode: RoundingMode) -> Law {
        Law::uniform(lo, hi).rounded(Rounding { unit_ms: 1.0, mode, of: Rounded::Wait })
    }

    #[test]
    fn floor_of_a_half_open_draw_never_reaches_a_whole_upper_end() {
        let law = rounded(0.0, 1000.0, RoundingMode::Floor);
        assert_eq!((law.min_ms(), law.max_ms(), law.pieces.len()), (0.0, 999.0, 1));
        assert!((law.mean_ms().unwrap() - 499.5).abs() < 1e-9);
    }

    #[test]
    fn nearest_halves_the_ends() {
        let law = rounded(1000.0, 2000.0, RoundingMode::Nearest);
        assert_eq!((law.min_ms(), law.max_ms()), (1000.0, 2000.0));
        assert!((law.share_at(1000.0) - 0.0005).abs() < 1e-12);
        assert!((law.share_at(2000.0) - 0.0005).abs() < 1e-12);
        assert!((law.mean_ms().unwrap() - 1500.0).abs() < 1e-9);
    }

    #[test]
    fn ceil_mirrors_floor() {
        let law = rounded(80.0, 120.0, RoundingMode::Ceil);
        assert_eq!((law.min_ms(), law.max_ms()), (80.0, 120.0));
        assert_eq!(law.share_at(80.0), 0.0);
        assert!((law.mean_ms().unwrap() - 100.5).abs() < 1e-9);
        let odd = rounded(0.5, 2.25, RoundingMode::Ceil);
        assert_eq!((odd.min_ms(), odd.max_ms()), (1.0, 3.0));
        assert!((odd.share_at(3.0) - 0.25 / 1.75).abs() < 1e-12);
    }

    #[test]
    fn a_cap_after_the_draw_gathers_its_share() {
        let law = Law::uniform(500.0, 1500.0).capped(1000.0);
        assert!((law.share_at(1000.0) - 0.5).abs() < 1e-12);
        assert!((law.mean_ms().unwrap() - 875.0).abs() < 1e-9);
        let steps = Law::steps(0.0, 9.0, 1.0).capped(4.0);
        assert!((steps.share_at(4.0) - 0.5).abs() < 1e-12);
    }
}
