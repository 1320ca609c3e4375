//! Outcomes of a simulation that arrive one after the other.

use super::*;
use views::{InputEdit, ManifestsView, NamespaceRow, NamespacesView, OutcomeView, SimulationView, SubscriptionStatus};

fn outcome() -> OutcomeView {
    OutcomeView::default()
}

fn first_outcome(id: RequestId) -> Event {
    let view = SimulationView { partial: true, outcomes: vec![outcome()], ..Default::default() };
    Event::FirstOutcome { id, view: Box::new(view) }
}

fn more_outcomes(id: RequestId, count: usize) -> Event {
    Event::MoreOutcomes { id, outcomes: vec![outcome(); count] }
}

fn simulated(count: usize) -> To<query::Simulate> {
    To::<query::Simulate>(SimulationView { outcomes: vec![outcome(); count], ..Default::default() })
}

/// A page with a simulation that looks for further outcomes, and its request.
fn searching() -> (Page, RequestId) {
    let page = Page::with(&["a"]).on(ClusterAction::SubscriptionAdded).edited("kind: A");
    let id = page.state.last_request;
    (page.event(first_outcome(id)), id)
}

fn is_partial(page: &Page) -> Option<bool> {
    page.state.simulation.view.as_ref().map(|view| view.partial)
}

fn outcomes(page: &Page) -> usize {
    page.state.simulation.outcomes().count()
}

#[test]
fn the_first_outcome_is_shown_until_the_reply_comes() {
    let page = Page::with(&["a"]).on(ClusterAction::SubscriptionAdded).edited("kind: A");
    let id = page.state.last_request;
    let page = page.event(first_outcome(RequestId(id.0 + 1)));
    assert_eq!(is_partial(&page), None, "of a request that was not made");
    let page = page.event(first_outcome(id));
    assert_eq!((is_partial(&page), page.state.simulation.searching), (Some(true), Some(id)));
    let page = page.answer(1, simulated(1));
    assert_eq!((is_partial(&page), page.state.simulation.searching), (Some(false), None));
    let page = page.event(first_outcome(id)).event(more_outcomes(id, 1));
    assert_eq!((is_partial(&page), outcomes(&page)), (Some(false), 1), "they came late");
}

#[test]
fn the_chosen_outcome_stays_while_others_arrive() {
    let (page, id) = searching();
    let page = page.event(more_outcomes(id, 2)).on(SimulationAction::OutcomeChosen(2));
    let page = page.event(more_outcomes(id, 1));
    assert_eq!((outcomes(&page), page.state.simulation.outcome), (4, 2));
    assert!(page.state.simulation.shown_outcome().is_some());
    let page = page.answer(1, simulated(5));
    assert_eq!((outcomes(&page), page.state.simulation.outcome), (5, 2));
    // The same cluster again: the outcome that the user looks at stays until the reply.
    let page = page.on(SimulationAction::Run);
    let id = page.state.last_request;
    let page = page.event(first_outcome(id));
    assert_eq!((is_partial(&page), outcomes(&page), page.state.simulation.outcome), (Some(false), 5, 2));
    let page = page.answer(1, simulated(2));
    assert_eq!((outcomes(&page), page.state.simulation.outcome), (2, 0), "it is gone");
}

#[test]
fn outcomes_of_an_earlier_simulation_are_dropped() {
    let (page, id) = searching();
    let page = page.event(more_outcomes(id, 1)).on(ClusterAction::SubscriptionAdded).edited("kind: B");
    let next = page.state.last_request;
    let reply = Reply { id, revision: Revision(1), answer: Answer::Superseded };
    let page = page.on(WorkerAction::Received(Box::new(FromWorker::Reply(reply))));
    assert_eq!((page.notices().len(), page.state.simulation.searching), (0, None));
    let page = page.event(first_outcome(next)).event(more_outcomes(id, 1));
    assert_eq!((outcomes(&page), page.state.simulation.searching), (1, Some(next)));
}

#[test]
fn the_search_for_outcomes_can_be_stopped() {
    let stop = || Action::Simulation(SimulationAction::SearchStopped);
    let (page, id) = searching();
    let page = page.event(more_outcomes(id, 1)).on(stop());
    assert_eq!(page.asks(), [&Ask::Stop(id)]);
    assert!(page.effects.contains(&Effect::MoveFocus(FocusTarget::Result)));
    let page = page.answer(2, Answer::Cancelled).answer(1, simulated(2)).on(stop());
    assert!(page.asks().is_empty(), "there is nothing to stop");
}

#[test]
fn a_search_that_takes_long_does_not_offer_to_stop_the_worker() {
    let (page, id) = searching();
    let page = page.on(WorkerAction::Waited { id, wait: Wait::Long });
    assert_eq!(page.state.wait, None);
}

#[test]
fn a_fix_of_the_first_outcome_can_be_applied_during_the_search() {
    let fix = || {
        let splice = TextEdit { start: 0, end: 1, text: "x".to_owned() };
        let edit = InputEdit::Manifests(vec![splice]);
        Action::Catalogs(CatalogsAction::FixApplied { what: "fix".to_owned(), edit, is_tried: true })
    };
    let page = Page::with(&["a"])
        .on(ClusterAction::ModeChosen(Mode::Manifests))
        .on(ClusterAction::ManifestsTyped("abc".to_owned()))
        .on(PageAction::TypingPaused);
    let id = page.state.last_request;
    let page = page.on(fix());
    assert_eq!(&*page.state.simulation.manifests, "abc", "there is no result of these manifests");
    let page = page.event(first_outcome(id)).on(fix());
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
