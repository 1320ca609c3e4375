//! Plans for the page and the command line.

use crate::gate::UpgradeBlocker;
use crate::plans::explain::Reason;
use crate::plans::extensions::OPERATOR_V1;
use crate::plans::plan::{Blocker, Frozen, Plan, Plans, Rest, Station, Step, WaitingPlan};
use crate::sets::version_text;
use cluster::NotUpgradeable;
use source::OpenShift;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use views::{
    BlockerRow, FrozenView, GateView, PlanAction, PlanEnd, PlanReason, PlanRest, PlanStation, PlanStep, PlanView,
    PlansView,
};

/// The ClusterOperator of OLM v0 that has the gate.
const OPERATOR_V0: &str = "operator-lifecycle-manager";

impl Plans {
    /// The plans on a way through versions of OpenShift: first those that somebody has to look at, then by package and channel.
    #[must_use]
    pub fn view(&self, way: &[OpenShift]) -> PlansView {
        let mut views: Vec<PlanView> = self.plans.iter().map(plan_view).collect();
        views.sort_by(|a, b| {
            let key = |view: &PlanView| {
                let cost = view.cost.map(|cost| (cost.missed, cost.reinstalls, cost.manual, cost.frozen));
                let moves = view.steps.iter().any(|step| step.automatic);
                (
                    Reverse((cost.is_none(), cost, !view.is_at_head(), moves)),
                    view.package.clone(),
                    view.channel.clone(),
                    view.namespace.clone(),
                )
            };
            key(a).cmp(&key(b))
        });
        let gates = way.iter().flat_map(|version| self.gates(*version, way.first() == Some(version)));
        let gates: Vec<GateView> = gates.collect();
        let is_gate = |one: &NotUpgradeable| gates.iter().any(|gate| gate.operator == *one.operator);
        let unplanned = self.blocked.iter().filter(|blocker| blocker.is_freestanding || !self.is_planned);
        PlansView {
            sentence: self.sentence(way),
            way: way.to_vec(),
            freestanding: unplanned.map(unplanned_blocker).collect(),
            notices: self
                .reported
                .iter()
                .filter(|(one, is_explained)| *is_explained && !is_gate(one))
                .map(|(one, _)| reported(one))
                .collect(),
            frozen: self.frozen(way),
            plans: views,
            blocked: self.blocked.iter().map(blocker_row).collect(),
            gates: gates.clone(),
            catalogs: Vec::new(),
        }
    }
}

impl Plans {
    /// What the ClusterOperators of OLM say on a version that the cluster cannot leave: on the first one as they report it, if they do.
    fn gates(&self, version: OpenShift, is_first: bool) -> Vec<GateView> {
        let of = |operator: &str, message: Option<String>| {
            let own = self.reported.iter().filter(|(one, _)| is_first && *one.operator == *operator);
            let own = own.map(|(one, is_explained)| (one.message.to_string(), *is_explained)).next();
            let message = match (message, own) {
                // OLM v0 is worded in full; OLM v1 leaves out what it does not know of other operators.
                (Some(message), Some((own, _))) => Some(if operator == OPERATOR_V1 { own } else { message }),
                (None, Some((own, false))) => Some(own),
                (message, _) => message,
            };
            Some(GateView { openshift: version, operator: operator.to_owned(), message: message? })
        };
        let known = [(OPERATOR_V0, self.gate_message(version)), (OPERATOR_V1, self.gate_message_v1(version))];
        let others = self.reported.iter().map(|(one, _)| &*one.operator);
        let others = others.filter(|name| ![OPERATOR_V0, OPERATOR_V1].contains(name));
        let known = known.into_iter().filter_map(|(operator, message)| of(operator, message));
        known.chain(others.filter_map(|operator| of(operator, None))).collect()
    }

    /// Where OLM does not resolve a namespace, why, and who waits: one for each version and reason.
    fn frozen(&self, way: &[OpenShift]) -> Vec<FrozenView> {
        let mut found: BTreeMap<(OpenShift, &str, &Frozen), Vec<&Plan>> = BTreeMap::new();
        for plan in &self.plans {
            for station in &plan.stations {
                let Some(frozen) = &station.frozen else { continue };
                found.entry((station.openshift, &plan.namespace, frozen)).or_default().push(plan);
            }
        }
        let view = |((openshift, namespace, frozen), plans): ((OpenShift, &str, &Frozen), Vec<&Plan>)| {
            let waits = |plan: &&&Plan| {
                let is_cause = frozen.causes.iter().any(|(name, ..)| *name == plan.subscription);
                let is_removed = |step: &Step| step.what == PlanAction::Remove && step.openshift <= openshift;
                !is_cause && !plan.steps.iter().any(is_removed)
            };
            let waiting: Vec<&str> = plans.iter().filter(waits).map(|plan| &*plan.subscription).collect();
            let sentence = frozen.sentence(namespace, openshift, &waiting);
            let causes = frozen.causes.iter().filter(|(.., can_change)| *can_change && !frozen.is_until_steps);
            let causes = causes.map(|(name, ..)| name.to_string()).collect();
            FrozenView { openshift, namespace: namespace.to_owned(), sentence, causes }
        };
        let mut views: Vec<FrozenView> = found.into_iter().map(view).collect();
        views.sort_by_key(|view| way.iter().position(|version| *version == view.openshift));
        views
    }
}

/// What a ClusterOperator reports, a sentence.
fn reported(one: &NotUpgradeable) -> String {
    let NotUpgradeable { operator, reason, message } = one;
    format!("ClusterOperator `{operator}` reports `Upgradeable=False` (`{reason}`): {}", source::one_line(message))
}

fn plan_view(plan: &Plan) -> PlanView {
    let text = |channel: &Option<catalog::ChannelName>| channel.as_ref().map(ToString::to_string).unwrap_or_default();
    PlanView {
        namespace: plan.namespace.to_string(),
        subscription: plan.subscription.to_string(),
        is_extension: plan.is_extension,
        package: plan.package.to_string(),
        channel: text(&plan.channel),
        installed: plan.installed.as_ref().map(ToString::to_string).unwrap_or_default(),
        cost: plan.cost,
        steps: plan.steps.iter().map(|step| plan_step(plan, step)).collect(),
        reason: plan.reason.as_ref().map(plan_reason),
        waiting: plan.waiting.as_ref().map(WaitingPlan::sentence),
        rest: plan.rest.as_ref().filter(|_| plan.waiting.is_none()).map(plan_rest),
        summary: plan.summary(),
        stations: plan.stations.iter().map(plan_station).collect(),
    }
}

fn plan_rest(rest: &Rest) -> PlanRest {
    let id = match rest {
        Rest::Head => PlanEnd::Head,
        Rest::Stuck { .. } => PlanEnd::Stuck,
        Rest::Waits { .. } => PlanEnd::Waits,
    };
    PlanRest { id, sentence: rest.sentence() }
}

fn plan_step(plan: &Plan, step: &Step) -> PlanStep {
    let (commands, reason) = match step.commands(&plan.namespace, &plan.subscription) {
        Ok(commands) => (commands, String::new()),
        Err(reason) => (Vec::new(), format!(" (no command: {reason})")),
    };
    PlanStep {
        openshift: step.openshift,
        what: step.what,
        from: step.from.clone(),
        to: step.to.clone(),
        channel: step.channel.as_ref().map(ToString::to_string).unwrap_or_default(),
        automatic: step.what == PlanAction::Update,
        install_plan: step.install_plan.as_deref().unwrap_or_default().to_owned(),
        because: step.because.clone().unwrap_or_default(),
        text: step.sentence() + &reason,
        commands: commands.iter().map(ToString::to_string).collect(),
    }
}

fn plan_reason(reason: &Reason) -> PlanReason {
    PlanReason { id: reason.obstacle, sentence: reason.sentence.clone(), lifts: reason.lifts.clone() }
}

fn plan_station(station: &Station) -> PlanStation {
    let text = |name: &Option<catalog::BundleName>| name.as_ref().map(ToString::to_string).unwrap_or_default();
    let csv = station.pending.as_ref().or(station.csv.as_ref());
    PlanStation {
        openshift: station.openshift,
        csv: text(&station.csv),
        pending: text(&station.pending),
        label: csv.map(|csv| version_text(csv.as_str())).unwrap_or_default(),
        channel: station.channel.as_ref().map(ToString::to_string).unwrap_or_default(),
        is_frozen: station.frozen.is_some(),
    }
}

fn blocker_row(blocker: &Blocker) -> BlockerRow {
    BlockerRow {
        openshift: blocker.openshift,
        namespace: blocker.blocker.namespace.to_string(),
        csv: blocker.blocker.csv.to_string(),
        extension: blocker.extension.as_ref().map(ToString::to_string),
        max: blocker.max(),
        id: blocker.obstacle(),
    }
}

/// What to do about a CSV that no plan is about.
fn unplanned_blocker(blocker: &Blocker) -> String {
    let UpgradeBlocker { namespace, csv, reason, .. } = &blocker.blocker;
    let why = reason.sentence();
    if !blocker.is_freestanding {
        return format!("`{namespace}/{csv}` {why}. It has to be updated or removed on {}.", blocker.openshift);
    }
    // With `startingCSV` OLM would try to install a second copy.
    format!(
        "`{namespace}/{csv}` has no Subscription, so nothing updates it, and it {why}. Create a Subscription without `startingCSV` \
         and set its `status.currentCSV` and `status.installedCSV` to `{csv}` with `kubectl edit --subresource=status`, or delete \
         the CSV, which keeps its custom resources, and subscribe."
    )
}
