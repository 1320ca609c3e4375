//! What happened, in the past tense.

use super::{Coming, Dialog, Explored, Field, Millis, Mode, Pane, Tab, TextPurpose, Theme, Undo, WayBack};
use views::{
    Approval, CatalogId, EntryKey, FileKey, FindingView, FromWorker, GraphFormat, InputEdit, NewFile, PackageKey,
    Place, RequestId, RuleDoc, TextPlace,
};

/// An event of the page, the worker or the clock.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// The page was opened.
    Opened,
    /// The worker said something.
    Heard(Box<FromWorker>),
    /// The worker panicked or could not be loaded.
    WorkerDied {
        /// What it said.
        reason: String,
        /// When.
        at: Millis,
    },
    /// A request has stayed unanswered for a while.
    Waited {
        /// Its id.
        id: RequestId,
        /// How long.
        wait: Wait,
    },
    /// Waiting was given up.
    Stopped,
    /// Loading was cancelled.
    LoadCancelled,
    /// Something that needs the worker is about to come.
    WorkerNeeded,
    /// The catalogs of the last visit were asked for again.
    RestoreAsked,

    /// Files were dropped or picked.
    FilesCollected {
        /// The number of the batch that holds their contents.
        batch: u32,
        /// Their names.
        files: Vec<NewFile>,
    },
    /// A drop or a pick could not be read.
    FilesRefused(String),
    /// The draft could not be kept.
    DraftLost(String),
    /// A text was pasted.
    Pasted(String),
    /// The built-in example was chosen.
    ExampleChosen,
    /// The list of examples was asked for.
    ExamplesAsked,
    /// One of the list was chosen.
    ExampleOpened(String),
    /// The fields of a CatalogSource were edited.
    CatalogDescribed {
        /// Which.
        catalog: CatalogId,
        /// `metadata.name`
        name: String,
        /// `metadata.namespace`
        namespace: String,
        /// `spec.priority`
        priority: i32,
    },
    /// A catalog was taken out.
    CatalogRemoved(CatalogId),
    /// Everything was cleared.
    Cleared,

    /// A package was selected.
    PackageSelected(PackageKey),
    /// The selection was moved along the list of packages.
    PackageStepped(Direction),
    /// An entry was selected.
    EntrySelected(EntryKey),
    /// The selection of an entry was taken back.
    EntryLeft,
    /// Something was asked about the selected package.
    Explored(Explored),
    /// The graph of the selected package was asked for as text.
    GraphTextAsked {
        /// In which language.
        format: GraphFormat,
        /// What for.
        purpose: TextPurpose,
    },
    /// A place was followed to the source.
    PlaceFollowed(Place),
    /// A finding was followed to its source and graph.
    FindingFollowed(Box<FindingView>),
    /// A bundle was followed to its package.
    BundleFollowed {
        /// The CatalogSource's name.
        catalog: String,
        /// Its package.
        package: String,
        /// Which.
        entry: EntryKey,
    },
    /// A view of the package was chosen.
    TabChosen(Tab),
    /// A region was chosen on a narrow screen.
    PaneChosen(Pane),
    /// The search text was changed.
    Searched(String),

    /// Findings of everything, or of the package, were asked for.
    FindingsScoped {
        /// All packages.
        everything: bool,
    },
    /// The filter of the findings was changed.
    FindingsFiltered(String),
    /// More findings were asked for.
    MoreFindingsAsked,
    /// A rule was switched on or off.
    RuleSwitched {
        /// Its id.
        rule: String,
        /// Its findings are shown.
        on: bool,
    },
    /// All rules were switched on.
    RulesRestored,
    /// A rule was asked about.
    RuleExplained(String),
    /// What is said about rules arrived, or why it does not.
    RulesFetched(Result<Vec<RuleDoc>, String>),
    /// The comment that switches a rule off was asked for.
    CommentCopied(String),

    /// Typing paused.
    TypingPaused,
    /// The code editor was loaded, or why it could not be.
    CodeLoaded(Result<(), String>),
    /// The code editor was asked for once more.
    CodeRetried,
    /// Something was typed into the code editor.
    CodeTyped,
    /// The code editor has not the text that the worker has.
    CodeDiffers,
    /// The cursor in the code editor came to rest.
    CursorRested(TextPlace),
    /// The definition of what stands at a place of the code editor was asked for.
    DefinitionAsked(TextPlace),
    /// What stands at the cursor was asked for in the graph.
    HereShown,
    /// A file was chosen.
    FileChosen(FileKey),
    /// A line was asked for.
    LineChosen(u32),

    /// The form or the manifests were chosen to start from.
    ModeChosen(Mode),
    /// The form was to say again what the manifests say.
    FormTakenBack,
    /// The text of the manifests was changed.
    ManifestsTyped(String),
    /// A namespace of the manifests was chosen.
    NamespaceChosen(String),
    /// The form was asked for as manifests.
    ExportAsked,
    /// What the simulation started from before was asked back.
    InputRestored,
    /// A fix was tried.
    FixTried {
        /// What it does.
        what: String,
        /// The change.
        trial: InputEdit,
    },
    /// The simulation was given all the room, or what it had.
    RoomChosen {
        /// All of it.
        all: bool,
    },
    /// A Subscription was added.
    SubscriptionAdded,
    /// A field of a Subscription was edited.
    SubscriptionEdited {
        /// Which, an index.
        index: usize,
        /// The field.
        field: Field,
        /// Its new text.
        text: String,
    },
    /// The field of a Subscription's package, an index, was left.
    PackageSettled(usize),
    /// The approval of a Subscription was chosen.
    ApprovalChosen {
        /// Which, an index.
        index: usize,
        /// The approval.
        approval: Approval,
    },
    /// A Subscription was removed.
    SubscriptionRemoved(usize),
    /// The removal of a Subscription was undone.
    SubscriptionRestored,
    /// The selected entry was marked as to be installed.
    InstallAsked,
    /// The selected entry was marked as installed.
    InstalledAsked,
    /// The simulation was run.
    Run,
    /// One of several outcomes was chosen.
    OutcomeChosen(usize),
    /// The next plan that waits was approved.
    PlanApproved,
    /// A moment was chosen: so many plans are carried out.
    MomentChosen(usize),
    /// Playing the moments was begun, or ended.
    Played {
        /// Begun.
        on: bool,
    },
    /// While they are played, it is time for the next one.
    BeatPassed,
    /// It was asked why the selected entry is not chosen.
    WhyNotAsked,
    /// Every event, or hops alone, were chosen to be shown.
    EventsChosen {
        /// Every event.
        every: bool,
    },

    /// An address was followed that asks for something.
    LinkFollowed(Coming),
    /// What came with it was let in, or not.
    ComingAnswered {
        /// It was.
        yes: bool,
    },
    /// A link or a file of this visit was asked for.
    ShareAsked,
    /// An edit of a catalog that was tried was taken back.
    TextRestored(WayBack),
    /// A change of the catalogs was taken back.
    CatalogsRestored(Undo),
    /// The last change that can be was to be taken back.
    UndoAsked,
    /// The browser has a newer version of the page.
    Renewed,
    /// The newer version was asked for.
    RenewalAsked,

    /// Single keys were chosen to be shortcuts, or not to be.
    KeysChosen {
        /// To be.
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
    /// The browser is about to lay the page out for paper, or is done with that.
    Printed {
        /// It is about to.
        begins: bool,
    },
}

impl Action {
    /// Whether the user did it, rather than the worker or the clock.
    #[must_use]
    pub const fn is_of_user(&self) -> bool {
        !matches!(
            self,
            Self::Heard(_)
                | Self::Waited { .. }
                | Self::TypingPaused
                | Self::BeatPassed
                | Self::NoticeRead(_)
                | Self::CodeLoaded(_)
                | Self::RulesFetched(_)
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

/// How long a request has stayed unanswered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wait {
    /// Long enough to show progress: 300 ms.
    Brief,
    /// Long enough to offer a stop: 8 s.
    Long,
}
