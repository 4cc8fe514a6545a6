//! Elixir libraries.

use super::Library;

mod oban;

/// One line a library.
pub(super) static LIBRARIES: &[&Library] = &[&oban::LIBRARY];
