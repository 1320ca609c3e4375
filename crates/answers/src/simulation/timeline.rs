//! The events of one outcome: what the operators of OLM do to each object.

use super::scenario::{Scenario, SimulationLimits};
use super::stored_versions;
use super::wording::end;
use crate::simulation::run::narrow_scenario;
use session::Workbench;
use simulate::{Action, BundleCrds, Controller, End, Event, EventKind, Step};
use views::{EventGroup, TimelineView};

/// The limit on events.
const EVENTS: usize = 400;

/// The events on the cluster in the outcome of a namespace at this index, if the first `approved` InstallPlans are approved.
#[must_use]
pub fn timeline(workbench: &Workbench, namespace: &str, outcome: u32, approved: u32) -> TimelineView {
    let scenario = narrow_scenario(workbench, namespace);
    let outcome = outcome as usize;
    // A second one tells whether there is a choice.
    let found = scenario.timelines(workbench, outcome.saturating_add(1).max(2));
    let chance = found.timelines.len() > 1;
    let Some(timeline) = found.timelines.into_iter().nth(outcome) else { return TimelineView::default() };
    let mut replay = Replay {
        controller: controller(workbench, &scenario, &timeline.steps),
        steps: timeline.steps,
        chance,
        step: 0,
        approved,
    };
    let (events, last) = replay.all();
    TimelineView { groups: groups(&events), ends: end(&last), waits: matches!(last, End::WaitsForApproval(_)) }
}

pub(super) fn controller(workbench: &Workbench, scenario: &Scenario, steps: &[Step]) -> Controller {
    let content = |key: &_| scenario.stands_for(workbench, key).map(|catalog| &catalog.analysis.catalog);
    let deprecations = simulate::deprecations(&scenario.cluster, content);
    let mut crds = BundleCrds::new();
    stored_versions::add_crds(&mut crds, workbench, scenario, steps);
    Controller::new(scenario.cluster.clone(), &scenario.namespace, scenario.snapshots.clone(), deprecations)
        .with_bundle_crds(crds)
        .with_install_modes(scenario.modes.known())
}

/// Runs the controller along the steps of an outcome.
struct Replay {
    controller: Controller,
    steps: Vec<Step>,
    /// Whether there are other outcomes.
    chance: bool,
    step: usize,
    /// The number of InstallPlans that may still be approved.
    approved: u32,
}

impl Replay {
    fn all(&mut self) -> (Vec<Event>, End) {
        let mut events = Vec::new();
        while events.len() < EVENTS {
            let more = self.next();
            if !more.is_empty() {
                events.extend(more);
                continue;
            }
            let end = self.controller.settle(1).end;
            match &end {
                End::WaitsForApproval(plans) if self.approved > 0 => {
                    self.approved -= 1;
                    let newest = plans.last().cloned().into_iter();
                    events.extend(newest.flat_map(|plan| self.controller.act(Action::Approve(plan))));
                }
                _ => return (events, end),
            }
        }
        (events, End::Bounded)
    }

    /// The next events. Where the choice is random, the events of this outcome.
    fn next(&mut self) -> Vec<Event> {
        let before = self.chance.then(|| self.controller.clone());
        let mut events = self.controller.advance();
        if let Some(before) = before
            && !self.follows_outcome(&events)
        {
            let others = (1..SimulationLimits::PAGE.outcomes).map(|at| before.clone().with_outcome(at));
            let found =
                others.map(|mut other| (other.advance(), other)).find(|(events, _)| self.follows_outcome(events));
            if let Some((other_events, other)) = found {
                (events, self.controller) = (other_events, other.with_outcome(0));
            }
        }
        self.step += events.iter().filter(|event| leads_to_plan(event)).count();
        events
    }

    /// Whether the resolutions among the events select what the outcome selects next.
    fn follows_outcome(&self, events: &[Event]) -> bool {
        events.iter().all(|event| match &event.kind {
            EventKind::ResolutionSucceeded { selected, plan } => {
                let expected = self.steps.get(self.step).filter(|step| step.install_plan_created);
                plan == &expected.is_some()
                    && expected.is_none_or(|step| step.selected.iter().all(|bundle| selected.contains(bundle)))
            }
            _ => true,
        })
    }
}

fn leads_to_plan(event: &Event) -> bool {
    matches!(event.kind, EventKind::ResolutionSucceeded { plan: true, .. })
}

fn groups(events: &[Event]) -> Vec<EventGroup> {
    let mut groups: Vec<EventGroup> = Vec::new();
    for event in events {
        if let EventKind::ResolutionSucceeded { selected, plan: true } = &event.kind {
            let names: Vec<String> = selected.iter().map(|bundle| format!("`{}`", bundle.name)).collect();
            groups.push(EventGroup { title: names.join(", "), events: Vec::new() });
        }
        if groups.is_empty() {
            groups.push(EventGroup { title: "Before the first plan".to_owned(), events: Vec::new() });
        }
        groups.last_mut().into_iter().for_each(|group| group.events.push(super::wording::event(event)));
    }
    groups
}

#[cfg(test)]
mod tests {
    use crate::timeline;
    use session::testing::example;
    use views::{EventStatus, ObjectKind, TimelineView};

    fn play(slug: &str, outcome: u32, approved: u32) -> TimelineView {
        timeline(&example(slug), "", outcome, approved)
    }

    fn titles(view: &TimelineView) -> Vec<&str> {
        view.groups.iter().map(|group| group.title.as_str()).collect()
    }

    #[test]
    fn an_update_fails_for_a_moment_while_the_old_csv_exists() {
        let view = play("operator-update", 0, 0);
        assert_eq!(titles(&view)[titles(&view).len() - 2..], ["`foo.v1.2.2`", "`foo.v1.2.3`"]);
        let last = view.groups.last().unwrap();
        let passing = last.events.iter().find(|event| event.status == EventStatus::Transient).unwrap();
        assert_eq!(passing.object, ObjectKind::Namespace);
        assert!(passing.detail.contains("foo.v1.2.2 exists and is not referenced"), "{}", passing.detail);
        assert!(last.events.iter().any(|event| event.name == "foo.v1.2.2" && event.text.starts_with("is deleted")));
        assert_eq!(view.ends, ["OLM finds no further update for any Subscription"]);
    }

    #[test]
    fn a_plan_waits_until_it_is_approved() {
        let view = play("manual-approval", 0, 0);
        assert!(view.waits);
        assert!(
            !view
                .groups
                .iter()
                .flat_map(|group| &group.events)
                .any(|event| event.object == ObjectKind::Csv && event.text == "is created")
        );
        let view = play("manual-approval", 0, 1);
        assert!(view.groups.iter().flat_map(|group| &group.events).any(|event| event.text == "is approved"));
        assert!(!view.waits);
    }

    #[test]
    fn the_events_are_those_of_the_outcome() {
        assert_eq!(titles(&play("exclusive-updates", 0, 0)).last(), Some(&"`ingress.v2.0.0`"));
        assert_eq!(titles(&play("exclusive-updates", 1, 0)).last(), Some(&"`mesh.v2.0.0`"));
        assert_eq!(play("exclusive-updates", 7, 0), TimelineView::default());
    }
}
