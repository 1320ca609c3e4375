//! Dialogs and buttons to add a catalog and to edit its CatalogSource.

use super::close_dialog;
use crate::kit::{Modal, command_if_any, folded, on_submit, plural, press, prose, select, size};
use crate::parts::counts;
use crate::store::{Action, CatalogsAction, CompareAction, Dialog, PageAction, SourceAction, State, Unread};
use views::{
    BundleChoice, BundleRules, CatalogCommand, CatalogFormat, CatalogId, CatalogRow, Download, FileRow, ListView,
    ListedCatalog, ListedChannel, ListedPackage, ManifestFinding, first_and_more,
};
use yew::prelude::*;

/// The buttons that add a catalog: files, folder, paste.
pub(super) fn add_buttons(send: &Callback<Action>, picked: &Callback<Event>) -> Html {
    let paste = press(send, PageAction::DialogOpened(Dialog::Paste));
    html! {
        <div class="add" role="group" aria-label="Add a catalog">
            <label class="button primary">
                <input type="file" webkitdirectory=true data-testid="pick-folder" onchange={picked.clone()} />
                { "Choose folder" }
            </label>
            <label class="button">
                <input type="file" multiple=true data-testid="pick-files" onchange={picked.clone()} />
                { "Choose files" }
            </label>
            <button type="button" data-testid="paste" onclick={paste}>{ "Paste…" }</button>
        </div>
    }
}

/// The dialog for pasting a catalog.
pub(super) fn paste_dialog(state: &State, send: &Callback<Action>) -> Html {
    let Unread { text, reason } = state.unread.clone().unwrap_or_default();
    let onsubmit =
        on_submit(send, |field| Some(CatalogsAction::TextEntered { text: field("text"), name: field("name") }));
    html! {
        <Modal title="Paste" testid="paste-dialog" on_close={close_dialog(send)}>
            <form {onsubmit}>
                <label>
                    { "A catalog (olm.package, olm.channel, olm.bundle), manifests of a cluster (kubectl get … -o \
                      yaml), both, or a message of OLM" }
                    <textarea name="text" rows="14" spellcheck="false" autofocus=true data-testid="paste-text"
                        defaultvalue={text} />
                </label>
                if !reason.is_empty() {
                    <p class="wrong" role="alert" data-testid="paste-fault">{ prose(&reason) }</p>
                }
                <label>
                    { "Name of the catalog " }
                    <input name="name" placeholder="pasted" autocomplete="off" spellcheck="false"
                        data-testid="paste-name" />
                </label>
                <p class="actions">
                    <button type="submit" class="primary" data-testid="paste-submit">{ "Open" }</button>
                </p>
            </form>
        </Modal>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct FieldsProps {
    id: CatalogId,
    name: String,
    namespace: String,
    priority: i64,
    send: Callback<Action>,
}

/// A component of its own, so that its fields keep their text when the page renders again.
#[component]
fn Fields(props: &FieldsProps) -> Html {
    let catalog = props.id;
    let onsubmit = on_submit(&props.send, move |field| {
        let [name, namespace, priority] = ["name", "namespace", "priority"].map(|name| field(name).trim().to_owned());
        let priority = priority.parse().unwrap_or_default();
        Some(CatalogsAction::SourceEdited { catalog, name, namespace, priority })
    });
    html! {
        <form {onsubmit}>
            <div class="fields">
                <label>
                    { "Name" }
                    <input name="name" required=true value={props.name.clone()} data-testid="catalog-name" />
                </label>
                <label>
                    { "Namespace" }
                    <input name="namespace" value={props.namespace.clone()} data-testid="catalog-namespace" />
                </label>
                <label>
                    { "Priority" }
                    <input name="priority" type="number" step="1" min="-9007199254740991" max="9007199254740991"
                        value={props.priority.to_string()} data-testid="catalog-priority" />
                </label>
            </div>
            <p class="actions"><button type="submit" class="primary" data-testid="catalog-save">{ "Save" }</button></p>
        </form>
    }
}

/// How many files the dialog of a catalog lists at once.
const FILES: usize = 12;

/// The files; many are folded.
fn files(row: &CatalogRow, send: &Callback<Action>) -> Html {
    let list = |rows: &[FileRow]| html! { <ul class="files">{ for rows.iter().map(|row| file(row, send)) }</ul> };
    folded(&row.files, FILES, "", list)
}

/// The dialog of a catalog: its CatalogSource, its files, and what can be saved of it.
pub(super) fn catalog_dialog(row: &CatalogRow, is_baseline: bool, send: &Callback<Action>) -> Html {
    let id = row.id;
    let remove = press(send, CatalogsAction::Removed(id));
    let list = press(send, CatalogsAction::ListAsked(id));
    html! {
        <Modal title={format!("Catalog {}", row.name)} testid="catalog-dialog"
            on_close={close_dialog(send)}>
            <Fields {id} name={row.name.clone()} namespace={row.namespace.clone()} priority={row.priority}
                send={send.clone()} />
            { baseline(row, is_baseline, send) }
            if let Some(choice) = &row.bundles { { bundle_rules(row.id, choice, send) } }
            <p><button type="button" data-testid="catalog-list" onclick={list}>
                { "List channels and versions" }</button></p>
            { downloads(row, send) }
            { files(row, send) }
            <p class="actions">
                <span class="mute">{ "Files on your disk are not changed." }</span>
                <button type="button" class="danger" data-testid="catalog-remove" onclick={remove}>
                    { "Remove catalog" }
                </button>
            </p>
        </Modal>
    }
}

/// The rules by which the catalog is made of bundle directories.
fn bundle_rules(catalog: CatalogId, choice: &BundleChoice, send: &Callback<Action>) -> Html {
    let name = |rules: &BundleRules| match rules {
        BundleRules::Mode(mode) => format!("{} mode", mode.name()),
        BundleRules::Template(template) => format!("catalog template {template}"),
    };
    let options = choice.all.iter().enumerate().map(|(at, rules)| (at.to_string(), name(rules)));
    let on = choice.all.iter().position(|rules| *rules == choice.rules).map(|at| at.to_string());
    let all = choice.all.clone();
    let chosen = move |at: String| {
        let rules = all.get(at.parse::<usize>().ok()?)?.clone();
        Some(CatalogsAction::BundleRulesChosen { catalog, rules })
    };
    html! {
        <div class="bar">
            <label>
                { "Made of bundle directories, by " }
                { select("bundle-rules", options, &on.unwrap_or_default(), send, chosen) }
            </label>
        </div>
    }
}

/// Saves the catalog, or its edited files.
fn downloads(row: &CatalogRow, send: &Callback<Action>) -> Html {
    let catalog = row.id;
    let button = |id: &'static str, name: &'static str, what: Download| {
        let onclick = press(send, CatalogsAction::DownloadAsked(what));
        html! { <button type="button" data-testid={id} {onclick}>{ name }</button> }
    };
    html! {
        <p class="downloads">
            { "Save what opm render prints of it: " }
            { button("download-yaml", "YAML", Download::Catalog { catalog, format: CatalogFormat::Yaml }) }
            { button("download-json", "JSON", Download::Catalog { catalog, format: CatalogFormat::Json }) }
            if row.files.iter().any(|file| file.edited) {
                { button("download-edited", "Edited files (tar)", Download::EditedFiles(catalog)) }
                { button("download-patch", "Edits (patch)", Download::Patch(catalog)) }
            }
        </p>
    }
}

/// Makes a catalog a baseline, or a baseline a catalog of the cluster.
fn baseline(row: &CatalogRow, is_baseline: bool, send: &Callback<Action>) -> Html {
    let catalog = row.id;
    let onclick = press(send, CompareAction::BaselineSet { catalog, baseline: !is_baseline });
    let (text, button) = match is_baseline {
        true => ("Only compared with other catalogs; OLM does not get it.", "Give it to OLM"),
        false => ("OLM gets it as a CatalogSource.", "Only compare with it"),
    };
    html! { <p>{ text }{ " " }<button type="button" data-testid="catalog-baseline" {onclick}>{ button }</button></p> }
}

fn file(row: &FileRow, send: &Callback<Action>) -> Html {
    let onclick = press(send, SourceAction::FileChosen(row.file));
    html! {
        <li>
            <button type="button" class="link mono" {onclick}>{ &row.path }</button>
            <span class="mute">
                { size(row.bytes) }{ if row.ignored { " · left out by .indexignore" } else { "" } }
                { if row.edited { " · edited" } else { "" } }
            </span>
            { counts(row.findings) }
        </li>
    }
}

// The dialog with what PackageManifests offer: packages, channels and versions, without edges.

/// The most versions that are listed for a channel.
const VERSIONS: usize = 12;

pub(super) fn list_dialog(view: &ListView, send: &Callback<Action>) -> Html {
    html! {
        <Modal title="Packages and versions" testid="list" on_close={close_dialog(send)}>
            if !view.notice.is_empty() { <p>{ prose(&view.notice) }</p> }
            if !view.findings.is_empty() {
                <ul class="changes">{ for view.findings.iter().map(finding) }</ul>
            }
            { for view.sources.iter().map(|row| source(row, send)) }
        </Modal>
    }
}

fn finding(row: &ManifestFinding) -> Html {
    html! { <li>{ format!("Line {}: ", row.place.line) }{ prose(&row.message) }</li> }
}

fn source(row: &ListedCatalog, send: &Callback<Action>) -> Html {
    let count = row.packages.len();
    let needed = |row: &CatalogCommand| {
        let command = row.command.clone().ok_or_else(|| row.reason.clone().unwrap_or_default());
        html! { <li>{ &row.purpose }{ ": " }{ command_if_any(&command, &send.reform(super::copy)) }</li> }
    };
    html! {
        <section key={format!("{}/{}", row.namespace, row.name)}>
            <h3>if !row.namespace.is_empty() { { &row.namespace }{ "/" } }{ &row.name }</h3>
            <p class="mute">
                { format!("{count} package{}", plural(count)) }
                if !row.display_name.is_empty() { { " · " }{ &row.display_name } }
                if !row.publisher.is_empty() { { " · " }{ &row.publisher } }
            </p>
            <ul class="needed">{ for row.commands.iter().map(needed) }</ul>
            <details open={count <= 20}>
                <summary>{ "Packages" }</summary>
                <table>
                    <thead>
                        <tr>
                            <th scope="col">{ "Package" }</th>
                            <th scope="col">{ "Channel" }</th>
                            <th scope="col">{ "Head" }</th>
                            <th scope="col">{ "Versions" }</th>
                        </tr>
                    </thead>
                    <tbody>{ for row.packages.iter().flat_map(package) }</tbody>
                </table>
            </details>
        </section>
    }
}

/// A row for each channel; the first names the package.
fn package(row: &ListedPackage) -> Vec<Html> {
    let deprecated = |message: &Option<String>| {
        html! {
            if let Some(message) = message {
                <span class="badge warning" title={message.clone()}>{ "deprecated" }</span>
            }
        }
    };
    let line = |(at, channel): (usize, &ListedChannel)| {
        let key = format!("{} {}", row.name, channel.name);
        html! {
            <tr {key}>
                <th scope="row">if at == 0 { { &row.name }{ " " }{ deprecated(&row.deprecated) } }</th>
                <td>
                    { &channel.name }
                    if channel.is_default { { " (default)" } }
                    { " " }{ deprecated(&channel.deprecated) }
                </td>
                <td>{ if channel.version.is_empty() { &channel.head } else { &channel.version } }</td>
                <td>{ versions(channel) }</td>
            </tr>
        }
    };
    row.channels.iter().enumerate().map(line).collect()
}

fn versions(channel: &ListedChannel) -> String {
    let shown = channel.entries.iter().map(|entry| if entry.version.is_empty() { &entry.name } else { &entry.version });
    first_and_more(shown, VERSIONS)
}
