//! What the palette can do besides finding: the actions of the page that concern what is open and selected.

use super::{
    Action, CatalogsAction, ClusterAction, CompareAction, Dialog, EdgeAction, EntryUse, ExploreAction,
    NavigationAction, PageAction, PalettePurpose, SessionAction, State, Tab, TextPurpose, Theme, compared,
};
use views::{GraphFormat, Runtime};

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
    add(all, "Add Subscription", "", Action::Cluster(ClusterAction::SubscriptionAdded));
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
