//! The state of the page and its reducer: one pure function, [`update()`], from a state and an action to a state and
//! effects. Nothing here knows the browser, so all of it is tested natively.

mod action;
mod authoring;
mod catalogs;
mod cluster;
mod compare;
mod effect;
mod explore;
mod findings;
mod focus_target;
mod highlight;
mod history;
mod layout;
mod navigation;
mod navigation_update;
mod notice;
mod palette;
mod reach;
mod reply;
mod request;
mod route;
mod run;
mod select;
mod session;
mod set;
mod simulation;
mod source;
mod state;
mod table;
#[cfg(test)]
mod tests;
mod tried;
mod update;
mod worker;

pub use action::{
    Action, CatalogsAction, ClusterAction, CompareAction, ExploreAction, FindingsAction, NavigationAction, PageAction,
    SessionAction, SimulationAction, SourceAction, WorkerAction,
};
pub use authoring::{EdgeAction, Edges, NewBundle, NewBundleAction, Release, trial_entry};
pub use catalogs::{ImageSet, MirrorAction, mirrored_catalog};
pub use cluster::NAME_LABEL;
pub use compare::{
    Compare, NamedSides, Relation, RowColumn, RowFilter, RowKind, chosen_level, compared, edits, inputs, shown_package,
    shows_change, sides,
};
pub use effect::{EditorFocus, Effect};
pub use explore::{Explore, PathKind, ShownCrds, ShownPath, shown_crds};
pub use findings::{RuleTexts, Rules};
pub use focus_target::FocusTarget;
pub use highlight::{Highlight, HighlightedNode, PathEntries, Role, highlight, path_entries};
pub use history::History;
pub use layout::{Boundary, Layout, LayoutAction};
pub use navigation::{NamedSelection, Selection};
pub use notice::{FileUndo, Notice, NoticeKind};
pub use palette::{Command, Direction, Palette, PaletteAction, PaletteItem, PalettePurpose, commands, group_items};
pub use reach::{ReachFilter, ReachOrder, ReachProblem, as_text, cell_sentence, entry_standing};
pub use request::running;
pub use route::{Fragment, Route};
pub use select::{
    completed_plans, outcome, ranked_packages, selected_findings, shown_plan, shown_release, shown_step,
    simulated_entries, troubled_packages, utf16_offset,
};
pub use session::{Draft, PageSession, Undo};
pub use set::{GOALS, SetAction, Sets, Written};
pub use simulation::{Audience, EntryUse, FormRow, Mode, Simulation, WhyNot};
pub use source::{EditorStatus, Excerpt, FileNames, OpenFile, Source};
pub use state::{
    Dialog, Findings, LinkTarget, Millis, Opening, Pane, Pending, PendingKind, Shared, State, Tab, TextPurpose, Theme,
    Unread, Wait, WorkerState,
};
pub use table::{EntryColumn, EntryFilter, EntryKind, TableEntry, TableFilter, entry_rows};
pub use tried::{BoardChoice, BoardOf, BoardPart, Channels, Pressed, Trial, Tried};
pub use update::{needs_changes, update};
pub use worker::{Follow, FollowAction, unsaved_files};
