//! The regions of the page, one file each.

mod authoring;
mod board;
mod catalog_overview;
mod catalogs;
mod compare;
mod conflict;
mod dialogs;
mod empty;
mod ending;
mod findings;
mod header;
mod inspector;
mod migration;
mod notices;
mod package;
mod packages;
mod palette;
mod plan;
mod reach;
mod result;
mod set;
mod simulation;
mod source;
mod subscriptions;
mod table;
#[cfg(test)]
#[cfg(target_arch = "wasm32")]
mod tests;
mod timeline;

pub(crate) use authoring::edges;
pub(crate) use compare::{EditEffect, compare, compared_list, edit_effect, edit_effect_line, release};
pub(crate) use dialogs::dialogs;
pub(crate) use empty::empty;
pub(crate) use findings::Findings;
#[cfg(test)]
#[cfg(target_arch = "wasm32")]
pub(crate) use findings::Props as FindingsProps;
pub(crate) use header::{dock, embedded, header};
pub(crate) use inspector::Inspector;
pub(crate) use notices::{notice_id, notices, progress};
pub(crate) use package::{package, panes};
pub(crate) use packages::Packages;
pub(crate) use reach::Reach;
pub(crate) use result::verdicts;
pub(crate) use set::shown_set;
pub(crate) use simulation::simulation;
pub(crate) use source::Source;
pub(crate) use table::Table;

use crate::store::{Action, PageAction};
use yew::Callback;

pub(crate) fn close_dialog(send: &Callback<Action>) -> Callback<()> {
    send.reform(|()| Action::Page(PageAction::DialogClosed))
}

/// The action that copies a text of the page.
fn copy(text: std::rc::Rc<str>) -> Action {
    Action::Page(PageAction::CopyAsked(text))
}
