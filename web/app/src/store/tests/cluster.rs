//! The cluster to simulate, and the requests about it.

use super::*;
use views::SubscriptionField;

#[test]
fn every_change_of_a_form_with_a_loaded_package_runs_the_simulation() {
    let page = Page::with(&["a"]).on(ClusterAction::SubscriptionAdded).edited("kind: A");
    assert_eq!(manifests(&page), Some(("kind: A", "")));
    let page = page.on(ClusterAction::SubscriptionEdited {
        index: 0,
        field: SubscriptionField::Channel,
        text: "beta".to_owned(),
    });
    assert_eq!(page.form_edited().map(|form| &*form.subscriptions[0].channel), Some("beta"));
    let page = page.edited("kind: B");
    assert_eq!((page.clusters(), manifests(&page)), (vec!["kind: B"], Some(("kind: B", ""))));
    assert!(page.effects.contains(&Effect::SaveManifests("kind: B".into())));
}

#[test]
fn a_new_subscription_takes_the_channel_of_the_selected_entry() {
    let channel = |page: Page| {
        let page = page.on(ClusterAction::SubscriptionAdded);
        page.form_edited().map(|form| form.subscriptions[0].channel.clone())
    };
    let selected = Action::Navigation(NavigationAction::EntrySelected(entry("beta", "a.v1")));
    assert_eq!(channel(Page::with(&["a"]).on(selected)).as_deref(), Some("beta"));
    assert_eq!(channel(Page::with(&["a"])).as_deref(), Some(""), "the default channel, which the package lacks");
}

#[test]
fn the_worker_gets_a_cluster_once_for_all_queries_about_it() {
    let page = Page::with(&["a"])
        .on(ClusterAction::ModeChosen(Mode::Manifests))
        .on(ClusterAction::ManifestsTyped("kind: X".to_owned()))
        .on(PageAction::TypingPaused);
    assert_eq!(page.clusters(), ["kind: X"]);
    assert!(matches!(page.asked()[0].ask, Ask::SetCluster(_)), "before the query");
    let revision = page.state.revision;
    let page = page.on(ClusterAction::NamespaceChosen("ns".to_owned())).on(PageAction::RuntimeChosen(Runtime::Both));
    assert!(page.asks().contains(&&Ask::Query(query::Migration {}.into())));
    assert_eq!((page.clusters(), page.state.revision), (vec![], revision));
    let page = page.on(WorkerAction::Stopped).event(Event::Ready);
    let page = page.answer(2, changed(overview(1, &["a"])));
    assert_eq!(page.clusters(), ["kind: X"], "another worker does not have it");
}

#[test]
fn manifests_are_read_and_kept_after_a_pause() {
    let page = Page::with(&["a"]).on(ClusterAction::ModeChosen(Mode::Manifests));
    assert!(page.asks().is_empty());
    let page = page.on(ClusterAction::ManifestsTyped("kind: X".to_owned()));
    assert_eq!(page.effects, [Effect::AwaitTypingPause]);
    let page = page.on(PageAction::TypingPaused);
    assert_eq!(manifests(&page), Some(("kind: X", "")));
    assert!(page.effects.contains(&Effect::SaveManifests("kind: X".into())));
    let page = page.on(ClusterAction::NamespaceChosen("ns".to_owned()));
    assert_eq!(manifests(&page), Some(("kind: X", "ns")));
    assert!(page.on(PageAction::TypingPaused).asks().is_empty());
}

#[test]
fn opened_manifests_are_simulated_and_can_be_undone() {
    let page = Page::with(&["a"])
        .on(ClusterAction::ModeChosen(Mode::Manifests))
        .on(ClusterAction::ManifestsTyped("old".to_owned()));
    let page = page.on(CatalogsAction::Pasted("x".to_owned()));
    let found = Opened::Manifests { text: "new\r\n".to_owned() };
    let page = page.answer(2, opened(vec![found], overview(1, &["a"])));
    assert_eq!(page.notices(), [&NoticeKind::ManifestsFound]);
    assert_eq!(manifests(&page), Some(("new\n", "")));
    let page = page.on(ClusterAction::InputRestored);
    assert_eq!(manifests(&page), Some(("old", "")));
    assert!(page.notices().is_empty());
}

#[test]
fn cleared_manifests_can_be_restored() {
    let page = Page::with(&["a"])
        .on(ClusterAction::ModeChosen(Mode::Manifests))
        .on(ClusterAction::ManifestsTyped("old".to_owned()))
        .on(ClusterAction::ManifestsCleared);
    assert_eq!((&*page.state.simulation.manifests, page.notices()), ("", vec![&NoticeKind::ManifestsCleared]));
    assert!(page.effects.contains(&Effect::SaveManifests("".into())));
    let page = page.on(ClusterAction::InputRestored);
    assert_eq!(manifests(&page), Some(("old", "")));
}

#[test]
fn the_entry_that_the_result_names_is_selected_and_explained() {
    let page =
        Page::with(&["a"]).on(ClusterAction::SubscriptionAdded).edited("kind: A").on(SimulationAction::WhyNotFollowed(
            CsvRef { name: "a.v2".to_owned(), package: "a".to_owned(), channel: "c".to_owned(), ..CsvRef::default() },
        ));
    let entry = entry("c", "a.v2");
    assert_eq!(page.state.selection.entry.as_ref(), Some(&entry));
    let asks = page.asks();
    assert!(
        asks.iter().any(
            |ask| matches!(ask, Ask::Query(AnyQuery::WhyNot(query::WhyNot { entry: asked, .. })) if *asked == entry)
        )
    );
}

#[test]
fn a_place_in_the_manifests_is_shown_in_their_field() {
    let page = Page::with(&["a"]).on(ClusterAction::ManifestsTyped("é: [\n".to_owned()));
    let place = Place { file: FileKey::MANIFESTS, start: 4, end: 5, line: 1, column: 4 };
    let page = page.on(NavigationAction::PlaceFollowed(place));
    assert!(page.effects.contains(&Effect::RevealManifests { start: 3, end: 4 }));
    assert_eq!((page.state.simulation.mode, page.state.tab), (Mode::Manifests, Tab::Simulate));
}

#[test]
fn an_example_replaces_catalogs_and_cluster() {
    let page = Page::with(&["a"]);
    assert!(page.state.has_own());
    let page = page.on(CatalogsAction::ExamplesAsked);
    assert_eq!(page.asks(), [&Ask::Query(query::Examples {}.into())]);
    let page = page.on(CatalogsAction::ExampleOpened("deadlock".to_owned()));
    assert_eq!(page.asks(), [&Ask::Command(Command::OpenExample { slug: "deadlock".to_owned(), keep: true })]);
    let example = OpenedExample {
        is_change: false,
        slug: "deadlock".to_owned(),
        cluster: "kind: Subscription".to_owned(),
        package: "c".to_owned(),
    };
    let page = page.answer(2, opened(vec![Opened::Example(example)], overview(2, &["b", "c"])));
    assert_eq!((page.selected(), manifests(&page)), (Some("c"), Some(("kind: Subscription", ""))));
    assert!(!page.state.has_own());
    let opened = page.state.simulation_key;
    assert_ne!(opened, Page::with(&["a"]).state.simulation_key, "the result is another one");
    let page = page.on(ClusterAction::ManifestsTyped("mine".to_owned()));
    assert!(page.state.has_own() && page.state.simulation_key == opened, "it is the same one, changed");
}

#[test]
fn events_are_requested_for_the_shown_outcome_and_approvals() {
    let asked = |page: &Page| {
        page.asks().into_iter().find_map(|ask| match ask {
            Ask::Query(AnyQuery::Timeline(query::Timeline { outcome, approved, .. })) => Some((*outcome, *approved)),
            _ => None,
        })
    };
    let page = Page::with(&["a"])
        .on(ClusterAction::SubscriptionAdded)
        .edited("kind: A")
        .on(SimulationAction::OutcomeChosen(1));
    assert_eq!(asked(&page), None);
    let page = page.on(SimulationAction::EventsChosen { every: true });
    assert_eq!(asked(&page), Some((1, 0)));
    let page = page.on(SimulationAction::PlanApproved);
    assert_eq!(asked(&page), Some((1, 1)));
    // Another cluster has other plans.
    let page = page.on(ClusterAction::SubscriptionAdded).edited("kind: B");
    assert_eq!(asked(&page), Some((0, 0)));
}

#[test]
fn why_not_is_requested_again_after_a_change() {
    let asked = |page: &Page| {
        let is_asked = |ask: &&Ask| matches!(ask, Ask::Query(AnyQuery::WhyNot(query::WhyNot { outcome: 0, .. })));
        page.asks().into_iter().filter(is_asked).count()
    };
    let entry = entry("c", "a.v1");
    let page =
        Page::with(&["a"]).on(ClusterAction::SubscriptionAdded).edited("kind: A").on(SimulationAction::WhyNotAsked);
    assert_eq!(asked(&page), 0, "nothing is selected");
    let page = page.on(NavigationAction::EntrySelected(entry.clone())).on(SimulationAction::WhyNotAsked);
    assert_eq!(asked(&page), 1);
    let page = page
        .answer(1, To::<query::WhyNot>(WhyNotView::default()))
        .on(ClusterAction::SubscriptionAdded)
        .edited("kind: B");
    assert_eq!(asked(&page), 1);
}

#[test]
fn a_removal_can_be_undone_until_the_subscriptions_change_again() {
    let page = Page::with(&["a"]).on(ClusterAction::SubscriptionAdded).on(ClusterAction::SubscriptionRemoved(0));
    assert_eq!(page.notices(), [&NoticeKind::SubscriptionRemoved { package: "a".to_owned() }]);
    let back = page.on(ClusterAction::InputRestored);
    assert_eq!((back.notices().len(), back.state.simulation.cluster.subscriptions.len()), (0, 1));
    let page = back.on(ClusterAction::SubscriptionRemoved(0)).on(ClusterAction::SubscriptionAdded);
    assert!(page.notices().is_empty());
}

#[test]
fn an_entry_is_subscribed_to_with_its_channel_and_catalog() {
    let entry = entry("stable", "a.v1");
    let page = Page::with(&["a"])
        .on(NavigationAction::EntrySelected(entry))
        .on(ClusterAction::EntryUsed(EntryUse::InstalledCsv));
    let form = &page.state.simulation.cluster.subscriptions[0];
    assert_eq!((form.package.as_str(), form.channel.as_str(), form.catalog.as_str()), ("a", "stable", "mine"));
    assert_eq!((form.installed.as_str(), form.starting_csv.as_str()), ("a.v1", ""));
}
