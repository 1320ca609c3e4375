//! The dialog that tries a new bundle on an open catalog.

use super::close_dialog;
use crate::dom;
use crate::kit::{Modal, option, prose, prose_items};
use crate::store::{Action, NewBundle, NewBundleAction, trial_entry};
use views::{TrialCatalog, TrialChannel};
use yew::prelude::*;

/// The dialog.
pub(super) fn new_bundle_dialog(new: &NewBundle, send: &Callback<Action>) -> Html {
    let view = &new.view;
    let choose = send.clone();
    let onchange = Callback::from(move |event: Event| {
        if let Ok(at) = dom::select_text(&event).parse() {
            choose.emit(Action::NewBundle(NewBundleAction::CatalogChosen(at)));
        }
    });
    let catalog = |(at, row): (usize, &TrialCatalog)| option(at.to_string(), at == new.catalog, &row.label);
    html! {
        <Modal title={view.title.clone()} testid="new-bundle" on_close={close_dialog(send)}>
            <p>{ for new.chosen().map(|row| prose(&row.intro)) }</p>
            if !view.findings.is_empty() {
                <h3>{ "What opm render loses of it" }</h3>
                <ul class="changes">{ prose_items(&view.findings) }</ul>
            }
            if view.catalogs.len() > 1 {
                <label>
                    { "Edges " }
                    <select data-testid="new-bundle-catalog" {onchange}>
                        { for view.catalogs.iter().enumerate().map(catalog) }
                    </select>
                </label>
            }
            <Fields key={new.catalog} new={new.clone()} send={send.clone()} />
        </Modal>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct FieldsProps {
    new: NewBundle,
    send: Callback<Action>,
}

/// A component of its own, so that its fields keep their text when the page renders again.
#[component]
fn Fields(FieldsProps { new, send }: &FieldsProps) -> Html {
    let Some(catalog) = new.chosen() else { return Html::default() };
    let chosen: Vec<(usize, String)> = (catalog.channels.iter().enumerate())
        .filter(|(_, row)| new.channels.contains(&row.entry.channel))
        .map(|(at, row)| (at, row.entry.channel.clone()))
        .collect();
    let is_none = chosen.is_empty();
    let submit = send.clone();
    let onsubmit = Callback::from(move |event: SubmitEvent| {
        event.prevent_default();
        let text = |name: &str, at: usize| dom::form_text(&event, &format!("{name}-{at}"));
        let entry = |(at, channel): &(usize, String)| {
            trial_entry(channel, &text("replaces", *at), &text("skips", *at), &text("range", *at))
        };
        submit.emit(Action::NewBundle(NewBundleAction::Tried(chosen.iter().map(entry).collect())));
    });
    let channel = |(at, row): (usize, &TrialChannel)| channel(at, row, new.channels.contains(&row.entry.channel), send);
    html! {
        <form {onsubmit}>
            { for catalog.channels.iter().enumerate().map(channel) }
            <p class="actions">
                <button type="submit" class="primary" disabled={is_none} data-testid="new-bundle-try">
                    { "Try it" }
                </button>
            </p>
        </form>
    }
}

/// A channel with the edges of its entry.
fn channel(at: usize, row: &TrialChannel, is_chosen: bool, send: &Callback<Action>) -> Html {
    let name = row.entry.channel.clone();
    let onchange = send.reform(move |_: Event| Action::NewBundle(NewBundleAction::ChannelSwitched(name.clone())));
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
                <details>
                    <summary>{ "Other edges" }</summary>
                    <div class="fields">
                        { field("replaces", "replaces", row.entry.replaces.clone()) }
                        { field("skips", "skips", row.entry.skips.join(", ")) }
                        { field("skipRange", "range", row.entry.skip_range.clone()) }
                    </div>
                </details>
            }
        </fieldset>
    }
}
