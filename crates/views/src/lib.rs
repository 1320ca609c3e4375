//! The vocabulary between the worker and the page: requests, answers and plain view-models.
//!
//! Everything here is data that can be cloned, compared and serialised. Derived facts (is it a head? why was it
//! refused?) are in the views already: the page computes no meaning. Nothing here knows how an answer is made.

mod authoring;
mod catalog;
mod channel_map;
mod cluster;
mod comparison;
mod crd_change;
mod event;
mod example;
mod extension;
mod extension_form;
mod finding;
mod follow;
mod graph;
mod list;
mod message;
mod migration;
mod mirror;
mod namespace_state;
mod packed;
mod place;
mod plan;
mod protocol;
pub mod query;
mod reach;
mod rule;
mod search;
mod set;
mod share;
mod simulation;
mod small_chain;
mod source;
mod subject;
mod timeline;
mod trial;
mod unpacking;
mod why;
mod why_not;

pub use ::source::{
    Approval, AxisColumn, AxisDirection, BundleMode, BundleRules, ChannelSwitch, EntryForm, Level, Mark, OcMirror,
    OlmV1Release, OpenShift, OpmVersion, Point, Presence, ReadinessVerdict, Runtime, Severity, StateId, StopReason,
    TextEdit, Verdict, first_and_more,
};
pub use authoring::{
    AddedEntry, Authored, AuthoringInput, CatalogChange, ChannelEditView, Deprecatee, EdgeEffectView, EdgeGesture,
    Gesture, Kept, Target, WrittenCatalog, WrittenFileView, WrittenView,
};
pub use catalog::{
    BundleChoice, CatalogRow, EntryRow, EntryView, FileRow, IconRow, Overview, PackageRow, ProblemView, RangeView,
    Rejection, RequirementView,
};
pub use channel_map::{ChannelMapView, MapChannel, MapHead};
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
pub use event::{Event, Stage};
pub use example::{ExampleRow, ExampleTheme, OpenedExample};
pub use extension::{DroppedBundle, EntryExtension, ExtensionCondition, ExtensionStatus, ExtensionView, NextExtension};
pub use extension_form::{CatalogField, ClusterCatalogForm, ExtensionField, ExtensionForm, FormFault, FormPlace};
pub use finding::{Counts, FindingGroup, FindingView, FindingsView, LabelView, RuleCount, with_short_names};
pub use follow::{FileState, FollowedFile, FollowedFiles, SavedFile};
pub use graph::{
    AnswerView, BandView, EdgeKind, EdgeView, FoldView, GraphLayout, GraphOptions, GraphView, LaneView, Line, NextView,
    NodeView,
};
pub use list::{CatalogCommand, ListView, ListedCatalog, ListedChannel, ListedEntry, ListedPackage};
pub use message::{ExplainedMessage, ExplainedSentence, MessageName, MessagesView};
pub use migration::{
    CatalogMigrationRow, CatalogMigrationStatus, CrdUpgradeRow, CrdUpgradeStatus, MigratedSubscription, MigrationGroup,
    MigrationNote, MigrationNoteKind, MigrationVerdict, MigrationView, ReadinessRow, ReadinessView,
};
pub use mirror::{MinVersionView, MirrorFinding, MirrorInput, MirrorView};
pub use namespace_state::{CsvFuture, DecidingObject, NamespaceNow, NamespaceState, advice_and_command};
pub use place::{CatalogId, EntryKey, FileKey, PackageKey, Place};
pub use plan::{
    BlockerRow, FrozenView, GateView, PlanAction, PlanCost, PlanEnd, PlanGoal, PlanObstacle, PlanQuery, PlanReason,
    PlanRest, PlanStation, PlanStep, PlanTurn, PlanView, PlansView,
};
pub use protocol::{
    Answer, Ask, CatalogFormat, Changed, Command, Download, FindingsFilter, FromWorker, GraphFormat, NewFile, Opened,
    Reply, Request, RequestId, Revision,
};
pub use query::{AnyAnswer, AnyQuery, Query, Respond, RespondInWorker, Take};
pub use reach::{
    ChannelReach, HopView, NextHop, PathView, ReachCell, ReachColumn, ReachEnd, ReachReport, ReachRow, ReachView,
    no_update,
};
pub use rule::{ComparisonRuleDoc, RuleDoc, RuleExample, RuleFile, Rulebook};
pub use search::{SearchGroup, SearchHit, SearchKind, SearchScope, SearchTarget, SearchView};
pub use set::{
    InstalledRow, SetCell, SetChange, SetFinding, SetHole, SetId, SetMemberView, SetPackage, SetPlace, SetRejection,
    SetRow, SetView, WayOut,
};
pub use share::{LONGEST_LINK, LinkContent, ShareFault, ShareView};
pub use simulation::{
    BlockedView, CsvFailureView, CsvHop, CsvRef, DifferenceView, KeptView, NamespaceRow, NamespacesView, OutcomeView,
    SelectedView, SimulationView, StepView, SubscriptionStatus, SubscriptionView, UnservedView, fates,
};
pub use small_chain::{ChainLine, ChainStep, SmallChain, StuckView, chain_words};
pub use source::{
    DefinitionKind, DefinitionView, FileMark, FileTarget, FileView, MarkFix, SourceMark, SourceView, SymbolView,
    TextChange, TextPlace, TextRange,
};
pub use subject::{ChannelSummary, Excerpt, FactLine, FactRow, Subject, SubjectView};
pub use timeline::{EventGroup, EventStatus, EventView, ObjectKind, TimelineView};
pub use trial::{NewBundleView, Trial, TrialChannel, TrialEntry, TrialPolicy, TrialTarget};
pub use unpacking::{ArchivePart, ArchiveView, FromUnpacker, Unpack, Unpacked, UnpackedRoot};
pub use why::{
    ConflictView, EditView, FailureKind, FailureView, FileEdit, FixView, FunnelView, InputEdit, InstallView,
    MessageView, PathsView, ReasonView, RefusalView, RefusedView, RepairView, RepairsView, StageView, TermView,
};
pub use why_not::{EntryStatus, WhyNotRow, WhyNotView};
