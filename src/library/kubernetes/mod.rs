//! Kubernetes and what runs workflows on it.

use super::Library;

mod argo_cd;
mod argo_workflows;
mod kubernetes_crashloop;
mod kubernetes_job;
mod temporal;

/// One line a library.
pub(super) static LIBRARIES: &[&Library] = &[
    &argo_cd::LIBRARY,
    &argo_workflows::LIBRARY,
    &kubernetes_crashloop::LIBRARY,
    &kubernetes_job::LIBRARY,
    &temporal::LIBRARY,
];
