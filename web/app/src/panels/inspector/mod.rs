//! The details region: the selected entry or subject, and the requested path.

mod entry;

use super::migration::readiness;
use crate::kit::{choice, folded, press, prose};
use crate::parts::{fact_row, facts, finding, fold, lines, place_link, reasons, repairs};
use crate::store::{Action, ExploreAction, NavigationAction, PathKind, Shared, ShownPath, WhyNot};
use views::{
    ChannelSummary, CrdChangesView, EntryKey, EntryView, HopView, PathView, ReadinessView, Subject, SubjectView,
};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) selected: Option<EntryKey>,
    /// Its details, once the worker has answered.
    pub(crate) entry: Option<Shared<EntryView>>,
    /// The selected subject (channel, edge or skipRange); the package if nothing is selected.
    pub(crate) subject: Option<Subject>,
    /// Its details, once the worker has answered.
    pub(crate) about: Option<Shared<SubjectView>>,
    /// The day for which the phase of support is stated, `YYYY-MM-DD`.
    pub(crate) day: String,
    pub(crate) path: Option<ShownPath>,
    /// Whether there is a simulation result.
    pub(crate) played: bool,
    /// How the simulation treated an entry.
    pub(crate) why_not: Option<WhyNot>,
    /// What OLM v1 refuses in the bundles of the package.
    pub(crate) readiness: Option<Shared<ReadinessView>>,
    /// What updates do to CustomResourceDefinitions.
    pub(crate) crds: Option<Shared<CrdChangesView>>,
    /// Whether the details are also about OLM v1.
    pub(crate) has_v1: bool,
    pub(crate) send: Callback<Action>,
}

/// The region on the right. Until the details of another selection arrive, those before stay in sight.
#[component]
pub(crate) fn Inspector(props: &Props) -> Html {
    let last = use_mut_ref(|| None::<Props>);
    let is_known = props.entry.is_some() || (props.selected.is_none() && props.about.is_some());
    if is_known {
        last.replace(Some(props.clone()));
    }
    let shown = last.borrow();
    html! {
        <aside id="details" class="inspector" aria-label="Details" data-testid="inspector" tabindex="-1">
            { for props.path.iter().map(|shown| path(shown, &props.send)) }
            <div class={classes!((!is_known).then_some("outdated"))} inert={!is_known}
                aria-busy={(!is_known).then_some("true")}>
                { for shown.as_ref().map(details) }
            </div>
        </aside>
    }
}

/// The details of the selected entry, else of the subject.
fn details(props: &Props) -> Html {
    match (&props.entry, &props.about) {
        (Some(view), _) => entry::entry(view, props),
        (None, Some(view)) => {
            let more = match &props.subject {
                Some(_) => Html::default(),
                None => html! { <>
                    { for props.readiness.iter().map(|view| readiness(view)) }
                    { entry::of_package(props) }
                </> },
            };
            subject(view, props.subject.is_some(), &props.day, more, &props.send)
        }
        (None, None) => Html::default(),
    }
}

// Links and definitions of which the details are made.

/// A button that opens the details of a subject.
pub(super) fn about(title: &'static str, text: &str, subject: Subject, send: &Callback<Action>) -> Html {
    let onclick = press(send, ExploreAction::SubjectSelected(subject));
    html! {
        <button type="button" class="link" {title} aria-label={format!("{text}, {title}")} {onclick}>{ text }</button>
    }
}

pub(super) fn definition(name: &str, value: Html) -> Html {
    html! { <><dt>{ name }</dt><dd>{ value }</dd></> }
}

/// A link to an entry in a channel. `text` is the name, optionally followed by a blank and a remark.
pub(super) fn entry_link(channel: Option<&str>, text: &str, send: &Callback<Action>) -> Html {
    let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
    let key = EntryKey { channel: channel.map(str::to_owned), name: name.to_owned() };
    html! { <>{ entry_button(key, name, send) }if !rest.is_empty() { <span class="mute">{ " " }{ rest }</span> }</> }
}

pub(super) fn entry_button(key: EntryKey, label: &str, send: &Callback<Action>) -> Html {
    let onclick = press(send, NavigationAction::EntrySelected(key));
    html! { <button type="button" class="link mono" {onclick}>{ label }</button> }
}

// A package, a channel, an edge or a skipRange.

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

// The path from one version to another.

/// The path, or that it is being looked for.
pub(super) fn path(path: &ShownPath, send: &Callback<Action>) -> Html {
    let leave = press(send, ExploreAction::PathClosed);
    let back = path.from_reach;
    let body = match &path.view {
        Some(view) => answer(view, path.kind, send),
        None => {
            html! {
                <p class="mute">
                    { "From " }<code>{ &path.from }</code>{ " to " }<code>{ &path.to.name }</code>{ "…" }
                </p>
            }
        }
    };
    html! {
        <section class="route" data-testid="path" aria-live="polite">
            <header>
                <h2>{ "Path" }</h2>
                <button type="button" class="quiet" data-testid="path-leave" onclick={leave}
                    aria-label={if back { "Back to the table" } else { "Close path" }}>
                    { if back { "Back to the table" } else { "✕" } }
                </button>
            </header>
            { body }
        </section>
    }
}

fn answer(view: &PathView, kind: PathKind, send: &Callback<Action>) -> Html {
    let paths = [
        (PathKind::Olm, "OLM", Some(&view.olm)),
        (PathKind::Shortest, "fewest hops", view.shortest.as_ref()),
        (PathKind::AcrossChannels, "other channels", view.across_channels.as_ref()),
    ];
    let there: Vec<(PathKind, &'static str)> =
        paths.iter().filter(|(_, _, hops)| hops.is_some()).map(|(kind, name, _)| (*kind, *name)).collect();
    let hops = paths.iter().find(|(other, ..)| *other == kind).and_then(|(_, _, hops)| *hops);
    html! {
        <>
            <p class={classes!("title", (!view.arrives).then_some("wrong"))} data-testid="path-title">
                { prose(&view.title) }
            </p>
            if !view.because.is_empty() { <div data-testid="path-reasons">{ reasons(&view.because, send) }</div> }
            { repairs(view.repairs.as_slice(), send) }
            if !view.advice.is_empty() {
                <ul class="advice" data-testid="path-advice">
                    { for view.advice.iter().map(|text| html! {
                        <li><b>{ "Without editing the catalog: " }</b>{ prose(text) }</li>
                    }) }
                </ul>
            }
            if there.len() > 1 { { choice("Which path", &there, kind, send, ExploreAction::PathKindChosen) } }
            if kind == PathKind::Shortest {
                <p class="mute">
                    { "The shortest path along replaces, skips and skipRange in this channel. OLM does not take it: \
                      each hop goes as close to the head as possible." }
                </p>
            }
            if kind == PathKind::AcrossChannels {
                <p class="mute">
                    { "OLM takes this path if the Subscription switches channels before the marked hops." }
                </p>
            }
            { for hops.filter(|hops| !hops.is_empty()).map(|hops| list(hops, send)) }
        </>
    }
}

fn list(hops: &[HopView], send: &Callback<Action>) -> Html {
    let several = hops.iter().any(|hop| hop.to.channel != hops[0].to.channel);
    let item = |hop: &HopView| {
        let onclick = press(send, ExploreAction::HopFollowed(hop.to.clone()));
        let channel = hop.to.channel.as_ref().filter(|_| several);
        html! {
            <li>
                <button type="button" class="link mono" {onclick}>{ &hop.label }</button>
                <span class="badge hint">{ &hop.via }</span>
                if let Some(channel) = channel { <span class="mute">{ " in " }{ channel }</span> }
                if let Some(message) = &hop.deprecated {
                    <span class="badge warning" title={message.clone()}>{ "deprecated" }</span>
                }
                <p>{ prose(&hop.because) }{ " " }{ place_link(None, hop.place, send) }</p>
            </li>
        }
    };
    html! { <ol class="stops" data-testid="path-hops">
        <li class="start"><span class="mono">{ &hops[0].from }</span><p class="mute">{ "installed" }</p></li>
        { for hops.iter().map(item) }
    </ol> }
}
