//! What a change to a catalog does to the clusters that run it.
//!
//! A comparison has one row for each channel of the old state and each version that it lists: what OLM makes of that
//! version before and after the change. The version of what is installed is always that of the old state, because the new
//! one may no longer have it. What a runtime does with an installed version is a trait, which OLM v0 and OLM v1 implement; rows,
//! rules, groups and fixes are the same for both. Sources: operator-lifecycle-manager
//! `pkg/controller/registry/resolver/resolver.go`, operator-controller `internal/operator-controller/resolve/catalog.go`.
//!
//! [`Comparison`] compares all packages of two catalogs, with the user's levels, and puts the result in words.
//! [`compare_cluster`] asks the same about a given cluster, with all that it has installed.
//!
//! Beside the rows: what else changed in a package, the edits that a row is due to, and fixes.

mod catalogs;
mod cause;
mod change;
mod cluster;
mod edit;
mod extension;
mod fix;
mod path;
mod row;
mod rule;
mod search;
mod settings;
mod simulated;
mod state;
mod subscription;
mod union;
pub mod words;

pub use catalogs::{Compared, Comparison, Finding, Scope, Side, V1Cluster, is_fragment};
pub use change::{Change, Texts, changes};
pub use cluster::{
    Cause, ClusterCatalogs, ClusterComparison, Dependency, Failure, NamespaceFailure, SimulatedPath,
    SubscriptionComparison, compare_cluster,
};
pub use edit::{BundleChange, Edit, EntryChange, edits, revert};
pub use extension::ambiguous_extensions;
pub use fix::VerifiedFix;
pub use path::{ChannelState, Hop, Kept, Path, PathError, PathErrorKind, shortened};
pub use row::{
    Group, PackageComparison, Row, UpdatedBy, compare, compare_package, groups, rows_without_texts, subscription_paths,
};
pub use rule::{Levels, Rule, rule_ids};
pub use search::{Budget, Explained, Explanation, Search};
pub use settings::{Rendered, Settings, SettingsFault, proposed};
pub use simulated::SUBSCRIPTION;
pub use source::{Level, Presence, Runtime};
pub use state::{Installed, State};
pub use subscription::{Listings, with_dependencies};
pub use union::{Union, mermaid};
pub use words::{NOTHING, counted, sentence};
