//! Plain values that all of Opscope names alike: below the page, on their way to it, and in what the command line prints. Each
//! has its words beside it.
//!
//! Its types are enums without fields, versions of OpenShift, releases of `opm` and of OLM v1 with its feature gates, points and
//! columns of a drawing, switches between channels, rules for bundle trees, and edits of texts: they alone may be serialized
//! below `views`.

mod choices;
mod graph;
mod olm_v1;
mod states;
mod text_edit;
mod versions;

pub use choices::{Approval, BundleMode, BundleRules, Level, Presence, ReadinessVerdict, Runtime, Severity};
pub use graph::{AxisColumn, AxisDirection, AxisTick, ChannelSwitch, EntryForm, Mark, Point, StopReason};
pub use olm_v1::{FeatureGate, OlmV1, OlmV1Release};
pub use states::{StateId, Verdict};
pub use text_edit::{TextEdit, first_and_more, joined};
pub use versions::{CsvForm, OcMirror, OpenShift, OpmVersion, parse_min_kube};
