//! Takes messages of the worker into the state. Drops answers that were computed from older inputs or are about another
//! selection.

use super::navigation::{ask_package, deselect, resolve, select_catalog, select_found, select_whole, single_package};
use super::request::{Arrival, is_current, notify, send_query, settle};
use super::{
    Dialog, Effect, History, NamedSelection, NoticeKind, Pane, Pending, PendingKind, Selection, SetAction, State, Tab,
    authoring, catalogs, compare, history, palette, run, session, set, source, worker,
};
use std::collections::BTreeSet;
use views::{
    Answer, AnyAnswer, CatalogId, Changed, Event, FromWorker, IconRow, Opened, OpenedExample, Overview, Reply,
    RequestId, Revision, Take, query,
};

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
        Event::SoFar { id, answer } => take_so_far(state, effects, id, *answer),
        Event::Icons(rows) => take_icons(state, rows),
        Event::NotStored { reason } => notify(state, NoticeKind::NotStored { reason }),
    }
}

fn take_reply(state: &mut State, effects: &mut Vec<Effect>, Reply { id, revision, answer }: Reply) {
    let Some(Pending { kind, .. }) = settle(state, id) else { return };
    match answer {
        Answer::Query(answer) => {
            if let PendingKind::Query(query) = kind
                && is_current(state, &query, revision)
                && !answer.give_to(query, &mut Arrival { state, effects, id })
            {
                let reason = "the answer is to another question".to_owned();
                notify(state, NoticeKind::NotAnswered { reason });
            }
        }
        Answer::Changed(changed) => {
            let restores = kind == PendingKind::Command { restores: true };
            take_changed(state, effects, revision, restores, changed);
        }
        Answer::Refused { reason } => notify(state, NoticeKind::NotAnswered { reason }),
        Answer::ClusterSet | Answer::ComparisonSet | Answer::Cancelled | Answer::Superseded => {}
    }
}

/// Takes what was found so far for a query without a reply, if it is the last one of its kind.
fn take_so_far(state: &mut State, effects: &mut Vec<Effect>, id: RequestId, answer: AnyAnswer) {
    let Some(at) = state.pending.iter().position(|pending| pending.id == id) else { return };
    let pending = state.pending.remove(at);
    if let PendingKind::Query(query) = &pending.kind
        && is_current(state, query, pending.revision)
    {
        let query = query.clone();
        state.pending.insert(at, pending);
        answer.give_to(query, &mut Arrival { state, effects, id });
    } else {
        state.pending.insert(at, pending);
    }
}

impl Take<query::Memory> for Arrival<'_> {
    /// Only `cargo xtask bench` sends this query, past the page.
    fn take(&mut self, _: query::Memory, _: u32) {}
}

fn take_changed(state: &mut State, effects: &mut Vec<Effect>, revision: Revision, restores: bool, changed: Changed) {
    let Changed { overview, opened, cancelled } = changed;
    let known = match state.is_preview {
        true => std::mem::take(&mut state.catalogs_before_preview),
        false => compare::inputs(state).map(|row| row.id).collect(),
    };
    // Whether the user added catalogs: two of them may be two states of one catalog.
    let mut is_added = !restores && !cancelled;
    let (mut new_set, mut changed_sets) = (None, Vec::new());
    // Whether what is open already changed on the disk.
    let mut is_change = false;
    for opened in opened {
        match opened {
            Opened::Followed { contradicted, changed } => {
                is_change = !worker::taken(state, &contradicted, &changed, &overview);
                is_added &= !is_change;
            }
            Opened::Manifests { text } if is_change => worker::renew_manifests(state, &text),
            Opened::Manifests { text } => take_manifests(state, effects, &text),
            Opened::MustGather { name, objects, copied, others } => {
                notify(state, NoticeKind::Gathered { name, objects, copied, others });
            }
            Opened::Archive(view) => notify(state, NoticeKind::Unpacked(view)),
            // Nothing that was typed is lost.
            Opened::NotUnpacked { reason, .. } if state.unread.is_some() => {
                state.unread.iter_mut().for_each(|unread| unread.reason.clone_from(&reason));
                state.dialog = Some(Dialog::Paste);
            }
            Opened::NotUnpacked { name, reason } => notify(state, NoticeKind::NotUnpacked { name, reason }),
            Opened::ImageSet { text } => catalogs::opened(state, text),
            Opened::NewBundle(view) => authoring::opened(state, view),
            Opened::Authored(authored) => {
                is_added = false;
                authoring::taken(state, revision, authored);
            }
            Opened::Edited(edits) => {
                is_added = false;
                authoring::taken_back(state, edits);
            }
            // One that others are compared with is not shown itself.
            Opened::Set(id) if overview.sets.iter().any(|row| row.id == id && row.is_baseline) => {
                changed_sets.push(id);
            }
            Opened::Set(id) => {
                changed_sets.push(id);
                new_set = Some(id);
            }
            Opened::PackageManifests(view) => catalogs::show_list(state, view),
            Opened::Mirror(view) => {
                is_added = false;
                catalogs::answered(state, view);
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
        state.unread.take_if(|unread| unread.reason.is_empty());
        state.worker.kept = state.worker.not_restored;
        take_overview(state, effects, overview);
        if is_added {
            compare::opened(state, effects, &known);
        }
        catalogs::overview_taken(state, effects);
        match new_set {
            Some(id) if !is_change => set::show_set(state, effects, id),
            Some(_) | None => set::overview_taken(state, effects, &changed_sets),
        }
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
    state.follow.iter_mut().for_each(|follow| follow.manifests = text.into());
    let undo = !state.simulation.manifests.trim().is_empty() || !state.simulation.cluster.is_empty();
    run_manifests(state, effects, text);
    // With a set of catalogs the question is what becomes of the cluster from one OpenShift to the next.
    match state.sets.shown {
        Some(_) => set::handle(state, effects, SetAction::PlanChosen(true)),
        None => state.show_simulation(),
    }
    (state.simulation.is_new, state.simulation.selects_worst) = (true, true);
    // If they replace nothing, the region of the simulation shows that they were found.
    if undo {
        notify(state, NoticeKind::ManifestsFound);
    }
}

fn take_example(state: &mut State, effects: &mut Vec<Effect>, opened: OpenedExample) {
    run_manifests(state, effects, &opened.cluster);
    state.simulation.history = History::default();
    state.pane = Pane::Package;
    state.example = Some(opened.slug);
    state.tab = match opened.is_change {
        true => Tab::Compare,
        false if state.simulation.manifests.trim().is_empty() => Tab::Graph,
        false => Tab::Simulate,
    };
    state.compare.chosen = None;
    state.pending_selection =
        Some(NamedSelection { catalog: String::new(), package: Some(opened.package), entry: None });
}

fn run_manifests(state: &mut State, effects: &mut Vec<Effect>, text: &str) {
    history::save(state, None);
    state.simulation.replace_manifests(text);
    state.simulation_key += 1;
    state.simulation.outcome = 0;
    effects.push(Effect::SaveManifests(state.simulation.manifests.clone()));
}

/// Takes a preview while loading goes on. If the selection waits for a package that is not loaded yet, it keeps
/// waiting.
fn take_preview(state: &mut State, effects: &mut Vec<Effect>, overview: Overview) {
    if !state.is_preview {
        state.is_preview = true;
        state.selection_before_preview = state.selected_by_name();
        state.catalogs_before_preview = compare::inputs(state).map(|row| row.id).collect();
    }
    let waits = state.pending_selection.as_ref().is_some_and(|pending| resolve(&overview, pending).is_none());
    if waits {
        state.overview.renew(overview);
    } else {
        select_from(state, effects, overview);
    }
    set::preview_taken(state, effects);
}

fn take_overview(state: &mut State, effects: &mut Vec<Effect>, overview: Overview) {
    let was_preview = std::mem::take(&mut state.is_preview);
    // Loading was cancelled, and what was selected went with it: the selection before is restored.
    if let Some(before) = state.selection_before_preview.take()
        && state.selection.catalog().is_some_and(|_| !is_loaded(&overview, &state.selection))
    {
        state.pending_selection.get_or_insert(before);
    }
    // Only now it is known that a catalog has a single package.
    let loaded = state.selection.whole.filter(|_| was_preview);
    if let Some(package) = loaded.and_then(|catalog| single_package(&overview, catalog)) {
        let package = Some(package.package.clone());
        let catalog = overview.catalogs.iter().find(|row| Some(row.id) == loaded).map(|row| row.name.clone());
        let single = NamedSelection { catalog: catalog.unwrap_or_default(), package, entry: None };
        state.pending_selection.get_or_insert(single);
    }
    select_from(state, effects, overview);
    source::refresh(state, effects);
    palette::ask_results(state, effects);
    ask_examples(state, effects);
    run::run(state, effects);
}

/// Asks for the gallery, which has the text about the open example.
fn ask_examples(state: &mut State, effects: &mut Vec<Effect>) {
    if state.example.is_some() && state.examples.is_empty() {
        send_query(state, effects, query::Examples {});
    }
}

fn is_loaded(overview: &Overview, selection: &Selection) -> bool {
    match &selection.package {
        Some(key) => overview.packages.iter().any(|row| row.key == *key),
        None => overview.catalogs.iter().any(|row| Some(row.id) == selection.whole),
    }
}

/// Takes an overview, and selects what the selection waits for, else a new catalog, else what was selected before. Of a
/// catalog with a single package that package is selected.
fn select_from(state: &mut State, effects: &mut Vec<Effect>, overview: Overview) {
    let known: BTreeSet<CatalogId> = state.overview.catalogs.iter().map(|row| row.id).collect();
    state.overview.renew(overview);
    let keeps = is_loaded(&state.overview, &state.selection);
    let pending = state.pending_selection.as_ref().and_then(|pending| resolve(&state.overview, pending));
    let catalogs = &state.overview.catalogs;
    let new = catalogs.iter().find(|row| !known.contains(&row.id));
    let first = new.or(catalogs.first().filter(|_| !keeps)).map(|row| row.id);
    if let Some(found) = pending {
        select_found(state, effects, found);
    } else if let Some(catalog) = first {
        // On a narrow screen the list of packages would be in the way.
        state.pane = Pane::Package;
        // Only when it is loaded it is known that a catalog has a single package.
        let select = if state.is_preview { select_catalog } else { select_whole };
        select(state, effects, catalog);
        effects.push(Effect::RevealPackage);
    } else {
        if !keeps {
            deselect(state);
        }
        ask_package(state, effects);
    }
}
