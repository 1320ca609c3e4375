//! What the user of the tool asks of `convert` besides the acknowledgments.

use crate::eligibility::Acknowledgments;

/// The flags of `convert`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConvertOptions {
    pub acknowledged: Acknowledgments,
    pub install_namespace: InstallNamespace,
    /// `--delete-operatorgroup`
    pub deletes_operator_group: bool,
}

/// Where the operator is installed. All but the first need `convert` for a single operator, not `--all`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum InstallNamespace {
    /// In the namespace of the Subscription.
    #[default]
    Source,
    Named(Box<str>),
    /// `--system-managed-install-namespace`: in one that OLM v1 names by the bundle. The ClusterExtension names none.
    SystemManaged,
}
