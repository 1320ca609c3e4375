//! What a comparison asks of a state of a catalog.

use crate::state::State;
use cluster::ClusterCatalog;
use resolver::Listing;
use source::{FileId, Span};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A state of a catalog, with its texts.
pub trait Side<'c>: Copy {
    /// What it says, and whether `opm` rejects it.
    fn state(self) -> State<'c>;

    /// Where the text has what `opm` rejects, as `path:line:column`, if that is known.
    fn rejected_at(self) -> Option<String>;

    /// The packages for which `opm` rejects it, if that is known.
    fn at_fault(self) -> Option<BTreeSet<&'c str>>;

    /// Whether `opm` accepts what was read of it.
    fn is_accepted(self) -> bool;

    /// Whether nothing can be said about it: a part was not read, or it has no package.
    fn is_unread(self) -> bool;

    /// What was not read and why, a line each.
    fn unread(self) -> Vec<String>;

    /// Whether somebody edits its text.
    fn is_editable(self) -> bool;

    /// Whether it is a mirror of another catalog.
    fn is_mirror(self) -> bool;

    /// Whether it may have a package: a mirror lacks those that nobody asks for.
    fn mirrors(self, package: &str) -> bool;

    /// The text of a file, if it is kept.
    fn text(self, file: FileId) -> Option<Cow<'c, str>>;

    /// The rules of comparisons that comments tell to ignore, and where.
    fn ignored(self) -> Vec<(&'c str, Span)>;

    /// The index that resolutions look bundles up in.
    fn listing(self) -> Arc<Listing>;

    /// The ClusterCatalog of OLM v1 that it is taken for if there are no manifests.
    fn cluster_catalog(self) -> ClusterCatalog;
}
