//! Cloud services and their SDKs.

use super::Library;

mod aws_step_functions;

/// One line a library.
pub(super) static LIBRARIES: &[&Library] = &[&aws_step_functions::LIBRARY];
