//! Sharing a session, replacing it by another one, and undoing that. Calls `navigation` and `run`.

use super::action::{Action, SessionAction};
use super::navigation::deselect;
use super::page_session::{PageSession, Undo};
use super::request::{Arrival, cancel, command, notify, send_query};
use super::run::{choose_olm_v1, choose_opm, forget_undo};
use super::{Dialog, Draft, Effect, Layout, LinkTarget, NoticeKind, Shared, State, Theme, WorkerState};
use views::{CatalogId, Command, Revision, ShareFault, ShareView, Take, query};

/// How many changes of the catalogs can be undone; the worker keeps more.
const UNDO_LIMIT: usize = 4;

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: SessionAction) {
    match action {
        SessionAction::LinkFollowed(target) => follow_link(state, effects, target),
        SessionAction::OpenLinkAnswered { yes } => answered(state, effects, yes),
        SessionAction::ShareAsked => share(state, effects),
        SessionAction::CatalogsRestored(undo) => put_back(state, effects, undo),
    }
}

/// Requests this session as a link and a file.
fn share(state: &mut State, effects: &mut Vec<Effect>) {
    state.dialog = Some(Dialog::Share);
    state.share = None;
    let mut session = page_session(state);
    // Preferences of the user are no part of a session.
    session.draft.theme = Theme::default();
    session.draft.layout = Layout::default();
    session.draft.single_keys_off = false;
    session.draft.catalogs = false;
    session.draft.rules_off = Default::default();
    // Serializing cannot fail: the session has only strings, numbers and unit variants.
    let page = serde_json::to_string(&session).unwrap_or_default();
    send_query(state, effects, query::Share { page });
}

impl Take<query::Share> for Arrival<'_> {
    fn take(&mut self, _: query::Share, view: ShareView) {
        self.state.share = Some(Shared::new(view));
    }
}

/// Opens a link: at once if it replaces nothing of the user's own, else after a confirmation.
pub(super) fn follow_link(state: &mut State, effects: &mut Vec<Effect>, target: LinkTarget) {
    if state.has_own() && !state.embedded {
        state.pending_link = Some(target);
        state.dialog = Some(Dialog::OpenLink);
    } else {
        open(state, effects, target);
    }
}

/// Handles the answer to the confirmation.
fn answered(state: &mut State, effects: &mut Vec<Effect>, yes: bool) {
    state.dialog = None;
    match state.pending_link.take() {
        Some(target) if yes => open(state, effects, target),
        _ => effects.push(Effect::ForgetFragment),
    }
}

fn open(state: &mut State, effects: &mut Vec<Effect>, target: LinkTarget) {
    match target {
        LinkTarget::Content(content) => command(state, effects, Command::OpenLink { content }),
        LinkTarget::Example(slug) => open_example(state, effects, slug),
    }
    if !state.embedded {
        effects.push(Effect::ForgetFragment);
    }
}

/// Opens an example, which replaces all catalogs and the cluster.
pub(super) fn open_example(state: &mut State, effects: &mut Vec<Effect>, slug: String) {
    state.dialog = None;
    let keep = state.has_own();
    cancel(state, effects);
    command(state, effects, Command::OpenExample { slug, keep });
}

/// Restores the page of a session. Its catalogs follow with the overview.
pub(super) fn restore_page(state: &mut State, effects: &mut Vec<Effect>, change: Revision, page: &str) {
    replaced(state, change);
    // A later version of Opscope may have written fields of another type: then only the catalogs are restored.
    let PageSession { draft, manifests } = serde_json::from_str(page).unwrap_or_default();
    restore(state, effects, draft, &manifests);
}

/// Restores the page's part of a session.
fn restore(state: &mut State, effects: &mut Vec<Effect>, draft: Draft, manifests: &str) {
    deselect(state);
    choose_opm(state, effects, draft.opm.unwrap_or_default());
    choose_olm_v1(state, effects, draft.olm_v1);
    state.restore_draft(draft, manifests);
    effects.push(Effect::SaveManifests(state.simulation.manifests.clone()));
}

/// Reports that a link or file could not be opened.
pub(super) fn report_refusal(state: &mut State, fault: ShareFault) {
    notify(state, NoticeKind::NotOpened { fault });
}

/// Offers to undo that another session replaced this one, if this one has something of the user's own.
pub(super) fn replaced(state: &mut State, change: Revision) {
    forget_undo(state);
    if state.has_own() && !state.embedded {
        let before = Some(Box::new(page_session(state)));
        offer(state, NoticeKind::Replaced { undo: Undo { change, before, selection: None } });
    }
}

pub(super) fn remove(state: &mut State, effects: &mut Vec<Effect>, catalog: CatalogId) {
    state.dialog = None;
    let Some(name) = state.catalog(catalog).map(|row| row.name.clone()) else { return };
    let selection = state.selected_by_name();
    command(state, effects, Command::RemoveCatalog { catalog });
    let undo = Undo { change: state.revision, before: None, selection };
    offer(state, NoticeKind::CatalogRemoved { name, undo });
}

/// Removes everything.
pub(super) fn clear(state: &mut State, effects: &mut Vec<Effect>) {
    cancel(state, effects);
    let before = Some(Box::new(page_session(state)));
    let fresh = State::new(Draft {
        theme: state.theme,
        runtime: state.runtime,
        opm: Some(state.opm),
        olm_v1: state.olm_v1,
        layout: state.layout.clone(),
        single_keys_off: state.single_keys_off,
        rules_off: state.rules.off.clone(),
        ..Draft::default()
    });
    *state = State {
        worker: WorkerState { kept: false, not_restored: false, ..state.worker.clone() },
        revision: state.revision,
        last_request: state.last_request,
        pending: std::mem::take(&mut state.pending),
        notices: std::mem::take(&mut state.notices),
        last_notice: state.last_notice,
        embedded: state.embedded,
        follow: state.follow.take(),
        day: std::mem::take(&mut state.day),
        ..fresh
    };
    forget_undo(state);
    effects.push(Effect::ForgetDraft);
    command(state, effects, Command::Clear);
    offer(state, NoticeKind::Cleared { undo: Undo { change: state.revision, before, selection: None } });
}

/// Adds a notice of a change that can be undone, and drops the oldest ones beyond [`UNDO_LIMIT`].
fn offer(state: &mut State, kind: NoticeKind) {
    notify(state, kind);
    let offers = state.notices.iter().filter(|notice| notice.kind.undo().is_some()).count();
    let mut old = offers.saturating_sub(UNDO_LIMIT);
    state.notices.retain(|notice| {
        let drop = old > 0 && notice.kind.undo().is_some();
        old -= usize::from(drop);
        !drop
    });
}

fn put_back(state: &mut State, effects: &mut Vec<Effect>, Undo { change, before, selection }: Undo) {
    state.notices.retain(|notice| notice.kind.undo().is_none_or(|undo| undo.change != change));
    state.pending_selection = selection;
    if let Some(before) = before {
        let PageSession { draft, manifests } = *before;
        forget_undo(state);
        restore(state, effects, draft, &manifests);
    }
    command(state, effects, Command::PutBack { change });
}

/// Removes the last notice for which `of` has an action, and returns that action: it undoes a change or makes it again.
pub(super) fn take_last(state: &mut State, of: fn(&NoticeKind) -> Option<Action>) -> Option<Action> {
    let last = state.notices.iter().rev().find_map(|notice| Some((notice.number, of(&notice.kind)?)));
    let (number, action) = last?;
    state.notices.retain(|notice| notice.number != number);
    Some(action)
}

/// Hides a notice that was visible long enough to be read. Its undo stays available.
pub(super) fn read(state: &mut State, number: u32) {
    state.notices.retain(|notice| notice.number != number || notice.kind.is_kept());
    state.notices.iter_mut().filter(|notice| notice.number == number).for_each(|notice| notice.read = true);
}

/// The page's part of the session.
fn page_session(state: &State) -> PageSession {
    PageSession { draft: Draft::of(state), manifests: state.simulation.manifests.to_string() }
}
