//! All events on the cluster, grouped by InstallPlan.

use crate::kit::prose;
use crate::store::{Action, SimulationAction};
use views::{EventGroup, EventStatus, EventView, ObjectKind, TimelineView};
use yew::prelude::*;

/// The events, and why they end.
pub(super) fn events(view: &TimelineView, send: &Callback<Action>) -> Html {
    let approve = send.reform(|_: MouseEvent| Action::Simulation(SimulationAction::PlanApproved));
    html! { <div class="timeline" data-testid="timeline">
        { for view.groups.iter().map(group) }
        <p class="ends"><b>{ "Nothing more happens on its own: " }</b>{ for view.ends.iter().enumerate().map(|(at, text)| html! { <>if at > 0 { { "; " } }{ prose(text) }</> }) }
            if view.waits { { " " }<button type="button" class="primary" data-testid="approve" onclick={approve}>{ "Approve" }</button> }</p>
    </div> }
}

fn group(group: &EventGroup) -> Html {
    html! { <section data-testid="event-group"><h4>{ prose(&group.title) }</h4><ol>{ for group.events.iter().map(event) }</ol></section> }
}

fn event(view: &EventView) -> Html {
    let (class, word) = match view.status {
        EventStatus::Normal => ("", ""),
        EventStatus::Waiting => ("waits", "waits"),
        EventStatus::Transient => ("passes", "resolves on its own"),
        EventStatus::Failed => ("fails", "fails"),
    };
    let kind = match view.object {
        ObjectKind::Namespace => "namespace",
        ObjectKind::CatalogSource => "CatalogSource",
        ObjectKind::Subscription => "Subscription",
        ObjectKind::InstallPlan => "InstallPlan",
        ObjectKind::Csv => "CSV",
    };
    html! { <li class={class} data-testid="event">
        <span class="kind">{ kind }</span>
        <div><p>if !view.name.is_empty() { <b>{ &view.name }</b>{ " " } }{ prose(&view.text) }if !word.is_empty() { { " " }<span class="badge">{ word }</span> }</p>
            if !view.detail.is_empty() { <details><summary>{ "OLM's words" }</summary><pre>{ &view.detail }</pre></details> }</div>
    </li> }
}
