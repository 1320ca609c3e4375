//! All that the page remembers.

use super::simulation::with_unix_line_ends;
use super::{Draft, Explore, Millis, Notice, Rules, Shared, Simulation, Source, Wait};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use views::{
    Ask, CatalogId, CatalogRow, EntryKey, EntryView, ExampleTheme, FindingsView, GraphView, LinkContent, Overview,
    PackageKey, Query, RequestId, Revision, ShareView, Stage,
};

/// The state of the page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// How the worker is.
    pub worker: WorkerState,
    /// Counts changes of the inputs that were asked for.
    pub revision: Revision,
    /// The id of the last request.
    pub requests: RequestId,
    /// Requests without an answer, oldest first.
    pub pending: Vec<Pending>,
    /// Requests that wait for the worker to start, with the numbers of their file batches.
    pub queued: Vec<(RequestId, Ask, Option<u32>)>,
    /// How long the oldest request has been waiting; absent while all is quick.
    pub wait: Option<Wait>,
    /// What the worker is doing: the stage, how much is done, of how much.
    pub progress: Option<(Stage, u32, u32)>,
    /// What is loaded.
    pub overview: Shared<Overview>,
    /// More is being loaded, and the overview has what can be used already.
    pub partial: bool,
    /// What was selected before something that is being loaded took its place.
    pub displaced: Option<Wanted>,
    /// `data:` URLs of icons.
    pub icons: Shared<BTreeMap<PackageKey, Rc<str>>>,
    /// What is selected.
    pub selection: Selection,
    /// What is to be selected as soon as it is loaded.
    pub wanted: Option<Wanted>,
    /// The graph of the selected package.
    pub graph: Option<Shared<GraphView>>,
    /// The request for the graph as text, and what the text is for.
    pub graph_text: Option<(RequestId, TextPurpose)>,
    /// The selected entry.
    pub entry: Option<Shared<EntryView>>,
    /// What else is asked about the selected package.
    pub explore: Explore,
    /// The list of findings.
    pub findings: Findings,
    /// Which rules are switched off, and what is said about them.
    pub rules: Rules,
    /// The source tab.
    pub source: Source,
    /// Subscriptions and what becomes of them.
    pub simulation: Simulation,
    /// Counts what took the place of the whole simulation: nothing of what was seen of the old one stays, such as how far
    /// it was scrolled.
    pub opened: u32,
    /// The simulation has all the room.
    pub roomy: bool,
    /// The ready examples, once they were asked for.
    pub examples: Shared<Vec<ExampleTheme>>,
    /// The example that is shown as it was opened: nothing of the user's own.
    pub example: Option<String>,
    /// The text that packages are searched for.
    pub search: String,
    /// The view of the package.
    pub tab: Tab,
    /// The region that a narrow screen shows.
    pub pane: Pane,
    /// The colour scheme.
    pub theme: Theme,
    /// The open dialog.
    pub dialog: Option<Dialog>,
    /// What the user should know, oldest first.
    pub notices: Vec<Notice>,
    /// So many notices there have been.
    pub noticed: u32,
    /// Something is dragged over the page.
    pub dragging: bool,
    /// The page is being printed: what is on paper alone is in it.
    pub printing: bool,
    /// Single keys are no shortcuts.
    pub keyless: bool,
    /// The page is part of another one: it shows no bar, and neither takes nor leaves anything in the browser.
    pub embedded: bool,
    /// A link that waits for a confirmation, because it replaces the user's own catalogs or cluster.
    pub pending_link: Option<LinkTarget>,
    /// This session as a link and a file, once the user asked for them.
    pub share: Option<Shared<ShareView>>,
}

impl State {
    /// The state that a visit begins with.
    #[must_use]
    pub fn new(draft: Draft) -> Self {
        let worker = WorkerState { restore: true, kept: draft.catalogs, ..WorkerState::default() };
        let rules = Rules { off: draft.rules_off.clone(), ..Rules::default() };
        let mut state = Self { worker, rules, theme: draft.theme, keyless: draft.keyless, ..Self::default() };
        state.restore_draft(draft, "");
        state
    }

    /// Takes up a visit where a draft and its manifests left it, but for the choices that belong to the user and not to
    /// the visit: colours, keys and rules. Catalogs come and go by other ways.
    pub(crate) fn restore_draft(&mut self, draft: Draft, manifests: &str) {
        let beyond = draft.beyond;
        self.wanted = draft.package.map(|package| Wanted { catalog: draft.catalog, package, entry: draft.entry });
        self.findings = Findings { everything: draft.everything, text: draft.findings_text, ..Findings::default() };
        self.simulation = Simulation {
            mode: draft.mode,
            cluster: draft.cluster,
            manifests: with_unix_line_ends(manifests).into(),
            namespace: draft.namespace,
            ran: draft.ran,
            outcome: draft.outcome,
            approved: draft.approved,
            every_event: draft.every_event,
            ..Simulation::default()
        };
        beyond.into_iter().for_each(|beyond| self.simulation.pair_up(beyond));
        self.opened += 1;
        self.roomy = draft.roomy;
        self.example = draft.example;
        self.search = draft.search;
        self.tab = draft.tab;
    }

    /// The same with the manifests of the last visit.
    #[must_use]
    pub fn with_manifests(mut self, text: &str) -> Self {
        self.simulation.manifests = text.into();
        if let Some(pair) = self.simulation.pair.take() {
            self.simulation.pair_up(pair.beyond);
        }
        self
    }

    /// Whether an example would take the place of something that is the user's own.
    #[must_use]
    pub fn has_own(&self) -> bool {
        let simulation = &self.simulation;
        let something = !self.overview.catalogs.is_empty()
            || !simulation.cluster.subscriptions.is_empty()
            || !simulation.manifests.trim().is_empty()
            // Catalogs of the last visit are on their way.
            || self.wanted.is_some()
            || self.worker.kept;
        something && self.example.is_none()
    }

    /// The selection by name: keys of packages do not outlive a worker.
    pub(super) fn selected_by_name(&self) -> Option<Wanted> {
        let PackageKey { catalog, package } = self.selection.package.clone()?;
        let catalog = self.catalog(catalog)?.name.clone();
        Some(Wanted { catalog, package, entry: self.selection.entry.clone() })
    }

    /// A loaded catalog.
    #[must_use]
    pub fn catalog(&self, id: CatalogId) -> Option<&CatalogRow> {
        self.overview.catalogs.iter().find(|row| row.id == id)
    }
}

/// How the worker is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkerState {
    /// It was started: something needed it.
    pub started: bool,
    /// It takes requests.
    pub ready: bool,
    /// It is told to load the catalogs of the last visit.
    pub restore: bool,
    /// There are catalogs of the last visit that were not loaded, yet or at all.
    pub kept: bool,
    /// They were not loaded at all.
    pub not_restored: bool,
    /// It died too often and is not started again.
    pub gone: bool,
    /// When it died last.
    pub died: Option<Millis>,
}

/// A request without a reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Pending {
    /// Its id, which the reply quotes.
    pub id: RequestId,
    /// The revision that it was sent with.
    pub revision: Revision,
    /// What it asks.
    pub asked: Asked,
}

/// What the page remembers of a request until the reply is there.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    /// A query.
    Query(Query),
    /// A command, without its data.
    Command {
        /// It loads what the browser kept.
        restores: bool,
    },
    /// The cancellation of a command.
    Cancel,
}

/// What the page does with a text that it asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextPurpose {
    /// Puts it on the clipboard.
    Copy,
    /// Gives it to the user as a file.
    Save,
}

/// What is selected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The package.
    pub package: Option<PackageKey>,
    /// One of its entries.
    pub entry: Option<EntryKey>,
}

/// A selection by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The catalog's name.
    pub catalog: String,
    /// The package's name.
    pub package: String,
    /// One of its entries.
    pub entry: Option<EntryKey>,
}

/// The list of findings.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    /// Of all packages rather than the selected one.
    pub everything: bool,
    /// The filter.
    pub text: String,
    /// At most so many are asked for.
    pub limit: u32,
    /// The findings.
    pub view: Shared<FindingsView>,
}

impl Findings {
    /// So many findings are asked for at a time.
    pub const STEP: u32 = 300;
}

impl Default for Findings {
    fn default() -> Self {
        Self { everything: false, text: String::new(), limit: Self::STEP, view: Shared::default() }
    }
}

/// The views of a package.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tab {
    /// Its channels as a drawing.
    #[default]
    Graph,
    /// From which version one comes to which channel.
    Reach,
    /// Its entries as a table.
    Table,
    /// The text.
    Source,
    /// What is wrong or risky.
    Findings,
}

impl Tab {
    /// In the order shown.
    pub const ALL: [Self; 5] = [Self::Graph, Self::Reach, Self::Table, Self::Source, Self::Findings];

    /// Its title.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Graph => "Graph",
            Self::Reach => "Reach",
            Self::Table => "Table",
            Self::Findings => "Findings",
            Self::Source => "Source",
        }
    }

    /// The key that shows it.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Graph => "g",
            Self::Reach => "r",
            Self::Table => "t",
            Self::Findings => "f",
            Self::Source => "s",
        }
    }
}

/// The regions of the page, one of which a narrow screen shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pane {
    /// The list of packages.
    #[default]
    Packages,
    /// The selected package.
    Package,
    /// The selected entry.
    Entry,
    /// The simulation.
    Simulation,
}

/// The colour scheme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Theme {
    /// As the system has it.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
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

/// The dialogs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialog {
    /// Keyboard shortcuts.
    Shortcuts,
    /// Paste a text.
    Paste,
    /// Edit a catalog.
    Catalog(CatalogId),
    /// Choose an example.
    Examples,
    /// Explain a rule.
    Rule,
    /// Share this session.
    Share,
    /// Confirm that a link replaces the user's own catalogs and cluster.
    OpenLink,
}

/// What a link opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkTarget {
    /// A session or a text, which the worker opens.
    Content(LinkContent),
    /// An example, by its name.
    Example(String),
}

/// The entries of the selected package that the simulation installs or finds installed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SimulatedEntries {
    /// Installed after the shown step.
    pub installed: BTreeSet<String>,
    /// Installed before the first step, but no longer after the shown one.
    pub replaced: BTreeSet<String>,
    /// How many steps are completed at the point that is shown.
    pub step: u32,
    /// Chosen entries by channel and name, with the number of the step, counted from 1.
    pub chosen: BTreeMap<(String, String), u32>,
}
