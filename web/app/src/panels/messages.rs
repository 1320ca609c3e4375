//! What messages of a cluster mean.

use super::namespace_state::standing;
use crate::kit::prose;
use crate::store::Action;
use views::{ExplainedMessage, ExplainedSentence, MessagesView};
use yew::prelude::*;

/// What the cluster says; folded where something else is the answer.
pub(super) fn said(view: &MessagesView, is_answer: bool, send: &Callback<Action>) -> Html {
    match is_answer || view.messages.is_empty() {
        true => messages(view, send),
        false => html! {
            <details><summary>{ "Each condition and message" }</summary>{ messages(view, send) }</details>
        },
    }
}

/// The messages, and what would tell more; nothing without messages.
fn messages(view: &MessagesView, send: &Callback<Action>) -> Html {
    html! { if !view.messages.is_empty() {
        <section data-testid="messages">
            <h3>{ "What the cluster says" }</h3>
            { for view.messages.iter().map(|one| message(one, send)) }
            if !view.more.is_empty() {
                <h4>{ "What would tell more" }</h4>
                <ul>{ for view.more.iter().map(|text| html! { <li>{ prose(text) }</li> }) }</ul>
            }
        </section>
    } }
}

fn message(view: &ExplainedMessage, send: &Callback<Action>) -> Html {
    let (class, lead) = match &*view.verdict {
        "waits" => ("warning", "Waits for somebody"),
        "passes" => ("hint", "Passes by itself"),
        "stuck" => ("error", "Stuck"),
        _ => ("hint", "It depends"),
    };
    let lead = if view.about.is_empty() { lead.to_owned() } else { format!("{lead}: {}", view.about) };
    let sentence = |one: &ExplainedSentence| html! { <li title={one.text.clone()}>{ prose(&one.meaning) }</li> };
    html! { <>
        { standing(class, &lead, &view.meaning, view.first.as_deref(), view.never.as_deref(), send) }
        if !view.sentences.is_empty() { <ol>{ for view.sentences.iter().map(sentence) }</ol> }
        if !view.text.is_empty() {
            <details><summary>{ "As the cluster has it" }</summary><pre>{ &view.text }</pre></details>
        }
    </> }
}
