//! Many callers with one policy against what a service admits, without chance: rates, the base that fits, the law of a
//! clean first round, what arrives when. What chance makes of it is left to [`crate::simulate`].

mod bins;
mod spec;

pub use bins::{Bins, spread_ms};
pub use spec::{FleetSpec, LimiterKind, SpecError};
