//! Results of a simulation.

use super::*;
use views::{InputEdit, ManifestsView, NamespaceRow, NamespacesView, OutcomeView, SimulationView, SubscriptionStatus};

fn outcome() -> OutcomeView {
    OutcomeView::default()
}

fn simulated(count: usize) -> To<query::Simulate> {
    To::<query::Simulate>(SimulationView { outcomes: vec![outcome(); count], ..Default::default() })
}

#[test]
fn the_chosen_outcome_stays_while_the_result_has_it() {
    let page = Page::with(&["a"]).on(ClusterAction::SubscriptionAdded).edited("kind: A");
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
    let page = Page::with(&["a"])
        .on(ClusterAction::ModeChosen(Mode::Manifests))
        .on(ClusterAction::ManifestsTyped("abc".to_owned()))
        .on(PageAction::TypingPaused);
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
fn new_manifests_with_extensions_alone_choose_olm_v1() {
    let extension = || views::ExtensionView {
        name: "e".to_owned(),
        package: "p".to_owned(),
        place: None,
        verdict: String::new(),
        status: views::ExtensionStatus::Fails,
        hops: Vec::new(),
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
