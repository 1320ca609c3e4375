//! What is reported of plans for an update of OpenShift: a checklist with commands.

use crate::item::{Block, Grade, Item, Note, Report};
use std::collections::BTreeMap;
use views::{OpenShift, PlanAction, PlanStep, PlanView, PlansView, Severity};

/// What no plan takes into account.
const ASSUMPTIONS: &str = "It is assumed that the catalogs stay as they are, that updates by themselves are over before the next \
                           step, and that every operator stays healthy. OpenShift has other reasons to stop an update, which \
                           `oc adm upgrade` shows. There is no way back to an earlier minor version";

/// What stops the update, the operators that end badly, and the steps on each version of OpenShift.
#[must_use]
pub fn plans(view: &PlansView) -> Report {
    let mut report = Report {
        title: "Update of OpenShift".to_owned(),
        summary: Some(view.sentence.trim_end_matches('.').to_owned()),
        remarks: view.catalogs.iter().map(|text| format!("Catalogs of {text}")).collect(),
        ..Report::default()
    };
    report.remarks.push(ASSUMPTIONS.to_owned());
    let error = Grade::Finding(Severity::Error);
    view.freestanding.iter().for_each(|text| report.push(Item::new(error, "", &**text)));
    view.notices.iter().for_each(|text| report.push(Item::new(Grade::Notice, "", &**text)));
    for gate in &view.gates {
        let title = format!("OpenShift {} cannot be left. OLM says:", gate.openshift);
        report.blocks.extend([Block::Heading(title), Block::Verbatim(gate.message.clone())]);
    }
    let troubled = view.plans.iter().filter_map(|plan| {
        let reason = plan.reason.as_ref()?;
        let mut item = Item::new(error, "", format!("{}: {}", title(plan), reason.sentence));
        item.notes.extend(reason.lifts.iter().map(|lift| Note::of("possible", &**lift)));
        Some(item)
    });
    section(&mut report, "Without a good end", troubled.collect());
    let below = view.plans.iter().filter(|plan| !plan.is_at_head()).map(|plan| {
        let sentence = plan.rest.as_ref().map(|rest| &*rest.sentence).unwrap_or_default();
        Item::new(Grade::Notice, "", format!("{}: {sentence}", title(plan)))
    });
    section(&mut report, "Below the head in the end", below.collect());
    for (at, version) in view.way.iter().enumerate() {
        let next = view.way.get(at + 1).copied();
        let steps = steps(view, *version, next, at == 0);
        report.blocks.push(Block::Heading(format!("On {version}")));
        if steps.is_empty() {
            report.blocks.push(Block::Line("Nothing to do, and nothing happens.".to_owned()));
        }
        steps.into_iter().for_each(|step| report.push(step));
        if view.gates.iter().any(|gate| gate.openshift == *version) {
            break;
        }
    }
    report
}

/// Items under a heading, if there are any.
fn section(report: &mut Report, title: &str, items: Vec<Item>) {
    if !items.is_empty() {
        report.blocks.push(Block::Heading(title.to_owned()));
        items.into_iter().for_each(|item| report.push(item));
    }
}

/// What is done on a version of OpenShift, and the update to the next one. Updates of an operator by themselves that follow each
/// other are one step.
fn steps(view: &PlansView, version: OpenShift, next: Option<OpenShift>, is_first: bool) -> Vec<Item> {
    let step =
        |text: String, commands: &[String]| Item { commands: commands.to_vec(), ..Item::new(Grade::Step, "", text) };
    let waiting = view.plans.iter().filter(|_| is_first).filter_map(|plan| Some((plan, plan.waiting.as_ref()?)));
    let mut items: Vec<Item> = waiting.map(|(plan, text)| step(format!("{}: {text}", title(plan)), &[])).collect();
    let mut namespaces: BTreeMap<&str, Vec<(&PlanView, Vec<&PlanStep>)>> = BTreeMap::new();
    for plan in &view.plans {
        namespaces.entry(&plan.namespace).or_default().push((plan, plan.steps_on(version).collect()));
    }
    for (namespace, mut left) in namespaces {
        // One InstallPlan updates the whole namespace, and is approved once.
        loop {
            for (plan, steps) in &mut left {
                let is_approved = |step: &&PlanStep| step.what == PlanAction::Approve;
                let before = steps.iter().position(is_approved).unwrap_or(steps.len());
                let before: Vec<&PlanStep> = steps.drain(..before).collect();
                for run in before.chunk_by(|one, other| one.automatic && other.automatic) {
                    let Some(last) = run.last() else { continue };
                    let text = match (last.automatic, run.len()) {
                        (false, _) => last.text.clone(),
                        (true, 1) => format!("wait until OLM has installed `{}`", last.to),
                        (true, count) => format!("wait until OLM has installed `{}`, after {count} updates", last.to),
                    };
                    items.push(step(format!("{}: {text}", title(plan)), &last.commands));
                }
            }
            // One that the cluster has comes first, and has a name.
            let next = left.iter().filter_map(|(_, steps)| steps.first());
            let Some(name) = next.map(|step| step.install_plan.clone()).max() else { break };
            let mut approved: Vec<(&PlanView, &PlanStep)> = Vec::new();
            for (plan, steps) in &mut left {
                if steps.first().is_some_and(|step| step.install_plan == name) {
                    approved.push((plan, steps.remove(0)));
                }
            }
            match &approved[..] {
                [(plan, one)] => items.push(step(format!("{}: {}", title(plan), one.text), &one.commands)),
                several => {
                    let to: Vec<String> = several.iter().map(|(_, one)| format!("`{}`", one.to)).collect();
                    let name = if name.is_empty() { String::new() } else { format!(" `{name}`") };
                    let text = format!(
                        "namespace `{namespace}`: approve the InstallPlan{name} that updates to {}",
                        to.join(", ")
                    );
                    items.push(step(text, several.first().map(|(_, one)| &one.commands[..]).unwrap_or_default()));
                }
            }
        }
    }
    items.extend(view.frozen_on(version).map(|sentence| Item::new(Grade::Notice, "", sentence)));
    let is_left = view.gates.iter().all(|gate| gate.openshift != version);
    if let Some(next) = next.filter(|_| is_left) {
        let mut all = view.plans.iter().flat_map(|plan| &plan.steps);
        let update = all.find(|step| step.what == PlanAction::OpenShift && step.openshift == version);
        let commands = update.map(|step| &step.commands[..]).unwrap_or_default();
        items.push(step(format!("update OpenShift to {next}"), commands));
    }
    items
}

fn title(plan: &PlanView) -> String {
    let channel = if plan.channel.is_empty() { String::new() } else { format!(" ({})", plan.channel) };
    format!("`{}`{channel} in `{}`", plan.package, plan.namespace)
}
