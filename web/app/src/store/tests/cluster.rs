//! The cluster to simulate, and the requests about it.

use super::*;
use views::{
    EntryView, ExtensionField, ExtensionForm, FormChange, FormPlace, OutcomeView, SimulationView, StepView,
    SubscriptionField, SubscriptionForm, TriedChange,
};

#[test]
fn every_change_of_a_form_with_a_loaded_package_runs_the_simulation() {
    let page = Page::with(&["a"]).on(ClusterAction::SubscriptionAdded(String::new())).edited("kind: A");
    assert_eq!(manifests(&page), Some(("kind: A", "")));
    let at = FormPlace::Subscription(0, SubscriptionField::Channel);
    let change = FormChange::Set { at, text: "beta".to_owned() };
    let page = page.on(ClusterAction::FormChanged(change.clone()));
    assert_eq!(page.form_change(), Some(&change));
    let page = page.edited("kind: B");
    assert_eq!((page.clusters(), manifests(&page)), (vec!["kind: B"], Some(("kind: B", ""))));
    assert!(page.effects.contains(&Effect::SaveManifests("kind: B".into())));
}

#[test]
fn a_new_subscription_takes_the_channel_of_the_selected_entry() {
    let channel = |page: Page| {
        let page = page.on(ClusterAction::SubscriptionAdded(String::new()));
        match page.form_change() {
            Some(FormChange::AddSubscription(row)) => Some(row.channel.clone()),
            _ => None,
        }
    };
    let selected = Action::Navigation(NavigationAction::EntrySelected(entry("beta", "a.v1")));
    assert_eq!(channel(Page::with(&["a"]).on(selected)).as_deref(), Some("beta"));
    assert_eq!(channel(Page::with(&["a"])).as_deref(), Some(""), "the default channel, which the package lacks");
}

#[test]
fn the_worker_gets_a_cluster_once_for_all_queries_about_it() {
    let page = Page::with(&["a"]).on(ClusterAction::ManifestsTyped("kind: X".to_owned())).on(PageAction::TypingPaused);
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
    let page = Page::with(&["a"]).on(ClusterAction::TextShown(true));
    // Without a cluster the channels of the package are shown.
    let of_package = query::NewSubscription { package: key(1, "a"), entry: None, runtime: Runtime::V0 };
    assert_eq!(page.asks(), [&Ask::Query(of_package.into())]);
    let page = page.on(ClusterAction::ManifestsTyped("kind: X".to_owned()));
    assert!(page.effects.contains(&Effect::AwaitTypingPause));
    let page = page.on(PageAction::TypingPaused);
    assert_eq!(manifests(&page), Some(("kind: X", "")));
    assert!(page.effects.contains(&Effect::SaveManifests("kind: X".into())));
    let page = page.on(ClusterAction::NamespaceChosen("ns".to_owned()));
    assert_eq!(manifests(&page), Some(("kind: X", "ns")));
    assert!(page.on(PageAction::TypingPaused).asks().is_empty());
}

#[test]
fn opened_manifests_are_simulated_and_can_be_undone() {
    let page = Page::with(&["a"]).on(ClusterAction::ManifestsTyped("old".to_owned()));
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
    let page =
        Page::with(&["a"]).on(ClusterAction::ManifestsTyped("old".to_owned())).on(ClusterAction::ManifestsCleared);
    assert_eq!((&*page.state.simulation.manifests, page.notices()), ("", vec![&NoticeKind::ManifestsCleared]));
    assert!(page.effects.contains(&Effect::SaveManifests("".into())));
    let page = page.on(ClusterAction::InputRestored);
    assert_eq!(manifests(&page), Some(("old", "")));
}

#[test]
fn the_entry_that_the_result_names_is_selected_and_explained() {
    let page = Page::with(&["a"]).on(ClusterAction::SubscriptionAdded(String::new())).edited("kind: A").on(
        SimulationAction::WhyNotFollowed(CsvRef {
            name: "a.v2".to_owned(),
            package: "a".to_owned(),
            channel: "c".to_owned(),
            ..CsvRef::default()
        }),
    );
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
        .on(ClusterAction::SubscriptionAdded(String::new()))
        .edited("kind: A")
        .on(SimulationAction::OutcomeChosen(1));
    assert_eq!(asked(&page), None);
    let page = page.on(SimulationAction::EventsChosen { every: true });
    assert_eq!(asked(&page), Some((1, 0)));
    let page = page.on(SimulationAction::PlanApproved);
    assert_eq!(asked(&page), Some((1, 1)));
    // Another cluster has other plans.
    let page = page.on(ClusterAction::SubscriptionAdded(String::new())).edited("kind: B");
    assert_eq!(asked(&page), Some((0, 0)));
}

#[test]
fn why_not_is_requested_again_after_a_change() {
    let asked = |page: &Page| {
        let is_asked = |ask: &&Ask| matches!(ask, Ask::Query(AnyQuery::WhyNot(query::WhyNot { outcome: 0, .. })));
        page.asks().into_iter().filter(is_asked).count()
    };
    let entry = entry("c", "a.v1");
    let page = Page::with(&["a"])
        .on(ClusterAction::SubscriptionAdded(String::new()))
        .edited("kind: A")
        .on(SimulationAction::WhyNotAsked);
    assert_eq!(asked(&page), 0, "nothing is selected");
    let page = page.on(NavigationAction::EntrySelected(entry.clone())).on(SimulationAction::WhyNotAsked);
    assert_eq!(asked(&page), 1);
    let page = page
        .answer(1, To::<query::WhyNot>(WhyNotView::default()))
        .on(ClusterAction::SubscriptionAdded(String::new()))
        .edited("kind: B");
    assert_eq!(asked(&page), 1);
}

#[test]
fn a_removal_that_is_kept_can_be_undone_until_the_subscriptions_change_again() {
    let page = Page::with(&["a"]).on(ClusterAction::SubscriptionAdded(String::new())).edited("kind: A");
    let page = page.answer(1, To::<query::Simulate>(SimulationView::default()));
    let change = TriedChange::Form(vec![FormChange::RemoveSubscription(0)]);
    let page = page.on(SimulationAction::ChangeTried(Trial { what: "take `a` out".to_owned(), change, later: None }));
    let kept = |page: Page| page.on(SimulationAction::TriedKept);
    assert_eq!(page.state.pressed_row(), Some(FormRow::Subscription(0)));
    let page = kept(page);
    assert_eq!(page.notices(), [&NoticeKind::FormChanged { what: "take `a` out".to_owned() }]);
    assert_eq!(page.state.simulation.pressed, None, "its fields are gone with it");
    let back = page.on(ClusterAction::InputRestored);
    assert_eq!((back.notices().len(), back.state.simulation.cluster.subscriptions.len()), (0, 1));
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

// The ClusterExtensions of the form.

fn added() -> Page {
    Page::with(&["a"]).on(PageAction::RuntimeChosen(Runtime::Both)).on(ClusterAction::ExtensionAdded(String::new()))
}

fn edit(page: Page, field: ExtensionField, text: &str) -> Page {
    let (at, text) = (FormPlace::Extension(0, field), text.to_owned());
    page.on(ClusterAction::FormChanged(FormChange::Set { at, text }))
}

fn rows(page: &Page) -> &[ExtensionForm] {
    &page.state.simulation.cluster.extensions
}

#[test]
fn an_extension_of_the_selected_package_is_simulated_at_once() {
    let page = added();
    assert_eq!(rows(&page), [ExtensionForm { package: "a".to_owned(), ..ExtensionForm::default() }]);
    let page = page.edited("kind: A");
    assert!(page.asks().iter().any(|ask| matches!(ask, Ask::Query(AnyQuery::Simulate(_)))), "{:?}", page.asks());
    let page = edit(page, ExtensionField::Version, "<2 ");
    let page = edit(page, ExtensionField::Policy, "SelfCertified");
    assert_eq!((&*rows(&page)[0].version, &*rows(&page)[0].policy), ("<2 ", "SelfCertified"));
    let page = page.on(ClusterAction::ExtensionAdded(String::new()));
    assert_eq!(rows(&page)[1], ExtensionForm::default(), "the package has one already");
}

#[test]
fn a_removed_extension_comes_back() {
    let page = edit(added(), ExtensionField::Name, "mine");
    let page = page.on(ClusterAction::FormChanged(FormChange::RemoveExtension(0)));
    assert_eq!(rows(&page), &[][..]);
    let page = page.on(PageAction::UndoAsked);
    assert_eq!((&*rows(&page)[0].name, page.notices()), ("mine", vec![]));
}

#[test]
fn without_olm_v1_extensions_are_kept_and_not_simulated() {
    let page = added().on(PageAction::RuntimeChosen(Runtime::V0));
    assert_eq!((rows(&page).len(), page.state.simulation.is_empty(Runtime::V0)), (1, true));
    assert!(!page.state.simulation.is_empty(Runtime::V1));
}

#[test]
fn an_entry_is_installed_by_an_extension_of_its_channel() {
    let entry = entry("stable", "a.v1");
    let view = EntryView { key: entry.clone(), version: Some("1.0.0".to_owned()), ..EntryView::default() };
    let page = Page::with(&["a"])
        .on(NavigationAction::EntrySelected(entry))
        .answer(1, To::<query::Entry>(Some(Box::new(view))))
        .on(ClusterAction::EntryUsed(EntryUse::InstalledBundle))
        .on(ClusterAction::EntryUsed(EntryUse::WantedVersion));
    let row = &rows(&page)[0];
    assert_eq!(
        (&*row.package, &*row.channels, &*row.installed, &*row.version, &*row.selector),
        ("a", "stable", "a.v1", "1.0.0", "")
    );
}

#[test]
fn of_several_catalogs_with_the_package_the_selected_one_is_named() {
    let (mut both, more) = (overview(1, &["a"]), overview(2, &["a"]));
    both.catalogs.extend(more.catalogs);
    both.packages.extend(more.packages);
    both.catalogs[1].name = "other".to_owned();
    let page = Page::open(Draft::default())
        .event(Event::Ready)
        .answer(1, changed(both))
        .on(NavigationAction::PackageSelected(key(2, "a")))
        .on(ClusterAction::ExtensionAdded(String::new()));
    assert_eq!(rows(&page)[0].selector, "olm.operatorframework.io/metadata.name=other");
}

// The form as a view of the manifests.

fn form(package: &str) -> ClusterForm {
    let row = SubscriptionForm { package: package.to_owned(), ..SubscriptionForm::default() };
    ClusterForm { subscriptions: vec![row], ..ClusterForm::default() }
}

fn typed(page: Page, text: &str) -> Page {
    page.on(ClusterAction::ManifestsTyped(text.to_owned())).on(PageAction::TypingPaused)
}

fn channel(page: Page, text: &str) -> Page {
    let (at, text) = (FormPlace::Subscription(0, SubscriptionField::Channel), text.to_owned());
    page.on(ClusterAction::FormChanged(FormChange::Set { at, text }))
}

/// The manifests `kind: B`, read as a Subscription to package b.
fn read() -> Page {
    typed(Page::with(&["a"]), "kind: B").answer(1, To::<query::Form>(form("b")))
}

#[test]
fn the_text_is_shown_without_a_question() {
    let page = read().on(ClusterAction::TextShown(true));
    assert_eq!((page.asks(), page.state.simulation.is_text_shown), (vec![], true));
}

#[test]
fn the_fields_that_are_shown_follow_the_name_of_their_row() {
    let page = Page::with(&["a"]).on(ClusterAction::SubscriptionAdded("b".to_owned()));
    assert_eq!(page.state.pressed_row(), Some(FormRow::Subscription(0)));
    let at = FormPlace::Subscription(0, SubscriptionField::Package);
    let page = page.on(ClusterAction::FormChanged(FormChange::Set { at, text: "c".to_owned() }));
    assert_eq!(page.state.pressed_row(), Some(FormRow::Subscription(0)));
}

#[test]
fn changes_of_the_form_edit_the_manifests_one_after_the_other() {
    let text = |page: &Page| match page.form_change() {
        Some(FormChange::Set { text, .. }) => Some(text.clone()),
        _ => None,
    };
    let page = channel(read(), "b");
    assert_eq!(page.state.simulation.cluster.subscriptions[0].channel, "b", "what is typed is shown at once");
    assert_eq!((&*page.state.simulation.manifests, text(&page).as_deref()), ("kind: B", Some("b")));
    let page = channel(channel(page, "be"), "beta");
    assert_eq!(text(&page), None, "the first one is being made");
    let page = page.edited("kind: C");
    assert_eq!((text(&page).as_deref(), manifests(&page)), (Some("beta"), None), "only the last text counts");
    let page = page.edited("kind: D");
    assert_eq!(manifests(&page), Some(("kind: D", "")));
}

#[test]
fn typed_manifests_replace_what_was_being_changed() {
    let page = typed(channel(read(), "beta"), "kind: C");
    assert!(page.asks().contains(&&Ask::Query(query::Form { namespace: String::new() }.into())));
    let page = page.edited("kind: D").answer(1, To::<query::Form>(form("c")));
    assert_eq!((&*page.state.simulation.manifests, &page.state.simulation.cluster), ("kind: C", &form("c")));
}

#[test]
fn installing_an_entry_waits_for_the_form_of_the_manifests() {
    let entry = entry("c", "a.v1");
    let page = typed(Page::with(&["a"]).on(NavigationAction::EntrySelected(entry)), "kind: B")
        .on(ClusterAction::EntryUsed(EntryUse::StartingCsv));
    assert_eq!(page.form_change(), None);
    let page = page.answer(1, To::<query::Form>(form("b")));
    let packages: Vec<&str> =
        page.state.simulation.cluster.subscriptions.iter().map(|row| row.package.as_str()).collect();
    assert_eq!((page.state.simulation.mode, packages), (Mode::Manifests, vec!["b", "a"]));
}

#[test]
fn the_form_follows_the_namespace() {
    let page = read().on(ClusterAction::NamespaceChosen("other".to_owned()));
    assert!(page.asks().contains(&&Ask::Query(query::Form { namespace: "other".to_owned() }.into())));
    let page = page.answer(1, To::<query::Form>(form("c")));
    assert_eq!(page.state.simulation.cluster, form("c"));
}

#[test]
fn the_next_visit_has_the_manifests_and_reads_the_form_in_them() {
    let state = State::restored(Draft::of(&read().state), "kind: B");
    assert_eq!((state.simulation.mode, state.simulation.is_form_read), (Mode::Manifests, false));
}

#[test]
fn approvals_count_for_form_and_manifests() {
    let plan = StepView { plan_created: true, waits_for_approval: true, ..StepView::default() };
    let outcome = OutcomeView { steps: vec![plan], ..OutcomeView::default() };
    let view = SimulationView { outcomes: vec![outcome.clone(), outcome], ..SimulationView::default() };
    let page = read()
        .answer(1, To::<query::Simulate>(view))
        .on(SimulationAction::OutcomeChosen(1))
        .on(SimulationAction::PlanApproved);
    let progress = |page: &Page| {
        let simulation = &page.state.simulation;
        (simulation.outcome, simulation.approved, simulation.plan)
    };
    assert_eq!(progress(&page), (1, 1, 1));
    let page = page.on(ClusterAction::FormChanged(FormChange::RemoveSubscription(0)));
    assert_eq!(progress(&page), (0, 0, 0), "another cluster");
    let page = page.on(PageAction::UndoAsked);
    assert_eq!((progress(&page), &page.state.simulation.cluster), ((1, 1, 1), &form("b")));
}

#[test]
fn a_link_shows_what_is_pressed_explained_and_tried() {
    let change = TriedChange::Form(vec![FormChange::RemoveSubscription(0)]);
    let draft = Draft {
        catalogs: true,
        plan: 1,
        pressed: Some(BoardPart { of: BoardOf::Namespace, lane: "b".to_owned(), csv: Some("b.v1".to_owned()) }),
        asks_why: true,
        tried: Some(Trial { what: "without `b`".to_owned(), change: change.clone(), later: None }),
        ..Draft::default()
    };
    let state = State::restored(draft, "kind: B");
    let page = Page { state, effects: Vec::new() }.on(PageAction::Opened);
    let page = page.event(Event::Ready).answer(1, changed(overview(1, &["b"])));
    let page = page.answer(1, To::<query::Form>(form("b"))).answer(1, To::<query::Simulate>(SimulationView::default()));
    let entry = EntryKey { channel: None, name: "b.v1".to_owned() };
    let why = query::WhyNot { namespace: String::new(), outcome: 0, package: key(1, "b"), entry };
    assert!(page.asks().contains(&&Ask::Query(why.into())));
    assert!(page.asks().contains(&&Ask::Query(query::Try { namespace: String::new(), change }.into())));
    assert_eq!(page.state.simulation.plan, 1);
}
