//! What the worker says, taken into the state. Answers to older inputs, or about something that is no longer
//! selected, are dropped here.

use super::state::Wanted;
use super::update::{ask_package, deselect, select};
use super::worker::{ask, notify, ready, settle, wanted};
use super::{Editor, Effect, Goal, NoticeKind, Pane, Shared, State};
use super::{code, explore, play, selected_source, sides, visit};
use std::collections::BTreeSet;
use views::{
    Answer, Ask, CatalogId, GraphFormat, IconRow, OpenedExample, Overview, PackageKey, Reply, SourceView, TextPurpose,
};

/// Takes a reply.
pub(super) fn take(state: &mut State, effects: &mut Vec<Effect>, reply: Reply) {
    let number = settle(state, &reply);
    match reply.answer {
        Answer::Ready => ready(state, effects),
        Answer::Progress { stage, done, total } => state.progress = Some((stage, done, total)),
        Answer::Icons(rows) => take_icons(state, rows),
        Answer::Manifests { text } => take_manifests(state, effects, &text),
        Answer::Example(opened) => {
            visit::replaced(state, reply.revision);
            take_example(state, effects, opened);
        }
        Answer::Arrived { page } => visit::arrived(state, effects, reply.revision, &page),
        Answer::NotArrived(fault) => visit::not_arrived(state, fault),
        Answer::SoFar(overview) if reply.revision == state.revision => take_part(state, effects, overview),
        Answer::Cancelled { restoring } => {
            state.worker.not_restored |= restoring;
            notify(state, if restoring { NoticeKind::NotRestored } else { NoticeKind::Cancelled });
        }
        Answer::NotStored { reason } => notify(state, NoticeKind::NotStored { reason }),
        answer => {
            if let Some(number) = number {
                take_answer(state, effects, number, answer);
            }
        }
    }
}

fn take_answer(state: &mut State, effects: &mut Vec<Effect>, number: u32, answer: Answer) {
    match answer {
        Answer::Overview(overview) => {
            state.worker.kept = state.worker.not_restored;
            take_overview(state, effects, overview);
        }
        Answer::Graph { package, graph } if state.selection.package.as_ref() == Some(&package) => {
            renew(&mut state.graph, graph);
        }
        Answer::GraphText { package, format, purpose, text: Some(text) } => effects.push(match purpose {
            TextPurpose::Copy => Effect::Copy(text.into()),
            TextPurpose::Save => {
                let (ending, kind) = file_kind(format);
                Effect::SaveFile { name: format!("{}.{ending}", package.package), kind, text }
            }
        }),
        Answer::Entry { package, entry, view }
            if state.selection.package.as_ref() == Some(&package) && state.selection.entry.as_ref() == Some(&entry) =>
        {
            renew(&mut state.entry, view.map(|view| *view));
            selected_source::told(state, effects);
        }
        Answer::Subject { package, subject, view }
            if state.selection.package.as_ref() == Some(&package)
                && explore::told_subject(state).as_ref() == Some(&subject) =>
        {
            renew(&mut state.explore.about, view.map(|view| *view));
            selected_source::told(state, effects);
        }
        Answer::Reach { package, first, view } if state.selection.package.as_ref() == Some(&package) => {
            explore::take_reach(state, effects, package, first, view);
        }
        Answer::Way { package, from, to, view } if state.selection.package.as_ref() == Some(&package) => {
            if let Some(way) = state.explore.way.as_mut().filter(|way| way.from == from && way.to == to) {
                renew(&mut way.view, view.map(|view| *view));
            }
        }
        Answer::Findings(view) => state.findings.view.renew(view),
        Answer::Exported(text) => sides::exported(state, effects, &text),
        Answer::Timeline(view) => renew(&mut state.simulation.timeline, Some(view)),
        Answer::WhyNot(view) => renew(&mut state.simulation.why_not, Some(view)),
        Answer::Examples(themes) => state.examples.renew(themes),
        Answer::Shared(view) => visit::shared(state, view),
        Answer::Source(view) => take_source(state, effects, number, view),
        answer @ (Answer::File(_) | Answer::Here(_)) => code::take(state, effects, number, answer),
        Answer::Simulation(view) => {
            if state.simulation.outcome >= view.outcomes.len() {
                state.simulation.outcome = 0;
            }
            renew(&mut state.simulation.view, Some(view));
            if state.simulation.turning {
                sides::to_form(state);
            }
        }
        _ => {}
    }
}

/// The ending of a file's name, and its media type.
const fn file_kind(format: GraphFormat) -> (&'static str, &'static str) {
    match format {
        GraphFormat::Mermaid => ("mmd", "text/plain"),
        GraphFormat::Dot => ("dot", "text/vnd.graphviz"),
        GraphFormat::Json => ("json", "application/json"),
    }
}

fn renew<T: PartialEq>(slot: &mut Option<Shared<T>>, value: Option<T>) {
    match (slot.as_mut(), value) {
        (Some(old), Some(value)) => old.renew(value),
        (None, Some(value)) => *slot = Some(Shared::new(value)),
        (_, None) => *slot = None,
    }
}

fn take_icons(state: &mut State, rows: Vec<IconRow>) {
    let mut icons = (*state.icons).clone();
    icons.extend(rows.into_iter().map(|row| (row.key, row.url.into())));
    state.icons.renew(icons);
}

/// Takes manifests that were opened or pasted as if they were a catalog. They are run with the overview that follows.
fn take_manifests(state: &mut State, effects: &mut Vec<Effect>, text: &str) {
    let undo = !state.simulation.manifests.trim().is_empty() || !state.simulation.cluster.subscriptions.is_empty();
    run_manifests(state, effects, text);
    state.pane = Pane::Simulation;
    // Where nothing was before, what is in sight says it.
    if undo {
        notify(state, NoticeKind::ManifestsFound);
    }
}

fn take_example(state: &mut State, effects: &mut Vec<Effect>, opened: OpenedExample) {
    run_manifests(state, effects, &opened.cluster);
    state.simulation.replaced = None;
    state.pane = Pane::Simulation;
    state.example = Some(opened.slug);
    state.wanted = Some(Wanted { catalog: String::new(), package: opened.package, entry: None });
}

fn run_manifests(state: &mut State, effects: &mut Vec<Effect>, text: &str) {
    state.simulation.replace_manifests(text);
    state.opened += 1;
    state.simulation.ran = true;
    state.simulation.outcome = 0;
    effects.push(Effect::SaveManifests(state.simulation.manifests.clone()));
}

/// Takes what can be used of something that is being loaded. A selection that waits for its package goes on waiting.
fn take_part(state: &mut State, effects: &mut Vec<Effect>, overview: Overview) {
    if !state.partial {
        state.partial = true;
        state.displaced = wanted(state);
    }
    let waits = state.wanted.as_ref().is_some_and(|wanted| resolve(&overview, wanted).is_none());
    if waits {
        state.overview.renew(overview);
    } else {
        select_anew(state, effects, overview);
    }
}

fn take_overview(state: &mut State, effects: &mut Vec<Effect>, overview: Overview) {
    state.partial = false;
    let gone = |key: &PackageKey| overview.packages.iter().all(|row| row.key != *key);
    // Nothing came of what took its place: it was cancelled.
    if let Some(displaced) = state.displaced.take()
        && state.selection.package.as_ref().is_some_and(gone)
    {
        state.wanted.get_or_insert(displaced);
    }
    select_anew(state, effects, overview);
    refresh_source(state, effects);
    code::refresh(state, effects);
    play::run(state, effects);
}

/// Takes an overview and selects what is new in it, or what was selected before.
fn select_anew(state: &mut State, effects: &mut Vec<Effect>, overview: Overview) {
    let known: BTreeSet<CatalogId> = state.overview.catalogs.iter().map(|row| row.id).collect();
    state.overview.renew(overview);
    let selection = state.selection.clone();
    let kept = selection.package.filter(|key| state.overview.packages.iter().any(|row| row.key == *key));
    let wanted = state.wanted.clone();
    let back = wanted.as_ref().and_then(|wanted| resolve(&state.overview, wanted));
    let added = state.overview.packages.iter().find(|row| !known.contains(&row.key.catalog));
    if let Some(key) = back {
        select(state, effects, key, wanted.and_then(|wanted| wanted.entry));
    } else if let Some(key) =
        added.or(state.overview.packages.first().filter(|_| kept.is_none())).map(|r| r.key.clone())
    {
        select(state, effects, key, None);
        effects.push(Effect::RevealPackage);
    } else if kept.is_none() {
        deselect(state);
        ask_package(state, effects);
    } else {
        ask_package(state, effects);
    }
}

/// The loaded package of a name, in the catalog of a name if that has it.
pub(super) fn resolve(overview: &Overview, wanted: &Wanted) -> Option<PackageKey> {
    let named = |id| overview.catalogs.iter().any(|row| row.id == id && row.name == wanted.catalog);
    let of_name = || overview.packages.iter().filter(|row| row.key.package == wanted.package);
    of_name().find(|row| named(row.key.catalog)).or_else(|| of_name().next()).map(|row| row.key.clone())
}

/// Asks for the marks of the excerpt again, or lets it go with its file.
fn refresh_source(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(editor) = &state.editor else { return };
    let (path, at) = (editor.view.path.clone(), editor.anchor());
    let files = || state.overview.catalogs.iter().flat_map(|row| &row.files);
    // After a restart the same file has another key.
    let file = files()
        .find(|row| row.file == editor.file() && row.path == path)
        .or_else(|| files().find(|row| row.path == path));
    match file.map(|row| row.file) {
        Some(file) if file == editor.file() => {
            if state.goal.is_none() {
                ask(state, effects, Ask::Source { file, start: at, end: at });
            }
        }
        Some(file) => state.goal = Some(ask(state, effects, Ask::Source { file, start: at, end: at })),
        None => state.editor = None,
    }
}

fn take_source(state: &mut State, effects: &mut Vec<Effect>, number: u32, view: Option<SourceView>) {
    let awaited = state.goal == Some(number);
    if awaited {
        state.goal = None;
    }
    match (view, &mut state.editor) {
        (Some(view), Some(editor)) if !awaited => editor.refresh(view),
        (Some(view), _) if awaited => {
            let (editor, Goal { start, end }) = Editor::open(view);
            state.editor = Some(editor);
            effects.push(Effect::RevealSource { start, end });
        }
        _ => {}
    }
}
