//! Sessions as a whole: shared, opened in place of the present one, and brought back. Calls `navigation` and `run`.

use super::action::{Action, SessionAction};
use super::navigation::deselect;
use super::request::{cancel, command, notify, query};
use super::run::forget_undo;
use super::state::{Coming, Wanted};
use super::{Dialog, Draft, Effect, NoticeKind, Shared, State, Theme, WorkerState};
use serde::{Deserialize, Serialize};
use views::{CatalogId, Command, Query, Revision, ShareFault, ShareView};

/// How many changes of the catalogs can be undone; the worker keeps more.
const OFFERS: usize = 4;

/// How to undo a change of the catalogs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undo {
    /// The revision of the change.
    pub change: Revision,
    /// The page before, if more than catalogs was changed.
    pub before: Option<Box<PageSession>>,
    /// What was selected.
    pub wanted: Option<Wanted>,
}

/// What the page adds to the catalogs of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PageSession {
    /// What is also saved between visits.
    pub draft: Draft,
    /// The manifests.
    pub manifests: String,
}

impl PageSession {
    fn of(state: &State) -> Self {
        Self { draft: Draft::of(state), manifests: state.simulation.manifests.to_string() }
    }
}

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: SessionAction) {
    match action {
        SessionAction::LinkFollowed(coming) => self::coming(state, effects, coming),
        SessionAction::ComingAnswered { yes } => answered(state, effects, yes),
        SessionAction::ShareAsked => share(state, effects),
        SessionAction::CatalogsRestored(undo) => put_back(state, effects, undo),
    }
}

/// Asks for this session as link and file.
fn share(state: &mut State, effects: &mut Vec<Effect>) {
    state.dialog = Some(Dialog::Share);
    state.share = None;
    let mut session = PageSession::of(state);
    // These belong to the user and not to the session.
    session.draft.theme = Theme::default();
    session.draft.keyless = false;
    session.draft.catalogs = false;
    session.draft.rules_off = Default::default();
    // Texts, numbers and names of variants can always be written.
    let page = serde_json::to_string(&session).unwrap_or_default();
    query(state, effects, Query::Share { page });
}

/// Takes the link and the file.
pub(super) fn shared(state: &mut State, view: ShareView) {
    state.share = Some(Shared::new(view));
}

/// Opens what an address asks for: at once if it replaces nothing of the user's own, else after a confirmation.
pub(super) fn coming(state: &mut State, effects: &mut Vec<Effect>, coming: Coming) {
    if state.has_own() && !state.embedded {
        state.arrival = Some(coming);
        state.dialog = Some(Dialog::Coming);
    } else {
        open(state, effects, coming);
    }
}

/// Takes the confirmation or the refusal.
fn answered(state: &mut State, effects: &mut Vec<Effect>, yes: bool) {
    state.dialog = None;
    match state.arrival.take() {
        Some(coming) if yes => open(state, effects, coming),
        _ => effects.push(Effect::ForgetFragment),
    }
}

fn open(state: &mut State, effects: &mut Vec<Effect>, coming: Coming) {
    match coming {
        Coming::Arrival(arrival) => command(state, effects, Command::OpenLink { arrival }),
        Coming::Example(slug) => open_example(state, effects, slug),
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

/// Restores the page of a session whose catalogs are about to come.
pub(super) fn arrived(state: &mut State, effects: &mut Vec<Effect>, change: Revision, page: &str) {
    replaced(state, change);
    // A later version may have written what this one does not know: the catalogs are shown all the same.
    let PageSession { draft, manifests } = serde_json::from_str(page).unwrap_or_default();
    deselect(state);
    state.restore_draft(draft, &manifests);
    effects.push(Effect::SaveManifests(state.simulation.manifests.clone()));
}

/// Tells that nothing was opened, and why.
pub(super) fn not_arrived(state: &mut State, fault: ShareFault) {
    notify(state, NoticeKind::NotArrived { fault });
}

/// Offers to undo that another session replaces this one, if this one has something of the user's own.
pub(super) fn replaced(state: &mut State, change: Revision) {
    forget_undo(state);
    if state.has_own() && !state.embedded {
        let before = Some(Box::new(PageSession::of(state)));
        offer(state, NoticeKind::Replaced { undo: Undo { change, before, wanted: None } });
    }
}

/// Removes a catalog.
pub(super) fn remove(state: &mut State, effects: &mut Vec<Effect>, catalog: CatalogId) {
    state.dialog = None;
    let Some(name) = state.catalog(catalog).map(|row| row.name.clone()) else { return };
    let wanted = state.selected_by_name();
    command(state, effects, Command::RemoveCatalog { catalog });
    let undo = Undo { change: state.revision, before: None, wanted };
    offer(state, NoticeKind::CatalogRemoved { name, undo });
}

/// Removes everything.
pub(super) fn clear(state: &mut State, effects: &mut Vec<Effect>) {
    cancel(state, effects);
    let before = Some(Box::new(PageSession::of(state)));
    let fresh = State::new(Draft {
        theme: state.theme,
        keyless: state.keyless,
        rules_off: state.rules.off.clone(),
        ..Draft::default()
    });
    *state = State {
        worker: WorkerState { kept: false, not_restored: false, ..state.worker.clone() },
        revision: state.revision,
        requests: state.requests,
        pending: std::mem::take(&mut state.pending),
        notices: std::mem::take(&mut state.notices),
        noticed: state.noticed,
        embedded: state.embedded,
        ..fresh
    };
    forget_undo(state);
    effects.push(Effect::ForgetDraft);
    command(state, effects, Command::Clear);
    offer(state, NoticeKind::Cleared { undo: Undo { change: state.revision, before, wanted: None } });
}

/// Tells of a change that can be undone.
fn offer(state: &mut State, kind: NoticeKind) {
    notify(state, kind);
    let offers = state.notices.iter().filter(|notice| notice.kind.undo().is_some()).count();
    let mut old = offers.saturating_sub(OFFERS);
    state.notices.retain(|notice| {
        let drop = old > 0 && notice.kind.undo().is_some();
        old -= usize::from(drop);
        !drop
    });
}

/// Undoes a change.
fn put_back(state: &mut State, effects: &mut Vec<Effect>, Undo { change, before, wanted }: Undo) {
    state.notices.retain(|notice| notice.kind.undo().is_none_or(|undo| undo.change != change));
    state.wanted = wanted;
    if let Some(before) = before {
        let PageSession { draft, manifests } = *before;
        forget_undo(state);
        deselect(state);
        state.restore_draft(draft, &manifests);
        effects.push(Effect::SaveManifests(state.simulation.manifests.clone()));
    }
    command(state, effects, Command::PutBack { change });
}

/// Takes the notice of the last change that can be undone, and returns the action that undoes it.
pub(super) fn take_undo(state: &mut State) -> Option<Action> {
    let last = state.notices.iter().rev().find_map(|notice| Some((notice.number, notice.kind.taken_back()?)));
    let (number, action) = last?;
    state.notices.retain(|notice| notice.number != number);
    Some(action)
}

/// Hides a notice that was in sight for long enough. What it offers to undo stays available.
pub(super) fn read(state: &mut State, number: u32) {
    state.notices.retain(|notice| notice.number != number || notice.kind.taken_back().is_some());
    state.notices.iter_mut().filter(|notice| notice.number == number).for_each(|notice| notice.read = true);
}
