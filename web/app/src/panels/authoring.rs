//! The dialogs that deprecate or remove a version, and that show what would be written into the catalogs of a set.

use super::close_dialog;
use super::compare::level;
use crate::kit::{Modal, on_submit, option, press, prose, prose_items};
use crate::parts::diff;
use crate::store::{Action, CatalogsAction, State, Written};
use views::{
    AuthoringInput, Deprecatee, DiffLine, Download, EntryKey, PackageKey, Target, WrittenCatalog, WrittenFileView,
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
