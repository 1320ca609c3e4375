//! The dialog that adds a new bundle to an open catalog, or to those of a set.

use super::close_dialog;
use crate::kit::{Modal, on, on_submit, prose, prose_items, select};
use crate::store::{Action, NewBundle, NewBundleAction, trial_entry};
use views::{Target, TrialChannel};
use yew::prelude::*;

/// The id of the form.
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
