//! Excerpts of the source, where the code editor cannot be loaded.

use super::*;

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
