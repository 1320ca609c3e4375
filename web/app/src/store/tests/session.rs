//! Sessions that are shared, replaced and restored.

use super::*;
use views::{
    Authored, AuthoringInput, FileEdit, FileState, FollowedFile, FollowedFiles, LinkContent, OpmVersion, Target,
};

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
        [Ask::Query(AnyQuery::Share(query::Share { page, .. }))] => page.clone(),
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
        .on(ClusterAction::SubscriptionAdded(String::new()))
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
    let page = Page::with(&["a"]).on(ClusterAction::SubscriptionAdded(String::new())).on(CatalogsAction::Cleared);
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

// The files of `opscope open`.

fn files(version: u32) -> FollowedFiles {
    let file = FollowedFile { root: "c".to_owned(), path: "a.yaml".to_owned(), state: FileState::Read(7) };
    FollowedFiles { version, is_writable: true, files: vec![file], ..FollowedFiles::default() }
}

fn arrived(since: u32, version: u32) -> Action {
    Action::Follow(FollowAction::Arrived { since, batch: version, files: files(version) })
}

fn followed(contradicted: Vec<FileKey>, rest: Vec<Opened>, overview: Overview) -> Answer {
    opened([vec![Opened::Followed { contradicted, changed: Vec::new() }], rest].concat(), overview)
}

/// A page that has the files, with the first of two packages selected.
fn page() -> Page {
    let state = State { follow: Some(Follow::default()), ..State::new(Draft::default()) };
    let page = Page { state, effects: Vec::new() }.on(PageAction::Opened);
    assert!(page.effects.contains(&Effect::StartWorker) && page.effects.contains(&Effect::AwaitFiles { since: 0 }));
    let page = page.on(arrived(0, 1));
    assert!(page.effects.contains(&Effect::AwaitFiles { since: 1 }));
    let page = page.event(Event::Ready);
    let asks = [Ask::Command(Command::KeepNothing), Ask::Command(Command::Follow(files(1)))];
    assert_eq!(page.asks(), asks.each_ref());
    let page = page.answer(1, changed(Overview::default()));
    let page = page.answer(2, followed(Vec::new(), Vec::new(), overview(1, &["a", "b"])));
    page.on(NavigationAction::PackageSelected(key(1, "a")))
}

#[test]
fn files_are_opened_and_nothing_is_stored() {
    let page = page();
    assert_eq!((page.selected(), page.state.tab), (Some("a"), Tab::Graph));
    let page = page.on(PageAction::SingleKeysChosen { on: false });
    assert!(page.effects.iter().all(|effect| !effect.stores()), "{:?}", page.effects);
    let page = page.on(FollowAction::Unchanged { since: 1 });
    assert_eq!(page.effects, [Effect::AwaitFiles { since: 1 }]);
}

#[test]
fn a_page_that_is_loaded_again_shows_what_the_address_says() {
    let state = State { follow: Some(Follow::default()), ..State::new(Draft::default()) };
    let route = Route::parse("/mine/b/reach").expect("a route");
    let page = Page { state, effects: Vec::new() }
        .on(PageAction::Opened)
        .on(NavigationAction::RouteFollowed(route))
        .event(Event::Ready)
        .answer(1, changed(Overview::default()))
        .on(arrived(0, 1));
    let with_baseline = Overview { baselines: overview(2, &["a"]).catalogs, ..overview(1, &["a", "b"]) };
    let page = page.answer(2, followed(Vec::new(), Vec::new(), with_baseline));
    assert_eq!((page.selected(), page.state.tab), (Some("b"), Tab::Reach));
    assert!(page.effects.contains(&Effect::RevealPackage), "its row in the list");
}

#[test]
fn a_change_keeps_what_is_shown() {
    let page = page().on(NavigationAction::TabChosen(Tab::Table)).on(arrived(1, 2));
    assert_eq!(page.asks(), [&Ask::Command(Command::Follow(files(2)))]);
    let manifests = |text: &str| vec![Opened::Manifests { text: text.to_owned() }];
    let page = page.answer(3, followed(Vec::new(), manifests("kind: Subscription\r\n"), overview(1, &["a", "b", "c"])));
    assert_eq!((page.selected(), page.state.tab), (Some("a"), Tab::Table));
    assert_eq!(&*page.state.simulation.manifests, "kind: Subscription\n");
    assert!(page.notices().is_empty());
    let page = page.on(arrived(2, 3));
    let revision = page.state.revision.0;
    let page =
        page.answer(revision, followed(Vec::new(), manifests("kind: CatalogSource\r\n"), overview(1, &["a", "b"])));
    assert!(page.notices().is_empty(), "the user changed nothing: only the ends of the lines differ");
}

#[test]
fn manifests_of_the_user_can_be_brought_back() {
    let page = page().on(ClusterAction::ManifestsTyped("mine".to_owned())).on(arrived(1, 2));
    let manifests = Opened::Manifests { text: "theirs".to_owned() };
    let revision = page.state.revision.0;
    let page = page.answer(revision, followed(Vec::new(), vec![manifests], overview(1, &["a", "b"])));
    assert_eq!(page.notices(), [&NoticeKind::ManifestsFound]);
    let page = page.on(PageAction::UndoAsked);
    assert_eq!(&*page.state.simulation.manifests, "mine");
}

#[test]
fn a_baseline_opens_the_comparison() {
    let state = State { follow: Some(Follow::default()), ..State::new(Draft::default()) };
    let page = Page { state, effects: Vec::new() }.on(PageAction::Opened).event(Event::Ready);
    let page = page.answer(1, changed(Overview::default())).on(arrived(0, 1));
    let with_baseline = Overview { baselines: overview(2, &["a"]).catalogs, ..overview(1, &["a"]) };
    assert_eq!(page.answer(2, followed(Vec::new(), Vec::new(), with_baseline)).state.tab, Tab::Compare);
}

#[test]
fn a_new_worker_gets_all_files() {
    let page = page().on(WorkerAction::Died { reason: "x".to_owned(), at: 9 });
    assert!(page.effects.contains(&Effect::AwaitFiles { since: 0 }));
    let page = page.event(Event::Ready).on(arrived(1, 2));
    assert!(page.asks().is_empty(), "an answer to the old worker");
    let page = page.on(arrived(0, 2));
    assert_eq!(page.asks(), [&Ask::Command(Command::Follow(files(2)))]);
    let revision = page.state.revision.0;
    let page = page.answer(revision - 1, changed(Overview::default()));
    let page = page.answer(revision, followed(Vec::new(), Vec::new(), overview(3, &["a", "b"])));
    assert_eq!(page.selected(), Some("a"));
}

#[test]
fn edits_that_contradict_the_disk_are_named() {
    let page = page().on(arrived(1, 2));
    let overview = overview(1, &["a", "b"]);
    let file = &overview.catalogs[0].files[0];
    let (key, path) = (file.file, file.path.clone());
    let page = page.answer(3, followed(vec![key], Vec::new(), overview));
    assert_eq!(page.notices(), [&NoticeKind::Contradicted { file: key, path }]);
}

#[test]
fn the_text_of_the_disk_can_be_chosen() {
    let file = FileKey(1);
    let page = page().on(arrived(1, 2)).answer(3, followed(vec![file], Vec::new(), overview(1, &["a", "b"])));
    let page = page.on(FollowAction::DiskChosen(file));
    assert_eq!(page.asks(), [&Ask::Command(Command::Revert { file })]);
    assert!(page.notices().is_empty());
}

#[test]
fn edits_are_saved_and_can_be_undone_still() {
    let edited = |is_edited| {
        let mut overview = overview(1, &["a", "b"]);
        overview.catalogs[0].files[0].edited = is_edited;
        overview
    };
    let input = AuthoringInput::Fix { title: "fixed".to_owned(), changes: Vec::new() };
    let page = page();
    assert!(unsaved_files(&page.state).is_empty());
    let page = page.on(CatalogsAction::Authored(Target::Catalog(CatalogId(1)), input.clone()));
    let undo = vec![FileEdit { file: FileKey(1), splices: Vec::new() }];
    let authored = Opened::Authored(Ok(Authored { catalog: CatalogId(1), input, undo: undo.clone() }));
    let page = page.answer(3, opened(vec![authored], edited(true)));
    assert_eq!(unsaved_files(&page.state), ["catalog.yaml"]);
    let page = page.on(FollowAction::SaveAsked);
    let page = page.answer(3, To::<query::Download>(Ok("catalog.yaml".to_owned())));
    assert_eq!(page.effects, [Effect::SaveToDisk { names: "catalog.yaml".to_owned() }]);
    // The disk has what was saved.
    let page = page.on(arrived(1, 2));
    let page = page.answer(4, followed(Vec::new(), Vec::new(), edited(false)));
    assert!(unsaved_files(&page.state).is_empty());
    let page = page.on(PageAction::UndoAsked);
    assert_eq!(page.asks(), [&Ask::Command(Command::Edit(undo))]);
}

#[test]
fn the_end_of_the_program_is_told_once() {
    let ended = |since| Action::Follow(FollowAction::Ended { since, reason: "it has ended".to_owned() });
    let page = page().on(ended(0));
    assert!(page.notices().is_empty(), "of a worker before");
    let page = page.on(ended(1));
    assert!(matches!(page.notices()[..], [NoticeKind::FollowEnded { .. }]) && page.effects.is_empty());
}

// The worker: that it starts, dies, and is started again.

#[test]
fn a_dead_worker_is_restarted_then_without_catalogs_then_not_at_all() {
    let die = |at| Action::Worker(WorkerAction::Died { reason: "boom".to_owned(), at });
    let page = Page::with(&["a"]).on(die(10_000));
    assert_eq!(page.effects, [Effect::StartWorker]);
    assert!(matches!(page.notices()[..], [NoticeKind::Restarted { .. }]));
    let page = page.event(Event::Ready);
    assert_eq!(page.asks(), [&Ask::Command(Command::Restore)]);
    let page = page.on(die(12_000));
    assert!(matches!(page.notices()[..], [_, NoticeKind::StartedEmpty { .. }]));
    let page = page.event(Event::Ready);
    assert!(page.asks().is_empty());
    assert!(page.state.overview.packages.is_empty());
    let page = page.on(die(13_000));
    assert_eq!(page.effects, [Effect::EndWorker]);
    assert!(page.state.worker.gone);
}

/// A worker that ended before it was ready has received nothing, whatever it was that waited for it.
#[test]
fn a_worker_that_does_not_start_is_started_again_and_gets_what_waits() {
    let die = |at| Action::Worker(WorkerAction::Died { reason: "boom".to_owned(), at });
    let link = || LinkTarget::Content(views::LinkContent::Session("1.x".to_owned()));
    let opens = Ask::Command(Command::OpenLink { content: views::LinkContent::Session("1.x".to_owned()) });
    let kept = Draft { catalogs: true, ..Draft::default() };
    for draft in [Draft::default(), kept] {
        let page = Page::open(draft).on(SessionAction::LinkFollowed(link()));
        let is_asked = page.state.dialog == Some(Dialog::OpenLink);
        let page = if is_asked { page.on(SessionAction::OpenLinkAnswered { yes: true }) } else { page };
        let page = page.on(die(5_000));
        assert_eq!(page.effects, [Effect::StartWorker]);
        assert!(matches!(page.notices()[..], [NoticeKind::NotStarted { .. }]));
        let page = page.on(die(10_000)).event(Event::Ready);
        assert_eq!(page.asks(), [&Ask::Command(Command::Restore), &opens]);
        assert!(!page.state.worker.not_restored);
        // A later end is the first one again.
        let page = page.on(die(60_000)).on(die(65_000));
        assert_eq!(page.effects, [Effect::StartWorker]);
    }
}

#[test]
fn a_worker_that_never_starts_can_be_started_by_the_user() {
    let die = |at| Action::Worker(WorkerAction::Died { reason: "boom".to_owned(), at });
    let page = Page::open(Draft::default()).on(CatalogsAction::ExampleOpened("higher-priority".into()));
    let page = page.on(WorkerAction::StartWaited(Wait::Long));
    assert_eq!(page.state.wait, Some(Wait::Long), "the page offers to stop it");
    let page = page.on(die(10)).on(die(20)).on(die(30));
    assert_eq!((&page.effects[..], page.state.worker.gone), (&[Effect::EndWorker][..], true));
    assert!(matches!(page.notices()[..], [NoticeKind::Gone { .. }]));
    let page = page.on(WorkerAction::StartWaited(Wait::Long));
    assert_eq!(page.state.wait, None);
    let page = page.on(WorkerAction::StartedAgain);
    assert_eq!((page.effects.contains(&Effect::StartWorker), page.notices().len()), (true, 0));
    let page = page.on(die(40)).on(WorkerAction::Stopped);
    assert!(page.effects.contains(&Effect::StartWorker));
    let page = page.on(WorkerAction::StartWaited(Wait::Brief)).event(Event::Ready);
    let slug = "higher-priority".to_owned();
    let opens = Ask::Command(Command::OpenExample { slug, keep: false });
    assert_eq!((page.asks(), page.state.wait), (vec![&Ask::Command(Command::Restore), &opens], None));
}

#[test]
fn a_worker_that_nobody_waits_for_starts_silently() {
    let page = Page::open(Draft::default()).on(WorkerAction::Needed);
    let page = page.on(WorkerAction::StartWaited(Wait::Long));
    assert_eq!(page.state.wait, None);
}

#[test]
fn a_worker_that_lived_long_is_restored_again() {
    let die = |at| Action::Worker(WorkerAction::Died { reason: "boom".to_owned(), at });
    let page = Page::with(&["a"]).on(die(10_000)).event(Event::Ready).on(die(20_000)).event(Event::Ready);
    assert_eq!(page.asks(), [&Ask::Command(Command::Restore)]);
}

// What is shown until an answer arrives.

#[test]
fn what_is_opened_is_named_at_once() {
    let named = |page: &Page| page.state.opening.clone().map(|opening| (opening.names, opening.bytes));
    let dropped = |names: &[&str]| {
        Action::Catalogs(CatalogsAction::Dropped(names.iter().map(|name| (*name).to_owned()).collect()))
    };
    // The worker is not even started.
    let page = Page::open(Draft::default()).on(dropped(&["a.yaml", "b", "c", "d"]));
    assert_eq!(named(&page), Some(("a.yaml, b, c and 1 more".to_owned(), None)));
    let file = |root: &str, path: &str| NewFile { root: root.to_owned(), path: path.to_owned() };
    let files = vec![file("a.yaml", ""), file("b", "x.yaml"), file("b", "y.yaml")];
    let page = page.on(CatalogsAction::FilesCollected { batch: 1, files, bytes: 50_000_000 });
    assert_eq!(named(&page), Some(("a.yaml, b".to_owned(), Some(50_000_000))));
    let page = page.event(Event::Ready).answer(1, changed(Overview::default()));
    assert!(named(&page).is_some(), "only what the last visit left was restored");
    let page = page.answer(2, changed(overview(1, &["a"])));
    assert_eq!(named(&page), None);
    let page = page.on(dropped(&["gone"])).on(CatalogsAction::FilesRefused("no".to_owned()));
    assert_eq!(named(&page), None);
}

#[test]
fn the_graph_of_the_package_before_stays_until_the_new_one_is_there() {
    let package = |page: &Page| page.state.former_graph.as_ref().map(|graph| graph.package.package.clone());
    let select = |name| Action::Navigation(NavigationAction::PackageSelected(key(1, name)));
    let page = Page::with(&["a", "b", "c"]).answer(1, graph(key(1, "a"))).on(select("b"));
    assert_eq!((package(&page).as_deref(), page.state.graph.is_none()), (Some("a"), true));
    let page = page.on(select("c"));
    assert_eq!(package(&page).as_deref(), Some("a"));
    let page = page.answer(1, graph(key(1, "c"))).answer(1, graph(key(1, "c")));
    assert_eq!((package(&page), page.state.graph.is_some()), (None, true));
}
