//! The files of `opscope open`.

use super::*;
use views::{Authored, AuthoringInput, FileEdit, FileState, FollowedFile, FollowedFiles, Target};

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
