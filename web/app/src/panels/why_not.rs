//! Why OLM does or does not choose the selected entry.

use crate::kit::{press, prose};
use crate::parts::{place_after, reasons};
use crate::store::{Action, SimulationAction, WhyNot};
use views::{EntryKey, EntryStatus, WhyNotRow};
use yew::prelude::*;

/// The button that asks, or the answer.
pub(super) fn why_not(entry: &EntryKey, answer: Option<&WhyNot>, send: &Callback<Action>) -> Html {
    let Some(WhyNot { view, .. }) = answer.filter(|answer| answer.entry == *entry) else {
        let ask = press(send, SimulationAction::WhyNotAsked);
        return html! {
            <p class="actions">
                <button type="button" data-testid="why-not" onclick={ask}
                    title="How each Subscription and requirement treats this entry, step by step">
                    { "Why (not) this one?" }
                </button>
            </p>
        };
    };
    html! { <section class="why-not" data-testid="why-not-answer" tabindex="-1" aria-live="polite">
        <h3>{ "Why (not) this one?" }</h3>
        if view.rows.is_empty() {
            <p>{ "OLM never looks at this package: no Subscription names it, and no chosen bundle requires it." }</p>
        }
        { for view.rows.chunk_by(|one, other| one.who == other.who).map(|rows| group(rows, send)) }
        if view.bounded { <p class="mute">{ "The list is not complete." }</p> }
    </section> }
}

fn group(rows: &[WhyNotRow], send: &Callback<Action>) -> Html {
    html! { <>
        <p class="who">{ prose(&rows[0].who) }</p>
        <ul class="fates">{ for rows.iter().map(|row| item(row, send)) }</ul>
    </> }
}

fn item(row: &WhyNotRow, send: &Callback<Action>) -> Html {
    let (class, word) = match row.status {
        EntryStatus::Chosen => ("chosen", "yes"),
        EntryStatus::PassedOver => ("passed", "no"),
        EntryStatus::Excluded => ("excluded", "not a candidate"),
        EntryStatus::Unknown => ("unknown", "cannot tell"),
    };
    html! {
        <li class={class}>
            <p>
                <span class="mute">{ &row.when }</span>{ " " }<span class="badge">{ word }</span>{ " " }
                { prose(&row.reason.text) }
                { place_after(row.reason.place, send) }
            </p>
            if !row.because.is_empty() { { reasons(&row.because, send) } }
        </li>
    }
}
