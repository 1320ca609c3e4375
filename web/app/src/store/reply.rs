//! Takes messages of the worker into the state. Drops answers that were computed from older inputs or are about another
//! selection.

use super::navigation::{ask_package, deselect, follow, resolve, select};
use super::request::{is_current, notify, query, settle};
use super::state::NamedSelection;
use super::{Asked, Dialog, Effect, NoticeKind, Pane, Pending, Shared, State, Tab, TextPurpose, WhyNot};
use super::{
    catalogs, compare, explore, form_sync, mirror, new_bundle, run, search, selected_source, session, source, worker,
};
use std::collections::BTreeSet;
use views::{
    Answer, CatalogId, Changed, Event, FromWorker, GraphFormat, IconRow, Opened, OpenedExample, Overview, PackageKey,
    Query, Reply, RequestId, Revision,
};

/// Takes a message of the worker.
pub(super) fn take(state: &mut State, effects: &mut Vec<Effect>, message: FromWorker) {
    match message {
        FromWorker::Reply(reply) => take_reply(state, effects, reply),
        FromWorker::Event(event) => take_event(state, effects, event),
    }
}

fn take_event(state: &mut State, effects: &mut Vec<Effect>, event: Event) {
    match event {
        Event::Ready => worker::ready(state, effects),
        Event::Progress { stage, done, total } => state.progress = Some((stage, done, total)),
        Event::Partial { revision, overview } => {
            if revision == state.revision {
                take_preview(state, effects, overview);
            }
        }
        Event::FirstOutcome { id, view } => run::take_first(state, effects, id, *view),
        Event::MoreOutcomes { id, outcomes } => {
            if state.simulation.searching == Some(id) {
                state.simulation.found.extend(outcomes.into_iter().map(Shared::new));
            }
        }
        Event::NotLoaded => notify(state, NoticeKind::NotLoaded),
        Event::Icons(rows) => take_icons(state, rows),
        Event::NotStored { reason } => notify(state, NoticeKind::NotStored { reason }),
    }
}

fn take_reply(state: &mut State, effects: &mut Vec<Effect>, Reply { id, revision, answer }: Reply) {
    let Some(Pending { asked, .. }) = settle(state, id) else { return };
    state.simulation.searching.take_if(|searching| *searching == id);
    match (asked, answer) {
        (_, Answer::Refused { reason }) => notify(state, NoticeKind::NotAnswered { reason }),
        (_, Answer::NotLoaded) => notify(state, NoticeKind::NotLoaded),
        (Asked::Command { restores }, Answer::Changed(changed)) => {
            take_changed(state, effects, revision, restores, changed);
        }
        (Asked::Query(query), answer) => {
            if is_current(state, &query, revision) {
                take_answer(state, effects, id, query, answer);
            }
        }
        // The command that was cancelled has a reply of its own.
        (Asked::Cancel, Answer::Cancel { .. }) => {}
        (Asked::Command { .. } | Asked::Cancel, _) => take_mismatch(state),
    }
}

/// Reports an answer that is not of the kind of its request, which is a defect of Opscope.
fn take_mismatch(state: &mut State) {
    notify(state, NoticeKind::NotAnswered { reason: "the answer is to another question".to_owned() });
}

fn take_changed(state: &mut State, effects: &mut Vec<Effect>, revision: Revision, restores: bool, changed: Changed) {
    let Changed { overview, opened, cancelled } = changed;
    let known: BTreeSet<CatalogId> = compare::inputs(state).map(|row| row.id).collect();
    let mut is_added = !restores && !cancelled && !known.is_empty();
    for opened in opened {
        match opened {
            Opened::Manifests { text } => take_manifests(state, effects, &text),
            Opened::MustGather { name, objects, copied, others } => {
                notify(state, NoticeKind::Gathered { name, objects, copied, others });
            }
            Opened::Archive(view) => notify(state, NoticeKind::Unpacked(view)),
            Opened::NotUnpacked { name, reason } => notify(state, NoticeKind::NotUnpacked { name, reason }),
            Opened::ImageSet { text } => mirror::opened(state, text),
            Opened::NewBundle(view) => new_bundle::opened(state, view),
            Opened::Tried(tried) => {
                is_added = false;
                new_bundle::tried(state, tried);
            }
            Opened::Inventory(view) => {
                state.inventory = Some(Shared::new(view));
                state.dialog = Some(Dialog::Inventory);
            }
            Opened::Mirror(view) => {
                is_added = false;
                mirror::answered(state, view);
            }
            Opened::Example(example) => {
                is_added = false;
                session::replaced(state, revision);
                take_example(state, effects, example);
            }
            Opened::Session { page } => {
                is_added = false;
                session::restore_page(state, effects, revision, &page);
                // A link to two texts.
                if page.is_empty() && !overview.baselines.is_empty() {
                    state.tab = Tab::Compare;
                }
            }
            Opened::Refused(fault) => session::report_refusal(state, fault),
        }
    }
    if cancelled {
        state.worker.not_restored |= restores;
        notify(state, if restores { NoticeKind::NotRestored } else { NoticeKind::Cancelled });
    }
    // Otherwise a later command is pending, whose reply brings a newer overview.
    if revision >= state.revision {
        state.worker.kept = state.worker.not_restored;
        take_overview(state, effects, overview);
        if is_added {
            compare::opened(state, effects, &known);
        }
        mirror::overview_taken(state, effects);
    }
}

fn take_answer(state: &mut State, effects: &mut Vec<Effect>, id: RequestId, query: Query, answer: Answer) {
    match (query, answer) {
        (Query::Share { .. }, Answer::Share(view)) => session::shared(state, view),
        (Query::Export { .. }, Answer::Export(text)) => form_sync::exported(state, effects, &text),
        (Query::Simulate { .. }, Answer::Simulate(view)) => run::take(state, effects, view),
        // The reply to the later one follows.
        (Query::Simulate { .. }, Answer::Superseded) => {}
        (Query::Timeline { .. }, Answer::Timeline(view)) => renew(&mut state.simulation.timeline, Some(view)),
        (Query::WhyNot { package, entry, .. }, Answer::WhyNot(view)) => {
            state.simulation.why_not = Some(WhyNot { package, entry, view: Shared::new(view) });
        }
        (Query::Examples, Answer::Examples(themes)) => state.examples.renew(themes),
        (Query::Graph { package, .. }, Answer::Graph(view)) => {
            if is_selected(state, &package) {
                renew(&mut state.graph, view);
                explore::unfold_selected(state, effects);
            }
        }
        (Query::GraphText { package, format }, Answer::GraphText(text)) => {
            let purpose = state.graph_text.take_if(|(asked, _)| *asked == id);
            if let (Some((_, purpose)), Some(text)) = (purpose, text) {
                match purpose {
                    TextPurpose::Copy => {
                        effects.push(Effect::Copy(text.into()));
                        notify(state, NoticeKind::Copied);
                    }
                    TextPurpose::Save => {
                        let (ending, kind) = file_kind(format);
                        let name = format!("{}.{ending}", package.package);
                        effects.push(Effect::SaveFile { name: name.clone(), kind, text });
                        notify(state, NoticeKind::Saved { name });
                    }
                }
            }
        }
        (Query::Entry { package, entry }, Answer::Entry(view)) => {
            if is_selected(state, &package) && state.selection.entry.as_ref() == Some(&entry) {
                renew(&mut state.entry, view.map(|view| *view));
                selected_source::answered(state, effects);
            }
        }
        (Query::Subject { package, subject }, Answer::Subject(view)) => {
            if is_selected(state, &package) && explore::shown_subject(state).as_ref() == Some(&subject) {
                renew(&mut state.explore.about, view.map(|view| *view));
                selected_source::answered(state, effects);
            }
        }
        (Query::Reach { package, first, .. }, Answer::Reach(view)) => {
            if is_selected(state, &package) {
                explore::take_reach(state, effects, package, first, view);
            }
        }
        (Query::Compare { compared }, Answer::Compare(view)) => compare::take(state, effects, compared, view),
        (Query::ComparePackage { compared, .. }, Answer::ComparePackage(view)) => {
            compare::take_package(state, compared, view.map(|view| *view));
        }
        (Query::CompareCluster { compared, .. }, Answer::CompareCluster(view)) => {
            compare::take_cluster(state, compared, view.map(|view| *view));
        }
        (Query::CompareReport { .. }, Answer::CompareReport(text)) => compare::take_report(state, effects, text),
        (Query::Migration { .. }, Answer::Migration(view)) => renew(&mut state.simulation.migration, Some(view)),
        (Query::Readiness { package }, Answer::Readiness(view)) => {
            if is_selected(state, &package) {
                renew(&mut state.explore.readiness, view);
            }
        }
        (Query::CrdChanges { package, from, .. }, Answer::CrdChanges(view)) => {
            if is_selected(state, &package) {
                explore::take_crds(state, from, view);
            }
        }
        (Query::ChannelMap { package }, Answer::ChannelMap(view)) => {
            if is_selected(state, &package) {
                renew(&mut state.explore.channel_map, view);
            }
        }
        (Query::Path { package, from, to }, Answer::Path(view)) => {
            let shown = state.explore.path.as_mut().filter(|path| path.from == from && path.to == to);
            if let Some(path) = shown.filter(|_| state.selection.package.as_ref() == Some(&package)) {
                renew(&mut path.view, view.map(|view| *view));
            }
        }
        (Query::Search { text }, Answer::Search(view)) => search::take(state, effects, &text, view),
        (Query::Findings { .. }, Answer::Findings(view)) => state.findings.view.renew(view),
        (Query::Source { file, target }, Answer::Source(view)) => {
            source::take_excerpt(state, effects, id, (file, target), view);
        }
        (Query::File { file, text, .. }, Answer::File(view)) => {
            source::take_file(state, effects, id, (file, text), view);
        }
        (Query::FileText { .. }, Answer::FileText(path)) => source::save(state, effects, path),
        (Query::Symbol { file, .. }, Answer::Symbol(view)) => {
            if let Some(place) = source::take_symbol(state, id, file, view) {
                follow(state, effects, place);
            }
        }
        (Query::Download { .. }, Answer::Download(name)) => catalogs::downloaded(state, effects, name),
        // Only `cargo xtask bench` asks for it.
        (Query::Memory, Answer::Memory { .. }) => {}
        (_, _) => take_mismatch(state),
    }
}

fn is_selected(state: &State, package: &PackageKey) -> bool {
    state.selection.package.as_ref() == Some(package)
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

/// Takes manifests that were opened or pasted as if they were a catalog. The overview that follows starts the
/// simulation.
fn take_manifests(state: &mut State, effects: &mut Vec<Effect>, text: &str) {
    let undo = !state.simulation.manifests.trim().is_empty() || !state.simulation.cluster.is_empty();
    run_manifests(state, effects, text);
    state.show(Pane::Simulation);
    state.layout.cluster_folded = false;
    state.simulation.is_new = true;
    // If they replace nothing, the region of the simulation shows that they were found.
    if undo {
        notify(state, NoticeKind::ManifestsFound);
    }
}

fn take_example(state: &mut State, effects: &mut Vec<Effect>, opened: OpenedExample) {
    run_manifests(state, effects, &opened.cluster);
    state.simulation.replaced = None;
    state.show(Pane::Simulation);
    if opened.is_change {
        state.pane = Pane::Package;
    }
    state.layout.cluster_folded = true;
    state.example = Some(opened.slug);
    state.tab = if opened.is_change { Tab::Compare } else { Tab::Graph };
    state.compare.chosen = None;
    state.pending_selection = Some(NamedSelection { catalog: String::new(), package: opened.package, entry: None });
}

fn run_manifests(state: &mut State, effects: &mut Vec<Effect>, text: &str) {
    state.simulation.replace_manifests(text);
    state.simulation_key += 1;
    state.simulation.ran = true;
    state.simulation.outcome = 0;
    effects.push(Effect::SaveManifests(state.simulation.manifests.clone()));
}

/// Takes a preview while loading goes on. If the selection waits for a package that is not loaded yet, it keeps
/// waiting.
fn take_preview(state: &mut State, effects: &mut Vec<Effect>, overview: Overview) {
    if !state.is_preview {
        state.is_preview = true;
        state.selection_before_preview = state.selected_by_name();
    }
    let waits = state.pending_selection.as_ref().is_some_and(|pending| resolve(&overview, pending).is_none());
    if waits {
        state.overview.renew(overview);
    } else {
        select_from(state, effects, overview);
    }
}

fn take_overview(state: &mut State, effects: &mut Vec<Effect>, overview: Overview) {
    state.is_preview = false;
    let gone = |key: &PackageKey| overview.packages.iter().all(|row| row.key != *key);
    // Loading was cancelled, and the selected package went with it: the one before is selected again.
    if let Some(before) = state.selection_before_preview.take()
        && state.selection.package.as_ref().is_some_and(gone)
    {
        state.pending_selection.get_or_insert(before);
    }
    select_from(state, effects, overview);
    source::refresh(state, effects);
    search::ask(state, effects);
    ask_examples(state, effects);
    run::run(state, effects);
}

/// Asks for the gallery, which has the text about the open example.
fn ask_examples(state: &mut State, effects: &mut Vec<Effect>) {
    if state.example.is_some() && state.examples.is_empty() {
        query(state, effects, Query::Examples);
    }
}

/// Takes an overview, and selects the package that the selection waits for, else the first package of a new catalog,
/// else the one that was selected before.
fn select_from(state: &mut State, effects: &mut Vec<Effect>, overview: Overview) {
    let known: BTreeSet<CatalogId> = state.overview.catalogs.iter().map(|row| row.id).collect();
    state.overview.renew(overview);
    let packages = &state.overview.packages;
    let is_loaded = |key: &PackageKey| packages.iter().any(|row| row.key == *key);
    let keeps = state.selection.package.as_ref().is_some_and(is_loaded);
    let pending = state.pending_selection.clone();
    let found = pending.as_ref().and_then(|pending| resolve(&state.overview, pending));
    let new = packages.iter().find(|row| !known.contains(&row.key.catalog));
    let first = new.or(packages.first().filter(|_| !keeps)).map(|row| row.key.clone());
    if let Some(key) = found {
        select(state, effects, key, pending.and_then(|pending| pending.entry));
    } else if let Some(key) = first {
        if packages.len() == 1 {
            // On a narrow screen the list of packages would be in the way.
            state.pane = Pane::Package;
        }
        select(state, effects, key, None);
        effects.push(Effect::RevealPackage);
    } else {
        if !keeps {
            deselect(state);
        }
        ask_package(state, effects);
    }
}
