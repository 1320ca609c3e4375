//! Which states are compared: two lists of catalogs, a switch that exchanges them, and ways to open the state before.

use super::level;
use crate::dom;
use crate::kit::{Glyph, Menu, button, on_input, press, prose, select};
use crate::parts::{rule_link, severity};
use crate::store::{
    Action, CatalogsAction, CompareAction, ImageSet, MirrorAction, NewBundleAction, Release, SimulationAction, State,
    Tab, inputs, mirrored_catalog, shown_release,
};
use views::{
    CatalogId, CatalogRow, Compared, ComparisonView, Download, Level, MinVersionView, MirrorFinding, MirrorView,
    NewBundleView, OcMirror, SideKey, TrialEntry,
};
use yew::prelude::*;

/// The tools above the comparison.
pub(super) fn side_tools(
    state: &State,
    compared: &Compared,
    is_ready: bool,
    send: &Callback<Action>,
    picked: &Callback<Event>,
) -> Html {
    let swap = send.reform(|_: MouseEvent| Action::Compare(CompareAction::Swapped));
    let copy = send.reform(|_: MouseEvent| Action::Compare(CompareAction::ReportCopied));
    let sides = format!("{} → {}", side_name(state, compared.before), side_name(state, compared.after));
    let label = html! { <>{ &sides }{ Glyph::Down.html() }</> };
    html! { <div class="tools sides">
        <Menu title={format!("{sides}: which states are compared")} {label} testid="compare-sides">
            { side_select(state, compared, true, send) }
            <button type="button" title="Exchange before and after" aria-label="Exchange before and after"
                data-testid="compare-swap" onclick={swap}>{ "⇄ Exchange" }</button>
            { side_select(state, compared, false, send) }
            { open_before(send, picked) }
        </Menu>
        <span class="grow"></span>
        <button type="button" disabled={!is_ready} title="For the comment of a pull request"
            data-testid="compare-copy" onclick={copy}>
            { Glyph::Copy.html() }{ "Copy as Markdown" }</button>
    </div> }
}

fn side_name(state: &State, side: SideKey) -> String {
    inputs(state).find(|row| row.id == side.catalog).map_or_else(String::new, |row| name_in(row, side.is_opened))
}

/// A catalog as it was opened, or as it is now.
fn name_in(row: &CatalogRow, is_opened: bool) -> String {
    match (is_opened, row.files.iter().any(|file| file.edited)) {
        (true, _) => format!("{} as opened", row.name),
        (false, true) => format!("{} with your edits", row.name),
        (false, false) => row.name.clone(),
    }
}

fn value(side: SideKey) -> String {
    format!("{}{}", side.catalog.0, if side.is_opened { " opened" } else { "" })
}

fn parse(value: &str) -> Option<SideKey> {
    let (id, is_opened) = match value.split_once(' ') {
        Some((id, _)) => (id, true),
        None => (value, false),
    };
    Some(SideKey { catalog: CatalogId(id.parse().ok()?), is_opened })
}

fn side_select(state: &State, compared: &Compared, is_before: bool, send: &Callback<Action>) -> Html {
    let (label, testid, on) = match is_before {
        true => ("Before", "compare-before", compared.before),
        false => ("After", "compare-after", compared.after),
    };
    let (before, after, send) = (compared.before, compared.after, send.clone());
    let onchange = Callback::from(move |event: Event| {
        if let Some(side) = parse(&dom::select_text(&event)) {
            let (before, after) = if is_before { (side, after) } else { (before, side) };
            send.emit(Action::Compare(CompareAction::SidesChosen { before, after }));
        }
    });
    let options = |row: &CatalogRow| {
        let side = |is_opened| SideKey { catalog: row.id, is_opened };
        let option = |side: SideKey| {
            html! { <option value={value(side)} selected={side == on}>{ name_in(row, side.is_opened) }</option> }
        };
        html! { <>{ option(side(false)) }{ option(side(true)) }</> }
    };
    // No label, which would close the menu.
    html! { <p><span class="mute">{ label }</span><select aria-label={label} data-testid={testid} {onchange}>
    { for inputs(state).map(options) }</select></p> }
}

/// The buttons that open the state before.
fn open_before(send: &Callback<Action>, picked: &Callback<Event>) -> Html {
    let awaited = send.reform(|_: MouseEvent| Action::Compare(CompareAction::BeforeAwaited));
    html! { <span class="add" role="group" aria-label="Open the version before">
        <label class="button" onclick={awaited.clone()}>
            <input type="file" multiple=true data-testid="pick-before" onchange={picked.clone()} />
            { "Compare with file…" }</label>
        <label class="button" onclick={awaited}>
            <input type="file" webkitdirectory=true data-testid="pick-before-folder" onchange={picked.clone()} />
            { "Folder…" }</label>
    </span> }
}

/// Whether both states are the same text, so that there is nothing to compare yet.
pub(super) fn is_side_missing(state: &State, compared: &Compared) -> bool {
    let is_edited =
        || inputs(state).any(|row| row.id == compared.after.catalog && row.files.iter().any(|file| file.edited));
    compared.before.catalog == compared.after.catalog && !is_edited()
}

/// What would be here, and how to get it.
pub(super) fn missing_side(send: &Callback<Action>, picked: &Callback<Event>) -> Html {
    let awaited = send.reform(|_: MouseEvent| Action::Compare(CompareAction::BeforeAwaited));
    html! { <div class="nothing-yet" data-testid="compare-missing">
        <h3>{ "What a change does to clusters" }</h3>
        <p>{ "Nothing is compared yet. Edit the source, or open the catalog as it was before the change." }</p>
        <label class="button" onclick={awaited}>
            <input type="file" multiple=true onchange={picked.clone()} />{ "Open the state before…" }</label>
    </div> }
}

// What oc-mirror makes of a catalog by an ImageSetConfiguration: which one, what is wrong with it, and which
// `minVersion` strands nobody.

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
    { " " }{ rule_link(&row.rule, "rule", send) }</li> }
}

fn min_version(row: &MinVersionView) -> Html {
    html! { <li>{ prose(&row.text) }{ "." }</li> }
}

// The strip above the views about a new bundle that was added to a catalog: its edges, and what it does to installed
// versions.

/// The strip, above the graph and the comparison of the package that has the bundle.
pub(crate) fn release(state: &State, send: &Callback<Action>) -> Html {
    let is_here = state.shows(Tab::Graph) || state.tab == Tab::Compare;
    let Some((new, release)) = shown_release(state).filter(|_| is_here) else { return Html::default() };
    let (before, after) = release.sides();
    let asked = Compared {
        before,
        after,
        levels: state.compare.levels.clone(),
        day: state.day.clone(),
        runtime: state.runtime,
        is_whole: false,
        by_comments_before: false,
    };
    let verdict = state.compare.view(&asked).and_then(|view| verdict(view, &new.package));
    let edges: Vec<String> = release.trial.entries.iter().map(edge).collect();
    html! {
        <section class="release" aria-label="New bundle" data-testid="release">
            <p class="headline" role="status">
                <b>{ &new.name }</b>
                // The comparison below says it itself.
                if state.tab != Tab::Compare {
                    { ": " }
                    if let Some((worst, sentence)) = &verdict {
                        { for worst.map(level) }{ " " }{ prose(sentence) }{ "." }
                    } else {
                        <span class="mute">{ "Comparing…" }</span>
                    }
                }
            </p>
            <p class="mute" data-testid="release-edges">{ version(new) }{ prose(&edges.join(" · ")) }</p>
            { actions(state, release, send) }
        </section>
    }
}

/// The worst level of the package, and what becomes of its installed versions.
fn verdict(view: &ComparisonView, package: &str) -> Option<(Option<Level>, String)> {
    let row = view.packages.iter().find(|row| row.key.package == package);
    match (row, view.not_comparable.first()) {
        (Some(row), None) => Some((row.levels.worst(), row.sentence.clone())),
        // With the number of versions that this harms.
        (Some(row), Some(reason)) => Some((row.levels.worst(), format!("{}. {reason}", row.sentence))),
        (None, Some(reason)) => Some((None, reason.clone())),
        (None, None) => (view.left == 0).then(|| (None, "no effect on clusters".to_owned())),
    }
}

fn version(new: &NewBundleView) -> String {
    if new.version.is_empty() { String::new() } else { format!("{} {} · ", new.package, new.version) }
}

/// An entry in a few words.
fn edge(entry: &TrialEntry) -> String {
    let TrialEntry { channel, replaces, skips, skip_range } = entry;
    let replaces = (!replaces.is_empty()).then(|| format!("replaces `{replaces}`"));
    let skips = (!skips.is_empty()).then(|| format!("skips `{}`", skips.join("`, `")));
    let range = (!skip_range.is_empty()).then(|| format!("skipRange `{skip_range}`"));
    let parts: Vec<String> = replaces.into_iter().chain(skips).chain(range).collect();
    let parts = if parts.is_empty() { "updates no version".to_owned() } else { parts.join(", ") };
    format!("`{channel}`: {parts}")
}

/// The buttons. What was edited since can no longer be undone as one.
fn actions(state: &State, release: &Release, send: &Callback<Action>) -> Html {
    html! {
        <p class="actions">
            { button("release-patch", "Patch", send, CatalogsAction::DownloadAsked(Download::Patch(release.catalog))) }
            if release.undo.revision == state.revision {
                { button("release-revise", "Change the edges…", send, NewBundleAction::Revised) }
                { button("release-undo", "Undo", send, SimulationAction::FixUndone(release.undo.clone())) }
            }
            <button type="button" class="quiet" aria-label="Keep it, and hide this" title="Keep it, and hide this"
                data-testid="release-keep" onclick={press(send, NewBundleAction::Kept)}>
                { "✕" }
            </button>
        </p>
    }
}
