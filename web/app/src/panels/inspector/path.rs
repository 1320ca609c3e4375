//! The path from one version to another.

use crate::kit::{choice, press, prose};
use crate::parts::{place_link, reasons, repairs};
use crate::store::{Action, ExploreAction, PathKind, ShownPath};
use views::{HopView, PathView};
use yew::prelude::*;

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
