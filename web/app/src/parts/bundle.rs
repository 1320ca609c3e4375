//! Links to bundles, and lists of reasons.

use super::place_link;
use crate::kit::prose;
use crate::store::{Action, NavigationAction};
use views::{CsvRef, EntryKey, ReasonView};
use yew::prelude::*;

/// A link from a bundle's name to its entry.
pub(crate) fn bundle_link(csv: &CsvRef, send: &Callback<Action>) -> Html {
    let entry = EntryKey { channel: Some(csv.channel.clone()), name: csv.name.clone() };
    let (catalog, package) = (csv.catalog.clone(), csv.package.clone());
    let onclick = send.reform(move |_: MouseEvent| {
        Action::Navigation(NavigationAction::BundleFollowed {
            catalog: catalog.clone(),
            package: package.clone(),
            entry: entry.clone(),
        })
    });
    html! { <button type="button" class="link mono" {onclick}>{ &csv.name }</button> }
}

/// A list of reasons with their places; long lists are folded.
pub(crate) fn reasons(reasons: &[ReasonView], send: &Callback<Action>) -> Html {
    const FEW: usize = 4;
    let item = |reason: &ReasonView| {
        html! { <li>{ prose(&reason.text) }{ for reason.place.map(|place| html! { <>{ " " }{ place_link(None, place, send) }</> }) }</li> }
    };
    let (first, rest) = reasons.split_at(if reasons.len() > FEW + 1 { FEW } else { reasons.len() });
    html! { <>
        <ul class="reasons">{ for first.iter().map(item) }</ul>
        if !rest.is_empty() {
            <details><summary>{ format!("{} more", rest.len()) }</summary><ul class="reasons">{ for rest.iter().map(item) }</ul></details>
        }
    </> }
}
