//! Proxies, meshes and remote procedure calls.

use super::Library;

mod dapr;
mod envoy;
mod grpc_service_config;
mod istio;

/// One line a library.
pub(super) static LIBRARIES: &[&Library] =
    &[&envoy::LIBRARY, &grpc_service_config::LIBRARY, &istio::LIBRARY, &dapr::LIBRARY];
