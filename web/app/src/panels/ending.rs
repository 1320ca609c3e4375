//! Where the updates of one version end, in place: the user says which version is installed.

use crate::graph::ending;
use crate::kit::{prose, select};
use crate::store::{Action, NavigationAction};
use views::{EntryKey, GraphView, NodeView};
use yew::prelude::*;

/// A package with more entries has no list of them.
const MOST: usize = 2_000;

/// The question, with the versions of all channels, and the answer for the one that is selected.
pub(crate) fn where_it_ends(graph: &GraphView, selected: Option<&EntryKey>, send: &Callback<Action>) -> Html {
    let entries: Vec<&NodeView> = graph.nodes.iter().filter(|node| node.place.is_some()).collect();
    // In a comparison, updates are those of two states.
    if !(2..=MOST).contains(&entries.len()) || graph.compares.is_some() {
        return Html::default();
    }
    let at = selected.and_then(|key| entries.iter().position(|node| node.key == *key));
    let option = |(at, node): (usize, &&NodeView)| {
        let channel = node.key.channel.as_deref().unwrap_or_default();
        (at.to_string(), format!("{} in {channel}", node.label))
    };
    // The newest of each channel first; the channels stay in the order of the drawing.
    let mut order: Vec<(usize, &&NodeView)> = entries.iter().enumerate().collect();
    order.sort_by_key(|(at, node)| (node.lane, std::cmp::Reverse(*at)));
    let none = (String::new(), "choose a version".to_owned());
    let options = std::iter::once(none).chain(order.into_iter().map(option));
    let keys: Vec<EntryKey> = entries.iter().map(|node| node.key.clone()).collect();
    let chosen = at.map(|at| at.to_string()).unwrap_or_default();
    let choose = move |value: String| {
        let key = keys.get(value.parse::<usize>().ok()?)?.clone();
        Some(NavigationAction::EntrySelected(key))
    };
    html! {
        <label class="ending" data-testid="ending">
            { "Where does yours end?" }
            { select("ending-version", options, &chosen, send, choose) }
            <b role="status">{ for at.map(|at| prose(&ending(graph, entries[at]))) }</b>
        </label>
    }
}
