//! What is shown until an answer arrives.

use super::*;

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
