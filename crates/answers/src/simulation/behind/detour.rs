//! The fix of a stuck Subscription that leads to the head of its channel through other channels.

use crate::simulation::add_again::{STEPS, carried_out, effect, installed_now, plans};
use crate::simulation::wording::Wording;
use crate::subject::CHANNELS;
use catalog::BundleName;
use cluster::{Approval, InputChange, SubscriptionSpec};
use resolver::{Fix, Stuck};
use simulate::Step;
use std::slice;
use std::sync::Arc;
use update_graph::{Stage, Ways};
use views::{FixView, RepairsView, stages_in_words};

/// The fixes of a stuck Subscription, if the head of its channel can be reached through other channels: first the way to it, then
/// other changes of the channel after which it can still be reached.
pub(super) fn fixes(
    wording: &Wording<'_>,
    step: &Step,
    (spec, stuck): (&SubscriptionSpec, &Stuck),
    repairs: Option<&RepairsView>,
) -> Option<Vec<FixView>> {
    let catalog = wording.scenario.stands_for(wording.workbench, &stuck.catalog)?;
    let package = catalog.analysis.catalog.package(spec.package.as_str())?;
    let ways = Ways::of(package, slice::from_ref(&stuck.installed), CHANNELS);
    let to = ways.channels.iter().position(|known| known.channel.name.value == stuck.channel)?;
    let reaches = |csv: &BundleName| ways.reached(csv)?.way_to_head(to);
    let mut stages = reaches(&stuck.installed)?;
    let (first, asked) = (stages.first()?.channel, ways.channels[to].channel);
    if stages.last()?.channel != asked {
        stages.push(Stage { channel: asked, until: stages.last()?.until, hops: 0, goes_on: false });
    }
    let is_first =
        |fix: &&Fix| matches!(&fix.changes[..], [InputChange::Channel { channel, .. }] if *channel == first.name.value);
    let plain = stuck.fixes.iter().find(is_first)?;
    let is_now = installed_now(wording.scenario) == step.installed;
    let plans = is_now.then(|| carry_out(wording, spec, &stages))??;
    let (last, before) = plans.split_last()?;
    let mut fix = plain.clone();
    let past = stages.iter().find(|stage| stage.goes_on && step.approval == Approval::Automatic);
    fix.changes.extend(past.map(|_| InputChange::Manual { subscription: Arc::clone(&spec.name) }));
    let mut view = wording.own_fix(&fix, stuck, repairs);
    let channels =
        stages_in_words(stages.iter().map(|stage| (stage.channel.name.value.as_str(), format!("`{}`", stage.until))));
    let manual = if past.is_some() { "set approval Manual and " } else { "" };
    view.text = format!("{manual}switch Subscription `{}` to channel {channels}", spec.name);
    view.effects[0] = effect(before.iter().sum(), *last, stages.last()?.until);
    view.effects.extend(past.map(|stage| format!("with approval Automatic, OLM updates past `{}`", stage.until)));
    let keeps_way = |fix: &&Fix| {
        fix.installs.iter().any(|install| install.package == spec.package && reaches(&install.name).is_some())
    };
    let others = stuck.fixes.iter().filter(keeps_way).map(|fix| wording.own_fix(fix, stuck, repairs));
    Some([view].into_iter().chain(others).collect())
}

/// Simulates the stages one after the other. The number of InstallPlans of each; `None` if one does not end as the graph says.
fn carry_out(wording: &Wording<'_>, spec: &SubscriptionSpec, stages: &[Stage<'_>]) -> Option<Vec<usize>> {
    let (mut cluster, namespace) = (wording.scenario.cluster.clone(), &wording.scenario.namespace);
    let mut counts = Vec::new();
    for (at, stage) in (1..).zip(stages) {
        let mut all = cluster.subscriptions.iter_mut();
        let own = all.find(|one| one.namespace == *namespace && one.spec.name == spec.name)?;
        own.spec.channel = Some(stage.channel.name.value.clone());
        let steps = if at == stages.len() { STEPS } else { stage.hops as usize };
        let (timeline, end) = carried_out(wording, &cluster, steps)?;
        timeline.steps.last().filter(|step| step.installed.get(&spec.name) == Some(stage.until))?;
        counts.push(plans(&timeline));
        cluster = end;
    }
    Some(counts)
}

#[cfg(test)]
mod tests {
    use crate::simulate;
    use crate::testing::{form, with_form};
    use session::testing::workbench;
    use views::{InputEdit, SubscriptionForm, TextEdit};

    #[test]
    fn the_edit_of_a_detour_makes_olm_wait_where_it_would_go_past() {
        let catalog = "package p c\nchannel p c p.v3.0.0>p.v2.0.0\nchannel p two p.v2.1.0>p.v2.0.0 p.v2.0.0>p.v1.0.0\n\
                       channel p one p.v1.1.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0\nbundle p 2.0.0\nbundle p 2.1.0\n\
                       bundle p 3.0.0";
        let [package, channel, installed] = ["p", "c", "p.v1.0.0"].map(str::to_owned);
        let row = SubscriptionForm { package, channel, installed, ..SubscriptionForm::default() };
        let mut workbench = with_form(workbench(&[("c", catalog)]), &form(&[row]));
        let fixes = simulate(&workbench, "").outcomes[0].subscriptions[0].fixes.clone();
        let texts: Vec<&str> = fixes.iter().map(|fix| fix.text.as_str()).collect();
        let detour = "set approval Manual and switch Subscription `p` to channel `two` until `p.v2.0.0` is installed, then to `c`";
        assert_eq!(texts, [detour, "switch Subscription `p` to channel `two`"], "`one` leads past the way");
        let Some(InputEdit::Manifests(splices)) = &fixes[0].edit else { panic!("{:?}", fixes[0]) };
        let text = TextEdit::applied(splices, workbench.cluster_manifests().0).unwrap();
        workbench.set_cluster(&text);
        assert_eq!(simulate(&workbench, "").outcomes[0].subscriptions[0].verdict, "ends at p.v2.1.0 after 2 approvals");
    }
}
