//! The events of one outcome: what the operators of OLM do to each object.

use super::scenario::{Scenario, SimulationLimits};
use super::wording::end;
use crate::simulation::run::narrow_scenario;
use catalog::predicate::PackageName;
use catalog::{BundleCrd, BundleName, bundle_crds};
use cluster::{CatalogKey, Cluster, PlanPhase};
use session::Workbench;
use simulate::{Action, BundleCrds, Controller, End, Event, EventKind, Step, Timeline};
use std::collections::BTreeMap;
use std::sync::Arc;
use views::{EventGroup, FileKey, TimelineView};

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
    add_crds(&mut crds, workbench, scenario, steps);
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

// InstallPlans that fail because a new CustomResourceDefinition drops a version that objects are stored in.
//
// The manifests tell the stored versions, and bundles with `olm.bundle.object` properties the new ones. Bundles that
// were migrated to `olm.csv.metadata` have no CustomResourceDefinitions, so nothing is said about them.

/// The failure of the InstallPlan of a step.
pub(super) struct PlanFailure {
    step: usize,
    /// The CSV of the bundle, which exists before the plan fails.
    csv: BundleName,
    /// OLM's error.
    error: String,
}

impl PlanFailure {
    /// The failures of all InstallPlans of a timeline. A step that follows a failure happens only after a user migrated the
    /// objects, so that the removed version is no longer stored.
    pub(super) fn all(scenario: &Scenario, crds: &BundleCrds, timeline: &Timeline) -> Vec<Self> {
        let mut cluster = Cluster { crds: Arc::new(stored_versions(scenario, crds)), ..Cluster::default() };
        let mut failures = Vec::new();
        for (at, step) in timeline.steps.iter().enumerate().filter(|(_, step)| step.install_plan_created) {
            for bundle in &step.selected {
                let key = (bundle.catalog.clone(), bundle.package.clone(), bundle.name.clone());
                for crd in crds.get(&key).into_iter().flatten() {
                    let Err(error) = simulate::apply_crd(&mut cluster, crd) else { continue };
                    failures.push(Self { step: at, csv: bundle.name.clone(), error });
                    let storage = crd.storage.iter().cloned().collect();
                    Arc::make_mut(&mut cluster.crds).insert(crd.name.clone(), storage);
                }
            }
        }
        failures
    }

    /// The failure as a notice about the namespace.
    pub(super) fn notice(&self) -> String {
        let Self { step, csv, error } = self;
        format!(
            "the InstallPlan of step {} fails when `{csv}` is already created: `{error}`; the steps show what happens without that. Migrate the objects to another version, and remove the old one from `status.storedVersions` of the CustomResourceDefinition",
            step + 1
        )
    }

    /// What the failure means for a Subscription that gets the CSVs `moves`, each with the index of its step; `None` if it does
    /// not get the CSV that the plan fails after.
    pub(super) fn consequence(&self, moves: &[(usize, &BundleName)]) -> Option<String> {
        let Self { step, csv, error } = self;
        moves.contains(&(*step, csv)).then(|| {
            format!(
                "the InstallPlan of step {} fails with `{error}`: `{csv}` stays in phase `Pending`, and OLM installs no later version",
                step + 1
            )
        })
    }
}

/// The versions that objects are stored in, for the CustomResourceDefinitions that the bundles have.
fn stored_versions(scenario: &Scenario, crds: &BundleCrds) -> BTreeMap<Box<str>, Vec<Box<str>>> {
    let stored = |crd: &BundleCrd| Some((crd.name.clone(), scenario.cluster.crds.get(&crd.name)?.clone()));
    crds.values().flatten().filter_map(stored).collect()
}

/// Adds the CustomResourceDefinitions of all bundles that the steps or the InstallPlans of the cluster install. Adds none for
/// a cluster without CustomResourceDefinitions: it has some, but the manifests do not tell which.
pub(super) fn add_crds(crds: &mut BundleCrds, workbench: &Workbench, scenario: &Scenario, steps: &[Step]) {
    if scenario.cluster.crds.is_empty() {
        return;
    }
    let selected = steps.iter().flat_map(|step| &step.selected);
    let selected = selected.map(|bundle| (&bundle.catalog, &bundle.package, &bundle.name));
    for (catalog, package, bundle) in selected.chain(planned(scenario)) {
        let key = (catalog.clone(), package.clone(), bundle.clone());
        crds.entry(key).or_insert_with(|| of_bundle(workbench, scenario, catalog, package, bundle).unwrap_or_default());
    }
}

/// The bundles of the InstallPlans of the cluster that are not complete, in each catalog that has them.
fn planned(scenario: &Scenario) -> impl Iterator<Item = (&CatalogKey, &PackageName, &BundleName)> {
    let plans = scenario.cluster.install_plans.iter().filter(|plan| plan.namespace == scenario.namespace);
    let open = plans.filter(|plan| !matches!(plan.phase, PlanPhase::Complete | PlanPhase::Failed));
    open.flat_map(|plan| &plan.csvs).flat_map(|csv| {
        scenario.snapshots.iter().flat_map(move |(key, snapshot)| {
            let entries = snapshot.listing.entries().iter().filter(move |entry| entry.name == *csv);
            entries.map(move |entry| (key, &entry.package, csv))
        })
    })
}

/// The CustomResourceDefinitions of a bundle; `None` if no loaded catalog has it.
fn of_bundle(
    workbench: &Workbench,
    scenario: &Scenario,
    catalog: &CatalogKey,
    package: &PackageName,
    bundle: &BundleName,
) -> Option<Vec<BundleCrd>> {
    let catalog = scenario.stands_for(workbench, catalog)?;
    let bundle = catalog.analysis.catalog.package(package.as_str())?.bundle(bundle.as_str())?;
    let file = catalog.file(FileKey(bundle.span.file.0))?;
    Some(bundle_crds(bundle, &file.text))
}

#[cfg(test)]
mod tests {
    use crate::{simulate, timeline};
    use session::testing::{example, workbench, yaml};
    use session::{NewText, Workbench};
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

    /// `{"kind":"CustomResourceDefinition","metadata":{"name":"a.b"},"spec":{"versions":[{"name":"v1","storage":true}]}}`
    const CRD: &str = "eyJraW5kIjoiQ3VzdG9tUmVzb3VyY2VEZWZpbml0aW9uIiwibWV0YWRhdGEiOnsibmFtZSI6ImEuYiJ9LCJzcGVjIjp7InZlcnNpb25zIjpbeyJuYW1lIjoidjEiLCJzdG9yYWdlIjp0cnVlfV19fQ==";

    const ERROR: &str = "risk of data loss updating \"a.b\": new CRD removes version v1alpha1 that is listed as a stored version on \
                         the existing CRD";

    /// A catalog with `p.v1.0.0`, whose manifest is `crd`, and a cluster that installs it.
    fn world(stored: &str, crd: &str) -> Workbench {
        world_of("package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0", stored, crd)
    }

    /// A catalog with the manifest `crd` in each bundle, and a cluster with a Subscription to `p`.
    fn world_of(catalog: &str, stored: &str, crd: &str) -> Workbench {
        let property = format!("properties:\n- type: olm.bundle.object\n  value: {{data: {crd}}}\n");
        let text = yaml(catalog).replace("properties:\n", &property);
        let mut workbench = Workbench::new();
        let file = NewText { path: "c.yaml".to_owned(), content: Ok(text.into_bytes()) };
        workbench.add_catalog("c", vec![file], &mut |_| {});
        let text = format!(
            "kind: CatalogSource\nmetadata: {{name: c, namespace: olm}}\n---\nkind: OperatorGroup\nmetadata: {{name: g, \
             namespace: ns}}\n---\nkind: Subscription\nmetadata: {{name: s, namespace: ns}}\nspec: {{name: p, source: c, \
             sourceNamespace: olm}}\n---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: \
             {{name: a.b}}\nspec: {{group: b}}\nstatus: {{storedVersions: {stored}}}\n"
        );
        workbench.with_cluster(&text)
    }

    fn notices(stored: &str, crd: &str) -> Vec<String> {
        let view = simulate(&world(stored, crd), "");
        assert!(view.manifests.is_some_and(|view| view.findings.is_empty() && view.skipped.is_empty()));
        view.notices
    }

    #[test]
    fn a_plan_that_drops_a_stored_version_fails() {
        let expected = "the InstallPlan of step 1 fails when `p.v1.0.0` is already created: `risk of data loss updating \"a.b\": \
                        new CRD removes version v1alpha1 that is listed as a stored version on the existing CRD`; the steps show \
                        what happens without that. Migrate the objects to another version, and remove the old one from \
                        `status.storedVersions` of the CustomResourceDefinition";
        assert_eq!(notices("[v1alpha1, v1]", CRD), [expected]);
    }

    /// The objects were migrated before the second step.
    #[test]
    fn later_plans_do_not_fail_because_of_the_same_version() {
        let catalog = "package p c\nchannel p c p.v1.0.0 p.v2.0.0>p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0";
        let workbench = world_of(catalog, "[v1alpha1]", CRD);
        let (text, _) = workbench.cluster_manifests();
        let text = text.replace("spec: {name: p,", "spec: {name: p, startingCSV: p.v1.0.0,");
        let view = simulate(&workbench.with_cluster(&text), "");
        assert_eq!(view.outcomes[0].subscriptions[0].verdict, "ends at p.v2.0.0");
        assert_eq!(view.notices.len(), 1, "{:?}", view.notices);
    }

    #[test]
    fn the_subscription_and_the_events_say_that_the_plan_fails() {
        let workbench = world("[v1alpha1]", CRD);
        let outcome = simulate(&workbench, "").outcomes.remove(0);
        let expected = format!(
            "the InstallPlan of step 1 fails with `{ERROR}`: `p.v1.0.0` stays in phase `Pending`, and OLM installs no later version"
        );
        let row = &outcome.subscriptions[0];
        assert_eq!((row.verdict.as_str(), row.plan_failure.as_ref()), ("installs p.v1.0.0", Some(&expected)));
        let view = timeline(&workbench, "", 0, 0);
        let events = view.groups.iter().flat_map(|group| &group.events);
        let failed = events.filter(|event| event.status == EventStatus::Failed);
        let failed: Vec<_> = failed.map(|event| (event.object, event.text.as_str(), event.detail.as_str())).collect();
        let expected = [
            (ObjectKind::InstallPlan, "fails after the retries (`InstallComponentFailed`)", ERROR),
            (ObjectKind::Subscription, "gets condition `InstallPlanFailed` = `True` (`InstallComponentFailed`)", ERROR),
        ];
        assert_eq!(failed, expected);
        let end = format!("`p.v1.0.0` stays in phase `Pending`, because its InstallPlan failed: `{ERROR}`");
        assert_eq!(view.ends, [end]);
        let workbench = world("[v1]", CRD);
        assert_eq!(simulate(&workbench, "").outcomes[0].subscriptions[0].plan_failure, None);
        assert_eq!(timeline(&workbench, "", 0, 0).ends, ["OLM finds no further update for any Subscription"]);
    }

    #[test]
    fn nothing_is_said_where_all_versions_stay_or_the_new_ones_are_not_known() {
        assert_eq!(notices("[v1]", CRD), [""; 0]);
        // `{"kind":"Service"}`
        assert_eq!(notices("[v1alpha1]", "eyJraW5kIjoiU2VydmljZSJ9"), [""; 0]);
        let migrated = workbench(&[("c", "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0")]);
        assert!(!migrated.catalogs()[0].analysis.catalog.packages[0].bundles[0].has_objects);
    }
}
