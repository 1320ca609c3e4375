//! The selected entry.

use super::why_not::why_not;
use crate::parts::{finding, place_link};
use crate::store::{Action, Shared};
use views::{EntryKey, EntryRow, EntryView, RangeView, RequirementView, WhyNotView};
use yew::prelude::*;

/// What the inspector shows.
#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    /// The selection.
    pub(crate) selected: Option<EntryKey>,
    /// All about it, once it is known.
    pub(crate) entry: Option<Shared<EntryView>>,
    /// Whether there is a simulation to ask about the entry.
    pub(crate) played: bool,
    /// What becomes of an entry in it.
    pub(crate) why_not: Option<Shared<WhyNotView>>,
    /// Where events go.
    pub(crate) send: Callback<Action>,
}

/// The region on the right.
#[component]
pub(crate) fn Inspector(props: &Props) -> Html {
    html! {
        <aside class="inspector" aria-label="Entry" data-testid="inspector">
            { match (&props.entry, &props.selected) {
                (Some(view), _) => details(view, props),
                (None, Some(key)) => html! { <h2 class="mono">{ &key.name }</h2> },
                (None, None) => html! { <p class="mute waiting">{ "Select an entry in the graph to see where it leads, who can come to it, what it needs and what is wrong with it." }</p> },
            } }
        </aside>
    }
}

fn details(view: &EntryView, props: &Props) -> Html {
    let send = &props.send;
    let install = send.reform(|_: MouseEvent| Action::InstallAsked);
    let installed = send.reform(|_: MouseEvent| Action::InstalledAsked);
    let leave = send.reform(|_: MouseEvent| Action::EntryLeft);
    html! { <>
        <header><h2 class="mono" data-testid="entry-name">{ &view.key.name }</h2>
            <button type="button" class="quiet" aria-label="Leave the entry" onclick={leave}>{ "✕" }</button></header>
        if !view.notes.is_empty() { <p class="mute">{ view.notes.join(" · ") }</p> }
        <p class="actions">
            <button type="button" data-testid="mark-installed" onclick={installed}
                title="A Subscription whose installed CSV is this entry">{ "Set as installed" }</button>
            <button type="button" data-testid="mark-install" onclick={install} disabled={view.bundle_place.is_none()}
                title={if view.bundle_place.is_some() { "A Subscription that begins with this entry" } else { "The catalog has no bundle of this name to install" }}>
                { "Set as startingCSV" }</button>
        </p>
        if props.played { { why_not(&view.key, props.why_not.as_deref(), send) } }
        if !view.findings.is_empty() {
            <h3>{ "Findings here" }</h3>
            { for view.findings.iter().map(|row| finding(row, send)) }
        }
        if view.version.is_some() || !view.channels.is_empty() {
            <h3>{ "Where it sits" }</h3>
            <dl class="pairs">
                { for view.version.as_ref().map(|version| pair("version", html! { <code>{ version }</code> })) }
                { for view.channels.iter().map(|row| channel(row, view.channels.len() > 1)) }
            </dl>
        }
        { hop_lists(view) }
        { bundle(view, send) }
        { text(view, send) }
    </> }
}

fn pair(name: &str, value: Html) -> Html {
    html! { <><dt>{ name }</dt><dd>{ value }</dd></> }
}

/// Names below each other; a long list begins with a few.
fn names(names: &[String]) -> Html {
    const FEW: usize = 5;
    let item = |name: &String| html! { <li><code>{ name }</code></li> };
    let (first, rest) = names.split_at(if names.len() > FEW + 1 { FEW } else { names.len() });
    html! { <>
        <ul class="plain">{ for first.iter().map(item) }</ul>
        if !rest.is_empty() {
            <details><summary>{ format!("{} more", rest.len()) }</summary><ul class="plain">{ for rest.iter().map(item) }</ul></details>
        }
    </> }
}

fn channel(row: &EntryRow, several: bool) -> Html {
    html! { <>
        { pair("channel", html! { if several { <b>{ &row.channel }</b> } else { { &row.channel } } }) }
        { for row.replaces.as_ref().map(|name| pair("replaces", html! { <code>{ name }</code> })) }
        if !row.skips.is_empty() { { pair("skips", names(&row.skips)) } }
        { for row.skip_range.as_ref().map(|range| pair("skipRange", skip_range(range))) }
    </> }
}

fn skip_range(range: &RangeView) -> Html {
    let matches = match range.matches.as_slice() {
        [] => "matches no version of the package".to_owned(),
        [one] => format!("matches {one}"),
        [first, .., last] => format!("matches {} versions, {first} to {last}", range.matches.len()),
    };
    html! { <><code>{ &range.text }</code>
        if let Some(normalised) = range.normalised.as_ref().filter(|text| **text != range.text) { <div class="mute">{ "reads as " }<code>{ normalised }</code></div> }
        if let Some(error) = &range.error { <div class="wrong">{ error }</div> } else { <div class="mute" title={range.matches.join(", ")}>{ matches }</div> }
    </> }
}

fn hop_lists(view: &EntryView) -> Html {
    let list = |title: &str, entries: &[String], none: &str| {
        let body = if entries.is_empty() {
            html! { <span class="mute">{ none }</span> }
        } else {
            names(entries)
        };
        pair(title, body)
    };
    html! { <><h3>{ "One hop" }</h3><dl class="pairs">
        { list("to here", &view.from, "nothing updates to it") }
        { list("from here", &view.to, "nothing: it is the end of its way") }
    </dl></> }
}

fn bundle(view: &EntryView, send: &Callback<Action>) -> Html {
    if view.provides.is_empty() && view.requires.is_empty() && view.image.is_none() {
        return Html::default();
    }
    html! { <><h3>{ "Bundle" }</h3><dl class="pairs">
        if !view.provides.is_empty() { { pair("provides", names(&view.provides)) } }
        { for view.requires.iter().map(|row| pair("requires", requirement(row, send))) }
        { for view.image.as_ref().map(|image| pair("image", html! { <code class="long">{ image }</code> })) }
        { for view.bundle_place.map(|place| pair("stands at", place_link(None, place, send))) }
    </dl></> }
}

fn requirement(row: &RequirementView, send: &Callback<Action>) -> Html {
    let met = if row.met_by.is_empty() {
        html! { <div class="wrong">{ "met by nothing that is loaded" }</div> }
    } else {
        html! { <div class="mute">{ "met by " }{ row.met_by.iter().filter_map(|line| Some(line.csv.as_ref()?.name.as_str())).collect::<Vec<_>>().join(", ") }</div> }
    };
    html! { <>{ &row.text }{ " " }{ for row.place.map(|place| place_link(None, place, send)) }{ met }</> }
}

fn text(view: &EntryView, send: &Callback<Action>) -> Html {
    let Some(excerpt) = &view.excerpt else { return Html::default() };
    html! { <>
        <h3>{ "Source " }{ place_link(None, excerpt.place, send) }</h3>
        <pre class="excerpt">{ &excerpt.text }</pre>
    </> }
}
