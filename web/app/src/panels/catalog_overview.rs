//! The overview of a catalog: whether `opm` accepts it, what is stuck, what changed, and which packages have problems.

use super::compare::change_line;
use crate::graph::small_chain;
use crate::kit::{folded, plural, press, prose};
use crate::parts::{answer, place_link, repair_all, sign_of, tally, words};
use crate::store::{Action, NavigationAction, State, Tab, troubled_packages};
use views::{CatalogRow, PackageRow, Rejection, RepairsView, Runtime, Severity, first_and_more};
use yew::prelude::*;

/// How many files a text names.
const FILES_NAMED: usize = 3;
/// How many of the packages with problems are listed at once, and how many in all.
const TROUBLED: (usize, usize) = (40, 400);

pub(super) fn catalog_overview(state: &State, row: &CatalogRow, send: &Callback<Action>) -> Html {
    let troubled = troubled_packages(&state.overview, row.id, state.runtime);
    let (stuck, others): (Vec<&PackageRow>, Vec<&PackageRow>) =
        troubled.iter().partition(|package| package.problem(state.runtime).stuck.is_some());
    let (listed, more) = others.split_at(others.len().min(TROUBLED.1));
    html! {
        <section class="catalog-overview scroll" role="tabpanel" aria-label="Overview" data-testid="catalog-overview"
            tabindex="-1">
            { verdict(state, row, send) }
            if row.rejection.is_none() && !state.is_preview { { bar(row.packages, stuck.len(), others.len()) } }
            { change_line(state, send) }
            if !stuck.is_empty() {
                <section aria-label="Stuck versions">
                    <h3>{ "Stuck versions" }</h3>
                    <ul class="stuck-cards">{ for stuck.iter().map(|row| card(state, row, send)) }</ul>
                </section>
            }
            if !others.is_empty() {
                <section aria-label="Packages with problems">
                    <h3>{ if row.rejection.is_some() { "Problems" } else { "Warnings" } }
                        <small class="mute">{ counted(others.len(), "package") }</small></h3>
                    { folded(listed, TROUBLED.0, " packages", |rows| html! {
                        <ul class="packages-of">
                            { for rows.iter().map(|row| problem(row, state.runtime, send)) }
                        </ul> }) }
                    if !more.is_empty() {
                        <p class="mute">{ format!("{} more are in the list of packages.", more.len()) }</p>
                    }
                </section>
            }
        </section>
    }
}

/// The packages as one bar: with stuck versions, with other problems, without.
fn bar(packages: u32, stuck: usize, others: usize) -> Html {
    let (stuck, others) = (stuck as u32, others as u32);
    let without = packages.saturating_sub(stuck + others);
    if stuck + others == 0 {
        return Html::default();
    }
    let parts = [
        (stuck, "error", format!("package{} with stuck versions", plural(stuck as usize))),
        (others, "warning", if stuck == 0 { "with problems".to_owned() } else { "with other problems".to_owned() }),
        (without, "rest", "without".to_owned()),
    ];
    tally(&parts, "catalog-tally")
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", plural(count))
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
    let size = counted(row.packages as usize, "package");
    let Some(rejection) = &row.rejection else {
        let (severity, title, consequence) = accepted(state, row);
        let reason = html! { <>{ size }{ ". " }{ consequence }{ " " }{ all }</> };
        // The page asks for the repairs of the first packages only. The button would leave out the others.
        let stuck = troubled_packages(&state.overview, row.id, state.runtime);
        let stuck = stuck.iter().filter(|row| row.problem(state.runtime).stuck.is_some()).count();
        let (packages, views) = &state.explore.repairs;
        let action = (packages.len() == stuck).then(|| repair_all(views, 1, send)).flatten();
        return answer(severity, &title, reason, action, "catalog-verdict");
    };
    let title = format!("No cluster gets this catalog: {} rejects it", rejection.opm);
    let reason = html! { <>{ cause(rejection) }{ " " }{ place_link(Some(&rejection.path), rejection.place, send) }
    { " " }{ all }</> };
    html! { <>
        { answer(Some(Severity::Error), &title, reason, None, "catalog-verdict") }
        <pre data-testid="rejection">{ &rejection.text }</pre>
    </> }
}

/// What is said of a catalog that `opm` accepts: what is worst in it, and what that means for clusters.
fn accepted(state: &State, row: &CatalogRow) -> (Option<Severity>, String, &'static str) {
    let packages = state.overview.packages.iter().filter(|package| package.key.catalog == row.id);
    let problems = || packages.clone().map(|package| package.problem(state.runtime));
    let ranked = |rank: u32| problems().filter(|problem| problem.rank == rank).count();
    let versions: u32 = problems().filter_map(|problem| Some(problem.stuck.as_ref()?.versions)).sum();
    let verb = |count: usize, one: &'static str, many: &'static str| if count == 1 { one } else { many };
    let says = "`opm` accepts this catalog";
    match (ranked(1), ranked(2), ranked(3)) {
        (0, 0, 0) => (None, says.to_owned(), ""),
        (0, 0, warned) => {
            let have = verb(warned, "has", "have");
            (Some(Severity::Warning), format!("{says}; {} {have} warnings", counted(warned, "package")), "")
        }
        (0, packages, _) => {
            let (versions, are) = (versions as usize, verb(versions as usize, "is", "are"));
            let (versions, packages) = (counted(versions, "version"), counted(packages, "package"));
            let consequence = "Installed at one of them, an operator stops updating and OLM reports no error.";
            (Some(Severity::Error), format!("{says}, yet {versions} in {packages} {are} stuck"), consequence)
        }
        (wrong, ..) => {
            let have = verb(wrong, "has", "have");
            (Some(Severity::Error), format!("{says}, yet {} {have} errors", counted(wrong, "package")), "")
        }
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

/// A package with stuck versions: how many and why, and the way of one of them. It leads to its graph.
fn card(state: &State, row: &PackageRow, send: &Callback<Action>) -> Html {
    let own: Vec<&RepairsView> =
        state.explore.repairs.1.iter().filter(|view| view.package == row.key.package).collect();
    let lines: usize = own.iter().filter_map(|view| view.lines()).sum();
    let is_whole = !own.is_empty() && own.iter().all(|view| view.lines().is_some() && view.reason.is_none());
    let repairs = if lines == 1 { "repairs" } else { "repair" };
    let onclick = press(send, Action::Navigation(NavigationAction::PackageSelected(row.key.clone())));
    html! { <li><button type="button" data-testid="troubled-package" data-name={row.key.package.clone()} {onclick}>
        { for row.problem(state.runtime).stuck.as_ref().map(|stuck| html! { <>
            <span><b>{ &row.key.package }</b>{ " " }<small class="mute">{ &stuck.chain.channel }</small>
                <span>{ prose(&stuck.sentence) }</span></span>
            { small_chain(&stuck.chain.steps) }
            <span class="proof">
                if is_whole { <span class="badge fine">{ format!("{} {repairs} it", counted(lines, "line")) }</span> }
            </span>
        </> }) }
    </button></li> }
}

/// A package with its worst problem. It leads to its findings.
fn problem(row: &PackageRow, runtime: Runtime, send: &Callback<Action>) -> Html {
    let found = row.problem(runtime);
    let onclick = press(send, Action::Navigation(NavigationAction::ProblemsShown(row.key.clone())));
    let count = row.findings.errors + row.findings.warnings;
    html! { <li><button type="button" data-testid="troubled-package" data-name={row.key.package.clone()} {onclick}>
        { sign_of(Some(if found.rank <= 2 { Severity::Error } else { Severity::Warning })) }<b>{ &row.key.package }</b>
        <span>{ for found.message.as_deref().map(prose) }</span>
        if count > 1 { <small class="mute">{ format!("{count} findings") }</small> }
    </button></li> }
}
