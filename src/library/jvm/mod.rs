//! Java and Kotlin libraries and frameworks.

use super::Library;

mod camel;
mod failsafe;
mod kafka_client;
mod microprofile_fault_tolerance;
mod reactor;
mod resilience4j;
mod spring_cloud_gateway;
mod spring_cloud_stream;
mod spring_framework_retry;
mod spring_kafka;
mod spring_retry;

/// One line a library.
pub(super) static LIBRARIES: &[&Library] = &[
    &camel::LIBRARY,
    &failsafe::LIBRARY,
    &kafka_client::LIBRARY,
    &microprofile_fault_tolerance::LIBRARY,
    &reactor::LIBRARY,
    &resilience4j::LIBRARY,
    &spring_cloud_gateway::LIBRARY,
    &spring_cloud_stream::LIBRARY,
    &spring_framework_retry::LIBRARY,
    &spring_kafka::LIBRARY,
    &spring_retry::LIBRARY,
];
