//! The list of packages.

use super::set::set_list;
use crate::kit::{plural, press, prose};
use crate::parts::sign_of;
use crate::store::{Action, Direction, NavigationAction, Shared, ranked_packages};
use gloo_timers::callback::Timeout;
use views::{Overview, PackageKey, PackageRow, Runtime, Severity};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    /// The loaded catalogs and packages.
    pub(crate) overview: Shared<Overview>,
    /// Whether loading goes on.
    pub(crate) is_preview: bool,
    pub(crate) selected: Option<PackageKey>,
    /// The versions of OLM that problems are about.
    pub(crate) runtime: Runtime,
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
fn empty_list() -> Html {
    html! {
        <p class="mute waiting">
            { "No package is declared in what was opened. The findings say what it is instead." }
        </p>
    }
}

/// The head of the group of packages with this rank.
const fn title(rank: u32) -> &'static str {
    match rank {
        0 => "Rejected by opm",
        1 => "Errors",
        2 => "Stuck versions",
        3 => "Warnings",
        4 => "No way to a newer channel",
        _ => "No warnings",
    }
}

/// The list: a group for each kind of problem, the worst first.
#[component]
pub(crate) fn Packages(props: &Props) -> Html {
    let Props { overview, send, .. } = props;
    let ranked = ranked_packages(overview, props.runtime);
    // Those of one name, each of another catalog, are neighbours.
    let names: Vec<_> = ranked.chunk_by(|a, b| a.1.key.package == b.1.key.package).collect();
    let is_selected = |(_, row): &(u32, &PackageRow)| props.selected.as_ref() == Some(&row.key);
    let at = names.iter().position(|rows| rows.iter().any(is_selected));
    let rendered = use_growing(names.len(), at.unwrap_or_default());
    let rank = |rows: &[(u32, &PackageRow)]| rows.first().map(|(rank, _)| *rank);
    let count = |of: Option<u32>| names.iter().filter(|rows| rank(rows) == of).count();
    let group = |of: &[&[(u32, &PackageRow)]]| {
        let rank = of.first().and_then(|rows| rank(rows));
        html! { <section aria-label={format!("Packages: {}", title(rank.unwrap_or_default()))}>
            <h2>{ title(rank.unwrap_or_default()) }<span>{ count(rank) }</span></h2>
            <ul>{ for of.iter().map(|group| rows_of_name(props, group)) }</ul>
        </section> }
    };
    let total = overview.packages.len();
    html! {
        <nav id="packages" class="packages" aria-label="Packages" onkeydown={on_key(send)}>
            <p class="unseen count" aria-live="polite">
                { format!("{total} package{}", plural(total)) }if props.is_preview { { " so far" } }
            </p>
            { set_list(&overview.sets, send) }
            if ranked.is_empty() { { empty_list() } }
            <div class="list">
                { for names[..rendered].chunk_by(|a, b| rank(a) == rank(b)).map(group) }
            </div>
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
        send.emit(NavigationAction::PackageStepped(direction).into());
    })
}

// The packages of one name in the list: a row, or a name with a row for each catalog that has it.

/// The packages of one name, each with the rank of the name.
fn rows_of_name(props: &Props, group: &[(u32, &PackageRow)]) -> Html {
    let [(_, first), ..] = group else { return Html::default() };
    let name = &first.key.package;
    if let [(_, row)] = group {
        return html! { <li key={key(row)}>{ row_button(props, row, true) }</li> };
    }
    let pills = group.iter().map(|(_, row)| html! { <li key={key(row)}>{ row_button(props, row, false) }</li> });
    // The name leads to the selected one of them, else to the first.
    let chosen =
        group.iter().map(|(_, row)| row).find(|row| props.selected.as_ref() == Some(&row.key)).unwrap_or(first);
    let onclick = press(&props.send, NavigationAction::PackageSelected(chosen.key.clone()));
    html! { <li key={name.clone()} class="group">
        <button type="button" data-testid="package-name" {onclick}><i></i><span class="name">{ name }</span></button>
        <ul aria-label={format!("Catalogs with {name}")}>{ for pills }</ul>
    </li> }
}

fn key(row: &PackageRow) -> String {
    format!("{} {}", row.key.catalog.0, row.key.package)
}

/// The button that selects a package: its worst problem as a sign, its name and the head of its default channel. One
/// of several with the same name shows its catalog instead of the name.
fn row_button(props: &Props, row: &PackageRow, is_alone: bool) -> Html {
    let onclick = press(&props.send, NavigationAction::PackageSelected(row.key.clone()));
    let current = props.selected.as_ref() == Some(&row.key);
    let catalog = props.overview.catalogs.iter().find(|catalog| catalog.id == row.key.catalog);
    let name = if is_alone { Some(&row.key.package) } else { catalog.map(|catalog| &catalog.name) };
    let problem = row.problem(props.runtime);
    let sign = match problem.rank {
        // Versions that OLM never updates are as bad as an error.
        0..=2 => sign_of(Some(Severity::Error)),
        3 => sign_of(Some(Severity::Warning)),
        4 => sign_of(Some(Severity::Hint)),
        _ => html! { <i></i> },
    };
    let channel = row.default_channel.as_deref().unwrap_or("no default channel");
    html! {
        <button type="button" data-testid="package-row" data-name={row.key.package.clone()}
            data-catalog={catalog.map(|catalog| catalog.name.clone())}
            class={classes!((!is_alone).then_some("pill"))} aria-current={current.then_some("true")}
            title={problem.message.clone()} {onclick}>
            { sign }<span class="name">{ name }</span>
            { for problem.message.as_deref().map(|text| html! { <span class="problem">{ prose(text) }</span> }) }
            <small class="mono" title={channel.to_owned()}>{ row.head.as_deref().unwrap_or("no head") }</small>
        </button>
    }
}
