//! Details of an entry: channels, findings, updates from and to it, and its bundle.

use super::super::why_not::why_not;
use super::Props;
use super::crd_changes::of_entry;
use super::extension::extension;
use super::links::{about, definition, entry_link};
use super::updates::updates;
use crate::kit::{Menu, plural, press, prose};
use crate::parts::{excerpt, fact_line, facts, finding, folded_list, place_after, place_link, sign_of};
use crate::store::{
    Action, ClusterAction, Dialog, ExploreAction, ExtensionFormAction, NavigationAction, PageAction, PaletteAction,
    PalettePurpose, entry_standing,
};
use views::{EntryRow, EntryView, RangeView, RequirementView, Severity, StopReason, Subject};
use yew::prelude::*;

/// The details of an entry.
pub(super) fn entry(view: &EntryView, props: &Props) -> Html {
    let send = &props.send;
    let leave = press(send, Action::Navigation(NavigationAction::EntryLeft));
    html! { <>
        <header><h2 class="mono" data-testid="entry-name">{ &view.key.name }</h2>
            { actions(view, props.has_v1, send) }
            <button type="button" class="quiet" aria-label="Close entry" onclick={leave}>{ "✕" }</button></header>
        { verdict(view) }
        if !view.findings.is_empty() {
            <section class="findings-here" aria-label="Findings here">
                { for view.findings.iter().map(|row| finding(row, send)) }
            </section>
        }
        if !view.notes.is_empty() { <p class="mute">{ view.notes.join(" · ") }</p> }
        { path_to_head(view, send) }
        if props.played { { why_not(&view.key, props.why_not.as_ref(), send) } }
        { updates(view, send) }
        { for view.extension.as_ref().filter(|_| props.has_v1).map(extension) }
        { for props.crds.iter().map(|view| of_entry(view, props)) }
        if view.version.is_some() || !view.channels.is_empty() {
            <h3>{ "Channels" }</h3>
            <dl class="pairs">
                { for view.version.as_ref().map(|version| definition("version", html! { <code>{ version }</code> })) }
            </dl>
            { channels(view, send) }
        }
        { for view.excerpt.iter().map(|view| excerpt(view, send)) }
        { bundle(view, &props.day, send) }
    </> }
}

/// One line that says where the entry stands: `Head of stable · 4 versions reach it`.
fn verdict(view: &EntryView) -> Html {
    let reached = match view.from.len() + view.later.len() {
        0 => None,
        1 => Some("1 version reaches it".to_owned()),
        many => Some(format!("{many} versions reach it")),
    };
    let severity = match view.reach.as_ref().map(|reach| (reach.stop, reach.hops)) {
        _ if view.is_rejected => Some(Severity::Error),
        Some((Some(StopReason::Head), _)) => None,
        None | Some((Some(StopReason::Newer), 0)) => Some(Severity::Hint),
        Some(_) => Some(Severity::Error),
    };
    let lines = [Some(entry_standing(view)), reached];
    html! {
        <p class={classes!("standing", severity.map_or("fine", Severity::as_str))} data-testid="entry-standing">
            { sign_of(severity) }<span>{ lines.into_iter().flatten().collect::<Vec<_>>().join(" · ") }</span>
        </p>
    }
}

fn actions(view: &EntryView, has_v1: bool, send: &Callback<Action>) -> Html {
    let extend = press(send, Action::Extensions(ExtensionFormAction::InstallAsked));
    let extended = press(send, Action::Extensions(ExtensionFormAction::InstalledAsked));
    let install = press(send, Action::Cluster(ClusterAction::InstallAsked));
    let installed = press(send, Action::Cluster(ClusterAction::InstalledAsked));
    let retire = press(send, Action::Page(PageAction::DialogOpened(Dialog::Retire)));
    let path = press(send, Action::Palette(PaletteAction::Opened(PalettePurpose::Path)));
    let known = view.bundle_place.is_some();
    let titled = |title: &'static str| if known { title } else { "The catalog has no bundle with this name" };
    html! {
        <Menu label="⋯" title="Actions for this version" testid="entry-menu">
            if view.start_fault.is_none() {
                <button type="button" data-testid="mark-install" onclick={install} disabled={!known}
                    title={titled("Add a Subscription with this entry as startingCSV")}>
                    { "Install (startingCSV)" }
                </button>
            }
            <button type="button" data-testid="mark-installed" onclick={installed} disabled={!known}
                title={titled("Add a Subscription that has this entry installed")}>
                { "Mark as installed" }
            </button>
            if has_v1 {
                <button type="button" data-testid="extension-install" onclick={extend} disabled={!known}
                    title={titled("Add a ClusterExtension that wants this version")}>
                    { "Install (ClusterExtension)" }
                </button>
                <button type="button" data-testid="extension-installed" onclick={extended} disabled={!known}
                    title={titled("Add a ClusterExtension that has this bundle installed")}>
                    { "Installed (ClusterExtension)" }
                </button>
            }
            { for view.start_fault.iter().map(|fault| html! {
                <p class="mute" data-testid="start-fault">
                    { "No startingCSV can name it here: " }{ prose(fault) }
                </p>
            }) }
            <button type="button" data-testid="path-to" onclick={path}
                title="Show how OLM updates from this version to another entry (or Shift-click that entry)">
                { "Path to…" }
            </button>
            <button type="button" data-testid="retire" onclick={retire}>{ "Deprecate or remove…" }</button>
        </Menu>
    }
}

/// The button that shows the updates to the head; nothing for a head.
fn path_to_head(view: &EntryView, send: &Callback<Action>) -> Html {
    let head = view.reach.as_ref().and_then(|reach| reach.head.clone()).filter(|head| head.name != view.key.name);
    let Some(head) = head else { return Html::default() };
    let onclick = press(send, Action::Explore(ExploreAction::PathTo(head)));
    html! {
        <p class="actions">
            <button type="button" data-testid="path-to-head" {onclick}
                title="Show how OLM updates from this version to the head of the channel, or what would help">
                { "Path to head" }
            </button>
        </p>
    }
}

/// The entry in each channel; the selected channel first, many others folded.
fn channels(view: &EntryView, send: &Callback<Action>) -> Html {
    let rows =
        |rows: &[EntryRow]| html! { <dl class="pairs">{ for rows.iter().map(|row| channel(row, view, send)) }</dl> };
    let (first, rest) = view.channels.split_at(view.channels.len().min(1));
    html! {
        <>
            { rows(first) }
            if rest.len() > 2 {
                <details>
                    <summary>{ format!("In {} more channel{}", rest.len(), plural(rest.len())) }</summary>
                    { rows(rest) }
                </details>
            } else {
                { rows(rest) }
            }
        </>
    }
}

fn channel(row: &EntryRow, view: &EntryView, send: &Callback<Action>) -> Html {
    let link = |name: &String| entry_link(Some(&row.channel), name, send);
    let (channel, to) = (row.channel.clone(), view.key.name.clone());
    let edge = |from: &String| Subject::Edge { channel: channel.clone(), from: from.clone(), to: to.clone() };
    let subject = Subject::Channel { channel: channel.clone() };
    let covered = |view: &RangeView| {
        let range = Subject::Range { channel: channel.clone(), entry: to.clone() };
        html! { <>{ skip_range(view) }{ about("about this range", "what it covers", range, send) }</> }
    };
    let named = |name: &String| html! { <>{ link(name) }{ " " }{ about("about this edge", "↗", edge(name), send) }</> };
    html! {
        <>
            { definition("channel", about("about this channel", &row.channel, subject, send)) }
            { for row.replaces.as_ref().map(|name| definition("replaces", named(name))) }
            if !row.skips.is_empty() { { definition("skips", folded_list(row.skips.iter().map(named).collect())) } }
            { for row.skip_range.as_ref().map(|view| definition("skipRange", covered(view))) }
        </>
    }
}

fn skip_range(range: &RangeView) -> Html {
    let matches = match range.matches.as_slice() {
        [] => "matches no version of the package".to_owned(),
        [one] => format!("matches {one}"),
        [first, .., last] => format!("matches {} versions, {first} to {last}", range.matches.len()),
    };
    html! {
        <>
            <code>{ &range.text }</code>
            if let Some(normalised) = range.normalised.as_ref().filter(|text| **text != range.text) {
                <div class="mute">{ "parsed as " }<code>{ normalised }</code></div>
            }
            if let Some(error) = &range.error {
                <div class="wrong">{ error }</div>
            } else if range.matches.len() > 2 {
                <details><summary>{ matches }</summary><code>{ range.matches.join(", ") }</code></details>
            } else {
                <div class="mute">{ matches }</div>
            }
        </>
    }
}

/// The bundle section; nothing if the catalog has no such bundle.
fn bundle(view: &EntryView, day: &str, send: &Callback<Action>) -> Html {
    if view.bundle_place.is_none() {
        return Html::default();
    }
    let image = |image: &String| definition("image", html! { <code class="long">{ image }</code> });
    let required_by = || folded_list(view.required_by.iter().map(|line| fact_line(line, send)).collect());
    let provides = view.provides.iter().map(|name| html! { <code>{ name }</code> }).collect();
    html! {
        <>
            <h3>{ "Bundle" }</h3>
            <dl class="pairs">
                if !view.provides.is_empty() { { definition("provides", folded_list(provides)) } }
                { for view.requires.iter().map(|row| definition("requires", requirement(row, send))) }
                if !view.required_by.is_empty() { { definition("required by", required_by()) } }
                { for view.image.as_ref().map(image) }
                { for view.bundle_place.map(|place| definition("defined at", place_link(None, place, send))) }
            </dl>
            if !view.facts.is_empty() {
                <h3>{ "About the operator" }</h3>
                { facts(&view.facts, day, send) }
            }
        </>
    }
}

fn requirement(row: &RequirementView, send: &Callback<Action>) -> Html {
    let parts = row.parts.iter().map(|part| html! { <li>{ fact_line(part, send) }</li> });
    html! {
        <div class="requirement" data-testid="requirement">
            { prose(&row.text) }{ place_after(row.place, send) }
            if !row.parts.is_empty() { <ul class="parts">{ for parts }</ul> }
            if row.met_by.is_empty() {
                <div class="wrong">{ "No loaded catalog provides it" }</div>
            } else {
                <div class="mute">{ "provided by" }</div>
                { folded_list(row.met_by.iter().map(|line| fact_line(line, send)).collect()) }
                if row.more > 0 { <div class="mute">{ format!("and {} more", row.more) }</div> }
            }
        </div>
    }
}
