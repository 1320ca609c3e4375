//! The simulation: what OLM does with the cluster of manifests.

mod add_again;
mod behind;
mod board;
mod csv_failures;
mod differences;
mod extensions;
mod fix_edit;
mod manifests;
mod namespace_state;
mod namespaces;
mod new_subscription;
mod run;
mod scenario;
mod scene;
mod steps;
mod subscriptions;
mod timeline;
mod tried;
mod why_not;
mod wording;

pub use namespace_state::namespace_states;
pub(crate) use namespace_state::{cluster_after_current, current_states};
pub use namespaces::namespaces;
pub use new_subscription::new_subscription;
pub use run::{
    SimulationRun, begin_simulation, continue_simulation, explained_state, finish_simulation, simulate,
    simulation_within, simulations_within,
};
pub use scenario::SimulationLimits;
pub(crate) use scenario::{KnownModes, Scenario};
pub use scene::scene;
pub use steps::{ResolutionTotal, resolution};
pub use timeline::timeline;
pub use tried::try_change;
pub use why_not::why_not;
pub(crate) use wording::requirement;

use scenario::Failure;
use session::{Exchange, Workbench};
use simulate::Timeline;
use timeline::PlanFailure;
use views::{OutcomeView, StepView};

/// The cluster, ready to be simulated in a namespace; if that is empty or has no Subscription, in the first one that has.
pub(crate) fn scenario(workbench: &Workbench, namespace: &str) -> Scenario {
    manifests::scenario(workbench, workbench.manifests(), namespace, None)
}

/// The same where a catalog is exchanged.
pub(crate) fn exchange_scenario(workbench: &Workbench, exchange: Exchange<'_>) -> Scenario {
    manifests::scenario(workbench, workbench.manifests(), "", Some(exchange))
}

/// An outcome without the condition under which it happens.
fn outcome(
    workbench: &Workbench,
    scenario: &Scenario,
    timeline: &Timeline,
    failures: &[PlanFailure],
    is_served: bool,
    explained: usize,
) -> OutcomeView {
    let failure = timeline.steps.last().map(Failure::of).unwrap_or_default();
    let subscriptions = subscriptions::views(workbench, scenario, timeline, &failure, failures, is_served, explained);
    let steps: Vec<StepView> =
        timeline.steps.iter().map(|step| steps::view(workbench, scenario, step, &failure, explained)).collect();
    let mut outcome = OutcomeView {
        board: board::view(workbench, scenario, timeline, &failure, &subscriptions, &steps),
        steps,
        subscriptions,
        csv_failures: csv_failures::views(scenario, timeline),
        when: String::new(),
    };
    if scenario.is_before_resolution() {
        // They are of another cluster, and what goes on must not be stopped.
        outcome.subscriptions.iter_mut().for_each(|row| row.fixes.clear());
        outcome.csv_failures.iter_mut().for_each(|row| row.fixes.clear());
        outcome.steps.iter_mut().filter_map(|step| step.failure.as_mut()).for_each(|failure| failure.fixes.clear());
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{form, with_form};
    use session::testing::workbench;
    use views::SubscriptionForm;

    /// The default outcome: a line for each step with what it selects, then one for each Subscription with its verdict.
    fn lines(catalogs: &[(&str, &str)], subscriptions: &[SubscriptionForm]) -> Vec<String> {
        let view = simulate(&with_form(workbench(catalogs), &form(subscriptions)), "");
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

    const NO_GROUP: &str =
        "the manifests have no OperatorGroup in namespace `operators`; one for all namespaces is assumed";

    #[test]
    fn an_installed_bundle_is_updated_step_by_step() {
        let expected = ["p.v2.0.0", "p.v3.0.0", "p: ends at p.v3.0.0"];
        assert_eq!(lines(&[("c", CHAIN)], &[subscription("p", "p.v1.0.0")]), expected);
        assert_eq!(lines(&[("c", CHAIN)], &[subscription("p", "p.v3.0.0")]), ["", "p: stays at p.v3.0.0"]);
    }

    #[test]
    fn manual_approvals_are_counted() {
        let manual = SubscriptionForm { approval: "Manual".to_owned(), ..subscription("p", "p.v1.0.0") };
        let expected = ["p.v2.0.0", "p.v3.0.0", "p: ends at p.v3.0.0 after 2 approvals"];
        assert_eq!(lines(&[("c", CHAIN)], std::slice::from_ref(&manual)), expected);
        let view = simulate(&with_form(workbench(&[("c", CHAIN)]), &form(&[manual])), "");
        assert_eq!(view.notices, [NO_GROUP, run::MANUAL]);
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
        let verdict = "p: updates in an endless loop: p.v2.0.0 → p.v1.0.0 → p.v2.0.0";
        // The properties of the first CSV are those of its annotation, and have no place in a catalog.
        assert_eq!(lines, ["p.v1.0.0", "p.v2.0.0", "p.v1.0.0", verdict]);
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
            "no loaded catalog has the installed `q.v1.0.0`, so what it provides and requires is unknown",
            NO_GROUP,
        ];
        assert_eq!(simulate(&with_form(workbench(&[("c", CHAIN)]), &form), "").notices, expected);
    }

    #[test]
    fn only_the_first_of_two_catalogs_with_one_name_is_used() {
        let mut workbench = workbench(&[("c", CHAIN), ("d", CHAIN)]);
        workbench.set_metadata(views::CatalogId(1), "c", "olm", 0);
        let view = simulate(&with_form(workbench, &form(&[subscription("p", "")])), "");
        assert_eq!(view.notices, ["two catalogs are named `c` in namespace `olm`; only the first is used", NO_GROUP]);
        assert_eq!(view.outcomes[0].subscriptions[0].verdict, "installs p.v3.0.0");
    }
}
