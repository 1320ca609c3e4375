//! A package, a channel, an edge or a skipRange.

use crate::kit::prose;
use crate::parts::{excerpt, facts, finding};
use crate::store::Action;
use views::SubjectView;
use yew::prelude::*;

/// All about it.
pub(super) fn subject(view: &SubjectView, send: &Callback<Action>) -> Html {
    let leave = send.reform(|_: MouseEvent| Action::EntryLeft);
    html! { <section data-testid="subject">
        <header><h2 class="mono" data-testid="subject-title">{ &view.title }</h2>
            <button type="button" class="quiet" aria-label="Leave it" onclick={leave}>{ "✕" }</button></header>
        <p class="mute">{ prose(&view.summary) }</p>
        if !view.findings.is_empty() {
            <h3>{ "Findings here" }</h3>
            { for view.findings.iter().map(|row| finding(row, send)) }
        }
        <h3>{ "What it is" }</h3>
        { facts(&view.facts, send) }
        { for view.excerpt.iter().map(|view| excerpt(view, send)) }
    </section> }
}
