//! A package, a channel, an edge or a skipRange.

use super::links::about;
use crate::kit::{folded, press, prose};
use crate::parts::{fact_row, facts, finding, fold, lines, place_link, repairs};
use crate::store::{Action, NavigationAction};
use views::{ChannelSummary, Subject, SubjectView};
use yew::prelude::*;

/// Channels of a package that are not folded.
const CHANNELS: usize = 12;

/// The details of a subject, with `more` folded rows. Only a `selected` one has a Close button.
pub(super) fn subject(view: &SubjectView, selected: bool, day: &str, more: Html, send: &Callback<Action>) -> Html {
    let leave = press(send, NavigationAction::EntryLeft);
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
            { repairs(view.repairs.as_slice(), send) }
            <p class="mute">{ prose(&view.summary) }</p>
            if !selected && !view.channels.is_empty() {
                <p class="mute">{ "Select a version to see what becomes of it." }</p>
            }
            if !view.channels.is_empty() {
                <dl class="rows" data-testid="channel-rows">
                    { folded(&view.channels, CHANNELS, " channels", |rows| html! { <>
                        { for rows.iter().map(|row| channel(row, send)) }</> }) }
                </dl>
            }
            if selected { { facts(&view.facts, day, send) } }
            <div class="folds">
                if !selected && !view.facts.is_empty() {
                    { fold("About the package", "", false, facts(&view.facts, day, send)) }
                }
                { for view.excerpt.iter().map(|excerpt| fold("Text", "", false, lines(excerpt, send))) }
                { more }
            </div>
        </section>
    }
}

/// A channel of a package: its name, how many entries it has, its head, and its line.
fn channel(row: &ChannelSummary, send: &Callback<Action>) -> Html {
    let subject = Subject::Channel { channel: row.channel.clone() };
    let entries = if row.entries == 1 { "1 entry".to_owned() } else { format!("{} entries", row.entries) };
    let heads = match &row.heads[..] {
        [] => html! { <span class="wrong">{ "no head" }</span> },
        [head] => html! { <code>{ head }</code> },
        heads => html! { <span class="wrong">{ format!("{} heads", heads.len()) }</span> },
    };
    let label = html! { <>
        { about("about this channel", &row.channel, subject, send) }
        if row.default { <small class="mute">{ " default" }</small> }
    </> };
    fact_row(
        label,
        html! { <><small class="mute">{ entries }</small>{ " " }{ heads }{ " " }
        { place_link(None, row.place, send) }</> },
    )
}
