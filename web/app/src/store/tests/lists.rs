//! The list of packages, the palette, and filters of the Reach table.

use super::*;
use views::{PackageRow, SearchGroup, SearchHit, SearchKind, SearchScope, SearchTarget, SearchView};

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
