//! The palette: asks the worker for results, follows the one that is picked, and offers actions of the page. Calls
//! `explore`, `navigation` and `source`.

use super::navigation::{select, select_catalog};
use super::request::{Arrival, pending_now, send_query};
use super::{
    Action, CatalogsAction, ClusterAction, CompareAction, Dialog, EdgeAction, Effect, EntryUse, ExploreAction,
    FocusTarget, NavigationAction, PageAction, Pane, SessionAction, Shared, State, Tab, TextPurpose, Theme, compared,
    explore, source,
};
use views::{
    FileTarget, GraphFormat, Runtime, SearchGroup, SearchHit, SearchKind, SearchScope, SearchTarget, SearchView,
    Subject, Take, query,
};

/// The palette, while its dialog is open.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Palette {
    /// What becomes of the result that is picked.
    pub purpose: PalettePurpose,
    /// The text of the field.
    pub text: String,
    /// How many results of a kind are requested, if the user wants more of one.
    pub more: Option<(SearchKind, u32)>,
    /// The results, once the worker has answered. They stay until those for another text arrive.
    pub found: Option<Shared<SearchView>>,
    /// The item that Enter picks, counted over all groups.
    pub active: usize,
    /// Whether Enter was pressed before the results arrived: the first one is picked as soon as it is there.
    pub picks_first: bool,
}

/// What becomes of the result that is picked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PalettePurpose {
    #[default]
    Open,
    /// It is the end of a path from the selected entry.
    Path,
}

/// An item of the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PaletteItem<'p> {
    Hit(&'p SearchHit),
    /// More results of a kind; the number of those that are listed.
    More(SearchKind, usize),
}

impl Palette {
    /// The items of all groups, in the order of the arrow keys.
    pub fn items(&self) -> impl Iterator<Item = PaletteItem<'_>> {
        self.found.iter().flat_map(|found| &found.groups).flat_map(group_items)
    }
}

pub fn group_items(group: &SearchGroup) -> impl Iterator<Item = PaletteItem<'_>> {
    let more = (group.more > 0).then_some(PaletteItem::More(group.kind, group.hits.len()));
    group.hits.iter().map(PaletteItem::Hit).chain(more)
}

/// What the user did in the palette.
#[derive(Clone, Debug, PartialEq)]
pub enum PaletteAction {
    Opened(PalettePurpose),
    /// The text was changed.
    Typed(String),
    /// An arrow key was pressed.
    Stepped(Direction),
    Entered,
    /// An item was picked, by its number over all groups.
    Picked(usize),
}

/// Backwards or forwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Earlier,
    Later,
}

// The palette: asks the worker for results, and follows the one that is picked.

/// How many more results of a kind are listed at a time.
const STEP: usize = 50;

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: PaletteAction) {
    match action {
        PaletteAction::Opened(PalettePurpose::Path) if state.selection.entry.is_none() => {}
        PaletteAction::Opened(purpose) => {
            state.palette = Palette { purpose, ..Palette::default() };
            state.dialog = Some(Dialog::Palette);
            ask_results(state, effects);
        }
        PaletteAction::Typed(text) => {
            let Palette { purpose, found, .. } = std::mem::take(&mut state.palette);
            state.palette = Palette { purpose, text, found, ..Palette::default() };
            ask_results(state, effects);
        }
        PaletteAction::Stepped(direction) => {
            let last = (state.palette.items().count() + commands(state).len()).saturating_sub(1);
            let active = state.palette.active;
            state.palette.active = match direction {
                Direction::Earlier => active.checked_sub(1).unwrap_or(last),
                Direction::Later if active >= last => 0,
                Direction::Later => active + 1,
            };
        }
        PaletteAction::Entered if is_awaited(state) => state.palette.picks_first = true,
        PaletteAction::Entered => pick(state, effects, state.palette.active),
        PaletteAction::Picked(item) => pick(state, effects, item),
    }
}

/// Asks for the results, also after a change of the inputs. Only one question is under way: in a large catalog the
/// answer may take longer than typing the next letter.
pub(super) fn ask_results(state: &mut State, effects: &mut Vec<Effect>) {
    let is_open = state.dialog == Some(Dialog::Palette) && !state.overview.catalogs.is_empty();
    if is_open && !is_awaited(state) {
        send_query(state, effects, wanted(state));
    }
}

/// The question that the palette asks now.
fn wanted(state: &State) -> query::Search {
    let scope = match (state.palette.purpose, &state.selection.package, &state.selection.entry) {
        (PalettePurpose::Path, Some(package), Some(entry)) => {
            SearchScope::Entries { package: package.clone(), channel: entry.channel.clone() }
        }
        _ => SearchScope::All,
    };
    query::Search { text: state.palette.text.trim().to_owned(), scope, more: state.palette.more }
}

/// Whether results will arrive that are of the current inputs: older ones are dropped.
fn is_awaited(state: &State) -> bool {
    pending_now::<query::Search>(state).next().is_some()
}

impl Take<query::Search> for Arrival<'_> {
    /// Takes the results, or asks again if others are wanted meanwhile.
    fn take(&mut self, query: query::Search, view: SearchView) {
        let Self { state, effects, .. } = self;
        if wanted(state) != query {
            return ask_results(state, effects);
        }
        state.palette.found = Some(Shared::new(view));
        if std::mem::take(&mut state.palette.picks_first) {
            pick(state, effects, 0);
        }
    }
}

/// Follows a result, or asks for more of a kind.
fn pick(state: &mut State, effects: &mut Vec<Effect>, item: usize) {
    if state.dialog != Some(Dialog::Palette) {
        return;
    }
    let palette = state.palette.clone();
    match palette.items().nth(item) {
        None => {}
        Some(PaletteItem::More(kind, listed)) => {
            state.palette.more = Some((kind, (listed + STEP) as u32));
            state.palette.active = item;
            ask_results(state, effects);
        }
        Some(PaletteItem::Hit(hit)) => {
            let target = hit.target.clone();
            state.dialog = None;
            follow(state, effects, target);
        }
    }
}

fn follow(state: &mut State, effects: &mut Vec<Effect>, target: SearchTarget) {
    state.pane = Pane::Package;
    // The view that shows entries stays, otherwise the graph is shown.
    let entries = if state.tab == Tab::Table { Tab::Table } else { Tab::Graph };
    match target {
        SearchTarget::Package(package) => {
            select(state, effects, package, None);
            effects.push(Effect::RevealPackage);
        }
        SearchTarget::Channel { package, channel } => {
            state.tab = entries;
            select(state, effects, package, None);
            explore::handle(state, effects, ExploreAction::SubjectSelected(Subject::Channel { channel }));
            effects.push(Effect::RevealPackage);
        }
        SearchTarget::Entry { entry, .. } if state.palette.purpose == PalettePurpose::Path => {
            state.tab = entries;
            explore::handle(state, effects, ExploreAction::PathTo(entry));
        }
        SearchTarget::Entry { package, entry } => {
            state.tab = entries;
            select(state, effects, package, Some(entry));
            effects.push(Effect::RevealPackage);
            effects.extend((entries == Tab::Graph).then_some(Effect::MoveFocus(FocusTarget::Entry)));
        }
        SearchTarget::File(file) => {
            state.tab = Tab::Source;
            source::follow(state, effects, file, FileTarget::Anywhere);
        }
        SearchTarget::Catalog(catalog) => select_catalog(state, effects, catalog),
    }
}

// What the palette can do besides finding: the actions of the page that concern what is open and selected.

/// An action with its title.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// A verb and what it is about, in three words at most.
    pub title: String,
    /// The key that does the same; empty if none does.
    pub key: &'static str,
    pub action: Action,
}

/// The actions that are possible now and whose titles have all words of the palette's text, in the order in which they
/// are listed.
#[must_use]
pub fn commands(state: &State) -> Vec<Command> {
    if state.palette.purpose == PalettePurpose::Path {
        return Vec::new();
    }
    let wanted: Vec<String> = state.palette.text.split_whitespace().map(str::to_lowercase).collect();
    let mut all = Vec::new();
    of_selection(state, &mut all);
    of_catalogs(state, &mut all);
    of_page(state, &mut all);
    all.retain(|command| wanted.iter().all(|word| command.title.to_lowercase().contains(word)));
    all
}

fn add(all: &mut Vec<Command>, title: impl Into<String>, key: &'static str, action: Action) {
    all.push(Command { title: title.into(), key, action });
}

/// What concerns the selected entry and package.
fn of_selection(state: &State, all: &mut Vec<Command>) {
    if state.selection.package.is_none() {
        return;
    }
    if let Some(entry) = state.entry.as_ref().filter(|_| state.selection.entry.is_some()) {
        if entry.can_start() {
            add(all, "Install this version", "", Action::Cluster(ClusterAction::EntryUsed(EntryUse::StartingCsv)));
        }
        if entry.has_bundle() {
            add(all, "Mark as installed", "", Action::Cluster(ClusterAction::EntryUsed(EntryUse::InstalledCsv)));
        }
        add(all, "Deprecate this version", "", Action::Page(PageAction::DialogOpened(Dialog::Retire)));
    }
    add(all, "Edit edges", "m", Action::Edges(EdgeAction::Switched));
    for (title, format) in [("Copy as Mermaid", GraphFormat::Mermaid), ("Copy as DOT", GraphFormat::Dot)] {
        let purpose = TextPurpose::Copy;
        add(all, title, "", Action::Explore(ExploreAction::GraphTextAsked { format, purpose }));
    }
}

/// What concerns the open catalogs.
fn of_catalogs(state: &State, all: &mut Vec<Command>) {
    if state.overview.catalogs.is_empty() {
        return;
    }
    if state.sets.shown.is_none() {
        let tabs = Tab::ALL.iter().filter(|tab| state.selection.package.is_some() || Tab::MAIN.contains(tab));
        for tab in tabs {
            let title = format!("Go to {}", tab.title_of(state.selection.whole.is_none()));
            add(all, title, tab.key(), Action::Navigation(NavigationAction::TabChosen(*tab)));
        }
    }
    if compared(state).is_some_and(|asked| state.compare.view(&asked).is_some()) {
        add(all, "Copy comparison", "", Action::Compare(CompareAction::ReportCopied));
    }
    add(all, "Add Subscription", "", Action::Cluster(ClusterAction::SubscriptionAdded(String::new())));
    add(all, "Share this page", "", Action::Session(SessionAction::ShareAsked));
    for row in state.overview.catalogs.iter().chain(&state.overview.baselines) {
        add(all, format!("Edit {}", row.name), "", Action::Page(PageAction::DialogOpened(Dialog::Catalog(row.id))));
    }
}

/// What concerns the page.
fn of_page(state: &State, all: &mut Vec<Command>) {
    if state.notices.iter().any(|notice| notice.kind.undo_action().is_some()) {
        add(all, "Undo last change", "Ctrl Z", Action::Page(PageAction::UndoAsked));
    }
    if state.notices.iter().any(|notice| notice.kind.redo_action().is_some()) {
        add(all, "Redo change", "Ctrl Shift Z", Action::Page(PageAction::RedoAsked));
    }
    add(all, "Paste catalog", "", Action::Page(PageAction::DialogOpened(Dialog::Paste)));
    add(all, "Open example", "x", Action::Catalogs(CatalogsAction::ExamplesAsked));
    for runtime in [Runtime::V0, Runtime::V1, Runtime::Both].into_iter().filter(|runtime| *runtime != state.runtime) {
        let title = match runtime {
            Runtime::V0 => "Answer for OLM v0",
            Runtime::V1 => "Answer for OLM v1",
            Runtime::Both => "Answer for both",
        };
        add(all, title, "", Action::Page(PageAction::RuntimeChosen(runtime)));
    }
    for theme in Theme::ALL.into_iter().filter(|theme| *theme != state.theme) {
        add(all, format!("Use {} colours", theme.name()), "", Action::Page(PageAction::ThemeChosen(theme)));
    }
    add(all, "Show keyboard shortcuts", "?", Action::Page(PageAction::DialogOpened(Dialog::Shortcuts)));
    if state.has_content() {
        add(all, "Clear all", "", Action::Catalogs(CatalogsAction::Cleared));
    }
}
