//! The state of the page and its reducer: one pure function, [`update()`], from a state and an action to a state and
//! effects. Nothing here knows the browser, so all of it is tested natively.

mod action;
mod answers;
mod apply_fix;
mod authoring;
mod catalogs;
mod cluster;
mod commands;
mod compare;
mod comparison;
mod draft;
mod edges;
mod editor;
mod effect;
mod entries;
mod explore;
mod extension_form;
mod file_names;
mod findings;
mod focus_target;
mod follow;
mod form_row;
mod form_sync;
mod fragment;
mod highlight;
mod layout;
mod mirror;
mod navigation;
mod navigation_update;
mod new_bundle;
mod notice;
mod page_session;
mod palette;
mod playback;
mod reach;
mod reply;
mod request;
mod restore;
mod route;
mod rows;
mod rules;
mod run;
mod search;
mod select;
mod selected_source;
mod selection;
mod session;
mod set;
mod set_update;
mod shared;
mod shown;
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
    Action, CatalogsAction, ClusterAction, CompareAction, ExploreAction, FindingsAction, NavigationAction, PageAction,
    SessionAction, SimulationAction, SourceAction, WorkerAction,
};
pub use answers::{Explore, PathKind, ShownCrds, ShownPath};
pub use commands::{Command, commands};
pub use compare::{chosen_level, compared, edits, inputs, shown_package, shows_change, sides};
pub use comparison::{Compare, NamedSides, Relation};
pub use draft::Draft;
pub use edges::{EdgeAction, Edges};
pub use editor::{EditorStatus, Excerpt, OpenFile, Source};
pub use effect::{EditorFocus, Effect};
pub use entries::{EntryColumn, EntryFilter, EntryKind, TableEntry, entry_rows};
pub use explore::shown_crds;
pub use extension_form::{ExtensionFormAction, NAME_LABEL};
pub use file_names::FileNames;
pub use focus_target::FocusTarget;
pub use follow::{Follow, FollowAction, unsaved_files};
pub use fragment::Fragment;
pub use highlight::{Highlight, HighlightedNode, PathEntries, Role, highlight, path_entries};
pub use layout::{Boundary, Layout, LayoutAction};
pub use mirror::{ImageSet, MirrorAction, mirrored_catalog};
pub use new_bundle::{NewBundle, NewBundleAction, Release, trial_entry};
pub use notice::{FileUndo, Notice, NoticeKind};
pub use page_session::{PageSession, Undo};
pub use palette::{Direction, Palette, PaletteAction, PaletteItem, PalettePurpose, group_items};
pub use reach::{ReachFilter, ReachOrder, ReachProblem, ReachTable, as_text, cell_sentence, entry_standing};
pub use request::running;
pub use route::Route;
pub use rows::{RowColumn, RowFilter, RowKind};
pub use rules::{RuleTexts, Rules};
pub use select::{
    completed_steps, hinted_packages, largest_packages, outcome, ranked_packages, selected_findings, shown_release,
    shown_step, simulated_entries, troubled_packages, utf16_offset,
};
pub use selection::{NamedSelection, Selection};
pub use set::{GOALS, SetAction, Sets, Written};
pub use shared::Shared;
pub use shown::{Dialog, Pane, Tab, Theme};
pub use simulation::{EntryUse, FormRow, FormStatus, Mode, ReplacedInput, Simulation, WhyNot};
pub use state::{Findings, LinkTarget, Millis, Opening, Pending, PendingKind, State, TextPurpose, Wait, WorkerState};
pub use table::TableFilter;
pub use update::{needs_changes, update};
