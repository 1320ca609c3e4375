//! The state of the page and its reducer: one pure function, [`update()`], from a state and an action to a state and
//! effects. Nothing here knows the browser, so all of it is tested natively.

mod action;
mod apply_fix;
mod catalogs;
mod cluster;
mod compare;
mod draft;
mod effect;
mod entries;
mod explore;
mod extension_form;
mod field;
mod findings;
mod focus_target;
mod form_sync;
mod fragment;
mod highlight;
mod layout;
mod mirror;
mod navigation;
mod new_bundle;
mod notice;
mod playback;
mod reach;
mod reply;
mod request;
mod route;
mod rows;
mod run;
mod search;
mod select;
mod selected_source;
mod session;
mod shared;
mod simulation;
mod simulation_update;
mod source;
mod state;
mod table;
#[cfg(test)]
mod tests;
mod update;
mod verdict;
mod worker;

pub use action::{
    Action, CatalogsAction, ClusterAction, CompareAction, Direction, ExploreAction, FindingsAction, NavigationAction,
    PageAction, SessionAction, SimulationAction, SourceAction, Wait, WorkerAction,
};
pub use apply_fix::FileUndo;
pub use compare::{Compare, NamedSides, Relation, chosen_level, compared, inputs, shown_package, sides};
pub use draft::Draft;
pub use effect::{EditorFocus, Effect, Millis};
pub use entries::{EntryColumn, EntryFilter, EntryKind, EntryRow, entry_rows};
pub use explore::{Explore, PathKind, ShownCrds, ShownPath, shown_crds};
pub use extension_form::{ExtensionFormAction, NAME_LABEL};
pub use field::Field;
pub use findings::{RuleTexts, Rules};
pub use focus_target::FocusTarget;
pub use fragment::Fragment;
pub use highlight::{Highlight, HighlightedNode, PathEntries, Role, highlight, path_entries};
pub use layout::{Boundary, DockTab, Layout, LayoutAction};
pub use mirror::{ImageSet, MirrorAction, mirrored_catalog};
pub use new_bundle::{NewBundle, NewBundleAction, entry as trial_entry};
pub use notice::{Notice, NoticeKind};
pub use playback::{completed_steps, shown_step};
pub use reach::{ReachFilter, ReachOrder, ReachProblem, ReachTable, as_text, cell_sentence, standing};
pub use route::Route;
pub use rows::{RowColumn, RowFilter, RowKind};
pub use select::{PackageFilter, found_packages, outcome, package_findings, simulated_entries, utf16_offset};
pub use session::{PageSession, Undo};
pub use shared::Shared;
pub use simulation::{Mode, ReplacedInput, Simulation, SyncedCluster, WhyNot};
pub use source::{EditorStatus, Excerpt, OpenFile, Source};
pub use state::{
    Dialog, Findings, LinkTarget, NamedSelection, Pane, Pending, PendingKind, Selection, State, Tab, TextPurpose,
    Theme, WorkerState,
};
pub use table::TableFilter;
pub use update::{needs_changes, update};
