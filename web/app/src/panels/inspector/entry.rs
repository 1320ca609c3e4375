//! Details of an entry: its way to the head, what helps if it is stuck, and facts.

use super::super::why_not::why_not;
use super::Props;
use super::crd_changes::of_entry;
use super::extension::extension;
use super::links::{about, definition, entry_link};
use super::updates::{switch, switches, updates, updates_to};
use crate::graph::small_chain;
use crate::kit::{Glyph, Menu, plural, press, prose};
use crate::parts::{
    fact_line, fact_row, facts, finding, fold, folded_list, lines, place_after, place_link, repair_card, sign_of,
};
use crate::store::{
    Action, ClusterAction, Dialog, EntryUse, ExploreAction, NavigationAction, PageAction, PaletteAction,
    PalettePurpose, entry_standing,
};
use views::{EntryRow, EntryView, RangeView, RequirementView, Severity, StopReason, Subject};
use yew::prelude::*;

/// Other channels that are told in rows; more are folded.
const CHANNELS: usize = 3;

/// The details of an entry: what becomes of it, what helps, facts, and all else folded.
pub(super) fn entry(view: &EntryView, props: &Props) -> Html {
    let send = &props.send;
    let leave = press(send, NavigationAction::EntryLeft);
    html! { <>
        <header><h2 class="mono" data-testid="entry-name">{ &view.key.name }</h2>
            { actions(view, props.has_v1, send) }
            <button type="button" class="quiet" aria-label="Close entry" onclick={leave}>{ "✕" }</button></header>
        { verdict(view) }
        if let Some(chain) = &view.chain {
            { small_chain(&chain.steps) }
            <p class="cause">{ prose(&chain.cause) }</p>
        }
        if !view.notes.is_empty() { <p class="mute">{ view.notes.join(" · ") }</p> }
        { for view.repairs.iter().map(|view| repair_card(view, true, send)) }
        if props.played { { why_not(&view.key, props.why_not.as_ref(), send) } }
        { rows(view, send) }
        { folds(view, props) }
    </> }
}

/// What it updates to, what reaches it, the other channels, and where it is written.
fn rows(view: &EntryView, send: &Callback<Action>) -> Html {
    let label = |text: &str| html! { { text } };
    let reached = match view.from.len() + view.later.len() {
        0 => "nothing".to_owned(),
        count => format!("{count} version{}", plural(count)),
    };
    html! { <dl class="rows" data-testid="entry-rows">
        { for view.reach.as_ref().map(|reach| fact_row(label("Updates to"), updates_to(reach, send))) }
        { fact_row(label("Reached from"), html! { { reached } }) }
        if view.switches.len() <= CHANNELS {
            { for view.switches.iter().map(|row| {
                let subject = Subject::Channel { channel: row.channel.clone() };
                let channel = about("about this channel", &row.channel, subject, send);
                fact_row(html! { <>{ "In " }{ channel }</> }, switch(row, send))
            }) }
        }
        { for view.entry_place.or(view.bundle_place).map(|at| fact_row(label("Source"), place_link(None, at, send))) }
    </dl> }
}

/// All that is looked for less often, in folded rows.
fn folds(view: &EntryView, props: &Props) -> Html {
    let send = &props.send;
    let channel = view.reach.as_ref().map(|reach| reach.channel.as_str());
    let versions = |count: usize| format!("{count} version{}", plural(count));
    let stuck_too = || folded_list(view.stuck_too.iter().map(|name| entry_link(channel, name, send)).collect());
    let findings = html! { <section class="findings-here" aria-label="Findings here">
    { for view.findings.iter().map(|row| finding(row, send)) }</section> };
    let edges = match view.channels.len() {
        1 => "1 channel".to_owned(),
        count => format!("{count} channels"),
    };
    let arrive = view.from.len() + view.later.len();
    html! { <div class="folds">
        if !view.stuck_too.is_empty() {
            { fold("Same problem", &versions(view.stuck_too.len()), false, stuck_too()) }
        }
        if !view.findings.is_empty() {
            { fold("Findings", &view.findings.len().to_string(), view.repairs.is_none(), findings) }
        }
        { fold("All updates", &if arrive > 0 { versions(arrive) } else { String::new() }, false, updates(view, send)) }
        if view.switches.len() > CHANNELS {
            { fold("Other channels", &view.switches.len().to_string(), false, switches(&view.switches, send)) }
        }
        if view.version.is_some() || !view.channels.is_empty() {
            { fold("Edges", &edges, false, html! { <>
                <dl class="pairs">{ for view.version.as_ref().map(|text| {
                    definition("version", html! { <code>{ text }</code> })
                }) }</dl>
                { channels(view, send) }
            </> }) }
        }
        { for view.extension.as_ref().filter(|_| props.has_v1).map(|row| {
            fold("OLM v1", "next update", true, extension(row))
        }) }
        { for props.crds.iter().filter(|crds| !crds.hops.is_empty()).map(|crds| {
            fold("CRD changes", "next update", false, of_entry(crds, props))
        }) }
        { bundle(view, &props.day, send) }
        { for view.excerpt.iter().map(|excerpt| fold("Text", "", false, lines(excerpt, send))) }
    </div> }
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
    let extend = press(send, ClusterAction::EntryUsed(EntryUse::WantedVersion));
    let extended = press(send, ClusterAction::EntryUsed(EntryUse::InstalledBundle));
    let install = press(send, ClusterAction::EntryUsed(EntryUse::StartingCsv));
    let installed = press(send, ClusterAction::EntryUsed(EntryUse::InstalledCsv));
    let retire = press(send, PageAction::DialogOpened(Dialog::Retire));
    let path = press(send, PaletteAction::Opened(PalettePurpose::Path));
    let head = view.reach.as_ref().and_then(|reach| reach.head.clone()).filter(|head| head.name != view.key.name);
    let known = view.has_bundle();
    let titled = |title: &'static str| if known { title } else { "The catalog has no bundle with this name" };
    html! {
        <Menu label={Glyph::More.html()} title="Actions for this version" testid="entry-menu">
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
            if let Some(head) = head {
                <button type="button" data-testid="path-to-head"
                    onclick={press(send, ExploreAction::PathTo(head))}
                    title="Show how OLM updates from this version to the head of the channel, or what would help">
                    { "Path to head" }
                </button>
            }
            <button type="button" data-testid="path-to" onclick={path}
                title="Show how OLM updates from this version to another entry (or Shift-click that entry)">
                { "Path to…" }
            </button>
            <button type="button" data-testid="retire" onclick={retire}>{ "Deprecate or remove…" }</button>
        </Menu>
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

/// What the bundle has, and what is known of the operator; nothing if the catalog has no such bundle.
fn bundle(view: &EntryView, day: &str, send: &Callback<Action>) -> Html {
    let Some(place) = view.bundle_place else { return Html::default() };
    let image = |image: &String| definition("image", html! { <code class="long">{ image }</code> });
    let required_by = || folded_list(view.required_by.iter().map(|line| fact_line(line, send)).collect());
    let provides = view.provides.iter().map(|name| html! { <code>{ name }</code> }).collect();
    let apis = match view.provides.len() {
        0 => String::new(),
        1 => "1 API".to_owned(),
        count => format!("{count} APIs"),
    };
    html! { <>
        { fold("Bundle", &apis, false, html! { <dl class="pairs">
            if !view.provides.is_empty() { { definition("provides", folded_list(provides)) } }
            { for view.requires.iter().map(|row| definition("requires", requirement(row, send))) }
            if !view.required_by.is_empty() { { definition("required by", required_by()) } }
            { for view.image.as_ref().map(image) }
            { definition("defined at", place_link(None, place, send)) }
        </dl> }) }
        if !view.facts.is_empty() { { fold("Operator", "", false, facts(&view.facts, day, send)) } }
    </> }
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
