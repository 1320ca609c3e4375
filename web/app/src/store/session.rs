//! Sessions as a whole: shared, opened in place of the present one, and brought back. Calls `navigation` and `run`.

use super::action::{Action, SessionAction};
use super::navigation::deselect;
use super::request::{cancel, command, notify, query};
use super::run::forget_undo;
use super::state::{Coming, Wanted};
use super::{Dialog, Draft, Effect, NoticeKind, Shared, State, Theme, WorkerState};
use serde::{Deserialize, Serialize};
use views::{CatalogId, Command, Query, Revision, ShareFault, ShareView};

/// So many changes are offered to be taken back; the worker keeps no fewer.
const OFFERS: usize = 4;

/// How to take back a change of the catalogs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undo {
    /// The revision of the change.
    pub change: Revision,
    /// What the page was like before, if more than catalogs was changed.
    pub before: Option<Box<Visit>>,
    /// What was selected.
    pub wanted: Option<Wanted>,
}

/// What the page adds to the catalogs of a visit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Visit {
    /// What is kept between visits, too.
    pub draft: Draft,
    /// The manifests.
    pub manifests: String,
}

impl Visit {
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

/// Asks for this visit as link and file.
fn share(state: &mut State, effects: &mut Vec<Effect>) {
    state.dialog = Some(Dialog::Share);
    state.share = None;
    let mut visit = Visit::of(state);
    // These are of the user and not of the visit.
    visit.draft.theme = Theme::default();
    visit.draft.keyless = false;
    visit.draft.catalogs = false;
    visit.draft.rules_off = Default::default();
    // Texts, numbers and names of variants can always be written.
    let page = serde_json::to_string(&visit).unwrap_or_default();
    query(state, effects, Query::Share { page });
}

/// The visit is ready to be passed on.
pub(super) fn shared(state: &mut State, view: ShareView) {
    state.share = Some(Shared::new(view));
}

/// An address asks for something: it is opened at once where nothing of the user's own is, else after a yes.
pub(super) fn coming(state: &mut State, effects: &mut Vec<Effect>, coming: Coming) {
    if state.has_own() && !state.embedded {
        state.arrival = Some(coming);
        state.dialog = Some(Dialog::Coming);
    } else {
        open(state, effects, coming);
    }
}

/// The yes, or the no.
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

/// Opens an example in the place of what is there.
pub(super) fn open_example(state: &mut State, effects: &mut Vec<Effect>, slug: String) {
    state.dialog = None;
    let keep = state.has_own();
    cancel(state, effects);
    command(state, effects, Command::OpenExample { slug, keep });
}

/// The catalogs of a visit are about to come; the page goes where it was left.
pub(super) fn arrived(state: &mut State, effects: &mut Vec<Effect>, change: Revision, page: &str) {
    replaced(state, change);
    // A later version may have written what this one does not know: the catalogs are shown all the same.
    let Visit { draft, manifests } = serde_json::from_str(page).unwrap_or_default();
    deselect(state);
    state.take_up(draft, &manifests);
    effects.push(Effect::SaveManifests(state.simulation.manifests.clone()));
}

/// Nothing was opened.
pub(super) fn not_arrived(state: &mut State, fault: ShareFault) {
    notify(state, NoticeKind::NotArrived { fault });
}

/// Offers to bring back what another visit takes the place of, if that is the user's own.
pub(super) fn replaced(state: &mut State, change: Revision) {
    forget_undo(state);
    if state.has_own() && !state.embedded {
        let before = Some(Box::new(Visit::of(state)));
        offer(state, NoticeKind::Replaced { undo: Undo { change, before, wanted: None } });
    }
}

/// Takes a catalog out.
pub(super) fn remove(state: &mut State, effects: &mut Vec<Effect>, catalog: CatalogId) {
    state.dialog = None;
    let Some(name) = state.catalog(catalog).map(|row| row.name.clone()) else { return };
    let wanted = state.selected_by_name();
    command(state, effects, Command::RemoveCatalog { catalog });
    let undo = Undo { change: state.revision, before: None, wanted };
    offer(state, NoticeKind::CatalogRemoved { name, undo });
}

/// Begins with nothing.
pub(super) fn clear(state: &mut State, effects: &mut Vec<Effect>) {
    cancel(state, effects);
    let before = Some(Box::new(Visit::of(state)));
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

/// Tells of a change that can be taken back.
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

/// Takes a change back.
fn put_back(state: &mut State, effects: &mut Vec<Effect>, Undo { change, before, wanted }: Undo) {
    state.notices.retain(|notice| notice.kind.undo().is_none_or(|undo| undo.change != change));
    state.wanted = wanted;
    if let Some(before) = before {
        let Visit { draft, manifests } = *before;
        forget_undo(state);
        deselect(state);
        state.take_up(draft, &manifests);
        effects.push(Effect::SaveManifests(state.simulation.manifests.clone()));
    }
    command(state, effects, Command::PutBack { change });
}

/// Takes the last change back that can be.
pub(super) fn take_undo(state: &mut State) -> Option<Action> {
    let last = state.notices.iter().rev().find_map(|notice| Some((notice.number, notice.kind.taken_back()?)));
    let (number, action) = last?;
    state.notices.retain(|notice| notice.number != number);
    Some(action)
}

/// A notice was in sight for long enough: what it offers stays at hand.
pub(super) fn read(state: &mut State, number: u32) {
    state.notices.retain(|notice| notice.number != number || notice.kind.taken_back().is_some());
    state.notices.iter_mut().filter(|notice| notice.number == number).for_each(|notice| notice.read = true);
}
