//! A place in the source.

use crate::store::{Action, NavigationAction};
use views::Place;
use yew::prelude::*;

/// A link to a place; `path` names the file where it is not obvious.
pub(crate) fn place_link(path: Option<&str>, place: Place, send: &Callback<Action>) -> Html {
    let onclick = send.reform(move |_: MouseEvent| Action::Navigation(NavigationAction::PlaceFollowed(place)));
    let text = match path.filter(|path| !path.is_empty()) {
        Some(path) => format!("{path}:{}:{}", place.line, place.column),
        None => format!("line {}", place.line),
    };
    html! { <button type="button" class="link" {onclick}>{ text }</button> }
}
