//! What a ClusterExtension reports itself, and its revisions (operator-controller `api/v1/clusterextension_types.go`,
//! `api/v1/clusterobjectset_types.go`).

use catalog::BundleName;

use crate::InstalledBundle;

/// A condition as the status of an object has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedCondition {
    /// Its type.
    pub kind: Box<str>,
    /// `True`, `False` or `Unknown`.
    pub status: Box<str>,
    pub reason: Box<str>,
    pub message: Box<str>,
}

/// What an extension reports of a bundle that OLM v1 chose and could not apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedFailure {
    /// The chosen bundle.
    pub bundle: BundleName,
    /// The whole text in one line.
    pub text: Box<str>,
    /// Whether something in the bundle is in the way, so that another version may help. Otherwise it is something on the cluster.
    pub is_about_bundle: bool,
    /// The ServiceAccount of the extension, if it lacks a right or does not exist.
    pub account: Option<Box<str>>,
}

/// A ClusterObjectSet, which was named ClusterExtensionRevision before: one roll-out of an extension with the runtime Boxcutter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    pub name: Box<str>,
    /// `spec.revision`
    pub number: i64,
    /// Its bundle; absent if the manifests do not have the object.
    pub bundle: Option<InstalledBundle>,
    pub progress: RollOut,
    /// The objects whose probes fail, as far as it names them.
    pub failed_probes: Vec<FailedProbe>,
}

/// How far a revision is that has not succeeded (operator-controller
/// `internal/operator-controller/controllers/clusterobjectset_controller.go`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RollOut {
    /// It goes on by itself.
    Continues,
    /// `ProgressDeadlineExceeded`
    Overdue,
    /// `Retrying` or `Blocked`, with the error.
    Fails(Box<str>),
}

/// An object that is not as a revision needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedProbe {
    pub kind: Box<str>,
    /// Empty for kinds without namespaces.
    pub namespace: Box<str>,
    pub name: Box<str>,
    /// What was found instead.
    pub found: Box<str>,
}

/// A ClusterOperator of OLM whose condition `Upgradeable` is False: OpenShift is not updated to another minor version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotUpgradeable {
    /// The name of the ClusterOperator.
    pub operator: Box<str>,
    pub reason: Box<str>,
    pub message: Box<str>,
}
