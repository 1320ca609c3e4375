//! The dialog with what catalogs or PackageManifests have: packages, channels, heads and versions.

use super::close_dialog;
use crate::kit::{Modal, command_if_any, plural, prose};
use crate::store::Action;
use views::{CatalogCommand, ListView, ListedCatalog, ListedChannel, ListedPackage, ManifestFinding, first_and_more};
use yew::prelude::*;

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
        html! { <li>{ &row.purpose }{ ": " }{ command_if_any(&row.command, &send.reform(super::copy)) }</li> }
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
