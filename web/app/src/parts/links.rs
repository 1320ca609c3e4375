//! Links to bundles, places and rules, and lists of reasons.

use crate::kit::{folded, press, prose};
use crate::store::{Action, FileNames, FindingsAction, NavigationAction};
use views::{CsvRef, EntryKey, Place, ReasonView};
use yew::prelude::*;

/// A link from a bundle's name to its entry.
pub(crate) fn bundle_link(csv: &CsvRef, send: &Callback<Action>) -> Html {
    let entry = EntryKey { channel: Some(csv.channel.clone()), name: csv.name.clone() };
    let (catalog, package) = (csv.catalog.clone(), csv.package.clone());
    let onclick = press(send, NavigationAction::BundleFollowed { catalog, package, entry });
    html! { <button type="button" class="link mono" {onclick}>{ &csv.name }</button> }
}

/// A list of reasons with their places; long lists are folded.
pub(crate) fn reasons(reasons: &[ReasonView], send: &Callback<Action>) -> Html {
    const FEW: usize = 4;
    let rows =
        |rows: &[ReasonView]| html! { <ul class="reasons">{ for rows.iter().map(|row| reason(row, send)) }</ul> };
    folded(reasons, FEW, "", rows)
}

/// A reason with its place, as an item of a list.
pub(crate) fn reason(row: &ReasonView, send: &Callback<Action>) -> Html {
    html! { <li>{ prose(&row.text) }{ place_after(row.place, send) }</li> }
}

/// A link to a place; `path` names the file. Without it the file is named if it is not that of the selected package.
pub(crate) fn place_link(path: Option<&str>, place: Place, send: &Callback<Action>) -> Html {
    let onclick = press(send, NavigationAction::PlaceFollowed(place));
    match path.filter(|path| !path.is_empty()) {
        Some(path) => {
            let text = format!("{path}:{}:{}", place.line, place.column);
            html! { <button type="button" class="link" {onclick}>{ text }</button> }
        }
        None => html! { <LineLink {place} {onclick} /> },
    }
}

#[derive(Clone, PartialEq, Properties)]
struct LineLinkProps {
    place: Place,
    onclick: Callback<MouseEvent>,
}

/// A link to a line of a file.
#[component]
fn LineLink(props: &LineLinkProps) -> Html {
    let LineLinkProps { place, onclick } = props.clone();
    let other = use_context::<FileNames>().and_then(|names| names.other(place.file));
    let text = match other {
        Some(path) => format!("{path}, line {}", place.line),
        None => format!("line {}", place.line),
    };
    html! { <button type="button" class="link" {onclick}>{ text }</button> }
}

/// A space and a link to the place, if there is one.
pub(crate) fn place_after(place: Option<Place>, send: &Callback<Action>) -> Html {
    html! { if let Some(place) = place { { " " }{ place_link(None, place, send) } } }
}

/// The id of a rule, linked to its description.
pub(crate) fn rule_link(rule: &str, send: &Callback<Action>) -> Html {
    let onclick = press(send, FindingsAction::RuleExplained(rule.to_owned()));
    html! {
        <button type="button" class="link rule" title="What is this rule?" data-testid="rule-link" {onclick}>
            { rule }
        </button>
    }
}
