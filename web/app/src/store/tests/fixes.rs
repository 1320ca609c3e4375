//! Applying and undoing fixes.

use super::*;
use views::{InputEdit, Severity, SimulationView};

#[test]
fn a_fix_is_tried_and_undone() {
    let page = Page::with(&["a"]).on(Action::Cluster(ClusterAction::SubscriptionAdded));
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
    let page = page.on(Action::Page(PageAction::UndoAsked));
    assert!(page.effects.contains(&Effect::MoveFocus(FocusTarget::Cluster)), "as with the Undo of the notice itself");
    assert_eq!((manifests(&page), page.notices()), (Some(("kind: A", "")), vec![]));
}

#[test]
fn a_fix_is_tried_in_the_text_of_the_manifests() {
    let page = Page::with(&["a"]).on(Action::Cluster(ClusterAction::ModeChosen(Mode::Manifests)));
    let page = page
        .on(Action::Cluster(ClusterAction::ManifestsTyped("a: é\nb: 2\n".to_owned())))
        .on(Action::Page(PageAction::TypingPaused));
    let page = page.answer(1, To::<query::Simulate>(SimulationView::default()));
    let splice = |start, end, text: &str| TextEdit { start, end, text: text.to_owned() };
    let edit = InputEdit::Manifests(vec![splice(0, 5, "c: 3"), splice(6, 6, "d: 4\n")]);
    let page = page.on(Action::Catalogs(CatalogsAction::FixApplied {
        what: "this".to_owned(),
        edit: edit.clone(),
        is_tried: true,
    }));
    assert_eq!(manifests(&page), Some(("c: 3\nd: 4\nb: 2\n", "")));
    let page = page.on(Action::Cluster(ClusterAction::InputRestored));
    assert_eq!(manifests(&page), Some(("a: é\nb: 2\n", "")));
    let page = page
        .answer(1, To::<query::Simulate>(SimulationView::default()))
        .on(Action::Cluster(ClusterAction::ManifestsTyped("é".to_owned())));
    let page = page.on(Action::Catalogs(CatalogsAction::FixApplied { what: "this".to_owned(), edit, is_tried: true }));
    assert_eq!(&*page.state.simulation.manifests, "é", "what was typed is another text");
}

#[test]
fn a_fix_is_tried_in_a_catalog_until_something_else_is_changed() {
    let splice = |start, end, text: &str| TextEdit { start, end, text: text.to_owned() };
    let edit = InputEdit::Catalog {
        file: FileKey(1),
        splices: vec![splice(3, 5, "new"), splice(9, 9, "x")],
        undo: vec![splice(3, 6, "ol"), splice(10, 11, "")],
    };
    let tried = || {
        let page = Page::with(&["a"]);
        page.on(Action::Catalogs(CatalogsAction::FixApplied {
            what: "this".to_owned(),
            edit: edit.clone(),
            is_tried: true,
        }))
    };
    let edit = |splices| Ask::Command(Command::Edit { file: FileKey(1), splices });
    let page = tried();
    assert_eq!(page.asks(), [&edit(vec![splice(3, 5, "new"), splice(9, 9, "x")])]);
    assert!(matches!(page.notices()[..], [NoticeKind::CatalogEdited { .. }]));
    let page = page.on(Action::Page(PageAction::UndoAsked));
    assert_eq!(page.asks(), [&edit(vec![splice(3, 6, "ol"), splice(10, 11, "")])]);
    assert!(page.effects.contains(&Effect::MoveFocus(FocusTarget::Result)), "the result is what changes");
    let page = tried().on(Action::Catalogs(CatalogsAction::Removed(CatalogId(1))));
    assert!(matches!(page.notices()[..], [NoticeKind::CatalogRemoved { .. }]), "the text may be another one");
}

#[test]
fn a_quick_fix_edits_its_file_and_can_be_undone() {
    let splice = |start, end, text: &str| TextEdit { start, end, text: text.to_owned() };
    let (splices, undo) = (vec![splice(3, 5, "new")], vec![splice(3, 6, "ol")]);
    let edit = InputEdit::Catalog { file: FileKey(1), splices: splices.clone(), undo: undo.clone() };
    let title = "Change to `new`".to_owned();
    let page =
        Page::with(&["a"]).on(Action::Catalogs(CatalogsAction::FixApplied { what: title, edit, is_tried: false }));
    assert_eq!(page.asks(), [&Ask::Command(Command::Edit { file: FileKey(1), splices })]);
    assert!(page.effects.contains(&Effect::MoveFocus(FocusTarget::Package)), "the button of the fix is gone with it");
    let page = page.on(Action::Page(PageAction::UndoAsked));
    assert_eq!(page.asks(), [&Ask::Command(Command::Edit { file: FileKey(1), splices: undo })]);
}

#[test]
fn filters_end_with_the_package() {
    let page = Page::with(&["a", "b"]).on(Action::Findings(FindingsAction::ScopeChosen { everything: true }));
    let page = page.on(Action::Findings(FindingsAction::SeverityChosen(Some(Severity::Error))));
    let is_filtered = |ask: &Ask| match ask {
        Ask::Query(AnyQuery::Findings(query)) => query.filter.severity == Some(Severity::Error),
        _ => false,
    };
    assert!(page.asks().into_iter().any(is_filtered));
    let page = page.on(Action::Navigation(NavigationAction::PackageSelected(key(1, "b"))));
    assert_eq!((page.state.findings.everything, page.state.findings.severity), (false, None));
}
