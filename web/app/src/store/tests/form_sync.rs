//! Keeping form and manifests in sync.

use super::*;
use views::{OutcomeView, SimulationView, StepView, SubscriptionField, SubscriptionForm};

fn form(package: &str) -> ClusterForm {
    let row = SubscriptionForm { package: package.to_owned(), ..SubscriptionForm::default() };
    ClusterForm { subscriptions: vec![row], ..ClusterForm::default() }
}

fn typed(page: Page, text: &str) -> Page {
    page.on(ClusterAction::ManifestsTyped(text.to_owned())).on(PageAction::TypingPaused)
}

fn chosen(page: Page, mode: Mode) -> Page {
    page.on(ClusterAction::ModeChosen(mode))
}

fn channel(page: Page, text: &str) -> Page {
    page.on(ClusterAction::SubscriptionEdited { index: 0, field: SubscriptionField::Channel, text: text.to_owned() })
}

/// The manifests `kind: B`, read as a Subscription to package b.
fn read() -> Page {
    typed(chosen(Page::with(&["a"]), Mode::Manifests), "kind: B").answer(1, To::<query::Form>(form("b")))
}

#[test]
fn switching_between_form_and_manifests_asks_nothing() {
    let page = chosen(read(), Mode::Form);
    assert_eq!((page.asks(), &page.state.simulation.cluster), (vec![], &form("b")));
    let page = chosen(page, Mode::Manifests);
    assert_eq!((page.asks(), &*page.state.simulation.manifests), (vec![], "kind: B"));
}

#[test]
fn the_form_edits_the_manifests() {
    let page = channel(chosen(read(), Mode::Form), "beta");
    assert_eq!(page.state.simulation.cluster.subscriptions[0].channel, "beta", "what is typed is shown at once");
    assert_eq!((&*page.state.simulation.manifests, manifests(&page)), ("kind: B", None));
    let page = channel(page, "beta2").edited("kind: C");
    assert_eq!(&*page.state.simulation.manifests, "kind: B", "the answer is about an older form");
    let page = page.edited("kind: D");
    assert_eq!(manifests(&page), Some(("kind: D", "")));
}

#[test]
fn typed_manifests_replace_what_the_form_was_about_to_edit() {
    let page = typed(channel(chosen(read(), Mode::Form), "beta"), "kind: C");
    assert!(page.asks().contains(&&Ask::Query(query::Form { namespace: String::new() }.into())));
    let page = page.edited("kind: D").answer(1, To::<query::Form>(form("c")));
    assert_eq!((&*page.state.simulation.manifests, &page.state.simulation.cluster), ("kind: C", &form("c")));
}

#[test]
fn installing_an_entry_waits_for_the_form_of_the_manifests() {
    let entry = entry("c", "a.v1");
    let page = typed(Page::with(&["a"]).on(NavigationAction::EntrySelected(entry)), "kind: B")
        .on(ClusterAction::EntryUsed(EntryUse::StartingCsv));
    assert_eq!(page.form_edited(), None);
    let page = page.answer(1, To::<query::Form>(form("b")));
    let packages: Vec<&str> =
        page.state.simulation.cluster.subscriptions.iter().map(|row| row.package.as_str()).collect();
    assert_eq!((page.state.simulation.mode, packages), (Mode::Form, vec!["b", "a"]));
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
    let draft = Draft::of(&chosen(read(), Mode::Form).state);
    assert_eq!(draft.cluster, ClusterForm::default());
    let state = State::restored(draft, "kind: B");
    assert_eq!((state.simulation.mode, state.simulation.form_status), (Mode::Form, FormStatus::Behind));
}

#[test]
fn a_form_of_an_older_version_becomes_manifests_once_the_catalogs_are_there() {
    let old = r#"{"mode": "Form", "cluster": {"subscriptions": [
        {"name": "", "package": "b", "channel": "", "catalog": "", "starting_csv": "",
            "approval": "Automatic", "installed": ""}]}, "ran": true, "catalogs": true}"#;
    let draft: Draft = serde_json::from_str(old).unwrap();
    let page = Page::open(draft.clone()).event(Event::Ready);
    assert_eq!(page.asks(), [&Ask::Command(Command::Restore)]);
    let page = page.answer(1, changed(overview(1, &["b"])));
    assert_eq!(page.form_edited(), Some(&form("b")));
    assert_eq!(manifests(&page.edited("kind: B")), Some(("kind: B", "")));
    // The manifests say the same, or they are what was simulated.
    let behind = |draft: Draft| State::restored(draft, "kind: B").simulation.form_status;
    assert_eq!(behind(Draft { beyond: Some(String::new()), ..draft.clone() }), FormStatus::Behind);
    assert_eq!(behind(Draft { mode: Mode::Manifests, ..draft }), FormStatus::Behind);
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
        (simulation.outcome, simulation.approved, simulation.step)
    };
    let page = chosen(chosen(page, Mode::Form), Mode::Manifests);
    assert_eq!(progress(&page), (1, 1, 1));
    let page = page.on(ClusterAction::SubscriptionRemoved(0));
    assert_eq!(progress(&page), (0, 0, 0), "another cluster");
    let page = page.on(PageAction::UndoAsked);
    assert_eq!((progress(&page), &page.state.simulation.cluster), ((1, 1, 1), &form("b")));
}
