//! Catalogs for several versions of OpenShift: a matrix of packages and versions, and plans of an update.

use super::plan::plan;
use crate::kit::{Glyph, Menu, plural, press, prose, prose_items};
use crate::parts::{answer, sign_of};
use crate::store::{Action, SetAction, State};
use std::collections::{BTreeMap, BTreeSet};
use views::{Level, OpenShift, SetCell, SetChange, SetFinding, SetPackage, SetRow, SetView, Severity};
use yew::prelude::*;

/// Of so many packages all findings are unfolded.
const SMALL: usize = 5;

/// The set in the place of catalogs and packages; nothing if none is shown.
pub(crate) fn shown_set(state: &State, send: &Callback<Action>) -> Option<Html> {
    let shown = state.sets.shown?;
    let row = state.overview.sets.iter().find(|row| row.id == shown)?;
    Some(html! { <section id="package" class="package set" tabindex="-1" data-testid="set">
        { set(state, row, send) }
    </section> })
}

fn set(state: &State, row: &SetRow, send: &Callback<Action>) -> Html {
    let (leave, remove) = (Action::Set(SetAction::Left), Action::Set(SetAction::Removed(row.id)));
    let others = state.overview.sets.iter().filter(|other| other.id != row.id && !other.is_baseline);
    html! { <>
        <div class="bar">
            <div class="title">
                <h2>{ &row.name }</h2>
                <small class="mute">{ about(row) }</small>
            </div>
            if !state.overview.catalogs.is_empty() {
                <button type="button" class="quiet" data-testid="set-leave" onclick={press(send, leave)}>
                    { "Back to the catalogs" }</button>
            }
            <Menu label={Glyph::More.html()} title="More about the set" testid="set-menu">
                { for others.map(|other| compare_with(other, send)) }
                <button type="button" class="danger" data-testid="set-remove" onclick={press(send, remove)}>
                    { "Remove" }</button>
            </Menu>
        </div>
        <div class="scroll">
            if state.sets.shows_plan {
                { plan(state, row, send) }
            } else if let Some(view) = &state.sets.view {
                { matrix(view, state, send) }
            } else {
                <p class="mute waiting">{ "Checking the catalogs…" }</p>
            }
        </div>
    </> }
}

/// Compares the set with another one, as the state before a change.
fn compare_with(other: &SetRow, send: &Callback<Action>) -> Html {
    let onclick = press(send, SetAction::BaselineChosen(other.id));
    html! { <button type="button" data-testid="set-baseline" {onclick}>
    { format!("Compare with {}, as it was before", other.name) }</button> }
}

pub(super) fn set_tabs(state: &State, send: &Callback<Action>) -> Html {
    let tab = |(shows_plan, id, name): (bool, &'static str, &'static str)| {
        let is_shown = shows_plan == state.sets.shows_plan;
        html! { <button type="button" role="tab" data-testid={id} aria-selected={is_shown.to_string()}
        onclick={press(send, SetAction::PlanChosen(shows_plan))}>{ name }</button> }
    };
    let tabs = [(false, "tab-matrix", "Matrix"), (true, "tab-plan", "Plan")];
    html! { <div class="tabs" role="tablist" aria-label="Views of the set">{ for tabs.map(tab) }</div> }
}

fn about(row: &SetRow) -> String {
    let (members, packages) = (row.versions.len(), row.packages as usize);
    let ends = row.versions.first().zip(row.versions.last());
    let versions = ends.map(|(first, last)| format!(" for OpenShift {first} to {last}")).unwrap_or_default();
    format!("{members} catalog{}{versions} · {packages} package{}", plural(members), plural(packages))
}

/// The sets as a list that leads to each.
pub(crate) fn set_list(sets: &[SetRow], send: &Callback<Action>) -> Html {
    let sets: Vec<&SetRow> = sets.iter().filter(|row| !row.is_baseline).collect();
    let row = |row: &&SetRow| {
        let onclick = press(send, SetAction::Shown(row.id));
        html! { <li key={row.id.0}><button type="button" class="set-row" data-testid="set-row" {onclick}>
            <b>{ &row.name }</b><span class="mute">{ format!("{} catalogs", row.versions.len()) }</span>
        </button></li> }
    };
    html! { if !sets.is_empty() {
        <ul class="sets" aria-label="Catalogs for several versions of OpenShift">{ for sets.iter().map(row) }</ul>
    } }
}

fn matrix(view: &SetView, state: &State, send: &Callback<Action>) -> Html {
    let chosen = state.sets.package.as_deref();
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
    // Then what is wrong has its place at once, and a click folds it.
    let is_small = rows.len() <= SMALL;
    let stranding = view.stranding();
    html! { <>
        { for view.changes.as_ref().filter(|_| !state.is_preview).map(|changes| what_changes(changes, send)) }
        { set_answer(view, &stranding, state.is_preview, send) }
        <table class="matrix">
            <thead><tr><th scope="col">{ "Package" }</th>
                { for view.versions().map(|version| column(version, &stranding)) }
            </tr></thead>
            <tbody>
                { for rows.iter().map(|row| {
                    package(row, columns, (chosen == Some(&*row.package.package)) != is_small, send)
                }) }
            </tbody>
        </table>
        <p class="mute key">
            { sign_of(Some(Severity::Error)) }{ "updates stop with the next OpenShift" }
            { sign_of(Some(Severity::Warning)) }{ "likely a mistake" }
            { sign_of(Some(Severity::Hint)) }{ "note" }
            <span>{ "A bar has the head of the default channel and leads to the comparison of two catalogs." }</span>
        </p>
        <ul class="changes mute">{ prose_items(&notices) }</ul>
    </> }
}

/// What a change does to the catalogs, the worst first, each with the way to the comparison of its states.
fn what_changes(changes: &[SetChange], send: &Callback<Action>) -> Html {
    let mut changes: Vec<&SetChange> = changes.iter().collect();
    changes.sort_by_key(|change| std::cmp::Reverse(change.level));
    let severity = match changes.first().and_then(|change| change.level) {
        Some(Level::Breaking) => Some(Severity::Error),
        Some(Level::Risky) => Some(Severity::Warning),
        _ => None,
    };
    let is_bad = |change: &&&SetChange| change.level >= Some(Level::Risky);
    let bad: BTreeSet<&str> = changes.iter().filter(is_bad).map(|change| &*change.package).collect();
    let bad = bad.len();
    let title = match (changes.len(), bad) {
        (0, _) => "The change has no effect on clusters".to_owned(),
        (_, 0) => "The change makes nothing worse".to_owned(),
        (_, bad) => format!("The change makes {bad} package{} worse", plural(bad)),
    };
    let row = |change: &&SetChange| {
        let versions = OpenShift::list(&change.versions);
        let button = change.versions.first().map(|version| {
            let action = Action::Set(SetAction::StatesOpened { package: change.package.clone(), version: *version });
            html! { <button type="button" class="link" data-testid="set-states" onclick={press(send, action)}>
            { format!("Compare {version} before and after") }</button> }
        });
        html! { <li class={classes!(level_class(change.level))}>
            <p><b>{ &change.package }</b>{ format!(" in {versions}: ") }{ prose(&change.sentence) }</p>
            { for button }
        </li> }
    };
    let list = html! { <ul class="set-findings" data-testid="set-changes">{ for changes.iter().map(row) }</ul> };
    answer(severity, &title, list, None, "set-change")
}

const fn level_class(level: Option<Level>) -> &'static str {
    class(match level {
        Some(Level::Breaking) => Some(Severity::Error),
        Some(Level::Risky) => Some(Severity::Warning),
        Some(Level::Neutral | Level::Good) | None => None,
    })
}

/// How many packages have operators that stop updating, and with which updates of OpenShift most do.
fn set_answer(
    view: &SetView,
    stranding: &BTreeMap<OpenShift, usize>,
    is_preview: bool,
    send: &Callback<Action>,
) -> Html {
    // What is said of a part of the catalogs may turn into the opposite.
    if is_preview {
        return answer(Some(Severity::Hint), "Reading the catalogs…", Html::default(), None, "set-answer");
    }
    let most = stranding.values().copied().max().unwrap_or_default();
    let versions: Vec<OpenShift> = view.versions().collect();
    let steps = versions.windows(2).filter(|pair| most > 0 && stranding.get(&pair[1]) == Some(&most));
    let steps: Vec<String> = steps.map(|pair| format!("{} → {}", pair[0], pair[1])).collect();
    let (s, are) = if steps.len() == 1 { ("", "is") } else { ("s", "are") };
    let each = if steps.len() == 1 { "" } else { " each" };
    let reason = match (steps.is_empty(), versions.len() > 2) {
        (false, true) => {
            format!("The hardest step{s} {are} {}: {most} package{}{each}.", steps.join(", "), plural(most))
        }
        _ => String::new(),
    };
    let severity = match view.is_bad() {
        _ if !view.harmful.is_empty() => Some(Severity::Error),
        true => Some(Severity::Warning),
        false => None,
    };
    let plan = press(send, SetAction::PlanChosen(true));
    let action = html! { <button type="button" class="primary" data-testid="set-plan" onclick={plan}>
    { "Plan my update" }</button> };
    answer(severity, &view.sentence, html! { { reason } }, Some(action), "set-answer")
}

/// The head of a column, with a bar for the packages with operators that stop updating with that version.
fn column(version: OpenShift, stranding: &BTreeMap<OpenShift, usize>) -> Html {
    const HIGHEST: usize = 24;
    let most = stranding.values().copied().max().unwrap_or_default().max(1);
    let bar = stranding.get(&version).filter(|count| **count > 0).map(|count| {
        let (height, title) = ((HIGHEST * count / most).max(4), format!("{count} package{}", plural(*count)));
        html! { <span class="stranding" role="img" aria-label={title.clone()} {title}>
            <svg width="12" height={height.to_string()}><rect width="12" height={height.to_string()} rx="2" /></svg>
            { count }
        </span> }
    });
    html! { <th scope="col">{ for bar }{ version.to_string() }</th> }
}

/// A package, and what is wrong with it, the worst first.
struct Row<'v> {
    package: &'v SetPackage,
    worst: Option<Severity>,
    clusters: Vec<&'v SetFinding>,
    /// About the repository that its catalogs are made from.
    repository: Vec<&'v SetFinding>,
}

fn package(row: &Row<'_>, columns: usize, is_open: bool, send: &Callback<Action>) -> Html {
    let name = &row.package.package;
    let onclick = press(send, SetAction::PackageChosen(name.clone()));
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
                <button type="button" class="plain" disabled={is_empty} aria-expanded={is_open.to_string()} {onclick}>
                    { name }
                    if count > 1 { <small class="mute">{ format!(" {count}") }</small> }
                </button>
            </th>
            { for row.package.cells.iter().map(|one| cell(row.package, one, send)) }
        </tr>
        if is_open && !is_empty {
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
        let is_first = row.cells.first() == Some(cell);
        let text = if is_first { String::new() } else { format!("not in {}", cell.from) };
        return html! { <td class="absent" colspan={span}><span class="mute">{ text }</span></td> };
    }
    let (from, to) = cell.pair;
    let action = Action::Set(SetAction::PairOpened { package: row.package.clone(), from, to });
    html! { <td colspan={span}><button type="button" class={classes!("plain", "span", class(cell.worst))}
        title={cell.label.clone()} aria-label={cell.label.clone()} data-testid="set-cell"
        onclick={press(send, action)}>
        <span>{ &cell.text }</span>
        if cell.worst.is_some() { <i aria-hidden="true">{ sign_of(cell.worst) }</i> }
    </button></td> }
}

const fn class(worst: Option<Severity>) -> &'static str {
    match worst {
        Some(Severity::Error) => "error",
        Some(Severity::Warning) => "warning",
        Some(Severity::Hint) => "hint",
        None => "fine",
    }
}

fn finding(row: &SetFinding, package: &str, send: &Callback<Action>) -> Html {
    let (from, to) = row.pair();
    let action = Action::Set(SetAction::PairOpened { package: package.to_owned(), from, to });
    let way_out = row.way_out.iter().map(|way| format!("way out: {}", way.text));
    let details: Vec<String> = row.installed.iter().cloned().chain(way_out).collect();
    html! { <li class={class(Some(row.harm))}>
        <p title={row.id.clone()}>{ prose(&row.text) }</p>
        <ul class="mute">{ prose_items(&details) }</ul>
        if from != to {
            <button type="button" class="link" data-testid="set-compare" onclick={press(send, action)}>
                { format!("Compare {from} with {to}") }</button>
        }
    </li> }
}
