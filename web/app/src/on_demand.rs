//! Panels whose code is not in the page's first module.
//!
//! The build (`xtask/src/split.rs`) moves each function with the attribute, with everything that only these functions
//! reach, into the module that the attribute names. A module is loaded when the page is idle or shows one of its
//! panels. From then on its panels are drawn at once; until then [`OnDemand`] takes their place. What the first visit
//! shows must not be here. A panel must not contain another one that is here.

use crate::kit::{Modal, OnDemand};
use crate::panels::{self, Reach, Table};
use crate::store::{Action, Module, ModuleAction, ModuleStatus, Shared, State, simulated_entries};
use futures_util::future::FutureExt;
use views::{GraphView, SetRow};
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use yew::prelude::*;

/// Markup, or that the module could not be loaded.
type Loaded<T> = Result<T, SplitLoaderError>;

/// Loads a module for each of its functions, which have no common state. Returns what came of it.
pub(crate) async fn load(module: Module) -> ModuleStatus {
    let loaded = match module {
        Module::Comparison => preload_compare().await.and(preload_set().await),
        Module::Tables => preload_reach().await.and(preload_table().await),
        Module::Dialogs => preload_dialogs().await,
    };
    if loaded.is_ok() { ModuleStatus::Loaded } else { ModuleStatus::Failed }
}

/// A panel if its module is loaded, else a placeholder.
fn panel<F: Future<Output = Loaded<Html>>>(
    state: &State,
    module: Module,
    send: &Callback<Action>,
    draw: impl FnOnce() -> F,
) -> Html {
    let drawn = is_loaded(state, module).then(|| draw().now_or_never()).flatten();
    drawn.and_then(Result::ok).unwrap_or_else(|| {
        let has_failed = state.modules.get(&module) == Some(&ModuleStatus::Failed);
        let on_needed = send.reform(move |()| Action::Module(ModuleAction::Needed(module)));
        html! { <OnDemand key={format!("{module:?}")} {has_failed} {on_needed} /> }
    })
}

fn is_loaded(state: &State, module: Module) -> bool {
    state.modules.get(&module) == Some(&ModuleStatus::Loaded)
}

/// The Compare tab.
pub(crate) fn compare(state: &State, send: &Callback<Action>, picked: &Callback<Event>) -> Html {
    panel(state, Module::Comparison, send, || compare_panel(state, send, picked))
}

#[wasm_split(comparison, fallible, preload(preload_compare))]
fn compare_panel(state: &State, send: &Callback<Action>, picked: &Callback<Event>) -> Loaded<Html> {
    Ok(panels::compare(state, send, picked))
}

/// A set of catalogs.
pub(crate) fn set(state: &State, row: &SetRow, send: &Callback<Action>) -> Html {
    panel(state, Module::Comparison, send, || set_panel(state, row, send))
}

#[wasm_split(comparison, fallible, preload(preload_set))]
fn set_panel(state: &State, row: &SetRow, send: &Callback<Action>) -> Loaded<Html> {
    Ok(panels::set(state, row, send))
}

/// The Reach tab.
pub(crate) fn reach(state: &State, send: &Callback<Action>) -> Html {
    panel(state, Module::Tables, send, || reach_panel(state, send))
}

#[wasm_split(tables, fallible, preload(preload_reach))]
fn reach_panel(state: &State, send: &Callback<Action>) -> Loaded<Html> {
    let explore = &state.explore;
    Ok(html! {
        <Reach table={explore.reach.clone()} filter={explore.filter.clone()} printing={state.printing}
            send={send.clone()} />
    })
}

/// The Table tab.
pub(crate) fn table(state: &State, graph: &Shared<GraphView>, send: &Callback<Action>) -> Html {
    panel(state, Module::Tables, send, || table_panel(state, graph, send))
}

#[wasm_split(tables, fallible, preload(preload_table))]
fn table_panel(state: &State, graph: &Shared<GraphView>, send: &Callback<Action>) -> Loaded<Html> {
    Ok(html! {
        <Table graph={graph.clone()} filter={state.explore.table.clone()} simulated={simulated_entries(state)}
            selected={state.selection.entry.clone()} outdated={state.graph.is_none()} printing={state.printing}
            send={send.clone()} />
    })
}

/// The open dialog; nothing if none is open.
pub(crate) fn dialogs(state: &State, send: &Callback<Action>) -> Html {
    if state.dialog.is_none() {
        return Html::default();
    }
    let content = panel(state, Module::Dialogs, send, || dialog_panel(state, send));
    if is_loaded(state, Module::Dialogs) {
        return content;
    }
    let on_close = panels::close_dialog(send);
    html! { <Modal key="placeholder" title="Opscope" testid="dialog-placeholder" {on_close}>{ content }</Modal> }
}

#[wasm_split(dialogs, fallible, preload(preload_dialogs))]
fn dialog_panel(state: &State, send: &Callback<Action>) -> Loaded<Html> {
    Ok(panels::dialogs(state, send))
}
