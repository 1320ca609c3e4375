//! The code editor: loading it, opening files, typing, and restarts of the worker.

use super::*;
use views::{
    Authored, AuthoringInput, DefinitionKind, DefinitionView, EntryView, FileEdit, FileView, InputEdit, Opened,
    SymbolView,
};

const FILE: FileKey = FileKey(1);

fn place(line: u32, column: u32) -> TextPlace {
    TextPlace { line, column }
}

fn file(target: Option<TextRange>) -> To<query::File> {
    To::<query::File>(Some(FileView {
        catalog: CatalogId(1),
        path: "catalog.yaml".to_owned(),
        target,
        ..FileView::default()
    }))
}

/// A page whose editor is loaded and shows the file.
fn editing() -> Page {
    let page = Page::with(&["a"]).on(SourceAction::FileChosen(FILE)).on(SourceAction::EditorLoaded(Ok(())));
    page.answer(1, file(None))
}

fn editor_effects(page: &Page) -> Vec<&'static str> {
    let name = |effect: &Effect| match effect {
        Effect::LoadEditor => Some("load"),
        Effect::OpenInEditor { .. } => Some("open"),
        Effect::ReconcileEditor => Some("reconcile"),
        Effect::ReplaceInEditor { .. } => Some("replace"),
        Effect::ShowFindings(_) => Some("mark"),
        Effect::ShowChanges(_) => Some("changes"),
        Effect::RevealInEditor { focus: EditorFocus::IfLost, .. } => Some("follow"),
        Effect::RevealInEditor { .. } => Some("reveal"),
        _ => None,
    };
    page.effects.iter().filter_map(name).collect()
}

fn requests_text(page: &Page) -> Vec<bool> {
    let text = |ask: &&Ask| match ask {
        Ask::Query(AnyQuery::File(query::File { text, .. })) => Some(*text),
        _ => None,
    };
    page.asks().iter().filter_map(text).collect()
}

#[test]
fn the_editor_is_loaded_with_the_first_source() {
    let page = Page::with(&["a"]);
    assert_eq!(editor_effects(&page), [""; 0]);
    let page = page.on(SourceAction::FileChosen(FILE));
    assert_eq!((editor_effects(&page), page.asks().len()), (vec!["load"], 0));
    let page = page.on(SourceAction::EditorLoaded(Ok(())));
    assert_eq!(page.asks(), [&Ask::Query(query::File { file: FILE, target: FileTarget::Anywhere, text: true }.into())]);
    assert_eq!(editor_effects(&page.answer(1, file(None))), ["open", "mark"]);
}

#[test]
fn a_place_in_the_open_file_needs_no_text() {
    let page =
        editing().on(NavigationAction::PlaceFollowed(Place { file: FILE, start: 5, end: 6, line: 1, column: 6 }));
    assert_eq!(requests_text(&page), [false]);
    let range = TextRange { from: place(1, 6), to: place(1, 7) };
    assert_eq!(editor_effects(&page.answer(1, file(Some(range)))), ["mark", "follow"]);
}

#[test]
fn the_focus_follows_links_only() {
    let range = Some(TextRange { from: place(1, 1), to: place(3, 1) });
    let page = Page::with(&["a"]).on(NavigationAction::TabChosen(Tab::Source)).on(SourceAction::EditorLoaded(Ok(())));
    assert_eq!(editor_effects(&page.answer(1, file(range))), ["open", "mark", "reveal"]);
    let place = Place { file: FILE, start: 5, end: 6, line: 1, column: 6 };
    let page = Page::with(&["a"]).on(NavigationAction::PlaceFollowed(place)).on(SourceAction::EditorLoaded(Ok(())));
    assert_eq!(editor_effects(&page.answer(1, file(range))), ["open", "mark", "follow"]);
}

#[test]
fn typed_text_is_sent_after_a_pause_or_before_any_other_request() {
    let page = editing().on(SourceAction::Typed);
    assert_eq!((&page.effects[..], page.asks().len()), (&[Effect::AwaitTypingPause][..], 0));
    let page = page.on(SourceAction::DefinitionAsked(place(1, 1)));
    assert!(matches!(
        page.asks()[..],
        [Ask::Command(Command::Type { file: FILE, .. }), Ask::Query(AnyQuery::Symbol(_))]
    ));
    assert_eq!(page.asked()[0].revision, Revision(2));
    let page = page.on(SourceAction::Typed).on(PageAction::TypingPaused);
    assert!(matches!(page.asks()[..], [Ask::Command(Command::Type { .. })]));
    assert!(page.on(PageAction::TypingPaused).asks().is_empty());
}

#[test]
fn findings_follow_a_change() {
    let page = editing().on(SourceAction::Typed).on(PageAction::TypingPaused);
    let page = page.answer(2, changed(overview(1, &["a"])));
    assert_eq!(requests_text(&page), [false]);
    assert_eq!(editor_effects(&page.answer(2, file(None))), ["mark"]);
}

#[test]
fn a_text_of_older_inputs_is_requested_again() {
    let page = Page::with(&["a"]).on(SourceAction::FileChosen(FILE)).on(SourceAction::EditorLoaded(Ok(())));
    let page = page.on(CatalogsAction::Pasted("x".to_owned())).answer(1, file(None));
    assert_eq!(editor_effects(&page), [""; 0]);
    let page = page.answer(2, changed(overview(1, &["a"])));
    assert_eq!(requests_text(&page), [true]);
    assert_eq!(editor_effects(&page.answer(2, file(None))), ["open", "mark"]);
}

#[test]
fn typed_text_survives_a_restart_of_the_worker() {
    let page = editing().on(SourceAction::Typed);
    let page = page.on(WorkerAction::Died { reason: "boom".to_owned(), at: 9 }).on(SourceAction::Typed);
    let page = page.event(Event::Ready).on(PageAction::TypingPaused);
    assert!(page.asks().is_empty(), "the new worker has another text: {:?}", page.asks());
    let page = page.answer(2, changed(overview(1, &["a"])));
    assert_eq!(requests_text(&page), [true]);
    let page = page.answer(2, file(None));
    assert_eq!(editor_effects(&page), ["reconcile", "mark"]);
    let page = page.on(SourceAction::Typed).on(PageAction::TypingPaused);
    assert!(matches!(page.asks()[..], [Ask::Command(Command::Type { .. })]));
}

#[test]
fn a_file_that_is_gone_before_it_is_shown_does_not_block_the_refresh() {
    let page = editing().on(SourceAction::FileChosen(FileKey(9)));
    let page = page.on(CatalogsAction::Pasted("x".to_owned())).answer(1, file(None));
    let page = page.answer(2, changed(overview(1, &["a"])));
    assert_eq!(requests_text(&page), [false], "the findings of the open file");
}

#[test]
fn a_text_that_differs_is_replaced() {
    let page = editing().on(SourceAction::Differs);
    assert_eq!(requests_text(&page), [true]);
    assert_eq!(editor_effects(&page.answer(1, file(None))), ["replace", "mark"]);
    let page = editing().on(SourceAction::Typed).on(SourceAction::Differs);
    assert_eq!(requests_text(&page), [false; 0]);
}

#[test]
fn a_definition_is_followed_and_a_missing_one_is_reported() {
    let symbol = |definitions| To::<query::Symbol>(Some(SymbolView { package: None, entry: None, definitions }));
    let page = editing().on(SourceAction::DefinitionAsked(place(1, 1))).answer(1, symbol(Vec::new()));
    assert_eq!(page.notices(), [&NoticeKind::NoDefinition]);
    let definition = DefinitionView {
        kind: DefinitionKind::Bundle,
        name: "a.v1".to_owned(),
        catalog: "c".to_owned(),
        path: "other.yaml".to_owned(),
        place: Place { file: FileKey(2), start: 5, end: 9, line: 2, column: 1 },
    };
    let page = editing().on(SourceAction::DefinitionAsked(place(1, 1))).answer(1, symbol(vec![definition.clone()]));
    let target = FileTarget::Bytes { start: 5, end: 9 };
    assert_eq!(page.asks(), [&Ask::Query(query::File { file: FileKey(2), target, text: true }.into())]);
    let page = editing().on(SourceAction::CursorRested(place(1, 1))).answer(1, symbol(vec![definition]));
    assert!(page.asks().is_empty());
    assert_eq!(page.state.source.symbol.unwrap().definitions.len(), 1);
}

#[test]
fn the_entry_at_the_cursor_is_shown_in_the_graph() {
    let entry = EntryKey { channel: Some("c".to_owned()), name: "a.v1".to_owned() };
    let view = SymbolView { package: Some(key(1, "a")), entry: Some(entry.clone()), definitions: Vec::new() };
    let page = editing()
        .on(SourceAction::CursorRested(place(1, 1)))
        .answer(1, To::<query::Symbol>(Some(view)))
        .on(NavigationAction::SymbolShown);
    assert_eq!((page.state.tab, page.state.selection.entry), (Tab::Graph, Some(entry)));
}

fn entry(name: &str, start: u32) -> (EntryKey, To<query::Entry>) {
    let key = EntryKey { channel: Some("c".to_owned()), name: name.to_owned() };
    let place = Place { file: FILE, start, end: start + 4, line: 1, column: 1 };
    let view = EntryView { key: key.clone(), entry_place: Some(place), ..EntryView::default() };
    (key, To::<query::Entry>(Some(Box::new(view))))
}

fn targets(page: &Page) -> Vec<FileTarget> {
    let target = |ask: &&Ask| match ask {
        Ask::Query(AnyQuery::File(query::File { target, .. })) => Some(*target),
        _ => None,
    };
    page.asks().iter().filter_map(target).collect()
}

#[test]
fn the_source_opens_at_the_selection() {
    let bytes = |start| FileTarget::Bytes { start, end: start + 4 };
    let ((one, about_one), (two, about_two)) = (entry("a.v1", 20), entry("a.v2", 60));
    let page = editing()
        .on(NavigationAction::TabChosen(Tab::Graph))
        .on(NavigationAction::EntrySelected(one))
        .answer(1, about_one);
    let page = page.on(NavigationAction::TabChosen(Tab::Source));
    assert_eq!(targets(&page), [bytes(20)]);
    let page = page
        .answer(1, file(None))
        .on(NavigationAction::TabChosen(Tab::Graph))
        .on(NavigationAction::TabChosen(Tab::Source));
    assert_eq!(targets(&page), [], "the source stays at its place");
    // The tab waits for the answer about an entry.
    let page = page.on(NavigationAction::TabChosen(Tab::Graph)).on(NavigationAction::EntrySelected(two));
    let page = page.on(NavigationAction::TabChosen(Tab::Source));
    assert_eq!(targets(&page), []);
    assert_eq!(targets(&page.answer(1, about_two)), [bytes(60)]);
}

#[test]
fn the_open_file_is_saved_with_what_was_typed() {
    let page = editing().on(SourceAction::Typed).on(SourceAction::SaveAsked);
    let asks = page.asks();
    assert!(matches!(asks.first(), Some(Ask::Command(Command::Type { .. }))), "{asks:?}");
    assert!(matches!(asks.last(), Some(Ask::Query(AnyQuery::FileText(_)))), "{asks:?}");
    // Something is typed before the answer arrives, so the page asks for the file again.
    let text = || To::<query::FileText>(Some("folder/catalog.yaml".to_owned()));
    let saves = |page: &Page| page.effects.iter().any(|effect| matches!(effect, Effect::SaveArrived { .. }));
    let page = page.on(SourceAction::Typed).on(SourceAction::LineChosen(1));
    let page = page.answer(2, text());
    assert!(!saves(&page));
    let page = page.answer(2, changed(overview(1, &["a"]))).answer(3, changed(overview(1, &["a"]))).answer(3, text());
    assert!(saves(&page) && page.notices().contains(&&NoticeKind::Saved { name: "catalog.yaml".to_owned() }));
}

#[test]
fn changes_are_counted_without_sending_what_is_typed() {
    let page = editing().on(SourceAction::Typed).on(SourceAction::ChangesCounted(2));
    assert_eq!((page.state.source.changed_lines, page.asks().len()), (2, 0));
    assert!(!needs_changes(&page.state, &Action::Source(SourceAction::ChangesCounted(3))));
    let page = page.on(SourceAction::ChangesToggled);
    assert_eq!((page.state.source.shows_changes, editor_effects(&page)), (true, vec!["changes"]));
    let page = page.on(SourceAction::ChangesCounted(0));
    assert_eq!((page.state.source.shows_changes, editor_effects(&page)), (false, vec!["changes"]));
    assert!(editor_effects(&page.on(SourceAction::ChangesCounted(0))).is_empty());
}

/// A fix may leave a text of the same length, which the editor cannot distinguish from its own.
#[test]
fn the_editor_takes_the_text_of_a_fixed_file() {
    let fixed = |file| {
        let edit = InputEdit::Catalog { catalog: CatalogId(1), changes: Vec::new() };
        let fix = CatalogsAction::FixApplied { what: String::new(), edit, is_tried: false };
        let page = editing().on(Action::Catalogs(fix));
        let splices = vec![TextEdit { start: 0, end: 1, text: "b".to_owned() }];
        let input = AuthoringInput::Fix { title: String::new(), changes: Vec::new() };
        let authored = Authored { catalog: CatalogId(1), input, undo: vec![FileEdit { file, splices }] };
        requests_text(&page.answer(2, opened(vec![Opened::Authored(Ok(authored))], overview(1, &["a"]))))
    };
    assert_eq!(fixed(FILE), [true]);
    assert_eq!(fixed(FileKey(7)), [false]);
}

// Excerpts of the source, where the code editor cannot be loaded.

/// A page that shows `text` as the source, without the code editor.
fn reading(text: &str) -> Page {
    let page = Page::with(&["a"]).on(NavigationAction::TabChosen(Tab::Source));
    page.on(SourceAction::EditorLoaded(Err("not found".to_owned()))).answer(1, source(text))
}

fn shown(page: &Page) -> &str {
    page.state.source.excerpt.as_ref().map_or("", |excerpt| &excerpt.view.text)
}

#[test]
fn without_the_editor_an_excerpt_is_shown_and_the_editor_can_be_tried_again() {
    let page = reading("abc");
    assert_eq!((shown(&page), &page.effects[..]), ("abc", &[Effect::RevealExcerpt][..]));
    let page = page.on(SourceAction::EditorRetried);
    assert_eq!((shown(&page), &page.effects[..]), ("abc", &[Effect::LoadEditor][..]));
    let page = page.on(SourceAction::EditorLoaded(Ok(())));
    assert!(matches!(page.asks()[..], [Ask::Query(AnyQuery::File(query::File { text: true, .. }))]));
    assert_eq!(page.state.source.excerpt, None);
}

#[test]
fn a_place_or_a_line_replaces_the_excerpt() {
    let place = Place { file: FileKey(1), start: 5, end: 6, line: 1, column: 6 };
    let page = reading("abc").on(NavigationAction::PlaceFollowed(place)).answer(1, source("elsewhere"));
    assert_eq!((shown(&page), &page.effects[..]), ("elsewhere", &[Effect::RevealExcerpt][..]));
    let page = page.on(SourceAction::LineChosen(7));
    let asked = Ask::Query(query::Source { file: FileKey(1), target: FileTarget::Line(7) }.into());
    assert_eq!(page.asks(), [&asked]);
}

#[test]
fn a_change_renews_the_excerpt_and_leaves_it_where_it_is() {
    let page = reading("abc").on(SourceAction::LineChosen(7)).answer(1, source("abc"));
    let page = page.on(CatalogsAction::Pasted("x".to_owned())).answer(2, changed(overview(1, &["a"])));
    assert!(page.asks().contains(&&Ask::Query(query::Source { file: FileKey(1), target: FileTarget::Line(7) }.into())));
    let page = page.answer(2, source("abcd"));
    assert_eq!((shown(&page), &page.effects[..]), ("abcd", &[][..]));
    let page = page.on(CatalogsAction::Removed(CatalogId(1))).answer(3, changed(Overview::default()));
    assert_eq!(page.state.source.excerpt, None, "its file is gone");
}

// Names of files in links to places.

#[test]
fn a_file_is_named_unless_it_declares_the_selected_package() {
    let mut view = overview(1, &["kettle"]);
    let other = FileRow { file: FileKey(7), path: "pot.yaml".to_owned(), ..view.catalogs[0].files[0].clone() };
    view.catalogs[0].files.push(other);
    let new = overview(2, &[]).catalogs.remove(0);
    view.catalogs.push(CatalogRow { name: "new".to_owned(), ..new });
    view.packages[0].place = Some(Place { file: FileKey(1), start: 0, end: 1, line: 1, column: 1 });
    let mut page = Page::with(&["kettle"]);
    page.state.overview = Shared::new(view);
    page.state.selection.package = Some(key(1, "kettle"));
    let names = FileNames::of(&page.state);
    let other = |file| names.other(file);
    assert_eq!((other(FileKey(1)), other(FileKey(7)).as_deref()), (None, Some("pot.yaml")));
    assert_eq!(other(FileKey(2)).as_deref(), Some("catalog.yaml of new"));
    assert_eq!(other(FileKey::MANIFESTS).as_deref(), Some("manifests"));
}
