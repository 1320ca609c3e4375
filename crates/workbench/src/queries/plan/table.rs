//! Plans as a table for the page.

use super::is_at_head;
use views::{GateView, OpenShift, PlanCell, PlanRow, PlanStation, PlanStep, PlanTable, PlanView, PlansView};

/// The plans as a table.
pub(crate) fn plan_table(view: &PlansView) -> PlanTable {
    PlanTable {
        sentence: view.sentence.clone(),
        way: view.way.clone(),
        notices: view.gates.iter().map(gate).chain(view.freestanding.iter().chain(&view.notices).cloned()).collect(),
        rows: view.plans.iter().map(|plan| row(view, plan)).collect(),
    }
}

fn gate(gate: &GateView) -> String {
    format!("OpenShift {} cannot be left. OLM says: {}", gate.openshift, gate.message)
}

fn row(view: &PlansView, plan: &PlanView) -> PlanRow {
    let reason = plan.reason.as_ref();
    let cell = |version: &OpenShift| {
        let station = plan.stations.iter().find(|station| station.openshift == *version)?;
        let steps = plan.steps.iter().filter(|step| step.openshift == *version && step.what != "openshift");
        let waiting = plan.waiting.clone().filter(|_| view.way.first() == Some(version));
        Some(cell(station, waiting, &steps.collect::<Vec<_>>()))
    };
    PlanRow {
        package: plan.package.clone(),
        channel: plan.channel.clone(),
        is_at_rest: reason.is_none()
            && plan.waiting.is_none()
            && is_at_head(plan)
            && plan.steps.iter().all(|step| step.what == "openshift"),
        cells: view.way.iter().filter_map(cell).collect(),
        reason: reason.map(|reason| reason.sentence.clone()).unwrap_or_default(),
        rest: plan.rest.as_ref().filter(|_| !is_at_head(plan)).map(|rest| rest.sentence.clone()).unwrap_or_default(),
        lifts: reason.map(|reason| reason.lifts.clone()).unwrap_or_default(),
    }
}

fn cell(station: &PlanStation, waiting: Option<String>, steps: &[&PlanStep]) -> PlanCell {
    let todo = steps.iter().filter(|step| !step.automatic).map(|step| step.text.clone());
    let updates = match steps.iter().filter(|step| step.automatic).count() {
        0 => None,
        1 => Some("1 update by OLM".to_owned()),
        many => Some(format!("{many} updates by OLM")),
    };
    let pending = (!station.pending.is_empty()).then(|| "waits for a later Kubernetes".to_owned());
    let frozen = station.is_frozen.then(|| "OLM resolves nothing in the namespace".to_owned());
    let csv = if station.pending.is_empty() { &station.csv } else { &station.pending };
    PlanCell {
        todo: waiting.into_iter().chain(todo).collect(),
        notes: updates.into_iter().chain(pending).chain(frozen).collect(),
        label: update_graph::version_in(csv).map_or_else(|| csv.clone(), |version| version.to_string()),
        // Where nothing is resolved, the catalog may not have the package.
        csv: if station.is_frozen { String::new() } else { csv.clone() },
    }
}
