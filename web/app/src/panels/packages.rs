//! The list of packages.

use crate::dom;
use crate::parts::{counts, icon};
use crate::store::{Action, Direction, NavigationAction, Shared, found_packages};
use gloo_timers::callback::Timeout;
use std::collections::BTreeMap;
use std::rc::Rc;
use views::{Overview, PackageKey, PackageRow};
use yew::prelude::*;

/// Properties of the list.
#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    /// The loaded catalogs and packages.
    pub(crate) overview: Shared<Overview>,
    /// Whether loading goes on.
    pub(crate) is_preview: bool,
    /// Data URLs of icons by package.
    pub(crate) icons: Shared<BTreeMap<PackageKey, Rc<str>>>,
    /// The search text.
    pub(crate) search: AttrValue,
    /// The selected package.
    pub(crate) selected: Option<PackageKey>,
    /// Receives actions.
    pub(crate) send: Callback<Action>,
}

/// Rows rendered at a time: rendering thousands at once would block the main thread.
const STEP: usize = 12;

/// Number of rendered rows: more after each pause, and at once all up to the selected one.
#[hook]
fn use_growing(total: usize, selected: usize) -> usize {
    let shown = use_state(|| STEP);
    let now = (*shown).max(selected + 1).min(total);
    use_effect_with((total, now), move |(total, now)| {
        let next = now + STEP;
        let timeout = (now < total).then(|| Timeout::new(0, move || shown.set(next)));
        move || drop(timeout)
    });
    now
}

/// The text of an empty list and what to do about it.
fn empty_list(total: usize, send: &Callback<Action>) -> Html {
    if total == 0 {
        return html! { <p class="mute waiting">{ "No package is declared in what was opened. The findings say what it is instead." }</p> };
    }
    let all = send.reform(|_: MouseEvent| Action::Navigation(NavigationAction::Searched(String::new())));
    html! { <p class="mute waiting">{ "No package and no catalog has that in its name. " }
    <button type="button" class="link" onclick={all}>{ "Show all" }</button></p> }
}

/// The list with its search field.
#[component]
pub(crate) fn Packages(props: &Props) -> Html {
    let Props { overview, search, send, .. } = props;
    let found = found_packages(overview, search);
    let at = found.iter().position(|row| props.selected.as_ref() == Some(&row.key));
    let rendered = use_growing(found.len(), at.unwrap_or_default());
    let several = overview.catalogs.len() > 1;
    let oninput =
        send.reform(|event: InputEvent| Action::Navigation(NavigationAction::Searched(dom::input_text(&event))));
    let onkeydown = move_with(send);
    let total = overview.packages.len();
    let count = if found.len() == total { total.to_string() } else { format!("{} of {total}", found.len()) };
    html! {
        <nav id="packages" class="packages" aria-label="Packages" {onkeydown}>
            <div class="search"><input type="search" placeholder="Search packages" aria-label="Search packages" autocomplete="off"
                data-testid="search" value={search.clone()} {oninput} /><kbd aria-hidden="true">{ "/" }</kbd></div>
            <p class="mute count" aria-live="polite">{ count }{ if total == 1 { " package" } else { " packages" } }if props.is_preview { { " so far" } }</p>
            if found.is_empty() { { empty_list(total, send) } }
            <ul>{ for found.into_iter().take(rendered).map(|row| package_row(props, row, several)) }</ul>
        </nav>
    }
}

fn package_row(props: &Props, row: &PackageRow, several: bool) -> Html {
    let key = row.key.clone();
    let onclick =
        props.send.reform(move |_: MouseEvent| Action::Navigation(NavigationAction::PackageSelected(key.clone())));
    let current = props.selected.as_ref() == Some(&row.key);
    let catalog = props.overview.catalogs.iter().find(|c| c.id == row.key.catalog).filter(|_| several);
    let channel = row.default_channel.as_deref().unwrap_or("no default channel");
    html! {
        <li key={format!("{} {}", row.key.catalog.0, row.key.package)}>
            <button type="button" data-testid="package-row" data-name={row.key.package.clone()}
                aria-current={current.then_some("true")} {onclick}>
                { icon(&row.key.package, props.icons.get(&row.key)) }
                <span class="name">{ &row.key.package }</span>
                { counts(row.findings) }
                <small>{ channel }
                    if let Some(head) = &row.head { { " → " }<span class="mono">{ head }</span> }
                    if let Some(catalog) = catalog { { " · " }{ &catalog.name } }
                </small>
            </button>
        </li>
    }
}

/// The arrow keys move the selection.
fn move_with(send: &Callback<Action>) -> Callback<KeyboardEvent> {
    let send = send.clone();
    Callback::from(move |event: KeyboardEvent| {
        let direction = match event.key().as_str() {
            "ArrowUp" => Direction::Earlier,
            "ArrowDown" => Direction::Later,
            _ => return,
        };
        event.prevent_default();
        send.emit(Action::Navigation(NavigationAction::PackageStepped(direction)));
    })
}
