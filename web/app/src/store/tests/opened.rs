//! What is opened besides catalogs: configurations of mirrors, and new bundles.

use super::*;
use views::{
    Authored, AuthoringInput, EdgeEffectView, EdgeGesture, FileEdit, Gesture, MirrorView, NewBundleView, SetId,
    SideKey, Target, TrialChannel, TrialEntry, TrialPolicy, TrialTarget, WrittenView,
};

#[test]
fn a_text_that_is_entered_can_have_a_name() {
    let enter = |name: &str| {
        let entered = CatalogsAction::TextEntered { text: "text".to_owned(), name: name.to_owned() };
        let page = Page::with(&["a"]).on(Action::Catalogs(entered));
        page.asks().into_iter().cloned().collect::<Vec<_>>()
    };
    let paste = |name: Option<&str>| {
        let (text, name) = ("text".to_owned(), name.map(str::to_owned));
        vec![Ask::Command(Command::Paste { text, name })]
    };
    assert_eq!((enter(" before "), enter(" ")), (paste(Some("before")), paste(None)));
}

fn paste() -> Action {
    Action::Catalogs(CatalogsAction::Pasted("text".to_owned()))
}

/// The page after a command that opened something.
fn taking(page: Page, revision: u32, found: Opened) -> Page {
    page.on(paste()).answer(revision, opened(vec![found], overview(1, &["a"])))
}

fn image_set() -> Opened {
    Opened::ImageSet { text: "mirror: {}\n".to_owned() }
}

#[test]
fn a_configuration_is_asked_about_its_catalog_and_its_mirror_is_compared() {
    let page = taking(Page::with(&["a"]), 2, image_set());
    let asks = page.asks();
    let Some(Ask::Command(Command::Mirror { input, replaces: None })) = asks.last() else {
        panic!("{:?}", page.asks())
    };
    assert_eq!((input.catalog, &*input.config, input.chosen), (CatalogId(1), "mirror: {}\n", None));
    let view = MirrorView { catalog: CatalogId(1), mirrored: Some(CatalogId(2)), ..MirrorView::default() };
    let mut both = overview(1, &["a"]);
    both.baselines =
        overview(2, &["a"]).catalogs.into_iter().map(|row| CatalogRow { name: "m".to_owned(), ..row }).collect();
    let page = page.answer(3, opened(vec![Opened::Mirror(view)], both));
    assert_eq!(page.state.tab, Tab::Compare);
    let compared: Vec<CatalogId> = page.comparisons().iter().map(|compared| compared.after.catalog).collect();
    assert_eq!(compared.last(), Some(&CatalogId(2)));
    assert!(page.asks().contains(&&Ask::Query(query::Compare {}.into())), "{:?}", page.asks());
    // The typed text is used when it is applied; the mirror before goes.
    let page = page.on(MirrorAction::Typed("other".to_owned()));
    assert!(page.asks().is_empty());
    let page = page.on(MirrorAction::Applied);
    let [Ask::Command(Command::Mirror { input, replaces })] = &page.asks()[..] else { panic!("{:?}", page.asks()) };
    assert_eq!((&*input.config, *replaces), ("other", Some(CatalogId(2))));
}

#[test]
fn a_configuration_waits_for_a_catalog() {
    let page = Page::open(Draft::default()).event(Event::Ready).answer(1, changed(Overview::default())).on(paste());
    let page = page.answer(2, opened(vec![image_set()], Overview::default()));
    assert!(page.asks().is_empty() && page.notices().contains(&&NoticeKind::ImageSetWaits), "{:?}", page.asks());
    let page = page.on(paste()).answer(3, changed(overview(1, &["a"])));
    assert!(page.asks().iter().any(|ask| matches!(ask, Ask::Command(Command::Mirror { .. }))), "{:?}", page.asks());
}

#[test]
fn a_new_bundle_is_added_to_the_channels_that_the_user_chose() {
    let channel = |name: &str, is_named| TrialChannel {
        is_named,
        note: String::new(),
        edge: String::new(),
        entry: TrialEntry { channel: name.to_owned(), ..TrialEntry::default() },
    };
    let policy = TrialPolicy {
        policy: "z-stream".to_owned(),
        label: String::new(),
        channels: vec![channel("fast", false), channel("stable", true)],
    };
    let target = TrialTarget {
        target: Target::Catalog(CatalogId(1)),
        name: "c".to_owned(),
        intro: String::new(),
        policies: vec![policy],
    };
    let view = NewBundleView {
        number: 3,
        name: "a.v2".to_owned(),
        package: "a".to_owned(),
        targets: vec![target],
        ..NewBundleView::default()
    };
    let both = || overview(1, &["0", "a"]);
    let page = Page::with(&["0", "a"]).on(paste()).answer(2, opened(vec![Opened::NewBundle(view)], both()));
    let chosen =
        |page: &Page| page.state.new_bundle.as_ref().map(|new| new.channels.iter().cloned().collect::<Vec<_>>());
    assert_eq!((page.state.dialog, chosen(&page)), (Some(Dialog::NewBundle), Some(vec!["stable".to_owned()])));
    let page = page.on(NewBundleAction::ChannelSwitched("fast".to_owned()));
    assert_eq!(chosen(&page).map(|names| names.len()), Some(2));
    let entry = trial_entry("fast", " a.v1 ", "a.v0, a.v0.1", "");
    assert_eq!((&*entry.replaces, entry.skips.len()), ("a.v1", 2));
    let page = page.on(NewBundleAction::Tried { image: "i".to_owned(), entries: vec![entry] });
    let [Ask::Command(Command::Author { catalog: CatalogId(1), input })] = &page.asks()[..] else {
        panic!("{:?}", page.asks())
    };
    let AuthoringInput::Release(trial) = input else { panic!("{input:?}") };
    assert_eq!((trial.number, &*trial.image, &*trial.policy, page.state.dialog), (3, "i", "z-stream", None));
    let refused = taking(Page::with(&["a"]), 2, Opened::Authored(Err("no".to_owned())));
    assert!(refused.notices().contains(&&NoticeKind::NotWritten { reason: "no".to_owned() }));
    assert_eq!(page.selected(), Some("0"));
    let undo = vec![
        FileEdit { file: FileKey(1), splices: vec![splice(3, 9, "")] },
        FileEdit { file: FileKey(2), splices: vec![splice(4, 8, "")] },
    ];
    let tried = Authored { catalog: CatalogId(1), input: input.clone(), undo: undo.clone() };
    let mut edited = both();
    edited.catalogs[0].files[0].edited = true;
    let page = page.answer(3, opened(vec![Opened::Authored(Ok(tried))], edited));
    assert_eq!((page.state.tab, page.selected()), (Tab::Graph, Some("a")), "the trial is about its own package");
    let entry = super::entry("fast", "a.v2");
    assert_eq!(page.state.selection.entry, Some(entry));
    let side = |is_opened| SideKey { catalog: CatalogId(1), is_opened };
    let compared = page.comparisons().into_iter().next_back().map(|compared| (compared.before, compared.after));
    assert_eq!(compared, Some((side(true), side(false))));
    assert!(page.asks().contains(&&Ask::Query(query::Compare {}.into())), "its effect is asked for beside the graph");
    assert!(shown_release(&page.state).is_some());
    let page = page.on(NewBundleAction::Revised);
    assert_eq!((page.asks().len(), page.state.dialog), (0, Some(Dialog::NewBundle)), "it stays until others are tried");
    // The trial is undone in all files as one change, and the page no longer compares.
    let page = page.on(PageAction::UndoAsked);
    let edits: Vec<Command> = page.asks().into_iter().filter_map(|ask| command_of(ask).cloned()).collect();
    assert_eq!(edits, [Command::Edit(undo)]);
    assert_eq!((page.state.graph_changes, shown_release(&page.state)), (None, None));
    assert!(page.notices().is_empty(), "{:?}", page.notices());
    assert_eq!(page.state.selection.entry, None, "the new entry is gone");
}

const fn command_of(ask: &Ask) -> Option<&Command> {
    match ask {
        Ask::Command(command) => Some(command),
        _ => None,
    }
}

fn splice(start: u32, end: u32, text: &str) -> TextEdit {
    TextEdit { start, end, text: text.to_owned() }
}

#[test]
fn a_file_that_is_no_catalog_changes_nothing_but_the_notices() {
    let refused = || Opened::NotUnpacked { name: "pic.png".to_owned(), reason: "no".to_owned() };
    let key = PackageKey { catalog: CatalogId(1), package: "b".to_owned() };
    let page = Page::with(&["a", "b"]).on(NavigationAction::PackageSelected(key)).on(paste());
    let page = page.answer(2, opened(vec![refused()], overview(1, &["a", "b"])));
    assert_eq!((page.selected(), page.state.overview.catalogs.len()), (Some("b"), 1));
    let notice = NoticeKind::NotUnpacked { name: "pic.png".to_owned(), reason: "no".to_owned() };
    assert_eq!(page.notices(), [&notice]);
}

#[test]
fn what_is_written_into_a_set_is_shown_and_downloaded() {
    let set = SetId(2);
    let remove =
        |name: &str| AuthoringInput::Remove { package: "a".to_owned(), name: name.to_owned(), stays_listed: false };
    let asked = |input: AuthoringInput| Action::Catalogs(CatalogsAction::Authored(Target::Set(set), input));
    let page = Page::with(&["a"]).on(asked(remove("a.v1"))).on(asked(remove("a.v2")));
    assert_eq!(page.state.dialog, Some(Dialog::Written));
    let query = query::Written { set, input: remove("a.v2") };
    assert!(page.asks().contains(&&Ask::Query(query.into())));
    let view = |sentence: &str| WrittenView { sentence: sentence.to_owned(), ..WrittenView::default() };
    let shown =
        |page: &Page| page.state.written.as_ref().and_then(|one| one.view.as_ref()).map(|view| view.sentence.clone());
    let page = page.answer(2, To::<query::Written>(view("old")));
    assert_eq!(shown(&page), None, "a later change was asked for");
    let page = page.answer(3, To::<query::Written>(view("new")));
    assert_eq!(shown(&page).as_deref(), Some("new"));
}

#[test]
fn edges_are_changed_in_the_editing_mode() {
    let edit = |to: &str| EdgeGesture {
        channel: "c".to_owned(),
        entry: "a.v2".to_owned(),
        gesture: Gesture::Replace,
        to: to.to_owned(),
    };
    let on = |page: Page, action: EdgeAction| page.on(Action::Edges(action));
    let page = on(Page::with(&["a", "b"]), EdgeAction::Switched);
    let page = on(page, EdgeAction::Held(Some(edit("a.v1"))));
    assert_eq!(page.asks().len(), 1);
    // What is held already is not asked for again.
    let page = on(page, EdgeAction::Held(Some(edit("a.v1"))));
    assert_eq!((page.asks().len(), page.state.held_edge()), (0, Some(&edit("a.v1"))));
    let page = on(page, EdgeAction::Held(Some(edit("a.v0"))));
    let view = EdgeEffectView { sentence: String::new(), effects: Vec::new(), is_worse: false };
    let page = page.answer(1, To::<query::EdgeEffect>(Some(view.clone())));
    assert_eq!(page.state.edges.effect, None, "it is about a former change");
    let page = page.answer(1, To::<query::EdgeEffect>(Some(view)));
    assert!(page.state.edges.effect.is_some());
    let page = on(page, EdgeAction::Made);
    let input = AuthoringInput::Edge { package: "a".to_owned(), edit: edit("a.v0") };
    let expected = Ask::Command(Command::Author { catalog: CatalogId(1), input });
    assert_eq!(page.asks(), [&expected]);
    let page = on(page, EdgeAction::Made);
    assert_eq!(page.asks().len(), 0, "nothing is held any more");
    let page = on(page, EdgeAction::Held(Some(edit("a.v3"))));
    let revision = page.state.revision.0;
    let page = page.answer(revision, To::<query::EdgeEffect>(None));
    assert_eq!(page.state.held_edge(), None, "the catalog has no such entry");
}

#[test]
fn a_folder_is_being_opened_while_its_files_are_listed() {
    let dropped = Action::Catalogs(CatalogsAction::Dropped(vec!["folder".to_owned()]));
    // The command that restores the last visit ends first.
    let page = Page::open(Draft::default()).event(Event::Ready).on(dropped).answer(1, changed(Overview::default()));
    assert!(page.state.opening.is_some());
    let file = NewFile { root: "folder".to_owned(), path: "a.yaml".to_owned() };
    let collected = CatalogsAction::FilesCollected { batch: 1, files: vec![file], bytes: 10 };
    let page = page.on(Action::Catalogs(collected));
    assert!(page.state.opening.is_some());
    assert!(page.answer(2, changed(overview(1, &["a"]))).state.opening.is_none());
}
