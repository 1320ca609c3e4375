//! What has the focus after a control that was used has disappeared.

use super::*;
use std::rc::Rc;

/// The reply that removes a control may come after all of these.
#[test]
fn what_happens_by_itself_ends_no_wait_for_the_focus() {
    let by_itself = [
        Action::Worker(WorkerAction::Needed),
        Action::Worker(WorkerAction::StartWaited(Wait::Brief)),
        Action::Worker(WorkerAction::Died { reason: "boom".to_owned(), at: 0 }),
        Action::Explore(ExploreAction::Pointed(None)),
        Action::Page(PageAction::NewVersionFound),
        Action::Page(PageAction::DraftLost("full".to_owned())),
        Action::Page(PageAction::CopyBlocked),
        Action::Page(PageAction::Printed { begins: true }),
        Action::Source(SourceAction::Differs),
        Action::Source(SourceAction::CursorRested(TextPlace { line: 1, column: 1 })),
    ];
    assert_eq!(by_itself.iter().find(|action| action.is_by_user()), None);
    let by_user = [
        Action::Worker(WorkerAction::Stopped),
        Action::Explore(ExploreAction::PathClosed),
        Action::Page(PageAction::CopyAsked(Rc::from("text"))),
        Action::Source(SourceAction::Typed),
    ];
    assert_eq!(by_user.iter().find(|action| !action.is_by_user()), None);
}

#[test]
fn a_control_that_disappears_hands_the_focus_on() {
    let package = [
        Action::Catalogs(CatalogsAction::ExampleOpened("higher-priority".to_owned())),
        Action::Palette(PaletteAction::Entered),
        Action::Palette(PaletteAction::Picked(0)),
        Action::Worker(WorkerAction::LoadCancelled),
        Action::Set(SetAction::Left),
        Action::Edges(EdgeAction::Switched),
        Action::Findings(FindingsAction::MoreAsked),
    ];
    let moves =
        |action: Action| Page::with(&["a"]).on(action).effects.contains(&Effect::MoveFocus(FocusTarget::Package));
    for action in package {
        assert!(moves(action.clone()), "{action:?}");
    }
    // These controls stay.
    for action in [PaletteAction::Typed("a".to_owned()), PaletteAction::Stepped(Direction::Later)] {
        assert!(!moves(Action::Palette(action)));
    }
}
