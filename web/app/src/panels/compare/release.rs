//! The strip above the views about a new bundle that was added to a catalog: its edges, and what it does to installed
//! versions.

use super::level;
use crate::kit::{button, press, prose};
use crate::store::{Action, CatalogsAction, NewBundleAction, Release, SimulationAction, State, Tab, shown_release};
use views::{Compared, ComparisonView, Download, Level, NewBundleView, TrialEntry};
use yew::prelude::*;

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
        (None, None) => (view.left == 0).then(|| (None, "nothing changes for what is installed".to_owned())),
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
