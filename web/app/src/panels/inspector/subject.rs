//! A package, a channel, an edge or a skipRange.

use crate::kit::{press, prose};
use crate::parts::{excerpt, facts, finding, repairs};
use crate::store::{Action, NavigationAction};
use views::SubjectView;
use yew::prelude::*;

/// The details of a subject. Only a `selected` one has a Close button.
pub(super) fn subject(view: &SubjectView, selected: bool, day: &str, send: &Callback<Action>) -> Html {
    let leave = press(send, Action::Navigation(NavigationAction::EntryLeft));
    html! {
        <section data-testid="subject">
            <header>
                <h2 class="mono" data-testid="subject-title">{ &view.title }</h2>
                if selected { <button type="button" class="quiet" aria-label="Close" onclick={leave}>{ "✕" }</button> }
            </header>
            if !view.findings.is_empty() {
                <section class="findings-here" aria-label="Findings here">
                    { for view.findings.iter().map(|row| finding(row, send)) }
                </section>
            }
            { for view.repairs.iter().map(|view| repairs(view, send)) }
            <p class="mute">{ prose(&view.summary) }</p>
            <h3>{ "Details" }</h3>
            { facts(&view.facts, day, send) }
            { for view.excerpt.iter().map(|view| excerpt(view, send)) }
            if !selected {
                <p class="mute waiting">
                    { "Select an entry in the graph to see its updates, requirements and findings. You can also \
                      select channels, edges and skipRanges." }
                </p>
            }
        </section>
    }
}
