//! Command line tools, units, playbooks, and the cable where it began.

use super::Library;

mod ansible;
mod curl;
mod ethernet_csma_cd;
mod nick_fields_retry;
mod systemd;
mod wget;

/// One line a library.
pub(super) static LIBRARIES: &[&Library] = &[
    &ansible::LIBRARY,
    &curl::LIBRARY,
    &ethernet_csma_cd::LIBRARY,
    &nick_fields_retry::LIBRARY,
    &systemd::LIBRARY,
    &wget::LIBRARY,
];
