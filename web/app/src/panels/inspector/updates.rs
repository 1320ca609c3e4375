//! The updates from and to an entry in one channel, and what it gets in other channels.

use super::links::{about, definition, entry_button, entry_link};
use crate::kit::{folded, plural};
use crate::parts::{fact_row, folded_list};
use crate::store::Action;
use views::{ChannelReach, EntryView, NextHop, StopReason, Subject, no_update};
use yew::prelude::*;

/// That there are no updates in a channel, because `opm` rejects it.
const NOT_ORDERED: &str = "No updates: OLM cannot order the channel";

/// Channels that are not folded.
const FEW: usize = 5;

/// The sections "Updates from" and "Updates to".
pub(super) fn updates(view: &EntryView, send: &Callback<Action>) -> Html {
    let channel = view.reach.as_ref().map(|reach| reach.channel.as_str());
    let alone = view.from.is_empty() && view.later.is_empty();
    let none = if alone { "there is no older version" } else { "none: all older versions can reach it" };
    let list = |title: &str, entries: &[String], none: &str| {
        let body = if entries.is_empty() {
            html! { <span class="mute">{ none }</span> }
        } else {
            folded_list(entries.iter().map(|text| entry_link(channel, text, send)).collect())
        };
        definition(title, body)
    };
    let heading =
        |text: &str| html! { <h3>{ text }if let Some(channel) = channel { { " · " }<b>{ channel }</b> }</h3> };
    let one_hop = if view.to.len() > 1 { "one hop, OLM's choice first" } else { "one hop" };
    let stop = view.reach.as_ref().and_then(|reach| reach.stop);
    let is_ordered = view.reach.is_none() || stop.is_some();
    html! {
        <>
            { heading("Updates from") }
            <dl class="pairs" data-testid="arrivals">
                { list("one hop", &view.from, if is_ordered { "no version" } else { NOT_ORDERED }) }
                if is_ordered { { list("more", &view.later, "no other version") } }
                if !view.passed_over.is_empty() { { list("OLM goes past it from", &view.passed_over, "") } }
                if is_ordered && (!view.never.is_empty() || view.passed_over.is_empty()) {
                    { list("never", &view.never, none) }
                }
            </dl>
            { heading("Updates to") }
            <dl class="pairs" data-testid="departures">
                { list(one_hop, &view.to, no_further(stop)) }
            </dl>
        </>
    }
}

/// Why an entry has no update in its channel.
const fn no_further(stop: Option<StopReason>) -> &'static str {
    match stop {
        None => NOT_ORDERED,
        Some(StopReason::Head) => "No further updates (channel head)",
        Some(StopReason::Newer) => "No updates: it is ahead of the head",
        Some(StopReason::Stranded) => "No updates: OLM chooses no entry that follows it",
        Some(StopReason::Uncovered | StopReason::Circle) => "No updates: no entry replaces, skips or covers it",
    }
}

/// What it updates to in its channel, in one row.
pub(super) fn updates_to(reach: &ChannelReach, send: &Callback<Action>) -> Html {
    match &reach.next {
        Some(_) => switch(reach, send),
        None => html! { { "nothing" } },
    }
}

/// What a Subscription gets that switches to another channel while the entry is installed.
pub(super) fn switches(switches: &[ChannelReach], send: &Callback<Action>) -> Html {
    let row = |row: &ChannelReach| {
        let subject = Subject::Channel { channel: row.channel.clone() };
        fact_row(about("about this channel", &row.channel, subject, send), switch(row, send))
    };
    let rows = |rows: &[ChannelReach]| html! { <dl class="rows">{ for rows.iter().map(row) }</dl> };
    html! { <section data-testid="switches" aria-label="If I switch to another channel">
    { folded(switches, FEW, " channels", rows) }</section> }
}

/// The next update in a channel, and where the updates end.
pub(super) fn switch(row: &ChannelReach, send: &Callback<Action>) -> Html {
    let then = row.hops.saturating_sub(1);
    let more = format!("{then} more hop{}", plural(then as usize));
    let tail = match (row.stop, then) {
        (Some(StopReason::Head), 0) => ", the head".to_owned(),
        (Some(StopReason::Head), _) => format!(", then {more} to the head {}", row.end),
        (_, 0) => ", not the head, and no further".to_owned(),
        (_, _) => format!(", then {more} to {}, not the head", row.end),
    };
    match &row.next {
        Some(NextHop { to, label, via }) => {
            html! { <>{ entry_button(to.clone(), label, send) }{ " by " }{ via }{ tail }</> }
        }
        None => html! {
            <span class={if row.stop == Some(StopReason::Uncovered) { "stuck" } else { "mute" }}>
                { no_update(row.stop) }
            </span>
        },
    }
}
