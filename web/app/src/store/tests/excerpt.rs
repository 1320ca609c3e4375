//! Stories of the excerpt, where there is no code editor.

use super::*;

/// A page that shows `text` as the source, without the code editor.
fn editing(text: &str) -> Page {
    let page = Page::with(&["a"]).on(Action::TabChosen(Tab::Source));
    page.on(Action::CodeLoaded(Err("not found".to_owned()))).hear(1, source(text))
}

#[test]
fn typing_is_sent_after_a_pause_as_bytes_of_the_file() {
    let page = editing("name: é");
    let page = page.on(Action::Typed("name: éa".to_owned()));
    assert_eq!(page.effects, [Effect::AwaitPause]);
    let page = page.on(Action::TypingPaused);
    let edit = Ask::Command(Command::Edit {
        file: FileKey(1),
        splices: vec![TextSplice { start: 108, end: 108, text: "a".to_owned() }],
    });
    assert_eq!(page.asks(), [&edit]);
    assert_eq!(page.asked()[0].revision, Revision(2));
    assert!(page.on(Action::TypingPaused).asks().is_empty());
}

#[test]
fn what_is_typed_is_sent_before_the_page_turns() {
    let page = editing("abc").on(Action::Typed("abcd".to_owned())).on(Action::PageTurned(Direction::Later));
    assert!(matches!(
        page.asks()[..],
        [
            Ask::Command(Command::Edit { .. }),
            Ask::Query(Query::Source { target: FileTarget::Bytes { start: 104, end: 104 }, .. })
        ]
    ));
}

#[test]
fn an_answer_never_takes_the_place_of_what_is_typed() {
    let page = editing("abc").on(Action::Typed("abcd".to_owned())).on(Action::TypingPaused);
    let page = page.hear(2, changed(overview(1, &["a"]))).on(Action::Typed("abcde".to_owned()));
    let page = page.hear(2, source("abcd"));
    assert_eq!(&*page.state.editor.as_ref().unwrap().text, "abcde");
}

#[test]
fn a_place_that_was_followed_replaces_the_excerpt() {
    let place = Place { file: FileKey(1), start: 5, end: 6, line: 1, column: 6 };
    let page = editing("abc").on(Action::PlaceFollowed(place));
    let page = page.hear(1, source("elsewhere"));
    assert_eq!(&*page.state.editor.as_ref().unwrap().text, "elsewhere");
    assert_eq!(page.effects, [Effect::RevealSource { start: 0, end: 0 }]);
}
