//! The list of packages with its search, and filters of the Reach table.

use super::*;
use views::{SearchGroup, SearchHit, SearchKind, SearchView};

#[test]
fn the_list_steps_through_the_packages_that_its_filter_shows() {
    let mut view = overview(1, &["a", "b", "c"]);
    view.packages[1].findings.warnings = 1;
    view.packages[2].findings.errors = 1;
    let names = |filter| -> Vec<String> {
        found_packages(&view, "", filter).iter().map(|row| row.key.package.clone()).collect()
    };
    assert_eq!(names(PackageFilter::All), ["a", "b", "c"]);
    assert_eq!((names(PackageFilter::Errors), names(PackageFilter::Warnings)), (vec!["c".into()], vec!["b".into()]));
    let mut page = Page::with(&["a", "b", "c"]);
    page.state.overview = Shared::new(view.clone());
    let page = page
        .on(Action::Navigation(NavigationAction::PackagesFiltered(PackageFilter::Errors)))
        .on(Action::Navigation(NavigationAction::PackageStepped(Direction::Later)));
    assert_eq!(page.selected(), Some("c"));
}

fn hits(names: &[&str]) -> To<query::Search> {
    let hit = |name: &&str| SearchHit {
        text: (*name).to_owned(),
        package: key(1, "b"),
        entry: entry("c", name),
        version: None,
    };
    let group = SearchGroup { kind: SearchKind::Version, hits: names.iter().map(hit).collect(), more: 0 };
    To::<query::Search>(SearchView { groups: vec![group] })
}

#[test]
fn a_search_asks_the_worker_and_its_result_selects_an_entry() {
    let searched = |text: &str| Action::Navigation(NavigationAction::Searched(text.to_owned()));
    let page = Page::with(&["a", "b"]).on(searched("v"));
    assert!(page.asks().is_empty(), "one letter is in nearly every name");
    let page = page.on(searched("v1 "));
    assert_eq!(page.asks(), [&Ask::Query(query::Search { text: "v1".to_owned() }.into())]);
    let page = page.on(searched("v1.")).on(searched("v1.2"));
    assert!(page.asks().is_empty(), "the answer to the first text is awaited");
    let page = page.answer(1, hits(&["old"]));
    assert!(page.state.found.is_none(), "another text was searched for since");
    assert_eq!(page.asks(), [&Ask::Query(query::Search { text: "v1.2".to_owned() }.into())]);
    let page = page.answer(1, hits(&["b.v1.2"]));
    assert_eq!(page.state.found.as_ref().unwrap().groups[0].hits[0].text, "b.v1.2");
    let found = NavigationAction::HitFollowed { package: key(1, "b"), entry: entry("c", "b.v1.2") };
    let page = page.on(Action::Navigation(NavigationAction::TabChosen(Tab::Source))).on(Action::Navigation(found));
    assert_eq!((page.selected(), &page.state.selection.entry), (Some("b"), &Some(entry("c", "b.v1.2"))));
    assert_eq!(page.state.tab, Tab::Graph);
    let page = page.on(searched(""));
    assert!(page.state.found.is_none());
}

#[test]
fn a_path_does_not_lead_back_to_the_table_that_is_shown() {
    let chosen = ExploreAction::ReachCellChosen { from: "one".to_owned(), to: entry("c", "head") };
    let page = Page::with(&["a"])
        .on(Action::Explore(chosen))
        .on(Action::Navigation(NavigationAction::TabChosen(Tab::Reach)))
        .on(Action::Navigation(NavigationAction::TabChosen(Tab::Source)));
    assert!(!page.state.explore.path.as_ref().unwrap().from_reach);
    assert_eq!(page.on(Action::Explore(ExploreAction::PathClosed)).state.tab, Tab::Source);
}

#[test]
fn filters_of_the_reach_table_do_not_stay_on_for_the_next_package() {
    let filter = ReachFilter { kind: Some(ReachProblem::Stuck), ..ReachFilter::default() };
    let page = Page::with(&["a", "b"]).on(Action::Explore(ExploreAction::ReachFiltered(filter.clone())));
    assert_eq!(page.state.explore.filter, filter);
    let page = page.on(Action::Navigation(NavigationAction::PackageSelected(key(1, "b"))));
    assert_eq!(page.state.explore.filter, ReachFilter::default());
}
