//! Collectors, shippers and message systems.

use super::Library;

mod fluent_bit;
mod fluentd;
mod nats_jetstream;
mod otel_collector_retry;
mod prometheus_remote_write;
mod vector;

/// One line a library.
pub(super) static LIBRARIES: &[&Library] = &[
    &fluent_bit::LIBRARY,
    &fluentd::LIBRARY,
    &nats_jetstream::LIBRARY,
    &otel_collector_retry::LIBRARY,
    &prometheus_remote_write::LIBRARY,
    &vector::LIBRARY,
];
