//! The vocabulary between the worker and the page: requests, answers and plain view-models.
//!
//! Everything here is data that can be cloned, compared and serialised. Derived facts (is it a head? why was it
//! refused?) are in the views already: the page computes no meaning. Nothing here knows how an answer is made.

mod authoring;
mod board;
mod catalog;
mod cluster;
mod comparison;
mod crd_change;
mod extension;
mod finding;
mod follow;
mod graph;
mod migration;
mod mirror;
mod namespace_state;
mod packed;
mod place;
mod plan;
mod protocol;
pub mod query;
mod reach;
mod search;
mod set;
mod share;
mod simulation;
mod source;
mod subject;
mod unpacking;
mod why;

pub use ::source::{
    Approval, AxisColumn, AxisDirection, AxisTick, BundleMode, BundleRules, ChannelSwitch, EntryForm, Level, Mark,
    OcMirror, OlmV1Release, OpenShift, OpmVersion, Point, Presence, ReadinessVerdict, Runtime, Severity, StateId,
    StopReason, TextEdit, Verdict, first_and_more,
};
pub use authoring::{
    AddedEntry, Authored, AuthoringInput, CatalogChange, ChannelEditView, Deprecatee, EdgeEffectView, EdgeGesture,
    Gesture, Kept, NewBundleView, Target, Trial, TrialChannel, TrialEntry, TrialPolicy, TrialTarget, WrittenCatalog,
    WrittenFileView, WrittenView,
};
pub use board::{
    BoardChange, BoardColumn, BoardLane, BoardLink, BoardMark, BoardView, MarkKind, NewSubscriptionView, PlanColumn,
};
pub use catalog::{
    BundleChoice, CatalogCommand, CatalogRow, EntryRow, EntryView, FileRow, IconRow, ListView, ListedCatalog,
    ListedChannel, ListedEntry, ListedPackage, Overview, PackageRow, ProblemView, RangeView, Rejection,
    RequirementView,
};
pub use cluster::{
    BoundSource, ClusterForm, FormChange, ManifestFinding, ManifestsView, SkippedView, SubscriptionField,
    SubscriptionForm, free_name,
};
pub use comparison::{
    CauseView, ChangeView, ClusterComparisonView, Compared, ComparedPackage, ComparisonView, DiffLine, DiffSign,
    DocumentDiff, GroupView, LevelCounts, LineView, NamespaceFailureRow, OpenShiftView, PackageComparisonView,
    PathStrip, RowView, SideKey, SourceDiff, SubscriptionRow, headed_diff,
};
pub use crd_change::{
    ApiLoss, CrdChangesView, CrdHop, CrdRemark, CrdRemarkKind, CrdUpgradeView, InstallPlanCheckView, LostApi,
};
pub use extension::{
    CatalogField, ClusterCatalogForm, DroppedBundle, EntryExtension, ExtensionCondition, ExtensionField, ExtensionForm,
    ExtensionStatus, ExtensionView, FormFault, FormPlace, NextExtension,
};
pub use finding::{
    ComparisonRuleDoc, Counts, FindingGroup, FindingView, FindingsView, LabelView, RuleCount, RuleDoc, RuleExample,
    RuleFile, Rulebook, with_short_names,
};
pub use follow::{FileState, FollowedFile, FollowedFiles, SavedFile};
pub use graph::{
    AnswerView, BandView, BeforeEntry, BeforeView, ChainLine, ChainStep, ChannelMapView, EdgeKind, EdgeView,
    GraphLayout, GraphOptions, GraphView, LaneView, Line, MapChannel, MapHead, NextView, NodeView, SmallChain,
    StuckView, SwitchView, WaysView, chain_words,
};
pub use migration::{
    CatalogMigrationRow, CatalogMigrationStatus, CrdUpgradeRow, CrdUpgradeStatus, MigratedSubscription, MigrationGroup,
    MigrationNote, MigrationNoteKind, MigrationVerdict, MigrationView, ReadinessRow, ReadinessView,
};
pub use mirror::{MinVersionView, MirrorFinding, MirrorInput, MirrorView};
pub use namespace_state::{CsvFuture, DecidingObject, NamespaceNow, NamespaceState, advice_and_command};
pub use place::{CatalogId, EntryKey, FileKey, PackageKey, Place, PrintedPlace};
pub use plan::{
    BlockerRow, FrozenView, GateView, PlanAction, PlanCost, PlanEnd, PlanGoal, PlanObstacle, PlanQuery, PlanReason,
    PlanRest, PlanStation, PlanStep, PlanTurn, PlanView, PlansView,
};
pub use protocol::{
    Answer, Ask, CatalogFormat, Changed, Command, Download, Event, FindingsFilter, FromWorker, GraphFormat, NewFile,
    Opened, Reply, Request, RequestId, Revision, Stage,
};
pub use query::{AnyAnswer, AnyQuery, Query, Respond, RespondInWorker, Take};
pub use reach::{
    ChannelReach, HopView, NextHop, PathView, ReachCell, ReachColumn, ReachEnd, ReachReport, ReachRow, ReachView,
    no_update,
};
pub use search::{SearchGroup, SearchHit, SearchKind, SearchScope, SearchTarget, SearchView};
pub use set::{
    InstalledRow, SetCell, SetChange, SetFinding, SetHole, SetId, SetMemberView, SetPackage, SetPlace, SetRejection,
    SetRow, SetView, WayOut,
};
pub use share::{ExampleRow, ExampleTheme, LONGEST_LINK, LinkContent, OpenedExample, ShareFault, ShareView};
pub use simulation::{
    BlockedView, CsvFailureView, CsvHop, CsvRef, DifferenceView, EventGroup, EventStatus, EventView, KeptView,
    NamespaceDecision, NamespaceRow, NamespacesView, ObjectKind, OutcomeView, SelectedView, SimulationView, StepView,
    SubscriptionStatus, SubscriptionView, TimelineView, TriedRow, UnservedView, WayOn, WayStage, after_approvals,
    fates,
};
pub use source::{
    DefinitionKind, DefinitionView, FileMark, FileTarget, FileView, MarkFix, SourceMark, SourceView, SymbolView,
    TextChange, TextPlace, TextRange,
};
pub use subject::{ChannelSummary, Excerpt, FactLine, FactRow, Subject, SubjectView};
pub use unpacking::{ArchivePart, ArchiveView, FromUnpacker, Unpack, Unpacked, UnpackedRoot};
pub use why::{
    ConflictView, EditView, EntryStatus, ExplainedMessage, ExplainedSentence, FailureKind, FailureView, FileEdit,
    FixView, FunnelView, InputEdit, InstallView, MessageName, MessageView, MessagesView, PathsView, ReasonView,
    RefusalView, RefusedView, RepairView, RepairsView, StageView, TermView, TriedChange, WhyNotRow, WhyNotView,
    stages_in_words,
};
