//! Cloud services and their SDKs.

use super::Library;

mod aws_lambda_async;
mod aws_sdk;
mod aws_sdk_go;
mod aws_sdk_java;
mod aws_sqs_redrive;
mod aws_step_functions;
mod gax;
mod gcp_cloud_scheduler;
mod gcp_cloud_tasks;
mod gcp_pubsub;

/// One line a library.
pub(super) static LIBRARIES: &[&Library] = &[
    &aws_lambda_async::LIBRARY,
    &aws_sdk::LIBRARY,
    &aws_sdk_go::LIBRARY,
    &aws_sdk_java::LIBRARY,
    &aws_sqs_redrive::LIBRARY,
    &aws_step_functions::LIBRARY,
    &gax::LIBRARY,
    &gcp_cloud_scheduler::LIBRARY,
    &gcp_cloud_tasks::LIBRARY,
    &gcp_pubsub::LIBRARY,
];
