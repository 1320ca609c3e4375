//! Details of an entry: channels, findings, updates from and to it, and its bundle.

use super::super::why_not::why_not;
use super::Props;
use crate::kit::{plural, prose};
use crate::parts::{excerpt, fact_line, facts, finding, folded_list, place_link};
use crate::store::{Action, ClusterAction, ExploreAction, NavigationAction};
use views::{EntryKey, EntryRow, EntryView, RangeView, RequirementView, Subject};
use yew::prelude::*;

/// The details of an entry.
pub(super) fn entry(view: &EntryView, props: &Props) -> Html {
    let send = &props.send;
    let leave = send.reform(|_: MouseEvent| Action::Navigation(NavigationAction::EntryLeft));
    html! { <>
        <header><h2 class="mono" data-testid="entry-name">{ &view.key.name }</h2>
            <button type="button" class="quiet" aria-label="Close entry" onclick={leave}>{ "✕" }</button></header>
        if !view.notes.is_empty() { <p class="mute">{ view.notes.join(" · ") }</p> }
        { actions(view, send) }
        if props.played { { why_not(&view.key, props.why_not.as_ref(), send) } }
        if !view.findings.is_empty() {
            <h3>{ "Findings here" }</h3>
            { for view.findings.iter().map(|row| finding(row, send)) }
        }
        if view.version.is_some() || !view.channels.is_empty() {
            <h3>{ "Channels" }</h3>
            <dl class="pairs">
                { for view.version.as_ref().map(|version| definition("version", html! { <code>{ version }</code> })) }
            </dl>
            { channels(view, send) }
        }
        { for view.excerpt.iter().map(|view| excerpt(view, send)) }
        { updates(view, send) }
        { bundle(view, send) }
    </> }
}

fn actions(view: &EntryView, send: &Callback<Action>) -> Html {
    let install = send.reform(|_: MouseEvent| Action::Cluster(ClusterAction::InstallAsked));
    let installed = send.reform(|_: MouseEvent| Action::Cluster(ClusterAction::InstalledAsked));
    let path = send.reform(|_: MouseEvent| Action::Explore(ExploreAction::PathStarted));
    let known = view.bundle_place.is_some();
    html! { <p class="actions">
        <button type="button" data-testid="mark-install" onclick={install} disabled={!known}
            title={if known { "Add a Subscription with this entry as startingCSV" } else { "The catalog has no bundle with this name" }}>
            { "Install this" }</button>
        <button type="button" data-testid="mark-installed" onclick={installed}
            title="Add a Subscription that has this entry installed">{ "Set as installed" }</button>
        <button type="button" data-testid="path-to" onclick={path}
            title="Show how OLM updates from this version to another entry (or Shift-click that entry)">{ "Path to…" }</button>
    </p> }
}

fn definition(name: &str, value: Html) -> Html {
    html! { <><dt>{ name }</dt><dd>{ value }</dd></> }
}

/// The entry in each channel; the selected channel first, many others folded.
fn channels(view: &EntryView, send: &Callback<Action>) -> Html {
    let rows =
        |rows: &[EntryRow]| html! { <dl class="pairs">{ for rows.iter().map(|row| channel(row, view, send)) }</dl> };
    let (first, rest) = view.channels.split_at(view.channels.len().min(1));
    html! { <>
        { rows(first) }
        if rest.len() > 2 {
            <details><summary>{ format!("In {} more channel{}", rest.len(), plural(rest.len())) }</summary>{ rows(rest) }</details>
        } else {
            { rows(rest) }
        }
    </> }
}

fn channel(row: &EntryRow, view: &EntryView, send: &Callback<Action>) -> Html {
    let link = |name: &String| entry_link(Some(&row.channel), name, send);
    let (channel, to) = (row.channel.clone(), view.key.name.clone());
    let edge = |from: &String| Subject::Edge { channel: channel.clone(), from: from.clone(), to: to.clone() };
    let range = Subject::Range { channel: channel.clone(), entry: to.clone() };
    let named = |name: &String| html! { <>{ link(name) }{ " " }{ about("about this edge", "↗", edge(name), send) }</> };
    html! { <>
        { definition("channel", about("about this channel", &row.channel, Subject::Channel { channel: channel.clone() }, send)) }
        { for row.replaces.as_ref().map(|name| definition("replaces", named(name))) }
        if !row.skips.is_empty() { { definition("skips", folded_list(row.skips.iter().map(named).collect())) } }
        { for row.skip_range.as_ref().map(|view| definition("skipRange", html! { <>{ skip_range(view) }{ about("about this range", "what it covers", range.clone(), send) }</> })) }
    </> }
}

/// A button that opens the details of a subject.
fn about(title: &'static str, text: &str, subject: Subject, send: &Callback<Action>) -> Html {
    let onclick = send.reform(move |_: MouseEvent| Action::Explore(ExploreAction::SubjectSelected(subject.clone())));
    html! { <button type="button" class="link" {title} aria-label={format!("{text}, {title}")} {onclick}>{ text }</button> }
}

/// A link to an entry in a channel. `text` is the name, optionally followed by a blank and a remark.
fn entry_link(channel: Option<&str>, text: &str, send: &Callback<Action>) -> Html {
    let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
    let key = EntryKey { channel: channel.map(str::to_owned), name: name.to_owned() };
    let onclick = send.reform(move |_: MouseEvent| Action::Navigation(NavigationAction::EntrySelected(key.clone())));
    html! { <><button type="button" class="link mono" {onclick}>{ name }</button>if !rest.is_empty() { <span class="mute">{ " " }{ rest }</span> }</> }
}

fn skip_range(range: &RangeView) -> Html {
    let matches = match range.matches.as_slice() {
        [] => "matches no version of the package".to_owned(),
        [one] => format!("matches {one}"),
        [first, .., last] => format!("matches {} versions, {first} to {last}", range.matches.len()),
    };
    html! { <><code>{ &range.text }</code>
        if let Some(normalised) = range.normalised.as_ref().filter(|text| **text != range.text) { <div class="mute">{ "parsed as " }<code>{ normalised }</code></div> }
        if let Some(error) = &range.error {
            <div class="wrong">{ error }</div>
        } else if range.matches.len() > 2 {
            <details><summary>{ matches }</summary><code>{ range.matches.join(", ") }</code></details>
        } else {
            <div class="mute">{ matches }</div>
        }
    </> }
}

/// The sections "Updates from" and "Updates to".
fn updates(view: &EntryView, send: &Callback<Action>) -> Html {
    let channel = view.key.channel.as_deref().or(view.channels.first().map(|row| row.channel.as_str()));
    let alone = view.from.is_empty() && view.passed_over.is_empty() && view.later.is_empty();
    let list = |title: &str, entries: &[String], none: &str| {
        let body = if entries.is_empty() {
            html! { <span class="mute">{ none }</span> }
        } else {
            folded_list(entries.iter().map(|text| entry_link(channel, text, send)).collect())
        };
        definition(title, body)
    };
    html! { <>
        <h3>{ "Updates from" }</h3><dl class="pairs" data-testid="arrivals">
            { list("one hop", &view.from, "no version") }
            if !view.passed_over.is_empty() { { list("OLM prefers another", &view.passed_over, "") } }
            { list("more", &view.later, "no other version") }
            { list("never", &view.never, if alone { "there is no other version" } else { "every other version updates to it" }) }
        </dl>
        <h3>{ "Updates to" }</h3><dl class="pairs">
            { list("one hop", &view.to, "No further updates (channel head)") }
        </dl>
    </> }
}

/// The bundle section; nothing if the catalog has no such bundle.
fn bundle(view: &EntryView, send: &Callback<Action>) -> Html {
    if view.bundle_place.is_none() {
        return Html::default();
    }
    let provides = view.provides.iter().map(|name| html! { <code>{ name }</code> }).collect();
    html! { <>
        <h3>{ "Bundle" }</h3>
        <dl class="pairs">
            if !view.provides.is_empty() { { definition("provides", folded_list(provides)) } }
            { for view.requires.iter().map(|row| definition("requires", requirement(row, send))) }
            if !view.required_by.is_empty() {
                { definition("required by", folded_list(view.required_by.iter().map(|line| fact_line(line, send)).collect())) }
            }
            { for view.image.as_ref().map(|image| definition("image", html! { <code class="long">{ image }</code> })) }
            { for view.bundle_place.map(|place| definition("defined at", place_link(None, place, send))) }
        </dl>
        if !view.facts.is_empty() {
            <h3>{ "Bundle" }</h3>
            { facts(&view.facts, send) }
        }
    </> }
}

fn requirement(row: &RequirementView, send: &Callback<Action>) -> Html {
    let parts = row.parts.iter().map(|part| html! { <li>{ fact_line(part, send) }</li> });
    html! { <div class="requirement" data-testid="requirement">{ prose(&row.text) }{ " " }{ for row.place.map(|place| place_link(None, place, send)) }
        if !row.parts.is_empty() { <ul class="parts">{ for parts }</ul> }
        if row.met_by.is_empty() {
            <div class="wrong">{ "No loaded catalog provides it" }</div>
        } else {
            <div class="mute">{ "provided by" }</div>
            { folded_list(row.met_by.iter().map(|line| fact_line(line, send)).collect()) }
            if row.more > 0 { <div class="mute">{ format!("and {} more", row.more) }</div> }
        }
    </div> }
}
