//! A namespace as it stands: the answer, its reason, what to do first, and what does harm.

use crate::kit::{command, prose};
use crate::store::Action;
use views::{NamespaceState, Verdict};
use yew::prelude::*;

/// What decides about the namespace; nothing where OLM acts by itself or finds no solution, which the simulation
/// explains.
pub(super) fn namespace_state(state: &NamespaceState, send: &Callback<Action>) -> Html {
    let (class, lead) = match state.now.verdict {
        Verdict::Acts => return Html::default(),
        Verdict::Unknown if state.now.verdict_if_there == Some(Verdict::Acts) => return Html::default(),
        Verdict::Stuck if state.now.reason == "resolution-fails" => return Html::default(),
        Verdict::Waits => ("warning", "Waits for somebody"),
        Verdict::Passes => ("hint", "Passes by itself"),
        Verdict::Stuck => ("error", "Stuck"),
        Verdict::Unknown => ("hint", "Not known from these manifests"),
    };
    let advice = |(text, found): (&str, Option<&str>)| {
        html! { <p class="help"><b>{ "First: " }</b>{ prose(text) }
        { for found.map(|text| command(text, &send.reform(super::copy))) }</p> }
    };
    html! {
        <section class={classes!("finding", class)} data-testid="namespace-state"
            data-namespace={state.namespace.clone()}>
            <h4>{ lead }</h4>
            <p class="message">{ prose(&as_sentence(&state.now.sentence)) }</p>
            { for state.now.first_advice().map(advice) }
            { for state.now.never.as_ref().map(|text| html! { <p class="mute">{ prose(&as_sentence(text)) }</p> }) }
        </section>
    }
}

/// A clause as a sentence.
fn as_sentence(clause: &str) -> String {
    let mut letters = clause.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
