//! A namespace as it stands: the answer, its reason, what to do first, and what does harm.

use crate::kit::{command, prose};
use crate::store::Action;
use views::{NamespaceState, Verdict, advice_and_command};
use yew::prelude::*;

/// What decides about the namespace; nothing where OLM acts by itself or finds no solution, which the simulation
/// explains.
pub(super) fn namespace_state(state: &NamespaceState, send: &Callback<Action>) -> Html {
    let now = &state.now;
    let (class, lead) = match now.verdict {
        _ if !state.has_lead() => return Html::default(),
        Verdict::Acts => return Html::default(),
        Verdict::Waits => ("warning", "Waits for somebody"),
        Verdict::Passes => ("hint", "Passes by itself"),
        Verdict::Stuck => ("error", "Stuck"),
        Verdict::Unknown => ("hint", "Not known from these manifests"),
    };
    standing(class, lead, &now.sentence, now.advice.as_deref(), now.never.as_deref(), send)
}

/// Namespaces as they stand, each under its name; nothing of those whose answer follows.
pub(super) fn namespace_states<'s>(
    states: impl IntoIterator<Item = &'s NamespaceState>,
    send: &Callback<Action>,
) -> Html {
    let decided = states.into_iter().filter(|state| state.has_lead());
    let one = |state: &NamespaceState| {
        html! { <><h3>{ format!("Namespace {}", state.namespace) }</h3>{ namespace_state(state, send) }</> }
    };
    html! { <>{ for decided.map(one) }</> }
}

/// An answer with its reason, what to do first, and what does harm.
pub(super) fn standing(
    class: &'static str,
    lead: &str,
    reason: &str,
    advice: Option<&str>,
    never: Option<&str>,
    send: &Callback<Action>,
) -> Html {
    let first = |advice: &str| {
        let (text, found) = advice_and_command(advice);
        html! { <p class="help"><b>{ "First: " }</b>{ prose(text) }
        { for found.map(|text| command(text, &send.reform(super::copy))) }</p> }
    };
    html! {
        <section class={classes!("finding", "decides", class)} data-testid="standing">
            <h4>{ lead }</h4>
            <p class="message">{ prose(&as_sentence(reason)) }</p>
            { for advice.map(first) }
            { for never.map(|text| html! { <p class="mute">{ prose(&as_sentence(text)) }</p> }) }
        </section>
    }
}

fn as_sentence(clause: &str) -> String {
    let mut letters = clause.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
