//! The overview of a catalog: whether `opm` accepts it, what changed, which packages have problems, and which are the
//! largest.

use super::compare::change_line;
use crate::kit::{folded, plural, press, prose};
use crate::parts::{answer, place_link, sign_of, words};
use crate::store::{Action, NavigationAction, State, Tab, largest_packages, troubled_packages};
use views::{CatalogRow, PackageRow, Rejection, Severity, first_and_more};
use yew::prelude::*;

/// How many files a text names.
const FILES_NAMED: usize = 3;
/// How many of the packages with problems are listed at once, and how many in all.
const TROUBLED: (usize, usize) = (40, 400);
/// How many of the largest packages are listed.
const LARGEST: usize = 8;

/// The overview.
pub(super) fn catalog_overview(state: &State, row: &CatalogRow, send: &Callback<Action>) -> Html {
    let troubled = troubled_packages(&state.overview, row.id);
    let (listed, others) = troubled.split_at(troubled.len().min(TROUBLED.1));
    let largest = largest_packages(&state.overview, row.id, LARGEST);
    html! {
        <section class="catalog-overview scroll" role="tabpanel" aria-label="Overview" data-testid="catalog-overview"
            tabindex="-1">
            { verdict(state, row, send) }
            { change_line(state, send) }
            <div class="columns">
                if !troubled.is_empty() {
                    <section aria-label="Packages with problems">
                        <h3>{ "Packages with problems " }<span class="number">{ troubled.len() }</span></h3>
                        { folded(listed, TROUBLED.0, " packages", |rows| html! {
                            <ul class="packages-of">{ for rows.iter().map(|row| problem(row, send)) }</ul> }) }
                        if !others.is_empty() {
                            <p class="mute">{ format!("{} more are in the list of packages.", others.len()) }</p>
                        }
                    </section>
                }
                if !largest.is_empty() {
                    <section aria-label="Largest packages">
                        <h3>{ "Largest packages" }</h3>
                        <ul class="packages-of">{ for largest.iter().map(|row| large(row, send)) }</ul>
                    </section>
                }
            </div>
        </section>
    }
}

/// Whether `opm` accepts the catalog, and what of it follows for clusters.
fn verdict(state: &State, row: &CatalogRow, send: &Callback<Action>) -> Html {
    let findings = press(send, Action::Navigation(NavigationAction::TabChosen(Tab::Findings)));
    let link = |text: String| html! { <button type="button" class="link" onclick={findings.clone()}>{ text }</button> };
    if state.is_preview {
        return html! { <p class="mute" role="status">{ "Reading the catalog…" }</p> };
    }
    if row.packages == 0 {
        let files = row.files.iter().filter(|file| !file.ignored).map(|file| &file.path);
        let names = first_and_more(files, FILES_NAMED);
        let title = match row.findings.errors {
            0 => format!("No olm.package found in {names}"),
            1 => format!("{names} cannot be read as a catalog: 1 error"),
            errors => format!("{names} cannot be read as a catalog: {errors} errors"),
        };
        let reason = html! { if row.findings.total() > 0 { { link("See why".to_owned()) } } };
        return answer(Some(Severity::Error), &title, reason, None, "catalog-verdict");
    }
    let tally = words(row.findings);
    let all = html! { if tally.is_empty() { { "No findings." } } else { { link(tally) } } };
    let packages = row.packages as usize;
    let size = format!("{packages} package{}. ", plural(packages));
    let Some(rejection) = &row.rejection else {
        let (severity, title) = accepted(state, row);
        return answer(severity, &title, html! { <>{ size }{ all }</> }, None, "catalog-verdict");
    };
    let title = "`opm` rejects this catalog: no cluster gets it";
    let reason = html! { <>{ cause(rejection) }{ " " }{ place_link(Some(&rejection.path), rejection.place, send) }
    { " " }{ all }</> };
    html! { <>
        { answer(Some(Severity::Error), title, reason, None, "catalog-verdict") }
        <pre data-testid="rejection">{ &rejection.text }</pre>
    </> }
}

/// What is said of a catalog that `opm` accepts: what is worst in it.
fn accepted(state: &State, row: &CatalogRow) -> (Option<Severity>, String) {
    let ranked = |rank: u32| {
        let packages = state.overview.packages.iter().filter(|package| package.key.catalog == row.id);
        packages.filter(|package| package.rank == rank).count()
    };
    let name = |count: usize| format!("{count} package{}", plural(count));
    let have = |count: usize| if count == 1 { "has" } else { "have" };
    let says = "`opm` accepts this catalog";
    match (ranked(1), ranked(2), ranked(3)) {
        (0, 0, 0) => (None, says.to_owned()),
        (0, 0, warned) => (Some(Severity::Warning), format!("{says}; {} {} warnings", name(warned), have(warned))),
        (0, broken, _) => {
            (Some(Severity::Error), format!("{says}, yet {} {} broken updates", name(broken), have(broken)))
        }
        (wrong, ..) => (Some(Severity::Error), format!("{says}, yet {} {} errors", name(wrong), have(wrong))),
    }
}

/// What the catalog is rejected for.
fn cause(Rejection { package, others, .. }: &Rejection) -> Html {
    let cause =
        package.as_ref().map_or_else(|| "The cause is at".to_owned(), |name| format!("The cause is in `{name}`"));
    let others = match others {
        0 => String::new(),
        1 => " and in 1 more package".to_owned(),
        many => format!(" and in {many} more packages"),
    };
    prose(&format!("{cause}{others}:"))
}

/// A package with its worst problem. It leads to its findings.
fn problem(row: &PackageRow, send: &Callback<Action>) -> Html {
    let onclick = press(send, Action::Navigation(NavigationAction::ProblemsShown(row.key.clone())));
    html! { <li><button type="button" data-testid="troubled-package" data-name={row.key.package.clone()} {onclick}>
        { sign_of(Some(if row.rank <= 2 { Severity::Error } else { Severity::Warning })) }<b>{ &row.key.package }</b>
        // What follows the first semicolon are details.
        <span>{ for row.problem.as_deref().and_then(|text| text.split("; ").next()).map(prose) }</span>
    </button></li> }
}

/// A package with its size. It leads to its graph.
fn large(row: &PackageRow, send: &Callback<Action>) -> Html {
    let onclick = press(send, Action::Navigation(NavigationAction::PackageSelected(row.key.clone())));
    let (channels, bundles) = (row.channels.len(), row.bundles as usize);
    html! { <li><button type="button" data-testid="large-package" data-name={row.key.package.clone()} {onclick}>
        <b>{ &row.key.package }</b>
        <span>{ format!("{bundles} bundle{} · {channels} channel{}", plural(bundles), plural(channels)) }</span>
    </button></li> }
}
