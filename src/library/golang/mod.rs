//! Go modules.

use super::Library;

mod avast_retry_go;
mod cenkalti_backoff;
mod client_go_workqueue;
mod go_retryablehttp;
mod jpillora_backoff;
mod k8s_wait_backoff;
mod loki_backoff;
mod sethvargo_go_retry;

/// One line a library.
pub(super) static LIBRARIES: &[&Library] = &[
    &avast_retry_go::LIBRARY,
    &cenkalti_backoff::LIBRARY,
    &client_go_workqueue::LIBRARY,
    &go_retryablehttp::LIBRARY,
    &jpillora_backoff::LIBRARY,
    &k8s_wait_backoff::LIBRARY,
    &loki_backoff::LIBRARY,
    &sethvargo_go_retry::LIBRARY,
];
