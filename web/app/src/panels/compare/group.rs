//! Installed versions with the same outcome: the paths before and after, what the cluster shows, the cause and fixes.

use super::{level, line_link};
use crate::kit::prose;
use crate::parts::{diff, fixes, rule_link, strips};
use crate::store::Action;
use views::{CauseView, DiffLine, DiffSign, GroupView, Level, LineView};
use yew::prelude::*;

/// A group; the first one is open.
pub(super) fn group(row: &GroupView, open: bool, send: &Callback<Action>) -> Html {
    let key = format!("{} {:?} {}", row.rule, row.channel, row.title);
    let open = open || row.level == Level::Breaking;
    let test_id = if row.is_v1 { "extension-group" } else { "row-group" };
    html! {
        <details class="row-group" {key} {open} data-testid={test_id} data-rule={row.rule.clone()}>
            { summary(row) }
            <p>{ prose(&row.about) }{ " " }{ rule_link(&row.rule, send) }</p>
            <div class="split">
                <div>
                    { strips(["Before", "After"], [&row.before, &row.after], &row.versions) }
                    { shows(row) }
                </div>
                { causes(&row.cause, row.more_causes, send) }
            </div>
            { fixes("Fixes (each one verified)", &row.fixes, send) }
        </details>
    }
}

/// The level, the versions, the channel and the outcome in one line.
fn summary(row: &GroupView) -> Html {
    let channel = row.channel.as_ref().map_or_else(
        || html! { <span>{ " without channels" }</span> },
        |channel| html! { <span>{ " in channel " }<b>{ channel }</b></span> },
    );
    html! { <summary>
        { level(row.level) }<b title={row.versions.join(", ")}>{ &row.title }</b>{ channel }
        <span class="outcome">{ outcome(row) }</span>
        // Where it ends does not say what the risk is.
        if row.level == Level::Risky { <span class="risk">{ prose(&row.about) }</span> }
    </summary> }
}

/// What the cluster shows, and what happens with all that the versions require.
fn shows(row: &GroupView) -> Html {
    html! { <>
        <p class="shows"><b>{ "The cluster shows: " }</b>{ prose(&row.shows) }</p>
        if row.is_v1 { <p>{ prose(&row.effect) }</p> }
        if let Some(text) = &row.simulated {
            <p data-testid="with-dependencies"><b>{ "But " }</b>{ prose(text) }</p>
        }
    </> }
}

/// How the updates of the versions end, in a few words.
fn outcome(row: &GroupView) -> String {
    match &row.after.last {
        Some(last) => format!("→ {last}, {}", row.after.end),
        None => row.after.end.clone(),
    }
}

/// The edits that a group is due to.
fn causes(rows: &[CauseView], more: u32, send: &Callback<Action>) -> Html {
    html! {
        if !rows.is_empty() {
            <div data-testid="cause"><h4>{ "Cause" }</h4><ul class="cause">
                { for rows.iter().map(|row| cause(row, send)) }
                if more > 0 { <li>{ format!("{more} more") }</li> }</ul></div>
        }
    }
}

/// An edit with the lines that it changed.
fn cause(row: &CauseView, send: &Callback<Action>) -> Html {
    let lines = [(DiffSign::Removed, &row.before), (DiffSign::Added, &row.after)];
    let lines = lines.into_iter().filter_map(|(sign, line)| Some((sign, line.as_ref()?)));
    let numbered =
        |(sign, line): (DiffSign, &LineView)| (Some(line.place.line), DiffLine { sign, text: line.text.clone() });
    let places = lines.clone().map(|(_, line)| html! { <>{ " " }{ line_link(line, send) }</> });
    html! { <li>
        { diff(&lines.clone().map(numbered).collect::<Vec<_>>(), None) }
        <p>{ prose(&row.text) }{ for places }</p>
    </li> }
}
