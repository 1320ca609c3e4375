//! Applying and undoing fixes.

use super::*;
use views::{Authored, AuthoringInput, CatalogChange, FileEdit, InputEdit, Opened, Severity, SimulationView};

#[test]
fn a_fix_is_tried_and_undone() {
    let page = Page::with(&["a"]).on(ClusterAction::SubscriptionAdded);
    let splice = TextEdit { start: 6, end: 7, text: "B".to_owned() };
    let fix = Action::Catalogs(CatalogsAction::FixApplied {
        what: "channel beta".to_owned(),
        edit: InputEdit::Manifests(vec![splice]),
        is_tried: true,
    });
    let page = page.on(fix.clone());
    assert_eq!(&*page.state.simulation.manifests, "", "the manifests do not follow the form yet");
    let page = page.edited("kind: A").answer(1, To::<query::Simulate>(SimulationView::default())).on(fix);
    assert_eq!(manifests(&page), Some(("kind: B", "")));
    assert!(page.asks().contains(&&Ask::Query(query::Form { namespace: String::new() }.into())));
    assert!(matches!(page.notices()[..], [NoticeKind::FormChanged { .. }]));
    assert!(page.effects.contains(&Effect::MoveFocus(FocusTarget::Result)), "the button of the fix is gone with it");
    let page = page.on(PageAction::UndoAsked);
    assert!(page.effects.contains(&Effect::MoveFocus(FocusTarget::Cluster)), "as with the Undo of the notice itself");
    assert_eq!((manifests(&page), page.notices()), (Some(("kind: A", "")), vec![]));
}

#[test]
fn a_fix_is_tried_in_the_text_of_the_manifests() {
    let page = Page::with(&["a"]).on(ClusterAction::ModeChosen(Mode::Manifests));
    let page = page.on(ClusterAction::ManifestsTyped("a: é\nb: 2\n".to_owned())).on(PageAction::TypingPaused);
    let page = page.answer(1, To::<query::Simulate>(SimulationView::default()));
    let splice = |start, end, text: &str| TextEdit { start, end, text: text.to_owned() };
    let edit = InputEdit::Manifests(vec![splice(0, 5, "c: 3"), splice(6, 6, "d: 4\n")]);
    let page = page.on(CatalogsAction::FixApplied { what: "this".to_owned(), edit: edit.clone(), is_tried: true });
    assert_eq!(manifests(&page), Some(("c: 3\nd: 4\nb: 2\n", "")));
    let page = page.on(ClusterAction::InputRestored);
    assert_eq!(manifests(&page), Some(("a: é\nb: 2\n", "")));
    let page = page
        .answer(1, To::<query::Simulate>(SimulationView::default()))
        .on(ClusterAction::ManifestsTyped("é".to_owned()));
    let page = page.on(CatalogsAction::FixApplied { what: "this".to_owned(), edit, is_tried: true });
    assert_eq!(&*page.state.simulation.manifests, "é", "what was typed is another text");
}

/// A fix of a catalog that is clicked, and what the worker has to make then.
fn fixed(is_tried: bool) -> (Page, AuthoringInput) {
    let changes = vec![CatalogChange::QuickFix { file: FileKey(1), rule: "rule".to_owned(), start: 3, end: 5 }];
    let edit = InputEdit::Catalog { catalog: CatalogId(1), changes: changes.clone() };
    let page = Page::with(&["a"]).on(CatalogsAction::FixApplied { what: "this".to_owned(), edit, is_tried });
    (page, AuthoringInput::Fix { title: "this".to_owned(), changes })
}

#[test]
fn a_fix_of_a_catalog_is_made_by_the_worker_and_undone_until_something_else_is_changed() {
    let splices = vec![TextEdit { start: 3, end: 6, text: "ol".to_owned() }];
    let made = |is_tried| {
        let (page, input) = fixed(is_tried);
        let asked = Command::Author { catalog: CatalogId(1), input: input.clone() };
        assert_eq!(page.asks(), [&Ask::Command(asked)]);
        let focus = if is_tried { FocusTarget::Result } else { FocusTarget::Package };
        assert!(page.effects.contains(&Effect::MoveFocus(focus)), "the button of the fix is gone with it");
        let undo = vec![FileEdit { file: FileKey(1), splices: splices.clone() }];
        let authored = Authored { catalog: CatalogId(1), input, undo };
        page.answer(2, opened(vec![Opened::Authored(Ok(authored))], overview(1, &["a"])))
    };
    let undone = Ask::Command(Command::Edit(vec![FileEdit { file: FileKey(1), splices: splices.clone() }]));
    for is_tried in [false, true] {
        let page = made(is_tried);
        assert!(matches!(page.notices()[..], [NoticeKind::CatalogEdited { undo }] if undo.what == "this"));
        assert!(page.on(PageAction::UndoAsked).asks().contains(&&undone));
    }
    let page = made(true).on(CatalogsAction::Removed(CatalogId(1)));
    assert!(matches!(page.notices()[..], [NoticeKind::CatalogRemoved { .. }]), "the text may be another one");
}

/// Two fixes are undone one after the other, and made again.
#[test]
fn several_fixes_are_undone_and_redone_until_something_else_is_changed() {
    let edits = |name: &str| {
        let splices = vec![TextEdit { start: 0, end: 1, text: name.to_owned() }];
        vec![FileEdit { file: FileKey(1), splices }]
    };
    let fix = |page: Page, name: &str, revision| {
        let edit = InputEdit::Catalog { catalog: CatalogId(1), changes: Vec::new() };
        let what = name.to_owned();
        let page = page.on(CatalogsAction::FixApplied { what, edit, is_tried: false });
        let input = AuthoringInput::Fix { title: name.to_owned(), changes: Vec::new() };
        let authored = Authored { catalog: CatalogId(1), input, undo: edits(name) };
        page.answer(revision, opened(vec![Opened::Authored(Ok(authored))], overview(1, &["a"])))
    };
    let take_back = |page: Page, action, edit: &str, back: &str, revision| {
        let page = page.on(Action::Page(action));
        assert!(page.asks().contains(&&Ask::Command(Command::Edit(edits(edit)))), "{edit}: {:?}", page.asks());
        page.answer(revision, opened(vec![Opened::Edited(edits(back))], overview(1, &["a"])))
    };
    let page = fix(fix(Page::with(&["a"]), "first", 2), "second", 3);
    let page = take_back(page, PageAction::UndoAsked, "second", "second again", 4);
    let page = take_back(page, PageAction::UndoAsked, "first", "first again", 5);
    let page = page.on(PageAction::UndoAsked);
    assert!(page.asks().is_empty(), "both are undone");
    let page = take_back(page, PageAction::RedoAsked, "first again", "first", 6);
    let page = take_back(page, PageAction::RedoAsked, "second again", "second", 7);
    let page = take_back(page, PageAction::UndoAsked, "second", "second again", 8);
    let page = fix(page, "third", 9);
    let page = page.on(PageAction::RedoAsked);
    assert!(page.asks().is_empty(), "the text is another one");
    let page = take_back(page, PageAction::UndoAsked, "third", "third again", 10);
    take_back(page, PageAction::UndoAsked, "first", "first again", 11);
}

#[test]
fn a_fix_that_the_text_does_not_take_is_said() {
    let (page, _) = fixed(false);
    let page = page.answer(2, opened(vec![Opened::Authored(Err("no".to_owned()))], overview(1, &["a"])));
    assert_eq!(page.notices(), [&NoticeKind::NotWritten { reason: "no".to_owned() }]);
}

#[test]
fn filters_end_with_the_package() {
    let page = Page::with(&["a", "b"]).on(FindingsAction::ScopeChosen { everything: true });
    let page = page.on(FindingsAction::SeverityChosen(Some(Severity::Error)));
    let is_filtered = |ask: &Ask| match ask {
        Ask::Query(AnyQuery::Findings(query)) => query.filter.severity == Some(Severity::Error),
        _ => false,
    };
    assert!(page.asks().into_iter().any(is_filtered));
    let page = page.on(NavigationAction::PackageSelected(key(1, "b")));
    assert_eq!((page.state.findings.everything, page.state.findings.severity), (false, None));
}
