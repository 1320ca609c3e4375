//! Playback of an outcome, which the drawing follows.

use super::*;
use views::{CsvRef, OutcomeView, SelectedView, SimulationView, StepView};

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
    let page = page.on(SimulationAction::StepChosen(1));
    assert_eq!(labels(&page), words(["before", "installed", "hop 3"]));
    assert_eq!(page.state.explore.followed, Some(entry("c", "a.v2")));
    let page = page.on(SimulationAction::StepChosen(9));
    assert_eq!(labels(&page), words(["before", "hop 1", "installed"]), "there is no later step");
    assert_eq!(simulated_entries(&page.state).hop(&entry("c", "a.v1")), Some(0), "the path still starts there");
}

#[test]
fn the_drawing_follows_into_another_package() {
    let page = played(false).on(SimulationAction::StepChosen(2));
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
    let page = page.on(SimulationAction::StepChosen(1)).on(SimulationAction::PlaybackTicked);
    assert_eq!(shown_step(&page.state.simulation), 1, "who takes the slider ends it");
}

#[test]
fn playback_stops_at_a_waiting_plan_until_it_is_approved() {
    let page = played(true).on(SimulationAction::StepChosen(3));
    assert_eq!(shown_step(&page.state.simulation), 0);
    let page = page.on(SimulationAction::PlanApproved);
    assert_eq!(shown_step(&page.state.simulation), 1);
    assert_eq!(labels(&page), words(["before", "installed", "hop 3"]));
    let page = page.on(ClusterAction::SubscriptionAdded);
    assert_eq!(page.state.simulation.step, 0, "another cluster has other steps");
}
