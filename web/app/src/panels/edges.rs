//! The strip of the editing mode above the drawing: what a change of edges does to installed versions, and its form.

use crate::graph::edge_edit;
use crate::kit::{button, on_submit, option, press, prose, prose_items};
use crate::store::{Action, EdgeAction, Shared, State, Tab};
use views::{EdgeEffectView, EntryKey, Gesture, GraphView};
use yew::prelude::*;

/// The changes, with the names of their choices.
const CHANGES: [(Gesture, &str); 4] = [
    (Gesture::Replace, "replaces"),
    (Gesture::Skip, "skips"),
    (Gesture::RangeFrom, "has a skipRange from"),
    (Gesture::RangeTo, "has a skipRange up to"),
];

/// How edges are changed.
const HINT: &str = "Drag an entry to another one of its channel: the newer replaces the older; with Shift it skips it. \
                    Drag the end of a skipRange to an entry. With keys: select an entry, move to another one, then r, \
                    s, [ or ].";

/// The strip, in the editing mode.
pub(crate) fn edges(state: &State, send: &Callback<Action>) -> Html {
    let Some(graph) = state.graph.as_ref().filter(|_| state.edges.editing && state.shows(Tab::Graph)) else {
        return Html::default();
    };
    let act = |action: EdgeAction| press(send, Action::Edges(action));
    let held = state.held_edge().is_some();
    html! {
        <section class="release edges" aria-label="Editing the edges" data-testid="edges">
            <div role="status" class="held-effect" tabindex="0" aria-label="What the change does">
                if !held {
                    <p class="mute">{ HINT }</p>
                } else if let Some(effect) = &state.edges.effect {
                    { shown(effect) }
                } else {
                    <p class="mute waiting">{ "Simulating…" }</p>
                }
            </div>
            { for state.selection.entry.as_ref().and_then(|entry| form(graph, entry, send)) }
            // Nothing comes or goes while a pointer holds a change: the drawing must not move under it.
            <p class="actions">
                <button type="button" class="primary" disabled={!held} data-testid="edge-make"
                    onclick={act(EdgeAction::Made)}>{ "Change it" }</button>
                <button type="button" disabled={!held} data-testid="edge-drop"
                    onclick={act(EdgeAction::Held(None))}>{ "Cancel" }</button>
                { button("edges-close", "Stop editing", send, EdgeAction::Switched) }
            </p>
        </section>
    }
}

fn shown(effect: &EdgeEffectView) -> Html {
    let sign = if effect.is_worse { "✕ " } else { "✓ " };
    html! { <div class={classes!(effect.is_worse.then_some("worse"))}>
        <p data-testid="edge-effect">{ sign }{ prose(&effect.sentence) }</p>
        <ul class="changes">{ prose_items(&effect.effects) }</ul>
    </div> }
}

/// The same change without gestures.
fn form(graph: &Shared<GraphView>, key: &EntryKey, send: &Callback<Action>) -> Option<Html> {
    let from = graph.nodes.iter().zip(0..).find(|(node, _)| node.key == *key)?.1;
    let lane = graph.nodes.get(from as usize)?.lane;
    let others: Vec<u32> = graph.lane_nodes(lane).rev().filter(|at| *at != from).collect();
    let (known, drawn) = (others.clone(), graph.clone());
    let onsubmit = on_submit(send, move |field| {
        let number = |name: &str| field(name).parse::<usize>().ok();
        let change = number("change").and_then(|at| CHANGES.get(at));
        let to = number("to").and_then(|at| known.get(at));
        let edit = change.zip(to).and_then(|((change, _), to)| edge_edit(&drawn, *change, from, *to));
        Some(EdgeAction::Held(edit))
    });
    let change = |(at, (_, name)): (usize, &(Gesture, &'static str))| option(at.to_string(), at == 0, name);
    let other = |(at, node): (usize, &u32)| {
        graph.nodes.get(*node as usize).map(|node| option(at.to_string(), at == 0, &node.label))
    };
    Some(html! { <form {onsubmit}>
        <span class="mono">{ &key.name }</span>
        <select name="change" aria-label="Change" data-testid="edge-change">
            { for CHANGES.iter().enumerate().map(change) }
        </select>
        <select name="to" aria-label="Entry" data-testid="edge-to">
            { for others.iter().enumerate().filter_map(other) }
        </select>
        <button type="submit" data-testid="edge-hold">{ "Show what it does" }</button>
    </form> })
}
