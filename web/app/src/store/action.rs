//! Actions: what happened, in the past tense, grouped by area. One function handles each enum, in a `match` without
//! wildcard.

use super::worker::FollowAction;
use super::{
    Audience, BoardPart, Dialog, Direction, EdgeAction, EntryFilter, EntryUse, FileUndo, LayoutAction, LinkTarget,
    Millis, MirrorAction, NewBundleAction, PaletteAction, Pane, PathKind, ReachFilter, Relation, Route, RowFilter,
    SetAction, Tab, TextPurpose, Theme, Trial, Undo, Wait,
};
use std::rc::Rc;
use views::{
    AuthoringInput, BundleRules, CatalogId, CsvRef, Download, EntryKey, FileKey, FormChange, FromWorker, GraphFormat,
    GraphLayout, InputEdit, NewFile, OlmV1Release, OpmVersion, PackageKey, Place, Presence, RequestId, Rulebook,
    Runtime, Severity, SideKey, Subject, Target, TextChange, TextPlace,
};

/// An event of the page, the worker or the clock.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    Worker(WorkerAction),
    /// About the loaded catalogs.
    Catalogs(CatalogsAction),
    /// About the files of `opscope open`.
    Follow(FollowAction),
    /// About the selection and its views.
    Navigation(NavigationAction),
    Palette(PaletteAction),
    /// About subject, path and Reach table of the selected package.
    Explore(ExploreAction),
    /// About the comparison of two states of a catalog.
    Compare(CompareAction),
    /// About an ImageSetConfiguration.
    Mirror(MirrorAction),
    /// About a new bundle.
    NewBundle(NewBundleAction),
    /// About the editing mode of the drawing.
    Edges(EdgeAction),
    /// About catalogs for several versions of OpenShift.
    Set(SetAction),
    /// About the list of findings and about rules.
    Findings(FindingsAction),
    /// About the Source tab.
    Source(SourceAction),
    /// About the cluster to simulate.
    Cluster(ClusterAction),
    /// About the simulation and its outcomes.
    Simulation(SimulationAction),
    /// About the arrangement of the regions.
    Layout(LayoutAction),
    /// About the whole session.
    Session(SessionAction),
    /// About the page itself.
    Page(PageAction),
}

/// Actions about the worker.
#[derive(Clone, Debug, PartialEq)]
pub enum WorkerAction {
    /// The worker will be needed soon.
    Needed,
    /// The worker sent a message.
    Received(Box<FromWorker>),
    /// The worker panicked or could not be loaded.
    Died { reason: String, at: Millis },
    /// The worker has been starting for a while.
    StartWaited(Wait),
    /// The user wants the worker to be started again, which did not start.
    StartedAgain,
    /// A request has been waiting for its reply for a while.
    Waited { id: RequestId, wait: Wait },
    /// The user stopped the worker.
    Stopped,
    /// The user cancelled loading.
    LoadCancelled,
}

/// Actions about the loaded catalogs.
#[derive(Clone, Debug, PartialEq)]
pub enum CatalogsAction {
    /// Files and folders with these names were dropped; what is in them is not known yet.
    Dropped(Vec<String>),
    /// Files were dropped or picked. The batch with this number holds their contents.
    FilesCollected { batch: u32, files: Vec<NewFile>, bytes: u32 },
    /// A drop or a pick could not be read.
    FilesRefused(String),
    /// A text or a link was pasted.
    Pasted(String),
    /// A text was entered in the dialog for pasting, with the name of its catalog, which may be empty.
    TextEntered { text: String, name: String },
    /// The small built-in example was chosen.
    ExampleChosen,
    /// The list of examples was requested.
    ExamplesAsked,
    /// An example of the list was chosen.
    ExampleOpened(String),
    /// The fields of a CatalogSource were edited.
    SourceEdited { catalog: CatalogId, name: String, namespace: String, priority: i64 },
    /// The rules were chosen by which a catalog is made of bundle directories.
    BundleRulesChosen { catalog: CatalogId, rules: BundleRules },
    /// The list of the packages of a catalog was requested, with their channels and versions.
    ListAsked(CatalogId),
    /// A file was requested.
    DownloadAsked(Download),
    /// A release, a removal or a deprecation is to be written into a catalog or a set.
    Authored(Target, AuthoringInput),
    /// A fix was applied to a file of a catalog or to the manifests: a quick fix, a repair, or what the simulation or a
    /// comparison offers. A notice says `what` it does. If it `is_tried`, the user looks at its result next.
    FixApplied { what: String, edit: InputEdit, is_tried: bool },
    /// A catalog was removed.
    Removed(CatalogId),
    /// Everything was removed.
    Cleared,
    /// The user asked to restore the catalogs of the last visit again.
    RestoreAsked,
}

/// Actions about the selection and its views.
#[derive(Clone, Debug, PartialEq)]
pub enum NavigationAction {
    /// A package was selected, without an entry.
    PackageSelected(PackageKey),
    /// A catalog was selected as a whole.
    CatalogSelected(CatalogId),
    /// The findings of a package are to be shown.
    ProblemsShown(PackageKey),
    /// The selection was moved along the list of packages.
    PackageStepped(Direction),
    /// An entry of the selected package was selected.
    EntrySelected(EntryKey),
    /// The path or the details of the entry were closed.
    EntryLeft,
    /// A place was followed to the source.
    PlaceFollowed(Place),
    /// A finding about a package and an entry was followed to its source and graph.
    FindingFollowed(Option<PackageKey>, Option<EntryKey>, Place),
    /// The repairs of a channel are to be shown.
    RepairsAsked(PackageKey, String),
    /// A bundle was followed to its package, in the catalog that is named as its CatalogSource.
    BundleFollowed { catalog: String, package: String, entry: EntryKey },
    /// The entry at the cursor of the source was shown in the graph.
    SymbolShown,
    /// A view of the package was chosen.
    TabChosen(Tab),
    /// The address was changed to a route, for instance by the browser's Back button.
    RouteFollowed(Route),
    /// A region was chosen on a narrow screen.
    PaneChosen(Pane),
}

/// Actions about subject, path and Reach table of the selected package.
#[derive(Clone, Debug, PartialEq)]
pub enum ExploreAction {
    /// A channel, an edge, a skipRange or the package was selected.
    SubjectSelected(Subject),
    /// An entry came under the pointer or got the focus; `None` when it left or lost it.
    Pointed(Option<EntryKey>),
    /// The path from the selected entry to another one was requested.
    PathTo(EntryKey),
    /// A cell of the Reach table was chosen: the way of a version to the head of a channel.
    ReachCellChosen { from: String, to: EntryKey },
    /// A hop of the path was followed to its entry.
    HopFollowed(EntryKey),
    /// Another path of the answer was chosen.
    PathKindChosen(PathKind),
    /// The path was closed.
    PathClosed,
    /// The Reach table was filtered or sorted.
    ReachFiltered(ReachFilter),
    /// The table of entries was filtered or sorted.
    TableFiltered(EntryFilter),
    /// The Reach table was copied, as Markdown or with tabs.
    ReachCopied { markdown: bool },
    /// A layout of the drawing was chosen.
    GraphLayoutChosen(GraphLayout),
    /// The channel map was chosen instead of a drawing of all entries.
    ChannelMapChosen,
    /// A day was chosen on which the details tell the support; empty for none.
    DayChosen(String),
    /// The user wants to see what the updates of the package change in CustomResourceDefinitions.
    CrdsAsked,
    /// The package was requested as a text.
    GraphTextAsked { format: GraphFormat, purpose: TextPurpose },
}

/// Actions about the comparison of two states of a catalog.
#[derive(Clone, Debug, PartialEq)]
pub enum CompareAction {
    /// The two states were chosen.
    SidesChosen { before: SideKey, after: SideKey },
    /// The states were exchanged.
    Swapped,
    /// The comparison of the edits of the open file was requested.
    EditsShown,
    /// A package of the comparison was chosen.
    PackageChosen(PackageKey),
    /// The comparisons were stopped.
    Stopped,
    /// The state before was requested: the next catalog that is opened is it.
    BeforeAwaited,
    /// The user said what an opened catalog is to a known one with the same packages.
    RelationChosen { new: CatalogId, known: CatalogId, relation: Relation },
    /// A catalog was made a baseline, or a baseline a catalog of the cluster.
    BaselineSet { catalog: CatalogId, baseline: bool },
    /// The user's levels were typed.
    LevelsTyped(String),
    /// A level was chosen for a rule: `breaking`, `risky`, `neutral`, `good` or `off`; none for its own.
    LevelChosen { rule: String, level: Option<String> },
    /// The graph with these states was requested, or without a comparison.
    GraphShown(Option<Presence>),
    /// The graph was switched from before to both to after, or back.
    GraphStepped(Direction),
    /// The shown rows of the table were copied.
    RowsCopied,
    /// The table of rows was filtered or sorted.
    RowsFiltered(RowFilter),
    /// The report was requested, to copy it.
    ReportCopied,
}

/// Actions about the list of findings and about rules.
#[derive(Clone, Debug, PartialEq)]
pub enum FindingsAction {
    /// A severity was chosen to be listed; none for all.
    SeverityChosen(Option<Severity>),
    /// The user chose to list the findings of all packages or of the selected one.
    ScopeChosen { everything: bool },
    /// The filter was typed.
    Filtered(String),
    /// More findings were requested.
    MoreAsked,
    /// A rule was enabled or disabled.
    RuleSwitched { rule: String, on: bool },
    /// All rules were enabled.
    RulesRestored,
    /// The description of a rule was requested.
    RuleExplained(String),
    /// The descriptions of rules were fetched or could not be.
    RulesFetched(Result<Rulebook, String>),
    /// The comment that disables a rule was copied.
    CommentCopied(String),
}

/// Actions about the Source tab.
#[derive(Clone, Debug, PartialEq)]
pub enum SourceAction {
    /// The code editor was loaded or could not be.
    EditorLoaded(Result<(), String>),
    /// The user asked to load the code editor again.
    EditorRetried,
    /// Something was typed into the code editor.
    Typed,
    /// The root took the last changes from the editor, because [`needs_changes`](super::needs_changes) held, in
    /// ascending order, as ranges of the text that the worker has.
    Edited {
        changes: Vec<TextChange>,
    },
    /// The code editor's text differs from the worker's.
    Differs,
    /// The number of lines that were changed since the file was opened is another one now.
    ChangesCounted(u32),
    /// The user asked to show these changes in the text, or to hide them.
    ChangesToggled,
    /// The user asked to save the open file.
    SaveAsked,
    /// The cursor in the code editor came to rest.
    CursorRested(TextPlace),
    /// The definition of the name at a position in the code editor was requested.
    DefinitionAsked(TextPlace),
    FileChosen(FileKey),
    /// How a file differs from what was opened is to be shown in its text.
    DifferenceShown(FileKey),
    LineChosen(u32),
}

/// Actions about the cluster to simulate. Subscriptions are named by their indices.
#[derive(Clone, Debug, PartialEq)]
pub enum ClusterAction {
    /// The text of the manifests was shown or hidden.
    TextShown(bool),
    /// The text of the manifests was changed.
    ManifestsTyped(String),
    /// The manifests were removed.
    ManifestsCleared,
    /// A namespace of the manifests was chosen.
    NamespaceChosen(String),
    /// The last change of the cluster was undone.
    InputRestored,
    /// The change of the cluster that was undone last was made again.
    InputRedone,
    /// A Subscription to a package was added; to the selected one if the name is empty.
    SubscriptionAdded(String),
    /// A ClusterExtension of a package was added, likewise.
    ExtensionAdded(String),
    /// A field of the form was edited, or a row was removed.
    FormChanged(FormChange),
    /// The form was asked to say something of the selected entry.
    EntryUsed(EntryUse),
}

/// Actions about the simulation and its outcomes.
#[derive(Clone, Debug, PartialEq)]
pub enum SimulationAction {
    /// The simulation was requested.
    Run,
    /// The verdict of the Subscription with this name was followed to its package and its explanation.
    VerdictFollowed(String),
    /// The outcome at an index was chosen.
    OutcomeChosen(usize),
    /// The next waiting InstallPlan was approved.
    PlanApproved,
    /// The point after a number of completed plans was chosen.
    PlanChosen(usize),
    /// The playback was started or stopped.
    PlaybackSwitched { on: bool },
    /// It is time for the next step of the playback.
    PlaybackTicked,
    /// The user chose to show all events or only hops.
    EventsChosen { every: bool },
    /// The user asked why OLM does or does not choose the selected entry.
    WhyNotAsked,
    /// The user asked this about a version of a board.
    WhyNotOf { package: PackageKey, entry: EntryKey },
    /// The user asked this about an entry that the result names. The entry is selected.
    WhyNotFollowed(CsvRef),
    /// The user chose who they are.
    AudienceChosen(Audience),
    /// A part of a board was pressed, or pressed again to leave it.
    BoardPressed(BoardPart),
    /// A channel of the selected package was subscribed to; `installed` is the CSV that is there already, if it is not
    /// empty.
    Subscribed { channel: String, installed: String },
    /// What is installed at the point that is shown was taken for what the cluster has.
    StartedFromHere,
    /// The user asked what a change would do.
    ChangeTried(Trial),
    /// The change that is tried is to be made.
    TriedKept,
    /// The change that is tried is not to be made.
    TriedDropped,
    /// The fix of a catalog was undone.
    FixUndone(FileUndo),
    /// The fix of a catalog that was undone was made again.
    FixRedone(FileUndo),
}

/// Actions about the whole session.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionAction {
    /// The page was opened with a link, or its address was changed to one.
    LinkFollowed(LinkTarget),
    /// The user answered whether to open the link.
    OpenLinkAnswered { yes: bool },
    /// A link and a file of this session were requested.
    ShareAsked,
    /// A change of the catalogs was undone.
    CatalogsRestored(Undo),
}

/// Actions about the page itself.
#[derive(Clone, Debug, PartialEq)]
pub enum PageAction {
    Opened,
    TypingPaused,
    /// The draft could not be saved.
    DraftLost(String),
    /// Single keys were enabled or disabled as shortcuts.
    SingleKeysChosen {
        on: bool,
    },
    /// A colour scheme was chosen.
    ThemeChosen(Theme),
    /// Other versions of OLM were chosen.
    RuntimeChosen(Runtime),
    /// Another release of `opm` was chosen to judge catalogs.
    OpmChosen(OpmVersion),
    /// Another OLM v1 was chosen.
    OlmV1Chosen(Option<OlmV1Release>),
    /// A text of the page is to be copied.
    CopyAsked(Rc<str>),
    PictureCopied,
    /// The browser did not permit to copy a text.
    CopyBlocked,
    /// A file with this name was downloaded.
    FileSaved(String),
    DialogOpened(Dialog),
    DialogClosed,
    NoticeDismissed(u32),
    /// A notice was visible long enough to be read.
    NoticeRead(u32),
    /// Files were dragged over the page or away from it.
    Dragged {
        over: bool,
    },
    /// The page became as narrow as a phone, or wider.
    Narrowed {
        narrow: bool,
    },
    /// The page got room for the graph and the source side by side, or lost it.
    Widened {
        is_wide: bool,
    },
    /// The browser is about to print, or has printed.
    Printed {
        begins: bool,
    },
    /// The user asked to undo the last change.
    UndoAsked,
    /// The user asked to make the last change again that was undone.
    RedoAsked,
    /// The service worker has installed a newer version of the page.
    NewVersionFound,
    NewVersionRequested,
}

/// An action of an area is an action of the page.
macro_rules! areas {
    ($($area:ident($action:ident)),*) => {
        $(impl From<$action> for Action {
            fn from(action: $action) -> Self {
                Self::$area(action)
            }
        })*
    };
}

areas!(
    Worker(WorkerAction),
    Catalogs(CatalogsAction),
    Follow(FollowAction),
    Navigation(NavigationAction),
    Palette(PaletteAction),
    Explore(ExploreAction),
    Compare(CompareAction),
    Mirror(MirrorAction),
    NewBundle(NewBundleAction),
    Edges(EdgeAction),
    Set(SetAction),
    Findings(FindingsAction),
    Source(SourceAction),
    Cluster(ClusterAction),
    Simulation(SimulationAction),
    Layout(LayoutAction),
    Session(SessionAction),
    Page(PageAction)
);

impl Action {
    /// Whether the user did it, rather than the worker, a timer or the browser. The pointer on its way does nothing.
    #[must_use]
    pub const fn is_by_user(&self) -> bool {
        !matches!(
            self,
            Self::Follow(
                FollowAction::Arrived { .. }
                    | FollowAction::Unchanged { .. }
                    | FollowAction::Saved { .. }
                    | FollowAction::Ended { .. }
            ) | Self::Worker(
                WorkerAction::Needed
                    | WorkerAction::Received(_)
                    | WorkerAction::Died { .. }
                    | WorkerAction::StartWaited(_)
                    | WorkerAction::Waited { .. }
            ) | Self::Page(
                PageAction::Opened
                    | PageAction::TypingPaused
                    | PageAction::DraftLost(_)
                    | PageAction::PictureCopied
                    | PageAction::CopyBlocked
                    | PageAction::FileSaved(_)
                    | PageAction::NoticeRead(_)
                    | PageAction::Printed { .. }
                    | PageAction::NewVersionFound
            ) | Self::Explore(ExploreAction::Pointed(_))
                | Self::Simulation(SimulationAction::PlaybackTicked)
                | Self::Source(
                    SourceAction::EditorLoaded(_)
                        | SourceAction::Edited { .. }
                        | SourceAction::Differs
                        | SourceAction::ChangesCounted(_)
                        | SourceAction::CursorRested(_)
                )
                | Self::Findings(FindingsAction::RulesFetched(_))
        )
    }

    /// Whether everything typed must be sent to the worker before this is handled.
    pub(super) const fn flushes(&self) -> bool {
        !matches!(
            self,
            Self::Worker(_)
                | Self::Source(
                    SourceAction::Typed
                        | SourceAction::Edited { .. }
                        | SourceAction::Differs
                        | SourceAction::ChangesCounted(_)
                )
                | Self::Cluster(ClusterAction::ManifestsTyped(_))
                | Self::Simulation(SimulationAction::PlaybackTicked)
                | Self::Explore(ExploreAction::Pointed(_))
                | Self::Page(PageAction::DraftLost(_) | PageAction::Dragged { .. } | PageAction::Printed { .. })
        )
    }

    /// Whether it opens something else, so that notices about what was open have no subject any more.
    pub(super) const fn opens(&self) -> bool {
        matches!(
            self,
            Self::Catalogs(
                CatalogsAction::FilesCollected { .. }
                    | CatalogsAction::Pasted(_)
                    | CatalogsAction::TextEntered { .. }
                    | CatalogsAction::ExampleChosen
                    | CatalogsAction::ExampleOpened(_)
                    | CatalogsAction::Cleared
            ) | Self::Session(SessionAction::OpenLinkAnswered { yes: true })
        )
    }

    /// Whether it changes an open example, which makes it the user's own.
    pub(super) const fn is_own(&self) -> bool {
        matches!(
            self,
            Self::Catalogs(
                CatalogsAction::FilesCollected { .. }
                    | CatalogsAction::Pasted(_)
                    | CatalogsAction::TextEntered { .. }
                    | CatalogsAction::ExampleChosen
                    | CatalogsAction::SourceEdited { .. }
                    | CatalogsAction::Removed(_)
            ) | Self::Compare(CompareAction::BaselineSet { .. } | CompareAction::RelationChosen { .. })
                | Self::Source(SourceAction::Typed)
                | Self::Cluster(
                    ClusterAction::ManifestsTyped(_)
                        | ClusterAction::SubscriptionAdded(_)
                        | ClusterAction::ExtensionAdded(_)
                        | ClusterAction::FormChanged(_)
                        | ClusterAction::EntryUsed(_)
                )
                | Self::Simulation(
                    SimulationAction::Subscribed { .. }
                        | SimulationAction::StartedFromHere
                        | SimulationAction::TriedKept
                )
        )
    }
}
