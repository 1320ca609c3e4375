//! Plain values that all of Opscope names alike: below the page, on their way to it, and in what the command line prints. Each
//! has its words beside it.
//!
//! Its types are enums without fields, versions of OpenShift, releases of `opm` and of OLM v1 with its feature gates, points of a
//! drawing, and edits of texts: they alone may be serialized below `views`.

mod approval;
mod graph;
mod level;
mod list;
mod oc_mirror;
mod olm_v1;
mod openshift;
mod opm_version;
mod presence;
mod readiness;
mod runtime;
mod severity;
mod text_edit;
mod verdict;

pub use approval::Approval;
pub use graph::{AxisDirection, EntryForm, Mark, Point, StopReason};
pub use level::Level;
pub use list::{first_and_more, joined};
pub use oc_mirror::OcMirror;
pub use olm_v1::{FeatureGate, OlmV1, OlmV1Release};
pub use openshift::OpenShift;
pub use opm_version::OpmVersion;
pub use presence::Presence;
pub use readiness::ReadinessVerdict;
pub use runtime::Runtime;
pub use severity::Severity;
pub use text_edit::TextEdit;
pub use verdict::Verdict;
