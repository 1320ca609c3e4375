//! Updates that leave out a minor version which the updates came through before the change.

use crate::path::{Path, Updates};
use go_semver::blang::Version;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The limit on updates of a path that are looked at, for a path of which updates leave out minor versions that the old state
/// has: otherwise the paths of a long channel would take quadratic time.
const LOOKED_AT: usize = 300;

/// Major and minor.
type Minor = (u64, u64);

fn minor(version: &Version) -> Minor {
    (version.major(), version.minor())
}

/// The jumps of many rows. Most of them share their update graphs, and many need none: a path without updates has no jump.
#[derive(Default)]
pub(crate) struct Jumps {
    last: RefCell<Option<Comparison>>,
}

impl Jumps {
    /// Whether the next update of the new path leaves out all versions of a minor version that the old path came through.
    pub(crate) fn has_jump(&self, (old, new): (&Path, &Path), installed: Option<&Version>) -> bool {
        // The last update of the old path comes through nothing.
        if new.len == 0 || old.len <= 1 {
            return false;
        }
        let mut last = self.last.borrow_mut();
        let known = last.take().filter(|known| known.is_between(old, new));
        last.insert(known.unwrap_or_else(|| Comparison::between(old, new))).has_jump((old, new), installed)
    }
}

/// The update graphs of the states before and after the change, compared.
struct Comparison {
    old: Arc<Updates>,
    new: Arc<Updates>,
    /// The minor versions of the old state, ascending.
    minors: Vec<Minor>,
    /// By version of the old state: the same name in the new one.
    counterparts: Vec<Option<usize>>,
}

impl Comparison {
    /// For two paths, and all others in the same update graphs.
    fn between(old: &Path, new: &Path) -> Self {
        let (old, new) = (Arc::clone(old.updates()), Arc::clone(new.updates()));
        let minors: BTreeSet<Minor> =
            old.versions.iter().filter_map(|(_, version)| version.as_ref().map(minor)).collect();
        let minors: Vec<Minor> = minors.into_iter().collect();
        let counterparts = old.versions.iter().map(|(name, _)| new.index(name)).collect();
        Self { old, new, minors, counterparts }
    }

    fn is_between(&self, old: &Path, new: &Path) -> bool {
        Arc::ptr_eq(&self.old, old.updates()) && Arc::ptr_eq(&self.new, new.updates())
    }

    fn has_jump(&self, (old, new): (&Path, &Path), installed: Option<&Version>) -> bool {
        let Some((from, to)) = installed.map(minor).zip(new.next_version().map(minor)) else { return false };
        if !between(&self.minors, from, to) {
            return false;
        }
        let is_left_out = |at: &usize| self.counterparts[*at].is_none_or(|at| !new.visits(at));
        let between_ends = old.indices().take(old.len.saturating_sub(1).min(LOOKED_AT));
        let left_out: BTreeSet<Minor> =
            between_ends.filter(is_left_out).filter_map(|at| self.old.versions[at].1.as_ref().map(minor)).collect();
        between(&left_out.into_iter().collect::<Vec<_>>(), from, to)
    }
}

/// Whether one of these lies between two minor versions.
fn between(ascending: &[Minor], from: Minor, to: Minor) -> bool {
    ascending.get(ascending.partition_point(|minor| *minor <= from)).is_some_and(|minor| *minor < to)
}
