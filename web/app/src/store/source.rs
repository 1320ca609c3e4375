//! The Source tab: a file in the code editor. The editor holds the text and its undo history. The state knows which
//! file is open and whether the worker has its latest text. Where the editor cannot be loaded, read-only excerpts are
//! shown.

use super::action::SourceAction;
use super::request::{Arrival, command, notify, send_query};
use super::{EditorFocus, Effect, NoticeKind, Pane, Selection, Shared, State, Tab};
use views::{
    CatalogRow, Command, FileKey, FileRow, FileTarget, FileView, Overview, Place, RequestId, SourceView, Subject,
    SymbolView, Take, TextChange, TextPlace, TextRange, query,
};

impl Selected {
    pub(super) fn of(state: &State) -> Self {
        Self { selection: state.selection.clone(), subject: state.explore.subject.clone() }
    }
}

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: SourceAction) {
    match action {
        SourceAction::EditorLoaded(outcome) => loaded(state, effects, outcome),
        SourceAction::EditorRetried => retry(state, effects),
        SourceAction::Typed => typed(state, effects),
        SourceAction::Edited { changes } => edited(state, effects, changes),
        SourceAction::Differs => differs(state, effects),
        SourceAction::ChangesCounted(lines) => {
            state.source.changed_lines = lines;
            // The button that hides them is gone.
            if lines == 0 && state.source.shows_changes {
                show_changes(state, effects, false);
            }
        }
        SourceAction::SaveAsked => {
            ask_to_save(state, effects);
        }
        SourceAction::ChangesToggled => {
            let shown = !state.source.shows_changes;
            show_changes(state, effects, shown);
        }
        SourceAction::CursorRested(at) => rested(state, effects, at),
        SourceAction::DefinitionAsked(at) => define(state, effects, at),
        SourceAction::FileChosen(file) => {
            state.dialog = None;
            state.tab = Tab::Source;
            state.pane = Pane::Package;
            show(state, effects, file, FileTarget::Anywhere);
        }
        SourceAction::DifferenceShown(file) => {
            handle(state, effects, SourceAction::FileChosen(file));
            show_changes(state, effects, true);
        }
        SourceAction::LineChosen(line) => go_to_line(state, effects, line),
    }
}

/// Shows a place of a file: in the editor, or as an excerpt where the editor cannot be loaded.
pub(super) fn show(state: &mut State, effects: &mut Vec<Effect>, file: FileKey, target: FileTarget) {
    show_with(state, effects, file, target, Purpose::Open);
}

/// Shows a place of a file because the user followed a link.
pub(super) fn follow(state: &mut State, effects: &mut Vec<Effect>, file: FileKey, target: FileTarget) {
    show_with(state, effects, file, target, Purpose::Follow);
}

fn show_with(state: &mut State, effects: &mut Vec<Effect>, file: FileKey, target: FileTarget, purpose: Purpose) {
    state.source.shown_for = Selected::of(state);
    state.source.waits_for_selection = false;
    match state.source.editor {
        EditorStatus::Unasked => {
            state.source.editor = EditorStatus::Loading;
            state.source.deferred = Some((file, target, purpose));
            effects.push(Effect::LoadEditor);
        }
        EditorStatus::Loading => state.source.deferred = Some((file, target, purpose)),
        EditorStatus::Ready | EditorStatus::Failed { .. } => request(state, effects, file, target, purpose),
    }
}

fn request(state: &mut State, effects: &mut Vec<Effect>, file: FileKey, target: FileTarget, purpose: Purpose) {
    let id = if matches!(state.source.editor, EditorStatus::Failed { .. }) {
        send_query(state, effects, query::Source { file, target })
    } else {
        let shown = !state.source.out_of_sync && self::file(state) == Some(file);
        send_query(state, effects, query::File { file, target, text: !purpose.shows() || !shown })
    };
    state.source.awaited = Some(Awaited { id, file, target, purpose });
}

/// Handles that the editor was loaded or could not be. Then the deferred file is requested.
fn loaded(state: &mut State, effects: &mut Vec<Effect>, outcome: Result<(), String>) {
    state.source.editor = match outcome {
        Ok(()) => EditorStatus::Ready,
        Err(reason) => EditorStatus::Failed { reason },
    };
    if state.source.editor == EditorStatus::Ready {
        state.source.excerpt = None;
    }
    if let Some((file, target, purpose)) = state.source.deferred.take() {
        show_with(state, effects, file, target, purpose);
    }
}

/// Tries again to load the editor.
fn retry(state: &mut State, effects: &mut Vec<Effect>) {
    state.source.editor = EditorStatus::Unasked;
    if let Some(Excerpt { file, target, .. }) = state.source.excerpt {
        show(state, effects, file, target);
    }
}

/// Handles that something was typed. It is sent when typing pauses.
fn typed(state: &mut State, effects: &mut Vec<Effect>) {
    if let Some(open) = &mut state.source.open {
        open.dirty = true;
        effects.push(Effect::AwaitTypingPause);
    }
}

/// Whether something was typed that can be sent to the worker. After a restart of the worker its text has to be
/// compared with the editor's first.
pub(super) fn is_unsent(state: &State) -> bool {
    let awaits_text = state.source.awaited.as_ref().is_some_and(|awaited| awaited.purpose == Purpose::Reconcile);
    let dirty = state.source.open.as_ref().is_some_and(|open| open.dirty);
    dirty && state.worker.ready && !state.source.out_of_sync && !awaits_text
}

/// Sends the worker what was typed.
fn edited(state: &mut State, effects: &mut Vec<Effect>, changes: Vec<TextChange>) {
    let Some(open) = &mut state.source.open else { return };
    open.dirty = false;
    let file = open.file;
    if !changes.is_empty() {
        command(state, effects, Command::Type { file, changes });
    }
}

impl Take<query::File> for Arrival<'_> {
    fn take(&mut self, query::File { file, text, .. }: query::File, view: Option<FileView>) {
        take_file(self, (file, text), view);
    }
}

/// Takes a file that was requested, with its text if that was requested too.
fn take_file(arrival: &mut Arrival<'_>, (file, with_text): (FileKey, bool), view: Option<FileView>) {
    let Arrival { state, effects, id } = arrival;
    let awaited = state.source.awaited.take_if(|awaited| awaited.id == *id);
    let purpose = awaited.map(|awaited| awaited.purpose);
    let Some(mut view) = view else { return };
    let shown = self::file(state) == Some(file);
    if purpose.is_none() && !shown {
        return;
    }
    let catalog = state.catalog(view.catalog).map(|row| row.name.clone()).unwrap_or_default();
    let target = view.target;
    let label = view.path.clone();
    match purpose.filter(|_| with_text) {
        Some(Purpose::Open | Purpose::Follow) => {
            state.source.out_of_sync = false;
            state.source.symbol = None;
            let key = format!("{catalog} {label}");
            let opened = view.opened.take();
            effects.push(Effect::OpenInEditor { key, label, read_only: view.read_only.clone(), opened });
        }
        Some(Purpose::Reconcile) => {
            state.source.out_of_sync = false;
            effects.push(Effect::ReconcileEditor);
        }
        Some(Purpose::Replace) => effects.push(Effect::ReplaceInEditor { opened: view.opened.take() }),
        None => {}
    }
    let dirty = shown && state.source.open.as_ref().is_some_and(|open| open.dirty);
    let view = Shared::new(view);
    state.source.open = Some(OpenFile { file, view: view.clone(), catalog, dirty });
    effects.push(Effect::ShowFindings(view));
    let focus = if purpose == Some(Purpose::Follow) { EditorFocus::IfLost } else { EditorFocus::Keep };
    effects.extend(target.map(|range| Effect::RevealInEditor { range, focus }));
}

/// Asks for the text of the open file, to save it.
fn ask_to_save(state: &mut State, effects: &mut Vec<Effect>) {
    state.source.save_request = None;
    if let Some(file) = file(state) {
        state.source.save_request = Some(send_query(state, effects, query::FileText { file }));
    }
}

impl Take<query::FileText> for Arrival<'_> {
    /// Saves the text that has arrived with the path of its file, under the last part of that.
    fn take(&mut self, _: query::FileText, path: Option<String>) {
        self.state.source.save_request = None;
        let Some(path) = path else { return };
        let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
        self.effects.push(Effect::SaveArrived { name: name.clone() });
        notify(self.state, NoticeKind::Saved { name });
    }
}

impl Take<query::Source> for Arrival<'_> {
    /// Takes an excerpt and scrolls to its place, unless it is a refreshed one.
    fn take(&mut self, query::Source { file, target }: query::Source, view: Option<SourceView>) {
        let awaited = self.state.source.awaited.take_if(|awaited| awaited.id == self.id).is_some();
        let Some(view) = view else { return };
        let catalog = self.state.catalog(view.catalog).map(|row| row.name.clone()).unwrap_or_default();
        self.state.source.excerpt = Some(Excerpt { file, target, view: Shared::new(view), catalog });
        if awaited {
            self.effects.push(Effect::RevealExcerpt);
        }
    }
}

/// Takes the symbol at a place. Returns the place of its definition if the user wants to go there.
pub(super) fn take_symbol(state: &mut State, id: RequestId, file: FileKey, view: Option<SymbolView>) -> Option<Place> {
    let follows = state.source.definition_request.take_if(|request| *request == id).is_some();
    if self::file(state) != Some(file) {
        return None;
    }
    let place = view.as_ref().and_then(|view| view.definitions.first()).map(|definition| definition.place);
    state.source.symbol = view.map(Shared::new);
    if follows && place.is_none() {
        notify(state, NoticeKind::NoDefinition);
    }
    place.filter(|_| follows)
}

/// Requests the definition of the symbol at a place, to go there.
fn define(state: &mut State, effects: &mut Vec<Effect>, at: TextPlace) {
    if let Some(file) = file(state) {
        state.source.definition_request = Some(send_query(state, effects, query::Symbol { file, at }));
    }
}

/// Requests the symbol at the cursor, which came to rest.
fn rested(state: &mut State, effects: &mut Vec<Effect>, at: TextPlace) {
    if let Some(file) = file(state).filter(|_| state.source.definition_request.is_none()) {
        send_query(state, effects, query::Symbol { file, at });
    }
}

/// Goes to a line, from 1.
fn go_to_line(state: &mut State, effects: &mut Vec<Effect>, line: u32) {
    if let Some(Excerpt { file, .. }) = state.source.excerpt {
        request(state, effects, file, FileTarget::Line(line), Purpose::Open);
    } else if state.source.open.is_some() {
        let place = TextPlace { line, column: 1 };
        effects.push(Effect::RevealInEditor { range: TextRange { from: place, to: place }, focus: EditorFocus::Take });
    }
}

fn show_changes(state: &mut State, effects: &mut Vec<Effect>, shown: bool) {
    state.source.shows_changes = shown;
    effects.push(Effect::ShowChanges(shown));
}

/// Handles that the editor's text differs from the worker's although nothing was typed.
fn differs(state: &mut State, effects: &mut Vec<Effect>) {
    let idle = state.source.awaited.is_none() && state.source.open.as_ref().is_some_and(|open| !open.dirty);
    if let Some(file) = file(state).filter(|_| idle) {
        request(state, effects, file, FileTarget::Anywhere, Purpose::Replace);
    }
}

fn file(state: &State) -> Option<FileKey> {
    state.source.open.as_ref().map(|open| open.file)
}

/// Handles a change of the inputs: refreshes the findings of the open file, and repeats a request for a file whose
/// answer was lost with an older worker or dropped because of older inputs.
pub(super) fn refresh(state: &mut State, effects: &mut Vec<Effect>) {
    if state.source.save_request.is_some_and(|id| state.pending.iter().all(|pending| pending.id != id)) {
        ask_to_save(state, effects);
    }
    if let Some(Awaited { id, file, target, purpose }) = state.source.awaited.clone() {
        let pending = state.pending.iter().any(|pending| pending.id == id);
        let loaded = find(state, |row, _| row.file == file).is_some();
        if pending {
            return;
        }
        state.source.awaited = None;
        if loaded {
            return request(state, effects, file, target, purpose);
        }
    }
    if state.source.excerpt.is_some() {
        return refresh_excerpt(state, effects);
    }
    if state.source.out_of_sync {
        return reconcile(state, effects);
    }
    let Some(file) = file(state) else { return };
    match find(state, |row, _| row.file == file) {
        // A read-only file may have changed: it is the expansion of a template, for instance.
        Some(_) if std::mem::take(&mut state.source.fixed) || is_read_only(state) => {
            request(state, effects, file, FileTarget::Anywhere, Purpose::Replace);
        }
        Some(_) => {
            send_query(state, effects, query::File { file, target: FileTarget::Anywhere, text: false });
        }
        None => {
            state.source.open = None;
            state.source.symbol = None;
        }
    }
}

fn is_read_only(state: &State) -> bool {
    state.source.open.as_ref().is_some_and(|open| open.view.read_only.is_some())
}

/// Remembers that a fix changes a file: the editor has to take its text if it shows the file.
pub(super) fn note_fix(state: &mut State, fixed: FileKey) {
    state.source.fixed |= file(state) == Some(fixed);
}

/// Remembers that files changed on the disk: the editor has to take the text of the one that it shows.
pub(super) const fn note_followed(state: &mut State) {
    state.source.fixed = state.source.open.is_some();
}

/// Refreshes the excerpt, or closes it if its file is gone.
fn refresh_excerpt(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(Excerpt { file, target, view, catalog }) = &state.source.excerpt else { return };
    let same = |row: &FileRow, of: &CatalogRow| row.path == view.path && of.name == *catalog;
    // After a restart the same file has another key.
    let file = find(state, |row, of| row.file == *file && same(row, of)).or_else(|| find(state, same));
    let target = *target;
    match file {
        Some(file) => drop(send_query(state, effects, query::Source { file, target })),
        None => state.source.excerpt = None,
    }
}

/// Requests the open file again after a restart of the worker. Keys are new then, so the file is found by its catalog
/// and path.
fn reconcile(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(open) = &state.source.open else {
        state.source.out_of_sync = false;
        return;
    };
    let (catalog, path) = (open.catalog.clone(), open.view.path.clone());
    // If the file is not there, its text stays in the editor: the file may be restored.
    if let Some(file) = find(state, |row, of| row.path == path && of.name == catalog) {
        request(state, effects, file, FileTarget::Anywhere, Purpose::Reconcile);
    }
}

fn find(state: &State, is_wanted: impl Fn(&FileRow, &CatalogRow) -> bool) -> Option<FileKey> {
    let mut files =
        state.overview.catalogs.iter().flat_map(|catalog| catalog.files.iter().map(move |row| (row, catalog)));
    files.find(|(row, catalog)| is_wanted(row, catalog)).map(|(row, _)| row.file)
}

/// Forgets everything that refers to the worker that ended.
pub(super) fn forget_worker(state: &mut State) {
    let source = &mut state.source;
    source.out_of_sync = source.open.is_some();
    source.awaited = None;
    source.definition_request = None;
    source.symbol = None;
}

// What the Source tab shows: the file in the code editor, or an excerpt.

/// The Source tab.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// Whether the editor is loaded.
    pub editor: EditorStatus,
    pub open: Option<OpenFile>,
    /// The excerpt that is shown where the editor cannot be loaded.
    pub excerpt: Option<Excerpt>,
    /// How many lines of the open file were changed since it was opened.
    pub changed_lines: u32,
    /// Whether the editor shows these changes in the text.
    pub shows_changes: bool,
    /// The symbol at the cursor.
    pub symbol: Option<Shared<SymbolView>>,
    /// The file to show once the editor is loaded or has failed to.
    pub(super) deferred: Option<(FileKey, FileTarget, Purpose)>,
    /// The last request for a file, until it is answered.
    pub(super) awaited: Option<Awaited>,
    /// The request for the text of a file that the user wants to save.
    pub(super) save_request: Option<RequestId>,
    /// The request for a definition that the user wants to go to.
    pub(super) definition_request: Option<RequestId>,
    /// The selection when the source last showed a place.
    pub(super) shown_for: Selected,
    /// Whether to show the place of the selection once the worker has answered where it is.
    pub(super) waits_for_selection: bool,
    /// Whether a fix changed the open file without the editor.
    pub(super) fixed: bool,
    /// Whether the worker was restarted since the file was opened: its text may be older than the editor's.
    pub(super) out_of_sync: bool,
}

/// Whether the editor is loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum EditorStatus {
    /// It was not needed yet.
    #[default]
    Unasked,
    Loading,
    Ready,
    /// It cannot be loaded.
    Failed {
        reason: String,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct OpenFile {
    pub file: FileKey,
    /// The last answer.
    pub view: Shared<FileView>,
    /// The name of its catalog, which outlives the keys of a worker.
    pub catalog: String,
    /// Whether something was typed that was not sent to the worker.
    pub dirty: bool,
}

/// A read-only excerpt of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Excerpt {
    pub file: FileKey,
    /// The place at its middle.
    pub target: FileTarget,
    /// The last answer.
    pub view: Shared<SourceView>,
    /// The name of the catalog, which outlives the keys of a worker.
    pub(super) catalog: String,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Awaited {
    pub(super) id: RequestId,
    pub(super) file: FileKey,
    pub(super) target: FileTarget,
    pub(super) purpose: Purpose,
}

/// What a file was requested for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To show it. The text of a file that is open already is not requested again.
    Open,
    /// To show it because the user followed a link.
    Follow,
    /// To compare it with the editor's text after a restart of the worker; the editor's text wins.
    Reconcile,
    /// To replace the editor's text, which differs although nothing was typed; the worker's text wins.
    Replace,
}

impl Source {
    /// Whether a file is shown or requested.
    const fn is_used(&self) -> bool {
        self.open.is_some() || self.excerpt.is_some() || self.awaited.is_some()
    }

    /// Whether the source has shown a place since this was selected.
    fn shown_for(&self, selected: &Selected) -> bool {
        self.shown_for == *selected
    }
}

impl OpenFile {
    /// The number of findings in it.
    #[must_use]
    pub fn findings(&self) -> u32 {
        u32::try_from(self.view.marks.len()).unwrap_or(u32::MAX).saturating_add(self.view.unmarked)
    }
}

impl Purpose {
    /// Whether the file is shown, rather than compared with the editor's text.
    pub(super) const fn shows(self) -> bool {
        matches!(self, Self::Open | Self::Follow)
    }
}

/// The selected entry or subject.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Selected {
    pub(super) selection: Selection,
    pub(super) subject: Option<Subject>,
}

// Opens the Source tab at the selection.

/// Handles that the Source tab was chosen: shows the place of the selection, unless the tab was shown since it was
/// selected.
pub(super) fn chosen(state: &mut State, effects: &mut Vec<Effect>) {
    if state.source.is_used() && state.source.shown_for(&Selected::of(state)) {
        return;
    }
    let waits = match (&state.selection.entry, &state.explore.subject) {
        (Some(_), _) => state.entry.is_none(),
        (None, Some(_)) => state.explore.about.is_none(),
        (None, None) => false,
    };
    state.source.waits_for_selection = waits;
    if !waits {
        open_selected(state, effects);
    }
}

/// Handles the answer about the selection, which the Source tab may wait for.
pub(super) fn answered(state: &mut State, effects: &mut Vec<Effect>) {
    if std::mem::take(&mut state.source.waits_for_selection) && state.shows(Tab::Source) {
        open_selected(state, effects);
    }
}

/// Opens the source at the place of the selection, else at the declaration of its package, else the first file.
pub(super) fn open_selected(state: &mut State, effects: &mut Vec<Effect>) {
    let first = || state.overview.catalogs.first()?.files.first().map(|row| row.file);
    let (file, target) = match selected_place(state).or_else(|| package_place(state)) {
        Some(Place { file, start, end, .. }) => (file, FileTarget::Bytes { start, end }),
        None => match first() {
            Some(file) => (file, FileTarget::Anywhere),
            None => return,
        },
    };
    show(state, effects, file, target);
}

fn selected_place(state: &State) -> Option<Place> {
    let entry = state.entry.as_ref().filter(|_| state.selection.entry.is_some());
    let of_entry = entry.and_then(|entry| entry.entry_place.or(entry.bundle_place));
    let subject = state.explore.about.as_ref().filter(|_| state.explore.subject.is_some());
    of_entry.or_else(|| Some(subject?.excerpt.as_ref()?.place))
}

fn package_place(state: &State) -> Option<Place> {
    let selected = state.selection.package.as_ref();
    state.overview.packages.iter().find(|row| Some(&row.key) == selected)?.place
}

// The names of files, for links to places in them.

/// The names of the loaded files, and the one that needs no name.
#[derive(Clone, Debug, PartialEq)]
pub struct FileNames {
    overview: Shared<Overview>,
    /// The file that declares the selected package.
    obvious: Option<FileKey>,
}

impl FileNames {
    /// The names for links beside the selected package.
    #[must_use]
    pub fn of(state: &State) -> Self {
        let row = state.overview.packages.iter().find(|row| Some(&row.key) == state.selection.package.as_ref());
        let obvious = row.and_then(|row| row.place).map(|place| place.file);
        Self { overview: state.overview.clone(), obvious }
    }

    /// The name of a file, with its catalog if the obvious one is of another; `None` for the obvious one.
    #[must_use]
    pub fn other(&self, file: FileKey) -> Option<String> {
        if self.obvious == Some(file) {
            return None;
        }
        if file == FileKey::MANIFESTS {
            return Some("manifests".to_owned());
        }
        let catalogs = self.overview.catalogs.iter().chain(&self.overview.baselines);
        let mut files = catalogs.flat_map(|catalog| catalog.files.iter().map(move |file| (catalog, file)));
        let (catalog, row) = files.find(|(_, row)| row.file == file)?;
        let is_same = catalog.files.iter().any(|row| Some(row.file) == self.obvious);
        Some(if is_same { row.path.clone() } else { format!("{} of {}", row.path, catalog.name) })
    }
}
