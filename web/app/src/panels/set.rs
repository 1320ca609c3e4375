//! Catalogs for several versions of OpenShift: a matrix of packages and versions, and plans of an update.

use super::plan::plan;
use crate::kit::{choice, plural, press, prose, prose_items};
use crate::store::{Action, SetAction, State};
use views::{SetCell, SetFinding, SetPackage, SetRow, SetView, Severity};
use yew::prelude::*;

/// The set in the place of catalogs and packages; nothing if none is shown.
pub(crate) fn shown_set(state: &State, send: &Callback<Action>) -> Option<Html> {
    let shown = state.sets.shown?;
    let row = state.overview.sets.iter().find(|row| row.id == shown)?;
    Some(html! { <main id="package" class="package set" tabindex="-1" data-testid="set">
        { set(state, row, send) }
    </main> })
}

/// A set.
fn set(state: &State, row: &SetRow, send: &Callback<Action>) -> Html {
    let chosen = send.reform(|shows_plan| Action::Set(SetAction::PlanChosen(shows_plan)));
    let tabs = [(false, "Catalogs"), (true, "Plan an update")];
    html! { <>
        <div class="bar">
            <div class="title">
                <h2>{ &row.name }</h2>
                <small class="mute">{ about(row) }</small>
            </div>
            { choice("What is shown", &tabs, state.sets.shows_plan, &chosen) }
            if !state.overview.catalogs.is_empty() {
                <button type="button" data-testid="set-leave" onclick={press(send, Action::Set(SetAction::Left))}>
                    { "Back to the catalogs" }</button>
            }
            <button type="button" data-testid="set-remove"
                onclick={press(send, Action::Set(SetAction::Removed(row.id)))}>
                { "Remove" }</button>
        </div>
        <div class="scroll">
            if state.sets.shows_plan {
                { plan(state, row, send) }
            } else if let Some(view) = &state.sets.view {
                { matrix(view, state.sets.package.as_deref(), send) }
            } else {
                <p class="mute waiting">{ "Checking the catalogs…" }</p>
            }
        </div>
    </> }
}

fn about(row: &SetRow) -> String {
    let (members, packages) = (row.versions.len(), row.packages as usize);
    let ends = row.versions.first().zip(row.versions.last());
    let versions = ends.map(|(first, last)| format!(" for OpenShift {first} to {last}")).unwrap_or_default();
    format!("{members} catalog{}{versions} · {packages} package{}", plural(members), plural(packages))
}

/// The sets as a list that leads to each.
pub(crate) fn set_list(sets: &[SetRow], send: &Callback<Action>) -> Html {
    let row = |row: &SetRow| {
        let onclick = press(send, Action::Set(SetAction::Shown(row.id)));
        html! { <li key={row.id.0}><button type="button" class="set-row" data-testid="set-row" {onclick}>
            <b>{ &row.name }</b><span class="mute">{ format!("{} catalogs", row.versions.len()) }</span>
        </button></li> }
    };
    html! { if !sets.is_empty() {
        <ul class="sets" aria-label="Catalogs for several versions of OpenShift">{ for sets.iter().map(row) }</ul>
    } }
}

fn matrix(view: &SetView, chosen: Option<&str>, send: &Callback<Action>) -> Html {
    let mut found = view.by_package();
    let of_several = found.remove(&None).unwrap_or_default();
    let holes = view
        .holes
        .iter()
        .map(|hole| format!("{}: {}. No update of OpenShift from or to it is judged.", hole.version, hole.reason));
    let notices: Vec<String> = (holes.chain(view.notices.iter().chain(&view.limits).cloned()))
        .chain(of_several.into_iter().map(|finding| finding.text.clone()))
        .collect();
    let rows = view.matrix.iter().map(|row| {
        let found = found.remove(&Some(&*row.package)).unwrap_or_default();
        let (repository, clusters): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|finding| finding.is_about_repository);
        Row { package: row, worst: clusters.first().map(|finding| finding.harm), clusters, repository }
    });
    let mut rows: Vec<Row<'_>> = rows.collect();
    rows.sort_by_key(|row| (row.worst.is_none(), row.worst));
    let columns = view.members.len() + 1;
    html! { <>
        <p class="sentence" data-testid="set-sentence"><b>{ &view.sentence }</b></p>
        <ul class="changes">{ prose_items(&notices) }</ul>
        <p class="mute">{ "A bar is a package that is the same in neighbouring catalogs; its text is the head of the \
            default channel. Its right edge is red where the next update of OpenShift leaves somebody behind, \
            yellow where something is likely a mistake, and purple where there is something to know. A name leads to \
            what was found, a bar to the comparison of the two catalogs." }</p>
        <table class="matrix">
            <thead><tr><th scope="col">{ "Package" }</th>
                { for view.versions().map(|version| html! { <th scope="col">{ version.to_string() }</th> }) }
            </tr></thead>
            <tbody>
                { for rows.iter().map(|row| package(row, columns, chosen == Some(&*row.package.package), send)) }
            </tbody>
        </table>
    </> }
}

/// A package, and what is wrong with it, the worst first.
struct Row<'v> {
    package: &'v SetPackage,
    worst: Option<Severity>,
    clusters: Vec<&'v SetFinding>,
    /// About the repository that its catalogs are made from.
    repository: Vec<&'v SetFinding>,
}

fn package(row: &Row<'_>, columns: usize, is_chosen: bool, send: &Callback<Action>) -> Html {
    let name = &row.package.package;
    let onclick = press(send, Action::Set(SetAction::PackageChosen(name.clone())));
    let is_empty = row.clusters.is_empty() && row.repository.is_empty();
    let count = row.clusters.iter().filter(|finding| Some(finding.harm) == row.worst).count();
    let list = |found: &[&SetFinding]| {
        html! {
            <ul class="set-findings">{ for found.iter().map(|one| finding(one, name, send)) }</ul>
        }
    };
    html! { <>
        <tr key={name.clone()} data-testid="set-package" data-name={name.clone()}>
            <th scope="row">
                <button type="button" class="plain" disabled={is_empty} aria-expanded={is_chosen.to_string()} {onclick}>
                    { name }
                    if count > 0 {
                        <span class={classes!("mark", class(row.worst))}>
                            { format!(" {} {count}", sign(row.worst)) }</span>
                    }
                </button>
            </th>
            { for row.package.cells.iter().map(|one| cell(row.package, one, send)) }
        </tr>
        if is_chosen {
            <tr class="unfolded"><td colspan={columns.to_string()}><div>
                { list(&row.clusters) }
                if !row.repository.is_empty() {
                    <p class="mute">{ "About the repository, not about clusters:" }</p>
                    { list(&row.repository) }
                }
            </div></td></tr>
        }
    </> }
}

fn cell(row: &SetPackage, cell: &SetCell, send: &Callback<Action>) -> Html {
    let span = cell.span.to_string();
    if cell.is_there == Some(false) {
        return html! { <td class="absent" colspan={span}><span class="mute">{ "–" }</span></td> };
    }
    let (from, to) = cell.pair;
    let action = Action::Set(SetAction::PairOpened { package: row.package.clone(), from, to });
    html! { <td colspan={span}><button type="button" class={classes!("plain", "span", class(cell.worst))}
        title={cell.label.clone()}
    aria-label={cell.label.clone()} data-testid="set-cell" onclick={press(send, action)}>{ &cell.text }</button></td> }
}

const fn class(worst: Option<Severity>) -> &'static str {
    match worst {
        Some(Severity::Error) => "error",
        Some(Severity::Warning) => "warning",
        Some(Severity::Hint) => "hint",
        None => "fine",
    }
}

const fn sign(worst: Option<Severity>) -> &'static str {
    match worst {
        Some(Severity::Error) => "✕",
        Some(Severity::Warning) => "!",
        Some(Severity::Hint) | None => "i",
    }
}

fn finding(row: &SetFinding, package: &str, send: &Callback<Action>) -> Html {
    let (from, to) = row.pair();
    let action = Action::Set(SetAction::PairOpened { package: package.to_owned(), from, to });
    let way_out = row.way_out.iter().map(|way| format!("way out: {}", way.text));
    let details: Vec<String> = row.installed.iter().cloned().chain(way_out).collect();
    html! { <li class={class(Some(row.harm))}>
        <p>{ prose(&row.text) }</p>
        <ul class="mute">{ prose_items(&details) }</ul>
        if from != to {
            <button type="button" class="link" data-testid="set-compare" onclick={press(send, action)}>
                { format!("Compare {from} with {to}") }</button>
        }
    </li> }
}
