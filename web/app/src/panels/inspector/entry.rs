//! Details of an entry: its way to the head, what helps if it is stuck, and facts.

use super::{Props, about, definition, entry_button, entry_link};
use crate::graph::small_chain;
use crate::kit::{Glyph, Menu, folded, grouped, plural, press, prose};
use crate::panels::conflict::why_not;
use crate::parts::{
    fact_line, fact_row, facts, finding, fold, folded_list, lines, place_after, place_link, repair_card, sign_of,
};
use crate::store::{
    Action, ClusterAction, Dialog, EntryUse, ExploreAction, NavigationAction, PageAction, PaletteAction,
    PalettePurpose, entry_standing,
};
use views::{
    ChannelReach, CrdChangesView, CrdHop, CrdRemark, EntryExtension, EntryRow, EntryView, NextExtension, NextHop,
    RangeView, RequirementView, Runtime, Severity, StopReason, Subject, no_update,
};
use yew::prelude::*;

/// Other channels that are told in rows; more are folded.
const CHANNELS: usize = 3;

/// The details of an entry: what becomes of it, what helps, facts, and all else folded.
pub(super) fn entry(view: &EntryView, props: &Props) -> Html {
    let send = &props.send;
    let leave = press(send, NavigationAction::EntryLeft);
    let is_asked = props.why_not.as_ref().is_some_and(|answer| answer.entry == view.key);
    let why = || html! { if props.played { { why_not(&view.key, props.why_not.as_ref(), send) } } };
    html! { <>
        <header><h2 class="mono" data-testid="entry-name">{ &view.key.name }</h2>
            { actions(view, props.has_v1, send) }
            <button type="button" class="quiet" aria-label="Close entry" onclick={leave}>{ "✕" }</button></header>
        // What was asked comes first.
        if is_asked { { why() } }
        { verdict(view) }
        if let Some(chain) = &view.chain {
            { small_chain(&chain.steps) }
            <p class="cause">{ prose(&chain.cause) }</p>
        }
        if !view.notes.is_empty() { <p class="mute">{ view.notes.join(" · ") }</p> }
        { for view.repairs.iter().map(|view| repair_card(view, true, send)) }
        if !is_asked { { why() } }
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
        { fact_row(label("Updates from"), html! { { reached } }) }
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

// The updates from and to an entry in one channel, and what it gets in other channels.

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
fn updates_to(reach: &ChannelReach, send: &Callback<Action>) -> Html {
    match &reach.next {
        Some(_) => switch(reach, send),
        None => html! { { "no update" } },
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

// What OLM finds when updates change CustomResourceDefinitions.

/// The list is folded if it is longer.
const OPEN: usize = 4;

/// The section of the package: a button, and then the answer.
pub(super) fn of_package(props: &Props) -> Html {
    let ask = press(&props.send, ExploreAction::CrdsAsked);
    let body = match props.crds.as_deref() {
        None => html! {
            <button type="button" data-testid="crds-ask" onclick={ask}
                title="Compare the CustomResourceDefinitions of all updates of the package">
                { "Compare all updates" }
            </button>
        },
        Some(view) if view.summary.is_empty() => html! { <p tabindex="-1">{ "OLM makes no update." }</p> },
        Some(view) => html! {
            <>
                <p tabindex="-1">{ prose(&view.summary) }{ "." }</p>
                if !view.hops.is_empty() {
                    <details open={view.hops.len() <= OPEN}>
                        <summary>{ "Each update" }</summary>
                        { hops(view, props) }
                    </details>
                }
            </>
        },
    };
    fold(
        "CRD changes",
        "",
        false,
        html! { <section data-testid="crd-changes" aria-label="CRD changes">{ body }
        </section> },
    )
}

/// The section of an entry from which OLM makes an update.
pub(super) fn of_entry(view: &CrdChangesView, props: &Props) -> Html {
    html! { <section data-testid="crd-changes" aria-label="CRD changes of the next update">{ hops(view, props) }
    </section> }
}

fn hops(view: &CrdChangesView, props: &Props) -> Html {
    html! { <ul class="changes crds">{ for view.hops.iter().map(|row| hop(row, props)) }</ul> }
}

fn hop(row: &CrdHop, props: &Props) -> Html {
    let link = |name: &String| entry_link(None, name, &props.send);
    // With OLM v0 alone, the runtime goes without saying.
    let runtime = match row.runtime {
        _ if !props.has_v1 => "",
        Runtime::V0 => " (OLM v0)",
        Runtime::V1 => " (OLM v1)",
        Runtime::Both => " (OLM v0 and v1)",
    };
    html! {
        <li data-testid="crd-hop">
            <div class="hop">
                { folded_list(row.from.iter().map(link).collect()) }{ " → " }{ link(&row.to) }
                <span class="mute">{ runtime }</span>
            </div>
            { for row.unknown.iter().map(|text| html! { <p class="mute">{ prose(text) }{ "." }</p> }) }
            if row.remarks.is_empty() && row.unknown.is_none() {
                <p>{ "Nothing found." }</p>
            } else {
                <ul>{ for grouped(&row.remarks, |row| (&row.crd, row.kind)).into_iter().map(remarks) }</ul>
            }
        </li>
    }
}

/// The remarks of one kind about one CustomResourceDefinition.
fn remarks(rows: Vec<&CrdRemark>) -> Html {
    let Some(first) = rows.first() else { return Html::default() };
    let name = (!first.crd.is_empty()).then(|| html! { <><code>{ &first.crd }</code>{ ": " }</> });
    let text = |row: &&CrdRemark| {
        if row.kind.is_of_olm() {
            html! { <code>{ &row.text }</code> }
        } else {
            prose(&row.text)
        }
    };
    let texts = match &rows[..] {
        [one] if one.text.is_empty() => Html::default(),
        [one] => html! { <>{ ": " }{ text(one) }</> },
        all => html! { <ul>{ for all.iter().map(|row| html! { <li>{ text(row) }</li> }) }</ul> },
    };
    html! { <li>{ for name }{ first.kind.words() }{ texts }</li> }
}

// What OLM v1 does with an extension that has the entry installed.

/// The section "OLM v1".
pub(super) fn extension(view: &EntryExtension) -> Html {
    let next = |row: &NextExtension| {
        let label =
            row.channel.as_ref().map_or_else(|| "no channels".to_owned(), |channel| format!("channel {channel}"));
        let v0 =
            row.v0.as_ref().map(|v0| html! { <small class="mute">{ " (OLM v0: " }<code>{ v0 }</code>{ ")" }</small> });
        html! { <><dt>{ label }</dt><dd><code>{ &row.text }</code>{ v0 }</dd></> }
    };
    html! { <section data-testid="entry-extension" aria-label="Next update under OLM v1">
        <dl class="pairs">{ for view.next.iter().map(next) }
            { for view.refusals.iter().map(|text| definition("refused", html! { <code>{ text }</code> })) }
        </dl>
        { for view.unknown.iter().map(|text| html! { <p class="mute">{ prose(text) }{ "." }</p> }) }
    </section> }
}
