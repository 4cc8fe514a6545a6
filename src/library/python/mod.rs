//! Python libraries.

use super::Library;

mod tenacity;

/// One line a library.
pub(super) static LIBRARIES: &[&Library] = &[&tenacity::LIBRARY];
