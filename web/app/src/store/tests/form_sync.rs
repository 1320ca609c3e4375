//! Keeping form and manifests in sync.

use super::*;
use views::{ClusterForm, InputEdit, ManifestsView, OutcomeView, SimulationView, StepView, SubscriptionForm};

fn form(package: &str) -> ClusterForm {
    let row = SubscriptionForm { package: package.to_owned(), ..SubscriptionForm::default() };
    ClusterForm { subscriptions: vec![row], ..ClusterForm::default() }
}

/// The page once the manifests `text` were read as a Subscription to package b, and something beyond it.
fn read(page: Page, text: &str, beyond: &str) -> Page {
    let manifests = ManifestsView { form: form("b"), beyond: beyond.to_owned(), ..ManifestsView::default() };
    let view = SimulationView { manifests: Some(manifests), ..SimulationView::default() };
    let page = page
        .on(Action::Cluster(ClusterAction::ManifestsTyped(text.to_owned())))
        .on(Action::Page(PageAction::TypingPaused));
    page.answer(1, To::<query::Simulate>(view))
}

fn in_manifests() -> Page {
    Page::with(&["a"]).on(Action::Cluster(ClusterAction::ModeChosen(Mode::Manifests)))
}

#[test]
fn switching_to_the_manifests_exports_the_form() {
    let page = Page::with(&["a"])
        .on(Action::Cluster(ClusterAction::SubscriptionAdded))
        .on(Action::Cluster(ClusterAction::ModeChosen(Mode::Manifests)));
    let mut expected = form("a");
    expected.subscriptions[0].catalog = "mine".to_owned();
    assert_eq!(page.asks(), [&Ask::Query(query::Export { form: expected.clone() }.into())]);
    let simulated = || To::<query::Simulate>(SimulationView::default());
    let page = page.answer(1, simulated()).answer(1, To::<query::Export>("kind: A\n".to_owned()));
    assert_eq!((page.state.simulation.mode, &*page.state.simulation.manifests), (Mode::Manifests, "kind: A\n"));
    assert!(page.notices().is_empty() && !page.effects.iter().any(|effect| matches!(effect, Effect::Copy(_))));
    let page = page.answer(1, simulated()).on(Action::Cluster(ClusterAction::ModeChosen(Mode::Form)));
    assert_eq!((page.state.simulation.mode, &page.state.simulation.cluster), (Mode::Form, &expected));
    let page = page.on(Action::Cluster(ClusterAction::ModeChosen(Mode::Manifests)));
    assert!(!page.asks().iter().any(|ask| matches!(ask, Ask::Query(AnyQuery::Export(_)))), "they say the same already");
    assert_eq!(page.state.simulation.mode, Mode::Manifests);
}

#[test]
fn switching_to_the_form_loses_nothing_of_the_manifests() {
    let page =
        read(in_manifests(), "kind: B", "1 InstallPlan").on(Action::Cluster(ClusterAction::ModeChosen(Mode::Form)));
    assert_eq!((page.state.simulation.mode, &page.state.simulation.cluster), (Mode::Form, &form("b")));
    assert_eq!(manifests(&page), Some(("kind: B", "")), "the InstallPlan still counts");
    let page = page.on(Action::Cluster(ClusterAction::SubscriptionEdited {
        index: 0,
        field: Field::Channel,
        text: "beta".to_owned(),
    }));
    assert_eq!(manifests(&page), None, "the form alone counts");
    let back = page.on(Action::Cluster(ClusterAction::FormReset));
    assert_eq!(manifests(&back), Some(("kind: B", "")));
    let page = back.on(Action::Cluster(ClusterAction::ModeChosen(Mode::Manifests)));
    assert_eq!((page.state.simulation.mode, &*page.state.simulation.manifests), (Mode::Manifests, "kind: B"));
}

#[test]
fn replacing_the_manifests_by_the_form_can_be_undone() {
    let page = read(in_manifests(), "kind: B", "").on(Action::Cluster(ClusterAction::ModeChosen(Mode::Form)));
    let page = page.on(Action::Cluster(ClusterAction::SubscriptionEdited {
        index: 0,
        field: Field::Channel,
        text: "beta".to_owned(),
    }));
    let page = page
        .on(Action::Cluster(ClusterAction::ModeChosen(Mode::Manifests)))
        .answer(1, To::<query::Export>("kind: C\n".to_owned()));
    assert_eq!((page.notices(), &*page.state.simulation.manifests), (vec![&NoticeKind::Rewritten], "kind: C\n"));
    let page = page.on(Action::Cluster(ClusterAction::InputRestored));
    assert_eq!(&*page.state.simulation.manifests, "kind: B");
}

#[test]
fn the_form_waits_for_the_manifests_to_be_read() {
    let page = in_manifests()
        .on(Action::Cluster(ClusterAction::ManifestsTyped("kind: B".to_owned())))
        .on(Action::Cluster(ClusterAction::ModeChosen(Mode::Form)));
    assert_eq!(page.state.simulation.mode, Mode::Manifests);
    let view = ManifestsView { form: form("b"), ..ManifestsView::default() };
    let page =
        page.answer(1, To::<query::Simulate>(SimulationView { manifests: Some(view), ..SimulationView::default() }));
    assert_eq!((page.state.simulation.mode, &page.state.simulation.cluster), (Mode::Form, &form("b")));
}

#[test]
fn installing_an_entry_keeps_the_subscriptions_of_the_manifests() {
    let entry = EntryKey { channel: Some("c".to_owned()), name: "a.v1".to_owned() };
    let page = read(in_manifests(), "kind: B", "")
        .on(Action::Navigation(NavigationAction::EntrySelected(entry)))
        .on(Action::Cluster(ClusterAction::InstallAsked));
    let packages: Vec<&str> =
        page.state.simulation.cluster.subscriptions.iter().map(|row| row.package.as_str()).collect();
    assert_eq!((page.state.simulation.mode, packages), (Mode::Form, vec!["b", "a"]));
}

#[test]
fn the_next_visit_keeps_what_the_form_has_no_field_for() {
    let page =
        read(in_manifests(), "kind: B", "1 InstallPlan").on(Action::Cluster(ClusterAction::ModeChosen(Mode::Form)));
    let state = State::new(Draft::of(&page.state)).with_manifests("kind: B");
    assert_eq!((state.simulation.mode, state.simulation.input()), (Mode::Form, page.state.simulation.input()));
    assert!(matches!(state.simulation.input(), ClusterInput::Manifests { .. }));
    let state = State::new(Draft::of(&page.state)).with_manifests("");
    assert_eq!(state.simulation.input(), ClusterInput::Form(form("b")), "the browser kept no manifests");
}

/// The shown outcome, the number of approvals, and the shown step.
fn progress(page: &Page) -> (usize, usize, usize) {
    let simulation = &page.state.simulation;
    (simulation.outcome, simulation.approved, simulation.step)
}

#[test]
fn approvals_count_for_form_and_manifests() {
    let plan = StepView { plan_created: true, waits_for_approval: true, ..StepView::default() };
    let outcome = OutcomeView { steps: vec![plan], ..OutcomeView::default() };
    let answer = |mut view: SimulationView| {
        view.outcomes = vec![outcome.clone(), outcome.clone()];
        To::<query::Simulate>(view)
    };
    let manifests = ManifestsView { form: form("b"), ..ManifestsView::default() };
    let read = SimulationView { manifests: Some(manifests), ..SimulationView::default() };
    let page = in_manifests()
        .on(Action::Cluster(ClusterAction::ManifestsTyped("kind: B".to_owned())))
        .on(Action::Page(PageAction::TypingPaused));
    let page = page
        .answer(1, answer(read))
        .on(Action::Simulation(SimulationAction::OutcomeChosen(1)))
        .on(Action::Simulation(SimulationAction::PlanApproved));
    assert_eq!(progress(&page), (1, 1, 1));
    let page = page.on(Action::Cluster(ClusterAction::ModeChosen(Mode::Form)));
    assert_eq!((page.state.simulation.mode, progress(&page)), (Mode::Form, (1, 1, 1)));
    let page = page
        .answer(1, answer(SimulationView::default()))
        .on(Action::Cluster(ClusterAction::ModeChosen(Mode::Manifests)));
    assert_eq!((page.state.simulation.mode, progress(&page)), (Mode::Manifests, (1, 1, 1)));
    // Exporting the form again keeps the approvals, and undoing a fix restores them.
    let page =
        page.on(Action::Cluster(ClusterAction::ModeChosen(Mode::Form))).on(Action::Cluster(ClusterAction::ExportAsked));
    let page = page.answer(1, To::<query::Export>("kind: B\n".to_owned()));
    assert_eq!((page.state.simulation.mode, progress(&page)), (Mode::Manifests, (1, 1, 1)));
    let page = page
        .on(Action::Simulation(SimulationAction::FixTried { what: String::new(), edit: InputEdit::Form(form("c")) }));
    assert_eq!(progress(&page), (1, 0, 0), "another cluster");
    assert_eq!(progress(&page.on(Action::Page(PageAction::UndoAsked))), (1, 1, 1));
}

#[test]
fn the_form_follows_the_namespace() {
    let page =
        read(in_manifests(), "kind: B", "1 InstallPlan").on(Action::Cluster(ClusterAction::ModeChosen(Mode::Form)));
    let page = page
        .on(Action::Cluster(ClusterAction::ModeChosen(Mode::Manifests)))
        .on(Action::Cluster(ClusterAction::NamespaceChosen("other".to_owned())));
    let manifests = ManifestsView { form: form("c"), ..ManifestsView::default() };
    let view = SimulationView { manifests: Some(manifests), ..SimulationView::default() };
    // One answer for each request.
    let page = (0..3).fold(page, |page, _| page.answer(1, To::<query::Simulate>(view.clone())));
    let page = page.on(Action::Cluster(ClusterAction::ModeChosen(Mode::Form)));
    assert_eq!((page.state.simulation.mode, &page.state.simulation.cluster), (Mode::Form, &form("c")));
}
