//! What becomes of each Subscription: its updates, a verdict in a sentence, and why it does not move on.

use super::wording::{Wording, describe_loop, funnel_title, listed};
use super::{Failure, STEPS, Scenario};
use crate::Workbench;
use catalog::BundleName;
use resolver::{Fact, Outcome, Pick, refused_alternatives, stuck, subscription_funnel};
use simulate::{Approval, Step, Timeline};
use views::{FixView, FunnelView, RefusalView, SubscriptionView};

/// The verdict when the resolver gave up.
const UNKNOWN: &str = "Opscope cannot tell what OLM does next";

/// Where each Subscription of the namespace ends. `failure` says why the last step has no answer.
pub(super) fn views(
    workbench: &Workbench,
    scenario: &Scenario,
    timeline: &Timeline,
    failure: &Failure,
) -> Vec<SubscriptionView> {
    let steps = &timeline.steps;
    let here =
        scenario.cluster.subscriptions.iter().filter(|subscription| subscription.namespace == scenario.namespace);
    let views = here.map(|subscription| {
        let spec = &subscription.spec;
        let updates = steps.iter().flat_map(|step| &step.updated_subscriptions);
        let mine = updates.filter(|update| update.name == spec.name).map(|update| update.current_csv.to_string());
        let reasons = why_no_update(workbench, scenario, spec, steps);
        let installed = scenario.cluster.installed(subscription);
        SubscriptionView {
            name: spec.name.to_string(),
            package: spec.package.to_string(),
            catalog: spec.catalog.as_ref().map(|key| key.name.to_string()).unwrap_or_default(),
            installed: installed.map(ToString::to_string),
            hops: installed.into_iter().map(ToString::to_string).chain(mine).collect(),
            refused: reasons.refused,
            stuck: reasons.stuck,
            fixes: reasons.fixes,
            funnel: reasons.funnel,
            verdict: verdict(spec, installed, timeline, failure),
        }
    });
    views.collect()
}

/// The verdict on a Subscription after all steps; `installed` is what it has before the first.
fn verdict(
    spec: &resolver::Subscription,
    installed: Option<&BundleName>,
    timeline: &Timeline,
    failure: &Failure,
) -> String {
    if let Some(round) = timeline.cycling_csvs().get(&spec.name) {
        return describe_loop(round);
    }
    let steps = &timeline.steps;
    let is_mine = |step: &Step| step.updated_subscriptions.iter().any(|update| update.name == spec.name);
    let moves = steps.iter().filter(|step| is_mine(step)).count();
    let until = steps.iter().rposition(is_mine).map_or(0, |at| at + 1);
    let manual = |step: &&Step| step.install_plan_created && step.approval == Approval::Manual;
    let approved = match steps[..until].iter().filter(manual).count() {
        0 => String::new(),
        1 => " after 1 approval".to_owned(),
        more => format!(" after {more} approvals"),
    };
    let last = last(spec, steps).or(installed);
    let failure = steps.last().and_then(|step| reason(spec, step, failure));
    let failure = failure.as_deref();
    match (last, failure) {
        (None, Some(UNKNOWN)) => format!("is not installed; {UNKNOWN}"),
        (None, Some(failure)) => format!("is not installed: {failure}"),
        (None, None) => match &spec.installed_csv {
            Some(gone) => format!("has nothing installed: {gone} was deleted, and OLM does not reinstall it"),
            None => "installs nothing".to_owned(),
        },
        (Some(last), Some(UNKNOWN)) if moves == 0 => format!("has {last}; {UNKNOWN}"),
        (Some(last), Some(failure)) if moves == 0 => format!("stays at {last}, because {failure}"),
        (Some(last), Some(failure)) => format!("updates to {last}{approved}, then {failure}"),
        (Some(last), None) if moves == 0 => format!("stays at {last}"),
        (Some(last), None) if timeline.cycle_start.is_none() && is_cut_off(steps) => {
            format!("updates to {last} in {STEPS} steps and continues")
        }
        (Some(last), None) if moves == 1 && installed.is_none() => format!("installs {last}{approved}"),
        (Some(last), None) => format!("ends at {last}{approved}"),
    }
}

/// Why a Subscription does not move.
#[derive(Default)]
struct NoUpdate {
    refused: Vec<RefusalView>,
    stuck: String,
    fixes: Vec<FixView>,
    funnel: Option<FunnelView>,
}

/// Why a Subscription did not move in the last step, although others may have: the better candidates that were refused,
/// else the filter that leaves it no candidate.
fn why_no_update(
    workbench: &Workbench,
    scenario: &Scenario,
    spec: &resolver::Subscription,
    steps: &[Step],
) -> NoUpdate {
    let Some(last) = steps.last() else { return NoUpdate::default() };
    let Outcome::Resolved(resolution) = &last.outcome else { return NoUpdate::default() };
    if last.updated_subscriptions.iter().any(|update| update.name == spec.name) {
        return NoUpdate::default();
    }
    let wording = Wording::new(workbench, scenario, &last.problem);
    let is_mine = |pick: &Pick| match pick.choice.map(|choice| last.problem.fact(choice)) {
        Some(Fact::Wants { subscription, .. }) => {
            last.problem.subscription(*subscription).is_some_and(|other| other.name == spec.name)
        }
        _ => false,
    };
    let at = resolution.picks.iter().position(is_mine);
    let refused = at.and_then(|at| refused_alternatives(&last.problem, &resolution.picks, at).ok());
    let refused = refused.map(|refused| wording.refused_alternatives(&refused)).unwrap_or_default();
    let funnel = subscription_funnel(&last.problem, spec);
    let dry = refused.is_empty() && funnel.dry().is_some();
    let funnel = dry.then(|| wording.funnel(funnel_title(spec), &funnel, Some(spec)));
    let mut reasons = NoUpdate { refused, funnel, ..NoUpdate::default() };
    for stuck in stuck(&last.problem, &last.outcome) {
        if last.problem.subscription(stuck.subscription).is_some_and(|other| other.name == spec.name) {
            reasons.stuck = wording.stuck(&stuck);
            reasons.fixes = stuck.fixes.iter().map(|fix| wording.fix(fix)).collect();
        }
    }
    reasons
}

/// The last CSV that the Subscription is updated to.
fn last<'s>(spec: &resolver::Subscription, steps: &'s [Step]) -> Option<&'s BundleName> {
    let updates = steps.iter().rev().flat_map(|step| &step.updated_subscriptions);
    updates.filter(|update| update.name == spec.name).map(|update| &update.current_csv).next()
}

/// Why there is no next step, as a clause.
fn reason(spec: &resolver::Subscription, step: &Step, failure: &Failure) -> Option<String> {
    step.error.as_ref()?;
    Some(match &step.outcome {
        Outcome::Unsolvable(_) => blocked(spec, step, failure).unwrap_or_else(|| "OLM finds no solution".to_owned()),
        Outcome::GaveUp(_) => UNKNOWN.to_owned(),
        Outcome::Resolved(_) | Outcome::Prevented(_) => "OLM stops with an error".to_owned(),
    })
}

/// The Subscriptions in conflict, if this one is not among them. OLM then resolves nothing for the whole namespace.
fn blocked(spec: &resolver::Subscription, step: &Step, failure: &Failure) -> Option<String> {
    let conflicts = &failure.conflicts.as_ref()?.as_ref().ok()?.conflicts;
    let anchors = conflicts.iter().flat_map(|conflict| conflict.anchors(&step.problem));
    let others: Vec<&resolver::Subscription> = anchors.filter_map(|id| step.problem.subscription(id)).collect();
    if conflicts.is_empty() || others.iter().any(|other| other.name == spec.name) {
        return None;
    }
    let names: Vec<String> = others.iter().map(|other| format!("`{}`", other.name)).collect();
    Some(match names.as_slice() {
        [] => "OLM finds no solution, because of what is installed".to_owned(),
        names => format!("OLM finds no solution, because of {}", listed(names.iter().cloned(), "and")),
    })
}

/// Whether the simulation ended only because of the limit on steps.
fn is_cut_off(steps: &[Step]) -> bool {
    steps.len() == STEPS && steps.last().is_some_and(|step| step.install_plan_created)
}

#[cfg(test)]
mod tests {
    use crate::testing::{example, workbench};
    use views::{ClusterInput, SubscriptionView};

    fn first(workbench: &crate::Workbench, input: &ClusterInput) -> SubscriptionView {
        workbench.simulate(input).outcomes[0].subscriptions[0].clone()
    }

    #[test]
    fn a_deleted_csv_is_not_installed() {
        for (slug, hops, verdict) in [
            ("deleted-without-starting-csv", vec!["store.v3.0.0"], "installs store.v3.0.0"),
            ("after-the-csv-was-deleted", vec!["store.v1.0.0", "store.v2.0.0", "store.v3.0.0"], "ends at store.v3.0.0"),
        ] {
            let (workbench, input) = example(slug);
            let view = first(&workbench, &input);
            assert_eq!(
                (view.installed, view.hops, view.verdict.as_str()),
                (None, hops.iter().map(ToString::to_string).collect(), verdict)
            );
            let form = workbench.simulate(&input).manifests.unwrap().form;
            assert_eq!(form.subscriptions[0].installed, "", "the form does not bring it back either");
        }
    }

    #[test]
    fn a_deleted_csv_is_not_reinstalled() {
        let catalog = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0";
        let spec = "kind: CatalogSource\nmetadata: {name: c, namespace: olm}\n---\nkind: Subscription\nmetadata: {name: s, namespace: ns}\nspec: {name: p, source: c, sourceNamespace: olm}\nstatus: {currentCSV: p.v1.0.0, installedCSV: p.v1.0.0}\n";
        let input = ClusterInput::Manifests { text: spec.to_owned(), namespace: String::new() };
        let view = first(&workbench(&[("c", catalog)]), &input);
        assert_eq!(view.verdict, "has nothing installed: p.v1.0.0 was deleted, and OLM does not reinstall it");
    }
}
