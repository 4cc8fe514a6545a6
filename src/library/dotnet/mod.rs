//! .NET libraries.

use super::Library;

mod azure_sdk;
mod efcore_retry;
mod hangfire;
mod masstransit;
mod ms_http_resilience;
mod nservicebus;
mod polly;
mod polly_waitandretry;

/// One line a library.
pub(super) static LIBRARIES: &[&Library] = &[
    &azure_sdk::LIBRARY,
    &efcore_retry::LIBRARY,
    &hangfire::LIBRARY,
    &masstransit::LIBRARY,
    &ms_http_resilience::LIBRARY,
    &nservicebus::LIBRARY,
    &polly::LIBRARY,
    &polly_waitandretry::LIBRARY,
];
