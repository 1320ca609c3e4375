//! Whether OLM upgrades a CustomResourceDefinition (CRD): the CRD upgrade safety check of OLM v1, the checks that OLM v0 makes
//! when it installs an InstallPlan, and which APIs are lost.
//!
//! [`findings()`] compares two CRDs as OLM v1 does. It follows crdify (`sigs.k8s.io/crdify`) at
//! `v0.6.1-0.20260602124154-bb9957dbf465` as operator-controller `df2c201d` configures it. [`upgrade_findings()`] compares the
//! CRDs of two bundles. Objects of a cluster are never read.

mod checks;
mod compare;
mod crd;
mod finding;
mod go;
mod hop;
pub mod schema;
mod v0;
mod view;

pub use compare::findings;
pub use crd::{ApiVersion, Crd, Unreadable, Version, of_node, read};
pub use finding::{FieldChange, Finding, Limit, Maximum, Minimum, OneOfChange, Place, SchemaChange};
pub use hop::{
    Body, BundleCrds, Comparison, CrdUpgrade, ListedCrd, Unknown, UpgradeOutcome, compare, upgrade_findings,
};
pub use v0::{InstallPlanChecks, install_plan_checks, lost_apis, stored_versions_error};
pub use view::upgrade_view;
