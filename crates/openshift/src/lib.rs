//! Updates of OpenShift, which exchange the catalogs under the operators that are installed.
//!
//! [`sets`] reads the catalogs of one publisher for several versions and says what a step from one to the next leaves behind;
//! [`plans`] says what to do with the operators of a cluster on the way; the rest is about what OLM lets OpenShift do.

mod gate;
pub mod plans;
pub mod sets;

pub use gate::{BlockReason, MinorUpgrade, MinorUpgradeComparison, RemainingBlocker, UpgradeBlocker, next_minor};
