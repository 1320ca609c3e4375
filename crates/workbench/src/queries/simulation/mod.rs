//! The simulation: what OLM does with a cluster, given as a form or as manifests.

mod behind;
mod blocked;
mod course;
mod differences;
mod export;
mod extension_form;
mod extensions;
mod fix_edit;
mod form;
mod form_from_manifests;
mod manifests;
mod sources;
mod steps;
mod stored_versions;
mod subscriptions;
mod timeline;
mod why_not;
mod wording;

pub use sources::pairing;
pub(in crate::queries) use wording::requirement;

use crate::{CatalogInput, Workbench};
use manifests::ManifestText;
use resolver::{CatalogKey, Conflicts, GaveUp, Outcome, Snapshot, conflicts};
use simulate::{Cluster, Manifests, Snapshots, Step, Timeline, Timelines, timeline, timelines};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use stored_versions::PlanFailure;
use views::{
    CatalogId, ClusterForm, ClusterInput, ExtensionView, FormFault, ManifestsView, OutcomeView, SimulationView,
};

/// The limit on resolutions, one after the other.
const STEPS: usize = 50;
/// The limit on outcomes.
const OUTCOMES: usize = 16;
/// With fewer Subscriptions, all outcomes are found about as soon as the first one.
const MANY_SUBSCRIPTIONS: usize = 50;
/// The number of new bundles of a step for which refused alternatives are explained, and of Subscriptions that are held
/// back in it. All outcomes share it, because each explanation is a search.
const EXPLAINED: usize = 40;
/// The notice about InstallPlans that wait for approval.
const MANUAL: &str = "every InstallPlan of the namespace waits for approval, because a Subscription has approval Manual; the steps show what happens after each approval";

/// A cluster that is ready to be simulated.
pub(in crate::queries) struct Scenario {
    pub(in crate::queries) cluster: Cluster,
    /// The namespace to resolve; empty when there is none.
    namespace: Arc<str>,
    pub(in crate::queries) snapshots: Snapshots,
    /// The loaded catalog that stands for each CatalogSource.
    pub(in crate::queries) bound: BTreeMap<CatalogKey, CatalogId>,
    /// What the user should know before reading the results.
    pub(in crate::queries) notices: Vec<String>,
    /// What was read, if it was manifests.
    manifests: Option<ManifestsView>,
    /// The text of the manifests, with the places of its objects.
    text: Option<ManifestText>,
    /// CatalogSources that do not answer, with the state of the connection.
    unreachable: BTreeMap<CatalogKey, Box<str>>,
    /// The form, if it was one.
    form: Option<ClusterForm>,
    /// The index in the form of each Subscription, by name.
    rows: BTreeMap<Arc<str>, usize>,
    /// What OLM v1 does with its ClusterExtensions.
    extensions: Vec<ExtensionView>,
    /// What is wrong with fields of the form.
    faults: Vec<FormFault>,
}

impl Workbench {
    /// Simulates OLM, resolution by resolution, until nothing changes.
    #[must_use]
    pub fn simulate(&self, input: &ClusterInput) -> SimulationView {
        let scenario = self.scenario(input);
        if scenario.subscriptions() == 0 {
            let Scenario { notices, manifests, extensions, faults, .. } = scenario;
            return SimulationView { notices, manifests, extensions, faults, ..SimulationView::default() };
        }
        let found = timelines(&scenario.cluster, &scenario.namespace, &scenario.snapshots, STEPS, OUTCOMES);
        let explained = EXPLAINED.div_ceil(found.timelines.len().max(1));
        self.simulation(scenario, found, explained)
    }

    /// The first of the outcomes alone, if finding all of them may take seconds because there are many Subscriptions.
    #[must_use]
    pub fn first_outcome(&self, input: &ClusterInput) -> Option<SimulationView> {
        let scenario = self.scenario(input);
        if scenario.subscriptions() < MANY_SUBSCRIPTIONS {
            return None;
        }
        let first = timeline(&scenario.cluster, &scenario.namespace, &scenario.snapshots, STEPS);
        let found = Timelines { timelines: vec![first], ..Timelines::default() };
        // As many as if all outcomes were there, so that it comes soon.
        let explained = EXPLAINED.div_ceil(OUTCOMES);
        Some(SimulationView { partial: true, ..self.simulation(scenario, found, explained) })
    }

    fn simulation(&self, scenario: Scenario, found: Timelines, explained: usize) -> SimulationView {
        let blocked = blocked::blocked(self, &scenario);
        let conditions = differences::conditions(&found.timelines);
        let timelines = found.timelines.iter().zip(conditions);
        let crds = stored_versions::crds(self, &scenario, found.timelines.iter().flat_map(|line| &line.steps));
        let mut failing: Vec<String> = Vec::new();
        let outcomes = timelines.map(|(line, when)| {
            let failures = PlanFailure::all(&scenario, &crds, line);
            failing.extend(failures.iter().map(PlanFailure::notice));
            self.outcome(&scenario, line, when, &failures, blocked.is_none(), explained)
        });
        let outcomes: Vec<OutcomeView> = outcomes.collect();
        let mut notices = scenario.notices;
        for notice in failing {
            // Outcomes have steps in common.
            if !notices.contains(&notice) {
                notices.push(notice);
            }
        }
        let bound: BTreeSet<CatalogId> = scenario.bound.values().copied().collect();
        notices.extend(bound.iter().filter_map(|id| incomplete(self.catalog(*id)?)));
        if outcomes.iter().flat_map(|outcome| &outcome.steps).any(|step| step.waits_for_approval) {
            notices.push(MANUAL.to_owned());
        }
        let differences = differences::of(&outcomes);
        SimulationView {
            outcomes,
            bounded: found.bounded,
            partial: false,
            blocked,
            notices,
            differences,
            manifests: scenario.manifests,
            extensions: scenario.extensions,
            faults: scenario.faults,
        }
    }
}

/// The notice that a catalog has bundles which are not known.
fn incomplete(catalog: &CatalogInput) -> Option<String> {
    let is_incomplete = catalog.analysis.catalog.packages.iter().any(|package| package.has_unknown_bundles);
    let name = &catalog.name;
    is_incomplete.then(|| {
        format!(
            "template `{name}` has images that no loaded catalog has; the simulation leaves these bundles out, so OLM may choose others"
        )
    })
}

impl Workbench {
    pub(in crate::queries) fn scenario(&self, input: &ClusterInput) -> Scenario {
        match input {
            ClusterInput::Form(form) => form::scenario(self, form),
            ClusterInput::Manifests { text, namespace } => manifests::scenario(self, text, namespace),
        }
    }

    fn outcome(
        &self,
        scenario: &Scenario,
        timeline: &Timeline,
        when: String,
        failures: &[PlanFailure],
        is_served: bool,
        explained: usize,
    ) -> OutcomeView {
        let failure = timeline.steps.last().map(Failure::of).unwrap_or_default();
        OutcomeView {
            steps: timeline.steps.iter().map(|step| steps::view(self, scenario, step, &failure, explained)).collect(),
            subscriptions: subscriptions::views(self, scenario, timeline, &failure, failures, is_served, explained),
            when,
        }
    }
}

/// Why a step has no solution.
#[derive(Default)]
struct Failure {
    /// The conflicts, or why they were not found; `None` if the step did not fail because of conflicts.
    conflicts: Option<Result<Conflicts, GaveUp>>,
}

impl Failure {
    fn of(step: &Step) -> Self {
        let is_conflict = matches!(step.outcome, Outcome::Unsolvable(_));
        Self { conflicts: is_conflict.then(|| conflicts(&step.problem)) }
    }
}

/// The ClusterCatalogs and ClusterExtensions of a form.
pub(in crate::queries) fn form_objects(workbench: &Workbench, form: &ClusterForm) -> Manifests {
    extension_form::read(workbench, form).manifests
}

impl Scenario {
    /// The number of Subscriptions in the namespace.
    fn subscriptions(&self) -> usize {
        self.cluster.subscriptions.iter().filter(|one| one.namespace == self.namespace).count()
    }

    /// The loaded catalog that stands for a CatalogSource.
    fn stands_for<'w>(&self, workbench: &'w Workbench, key: &CatalogKey) -> Option<&'w CatalogInput> {
        workbench.catalog(*self.bound.get(key)?)
    }
}

/// What the CatalogSources of a cluster serve.
fn snapshots(workbench: &Workbench, cluster: &Cluster, bound: &BTreeMap<CatalogKey, CatalogId>) -> Snapshots {
    let served = cluster.catalog_sources.iter().filter_map(|source| {
        let listing = workbench.catalog(*bound.get(&source.key)?)?.analysis.listing();
        let snapshot = Snapshot { key: source.key.clone(), priority: source.priority, listing };
        Some((source.key.clone(), Arc::new(snapshot)))
    });
    served.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{form, workbench};
    use views::SubscriptionForm;

    /// The default outcome: a line for each step with what it selects, then one for each Subscription with its verdict.
    fn lines(catalogs: &[(&str, &str)], subscriptions: &[SubscriptionForm]) -> Vec<String> {
        let view = workbench(catalogs).simulate(&form(subscriptions));
        let outcome = &view.outcomes[0];
        let steps = outcome.steps.iter().map(|step| {
            let names: Vec<&str> = step.selected.iter().map(|selected| selected.csv.name.as_str()).collect();
            names.join(" ")
        });
        let verdicts = outcome.subscriptions.iter().map(|view| format!("{}: {}", view.name, view.verdict));
        steps.chain(verdicts).collect()
    }

    fn subscription(package: &str, installed: &str) -> SubscriptionForm {
        SubscriptionForm { package: package.to_owned(), installed: installed.to_owned(), ..SubscriptionForm::default() }
    }

    const CHAIN: &str = "package p c\nchannel p c p.v3.0.0>p.v2.0.0 p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0";

    #[test]
    fn a_new_subscription_installs_the_head() {
        assert_eq!(lines(&[("c", CHAIN)], &[subscription("p", "")]), ["p.v3.0.0", "p: installs p.v3.0.0"]);
    }

    #[test]
    fn an_installed_bundle_is_updated_step_by_step() {
        let expected = ["p.v2.0.0", "p.v3.0.0", "p: ends at p.v3.0.0"];
        assert_eq!(lines(&[("c", CHAIN)], &[subscription("p", "p.v1.0.0")]), expected);
        assert_eq!(lines(&[("c", CHAIN)], &[subscription("p", "p.v3.0.0")]), ["", "p: stays at p.v3.0.0"]);
    }

    #[test]
    fn manual_approvals_are_counted() {
        let manual = SubscriptionForm { approval: views::Approval::Manual, ..subscription("p", "p.v1.0.0") };
        let expected = ["p.v2.0.0", "p.v3.0.0", "p: ends at p.v3.0.0 after 2 approvals"];
        assert_eq!(lines(&[("c", CHAIN)], std::slice::from_ref(&manual)), expected);
        let view = workbench(&[("c", CHAIN)]).simulate(&form(&[manual]));
        assert_eq!(view.notices, [MANUAL]);
    }

    #[test]
    fn a_starting_csv_is_installed_first() {
        let form = SubscriptionForm { starting_csv: "p.v2.0.0".to_owned(), ..subscription("p", "") };
        assert_eq!(lines(&[("c", CHAIN)], &[form]), ["p.v2.0.0", "p.v3.0.0", "p: ends at p.v3.0.0"]);
    }

    #[test]
    fn a_channel_that_cannot_be_ordered_is_an_error() {
        let catalog = "package p c\nchannel p c p.v1.0.0 p.v2.0.0\nbundle p 1.0.0\nbundle p 2.0.0";
        assert_eq!(
            lines(&[("c", catalog)], &[subscription("p", "")]),
            [
                "",
                "p: is not resolved, because a catalog is not served; otherwise it is not installed: OLM stops with an error"
            ]
        );
        let expected = [
            "",
            "p: is not resolved, because a catalog is not served; otherwise it stays at p.v1.0.0, because OLM stops with an error",
        ];
        assert_eq!(lines(&[("c", catalog)], &[subscription("p", "p.v1.0.0")]), expected);
    }

    #[test]
    fn two_entries_that_update_each_other_loop() {
        let catalog = "package p c\nchannel p c p.v2.0.0>p.v1.0.0 p.v1.0.0~<=2.0.0\nbundle p 1.0.0\nbundle p 2.0.0";
        let lines = lines(&[("c", catalog)], &[subscription("p", "p.v2.0.0")]);
        assert_eq!(lines, ["p.v1.0.0", "p.v2.0.0", "p: updates in an endless loop: p.v1.0.0 → p.v2.0.0 → p.v1.0.0"]);
    }

    #[test]
    fn two_subscriptions_of_one_channel_share_the_bundle() {
        let two = [subscription("p", ""), subscription("p", "")];
        let expected = ["p.v3.0.0", "p: installs p.v3.0.0", "p-2: installs p.v3.0.0"];
        assert_eq!(lines(&[("c", CHAIN)], &two), expected);
    }

    #[test]
    fn two_subscriptions_to_two_channels_conflict() {
        let catalog = format!("{CHAIN}\nchannel p d p.v3.0.0");
        let of = |channel: &str| SubscriptionForm { channel: channel.to_owned(), ..subscription("p", "") };
        let expected =
            ["", "p: is not installed: OLM finds no solution", "p-2: is not installed: OLM finds no solution"];
        assert_eq!(lines(&[("c", &catalog)], &[of("c"), of("d")]), expected);
    }

    #[test]
    fn an_unknown_result_is_reported_as_unknown() {
        let catalog = format!("{CHAIN}\nchannel p d p.v2.0.0~1.0.0_||_||_1.5.0 p.v3.0.0>p.v2.0.0");
        let form = SubscriptionForm { channel: "d".to_owned(), ..subscription("p", "p.v3.0.0") };
        assert_eq!(lines(&[("c", &catalog)], &[form]), ["", "p: has p.v3.0.0; Opscope cannot tell what OLM does next"]);
    }

    #[test]
    fn unknown_names_in_the_form_are_reported() {
        let form = form(&[subscription("q", "q.v1.0.0")]);
        let expected = [
            "no loaded catalog has a package `q`",
            "no loaded catalog has the installed `q.v1.0.0`, so what it provides and requires is unknown, and its version is taken from its name",
        ];
        assert_eq!(workbench(&[("c", CHAIN)]).simulate(&form).notices, expected);
    }

    #[test]
    fn only_the_first_of_two_catalogs_with_one_name_is_used() {
        let mut workbench = workbench(&[("c", CHAIN), ("d", CHAIN)]);
        workbench.set_metadata(views::CatalogId(1), "c", "olm", 0);
        let view = workbench.simulate(&form(&[subscription("p", "")]));
        assert_eq!(view.notices, ["two catalogs are named `c` in namespace `olm`; only the first is used"]);
        assert_eq!(view.outcomes[0].subscriptions[0].verdict, "installs p.v3.0.0");
    }

    #[test]
    fn the_first_outcome_of_many_subscriptions_comes_alone() {
        // The second versions of two packages provide the same API, so that one of them is held back.
        let packages = (0..MANY_SUBSCRIPTIONS).map(|number| {
            let provides = if number < 2 { " provides K" } else { "" };
            format!(
                "package p{number} c\nchannel p{number} c p{number}.v1.0.0 p{number}.v2.0.0>p{number}.v1.0.0\n\
                 bundle p{number} 1.0.0\nbundle p{number} 2.0.0{provides}\n"
            )
        });
        let workbench = workbench(&[("one", &packages.collect::<String>())]);
        let subscriptions: Vec<_> =
            (0..MANY_SUBSCRIPTIONS).map(|number| subscription(&format!("p{number}"), "")).collect();
        let first = workbench.first_outcome(&form(&subscriptions)).unwrap();
        let all = workbench.simulate(&form(&subscriptions));
        assert_eq!((first.partial, first.outcomes.len(), all.partial, all.outcomes.len()), (true, 1, false, 2));
        let verdicts = |view: &SimulationView| -> Vec<String> {
            view.outcomes[0].subscriptions.iter().map(|found| found.verdict.clone()).collect()
        };
        assert_eq!(verdicts(&first), verdicts(&all));
        assert_eq!(workbench.first_outcome(&form(&subscriptions[1..])), None);
    }
}
