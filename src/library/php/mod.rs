//! PHP libraries and frameworks.

use super::Library;

mod guzzle;
mod laravel;
mod symfony_http_client;
mod symfony_messenger;

/// One line a library.
pub(super) static LIBRARIES: &[&Library] =
    &[&guzzle::LIBRARY, &laravel::LIBRARY, &symfony_http_client::LIBRARY, &symfony_messenger::LIBRARY];
