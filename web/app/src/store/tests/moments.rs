//! The moments of a course of events, and the drawing that follows them.

use super::*;
use views::{CsvRef, OutcomeView, SelectedView, SimulationView, StepView};

fn step(package: &str, name: &str, old: &str, waits: bool) -> StepView {
    let csv = CsvRef {
        name: name.to_owned(),
        package: package.to_owned(),
        channel: "c".to_owned(),
        catalog: "mine".to_owned(),
        catalog_namespace: String::new(),
    };
    let selected = SelectedView {
        csv,
        version: None,
        replaces: Some(old.to_owned()),
        because: Vec::new(),
        refused: Vec::new(),
        unexplained: 0,
    };
    StepView { selected: vec![selected], plan_created: true, waits_for_approval: waits, ..StepView::default() }
}

/// `a.v1` goes to `a.v2`, a package `b` moves, and `a.v2` goes to `a.v3`; then nothing happens any more.
fn played(waits: bool) -> Page {
    let steps = [("a", "a.v2", "a.v1"), ("b", "b.v2", "b.v1"), ("a", "a.v3", "a.v2")];
    let mut steps = steps.map(|(package, name, old)| step(package, name, old, waits)).to_vec();
    steps.push(StepView::default());
    let outcome = OutcomeView { steps, ..OutcomeView::default() };
    let view = SimulationView { outcomes: vec![outcome], ..SimulationView::default() };
    let page = Page::with(&["a", "b"]).on(Action::Navigation(NavigationAction::EntrySelected(entry("c", "a.v1"))));
    page.on(Action::Cluster(ClusterAction::InstalledAsked))
        .on(Action::Simulation(SimulationAction::Run))
        .hear(1, Answer::Simulate(view))
}

/// What is said of the entries of package a, in their order.
fn said(page: &Page) -> [Option<String>; 3] {
    let standing = standing(&page.state);
    ["a.v1", "a.v2", "a.v3"].map(|name| standing.of(&entry("c", name)))
}

fn words(words: [&str; 3]) -> [Option<String>; 3] {
    words.map(|word| Some(word.to_owned()))
}

#[test]
fn what_is_installed_moves_with_the_moment() {
    let page = played(false);
    assert_eq!(said(&page), words(["installed", "hop 1", "hop 3"]));
    let page = page.on(Action::Simulation(SimulationAction::MomentChosen(1)));
    assert_eq!(said(&page), words(["before", "installed", "hop 3"]));
    assert_eq!(page.state.explore.followed, Some(entry("c", "a.v2")));
    let page = page.on(Action::Simulation(SimulationAction::MomentChosen(9)));
    assert_eq!(said(&page), words(["before", "hop 1", "installed"]), "there is no later moment");
    assert_eq!(standing(&page.state).hop(&entry("c", "a.v1")), Some(0), "the path still starts there");
}

#[test]
fn the_drawing_follows_into_another_package() {
    let page = played(false).on(Action::Simulation(SimulationAction::MomentChosen(2)));
    assert_eq!((page.selected(), page.state.explore.followed.clone()), (Some("b"), Some(entry("c", "b.v2"))));
}

#[test]
fn moments_are_played_to_the_last_and_then_anew() {
    let page = played(false).on(Action::Simulation(SimulationAction::Played { on: true }));
    assert_eq!((moment(&page.state.simulation), page.effects.contains(&Effect::AwaitBeat)), (0, true));
    let page =
        page.on(Action::Simulation(SimulationAction::BeatPassed)).on(Action::Simulation(SimulationAction::BeatPassed));
    assert_eq!((moment(&page.state.simulation), page.state.simulation.playing), (2, true));
    let page = page.on(Action::Simulation(SimulationAction::BeatPassed));
    assert_eq!((moment(&page.state.simulation), page.state.simulation.playing), (3, false));
    assert!(!page.effects.contains(&Effect::AwaitBeat));
    let page = page.on(Action::Simulation(SimulationAction::Played { on: true }));
    assert_eq!(moment(&page.state.simulation), 0);
    let page = page
        .on(Action::Simulation(SimulationAction::MomentChosen(1)))
        .on(Action::Simulation(SimulationAction::BeatPassed));
    assert_eq!(moment(&page.state.simulation), 1, "who takes the slider ends it");
}

#[test]
fn a_plan_that_waits_ends_the_moments_until_it_is_approved() {
    let page = played(true).on(Action::Simulation(SimulationAction::MomentChosen(3)));
    assert_eq!(moment(&page.state.simulation), 0);
    let page = page.on(Action::Simulation(SimulationAction::PlanApproved));
    assert_eq!(moment(&page.state.simulation), 1);
    assert_eq!(said(&page), words(["before", "installed", "hop 3"]));
    let page = page.on(Action::Cluster(ClusterAction::SubscriptionAdded));
    assert_eq!(page.state.simulation.moment, 0, "another cluster has other moments");
}
