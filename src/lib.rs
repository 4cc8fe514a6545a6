//! What a retry configuration really does.
//!
//! Text goes in, a [`library::Reading`] comes out: the [`policy::Policy`] that the text means, where each value came
//! from and what is wrong with it. A policy goes into [`schedule`] and the modules after it, which compute numbers.
//! Nothing here reads a clock, draws entropy or touches a page; `wasm` alone does.

pub mod api;
pub mod aws_experiment;
pub mod distribution;
pub mod duration;
mod find;
pub mod finding;
pub mod fleet;
pub mod format;
pub mod inverse;
pub mod layers;
pub mod library;
pub mod limits;
pub mod notation;
pub mod policy;
pub mod random;
pub mod report;
pub mod retry_after;
pub mod rule;
pub mod schedule;
pub mod simulate;
mod sort;
pub mod span;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
