//! The dock: the details of the selection, on the right.

use super::Inspector;
use crate::kit::Splitter;
use crate::store::{Action, Boundary, LayoutAction, State, shown_crds};
use yew::prelude::*;

/// The dock.
pub(crate) fn dock(state: &State, send: &Callback<Action>) -> Html {
    html! {
        <section class="dock" aria-label="Details">
            { splitter(state, Boundary::Details, send) }
            <Inspector selected={state.selection.entry.clone()} entry={state.entry.clone()}
                subject={state.explore.subject.clone()} about={state.explore.about.clone()}
                path={state.explore.path.clone()}
                played={state.simulation.view.is_some()} why_not={state.simulation.why_not.clone()}
                readiness={state.explore.readiness.clone()} crds={shown_crds(state).cloned()}
                day={state.day.clone()} has_v1={state.runtime.has_v1()} send={send.clone()} />
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
