//! The real course of events for one outcome: what the operators do to each object.

use super::wording::{end, event};
use super::{OUTCOMES, STEPS, Scenario};
use crate::Workbench;
use simulate::{Action, Controller, End, Event, Step, What, timelines};
use views::{ClusterInput, EventGroup, TimelineView};

/// At most so many events are told.
const EVENTS: usize = 400;

impl Workbench {
    /// What happens on the cluster in the outcome at this index, if somebody approves so many plans.
    #[must_use]
    pub fn timeline(&self, input: &ClusterInput, outcome: u32, approved: u32) -> TimelineView {
        let scenario = self.scenario(input);
        let found = timelines(&scenario.cluster, &scenario.namespace, &scenario.snapshots, STEPS, OUTCOMES);
        let chance = found.timelines.len() > 1;
        let Some(told) = found.timelines.into_iter().nth(outcome as usize) else { return TimelineView::default() };
        let mut play = Play { controller: controller(self, &scenario), steps: told.steps, chance, hop: 0, approved };
        let (events, last) = play.all();
        TimelineView { groups: groups(&events), ends: end(&last), waits: matches!(last, End::WaitsForApproval(_)) }
    }
}

fn controller(workbench: &Workbench, scenario: &Scenario) -> Controller {
    let content = |key: &_| scenario.stands_for(workbench, key).map(|catalog| &catalog.analysis.catalog);
    let deprecations = scenario.cluster.deprecations(content);
    Controller::new(scenario.cluster.clone(), &scenario.namespace, scenario.snapshots.clone(), deprecations)
}

struct Play {
    controller: Controller,
    /// What the outcome selects, resolution by resolution.
    steps: Vec<Step>,
    /// Whether there are other outcomes.
    chance: bool,
    /// How many of them were made.
    hop: usize,
    /// How many plans may still be approved.
    approved: u32,
}

impl Play {
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

    /// The next events; where OLM may choose this or that, those of the outcome.
    fn next(&mut self) -> Vec<Event> {
        let before = self.chance.then(|| self.controller.clone());
        let mut events = self.controller.advance();
        if let Some(before) = before
            && !self.is_as_told(&events)
        {
            let others = (1..OUTCOMES).map(|at| before.clone().with_outcome(at));
            let found = others.map(|mut other| (other.advance(), other)).find(|(events, _)| self.is_as_told(events));
            if let Some((other_events, other)) = found {
                (events, self.controller) = (other_events, other.with_outcome(0));
            }
        }
        self.hop += events.iter().filter(|event| leads_to_plan(event)).count();
        events
    }

    /// Whether a resolution among the events selects what the outcome does next.
    fn is_as_told(&self, events: &[Event]) -> bool {
        events.iter().all(|event| match &event.what {
            What::ResolutionSucceeded { selected, plan } => {
                let told = self.steps.get(self.hop).filter(|step| step.install_plan_created);
                plan == &told.is_some()
                    && told.is_none_or(|step| step.selected.iter().all(|bundle| selected.contains(bundle)))
            }
            _ => true,
        })
    }
}

fn leads_to_plan(event: &Event) -> bool {
    matches!(event.what, What::ResolutionSucceeded { plan: true, .. })
}

fn groups(events: &[Event]) -> Vec<EventGroup> {
    let mut groups: Vec<EventGroup> = Vec::new();
    for told in events {
        if let What::ResolutionSucceeded { selected, plan: true } = &told.what {
            let names: Vec<String> = selected.iter().map(|bundle| format!("`{}`", bundle.name)).collect();
            groups.push(EventGroup { title: names.join(", "), events: Vec::new() });
        }
        if groups.is_empty() {
            groups.push(EventGroup { title: "before the first plan".to_owned(), events: Vec::new() });
        }
        groups.last_mut().into_iter().for_each(|group| group.events.push(event(told)));
    }
    groups
}

#[cfg(test)]
mod tests {
    use crate::testing::example;
    use views::{Mood, ObjectKind, TimelineView};

    fn play(slug: &str, outcome: u32, approved: u32) -> TimelineView {
        let (workbench, input) = example(slug);
        workbench.timeline(&input, outcome, approved)
    }

    fn titles(view: &TimelineView) -> Vec<&str> {
        view.groups.iter().map(|group| group.title.as_str()).collect()
    }

    #[test]
    fn a_hop_fails_for_the_moment_while_the_old_csv_is_there() {
        let view = play("operator-update", 0, 0);
        assert_eq!(titles(&view)[titles(&view).len() - 2..], ["`foo.v1.2.2`", "`foo.v1.2.3`"]);
        let last = view.groups.last().unwrap();
        let passing = last.events.iter().find(|event| event.mood == Mood::Passes).unwrap();
        assert_eq!(passing.object, ObjectKind::Namespace);
        assert!(passing.detail.contains("foo.v1.2.2 exists and is not referenced"), "{}", passing.detail);
        assert!(last.events.iter().any(|event| event.name == "foo.v1.2.2" && event.text.starts_with("is deleted")));
        assert_eq!(view.ends, ["all is as the Subscriptions want it, as far as the catalogs have it"]);
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
