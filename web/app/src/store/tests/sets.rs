//! Catalogs for several versions of OpenShift in the place of catalogs and packages.

use super::*;
use views::{OpenShift, SetId, SetMemberView, SetRow, SetView};

fn version(text: &str) -> OpenShift {
    text.parse().expect("a version of OpenShift")
}

/// A page that shows a set beside a catalog.
fn with_set() -> Page {
    let row = SetRow {
        id: SetId(0),
        name: "community".to_owned(),
        versions: vec![version("4.18"), version("4.19")],
        packages: 1,
        is_baseline: false,
    };
    let overview = Overview { sets: vec![row], ..overview(1, &["a"]) };
    let paste = Action::Catalogs(CatalogsAction::Pasted("text".to_owned()));
    let page = Page::with(&["a"]).on(paste).answer(2, opened(vec![Opened::Set(SetId(0))], overview));
    assert_eq!(page.state.sets.shown, Some(SetId(0)));
    page
}

fn route(page: &Page) -> Option<(Option<&Route>, bool)> {
    page.effects.iter().find_map(|effect| match effect {
        Effect::ShowRoute { route, is_step } => Some((route.as_ref(), *is_step)),
        _ => None,
    })
}

#[test]
fn back_leads_from_a_member_to_the_plan() {
    let plan = Route::Set { shows_plan: true };
    let page = with_set().on(SetAction::PlanChosen(true));
    assert_eq!(route(&page), Some((Some(&plan), true)));
    let entry = EntryKey { channel: None, name: "a.v1.0.0".to_owned() };
    let opened = SetAction::EntryOpened { package: "a".to_owned(), entry, version: version("4.18") };
    let page = page.on(Action::Set(opened));
    assert!(matches!(route(&page), Some((Some(Route::Catalog { .. }), true))), "{:?}", page.effects);
    let page = page.on(NavigationAction::RouteFollowed(plan));
    assert_eq!((page.state.sets.shown, page.state.sets.shows_plan), (Some(SetId(0)), true));
}

#[test]
fn a_set_is_shown_while_it_is_read() {
    let row = |versions: &[&str]| SetRow {
        id: SetId(0),
        name: "community".to_owned(),
        versions: versions.iter().map(|text| version(text)).collect(),
        packages: 1,
        is_baseline: false,
    };
    let with = |versions: &[&str]| Overview { sets: vec![row(versions)], ..Overview::default() };
    let asks = |page: &Page| page.asks().iter().any(|ask| matches!(ask, Ask::Query(AnyQuery::Set(_))));
    let paste = Action::Catalogs(CatalogsAction::Pasted("text".to_owned()));
    let page = Page::with(&[]).on(paste);
    let revision = page.state.revision;
    let page = page.event(Event::Partial { revision, overview: with(&["4.18", "4.19"]) });
    assert_eq!((page.state.sets.shown, asks(&page)), (Some(SetId(0)), true));
    // The page asks for the set again only when more members are read.
    let member = |text: &str| SetMemberView {
        version: version(text),
        paths: Vec::new(),
        packages: 1,
        rejected: None,
        unread: Vec::new(),
    };
    let view = SetView { members: ["4.18", "4.19"].map(member).to_vec(), ..SetView::default() };
    let page = page.answer(revision.0, To::<query::Set>(view));
    let page = page.event(Event::Partial { revision, overview: with(&["4.18", "4.19"]) });
    assert!(!asks(&page));
    let page = page.event(Event::Partial { revision, overview: with(&["4.18", "4.19", "4.20"]) });
    assert!(asks(&page));
    let chosen = Action::Set(SetAction::PackageChosen("a".to_owned()));
    let whole = opened(vec![Opened::Set(SetId(0))], with(&["4.18", "4.19", "4.20"]));
    let page = page.on(chosen).answer(revision.0, whole);
    assert_eq!((page.state.sets.package.as_deref(), asks(&page)), (Some("a"), true));
}

#[test]
fn a_package_that_is_selected_takes_the_place_of_the_set() {
    let page = with_set().on(NavigationAction::PackageSelected(key(1, "a")));
    assert_eq!(page.state.sets.shown, None);
}

#[test]
fn a_pair_of_a_set_is_compared_whatever_else_is_open() {
    let pair = |from: &str, to: &str| {
        Action::Set(SetAction::PairOpened { package: "a".to_owned(), from: version(from), to: version(to) })
    };
    let page = with_set().on(pair("4.18", "4.19"));
    let named =
        NamedSides { before: "4.18".to_owned(), before_opened: false, after: "4.19".to_owned(), after_opened: false };
    assert_eq!(page.state.compare.chosen, Some(named));
}
