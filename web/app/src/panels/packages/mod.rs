//! The list of packages.

mod row;

use self::row::rows;
use super::set::set_list;
use crate::kit::{plural, press};
use crate::store::{
    Action, Direction, NavigationAction, PackageFilter, PaletteAction, PalettePurpose, Shared, found_packages,
};
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
    pub(crate) filter: PackageFilter,
    pub(crate) selected: Option<PackageKey>,
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
fn empty_list(props: &Props) -> Html {
    if props.overview.packages.is_empty() {
        return html! {
            <p class="mute waiting">
                { "No package is declared in what was opened. The findings say what it is instead." }
            </p>
        };
    }
    let all = press(&props.send, Action::Navigation(NavigationAction::PackagesFiltered(PackageFilter::All)));
    let text = match props.filter {
        PackageFilter::Warnings => "No package here has warnings. ",
        PackageFilter::All | PackageFilter::Errors => "No package here has errors. ",
    };
    html! { <p class="mute waiting">{ text }
    <button type="button" class="link" onclick={all}>{ "Show all" }</button></p> }
}

/// The switch between all packages and those with errors or warnings, with their numbers; nothing if there are neither.
fn filters(props: &Props) -> Html {
    let packages = &props.overview.packages;
    if packages.iter().all(|row| row.findings.errors + row.findings.warnings == 0) {
        return Html::default();
    }
    let button = |filter: PackageFilter| {
        let count = packages.iter().filter(|row| filter.shows(row.findings)).count();
        let (testid, sign, title) = match filter {
            PackageFilter::All => ("packages-all", "All ", format!("All {count} packages")),
            PackageFilter::Errors => ("packages-errors", "✕ ", format!("{count} package{} with errors", plural(count))),
            PackageFilter::Warnings => {
                ("packages-warnings", "▲ ", format!("{count} package{} with warnings", plural(count)))
            }
        };
        let onclick = press(&props.send, Action::Navigation(NavigationAction::PackagesFiltered(filter)));
        html! {
            <button type="button" aria-pressed={(filter == props.filter).to_string()} data-testid={testid}
                aria-label={title.clone()} {title} {onclick}>
                { sign }{ count }
            </button>
        }
    };
    html! { <div class="choice" role="group" aria-label="Packages shown">{ for PackageFilter::ALL.map(button) }</div> }
}

/// The list, and above it what opens the palette.
#[component]
pub(crate) fn Packages(props: &Props) -> Html {
    let Props { overview, send, .. } = props;
    let found = found_packages(overview, props.filter);
    // Sorted by name: the packages of one name, each of another catalog, are neighbours.
    let groups: Vec<&[&PackageRow]> = found.chunk_by(|a, b| a.key.package == b.key.package).collect();
    let is_selected = |row: &&PackageRow| props.selected.as_ref() == Some(&row.key);
    let at = groups.iter().position(|group| group.iter().any(is_selected));
    let rendered = use_growing(groups.len(), at.unwrap_or_default());
    let search = press(send, Action::Palette(PaletteAction::Opened(PalettePurpose::Open)));
    let total = overview.packages.len();
    let count = if found.len() == total { total.to_string() } else { format!("{} of {total}", found.len()) };
    html! {
        <nav id="packages" class="packages" aria-label="Packages" onkeydown={on_key(send)}>
            <button type="button" class="search" data-testid="search" aria-haspopup="dialog" onclick={search}
                title="Search packages, channels, versions, APIs, images and files (/ or Ctrl-K)">
                <span>{ "Search…" }</span><kbd aria-hidden="true">{ "/" }</kbd>
            </button>
            <div class="line">
                <p class="mute count" aria-live="polite">
                    { count }<span class="word">{ if total == 1 { " package" } else { " packages" } }</span>
                    if props.is_preview { { " so far" } }
                </p>
                { filters(props) }
            </div>
            { set_list(&overview.sets, send) }
            if found.is_empty() { { empty_list(props) } }
            <div class="list"><ul>{ for groups.into_iter().take(rendered).map(|group| rows(props, group)) }</ul></div>
        </nav>
    }
}

/// The arrow keys move the selection.
fn on_key(send: &Callback<Action>) -> Callback<KeyboardEvent> {
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
