//! What becomes of an installed version in one state of a catalog: its updates, one after the other.
//!
//! The paths of a channel share its update graph and keep only where they start and end: a channel of thousands of entries
//! has millions of hops.

use catalog::BundleName;
use extension::{NoAnswer, ResolveError};
use go_semver::blang::Version;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use update_graph::{Via, WalkSums, Walks};

/// The updates that a runtime makes of one installed version, each plan taken to succeed.
#[derive(Clone, Default)]
pub struct Path {
    /// The number of updates. If they repeat, up to the first version that comes again.
    pub len: usize,
    /// Whether the last update leads back to a version that was installed before, so that the updates repeat forever.
    pub repeats: bool,
    /// The runtime's error, if the resolution before the first or after the last update fails.
    pub error: Option<PathError>,
    /// Of OLM v0: the state of the channel.
    pub state: ChannelState,
    /// Of OLM v1: the bundle that is applied to the version that stays.
    pub kept: Option<Kept>,
    pub(crate) updates: Arc<Updates>,
    pub(crate) first: Option<Update>,
    /// The version in the update graph where the updates end.
    pub(crate) last: Option<usize>,
    /// Whether the installed version itself comes again, which may have another next update in the update graph: the
    /// cluster has the version of the old state.
    pub(crate) is_cut: bool,
}

/// An update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// What it installs.
    pub to: BundleName,
    pub version: Option<Version>,
    /// The field that allows it; absent if the simulation or OLM v1 found it, which do not say.
    pub via: Option<Via>,
}

/// Why a resolution fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathError {
    /// The runtime's own text. Rows share it: it may list all entries of a channel.
    pub text: Arc<str>,
    /// What it is about.
    pub kind: PathErrorKind,
}

/// What an error is about, as far as rules ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathErrorKind {
    /// OLM v1: the bundle has a dependency.
    Dependency,
    /// OLM v1: several catalogs have a bundle.
    Ambiguous,
    /// Anything else.
    Other,
}

/// The bundle that OLM v1 applies to a version that stays: the installed one, or another one with its version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    pub bundle: BundleName,
    pub image: Option<Box<str>>,
}

/// Whether OLM can choose from a channel.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChannelState {
    /// The catalog has no such package.
    PackageGone,
    /// The package has no such channel, or the channel lists nothing.
    ChannelGone,
    /// OLM cannot order the entries, or nothing can be chosen because `opm` rejects the catalog.
    #[default]
    Broken,
    Served {
        head: BundleName,
    },
}

impl PathError {
    pub(crate) fn other(text: impl Into<Arc<str>>) -> Self {
        Self { text: text.into(), kind: PathErrorKind::Other }
    }

    pub(crate) fn of(error: &ResolveError) -> Self {
        let kind = match error {
            ResolveError::Dependency { .. } => PathErrorKind::Dependency,
            ResolveError::NoAnswer(NoAnswer { catalogs, .. }) if !catalogs.is_empty() => PathErrorKind::Ambiguous,
            _ => PathErrorKind::Other,
        };
        Self { text: error.to_string().into(), kind }
    }
}

/// The most characters of an error that are shown.
const SHOWN: usize = 2000;

/// An error as it is shown: OLM's message about a channel may name all of its entries.
#[must_use]
pub fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(SHOWN) {
        None => Cow::Borrowed(text),
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()).into(),
    }
}

/// The first update of a path, into the update graph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Update {
    pub(crate) to: usize,
    pub(crate) via: Option<Via>,
}

/// The updates between the versions of one state, which paths share.
#[derive(Debug, Default)]
pub(crate) struct Updates {
    pub(crate) versions: Vec<(BundleName, Option<Version>)>,
    via: Vec<Option<Via>>,
    /// Why the resolution fails, by the version that is installed then.
    errors: BTreeMap<usize, PathError>,
    by_name: BTreeMap<BundleName, usize>,
    pub(crate) walks: Walks,
    /// How many updates lead to a lower version, by a skipRange and by names.
    downs: [WalkSums; 2],
}

impl Updates {
    /// Of versions with different names, and the next update of each of them.
    pub(crate) fn new(
        versions: Vec<(BundleName, Option<Version>)>,
        next: &[Option<Update>],
        errors: BTreeMap<usize, PathError>,
    ) -> Self {
        let walks = Walks::new(next.iter().map(|next| next.map(|next| next.to)).collect());
        let is_down = |(from, next): (usize, &Option<Update>), by_range: bool| {
            let next = next.filter(|next| (next.via == Some(Via::SkipRange)) == by_range)?;
            is_lower(versions[next.to].1.as_ref(), versions[from].1.as_ref()).then_some(())
        };
        let downs = [true, false].map(|by_range| {
            walks.sums(next.iter().enumerate().map(|at| u32::from(is_down(at, by_range).is_some())).collect())
        });
        // Of equal names the first one counts.
        let by_name = versions.iter().enumerate().rev().map(|(at, (name, _))| (name.clone(), at)).collect();
        let via = next.iter().map(|next| next.and_then(|next| next.via)).collect();
        Self { versions, via, errors, by_name, walks, downs }
    }

    pub(crate) fn index(&self, name: &BundleName) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    fn hop(&self, to: usize, via: Option<Via>) -> Hop {
        let (name, version) = &self.versions[to];
        Hop { to: name.clone(), version: version.clone(), via }
    }
}

/// Whether a version is lower than the one before it.
fn is_lower(version: Option<&Version>, before: Option<&Version>) -> bool {
    version.zip(before).is_some_and(|(version, before)| version < before)
}

impl Path {
    /// The path in a channel that OLM cannot choose from.
    pub(crate) fn failed(state: ChannelState, error: PathError) -> Self {
        Self { error: Some(error), state, ..Self::default() }
    }

    /// The path that starts with an update, in an update graph.
    pub(crate) fn through(updates: &Arc<Updates>, installed: &BundleName, first: Option<Update>) -> Self {
        let Some(start) = first else { return Self { updates: Arc::clone(updates), ..Self::default() } };
        let again = updates.index(installed);
        let again = again.and_then(|own| Some((own, updates.walks.hops_to(start.to, own)?)));
        let walk = updates.walks.walk(start.to);
        let (last, hops) = again.unwrap_or((walk.end, walk.hops));
        let repeats = again.is_some() || walk.repeats;
        Self {
            len: hops + 1,
            repeats,
            error: updates.errors.get(&last).filter(|_| !repeats).cloned(),
            updates: Arc::clone(updates),
            first,
            last: Some(last),
            is_cut: again.is_some(),
            ..Self::default()
        }
    }

    /// The path of these updates.
    pub(crate) fn listed(hops: Vec<Hop>, repeats: bool) -> Self {
        let next: Vec<Option<Update>> =
            (1..=hops.len()).map(|to| hops.get(to).map(|hop| Update { to, via: hop.via })).collect();
        let first = hops.first().map(|hop| Update { to: 0, via: hop.via });
        let (len, last) = (hops.len(), hops.len().checked_sub(1));
        let versions = hops.into_iter().map(|hop| (hop.to, hop.version)).collect();
        let updates = Arc::new(Updates::new(versions, &next, BTreeMap::new()));
        Self { len, repeats, updates, first, last, ..Self::default() }
    }

    /// Whether the version stays, or the first resolution fails.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The updates, one after the other.
    pub fn hops(&self) -> impl Iterator<Item = Hop> + '_ {
        let indices = self.indices();
        let via = std::iter::once(self.first.and_then(|first| first.via));
        let via = via.chain(self.indices().map(|at| self.updates.via[at]));
        indices.zip(via).map(|(at, via)| self.updates.hop(at, via))
    }

    /// The names that the updates install, one after the other.
    pub fn names(&self) -> impl Iterator<Item = &BundleName> {
        self.indices().map(|at| &self.updates.versions[at].0)
    }

    fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        let first = self.first.map(|first| first.to);
        let rest = first.into_iter().flat_map(|first| self.updates.walks.versions_after(first));
        first.into_iter().chain(rest).take(self.len)
    }

    /// The first update.
    #[must_use]
    pub fn first(&self) -> Option<Hop> {
        self.first.map(|first| self.updates.hop(first.to, first.via))
    }

    /// What the first update installs.
    #[must_use]
    pub fn next(&self) -> Option<&BundleName> {
        self.first.map(|first| &self.updates.versions[first.to].0)
    }

    /// The version of that.
    #[must_use]
    pub fn next_version(&self) -> Option<&Version> {
        self.first.and_then(|first| self.updates.versions[first.to].1.as_ref())
    }

    /// What the first resolution gives: the next update, or the bundle that OLM v1 keeps.
    #[must_use]
    pub fn answer(&self) -> Option<&BundleName> {
        self.next().or(self.kept.as_ref().map(|kept| &kept.bundle))
    }

    /// What the last update installs, with its version.
    #[must_use]
    pub fn last(&self) -> Option<(&BundleName, Option<&Version>)> {
        let (name, version) = &self.updates.versions[self.last?];
        Some((name, version.as_ref()))
    }

    /// The version where the updates of `installed` end. If they repeat, it is the first one that comes again.
    #[must_use]
    pub fn end<'p>(&'p self, installed: &'p BundleName) -> &'p BundleName {
        self.last().map_or(installed, |(name, _)| name)
    }

    /// The version of a bundle of the channel.
    #[must_use]
    pub fn version_of(&self, name: &BundleName) -> Option<&Version> {
        self.updates.versions[*self.updates.by_name.get(name)?].1.as_ref()
    }

    /// The version of the end; `installed` is that of what is installed.
    pub(crate) fn end_version<'p>(&'p self, installed: Option<&'p Version>) -> Option<&'p Version> {
        self.last().map_or(installed, |(_, version)| version)
    }

    /// The head of the channel.
    #[must_use]
    pub const fn head(&self) -> Option<&BundleName> {
        match &self.state {
            ChannelState::Served { head } => Some(head),
            ChannelState::PackageGone | ChannelState::ChannelGone | ChannelState::Broken => None,
        }
    }

    /// Why the first resolution fails.
    #[must_use]
    pub fn first_error(&self) -> Option<&PathError> {
        self.error.as_ref().filter(|_| self.is_empty())
    }

    /// The text of the error.
    #[must_use]
    pub fn error_text(&self) -> Option<&str> {
        self.error.as_ref().map(|error| &*error.text)
    }

    /// Whether the updates install a version of the update graph.
    fn visits(&self, at: usize) -> bool {
        let hops = self.first.and_then(|first| self.updates.walks.hops_to(first.to, at));
        hops.is_some_and(|hops| hops < self.len)
    }

    /// Whether an update by a skipRange, or one by any other field, leads to a lower version.
    pub(crate) fn goes_down(&self, installed: Option<&Version>, by_range: bool) -> bool {
        let Some(first) = self.first else { return false };
        let is_kind = (first.via == Some(Via::SkipRange)) == by_range;
        let later = || self.sum(&self.updates.downs[usize::from(!by_range)]) > 0;
        (is_kind && is_lower(self.updates.versions[first.to].1.as_ref(), installed)) || later()
    }

    /// The sum over all updates but the first one.
    pub(crate) fn sum(&self, sums: &WalkSums) -> u32 {
        match (self.first, self.last) {
            (Some(first), Some(last)) if self.is_cut => self.updates.walks.sum_to(sums, first.to, last),
            (Some(first), _) => self.updates.walks.sum(sums, first.to),
            (None, _) => 0,
        }
    }

    pub(crate) const fn updates(&self) -> &Arc<Updates> {
        &self.updates
    }
}

impl PartialEq for Path {
    fn eq(&self, other: &Self) -> bool {
        (self.len, self.repeats, &self.error) == (other.len, other.repeats, &other.error)
            && (&self.state, &self.kept) == (&other.state, &other.kept)
            && self.last() == other.last()
            && self.hops().eq(other.hops())
    }
}

impl Eq for Path {}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&BundleName> = self.names().take(20).collect();
        let Self { len, repeats, error, state, kept, .. } = self;
        let mut out = f.debug_struct("Path");
        out.field("hops", &names).field("len", len).field("repeats", repeats);
        out.field("error", error).field("state", state).field("kept", kept).finish()
    }
}

// Updates that leave out a minor version which the updates came through before the change.

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
