//! The page's memory: one state, one pure `update`, effects as values. Nothing here knows the browser, so all of it is
//! tested natively.

mod action;
mod answer;
mod draft;
mod effect;
mod example;
mod explore;
mod field;
mod fragment;
mod highlight;
mod landing;
mod moment;
mod play;
mod reach;
mod rules;
mod select;
mod selected_source;
mod shared;
mod sides;
mod simulation;
mod source;
mod state;
#[cfg(test)]
mod tests;
mod trial;
mod update;
mod visit;
mod worker;

pub use action::{Action, Direction, Wait};
pub use draft::Draft;
pub use effect::{Effect, Millis};
pub use example::EXAMPLE;
pub use explore::{Explore, Explored, Route, Way};
pub use field::Field;
pub use fragment::Fragment;
pub use highlight::{Highlight, HighlightedNode, Role, Stops, highlight, stops};
pub use landing::Landing;
pub use moment::{carried_out, moment};
pub use reach::{ReachFilter, ReachTable, as_text, cell_sentence, cell_word};
pub use rules::{RuleTexts, Rules};
pub use select::{Found, TableRow, findings_here, found_packages, hops, outcome, standing, table, units};
pub use shared::Shared;
pub use simulation::{Mode, Pair, Replaced, Simulation, WhyNot};
pub use source::{Code, Excerpt, OpenFile, Source};
pub use state::{
    Asked, Coming, Dialog, Findings, Notice, NoticeKind, Pane, Pending, Selection, Standing, State, Tab, TextPurpose,
    Theme, Wanted, WorkerState,
};
pub use trial::WayBack;
pub use update::update;
pub use visit::{Undo, Visit};
