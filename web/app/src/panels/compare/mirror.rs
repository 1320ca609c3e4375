//! What oc-mirror makes of a catalog by an ImageSetConfiguration: which one, what is wrong with it, and which
//! `minVersion` strands nobody.

use crate::dom;
use crate::kit::prose;
use crate::parts::{rule_link, severity};
use crate::store::{Action, ImageSet, MirrorAction, State, mirrored_catalog};
use views::{CatalogId, MinVersionView, MirrorFinding, MirrorView, OcMirror};
use yew::prelude::*;

/// The section of the Compare tab about a configuration.
pub(super) fn mirror(state: &State, found: &ImageSet, send: &Callback<Action>) -> Html {
    let act = |action: MirrorAction| send.reform(move |_: MouseEvent| Action::Mirror(action.clone()));
    let send_typed = send.clone();
    let oninput = Callback::from(move |event: InputEvent| {
        if let Some(text) = dom::typed_text(&event) {
            send_typed.emit(Action::Mirror(MirrorAction::Typed(text)));
        }
    });
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
                    <button type="button" data-testid="image-set-remove" onclick={act(MirrorAction::Removed)}>
                        { "Remove" }</button>
                    <button type="button" class="primary" data-testid="image-set-apply"
                        onclick={act(MirrorAction::Applied)}>{ "Apply" }</button>
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
    let chosen = mirrored_catalog(state);
    let onchange = chosen_number(send, |id| MirrorAction::CatalogChosen(CatalogId(id)));
    html! { <label>{ "Catalog " }<select data-testid="mirror-catalog" {onchange}>
        { for rows.iter().map(|row| html! { <option value={row.id.0.to_string()} selected={chosen == Some(row.id)}>
            { &row.name }</option> }) }
    </select></label> }
}

/// The choice of the oc-mirror that filters.
fn releases(chosen: OcMirror, send: &Callback<Action>) -> Html {
    let onchange = chosen_text(send, |version| version.parse().ok().map(MirrorAction::ReleaseChosen));
    html! { <label>{ "oc-mirror of OpenShift " }<select data-testid="mirror-release" {onchange}>
        { for OcMirror::ALL.iter().rev().map(|release| html! { <option value={release.version()}
            selected={chosen == *release}>{ release.versions() }</option> }) }
    </select></label> }
}

/// Sends what the number of the chosen option means; the invitation to choose has none.
fn chosen_number(send: &Callback<Action>, action: impl Fn(u32) -> MirrorAction + 'static) -> Callback<Event> {
    chosen_text(send, move |text| text.parse().ok().map(&action))
}

/// Sends what the value of the chosen option means, if it means something.
fn chosen_text(send: &Callback<Action>, action: impl Fn(String) -> Option<MirrorAction> + 'static) -> Callback<Event> {
    let send = send.clone();
    Callback::from(move |event: Event| {
        if let Some(action) = action(dom::select_text(&event)) {
            send.emit(Action::Mirror(action));
        }
    })
}

fn answer(view: &MirrorView, send: &Callback<Action>) -> Html {
    let needs_choice = view.chosen.is_none() && view.catalogs.len() > 1;
    html! { <>
        <p class="mute">{ "As " }{ &view.follows }{ " filters the catalog." }</p>
        if view.catalogs.len() > 1 {
            <label>{ "Of the configuration: " }
                <select data-testid="mirror-item" onchange={chosen_number(send, MirrorAction::ItemChosen)}>
                <option value="" selected={needs_choice}>{ "Choose the catalog…" }</option>
                { for view.catalogs.iter().zip(0..).map(|(name, at)| html! { <option value={at.to_string()}
                    selected={view.chosen == Some(at)}>{ name }</option> }) }
            </select></label>
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
