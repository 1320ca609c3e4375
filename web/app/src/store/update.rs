//! The reducer: what happened, and what is to be done about it.

use super::draft::Draft;
use super::landing::landing;
use super::worker::{cancel, command, died, notify, open_files, query, restart, start, waited};
use super::{
    Action, Dialog, Direction, EXAMPLE, Effect, Explore, Explored, Fragment, NoticeKind, Pane, ReachFilter, Selection,
    Shared, State, Tab, found_packages,
};
use super::{answer, explore, play, rules, selected_source, source, state::Wanted, trial, visit};
use views::{Command, EntryKey, FileKey, FileTarget, FindingsFilter, PackageKey, Place, Query};

/// The state after an event, and what is to be done.
#[must_use]
pub fn update(mut state: State, action: Action) -> (State, Vec<Effect>) {
    let mut effects = Vec::new();
    let (before, noticed) = (Draft::of(&state), state.noticed);
    let landing = landing(&state, &action);
    if flushes(&action) {
        source::flush(&mut state, &mut effects);
        play::flush(&mut state, &mut effects);
    }
    if is_own(&action) {
        state.example = None;
    }
    step(&mut state, &mut effects, action);
    effects.extend(landing.map(Effect::Land));
    trial::forget(&mut state);
    let draft = Draft::of(&state);
    if draft != before && !effects.contains(&Effect::ForgetDraft) {
        effects.push(Effect::SaveDraft(Box::new(draft)));
    }
    let passing = state.notices.iter().filter(|notice| notice.number > noticed && !notice.kind.stays());
    effects.extend(passing.map(|notice| Effect::AwaitReading { notice: notice.number }));
    if state.embedded {
        effects.retain(|effect| !effect.keeps());
    }
    (state, effects)
}

fn step(state: &mut State, effects: &mut Vec<Effect>, action: Action) {
    match action {
        // Without anything to bring back or to show, the page waits for something to do.
        Action::Opened if !state.worker.kept => {}
        Action::Opened | Action::WorkerNeeded => start(state, effects),
        Action::LoadCancelled => cancel(state, effects),
        Action::Heard(message) => answer::take(state, effects, *message),
        Action::WorkerDied { reason, at } => died(state, effects, reason, at),
        Action::Waited { id, wait } => waited(state, id, wait),
        Action::Stopped => {
            restart(state, effects, true);
            notify(state, NoticeKind::Stopped);
        }
        Action::RestoreAsked => {
            state.worker.not_restored = false;
            command(state, effects, Command::Restore);
        }
        Action::NoticeDismissed(number) => state.notices.retain(|notice| notice.number != number),
        Action::NoticeRead(number) => visit::read(state, number),
        Action::ThemeChosen(theme) => {
            state.theme = theme;
            effects.push(Effect::ApplyTheme(theme));
        }
        Action::KeysChosen { single } => state.keyless = !single,
        Action::Renewed => notify(state, NoticeKind::Renewed),
        Action::RenewalAsked => effects.push(Effect::Renew),
        Action::DialogOpened(dialog) => {
            state.dialog = Some(dialog);
            if matches!(dialog, Dialog::Paste | Dialog::Examples) {
                start(state, effects);
            }
        }
        Action::DialogClosed if state.dialog == Some(Dialog::Coming) => visit::answered(state, effects, false),
        Action::DialogClosed => state.dialog = None,
        Action::Dragged { over } => {
            state.dragging = over;
            start(state, effects);
        }
        Action::Printed { begins } => state.printing = begins,
        Action::PaneChosen(pane) => state.pane = pane,
        Action::Searched(text) => state.search = text,
        action => inputs(state, effects, action),
    }
}

fn inputs(state: &mut State, effects: &mut Vec<Effect>, action: Action) {
    match action {
        Action::FilesCollected { batch, files } if !files.is_empty() => {
            open_files(state, effects, files, batch);
        }
        Action::FilesCollected { .. } => {
            notify(state, NoticeKind::Refused { reason: "there are no files in it".to_owned() });
        }
        Action::DraftLost(reason) => notify(state, NoticeKind::NotStored { reason }),
        Action::FilesRefused(reason) => notify(state, NoticeKind::Refused { reason }),
        Action::Pasted(text) => {
            state.dialog = None;
            match Fragment::of_address(&text) {
                Some(coming) => visit::coming(state, effects, coming),
                None => command(state, effects, Command::Paste { text }),
            }
        }
        Action::ExampleChosen => {
            command(state, effects, Command::Paste { text: EXAMPLE.to_owned() });
        }
        Action::ExamplesAsked => {
            state.dialog = Some(Dialog::Examples);
            if state.examples.is_empty() {
                query(state, effects, Query::Examples);
            }
        }
        Action::ExampleOpened(slug) => {
            visit::open_example(state, effects, slug);
        }
        Action::CatalogDescribed { catalog, name, namespace, priority } => {
            state.dialog = None;
            command(state, effects, Command::DescribeCatalog { catalog, name, namespace, priority });
        }
        Action::CatalogRemoved(catalog) => visit::remove(state, effects, catalog),
        Action::Cleared => visit::clear(state, effects),
        action => visits(state, effects, action),
    }
}

fn visits(state: &mut State, effects: &mut Vec<Effect>, action: Action) {
    match action {
        Action::LinkFollowed(coming) => visit::coming(state, effects, coming),
        Action::ComingAnswered { yes } => visit::answered(state, effects, yes),
        Action::ShareAsked => visit::share(state, effects),
        Action::TextRestored(way) => trial::back(state, effects, way),
        Action::CatalogsRestored(undo) => visit::put_back(state, effects, undo),
        Action::UndoAsked => {
            if let Some(action) = visit::undo(state) {
                step(state, effects, action);
            }
        }
        action => navigation(state, effects, action),
    }
}

fn navigation(state: &mut State, effects: &mut Vec<Effect>, action: Action) {
    match action {
        Action::PackageSelected(key) => {
            state.pane = Pane::Package;
            select(state, effects, key, None);
        }
        Action::PackageStepped(direction) => {
            if let Some(key) = neighbour(state, direction) {
                select(state, effects, key, None);
                effects.push(Effect::RevealPackage);
            }
        }
        Action::EntrySelected(entry) => explore::entry_selected(state, effects, entry),
        Action::EntryLeft => explore::left(state, effects),
        Action::Explored(event) => explore::take(state, effects, event),
        Action::BundleFollowed { catalog, package, entry } => follow_bundle(state, effects, &catalog, package, entry),
        Action::GraphTextAsked { format, purpose } => {
            if let Some(package) = state.selection.package.clone() {
                state.graph_text = Some((query(state, effects, Query::GraphText { package, format }), purpose));
            }
        }
        Action::PlaceFollowed(place) => follow(state, effects, place),
        Action::FindingFollowed(finding) => {
            if let Some(package) = finding.package.clone() {
                let key = PackageKey { catalog: finding.catalog, package };
                if state.overview.packages.iter().any(|row| row.key == key) {
                    select(state, effects, key, finding.entry.clone());
                }
            }
            follow(state, effects, finding.place);
        }
        Action::TabChosen(tab) => choose_tab(state, effects, tab),
        Action::FindingsScoped { everything } => {
            state.findings.everything = everything;
            ask_findings(state, effects);
        }
        Action::FindingsFiltered(text) => {
            state.findings.text = text;
            ask_findings(state, effects);
        }
        Action::MoreFindingsAsked => {
            state.findings.limit += super::Findings::STEP;
            ask_findings(state, effects);
        }
        action => in_source(state, effects, action),
    }
}

fn in_source(state: &mut State, effects: &mut Vec<Effect>, action: Action) {
    match action {
        Action::TypingPaused => {
            source::flush(state, effects);
            play::flush(state, effects);
        }
        Action::FileChosen(file) => {
            state.dialog = None;
            state.tab = Tab::Source;
            state.pane = Pane::Package;
            source::show(state, effects, file, FileTarget::Anywhere);
        }
        Action::LineChosen(line) => source::line(state, effects, line),
        action => in_code(state, effects, action),
    }
}

fn in_code(state: &mut State, effects: &mut Vec<Effect>, action: Action) {
    match action {
        Action::CodeLoaded(outcome) => source::loaded(state, effects, outcome),
        Action::CodeRetried => source::retry(state, effects),
        Action::CodeTyped => source::typed(state, effects),
        Action::CodeDiffers => source::differs(state, effects),
        Action::CursorRested(at) => source::rested(state, effects, at),
        Action::DefinitionAsked(at) => source::define(state, effects, at),
        Action::HereShown => source::show_in_graph(state, effects),
        action => rules::take(state, effects, action),
    }
}

/// Actions after which the worker must have what was typed before.
const fn flushes(action: &Action) -> bool {
    !matches!(
        action,
        Action::CodeTyped
            | Action::CodeDiffers
            | Action::ManifestsTyped(_)
            | Action::FixTried { .. }
            | Action::TypingPaused
            | Action::Heard(_)
            | Action::WorkerDied { .. }
            | Action::Waited { .. }
            | Action::Stopped
            | Action::Explored(Explored::Pointed(_))
            | Action::WorkerNeeded
            | Action::BeatPassed
            | Action::DraftLost(_)
            | Action::Dragged { .. }
            | Action::Printed { .. }
    )
}

/// Actions that make the catalogs or the cluster the user's own.
const fn is_own(action: &Action) -> bool {
    matches!(
        action,
        Action::FilesCollected { .. }
            | Action::Pasted(_)
            | Action::ExampleChosen
            | Action::CatalogDescribed { .. }
            | Action::CatalogRemoved(_)
            | Action::CodeTyped
            | Action::ManifestsTyped(_)
            | Action::SubscriptionAdded
            | Action::SubscriptionEdited { .. }
            | Action::InstallAsked
            | Action::InstalledAsked
    )
}

/// Selects a package and asks for what is shown of it.
pub(super) fn select(state: &mut State, effects: &mut Vec<Effect>, key: PackageKey, entry: Option<EntryKey>) {
    let other = state.selection.package.as_ref() != Some(&key);
    state.selection = Selection { package: Some(key), entry };
    state.wanted = None;
    if other {
        state.explore = Explore {
            filter: ReachFilter { stuck: state.explore.filter.stuck, ..ReachFilter::default() },
            ..Explore::default()
        };
        state.graph = None;
        state.findings.limit = super::Findings::STEP;
    }
    state.entry = None;
    ask_package(state, effects);
    if other && state.tab == Tab::Source {
        selected_source::open(state, effects);
    }
}

/// Asks again for everything that is shown of the selected package.
pub(super) fn ask_package(state: &mut State, effects: &mut Vec<Effect>) {
    if let Some(package) = state.selection.package.clone() {
        query(state, effects, Query::Graph { package });
    }
    ask_entry(state, effects);
    explore::ask_again(state, effects);
    if state.tab == Tab::Findings {
        ask_findings(state, effects);
    }
}

fn ask_entry(state: &mut State, effects: &mut Vec<Effect>) {
    let Selection { package: Some(package), entry: Some(entry) } = state.selection.clone() else { return };
    query(state, effects, Query::Entry { package, entry });
}

pub(super) fn ask_findings(state: &mut State, effects: &mut Vec<Effect>) {
    let package = state.selection.package.clone().filter(|_| !state.findings.everything);
    let filter = FindingsFilter { package, text: state.findings.text.clone() };
    query(state, effects, Query::Findings { filter, limit: state.findings.limit });
}

pub(super) fn select_entry(state: &mut State, effects: &mut Vec<Effect>, entry: Option<EntryKey>) {
    state.explore.about = None;
    if entry.is_some() {
        state.explore.subject = None;
    }
    state.selection.entry = entry;
    state.entry = None;
    ask_entry(state, effects);
    explore::ask_subject(state, effects);
}

fn neighbour(state: &State, direction: Direction) -> Option<PackageKey> {
    let found = found_packages(&state.overview, &state.search);
    let at = found.iter().position(|row| Some(&row.key) == state.selection.package.as_ref());
    let next = match (at, direction) {
        (None, _) => 0,
        (Some(at), Direction::Earlier) => at.checked_sub(1)?,
        (Some(at), Direction::Later) => at + 1,
    };
    found.get(next).map(|row| row.key.clone())
}

fn follow_bundle(state: &mut State, effects: &mut Vec<Effect>, catalog: &str, package: String, entry: EntryKey) {
    let wanted = Wanted { catalog: catalog.to_owned(), package, entry: Some(entry) };
    if let Some(key) = answer::resolve(&state.overview, &wanted) {
        state.tab = if state.tab == Tab::Table { Tab::Table } else { Tab::Graph };
        state.pane = Pane::Package;
        state.roomy = false;
        select(state, effects, key, wanted.entry);
    }
}

pub(super) fn follow(state: &mut State, effects: &mut Vec<Effect>, Place { file, start, end, .. }: Place) {
    if file == FileKey::MANIFESTS {
        return play::reveal(state, effects, start, end);
    }
    state.roomy = false;
    state.tab = Tab::Source;
    state.pane = Pane::Package;
    source::follow(state, effects, file, FileTarget::Bytes { start, end });
}

fn choose_tab(state: &mut State, effects: &mut Vec<Effect>, tab: Tab) {
    state.tab = tab;
    state.pane = Pane::Package;
    match tab {
        Tab::Findings => ask_findings(state, effects),
        Tab::Source => selected_source::chosen(state, effects),
        Tab::Reach => explore::see_reach(state, effects),
        Tab::Graph | Tab::Table => {}
    }
}

/// Forgets what is shown of a selection that is no more.
pub(super) fn deselect(state: &mut State) {
    state.selection = Selection::default();
    state.explore = Explore::default();
    state.graph = None;
    state.entry = None;
    state.findings.view = Shared::default();
}
