//! The dialogs that deprecate or remove a version, and that show what would be written into the catalogs of a set.

use super::close_dialog;
use super::compare::level;
use crate::graph::edge_edit;
use crate::kit::{Modal, button, on, on_submit, option, press, prose, prose_items, select};
use crate::parts::diff;
use crate::store::{
    Action, CatalogsAction, EdgeAction, NewBundle, NewBundleAction, Shared, State, Tab, Written, trial_entry,
};
use views::{
    AuthoringInput, Deprecatee, DiffLine, Download, EdgeEffectView, EntryKey, Gesture, GraphView, PackageKey, Target,
    TrialChannel, WrittenCatalog, WrittenFileView,
};
use yew::prelude::*;

/// What can become of a version: the name of the choice, and what it means.
const CHOICES: [(&str, &str); 5] = [
    ("deprecate", "Deprecate it: who has it sees the message, and nothing else changes"),
    ("channel", "Deprecate its channel"),
    ("package", "Deprecate the package"),
    ("stop", "Stop offering it: it stays listed, nobody is updated to it, and who has it keeps its updates"),
    ("remove", "Remove it: the next version takes over its edges, and its document goes"),
];

/// Deprecates or removes the selected entry.
pub(super) fn retire_dialog(state: &State, send: &Callback<Action>) -> Html {
    let (Some(key), Some(entry)) = (&state.selection.package, &state.selection.entry) else { return Html::default() };
    let catalog = state.catalog(key.catalog).map(|row| row.name.clone()).unwrap_or_default();
    let sets = state.overview.sets.iter();
    let sets = sets.map(|row| (Target::Set(row.id), format!("{} ({} catalogs)", row.name, row.versions.len())));
    let targets = std::iter::once((Target::Catalog(key.catalog), catalog)).chain(sets).collect::<Vec<_>>();
    html! {
        <Modal title={format!("Deprecate or remove {}", entry.name)} testid="retire-dialog"
            on_close={close_dialog(send)}>
            <RetireForm {targets} package={key.clone()} entry={entry.clone()} send={send.clone()} />
        </Modal>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct RetireProps {
    targets: Vec<(Target, String)>,
    package: PackageKey,
    entry: EntryKey,
    send: Callback<Action>,
}

/// A component of its own, so that what was chosen and typed stays when the page renders again.
#[component]
fn RetireForm(RetireProps { targets, package, entry, send }: &RetireProps) -> Html {
    let (package, entry, known) = (package.clone(), entry.clone(), targets.clone());
    let onsubmit = on_submit(send, move |field| {
        let target = field("target").parse::<usize>().ok().and_then(|at| known.get(at)).or(known.first());
        let input = input(&package, &entry, &field("how"), field("message"));
        Some(CatalogsAction::Authored(target?.0, input))
    });
    let choice = |(at, (value, text)): (usize, &(&'static str, &'static str))| {
        let testid = format!("retire-{value}");
        html! { <label class="check">
            <input type="radio" name="how" value={*value} checked={at == 0} data-testid={testid} />{ *text }
        </label> }
    };
    html! {
        <form class="retire" {onsubmit}>
            <fieldset>
                <legend>{ "What is to become of it" }</legend>
                { for CHOICES.iter().enumerate().map(choice) }
            </fieldset>
            <label>{ "Message of a deprecation" }<textarea name="message" data-testid="retire-message" /></label>
            if targets.len() > 1 {
                <label>{ "In " }<select name="target" data-testid="retire-target">
                    { for targets.iter().enumerate().map(|(at, (_, name))| option(at.to_string(), at == 0, name)) }
                </select></label>
            }
            <p class="actions">
                <button type="submit" class="primary" data-testid="retire-write">{ "Write it" }</button>
            </p>
        </form>
    }
}

fn input(key: &PackageKey, entry: &EntryKey, how: &str, message: String) -> AuthoringInput {
    let (package, name) = (key.package.clone(), entry.name.clone());
    let what = match how {
        "stop" | "remove" => return AuthoringInput::Remove { package, name, stays_listed: how == "stop" },
        "channel" => entry.channel.clone().map_or(Deprecatee::Package, Deprecatee::Channel),
        "package" => Deprecatee::Package,
        _ => Deprecatee::Bundle(name),
    };
    AuthoringInput::Deprecate { package, what, message }
}

/// What would be written into the catalogs of a set, to be downloaded.
pub(super) fn written_dialog(state: &State, send: &Callback<Action>) -> Html {
    let Some(Written { set, input, view }) = &state.written else { return Html::default() };
    let button = |id: &'static str, name: &'static str, as_patch: bool| {
        let what = Download::Written { set: *set, input: input.clone(), as_patch };
        let onclick = press(send, CatalogsAction::DownloadAsked(what));
        html! { <button type="button" class={classes!(as_patch.then_some("primary"))} data-testid={id} {onclick}>
        { name }</button> }
    };
    html! {
        <Modal title="Changes of the catalogs" testid="written" on_close={close_dialog(send)}>
            if let Some(view) = view {
                <p role="status"><b>{ prose(&view.sentence) }</b></p>
                if view.catalogs.iter().any(|one| !one.files.is_empty()) {
                    <p class="actions">
                        { button("written-patch", "Download the patch", true) }
                        { button("written-files", "Changed files (tar)", false) }
                    </p>
                }
                { for view.catalogs.iter().map(written_catalog) }
            } else {
                <p class="mute waiting">{ "Writing…" }</p>
            }
        </Modal>
    }
}

fn written_catalog(one: &WrittenCatalog) -> Html {
    let file = |file: &WrittenFileView| {
        let lines = DiffLine::numbered(&file.diff);
        html! { <details><summary class="mono">{ &file.path }</summary>{ diff(&lines, None) }</details> }
    };
    let is_refused = one.reason.is_some();
    html! { <section class={classes!("written", is_refused.then_some("error"))}>
        <h3>{ if is_refused { "✕ " } else { "" } }{ &one.title }{ " " }{ for one.worst.map(level) }</h3>
        <ul class="changes">{ prose_items(&one.sentences()) }</ul>
        { for one.files.iter().map(file) }
    </section> }
}

// The dialog that adds a new bundle to an open catalog, or to those of a set.

const FORM: &str = "new-bundle-form";

pub(super) fn new_bundle_dialog(new: &NewBundle, send: &Callback<Action>) -> Html {
    let view = &new.view;
    let Some((target, _)) = new.chosen() else { return Html::default() };
    let targets: Vec<&str> = view.targets.iter().map(|row| &*row.name).collect();
    let policies: Vec<&str> = target.policies.iter().map(|row| &*row.label).collect();
    html! {
        <Modal title={view.title.clone()} testid="new-bundle" on_close={close_dialog(send)}>
            <p>{ prose(&target.intro) }</p>
            if !view.findings.is_empty() {
                <h3>{ "What opm render loses of it" }</h3>
                <ul class="changes">{ prose_items(&view.findings) }</ul>
            }
            { choose("Add to", "new-bundle-target", &targets, new.target, NewBundleAction::TargetChosen, send) }
            { choose("Policy", "new-bundle-policy", &policies, new.policy, NewBundleAction::PolicyChosen, send) }
            // Beside the form, so that it stays when another policy is chosen.
            <label class="wide">{ "Image that the bundle is in " }
                <input name="image" form={FORM} placeholder="not known yet" data-testid="new-bundle-image" /></label>
            <Fields key={format!("{}-{}", new.target, new.policy)} new={new.clone()} send={send.clone()} />
        </Modal>
    }
}

/// A choice by its index; nothing if there is none.
fn choose(
    label: &'static str,
    testid: &'static str,
    names: &[&str],
    chosen: usize,
    action: fn(usize) -> NewBundleAction,
    send: &Callback<Action>,
) -> Html {
    let options = names.iter().enumerate().map(|(at, name)| (at.to_string(), (*name).to_owned()));
    let chosen_of = move |at: String| at.parse().ok().map(action);
    html! { if names.len() > 1 {
        <label class="wide">{ label }{ " " }{ select(testid, options, &chosen.to_string(), send, chosen_of) }</label>
    } }
}

#[derive(Clone, PartialEq, Properties)]
struct FieldsProps {
    new: NewBundle,
    send: Callback<Action>,
}

/// A component of its own, so that its fields keep their text when the page renders again.
#[component]
fn Fields(FieldsProps { new, send }: &FieldsProps) -> Html {
    let Some((target, policy)) = new.chosen() else { return Html::default() };
    let is_set = matches!(target.target, Target::Set(_));
    let chosen: Vec<(usize, String)> = (policy.channels.iter().enumerate())
        .filter(|(_, row)| new.channels.contains(&row.entry.channel))
        .map(|(at, row)| (at, row.entry.channel.clone()))
        .collect();
    let is_none = chosen.is_empty();
    let onsubmit = on_submit(send, move |field| {
        let text = |name: &str, at: usize| field(&format!("{name}-{at}"));
        let entry = |(at, channel): &(usize, String)| {
            trial_entry(channel, &text("replaces", *at), &text("skips", *at), &text("range", *at))
        };
        Some(NewBundleAction::Tried { image: field("image"), entries: chosen.iter().map(entry).collect() })
    });
    let channel =
        |(at, row): (usize, &TrialChannel)| channel(at, row, new.channels.contains(&row.entry.channel), is_set, send);
    html! {
        <form id={FORM} {onsubmit}>
            { for policy.channels.iter().enumerate().map(channel) }
            <p class="actions">
                <button type="submit" class="primary" disabled={is_none} data-testid="new-bundle-try">
                    { if is_set { "Show the changes" } else { "Try it" } }
                </button>
            </p>
        </form>
    }
}

/// A channel with the edges of its entry.
fn channel(at: usize, row: &TrialChannel, is_chosen: bool, is_set: bool, send: &Callback<Action>) -> Html {
    let name = row.entry.channel.clone();
    let onchange = on(send, move |_: Event| NewBundleAction::ChannelSwitched(name.clone()));
    let field = |label: &'static str, name: &'static str, value: String| {
        html! {
            <label>{ label }<input name={format!("{name}-{at}")} {value} data-testid={format!("{name}-{at}")} /></label>
        }
    };
    html! {
        <fieldset key={at}>
            <legend>
                <label class="check">
                    <input type="checkbox" checked={is_chosen} {onchange} data-testid={format!("channel-{at}")} />
                    { &row.entry.channel }
                </label>
                <span class="mute">{ " " }{ &row.note }</span>
            </legend>
            if is_chosen {
                <p data-testid={format!("edge-{at}")}>{ prose(&row.edge) }</p>
                if !is_set {
                    <details>
                        <summary>{ "Other edges" }</summary>
                        <div class="fields">
                            { field("replaces", "replaces", row.entry.replaces.clone()) }
                            { field("skips", "skips", row.entry.skips.join(", ")) }
                            { field("skipRange", "range", row.entry.skip_range.clone()) }
                        </div>
                    </details>
                }
            }
        </fieldset>
    }
}

// The strip of the editing mode above the drawing: what a change of edges does to installed versions, and its form.

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
