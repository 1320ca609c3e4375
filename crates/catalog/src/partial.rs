//! Catalogs of which a part was not read: what they seem to miss may be in that part.
//!
//! Nobody knows which packages, channels and bundles that part has. So a catalog is either complete, or anything may be missing.

use crate::Catalog;
use source::{Diagnostic, Rule};
use std::sync::Arc;

impl Catalog {
    /// Says that a part of the files was not read. Then any package may have further bundles.
    pub fn set_partial(&mut self) {
        self.is_partial = true;
        self.packages.iter_mut().for_each(|package| Arc::make_mut(package).has_unknown_bundles = true);
    }
}

/// Whether a finding is about what was not read although `opm` may read it: a file that cannot be opened, a symbolic link out
/// of the folder, or a document that would take too much memory.
#[must_use]
pub fn is_about_unread(found: &Diagnostic) -> bool {
    found.rule == Rule::UnreadableFile && found.opm.is_none()
}

/// Whether a finding may have its cause in what was not read: it misses something, or is about the channels that are made of all
/// bundle directories of a package.
#[must_use]
pub fn may_follow_from_unread(found: &Diagnostic) -> bool {
    !found.missing.is_empty() || matches!(found.rule, Rule::UnbuiltPackage | Rule::PrunedBundle)
}
