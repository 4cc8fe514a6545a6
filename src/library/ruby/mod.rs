//! Ruby libraries.

use super::Library;

mod activejob;
mod faraday_retry;
mod retriable;
mod sidekiq;

/// One line a library.
pub(super) static LIBRARIES: &[&Library] =
    &[&activejob::LIBRARY, &faraday_retry::LIBRARY, &retriable::LIBRARY, &sidekiq::LIBRARY];
