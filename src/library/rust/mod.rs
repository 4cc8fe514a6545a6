//! Rust crates.

use super::Library;

mod again;
mod backon;
mod exponential_backoff;
mod retry_policies;
mod rust_backoff;
mod tokio_retry;
mod tokio_retry2;
mod tower;

/// One line a library.
pub(super) static LIBRARIES: &[&Library] = &[
    &again::LIBRARY,
    &backon::LIBRARY,
    &exponential_backoff::LIBRARY,
    &retry_policies::LIBRARY,
    &rust_backoff::LIBRARY,
    &tokio_retry::LIBRARY,
    &tokio_retry2::LIBRARY,
    &tower::LIBRARY,
];
