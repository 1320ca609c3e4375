//! Results of a simulation.

use super::*;
use views::{
    CrdChangesView, CsvRef, InputEdit, ManifestsView, NamespaceRow, NamespacesView, OutcomeView, SelectedView,
    SimulationView, StepView, SubscriptionStatus,
};

fn outcome() -> OutcomeView {
    OutcomeView::default()
}

fn simulated(count: usize) -> To<query::Simulate> {
    To::<query::Simulate>(SimulationView { outcomes: vec![outcome(); count], ..Default::default() })
}

#[test]
fn the_chosen_outcome_stays_while_the_result_has_it() {
    let page = Page::with(&["a"]).on(ClusterAction::SubscriptionAdded(String::new())).edited("kind: A");
    let page = page.answer(1, simulated(5)).on(SimulationAction::OutcomeChosen(2)).on(SimulationAction::Run);
    let page = page.answer(1, simulated(4));
    assert_eq!(page.state.simulation.outcome, 2);
    let page = page.on(SimulationAction::Run).answer(1, simulated(2));
    assert_eq!(page.state.simulation.outcome, 0, "it is gone");
}

#[test]
fn a_fix_can_be_applied_once_the_result_of_the_manifests_is_there() {
    let fix = || {
        let splice = TextEdit { start: 0, end: 1, text: "x".to_owned() };
        let edit = InputEdit::Manifests(vec![splice]);
        Action::Catalogs(CatalogsAction::FixApplied { what: "fix".to_owned(), edit, is_tried: true })
    };
    let page = Page::with(&["a"]).on(ClusterAction::ManifestsTyped("abc".to_owned())).on(PageAction::TypingPaused);
    let page = page.on(fix());
    assert_eq!(&*page.state.simulation.manifests, "abc", "there is no result of these manifests");
    let page = page.answer(1, simulated(1)).on(fix());
    assert_eq!(&*page.state.simulation.manifests, "xbc");
}

/// A simulation of one of these namespaces.
fn in_namespace(namespace: &str) -> To<query::Simulate> {
    let namespaces = vec!["busy".to_owned(), "stuck".to_owned()];
    let manifests = ManifestsView { namespace: namespace.to_owned(), namespaces, ..Default::default() };
    To::<query::Simulate>(SimulationView { manifests: Some(manifests), ..Default::default() })
}

/// The Subscriptions of two namespaces, of which the last one needs most attention.
fn stuck_last() -> To<query::Namespaces> {
    let row = |namespace: &str, status| NamespaceRow {
        namespace: namespace.to_owned(),
        package: String::new(),
        text: String::new(),
        status,
    };
    let rows = vec![row("stuck", SubscriptionStatus::Blocked), row("busy", SubscriptionStatus::AtHead)];
    To::<query::Namespaces>(NamespacesView { rows, ..Default::default() })
}

#[test]
fn of_new_manifests_the_namespace_is_shown_that_needs_most_attention() {
    let page = Page::with(&["a"]).on(CatalogsAction::Pasted("kind: A".to_owned()));
    let found = Opened::Manifests { text: "kind: A".to_owned() };
    let page = page.answer(2, opened(vec![found], overview(1, &["a"])));
    let page = page.answer(2, in_namespace("busy")).answer(2, stuck_last());
    assert_eq!(page.state.simulation.namespace, "stuck");
    let page = page.answer(2, in_namespace("stuck")).answer(2, stuck_last());
    assert_eq!((&*page.state.simulation.namespace, page.state.simulation.is_new), ("stuck", false));
    // What the user chooses stays.
    let page = page.on(ClusterAction::NamespaceChosen("busy".to_owned()));
    let page = page.answer(2, in_namespace("busy")).answer(2, stuck_last());
    assert_eq!(page.state.simulation.namespace, "busy");
}

#[test]
fn what_is_selected_during_the_simulation_of_new_manifests_stays() {
    let page = Page::with(&["a"]).on(CatalogsAction::Pasted("kind: A".to_owned()));
    let found = Opened::Manifests { text: "kind: A".to_owned() };
    let page = page.answer(2, opened(vec![found], overview(1, &["a"])));
    let page = page.on(NavigationAction::TabChosen(Tab::Graph));
    let page = page.answer(2, in_namespace("busy")).answer(2, stuck_last());
    assert_eq!(page.state.simulation.namespace, "", "the user looks at something else");
}

#[test]
fn new_manifests_with_extensions_alone_choose_olm_v1() {
    let extension = || views::ExtensionView {
        name: "e".to_owned(),
        package: "p".to_owned(),
        place: None,
        verdict: String::new(),
        status: views::ExtensionStatus::Fails,
        board: views::BoardView::default(),
        error: None,
        refusals: Vec::new(),
        fixes: Vec::new(),
        dead_ends: Vec::new(),
        conditions: Vec::new(),
        dropped: Vec::new(),
        skipped: Vec::new(),
    };
    let runtime = |view: SimulationView| {
        let page = Page::with(&["a"]).on(CatalogsAction::Pasted("kind: A".to_owned()));
        let found = Opened::Manifests { text: "kind: A".to_owned() };
        let page = page.answer(2, opened(vec![found], overview(1, &["a"])));
        page.answer(2, To::<query::Simulate>(view)).state.runtime
    };
    let alone = SimulationView { extensions: vec![extension()], ..Default::default() };
    assert_eq!(runtime(alone.clone()), Runtime::V1);
    assert_eq!(runtime(SimulationView { outcomes: vec![outcome()], ..alone }), Runtime::V0, "with Subscriptions");
    assert_eq!(runtime(SimulationView::default()), Runtime::V0);
}

// Playback of an outcome, which the drawing follows.

fn step(package: &str, name: &str, old: &str, waits: bool) -> StepView {
    let csv = CsvRef {
        name: name.to_owned(),
        package: package.to_owned(),
        channel: "c".to_owned(),
        catalog: "mine".to_owned(),
        ..CsvRef::default()
    };
    let selected = SelectedView { csv, replaces: Some(old.to_owned()), ..SelectedView::default() };
    StepView { selected: vec![selected], plan_created: true, waits_for_approval: waits, ..StepView::default() }
}

/// `a.v1` goes to `a.v2`, a package `b` moves, and `a.v2` goes to `a.v3`; then nothing happens any more.
fn played(waits: bool) -> Page {
    let steps = [("a", "a.v2", "a.v1"), ("b", "b.v2", "b.v1"), ("a", "a.v3", "a.v2")];
    let mut steps = steps.map(|(package, name, old)| step(package, name, old, waits)).to_vec();
    steps.push(StepView::default());
    let outcome = OutcomeView { steps, ..OutcomeView::default() };
    let view = SimulationView { outcomes: vec![outcome], ..SimulationView::default() };
    let page = Page::with(&["a", "b"]).on(NavigationAction::EntrySelected(entry("c", "a.v1")));
    page.on(ClusterAction::EntryUsed(EntryUse::InstalledCsv)).edited("kind: A").answer(1, To::<query::Simulate>(view))
}

/// The labels of the entries of package a, oldest first.
fn labels(page: &Page) -> [Option<String>; 3] {
    let simulated = simulated_entries(&page.state);
    ["a.v1", "a.v2", "a.v3"].map(|name| simulated.label(&entry("c", name)))
}

fn words(words: [&str; 3]) -> [Option<String>; 3] {
    words.map(|word| Some(word.to_owned()))
}

#[test]
fn the_installed_entry_follows_the_step() {
    let page = played(false);
    assert_eq!(labels(&page), words(["installed", "hop 1", "hop 3"]));
    let page = page.on(SimulationAction::PlanChosen(1));
    assert_eq!(labels(&page), words(["before", "installed", "hop 3"]));
    assert_eq!(page.state.explore.followed, Some(entry("c", "a.v2")));
    let page = page.on(SimulationAction::PlanChosen(9));
    assert_eq!(labels(&page), words(["before", "hop 1", "installed"]), "there is no later step");
    assert_eq!(simulated_entries(&page.state).hop(&entry("c", "a.v1")), Some(0), "the path still starts there");
}

#[test]
fn the_drawing_follows_into_another_package() {
    let page = played(false).on(SimulationAction::PlanChosen(2));
    assert_eq!((page.selected(), page.state.explore.followed.clone()), (Some("b"), Some(entry("c", "b.v2"))));
}

#[test]
fn playback_stops_at_the_last_step_and_starts_again() {
    let page = played(false).on(SimulationAction::PlaybackSwitched { on: true });
    assert_eq!((shown_step(&page.state.simulation), page.effects.contains(&Effect::AwaitPlaybackTick)), (0, true));
    let page = page.on(SimulationAction::PlaybackTicked).on(SimulationAction::PlaybackTicked);
    assert_eq!((shown_step(&page.state.simulation), page.state.simulation.playing), (2, true));
    let page = page.on(SimulationAction::PlaybackTicked);
    assert_eq!((shown_step(&page.state.simulation), page.state.simulation.playing), (3, false));
    assert!(!page.effects.contains(&Effect::AwaitPlaybackTick));
    let page = page.on(SimulationAction::PlaybackSwitched { on: true });
    assert_eq!(shown_step(&page.state.simulation), 0);
    let page = page.on(SimulationAction::PlanChosen(1)).on(SimulationAction::PlaybackTicked);
    assert_eq!(shown_step(&page.state.simulation), 1, "who takes the slider ends it");
}

#[test]
fn playback_stops_at_a_waiting_plan_until_it_is_approved() {
    let page = played(true).on(SimulationAction::PlanChosen(3));
    assert_eq!(shown_step(&page.state.simulation), 0);
    let page = page.on(SimulationAction::PlanApproved);
    assert_eq!(shown_step(&page.state.simulation), 1);
    assert_eq!(labels(&page), words(["before", "installed", "hop 3"]));
    let page = page.on(ClusterAction::SubscriptionAdded(String::new()));
    assert_eq!(page.state.simulation.plan, 0, "another cluster has other plans");
}

// What updates do to CustomResourceDefinitions.

fn asked(page: &Page) -> Vec<Option<&str>> {
    let from = |ask: &Ask| match ask {
        Ask::Query(AnyQuery::CrdChanges(query::CrdChanges { from, .. })) => Some(from.clone()),
        _ => None,
    };
    let found = page.state.pending.iter().filter_map(|pending| match &pending.kind {
        PendingKind::Query(AnyQuery::CrdChanges(query::CrdChanges { from, .. })) => Some(from.as_deref()),
        _ => None,
    });
    assert!(page.asks().into_iter().filter_map(from).count() <= 1, "once for each action");
    found.collect()
}

fn answer(page: Page, summary: &str) -> Page {
    page.answer(
        1,
        To::<query::CrdChanges>(Some(CrdChangesView { summary: summary.to_owned(), ..CrdChangesView::default() })),
    )
}

fn shown(page: &Page) -> Option<&str> {
    shown_crds(&page.state).map(|view| &*view.summary)
}

#[test]
fn the_answer_is_that_of_the_selection() {
    let page = Page::with(&["a"]);
    assert_eq!(asked(&page), []);
    let page = page.on(ExploreAction::CrdsAsked);
    assert_eq!(asked(&page), [None]);
    let page = answer(page, "package");
    assert_eq!(shown(&page), Some("package"));
    let page = page.on(PageAction::RuntimeChosen(Runtime::Both));
    let page = answer(page, "both");
    assert_eq!(shown(&page), Some("both"), "it is asked for again");
    let entry = entry("stable", "a.v1");
    let page = page.on(NavigationAction::EntrySelected(entry));
    assert_eq!((asked(&page), shown(&page)), (vec![Some("a.v1")], None));
    let page = answer(page, "entry");
    assert_eq!(shown(&page), Some("entry"));
    let page = page.on(PageAction::RuntimeChosen(Runtime::V1));
    assert_eq!(asked(&page), [Some("a.v1")]);
    let left = page.on(NavigationAction::EntryLeft);
    // The answer about the entry comes too late.
    let left = answer(left, "entry");
    assert_eq!(shown(&left), None);
}

// The day on which the details tell the support.

#[test]
fn another_day_is_asked_for_what_is_shown() {
    let chosen = |day: &str| Action::Explore(ExploreAction::DayChosen(day.to_owned()));
    let page = Page::with(&["a"]).on(chosen("2026-11-25"));
    let day = "2026-11-25".to_owned();
    let about = Ask::Query(query::Subject { package: key(1, "a"), subject: views::Subject::Package, day }.into());
    assert_eq!(page.asks(), [&about]);
    let one = entry("c", "one");
    let page = page.on(NavigationAction::EntrySelected(one.clone())).on(chosen("2027-01-01"));
    let day = "2027-01-01".to_owned();
    assert_eq!(
        page.asks(),
        [&Ask::Query(query::Entry { package: key(1, "a"), entry: one, day, runtime: Runtime::V0 }.into())]
    );
    // The answer about the day before comes too late.
    let page = page.on(chosen("")).answer(1, To::<query::Entry>(Some(Box::default())));
    assert!(page.state.entry.is_none());
}
