//! The source tab: a file in the code editor. The editor itself holds the text and its history; the state knows what is
//! shown of it and what the worker knows of it. Where the editor cannot be loaded, excerpts are shown read-only.

use super::action::SourceAction;
use super::request::{command, notify, query};
use super::{Effect, NoticeKind, Pane, Selection, Shared, State, Tab};
use views::{
    CatalogRow, Command, FileKey, FileRow, FileTarget, FileView, Place, Query, RequestId, SourceView, Subject,
    SymbolView, TextChange, TextPlace, TextRange,
};

/// The source tab.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// How the editor is.
    pub code: Code,
    /// The file in it.
    pub open: Option<OpenFile>,
    /// What is shown where there is no editor.
    pub excerpt: Option<Excerpt>,
    /// The symbol at the cursor.
    pub symbol: Option<Shared<SymbolView>>,
    /// What is to be shown as soon as it is known whether there is an editor.
    wish: Option<(FileKey, FileTarget, Why)>,
    /// The request for a file that is not answered yet.
    awaited: Option<Awaited>,
    /// The request for a definition that is to be gone to.
    going: Option<RequestId>,
    /// What was selected when the source last went somewhere.
    looked_at: Selected,
    /// The source is to go to what is selected as soon as it is known where that stands.
    pub(super) due: bool,
    /// The worker was started anew: what it has of the file may be older than what is shown.
    stale: bool,
}

/// How the editor is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Code {
    /// Nobody needed it yet.
    #[default]
    Unasked,
    /// It is being loaded.
    Loading,
    /// It is there.
    Ready,
    /// It cannot be loaded.
    Failed {
        /// Why.
        reason: String,
    },
}

/// A file in the editor.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenFile {
    /// Its key.
    pub file: FileKey,
    /// The last answer.
    pub view: Shared<FileView>,
    /// The name of its catalog, which outlives the keys of a worker.
    pub catalog: String,
    /// Something was typed that the worker was not told.
    pub dirty: bool,
}

/// An excerpt of a file; it cannot be edited.
#[derive(Clone, Debug, PartialEq)]
pub struct Excerpt {
    /// The key of the file.
    pub file: FileKey,
    /// The place that it is around.
    pub target: FileTarget,
    /// The last answer.
    pub view: Shared<SourceView>,
    /// The name of the catalog, which outlives the keys of a worker.
    catalog: String,
}

#[derive(Clone, Debug, PartialEq)]
struct Awaited {
    id: RequestId,
    file: FileKey,
    target: FileTarget,
    why: Why,
}

/// What becomes of a text that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    /// It is shown; a file that is shown already is only looked up in.
    Open,
    /// It is shown too, and a link led there.
    Follow,
    /// It is what the worker has after a restart; what is shown counts.
    Reconcile,
    /// It differs from what is shown though nothing was typed; what the worker has counts.
    Renew,
}

impl Source {
    /// Whether a file is shown or asked for.
    pub(super) const fn is_used(&self) -> bool {
        self.open.is_some() || self.excerpt.is_some() || self.awaited.is_some()
    }

    /// Whether the source went somewhere since this was selected.
    pub(super) fn looked_at(&self, selected: &Selected) -> bool {
        self.looked_at == *selected
    }
}

impl OpenFile {
    /// How many findings there are in it.
    #[must_use]
    pub fn findings(&self) -> u32 {
        u32::try_from(self.view.marks.len()).unwrap_or(u32::MAX).saturating_add(self.view.unmarked)
    }
}

impl Why {
    /// Whether it is to be shown, rather than to be compared with what is.
    const fn shows(self) -> bool {
        matches!(self, Self::Open | Self::Follow)
    }
}

/// What is selected: an entry or something else of a package.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Selected {
    selection: Selection,
    subject: Option<Subject>,
}

impl Selected {
    pub(super) fn of(state: &State) -> Self {
        Self { selection: state.selection.clone(), subject: state.explore.subject.clone() }
    }
}

/// Handles an action of the tab.
pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: SourceAction) {
    match action {
        SourceAction::CodeLoaded(outcome) => loaded(state, effects, outcome),
        SourceAction::CodeRetried => retry(state, effects),
        SourceAction::Typed => typed(state, effects),
        SourceAction::Edited { changes } => edited(state, effects, changes),
        SourceAction::Differs => differs(state, effects),
        SourceAction::CursorRested(at) => rested(state, effects, at),
        SourceAction::DefinitionAsked(at) => define(state, effects, at),
        SourceAction::FileChosen(file) => {
            state.dialog = None;
            state.tab = Tab::Source;
            state.pane = Pane::Package;
            show(state, effects, file, FileTarget::Anywhere);
        }
        SourceAction::LineChosen(line) => go_to_line(state, effects, line),
    }
}

/// Shows a place of a file: in the editor, or as an excerpt where there is none.
pub(super) fn show(state: &mut State, effects: &mut Vec<Effect>, file: FileKey, target: FileTarget) {
    show_because(state, effects, file, target, Why::Open);
}

/// Shows a place of a file that a link led to.
pub(super) fn follow(state: &mut State, effects: &mut Vec<Effect>, file: FileKey, target: FileTarget) {
    show_because(state, effects, file, target, Why::Follow);
}

fn show_because(state: &mut State, effects: &mut Vec<Effect>, file: FileKey, target: FileTarget, why: Why) {
    state.source.looked_at = Selected::of(state);
    state.source.due = false;
    match state.source.code {
        Code::Unasked => {
            state.source.code = Code::Loading;
            state.source.wish = Some((file, target, why));
            effects.push(Effect::LoadCode);
        }
        Code::Loading => state.source.wish = Some((file, target, why)),
        Code::Ready | Code::Failed { .. } => request(state, effects, file, target, why),
    }
}

fn request(state: &mut State, effects: &mut Vec<Effect>, file: FileKey, target: FileTarget, why: Why) {
    let id = if matches!(state.source.code, Code::Failed { .. }) {
        query(state, effects, Query::Source { file, target })
    } else {
        let shown = !state.source.stale && self::file(state) == Some(file);
        query(state, effects, Query::File { file, target, text: !why.shows() || !shown })
    };
    state.source.awaited = Some(Awaited { id, file, target, why });
}

/// The editor was loaded, or was not.
fn loaded(state: &mut State, effects: &mut Vec<Effect>, outcome: Result<(), String>) {
    state.source.code = match outcome {
        Ok(()) => Code::Ready,
        Err(reason) => Code::Failed { reason },
    };
    if state.source.code == Code::Ready {
        state.source.excerpt = None;
    }
    if let Some((file, target, why)) = state.source.wish.take() {
        show_because(state, effects, file, target, why);
    }
}

/// The editor is to be loaded once more.
fn retry(state: &mut State, effects: &mut Vec<Effect>) {
    state.source.code = Code::Unasked;
    if let Some(Excerpt { file, target, .. }) = state.source.excerpt {
        show(state, effects, file, target);
    }
}

/// Something was typed.
fn typed(state: &mut State, effects: &mut Vec<Effect>) {
    if let Some(open) = &mut state.source.open {
        open.dirty = true;
        effects.push(Effect::AwaitPause);
    }
}

/// Whether there is something typed that the worker can be told. After a restart it has first to be found out what the
/// new worker has.
pub(super) fn is_unsent(state: &State) -> bool {
    let awaits_text = state.source.awaited.as_ref().is_some_and(|awaited| awaited.why == Why::Reconcile);
    let dirty = state.source.open.as_ref().is_some_and(|open| open.dirty);
    dirty && state.worker.ready && !state.source.stale && !awaits_text
}

/// Tells the worker what was typed.
fn edited(state: &mut State, effects: &mut Vec<Effect>, changes: Vec<TextChange>) {
    let Some(open) = &mut state.source.open else { return };
    open.dirty = false;
    let file = open.file;
    if !changes.is_empty() {
        command(state, effects, Command::Type { file, changes });
    }
}

/// Takes a file that was asked for, perhaps with its text.
pub(super) fn take_file(
    state: &mut State,
    effects: &mut Vec<Effect>,
    id: RequestId,
    (file, with_text): (FileKey, bool),
    view: Option<FileView>,
) {
    let awaited = state.source.awaited.take_if(|awaited| awaited.id == id);
    let why = awaited.map(|awaited| awaited.why);
    let Some(view) = view else { return };
    let shown = self::file(state) == Some(file);
    if why.is_none() && !shown {
        return;
    }
    let catalog = state.catalog(view.catalog).map(|row| row.name.clone()).unwrap_or_default();
    let target = view.target;
    let label = view.path.clone();
    match why.filter(|_| with_text) {
        Some(Why::Open | Why::Follow) => {
            state.source.stale = false;
            state.source.symbol = None;
            let key = format!("{catalog} {label}");
            effects.push(Effect::OpenCode { key, label, read_only: view.read_only.clone() });
        }
        Some(Why::Reconcile) => {
            state.source.stale = false;
            effects.push(Effect::ReconcileCode);
        }
        Some(Why::Renew) => effects.push(Effect::RenewCode),
        None => {}
    }
    let dirty = shown && state.source.open.as_ref().is_some_and(|open| open.dirty);
    let view = Shared::new(view);
    state.source.open = Some(OpenFile { file, view: view.clone(), catalog, dirty });
    effects.push(Effect::MarkCode(view));
    let linked = why == Some(Why::Follow);
    effects.extend(target.map(|range| Effect::RevealCode { range, linked }));
}

/// Takes an excerpt, and brings the place that was asked for into view. One that was only asked for anew stays where it is.
pub(super) fn take_excerpt(
    state: &mut State,
    effects: &mut Vec<Effect>,
    id: RequestId,
    (file, target): (FileKey, FileTarget),
    view: Option<SourceView>,
) {
    let awaited = state.source.awaited.take_if(|awaited| awaited.id == id).is_some();
    let Some(view) = view else { return };
    let catalog = state.catalog(view.catalog).map(|row| row.name.clone()).unwrap_or_default();
    state.source.excerpt = Some(Excerpt { file, target, view: Shared::new(view), catalog });
    if awaited {
        effects.push(Effect::RevealExcerpt);
    }
}

/// Takes what stands at a place. Returns the place of its definition if that is to be gone to.
pub(super) fn take_symbol(state: &mut State, id: RequestId, file: FileKey, view: Option<SymbolView>) -> Option<Place> {
    let going = state.source.going.take_if(|going| *going == id).is_some();
    if self::file(state) != Some(file) {
        return None;
    }
    let place = view.as_ref().and_then(|view| view.definitions.first()).map(|definition| definition.place);
    state.source.symbol = view.map(Shared::new);
    if going && place.is_none() {
        notify(state, NoticeKind::NoDefinition);
    }
    place.filter(|_| going)
}

/// Goes to the definition of what stands at a place.
fn define(state: &mut State, effects: &mut Vec<Effect>, at: TextPlace) {
    if let Some(file) = file(state) {
        state.source.going = Some(query(state, effects, Query::Symbol { file, at }));
    }
}

/// The cursor came to rest.
fn rested(state: &mut State, effects: &mut Vec<Effect>, at: TextPlace) {
    if let Some(file) = file(state).filter(|_| state.source.going.is_none()) {
        query(state, effects, Query::Symbol { file, at });
    }
}

/// Goes to a line, from 1.
fn go_to_line(state: &mut State, effects: &mut Vec<Effect>, line: u32) {
    if let Some(Excerpt { file, .. }) = state.source.excerpt {
        request(state, effects, file, FileTarget::Line(line), Why::Open);
    } else if state.source.open.is_some() {
        let place = TextPlace { line, column: 1 };
        effects.push(Effect::RevealCode { range: TextRange { from: place, to: place }, linked: false });
    }
}

/// What the editor was sent is not what the worker has, and nothing typed explains it.
fn differs(state: &mut State, effects: &mut Vec<Effect>) {
    let idle = state.source.awaited.is_none() && state.source.open.as_ref().is_some_and(|open| !open.dirty);
    if let Some(file) = file(state).filter(|_| idle) {
        request(state, effects, file, FileTarget::Anywhere, Why::Renew);
    }
}

fn file(state: &State) -> Option<FileKey> {
    state.source.open.as_ref().map(|open| open.file)
}

/// After a change of the inputs: asks for the findings anew, and again for what an older worker or older inputs owe.
pub(super) fn refresh(state: &mut State, effects: &mut Vec<Effect>) {
    if let Some(Awaited { id, file, target, why }) = state.source.awaited.clone() {
        let pending = state.pending.iter().any(|pending| pending.id == id);
        let loaded = find(state, |row, _| row.file == file).is_some();
        if pending {
            return;
        }
        state.source.awaited = None;
        if loaded {
            return request(state, effects, file, target, why);
        }
    }
    if state.source.excerpt.is_some() {
        return refresh_excerpt(state, effects);
    }
    if state.source.stale {
        return reconcile(state, effects);
    }
    let Some(file) = file(state) else { return };
    match find(state, |row, _| row.file == file) {
        // What is not edited here may have been made anew.
        Some(_) if state.source.open.as_ref().is_some_and(|open| open.view.read_only.is_some()) => {
            request(state, effects, file, FileTarget::Anywhere, Why::Renew);
        }
        Some(_) => {
            query(state, effects, Query::File { file, target: FileTarget::Anywhere, text: false });
        }
        None => {
            state.source.open = None;
            state.source.symbol = None;
        }
    }
}

/// Asks for the excerpt anew, or lets it go with its file.
fn refresh_excerpt(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(Excerpt { file, target, view, catalog }) = &state.source.excerpt else { return };
    let same = |row: &FileRow, of: &CatalogRow| row.path == view.path && of.name == *catalog;
    // After a restart the same file has another key.
    let file = find(state, |row, of| row.file == *file && same(row, of)).or_else(|| find(state, same));
    let target = *target;
    match file {
        Some(file) => drop(query(state, effects, Query::Source { file, target })),
        None => state.source.excerpt = None,
    }
}

/// After a restart keys are new: the file is known by its catalog and path.
fn reconcile(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(open) = &state.source.open else {
        state.source.stale = false;
        return;
    };
    let (catalog, path) = (open.catalog.clone(), open.view.path.clone());
    // Without it, its text stays: it may be brought back.
    if let Some(file) = find(state, |row, of| row.path == path && of.name == catalog) {
        request(state, effects, file, FileTarget::Anywhere, Why::Reconcile);
    }
}

fn find(state: &State, is: impl Fn(&FileRow, &CatalogRow) -> bool) -> Option<FileKey> {
    let mut files =
        state.overview.catalogs.iter().flat_map(|catalog| catalog.files.iter().map(move |row| (row, catalog)));
    files.find(|(row, catalog)| is(row, catalog)).map(|(row, _)| row.file)
}

/// The worker is no more, and its keys with it.
pub(super) fn forget_worker(state: &mut State) {
    let source = &mut state.source;
    source.stale = source.open.is_some();
    source.awaited = None;
    source.going = None;
    source.symbol = None;
}
