//! What happened, in the past tense, by area. Each enum is handled by one function with a `match` that names all of it.

use super::{
    Dialog, Field, LinkTarget, Millis, Mode, Pane, PathKind, ReachFilter, Tab, TextPurpose, Theme, Undo, WayBack,
};
use views::{
    Approval, CatalogId, EntryKey, FileKey, FindingView, FromWorker, GraphFormat, InputEdit, NewFile, PackageKey,
    Place, RequestId, RuleDoc, Subject, TextChange, TextPlace,
};

/// An event of the page, the worker or the clock.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Of the worker.
    Worker(WorkerAction),
    /// Of the catalogs that are loaded.
    Catalogs(CatalogsAction),
    /// Of the selection and of what is shown of it.
    Navigation(NavigationAction),
    /// Of questions about the selected package.
    Explore(ExploreAction),
    /// Of the list of findings and of rules.
    Findings(FindingsAction),
    /// Of the source tab.
    Source(SourceAction),
    /// Of the cluster that a simulation begins with.
    Cluster(ClusterAction),
    /// Of a simulation and its outcomes.
    Simulation(SimulationAction),
    /// Of the session as a whole.
    Session(SessionAction),
    /// Of the page itself.
    Page(PageAction),
}

/// The worker, and waiting for it.
#[derive(Clone, Debug, PartialEq)]
pub enum WorkerAction {
    /// Something that needs the worker is about to come.
    Needed,
    /// The worker said something.
    Heard(Box<FromWorker>),
    /// The worker panicked or could not be loaded.
    Died {
        /// What it said.
        reason: String,
        /// When.
        at: Millis,
    },
    /// A request has stayed without a reply for a while.
    Waited {
        /// Its id.
        id: RequestId,
        /// How long.
        wait: Wait,
    },
    /// The user stopped the worker.
    Stopped,
    /// The user cancelled loading.
    LoadCancelled,
}

/// The catalogs that are loaded.
#[derive(Clone, Debug, PartialEq)]
pub enum CatalogsAction {
    /// Files were dropped or picked.
    FilesCollected {
        /// The number of the batch that holds their contents.
        batch: u32,
        /// Their names.
        files: Vec<NewFile>,
    },
    /// A drop or a pick could not be read.
    FilesRefused(String),
    /// A text was pasted.
    Pasted(String),
    /// The small built-in example was chosen.
    ExampleChosen,
    /// The list of examples was asked for.
    ExamplesAsked,
    /// An example of the list was chosen.
    ExampleOpened(String),
    /// The fields of a CatalogSource were edited.
    Described {
        /// The catalog.
        catalog: CatalogId,
        /// `metadata.name`
        name: String,
        /// `metadata.namespace`
        namespace: String,
        /// `spec.priority`
        priority: i32,
    },
    /// A catalog was removed.
    Removed(CatalogId),
    /// Everything was cleared.
    Cleared,
    /// The catalogs of the last visit were asked for again.
    RestoreAsked,
}

/// The selection and what is shown of it.
#[derive(Clone, Debug, PartialEq)]
pub enum NavigationAction {
    /// A package was selected.
    PackageSelected(PackageKey),
    /// The selection was moved along the list of packages.
    PackageStepped(Direction),
    /// An entry was selected.
    EntrySelected(EntryKey),
    /// The path or the selection of an entry was left.
    EntryLeft,
    /// A place was followed to the source.
    PlaceFollowed(Place),
    /// A finding was followed to its source and graph.
    FindingFollowed(Box<FindingView>),
    /// A bundle was followed to its package.
    BundleFollowed {
        /// The name of its CatalogSource.
        catalog: String,
        /// Its package.
        package: String,
        /// The bundle as an entry.
        entry: EntryKey,
    },
    /// The entry at the cursor of the source was shown in the graph.
    SymbolShown,
    /// A view of the package was chosen.
    TabChosen(Tab),
    /// A region was chosen on a narrow screen.
    PaneChosen(Pane),
    /// The search text was changed.
    Searched(String),
}

/// Questions about the selected package.
#[derive(Clone, Debug, PartialEq)]
pub enum ExploreAction {
    /// Something that is not an entry was selected.
    SubjectSelected(Subject),
    /// An entry came under the pointer or got the focus, or none is any more.
    Pointed(Option<EntryKey>),
    /// A path from the selected entry was started; its end is chosen next.
    PathStarted,
    /// The path from the selected entry to another one was requested.
    PathTo(EntryKey),
    /// A cell of the Reach table was chosen.
    ReachCellChosen {
        /// The version.
        from: String,
        /// The head of the channel.
        to: EntryKey,
    },
    /// A hop of the path was followed to its entry.
    HopFollowed(EntryKey),
    /// Another path of the answer was chosen.
    PathKindChosen(PathKind),
    /// The path was closed.
    PathClosed,
    /// The Reach table was filtered or sorted.
    ReachFiltered(ReachFilter),
    /// The Reach table was copied.
    ReachCopied {
        /// As Markdown rather than tabs.
        markdown: bool,
    },
    /// The graph was requested as text.
    GraphTextAsked {
        /// The language.
        format: GraphFormat,
        /// What for.
        purpose: TextPurpose,
    },
}

/// The list of findings, and rules.
#[derive(Clone, Debug, PartialEq)]
pub enum FindingsAction {
    /// Findings of everything, or of the package, were asked for.
    Scoped {
        /// All packages.
        everything: bool,
    },
    /// The filter was changed.
    Filtered(String),
    /// More findings were asked for.
    MoreAsked,
    /// A rule was enabled or disabled.
    RuleSwitched {
        /// Its id.
        rule: String,
        /// Its findings are shown.
        on: bool,
    },
    /// All rules were enabled.
    RulesRestored,
    /// The documentation of a rule was asked for.
    RuleExplained(String),
    /// The documentation of rules arrived, or could not be fetched.
    RulesFetched(Result<Vec<RuleDoc>, String>),
    /// The comment that disables a rule was copied.
    CommentCopied(String),
}

/// The source tab.
#[derive(Clone, Debug, PartialEq)]
pub enum SourceAction {
    /// The code editor was loaded or could not be.
    EditorLoaded(Result<(), String>),
    /// The user asked to load the code editor again.
    EditorRetried,
    /// Something was typed into the code editor.
    Typed,
    /// The changes since the last time were taken from the editor. The root does this before an action for which
    /// [`needs_changes`](super::needs_changes) holds.
    Edited {
        /// The changes in ascending order, as ranges of the text that the worker has.
        changes: Vec<TextChange>,
    },
    /// The code editor's text differs from the worker's.
    Differs,
    /// The cursor in the code editor came to rest.
    CursorRested(TextPlace),
    /// The definition of the name at a position in the code editor was requested.
    DefinitionAsked(TextPlace),
    /// A file was chosen.
    FileChosen(FileKey),
    /// A line number was entered.
    LineChosen(u32),
}

/// The cluster that a simulation begins with.
#[derive(Clone, Debug, PartialEq)]
pub enum ClusterAction {
    /// The form or the manifests were chosen to begin with.
    ModeChosen(Mode),
    /// The form was reset to what the manifests say.
    FormTakenBack,
    /// The text of the manifests was changed.
    ManifestsTyped(String),
    /// A namespace of the manifests was chosen.
    NamespaceChosen(String),
    /// The form was asked for as manifests.
    ExportAsked,
    /// The cluster before the last replacement was asked back.
    InputRestored,
    /// A Subscription was added.
    SubscriptionAdded,
    /// A field of a Subscription was edited.
    SubscriptionEdited {
        /// Index of the Subscription.
        index: usize,
        /// The field.
        field: Field,
        /// Its new text.
        text: String,
    },
    /// The package field of the Subscription at an index was left.
    PackageSettled(usize),
    /// The approval of a Subscription was chosen.
    ApprovalChosen {
        /// Index of the Subscription.
        index: usize,
        /// The approval.
        approval: Approval,
    },
    /// The Subscription at an index was removed.
    SubscriptionRemoved(usize),
    /// The removal of a Subscription was undone.
    SubscriptionRestored,
    /// The selected entry was marked as to be installed.
    InstallAsked,
    /// The selected entry was marked as installed.
    InstalledAsked,
}

/// A simulation and its outcomes.
#[derive(Clone, Debug, PartialEq)]
pub enum SimulationAction {
    /// The simulation was run.
    Run,
    /// The outcome at an index was chosen.
    OutcomeChosen(usize),
    /// The next plan that waits was approved.
    PlanApproved,
    /// The point after a number of completed steps was chosen.
    StepChosen(usize),
    /// The playback was started or stopped.
    PlaybackSwitched {
        /// Started.
        on: bool,
    },
    /// It is time for the next step of the playback.
    PlaybackTicked,
    /// Every event, or hops alone, were chosen to be shown.
    EventsChosen {
        /// Every event.
        every: bool,
    },
    /// It was asked why the selected entry is not chosen.
    WhyNotAsked,
    /// A fix was applied.
    FixTried {
        /// What it does.
        what: String,
        /// The change.
        trial: InputEdit,
    },
    /// A fix of a catalog was undone.
    TextRestored(WayBack),
    /// The simulation was given all the room, or what it had before.
    RoomChosen {
        /// All of it.
        all: bool,
    },
}

/// The session as a whole.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionAction {
    /// The page was opened with a link, or its address was changed to one.
    LinkFollowed(LinkTarget),
    /// The user answered whether to open the link.
    OpenLinkAnswered {
        /// Whether to open it.
        yes: bool,
    },
    /// A link and a file of this session were requested.
    ShareAsked,
    /// A change of the catalogs was undone.
    CatalogsRestored(Undo),
}

/// The page itself.
#[derive(Clone, Debug, PartialEq)]
pub enum PageAction {
    /// The page was opened.
    Opened,
    /// Typing paused.
    TypingPaused,
    /// The draft could not be saved.
    DraftLost(String),
    /// Single keys were enabled or disabled as shortcuts.
    KeysChosen {
        /// Enabled.
        single: bool,
    },
    /// A colour scheme was chosen.
    ThemeChosen(Theme),
    /// A dialog was opened.
    DialogOpened(Dialog),
    /// The dialog was closed.
    DialogClosed,
    /// A notice was dismissed.
    NoticeDismissed(u32),
    /// A notice was in sight for long enough to be read.
    NoticeRead(u32),
    /// Something was dragged over the page, or away from it.
    Dragged {
        /// Over the page.
        over: bool,
    },
    /// The browser is about to print, or is done with it.
    Printed {
        /// It is about to.
        begins: bool,
    },
    /// The last change that can be undone was to be undone.
    UndoAsked,
    /// The browser has a newer version of the page.
    Renewed,
    /// The newer version was asked for.
    RenewalAsked,
}

impl Action {
    /// Whether the user did it, rather than the worker or the clock.
    #[must_use]
    pub const fn is_of_user(&self) -> bool {
        !matches!(
            self,
            Self::Worker(WorkerAction::Heard(_) | WorkerAction::Waited { .. })
                | Self::Page(PageAction::TypingPaused | PageAction::NoticeRead(_))
                | Self::Simulation(SimulationAction::PlaybackTicked)
                | Self::Source(SourceAction::EditorLoaded(_) | SourceAction::Edited { .. })
                | Self::Findings(FindingsAction::RulesFetched(_))
        )
    }

    /// Whether the worker must know everything typed before this is handled.
    pub(super) const fn flushes(&self) -> bool {
        !matches!(
            self,
            Self::Worker(_)
                | Self::Source(SourceAction::Typed | SourceAction::Edited { .. } | SourceAction::Differs)
                | Self::Cluster(ClusterAction::ManifestsTyped(_))
                | Self::Simulation(SimulationAction::PlaybackTicked)
                | Self::Explore(ExploreAction::Pointed(_))
                | Self::Page(PageAction::DraftLost(_) | PageAction::Dragged { .. } | PageAction::Printed { .. })
        )
    }

    /// Whether it makes an example that is shown the user's own.
    pub(super) const fn is_own(&self) -> bool {
        matches!(
            self,
            Self::Catalogs(
                CatalogsAction::FilesCollected { .. }
                    | CatalogsAction::Pasted(_)
                    | CatalogsAction::ExampleChosen
                    | CatalogsAction::Described { .. }
                    | CatalogsAction::Removed(_)
            ) | Self::Source(SourceAction::Typed)
                | Self::Cluster(
                    ClusterAction::ManifestsTyped(_)
                        | ClusterAction::SubscriptionAdded
                        | ClusterAction::SubscriptionEdited { .. }
                        | ClusterAction::InstallAsked
                        | ClusterAction::InstalledAsked
                )
        )
    }
}

/// Backwards or forwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the one before.
    Earlier,
    /// To the one after.
    Later,
}

/// How long a request has stayed without a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wait {
    /// Long enough to show progress: 300 ms.
    Brief,
    /// Long enough to offer a stop: 8 s.
    Long,
}
