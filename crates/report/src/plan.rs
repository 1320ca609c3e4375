//! What is reported of plans for an update of OpenShift: a checklist with commands.

use crate::item::{Block, Grade, Item, Note, Report};
use views::{OpenShift, PlanAction, PlanTurn, PlanView, PlansView, Severity};

/// What no plan takes into account.
const ASSUMPTIONS: &str = "It is assumed that the catalogs stay as they are, that updates by themselves are over before the next \
                           step, and that every operator stays healthy";

/// What else decides.
const OTHERS: &str = "OpenShift has other reasons to stop an update, which `oc adm upgrade` shows. There is no way back to an \
                      earlier minor version";

/// What stops the update, the operators that end badly, and the steps on each version of OpenShift.
#[must_use]
pub fn plans(view: &PlansView) -> Report {
    let mut report = Report {
        title: "Update of OpenShift".to_owned(),
        summary: Some(view.sentence.trim_end_matches('.').to_owned()),
        remarks: view.catalogs.iter().map(|text| format!("Catalogs of {text}")).collect(),
        ..Report::default()
    };
    report.remarks.push(if view.is_planned() { format!("{ASSUMPTIONS}. {OTHERS}") } else { OTHERS.to_owned() });
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
    if !view.is_planned() {
        section(&mut report, "Before the update", waiting(view));
        return report;
    }
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

/// The InstallPlans that wait for an approval.
fn waiting(view: &PlansView) -> Vec<Item> {
    let waiting = view.plans.iter().filter_map(|plan| Some((plan, plan.waiting.as_ref()?)));
    waiting.map(|(plan, text)| Item::new(Grade::Step, "", format!("{}: {text}", title(plan)))).collect()
}

/// What is done on a version of OpenShift, and the update to the next one.
fn steps(view: &PlansView, version: OpenShift, next: Option<OpenShift>, is_first: bool) -> Vec<Item> {
    let step =
        |text: String, commands: &[String]| Item { commands: commands.to_vec(), ..Item::new(Grade::Step, "", text) };
    let mut items = if is_first { waiting(view) } else { Vec::new() };
    for turn in view.turns_on(version) {
        items.push(step(format!("{}: {}", turn_title(&turn), turn.text()), turn.commands()));
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

/// What a turn is about: an operator, or a namespace.
fn turn_title(turn: &PlanTurn<'_>) -> String {
    match &turn.rows[..] {
        [(plan, _)] => title(plan),
        rows => rows.first().map(|(plan, _)| format!("namespace `{}`", plan.namespace)).unwrap_or_default(),
    }
}

fn title(plan: &PlanView) -> String {
    let channel = if plan.channel.is_empty() { String::new() } else { format!(" ({})", plan.channel) };
    format!("`{}`{channel} in `{}`", plan.package, plan.namespace)
}
