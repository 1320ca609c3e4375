//! Parts of the worker that could not be loaded.

use super::*;

#[test]
fn a_part_that_was_not_loaded_is_asked_for_again() {
    let page = Page::with(&["a"]).on(Action::Findings(FindingsAction::Filtered("x".to_owned())));
    let page = page.answer(1, Answer::NotLoaded).event(Event::NotLoaded);
    assert_eq!(page.notices()[..], [&NoticeKind::NotLoaded], "it is said once");
    let page = page.on(Action::Worker(WorkerAction::LoadedAgain));
    assert_eq!(page.asks(), [&Ask::Command(Command::SwitchRules { off: Vec::new() })]);
    assert!(page.notices().is_empty());
}
