//! Which entries of one list meet a requirement, found through its index.
//!
//! OLM asks every entry. Here only those are asked that the first parts of the requirement leave; the others would say no
//! without getting to a part that cannot be evaluated.

use std::borrow::Cow;

use predicate::{Fuel, Requirement, Unevaluated};

use crate::entry::Entry;
use crate::index::{At, Index};

/// The entries that meet a requirement, in ascending order.
#[derive(Debug, Default)]
pub(crate) struct Meeting {
    pub(crate) entries: Vec<At>,
    /// Why it is not known of some; they count as not meeting it.
    pub(crate) unknown: Option<Unevaluated>,
}

impl Meeting {
    pub(crate) fn of(index: &Index, entries: &[Entry], requirement: &Requirement, fuel: &mut Fuel) -> Self {
        let mut meeting = Self::default();
        match (requirement, narrowed(index, requirement)) {
            (Requirement::Gvk(_), Some(exactly)) => meeting.entries = exactly.into_owned(),
            (_, Some(candidates)) => {
                for &at in candidates.iter() {
                    meeting.ask(&entries[at as usize], requirement, &[at], fuel);
                }
            }
            (_, None) => {
                for bundle in index.bundles() {
                    meeting.ask(&entries[bundle[0] as usize], requirement, bundle, fuel);
                }
                meeting.entries.sort_unstable();
            }
        }
        meeting
    }

    /// Asks an entry, for all those that say the same.
    fn ask(&mut self, entry: &Entry, requirement: &Requirement, same: &[At], fuel: &mut Fuel) {
        let properties = entry.properties.iter().map(|placed| &placed.property);
        match requirement.holds_within(&entry.package, entry.version.as_ref(), properties, fuel) {
            Ok(true) => self.entries.extend(same),
            Ok(false) => {}
            Err(unevaluated) => {
                self.unknown.get_or_insert(unevaluated);
            }
        }
    }
}

/// Entries outside of which nothing meets the requirement, in ascending order, where the index knows.
fn narrowed<'i>(index: &'i Index, requirement: &Requirement) -> Option<Cow<'i, [At]>> {
    match requirement {
        Requirement::Gvk(gvk) => Some(index.of_gvk(gvk).into()),
        Requirement::Package { name, .. } => Some(index.of_package(name.as_str()).into()),
        Requirement::Label(_) => Some(index.labelled().into()),
        Requirement::All(inner) => narrowest(index, inner),
        Requirement::Any(inner) => united(index, inner),
        Requirement::Not(_) | Requirement::Cel { .. } => None,
    }
}

/// What the most selective part leaves. Parts after one that may fail to be evaluated do not count: it would be asked
/// before them.
fn narrowest<'i>(index: &'i Index, inner: &[Requirement]) -> Option<Cow<'i, [At]>> {
    let certain = inner.iter().take_while(|part| is_certain(part)).count();
    let counted = &inner[..inner.len().min(certain + 1)];
    counted.iter().filter_map(|part| narrowed(index, part)).min_by_key(|entries| entries.len())
}

fn united<'i>(index: &'i Index, inner: &[Requirement]) -> Option<Cow<'i, [At]>> {
    let parts: Option<Vec<_>> = inner.iter().map(|part| narrowed(index, part)).collect();
    let mut entries = parts?.concat();
    entries.sort_unstable();
    entries.dedup();
    Some(entries.into())
}

/// Whether every entry has an answer to it.
fn is_certain(requirement: &Requirement) -> bool {
    match requirement {
        Requirement::Gvk(_) | Requirement::Label(_) => true,
        Requirement::Package { .. } | Requirement::Cel { .. } => false,
        Requirement::All(inner) | Requirement::Any(inner) | Requirement::Not(inner) => inner.iter().all(is_certain),
    }
}
