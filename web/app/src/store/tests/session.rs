//! Sessions that are shared, replaced and restored.

use super::*;
use views::{LinkContent, OpmVersion};

fn session_link(text: &str) -> LinkTarget {
    LinkTarget::Content(LinkContent::Session(text.to_owned()))
}

fn open_link(text: &str) -> Ask {
    Ask::Command(Command::OpenLink { content: LinkContent::Session(text.to_owned()) })
}

/// The page's part of a shared session.
fn page_of(mut page: Page) -> String {
    page = page.on(SessionAction::ShareAsked);
    match page.asks()[..] {
        [Ask::Query(AnyQuery::Share(query::Share { page }))] => page.clone(),
        ref other => panic!("asked for {other:?}"),
    }
}

#[test]
fn a_shared_session_is_restored_without_colours_and_keys() {
    let entry = entry("stable", "b.v1");
    let page = Page::with(&["a", "b"])
        .on(NavigationAction::PackageSelected(key(1, "b")))
        .on(NavigationAction::EntrySelected(entry.clone()))
        .on(ClusterAction::EntryUsed(EntryUse::InstalledCsv))
        .edited("kind: A")
        .on(SimulationAction::EventsChosen { every: true })
        .on(NavigationAction::TabChosen(Tab::Table))
        .on(PageAction::ThemeChosen(Theme::Dark))
        .on(PageAction::SingleKeysChosen { on: false });
    let text = page_of(page);
    let page = Page::open(Draft::default()).on(SessionAction::LinkFollowed(session_link("1.x"))).event(Event::Ready);
    assert_eq!(
        page.asks(),
        [&Ask::Command(Command::Restore), &open_link("1.x")],
        "it replaces nothing, so there is no confirmation"
    );
    let page = page.answer(1, changed(Overview::default()));
    let page = page.answer(2, opened(vec![Opened::Session { page: text }], overview(1, &["a", "b"])));
    assert_eq!((page.selected(), page.state.selection.entry.clone()), (Some("b"), Some(entry)));
    assert_eq!((page.state.tab, manifests(&page)), (Tab::Table, Some(("kind: A", ""))));
    assert!(page.state.simulation.every_event);
    assert_eq!((page.state.theme, page.state.single_keys_off), (Theme::System, false));
    assert!(page.notices().is_empty());
}

/// A session has the release that judges it, an old session the newest. Undo brings back the own one.
#[test]
fn a_link_is_judged_as_its_sender_did() {
    let choose = |opm| Action::Page(PageAction::OpmChosen(opm));
    let judge = |opm| Ask::Command(Command::JudgeAs { opm });
    let (old, own) = (OpmVersion(1, 57, 0), OpmVersion(1, 32, 0));
    let text = page_of(Page::with(&["a"]).on(choose(old)));
    for (text, opm) in [(text, old), (String::new(), OpmVersion::NEWEST)] {
        let page = Page::with(&["a"])
            .on(choose(own))
            .edited("kind: A")
            .on(SessionAction::LinkFollowed(session_link("1.x")))
            .on(SessionAction::OpenLinkAnswered { yes: true });
        let page = page.answer(2, changed(Overview::default()));
        let page = page.answer(3, opened(vec![Opened::Session { page: text }], overview(2, &["z"])));
        assert_eq!((page.state.opm, page.asks().contains(&&judge(opm))), (opm, true));
        let page = page.on(PageAction::UndoAsked);
        assert_eq!((page.state.opm, page.asks().contains(&&judge(own))), (own, true));
    }
}

#[test]
fn a_link_replaces_catalogs_after_a_confirmation_and_can_be_undone() {
    let page = Page::with(&["a"])
        .on(ClusterAction::SubscriptionAdded)
        .edited("kind: A")
        .on(SessionAction::LinkFollowed(session_link("1.x")));
    assert_eq!((page.state.dialog, page.asks()), (Some(Dialog::OpenLink), vec![]));
    let no = page.on(PageAction::DialogClosed);
    assert_eq!((no.state.pending_link.clone(), no.effects.clone()), (None, vec![Effect::ForgetFragment]));
    let page =
        no.on(SessionAction::LinkFollowed(session_link("1.x"))).on(SessionAction::OpenLinkAnswered { yes: true });
    assert_eq!(page.asks(), [&open_link("1.x")]);
    let page = page.answer(2, opened(vec![Opened::Session { page: String::new() }], overview(2, &["z"])));
    assert_eq!((page.selected(), &*page.state.simulation.manifests), (Some("z"), ""));
    let page = page.on(PageAction::UndoAsked);
    assert_eq!(page.asks(), [&Ask::Command(Command::PutBack { change: Revision(2) })]);
    let page = page.answer(3, changed(overview(1, &["a"])));
    assert_eq!((page.selected(), &*page.state.simulation.manifests), (Some("a"), "kind: A"));
    assert!(page.notices().is_empty() && page.on(PageAction::UndoAsked).effects.is_empty());
}

#[test]
fn a_refused_link_changes_nothing() {
    let page = Page::with(&["a"])
        .on(SessionAction::LinkFollowed(session_link("1.x")))
        .on(SessionAction::OpenLinkAnswered { yes: true });
    let refused = Opened::Refused(views::ShareFault::Garbled);
    let page = page.answer(2, opened(vec![refused], overview(1, &["a"])));
    assert_eq!(page.notices(), [&NoticeKind::NotOpened { fault: views::ShareFault::Garbled }]);
    assert_eq!(page.selected(), Some("a"));
}

#[test]
fn removed_and_cleared_catalogs_can_be_restored_last_first() {
    let page = Page::with(&["a"]).on(CatalogsAction::Removed(CatalogId(1)));
    assert_eq!(page.asks(), [&Ask::Command(Command::RemoveCatalog { catalog: CatalogId(1) })]);
    let page = page.answer(2, changed(Overview::default())).on(CatalogsAction::Cleared);
    assert_eq!(page.notices().len(), 2);
    let page = page.answer(3, changed(Overview::default())).on(PageAction::UndoAsked);
    assert_eq!(page.asks(), [&Ask::Command(Command::PutBack { change: Revision(3) })]);
    let page = page.answer(4, changed(Overview::default())).on(PageAction::UndoAsked);
    assert_eq!(page.asks(), [&Ask::Command(Command::PutBack { change: Revision(2) })]);
    let page = page.answer(5, changed(overview(1, &["b", "a"])));
    assert_eq!(page.selected(), Some("a"), "the selection is restored");
}

#[test]
fn undo_is_not_offered_after_the_worker_died() {
    let page = Page::with(&["a"]).on(CatalogsAction::Cleared).on(WorkerAction::Died { reason: "x".to_owned(), at: 9 });
    assert!(page.notices().iter().all(|kind| kind.undo().is_none()));
}

#[test]
fn an_embedded_page_stores_nothing() {
    let state = State { embedded: true, ..State::new(Draft::default()) };
    let page =
        Page { state, effects: Vec::new() }.on(PageAction::Opened).on(SessionAction::LinkFollowed(session_link("1.x")));
    let page = page.event(Event::Ready);
    assert_eq!(page.asks(), [&Ask::Command(Command::KeepNothing), &open_link("1.x")]);
    let page = page.answer(2, opened(vec![Opened::Session { page: String::new() }], overview(1, &["a"])));
    let page = page.on(PageAction::SingleKeysChosen { on: false }).on(ClusterAction::ManifestsTyped("y".to_owned()));
    assert!(page.on(PageAction::TypingPaused).effects.iter().all(|effect| !effect.keeps()));
}

#[test]
fn a_pasted_address_is_followed() {
    let page = Page::open(Draft::default()).event(Event::Ready);
    let page = page.on(CatalogsAction::Pasted("https://example.org/#share=1.x".to_owned()));
    assert_eq!(page.asks(), [&open_link("1.x")]);
}

#[test]
fn notices_of_success_disappear_but_their_undo_stays() {
    let page = Page::with(&["a"]).on(ClusterAction::SubscriptionAdded).on(CatalogsAction::Cleared);
    let awaits = |page: &Page| page.effects.iter().any(|effect| matches!(effect, Effect::AwaitReading { .. }));
    assert!(awaits(&page));
    let number = page.state.notices[0].number;
    let page = page.on(PageAction::NoticeRead(number));
    assert!(page.state.notices[0].read && !awaits(&page));
    assert_eq!(page.on(PageAction::UndoAsked).asks(), [&Ask::Command(Command::PutBack { change: Revision(2) })]);
    let page = Page::with(&["a"]).on(WorkerAction::Stopped);
    let number = page.state.notices[0].number;
    assert!(page.on(PageAction::NoticeRead(number)).notices().is_empty());
    let page = Page::with(&["a"]).on(CatalogsAction::FilesRefused("gone".to_owned()));
    assert!(!awaits(&page), "notices of failures stay");
}
