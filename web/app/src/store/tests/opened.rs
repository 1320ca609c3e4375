//! What is opened besides catalogs: configurations of mirrors, and new bundles.

use super::*;
use views::{
    Authored, AuthoringInput, CatalogChange, EdgeEffectView, EdgeGesture, FileEdit, Gesture, InputEdit, MirrorView,
    NewBundleView, Opened, SetId, Severity, SideKey, SimulationView, Target, TrialChannel, TrialEntry, TrialPolicy,
    TrialTarget, WrittenView,
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

// Applying and undoing fixes.

#[test]
fn a_fix_is_tried_and_undone() {
    let page = Page::with(&["a"]).on(ClusterAction::SubscriptionAdded(String::new()));
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
    let page = Page::with(&["a"]);
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
