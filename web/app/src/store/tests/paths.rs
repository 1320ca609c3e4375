//! The path view and the table of hops.

use super::*;

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
