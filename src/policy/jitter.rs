//! How a delay becomes a wait.

use super::settle;
use serde::Serialize;

/// What chance does to a delay `d`. Written as a bare name where it has no numbers: `"full"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(into = "Written")]
pub enum Jitter {
    /// `d` itself.
    #[default]
    None,
    /// Uniform on `[0, d]`.
    Full,
    /// Uniform on `[d/2, d]`.
    Equal,
    /// `min(cap, U[base, 3 * previous wait])`, the previous wait being the base at first. The base is the curve's.
    Decorrelated,
    /// `d * U[1 - below, 1 + above]`, never below 0.
    Proportional {
        /// Share of the delay that can be taken off.
        below: f64,
        /// Share of the delay that can be added.
        above: f64,
    },
    /// `d + U[min, max]`, never below 0.
    Additive {
        /// Least that is added, ms; may be negative.
        min_ms: f64,
        /// Most that is added, ms.
        max_ms: f64,
    },
    /// Uniform on `[min, d]`; exactly `min` where `d` is not above it.
    From {
        /// The lower end, ms, the same for every retry.
        min_ms: f64,
    },
    /// Dependent waits that telescope: `t_k = k - 1 + U[0,1]`, `h(t) = factor^t * tanh(sqrt(4 t))`, wait
    /// `k = (h(t_k) - h(t_(k-1))) * base / 1.4`, never below 0. The factor and the base are the curve's.
    Telescoping,
    /// On `[(1 - below) d, (1 + above) d]` with the density of a Poisson process's gap of mean `d` (rate `1 / d`)
    /// cut to that range.
    Poisson {
        /// Share of the delay that can be taken off.
        below: f64,
        /// Share of the delay that can be added.
        above: f64,
    },
    /// Only the bounds are known: somewhere in `[d * (1 - below), d * (1 + above)]`, by a law nobody published.
    Unknown {
        /// Share of the delay that can be taken off.
        below: f64,
        /// Share of the delay that can be added.
        above: f64,
    },
}

impl Jitter {
    /// Makes its numbers finite.
    pub(super) fn settle(&mut self) {
        match self {
            Jitter::Proportional { below: a, above: b }
            | Jitter::Poisson { below: a, above: b }
            | Jitter::Unknown { below: a, above: b }
            | Jitter::Additive { min_ms: a, max_ms: b } => [a, b].into_iter().for_each(settle),
            Jitter::From { min_ms } => settle(min_ms),
            _ => {}
        }
    }

    /// Whether chance plays no part.
    pub fn is_none(self) -> bool {
        self == Jitter::None
    }
}

/// The JSON form: a name, or an object with a kind.
#[derive(Clone, Serialize)]
#[serde(untagged)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(target_arch = "wasm32", tsify(rename = "Jitter"))]
enum Written {
    Name(JitterName),
    Spec(JitterSpec),
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
enum JitterName {
    None,
    Full,
    Equal,
    Decorrelated,
    Telescoping,
}

#[derive(Clone, Copy, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
enum JitterSpec {
    Proportional { below: f64, above: f64 },
    Additive { min_ms: f64, max_ms: f64 },
    From { min_ms: f64 },
    Poisson { below: f64, above: f64 },
    Unknown { below: f64, above: f64 },
}

impl From<Jitter> for Written {
    fn from(jitter: Jitter) -> Self {
        match jitter {
            Jitter::None => Written::Name(JitterName::None),
            Jitter::Full => Written::Name(JitterName::Full),
            Jitter::Equal => Written::Name(JitterName::Equal),
            Jitter::Decorrelated => Written::Name(JitterName::Decorrelated),
            Jitter::Telescoping => Written::Name(JitterName::Telescoping),
            Jitter::Proportional { below, above } => Written::Spec(JitterSpec::Proportional { below, above }),
            Jitter::Additive { min_ms, max_ms } => Written::Spec(JitterSpec::Additive { min_ms, max_ms }),
            Jitter::From { min_ms } => Written::Spec(JitterSpec::From { min_ms }),
            Jitter::Poisson { below, above } => Written::Spec(JitterSpec::Poisson { below, above }),
            Jitter::Unknown { below, above } => Written::Spec(JitterSpec::Unknown { below, above }),
        }
    }
}
