//! What oc-mirror makes of a catalog by an ImageSetConfiguration: which one, what is wrong with it, and which
//! `minVersion` strands nobody.

use crate::kit::{button, on_input, press, prose, select};
use crate::parts::{rule_link, severity};
use crate::store::{Action, ImageSet, MirrorAction, State, mirrored_catalog};
use views::{CatalogId, MinVersionView, MirrorFinding, MirrorView, OcMirror};
use yew::prelude::*;

/// The section of the Compare tab about a configuration.
pub(super) fn mirror(state: &State, found: &ImageSet, send: &Callback<Action>) -> Html {
    let oninput = on_input(send, MirrorAction::Typed);
    let view = found.view.as_deref();
    html! {
        <section class="mirror" aria-label="Mirror" data-testid="mirror">
            <h3>{ "What a mirror keeps" }</h3>
            { catalogs(state, send) }
            { releases(found.release, send) }
            if let Some(view) = view { { answer(view, send) } }
            <details class="levels" open={view.is_some_and(|view| view.mirrored.is_none())}><summary>
                { "ImageSetConfiguration" }</summary>
                <label>{ "Change it here to see what another mirror would do." }
                    <textarea rows="12" spellcheck="false" data-testid="image-set-text" value={found.config.clone()}
                        {oninput} /></label>
                <p class="actions">
                    { button("image-set-remove", "Remove", send, MirrorAction::Removed) }
                    <button type="button" class="primary" data-testid="image-set-apply"
                        onclick={press(send, MirrorAction::Applied)}>{ "Apply" }</button>
                </p>
            </details>
        </section>
    }
}

/// The choice of the catalog, if there are several.
fn catalogs(state: &State, send: &Callback<Action>) -> Html {
    let rows = &state.overview.catalogs;
    if rows.len() < 2 {
        return Html::default();
    }
    let on = mirrored_catalog(state).map(|id| id.0.to_string()).unwrap_or_default();
    let options = rows.iter().map(|row| (row.id.0.to_string(), row.name.clone()));
    let chosen = |id: String| Some(MirrorAction::CatalogChosen(CatalogId(id.parse().ok()?)));
    html! { <label>{ "Catalog " }{ select("mirror-catalog", options, &on, send, chosen) }</label> }
}

/// The choice of the oc-mirror that filters.
fn releases(chosen: OcMirror, send: &Callback<Action>) -> Html {
    let options =
        OcMirror::ALL.iter().rev().map(|release| (release.version().to_owned(), release.versions().to_owned()));
    let choose = |version: String| version.parse().ok().map(MirrorAction::ReleaseChosen);
    html! { <label>{ "oc-mirror of OpenShift " }
    { select("mirror-release", options, chosen.version(), send, choose) }</label> }
}

fn answer(view: &MirrorView, send: &Callback<Action>) -> Html {
    // The invitation to choose has no number.
    let invitation = std::iter::once((String::new(), "Choose the catalog…".to_owned()));
    let catalogs = view.catalogs.iter().zip(0..).map(|(name, at)| (at.to_string(), name.clone()));
    let on = view.chosen.map(|at| at.to_string()).unwrap_or_default();
    let choose = |at: String| at.parse().ok().map(MirrorAction::ItemChosen);
    html! { <>
        <p class="mute">{ "As " }{ &view.follows }{ " filters the catalog." }</p>
        if view.catalogs.len() > 1 {
            <label>{ "Of the configuration: " }
                { select("mirror-item", invitation.chain(catalogs), &on, send, choose) }</label>
        }
        if !view.findings.is_empty() {
            <ul class="changes" data-testid="mirror-findings">
                { for view.findings.iter().map(|row| finding(row, send)) }</ul>
        }
        if !view.min_versions.is_empty() {
            <ul class="changes" data-testid="min-versions">{ for view.min_versions.iter().map(min_version) }</ul>
        }
    </> }
}

fn finding(row: &MirrorFinding, send: &Callback<Action>) -> Html {
    html! { <li>{ severity(row.severity) }{ " " }{ format!("Line {}: ", row.line) }{ prose(&row.message) }
    if let Some(help) = &row.help { { ". " }{ prose(help) } }
    { " " }{ rule_link(&row.rule, send) }</li> }
}

fn min_version(row: &MinVersionView) -> Html {
    html! { <li>{ prose(&row.text) }{ "." }</li> }
}
