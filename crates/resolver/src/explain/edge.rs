//! Update edges, as a Subscription's candidates have them (operator-lifecycle-manager
//! `pkg/controller/registry/resolver/cache/predicates.go`).

use catalog::BundleName;
use go_semver::blang::Version;
use update_graph::Via;

use crate::entry::Entry;

/// How the installed `name` of this version can be updated to the entry. A range that crashes OLM leads nowhere.
pub(crate) fn edge(entry: &Entry, name: &BundleName, version: Option<&Version>) -> Option<Via> {
    if entry.replaces.as_ref() == Some(name) {
        return Some(Via::Replaces);
    }
    if entry.skips.contains(name) {
        return Some(Via::Skips);
    }
    let inside = entry.skip_range.as_ref()?.matches(version?).unwrap_or(false);
    inside.then_some(Via::SkipRange)
}
