//! Pods and Jobs that OLM runs beside operators: those that serve CatalogSources and those that unpack bundles, as far as they fail.

use std::sync::Arc;

/// A pod or a Job that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailingWorkload {
    pub namespace: Arc<str>,
    pub name: Arc<str>,
    /// The CatalogSource of the same namespace that it serves; absent if it unpacks a bundle.
    pub serves: Option<Arc<str>>,
    pub is_job: bool,
    /// The image of the container that fails; empty if not known.
    pub image: Box<str>,
    pub fault: WorkloadFault,
    /// What Kubernetes says about it; empty if nothing.
    pub message: Box<str>,
}

/// Why it fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkloadFault {
    /// Its image cannot be pulled.
    Pull,
    /// It needed more memory than it may have.
    OutOfMemory,
    /// It ends again and again after its start.
    Restarts,
    /// Another reason, in the word of Kubernetes.
    Other(Box<str>),
}
