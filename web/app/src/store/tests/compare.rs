//! Which states are compared, and the question that an opened catalog raises.

use super::*;
use views::{
    ComparisonView, OpenShift, PackageComparisonView, Presence, SetId, SetMemberView, SetRow, SetView, SideKey,
};

const fn side(catalog: u32, is_opened: bool) -> SideKey {
    SideKey { catalog: CatalogId(catalog), is_opened }
}

fn compare(before: SideKey, after: SideKey) -> Compared {
    Compared::between(before, after)
}

/// The comparison that the page asks about, if it asks.
fn asked(page: &Page) -> Option<&Compared> {
    let is_asked = page.asks().contains(&&Ask::Query(query::Compare {}.into()));
    page.comparisons().into_iter().next_back().filter(|_| is_asked)
}

/// The overview with two catalogs that share a package; the second one perhaps a baseline.
fn both(is_baseline: bool) -> Overview {
    let mut all = overview(1, &["a"]);
    let second = overview(2, &["a"]);
    let row = CatalogRow { name: "other".to_owned(), ..second.catalogs[0].clone() };
    if is_baseline {
        all.baselines.push(row);
    } else {
        all.catalogs.push(row);
        all.packages.extend(second.packages);
    }
    all
}

fn show_tab(page: Page) -> Page {
    page.on(NavigationAction::TabChosen(Tab::Compare))
}

#[test]
fn a_catalog_is_compared_with_what_was_opened_unless_there_is_a_baseline() {
    let page = show_tab(Page::with(&["a"]));
    assert_eq!(asked(&page), Some(&compare(side(1, true), side(1, false))));
    let page = page.on(CatalogsAction::Pasted("x".to_owned())).answer(2, changed(both(true)));
    assert_eq!(asked(&page), Some(&compare(side(2, false), side(1, false))));
    let page = page.on(CompareAction::Swapped);
    assert_eq!(asked(&page), Some(&compare(side(1, false), side(2, false))));
}

/// Opens another catalog beside one of package `a`.
fn open_beside(all: Overview) -> Page {
    Page::with(&["a"]).on(CatalogsAction::Pasted("x".to_owned())).answer(2, changed(all))
}

#[test]
fn a_second_state_raises_no_question_and_the_newer_one_is_shown_with_what_changed() {
    let mut all = both(false);
    (all.packages[0].bundles, all.packages[1].bundles) = (9, 5);
    let page = open_beside(all);
    assert!(page.notices().is_empty(), "{:?}", page.notices());
    assert_eq!(page.state.selection.package, Some(key(1, "a")));
    assert_eq!((page.state.tab, asked(&page)), (Tab::Graph, Some(&compare(side(2, false), side(1, false)))));
    // Also if both are opened at once, and the newer one comes second.
    let page = Page::open(Draft::default()).on(CatalogsAction::Pasted("x".to_owned()));
    let page = page.event(Event::Ready).answer(1, changed(Overview::default())).answer(2, changed(both(false)));
    assert_eq!((page.state.selection.package.as_ref(), page.notices().len()), (Some(&key(2, "a")), 0));
}

#[test]
fn an_opened_catalog_with_few_packages_of_another_one_may_be_the_state_before() {
    let mut all = both(false);
    for catalog in [1, 2] {
        let own = overview(catalog, &[&*format!("b{catalog}"), &*format!("c{catalog}")]);
        all.packages.extend(own.packages);
    }
    let page = open_beside(all);
    let [NoticeKind::PackagesShared { new, known, packages }] = page.notices()[..] else {
        panic!("{:?}", page.notices())
    };
    assert_eq!((new.0, known.0, *packages), (CatalogId(2), CatalogId(1), 1));
    let relation = CompareAction::RelationChosen { new: new.0, known: known.0, relation: Relation::Before };
    let page = page.on(Action::Compare(relation));
    let baseline = Ask::Command(Command::SetBaseline { catalog: CatalogId(2), baseline: true });
    assert!(page.asks().contains(&&baseline), "{:?}", page.asks());
    assert_eq!((page.notices().len(), page.state.tab), (0, Tab::Compare));
    let page = page.answer(3, changed(both(true)));
    assert_eq!(asked(&page), Some(&compare(side(2, false), side(1, false))));
}

#[test]
fn the_state_before_that_was_asked_for_raises_no_question() {
    let page = show_tab(Page::with(&["a"])).on(CompareAction::BeforeAwaited);
    let page = page.on(CatalogsAction::Pasted("x".to_owned())).answer(2, changed(both(false)));
    let baseline = Ask::Command(Command::SetBaseline { catalog: CatalogId(2), baseline: true });
    assert!(page.notices().is_empty() && page.asks().contains(&&baseline), "{:?}", page.asks());
}

#[test]
fn another_tab_forgets_that_the_state_before_was_asked_for() {
    let page = show_tab(Page::with(&["a"])).on(CompareAction::BeforeAwaited);
    let page = page.on(NavigationAction::TabChosen(Tab::Graph));
    let page = page.on(CatalogsAction::Pasted("x".to_owned())).answer(2, changed(both(false)));
    assert!(!page.asks().iter().any(|ask| matches!(ask, Ask::Command(_))), "{:?}", page.asks());
}

#[test]
fn an_answer_about_other_states_is_not_shown() {
    let page = show_tab(Page::with(&["a"])).answer(1, To::<query::Compare>(Some(ComparisonView::default())));
    let asked = compared(&page.state).expect("the tab is shown");
    assert!(page.state.compare.view(&asked).is_some());
    let page = page.on(CompareAction::Swapped);
    let asked = compared(&page.state).expect("the tab is shown");
    assert!(page.state.compare.view(&asked).is_none());
    // The page sent this query before the states were exchanged.
    let page = page.answer(1, To::<query::ComparePackage>(Some(Box::default())));
    assert!(page.state.compare.detail(&asked, "").is_none());
}

/// Compare, after two catalogs with these names and numbers of bundles were dropped together.
fn two_dropped(rows: [(&str, u32); 2]) -> Page {
    let mut all = both(false);
    for (at, (name, bundles)) in rows.into_iter().enumerate() {
        all.catalogs[at].name = name.to_owned();
        // Of a catalog with a single package the graph asks, too.
        all.catalogs[at].packages = 2;
        all.packages[at].bundles = bundles;
    }
    show_tab(Page::open(Draft::default()).event(Event::Ready).answer(1, changed(all)))
}

#[test]
fn two_catalogs_with_packages_in_common_are_before_and_after() {
    let (first_to_second, second_to_first) =
        (compare(side(1, false), side(2, false)), compare(side(2, false), side(1, false)));
    let page = two_dropped([("community-v4.9", 9), ("community-v4.18", 5)]);
    assert_eq!(asked(&page), Some(&first_to_second), "4.9 is older than 4.18");
    let page = page.on(CompareAction::Swapped);
    assert_eq!(asked(&page), Some(&second_to_first));
    let page = two_dropped([("community-v4.20", 5), ("community-v4.18", 9)]);
    assert_eq!(asked(&page), Some(&second_to_first));
    let page = two_dropped([("mine", 9), ("theirs", 5)]);
    assert_eq!(asked(&page), Some(&second_to_first), "the one with fewer bundles");
}

#[test]
fn an_edited_catalog_is_compared_with_what_was_opened_although_another_one_has_its_packages() {
    let mut all = both(false);
    all.catalogs[0].files[0].edited = true;
    let page = show_tab(Page::open(Draft::default()).event(Event::Ready).answer(1, changed(all)));
    assert_eq!(asked(&page), Some(&compare(side(1, true), side(1, false))));
}

#[test]
fn a_catalog_as_a_whole_is_compared_without_a_package() {
    let overview = Action::Navigation(NavigationAction::CatalogSelected(CatalogId(1)));
    let page = show_tab(two_dropped([("mine", 9), ("theirs", 5)]).on(overview));
    assert_eq!((page.state.selection.whole, shown_package(&page.state)), (Some(CatalogId(1)), None));
    let key = PackageKey { catalog: CatalogId(1), package: "a".to_owned() };
    let page = page.on(CompareAction::PackageChosen(key));
    assert_eq!((page.selected(), shown_package(&page.state).as_deref()), (Some("a"), Some("a")));
}

#[test]
fn a_package_that_is_gone_leaves_no_other_one_selected() {
    let page = show_tab(Page::open(Draft::default()).event(Event::Ready).answer(1, changed(both(true))));
    assert_eq!(page.selected(), Some("a"));
    let gone = PackageKey { catalog: CatalogId(2), package: "gone".to_owned() };
    let page = page.on(CompareAction::PackageChosen(gone));
    assert_eq!((page.selected(), page.state.selection.whole), (None, Some(CatalogId(1))));
    assert_eq!((shown_package(&page.state).as_deref(), page.state.tab), (Some("gone"), Tab::Compare));
}

#[test]
fn a_package_that_is_gone_is_drawn_from_the_state_before() {
    let before = PackageKey { catalog: CatalogId(1), package: "gone".to_owned() };
    let page = show_tab(two_dropped([("v1", 9), ("v2", 9)]));
    let chosen = CompareAction::SidesChosen { before: side(1, false), after: side(2, false) };
    let page = page.on(Action::Compare(chosen)).on(CompareAction::PackageChosen(before.clone()));
    let page = page.on(CompareAction::GraphShown(Some(Presence::Both)));
    assert_eq!((page.state.tab, page.state.selection.package.as_ref()), (Tab::Graph, Some(&before)));
    let options = GraphOptions { compares: Some(Presence::Both), ..GraphOptions::default() };
    assert!(page.asks().contains(&&Ask::Query(query::Graph { package: before, options }.into())), "{:?}", page.asks());
}

#[test]
fn the_overview_of_a_catalog_asks_what_changed_if_something_did() {
    let is_asked = |page: &Page| page.asks().iter().any(|ask| matches!(ask, Ask::Query(AnyQuery::Compare(_))));
    let open = |all| Page::open(Draft::default()).event(Event::Ready).answer(1, changed(all));
    assert!(!is_asked(&open(overview(1, &["a", "b"]))));
    let mut edited = overview(1, &["a", "b"]);
    edited.catalogs[0].files[0].edited = true;
    assert!(is_asked(&open(edited)));
    let overview = Action::Navigation(NavigationAction::CatalogSelected(CatalogId(1)));
    assert!(is_asked(&open(both(false)).on(overview)));
}

/// What the worker has found so far for the last request.
fn so_far<Q: Query>(page: Page, answer: Q::Answer) -> Page {
    let id = page.state.last_request;
    page.event(Event::SoFar { id, answer: Box::new(Q::answer(answer)) })
}

#[test]
fn what_is_found_so_far_is_shown_until_the_comparison_is_stopped() {
    let page = show_tab(Page::with(&["a"]));
    let all = page.state.last_request;
    let some = |left| Some(ComparisonView { left, ..ComparisonView::default() });
    let page = so_far::<query::Compare>(page, some(7));
    let shown = compared(&page.state).expect("the tab is shown");
    assert_eq!(page.state.compare.view(&shown).map(|view| view.left), Some(7));
    let package = query::ComparePackage { package: "a".to_owned() };
    assert_eq!(page.asks(), [&Ask::Query(package.into())], "its details do not wait");
    let one = page.state.last_request;
    let page = so_far::<query::ComparePackage>(
        page,
        Some(Box::new(PackageComparisonView { package: "a".to_owned(), ..PackageComparisonView::default() })),
    );
    assert!(page.state.compare.detail(&shown, "a").is_some());
    let page = page.on(WorkerAction::Waited { id: all, wait: Wait::Long });
    assert_eq!(page.state.wait, None, "it has its own button");
    let page = page.on(CompareAction::Stopped);
    assert_eq!(page.asks(), [&Ask::Stop(all), &Ask::Stop(one)]);
    assert!(page.effects.contains(&Effect::MoveFocus(FocusTarget::Package)));
    let page = page.answer(1, To::<query::Compare>(some(5)));
    assert!(page.asks().is_empty(), "{:?}", page.asks());
    let page = page.answer(1, To::<query::ComparePackage>(Some(Box::default())));
    assert_eq!((running(&page.state).len(), page.state.compare.view(&shown).map(|view| view.left)), (0, Some(5)));
}

#[test]
fn a_change_asks_once_what_becomes_of_the_cluster() {
    let page = Page::with(&["a"]).on(ClusterAction::SubscriptionAdded(String::new())).edited("kind: A");
    let page = show_tab(page);
    let about_cluster = |page: &Page| {
        page.asks().into_iter().filter(|ask| **ask == Ask::Query(query::CompareCluster {}.into())).count()
    };
    assert_eq!(about_cluster(&page), 1);
    let page = page.on(CatalogsAction::Pasted("x".to_owned())).answer(2, changed(overview(1, &["a"])));
    assert_eq!(about_cluster(&page), 1);
    let page = page.answer(2, To::<query::Compare>(Some(ComparisonView::default())));
    assert_eq!(about_cluster(&page), 0);
}

#[test]
fn a_level_is_chosen_for_a_rule() {
    let chosen = |level: Option<&str>| {
        let (rule, level) = ("v0-stranded".to_owned(), level.map(str::to_owned));
        Action::Compare(CompareAction::LevelChosen { rule, level })
    };
    let typed = Action::Compare(CompareAction::LevelsTyped("# ours\nv0-loop: off # never".to_owned()));
    let page = show_tab(Page::with(&["a"])).on(typed).on(chosen(Some("risky")));
    assert_eq!(page.state.compare.levels, "# ours\nv0-loop: off # never\nv0-stranded: risky\n");
    assert_eq!(chosen_level(&page.state.compare.levels, "v0-loop"), Some("off"));
    assert!(matches!(page.asks()[..], [Ask::Query(AnyQuery::Compare(_))]), "{:?}", page.asks());
    let page = page.on(chosen(Some("off")));
    assert_eq!(page.state.compare.levels, "# ours\nv0-loop: off # never\nv0-stranded: off\n");
    let page = page.on(chosen(None));
    assert_eq!(page.state.compare.levels, "# ours\nv0-loop: off # never\n");
}

#[test]
fn a_session_file_is_a_state_to_compare_with_in_the_tab_alone() {
    let files = vec![NewFile { root: "before.opscope".to_owned(), path: String::new() }];
    let dropped = || Action::Catalogs(CatalogsAction::FilesCollected { batch: 1, files: files.clone(), bytes: 9 });
    let sent = |page: &Page| {
        page.asks().into_iter().find_map(|ask| match ask {
            Ask::Command(Command::Open { adds_session, .. }) => Some(*adds_session),
            _ => None,
        })
    };
    assert_eq!(sent(&Page::with(&["a"]).on(dropped())), Some(false));
    assert_eq!(sent(&show_tab(Page::with(&["a"])).on(dropped())), Some(true));
    let empty = Page::with(&["a"]).on(CatalogsAction::Pasted(String::new()));
    let empty = empty.answer(2, changed(Overview::default()));
    assert_eq!(sent(&show_tab(empty).on(dropped())), Some(false));
}

// Catalogs for several versions of OpenShift in the place of catalogs and packages.

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
