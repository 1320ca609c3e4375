//! The list of packages, the palette, and filters of the Reach table.

use super::*;
use std::rc::Rc;
use views::{
    OlmV1Release, OpmVersion, PackageRow, Rulebook, SearchGroup, SearchHit, SearchKind, SearchScope, SearchTarget,
    SearchView,
};

#[test]
fn the_list_begins_with_what_is_worst_and_is_stepped_through_in_its_order() {
    let mut view = overview(1, &["a", "b", "c", "d"]);
    view.packages.iter_mut().for_each(|row| row.v0.rank = 4);
    view.packages[1].v0.rank = 3;
    view.packages[2].v0.rank = 0;
    // The same name in another catalog stays beside the one that is worse.
    let twin = PackageRow { key: key(2, "b"), ..view.packages[3].clone() };
    view.packages.insert(2, twin);
    let names: Vec<_> =
        ranked_packages(&view, Runtime::V0).iter().map(|(rank, row)| (*rank, &*row.key.package)).collect();
    assert_eq!(names, [(0, "c"), (3, "b"), (3, "b"), (4, "a"), (4, "d")]);
    let mut page = Page::with(&["a", "b", "c", "d"]);
    page.state.overview = Shared::new(view);
    let page = page.on(NavigationAction::PackageStepped(Direction::Later));
    assert_eq!(page.selected(), Some("d"), "after `a`");
    let page = page.on(NavigationAction::PackageStepped(Direction::Earlier));
    let page = page.on(NavigationAction::PackageStepped(Direction::Earlier));
    assert_eq!(page.selected(), Some("b"), "before `a`");
}

fn hits(names: &[&str], more: u32) -> To<query::Search> {
    let hit = |name: &&str| SearchHit {
        text: (*name).to_owned(),
        about: String::new(),
        catalog: CatalogId(1),
        target: SearchTarget::Entry { package: key(1, "b"), entry: entry("c", name) },
    };
    let group = SearchGroup { kind: SearchKind::Version, hits: names.iter().map(hit).collect(), more };
    To::<query::Search>(SearchView { groups: vec![group] })
}

fn opened() -> Action {
    Action::Palette(PaletteAction::Opened(PalettePurpose::Open))
}

fn typed(text: &str) -> Action {
    Action::Palette(PaletteAction::Typed(text.to_owned()))
}

fn search(text: &str) -> Ask {
    Ask::Query(query::Search { text: text.to_owned(), scope: SearchScope::All, more: None }.into())
}

#[test]
fn the_palette_asks_the_worker_and_its_result_selects_an_entry() {
    let page = Page::with(&["a", "b"]).on(opened());
    assert_eq!(page.asks(), [&search("")]);
    let page = page.on(typed("v1.")).on(typed("v1.2 "));
    assert!(page.asks().is_empty(), "the answer to the first text is awaited");
    let page = page.answer(1, hits(&["old"], 0));
    assert!(page.state.palette.found.is_none(), "another text was searched for since");
    assert_eq!(page.asks(), [&search("v1.2")]);
    let page = page.answer(1, hits(&["b.v1.1", "b.v1.2"], 0));
    let page = page.on(PaletteAction::Stepped(Direction::Later));
    let page = page.on(PaletteAction::Entered);
    assert_eq!((page.selected(), &page.state.selection.entry), (Some("b"), &Some(entry("c", "b.v1.2"))));
    assert_eq!((page.state.dialog, page.state.tab), (None, Tab::Graph));
    let moves: Vec<_> = page.effects.iter().filter(|effect| matches!(effect, Effect::MoveFocus(_))).collect();
    assert_eq!(moves, [&Effect::MoveFocus(FocusTarget::Entry)]);
}

#[test]
fn the_arrow_keys_go_around_and_lead_to_more_results() {
    let page = Page::with(&["a"]).on(opened()).answer(1, hits(&["x", "y"], 7));
    let page = page.on(PaletteAction::Stepped(Direction::Earlier));
    let last = 2 + commands(&page.state).len();
    assert_eq!(page.state.palette.active, last, "from the first to the last item, an action");
    let later = |page: Page| page.on(PaletteAction::Stepped(Direction::Later));
    let page = later(later(later(page)));
    assert_eq!(page.state.palette.active, 2, "around, and on to more results");
    let page = page.on(PaletteAction::Entered);
    let more = Some((SearchKind::Version, 52));
    assert_eq!(page.asks(), [&Ask::Query(query::Search { text: String::new(), scope: SearchScope::All, more }.into())]);
    assert_eq!(page.state.dialog, Some(Dialog::Palette));
    let page = page.answer(1, hits(&["x", "y", "z"], 0));
    assert_eq!(page.state.palette.active, 2, "the first of the new ones");
    let page = page.on(PaletteAction::Typed("no such action".to_owned()));
    let page = later(page.answer(1, hits(&["x"], 0)));
    assert_eq!(page.state.palette.active, 0, "there is only one item");
}

#[test]
fn enter_before_the_results_picks_the_first_of_them() {
    let waits = Page::with(&["a"]).on(opened()).on(PaletteAction::Entered);
    let found = waits.answer(1, hits(&["b.v1"], 0));
    assert_eq!(found.state.selection.entry, Some(entry("c", "b.v1")));
    let again = found.on(opened()).on(PaletteAction::Entered).on(typed("b"));
    let again = again.answer(1, hits(&["b.v1"], 0)).answer(1, hits(&["b.v2"], 0));
    assert_eq!(again.state.dialog, Some(Dialog::Palette), "typing on takes it back");
}

#[test]
fn results_of_older_inputs_are_dropped_and_asked_for_again() {
    let page = Page::with(&["a"]).on(opened());
    let old = page.state.revision.0;
    let page = page.on(CatalogsAction::RestoreAsked);
    let page = page.answer(old, hits(&["old"], 0));
    assert!(page.state.palette.found.is_none());
    let page = page.answer(old + 1, changed(overview(1, &["a"])));
    assert!(page.asks().contains(&&search("")));
}

#[test]
fn the_palette_picks_the_end_of_a_path_in_the_package() {
    let path = Action::Palette(PaletteAction::Opened(PalettePurpose::Path));
    let page = Page::with(&["a"]).on(path.clone());
    assert_eq!(page.state.dialog, None, "no entry is selected");
    let page = page.on(NavigationAction::EntrySelected(entry("c", "one"))).on(path);
    let scope = SearchScope::Entries { package: key(1, "a"), channel: Some("c".to_owned()) };
    assert_eq!(page.asks(), [&Ask::Query(query::Search { text: String::new(), scope, more: None }.into())]);
    let page = page.answer(1, hits(&["two"], 0)).on(PaletteAction::Picked(0));
    let asked = query::Path { package: key(1, "a"), from: "one".to_owned(), to: entry("c", "two") };
    assert!(page.asks().contains(&&Ask::Query(asked.into())));
    assert_eq!(page.selected(), Some("a"));
}

#[test]
fn a_path_does_not_lead_back_to_the_table_that_is_shown() {
    let chosen = ExploreAction::ReachCellChosen { from: "one".to_owned(), to: entry("c", "head") };
    let page = Page::with(&["a"])
        .on(Action::Explore(chosen))
        .on(NavigationAction::TabChosen(Tab::Reach))
        .on(NavigationAction::TabChosen(Tab::Source));
    assert!(!page.state.explore.path.as_ref().unwrap().from_reach);
    assert_eq!(page.on(ExploreAction::PathClosed).state.tab, Tab::Source);
}

#[test]
fn filters_of_the_reach_table_do_not_stay_on_for_the_next_package() {
    let filter = ReachFilter { kind: Some(ReachProblem::Stuck), ..ReachFilter::default() };
    let page = Page::with(&["a", "b"]).on(ExploreAction::ReachFiltered(filter.clone()));
    assert_eq!(page.state.explore.filter, filter);
    let page = page.on(NavigationAction::PackageSelected(key(1, "b")));
    assert_eq!(page.state.explore.filter, ReachFilter::default());
}

// Disabling and explaining rules.

fn switched(page: &Page) -> Vec<&[String]> {
    let off = |ask: &&Ask| matches!(ask, Ask::Command(Command::SwitchRules { .. }));
    let asks = page.asks().into_iter().filter(off);
    asks.map(|ask| if let Ask::Command(Command::SwitchRules { off }) = ask { &off[..] } else { &[] }).collect()
}

#[test]
fn a_disabled_rule_is_sent_to_the_worker_and_saved() {
    let off = |on| Action::Findings(FindingsAction::RuleSwitched { rule: "downgrade".to_owned(), on });
    let page = Page::with(&["a"]).on(off(false));
    assert_eq!(switched(&page), [["downgrade".to_owned()]]);
    assert!(page.effects.iter().any(|effect| matches!(effect, Effect::SaveDraft(draft) if draft.rules_off.len() == 1)));
    let page = page.on(off(false));
    assert!(page.effects.is_empty());
    let page = page.on(off(true));
    assert_eq!(switched(&page), [&[] as &[String]]);
    // Clearing the catalogs does not enable rules.
    let page = page.on(off(false)).on(CatalogsAction::Cleared);
    assert_eq!(page.state.rules.off.len(), 1);
}

#[test]
fn descriptions_of_rules_are_fetched_once_and_again_after_a_failure() {
    let asked = || Action::Findings(FindingsAction::RuleExplained("downgrade".to_owned()));
    let fetches = |page: &Page| page.effects.iter().filter(|effect| **effect == Effect::FetchRules).count();
    let page = Page::with(&["a"]).on(asked());
    assert_eq!((page.state.dialog, fetches(&page)), (Some(Dialog::Rule), 1));
    let page = page.on(asked());
    assert_eq!(fetches(&page), 0, "they are on their way");
    let page = page.on(FindingsAction::RulesFetched(Err("gone".to_owned()))).on(asked());
    assert_eq!(fetches(&page), 1);
    let page = page.on(FindingsAction::RulesFetched(Ok(Rulebook::default()))).on(asked());
    assert_eq!(fetches(&page), 0);
}

#[test]
fn the_comment_that_disables_a_rule_is_copied() {
    let page = Page::with(&["a"]).on(FindingsAction::RuleExplained("downgrade".to_owned()));
    let page = page.on(FindingsAction::CommentCopied("downgrade".to_owned()));
    assert!(page.effects.contains(&Effect::Copy("# opscope-ignore: downgrade".into())));
    assert_eq!(page.state.dialog, None);
}

/// Chosen, and of the last visit.
#[test]
fn the_release_of_opm_that_judges_is_sent_to_the_worker() {
    let old = OpmVersion(1, 57, 0);
    let chosen = |page: &Page| {
        let asks = page.asks().into_iter();
        asks.filter_map(|ask| if let Ask::Command(Command::JudgeAs { opm }) = ask { Some(*opm) } else { None })
            .collect::<Vec<_>>()
    };
    let choose = || Action::Page(PageAction::OpmChosen(old));
    let page = Page::with(&["a"]).on(choose());
    assert_eq!(chosen(&page), [old]);
    assert!(page.effects.iter().any(|effect| matches!(effect, Effect::SaveDraft(draft) if draft.opm == Some(old))));
    let page = page.on(choose());
    assert_eq!(chosen(&page), []);
    let page = page.on(CatalogsAction::Cleared);
    assert_eq!(page.state.opm, old, "clearing the catalogs does not choose another one");

    let page = Page::open(Draft { opm: Some(old), ..Draft::default() }).event(Event::Ready);
    assert_eq!(page.asks(), [&Ask::Command(Command::JudgeAs { opm: old }), &Ask::Command(Command::Restore)]);
}

/// The same of the OLM v1 that answers are about.
#[test]
fn the_olm_v1_of_the_cluster_is_sent_to_the_worker() {
    let old = Some(OlmV1Release(1, 8));
    let sent = Ask::Command(Command::AnswerAs { olm_v1: old });
    let page = Page::with(&["a"]).on(PageAction::OlmV1Chosen(old));
    assert_eq!(page.asks().iter().filter(|ask| ***ask == sent).count(), 1);
    assert!(page.effects.iter().any(|effect| matches!(effect, Effect::SaveDraft(draft) if draft.olm_v1 == old)));
    let page = page.on(CatalogsAction::Cleared);
    assert_eq!(page.state.olm_v1, old, "clearing the catalogs does not choose another one");
    let page = Page::open(Draft { olm_v1: old, ..Draft::default() }).event(Event::Ready);
    assert_eq!(page.asks(), [&sent, &Ask::Command(Command::Restore)]);
}

#[test]
fn disabled_rules_are_sent_before_catalogs_are_restored() {
    let draft = Draft { rules_off: ["downgrade".to_owned()].into(), ..Draft::default() };
    let page = Page::open(draft).event(Event::Ready);
    let off = vec!["downgrade".to_owned()];
    assert_eq!(page.asks(), [&Ask::Command(Command::SwitchRules { off }), &Ask::Command(Command::Restore)]);
    let page = page.answer(1, changed(Overview::default())).answer(2, changed(overview(1, &["a"])));
    assert_eq!(page.selected(), Some("a"));
    let page = page.on(WorkerAction::Died { reason: String::new(), at: 1 }).event(Event::Ready);
    assert_eq!(switched(&page), [["downgrade".to_owned()]]);
}

// The path view and the table of hops.

fn path() -> To<query::Path> {
    To::<query::Path>(Some(Box::default()))
}

#[test]
fn a_path_leads_from_the_selected_entry_to_another_one() {
    let page = Page::with(&["a"]).on(NavigationAction::EntrySelected(entry("c", "one")));
    let page = page.on(ExploreAction::PathTo(entry("d", "two")));
    let asked = Ask::Query(query::Path { package: key(1, "a"), from: "one".to_owned(), to: entry("d", "two") }.into());
    assert_eq!(page.asks()[0], &asked);
    assert_eq!(page.state.selection.entry, Some(entry("d", "two")));
    let page = page.on(ExploreAction::PathTo(entry("c", "three"))).answer(1, path());
    assert_eq!(page.state.explore.path.as_ref().unwrap().from, "one", "another end of the same path");
    assert!(page.state.explore.path.as_ref().unwrap().view.is_none(), "another path was asked for since");
    let page = page.answer(1, path());
    assert!(page.state.explore.path.as_ref().unwrap().view.is_some());
    let page = page.on(NavigationAction::EntryLeft);
    assert_eq!(
        (&page.state.explore.path, page.state.selection.entry),
        (&None, Some(entry("c", "one"))),
        "as before the path"
    );
}

#[test]
fn a_cell_leads_to_the_graph_and_back() {
    let page = Page::with(&["a"]).on(NavigationAction::TabChosen(Tab::Reach));
    let from = "one".to_owned();
    let page = page.on(ExploreAction::ReachCellChosen { from, to: entry("c", "head") });
    assert_eq!(page.state.tab, Tab::Graph);
    assert_eq!(page.on(ExploreAction::PathClosed).state.tab, Tab::Reach);
}

fn part(channels: &[&str], rows: &[&str]) -> To<query::Reach> {
    let column = |name: &&str| views::ReachColumn { channel: (*name).to_owned(), ..Default::default() };
    let row = |name: &&str| views::ReachRow { name: (*name).to_owned(), label: (*name).to_owned(), bundle: true };
    let view = views::ReachView {
        rows: rows.iter().map(row).collect(),
        omitted: 0,
        columns: channels.iter().map(column).collect(),
        total: 3,
    };
    To::<query::Reach>(Some(view))
}

#[test]
fn a_version_that_is_looked_for_is_asked_for() {
    let page = Page::with(&["a"]).on(NavigationAction::TabChosen(Tab::Reach));
    let page = page.answer(1, part(&["c", "d", "e"], &["one"]));
    let filter = |text: &str| {
        Action::Explore(ExploreAction::ReachFiltered(ReachFilter { text: text.to_owned(), ..ReachFilter::default() }))
    };
    // A part of a version only filters what is there.
    let page = page.on(filter("0.7"));
    assert!(page.asks().is_empty());
    let page = page.on(filter(" p.v0.7.0"));
    let installed = "p.v0.7.0".to_owned();
    assert_eq!(
        page.asks(),
        [&Ask::Query(query::Reach { package: key(1, "a"), first: 0, runtime: Runtime::V0, installed }.into())]
    );
    let page = page.answer(1, part(&["c", "d", "e"], &["one", "p.v0.7.0"]));
    assert_eq!(page.state.explore.reach.as_deref().map(|table| table.rows.len()), Some(2));
}

#[test]
fn the_reach_table_arrives_in_parts() {
    let asked = |first| {
        let (package, installed) = (key(1, "a"), String::new());
        Ask::Query(query::Reach { package, first, runtime: Runtime::V0, installed }.into())
    };
    let page = Page::with(&["a"]).on(NavigationAction::TabChosen(Tab::Reach));
    assert_eq!(page.asks(), [&asked(0)]);
    let page = page.answer(1, part(&["c", "d"], &["one"]));
    assert_eq!(page.asks(), [&asked(2)]);
    // If the tab is left before the table is complete, the rest is requested when it is shown again.
    let page = page.on(NavigationAction::TabChosen(Tab::Table)).on(NavigationAction::TabChosen(Tab::Reach));
    assert_eq!(page.asks(), [&asked(2)]);
    let page = page.answer(1, part(&["d"], &[])).answer(1, part(&["e"], &[]));
    assert!(page.asks().is_empty());
    let table = page.state.explore.reach.as_deref().unwrap();
    assert_eq!((table.columns.len(), table.rows.len()), (3, 1));
    let page = page.on(ExploreAction::ReachCopied { markdown: false });
    assert_eq!(
        page.effects[0],
        Effect::Copy("installed\tc\td\te\none\tbroken channel\tbroken channel\tbroken channel\n".into())
    );
    assert_eq!(page.notices(), [&NoticeKind::Copied]);
}

// Printing.

#[test]
fn printing_sends_no_request_and_changes_nothing() {
    let before = Page::with(&["a"]).answer(1, graph(key(1, "a")));
    let state = before.state.clone();
    let printing = before.on(PageAction::Printed { begins: true });
    assert!(printing.state.printing && printing.effects.is_empty(), "what is on paper is there at once");
    let after = printing.on(PageAction::Printed { begins: false });
    assert_eq!((after.state, after.effects), (state, vec![]));
}

// What has the focus after a control that was used has disappeared.

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
