//! The regions of the page, one file each.

mod authoring;
mod catalog_overview;
mod catalogs;
mod cluster_only;
mod compare;
mod conflict;
mod dialogs;
mod dock;
mod edges;
mod empty;
mod examples;
mod excerpt;
mod extension_forms;
mod extensions;
mod findings;
mod form_field;
mod header;
mod inspector;
mod list;
mod manifests;
mod messages;
mod migration;
mod namespace_state;
mod new_bundle;
mod notices;
mod outcome_comparison;
mod package;
mod packages;
mod palette;
mod plan;
mod reach;
mod result;
mod rules;
mod set;
mod share;
mod simulation;
mod source;
mod subscriptions;
mod table;
#[cfg(test)]
#[cfg(target_arch = "wasm32")]
mod tests;
mod timeline;
mod verdicts;
mod why_not;

pub(crate) use compare::{EditEffect, compare, compared_list, edit_effect, edit_effect_line, release};
pub(crate) use dialogs::dialogs;
pub(crate) use dock::dock;
pub(crate) use edges::edges;
pub(crate) use empty::empty;
pub(crate) use findings::Findings;
#[cfg(test)]
#[cfg(target_arch = "wasm32")]
pub(crate) use findings::Props as FindingsProps;
pub(crate) use header::{embedded, header};
pub(crate) use inspector::Inspector;
pub(crate) use notices::{notice_id, notices, progress};
pub(crate) use package::{package, panes};
pub(crate) use packages::Packages;
pub(crate) use reach::Reach;
pub(crate) use set::shown_set;
pub(crate) use simulation::simulation;
pub(crate) use source::Source;
pub(crate) use table::Table;
pub(crate) use verdicts::verdicts;

use crate::store::{Action, PageAction};
use yew::Callback;

/// Closes the open dialog.
pub(crate) fn close_dialog(send: &Callback<Action>) -> Callback<()> {
    send.reform(|()| Action::Page(PageAction::DialogClosed))
}

/// The action that copies a text of the page.
fn copy(text: std::rc::Rc<str>) -> Action {
    Action::Page(PageAction::CopyAsked(text))
}
