//! Sharing a session, replacing it by another one, and undoing that. Calls `navigation` and `run`.

use super::action::{Action, ClusterAction, SessionAction};
use super::navigation::deselect;
use super::request::{Arrival, cancel, command, notify, send_cluster_query};
use super::run::{choose_olm_v1, choose_opm, forget_undo};
use super::simulation::with_unix_line_ends;
use super::{
    BoardPart, Compare, Dialog, Effect, Findings, Layout, LinkTarget, Mode, NamedSelection, NamedSides, NoticeKind,
    Pane, Rules, Shared, Simulation, State, Tab, Theme, Trial, Tried, WorkerState,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use views::{
    CatalogId, Command, EntryKey, OlmV1Release, OpmVersion, Revision, Runtime, ShareFault, ShareView, Take, query,
};

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
    let is_simulated = state.tab == Tab::Simulate || state.simulation.has_cluster();
    let scene = is_simulated.then(|| (state.simulation.namespace.clone(), state.selection.package.clone()));
    send_cluster_query(state, effects, query::Share { page, scene });
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

/// What undoes the last change, or with `is_redo` makes the one again that was undone last. Its notice is removed.
pub(super) fn take_last(state: &mut State, is_redo: bool) -> Option<Action> {
    let of = if is_redo { NoticeKind::redo_action } else { NoticeKind::undo_action };
    let last = state.notices.iter().rev().find_map(|notice| Some((notice.number, of(&notice.kind)?)));
    let number = last.as_ref().map_or(0, |(number, _)| *number);
    if state.simulation.history.is_after(number, is_redo) {
        let action = if is_redo { ClusterAction::InputRedone } else { ClusterAction::InputRestored };
        return Some(Action::Cluster(action));
    }
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

// What is remembered of the page: in a shared session, and before a change of the catalogs.

/// How to undo a change of the catalogs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undo {
    pub change: Revision,
    /// The page before the change, if that changed more than catalogs.
    pub before: Option<Box<PageSession>>,
    /// The selection before the change.
    pub selection: Option<NamedSelection>,
}

/// The page's part of a session; the worker adds the catalogs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PageSession {
    /// The part that is also saved for the next visit.
    pub draft: Draft,
    pub manifests: String,
}

// The state that the page stores in the browser for the next visit. The worker stores the catalogs.

/// The stored state. Catalogs are referred to by name, because their keys do not outlive a worker. A shared session
/// contains a draft too, so the names of the fields are part of its format.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Draft {
    /// The colour scheme.
    pub theme: Theme,
    /// The view of the package.
    pub tab: Tab,
    pub findings_text: String,
    /// Whether findings of all packages are listed.
    pub everything: bool,
    /// The ids of rules that are switched off.
    pub rules_off: BTreeSet<String>,
    /// The name of the selected catalog, or of the selected package's.
    pub catalog: String,
    pub package: Option<String>,
    pub entry: Option<EntryKey>,
    /// How the cluster was given. Its manifests are stored separately, because they can be large.
    pub mode: Mode,
    pub namespace: String,
    /// The example that is open, unless the user changed it.
    pub example: Option<String>,
    /// The arrangement of the regions.
    pub layout: Layout,
    /// Whether there are stored catalogs that the next visit restores.
    pub catalogs: bool,
    /// The states that are compared, if the user chose them.
    pub compared: Option<NamedSides>,
    /// The user's levels for comparisons.
    pub levels: String,
    /// The versions of OLM that answers are about.
    pub runtime: Runtime,
    /// The release of `opm` that judges catalogs, unless it is the newest.
    pub opm: Option<OpmVersion>,
    /// The release of OLM v1 that answers are about, if the user chose one.
    pub olm_v1: Option<OlmV1Release>,
    /// The index of the outcome that is shown.
    pub outcome: usize,
    /// How many of the waiting InstallPlans were approved.
    pub approved: usize,
    /// How many plans are completed at the point that is shown.
    pub plan: usize,
    /// What is pressed on the board.
    pub pressed: Option<BoardPart>,
    /// Whether it is shown why OLM does or does not choose that.
    pub asks_why: bool,
    /// What is tried.
    pub tried: Option<Trial>,
    /// Whether all events are shown instead of hops.
    pub every_event: bool,
    /// Whether single-key shortcuts are switched off.
    #[serde(rename = "keyless")]
    pub single_keys_off: bool,
}

// From the state to what is stored of it, and back at the next visit.

impl Draft {
    #[must_use]
    pub fn of(state: &State) -> Self {
        let selected = state.selection.package.as_ref();
        let known = state.selection.catalog().and_then(|id| state.catalog(id)).map(|row| row.name.clone());
        // Until the catalogs are restored, the selection is the one of the last visit.
        let waiting = state.pending_selection.as_ref().filter(|_| known.is_none());
        Self {
            theme: state.theme,
            tab: state.tab,
            findings_text: state.findings.text.clone(),
            everything: state.findings.everything,
            rules_off: state.rules.off.clone(),
            catalog: known.or_else(|| waiting.map(|w| w.catalog.clone())).unwrap_or_default(),
            package: selected.map(|key| key.package.clone()).or_else(|| waiting.and_then(|w| w.package.clone())),
            entry: state.selection.entry.clone().or_else(|| waiting.and_then(|w| w.entry.clone())),
            mode: state.simulation.mode,
            namespace: state.simulation.namespace.clone(),
            example: state.example.clone(),
            layout: state.layout.clone(),
            catalogs: !state.overview.catalogs.is_empty() || state.worker.kept,
            compared: state.compare.chosen.clone(),
            levels: state.compare.levels.clone(),
            runtime: state.runtime,
            opm: Some(state.opm).filter(|opm| *opm != OpmVersion::NEWEST),
            olm_v1: state.olm_v1,
            outcome: state.simulation.outcome,
            approved: state.simulation.approved,
            plan: state.simulation.plan,
            pressed: state.simulation.pressed.clone(),
            asks_why: state.explained().is_some(),
            tried: state.simulation.tried.as_ref().and_then(Tried::portable),
            every_event: state.simulation.every_event,
            single_keys_off: state.single_keys_off,
        }
    }
}

impl State {
    /// The initial state of the page.
    #[must_use]
    pub fn new(draft: Draft) -> Self {
        Self::restored(draft, "")
    }

    /// The state at the beginning of another visit, with the manifests of the last one.
    #[must_use]
    pub fn restored(draft: Draft, manifests: &str) -> Self {
        let worker = WorkerState { restore: true, kept: draft.catalogs, ..WorkerState::default() };
        let rules = Rules { off: draft.rules_off.clone(), ..Rules::default() };
        let mut state = Self {
            worker,
            rules,
            theme: draft.theme,
            runtime: draft.runtime,
            opm: draft.opm.unwrap_or_default(),
            olm_v1: draft.olm_v1,
            layout: draft.layout.clone(),
            single_keys_off: draft.single_keys_off,
            ..Self::default()
        };
        state.restore_draft(draft, manifests);
        state
    }

    /// Restores a session from a draft and manifests, except for the user's preferences: colours, layout, keys and
    /// rules. The worker restores the catalogs.
    fn restore_draft(&mut self, draft: Draft, manifests: &str) {
        let is_selected = !draft.catalog.is_empty() || draft.package.is_some();
        let selection = NamedSelection { catalog: draft.catalog, package: draft.package, entry: draft.entry };
        self.pending_selection = Some(selection).filter(|_| is_selected);
        self.findings = Findings { everything: draft.everything, text: draft.findings_text, ..Findings::default() };
        self.simulation = Simulation {
            mode: draft.mode,
            namespace: draft.namespace,
            outcome: draft.outcome,
            approved: draft.approved,
            plan: draft.plan,
            pressed: draft.pressed,
            resumes: (draft.asks_why, draft.tried),
            every_event: draft.every_event,
            ..Simulation::default()
        };
        self.simulation.set_manifests(with_unix_line_ends(manifests));
        // Another key replaces the elements, whose scroll positions were of the other session.
        self.simulation_key += 1;
        self.example = draft.example;
        self.compare = Compare::of(draft.compared, draft.levels);
        self.tab = draft.tab;
        // A phone shows one region at a time.
        if draft.tab == Tab::Simulate {
            self.pane = Pane::Package;
        }
    }
}
