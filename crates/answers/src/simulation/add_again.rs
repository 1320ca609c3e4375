//! A fix of two steps: a new Subscription is taken out until the others are updated, and added again.

use super::run::never_met;
use super::scenario::Scenario;
use super::wording::Wording;
use catalog::BundleName;
use cluster::{Cluster, InputChange, Subscription};
use resolver::Fix;
use simulate::{Step, Timeline, timeline_and_end};
use source::name_list;
use std::collections::BTreeMap;
use std::sync::Arc;
use views::FixView;

/// The most resolutions of each step.
pub(super) const STEPS: usize = 50;
/// The most Subscriptions that are named as those to wait for.
const NAMED: usize = 2;

/// The fix that deletes a Subscription, as one that adds it again later, if the namespace can be resolved with it then.
/// Both steps are simulated to their end.
pub(super) fn later(wording: &Wording<'_>, step: &Step, fix: &Fix, view: &FixView) -> Option<FixView> {
    let scenario = wording.scenario;
    let [InputChange::DropSubscription { subscription }] = &fix.changes[..] else { return None };
    let is_here = |one: &&Subscription| one.namespace == scenario.namespace;
    let installed = installed_now(scenario);
    if installed != step.installed || installed.contains_key(subscription) {
        return None;
    }
    let taken =
        scenario.cluster.subscriptions.iter().filter(is_here).find(|one| one.spec.name == *subscription)?.clone();
    let mut without = scenario.cluster.clone();
    without.subscriptions.retain(|one| !is_here(&one) || one.spec.name != *subscription);
    let (first, mut end) = carried_out(wording, &without, STEPS)?;
    let reached = &first.steps.last().filter(|_| plans(&first) > 0)?.installed;
    end.subscriptions.push(taken);
    let (second, _) = carried_out(wording, &end, STEPS)?;
    let gets = second.steps.last()?.installed.get(subscription)?;
    let moved: Vec<&str> =
        reached.iter().filter(|(name, csv)| installed.get(*name) != Some(csv)).map(|(_, csv)| csv.as_str()).collect();
    let until = match moved.len() {
        0 => return None,
        count if count <= NAMED => format!("{} {} installed", name_list(moved), if count == 1 { "is" } else { "are" }),
        _ => "the others are at the end of their updates".to_owned(),
    };
    Some(FixView {
        text: format!("take Subscription `{subscription}` out, and add it again once {until}"),
        effects: vec![effect(plans(&first), plans(&second), gets)],
        removes: false,
        later: Some(format!("add Subscription `{subscription}` again once {until}")),
        ..view.clone()
    })
}

// What all fixes of several steps need.

/// What OLM does with a changed cluster of the scenario, in at most so many resolutions, and the cluster after them. `None` if
/// it stops with an error, repeats itself, or installs what never runs.
pub(super) fn carried_out(wording: &Wording<'_>, changed: &Cluster, steps: usize) -> Option<(Timeline, Cluster)> {
    let scenario = wording.scenario;
    let modes = scenario.modes(wording.workbench);
    let (timeline, end) = timeline_and_end(changed, &scenario.namespace, &scenario.snapshots, &modes, steps);
    let never_runs = timeline.last_resolution().is_some_and(|last| !last.csv_failures.is_empty());
    let lacks_kubernetes = never_met(wording.workbench, scenario, &timeline).is_some();
    let is_refused = timeline.steps.iter().any(|step| step.error.is_some());
    let ends = timeline.cycle_start.is_none() && !never_runs && !lacks_kubernetes && !is_refused;
    ends.then_some((timeline, end))
}

/// What is installed for the Subscriptions of the namespace. If a resolution has something else, other plans come before it, and the
/// cluster after those is not known here.
pub(super) fn installed_now(scenario: &Scenario) -> BTreeMap<Arc<str>, BundleName> {
    let here = scenario.cluster.subscriptions.iter().filter(|one| one.namespace == scenario.namespace);
    here.filter_map(|one| Some((one.spec.name.clone(), scenario.cluster.installed(one).name()?.clone()))).collect()
}

/// How many InstallPlans a timeline has.
pub(super) fn plans(timeline: &Timeline) -> usize {
    timeline.steps.iter().filter(|step| step.install_plan_created).count()
}

/// The effect of steps of which the last one installs what was asked for.
pub(super) fn effect(before: usize, last: usize, csv: &BundleName) -> String {
    let count = |count: usize| if count == 1 { "1 plan".to_owned() } else { format!("{count} plans") };
    match last {
        0 => format!("that takes {}", count(before)),
        1 => format!("that takes {}; then 1 plan installs `{csv}`", count(before)),
        _ => format!("that takes {}; then {} install `{csv}`", count(before), count(last)),
    }
}

#[cfg(test)]
mod tests {
    use crate::simulate;
    use crate::testing::{form, with_form};
    use session::testing::workbench;
    use views::SubscriptionForm;

    const CACHE: &str = "package cache c\nchannel cache c cache.v3.0.0>cache.v2.0.0 cache.v2.0.0>cache.v1.0.0 \
                         cache.v1.0.0\nbundle cache 1.0.0\nbundle cache 2.0.0\nbundle cache 3.0.0\n";

    /// The fixes that take something out, each with its first effect.
    fn fixes(app: &str, installed: &str) -> Vec<String> {
        let row = |package: &str, installed: &str| SubscriptionForm {
            package: package.to_owned(),
            installed: installed.to_owned(),
            ..SubscriptionForm::default()
        };
        let workbench = workbench(&[("c", &format!("{CACHE}{app}"))]);
        let view = simulate(&with_form(workbench, &form(&[row("app", ""), row("cache", installed)])), "");
        let failure = view.outcomes[0].steps.last().and_then(|step| step.failure.as_ref()).unwrap();
        let fixes = failure.fixes.iter().filter(|fix| fix.text.contains("Subscription `app`"));
        fixes.map(|fix| format!("{}: {}", fix.text, fix.effects[0])).collect()
    }

    #[test]
    fn a_subscription_is_added_again_once_what_it_needs_is_there() {
        let app = "package app c\nchannel app c app.v1.0.0\nbundle app 1.0.0 requires cache >=3.0.0";
        let expected = "take Subscription `app` out, and add it again once `cache.v3.0.0` is installed: that takes 2 plans; \
                        then 1 plan installs `app.v1.0.0`";
        assert_eq!(fixes(app, "cache.v1.0.0"), [expected]);
    }

    #[test]
    fn one_that_never_resolves_is_only_deleted() {
        let app = "package app c\nchannel app c app.v1.0.0\nbundle app 1.0.0 requires cache >=4.0.0";
        assert_eq!(
            fixes(app, "cache.v1.0.0"),
            ["delete Subscription `app`: OLM then installs `cache.v2.0.0` (in place of `cache.v1.0.0`)"]
        );
    }
}
