//! What a change to a catalog does to the clusters that run it.
//!
//! A comparison has one row for each channel of the old state and each version that it lists: what OLM makes of that
//! version before and after the change. The version of what is installed is always that of the old state, because the new
//! one may no longer have it. [`compare()`] is about OLM v0, [`compare_extensions`] about OLM v1. Sources: compare (3, 4),
//! olm-runtime (A2.3, A2.4, B3).
//!
//! [`compare_cluster`] asks the same about a given cluster, with all that it has installed.
//!
//! Beside the rows: what else changed in a package, the edits that a row is due to, and fixes.

mod ambiguity;
mod budget;
mod cause;
mod change;
mod cluster;
mod dependencies;
mod edit;
mod edit_text;
mod extension;
mod extension_group;
mod extension_rule;
mod fix;
mod group;
mod jump;
mod level;
mod openshift;
mod path;
mod row;
mod rule;
mod sentence;
mod simulated;
mod state;
mod union;
mod verdict;

pub use ambiguity::ambiguous_extensions;
pub use budget::Budget;
pub use cause::Causes;
pub use change::{Change, ChangeRule, Texts, changes};
pub use cluster::{
    Cause, ClusterCatalogs, ClusterComparison, Dependency, Difference, Failure, FateEnd, NamespaceFailure,
    SubscriptionComparison, SubscriptionFate, compare_cluster,
};
pub use dependencies::{Listings, with_dependencies};
pub use edit::{BundleChange, Edit, EntryChange, edits, revert};
pub use extension::{ExtensionCase, ExtensionRow, compare_extensions};
pub use extension_group::{ExtensionGroup, extension_groups};
pub use extension_rule::ExtensionRule;
pub use fix::{Fix, VerifiedFix, extension_fixes, fixes};
pub use group::{Group, groups};
pub use level::Level;
pub use openshift::{
    BlockReason, INCOMPATIBLE_OPERATORS, MinorUpgrade, MinorUpgradeComparison, RemainingBlocker, UpgradeBlocker,
    next_minor,
};
pub use path::{ChannelState, Hop, Kept, Path, PathError, PathErrorKind, shortened};
pub use row::{PackageComparison, Row, compare, compare_package};
pub use rule::{ComparisonRule, rules};
pub use sentence::{counted, sentence};
pub use simulated::SUBSCRIPTION;
pub use state::{Installed, State};
pub use union::Union;
pub use verdict::RowRule;
pub use vocabulary::{Presence, Runtime};
