//! The state of the page.

use super::{
    Compare, Edges, Explore, FileUndo, Follow, ImageSet, Layout, NamedSelection, NewBundle, Notice, Palette, Rules,
    Selection, Sets, Simulation, Source, Written,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::rc::Rc;
use views::{
    AnyQuery, Ask, CatalogId, CatalogRow, Compared, EntryView, ExampleTheme, FindingsView, GraphLayout, GraphView,
    LinkContent, ListView, OlmV1Release, OpmVersion, Overview, PackageKey, Presence, RequestId, Revision, Runtime,
    Severity, ShareView, Stage, first_and_more,
};

/// The state of the page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Whether the worker runs.
    pub worker: WorkerState,
    /// The revision of the last command.
    pub revision: Revision,
    pub last_request: RequestId,
    /// Requests without a reply, oldest first.
    pub pending: Vec<Pending>,
    /// Requests that wait for the worker to start, with the numbers of their file batches.
    pub queued: Vec<(RequestId, Ask, Option<u32>)>,
    /// How long the slowest request has been waiting; `None` if less than [`Wait::Brief`].
    pub wait: Option<Wait>,
    /// The progress of a command: the stage, the bytes that are done, and all bytes.
    pub progress: Option<(Stage, u32, u32)>,
    /// What was dropped or picked and is being opened.
    pub opening: Option<Opening>,
    /// The loaded catalogs and packages.
    pub overview: Shared<Overview>,
    /// Whether loading goes on, and the overview is a preview.
    pub is_preview: bool,
    /// The selection before a preview replaced it; restored when loading is cancelled.
    pub selection_before_preview: Option<NamedSelection>,
    /// The catalogs and baselines before a preview replaced them.
    pub catalogs_before_preview: BTreeSet<CatalogId>,
    /// `data:` URLs of icons.
    pub icons: Shared<BTreeMap<PackageKey, Rc<str>>>,
    pub selection: Selection,
    /// What to select as soon as it is loaded.
    pub pending_selection: Option<NamedSelection>,
    /// The graph of the selected package.
    pub graph: Option<Shared<GraphView>>,
    /// The graph of the package that was selected before: shown until that of the selected one arrives.
    pub former_graph: Option<Shared<GraphView>>,
    /// The layout of graphs that the user chose; absent for the better one of each.
    pub graph_layout: Option<GraphLayout>,
    /// Which states of the comparison the graph shows; absent if none are compared.
    pub graph_changes: Option<Presence>,
    /// Whether the Graph tab shows the channel map instead of the graph.
    pub shows_channel_map: bool,
    pub graph_text: Option<(RequestId, TextPurpose)>,
    /// The details of the selected entry.
    pub entry: Option<Shared<EntryView>>,
    /// Answers to other questions about the selected package.
    pub explore: Explore,
    pub compare: Compare,
    /// The ImageSetConfiguration, if one was opened.
    pub image_set: Option<ImageSet>,
    /// The revision before what is being written into a catalog.
    pub authored_from: Option<Revision>,
    /// The undo or redo of an edit that was sent to the worker, and whether it is a redo.
    pub taken_back: Option<(FileUndo, bool)>,
    /// The new bundle that can be tried.
    pub new_bundle: Option<NewBundle>,
    /// The editing mode of the drawing.
    pub edges: Edges,
    /// What is to be written into the catalogs of a set.
    pub written: Option<Written>,
    /// Catalogs for several versions of OpenShift.
    pub sets: Sets,
    /// What the dialog lists: a catalog, or PackageManifests.
    pub list: Option<Shared<ListView>>,
    pub findings: Findings,
    /// The disabled rules, and the descriptions of rules.
    pub rules: Rules,
    pub source: Source,
    pub simulation: Simulation,
    /// Incremented when the whole simulation is replaced, for instance by an example. It is the key of the region,
    /// whose elements are then replaced, so that no scroll position of the old one is kept.
    pub simulation_key: u32,
    /// The arrangement of the regions.
    pub layout: Layout,
    /// The examples, once they were requested.
    pub examples: Shared<Vec<ExampleTheme>>,
    /// The example that is open, unless the user changed it: then the session is the user's own.
    pub example: Option<String>,
    /// The palette; only while its dialog is open.
    pub palette: Palette,
    /// The view of the package.
    pub tab: Tab,
    /// Whether the page is as narrow as a phone: then the axis of drawings leads up.
    pub narrow: bool,
    /// Whether the page has room for the graph and the source side by side.
    pub is_wide: bool,
    /// Whether only the headline and the drawing are shown.
    pub is_presenting: bool,
    /// The region that a narrow screen shows.
    pub pane: Pane,
    /// The colour scheme.
    pub theme: Theme,
    /// The versions of OLM that answers are about.
    pub runtime: Runtime,
    /// The release of `opm` that judges catalogs.
    pub opm: OpmVersion,
    /// What the user says of the OLM v1 that answers are about.
    pub olm_v1: Option<OlmV1Release>,
    /// The day on which the details tell the support, `YYYY-MM-DD`: that of the visit, unless the user chose another.
    pub day: String,
    pub dialog: Option<Dialog>,
    /// The notices, oldest first.
    pub notices: Vec<Notice>,
    pub last_notice: u32,
    /// Whether files are dragged over the page.
    pub dragging: bool,
    /// Whether the page is being printed. It contains what is only on paper then.
    pub printing: bool,
    /// Whether single-key shortcuts are switched off.
    pub single_keys_off: bool,
    /// Whether the page is embedded in another one. It has a small header then, and stores nothing in the browser.
    pub embedded: bool,
    /// The files of `opscope open`, if it serves the page. Nothing is stored in the browser then, because the files
    /// are on the disk.
    pub follow: Option<Follow>,
    /// What was entered in the dialog for pasting, until it is read.
    pub unread: Option<Unread>,
    /// A link that waits for a confirmation, because it replaces the user's own catalogs or cluster.
    pub pending_link: Option<LinkTarget>,
    /// This session as a link and a file, once the user requested them.
    pub share: Option<Shared<ShareView>>,
}

impl State {
    /// Whether there is anything of the user's own that an example would replace.
    #[must_use]
    pub fn has_own(&self) -> bool {
        let something = self.has_content()
            // The catalogs of the last visit are being restored.
            || self.pending_selection.is_some()
            || self.worker.kept;
        something && self.example.is_none()
    }

    /// Whether anything is open: a catalog, Subscriptions or manifests.
    #[must_use]
    pub fn has_content(&self) -> bool {
        !self.overview.catalogs.is_empty() || !self.overview.sets.is_empty() || self.simulation.has_cluster()
    }

    /// The selection by name, because keys of packages do not outlive a worker.
    pub(super) fn selected_by_name(&self) -> Option<NamedSelection> {
        let catalog = self.catalog(self.selection.catalog()?)?.name.clone();
        let package = self.selection.package.as_ref().map(|key| key.package.clone());
        Some(NamedSelection { catalog, package, entry: self.selection.entry.clone() })
    }

    pub(super) fn is_selected(&self, package: &PackageKey) -> bool {
        self.selection.package.as_ref() == Some(package)
    }

    /// Whether a view of the package is shown. A very wide screen shows the graph beside the simulation.
    #[must_use]
    pub fn shows(&self, tab: Tab) -> bool {
        match tab {
            Tab::Graph => matches!(self.tab, Tab::Graph | Tab::Simulate) || self.shows_both(),
            Tab::Source => self.tab == tab || self.shows_both(),
            _ => self.tab == tab,
        }
    }

    /// Whether the graph and the source are shown side by side.
    #[must_use]
    pub fn shows_both(&self) -> bool {
        let is_asked = self.layout.split.unwrap_or(self.is_wide && self.tab == Tab::Source);
        is_asked && self.selection.package.is_some() && matches!(self.tab, Tab::Graph | Tab::Source)
    }

    /// Whether the details have a region. A comparison needs none until something is selected, those of a catalog are
    /// in its overview, and graph and source side by side need the room.
    #[must_use]
    pub fn shows_details(&self) -> bool {
        let is_none_selected = self.selection.entry.is_none() && self.explore.subject.is_none();
        match self.tab {
            _ if self.selection.whole.is_some() => false,
            Tab::Compare => !is_none_selected,
            Tab::Source => !self.shows_both(),
            _ => true,
        }
    }

    /// Shows the simulation and the cluster that it begins with.
    pub(super) fn show_simulation(&mut self) {
        self.pane = Pane::Package;
        self.tab = Tab::Simulate;
    }

    /// The loaded catalog or baseline with this id.
    #[must_use]
    pub fn catalog(&self, id: CatalogId) -> Option<&CatalogRow> {
        self.overview.catalogs.iter().chain(&self.overview.baselines).find(|row| row.id == id)
    }
}

/// A text that was entered and is not read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unread {
    pub text: String,
    /// Why it cannot be read; empty until that is known.
    pub reason: String,
}

/// Whether the worker runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkerState {
    /// It was started. It is, when something needs it.
    pub started: bool,
    pub ready: bool,
    /// It is to restore the catalogs of the last visit when it is ready.
    pub restore: bool,
    /// The browser stores catalogs of the last visit that are not loaded, or not yet.
    pub kept: bool,
    /// Restoring them was cancelled, or they were left out because the worker had died.
    pub not_restored: bool,
    /// It died too often and is not started again.
    pub gone: bool,
    /// How many workers in a row ended before they were ready.
    pub failed_starts: u32,
    /// When one last died that was ready.
    pub died: Option<Millis>,
    /// The manifests of the cluster that it was sent last.
    pub cluster: Option<Rc<str>>,
    /// The comparison that it was sent last, and the request. Answers to earlier requests are about another one.
    pub comparison: Option<(RequestId, Compared)>,
}

/// A request without a reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Pending {
    /// Its id, which the reply quotes.
    pub id: RequestId,
    /// The revision that it was sent with.
    pub revision: Revision,
    /// What it requests.
    pub kind: PendingKind,
}

/// What was dropped or picked and is being opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The names of the first files and folders, and how many more there are.
    pub names: String,
    /// The bytes of all files, once they are known.
    pub bytes: Option<u32>,
}

impl Opening {
    /// Files and folders with these names; nothing without any.
    pub(super) fn of(names: Vec<String>, bytes: Option<u32>) -> Option<Self> {
        const NAMED: usize = 3;
        (!names.is_empty()).then(|| Self { names: first_and_more(names.iter(), NAMED), bytes })
    }
}

/// What the page remembers of a request until the reply arrives.
#[derive(Clone, Debug, PartialEq)]
pub enum PendingKind {
    /// A query.
    Query(AnyQuery),
    /// A command, without its data, and whether it restores the catalogs of the last visit.
    Command { restores: bool },
    /// The cluster that queries are about.
    Cluster,
    /// The states that queries compare.
    Comparison,
    /// That a command is cancelled, or a simulation or comparison stopped.
    Cancel,
}

/// How long a request has been waiting for its reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wait {
    /// Long enough to show progress: 300 ms.
    Brief,
    /// Long enough to offer to stop the worker: 8 s.
    Long,
}

/// Milliseconds since the page was opened.
pub type Millis = u32;

/// What a requested text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextPurpose {
    Copy,
    /// To download it as a file.
    Save,
}

/// The list of findings.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    /// Whether findings of all packages are listed, rather than those of the selected one.
    pub everything: bool,
    /// The filter.
    pub text: String,
    /// The severity that is listed; all if absent.
    pub severity: Option<Severity>,
    /// How many are requested.
    pub limit: u32,
    pub view: Shared<FindingsView>,
}

impl Findings {
    /// How many more are requested at a time.
    pub const STEP: u32 = 300;

    /// How many are below the graph of a package.
    pub const BELOW: u32 = 20;
}

impl Default for Findings {
    fn default() -> Self {
        Self { everything: false, text: String::new(), severity: None, limit: Self::STEP, view: Shared::default() }
    }
}

/// What a link opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkTarget {
    /// A session or a text, which the worker opens.
    Content(LinkContent),
    Example(String),
}

// What the page shows: views, regions, dialogs, colours.

/// The views of a package.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tab {
    /// Its channels as a drawing.
    #[default]
    Graph,
    /// The hops from every version to the head of every channel.
    Reach,
    Table,
    /// What a change does to installed versions.
    Compare,
    Source,
    Findings,
    /// What OLM does in a cluster.
    Simulate,
}

impl Tab {
    /// All of them. The keys `1` to `6` show the first six.
    pub const ALL: [Self; 7] =
        [Self::Graph, Self::Reach, Self::Table, Self::Compare, Self::Source, Self::Findings, Self::Simulate];

    /// Those in the header, in the order shown.
    pub const MAIN: [Self; 4] = [Self::Graph, Self::Compare, Self::Simulate, Self::Source];

    /// The ways to see the updates of a package, which one tab of the header stands for.
    pub const OF_UPDATES: [Self; 4] = [Self::Graph, Self::Reach, Self::Table, Self::Findings];

    /// Those of a catalog as a whole. The overview is in the place of the graph.
    pub const OF_OVERVIEW: [Self; 2] = [Self::Graph, Self::Findings];

    /// The tab of the header that stands for it.
    #[must_use]
    pub fn main(self) -> Self {
        if Self::OF_UPDATES.contains(&self) { Self::Graph } else { self }
    }

    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Graph => "Graph",
            Self::Reach => "Reach",
            Self::Table => "Table",
            Self::Compare => "Compare",
            Self::Findings => "Findings",
            Self::Source => "Source",
            Self::Simulate => "Simulate",
        }
    }

    /// Its title for a package, or for a catalog as a whole.
    #[must_use]
    pub const fn title_of(self, is_package: bool) -> &'static str {
        match self {
            Self::Graph if !is_package => "Overview",
            _ => self.title(),
        }
    }

    /// The key that shows it.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Graph => "g",
            Self::Reach => "r",
            Self::Table => "t",
            Self::Compare => "d",
            Self::Findings => "f",
            Self::Source => "s",
            Self::Simulate => "c",
        }
    }
}

/// The regions of the page. A narrow screen shows one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pane {
    #[default]
    Packages,
    Package,
    Entry,
}

/// The colour scheme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    /// In the order of the switch.
    pub const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

    /// Its name in the page and in the style sheet.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialog {
    /// Search and pick.
    Palette,
    Shortcuts,
    Paste,
    Catalog(CatalogId),
    Examples,
    Rule,
    Share,
    /// Try a new bundle on a catalog.
    NewBundle,
    /// Deprecate or remove the selected entry.
    Retire,
    /// What would be written into the catalogs of a set.
    Written,
    /// Packages, channels, heads and versions of a catalog or of PackageManifests.
    List,
    /// Confirm that a link replaces the user's own catalogs and cluster.
    OpenLink,
}

// Large views that are shared by reference and compared by identity.

/// A view behind a reference. Two are equal if they are the same allocation, so that comparing the properties of a
/// component is cheap. [`Shared::renew`] keeps the old allocation if the content did not change.
#[derive(Debug, Default)]
pub struct Shared<T>(Rc<T>);

impl<T> Shared<T> {
    /// Wraps a view.
    pub fn new(value: T) -> Self {
        Self(Rc::new(value))
    }
}

impl<T: PartialEq> Shared<T> {
    /// Replaces the view, unless the new one is equal.
    pub fn renew(&mut self, value: T) {
        if *self.0 != value {
            self.0 = Rc::new(value);
        }
    }
}

/// Replaces a view that may be absent, unless the new one is equal.
pub(crate) fn renew<T: PartialEq>(slot: &mut Option<Shared<T>>, value: Option<T>) {
    match (slot.as_mut(), value) {
        (Some(old), Some(value)) => old.renew(value),
        (None, Some(value)) => *slot = Some(Shared::new(value)),
        (_, None) => *slot = None,
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<T> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_content_keeps_the_identity() {
        let mut view = Shared::new(vec![1]);
        let before = view.clone();
        view.renew(vec![1]);
        assert!(view == before);
        view.renew(vec![2]);
        assert!(view != before);
        assert_eq!(*before, [1]);
    }
}
