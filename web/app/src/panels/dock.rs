//! The dock: the details of the selection and the simulation, on the right. A wide screen shows both, others the chosen
//! one.

use super::catalogs::catalog_details;
use super::{Inspector, simulation};
use crate::kit::{Menu, Splitter, choice, press};
use crate::store::{
    Action, Boundary, ClusterAction, DockTab, ExtensionFormAction, LayoutAction, Mode, NavigationAction, Pane, State,
    shown_crds,
};
use yew::prelude::*;

/// Whether there is nothing to simulate and nobody has opened the simulation: it is one bar then.
pub(crate) fn is_simulation_idle(state: &State) -> bool {
    state.simulation.is_empty(state.runtime) && state.layout.dock == DockTab::Details
}

/// The bar below the package that opens the simulation.
pub(crate) fn simulate_bar(state: &State, send: &Callback<Action>) -> Html {
    let add = press(send, Action::Cluster(ClusterAction::SubscriptionAdded));
    let extend = press(send, Action::Extensions(ExtensionFormAction::Added));
    let manifests = press(send, Action::Cluster(ClusterAction::ModeChosen(Mode::Manifests)));
    let open = press(send, Action::Navigation(NavigationAction::PaneChosen(Pane::Simulation)));
    let package = state.selection.package.as_ref().map(|key| key.package.as_str());
    let title = package.map_or_else(|| "Add a Subscription".to_owned(), |name| format!("Subscribe to {name}"));
    html! {
        <section class="simulate" aria-label="Simulate">
            <button type="button" class="plain" data-testid="simulate" onclick={open}><b>{ "Simulate" }</b></button>
            <span class="mute">{ "See which bundles OLM installs, and why." }</span>
            <span class="grow"></span>
            <Menu label="⋯" title="Ways to begin" testid="simulate-menu">
                <button type="button" data-testid="subscription-add" {title} onclick={add}>
                    { "Add Subscription" }
                </button>
                if state.runtime.has_v1() {
                    <button type="button" data-testid="extension-add" onclick={extend}>
                        { "Add ClusterExtension" }
                    </button>
                }
                <button type="button" data-testid="simulate-manifests" onclick={manifests}>
                    { "Paste manifests" }
                </button>
            </Menu>
        </section>
    }
}

/// The dock.
pub(crate) fn dock(state: &State, send: &Callback<Action>) -> Html {
    let shown = state.layout.dock;
    let name = match shown {
        DockTab::Details => "details",
        DockTab::Simulation => "simulation",
    };
    let tabs = [(DockTab::Details, "Details"), (DockTab::Simulation, "Simulation")];
    let choose = send.reform(|tab| Action::Layout(LayoutAction::DockChosen(tab)));
    html! {
        <section class="dock" aria-label="Details and simulation" data-shown={name}>
            { splitter(state, Boundary::Simulation, send) }
            { splitter(state, Boundary::Details, send) }
            if !is_simulation_idle(state) {
                <div class="bar" data-testid="dock-tabs">{ choice("On the right", &tabs, shown, &choose) }</div>
            }
            if let Some(row) = state.selection.whole.and_then(|catalog| state.catalog(catalog)) {
                { catalog_details(row, send) }
            } else {
                <Inspector selected={state.selection.entry.clone()} entry={state.entry.clone()}
                    subject={state.explore.subject.clone()} about={state.explore.about.clone()}
                    path={state.explore.path.clone()}
                    played={state.simulation.view.is_some()} why_not={state.simulation.why_not.clone()}
                    readiness={state.explore.readiness.clone()} crds={shown_crds(state).cloned()}
                    day={state.day.clone()} has_v1={state.runtime.has_v1()} send={send.clone()} />
            }
            { simulation(state, send) }
        </section>
    }
}

/// The boundary of a region.
pub(super) fn splitter(state: &State, boundary: Boundary, send: &Callback<Action>) -> Html {
    let label = match boundary {
        Boundary::Packages => "Width of the package list",
        Boundary::Details => "Width of the details",
        Boundary::Simulation => "Width of the simulation",
        Boundary::Source => "Width of the source",
    };
    let on_move = send.reform(move |size| Action::Layout(LayoutAction::BoundaryMoved { boundary, size }));
    html! { <Splitter region={boundary.region()} {label} leads={boundary == Boundary::Packages}
    size={state.layout.sizes.get(&boundary).copied()} {on_move} /> }
}
