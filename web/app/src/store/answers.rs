//! The answers about the selected package.

use super::{EntryFilter, ReachFilter, ReachTable, Shared};
use std::collections::BTreeSet;
use views::{ChannelMapView, CrdChangesView, EntryKey, PathView, ReadinessView, RepairsView, Subject, SubjectView};

/// The answers about the selected package.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explore {
    /// The channel, edge or skipRange that is selected instead of an entry.
    pub subject: Option<Subject>,
    /// The details of the subject, once the worker has answered.
    pub about: Option<Shared<SubjectView>>,
    /// The entry that is under the pointer or has the focus.
    pub pointed: Option<EntryKey>,
    /// The entry that the shown step of the simulation installs; the drawing scrolls to it.
    pub followed: Option<EntryKey>,
    /// Entries that are not folded.
    pub opened: BTreeSet<EntryKey>,
    pub path: Option<ShownPath>,
    /// The part of the Reach table that has arrived.
    pub reach: Option<Shared<ReachTable>>,
    /// The channel map, once the worker has answered.
    pub channel_map: Option<Shared<ChannelMapView>>,
    /// What OLM v1 refuses in the bundles of the package, if that was chosen.
    pub readiness: Option<Shared<ReadinessView>>,
    /// What helps the packages with stuck versions of the catalog that is shown as a whole, with those packages.
    pub repairs: (Vec<String>, Shared<Vec<RepairsView>>),
    /// What updates do to CustomResourceDefinitions: all of the package, if the user requested them, or those from the
    /// selected entry.
    pub crds: Option<ShownCrds>,
    /// Filters and sorting of the Reach table.
    pub filter: ReachFilter,
    /// Filters and sorting of the table of entries.
    pub table: EntryFilter,
}

/// What updates do to CustomResourceDefinitions.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownCrds {
    /// The bundle that the updates begin at; absent for all updates of the package.
    pub from: Option<String>,
    /// The answer.
    pub view: Shared<CrdChangesView>,
}

/// A path from an installed version to an entry.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownPath {
    /// The name of the installed entry.
    pub from: String,
    /// Its end.
    pub to: EntryKey,
    /// The answer, once the worker has given it.
    pub view: Option<Shared<PathView>>,
    /// Which of the paths of the answer is drawn.
    pub kind: PathKind,
    /// Whether the user chose it in the Reach table, where closing it leads back to.
    pub from_reach: bool,
    /// The entry that was selected before, and is again when the path is closed.
    pub before: Option<EntryKey>,
}

/// The paths that an answer may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PathKind {
    #[default]
    Olm,
    /// The path with the fewest hops along `replaces`, `skips` and `skipRange`.
    Shortest,
    /// A path through other channels.
    AcrossChannels,
}
