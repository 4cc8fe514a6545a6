//! Numbers that chance leaves open: where they can lie, and how they are spread there.

/// A number between two ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The smallest it can be.
    pub lo: f64,
    /// The upper end, even where a draw never reaches it.
    pub hi: f64,
    /// How it is spread between them.
    pub chance: Chance,
}

/// How a number is spread between its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Chance {
    /// Not at all: both ends are the same.
    Fixed,
    /// Evenly.
    Even,
    /// Evenly on `lo, lo + step, …, hi`.
    Steps(f64),
    /// In a way that is not followed here: several draws, or a bend of one.
    Unknown,
}

impl Spread {
    /// One number.
    pub const fn fixed(value: f64) -> Self {
        Spread { lo: value, hi: value, chance: Chance::Fixed }
    }

    /// Evenly between two numbers.
    pub fn even(lo: f64, hi: f64) -> Self {
        Spread::of(lo, hi, Chance::Even)
    }

    /// Each of `lo, lo + step, …, hi` equally likely.
    pub fn steps(lo: f64, hi: f64, step: f64) -> Self {
        Spread::of(lo, hi, Chance::Steps(step))
    }

    fn of(lo: f64, hi: f64, chance: Chance) -> Self {
        let (lo, hi) = if hi < lo { (hi, lo) } else { (lo, hi) };
        let chance = if lo == hi || (lo.is_nan() && hi.is_nan()) { Chance::Fixed } else { chance };
        Spread { lo, hi, chance }
    }

    /// The number, where chance plays no part.
    pub fn known(self) -> Option<f64> {
        (self.chance == Chance::Fixed).then_some(self.lo)
    }

    /// The same after `f`, which grows or falls throughout and keeps an even spread even; steps grow by `scale`.
    fn straight(self, scale: f64, f: impl Fn(f64) -> f64) -> Self {
        let chance = match self.chance {
            Chance::Steps(step) => Chance::Steps((step * scale).abs()),
            other => other,
        };
        Spread::of(f(self.lo), f(self.hi), chance)
    }

    /// The same after `f`, which grows or falls throughout but bends.
    pub fn bent(self, f: impl Fn(f64) -> f64) -> Self {
        Spread::of(f(self.lo), f(self.hi), Chance::Unknown)
    }

    /// The sum of two numbers that chance draws apart.
    pub fn plus(self, other: Spread) -> Self {
        match (self.known(), other.known()) {
            (_, Some(n)) => self.straight(1.0, |x| x + n),
            (Some(n), _) => other.straight(1.0, |x| n + x),
            _ => Spread::of(self.lo + other.lo, self.hi + other.hi, Chance::Unknown),
        }
    }

    /// The same with the other sign.
    pub fn negative(self) -> Self {
        self.straight(1.0, |x| 0.0 - x)
    }

    /// The product.
    pub fn times(self, other: Spread) -> Self {
        match (self.known(), other.known()) {
            (_, Some(n)) => self.straight(n, |x| x * n),
            (Some(n), _) => other.straight(n, |x| n * x),
            _ => Spread::corners(self, other, |a, b| a * b),
        }
    }

    /// The quotient.
    pub fn over(self, other: Spread) -> Self {
        match other.known() {
            Some(n) => self.straight(1.0 / n, |x| x / n),
            None => Spread::corners(self, other, |a, b| a / b),
        }
    }

    /// The power.
    pub fn power(self, other: Spread) -> Self {
        Spread::corners(self, other, libm::pow)
    }

    /// What is left after division.
    pub fn rest(self, other: Spread) -> Option<Self> {
        Some(Spread::fixed(self.known()? % other.known()?))
    }

    fn corners(a: Spread, b: Spread, f: impl Fn(f64, f64) -> f64) -> Self {
        let all = [f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)];
        let (lo, hi) = all.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), &x| (lo.min(x), hi.max(x)));
        Spread::of(lo, hi, Chance::Unknown)
    }

    /// The smaller of two.
    pub fn min(self, other: Spread) -> Self {
        if self.hi <= other.lo {
            self
        } else if other.hi <= self.lo {
            other
        } else {
            Spread::of(self.lo.min(other.lo), self.hi.min(other.hi), Chance::Unknown)
        }
    }

    /// The larger of two.
    pub fn max(self, other: Spread) -> Self {
        self.negative().min(other.negative()).negative()
    }

    /// Down to a whole number. An even draw never reaches its upper end.
    pub fn floor(self) -> Self {
        let (lo, hi) = (self.lo.floor(), self.hi.floor());
        match self.chance {
            Chance::Even if self.lo == lo && self.hi == hi => Spread::steps(lo, hi - 1.0, 1.0),
            Chance::Even => Spread::of(lo, self.hi.ceil() - 1.0, Chance::Unknown),
            Chance::Steps(step) if self.lo == lo && step.fract() == 0.0 => self,
            _ => Spread::of(lo, hi, Chance::Unknown),
        }
    }

    /// Up to a whole number.
    pub fn ceil(self) -> Self {
        self.negative().floor().negative()
    }

    /// To the nearest whole number, halves up.
    pub fn round(self) -> Self {
        if matches!(self.chance, Chance::Steps(step) if step.fract() == 0.0 && self.lo.fract() == 0.0) {
            return self;
        }
        self.plus(Spread::fixed(0.5)).floor()
    }

    /// Towards 0.
    pub fn truncated(self) -> Self {
        if self.lo >= 0.0 {
            self.floor()
        } else if self.hi <= 0.0 {
            self.ceil()
        } else {
            self.bent(f64::trunc)
        }
    }

    /// Whether it is certainly below the other (or, with `or_equal`, not above it); `None` where chance decides.
    pub fn below(self, other: Spread, or_equal: bool) -> Option<bool> {
        let below = |a: f64, b: f64| if or_equal { a <= b } else { a < b };
        let (always, ever) = (below(self.hi, other.lo), below(self.lo, other.hi));
        (always == ever).then_some(always)
    }
}
